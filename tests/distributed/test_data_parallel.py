"""DistributedDataParallel under mpiexec: equal to one process, equal in all ranks, and outspoken when it cannot be."""

import time

import pytest


@pytest.mark.parametrize("count", [2, 3, 4])
def test_fifty_steps_equal_those_of_one_process(succeed, count):
    out = succeed(count, "equality.py", timeout=120)
    assert len(out.splitlines()) == 9, out


def test_one_rank_alone_is_ordinary_training(succeed):
    succeed(1, "equality.py")


def test_models_that_differ_and_other_mistakes_are_refused(succeed):
    assert succeed(2, "refusals.py").count("all refused") == 2


@pytest.mark.parametrize(
    "way, said",
    [
        ("raises", ["rank 1 failed", "Traceback", "ZeroDivisionError: in step 3"]),
        ("raises before", ["rank 1 failed", "ZeroDivisionError: before the model is made"]),
        ("exits", ["that was enough", "rank 1 has ended its program while rank 0 waits for the gradients of"]),
        ("exits before", ["rank 1 has ended its program while rank 0 waits for its DistributedDataParallel"]),
        ("has fewer batches", ["rank 1 has ended its program while rank 0 waits for the gradients of"]),
        ("is killed", []),
    ],
)
def test_a_rank_that_fails_ends_the_job(ranks, way, said):
    begin = time.monotonic()
    result = ranks(2, "failing.py", way, timeout=60)
    assert result.returncode != 0
    assert time.monotonic() - begin < 30
    for words in said:
        assert words in result.out + result.err
    assert "rank 0 has done all its steps" not in result.out
