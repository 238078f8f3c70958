"""mpi4py, or one error message that says how to install it. No other part of the package needs MPI."""


class MPIMissing(ImportError):
    """mpi4py or the MPI library under it is missing; the message says what to install."""


def mpi():
    """Return the module `mpi4py.MPI`, whose first import starts MPI. Raises MPIMissing if there is none."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # RuntimeError: mpi4py without an MPI library
        raise MPIMissing(
            "distributed training needs mpi4py and an MPI library, which cannot be loaded: "
            f'pip install "legacy_autograd[distributed]" ({error})'
        ) from error
    return MPI
