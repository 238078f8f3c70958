"""The last rank fails in the way that the argument says, while the others go on. `failed` is written just before."""

import contextlib
import os
import pathlib
import re
import signal
import sys

from mpi4py import MPI

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.demos.training_loop import TrainingLoop
from legacy_autograd.distributed import DistributedDataParallel, failure, ring_all_reduce
from legacy_autograd.utils.data import DataLoader, TensorDataset

failure._STILL_COMING = 0.5  # failing_early.py waits for as long as a user's program does
world = MPI.COMM_WORLD
if os.path.exists("/proc/self/maps"):
    shared = re.findall("/dev/shm/mpich\\w*", pathlib.Path("/proc/self/maps").read_text())
    pathlib.Path("shared").write_text("\n".join(shared))
way = sys.argv[1] if world.rank == world.size - 1 else "goes on"


def fail(kind, *arguments):
    pathlib.Path("failed").touch()
    raise kind(*arguments)


class Samples:
    """Of which number 3 may be damaged."""

    def __len__(self):
        return 10

    def __getitem__(self, index):
        if index == 3 and way == "raises in a worker":
            fail(ZeroDivisionError, "in sample 3")
        return torch.ones(2)


if way == "raises before":
    fail(ZeroDivisionError, "before the model is made")
if way == "exits before":
    fail(SystemExit, 3)
ring = {"all_reduce": ring_all_reduce} if "on a ring" in sys.argv[1] else {}
model = DistributedDataParallel(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), bucket_bytes=1, **ring)
other = DistributedDataParallel(nn.Linear(2, 2))
if "for a loop" in sys.argv[1]:
    count = 9 if way == sys.argv[1] else 10
    samples = TensorDataset(torch.ones(count, 2), torch.ones(count, 2))
    pathlib.Path("failed").touch()
    TrainingLoop(model, nn.MSELoss(), optim.SGD(model.parameters(), lr=0.1)).fit(DataLoader(samples), 2)


def broken(grad):
    raise ZeroDivisionError


def goes_on_after_an_exception(batch):
    """One forward and backward, whose exception is caught."""
    with contextlib.suppress(ZeroDivisionError):
        output = model(Variable(batch, requires_grad=False))
        if way.endswith("of forward"):
            broken(None)
        where = model.module[0].bias if way.endswith("in the middle") else output
        handle = where.register_hook(broken)
        try:
            output.sum().backward()
        finally:
            handle.remove()
            pathlib.Path("failed").touch()


for step, batch in enumerate(DataLoader(Samples(), num_workers=1 if "in a worker" in sys.argv[1] else 0)):
    if step == 3:
        if way == "raises":
            fail(ZeroDivisionError, "in step 3")
        if way == "raises in a hook":
            model.module[0].bias.register_hook(lambda grad: fail(ZeroDivisionError, "in the hook of step 3"))
        if way == "is interrupted":
            fail(KeyboardInterrupt)
        if way == "exits":
            fail(SystemExit, "that was enough")
        if way.startswith("has fewer batches"):
            pathlib.Path("failed").touch()
            break
        if way == "comes to another model":
            pathlib.Path("failed").touch()
            other(Variable(batch, requires_grad=False)).sum().backward()
        if "catches an exception" in sys.argv[1]:
            accumulates = model.no_sync() if "under no_sync" in sys.argv[1] else contextlib.nullcontext()
            with accumulates:
                if way == sys.argv[1]:
                    goes_on_after_an_exception(batch)
                else:
                    model(Variable(batch, requires_grad=False)).sum().backward()
            continue
        if way == "leaves without a word":
            pathlib.Path("failed").touch()
            os._exit(7)
        if way == "is killed":
            pathlib.Path("failed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
    model(Variable(batch, requires_grad=False)).sum().backward()
print(f"rank {world.rank} has done all its steps")
