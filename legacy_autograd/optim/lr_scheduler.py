"""Learning rate schedules (added: 0.2.0, August 2017).

A scheduler changes `group["lr"]` of each parameter group whenever its `step` is called, usually once per epoch, after
the optimizer's steps. The rates are those of modern torch, computed in the same way.

Programs from 2017 call `step` before the optimizer's steps. Under `run` the first call therefore begins epoch 0, and
rates are computed from the initial ones, not from those of the previous epoch, as in 0.2.0.
"""

import bisect
import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any

from .. import conventions
from ..tensor.arguments import checked_number
from .optimizer import Optimizer, _is_number


class LRScheduler:
    """The base class of schedules. A subclass defines `get_lr`.

    The constructor stores each group's learning rate as `group["initial_lr"]` and sets the rates of epoch 0. To
    continue a schedule, use `load_state_dict`, or `last_epoch`.

    Args:
        optimizer: The Optimizer whose learning rates change.
        last_epoch: The number of the last finished epoch; -1 to begin. For any other number every group needs an
            `initial_lr`.

    Raises:
        TypeError: If `optimizer` is not an Optimizer.
        KeyError: If a group has no `initial_lr`.
    """

    _of_groups = ("base_lrs", "min_lrs", "_last_lr")  # lists with a number for each group

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        self._attach(optimizer)
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"{self._name}: parameter group {number} needs an 'initial_lr' for last_epoch={last_epoch}"
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

    def get_lr(self) -> list[float]:
        """Return the learning rate of each group at `last_epoch`; defined by each subclass."""
        raise NotImplementedError(f"{self._name} does not define get_lr")

    def get_last_lr(self) -> list[float]:
        """Return the learning rate of each group that the last step set."""
        return list(self._last_lr)

    def step(self, epoch: int | None = None) -> None:
        """Set the learning rates of the next epoch.

        Args:
            epoch: The number of the epoch; its rates are computed from the initial ones. Default: the next.
        """
        self._is_absolute = epoch is not None or conventions.era.schedule_steps_open_epochs
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set(self.get_lr())

    def _set(self, rates):
        for group, lr in zip(self.optimizer.param_groups, rates):
            group["lr"] = lr
        self._last_lr = self._rates()

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes except the optimizer and functions, in a form that can be saved."""
        left_out = ("optimizer", "lr_lambdas", "_is_absolute", "verbose")
        return {key: _copied(value) for key, value in vars(self).items() if key not in left_out}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` returned. If it raises, the schedule is unchanged.

        The learning rates themselves are part of the optimizer's state.

        Args:
            state_dict: The state.

        Raises:
            ValueError: If it is the state of another schedule.
        """
        own = self.state_dict()
        if not isinstance(state_dict, dict) or state_dict.keys() != own.keys():
            found = sorted(state_dict) if isinstance(state_dict, dict) else type(state_dict).__name__
            raise ValueError(f"{self._name}.load_state_dict: expected {sorted(own)}, got {found}")
        for key, value in state_dict.items():
            if not _fits(value, own[key]) or key in self._of_groups and len(value) != len(own[key]):
                raise ValueError(
                    f"{self._name}.load_state_dict: {key} is {repr(value):.100}, this schedule has {own[key]!r}"
                )
        vars(self).update({key: _copied(value) for key, value in state_dict.items()})

    def _for_each_group(self, given, what):
        """Return a list with a value for each group; `given` is such a list or one value for all."""
        count = len(self.optimizer.param_groups)
        if not isinstance(given, (list, tuple)):
            return [given] * count
        if len(given) != count:
            raise ValueError(f"{self._name}: expected {what} for {count} parameter groups, got {len(given)}")
        return list(given)

    def _decayed(self, count, count_before):
        """Return the rates after `count` multiplications by gamma, `count_before` of them up to the previous epoch."""
        if self._is_absolute:
            return [lr * self.gamma**count for lr in self.base_lrs]
        return self._rates(self.gamma ** (count - count_before))

    def _rates(self, factor=1):
        return [group["lr"] * factor for group in self.optimizer.param_groups]


_LRScheduler = LRScheduler  # the name until 2.0


class LambdaLR(LRScheduler):
    """lr = initial lr · lr_lambda(epoch).

    Args:
        optimizer: The Optimizer.
        lr_lambda: A function of the epoch, or a list with one for each group.
        last_epoch: The number of the last finished epoch; -1 to begin.

    Raises:
        TypeError: If `lr_lambda` is not callable, or returns no number.
        ValueError: If the number of functions is not that of the groups.

    Example:
        >>> optimizer = torch.optim.SGD([Variable(torch.ones(1))], lr=0.5)
        >>> schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch))
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
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
    """lr <- gamma · lr every `step_size` epochs.

    Args:
        optimizer: The Optimizer.
        step_size: The number of epochs.
        gamma: The factor.
        last_epoch: The number of the last finished epoch; -1 to begin.

    Raises:
        ValueError: If `step_size` is not a positive integer.
        TypeError: If `gamma` is not a number.
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        if not isinstance(step_size, numbers.Integral) or step_size <= 0:
            raise ValueError(f"StepLR: step_size must be an integer above 0, got {step_size!r}")
        self.step_size = int(step_size)
        self.gamma = checked_number(f"{self._name}: gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._decayed(self.last_epoch // self.step_size, max(self.last_epoch - 1, 0) // self.step_size)


class MultiStepLR(LRScheduler):
    """lr <- gamma · lr at each epoch in `milestones`.

    Args:
        optimizer: The Optimizer.
        milestones: The epochs.
        gamma: The factor.
        last_epoch: The number of the last finished epoch; -1 to begin.

    Raises:
        TypeError: If `gamma` is not a number.
    """

    def __init__(
        self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = sorted(milestones)
        self.gamma = checked_number(f"{self._name}: gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        passed = bisect.bisect_right(self.milestones, self.last_epoch)
        return self._decayed(passed, passed - self.milestones.count(self.last_epoch))


class ExponentialLR(LRScheduler):
    """lr <- gamma · lr at each epoch.

    Args:
        optimizer: The Optimizer.
        gamma: The factor.
        last_epoch: The number of the last finished epoch; -1 to begin.

    Raises:
        TypeError: If `gamma` is not a number.
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = checked_number(f"{self._name}: gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._decayed(self.last_epoch, max(self.last_epoch - 1, 0))


class ReduceLROnPlateau(LRScheduler):
    """lr <- factor · lr when a measure has not improved for more than `patience` epochs.

    Args:
        optimizer: The Optimizer.
        mode: "min" if smaller measures are better, "max" if larger ones are.
        factor: The factor, below 1.
        patience: The number of epochs without improvement that are tolerated.
        verbose: Whether each change is printed.
        threshold: The smallest improvement that counts.
        threshold_mode: "rel" if `threshold` is a fraction of the best measure, "abs" if it is a difference.
        cooldown: The number of epochs after a change in which nothing is counted.
        min_lr: The lower limit of lr: one number, or a list with one for each group.
        eps: The smallest change of lr.

    Raises:
        ValueError: If `factor`, `mode`, `threshold_mode` or the number of lower limits does not fit.
        TypeError: If `optimizer` is not an Optimizer, or `factor` or `verbose` has another type.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        self._attach(optimizer)
        if not checked_number("ReduceLROnPlateau: factor", factor) < 1:
            raise ValueError(f"ReduceLROnPlateau: factor must be a number below 1, got {factor}")
        if mode not in ("min", "max"):
            raise ValueError(f"ReduceLROnPlateau: mode must be 'min' or 'max', got {mode!r}")
        if not isinstance(verbose, (bool, int)):
            raise TypeError(f"ReduceLROnPlateau: verbose, the argument after patience, must be a bool, got {verbose!r}")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"ReduceLROnPlateau: threshold_mode must be 'rel' or 'abs', got {threshold_mode!r}")
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

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]  # as in torch
        """Set the learning rates of the next epoch.

        Args:
            metrics: The measure of this epoch: a number, or a Tensor or Variable of one.
            epoch: The number of the epoch. Default: the next.
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
    """Return whether a saved `value` has the type of the scheduler's `own`: a number, or a list of numbers."""
    if isinstance(own, list):
        return isinstance(value, list) and (not all(map(_is_number, own)) or all(map(_is_number, value)))
    return _is_number(value) or not _is_number(own)


def _copied(value):
    return list(value) if isinstance(value, list) else value
