"""Random numbers: the same seed gives the same ones, and they have the distribution that is asked for."""

import math

import numpy
import pytest

import legacy_autograd as torch

MANY = 20000


@pytest.fixture(autouse=True)
def seeded():
    state, seed = torch.get_rng_state(), torch.initial_seed()
    torch.manual_seed(1)
    yield
    torch.set_rng_state(state)
    assert torch.initial_seed() == seed


DRAWS = {
    "rand": lambda: torch.rand(7),
    "randn": lambda: torch.randn(7),
    "randn of floats": lambda: torch.FloatTensor(7).normal_(),
    "randperm": lambda: torch.randperm(7),
    "uniform_": lambda: torch.zeros(7).uniform_(1, 2),
    "normal_": lambda: torch.zeros(7).normal_(1, 2),
    "bernoulli_": lambda: torch.zeros(20).bernoulli_(),
    "bernoulli": lambda: torch.zeros(20).fill_(0.5).bernoulli(),
    "random_": lambda: torch.zeros(7).random_(100),
    "exponential_": lambda: torch.zeros(7).exponential_(),
    "geometric_": lambda: torch.zeros(20).geometric_(0.3),
    "cauchy_": lambda: torch.zeros(7).cauchy_(),
    "log_normal_": lambda: torch.zeros(7).log_normal_(),
    "multinomial": lambda: torch.ones(50).multinomial(7),
    "normal": lambda: torch.normal(torch.zeros(7), torch.ones(7)),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_same_seed_gives_the_same_numbers_and_a_state_goes_on(name):
    draw = DRAWS[name]
    torch.manual_seed(3)
    first = draw().tolist()
    state = torch.get_rng_state()
    second = draw().tolist()
    assert first != second
    torch.set_rng_state(state)
    assert draw().tolist() == second
    torch.manual_seed(3)
    assert draw().tolist() == first
    torch.manual_seed(4)
    assert draw().tolist() != first


def test_states_and_seeds():
    torch.manual_seed(123)
    assert torch.initial_seed() == 123
    state = torch.get_rng_state()
    assert state.type() == "torch.ByteTensor"
    torch.FloatTensor(3).uniform_()  # an odd number of 32-bit draws leaves half a number over
    odd = torch.get_rng_state()
    expected = torch.FloatTensor(3).uniform_().tolist()
    torch.manual_seed(-1)
    assert torch.initial_seed() == 2**64 - 1
    torch.set_rng_state(odd)
    assert torch.initial_seed() == 123 and torch.FloatTensor(3).uniform_().tolist() == expected
    assert torch.seed() == torch.initial_seed()
    with pytest.raises(TypeError, match="manual_seed: expected an integer, got float"):
        torch.manual_seed(1.5)
    for wrong in (torch.ByteTensor(3), torch.zeros(state.numel()), None):
        with pytest.raises(TypeError, match="set_rng_state: expected a torch.ByteTensor of size"):
            torch.set_rng_state(wrong)


def test_a_generator_of_its_own():
    """numpy's global generator is neither used nor moved."""
    numpy.random.seed(0)
    expected = numpy.random.random()
    numpy.random.seed(0)
    torch.randn(10)
    assert numpy.random.random() == expected


@pytest.mark.parametrize("kind", [torch.DoubleTensor, torch.FloatTensor, torch.HalfTensor])
@pytest.mark.parametrize(
    "fill, mean, deviation",
    [
        (lambda x: x.uniform_(), 0.5, math.sqrt(1 / 12)),
        (lambda x: x.uniform_(-2, 4), 1, 6 * math.sqrt(1 / 12)),
        (lambda x: x.normal_(), 0, 1),
        (lambda x: x.normal_(3, 0.5), 3, 0.5),
        (lambda x: x.exponential_(2), 0.5, 0.5),
        (lambda x: x.bernoulli_(), 0.5, 0.5),
        (lambda x: x.bernoulli_(0.2), 0.2, 0.4),
        (lambda x: x.bernoulli_(x.clone().fill_(0.2)), 0.2, 0.4),
        (lambda x: x.fill_(0.2).bernoulli(), 0.2, 0.4),
        (lambda x: x.random_(10), 4.5, math.sqrt(99 / 12)),
        (lambda x: x.random_(5, 15), 9.5, math.sqrt(99 / 12)),
        (lambda x: x.geometric_(0.5), 2, math.sqrt(2)),
        (lambda x: x.log_normal_(0, 0.25), math.exp(0.03125), 0.2565),
        (lambda x: torch.normal(x.fill_(3), 0.5), 3, 0.5),
        (lambda x: torch.normal(x.fill_(3), x * 0 + 0.5), 3, 0.5),
        (lambda x: torch.normal(3, x.fill_(0.5)), 3, 0.5),
    ],
)
def test_means_and_deviations(kind, fill, mean, deviation):
    x = fill(kind(MANY)).double()
    assert abs(x.mean() - mean) < 6 * deviation / math.sqrt(MANY) + 1e-3
    assert abs(x.std() - deviation) < 0.05 * deviation


def test_cauchy_has_quartiles():
    x = torch.zeros(MANY).cauchy_(2, 3)
    assert abs((x < 2).double().mean() - 0.5) < 0.02 and abs((x < 5).double().mean() - 0.75) < 0.02


@pytest.mark.parametrize("kind", [torch.DoubleTensor, torch.FloatTensor, torch.HalfTensor])
def test_uniform_numbers_stay_below_the_upper_limit(kind):
    x = kind(MANY * 5)
    for low, high in ((0, 1), (1, 2), (-3, -1), (0, 1e-3), (1000, 1001)):
        x.uniform_(low, high)
        assert (x.array >= kind([low]).array).all() and (x.array < kind([high]).array).all()
    assert kind(2).uniform_(3, 3).tolist() == [3, 3]
    assert (torch.rand(MANY) < 1).all()


def test_types_of_what_is_drawn():
    assert torch.rand(2, 3).type() == torch.randn((2, 3)).type() == "torch.DoubleTensor"
    assert torch.rand(torch.Size([2, 3])).size() == (2, 3)
    assert torch.randperm(5).type() == "torch.LongTensor" and sorted(torch.randperm(5).tolist()) == list(range(5))
    assert torch.randperm(0).numel() == 0
    for name in ("Byte", "Char", "Short", "Int", "Long"):
        x = getattr(torch, f"{name}Tensor")(MANY)
        x.random_()
        largest = numpy.iinfo(x.array.dtype).max
        assert x.min() >= 0 and x.max() > largest * 0.95
        assert 0 < x.bernoulli_(0.5).sum() < MANY
        assert x.geometric_(0.9).min() == 1
    x = torch.FloatTensor(MANY).random_()
    assert x.max() <= 2**24 and (x == x.round()).all()


def test_random_numbers_reach_a_view():
    x = torch.zeros(4, 3)
    x[:, 1].normal_()
    assert (x != 0).sum(0).tolist() == [[0, 4, 0]] and x._version == 1


def test_multinomial():
    weights = torch.DoubleTensor([1, 0, 3])
    drawn = weights.multinomial(MANY, True)
    assert drawn.type() == "torch.LongTensor" and drawn.size() == (MANY,)
    assert (drawn != 1).all() and abs(drawn.eq(2).double().mean() - 0.75) < 0.02
    rows = torch.FloatTensor([[1, 0, 1], [0, 2, 2]]).multinomial(2)
    assert rows.size() == (2, 2) and [sorted(row) for row in rows.tolist()] == [[0, 2], [1, 2]]
    assert torch.multinomial(weights, 1).size() == (1,)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (
            lambda: torch.LongTensor(1).uniform_(),
            TypeError,
            "uniform_: expected a tensor of floating-point .*LongTensor",
        ),
        (lambda: torch.LongTensor(1).normal_(), TypeError, "normal_: .*LongTensor"),
        (lambda: torch.LongTensor(1).bernoulli(), TypeError, "bernoulli: .*LongTensor"),
        (lambda: torch.zeros(1).uniform_(2, 1), ValueError, "uniform_: expected finite limits, .*2 and 1"),
        (lambda: torch.zeros(1).uniform_(0, math.inf), ValueError, "uniform_: expected finite"),
        (lambda: torch.zeros(1).normal_(0, -1), ValueError, "normal_: .*-1"),
        (lambda: torch.zeros(1).normal_(0, math.nan), ValueError, "normal_: .*nan"),
        (lambda: torch.zeros(1).log_normal_(0, 0), ValueError, "log_normal_: .*positive"),
        (lambda: torch.zeros(1).exponential_(0), ValueError, "exponential_: .*positive"),
        (lambda: torch.zeros(1).cauchy_(0, 0), ValueError, "cauchy_: .*positive"),
        (lambda: torch.zeros(1).geometric_(0), ValueError, "geometric_: .*probability"),
        (lambda: torch.zeros(1).bernoulli_(1.5), ValueError, "bernoulli_: .*1.5"),
        (lambda: torch.zeros(2).bernoulli_(torch.ones(3)), ValueError, r"bernoulli_: probabilities of size \(3,\)"),
        (lambda: torch.zeros(2).fill_(2).bernoulli(), ValueError, "bernoulli: expected probabilities"),
        (lambda: torch.zeros(1).random_(0), ValueError, "random_: .*0 and 0"),
        (lambda: torch.ByteTensor(1).random_(300), OverflowError, "random_: 299 does not fit into a torch.ByteTensor"),
        (lambda: torch.zeros(3).multinomial(1), ValueError, "multinomial: cannot draw 1 where only 0 weights"),
        (lambda: torch.DoubleTensor([1, 0]).multinomial(2), ValueError, "multinomial: cannot draw 2 where only 1"),
        (lambda: torch.DoubleTensor([1, -1]).multinomial(1), ValueError, "multinomial: weights must be finite"),
        (lambda: torch.DoubleTensor([1, math.nan]).multinomial(1), ValueError, "multinomial: weights must be finite"),
        (lambda: torch.ones(2, 2, 2).multinomial(1), ValueError, "multinomial: expected a vector or matrix"),
        (lambda: torch.ones(2).multinomial(0), ValueError, "multinomial: .*0"),
        (lambda: torch.normal(1, 2), TypeError, "normal: expected a Tensor .*int and int"),
        (lambda: torch.normal(torch.zeros(1), -1), ValueError, "normal: a standard deviation"),
        (lambda: torch.normal(torch.zeros(1), torch.DoubleTensor([-1])), ValueError, "normal: a standard deviation"),
        (lambda: torch.rand(-1), ValueError, "rand: .*-1"),
        (lambda: torch.randn(), ValueError, "randn: expected sizes"),
        (lambda: torch.randn(1.5), TypeError, "randn: expected integers.*float"),
        (lambda: torch.randperm(-1), ValueError, "randperm: .*-1"),
    ],
)
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_generator_has_numbers_of_its_own():
    generator = torch.Generator().manual_seed(1)
    for draw in (
        lambda **g: torch.rand(3, **g),
        lambda **g: torch.randn(3, **g),
        lambda **g: torch.randperm(9, **g),
        lambda **g: torch.zeros(3).uniform_(1, 2, **g),
        lambda **g: torch.FloatTensor(3).normal_(1, 2, **g),
        lambda **g: torch.zeros(3).log_normal_(**g),
        lambda **g: torch.zeros(3).exponential_(**g),
        lambda **g: torch.zeros(3).cauchy_(**g),
        lambda **g: torch.zeros(30).geometric_(0.3, **g),
        lambda **g: torch.zeros(30).bernoulli_(**g),
        lambda **g: torch.bernoulli(torch.ones(30) / 2, **g),
        lambda **g: torch.zeros(3).random_(1000, **g),
        lambda **g: torch.multinomial(torch.ones(30), 4, **g),
        lambda **g: torch.normal(torch.zeros(3), 2, **g),
        lambda **g: torch.normal(mean=1, std=torch.ones(3), **g),
    ):
        generator.set_state(torch.get_rng_state())
        before = generator.get_state()
        drawn = draw(generator=generator)
        assert torch.get_rng_state().equal(before)
        assert draw().equal(drawn) and torch.get_rng_state().equal(generator.get_state())
    generator.manual_seed(1)
    assert torch.rand(generator, 2).equal(torch.rand(2, generator=generator.manual_seed(1)))
    assert generator.initial_seed() == 1 != generator.seed() == generator.initial_seed()
    assert torch.manual_seed(4) is torch.default_generator and torch.default_generator.initial_seed() == 4


def test_what_is_no_generator():
    with pytest.raises(TypeError, match="normal_: generator must be a torch.Generator, got int"):
        torch.zeros(2).normal_(generator=3)
    with pytest.raises(TypeError, match="normal: generator is not supported for Variables"):
        torch.normal(torch.autograd.Variable(torch.zeros(2)), 1, generator=torch.Generator())


def test_probabilities_of_as_many_elements():
    drawn = torch.ByteTensor(2, 2).bernoulli_(torch.DoubleTensor([1, 0, 0, 1]))
    assert drawn.tolist() == [[1, 0], [0, 1]]
