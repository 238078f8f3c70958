"""Process groups, collectives, samplers and models of several ranks, used before, beside or against each other."""

import json
import pathlib
import subprocess
import sys

import numpy
import pytest

import legacy_autograd
from legacy_autograd.distributed import DistributedSampler, launch, ring_all_reduce
from legacy_autograd.distributed._mpi import MPIMissing

from .misuse import gives, raises

ROOT = str(pathlib.Path(legacy_autograd.__file__).resolve().parents[1])
pytestmark = pytest.mark.xdist_group("mpi")


def ranks(count, command):
    """Run ranks.py in `count` ranks by `command`; returns what rank 0 found."""
    try:
        if subprocess.run(
            [sys.executable, "-c", "from mpi4py import MPI"], capture_output=True, timeout=120
        ).returncode:
            pytest.skip("mpi4py does not load")
        line = command(pathlib.Path(__file__).with_name("ranks.py"), str(count))
    except MPIMissing as error:
        pytest.skip(str(error))
    environment = {**launch.environment(count), "PYTHONPATH": ROOT}
    result = subprocess.run(line, env=environment, capture_output=True, encoding="utf-8", timeout=120)
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def alone():
    """What becomes of each misuse in one process that mpiexec did not start."""
    return ranks(1, lambda *arguments: [sys.executable, *map(str, arguments)])


@pytest.fixture(scope="module")
def two():
    return ranks(2, lambda *arguments: launch.command(2, *arguments))


IN_ONE = {
    "rank_before_init": ("RuntimeError", "get_rank", "init_process_group first"),
    "sum_before_init": ("RuntimeError", "all_reduce", "init_process_group first"),
    "backend_of_graphics_cards": ("ValueError", "init_process_group", "'mpi'", "'nccl'", "mpiexec"),
    "more_ranks_than_there_are": ("ValueError", "init_process_group", "world_size must be 1", "got 4"),
    "rank_of_another": ("ValueError", "init_process_group", "rank must be 0", "got 1"),
    "init_twice": ("RuntimeError", "init_process_group", "already"),
    "broadcast_from_nowhere": ("ValueError", "broadcast", "1 ranks", "from 0 to 0", "got 5"),
    "broadcast_from_half_a_rank": ("TypeError", "broadcast", "src", "integer", "0.5"),
    "average_of_tensors": ("ValueError", "all_reduce", "op", "SUM, PROD, MIN, MAX", "'AVG'"),
    "places_of_another_size": ("ValueError", "all_gather", "of size (1,) and", "DoubleTensor of size (2,)"),
    "communicator_by_name": ("TypeError", "DistributedDataParallel", "comm", "communicator", "str"),
    "model_closed_twice": ("", 1.0),
    "sum_of_variables": ("TypeError", "all_reduce", "Tensors", "Variable", "data"),
    "sum_of_half_precision": ("TypeError", "all_reduce", "half precision", "float"),
    "places_for_other_ranks": ("ValueError", "all_gather", "1 ranks", "got 2"),
    "places_of_another_type": ("ValueError", "all_gather", "DoubleTensor", "FloatTensor"),
    "model_that_is_a_function": ("TypeError", "DistributedDataParallel", "Module", "function"),
    "model_without_parameters": ("ValueError", "DistributedDataParallel", "ReLU", "requires a gradient"),
    "buckets_of_nothing": ("ValueError", "bucket_bytes", "above 0", "got 0"),
    "model_wrapped_twice": ("ValueError", "DistributedDataParallel", "Linear", "close()"),
    "gradient_of_rank_plus_one": ("", 1.0),
    "barrier_after_the_group_is_gone": ("RuntimeError", "barrier", "init_process_group first"),
}

IN_TWO = {
    "rank_of_another": ("ValueError", "init_process_group", "rank must be 0", "got 2"),
    "sums_of_different_sizes": ("RuntimeError", "out of step", "all_reduce", "(1,)", "rank 1", "(2,)"),
    "different_operations": ("RuntimeError", "out of step", "all_reduce", "rank 1", "barrier"),
    "different_sources": ("RuntimeError", "out of step", "broadcast", "from rank 0", "from rank 1"),
    "models_of_different_sizes": ("RuntimeError", "rank 0", "(1, 2)", "rank 1", "(2, 2)"),
    "gradient_of_rank_plus_one": ("", 1.5),  # (1 + 2) / 2, also after all of these
}


def check(found, kind, *facts):
    assert found[0] == kind, found
    if not kind:
        assert found[1] == list(facts)
    else:
        assert all(fact in found[1] for fact in facts), found[1]


@pytest.mark.parametrize("name", IN_ONE)
def test_one_rank(alone, name):
    check(alone[name], *IN_ONE[name])


@pytest.mark.parametrize("name", IN_TWO)
def test_two_ranks(two, name):
    check(two[name], *IN_TWO[name])


# --- what needs no MPI


@raises(ValueError, "DistributedSampler", "2 ranks", "from 0 to 1", "got 2")
def test_share_of_a_rank_that_is_not_there():
    DistributedSampler(range(4), 2, 2)


@raises(TypeError, "DistributedSampler", "integers")
def test_half_a_rank():
    DistributedSampler(range(4), 2.5, 0)


@raises(ValueError, "DistributedSampler", "1 samples", "2 ranks")
def test_fewer_samples_than_ranks_and_none_repeated():
    DistributedSampler(range(1), 2, 0, repeat=False)


@gives(0, 0)  # the one sample comes once more, so that both ranks have one
def test_fewer_samples_than_ranks():
    return [next(iter(DistributedSampler(range(1), 2, rank))) for rank in range(2)]


@raises(ValueError, "set_epoch", "0 or more", "-1", fixed=True)
def test_epoch_below_zero():
    DistributedSampler(range(4), 2, 0).set_epoch(-1)


@raises(TypeError, "set_epoch", "integer", "'one'", fixed=True)
def test_epoch_as_a_word():
    DistributedSampler(range(4), 2, 0).set_epoch("one")


@raises(TypeError, "ring_all_reduce", "numpy array", "C-contiguous")
def test_ring_of_every_second_column():
    ring_all_reduce(numpy.ones((4, 4))[:, ::2], None)
