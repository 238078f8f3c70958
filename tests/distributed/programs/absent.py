"""The last rank does not come to where the others wait, as the first argument says; the second is the time limit."""

import os
import pathlib
import signal
import sys
import time

way, limit = sys.argv[1], sys.argv[2]
ranks = int(os.environ.get("PMI_SIZE") or os.environ["OMPI_COMM_WORLD_SIZE"])
is_last = int(os.environ.get("PMI_RANK") or os.environ["OMPI_COMM_WORLD_RANK"]) == ranks - 1


def stop():
    if is_last:
        pathlib.Path("stopped").write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGSTOP)


if way == "raises before the import" and is_last:
    raise ZeroDivisionError("before the import")
if way == "exits before the import" and is_last:
    sys.exit(0)
if way == "stops before the import":
    stop()

import legacy_autograd as torch  # noqa: E402
from legacy_autograd import distributed, nn  # noqa: E402
from legacy_autograd.autograd import Variable  # noqa: E402
from legacy_autograd.distributed import failure  # noqa: E402

failure._ANSWERED = 1.5
if way == "stops before the end":
    stop()
    sys.exit(0)
distributed.init_process_group("mpi", timeout=1000 if way == "stops in backward" else float(limit))
rank = distributed.get_rank()
x = torch.ones(2)
for _ in range(2):
    distributed.all_reduce(x)
if way == "is slow" and is_last:
    time.sleep(0.8)
if way == "leaves without a word" and is_last:
    os._exit(0)
if way == "hangs in all_reduce" and is_last:
    time.sleep(1000)
if way == "stops in all_reduce":
    stop()
    if rank == 1:
        time.sleep(0.8)  # it is late, but comes
distributed.all_reduce(x)
if "ring" in way or "server" in way:
    sums = distributed.ring_all_reduce if "ring" in way else distributed.parameter_server
    sums(x.numpy(), distributed.collectives._group.comm)
    stop()
    sums(x.numpy(), distributed.collectives._group.comm)
elif "barrier" in way:
    distributed.barrier()
    stop()
    distributed.barrier()
elif "broadcast" in way:
    stop()
    distributed.broadcast(x, 0)
elif "all_gather" in way:
    stop()
    distributed.all_gather([torch.ones(2) for _ in range(ranks)], x)
model = distributed.DistributedDataParallel(nn.Linear(2, 2), timeout=float(limit))
for step in range(3):
    if step == 2 and way == "stops in backward":
        model.module.bias.register_hook(lambda grad: stop())
    model(Variable(torch.ones(1, 2), requires_grad=False)).sum().backward()
print(f"rank {rank} is done")
