"""The errors of incorrect calls, and their messages, in every rank."""

import numpy
from mpi4py import MPI

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.distributed import DistributedDataParallel

world = MPI.COMM_WORLD
is_last = world.rank == world.size - 1


def refused(kind, make, *words):
    try:
        make()
    except kind as error:
        message = str(error)
    else:
        message = "nothing was raised"
    assert all(word in message for word in words), message


last = world.size - 1
refused(
    RuntimeError,
    lambda: DistributedDataParallel(nn.Linear(3, 5 if is_last else 4)),
    "rank 0 has parameter weight, a torch.DoubleTensor of size (4, 3)",
    f"rank {last} has parameter weight, a torch.DoubleTensor of size (5, 3)",
)
refused(
    RuntimeError,
    lambda: DistributedDataParallel(nn.Sequential(*[nn.Linear(2, 2)] * 1, *[nn.Linear(2, 2) for _ in range(is_last)])),
    "rank 0 has nothing",
    f"rank {last} has parameter 1.weight",
)
kind = nn.Linear(2, 2).float() if is_last else nn.Linear(2, 2)
refused(RuntimeError, lambda: DistributedDataParallel(kind), "torch.FloatTensor")
refused(RuntimeError, lambda: DistributedDataParallel(nn.Linear(2, 2), bucket_bytes=9 + is_last), "bucket_bytes=9")
refused(TypeError, lambda: DistributedDataParallel([nn.Linear(2, 2)]), "needs a Module, got list")
refused(ValueError, lambda: DistributedDataParallel(nn.Tanh()), "no parameter of the Tanh requires a gradient")
refused(ValueError, lambda: DistributedDataParallel(nn.Linear(2, 2), bucket_bytes=0), "above 0, got 0")

model = DistributedDataParallel(nn.Linear(2, 2))
refused(ValueError, lambda: DistributedDataParallel(model.module), "is wrapped already")
assert list(model.state_dict()) == ["weight", "bias"]
x = Variable(torch.ones(1, 2), requires_grad=False)
refused(RuntimeError, lambda: model(x).sum().backward(create_graph=True), "create_graph=True")

# An error in the middle of backward leaves nothing behind that a later one would stumble over.
model = DistributedDataParallel(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), bucket_bytes=1)


def fail(grad):
    raise KeyError("in the middle")


handle = model.module[0].weight.register_hook(fail)
refused(KeyError, lambda: model(x).sum().backward(), "in the middle")
handle.remove()
model.zero_grad()
model(x * (world.rank + 1)).sum().backward()
assert numpy.allclose(model.module[1].bias.grad.numpy(), 1)
states = world.allgather([parameter.grad.numpy().tobytes() for parameter in model.parameters()])
assert all(state == states[0] for state in states)

model.module.float()
x = Variable(torch.ones(1, 2).float())
refused(RuntimeError, lambda: model(x).sum().backward(), "has changed its size or type")


# A rank whose backward comes to none of the parameters waits for the others all the same.
class ForTheFirst(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x) if world.rank == 0 else x * 2


model = DistributedDataParallel(ForTheFirst())
model(Variable(torch.ones(1, 2), requires_grad=True)).sum().backward()
assert numpy.allclose(model.module.fc.bias.grad.numpy(), 1 / world.size)

# BatchNorm's running means are those of rank 0 from construction on, and after each forward in training.
norm = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
norm[1].running_mean.fill_(world.rank + 1)
norm = DistributedDataParallel(norm)
assert norm.module[1].running_mean.tolist() == [1, 1]
for _ in range(2):
    before = norm.module[1].running_mean.numpy().copy()
    batch = Variable(torch.randn(4, 2) + world.rank, requires_grad=False)
    own = norm.module[0](batch).data.numpy().mean(0)
    norm(batch).sum().backward()
    expected = world.bcast(before * 0.9 + 0.1 * own)
    assert numpy.allclose(norm.module[1].running_mean.numpy(), expected)
print("all refused")
