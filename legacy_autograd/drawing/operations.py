"""What a page needs to compute a small graph again: its leaves' numbers and its operations.

In the page's "Sliders", the reader changes a leaf, and `templates/page/recompute.js` computes all values and gradients.
It knows the pointwise operations and the matrix products. Of a linear operation it gets the matrix.
"""

import math

from ..autograd.leaf import Leaf
from .derivatives import MOST_FUNCTIONS, Refused, has_hooks, is_operation, jacobians, units

MOST_ELEMENTS = 40  # of a tensor

# {class: the attributes that the page needs}
_COMPUTED = {
    **dict.fromkeys((
        "Abs", "Acos", "Add", "Asin", "Atan", "Cmax", "Cmin", "Cos", "Cosh", "Div", "Exp", "Expm1", "Linear", "Log",
        "Log1p", "Mm", "Mul", "Pow", "ReLU", "Reciprocal", "Rsqrt", "Sigmoid", "Sin", "Sinh", "Sqrt", "Sub", "Tan",
        "Tanh",
    ), ()),
    "AddConstant": ("constant",),
    "DivConstant": ("constant", "div_by_tensor"),
    "MulConstant": ("constant",),
    "PowConstant": ("constant", "tensor_power"),
    "SubConstant": ("constant", "sub_tensor"),
}  # fmt: skip

# Their results are sums of multiples of their inputs' elements.
_LINEAR = {
    "Chunk", "Clone", "Concat", "Contiguous", "Cumsum", "Diag", "Expand", "Index", "Mean", "Narrow", "Negate",
    "Permute", "Repeat", "Select", "Split", "Squeeze", "Stack", "Sum", "Trace", "Transpose", "Tril", "Triu",
    "Unsqueeze", "View",
}  # fmt: skip


def operations_of(recorder, dtype):
    """Return what the page needs to compute the graph of `recorder` again, as data for JSON.

    Call it before a backward, which frees saved tensors. The data are either these, or {"refused": {"why", …}}:

    - `leaves`: {number of a leaf: its numbers}
    - `operations`: {number: [class, *constants]}, or {number: ["linear", matrices]} with a matrix for each input, [for
      each output: its rows as columns of the matrix: the gradient of the input for each unit gradient]
    """
    try:
        graph = recorder.graph.nodes
        if len(graph) > MOST_FUNCTIONS:
            raise Refused({"why": "too_many", "count": len(graph), "most": MOST_FUNCTIONS})
        for function in graph:
            _check(function, recorder)
        leaves = {recorder.number(fn): _numbers(fn, recorder) for fn in graph if isinstance(fn, Leaf)}
        operations = {recorder.number(fn): _operation(fn, recorder, dtype) for fn in graph if not isinstance(fn, Leaf)}
    except Refused as refused:
        return {"refused": refused.args[0]}
    return {"leaves": leaves, "operations": operations}


def _check(function, recorder):
    label = recorder.label(function)
    if any(math.prod(size) > MOST_ELEMENTS for size in function._output_sizes):
        raise Refused({"why": "too_large", "label": label, "most": MOST_ELEMENTS})
    if has_hooks(function):
        raise Refused({"why": "hook", "label": label})
    name = type(function).__name__
    if not isinstance(function, Leaf) and not (is_operation(function) and (name in _COMPUTED or name in _LINEAR)):
        raise Refused({"why": "unknown", "label": label})


def _numbers(leaf, recorder):
    """Return the numbers of a leaf; of one whose Variable is gone, the recorded ones if these are all."""
    if leaf.variable is not None:
        array = leaf.variable.data.array
        if array.dtype.kind == "f":
            numbers = array.ravel().tolist()
            if all(map(math.isfinite, numbers)):
                return numbers
    record = recorder.values.get((leaf, 0))
    if record is not None and len(record["values"]) == math.prod(record["size"]):
        if all(isinstance(number, float) for number in record["values"]):
            return record["values"]
    raise Refused({"why": "no_numbers", "label": recorder.label(leaf)})


def _operation(function, recorder, dtype):
    name = type(function).__name__
    if name in _COMPUTED:
        constants = [getattr(function, attribute) for attribute in _COMPUTED[name]]
        if not all(isinstance(constant, (int, float)) and math.isfinite(constant) for constant in constants):
            raise Refused({"why": "unknown", "label": recorder.label(function)})
        return [name, *constants]
    sources = recorder.graph.inputs[function]
    bases = [units(size, dtype) for size in function._output_sizes]
    matrices = jacobians(function, bases, sources, lambda source, gradient: gradient.data.array.ravel().tolist())
    if None in matrices:  # backward leaves out the gradient of an input that needs none
        raise Refused({"why": "unknown", "label": recorder.label(function)})
    return ["linear", matrices]
