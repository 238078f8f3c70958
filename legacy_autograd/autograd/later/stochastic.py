"""Stochastic Functions and `reinforce` (December 2016; removed in November 2017 for `torch.distributions`).

The problem: a random draw has no derivative with respect to its probabilities, but the expected reward of the draws has
one: E[r ∂ log p(draw)]. The reward times the derivative of log p at one draw is an unbiased estimate of it (Williams,
"Simple statistical gradient-following algorithms for connectionist reinforcement learning", 1992). It needs the reward,
which is known long after the draw.

How the 2016 core makes room for it: the draw is the output of a Function that waits for its reward. Its backward uses
the reward instead of the incoming gradient. The gradient is that of a loss: minus the expected reward. Such a Function
runs when backward reaches it, even if no gradient arrived. Its output can be a root of `autograd.backward` without a
starting gradient.
"""

import math
import numbers
from typing import Any

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor.messages import shown, shown_size
from ...tensor.random import normal as normal_tensor
from ...tensor.results import takes_results
from ...tensor.wrapping import wrap
from ..function import Function
from ..variable import Variable


class StochasticFunction(Function):
    """A random draw: `forward` draws one Tensor, `backward(reward)` receives the reward, a number or a Tensor."""

    _if_no_gradient_came = (None,)
    _integers_end_the_graph = False  # the reward is used instead of a gradient
    reward = None

    def _do_forward(self, *input):
        output = super()._do_forward(*input)
        if len(output) != 1:
            raise RuntimeError(f"{self._name}: a stochastic Function has one output, not {len(output)}")
        self._reward_type = input[0].data.type()
        return output

    def _do_backward(self, *grad_output):
        if self.reward is None:
            raise RuntimeError(
                f"{self._name}: backward reached a random draw without a reward. Call reinforce(reward) on the draw "
                "before, or detach() it"
            )
        return super()._do_backward(self.reward)

    def _starting_gradient(self, data):
        return None  # the reward replaces it

    def reinforce(self, reward: float | Tensor) -> None:
        """Store the reward of the draw for backward; see `Variable.reinforce`.

        Args:
            reward: A number, or a Tensor of the type of the probabilities with a reward for each drawn element.

        Raises:
            RuntimeError: If the draw has a reward already.
            TypeError: If the reward has the wrong type.
            ValueError: If the reward has another shape than the draw. Where operands go point by point
                (conventions.py), only another number of elements is refused.
        """
        size = self._output_sizes[0]
        if isinstance(reward, Tensor):
            if reward.type() != self._reward_type:
                raise TypeError(f"reinforce: expected a {self._reward_type} as the reward, got a {reward.type()}")
            if reward.array.size == math.prod(size) and conventions.era.broadcast != "always":
                reward = wrap(reward.array.reshape(size))  # v0.1.x multiplied point by point
            elif reward.array.shape != size:
                raise ValueError(
                    f"reinforce: got a reward of size {shown_size(reward.array.shape)} for draws of size "
                    f"{shown_size(size)}"
                )
        elif not isinstance(reward, numbers.Real):
            raise TypeError(f"reinforce: expected a number or a {self._reward_type} as the reward, got {shown(reward)}")
        if self.reward is not None:
            raise RuntimeError(f"reinforce: this {self._name} has a reward already; it can be reinforced only once")
        self.reward = reward


class Multinomial(StochasticFunction):
    """Indices drawn with probabilities proportional to weights w, as by `Tensor.multinomial`.

    The probability of a draw is w_drawn / Σ w, where Σ goes over the weights that are left to draw from.

    Args:
        num_samples: The number of draws from each row of weights.
        with_replacement: Whether an index may be drawn several times.

    Gradient:
        r / Σ w for each weight that is left, minus r / w for the one that was drawn, summed over the draws, where r is
        the reward. (v0.1.12 omitted the first term, so its gradient was correct only behind a softmax, for which that
        term makes no difference.)
    """

    def __init__(self, num_samples: int, with_replacement: bool) -> None:
        self.num_samples = num_samples
        self.with_replacement = with_replacement

    def forward(self, weights):
        drawn = weights.multinomial(self.num_samples, self.with_replacement)
        self.save_for_backward(weights, drawn)
        return drawn

    def backward(self, reward):
        weights, drawn = [tensor.array for tensor in self.saved_tensors]
        rewards = numpy.broadcast_to(getattr(reward, "array", reward), drawn.shape).reshape(-1, drawn.shape[-1])
        w, drawn = weights.reshape(-1, weights.shape[-1]), drawn.reshape(rewards.shape)
        grad = numpy.zeros_like(w)
        left = numpy.ones_like(w)
        rows = numpy.arange(len(w))
        for r, chosen in zip(rewards.T, drawn.T):
            grad += left * (r / (w * left).sum(1))[:, None]
            grad[rows, chosen] -= r / w[rows, chosen]
            if not self.with_replacement:
                left[rows, chosen] = 0
        return wrap(grad.reshape(weights.shape))


class Bernoulli(StochasticFunction):
    """1 with the probabilities p, else 0.

    Gradient:
        -r / p where 1 was drawn, r / (1 - p) where 0 was drawn, where r is the reward.
    """

    def forward(self, p):
        drawn = p.bernoulli()
        self.save_for_backward(p, drawn)
        return drawn

    def backward(self, reward):
        p, drawn = self.saved_tensors
        return (1 - p - drawn).reciprocal().mul(reward)


class Normal(StochasticFunction):
    """Numbers x from normal distributions with means m and standard deviations s, a number or a second Variable.

    Args:
        std: The standard deviation, if it is a number.

    Gradient:
        For m, r (m - x) / s²; for s, r (s² - (x - m)²) / s³, where r is the reward.
    """

    def __init__(self, std: float | None = None) -> None:
        self.std = std

    def forward(self, means, stds=None):
        std = self.std if stds is None else stds
        if stds is not None and stds.array.shape != means.array.shape:
            sizes = f"{shown_size(means.array.shape)} and {shown_size(stds.array.shape)}"
            raise ValueError(f"normal: means and standard deviations must have the same size, got {sizes}")
        if not (std > 0 if stds is None else (stds.array > 0).all()):
            raise ValueError("normal: the standard deviations of a reinforced draw must be greater than 0")
        drawn = normal_tensor(means, std)
        self.save_for_backward(drawn, means, *([] if stds is None else [stds]))
        return drawn

    def backward(self, reward):
        drawn, means, *stds = self.saved_tensors
        std = stds[0] if stds else self.std
        below = means.sub(drawn)
        grad_means = below.div(std).div(std).mul(reward)
        if not stds:
            return grad_means
        return grad_means, (1 - below.div(std).pow(2)).div(std).mul(reward)


def multinomial(variable: Variable, num_samples: int = 1, with_replacement: bool = False) -> Variable:
    """Return indices drawn with probabilities proportional to this vector, or to each row of this matrix.

    Args:
        variable: The vector or matrix.
        num_samples: The number of draws.
        with_replacement: Whether an index may be drawn again.

    Gradient:
        That of -reward ln p(draw), once `reinforce` was called on the result (December 2016).
    """
    return Multinomial(num_samples, with_replacement)(variable)[0]


def bernoulli(variable: Variable) -> Variable:
    """Return 1 with the probabilities x, else 0.

    Args:
        variable: The probabilities x.

    Gradient:
        That of -reward ln p(draw), once `reinforce` was called on the result (December 2016).
    """
    return Bernoulli()(variable)[0]


def reinforce(variable: Variable, reward: float | Tensor) -> None:
    """Set the reward of a random draw, which its backward then uses.

    Args:
        variable: The draw.
        reward: A number, or a Tensor of the shape of `variable` with a reward for each element.

    Raises:
        RuntimeError: If `variable` was not drawn by a stochastic Function, or has a reward already.
        TypeError: If the reward has the wrong type.
        ValueError: If the reward has another shape than the draw.
    """
    if not isinstance(variable.creator, StochasticFunction):
        raise RuntimeError(
            "reinforce: this Variable was not drawn by a stochastic Function (multinomial, bernoulli or torch.normal "
            "of Variables), or the draw was not recorded"
        )
    variable.creator.reinforce(reward)


@takes_results(2)
def normal(
    means: float | Tensor | Variable = 0.0,
    std: float | Tensor | Variable = 1.0,
    mean: float | None = None,
    generator: Any = None,
) -> Any:
    """Return random numbers from normal distributions.

    Args:
        means: The means.
        std: The standard deviations. At least one of the two is a Tensor or a Variable.
        mean: v0.1.12's name of `means` for a single number.
        generator: The random number generator, for Tensors only. Default: the global one.

    Returns:
        A Tensor. If `means` or `std` is a Variable, a Variable: a random draw for `reinforce`.

    Raises:
        TypeError: If `means` and `std` are both numbers, or `generator` comes with a Variable.
        ValueError: If a standard deviation is negative, or for a Variable not positive, or if the shapes differ.
    """
    means = means if mean is None else mean
    if not isinstance(means, Variable) and not isinstance(std, Variable):
        return normal_tensor(means, std, generator)
    if generator is not None:
        raise TypeError(
            "normal: generator is not supported for Variables, which use the default generator; leave it out"
        )
    if not isinstance(std, Variable):
        return Normal(std)(means)[0]  # type: ignore[arg-type]  # one of the two is a Variable
    if isinstance(means, Variable):
        return Normal()(means, std)[0]
    constant = Variable(std.data.new(std.data.size()).fill_(means), requires_grad=False)  # type: ignore[arg-type]  # a number
    return Normal()(constant, std)[0]


Variable.multinomial = multinomial
Variable.bernoulli = bernoulli
Variable.reinforce = reinforce
