"""`Trainer`: the loop that everybody writes (no 2016 counterpart; every program had its own)."""

import contextlib
import random
import sys

import numpy

from ..autograd.variable import Variable
from ..optim.lr_scheduler import ReduceLROnPlateau
from ..serialization import load, save
from ..tensor import Tensor
from ..tensor._helpers import wrap
from ..tensor.random import get_rng_state, set_rng_state


class Trainer:
    """Trains `model` by `optimizer`, so that `criterion(model(input), target)` becomes small.

        trainer = Trainer(model, nn.CrossEntropyLoss(), optim.Adam(model.parameters()), checkpoint="run.safetensors")
        trainer.fit(loader, epochs=10, held_out=test_loader)

    A loader gives batches `(input, target)`, or with several inputs `(input, input, ..., target)`, as Tensors. The
    criterion gives the mean over a batch. `scheduler` takes a step after every epoch. `callback(trainer)` is called
    after every epoch; if what it returns is true, training ends. `checkpoint` is a path that everything is written to
    after every epoch, for `resume`.

    `epoch` counts the epochs done; `history` has a dict for each: `epoch`, `loss`, `lr` of the first parameter group,
    and for `held_out` batches `held_out_loss` and, where targets are classes, `accuracy` (a fraction).

    Progress is shown by tqdm, if it is installed and there is a terminal; `progress=False` says no.

    Where `model` is a `distributed.DistributedDataParallel`, every process makes the same Trainer and calls the same
    methods, with loaders whose samplers are `distributed.DistributedSampler`s. The reported loss is then the mean over
    the samples of all processes. The first process alone shows progress and writes the checkpoint, all of them read it.
    `callback` is called in every process; what the first one's returns decides for all.
    """

    def __init__(self, model, criterion, optimizer, scheduler=None, *, checkpoint=None, callback=None, progress=True):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.checkpoint = checkpoint
        self.callback = callback
        self._processes = getattr(model, "process_group", _Alone())
        self.progress = progress and self._processes.rank == 0
        self.epoch = 0
        self.history = []

    def fit(self, batches, epochs, held_out=None):
        """Train until `epochs` epochs are done, those before a `resume` counted; returns the history.

        Raises ValueError if there are no batches.
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
            # Before the checkpoint, which is to hold what the callback changes.
            ends = self.callback is not None and bool(self.callback(self))
            ends = self._processes.broadcast(ends, "the end of an epoch")
            if self.checkpoint is not None:
                self.save(self.checkpoint)
            if ends:
                break
        return self.history

    def train_epoch(self, batches, title="training"):
        """Train on every batch once; returns the mean loss over the samples, each as it was when its turn came."""
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

    def evaluate(self, batches):
        """`{"held_out_loss": ..., "accuracy": ...}` over all batches; accuracy where targets are classes.

        The model is in its evaluation mode meanwhile, and nothing is recorded for a backward.
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

    def save(self, path):
        """Write everything that `resume` needs to `path`, whole or not at all (see `serialization.save`)."""
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
        self._processes.barrier("the end of the writing of a checkpoint")  # now anybody may read it

    def resume(self, path):
        """Go on from what `save` wrote: `fit` then continues to the bit as if it had not been interrupted.

        Model, optimizer, scheduler and loader are made as they were before. So that the bits agree, the loader, the
        model and the callback draw random numbers only from this package, `random` and `numpy.random`. A checkpoint of
        several processes serves one, and the other way round; a process that is not in it keeps its random numbers.

        Raises ValueError or RuntimeError where the file is no checkpoint, or one of something else, OSError where it
        cannot be opened; everything is then left as it was.
        """
        state = load(path)
        expected = {"model", "optimizer", "scheduler", "epoch", "history", "random"}
        if not isinstance(state, dict) or not expected <= state.keys() or not isinstance(state["random"], list):
            raise ValueError(
                f"Trainer.resume: {path} is no checkpoint of a Trainer, which has {', '.join(sorted(expected))}"
            )
        epoch, history = state["epoch"], state["history"]
        if type(epoch) is not int or epoch < 0:
            raise ValueError(f"Trainer.resume: the epoch in the checkpoint {path} is {repr(epoch):.100}")
        if not isinstance(history, list) or not all([isinstance(report, dict) for report in history]):
            raise ValueError(f"Trainer.resume: the history in the checkpoint {path} is no list of dicts")
        if (state["scheduler"] is None) != (self.scheduler is None):
            with_or_without = "without" if state["scheduler"] is None else "with"
            raise ValueError(f"Trainer.resume: the checkpoint {path} was made {with_or_without} a scheduler")
        before = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        groups, memory, generators = self.optimizer.param_groups, self.optimizer.state, _random_state()
        schedule = None if self.scheduler is None else self.scheduler.state_dict()
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
                raise ValueError(f"Trainer.resume: {part!r} in the checkpoint {path} is damaged: {error}") from error
            raise
        self.epoch = epoch
        self.history = history

    def _begin_epoch(self, batches):
        """Tell a sampler that orders every epoch anew which one this is: after a resume it does not know."""
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
    """The process group of a model that one process trains, as `distributed.ProcessGroup` is of several."""

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
        """Become the mean over what all processes have added."""
        parts = processes.gather((self.total, self.count), "the mean of an epoch")
        self.total = sum(total for total, _ in parts)
        self.count = sum(count for _, count in parts)

    def value(self):
        if not self.count:
            raise ValueError(
                "Trainer: the loader gave no batch; a loader can be gone through again, an iterator cannot"
            )
        return self.total / self.count


def _constant(part, volatile=False):
    return Variable(part, requires_grad=False, volatile=volatile) if isinstance(part, Tensor) else part


def _hits(output, target):
    """How many rows of `output` are largest at the class in `target`; None where they are no scores of classes."""
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
    """Set the generators. Raises ValueError, TypeError or KeyError for anything but what `_random_state` gives."""
    kind, numbers, position, has_gauss, gauss = state["numpy"]
    words = numbers.numpy().astype(numpy.uint32)
    if kind != "MT19937" or words.shape != (624,) or type(position) is not int or not 0 <= position <= 624:
        raise ValueError(f"the state of numpy.random is {kind!r} at {position!r}, with {words.size} numbers")
    if type(state["python"][2]) not in (float, type(None)) or type(gauss) is not float or has_gauss not in (0, 1):
        raise ValueError("the normal number that a generator keeps for later is none")
    numpy.random.set_state((kind, words, position, has_gauss, gauss))
    random.setstate(state["python"])
    set_rng_state(state["torch"])
