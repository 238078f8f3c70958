"""Draw modern torch's random numbers from legacy_autograd's generators.

A program's own calls are translated by name (`ADAPTERS`, `functions`), because the two libraries arrange some draws
differently: dropout, for example, needs one number for each channel or each element. Calls that torch makes itself, as
`nn.init` does, are translated below autograd, where every random operation passes (`DrawsOfTorch`).
"""

import sys

import numpy

from ..autograd.functions.activation import RReLU
from ..autograd.variable import Variable
from ..nn import functional as functional_here
from ..tensor import generators, random
from ..tensor.wrapping import over_numpy
from ._torch import modern_torch
from .convert import from_torch, to_torch
from .recording import position

torch = modern_torch()

_IN_PLACE = (
    "uniform_", "normal_", "bernoulli_", "random_", "exponential_", "geometric_", "cauchy_", "log_normal_",
)  # fmt: skip
_NEW = ("rand", "randn", "randperm")  # functions whose first argument may be the tensor for the result
_FROM_TENSORS = ("normal", "bernoulli", "multinomial")
# torch's layers call these with their own arrangement of the draws.
DROPOUT = ("dropout", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")


# --- calls of the program


def in_place(function, arguments, keywords, era):
    """Fill a tensor by legacy_autograd's method of the same name."""
    tensor, *parameters = arguments
    here = from_torch(tensor.detach().clone())
    converted = [_here(x) for x in parameters]
    getattr(here, function.__name__)(*converted, **{name: _here(x) for name, x in keywords.items()})
    return tensor.copy_(to_torch(here).reshape(tensor.shape))


def from_tensors(function, arguments, keywords, era):
    """Call legacy_autograd's function instead of a method of torch, such as `bernoulli`."""
    return drawn(function.__name__)(*arguments, **keywords)


def dropout(function, arguments, keywords, era):
    """Multiply by factors that legacy_autograd draws: the dropout of ones."""
    said = dict(zip(("input", "p", "training", "inplace"), arguments)) | keywords
    if not said.get("training", True):
        return function(*arguments, **keywords)
    input, factors = said["input"], _factors(function.__name__, said["input"], said.get("p", 0.5))
    return input.mul_(factors) if said.get("inplace") and era.inplace_writes else input * factors


def _factors(name, input, p):
    here = getattr(functional_here, name, None)
    if here is None:
        raise NotImplementedError(f"legacy_autograd has no {name}, so the program cannot be compared")
    ones = Variable(from_torch(torch.ones_like(input, requires_grad=False)), requires_grad=False)
    return to_torch(here(ones, p, True).data)


# Each adapter takes (function, arguments, keywords, era) and returns the result.
ADAPTERS = {
    **dict.fromkeys(_IN_PLACE, in_place),
    **dict.fromkeys(_FROM_TENSORS, from_tensors),
    **dict.fromkeys(DROPOUT, dropout),
}


# --- the names of the module `torch`


def drawn(name):
    """Return a replacement for `torch.<name>` that draws from legacy_autograd's generator."""

    def draw(*arguments, **keywords):
        import legacy_autograd

        out = keywords.pop("out", None)
        if out is None and name in _NEW and arguments and isinstance(arguments[0], torch.Tensor):
            out, *arguments = arguments
        requires_grad = keywords.pop("requires_grad", False)
        converted = [_here(x) for x in arguments]
        result = getattr(legacy_autograd, name)(*converted, **{key: _here(x) for key, x in keywords.items()})
        result = to_torch(result.data if isinstance(result, Variable) else result)
        if out is not None:
            return out.resize_(result.shape).copy_(result)
        return result.requires_grad_(requires_grad)

    draw.__name__ = name
    return draw


class Generator(torch.Generator):  # type: ignore[name-defined]
    """A Generator of torch, which its functions accept; the numbers come from legacy_autograd's Generator `here`."""

    def __new__(cls, here=None):
        generator = super().__new__(cls)
        generator.here = here or random.Generator()
        return generator

    def __init__(self, here=None):
        pass  # torch's takes a device

    def manual_seed(self, seed):
        self.here.manual_seed(seed)
        return self

    def seed(self):
        return self.here.seed()

    def initial_seed(self):
        return self.here.initial_seed()

    def get_state(self):
        return to_torch(self.here.get_state())

    def set_state(self, state):
        self.here.set_state(from_torch(state))
        return self


def functions():
    """Return {name: replacement} of everything random in the module `torch`."""
    return {
        **{name: drawn(name) for name in (*_NEW, *_FROM_TENSORS)},
        "Generator": Generator,
        "default_generator": Generator(random.default_generator),
        "get_rng_state": lambda: to_torch(random.get_rng_state()),
        "set_rng_state": lambda state: random.set_rng_state(from_torch(state)),
        **{name: getattr(random, name) for name in ("initial_seed", "manual_seed", "seed")},
        "manualSeed": random.manual_seed,
    }


def _here(x):
    """Return a tensor or Generator of torch as one of legacy_autograd, and anything else unchanged."""
    if isinstance(x, Generator):
        return x.here
    return from_torch(x.detach()) if isinstance(x, torch.Tensor) else x


# --- calls that torch makes itself


class DrawsOfTorch(torch.utils._python_dispatch.TorchDispatchMode):  # type: ignore[name-defined]
    """While active, the random operations below autograd draw from legacy_autograd's generator.

    Operations for which legacy_autograd has no counterpart draw from torch's own generator; `recorder.run.unshared`
    names them.
    """

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    @classmethod
    def _should_skip_dynamo(cls):
        """Keep torch from loading its compiler, which takes seconds, to exclude the method below from compilation."""
        return False

    def __torch_dispatch__(self, operation, types, arguments=(), keywords=None):
        keywords = keywords or {}
        if torch.Tag.nondeterministic_seeded not in operation.tags:
            return operation(*arguments, **keywords)
        name = operation._schema.name.removeprefix("aten::")
        given = dict(zip([argument.name for argument in operation._schema.arguments], arguments)) | keywords
        if name in _SHARED and "out" not in given and _is_default(given.pop("generator", None)):
            return _SHARED[name](name, given)
        place = position(sys._getframe(1), self.recorder.start)
        self.recorder.note_unshared(f"torch's {name}", place)
        return operation(*arguments, **keywords)


def _is_default(generator):
    return generator is None or generator._cdata == torch.default_generator._cdata  # each call has its own object


def _filled(name, given):
    tensor = given.pop("self")
    if name == "bernoulli_":  # torch's own code calls it for dropout only, for example in LSTM
        drawn = generators.generator.random(tuple(tensor.shape), numpy.float32) >= 1 - given.get("p", 0.5)
        return tensor.copy_(torch.from_numpy(drawn))
    here = over_numpy(numpy.empty(tensor.shape or (1,), _dtype(tensor)))
    getattr(here, name)(*[_here(x) for x in given.values() if x is not None])
    return tensor.copy_(to_torch(here).reshape(tensor.shape))


def _new(name, given):
    size = given.pop("n", None)
    dtype, device = given.get("dtype"), given.get("device")
    if size is not None:
        return to_torch(random.randperm(size)).to(dtype=dtype, device=device)
    return _filled({"rand": "uniform_", "randn": "normal_"}[name], {"self": torch.empty(given["size"], dtype=dtype)})


def _leaky(name, given):
    """Draw the slopes of rrelu as legacy_autograd does; torch's operation returns them in `noise`."""
    x, noise = given["self"], given["noise"]
    lower, upper, training = given.get("lower", 1 / 8), given.get("upper", 1 / 3), given.get("training", False)
    function = RReLU(lower, upper, training)
    result = function(Variable(from_torch(x.detach().clone())))
    (slopes,) = function.saved_tensors
    noise.resize_(x.shape).copy_(to_torch(slopes))
    result = to_torch((result[0] if isinstance(result, tuple) else result).data)
    return x.copy_(result) if name.endswith("_") else result


def _dtype(tensor):
    return torch.empty(0, dtype=tensor.dtype).numpy().dtype


_SHARED = {
    **dict.fromkeys(_IN_PLACE, _filled),
    **dict.fromkeys(_NEW, _new),
    **dict.fromkeys(("rrelu_with_noise", "rrelu_with_noise_"), _leaky),
}
