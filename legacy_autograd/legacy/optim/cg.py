"""Nonlinear conjugate gradients with a line search (2016: `torch/legacy/optim/cg.py`)."""

import math

from ._helpers import config_and_state


def cg(opfunc, x, config, state=None):
    """Minimise by conjugate gradients of Polak and Ribière, as Rasmussen's minimize.m does (2002).

    Each line search ends at a point that satisfies the Wolfe-Powell conditions with `rho` and `sig`. After a search
    that fails, one more is tried along the steepest descent; if this one fails too, the minimisation ends. It also ends
    after `maxEval` evaluations.

    Options: `maxIter` (20), the most evaluations of one line search; `maxEval` (1.25 maxIter), those of the call; `rho`
    (0.01), `sig` (0.5); `int` (0.1), how near a new point may be to the ends of its interval; `ext` (3), how many times
    farther it may be; `ratio` (100), how many times larger a first step may be than the step before. Nothing is
    remembered between calls.

    Returns x, a list with the value at the start and after each successful search, and the number of evaluations.
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
            # As in minimize.m, this is the gradient at the last point of the search, while x is back at its first one.
            direction = end_gradient.neg()
            gradient = end_gradient
            slope = -direction.dot(direction)
            step = 1 / (1 - slope)
        has_failed = not found
    return x, values, search.evaluations


class _LineSearch:
    """Searches along a direction from `x`, which it moves, and counts all evaluations of one call of `cg`."""

    def __init__(self, opfunc, x, config):
        self.opfunc = opfunc
        self.x = x
        self.max_iter = config.get("maxIter", 20)
        self.max_eval = abs(config.get("maxEval", self.max_iter * 1.25))
        self.rho, self.sig = config.get("rho", 0.01), config.get("sig", 0.5)
        self.int, self.ext = config.get("int", 0.1), config.get("ext", 3.0)
        self.evaluations = 0

    def evaluate(self):
        """Return the value and the gradient at `x`; the gradient is a copy, which later evaluations leave alone."""
        self.evaluations += 1
        value, gradient = self.opfunc(self.x)
        return value, gradient.clone()

    def run(self, direction, value, slope, step):
        """Search from `x`, where the function has `value` and `slope` along `direction`; `step` is the first trial.

        Returns whether a point was found, its step, its value and its gradient, or those of the last trial.
        """
        start_value, start_slope = value, slope
        # The other end of the interval: its value, its slope, and its place as seen from the current trial.
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
                # Not nearer to either end of the interval than the part `int` of it.
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
        """How far to go on from a step that is too short, to where a cubic has its minimum, within bounds."""
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
