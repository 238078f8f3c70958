"""Exercise 7: a gradient summed back to the size of an operand that was broadcast."""

import types

import numpy

from ...autograd import functions
from ...autograd.functions import _utils as package
from .. import template
from ..model import Exercise, agree
from ..observers.broadcasting import gradients, summed
from ..observers.support import random_numbers, tensor

exercise = Exercise(
    title="Broadcasting: summing a gradient back",
    minutes=50,
    reference=types.SimpleNamespace(sum_to_size=package.sum_to_size, Add=functions.Add, Mul=functions.Mul),
    withheld=(
        "autograd/functions/_utils.py:sum_to_size",
        "autograd/functions/basic_ops.py:Add.backward",
        "autograd/functions/basic_ops.py:Mul.backward",
    ),
    groups=template.groups("07_broadcasting"),
)


def check(group, size, to, hidden=False):
    """Register a check of a gradient of shape `size`, summed to the shape `to`."""
    sizes = ["x".join(map(str, lengths)) for lengths in (size, to)]

    @exercise.check(group, hidden, name=f"sum_{'_to_'.join(sizes)}", title=f"{size} to {to}")
    def run(trial):
        grad = numpy.arange(1.0, numpy.prod(size) + 1).reshape(size)
        compare(trial, f"grad of size {size} with the numbers from 1 on, summed to the size {to}", grad, to)
        for seed in range(2):
            grad = numpy.random.default_rng(seed).uniform(-2, 2, size)
            compare(trial, f"grad of size {size} with random numbers (seed {seed}), summed to the size {to}", grad, to)


_EACH = "each number is the sum of its repetitions in grad, with their signs"


def compare(trial, on, grad, to, kind="DoubleTensor"):
    size = grad.shape
    more = (
        lambda got: got["size"] is not None and numpy.prod(got["size"]) > numpy.prod(to),
        "more than one dimension was repeated: sum over all of them",
    )
    right = package.sum_to_size(tensor(grad.tolist()), to).array.ravel().tolist()
    not_summed = ({"size": list(size)}, "the result still has the shape of grad: nothing was summed")
    trial.same(
        summed, on,
        [
            (lambda got: got["size"] is None, "the result is not a Tensor, and a gradient must be one"),
            (lambda got: got["type"] != kind, "the result must have the type of grad: compute with grad itself"),
            (
                lambda got: got["times that grad was written into"] > 0,
                "grad was written into, and other code may still read it: do not change it",
            ),
            *mistakes(grad, to),
            ("does not hold", "a view has the same number of elements; repeated elements must be summed"),
            *([not_summed, more] if size != to else []),
            (lambda got: agree(right, numpy.ravel(got["result"]).tolist(), 1e-9),
             "the numbers are correct and the shape is not: keep a dimension of length 1, and remove one that the "
             "operand does not have"),
            (lambda got: True, _EACH if size != to else "nothing was repeated: the result is equal to grad"),
        ],
        tolerance=1e-10, grad=grad.tolist(), size=to, kind=kind,
    )  # fmt: skip


def check_at_random(group, draw):
    """Register a check of sizes that `draw(random)` gives: that of grad, and the one to sum to."""

    @exercise.check(group, hidden=True, name=f"{group}_at_random", title="sizes and numbers drawn at random")
    def run(trial):
        for seed in range(12):
            random = numpy.random.default_rng(seed)
            size, to = draw(random)
            grad = random.uniform(-2, 2, size)
            kind = "DoubleTensor"
            if seed % 3 == 2:
                kind, grad = "FloatTensor", numpy.round(grad * 8) / 8  # numbers whose sums have no rounding
            on = f"grad, a {kind} of size {size} with random numbers (seed {seed}), summed to the size {to}"
            compare(trial, on, grad, to, kind)


def lengths(random, shortest=1, longest=3, most=6):
    return tuple(int(length) for length in random.integers(1, most + 1, int(random.integers(shortest, longest + 1))))


def some_ones(random, size):
    """`size` with 1 in at least one place."""
    chosen = random.random(len(size)) < 0.6
    chosen[int(random.integers(len(size)))] = True
    return tuple(1 if one else length for length, one in zip(size, chosen))


def draw_same(random):
    size = lengths(random)
    return size, size


def draw_leading(random):
    size = lengths(random)
    return lengths(random) + size, size


def draw_ones(random):
    size = lengths(random)
    return size, some_ones(random, size)


def draw_mixed(random):
    size = lengths(random)
    return lengths(random, 1, 2) + size, some_ones(random, size)


def mistakes(grad, to):
    """Return the results of common mistakes for this sum, with a sentence for each."""
    right = tensor(grad.tolist())
    right = package.sum_to_size(right, to).array
    repeated = grad.size // right.size
    if repeated > 1:
        yield {"result": (right / repeated).tolist()}, "this is the mean; a number that was used n times gets the sum"
        yield {"result": numpy.full(to, grad.sum()).tolist()}, "this is the sum of all elements, at each index"
        yield {"result": [grad.sum()]}, "this is the sum of all elements; sum only where forward repeated"
        yield {"result": grad.sum()}, "this is the sum of all elements, a number; sum only where forward repeated"
        yield {"result": grad.ravel()[: right.size].reshape(to).tolist()}, "the first part of grad; sum the parts"
    for axis in range(grad.ndim):
        other = grad.sum(axis)
        if other.shape == right.shape and not numpy.array_equal(other, right):
            yield {"result": other.tolist()}, f"summed along dimension {axis}; sizes are compared from the right"
        kept = grad.sum(axis, keepdims=True)
        if kept.shape != right.shape and kept.size == right.size and numpy.array_equal(kept.ravel(), right.ravel()):
            yield {"result": kept.tolist()}, "remove a dimension that the operand does not have; do not keep it"
        if other.shape != right.shape and other.size == right.size and numpy.array_equal(other.ravel(), right.ravel()):
            yield {"result": other.tolist()}, "keep a dimension of length 1: the operand has it"


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
                    ("modified by an inplace", "an operand was written into: use mul, not mul_"),
                    ("has the size", "a gradient must have the size of its operand: sum_to_size it"),
                    (lambda got: "the gradient given" in got["changed by it"],
                     "backward wrote into grad_output: use mul, not mul_"),
                    (lambda got: got["changed by it"], "an operand was written into: use mul, not mul_"),
                    *(_sums_first(*arrays) if operation == "Mul" else ()),
                    (lambda got: got["a.grad"] is None or got["b.grad"] is None, "both operands need a gradient"),
                    *_of_states(operation, a, b, g),
                    (lambda got: True, _FORMULA[operation]),
                ],
                name=operation, a=a, b=b, gradient=g,
            )  # fmt: skip


_FORMULA = {
    "Add": "the gradient of each operand of a + b is grad_output, summed to its size, and nothing else",
    "Mul": "the gradient of a is grad_output times b, and that of b is grad_output times a, each summed to its size",
}


def _of_states(operation, a, b, g):
    right = gradients(exercise.reference, operation, a, b, g)
    once = {key: right[key] for key in ("a.grad", "b.grad")}
    yield (
        lambda got: agree(once, got) and got["gradients of another call"] != right["gradients of another call"],
        "two calls are in use at the same time, and each has its own shapes and operands: store them on self",
    )
    yield once, "the first backward is correct and the second is not: backward kept or cleared something"


def _sums_first(a, b, g):
    written = "grad_output was written into before it was used again: use mul, not mul_"
    for key, one, other in (("b.grad", b, a), ("a.grad", a, b)):
        yield {key: package.sum_to_size(tensor((g * one * other).tolist()), one.shape).array.tolist()}, written
    sentence = "multiply first, then sum; a sum of products is not a product of sums"
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
for _group, _draw in (("same", draw_same), ("leading", draw_leading), ("ones", draw_ones), ("mixed", draw_mixed)):
    check_at_random(_group, _draw)
check_functions("a_row", "a row to every row", [(2, 3), (3,)])
check_functions("a_column", "a column to every column", [(2, 1), (2, 3)])
check_functions("both_repeated", "a column and a row", [(2, 1), (1, 3)], hidden=True)
check_functions("a_number", "one number to all", [(1,), (2, 3)], hidden=True)
check_functions("same_sizes", "operands of the same size", [(2, 3), (2, 3)], hidden=True)
for _seed in range(4):
    _size = lengths(numpy.random.default_rng(_seed), 2, 3, 4)
    _sizes = [some_ones(numpy.random.default_rng(_seed), _size), _size[_seed % 2 :]]
    check_functions(f"random_{_seed}", f"sizes drawn at random: {_sizes}", _sizes, hidden=True)
