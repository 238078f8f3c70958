"""Data-parallel training: one program in several processes, each with a share of the data (added: 2016 had none).

    mpiexec -n 4 python train.py

Every process, called a rank, makes the same model, wraps it in `DistributedDataParallel` and reads its share through a
`DistributedSampler`. A `TrainingLoop` is used as for one process. The processes communicate by MPI, on numpy's buffers
(mpi4py; the extra `distributed`).

Import this package first: in a rank the import starts MPI, makes an uncaught exception end all ranks, and lets the
other ranks notice when this one ends (`failure.py`). Ranks wait for each other for 30 minutes, or the number of seconds
in the environment variable LEGACY_AUTOGRAD_DIST_TIMEOUT. Between start and end of the program, `timeout` of
`init_process_group` or `DistributedDataParallel` takes precedence. Then a `CollectiveTimeout` names the missing ranks.
"""

from ._mpi import MPIMissing  # noqa: F401
from .algorithms import parameter_server, ring_all_reduce  # noqa: F401
from .collectives import (  # noqa: F401
    ReduceOp,
    all_gather,
    all_reduce,
    barrier,
    broadcast,
    destroy_process_group,
    get_rank,
    get_world_size,
    init_process_group,
    is_available,
    is_initialized,
    reduce_op,
)
from .data_parallel import DistributedDataParallel  # noqa: F401
from .failure import CollectiveTimeout, end_job_on_exception, say_goodbye_at_exit, start_among_many  # noqa: F401
from .process_group import ProcessGroup  # noqa: F401
from .sampler import DistributedSampler  # noqa: F401
from .timeline import Timeline, save_page_of_ranks  # noqa: F401

start_among_many()
end_job_on_exception()
say_goodbye_at_exit()
