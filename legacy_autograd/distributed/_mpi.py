"""mpi4py, or the one sentence that says how to get it. Nothing else of the package needs MPI."""


class MPIMissing(ImportError):
    """mpi4py or the MPI library under it is missing; the message says what to install."""


def mpi():
    """The module `mpi4py.MPI`, which starts MPI when it is first imported. Raises MPIMissing."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # RuntimeError: mpi4py is there, the MPI library is not
        raise MPIMissing(
            "distributed training needs mpi4py and an MPI, which cannot be loaded here: "
            f'pip install "legacy_autograd[distributed]" ({error})'
        ) from error
    return MPI
