"""`torch.nn.parallel`: data-parallel modules (v0.1.5: the same folder), which shared a batch among graphics cards.

legacy_autograd uses none. For several processes see `legacy_autograd.distributed`.
"""

from .data_parallel import DataParallel, data_parallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter

__all__ = ["DataParallel", "data_parallel", "gather", "parallel_apply", "replicate", "scatter"]
