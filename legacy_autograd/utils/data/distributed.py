"""`torch.utils.data.distributed` (0.2.0): the sampler of one rank's share. Importing it starts MPI."""

from ...distributed.sampler import DistributedSampler

__all__ = ["DistributedSampler"]
