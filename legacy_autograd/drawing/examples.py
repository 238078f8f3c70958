"""One call of every Function in `legacy_autograd.autograd.functions`; the diagrams are drawn from these calls.

A Function needs no entry in `EXAMPLES` or `examples.toml` if all its inputs may have the shape (2, 3) and its
constructor takes only counts and a dimension.
"""

import functools
import importlib
import inspect
import math
import pkgutil
import tomllib
from importlib import resources

import numpy

from ..autograd import functions
from ..autograd.function import Function
from ..autograd.variable import Variable
from ..tensor.base import wrap

# Base classes that share code between Functions and are never called.
BASES = {
    "AddedProduct", "AlongDimension", "Broadcasting", "Comparison", "ConstantFunction", "Convolving", "Gates", "Loss",
    "Maxima", "OfBoth", "OfInput", "OfResult", "Parts", "Pooling", "Product", "Rectifier", "RecurrentLayer",
    "Reduction", "Selection", "Step", "WeightedLoss",
}  # fmt: skip


def real(*size):
    """Return a Variable that requires a gradient, with distinct numbers between 0 and 1."""
    count = math.prod(size)
    return Variable(wrap(((numpy.arange(count) + 1) / (count + 1)).reshape(size)))


def whole(*numbers):
    """Return an index: a LongTensor in a Variable."""
    return Variable(wrap(numpy.array(numbers, numpy.int64)), requires_grad=False)


def mask(*bits):
    """Return a mask: a ByteTensor in a Variable."""
    return Variable(wrap(numpy.array(bits, numpy.uint8)), requires_grad=False)


def constant(*size):
    """Return a Variable that requires no gradient, for example a target."""
    return Variable(real(*size).data, requires_grad=False)


def called(function, *variables):
    """Return `function` after calling it; some Functions for a backward are constructed from a called Function."""
    function(*variables)
    return function


def _from_table(constants, inputs):
    """Return (arguments of the constructor, inputs of the call) of an entry of `examples.toml`."""
    return _as_tuples(constants), [_input(given) for given in inputs]


def _as_tuples(value):
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def _input(given):
    kind, arguments = next(iter(given.items())) if isinstance(given, dict) else ("real", given)
    return {"real": real, "whole": whole, "mask": mask, "constant": constant}[kind](*arguments)


_TABLE = tomllib.loads(resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8"))
# {name: () -> (arguments of the constructor, inputs of the call)}. The first are those that the table cannot describe.
EXAMPLES = {
    "AvgPoolBackward": lambda: ((called(class_of("AvgPool2d")(2), real(1, 1, 4, 4)),), [real(1, 1, 2, 2)]),
    "BatchNorm": lambda: ((wrap(numpy.zeros(3)), wrap(numpy.ones(3)), True), [real(2, 3), real(3), real(3)]),
    "EmbeddingBackward": lambda: ((3, None, False), [real(2, 4), whole(0, 2)]),
    "FractionalMaxPool2d": lambda: ((2, 2, None, False, wrap(numpy.full((1, 1, 2), 0.5))), [real(1, 1, 4, 5)]),
    "Gesv": lambda: ((), [real(2, 1), Variable(wrap(numpy.array([[2.0, 1.0], [0.0, 1.0]])))]),
    "Inverse": lambda: ((), [Variable(wrap(numpy.array([[2.0, 1.0], [0.0, 1.0]])))]),
    "NLLBackward": lambda: ((called(class_of("NLLLoss")(), real(2, 3), whole(0, 2)),), [real(1), whole(0, 2)]),
    "PoolGather": lambda: ((numpy.array([[0, 3]]), (2, 3), False), [real(2, 3)]),
    "PoolScatter": lambda: ((numpy.array([[0, 3]]), (2, 3), False), [real(1, 2)]),
    **{name: functools.partial(_from_table, *entry) for names, entry in _TABLE.items() for name in names.split()},
}


@functools.cache
def function_classes():
    """Return {name: class} of every Function in `autograd.functions`, in alphabetical order, without `BASES`."""
    found = {}
    for module in pkgutil.iter_modules(functions.__path__):
        members = vars(importlib.import_module(f"{functions.__name__}.{module.name}"))
        for value in members.values():
            if isinstance(value, type) and issubclass(value, Function) and value.__module__ == members["__name__"]:
                found[value.__name__] = value  # once, if the module has another name for it
    return {name: found[name] for name in sorted(found) if name not in BASES}


def class_of(name):
    """Return the Function class with the name `name`."""
    return function_classes()[name]


def example(name):
    """Return a called instance of the Function `name`, its named inputs, its outputs, and what its constructor set."""
    function_class = class_of(name)
    parameters = list(inspect.signature(function_class.forward).parameters.values())[1:]
    if name in EXAMPLES:
        constants, inputs = EXAMPLES[name]()
    else:
        needed = [p for p in inspect.signature(function_class).parameters.values() if p.default is p.empty]
        constants = [1 if p.name == "dim" else 2 for p in needed if p.kind is p.POSITIONAL_OR_KEYWORD]
        required = [p for p in parameters if p.default is p.empty]
        inputs = [
            (constant if p.name == "target" else real)(2, 3)
            for p in required
            for _ in range(2 if p.kind is p.VAR_POSITIONAL else 1)
        ]
    function = function_class(*constants)
    constructed = list(vars(function))
    outputs = function(*inputs)
    names = [p.name for p in parameters if p.kind is not p.VAR_POSITIONAL]
    names += [f"input {number}" for number in range(len(names), len(inputs))]
    return function, dict(zip(names, inputs, strict=False)), outputs, constructed
