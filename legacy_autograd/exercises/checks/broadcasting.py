"""Exercise 7: a gradient summed back to the size of an operand that was broadcast."""

import math

import numpy

from ...autograd import functions
from ...autograd.functions import _utils as package
from ..model import Exercise, agree
from ..programs import broadcasting as programs
from .reasons import AGAIN, later

exercise = Exercise(
    "07_broadcasting",
    reference=dict(sum_to_size=package.sum_to_size, Add=functions.Add, Mul=functions.Mul),
    withheld=(
        "autograd/functions/_utils.py:sum_to_size",
        "autograd/functions/basic_ops.py:Add.backward",
        "autograd/functions/basic_ops.py:Mul.backward",
    ),
    dimensions="type: Double, Double, Float, Half; layout; size: one, 1-D, 1-D, 2-D, 2-D, 3-D, 4-D; places: "
    "apart, twice, shared; again; hooks: none, one, raises; requires_grad: all, some, some; values",
)

_IN_PLACE = "grad was written into, and other code may still read it: do not change it"
_TYPE = "the result must have the type of grad: compute with grad itself"
_EACH = "each number is the sum of its repetitions in grad, with their signs"


def _sums(expected):
    """Return the reasons for wrong results of sum_to_size: it took g1, g3, and so on, and returned s2, s4."""
    calls = [key for key in expected if key[0] == "s"]
    known = [
        (lambda got: got.get("written into") != "nothing", _IN_PLACE),
        (lambda got: any(got.get(key) is None or isinstance(got[key], (str, float)) for key in calls),
         "the result is not a Tensor, and a gradient must be one"),
        (lambda got: any(_type(expected[key]) != _type(got[key]) for key in calls), _TYPE),
        ("does not hold", "a view has the same number of elements; repeated elements must be summed"),
        ("contiguous", "grad may be a view, such as x.t(): call contiguous() before view()"),
        (later(expected, calls), AGAIN),
    ]  # fmt: skip
    grads = [key for key in expected if key[0] == "g"]
    if len(calls) != 1 or len(grads) != 1 or any(map(_type, (expected[calls[0]], expected[grads[0]]))):
        return [*known, (lambda got: True, _EACH)]
    (key,), grad = calls, numpy.array(expected[grads[0]])
    right = numpy.array(expected[key])
    known += [({key: found.tolist()}, sentence) for found, sentence in _mistakes(grad, right)]
    if grad.shape != right.shape:
        known += [
            (lambda got: numpy.shape(got[key]) == grad.shape,
             "the result still has the shape of grad: nothing was summed"),
            (lambda got: numpy.size(got[key]) > right.size,
             "more than one dimension was repeated: sum over all of them"),
        ]  # fmt: skip
    return [
        *known,
        (lambda got: agree(right.ravel().tolist(), numpy.ravel(got[key]).tolist(), 1e-9),
         "the numbers are correct and the shape is not: keep a dimension of length 1, and remove one that the operand "
         "does not have"),
        (lambda got: True, _EACH if grad.shape != right.shape else "nothing was repeated: the result is equal to grad"),
    ]  # fmt: skip


def _type(value):
    """Return the type that is written down with the numbers of other tensors than DoubleTensors."""
    return value[0] if isinstance(value, list) and value and isinstance(value[0], str) else None


def _mistakes(grad, right):
    """Yield the results of common mistakes for this sum, with a sentence for each."""
    repeated = grad.size // right.size
    if repeated > 1:
        yield right / repeated, "this is the mean; a number that was used n times gets the sum"
        yield numpy.full(right.shape, grad.sum()), "this is the sum of all elements, at each index"
        yield grad.sum(keepdims=True).ravel(), "this is the sum of all elements; sum only where forward repeated"
        yield grad.sum(), "this is the sum of all elements, a number; sum only where forward repeated"
        yield grad.ravel()[: right.size].reshape(right.shape), "the first part of grad; sum the parts"
    for axis in range(grad.ndim):
        other = grad.sum(axis)
        if other.shape == right.shape and not numpy.array_equal(other, right):
            yield other, f"summed along dimension {axis}; sizes are compared from the right"
        kept = grad.sum(axis, keepdims=True)
        if kept.shape != right.shape and kept.size == right.size and numpy.array_equal(kept.ravel(), right.ravel()):
            yield kept, "remove a dimension that the operand does not have; do not keep it"
        if other.shape != right.shape and other.size == right.size and numpy.array_equal(other.ravel(), right.ravel()):
            yield other, "keep a dimension of length 1: the operand has it"


def _example(group, size, to):
    grad = numpy.arange(1.0, math.prod(size) + 1).reshape(size)
    name = "_to_".join("x".join(map(str, lengths)) for lengths in (size, to))
    exercise.example(
        group, f"{size} -> {to}", f"g1 = DoubleTensor({grad.tolist()})", f"s2 = sum_to_size(g1, {to})",
        name=f"sum_{name}",
    )  # fmt: skip


exercise.explain(_sums, "same", "leading", "ones", "mixed")
_example("same", (2, 3), (2, 3))
_example("leading", (2, 3), (3,))
_example("leading", (4, 2, 3), (2, 3))
_example("ones", (2, 3), (2, 1))
_example("ones", (2, 3), (1, 3))
_example("mixed", (4, 2, 3), (2, 1))
_example("mixed", (4, 2, 3), (1, 3))
exercise.example("leading", "(1500, 2) -> (2,)", "g1 = DoubleTensor(1500, 2).fill_(0.5)", "s2 = sum_to_size(g1, (2,))",
                 hidden=True, name="leading_long")  # fmt: skip
for _group in ("same", "leading", "ones", "mixed"):
    exercise.programs(_group, 80, programs.writes_sums(_group), special=0.5, largest=1e4)


# --- Add and Mul

_SUM_FIRST = "multiply first, then sum; a sum of products is not a product of sums"
_WRITTEN = "grad_output, an operand or an earlier gradient was written into: use mul, not mul_"
_CALLS = "two calls are in use at the same time, and each has its own shapes and operands: store them on self"


def _functions(expected):
    """Return the reasons for wrong gradients."""
    results = [key for key in expected if key[0] == "y"]
    turns = [key for key in expected if key[0] == "d" and key[1:].isdigit()]
    runs = [key for key in expected if key.startswith("backward of")]
    known = [
        ("modified by an inplace", "an operand was written into: use mul, not mul_"),
        ("has the size", "a gradient must have the size of its operand: sum_to_size it"),
        ("cannot be a torch.", "a gradient has the type of its operand"),
        (lambda got: got.get("written into") != "nothing", _WRITTEN),
        (later(expected, turns, runs), AGAIN),
        (lambda got: len(results) > 1, _CALLS),
    ]
    if {"a", "b", "y", "backward of y"} <= set(expected):
        known += _sums_first(*[numpy.array(expected[key]) for key in "ab"], numpy.array(expected["backward of y"][0]))
    formula = (
        "each operand of a + b gets grad_output, and in a * b grad_output times the other one, summed to its size, and "
        "nothing else"
    )
    return [*known, (lambda got: True, formula)]


def _sums_first(a, b, g):
    def summed(array, to):
        missing = tuple(range(array.ndim - to.ndim))
        ones = tuple(n + len(missing) for n, length in enumerate(to.shape) if length == 1)
        return array.sum(missing + ones, keepdims=True).reshape(to.shape)

    for key, one, other in (("a.grad", a, b), ("b.grad", b, a)):
        early = summed(g, one)
        is_largest = numpy.broadcast_shapes(other.shape, one.shape) == other.shape
        for factor in [other, summed(other, one)] if is_largest else [other]:
            if numpy.shape(early * factor) == one.shape:
                yield {key: (early * factor).tolist()}, _SUM_FIRST


def _of_numbers(title, size_a, size_b, name):
    """Register a visible example of Add and of Mul."""
    for operation in ("Add", "Mul"):
        random = numpy.random.default_rng(1)
        sizes = size_a, size_b, numpy.broadcast_shapes(size_a, size_b)
        a, b, g = (random.integers(-8, 9, size) / 4 for size in sizes)
        exercise.example(
            "functions", f"{operation}: {title}", f"a = Variable(DoubleTensor({a.tolist()}))",
            f"b = Variable(DoubleTensor({b.tolist()}))", f"y = {operation}()(a, b)[0]",
            f"y.backward(DoubleTensor({g.tolist()}))", name=f"{operation.lower()}_{name}",
        )  # fmt: skip


exercise.explain(_functions, "functions")
_of_numbers("a row to every row", (2, 3), (3,), "a_row")
_of_numbers("a column to every column", (2, 1), (2, 3), "a_column")
exercise.programs("functions", 400, programs.writes_functions, special=0.5, largest=1e4, operators="-")
