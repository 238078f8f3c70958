"""One call of every Function in `legacy_autograd.autograd.functions`; the diagrams are drawn from these calls.

A Function needs no entry in this file if all its inputs may have the shape (2, 3) and its constructor takes only counts
and a dimension.
"""

import functools
import importlib
import inspect
import math
import pkgutil

import numpy

from ..autograd import functions
from ..autograd.function import Function
from ..autograd.variable import Variable
from ..tensor.base import wrap

# Base classes that share code between Functions and are never called.
BASES = {
    "AddedProduct", "AlongDimension", "Broadcasting", "Comparison", "ConstantFunction", "Convolving", "Gates", "Loss",
    "Maxima", "OfBoth", "OfInput", "OfResult", "Parts", "Pooling", "Product", "Rectifier", "Reduction", "Selection",
    "Step", "WeightedLoss",
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


# {names: () -> (arguments of the constructor, inputs of the call)}
_SHARED_EXAMPLES = {
    "Addbmm": lambda: ((), [real(2, 4), real(5, 2, 3), real(5, 3, 4)]),
    "Addmm": lambda: ((), [real(2, 4), real(2, 3), real(3, 4)]),
    "Addmv": lambda: ((), [real(2), real(2, 3), real(3)]),
    "Addr": lambda: ((), [real(2, 3), real(2), real(3)]),
    "AdaptiveMaxPool1d": lambda: ((2,), [real(1, 1, 5)]),
    "AdaptiveMaxPool2d": lambda: (((2, 1),), [real(1, 1, 4, 3)]),
    "AvgPool1d MaxPool1d": lambda: ((2,), [real(1, 1, 4)]),
    "AvgPool2d MaxPool2d": lambda: ((2,), [real(1, 1, 4, 4)]),
    "AvgPool3d MaxPool3d": lambda: ((2,), [real(1, 1, 2, 2, 4)]),
    "AvgPoolBackward": lambda: ((called(class_of("AvgPool2d")(2), real(1, 1, 4, 4)),), [real(1, 1, 2, 2)]),
    "Baddbmm": lambda: ((), [real(5, 2, 4), real(5, 2, 3), real(5, 3, 4)]),
    "BatchNorm": lambda: ((wrap(numpy.zeros(3)), wrap(numpy.ones(3)), True), [real(2, 3), real(3), real(3)]),
    "Bilinear": lambda: ((), [real(2, 3), real(2, 4), real(5, 3, 4), real(5)]),
    "Bmm": lambda: ((), [real(5, 2, 3), real(5, 3, 4)]),
    "Chunk": lambda: ((2,), [real(4, 3)]),
    "Clamp": lambda: ((0.2, 0.8), [real(2, 3)]),
    "Conv1d": lambda: ((), [real(1, 1, 5), real(2, 1, 3), real(2)]),
    "Conv2d": lambda: ((), [real(1, 1, 5, 5), real(2, 1, 3, 3), real(2)]),
    "Conv3d": lambda: ((), [real(1, 1, 2, 3, 3), real(2, 1, 1, 2, 2), real(2)]),
    "ConvTranspose": lambda: (((5, 5),), [real(1, 2, 3, 3), real(2, 1, 3, 3)]),
    "ConvWeight": lambda: (((3, 3),), [real(1, 1, 5, 5), real(1, 2, 3, 3)]),
    "Concat": lambda: ((0,), [real(1, 3), real(2, 3)]),
    "Copy": lambda: (("torch.FloatTensor",), [real(2, 3)]),
    "CrossMapLRN2d": lambda: ((3,), [real(1, 4, 2, 2)]),
    "Diag Trace Tril Triu": lambda: ((), [real(3, 3)]),
    "DiagBackward": lambda: ((0, (3, 3)), [real(3)]),
    "Dot": lambda: ((), [real(3), real(3)]),
    "Embedding": lambda: ((), [whole(0, 2), real(3, 4)]),
    "EmbeddingBackward": lambda: ((3, None, False), [real(2, 4), whole(0, 2)]),
    "Expand": lambda: ((2, 3), [real(1, 3)]),
    "FeatureDropout": lambda: ((), [real(2, 3, 4)]),
    "FractionalMaxPool2d": lambda: ((2, 2, None, False, wrap(numpy.full((1, 1, 2), 0.5))), [real(1, 1, 4, 5)]),
    "GRUGates": lambda: ((), [real(1, 6), real(1, 6), real(1, 2)]),
    "Gate": lambda: ((0.2, 0.8), [real(2, 3), constant(2, 3)]),
    "Gather": lambda: ((1,), [real(2, 3), whole([0, 2], [1, 1])]),
    "Ger": lambda: ((), [real(2), real(3)]),
    "Index": lambda: ((0,), [real(2, 3)]),
    "IndexAdd IndexCopy": lambda: ((0,), [real(3, 2), whole(0, 2), real(2, 2)]),
    "IndexBackward": lambda: ((0, (2, 3)), [real(3)]),
    "IndexFill": lambda: ((0, 7), [real(3, 2), whole(0, 2)]),
    "IndexSelect": lambda: ((0,), [real(3, 2), whole(0, 2)]),
    "IndexSelectBackward": lambda: ((0, (3, 2)), [real(2, 2), whole(0, 2)]),
    "Inverse": lambda: ((), [Variable(wrap(numpy.array([[2.0, 1.0], [0.0, 1.0]])))]),
    "LSTMGates": lambda: ((), [real(1, 8), real(1, 2)]),
    "Lerp": lambda: ((0.5,), [real(2, 3), real(2, 3)]),
    "Linear": lambda: ((), [real(2, 3), real(4, 3), real(4)]),
    "MaskedCopy": lambda: ((), [real(3), mask(1, 0, 1), real(2)]),
    "MaskedFill": lambda: ((7,), [real(3), mask(1, 0, 1)]),
    "MaskedSelect": lambda: ((), [real(3), mask(1, 0, 1)]),
    "MaskedSelectBackward": lambda: (((3,),), [real(2), mask(1, 0, 1)]),
    "Matmul Mm": lambda: ((), [real(2, 3), real(3, 4)]),
    "Max Min": lambda: ((1,), [real(2, 3)]),
    "Mv": lambda: ((), [real(2, 3), real(3)]),
    "MaxUnpool1d": lambda: (((4,),), [real(1, 1, 2), whole([[1, 2]])]),
    "MaxUnpool2d": lambda: (((2, 4),), [real(1, 1, 1, 2), whole([[[1, 6]]])]),
    "MaxUnpool3d": lambda: (((2, 2, 4),), [real(1, 1, 1, 1, 2), whole([[[[1, 6]]]])]),
    "MultiLabelMarginLoss": lambda: ((), [real(2, 3), whole([2, -1, 0], [0, 1, -1])]),
    "NLLBackward": lambda: ((called(class_of("NLLLoss")(), real(2, 3), whole(0, 2)),), [real(1), whole(0, 2)]),
    "NLLLoss": lambda: ((), [real(2, 3), whole(0, 2)]),
    "Narrow": lambda: ((1, 0, 2), [real(2, 3)]),
    "PReLU": lambda: ((), [real(2, 3), real(1)]),
    "Permute": lambda: ((1, 0), [real(2, 3)]),
    "PoolGather": lambda: ((numpy.array([[0, 3]]), (2, 3), False), [real(2, 3)]),
    "PoolScatter": lambda: ((numpy.array([[0, 3]]), (2, 3), False), [real(1, 2)]),
    "Repeat": lambda: ((2, 2), [real(2, 3)]),
    "Scatter ScatterAdd": lambda: ((1,), [real(2, 3), whole([0, 2], [1, 0]), real(2, 2)]),
    "ScatterZeros": lambda: ((1, (2, 3)), [real(2, 2), whole([0, 2], [1, 0])]),
    "Select": lambda: ((0, 1), [real(2, 3)]),
    "Slope": lambda: ((0.1,), [real(2, 3), constant(2, 3)]),
    "Split": lambda: ((1,), [real(2, 3)]),
    "Squeeze": lambda: ((), [real(1, 3)]),
    "Threshold": lambda: ((0.5, 0), [real(2, 3)]),
    "Transpose": lambda: ((0, 1), [real(2, 3)]),
    "Unfold": lambda: ((1, 2, 1), [real(2, 3)]),
    "UnfoldBackward": lambda: (((2, 3), 1, 2, 1), [real(2, 2, 2)]),
    "Unsqueeze": lambda: ((0,), [real(2, 3)]),
    "View": lambda: ((3, 2), [real(2, 3)]),
    "Resize": lambda: ((3, 2), [real(2, 3)]),
}
EXAMPLES = {name: make for names, make in _SHARED_EXAMPLES.items() for name in names.split()}


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
