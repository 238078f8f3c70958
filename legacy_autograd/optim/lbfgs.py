"""L-BFGS: a quasi-Newton method of limited memory (February 2017, v0.1.9; its line search came with 1.2)."""

from typing import NamedTuple

import numpy

from .. import conventions
from ..tensor._helpers import shown_size, wrap
from . import forms_of_2016
from .optimizer import Optimizer


class LBFGS(Optimizer):
    """x <- x + t d with d = -H g, where H approximates the inverse Hessian from the last `history_size` steps.

    Nocedal and Wright, "Numerical optimization", 2006, algorithms 7.4 and 7.5. One `step(closure)` makes up to
    `max_iter` iterations and calls `closure()`, which computes the loss and runs backward with gradients made zero
    before, up to `max_eval` times (1.25 times max_iter, if not said). t is lr, in the very first iteration
    lr min(1, 1 / |g|₁); or what `line_search_fn="strong_wolfe"` finds from there. The step ends early when no element
    of g is larger than `tolerance_grad` (1e-7), or x or the loss changes by no more than `tolerance_change`. Under
    `run` the sums of all elements of g, and of the change of x, are compared instead, `tolerance_grad` is 1e-5, and a
    direction that does not descend ends the step after its move, not before, as in v0.1.x.

    All parameters are one vector x: there is one parameter group, and the state is kept under the first parameter.
    If the closure raises, the parameters are put back to where the step began.
    """

    _not_negative = ("lr", "max_iter", "max_eval", "tolerance_grad", "tolerance_change", "history_size")
    _numbers = ("func_evals", "n_iter", "t", "prev_loss", "H_diag", "ro")
    _tensors = ("d", "prev_flat_grad", "old_dirs", "old_stps")
    _lists = ("old_dirs", "old_stps", "ro")

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=None,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        defaults = dict(lr=lr, max_iter=max_iter, history_size=history_size, line_search_fn=line_search_fn)
        defaults["max_eval"] = max_iter * 5 // 4 if max_eval is None else max_eval
        if tolerance_grad is None:
            tolerance_grad = 1e-5 if conventions.era.lbfgs_stops_by_sums else 1e-7
        defaults.update(tolerance_grad=tolerance_grad, tolerance_change=tolerance_change)
        super().__init__(params, defaults)

    def add_param_group(self, param_group):
        if self.param_groups:
            raise ValueError("LBFGS has one parameter group only: its parameters are one vector to it")
        super().add_param_group(param_group)

    def _settle(self, group):
        super()._settle(group)
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise ValueError(f"LBFGS: line_search_fn is None or 'strong_wolfe', got {group['line_search_fn']!r}")

    def step(self, *input):
        """Make up to `max_iter` iterations; returns the loss at the beginning. Arguments as `Optimizer.step`'s.

        Raises TypeError where there is nothing to compute the loss again with.
        """
        if not input:
            raise TypeError("LBFGS.step needs a closure, which computes the loss and runs backward: it is called often")
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
                f"LBFGS.load_state_dict: {key} has the size {shown_size(value.size())}, the parameters {count} elements"
            )


class _Minimisation:
    """One call of `step`: the memory of earlier ones, and what it counts."""

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
        """The loss here, as it was returned and as a number, and the gradient."""
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
            p.data._stepped()

    def move(self, t, direction):
        begin = 0
        for p in self.params:
            array = p.data.array
            array += t * direction[begin : begin + array.size].reshape(array.shape)
            begin += array.size
            p.data._stepped()

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
                t *= min(1.0, 1.0 / numpy.abs(gradient).sum())
            slope = gradient @ direction
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
                    break  # a last evaluation would only serve the next step, which begins with one
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
        """-H g by the two loops of algorithm 7.4; takes the last step into the memory before."""
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
        q = -gradient
        factors = []
        for y, s, r in zip(reversed(changes), reversed(steps), reversed(rho)):
            factors.append(s.array @ q * r)
            q -= factors[-1] * y.array
        q *= state["H_diag"]
        for y, s, r, factor in zip(changes, steps, rho, reversed(factors)):
            q += (factor - y.array @ q * r) * s.array
        return q

    def search(self, t, direction, start):
        """The step length, loss and gradient by strong_wolfe; the parameters are where they were."""
        origin = self.values()

        def at(t):
            self.move(t, direction)
            _, loss, gradient = self.evaluate()
            self.set_values(origin)
            return _Point(t, loss, gradient, gradient @ direction)

        most = self.group["max_eval"] - self.evaluations
        found = strong_wolfe(at, start, t, numpy.abs(direction).max(), most)
        return found.t, found.loss, found.gradient


def _size(vector):
    """What is compared with the tolerances: the largest element, or under `run` the sum of all, as in v0.1.x."""
    elements = numpy.abs(vector)
    return elements.sum() if conventions.era.lbfgs_stops_by_sums else elements.max()


class _Point(NamedTuple):
    """A point of the line: where, the loss, the gradient, and its product with the direction."""

    t: float
    loss: float
    gradient: numpy.ndarray
    slope: float


def strong_wolfe(at, start, t, scale, most, c1=1e-4, c2=0.9, tolerance=1e-9):
    """A point that satisfies the strong Wolfe conditions, or the best one of `most` trials.

    Nocedal and Wright, algorithms 3.5 (grow the step until an interval must hold such a point) and 3.6 (narrow the
    interval down). `at(t)` gives the _Point at t, `start` is the one at 0, t the first trial, `scale` the largest
    element of the direction. New trials come from cubic interpolation, (3.59) there.
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
        previous = start  # no trial is left to narrow the interval down: the better one of its ends has to do

    ends = [previous, point]
    best = _lower(ends)
    was_near_an_end = False
    while trials < most and abs(ends[1].t - ends[0].t) * scale >= tolerance:
        left, right = sorted((ends[0].t, ends[1].t))
        t = interpolate(*ends, left, right)
        margin = 0.1 * (right - left)
        is_near_an_end = min(right - t, t - left) < margin
        if is_near_an_end and (was_near_an_end or t >= right or t <= left):
            # Near an end twice running, or on one: the interval would hardly shrink, so go a tenth inside.
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


def interpolate(a, b, low, high):
    """Where the cubic through two points with their slopes is least, kept from `low` to `high`; else their middle."""
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = d1**2 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2
    if a.t > b.t:
        a, b = b, a
    d2 = numpy.sqrt(square)
    t = b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
    return float(min(max(t, low), high))
