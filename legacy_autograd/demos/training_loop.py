"""`TrainingLoop`, the loop around any model (no 2016 counterpart: every program had its own)."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy

from ..autograd.variable import Variable
from ..nn.module import Module
from ..optim.lr_scheduler import LRScheduler, ReduceLROnPlateau
from ..optim.optimizer import Optimizer
from ..serialization import load, save
from ..tensor import Tensor
from ..tensor.random import get_rng_state, set_rng_state
from ..tensor.wrapping import wrap


class TrainingLoop:
    """A training loop that minimizes `criterion(model(input), target)`.

    A loader yields batches (input, target), or with several inputs (input, input, …, target), as Tensors. The criterion
    returns the mean over a batch.

    `epoch` is the number of finished epochs. `history` has a dict for each: `epoch`, `loss`, `lr` of the first
    parameter group, and with held-out batches `held_out_loss` and, if targets are classes, `accuracy` (a fraction).

    If `model` is a `distributed.DistributedDataParallel`, every process makes the same loop and calls the same
    methods, with loaders whose samplers are `distributed.DistributedSampler`s. Reports are means over the samples of
    all processes. Only the first process shows progress and writes the checkpoint; all processes read it. `callback` is
    called in every process, and the first one's result counts for all.

    Args:
        model: The Module.
        criterion: The loss.
        optimizer: The Optimizer of the model's parameters.
        scheduler: A schedule, which takes a step after each epoch.
        checkpoint: A path to which everything that `resume` needs is written after each epoch.
        callback: A function of the loop, called after each epoch. Training ends if its result is true.
        progress: Whether progress is shown; needs tqdm and a terminal.

    Example:
        >>> from legacy_autograd.demos.training_loop import TrainingLoop
        >>> model = torch.nn.Linear(2, 1)
        >>> trainer = TrainingLoop(model, torch.nn.MSELoss(), torch.optim.SGD(model.parameters(), lr=0.1))
        >>> batch = torch.Tensor([[1, 2]]), torch.Tensor([[3]])
        >>> history = trainer.fit([batch], epochs=20)
        >>> history[-1]["loss"] < 1e-3
        True
    """

    def __init__(
        self,
        model: Module,
        criterion: Callable,
        optimizer: Optimizer,
        scheduler: LRScheduler | None = None,
        *,
        checkpoint: str | Path | None = None,
        callback: Callable[[TrainingLoop], Any] | None = None,
        progress: bool = True,
    ) -> None:
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.checkpoint = checkpoint
        self.callback = callback
        self._processes = getattr(model, "process_group", _Alone())
        self.progress = progress and self._processes.rank == 0
        self.epoch = 0
        self.history: list[dict[str, Any]] = []

    def fit(self, batches: Iterable, epochs: int, held_out: Iterable | None = None) -> list[dict[str, Any]]:
        """Train until `epochs` epochs are finished, and return the history.

        Args:
            batches: The loader.
            epochs: The number of epochs, including those before a `resume`.
            held_out: A loader of batches that are evaluated after each epoch.

        Raises:
            ValueError: If there are no batches.
        """
        while self.epoch < epochs:
            report = {"epoch": self.epoch + 1, "lr": self.optimizer.param_groups[0]["lr"]}
            report["loss"] = self.train_epoch(batches, f"epoch {self.epoch + 1}/{epochs}")
            if held_out is not None:
                report.update(self.evaluate(held_out))
            if isinstance(self.scheduler, ReduceLROnPlateau):
                self.scheduler.step(report.get("held_out_loss", report["loss"]))
            elif self.scheduler is not None:
                self.scheduler.step()
            self.epoch += 1
            self.history.append(report)
            # Before the checkpoint, which must contain what the callback changes.
            ends = self.callback is not None and bool(self.callback(self))
            ends = self._processes.broadcast(ends, "the end of an epoch")
            if self.checkpoint is not None:
                self.save(self.checkpoint)
            if ends:
                break
        return self.history

    def train_epoch(self, batches: Iterable, title: str = "training") -> float:
        """Train on every batch once, and return the mean loss of the samples, each before the step of its batch.

        Args:
            batches: The loader.
            title: The title of the progress bar.

        Raises:
            ValueError: If there are no batches.
        """
        self.model.train()
        mean = _Mean()
        self._begin_epoch(batches)
        with self._bar(batches, title) as bar:
            for batch in bar:
                *inputs, target = [_constant(part) for part in batch]
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(*inputs), target)
                loss.backward()
                self.optimizer.step()
                mean.add(loss.data[0], len(batch[-1]))
                if bar is not batches:
                    bar.set_postfix(loss=f"{mean.value():.4f}", refresh=False)
        mean.include_all(self._processes)
        return mean.value()

    def evaluate(self, batches: Iterable) -> dict[str, float]:
        """Return the mean `held_out_loss` of all batches and, if targets are classes, the `accuracy`.

        The model is in evaluation mode, and no graph is recorded.

        Args:
            batches: The loader.

        Raises:
            ValueError: If there are no batches.
        """
        modes = [(module, module.training) for module in self.model.modules()]
        self.model.eval()
        mean, correct = _Mean(), _Mean()
        self._begin_epoch(batches)
        try:
            with self._bar(batches, "held out") as bar:
                for batch in bar:
                    *inputs, target = [_constant(part, volatile=True) for part in batch]
                    output = self.model(*inputs)
                    mean.add(self.criterion(output, target).data[0], len(batch[-1]))
                    hits = _hits(output, target)
                    if hits is not None:
                        correct.add(hits / len(batch[-1]), len(batch[-1]))
        finally:
            for module, mode in modes:
                module.training = mode
        mean.include_all(self._processes)
        correct.include_all(self._processes)
        report = {"held_out_loss": mean.value()}
        if correct.count:
            report["accuracy"] = correct.value()
        return report

    def save(self, path: str | Path) -> None:
        """Write everything that `resume` needs, completely or not at all (see `serialization.save`).

        Args:
            path: The file.
        """
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": None if self.scheduler is None else self.scheduler.state_dict(),
            "epoch": self.epoch,
            "history": self.history,
            "random": self._processes.gather(_random_state(), "the writing of a checkpoint"),
        }
        if self._processes.rank == 0:
            save(state, path)
        self._processes.barrier("the end of the writing of a checkpoint")  # only now may other processes read it

    def resume(self, path: str | Path) -> None:
        """Restore what `save` wrote, so that `fit` continues with exactly the results of an uninterrupted run.

        Model, optimizer, scheduler and loader must be made as before. For exact results the loader, the model and the
        callback must draw random numbers only from legacy_autograd, `random` and `numpy.random`. The number of
        processes may differ from the checkpoint's; additional processes keep their random state. If it raises,
        everything is unchanged.

        Args:
            path: The file.

        Raises:
            ValueError: If the file is not a checkpoint, or one of another loop.
            RuntimeError: If the model does not fit, or the file cannot be read.
            OSError: If the file cannot be opened.
        """
        state = load(path)
        expected = {"model", "optimizer", "scheduler", "epoch", "history", "random"}
        if not isinstance(state, dict) or not expected <= state.keys() or not isinstance(state["random"], list):
            raise ValueError(f"TrainingLoop.resume: {path} must be a checkpoint with {', '.join(sorted(expected))}")
        epoch, history = state["epoch"], state["history"]
        if type(epoch) is not int or epoch < 0:
            raise ValueError(
                f"TrainingLoop.resume: the epoch in {path} must be an integer of 0 or more, got {repr(epoch):.100}"
            )
        if not isinstance(history, list) or not all([isinstance(report, dict) for report in history]):
            raise ValueError(f"TrainingLoop.resume: the history in the checkpoint {path} must be a list of dicts")
        if (state["scheduler"] is None) != (self.scheduler is None):
            with_or_without = "without" if state["scheduler"] is None else "with"
            raise ValueError(
                f"TrainingLoop.resume: the checkpoint {path} was made {with_or_without} a scheduler, unlike this loop"
            )
        before = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        groups, memory, generators = self.optimizer.param_groups, self.optimizer.state, _random_state()
        schedule: Any = None if self.scheduler is None else self.scheduler.state_dict()
        try:
            part = "model"
            self.model.load_state_dict(state["model"])
            part = "optimizer"
            self.optimizer.load_state_dict(state["optimizer"])
            if self.scheduler is not None:
                part = "scheduler"
                self.scheduler.load_state_dict(state["scheduler"])
            if self._processes.rank < len(state["random"]):
                part = "random"
                _set_random_state(state["random"][self._processes.rank])
        except BaseException as error:
            self.model.load_state_dict(before)
            self.optimizer.param_groups, self.optimizer.state = groups, memory
            if self.scheduler is not None:
                self.scheduler.load_state_dict(schedule)
            _set_random_state(generators)
            if isinstance(error, (TypeError, LookupError, AttributeError, OverflowError)):
                raise ValueError(f"TrainingLoop.resume: {part!r} in {path} is damaged: {error}") from error
            raise
        self.epoch = epoch
        self.history = history

    def _begin_epoch(self, batches):
        """Pass the number of the epoch to a sampler that shuffles by it; a resumed run starts with another epoch."""
        sampler = getattr(getattr(batches, "batch_sampler", None), "sampler", None)
        if hasattr(sampler, "set_epoch"):
            sampler.set_epoch(self.epoch)

    def _bar(self, batches, title):
        """Return the batches, in a progress bar if progress is shown."""
        if self.progress and sys.stderr.isatty():
            try:
                from tqdm import tqdm
            except ImportError:
                pass
            else:
                return tqdm(batches, desc=title, leave=False)
        return contextlib.nullcontext(batches)


class _Alone:
    """The process group of a single process, with the methods of `distributed.ProcessGroup`."""

    rank = 0

    def barrier(self, what):
        pass

    def gather(self, value, what):
        return [value]

    def broadcast(self, value, what):
        return value


class _Mean:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value, count):
        self.total += value * count
        self.count += count

    def include_all(self, processes):
        """Become the mean over all processes."""
        parts = processes.gather((self.total, self.count), "the mean of an epoch")
        self.total = sum(total for total, _ in parts)
        self.count = sum(count for _, count in parts)

    def value(self):
        if not self.count:
            raise ValueError(
                "TrainingLoop: the loader yielded no batch; use a loader or a list: an iterator is used up after one"
            )
        return self.total / self.count


def _constant(part, volatile=False):
    return Variable(part, requires_grad=False, volatile=volatile) if isinstance(part, Tensor) else part


def _hits(output, target):
    """Return in how many rows of `output` the class in `target` has the largest score; None without classes."""
    if not isinstance(output, Variable) or not isinstance(target, Variable):
        return None
    scores, classes = output.data.numpy(), target.data.numpy()
    if scores.ndim != 2 or classes.shape != scores.shape[:1] or classes.dtype.kind == "f":
        return None
    return int((scores.argmax(1) == classes).sum())


def _random_state():
    kind, numbers, *rest = numpy.random.get_state()
    return {
        "torch": get_rng_state(),
        "python": random.getstate(),
        "numpy": [kind, wrap(numbers.astype(numpy.int64)), *rest],
    }


def _set_random_state(state):
    """Set the generators; raise ValueError, TypeError or KeyError unless `state` is a result of `_random_state`."""
    kind, numbers, position, has_gauss, gauss = state["numpy"]
    words = numbers.numpy().astype(numpy.uint32)
    if kind != "MT19937" or words.shape != (624,) or type(position) is not int or not 0 <= position <= 624:
        raise ValueError(
            "the state of numpy.random must be MT19937 with 624 numbers, "
            f"got {kind!r} with {words.size} at {position!r}"
        )
    if type(state["python"][2]) not in (float, type(None)) or type(gauss) is not float or has_gauss not in (0, 1):
        raise ValueError("the normal number that a generator has in reserve must be a float")
    numpy.random.set_state((kind, words, position, has_gauss, gauss))
    random.setstate(state["python"])
    set_rng_state(state["torch"])
