"""Optimizers and schedules against modern torch: the same gradients in, the same parameters out, over 50 steps."""

import importlib
import math

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import legacy_autograd as torch
from legacy_autograd import optim
from legacy_autograd.autograd import Variable
from legacy_autograd.optim import lbfgs

modern = pytest.importorskip("torch")

STEPS = 50
SIZES = [(3, 4), (4,), (1,)]

small = st.floats(1e-3, 0.2)
decay = st.sampled_from([0, 0, 1e-3, 0.1])
fraction = st.floats(0.05, 0.95)
flag = st.booleans()
# With a short second memory the step divides by a single gradient, and where that is tiny, rounding grows past 1e-9.
betas = st.tuples(fraction, st.floats(0.5, 0.999))

OPTIONS = {
    "SGD": st.fixed_dictionaries(
        {"lr": small, "momentum": st.sampled_from([0, 0.5, 0.9]), "dampening": st.sampled_from([0, 0.3]),
         "weight_decay": decay, "nesterov": flag, "maximize": flag}
    ).filter(lambda o: not o["nesterov"] or (o["momentum"] > 0 and o["dampening"] == 0)),
    "Adam": st.fixed_dictionaries(
        {"lr": small, "betas": betas, "eps": st.sampled_from([1e-8, 1e-3]),
         "weight_decay": decay, "amsgrad": flag, "maximize": flag}
    ),
    "AdamW": st.fixed_dictionaries(
        {"lr": small, "betas": betas, "eps": st.sampled_from([1e-8, 1e-3]),
         "weight_decay": decay, "amsgrad": flag, "maximize": flag}
    ),
    "Adamax": st.fixed_dictionaries(
        {"lr": small, "betas": betas, "eps": st.sampled_from([1e-8, 1e-3]),
         "weight_decay": decay, "maximize": flag}
    ),
    "Adagrad": st.fixed_dictionaries(
        {"lr": small, "lr_decay": decay, "weight_decay": decay, "initial_accumulator_value": st.sampled_from([0, 0.5]),
         "eps": st.sampled_from([1e-10, 1e-3]), "maximize": flag}
    ),
    "Adadelta": st.fixed_dictionaries(
        {"lr": st.floats(0.1, 2), "rho": fraction, "eps": st.sampled_from([1e-6, 1e-3]), "weight_decay": decay,
         "maximize": flag}
    ),
    "RMSprop": st.fixed_dictionaries(
        # A small alpha makes `centered` the difference of two nearly equal numbers, and 1e-9 too much to ask of it.
        {"lr": small, "alpha": st.floats(0.5, 0.95), "eps": st.sampled_from([1e-8, 1e-3]), "weight_decay": decay,
         "momentum": st.sampled_from([0, 0.5]), "centered": flag, "maximize": flag}
    ),
    "Rprop": st.fixed_dictionaries(
        {"lr": small, "etas": st.tuples(st.floats(0.1, 0.9), st.floats(1.05, 2)),
         "step_sizes": st.tuples(st.sampled_from([1e-6, 1e-3]), st.sampled_from([0.5, 50])), "maximize": flag}
    ),
    "ASGD": st.fixed_dictionaries(
        {"lr": small, "lambd": decay, "alpha": st.floats(0.1, 1), "t0": st.sampled_from([5, 20, 1e6]),
         "weight_decay": decay, "maximize": flag}
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def double_precision():
    before = modern.get_default_dtype()
    modern.set_default_dtype(modern.float64)  # torch keeps some of its state in the default type
    yield
    modern.set_default_dtype(before)


class Problem:
    """Some smooth function's gradients, with a part that changes from step to step as those of batches do."""

    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)
        self.starts = [self.random.normal(size=size) for size in SIZES]
        self.noise = self.random.normal(size=(STEPS, len(SIZES)))

    def gradient(self, step, number, w):
        return numpy.sin(w) + 0.3 * w + 0.2 * self.noise[step, number]


def run_both(name, options, problem, groups=None, schedule=None, modern_schedule=None):
    """The parameters after every step: ours and torch's."""
    ours = [Variable(torch.from_numpy(w.copy()), requires_grad=True) for w in problem.starts]
    theirs = [modern.nn.Parameter(modern.from_numpy(w.copy())) for w in problem.starts]
    split = groups or (lambda params: params)
    our_optimizer = getattr(optim, name)(split(ours), **options)
    their_optimizer = getattr(modern.optim, name)(split(theirs), **options)
    our_schedule = schedule(our_optimizer) if schedule else None
    their_schedule = modern_schedule(their_optimizer) if schedule else None
    for step in range(STEPS):
        for number, (p, q) in enumerate(zip(ours, theirs)):
            if number == 1 and step < 3:
                continue  # a parameter whose gradient is not computed at first
            p.grad = torch.from_numpy(problem.gradient(step, number, p.data.numpy()))
            q.grad = modern.from_numpy(problem.gradient(step, number, q.detach().numpy()))
        our_optimizer.step()
        their_optimizer.step()
        if schedule:
            our_schedule.step()
            their_schedule.step()
            assert [g["lr"] for g in our_optimizer.param_groups] == [g["lr"] for g in their_optimizer.param_groups]
        yield ours, theirs, our_optimizer, their_optimizer


def assert_together(pairs):
    """The parameters of both are the same after every step; the first index of a difference is the step."""
    steps = [
        ([p.data.numpy().copy() for p in ours], [q.detach().numpy().copy() for q in theirs])
        for ours, theirs, *_ in pairs
    ]
    for ours, theirs in zip(zip(*[ours for ours, _ in steps]), zip(*[theirs for _, theirs in steps])):
        numpy.testing.assert_allclose(numpy.stack(ours), numpy.stack(theirs), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", OPTIONS)
def test_trajectories_agree_for_all_options(name):
    @settings(max_examples=20)
    @given(OPTIONS[name], st.integers(0, 2**32))
    def agree(options, seed):
        assert_together(run_both(name, options, Problem(seed)))

    agree()


@pytest.mark.parametrize("name", OPTIONS)
def test_trajectories_agree_for_the_defaults(name):
    options = {"lr": 0.05, "momentum": 0.9, "dampening": 0} if name == "SGD" else {}
    assert_together(run_both(name, options, Problem(0)))


@pytest.mark.parametrize("name", OPTIONS)
def test_trajectories_agree_for_groups_with_options_of_their_own(name):
    def groups(params):
        return [{"params": params[:2], "lr": 0.03}, {"params": params[2], "maximize": True}]

    assert_together(run_both(name, {"lr": 0.1}, Problem(1), groups))


class Valley:
    """A bent, badly scaled valley in n dimensions: the loss and the gradients by each parameter."""

    def __init__(self, seed, steepness):
        random = numpy.random.default_rng(seed)
        self.starts = [random.uniform(-1.5, 1.5, size) for size in SIZES]
        self.scales = [steepness ** random.uniform(0, 1, size) for size in SIZES]

    def loss(self, parameters):
        return sum((s * (w - 0.5) ** 2).sum() + 0.3 * (w**4).sum() for s, w in zip(self.scales, parameters))

    def gradients(self, parameters):
        return [2 * s * (w - 0.5) + 1.2 * w**3 for s, w in zip(self.scales, parameters)]


@settings(max_examples=30)
@given(
    st.fixed_dictionaries(
        {
            "lr": st.sampled_from([0.02, 0.3, 1]),
            "max_iter": st.integers(1, 8),
            "max_eval": st.sampled_from([None, 1, 3, 30]),
            "history_size": st.sampled_from([1, 2, 100]),
            "line_search_fn": st.sampled_from([None, "strong_wolfe"]),
            "tolerance_grad": st.sampled_from([1e-7, 1e-2]),
            "tolerance_change": st.sampled_from([1e-9, 1e-4]),
        }
    ),
    st.integers(0, 2**32),
    st.sampled_from([1, 20]),
)
def test_lbfgs_agrees(options, seed, steepness):
    if options["line_search_fn"] is None:
        options = {**options, "lr": 0.02}  # a fixed step that does not leave the valley
    valley = Valley(seed, steepness)
    ours = [Variable(torch.from_numpy(w.copy()), requires_grad=True) for w in valley.starts]
    theirs = [modern.nn.Parameter(modern.from_numpy(w.copy())) for w in valley.starts]
    evaluations = [0, 0]

    def our_closure():
        evaluations[0] += 1
        arrays = [p.data.numpy() for p in ours]
        for p, gradient in zip(ours, valley.gradients(arrays)):
            p.grad = torch.from_numpy(gradient)
        return valley.loss(arrays)

    def their_closure():
        evaluations[1] += 1
        arrays = [p.detach().numpy() for p in theirs]
        for p, gradient in zip(theirs, valley.gradients(arrays)):
            p.grad = modern.from_numpy(gradient)
        return modern.tensor(valley.loss(arrays))

    our_optimizer, their_optimizer = optim.LBFGS(ours, **options), modern.optim.LBFGS(theirs, **options)
    for _ in range(STEPS // options["max_iter"]):
        our_loss, their_loss = our_optimizer.step(our_closure), their_optimizer.step(their_closure)
        assert our_loss == pytest.approx(float(their_loss), abs=1e-9)
        assert_together([(ours, theirs)])
    assert evaluations[0] == evaluations[1]


SCHEDULES = {
    "StepLR": st.fixed_dictionaries({"step_size": st.integers(1, 20), "gamma": fraction}),
    "MultiStepLR": st.fixed_dictionaries({"milestones": st.lists(st.integers(1, 40)), "gamma": fraction}),
    "ExponentialLR": st.fixed_dictionaries({"gamma": fraction}),
    "LambdaLR": st.just({"lr_lambda": lambda epoch: 1 / (1 + epoch)}),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules_agree_to_the_bit(name):
    @settings(max_examples=25)
    @given(SCHEDULES[name])
    def agree(options):
        pairs = run_both(
            "SGD",
            {"lr": 0.1, "momentum": 0.5, "dampening": 0},
            Problem(2),
            lambda params: [{"params": params[:1]}, {"params": params[1:], "lr": 0.02}],
            lambda optimizer: getattr(optim.lr_scheduler, name)(optimizer, **options),
            lambda optimizer: getattr(modern.optim.lr_scheduler, name)(optimizer, **options),
        )
        assert_together(pairs)

    agree()


@settings(max_examples=30)
@given(
    st.fixed_dictionaries(
        {
            "mode": st.sampled_from(["min", "max"]),
            "factor": fraction,
            "patience": st.integers(0, 4),
            "threshold": st.sampled_from([1e-4, 0.1]),
            "threshold_mode": st.sampled_from(["rel", "abs"]),
            "cooldown": st.integers(0, 3),
            "min_lr": st.sampled_from([0, 0.01, [0.02, 0.001]]),
            "eps": st.sampled_from([1e-8, 0.01]),
        }
    ),
    st.lists(st.floats(-2, 2) | st.just(float("nan")), min_size=20, max_size=60),
)
def test_reduce_on_plateau_agrees_to_the_bit(options, measures):
    ours = [Variable(torch.zeros(2), requires_grad=True) for _ in range(2)]
    theirs = [modern.nn.Parameter(modern.zeros(2)) for _ in range(2)]
    optimizers = [
        module.SGD([{"params": params[:1]}, {"params": params[1:], "lr": 0.02}], lr=0.1)
        for module, params in ((optim, ours), (modern.optim, theirs))
    ]
    schedules = [
        module.lr_scheduler.ReduceLROnPlateau(optimizer, **options)
        for module, optimizer in zip((optim, modern.optim), optimizers)
    ]
    for measure in measures:
        for schedule in schedules:
            schedule.step(measure)
        assert schedules[0].get_last_lr() == schedules[1].get_last_lr()
        assert [g["lr"] for g in optimizers[0].param_groups] == [g["lr"] for g in optimizers[1].param_groups]


@pytest.mark.parametrize("t0", [0, 2, 1e6])
def test_the_averaged_weights_of_asgd_agree(t0):
    """Up to step t0 the average is w itself; from then on it falls behind."""
    ours = Variable(torch.DoubleTensor([1.0, -2.0, 3.0]), requires_grad=True)
    theirs = modern.nn.Parameter(modern.tensor([1.0, -2.0, 3.0], dtype=modern.float64))
    optimizers = [(module.ASGD([w], lr=0.1, t0=t0), w) for module, w in ((optim, ours), (modern.optim, theirs))]
    for _ in range(6):
        for optimizer, w in optimizers:
            optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()
        average, expected = [optimizer.state[w]["ax"].numpy() for optimizer, w in optimizers]
        numpy.testing.assert_allclose(average, expected, rtol=1e-12)
        numpy.testing.assert_allclose(ours.data.numpy(), theirs.detach().numpy(), rtol=1e-12)


def hills(random):
    """Functions with many hills, which take every turn of a search that a smooth valley does not."""
    # Here the third trial is higher than the second, which is lower than the first: found by looking for it.
    yield [(-0.28, 2.09, 1.69)], -0.7957, 2.686, 17
    yield [(-0.76, 0.9, 3.71)], -0.003685, 2.799, 15
    yield [(0.33, 6.09, 5.06)], -0.00934, 1.9978, 16
    for _ in range(400):
        waves = [
            (random.uniform(-2, 2), random.uniform(0.2, 8), random.uniform(0, 6)) for _ in range(random.integers(1, 4))
        ]
        yield waves, -(10 ** random.uniform(-3, 0)), random.uniform(0.01, 3), int(random.integers(0, 26))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_line_search_tries_the_same_points():
    their_search = importlib.import_module("torch.optim.lbfgs")._strong_wolfe
    complete = 0
    for waves, first_slope, first_t, most in hills(numpy.random.default_rng(0)):
        tilt = first_slope - sum(a * b * math.cos(c) for a, b, c in waves)

        def value(x, waves=waves, tilt=tilt):
            return sum(a * math.sin(b * x + c) for a, b, c in waves) + tilt * x + 0.05 * x * x

        def slope(x, waves=waves, tilt=tilt):
            return sum(a * b * math.cos(b * x + c) for a, b, c in waves) + tilt + 0.1 * x

        ours, theirs = [], []

        def at(t, ours=ours, value=value, slope=slope):
            ours.append(t)
            return lbfgs._Point(t, value(t), numpy.array([slope(t)]), numpy.float64(slope(t)))

        def their_function(_, t, __, theirs=theirs, value=value, slope=slope):
            theirs.append(float(t))
            return value(float(t)), modern.tensor([slope(float(t))])

        found = lbfgs.strong_wolfe(at, at(0), first_t, 1.0, most)
        start, direction = modern.tensor([slope(0)]), modern.tensor([1.0])
        _, _, step, _ = their_search(their_function, None, first_t, direction, value(0), start, start[0], max_ls=most)
        del ours[0]
        # Between points this close the interpolation is all rounding, and what follows is anybody's.
        close = [i for i in range(1, len(theirs)) if abs(theirs[i] - theirs[i - 1]) < 1e-3 * theirs[i]]
        if close:
            assert ours[: close[0]] == pytest.approx(theirs[: close[0]], rel=1e-6)
        else:
            complete += 1
            assert ours == pytest.approx(theirs, rel=1e-6)
            assert found.t == pytest.approx(float(step), rel=1e-6)
    assert complete > 200
