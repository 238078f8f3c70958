"""DistributedDataParallel under mpiexec: equal to one process, equal in all ranks, and outspoken when it cannot be."""

import pathlib

import pytest


@pytest.mark.parametrize("count", [2, 3, 4])
def test_fifty_steps_equal_those_of_one_process(succeed, count):
    out = succeed(count, "equality.py")
    assert len(out.splitlines()) == 9, out


def test_one_rank_alone_is_ordinary_training(succeed):
    succeed(1, "equality.py")


def test_models_that_differ_and_other_mistakes_are_refused(succeed):
    assert succeed(2, "refusals.py").count("all refused") == 2


LEFT = "has ended its program while rank 0 waits for"


@pytest.mark.parametrize(
    "way, said",
    [
        ("raises", ["rank 1 failed", "Traceback", "ZeroDivisionError: in step 3"]),
        ("raises before", ["rank 1 failed", "ZeroDivisionError: before the model is made"]),
        ("raises in a hook", ["rank 1 failed", "ZeroDivisionError: in the hook of step 3"]),
        ("raises in a worker", ["rank 1 failed", "in DataLoader worker 0", "ZeroDivisionError: in sample 3"]),
        ("is interrupted", ["rank 1 failed", "KeyboardInterrupt"]),
        ("exits", ["that was enough", f"rank 1 {LEFT} the gradients of model 1, a Sequential"]),
        ("exits before", [f"rank 1 {LEFT} its DistributedDataParallel"]),
        ("has fewer batches", [f"rank 1 {LEFT} the gradients of model 1"]),
        ("has fewer batches on a ring", [f"rank 1 {LEFT} the gradients of model 1"]),
        ("has fewer batches for a loop", ["out of step", "at the gradients of model 1", "at the mean of an epoch"]),
        ("comes to another model", ["out of step", "at the gradients of model 1", "at the gradients of model 2"]),
        ("catches an exception of forward", ["out of step", "forward 4, backward 4", "forward 5, backward 4"]),
        ("catches an exception of backward", ["out of step", "forward 4, backward 4", "forward 5, backward 4"]),
        ("catches an exception of backward in the middle", ["out of step", "forward 4, backward 4, interrupted"]),
        (
            "under no_sync catches an exception of backward",
            ["out of step", "forward 5, backward 5", "forward 5, backward 4"],
        ),
        ("leaves without a word", []),
        ("is killed", []),
    ],
)
def test_a_rank_that_fails_ends_the_job(ranks, tmp_path, way, said):
    result = ranks(2, "failing.py", way)
    assert result.returncode != 0
    for words in said:
        assert words in result.out + result.err
    assert "rank 0 has done all its steps" not in result.out
    if (tmp_path / "shared").exists():
        shared = (tmp_path / "shared").read_text().split()
        assert not any(pathlib.Path(path).exists() for path in shared), "memory was left behind"


@pytest.mark.parametrize(
    "way, said",
    [
        ("raises", ["rank 1 failed", "ZeroDivisionError: before MPI is asked for"]),
        ("exits", [f"rank 1 {LEFT} its DistributedDataParallel"]),
    ],
)
def test_a_rank_that_fails_before_it_has_a_model_ends_the_job(ranks, way, said):
    result = ranks(2, "failing_early.py", way)
    assert result.returncode != 0 and "has made its model" not in result.out
    assert all(words in result.err for words in said), result.err


def test_one_rank_that_fails_ends_three_others(ranks):
    result = ranks(4, "failing.py", "raises")
    assert result.returncode != 0 and "rank 3 failed" in result.err and "ZeroDivisionError: in step 3" in result.err


def test_the_same_program_without_a_failure_ends_well(succeed):
    assert succeed(2, "failing.py", "never").count("has done all its steps") == 2
