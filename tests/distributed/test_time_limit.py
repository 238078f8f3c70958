"""No rank waits for ever: what does not come in time ends the job, in words."""

import datetime
import os
import re
import time

import pytest

from legacy_autograd import distributed
from legacy_autograd.distributed.failure import time_limit

slow = pytest.mark.slow
# In the limit all ranks have to load the package, also on a busy machine.
OVER = "CollectiveTimeout: the time limit of 10 s is over: rank {} failed to reach {}"


@pytest.mark.parametrize(
    "way, count, said",
    [
        # Two all_reduces were before it, and the group's own making. Rank 1 comes late, and is not named.
        (
            "stops in all_reduce",
            3,
            OVER.format(
                2, "all_reduce of a torch.DoubleTensor of size (2,) (SUM) (number 3 of its kind, collective 4 in "
            ),
        ),
        ("stops in backward", 2, OVER.format(1, "the gradients of model 1, a Linear (number 3 of its kind, ")),
        # Behind the making of the group, three all_reduces and a barrier.
        pytest.param(
            "stops in barrier", 2, OVER.format(1, "barrier (number 2 of its kind, collective 6 in all)"), marks=slow
        ),
        pytest.param("hangs in all_reduce", 2, OVER.format(1, "all_reduce of a "), marks=slow),
        pytest.param("stops in a ring", 2, OVER.format(1, "ring_all_reduce (number 2 of its kind"), marks=slow),
        pytest.param("stops in a server", 2, OVER.format(1, "parameter_server (number 2 of its kind"), marks=slow),
        pytest.param("stops in broadcast", 2, OVER.format(1, "broadcast of a "), marks=slow),
        pytest.param("stops in all_gather", 2, OVER.format(1, "all_gather of a "), marks=slow),
    ],
)
def test_a_rank_that_does_not_come_is_named(ranks, way, count, said):
    result = ranks(count, "absent.py", way, 10)
    assert result.returncode != 0 and "is done" not in result.out
    assert said in result.err and re.search(r"rank 0 waited \d+\.\d s there", result.err), result.err
    assert "rank 1, rank 2" not in result.err


@pytest.mark.parametrize(
    "way, said",
    [
        ("raises before the import", ["ZeroDivisionError: before the import", "a rank has ended before; rank 1 of"]),
        ("leaves without a word", ["rank 1 called os._exit(0), which ends the job"]),
        pytest.param("exits before the import", ["a rank has ended before; rank 1 of this machine"], marks=slow),
    ],
)
def test_a_rank_that_ends_at_once_ends_the_job_long_before_the_limit(ranks, way, said):
    result = ranks(2, "absent.py", way, 1000, timeout=300)
    assert result.returncode != 0 and "is done" not in result.out
    assert all(words in result.err for words in said), result.err


def test_a_rank_that_is_slow_but_within_the_limit_is_waited_for(succeed):
    assert succeed(2, "absent.py", "is slow", 60).count("is done") == 2


@slow
@pytest.mark.parametrize(
    "way, said",
    [
        (
            "stops before the import",
            "the time limit of 10 s is over; rank 1 of this machine failed to reach the import",
        ),
        ("stops before the end", "the time limit of 10 s is over: rank 1 failed to reach the end of the program"),
    ],
)
def test_the_environment_variable_limits_the_start_and_the_end(ranks, monkeypatch, tmp_path, way, said):
    monkeypatch.setenv("LEGACY_AUTOGRAD_DIST_TIMEOUT", "10")
    result = ranks(2, "absent.py", way, 1000, timeout=300)
    assert result.returncode != 0 and said in result.err, result.err
    assert_ended(tmp_path)


def test_a_time_limit_is_a_number_a_timedelta_or_the_environments(monkeypatch):
    assert issubclass(distributed.CollectiveTimeout, RuntimeError)
    assert time_limit() == 30 * 60  # torch's default
    monkeypatch.setenv("LEGACY_AUTOGRAD_DIST_TIMEOUT", "2.5")
    assert time_limit() == 2.5 and time_limit(7) == 7 and time_limit(datetime.timedelta(minutes=2)) == 120
    for wrong in (0, -1, float("nan"), "soon", [1], datetime.timedelta(0)):
        with pytest.raises(ValueError, match="LEGACY_AUTOGRAD_DIST_TIMEOUT, must be a number of seconds above 0"):
            time_limit(wrong)


def assert_ended(folder):
    """mpiexec ends the rank that was stopped too, perhaps a moment after itself."""
    stopped = folder / "stopped"
    end = time.monotonic() + 60
    while stopped.exists() and time.monotonic() < end:
        try:
            os.kill(int(stopped.read_text()), 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    assert not stopped.exists(), "the stopped rank is still there"
