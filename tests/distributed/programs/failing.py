"""One rank fails in the way that the argument says, while the others go on."""

import os
import signal
import sys

from mpi4py import MPI

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.distributed import DistributedDataParallel

way = sys.argv[1]
failing = MPI.COMM_WORLD.rank == 1
if way == "raises before" and failing:
    raise ZeroDivisionError("before the model is made")
if way == "exits before" and failing:
    sys.exit(3)
model = DistributedDataParallel(nn.Linear(2, 2))
for step in range(10):
    if step == 3 and failing:
        if way == "raises":
            raise ZeroDivisionError("in step 3")
        if way == "exits":
            sys.exit("that was enough")
        if way == "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if way == "has fewer batches":
            break
    model(Variable(torch.ones(1, 2), requires_grad=False)).sum().backward()
print(f"rank {MPI.COMM_WORLD.rank} has done all its steps")
