"""`torch.legacy`: the optimizers of Lua's Torch against the numbers that Lua printed."""

import math

import pytest

import legacy_autograd as torch
from legacy_autograd.legacy import optim


def valley(p):
    """A function like Rosenbrock's, with the second element of its gradient times x, as Lua's program had it."""
    x, y = p
    gradient = (-400 * x * (y - x**2) - 2 * (1 - x), 200 * x * (y - x**2))
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2, torch.DoubleTensor(gradient)


SMALL = {"learningRate": 1e-4}

# x after 100 steps from (1.5, 1.5), as Lua's Torch printed it (test/optim/lua.out of v0.1.1).
LUA = [
    ("adadelta", {}, (1.314135937533, 1.685403840107)),
    ("adadelta", {"rho": 0.95, "eps": 1e-3}, (1.176462543036, 1.755848112526)),
    ("adadelta", {"weightDecay": 0.2}, (1.313945121641, 1.684894175873)),
    ("adagrad", {}, (1.481798994647, 1.518200402711)),
    ("adam", {}, (1.411295823128, 1.588683222100)),
    ("adam", SMALL | {"beta1": 0.92, "beta2": 0.96, "epsilon": 1e-3}, (1.490034371477, 1.509965547084)),
    ("adam", SMALL | {"weightDecay": 0.1}, (1.490102422955, 1.509897312634)),
    ("adamax", {}, (1.368395144008, 1.631492980311)),
    ("adamax", SMALL | {"beta1": 0.92, "epsilon": 1e-3}, (1.489943059290, 1.510057004662)),
    ("asgd", {}, (1.269467467981, 1.612434601387)),
    ("asgd", {"lambda": 1e-2, "alpha": 0.9, "t0": 10}, (1.269391054066, 1.612250736241)),
    ("cg", {}, (1, 1)),
    ("cg", {"sig": 0.06}, (1.255558814672, 1.576987061908)),
    ("cg", {"ext": 3.2}, (1.214948515023, 1.476925617272)),
    ("cg", {"maxIter": 5}, (1, 1)),
    ("nag", {}, (1.140773717959, 1.503907009574)),
    ("nag", SMALL | {"learningRateDecay": 0.1}, (1.268422805361, 1.609444973703)),
    ("nag", SMALL | {"weightDecay": 0.3}, (1.242448153603, 1.544801655590)),
    ("nag", SMALL | {"momentum": 0.95, "dampening": 0.8}, (1.256254599325, 1.579036812441)),
    ("rprop", {}, (1.280774317551, 1.641261784857)),
    ("rprop", {"stepsize": 0.05, "etaplus": 1.15, "etaminus": 0.6, "niter": 10}, (1.038560888055, 1.078658015378)),
    (
        "rprop",
        {"stepsize": 0.05, "etaplus": 1.15, "etaminus": 0.6, "stepsizemax": 1, "stepsizemin": 1e-3},
        (1.282544038859, 1.643592627500),
    ),
    ("sgd", {}, (1.261621570352, 1.592554504180)),
    ("sgd", SMALL | {"momentum": 0.95, "dampening": 0.9}, (1.298650333438, 1.596110748833)),
    ("sgd", SMALL | {"nesterov": True, "momentum": 0.95, "dampening": 0}, (1.256090923872, 1.578628894138)),
    ("sgd", {"weightDecay": 0.2}, (1.247084359521, 1.556253127065)),
]


@pytest.mark.parametrize("name, config, expected", LUA, ids=[f"{name}-{config}" for name, config, _ in LUA])
def test_numbers_of_lua(name, config, expected):
    x, config = torch.DoubleTensor([1.5, 1.5]), dict(config)
    for _ in range(100):
        returned = getattr(optim, name)(valley, x, config)
        assert returned[0] is x
    assert list(x) == pytest.approx(expected, abs=2e-12)


def bowl(p):
    return p.dot(p) / 2 + p.sum(), p + 1


def test_the_first_line_search_of_cg():
    x = torch.DoubleTensor([1.5, 1.5])
    _, values, evaluations = optim.cg(valley, x, {"maxIter": 5, "maxEval": 6})
    assert 6 <= evaluations <= 11 and values == sorted(values, reverse=True)
    assert values[0] == 56.5


def test_rmsprop_begins_its_average_at_zero():
    x = torch.DoubleTensor([1.5, -3])
    state = {}
    _, value = optim.rmsprop(bowl, x, {"learningRate": 0.1, "alpha": 0.75, "epsilon": 0}, state)
    assert value == (1.5**2 + 3**2) / 2 - 1.5
    assert list(state["m"]) == [0.25 * 2.5**2, 0.25 * 2**2]
    assert list(x) == pytest.approx([1.5 - 0.1 / 0.5, -3 + 0.1 / 0.5])


def test_lbfgs_finds_the_minimum_and_stops_there():
    def quartic(p):
        x, y = p
        return (x - 3) ** 4 + (x - 2 * y) ** 2, torch.DoubleTensor([4 * (x - 3) ** 3 + 2 * (x - 2 * y), 8 * y - 4 * x])

    x, state = torch.DoubleTensor([0, 3]), {}
    _, values, evaluations = optim.lbfgs(quartic, x, {"maxIter": 60, "nCorrection": 5}, state)
    assert list(x) == pytest.approx([3, 1.5], abs=0.05)
    assert len(values) == evaluations == state["funcEval"] and values[-1] < 1e-5
    assert len(state["old_dirs"]) <= 5
    x.copy_(torch.DoubleTensor([3, 1.5]))
    assert optim.lbfgs(quartic, x, {}, {})[1:] == ([0], 1)


def test_lbfgs_on_a_quadratic_is_exact_after_as_many_line_searches_as_elements():
    scale = torch.DoubleTensor([1, 10])

    def quadratic(p):
        return (p * p * scale).sum() / 2, p * scale

    def exact(opfunc, x, t, d, f, g, slope, options):
        assert slope == g.dot(d) and options == "options"
        t = -slope / d.dot(d * scale)
        x.add_(t, d)
        return *opfunc(x), x, t, 1

    x = torch.DoubleTensor([5, 1])
    config = {"lineSearch": exact, "lineSearchOptions": "options", "maxIter": 3}
    optim.lbfgs(quadratic, x, config)
    assert math.hypot(*x) < 1e-12


def test_factors_for_each_element():
    x = torch.DoubleTensor([1, 1])
    optim.sgd(bowl, x, {"learningRate": 1, "learningRates": torch.DoubleTensor([0.5, 0.25])})
    assert list(x) == [0, 0.5]
    optim.sgd(bowl, x, {"learningRate": 1, "weightDecays": torch.DoubleTensor([3, 4])})
    assert list(x) == [-1, -3]
    optim.nag(bowl, x, {"learningRate": 1, "learningRates": torch.DoubleTensor([0.5, 0.25])})
    assert list(x) == [-1, -2.5]


def test_the_gradient_is_left_alone():
    gradient = torch.DoubleTensor([1, -1])
    for name in "adadelta adagrad adam adamax asgd cg lbfgs nag rmsprop rprop sgd".split():
        for _ in range(3):
            getattr(optim, name)(lambda x: (0.0, gradient), torch.DoubleTensor([2, 3]), {"weightDecay": 0.1}, {})
        assert list(gradient) == [1, -1], name


def test_mistakes():
    x = torch.DoubleTensor([1])
    with pytest.raises(ValueError, match="sgd needs config or state, a dictionary"):
        optim.sgd(bowl, x, None)
    with pytest.raises(ValueError, match="only one of weightDecay and weightDecays"):
        optim.sgd(bowl, x, {"weightDecay": 1, "weightDecays": x})
    with pytest.raises(ValueError, match="nesterov needs a momentum above 0 and no dampening, got 0 and 0.5"):
        optim.sgd(bowl, x, {"nesterov": True, "dampening": 0.5})
    with pytest.raises(ValueError, match="momentum above 0, got 0"):
        optim.nag(bowl, x, {"momentum": 0})
    assert list(x) == [1]


def test_legacy_nn_says_it_to_a_program(program):
    result = program("import torch.legacy.nn as legacy, torch.legacy.optim\nlegacy.Bilinear(10, 10, 8)\n")
    assert (
        result.returncode == 1
        and "torch.legacy.nn.Bilinear does not exist in legacy_autograd; use torch.nn" in result.stderr
    )
