"""Random programs: hypothesis draws them, and they run under any library that has torch's method names.

A program is a graph of operations in the order of their execution. Operands are chosen among all earlier values, so
that values are shared, used twice by one operation, or never used; operations with several outputs (split, max, sort …)
add them all. While a program is drawn, modern torch runs it, and a step that leads out of the range of good numbers, or
so close to a kink or a tie that rounding would decide, is left out.

A test that fails prints the program in its smallest form, the line `@reproduce_failure(...)` with which to run it
again, and the seed from which all programs were drawn. RANDOM_PROGRAMS_SEED=… in the environment draws them again;
RANDOM_PROGRAMS=10000 draws that many.
"""

import functools
import itertools
import math
import os
import secrets
import sys

import numpy
import torch
from hypothesis import HealthCheck, given, note, seed, settings
from hypothesis import strategies as st

from .operations import Program, Step, execute

LARGEST = 50.0
CLOSE = 1e-5
MOST_ELEMENTS = 48


class ModernTorch:
    cat = staticmethod(torch.cat)
    stack = staticmethod(torch.stack)
    maximum = staticmethod(torch.maximum)
    minimum = staticmethod(torch.minimum)
    index = staticmethod(torch.tensor)

    @staticmethod
    def leaf(numbers, requires_grad):
        return torch.tensor(numbers, requires_grad=requires_grad)

    @staticmethod
    def scalar(x):
        """A whole reduction, which has no dimensions, in the size that v0.1.x gives it."""
        return x.reshape(1)

    @staticmethod
    def backward(root, gradient):
        root.backward(torch.tensor(gradient), retain_graph=True)


# --- the parameters that an operation takes, for operands that are drawn; None where it does not fit them


def size_of(x):
    return tuple(x.shape)


def nothing(draw, x):
    return ()


def a_dim(draw, x):
    return (draw(st.integers(-x.dim(), x.dim() - 1)),)


def a_dim_and_keepdim(draw, x):
    return draw(st.integers(-x.dim(), x.dim() - 1)), draw(st.booleans()) or x.dim() == 1


def a_number(draw, x):
    return (draw(st.sampled_from([-1.5, -1, 0.5, 2, 3])),)


def selecting(draw, x):
    """For what depends on the order of the elements: where two of them are close, it is left out."""
    dim, keepdim = a_dim_and_keepdim(draw, x)
    ordered = x.detach().sort(dim).values
    near = ordered.diff(dim=dim).abs()
    return None if near.numel() and near.min() < CLOSE else (dim, keepdim)


def apart_as_a_whole(draw, x):
    near = x.detach().reshape(-1).sort().values.diff()
    return None if near.numel() and near.min() < CLOSE else ()


def far_from(*kinks):
    def parameters(draw, x):
        return None if any((x.detach() - kink).abs().min() < CLOSE for kink in kinks) else ()

    return parameters


def broadcasting(draw, a, b):
    try:
        size = torch.broadcast_shapes(a.shape, b.shape)
    except RuntimeError:
        return None
    return () if math.prod(size) <= MOST_ELEMENTS else None


def broadcasting_apart(draw, a, b):
    return None if broadcasting(draw, a, b) is None or (a.detach() - b.detach()).abs().min() < CLOSE else ()


def matrix(draw, x):
    return () if x.dim() == 2 else None


def multiplying(draw, a, b):
    try:
        size = torch.matmul(a.detach(), b.detach()).shape
    except RuntimeError:
        return None
    return () if math.prod(size) <= MOST_ELEMENTS else None


def a_view(draw, x):
    count = x.numel()
    sizes = [(count,), (-1, 1), (1, count)] + [(d, count // d) for d in range(2, 5) if count % d == 0]
    return draw(st.sampled_from(sizes))


def a_permutation(draw, x):
    return tuple(draw(st.permutations(range(x.dim()))))


def two_dims(draw, x):
    return a_dim(draw, x) + a_dim(draw, x)


def an_expansion(draw, x):
    size = [draw(st.integers(1, 3)) if length == 1 else length for length in x.shape]
    size = [draw(st.integers(1, 2))] * draw(st.integers(0, 1)) + size
    return tuple(size) if math.prod(size) <= MOST_ELEMENTS and len(size) <= 4 else None


def a_repetition(draw, x):
    times = [draw(st.integers(1, 2)) for _ in range(x.dim() + draw(st.integers(0, 1)))]
    return tuple(times) if math.prod(times) * x.numel() <= MOST_ELEMENTS and len(times) <= 4 else None


def a_new_dim(draw, x):
    return (draw(st.integers(-x.dim() - 1, x.dim())),) if x.dim() < 4 else None


def a_range(draw, x):
    (dim,) = a_dim(draw, x)
    start = draw(st.integers(0, x.shape[dim] - 1))
    return dim, start, draw(st.integers(1, x.shape[dim] - start))


def a_place(draw, x):
    (dim,) = a_dim(draw, x)
    return (dim, draw(st.integers(-x.shape[dim], x.shape[dim] - 1))) if x.dim() > 1 else None


def a_dim_and_places(draw, x):
    (dim,) = a_dim(draw, x)
    return dim, draw(st.lists(st.integers(0, x.shape[dim] - 1), min_size=1, max_size=4))


def places_of_elements(draw, x):
    (dim,) = a_dim(draw, x)
    size, length = list(x.shape), x.shape[dim]
    size[dim] = draw(st.integers(1, 3))
    seed = draw(st.integers(0, 1000))
    return dim, numpy.random.default_rng(seed).integers(0, length, size).tolist()


def a_key(draw, x):
    key = []
    for length in x.shape[: draw(st.integers(1, x.dim()))]:
        start = draw(st.integers(0, length - 1))
        key.append(draw(st.sampled_from([start, slice(start, None), slice(None, None, 2)])))
    return (tuple(key),)


def parts_and_a_dim(draw, x):
    return draw(st.integers(1, 3)), *a_dim(draw, x)


def a_k_and_a_dim(draw, x):
    parameters = selecting(draw, x)
    return None if parameters is None else (draw(st.integers(1, x.shape[parameters[0]])), parameters[0])


def windows(draw, x):
    (dim,) = a_dim(draw, x)
    return (dim, draw(st.integers(1, x.shape[dim])), draw(st.integers(1, 2))) if x.dim() < 4 else None


def joining(draw, a, b):
    (dim,) = a_dim(draw, a)
    if a.dim() != b.dim() or a.numel() + b.numel() > MOST_ELEMENTS:
        return None
    rest = [i for i in range(a.dim()) if i != dim % a.dim()]
    return (dim,) if all(a.shape[i] == b.shape[i] for i in rest) else None


def stacking(draw, a, b):
    fits = a.shape == b.shape and a.dim() < 4 and 2 * a.numel() <= MOST_ELEMENTS
    return a_new_dim(draw, a) if fits else None


# how the parameters of an operation are drawn
PARAMETERS = {
    "add": broadcasting,
    "sub": broadcasting,
    "mul": broadcasting,
    "div": broadcasting,
    "pow": broadcasting,
    "larger": broadcasting_apart,
    "smaller": broadcasting_apart,
    "lerp": broadcasting,
    "add number": a_number,
    "subtract from number": a_number,
    "multiply by number": a_number,
    "divide by number": a_number,
    "divide number": a_number,
    "square": nothing,
    "number to the power": nothing,
    "itself twice": nothing,
    "neg": nothing,
    "exp": nothing,
    "log": nothing,
    "sqrt": nothing,
    "sigmoid": nothing,
    "tanh": nothing,
    "sin": nothing,
    "abs": far_from(0),
    "clamp": far_from(-0.5, 0.5),
    "masked fill": far_from(0),
    "masked select": far_from(0),
    "sum": nothing,
    "mean": nothing,
    "max": apart_as_a_whole,
    "norm": nothing,
    "prod": nothing,
    "sum along": a_dim_and_keepdim,
    "mean along": a_dim_and_keepdim,
    "prod along": a_dim_and_keepdim,
    "var along": a_dim_and_keepdim,
    "max along": selecting,
    "min along": selecting,
    "sort": selecting,
    "topk": a_k_and_a_dim,
    "cumsum": a_dim,
    "softmax": a_dim,
    "log_softmax": a_dim,
    "matmul": multiplying,
    "gram": matrix,
    "t": matrix,
    "tril": matrix,
    "transpose": two_dims,
    "permute": a_permutation,
    "view": a_view,
    "contiguous": nothing,
    "clone": nothing,
    "expand": an_expansion,
    "repeat": a_repetition,
    "unsqueeze": a_new_dim,
    "squeeze": a_dim,
    "narrow": a_range,
    "select": a_place,
    "index": a_key,
    "index_select": a_dim_and_places,
    "gather": places_of_elements,
    "split": parts_and_a_dim,
    "chunk": parts_and_a_dim,
    "unfold": windows,
    "cat": joining,
    "stack": stacking,
}
OF_TWO = {
    name for name, parameters in PARAMETERS.items()
    if parameters in (broadcasting, broadcasting_apart, multiplying, joining, stacking)
}  # fmt: skip


SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
REQUIRES_GRAD = st.sampled_from([True, True, True, False])
LEAVES = st.lists(st.tuples(SIZES, st.integers(0, 10**6), REQUIRES_GRAD), min_size=1, max_size=4)
# What most programs are made of is drawn more often.
COMMON = ["add", "mul", "matmul", "sum", "sum along", "index", "cat", "split", "max along", "sort"]
NAMES = sorted(PARAMETERS) + 3 * COMMON

SEED = int(os.environ.get("RANDOM_PROGRAMS_SEED") or secrets.randbelow(2**32))


def for_random(count, *strategies, most=None):
    """Decorate a test of what `strategies` draw to run `count` times, unless RANDOM_PROGRAMS says how often.

    `most` limits RANDOM_PROGRAMS for a slow test.
    """

    def decorate(test):
        @functools.wraps(test)
        def run(*drawn, **named):
            note(f"RANDOM_PROGRAMS_SEED={SEED}")
            test(*drawn, **named)

        options = settings(
            max_examples=min(int(os.environ.get("RANDOM_PROGRAMS") or count), most or sys.maxsize),
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        return seed(SEED)(options(given(*strategies)(run)))

    return decorate


def for_random_programs(count, *strategies, most=None):
    """Decorate a test of one program, and of what the `strategies` draw, as `for_random` does."""
    return for_random(count, programs(), *strategies, most=most)


@st.composite
def programs(draw, most_steps=20):
    """A program in which at least one root requires a gradient, unless no leaf does."""
    program = Program(leaves=draw(LEAVES))
    values = program.run(ModernTorch)
    for _ in range(draw(st.integers(4, most_steps))):
        name = draw(st.sampled_from(NAMES))
        floating = [i for i, value in enumerate(values) if value.is_floating_point()]
        operands = (floating[-1 - draw(st.integers(0, len(floating) - 1))],)
        if name in OF_TWO:
            fitting = [i for i in floating if PARAMETERS[name](_first, values[operands[0]], values[i]) is not None]
            if not fitting:
                continue
            operands += (draw(st.sampled_from(fitting[::-1])),)
        parameters = PARAMETERS[name](draw, *[values[i] for i in operands])
        if parameters is None:
            continue
        step = Step(name, operands, parameters)
        results = execute(ModernTorch, step, values)
        if all(_is_good(result) for result in results):
            program.steps.append(step)
            values += results
    floating = [i for i, value in enumerate(values) if value.is_floating_point()]
    last = [i for i in floating[::-1] if values[i].requires_grad][:1]
    others = draw(st.lists(st.sampled_from(floating), max_size=2))
    program.roots = [*last, *others]
    return program


def _first(strategy):
    """Stands for `draw` where only the question is asked whether two operands fit: any answer will do."""
    return 0


def _is_good(result):
    if not result.is_floating_point():
        return True
    fits = 0 < result.numel() <= MOST_ELEMENTS and 0 < result.dim() <= 4
    return fits and bool(torch.isfinite(result).all()) and float(result.detach().abs().max()) <= LARGEST


def kinds(program):
    """The operations of a program, for statistics."""
    return set(itertools.chain([step.operation for step in program.steps]))
