"""Every rank trains its share beside a model of its own on the whole batch: both end with the same parameters."""

import numpy
from mpi4py import MPI

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.autograd.later.checkpoint import checkpoint
from legacy_autograd.distributed import DistributedDataParallel, parameter_server, ring_all_reduce
from legacy_autograd.nn import functional as F

world = MPI.COMM_WORLD
SAMPLES = 24  # divisible by 2, 3 and 4
STEPS = 50


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, kernel_size=3)
        self.fc = nn.Linear(2 * 3 * 3, 5)

    def forward(self, x):
        x = F.max_pool2d(torch.tanh(self.conv(x)), 2)
        return self.fc(x.view(x.size(0), -1))


class SomeUnused(nn.Module):
    """No rank uses `never`; only rank 1, whose samples start with 1, uses `sometimes`."""

    def __init__(self):
        super().__init__()
        self.always, self.never, self.sometimes = nn.Linear(4, 5), nn.Linear(4, 5), nn.Linear(4, 5)

    def forward(self, x):
        y = self.always(x)
        mask = x.data.numpy()[:, :1] == 1
        if mask.any():
            y = y + self.sometimes(x) * Variable(torch.from_numpy(mask.astype(float)), requires_grad=False)
        return y


class Checkpointed(nn.Module):
    """A Linear is used inside of a checkpoint and, before it or after it, outside: its Leaf runs in two backwards."""

    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3, self.fc4 = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 5)

    def forward(self, x):
        x = torch.tanh(self.fc2(torch.tanh(self.fc1(x))))
        x = checkpoint(lambda y: self.fc3(torch.tanh(self.fc2(y))), x, use_reentrant=True)
        return self.fc4(self.fc3(torch.tanh(x)))


def linear():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 5))


def sgd(parameters):
    return optim.SGD(parameters, lr=0.1, momentum=0.9, weight_decay=0.01)


def adam(parameters):
    return optim.Adam(parameters, lr=0.01)


def data(size):
    inputs = numpy.random.default_rng(1).standard_normal((SAMPLES, *size))
    if len(size) == 1:
        inputs[:, 0] = numpy.arange(SAMPLES) % world.size == 1
    return inputs, numpy.random.default_rng(2).integers(0, 5, SAMPLES)


def loss_of(model, inputs, classes):
    output = model(Variable(torch.from_numpy(inputs.copy()), requires_grad=False))
    return nn.CrossEntropyLoss()(output, Variable(torch.from_numpy(classes.copy()), requires_grad=False))


def train(model, make_optimizer, inputs, classes, halves=False):
    optimizer = make_optimizer(model.parameters())
    for _ in range(STEPS):
        optimizer.zero_grad()
        if halves:
            middle = len(inputs) // 2
            with model.no_sync():
                (loss_of(model, inputs[:middle], classes[:middle]) * 0.5).backward()
            (loss_of(model, inputs[middle:], classes[middle:]) * 0.5).backward()
        else:
            loss_of(model, inputs, classes).backward()
        optimizer.step()


def check(name, make, make_optimizer, size=(4,), halves=False, **options):
    torch.manual_seed(world.rank)  # every rank begins elsewhere: construction makes them equal
    model = DistributedDataParallel(make(), **options)
    alone = make()
    alone.load_state_dict(model.state_dict())
    inputs, classes = data(size)
    share = slice(world.rank, None, world.size)
    train(model, make_optimizer, inputs[share], classes[share], halves)
    train(alone, make_optimizer, inputs, classes)

    pairs = list(zip(model.module.named_parameters(), alone.parameters()))
    for (parameter, one), other in pairs:
        # Not even zeros if no rank used it, because some optimizers would start weight decay.
        assert (one._grad is None) == (other._grad is None), f"{name}: {parameter}"
    states = world.allgather([p.data.numpy().tobytes() + p.grad.numpy().tobytes() for p in model.parameters()])
    assert all(state == states[0] for state in states), f"{name}: the ranks differ"
    furthest = max(numpy.abs(one.data.numpy() - other.data.numpy()).max() for (_, one), other in pairs)
    assert furthest < 1e-10, f"{name}: {furthest} from one process"
    if world.rank == 0:
        print(f"{name}: {furthest:.1e}")
    model.close()
    assert not any(parameter.creator.backward_hooks for parameter in model.parameters())


check("one bucket", linear, sgd)
check("a bucket for each parameter", linear, adam, bucket_bytes=1)
check("without overlap", linear, sgd, bucket_bytes=300, overlap=False)
check("convolution", Convolutional, sgd, size=(1, 8, 8), bucket_bytes=200)
check("two halves", linear, sgd, halves=True)
check("unused parameters", SomeUnused, sgd, bucket_bytes=1)
check("inside a checkpoint", Checkpointed, adam, bucket_bytes=1)
check("a ring", linear, sgd, all_reduce=ring_all_reduce)
check("a parameter server", linear, adam, all_reduce=parameter_server, bucket_bytes=100)
