"""A DistributedTrainer trains, is interrupted and resumed; one process's Trainer does the same on whole batches."""

import pathlib

import numpy
from mpi4py import MPI

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.data import DataLoader, TensorDataset
from legacy_autograd.distributed import DistributedDataParallel, DistributedSampler, DistributedTrainer
from legacy_autograd.optim.lr_scheduler import ReduceLROnPlateau
from legacy_autograd.training import Trainer

world = MPI.COMM_WORLD
samples = TensorDataset(
    torch.from_numpy(numpy.random.default_rng(0).standard_normal((24, 4))),
    torch.from_numpy(numpy.random.default_rng(1).integers(0, 3, 24)),
)


def module():
    torch.manual_seed(5)
    return nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))


def trainer_of(model, kind, **options):
    optimizer = optim.SGD(model.parameters(), lr=0.3)
    scheduler = ReduceLROnPlateau(optimizer, patience=0, threshold=0.2)  # steps soon: its decision has to be the same
    return kind(model, nn.CrossEntropyLoss(), optimizer, scheduler, **options)


def loaders():
    yield DataLoader(samples, batch_size=6, sampler=DistributedSampler(samples, seed=3))
    yield DataLoader(samples, batch_size=6, sampler=DistributedSampler(samples, shuffle=False))


def weights(model):
    return b"".join(parameter.data.numpy().tobytes() for parameter in model.parameters())


calls = []
folder = pathlib.Path(f"rank{world.rank}")
folder.mkdir()
whole = trainer_of(DistributedDataParallel(module()), DistributedTrainer, checkpoint=folder / "whole.safetensors")
batches, held_out = loaders()
history = whole.fit(batches, 4, held_out)
assert all(other == history for other in world.allgather(history)), history
assert history[-1]["lr"] < history[0]["lr"], "the scheduler was to have something to decide"
assert (folder / "whole.safetensors").exists() == (world.rank == 0)

alone = trainer_of(module(), Trainer)
order = [DistributedSampler(samples, num_replicas=1, rank=0, seed=3), DistributedSampler(samples, 1, 0, shuffle=False)]
whole_batches = DataLoader(samples, 6 * world.size, sampler=order[0])
expected = alone.fit(whole_batches, 4, DataLoader(samples, 24, sampler=order[1]))
for ours, theirs in zip(history, expected):
    assert all(abs(ours[name] - theirs[name]) < 1e-10 for name in theirs), (ours, theirs)

# Two epochs, and the other two by others who read what rank 0 wrote. Only rank 1 wants more: rank 0 decides.
first = trainer_of(
    DistributedDataParallel(module()),
    DistributedTrainer,
    checkpoint="shared.safetensors",
    callback=lambda trainer: calls.append(trainer.epoch) or (trainer.epoch == 2 and world.rank == 0),
)
first.fit(batches, 4, held_out)
assert calls == [1, 2]
second = trainer_of(DistributedDataParallel(module()), DistributedTrainer)
second.resume("shared.safetensors")
assert second.epoch == 2
assert second.fit(next(loaders()), 4, held_out) == history
assert weights(second.model) == weights(whole.model)
assert all(other == weights(whole.model) for other in world.allgather(weights(whole.model)))

# The Trainer itself works too; each rank then reports on its own share.
plain = Trainer(plain_model := DistributedDataParallel(module()), nn.CrossEntropyLoss(), optim.SGD(plain_model, lr=0.1))
plain.fit(batches, 2)
assert all(other == weights(plain_model) for other in world.allgather(weights(plain_model)))

try:
    trainer_of(module(), DistributedTrainer)
except TypeError as error:
    assert "wrap it in DistributedDataParallel" in str(error)
else:
    raise AssertionError("an unwrapped model was taken")
print("trained")
