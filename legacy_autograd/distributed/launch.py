"""Starting a program in several ranks on this machine, with any MPI."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from ._mpi import MPIMissing

# Environment variables that the common MPIs set in their ranks.
_SET_BY_MPIEXEC = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK")


def command(ranks, *arguments):
    """Return the command line that runs `python *arguments` in `ranks` ranks. Raises MPIMissing without an MPI."""
    beside = Path(sys.executable).parent  # pip installs it here; an inactive environment is not on PATH
    mpiexec = shutil.which("mpiexec", path=str(beside)) or shutil.which("mpiexec")
    if mpiexec is None or importlib.util.find_spec("mpi4py") is None:
        missing = "mpiexec" if mpiexec is None else "mpi4py"
        raise MPIMissing(
            f'distributed training needs {missing}, which is not installed: pip install "legacy_autograd[distributed]"'
        )
    return [mpiexec, *_options(mpiexec), "-n", str(ranks), sys.executable, *map(str, arguments)]


def _options(mpiexec):
    """Return the options that Open MPI needs to start more ranks than cores, or as root (as in a container)."""
    version = subprocess.run([mpiexec, "--version"], capture_output=True, encoding="utf-8").stdout
    if "Open MPI" not in version and "OpenRTE" not in version:
        return []
    return ["--oversubscribe", *(["--allow-run-as-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]


def environment(ranks):
    """Return the environment for `ranks` ranks on this machine, in which each BLAS uses its share of the cores."""
    threads = str(max(1, (os.cpu_count() or 1) // ranks))
    shares = {name: threads for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    return {**shares, **os.environ}


def is_rank():
    """Return whether mpiexec started this process."""
    return any(name in os.environ for name in _SET_BY_MPIEXEC)
