"""Exercise 7: a gradient summed back to the size of an operand that was broadcast."""

import types

import numpy

from ...autograd import functions
from ...autograd.functions import _utils as package
from .. import template
from ..model import Exercise, plain
from ..sandbox.blocked import paths_of
from .support import leaf, random_numbers, tensor

exercise = Exercise(
    title="Broadcasting: summing a gradient back",
    minutes=50,
    reference=types.SimpleNamespace(sum_to_size=package.sum_to_size, Add=functions.Add, Mul=functions.Mul),
    withheld=("legacy_autograd.autograd.functions._utils:sum_to_size", *paths_of("Add", "Mul")),
    groups=template.groups("07_broadcasting"),
)


@exercise.probe
def summed(answer, grad, size):
    gradient = tensor(grad)
    result = answer.sum_to_size(gradient, tuple(size))
    return {
        "size": list(result.size()) if hasattr(result, "size") else plain(result),
        "result": plain(result),
        "grad afterwards": plain(gradient),
    }


@exercise.probe
def gradients(answer, name, a, b, gradient):
    a, b = leaf(a), leaf(b)
    (result,) = getattr(answer, name)()(a, b)
    result.backward(tensor(gradient))
    return {"a.grad": plain(a.grad), "b.grad": plain(b.grad)}


def check(group, size, to, hidden=False):
    """Register a check of a gradient of `size` that is to be summed to the size `to`."""

    sizes = ["x".join(map(str, lengths)) for lengths in (size, to)]

    @exercise.check(group, hidden, name=f"sum_{'_to_'.join(sizes)}", title=f"{size} to {to}")
    def run(trial):
        grad = numpy.arange(1.0, numpy.prod(size) + 1).reshape(size)
        not_summed = ({"size": list(size)}, "the size is still that of the result: nothing was summed")
        trial.same(
            summed, f"grad of size {size} with the numbers from 1 on, summed to the size {to}",
            [
                (
                    lambda got: got["grad afterwards"] != grad.tolist(),
                    "grad was written into, and others may still read it: leave it as it is",
                ),
                *mistakes(grad, to),
                ("does not hold", "a view has as many elements as before; those that were repeated are to be summed"),
                *([not_summed] if size != to else []),
            ],
            grad=grad.tolist(), size=to,
        )  # fmt: skip


def mistakes(grad, to):
    """What the usual mistakes make of this sum, with a sentence about each."""
    right = tensor(grad.tolist())
    right = package.sum_to_size(right, to).array
    repeated = grad.size // right.size
    if repeated > 1:
        yield {"result": (right / repeated).tolist()}, "this is the mean; a number that was used n times gets the sum"
        yield {"result": numpy.full(to, grad.sum()).tolist()}, "this is the sum of everything, in every place"
        yield {"result": [grad.sum()]}, "this is the sum of everything; sum only where forward repeated"
        yield {"result": grad.sum()}, "this is the sum of everything, a number; sum only where forward repeated"
        yield {"result": grad.ravel()[: right.size].reshape(to).tolist()}, "the first part of grad; sum the parts"
    for axis in range(grad.ndim):
        other = grad.sum(axis)
        if other.shape == right.shape and not numpy.array_equal(other, right):
            yield {"result": other.tolist()}, f"summed along dimension {axis}; sizes are compared from the right"
        kept = grad.sum(axis, keepdims=True)
        if kept.shape != right.shape and kept.size == right.size and numpy.array_equal(kept.ravel(), right.ravel()):
            yield {"result": kept.tolist()}, "a dimension that the operand does not have is to be taken away, not kept"
        if other.shape != right.shape and other.size == right.size and numpy.array_equal(other.ravel(), right.ravel()):
            yield {"result": other.tolist()}, "a dimension of length 1 is to be kept: the operand has it"


def check_functions(name, title, sizes, hidden=False):
    """Register a check of Add and Mul on operands of those sizes."""

    @exercise.check("functions", hidden, name=name, title=title)
    def run(trial):
        size_a, size_b = sizes
        a, b = random_numbers(1, *size_a), random_numbers(2, *size_b)
        g = random_numbers(3, *numpy.broadcast_shapes(*sizes))
        arrays = [numpy.array(x) for x in (a, b, g)]
        for operation, function in (("Add", "a + b"), ("Mul", "a * b")):
            trial.same(
                gradients, f"{function} with a of size {size_a} and b of size {size_b}, gradient of the result's size",
                [
                    ("RuntimeError", "a gradient must have the size of its operand: sum_to_size it"),
                    *(_sums_first(*arrays) if operation == "Mul" else ()),
                ],
                name=operation, a=a, b=b, gradient=g,
            )  # fmt: skip


def _sums_first(a, b, g):
    sentence = "multiply first and sum then; a sum of products is no product of sums"
    for operand, other, key in ((a, b, "a.grad"), (b, a, "b.grad")):
        early = package.sum_to_size(tensor(g.tolist()), operand.shape).array
        try:
            yield {key: (early * other).tolist()}, sentence
            yield {key: (early * package.sum_to_size(tensor(other.tolist()), operand.shape).array).tolist()}, sentence
        except (ValueError, RuntimeError):
            continue  # of sizes that do not fit


check("same", (2, 3), (2, 3))
check("same", (1, 3), (1, 3), hidden=True)
check("leading", (2, 3), (3,))
check("leading", (4, 2, 3), (2, 3))
check("leading", (4, 2, 3), (3,), hidden=True)
check("leading", (3, 3), (3,), hidden=True)
check("leading", (1, 3), (3,), hidden=True)
check("ones", (2, 3), (2, 1))
check("ones", (2, 3), (1, 3))
check("ones", (2, 3, 4), (2, 1, 4), hidden=True)
check("ones", (3, 3), (3, 1), hidden=True)
check("ones", (2, 3), (1, 1), hidden=True)
check("mixed", (4, 2, 3), (2, 1))
check("mixed", (4, 2, 3), (1, 3), hidden=True)
check("mixed", (2, 3), (1,), hidden=True)
check("mixed", (2, 2, 2), (2, 1), hidden=True)
check("mixed", (2, 1, 3, 1), (1, 3, 1), hidden=True)
check_functions("a_row", "a row to every row", [(2, 3), (3,)])
check_functions("a_column", "a column to every column", [(2, 1), (2, 3)])
check_functions("both_repeated", "a column and a row", [(2, 1), (1, 3)], hidden=True)
check_functions("a_number", "one number to all", [(1,), (2, 3)], hidden=True)
check_functions("same_sizes", "operands of the same size", [(2, 3), (2, 3)], hidden=True)
