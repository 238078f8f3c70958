"""`get_num_threads` and `set_num_threads`: how many threads a matrix product may use (2016: a count in TH).

The threads belong to the BLAS library under numpy, and numpy has no function for them. threadpoolctl has one. Without
it the number can be read but not changed, because the library reads it from the environment when it is loaded.
"""

import importlib
import numbers
import os
import warnings

_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def get_num_threads() -> int:
    """Return the largest number of threads that numpy's matrix products use."""
    controller = _controller()
    if controller is not None:
        found = [library["num_threads"] for library in controller.info() if library["user_api"] == "blas"]
        if found:
            return max(found)
    asked_for = [os.environ[name] for name in _VARIABLES if os.environ.get(name, "").isdigit()]
    if asked_for and int(asked_for[0]) > 0:
        return int(asked_for[0])
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def set_num_threads(count: int) -> None:
    """Set the number of threads for numpy's matrix products.

    Without the package threadpoolctl (extra `train`) it has no effect except a warning.

    Args:
        count: The number of threads.

    Raises:
        TypeError: If `count` is not an integer.
        ValueError: If it is less than 1.
    """
    if not isinstance(count, numbers.Integral) or isinstance(count, bool):
        raise TypeError(f"set_num_threads: expected an integer, got {type(count).__name__}")
    if count < 1:
        raise ValueError(f"set_num_threads: expected at least 1 thread, got {count}")
    controller = _controller()
    if controller is not None:
        controller.limit(limits=int(count), user_api="blas")
    elif count != get_num_threads():
        warnings.warn(
            f"set_num_threads({count}) has no effect without threadpoolctl: pip install threadpoolctl, or set "
            f"{_VARIABLES[0]}={count} before the program starts",
            stacklevel=2,
        )


def _controller():
    try:
        return importlib.import_module("threadpoolctl").ThreadpoolController()
    except ImportError:
        return None
