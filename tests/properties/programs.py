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
from dataclasses import dataclass, field

import numpy
import torch
from hypothesis import HealthCheck, given, note, seed, settings
from hypothesis import strategies as st

LARGEST = 50.0
CLOSE = 1e-5
MOST_ELEMENTS = 48


@dataclass
class Step:
    operation: str
    operands: tuple
    parameters: tuple


@dataclass
class Program:
    """`leaves`: (size, seed of the numbers, requires_grad); `roots`: which values backward starts from."""

    leaves: list = field(default_factory=list)
    steps: list = field(default_factory=list)
    roots: list = field(default_factory=list)

    def __repr__(self):
        lines = [f"v{i} = leaf{leaf}" for i, leaf in enumerate(self.leaves)]
        lines += [f"{s.operation}({', '.join([f'v{i}' for i in s.operands])}; {s.parameters})" for s in self.steps]
        return "\n".join([*lines, f"backward from {self.roots}"])

    def numbers(self):
        """The numbers of the leaves."""
        return [numpy.random.default_rng(seed).uniform(-2, 2, size) for size, seed, _ in self.leaves]

    def run(self, library):
        """All values: of the leaves first, then of the steps."""
        values = [library.leaf(x, leaf[2]) for x, leaf in zip(self.numbers(), self.leaves)]
        for step in self.steps:
            values += execute(library, step, values)
        return values

    def backward(self, library, values):
        """Backward from every root in turn, each time with another gradient."""
        for number in self.roots:
            root = values[number]
            if root.requires_grad:
                size = tuple(root.size())
                gradient = numpy.cos(numpy.arange(math.prod(size)) + number).reshape(size)
                library.backward(root, gradient)


def execute(library, step, values):
    result = OPERATIONS[step.operation][1](library, *[values[i] for i in step.operands], *step.parameters)
    return list(result) if isinstance(result, (tuple, list)) else [result]


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


# name: (how its parameters are drawn, how it is run: f(library, *operands, *parameters))
OPERATIONS = {
    "add": (broadcasting, lambda t, a, b: a + b),
    "sub": (broadcasting, lambda t, a, b: a - b),
    "mul": (broadcasting, lambda t, a, b: a * b),
    "div": (broadcasting, lambda t, a, b: a / (b * b + 1)),
    "pow": (broadcasting, lambda t, a, b: (a * a + 0.5) ** (b.tanh())),
    "larger": (broadcasting_apart, lambda t, a, b: t.maximum(a, b)),
    "smaller": (broadcasting_apart, lambda t, a, b: t.minimum(a, b)),
    "lerp": (broadcasting, lambda t, a, b: a.lerp(b, 0.3)),
    "add number": (a_number, lambda t, x, c: x + c),
    "subtract from number": (a_number, lambda t, x, c: c - x),
    "multiply by number": (a_number, lambda t, x, c: c * x),
    "divide by number": (a_number, lambda t, x, c: x / c),
    "divide number": (a_number, lambda t, x, c: c / (x * x + 1)),
    "square": (nothing, lambda t, x: x**2),
    "number to the power": (nothing, lambda t, x: 1.5**x),
    "itself twice": (nothing, lambda t, x: x * x + x),
    "neg": (nothing, lambda t, x: -x),
    "exp": (nothing, lambda t, x: x.exp()),
    "log": (nothing, lambda t, x: (x * x + 0.5).log()),
    "sqrt": (nothing, lambda t, x: (x * x + 0.5).sqrt()),
    "sigmoid": (nothing, lambda t, x: x.sigmoid()),
    "tanh": (nothing, lambda t, x: x.tanh()),
    "sin": (nothing, lambda t, x: x.sin()),
    "abs": (far_from(0), lambda t, x: x.abs()),
    "clamp": (far_from(-0.5, 0.5), lambda t, x: x.clamp(-0.5, 0.5)),
    "masked fill": (far_from(0), lambda t, x: x.masked_fill(x.gt(0), 0.5)),
    "masked select": (far_from(0), lambda t, x: x.masked_select(x.gt(0))),
    "sum": (nothing, lambda t, x: t.scalar(x.sum())),
    "mean": (nothing, lambda t, x: t.scalar(x.mean())),
    "max": (apart_as_a_whole, lambda t, x: t.scalar(x.max())),
    "norm": (nothing, lambda t, x: t.scalar((x + 3).norm())),
    "prod": (nothing, lambda t, x: t.scalar(x.tanh().prod())),
    "sum along": (a_dim_and_keepdim, lambda t, x, d, k: x.sum(d, k)),
    "mean along": (a_dim_and_keepdim, lambda t, x, d, k: x.mean(d, k)),
    "prod along": (a_dim_and_keepdim, lambda t, x, d, k: x.prod(d, k)),
    "var along": (a_dim_and_keepdim, lambda t, x, d, k: x.var(d, False, k)),
    "max along": (selecting, lambda t, x, d, k: x.max(d, k)),
    "min along": (selecting, lambda t, x, d, k: x.min(d, k)),
    "sort": (selecting, lambda t, x, d, descending: x.sort(d, descending)),
    "topk": (a_k_and_a_dim, lambda t, x, k, d: x.topk(k, d)),
    "cumsum": (a_dim, lambda t, x, d: x.cumsum(d)),
    "softmax": (a_dim, lambda t, x, d: x.softmax(d)),
    "log_softmax": (a_dim, lambda t, x, d: x.log_softmax(d)),
    "matmul": (multiplying, lambda t, a, b: t.scalar(a.matmul(b)) if len(a.size()) == len(b.size()) == 1 else a @ b),
    "gram": (matrix, lambda t, x: x.mm(x.t())),
    "t": (matrix, lambda t, x: x.t()),
    "tril": (matrix, lambda t, x: x.tril()),
    "transpose": (two_dims, lambda t, x, a, b: x.transpose(a, b)),
    "permute": (a_permutation, lambda t, x, *dims: x.permute(*dims)),
    # Of which results are contiguous the libraries think differently, so both are made so.
    "view": (a_view, lambda t, x, *sizes: x.contiguous().view(*sizes)),
    "contiguous": (nothing, lambda t, x: x.contiguous()),
    "clone": (nothing, lambda t, x: x.clone()),
    "expand": (an_expansion, lambda t, x, *sizes: x.expand(*sizes)),
    "repeat": (a_repetition, lambda t, x, *times: x.repeat(*times)),
    "unsqueeze": (a_new_dim, lambda t, x, d: x.unsqueeze(d)),
    "squeeze": (a_dim, lambda t, x, d: x.squeeze(d) if len(x.size()) > 1 else x + 0),
    "narrow": (a_range, lambda t, x, d, start, length: x.narrow(d, start, length)),
    "select": (a_place, lambda t, x, d, i: x.select(d, i)),
    "index": (a_key, lambda t, x, key: t.scalar(x[key]) if len(key) == len(x.size()) == _numbers(key) else x[key]),
    "index_select": (a_dim_and_places, lambda t, x, d, i: x.index_select(d, t.index(i))),
    "gather": (places_of_elements, lambda t, x, d, i: x.gather(d, t.index(i))),
    "split": (parts_and_a_dim, lambda t, x, n, d: x.split(n, d)),
    "chunk": (parts_and_a_dim, lambda t, x, n, d: x.chunk(n, d)),
    "unfold": (windows, lambda t, x, *w: x.unfold(*w)),
    "cat": (joining, lambda t, a, b, d: t.cat([a, b], d)),
    "stack": (stacking, lambda t, a, b, d: t.stack([a, b], d)),
}
OF_TWO = {
    name for name, (parameters, _) in OPERATIONS.items()
    if parameters in (broadcasting, broadcasting_apart, multiplying, joining, stacking)
}  # fmt: skip


def _numbers(key):
    return len([k for k in key if isinstance(k, int)])


SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
REQUIRES_GRAD = st.sampled_from([True, True, True, False])
LEAVES = st.lists(st.tuples(SIZES, st.integers(0, 10**6), REQUIRES_GRAD), min_size=1, max_size=4)
# What most programs are made of is drawn more often.
COMMON = ["add", "mul", "matmul", "sum", "sum along", "index", "cat", "split", "max along", "sort"]
NAMES = sorted(OPERATIONS) + 3 * COMMON

SEED = int(os.environ.get("RANDOM_PROGRAMS_SEED") or secrets.randbelow(2**32))


def for_random_programs(count, *strategies, most=None, of=None):
    """Decorate a test of one program to run for `count` random ones, unless RANDOM_PROGRAMS says how many.

    What the `strategies` draw are further arguments of the test. `most` limits RANDOM_PROGRAMS for a slow test. `of` is
    the strategy that draws the programs, if not `programs()`.
    """

    def decorate(test):
        @functools.wraps(test)
        def run(*drawn, **named):
            note(f"RANDOM_PROGRAMS_SEED={SEED}")
            test(*drawn, **named)

        options = settings(
            max_examples=min(int(os.environ.get("RANDOM_PROGRAMS") or count), most or sys.maxsize),
            deadline=None,
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        return seed(SEED)(options(given(programs() if of is None else of, *strategies)(run)))

    return decorate


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
            fitting = [i for i in floating if OPERATIONS[name][0](_first, values[operands[0]], values[i]) is not None]
            if not fitting:
                continue
            operands += (draw(st.sampled_from(fitting[::-1])),)
        parameters = OPERATIONS[name][0](draw, *[values[i] for i in operands])
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
