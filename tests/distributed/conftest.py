"""`ranks`: runs one of the programs in `programs/` under mpiexec, and skips with the reason where there is no MPI."""

import os
import pathlib
import signal
import subprocess
import sys
import types

import pytest

import legacy_autograd
from legacy_autograd.distributed import launch
from legacy_autograd.distributed._mpi import MPIMissing

PROGRAMS = pathlib.Path(__file__).parent / "programs"
ROOT = str(pathlib.Path(legacy_autograd.__file__).resolve().parents[1])


@pytest.fixture(scope="session")
def mpi_works():
    """Skips where mpi4py or mpiexec is missing, or mpi4py finds no MPI."""
    try:
        launch.command(1)
    except MPIMissing as error:
        pytest.skip(str(error))
    probe = [sys.executable, "-c", "from mpi4py import MPI"]
    result = subprocess.run(probe, capture_output=True, encoding="utf-8", timeout=300)
    if result.returncode:
        pytest.skip(f"mpi4py does not load: {result.stderr.strip().splitlines()[-1]}")


@pytest.fixture
def ranks(mpi_works, tmp_path):
    """`ranks(3, "program.py", argument, ...)` returns what `subprocess.run` would; a job that hangs is ended."""

    def run(count, program, *arguments, timeout=300):
        process = subprocess.Popen(
            launch.command(count, PROGRAMS / program if program.endswith(".py") else program, *arguments),
            cwd=tmp_path,
            env={**launch.environment(count), "PYTHONPATH": ROOT},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)  # mpiexec ends its ranks
            out, err = process.communicate(timeout=60)
            pytest.fail(f"{program} {arguments} in {count} ranks took longer than {timeout} s\n{out}\n{err}")
        return types.SimpleNamespace(returncode=process.returncode, out=out, err=err)

    return run


@pytest.fixture
def succeed(ranks):
    """The same, for programs that end well; returns what they printed."""

    def run(count, program, *arguments, **keywords):
        result = ranks(count, program, *arguments, **keywords)
        assert result.returncode == 0, f"{result.out}\n{result.err}"
        return result.out

    return run
