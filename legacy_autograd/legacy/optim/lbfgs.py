"""L-BFGS, a quasi-Newton method of limited memory (2016: `torch/legacy/optim/lbfgs.py`, v0.1.9)."""

from ...optim.lbfgs import two_loops
from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state


def lbfgs(
    opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None
) -> tuple[Tensor, list[float], int]:
    """Make up to `maxIter` steps x <- x + t d with d = -H g, where H approximates the inverse Hessian.

    t is `learningRate`, in the first step of all learningRate min(1, 1 / ‖g‖₁). Or `lineSearch(opfunc, x, t, d, f, g,
    g·d, lineSearchOptions)` returns (f, g, x, t, evaluations).

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `maxIter` (20); `maxEval` (1.25 maxIter); `tolFun` (1e-5), the limit for the sum of |g|;
            `tolX` (1e-9), the limit for the sum of |t d| and for the change of f; `nCorrection` (100), the number of
            remembered steps; `learningRate` (1); `lineSearch`; `lineSearchOptions`; `verbose` (False) prints why the
            call ended.
        state: Keeps `old_dirs`, `old_stps`, `Hdiag`, `g_old`, `f_old`, `t`, `d`, `nIter` and `funcEval`. Default:
            `config`.

    Returns:
        x, a list of the values, and the number of evaluations of this call (in 2016 without it if x was a minimum at
        the start).

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Nocedal and Wright, "Numerical optimization", 2006, algorithms 7.4 and 7.5.
    """
    config, state = config_and_state("lbfgs", config, state)
    max_iter = config.get("maxIter", 20)
    max_eval = config.get("maxEval", max_iter * 1.25)
    smallest_change = config.get("tolX", 1e-9)
    line_search = config.get("lineSearch")
    f, g = opfunc(x)
    values, evaluations = [f], 1
    state["funcEval"] = state.get("funcEval", 0) + 1
    state.setdefault("nIter", 0)
    reason = None
    if g.abs().sum() <= config.get("tolFun", 1e-5):
        reason = "the gradient is below tolFun"
    iteration = 0
    while reason is None:
        iteration += 1
        state["nIter"] += 1
        d = _direction(g, state, config.get("nCorrection", 100))
        slope = g.dot(d)
        t = config.get("learningRate", 1)
        if state["nIter"] == 1:
            t *= min(1, 1 / g.abs().sum())
        state.update(d=d, t=t, g_old=g.clone(), f_old=f)
        before = evaluations
        if line_search is not None:
            f, g, x, t, count = line_search(opfunc, x, t, d, f, g, slope, config.get("lineSearchOptions"))
            state["t"] = t
            evaluations += count
            values.append(f)
        else:
            x.add_(t, d)
            if iteration < max_iter:  # after the last step the next call evaluates first
                f, g = opfunc(x)
                evaluations += 1
                values.append(f)
        state["funcEval"] += evaluations - before
        if iteration == max_iter:
            reason = "maxIter iterations"
        elif evaluations >= max_eval:
            reason = "maxEval evaluations"
        elif g.abs().sum() <= config.get("tolFun", 1e-5):
            reason = "the gradient is below tolFun"
        elif slope > -smallest_change:
            reason = "the direction does not descend"
        elif (d * t).abs().sum() <= smallest_change:
            reason = "the step is below tolX"
        elif abs(f - state["f_old"]) < smallest_change:
            reason = "the change of the value is below tolX"
    if config.get("verbose", False):
        print("<optim.lbfgs>", reason)
    return x, values, evaluations


def _direction(g, state, memory):
    """Return -H g by the two loops of algorithm 7.4, after adding the last step to the memory."""
    if state["nIter"] == 1:
        state.update(old_dirs=[], old_stps=[], ro=[], Hdiag=1)
        return g.neg()
    y = g - state["g_old"]
    s = state["d"] * state["t"]
    curvature = y.dot(s)
    # In Lua the two names are swapped: old_dirs holds the steps, old_stps the changes of the gradient.
    steps, changes, factors = state["old_dirs"], state["old_stps"], state["ro"]
    if curvature > 1e-10:
        if len(steps) == memory:
            for remembered in (steps, changes, factors):
                del remembered[0]
        steps.append(s)
        changes.append(y)
        factors.append(1 / curvature)
        state["Hdiag"] = curvature / y.dot(y)
    return two_loops(g, changes, steps, factors, state["Hdiag"])
