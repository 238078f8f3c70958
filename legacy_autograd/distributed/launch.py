"""How to start a program in several ranks on this machine, with whatever MPI there is."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from ._mpi import MPIMissing

# What the MPIs in use tell their ranks.
_SET_BY_MPIEXEC = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK")


def command(ranks, *arguments):
    """The command line that runs `python *arguments` in `ranks` ranks. Raises MPIMissing where something is missing."""
    beside = Path(sys.executable).parent  # where pip puts it, though an environment that is not active is not on PATH
    mpiexec = shutil.which("mpiexec", path=str(beside)) or shutil.which("mpiexec")
    if mpiexec is None or importlib.util.find_spec("mpi4py") is None:
        missing = "mpiexec" if mpiexec is None else "mpi4py"
        raise MPIMissing(
            f'distributed training needs {missing}, which is not there: pip install "legacy_autograd[distributed]"'
        )
    return [mpiexec, *_options(mpiexec), "-n", str(ranks), sys.executable, *map(str, arguments)]


def _options(mpiexec):
    """What Open MPI wants to be told before it starts more ranks than cores, or as root, in a container for example."""
    version = subprocess.run([mpiexec, "--version"], capture_output=True, encoding="utf-8").stdout
    if "Open MPI" not in version and "OpenRTE" not in version:
        return []
    return ["--oversubscribe", *(["--allow-run-as-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]


def environment(ranks):
    """The environment for `ranks` ranks on this machine: the BLAS of each takes its share of the cores, no more."""
    threads = str(max(1, (os.cpu_count() or 1) // ranks))
    shares = {name: threads for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    return {**shares, **os.environ}


def is_rank():
    """Was this process started by mpiexec?"""
    return any(name in os.environ for name in _SET_BY_MPIEXEC)
