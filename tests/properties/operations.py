"""The operations of random programs, and the programs as data: run by any library that has torch's method names.

This file needs neither torch nor hypothesis, so that a program runs in the live page as well (tests/playground/).
"""

import math
from dataclasses import dataclass, field

import numpy

from legacy_autograd.autograd.functions import cat, stack
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor import LongTensor, Tensor


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
                gradient = ((7 * numpy.arange(math.prod(size)) + number) % 16 - 7.5) / 8  # without a rounding
                library.backward(root, gradient.reshape(size))


def execute(library, step, values):
    result = OPERATIONS[step.operation](library, *[values[i] for i in step.operands], *step.parameters)
    return list(result) if isinstance(result, (tuple, list)) else [result]


class Ours:
    cat = staticmethod(cat)
    stack = staticmethod(stack)
    index = staticmethod(LongTensor)

    @staticmethod
    def maximum(a, b):
        return a.cmax(b)

    @staticmethod
    def minimum(a, b):
        return a.cmin(b)

    @staticmethod
    def leaf(numbers, requires_grad):
        return Variable(Tensor(numbers), requires_grad=requires_grad)

    @staticmethod
    def scalar(x):
        return x

    @staticmethod
    def backward(root, gradient):
        root.backward(Tensor(gradient))


# name: f(library, *operands, *parameters)
OPERATIONS = {
    "add": lambda t, a, b: a + b,
    "sub": lambda t, a, b: a - b,
    "mul": lambda t, a, b: a * b,
    "div": lambda t, a, b: a / (b * b + 1),
    "pow": lambda t, a, b: (a * a + 0.5) ** (b.tanh()),
    "larger": lambda t, a, b: t.maximum(a, b),
    "smaller": lambda t, a, b: t.minimum(a, b),
    "lerp": lambda t, a, b: a.lerp(b, 0.3),
    "add number": lambda t, x, c: x + c,
    "subtract from number": lambda t, x, c: c - x,
    "multiply by number": lambda t, x, c: c * x,
    "divide by number": lambda t, x, c: x / c,
    "divide number": lambda t, x, c: c / (x * x + 1),
    "square": lambda t, x: x**2,
    "number to the power": lambda t, x: 1.5**x,
    "itself twice": lambda t, x: x * x + x,
    "neg": lambda t, x: -x,
    "exp": lambda t, x: x.exp(),
    "log": lambda t, x: (x * x + 0.5).log(),
    "sqrt": lambda t, x: (x * x + 0.5).sqrt(),
    "sigmoid": lambda t, x: x.sigmoid(),
    "tanh": lambda t, x: x.tanh(),
    "sin": lambda t, x: x.sin(),
    "abs": lambda t, x: x.abs(),
    "clamp": lambda t, x: x.clamp(-0.5, 0.5),
    "masked fill": lambda t, x: x.masked_fill(x.gt(0), 0.5),
    "masked select": lambda t, x: x.masked_select(x.gt(0)),
    "sum": lambda t, x: t.scalar(x.sum()),
    "mean": lambda t, x: t.scalar(x.mean()),
    "max": lambda t, x: t.scalar(x.max()),
    "norm": lambda t, x: t.scalar((x + 3).norm()),
    "prod": lambda t, x: t.scalar(x.tanh().prod()),
    "sum along": lambda t, x, d, k: x.sum(d, k),
    "mean along": lambda t, x, d, k: x.mean(d, k),
    "prod along": lambda t, x, d, k: x.prod(d, k),
    "var along": lambda t, x, d, k: x.var(d, False, k),
    "max along": lambda t, x, d, k: x.max(d, k),
    "min along": lambda t, x, d, k: x.min(d, k),
    "sort": lambda t, x, d, descending: x.sort(d, descending),
    "topk": lambda t, x, k, d: x.topk(k, d),
    "cumsum": lambda t, x, d: x.cumsum(d),
    "softmax": lambda t, x, d: x.softmax(d),
    "log_softmax": lambda t, x, d: x.log_softmax(d),
    "matmul": lambda t, a, b: t.scalar(a.matmul(b)) if len(a.size()) == len(b.size()) == 1 else a @ b,
    "gram": lambda t, x: x.mm(x.t()),
    "t": lambda t, x: x.t(),
    "tril": lambda t, x: x.tril(),
    "transpose": lambda t, x, a, b: x.transpose(a, b),
    "permute": lambda t, x, *dims: x.permute(*dims),
    # Of which results are contiguous the libraries think differently, so both are made so.
    "view": lambda t, x, *sizes: x.contiguous().view(*sizes),
    "contiguous": lambda t, x: x.contiguous(),
    "clone": lambda t, x: x.clone(),
    "expand": lambda t, x, *sizes: x.expand(*sizes),
    "repeat": lambda t, x, *times: x.repeat(*times),
    "unsqueeze": lambda t, x, d: x.unsqueeze(d),
    "squeeze": lambda t, x, d: x.squeeze(d) if len(x.size()) > 1 else x + 0,
    "narrow": lambda t, x, d, start, length: x.narrow(d, start, length),
    "select": lambda t, x, d, i: x.select(d, i),
    "index": lambda t, x, key: t.scalar(x[key]) if len(key) == len(x.size()) == _numbers(key) else x[key],
    "index_select": lambda t, x, d, i: x.index_select(d, t.index(i)),
    "gather": lambda t, x, d, i: x.gather(d, t.index(i)),
    "split": lambda t, x, n, d: x.split(n, d),
    "chunk": lambda t, x, n, d: x.chunk(n, d),
    "unfold": lambda t, x, *w: x.unfold(*w),
    "cat": lambda t, a, b, d: t.cat([a, b], d),
    "stack": lambda t, a, b, d: t.stack([a, b], d),
}


def _numbers(key):
    return len([k for k in key if isinstance(k, int)])
