"""Learning rates that follow a schedule (they came with 0.2.0, August 2017).

A scheduler changes `group["lr"]` of its optimizer's groups each time its `step` is called, as a rule once an epoch,
after the optimizer's steps. The rates are those of modern torch, computed the same way.

Programs of 2017 call `step` before the optimizer's steps. Under `run` the first call therefore begins epoch 0, and the
rates are computed from the initial ones, not from those of the epoch before, as in 0.2.0.
"""

import bisect
import math
import numbers

from .. import conventions
from ..tensor._helpers import checked_number
from .optimizer import Optimizer, _is_number


class LRScheduler:
    """A schedule. A subclass defines `get_lr`, which returns the learning rate of each group at `last_epoch`.

    Making one remembers each group's learning rate as `group["initial_lr"]` and takes the step to epoch 0. To go on
    with a schedule, load its state with `load_state_dict`; or give `last_epoch`, which needs `initial_lr` in every
    group (KeyError otherwise).
    """

    _of_groups = ("base_lrs", "min_lrs", "_last_lr")  # the lists that have a number for each group

    def __init__(self, optimizer, last_epoch=-1):
        self._attach(optimizer)
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"{self._name}: parameter group {number} has no 'initial_lr', which last_epoch={last_epoch} needs"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()
        if conventions.era.schedule_steps_open_epochs:
            self.last_epoch = last_epoch

    def _attach(self, optimizer):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{self._name} needs an Optimizer, got {type(optimizer).__name__}")
        self.optimizer = optimizer

    @property
    def _name(self):
        return type(self).__name__

    def get_lr(self):
        """The learning rate of each group at `last_epoch`."""
        raise NotImplementedError(f"{self._name} does not define get_lr")

    def get_last_lr(self):
        """The learning rates that the last step set, a list with one for each group."""
        return list(self._last_lr)

    def step(self, epoch=None):
        """Go on to the next epoch, or to the given one, with rates computed from the initial ones."""
        self._is_absolute = epoch is not None or conventions.era.schedule_steps_open_epochs
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set(self.get_lr())

    def _set(self, rates):
        for group, lr in zip(self.optimizer.param_groups, rates):
            group["lr"] = lr
        self._last_lr = self._rates()

    def state_dict(self):
        """Everything but the optimizer and functions, in a form that can be saved."""
        left_out = ("optimizer", "lr_lambdas", "_is_absolute", "verbose")
        return {key: _copied(value) for key, value in vars(self).items() if key not in left_out}

    def load_state_dict(self, state_dict):
        """Go on from what `state_dict` gave. The learning rates themselves are part of the optimizer's state.

        Raises ValueError if it is the state of another schedule, which is then left as it was.
        """
        own = self.state_dict()
        if not isinstance(state_dict, dict) or state_dict.keys() != own.keys():
            found = sorted(state_dict) if isinstance(state_dict, dict) else type(state_dict).__name__
            raise ValueError(f"{self._name}.load_state_dict: expected {sorted(own)}, got {found}")
        for key, value in state_dict.items():
            if not _fits(value, own[key]) or key in self._of_groups and len(value) != len(own[key]):
                raise ValueError(f"{self._name}.load_state_dict: {key} is {repr(value):.100}, and here {own[key]!r}")
        vars(self).update({key: _copied(value) for key, value in state_dict.items()})

    def _for_each_group(self, given, what):
        """Return a list with a value for each group from `given`, such a list or one value for all."""
        count = len(self.optimizer.param_groups)
        if not isinstance(given, (list, tuple)):
            return [given] * count
        if len(given) != count:
            raise ValueError(f"{self._name}: {len(given)} {what} for {count} parameter groups")
        return list(given)

    def _decayed(self, count, count_before):
        """The rates after `count` multiplications by gamma, of which the last epoch had `count_before`."""
        if self._is_absolute:
            return [lr * self.gamma**count for lr in self.base_lrs]
        return self._rates(self.gamma ** (count - count_before))

    def _rates(self, factor=1):
        return [group["lr"] * factor for group in self.optimizer.param_groups]


_LRScheduler = LRScheduler  # the name until 2.0


class LambdaLR(LRScheduler):
    """lr = initial lr * lr_lambda(epoch); `lr_lambda` is a function, or a list with one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self._attach(optimizer)
        self.lr_lambdas = self._for_each_group(lr_lambda, "functions")
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(f"LambdaLR: lr_lambda must be a function of the epoch, got {type(function).__name__}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factors = [function(self.last_epoch) for function in self.lr_lambdas]
        return [lr * checked_number("LambdaLR: the result of lr_lambda", f) for lr, f in zip(self.base_lrs, factors)]


class StepLR(LRScheduler):
    """lr is multiplied by `gamma` every `step_size` epochs."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        if not isinstance(step_size, numbers.Integral) or step_size <= 0:
            raise ValueError(f"StepLR: step_size is a number of epochs above 0, got {step_size!r}")
        self.step_size = int(step_size)
        self.gamma = checked_number(f"{self._name}: gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._decayed(self.last_epoch // self.step_size, max(self.last_epoch - 1, 0) // self.step_size)


class MultiStepLR(LRScheduler):
    """lr is multiplied by `gamma` at every epoch in `milestones`."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = sorted(milestones)
        self.gamma = checked_number(f"{self._name}: gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        passed = bisect.bisect_right(self.milestones, self.last_epoch)
        return self._decayed(passed, passed - self.milestones.count(self.last_epoch))


class ExponentialLR(LRScheduler):
    """lr is multiplied by `gamma` every epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = checked_number(f"{self._name}: gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._decayed(self.last_epoch, max(self.last_epoch - 1, 0))


class ReduceLROnPlateau(LRScheduler):
    """lr is multiplied by `factor` when a measure, given to `step`, has not become better for `patience` epochs.

    Better is smaller than the best so far (`mode="min"`) or larger ("max"), by more than `threshold`: a part of the
    best (`threshold_mode="rel"`) or as it is ("abs"). For `cooldown` epochs after a change nothing is counted. lr does
    not fall below `min_lr`, a number or a list with one for each group, nor change by less than `eps`. With `verbose`
    each change is printed.
    """

    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        verbose=False,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
        self._attach(optimizer)
        if not checked_number("ReduceLROnPlateau: factor", factor) < 1:
            raise ValueError(f"ReduceLROnPlateau: factor is a number below 1, got {factor}")
        if mode not in ("min", "max"):
            raise ValueError(f"ReduceLROnPlateau: mode is 'min' or 'max', got {mode!r}")
        if not isinstance(verbose, (bool, int)):
            raise TypeError(f"ReduceLROnPlateau: verbose, the argument after patience, is a bool, got {verbose!r}")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"ReduceLROnPlateau: threshold_mode is 'rel' or 'abs', got {threshold_mode!r}")
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.cooldown = cooldown
        self.min_lrs = self._for_each_group(min_lr, "values of min_lr")
        self.eps = eps
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = 0
        self.cooldown_counter = 0
        self.verbose = verbose
        self.last_epoch = -1 if conventions.era.schedule_steps_open_epochs else 0
        self._last_lr = self._rates()

    def step(self, metrics, epoch=None):
        """Go on to the next epoch, or to the given one.

        `metrics` is the measure of this one, a number or a Tensor or Variable of one.
        """
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        rates = self._rates()
        if self.num_bad_epochs > self.patience:
            lower = [max(lr * self.factor, least) for lr, least in zip(rates, self.min_lrs)]
            for number, (lr, new) in enumerate(zip(rates, lower)):
                if lr - new > self.eps:
                    rates[number] = new
                    if self.verbose:
                        print(f"Epoch {self.last_epoch:5d}: reducing learning rate of group {number} to {new:.4e}.")
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._set(rates)

    def _is_better(self, current):
        margin = self.threshold if self.mode == "max" else -self.threshold
        limit = self.best * (1 + margin) if self.threshold_mode == "rel" else self.best + margin
        return current > limit if self.mode == "max" else current < limit


def _fits(value, own):
    """May `value` take the place of `own`: a number that of a number, a list of numbers that of one?"""
    if isinstance(own, list):
        return isinstance(value, list) and (not all(map(_is_number, own)) or all(map(_is_number, value)))
    return _is_number(value) or not _is_number(own)


def _copied(value):
    return list(value) if isinstance(value, list) else value
