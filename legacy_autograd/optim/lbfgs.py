"""L-BFGS, a quasi-Newton method with limited memory (January 2017, v0.1.7; line search: 1.2)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

from .. import conventions
from ..tensor.base import STEP
from ..tensor.messages import shown_size
from ..tensor.wrapping import wrap
from . import forms_of_2016
from .optimizer import Optimizer, Parameters


class LBFGS(Optimizer):
    """x <- x + t d with d = -H g, where H approximates the inverse Hessian.

    All parameters form one vector x: there is one parameter group, and the state is kept under the first parameter. H
    is computed from the last `history_size` steps. t is `lr`, and in the very first iteration
    lr min(1, 1 / ‖g‖₁). A line search starts from this t.

    One `step(closure)` makes up to `max_iter` iterations and calls `closure()` up to `max_eval` times. It ends early
    when no element of g is larger than `tolerance_grad`, or when x or the loss changes by no more than
    `tolerance_change`. If the closure raises, the parameters are restored to their values before the step.

    Under `run` three things are as in v0.1.x: the sums of the absolute values of g and of the change of x are compared
    instead of the largest element, `tolerance_grad` is 1e-5, and a direction that does not descend ends the step after
    its move, not before.

    Args:
        params: See `Optimizer`; one group.
        lr: The learning rate.
        max_iter: The largest number of iterations of one step.
        max_eval: The largest number of evaluations of one step. Default: 1.25 max_iter.
        tolerance_grad: The limit for g. Default: 1e-7.
        tolerance_change: The limit for changes of x and of the loss.
        history_size: The number of remembered steps.
        line_search_fn: None or "strong_wolfe".

    Raises:
        ValueError: If an option is out of range, or there are several groups.

    Source:
        Nocedal and Wright, "Numerical optimization", 2006, algorithms 7.4 and 7.5.
    """

    _not_negative = ("lr", "max_iter", "max_eval", "tolerance_grad", "tolerance_change", "history_size")
    _numbers = ("func_evals", "n_iter", "t", "prev_loss", "H_diag", "ro")
    _tensors = ("d", "prev_flat_grad", "old_dirs", "old_stps")
    _lists = ("old_dirs", "old_stps", "ro")

    def __init__(
        self,
        params: Parameters,
        lr: float = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float | None = None,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        defaults = dict(lr=lr, max_iter=max_iter, history_size=history_size, line_search_fn=line_search_fn)
        defaults["max_eval"] = max_iter * 5 // 4 if max_eval is None else max_eval
        if tolerance_grad is None:
            tolerance_grad = 1e-5 if conventions.era.lbfgs_stops_by_sums else 1e-7
        defaults.update(tolerance_grad=tolerance_grad, tolerance_change=tolerance_change)
        super().__init__(params, defaults)

    def add_param_group(self, param_group):
        if self.param_groups:
            raise ValueError("LBFGS: there must be one parameter group, because all parameters form one vector")
        super().add_param_group(param_group)

    def _settle(self, group):
        super()._settle(group)
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise ValueError(f"LBFGS: line_search_fn must be None or 'strong_wolfe', got {group['line_search_fn']!r}")

    def step(self, *input: Any) -> Any:
        """Make up to `max_iter` iterations, and return the loss before the first.

        Args:
            *input: A closure or the arguments of the model, see `Optimizer.step`. A closure sets the gradients to zero,
                computes the loss and runs backward.

        Raises:
            TypeError: If there are no arguments.
        """
        if not input:
            raise TypeError(
                "LBFGS.step needs a closure that computes the loss and runs backward, because it is called repeatedly"
            )
        minimisation = _Minimisation(self, input)
        start = minimisation.values()
        try:
            return minimisation.run()
        except BaseException:
            minimisation.set_values(start)
            raise

    def _check_loaded(self, p, number, key, value):
        count = sum(p.numel() for p in self.param_groups[0]["params"])
        if tuple(value.size()) != (count,):
            raise ValueError(
                f"LBFGS.load_state_dict: {key} must have the size {shown_size((count,))}, got "
                f"{shown_size(value.size())}"
            )


class _Minimisation:
    """One call of `step`, with the memory of earlier calls and a count of evaluations."""

    def __init__(self, optimizer, input):
        self.optimizer = optimizer
        self.input = input
        self.group = optimizer.param_groups[0]
        self.params = self.group["params"]
        self.state = optimizer.state[self.params[0]]
        self.state.setdefault("func_evals", 0)
        self.state.setdefault("n_iter", 0)
        self.evaluations = 0

    def evaluate(self):
        """Return the loss, the loss as a number, and the gradient, all at the current parameters."""
        self.evaluations += 1
        self.state["func_evals"] += 1
        if self.optimizer.model is not None:
            self.optimizer.zero_grad()
        loss = forms_of_2016.loss_of(self.optimizer, self.input)
        self.optimizer._check_gradients()
        gradients = [p.data.array * 0 if p._grad is None else p._grad.data.array for p in self.params]
        return loss, float(loss), numpy.concatenate([gradient.reshape(-1) for gradient in gradients])

    def values(self):
        return [p.data.array.copy() for p in self.params]

    def set_values(self, arrays):
        for p, array in zip(self.params, arrays):
            p.data.array[...] = array
            p.data._wrote_as(STEP)

    def move(self, t, direction):
        begin = 0
        for p in self.params:
            array = p.data.array
            array += t * direction[begin : begin + array.size].reshape(array.shape)
            begin += array.size
            p.data._wrote_as(STEP)

    def run(self):
        group, state = self.group, self.state
        first_loss, loss, gradient = self.evaluate()
        if self.is_flat(gradient):
            return first_loss
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self.direction(gradient)
            t = group["lr"]
            if state["n_iter"] == 1:
                t *= min(1.0, 1.0 / float(numpy.abs(gradient).sum()))
            slope = float(gradient @ direction)
            previous_loss = loss
            state["prev_flat_grad"] = wrap(gradient)
            state["d"], state["t"], state["prev_loss"] = wrap(direction), t, loss
            does_not_descend = slope > -group["tolerance_change"]
            if does_not_descend and not conventions.era.lbfgs_stops_by_sums:
                break
            if group["line_search_fn"] is not None:
                t, loss, gradient = self.search(t, direction, _Point(0, loss, gradient, slope))
                state["t"] = t
                self.move(t, direction)
            else:
                self.move(t, direction)
                if iteration == group["max_iter"]:
                    break  # the next step evaluates first
                _, loss, gradient = self.evaluate()
            if self.evaluations >= group["max_eval"] or self.is_flat(gradient):
                break
            if does_not_descend or _size(direction * t) <= group["tolerance_change"]:
                break
            if abs(loss - previous_loss) < group["tolerance_change"]:
                break
        return first_loss

    def is_flat(self, gradient):
        return _size(gradient) <= self.group["tolerance_grad"]

    def direction(self, gradient):
        """Return -H g by the two loops of algorithm 7.4, after adding the last step to the memory."""
        state = self.state
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            return -gradient
        changes, steps, rho = state["old_dirs"], state["old_stps"], state["ro"]
        change = gradient - state["prev_flat_grad"].array
        step = state["d"].array * state["t"]
        curvature = change @ step
        if curvature > 1e-10:
            if len(changes) == self.group["history_size"]:
                for memory in (changes, steps, rho):
                    del memory[:1]
            changes.append(wrap(change))
            steps.append(wrap(step))
            rho.append(1.0 / float(curvature))
            state["H_diag"] = float(curvature / (change @ change))
        return two_loops(gradient, [y.array for y in changes], [s.array for s in steps], rho, state["H_diag"])

    def search(self, t, direction, start):
        """Return the step length, loss and gradient that `strong_wolfe` finds. The parameters are unchanged."""
        origin = self.values()

        def at(t):
            self.move(t, direction)
            _, loss, gradient = self.evaluate()
            self.set_values(origin)
            return _Point(t, loss, gradient, float(gradient @ direction))

        most = self.group["max_eval"] - self.evaluations
        found = strong_wolfe(at, start, t, float(numpy.abs(direction).max()), most)
        return found.t, found.loss, found.gradient


def two_loops(gradient: Any, changes: list, steps: list, rho: list[float], scale: float) -> Any:
    """Return -H g by algorithm 7.4. All vectors are arrays, or all are Tensors.

    Args:
        gradient: The gradient g.
        changes: The remembered changes y of the gradient, the oldest first.
        steps: The steps s that they belong to.
        rho: 1 / (y · s) of each.
        scale: The diagonal of H before the first of them.
    """
    q = -gradient
    factors = []
    for y, s, r in zip(reversed(changes), reversed(steps), reversed(rho)):
        factors.append(float(s.dot(q)) * r)
        q -= factors[-1] * y
    q *= scale
    for y, s, r, factor in zip(changes, steps, rho, reversed(factors)):
        q += (factor - float(y.dot(q)) * r) * s
    return q


def _size(vector):
    """Return what the tolerances limit: the largest element, or under `run` the sum of all, as in v0.1.x."""
    elements = numpy.abs(vector)
    return elements.sum() if conventions.era.lbfgs_stops_by_sums else elements.max()


class _Point(NamedTuple):
    """A point on the line: its position, the loss, the gradient, and its product with the direction."""

    t: float
    loss: float
    gradient: numpy.ndarray
    slope: float


def strong_wolfe(
    at: Callable[[float], _Point],
    start: _Point,
    t: float,
    scale: float,
    most: int,
    c1: float = 1e-4,
    c2: float = 0.9,
    tolerance: float = 1e-9,
) -> _Point:
    """Return a point that satisfies the strong Wolfe conditions, or the best one of `most` trials.

    The first phase (algorithm 3.5) increases the step until an interval must contain such a point. The second (3.6)
    narrows the interval. New trials come from cubic interpolation (3.59).

    Args:
        at: A function that returns the point at a position.
        start: The point at 0.
        t: The first trial.
        scale: The largest element of the direction.
        most: The largest number of trials.
        c1: The constant of the condition on the loss.
        c2: The constant of the condition on the slope.
        tolerance: The length of the interval, times `scale`, at which the search ends.

    Source:
        Nocedal and Wright, "Numerical optimization", 2006, chapter 3.
    """

    def too_high(point):
        return point.loss > start.loss + c1 * point.t * start.slope

    def flat_enough(point):
        return abs(point.slope) <= -c2 * start.slope

    previous, point = start, at(t)
    trials = 0
    while trials < most:
        if too_high(point) or (trials > 1 and point.loss >= previous.loss):
            break
        if flat_enough(point):
            return point
        if point.slope >= 0:
            break
        t = interpolate(previous, point, point.t + 0.01 * (point.t - previous.t), point.t * 10)
        previous, point = point, at(t)
        trials += 1
    else:
        previous = start  # no trial is left to narrow the interval; the better one of its ends is the result

    ends = [previous, point]
    best = _lower(ends)
    was_near_an_end = False
    while trials < most and abs(ends[1].t - ends[0].t) * scale >= tolerance:
        left, right = sorted((ends[0].t, ends[1].t))
        t = interpolate(ends[0], ends[1], left, right)
        margin = 0.1 * (right - left)
        is_near_an_end = min(right - t, t - left) < margin
        if is_near_an_end and (was_near_an_end or t >= right or t <= left):
            # Twice in a row near an end, or on one, the interval would hardly shrink. Move a tenth inside.
            t = right - margin if abs(t - right) < abs(t - left) else left + margin
            is_near_an_end = False
        was_near_an_end = is_near_an_end
        point = at(t)
        trials += 1
        if too_high(point) or point.loss >= ends[best].loss:
            ends[1 - best] = point
            best = _lower(ends)
            continue
        if flat_enough(point):
            return point
        if point.slope * (ends[1 - best].t - ends[best].t) >= 0:
            ends[1 - best] = ends[best]
        ends[best] = point
    return ends[best]


def _lower(ends):
    return 0 if ends[0].loss <= ends[1].loss else 1


def interpolate(a: _Point, b: _Point, low: float, high: float) -> float:
    """Return the minimum, between `low` and `high`, of the cubic through two points with their slopes.

    Without a minimum it is the middle of `low` and `high`.

    Args:
        a: One point.
        b: The other point.
        low: The lower bound.
        high: The upper bound.
    """
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = d1**2 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2
    if a.t > b.t:
        a, b = b, a
    d2 = numpy.sqrt(square)
    t = b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
    return float(min(max(t, low), high))
