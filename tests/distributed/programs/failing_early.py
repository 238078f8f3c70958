"""Rank 1 fails, in the way that the argument says, before anybody has asked for MPI."""

import os
import sys

import legacy_autograd.distributed as distributed
from legacy_autograd import nn

is_second = "1" in (os.environ.get("PMI_RANK"), os.environ.get("PMIX_RANK"), os.environ.get("OMPI_COMM_WORLD_RANK"))
if is_second and sys.argv[1] == "raises":
    raise ZeroDivisionError("before MPI is asked for")
if is_second and sys.argv[1] == "exits":
    sys.exit(3)
distributed.DistributedDataParallel(nn.Linear(2, 2))
print("has made its model")
