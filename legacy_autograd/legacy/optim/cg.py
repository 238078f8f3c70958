"""Nonlinear conjugate gradients with a line search (2016: `torch/legacy/optim/cg.py`)."""

import math

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state


def cg(
    opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None
) -> tuple[Tensor, list[float], int]:
    """Minimize by nonlinear conjugate gradients (Polak-Ribière) with a line search.

    Each line search ends at a point that satisfies the Wolfe-Powell conditions with `rho` and `sig`. If one fails,
    another follows along the steepest descent. The call ends if that fails too, or after `maxEval` evaluations.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `maxIter` (20), the largest number of evaluations of a line search; `maxEval` (1.25
            maxIter), that of the call; `rho` (0.01); `sig` (0.5); `int` (0.1), how near a new point may be to the ends
            of its interval; `ext` (3), by which factor a step may grow; `ratio` (100), how much larger a first step may
            be than the step before.
        state: Unused: nothing is kept between calls.

    Returns:
        x, a list with the value at the start and after each successful search, and the number of evaluations.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Rasmussen, `minimize.m`, 2002.
    """
    config, state = config_and_state("cg", config, state)
    search = _LineSearch(opfunc, x, config)
    value, gradient = search.evaluate()
    values = [value]
    direction = gradient.neg()
    slope = -direction.dot(direction)
    step = 1 / (1 - slope)
    has_failed = False
    while search.evaluations < search.max_eval:
        start = x.clone()
        found, step, end_value, end_gradient = search.run(direction, value, slope, step)
        if found:
            value = end_value
            values.append(value)
            factor = (end_gradient.dot(end_gradient) - end_gradient.dot(gradient)) / gradient.dot(gradient)
            direction.mul_(factor).sub_(end_gradient)
            gradient = end_gradient
            next_slope = gradient.dot(direction)
            if next_slope > 0:
                direction = gradient.neg()
                next_slope = -direction.dot(direction)
            step *= min(config.get("ratio", 100), slope / (next_slope - 1e-320))
            slope = next_slope
        else:
            x.copy_(start)
            if has_failed or search.evaluations > search.max_eval:
                break
            # As in minimize.m, the gradient is that of the last point of the search, while x is back at the first.
            direction = end_gradient.neg()
            gradient = end_gradient
            slope = -direction.dot(direction)
            step = 1 / (1 - slope)
        has_failed = not found
    return x, values, search.evaluations


class _LineSearch:
    """Line searches, which move `x`, with a count of all evaluations of one call of `cg`."""

    def __init__(self, opfunc, x, config):
        self.opfunc = opfunc
        self.x = x
        self.max_iter = config.get("maxIter", 20)
        self.max_eval = abs(config.get("maxEval", self.max_iter * 1.25))
        self.rho, self.sig = config.get("rho", 0.01), config.get("sig", 0.5)
        self.int, self.ext = config.get("int", 0.1), config.get("ext", 3.0)
        self.evaluations = 0

    def evaluate(self):
        """Return the value at `x` and a copy of the gradient, which later evaluations do not change."""
        self.evaluations += 1
        value, gradient = self.opfunc(self.x)
        return value, gradient.clone()

    def run(self, direction, value, slope, step):
        """Search from `x`, where the function has `value` and `slope` along `direction`; `step` is the first trial.

        Returns whether a point was found, its step, its value and its gradient, or those of the last trial.
        """
        start_value, start_slope = value, slope
        # The other end of the interval: its value, its slope, and its position relative to the current trial.
        other_value, other_slope, other = value, slope, -step
        limit = -1  # the smallest step known to be too long; -1 for none

        def move(change):
            self.x.add_(change, direction)
            value, gradient = self.evaluate()
            return value, gradient, gradient.dot(direction)

        def is_too_long():
            return value > start_value + step * self.rho * start_slope or slope > -self.sig * start_slope

        value, gradient, slope = move(step)
        remaining = min(self.max_iter, self.max_eval - self.evaluations)
        while True:
            while is_too_long() and remaining > 0:
                limit = step
                if value > start_value:
                    change = _minimum_of_parabola(value, other_value, other_slope, other)
                else:
                    change = _minimum_of_cubic(value, slope, other_value, other_slope, other)
                if not math.isfinite(change):
                    change = other / 2
                # The distance to either end of the interval must be at least the fraction `int` of its length.
                change = max(min(change, self.int * other), (1 - self.int) * other)
                step += change
                value, gradient, slope = move(change)
                remaining -= 1
                other -= change
            if is_too_long():
                return False, step, value, gradient
            if slope > self.sig * start_slope:
                return True, step, value, gradient
            if remaining == 0:
                return False, step, value, gradient
            change = self.extrapolation(value, slope, other_value, other_slope, other, step, limit)
            other_value, other_slope, other = value, slope, -change
            step += change
            value, gradient, slope = move(change)
            remaining -= 1

    def extrapolation(self, value, slope, other_value, other_slope, other, step, limit):
        """Return how much further to step if `step` is too short: to the minimum of a cubic, within bounds."""
        a = 6 * (value - other_value) / other + 3 * (slope + other_slope)
        b = 3 * (other_value - value) - other * (other_slope + 2 * slope)
        denominator = b + _sqrt(b * b - a * slope * other * other)
        change = -slope * other * other / denominator if denominator else math.nan
        has_limit = limit > -0.5
        farthest = (limit - step) / 2 if has_limit else step * (self.ext - 1)
        if not math.isfinite(change) or change < 0:
            return farthest
        if has_limit and step + change > limit or not has_limit and step + change > step * self.ext:
            return farthest
        if change < -other * self.int:
            return -other * self.int
        if has_limit and change < (limit - step) * (1 - self.int):
            return (limit - step) * (1 - self.int)
        return change


def _minimum_of_parabola(value, other_value, other_slope, other):
    try:
        return other - (0.5 * other_slope * other * other) / (other_slope * other + value - other_value)
    except ZeroDivisionError:
        return math.nan


def _minimum_of_cubic(value, slope, other_value, other_slope, other):
    a = 6 * (value - other_value) / other + 3 * (slope + other_slope)
    b = 3 * (other_value - value) - other * (other_slope + 2 * slope)
    try:
        return (_sqrt(b * b - a * slope * other * other) - b) / a
    except ZeroDivisionError:
        return math.nan


def _sqrt(x):
    return math.sqrt(x) if x >= 0 else math.nan
