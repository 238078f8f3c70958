"""A program as one writes it for PyTorch 0.2, which `python -m legacy_autograd run` runs under mpiexec."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.autograd import Variable
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler

assert dist.is_available() and not dist.is_initialized()
try:
    dist.get_rank()
except RuntimeError as error:
    assert "get_rank: call init_process_group first" in str(error)
dist.init_process_group(backend="mpi", world_size=2)
rank, size = dist.get_rank(), dist.get_world_size()
assert dist.is_initialized() and size == 2

x = torch.FloatTensor([[rank, 1], [2, 3]])
total = x.clone()
dist.all_reduce(total)
assert total.tolist() == [[1, 2], [4, 6]]
turned = x.t()  # not contiguous
dist.all_reduce(turned, op=dist.reduce_op.MAX)
assert x.tolist() == [[1, 1], [2, 3]]
counts = torch.LongTensor([rank + 2])
dist.all_reduce(counts, op=dist.ReduceOp.PRODUCT)
assert counts.tolist() == [6]
ours = torch.FloatTensor([rank, 5])
parts = [torch.zeros(2) for _ in range(size)]
dist.all_gather(parts, ours)
assert [part.tolist() for part in parts] == [[0, 5], [1, 5]]
dist.broadcast(ours, src=1)
assert ours.tolist() == [1, 5]
dist.barrier()

for wrong, kind, words in (
    (lambda: dist.all_reduce(torch.zeros(2 + rank)), RuntimeError, "out of step"),
    (lambda: dist.all_reduce(Variable(torch.zeros(2))), TypeError, "got Variable; use the data"),
    (lambda: dist.all_reduce(torch.zeros(2).half()), TypeError, "no half precision"),
    (lambda: dist.broadcast(torch.zeros(2), 2), ValueError, "one of 2 ranks, from 0 to 1, got 2"),
    (lambda: dist.all_gather([torch.zeros(2)], torch.zeros(2)), ValueError, "each of 2 ranks, got 1"),
    (lambda: dist.all_gather([torch.zeros(2), torch.zeros(3)], torch.zeros(2)), ValueError, "one size and type"),
    (lambda: dist.init_process_group("mpi"), RuntimeError, "already"),
    (lambda: dist.init_process_group("nccl"), ValueError, "backend must be 'mpi', got 'nccl'"),
):
    try:
        wrong()
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"nothing said: {words}")
dist.destroy_process_group()
try:
    dist.init_process_group("mpi", world_size=5)
except ValueError as error:
    assert "world_size must be 2, as set by mpiexec, got 5" in str(error)

torch.manual_seed(rank)
model = DistributedDataParallel(nn.Linear(2, 1))
numbers = list(DistributedSampler(range(4), shuffle=False))
assert numbers == [rank, rank + 2]
loss = model(Variable(torch.FloatTensor([[n, 1] for n in numbers]))).mean()
loss.backward()
# The mean over 0, 1, 2, 3, whichever rank had them.
assert model.module.weight.grad.data.tolist() == [[1.5, 1]]
assert isinstance(model, torch.nn.parallel.DistributedDataParallel)
assert torch.utils.data.distributed.DistributedSampler is DistributedSampler
print("the names are there")
