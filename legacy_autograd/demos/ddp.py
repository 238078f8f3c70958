"""LeNet learns the digits in several ranks, each with a share of every batch; `run` starts `mpiexec -n 2`."""

import hashlib
import subprocess
import sys

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.demos.datasets import load_digits
from legacy_autograd.demos.networks import LeNet
from legacy_autograd.demos.training_loop import TrainingLoop
from legacy_autograd.distributed import (
    DistributedDataParallel,
    DistributedSampler,
    Timeline,
    launch,
    save_page_of_ranks,
)
from legacy_autograd.distributed._mpi import MPIMissing, mpi
from legacy_autograd.drawing import LayoutUnavailable
from legacy_autograd.utils.data import DataLoader, Subset, TensorDataset

RANKS = 2
EPOCHS = 8
BATCH = 64  # of all ranks together
SIZE = 16  # of the images, the smallest that LeNet accepts
HELD_OUT = 357


def run(folder):
    if launch.is_rank():
        return train(folder)
    try:
        command = launch.command(RANKS, "-m", "legacy_autograd", "demo", "ddp", "--out", folder)
    except MPIMissing as error:
        print(f"demo ddp: {error}", file=sys.stderr)
        return 1
    print(f"Starts itself in {RANKS} ranks: mpiexec -n {RANKS} python -m legacy_autograd demo ddp", flush=True)
    return subprocess.run(command, env=launch.environment(RANKS)).returncode


def train(folder):
    """Train in one rank and return the exit code. Rank 0 reports and writes the checkpoint."""
    world = mpi().COMM_WORLD
    tell = print if world.rank == 0 else lambda *words: None
    try:
        images, digits = load_digits(SIZE)
    except ImportError as error:
        tell(f"demo ddp: {error}", file=sys.stderr)
        return 1
    samples = TensorDataset(torch.from_numpy(images), torch.from_numpy(digits))
    training = Subset(samples, range(len(samples) - HELD_OUT))
    held_out = Subset(samples, range(len(samples) - HELD_OUT, len(samples)))

    torch.manual_seed(world.rank)  # every rank starts with other weights, which wrapping replaces by those of rank 0
    model = DistributedDataParallel(LeNet(SIZE), bucket_bytes=50_000)
    optimizer = optim.Adam(model.parameters(), lr=0.003)
    loader = DataLoader(training, batch_size=max(1, BATCH // world.size), sampler=DistributedSampler(training))
    test_loader = DataLoader(held_out, batch_size=64, sampler=DistributedSampler(held_out, repeat=False))
    tell(f"{world.size} ranks share batches of {BATCH}: {len(training)} digits to learn, {len(held_out)} held out.")
    tell(f"Gradients are sent in {len(model.buckets)} buckets, the last layers' first.")

    checkpoint = folder / "ddp.safetensors"
    report_line = "  epoch {epoch}  loss {loss:.4f}  held out {held_out_loss:.4f}  accuracy {accuracy:.3f}"
    trainer = TrainingLoop(
        model,
        nn.CrossEntropyLoss(),
        optimizer,
        checkpoint=checkpoint,
        callback=lambda trainer: tell(report_line.format(**trainer.history[-1])),
    )
    trainer.fit(loader, EPOCHS, test_loader)

    weights = b"".join(parameter.data.numpy().tobytes() for parameter in model.parameters())
    digests = model.process_group.gather(hashlib.sha256(weights).hexdigest(), "the checksums")
    are_equal = len(set(digests)) == 1
    tell("The weights of each rank, as a checksum:")
    for rank, digest in enumerate(digests):
        tell(f"  rank {rank}  {digest[:32]}")
    tell("All ranks hold the same weights." if are_equal else "The ranks hold DIFFERENT weights!")

    tell("One more backward in rank 0, with the time at which each bucket was sent:")
    images, digits = next(iter(loader))
    images, digits = Variable(images, requires_grad=False), Variable(digits, requires_grad=False)
    loss = nn.CrossEntropyLoss()(model(images), digits)
    with Timeline(model) as timeline:
        loss.backward()
    tell(timeline)
    page = folder / "ddp.html"
    try:
        save_page_of_ranks(page, nn.CrossEntropyLoss()(model(images), digits), model)
    except LayoutUnavailable as error:
        tell(f"The page that steps through the backward of all ranks is left out: {error}", file=sys.stderr)
    else:
        tell(f"Step through the backward of all ranks, with the buckets that are sent, in {page}.")
    tell(f"A single process can load the checkpoint that rank 0 wrote: {checkpoint}")
    return 0 if are_equal else 1
