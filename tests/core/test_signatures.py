"""Public callables have real signatures and docstrings, and the gradients are those that the docstrings state."""

import inspect
import re
import types

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import autograd
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional

OWNERS = {
    "Variable": Variable,
    "Function": autograd.Function,
    "Leaf": autograd.Leaf,
    "ExecutionEngine": autograd.ExecutionEngine,
    "torch": torch,
    "autograd": autograd,
    "autograd.anomaly_mode": autograd.anomaly_mode,
    "autograd.functional": autograd.functional,
    "autograd.grad_mode": autograd.grad_mode,
    "autograd.graph": autograd.graph,
    "autograd.profiler": autograd.profiler,
    "nn.functional": functional,
    "utils.checkpoint": torch.utils.checkpoint,
}
# Callables whose number of arguments is free, by the name of their *parameter.
FREE_COUNT = {
    "sizes": "view reshape resize resize_ expand repeat repeatTensor",
    "dims": "permute",
    # v0.1.x puts up to two numbers before the operands
    "arguments": "addmm addmv addr addbmm baddbmm addcmul addcdiv "
    "addmm_ addmv_ addr_ addbmm_ baddbmm_ addcmul_ addcdiv_",
    "tensors": "forward save_for_backward",
    "grad_output": "backward",
    "outputs": "mark_non_differentiable",
    "others": "cat concat",  # of v0.1.1, which took two tensors without a sequence
    "args": "apply checkpoint",
    "inputs": "check_variables mark_dirty",
    "pairs": "mark_shared_storage",
}


def _public_callables():
    for label, owner in OWNERS.items():
        for name in dir(owner):
            member = getattr(owner, name, None)  # None: a modern name, which is in dir() and is not there
            if name.startswith("_") or not callable(member) or isinstance(member, types.ModuleType):
                continue
            module = member.__module__ or ""
            if not module.startswith("legacy_autograd") or module.startswith("legacy_autograd.tensor"):
                continue  # of another library; or of Tensors, which tests/tensor holds
            if not (isinstance(member, type) and issubclass(member, Exception)):
                yield label, name, member


PUBLIC = list(_public_callables())


def test_every_signature_is_real_and_every_docstring_is_there():
    assert len(PUBLIC) > 400
    for label, name, member in PUBLIC:
        assert inspect.getdoc(member), f"{label}.{name} has no docstring"
        for parameter in inspect.signature(member).parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                assert name in FREE_COUNT.get(parameter.name, "").split(), f"{label}.{name}(*{parameter.name})"


def test_a_method_is_found_where_its_name_is_defined():
    lines = {
        inspect.getsource(function).splitlines()[0].strip()
        for name, function in vars(Variable).items()
        if inspect.isfunction(function) and not name.startswith("_")
    }
    assert {
        "def exp(self) -> Variable:",
        "def sum(self, dim: int | None = None, keepdim: bool | None = None) -> Variable:",
        "def mul_(self, other: Variable | float) -> Variable:",
    } <= lines
    assert all(line.startswith("def ") for line in lines)


# --- the stated gradients: an expression at the beginning of the section "Gradient:", or one for each of two operands

# Python 3.13 takes the common indentation out of a docstring.
_STATED = re.compile(r"\n *Gradient:\n +`([^`]*)`(?: and `([^`]*)`)?")
X = numpy.array([[0.5, 0.25, 0.75], [0.1, 0.9, 0.6]])
Y = numpy.array([[0.4, 0.8, 0.3], [0.2, 0.7, 0.35]])
SQUARE = numpy.array([[2.0, 0.5, 0.1], [0.25, 1.0, 0.3], [0.7, 0.2, 3.0]])
BATCH = numpy.linspace(-1, 1, 12).reshape(2, 2, 3)
ARGUMENTS = {  # of the methods that need some, and of those whose x is not X
    **{name: (X, Y) for name in "add sub mul div pow atan2 remainder fmod dot cross".split()},
    "clamp_min": (X, 0.3),
    "clamp_max": (X, 0.3),
    "lerp": (X, Y, 0.3),
    "softmax": (X, 1),
    "log_softmax": (X, 0),
    "norm": (X, 3),
    "cumsum": (X, 1),
    "mm": (X, SQUARE),
    "mv": (X, SQUARE[0]),
    "bmm": (BATCH, BATCH.swapaxes(1, 2)),
    "ger": (X[0], SQUARE[0]),
    "inverse": (SQUARE,),
    "trace": (SQUARE,),
    "tril": (SQUARE,),
    "triu": (SQUARE, 1),
    "transpose": (BATCH, 0, 2),
    "masked_fill": (X, numpy.array([[1, 0, 1], [0, 1, 0]], numpy.uint8), 2.5),
    "type_as": (X, Y.astype(numpy.float32)),
}
STATED = {
    name: _STATED.search(method.__doc__).groups()
    for name, method in inspect.getmembers(Variable, inspect.isfunction)
    if _STATED.search(method.__doc__ or "") and method.__name__ == name
}


def _variable(argument):
    return Variable(torch.from_numpy(argument.copy())) if isinstance(argument, numpy.ndarray) else argument


@pytest.mark.parametrize("name", STATED)
def test_the_gradient_is_the_one_that_the_docstring_states(name):
    arguments = ARGUMENTS.get(name, (X,))
    operands = [_variable(argument) for argument in arguments]
    result = getattr(operands[0], name)(*operands[1:])
    g = numpy.random.default_rng(1).uniform(-1, 1, tuple(result.size())).astype(result.data.numpy().dtype)
    result.backward(torch.from_numpy(g))

    parameters = inspect.signature(getattr(Variable, name)).bind(*arguments)
    parameters.apply_defaults()
    known = {**vars(numpy), **parameters.arguments, "x": arguments[0], "g": g, "r": result.data.numpy()}
    for operand, formula in zip(operands, STATED[name]):
        if formula is not None:
            expected = eval(formula, {"__builtins__": {}}, known)
            numpy.testing.assert_allclose(operand.grad.numpy(), expected, rtol=1e-6, err_msg=formula)


def test_most_pointwise_functions_and_products_state_a_formula():
    assert len(STATED) > 50
    assert {"exp", "sigmoid", "div", "pow", "mm", "softmax", "norm", "inverse", "masked_fill"} <= STATED.keys()
