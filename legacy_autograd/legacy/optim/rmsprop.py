"""RMSprop (2016: `torch/legacy/optim/rmsprop.py`)."""

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, evaluate, zeros_like


def rmsprop(opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None) -> tuple[Tensor, float]:
    """x <- x - learningRate g / (√m + epsilon), where m is a moving average of g².

    m is initialized with 0 (in v0.1.1: 1).

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `learningRate` (1e-2), `alpha` (0.99, the weight of the old average), `epsilon` (1e-8),
            `weightDecay` (0).
        state: Keeps `m`. Default: `config`.

    Returns:
        x, and the value before the step.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Tieleman and Hinton, lecture 6.5 of "Neural networks for machine learning", 2012.
    """
    config, state = config_and_state("rmsprop", config, state)
    alpha = config.get("alpha", 0.99)
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    squares = state.setdefault("m", zeros_like(x)).mul_(alpha).addcmul_(1 - alpha, gradient, gradient)
    x.addcdiv_(-config.get("learningRate", 1e-2), gradient, squares.sqrt().add_(config.get("epsilon", 1e-8)))
    return x, value
