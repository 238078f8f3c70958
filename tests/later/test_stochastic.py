"""Random draws that are reinforced: the formulas by hand, the expectation they estimate, and wrong use."""

import math

import numpy
import pytest
import torch as modern

import legacy_autograd as torch
from legacy_autograd import autograd, conventions, nn
from legacy_autograd.autograd import StochasticFunction, Variable
from legacy_autograd.nn import functional as F


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def leaf(*numbers):
    return Variable(torch.DoubleTensor(list(numbers)), requires_grad=True)


def run(draw):
    autograd.backward([draw], [None])


# --- the gradient is that of -reward log p(draw), by modern torch's distributions


def rewards_for(draw):
    return torch.from_numpy(numpy.cos(numpy.arange(draw.numel(), dtype=float)).reshape(tuple(draw.size())))


def against_modern_torch(make_draw, log_prob, *arrays):
    for numbers in (True, False):
        ours = [Variable(torch.from_numpy(array.copy()), requires_grad=True) for array in arrays]
        draw = make_draw(*ours)
        reward = 2.5 if numbers else rewards_for(draw)
        draw.reinforce(reward)
        run(draw)
        theirs = [modern.from_numpy(array.copy()).requires_grad_() for array in arrays]
        expected = log_prob(*theirs, modern.from_numpy(draw.data.numpy()))
        (-(reward if numbers else modern.from_numpy(reward.numpy())) * expected).sum().backward()
        for x, y in zip(ours, theirs):
            numpy.testing.assert_allclose(x.grad.numpy(), y.grad.numpy(), rtol=1e-10, atol=1e-12)


WEIGHTS = numpy.array([[0.2, 1.5, 0.0, 0.7], [3.0, 0.1, 0.4, 0.5], [1.0, 1.0, 1.0, 1.0]])


@pytest.mark.parametrize("weights", [WEIGHTS, WEIGHTS[1]])
def test_multinomial_with_replacement(weights):
    def log_prob(w, drawn):
        return modern.log(w.gather(-1, drawn) / w.sum(-1, keepdim=True))

    against_modern_torch(lambda w: w.multinomial(5, True), log_prob, weights)


@pytest.mark.parametrize("weights", [WEIGHTS, WEIGHTS[1]])
def test_multinomial_without_replacement_divides_by_what_is_left(weights):
    def log_prob(w, drawn):
        chosen = w.gather(-1, drawn)
        left = w.sum(-1, keepdim=True) - chosen.cumsum(-1) + chosen
        return modern.log(chosen / left)

    against_modern_torch(lambda w: torch.multinomial(w, 3), log_prob, weights)


def test_bernoulli():
    def log_prob(p, drawn):
        return modern.distributions.Bernoulli(probs=p).log_prob(drawn)

    against_modern_torch(lambda p: p.bernoulli(), log_prob, numpy.linspace(0.05, 0.95, 24).reshape(4, 6))


def test_bernoulli_at_the_ends_of_its_range():
    p = leaf(0.0, 1.0)
    draw = torch.bernoulli(p)
    draw.reinforce(3)
    run(draw)
    assert draw.data.tolist() == [0, 1] and p.grad.tolist() == [3, -3]


def test_normal():
    means, stds = numpy.linspace(-2, 2, 6).reshape(2, 3), numpy.linspace(0.3, 2, 6).reshape(2, 3)
    normal = modern.distributions.Normal
    against_modern_torch(torch.normal, lambda m, s, x: normal(m, s).log_prob(x), means, stds)
    against_modern_torch(lambda m: torch.normal(m, 0.7), lambda m, x: normal(m, 0.7).log_prob(x), means)
    against_modern_torch(lambda s: torch.normal(1.5, s), lambda s, x: normal(1.5, s).log_prob(x), stds)


# --- and its mean is the gradient of the expected reward


def test_the_mean_over_many_draws_is_the_gradient_of_the_expected_reward():
    count, worth = 40_000, torch.DoubleTensor([1.0, -2.0, 0.5])
    logits = leaf(0.3, -0.2, 0.9)
    draws = F.softmax(logits.view(1, 3)).expand(count, 3).contiguous().multinomial()
    draws.reinforce(worth.index_select(0, draws.data.view(-1)).view(count, 1))
    run(draws)
    p = numpy.exp([0.3, -0.2, 0.9])
    p /= p.sum()
    expected = p * (worth.numpy() - p @ worth.numpy())  # of Σ p r, by the logits
    found = -logits.grad.numpy() / count
    assert numpy.abs(found - expected).max() < 5 * 2 / math.sqrt(count)  # five standard errors: |r| is at most 2
    assert numpy.abs(expected).max() > 0.2


# --- in a graph


def test_a_loss_and_draws_are_differentiated_together():
    w = leaf(0.5)
    value = w * 4
    draw = w.bernoulli()
    draw.reinforce(1.0)
    autograd.backward([value, draw], [torch.ones(1), None])
    assert w.grad.tolist() == pytest.approx([4 - 2 if draw.data[0] else 4 + 2])


def test_backward_passes_through_what_was_computed_with_a_draw():
    p, scale = leaf(0.5), leaf(3.0)
    draw = p.bernoulli()
    draw.reinforce(10)
    (draw * scale).backward()  # the gradient by the draw, 3, counts for nothing
    assert p.grad.tolist() == [-20 if draw.data[0] else 20] and scale.grad.tolist() == draw.data.tolist()


def test_backward_reaches_a_draw_that_only_chose_an_index():
    weights, table = leaf(1.0, 3.0), leaf(5.0, 6.0)
    draw = weights.multinomial(2)
    draw.reinforce(torch.DoubleTensor([1, 0]))
    table.index_select(0, draw).sum().backward()
    drawn = draw.data[0]
    expected = [0.25, 0.25]
    expected[drawn] -= 1 / weights.data[drawn]
    assert weights.grad.tolist() == pytest.approx(expected) and table.grad.tolist() == [1, 1]


def test_backward_of_several_draws_needs_no_gradient():
    p = leaf(0.5, 0.5)
    draw = p.bernoulli()
    draw.reinforce(1)
    draw.backward()
    assert p.grad.tolist() == [-2 if drawn else 2 for drawn in draw.data]


def test_freed_draws_cannot_run_again():
    p = leaf(0.5)
    draw = p.bernoulli()
    draw.reinforce(1)
    autograd.backward([draw], [None], retain_graph=False)
    with pytest.raises(RuntimeError, match="freed"):
        run(draw)


def test_a_users_own_draw():
    class Coin(StochasticFunction):
        """1 or -1, with a chance of p for 1."""

        def forward(self, p):
            drawn = p.bernoulli().mul(2).sub(1)
            self.save_for_backward(p, drawn)
            return drawn

        def backward(self, reward):
            p, drawn = self.saved_tensors
            return drawn.neg().mul(reward) / (p if drawn[0] > 0 else 1 - p)

    p = leaf(0.25)
    draw = Coin()(p)[0]
    draw.reinforce(1)
    run(draw)
    assert p.grad.tolist() == pytest.approx([-4 if draw.data[0] > 0 else 4 / 3])


# --- wrong use


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda d: run(d), RuntimeError, "Bernoulli: .*without a reward. Call reinforce"),
        (lambda d: (d.reinforce(1), d.reinforce(1)), RuntimeError, "Bernoulli has a reward already.*only once"),
        (lambda d: d.reinforce(torch.DoubleTensor([1])), ValueError, r"size \(1,\) for draws of size \(2,\)"),
        (lambda d: d.reinforce(torch.FloatTensor([1, 2])), TypeError, "a torch.DoubleTensor.*a torch.FloatTensor"),
        (lambda d: d.reinforce(None), TypeError, "a number or a torch.DoubleTensor.*NoneType"),
        (lambda d: leaf(1.0).reinforce(1), RuntimeError, "not drawn by a stochastic Function"),
        (lambda d: torch.normal(leaf(1.0), 0), ValueError, "greater than 0"),
        (lambda d: torch.normal(leaf(1.0), leaf(1.0, 2.0)), ValueError, r"same size, got \(1,\) and \(2,\)"),
        (lambda d: Variable(torch.ones(2), volatile=True).bernoulli().reinforce(1), RuntimeError, "not recorded"),
    ],
)
def test_wrong_use_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call(leaf(0.5, 0.5).bernoulli())


def test_rewards_of_another_shape_go_point_by_point_in_2017(monkeypatch):
    def draw():
        p = Variable(torch.DoubleTensor([[0.5, 0.5]] * 3), requires_grad=True)
        return p, p.multinomial()

    _, drawn = draw()
    with pytest.raises(ValueError, match=r"size \(3,\) for draws of size \(3, 1\)"):
        drawn.reinforce(torch.DoubleTensor([1, 2, 3]))
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    p, drawn = draw()
    drawn.reinforce(torch.DoubleTensor([1, 2, 3]))
    run(drawn)
    # r (1 - 1 / 0.5) for what was drawn, r for the other
    expected = [[-r if nr == taken[0] else r for nr in (0, 1)] for r, taken in zip((1, 2, 3), drawn.data.tolist())]
    assert p.grad.data.tolist() == expected
    _, drawn = draw()
    with pytest.raises(ValueError, match=r"size \(2,\) for draws of size \(3, 1\)"):
        drawn.reinforce(torch.DoubleTensor([1, 2]))


def test_draws_of_what_requires_no_gradient():
    draw = Variable(torch.ones(2), requires_grad=False).bernoulli()
    draw.reinforce(1)
    with pytest.raises(RuntimeError, match="does not require a gradient"):
        run(draw)


def test_a_policy_learns_which_of_three_levers_pays():
    policy = nn.Linear(1, 3)
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.1)
    for _ in range(150):
        drawn = F.softmax(policy(Variable(torch.ones(20, 1), requires_grad=False))).multinomial()
        drawn.reinforce(drawn.data.eq(2).double() - 0.3)
        optimizer.zero_grad()
        run(drawn)
        optimizer.step()
    assert F.softmax(policy(Variable(torch.ones(1, 1)))).data[0, 2] > 0.95
