"""A TrainingLoop in several ranks trains, is interrupted and resumed; one process does the same on whole batches."""

import io
import pathlib
import random
import sys

import numpy
from mpi4py import MPI

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.demos.training_loop import TrainingLoop
from legacy_autograd.distributed import DistributedDataParallel, DistributedSampler
from legacy_autograd.optim.lr_scheduler import ReduceLROnPlateau
from legacy_autograd.serialization import load
from legacy_autograd.utils.data import DataLoader, TensorDataset

world = MPI.COMM_WORLD
n = world.size
samples = TensorDataset(
    torch.from_numpy(numpy.random.default_rng(0).standard_normal((24, 4))),
    torch.from_numpy(numpy.random.default_rng(1).integers(0, 3, 24)),
)
# 25: they cannot be shared equally, and each is to count once.
held_out_samples = TensorDataset(
    torch.from_numpy(numpy.random.default_rng(2).standard_normal((25, 4))),
    torch.from_numpy(numpy.random.default_rng(3).integers(0, 3, 25)),
)


def module(with_noise=False):
    torch.manual_seed(5)
    more = [nn.BatchNorm1d(6), nn.Dropout(0.5)] if with_noise else []
    return nn.Sequential(nn.Linear(4, 6), nn.Tanh(), *more, nn.Linear(6, 3))


def trainer_of(model, **options):
    optimizer = optim.SGD(model.parameters(), lr=0.3, momentum=0.5)
    scheduler = ReduceLROnPlateau(optimizer, patience=0, threshold=0.2)  # steps soon: its decision has to be the same
    return TrainingLoop(model, nn.CrossEntropyLoss(), optimizer, scheduler, **options)


def fit(trainer, epochs, ranks=n, rank=world.rank, workers=0):
    """Until `epochs` epochs are done, with loaders that know of none before."""
    sampler = DistributedSampler(samples, ranks, rank, seed=3)
    batches = DataLoader(samples, batch_size=24 // ranks // 2, sampler=sampler, num_workers=workers)
    # Shuffled: after a resume the sums must be computed in the same order.
    sampler = DistributedSampler(held_out_samples, ranks, rank, repeat=False)
    return trainer.fit(batches, epochs, DataLoader(held_out_samples, batch_size=3, sampler=sampler))


def weights(model):
    return b"".join(parameter.data.numpy().tobytes() for parameter in model.parameters())


def are_near(history, expected):
    assert len(history) == len(expected)
    for ours, theirs in zip(history, expected):
        assert ours.keys() == theirs.keys()
        assert all(abs(ours[name] - theirs[name]) < 1e-10 for name in theirs), (ours, theirs)


def same_in_all(value):
    assert all(other == value for other in world.allgather(value)), value
    return value


# --- as one process

folder = pathlib.Path(f"rank{world.rank}")
folder.mkdir()
whole = trainer_of(DistributedDataParallel(module()), checkpoint=folder / "whole.safetensors")
history = same_in_all(fit(whole, 4))
same_in_all(weights(whole.model))
assert history[-1]["lr"] < history[0]["lr"], "the scheduler was to have something to decide"
assert (folder / "whole.safetensors").exists() == (world.rank == 0)

are_near(history, fit(trainer_of(module()), 4, ranks=1, rank=0))

# --- interrupted: two epochs, and the other two by others who read what rank 0 wrote. Only the last rank wants more.

calls = []
first = trainer_of(
    DistributedDataParallel(module()),
    checkpoint="shared.safetensors",
    callback=lambda trainer: calls.append(trainer.epoch) or (trainer.epoch == 2 and world.rank == 0),
)
fit(first, 4)
assert calls == [1, 2]
second = trainer_of(DistributedDataParallel(module()))
second.resume("shared.safetensors")
assert second.epoch == 2
assert fit(second, 4) == history
assert weights(second.model) == weights(whole.model)

# --- from several ranks to one process, and back

single = trainer_of(module())
single.resume("shared.safetensors")
are_near(fit(single, 4, ranks=1, rank=0), history)

if world.rank == 0:
    fit(trainer_of(module(), checkpoint="single.safetensors"), 2, ranks=1, rank=0)
world.Barrier()
several = trainer_of(DistributedDataParallel(module()))
several.resume("single.safetensors")
are_near(fit(several, 4), history)
same_in_all(weights(several.model))

# --- with everything that draws random numbers, differently in each rank, and with statistics of batches


def with_noise(**options):
    trainer = trainer_of(DistributedDataParallel(module(with_noise=True)), **options)
    torch.manual_seed(100 + world.rank)
    random.seed(100 + world.rank)
    numpy.random.seed(100 + world.rank)
    return trainer


def everything(trainer):
    buffers = same_in_all([buffer.numpy().tobytes() for buffer in trainer.model.buffers()])
    generators = torch.get_rng_state().tolist(), random.getstate(), numpy.random.get_state()[1].tolist()
    return trainer.history, weights(trainer.model), buffers, generators


for workers in (0, 1):
    straight = with_noise()
    fit(straight, 4, workers=workers)
    expected = everything(straight)
    same_in_all([expected[0], expected[1]])
    assert len({str(other) for other in world.allgather(expected[3])}) == n
    fit(with_noise(checkpoint="noise.safetensors"), 2, workers=workers)
    resumed = with_noise()
    torch.manual_seed(7)
    resumed.resume("noise.safetensors")
    fit(resumed, 4, workers=workers)
    assert everything(resumed) == expected

# What was reported is what one process finds with what was saved: the running means are those of rank 0 everywhere.
state = load("noise.safetensors")
saved = module(with_noise=True)
saved.load_state_dict(state["model"])
found = TrainingLoop(saved, nn.CrossEntropyLoss(), None).evaluate(DataLoader(held_out_samples, 25))
assert all(abs(found[name] - state["history"][-1][name]) < 1e-10 for name in found), (found, state["history"])


# --- progress is rank 0's


class Terminal(io.StringIO):
    def isatty(self):
        return True


stderr, sys.stderr = sys.stderr, Terminal()
fit(trainer_of(DistributedDataParallel(module())), 1)
shown, sys.stderr = sys.stderr.getvalue(), stderr
assert ("epoch 1/1" in shown) == (world.rank == 0), shown
assert shown == "" or world.rank == 0, shown
print("trained")
