"""Stochastic Functions and `reinforce` (December 2016; removed in November 2017 for `torch.distributions`).

The problem: what was drawn at random has no derivative by the probabilities it was drawn with, yet the expected reward
of the draws has one: E[r ∂ log p(draw)], of which a reward times the derivative of log p at one draw is an unbiased
estimate (Williams, "Simple statistical gradient-following algorithms for connectionist reinforcement learning", 1992).
It takes the reward, which is known long after the draw.

How the 2016 core makes room for it: the draw is the output of a Function that waits for its reward, and its backward
computes with that in place of the gradient that comes. The gradient is that of a loss, minus the expected reward. Such
a Function runs where backward reaches it, also if no gradient came along the way, and its output can be a root of
`autograd.backward` for which no gradient is given.
"""

import numbers

import numpy

from ...tensor import Tensor
from ...tensor._helpers import shown
from ...tensor.base import shown_size, wrap
from ...tensor.random import normal as normal_tensor
from ...tensor.results import takes_results
from ..function import Function
from ..variable import Variable


class StochasticFunction(Function):
    """A random draw. `forward` draws one Tensor; `backward(reward)` is given the reward: a number, or a Tensor."""

    _if_no_gradient_came = (None,)
    _integers_end_the_graph = False  # the reward counts, not the gradient of what was drawn
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
                f"{self._name}: backward came to a random draw that got no reward; call reinforce(reward) on what was "
                "drawn before, or detach() it"
            )
        return super()._do_backward(self.reward)

    def _starting_gradient(self, data):
        return None  # it has a reward instead

    def reinforce(self, reward):
        """Take `reward` for backward; see `Variable.reinforce`."""
        size = self._output_sizes[0]
        if isinstance(reward, Tensor):
            if reward.type() != self._reward_type:
                raise TypeError(f"reinforce: expected a {self._reward_type} as the reward, got a {reward.type()}")
            if reward.array.shape != size:
                raise ValueError(
                    f"reinforce: a reward of size {shown_size(reward.array.shape)}, for draws of size "
                    f"{shown_size(size)}"
                )
        elif not isinstance(reward, numbers.Real):
            raise TypeError(f"reinforce: expected a number or a {self._reward_type} as the reward, got {shown(reward)}")
        if self.reward is not None:
            raise RuntimeError(f"reinforce: this {self._name} has its reward; it can be reinforced only once")
        self.reward = reward


class Multinomial(StochasticFunction):
    """Indices drawn with probabilities proportional to weights w, as `Tensor.multinomial` does.

    p of a draw is w_drawn / Σ w, where Σ goes over what is left to draw from. Gradient of a weight: reward times
    1 / Σ w, minus the reward / w for the one that was drawn. (v0.1.12 left the first term out, so that it was right
    only behind a softmax, to which that term makes no difference.)
    """

    def __init__(self, num_samples, with_replacement):
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
    """1 with the probabilities p, else 0. Gradient: -reward / p where 1 was drawn, reward / (1 - p) where 0 was."""

    def forward(self, p):
        drawn = p.bernoulli()
        self.save_for_backward(p, drawn)
        return drawn

    def backward(self, reward):
        p, drawn = self.saved_tensors
        return (1 - p - drawn).reciprocal().mul(reward)


class Normal(StochasticFunction):
    """Numbers x from normal distributions of given means m and standard deviations s, a number or a second Variable.

    Gradients: reward (m - x) / s², and reward (s² - (x - m)²) / s³.
    """

    def __init__(self, std=None):
        self.std = std

    def forward(self, means, stds=None):
        std = self.std if stds is None else stds
        if stds is not None and stds.array.shape != means.array.shape:
            sizes = f"{shown_size(means.array.shape)} and {shown_size(stds.array.shape)}"
            raise ValueError(f"normal: means and standard deviations have the sizes {sizes}, which are to be the same")
        if not (std > 0 if stds is None else (stds.array > 0).all()):
            raise ValueError("normal: a standard deviation whose draws are reinforced must be greater than 0")
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


def reinforce(variable, reward):
    """Say what the draw was worth: a number, or a Tensor of the size of this Variable with one for each element.

    backward then adds to the gradients of what the probabilities were computed from. Raises RuntimeError if this
    Variable was not drawn by a stochastic Function or has its reward, TypeError or ValueError for a reward that does
    not fit.
    """
    if not isinstance(variable.creator, StochasticFunction):
        raise RuntimeError(
            "reinforce: this Variable was not drawn by a stochastic Function (multinomial, bernoulli or torch.normal "
            "of Variables), or the draw was not recorded"
        )
    variable.creator.reinforce(reward)


@takes_results(2)
def normal(means=0.0, std=1.0, mean=None, generator=None):
    """Return numbers from normal distributions; at least one of `means` and `std` is a Tensor or a Variable.

    `mean` is v0.1.12's name for `means` that are one number. A result of Variables is a random draw for `reinforce`.
    ValueError for a standard deviation that is not positive, or shapes that differ; TypeError for two numbers.
    """
    means = means if mean is None else mean
    if not isinstance(means, Variable) and not isinstance(std, Variable):
        return normal_tensor(means, std, generator)
    if generator is not None:
        raise TypeError("normal: of Variables the default generator draws; leave generator out")
    if not isinstance(std, Variable):
        return Normal(std)(means)[0]
    if not isinstance(means, Variable):
        means = Variable(std.data.new(std.data.size()).fill_(means), requires_grad=False)
    return Normal()(means, std)[0]
