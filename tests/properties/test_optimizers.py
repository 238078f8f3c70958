"""Random optimizers with random schedules move the parameters as modern torch's do, and refuse what those refuse.

programs.py says how to repeat a failure.
"""

from dataclasses import dataclass, replace

import numpy
import pytest
import torch
from hypothesis import event
from hypothesis import strategies as st

import legacy_autograd
from legacy_autograd.autograd import Variable

from .programs import for_random

SIZES = [(2, 3), (1,), (4,)]
TOLERANCES = {"float64": 1e-9, "float32": 1e-4}

DECAYS = (0, 0, 0.1)
BETAS = ((0.9, 0.999), (0.5, 0.9), (0.0, 0.9), (0.9, 0.5), (0.9, 0.0))
EPSILONS = (1e-8, 1e-3)
FLAG = (False, True)
ADAM = {"betas": BETAS, "eps": EPSILONS, "weight_decay": DECAYS}
# An alpha of 0 would make `centered` the difference of equal numbers.
RMSPROP = {"alpha": (0.99, 0.5), "momentum": (0, 0.5), "centered": FLAG}
OPTIMIZERS = {
    "SGD": {"momentum": (0, 0.5, 0.9), "dampening": (0, 0, 0.3, 1), "weight_decay": DECAYS},
    "Adam": {**ADAM, "amsgrad": FLAG},
    "AdamW": {**ADAM, "amsgrad": FLAG},
    "Adamax": ADAM,
    "Adagrad": {"lr_decay": (0, 0.1), "weight_decay": DECAYS, "eps": (1e-10, 1e-3)},
    "Adadelta": {"rho": (0.9, 0.5, 0, 1), "eps": EPSILONS, "weight_decay": DECAYS},
    "RMSprop": {**RMSPROP, "eps": EPSILONS, "weight_decay": DECAYS},
    "Rprop": {"etas": ((0.5, 1.2), (0.9, 2)), "step_sizes": ((1e-6, 50), (0.01, 0.1), (0, 1))},
    "ASGD": {"lambd": (1e-4, 0.1, 0), "alpha": (0.75, 0, 1), "t0": (1e6, 2, 0), "weight_decay": DECAYS},
}
# For all groups alone: torch does not check the former in a group, and ignores the latter there.
OF_ALL = {"SGD": {"nesterov": FLAG}, "Adagrad": {"initial_accumulator_value": (0, 0.5)}}
# What the constructor refuses. Torch does not look at the options of a group; ours refuses them there too.
REFUSED = {
    "lr": (-0.1,),
    "weight_decay": (-0.1,),
    "momentum": (-0.5,),
    "betas": ((1.0, 0.9), (0.9, -0.1)),
    "eps": (-1e-8,),
    "lr_decay": (-1,),
    "initial_accumulator_value": (-1,),
    "rho": (1.5, -0.1),
    "alpha": (-0.1,),
    "etas": ((1.5, 2), (0.5, 0.9), (0.0, 2)),
}
SCHEDULES = {
    "StepLR": {"step_size": (1, 2, 3), "gamma": (0.1, 0, 2)},
    "MultiStepLR": {"milestones": ([2], [1, 1, 4], []), "gamma": (0.1, 0, 2)},
    "ExponentialLR": {"gamma": (0.5, 1, 0, 2)},
    "LambdaLR": {"lr_lambda": (lambda epoch: 1 / (1 + epoch), lambda epoch: 0.0)},
    "ReduceLROnPlateau": {
        "factor": (0.5, 0.1, 0, 1.5),
        "mode": ("min", "max"),
        "patience": (0, 1),
        "threshold_mode": ("rel", "abs"),
        "threshold": (1e-4, 0.5),
        "cooldown": (0, 1),
        "min_lr": (0, 0.05),
    },
}


@dataclass
class Run:
    """`groups` are the options of each parameter group; `missing` names (step, parameter) without a gradient."""

    name: str
    options: dict
    groups: list
    schedule: tuple | None
    missing: set
    reload: int
    dtype: str
    seed: int

    def steps(self, library):
        """The parameters and learning rates after every step, in the dtype of the parameters."""
        random = numpy.random.default_rng(self.seed)
        parameters = [library.parameter(random.normal(size=size).astype(self.dtype)) for size in SIZES]
        noise = random.normal(size=(8, len(SIZES)))
        measures = random.uniform(0, 1, 8)
        optimizer = self._optimizer(library, parameters)
        schedule = None
        if self.schedule:
            schedule = getattr(library.optim.lr_scheduler, self.schedule[0])(optimizer, **self.schedule[1])
        for step in range(8):
            if step == self.reload:
                saved = optimizer.state_dict()
                optimizer = self._optimizer(library, parameters)
                optimizer.load_state_dict(saved)
                if schedule:
                    schedule.optimizer = optimizer
            for number, p in enumerate(parameters):
                w = p.data.numpy()
                gradient = (numpy.sin(w) + 0.3 * w + 0.2 * noise[step, number]).astype(self.dtype)
                p.grad = None if (step, number) in self.missing else library.tensor(gradient)
            optimizer.step()
            if schedule:
                schedule.step(*[float(measures[step])] * (self.schedule[0] == "ReduceLROnPlateau"))
            yield [p.data.numpy().copy() for p in parameters], [group["lr"] for group in optimizer.param_groups]

    def _optimizer(self, library, parameters):
        last = len(self.groups) - 1
        groups = [
            {"params": parameters[i:] if i == last else parameters[i : i + 1], **options}
            for i, options in enumerate(self.groups)
        ]
        return getattr(library.optim, self.name)(groups, **self.options)


class Ours:
    optim = legacy_autograd.optim
    tensor = staticmethod(legacy_autograd.from_numpy)

    @staticmethod
    def parameter(array):
        return Variable(legacy_autograd.from_numpy(array), requires_grad=True)


class ModernTorch:
    optim = torch.optim
    tensor = staticmethod(torch.from_numpy)

    @staticmethod
    def parameter(array):
        return torch.nn.Parameter(torch.from_numpy(array))


def some_of(draw, table):
    """Some of the options, each with one of its values."""
    names = draw(st.lists(st.sampled_from(sorted(table)), unique=True))
    return {name: draw(st.sampled_from(table[name])) for name in names}


@st.composite
def runs(draw):
    name = draw(st.sampled_from(sorted(OPTIMIZERS)))
    table = {"lr": (0.1, 0.01, 0, 1.0), "maximize": FLAG, **OPTIMIZERS[name]}
    options = {"lr": 0.05, **some_of(draw, table | OF_ALL.get(name, {}))}
    if name == "SGD":
        options.setdefault("dampening", 0)  # the conventions choose another default
    groups = [{} for _ in range(draw(st.integers(1, 3)))]
    if draw(st.integers(0, 9)) == 9:
        refused = draw(st.sampled_from(sorted(REFUSED.keys() & (table | OF_ALL.get(name, {})).keys())))
        options[refused] = draw(st.sampled_from(REFUSED[refused]))
    elif not options.get("nesterov"):
        groups = [some_of(draw, table) for _ in groups]
    schedule = draw(st.none() | st.sampled_from(sorted(SCHEDULES)))
    if schedule:
        needed = {
            k: v[0] for k, v in SCHEDULES[schedule].items() if k in ("step_size", "milestones", "gamma", "lr_lambda")
        }
        schedule = schedule, needed | some_of(draw, SCHEDULES[schedule])
    missing = draw(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 2)), max_size=6))
    dtype = draw(st.sampled_from(["float64", "float64", "float32"]))
    return Run(name, options, groups, schedule, missing, draw(st.integers(0, 15)), dtype, draw(st.integers(0, 10**6)))


@pytest.fixture(autouse=True, scope="module")
def double_precision():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)  # torch keeps some of its state in the default type
    yield
    torch.set_default_dtype(before)


@for_random(100, runs())
@pytest.mark.filterwarnings("ignore")  # torch warns of a schedule before the first step
def test_random_optimizers_are_modern_torchs(run):
    theirs, refusal = all_steps(run, ModernTorch)
    ours, error = all_steps(run, Ours)
    assert (error is None) == (refusal is None), f"torch: {refusal!r}, ours: {error!r}"
    if error is not None:
        assert str(error).startswith((run.name, run.schedule[0] if run.schedule else run.name)), str(error)
    # Dividing by a gradient near 0 magnifies rounding: a Float may be as far from torch as torch is from its Doubles.
    exact = theirs if run.dtype == "float64" else all_steps(replace(run, dtype="float64"), ModernTorch)[0]
    for number, ((values, rates), (expected, expected_rates)) in enumerate(zip(ours, theirs)):
        assert rates == expected_rates, f"step {number}"
        for value, other, double in zip(values, expected, exact[number][0]):
            tolerance = TOLERANCES[run.dtype]
            finite = numpy.isfinite(other) & numpy.isfinite(double)
            scale = numpy.abs(other[numpy.isfinite(other)]).max(initial=1)
            rounding = numpy.abs(other - double)[finite].max(initial=0)
            allowed = max(tolerance * scale, 4 * rounding)
            numpy.testing.assert_allclose(value, other, tolerance, allowed, err_msg=f"step {number}")
    event(run.name)


def all_steps(run, library):
    """Every step, and the ValueError or TypeError that ended them."""
    steps = []
    try:
        steps.extend(run.steps(library))
    except (ValueError, TypeError) as error:
        return steps, error
    return steps, None
