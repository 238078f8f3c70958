"""Random inputs of the short exercises: tensors of both types, of several sizes and layouts, and graphs.

Their number and their seeds are fixed, so each answer is judged by the same inputs each time. They begin small: the
first input that an answer gets wrong is among the smallest.
"""

import math
import re
import types

import numpy

from ...autograd.functions import cat
from ...autograd.functions.rnn import LSTMGates
from ...autograd.variable import Variable
from ...tensor import DoubleTensor, FloatTensor
from . import dimensions

# Large and small numbers, numbers just beyond 1, more digits than a float has, and the double that follows 1.
SCALES = (2.0**39, 2.0**-8, 1 + 2.0**-11, 1 + 2.0**-24, 1 + 2.0**-52)
SIZES = ((1,), (3,), (2, 3), (2, 1, 2), (0,), (3, 2), (4,), (1, 2), (1, 1, 1), (1, 1), (2, 1, 1, 2), (2, 2),
         (3, 3), (40,))  # fmt: skip
STEPS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22)  # lengths of graphs
NAMES = {"DoubleTensor": DoubleTensor, "FloatTensor": FloatTensor, "Variable": Variable, "LSTMGates": LSTMGates}


class Draw(dimensions.Draw):
    """Draws numbers and the texts of tensors from a seed."""

    def __init__(self, seed):
        super().__init__(seed, {})
        self.scale = 1  # of the numbers of tensors

    def number(self):
        """Return a quarter from -2 to 2 that is not 0."""
        return self.one_of([quarter / 4 for quarter in range(-8, 9) if quarter])

    def tensor(self, kind, size, layouts=("contiguous", "transposed", "expanded", "strided", "part"), most=math.inf):
        """Return the text of a tensor of quarters from -2 to 2, such as `DoubleTensor([[1.0, 2.0]]).expand(3, 2)`.

        The numbers are multiplied by `self.scale`, but by `most` at most.
        """
        array = self.numbers(size, "ordinary")
        if self.chance(0.2):
            array = array - array[::-1]  # the sum is 0, and so is a single number
            array = array + self.chance(0.4)  # or that of as many ones
        if 1 < self.scale < 2:
            array = numpy.where(abs(array) < 1, numpy.copysign(1, array), array)
        array = array * min(self.scale, most)
        possible = {"contiguous": True, "transposed": len(size) > 1, "expanded": len(size) > 1, "strided": array.size,
                    "part": array.size}  # fmt: skip
        layout = self.one_of([layout for layout in layouts if possible[layout]])
        return dimensions.laid_out(kind, array, layout)


def beyond(answer):
    """Return the whole numbers that follow those from 4 to 900 in the code of an answer: one of them may be a limit."""
    found, waiting = set(), [answer]
    for one in waiting:
        if isinstance(one, type):
            waiting += vars(one).values()
        elif isinstance(one, types.FunctionType):
            read = [one.__globals__.get(name) for name in one.__code__.co_names]
            waiting += [one.__code__, *(value for value in read if isinstance(value, (int, float, tuple)))]
        elif isinstance(one, types.CodeType):
            waiting += one.co_consts
        elif isinstance(one, tuple):
            waiting += one
        elif isinstance(one, (int, float)) and 4 <= one <= 900:
            found.add(int(one) + 1)
    return sorted(found)


def programs(seed, answer, scales=SCALES):
    """Yield a Draw, a type and a size of tensors for an answer.

    Each size comes with each type twice, and some with other scales. Others have more elements than a number in the
    answer's code.
    """
    sizes = [(SIZES[number // 2 % len(SIZES)], 1) for number in range(4 * len(SIZES))]
    sizes += [(SIZES[number // 2 % len(SIZES)], scale) for number, scale in enumerate(numpy.repeat(scales, 8).tolist())]
    sizes += [((count,), 1) for count in beyond(answer) for _ in range(2)]
    for number, (size, scale) in enumerate(sizes):
        draw = Draw([seed, number])
        draw.scale = scale
        yield draw, ("DoubleTensor", "FloatTensor")[number % 2], size


def made(text):
    """Return the tensor of a text."""
    return eval(text, dict(NAMES))


# --- graphs

LEAF = "Variable(DoubleTensor([{}]))"
CONSTANT = "Variable(DoubleTensor([{}]), requires_grad=False)"


class Graph:
    """A program that computes with Variables: `lines`, the names that they make, and the name of the result, `root`.

    The result is a leaf if there are no steps. A step uses late results more often, so graphs are deep and have
    diamonds. `leaf` is the text of a leaf with `{}` for its number, and `constant` that of one without a gradient, of
    which there are `constants`. Instead of steps there may be `lines`, and the name of their result, `root`.
    """

    def __init__(
        self, seed, steps=0, leaf=LEAF, constant=None, names=None, leaves=None, constants=1, lines=(), root=None
    ):
        self.draw = Draw(seed)
        self.lines, self.leaves, self._values = [], [], []
        self._names = {**NAMES, "torch": types.SimpleNamespace(cat=cat), **(names or {})}
        for _ in range(leaves or self.draw.whole(1, 2 + steps // 3)):
            self._leaf("x", leaf)
        for _ in range(constants if constant else 0):
            self._leaf("c", constant)
        self.root = root or self.leaves[0]
        self.lines += lines
        for number in range(1, steps + 1):
            self._step(f"v{number}")

    def _leaf(self, letter, text):
        name = f"{letter}{len(self.leaves) + 1}"
        self.lines.append(f"{name} = {text.format(self.draw.number())}")
        self.leaves.append(name)
        self._values.append(name)

    def _any(self):
        return self.draw.one_of(self._values[-3:] if self.draw.chance(0.6) else self._values)

    def _step(self, name):
        a, b = self._any(), self._any()
        forms = [f"{a} {sign} {b}" for sign in "+*-"] + [f"{a} * {a}", f"{a} * 0.5", f"{a} + 1", f"-{a}", f"{a}.tanh()"]
        operands = [a, b, *(self._any() for _ in range(self.draw.one_of([0, 3])))]
        form = self.draw.one_of([*forms, *[f"torch.cat([{', '.join(operands)}]).chunk({len(operands)})"] * 2])
        self.lines.append(f"{name} = {form}")
        results = [f"{name}[{output}]" for output in range(len(operands))] if "chunk" in form else [name]
        self._values += results
        self.root = results[-1]

    @property
    def text(self):
        return "; ".join([*self.lines, f"the result is {self.root}"])

    def run(self):
        """Run the lines and return {name: what it is}, with the result under "root"."""
        names = dict(self._names)
        exec("\n".join(self.lines), names)
        found = {name: names[name] for name in re.findall(r"\b[xcv]\d+\b(?= =)", "\n".join(self.lines))}
        return {**found, "root": eval(self.root, names)}


class Changed(Graph):
    """A Graph that is run twice; the second time its result, the same Variable, has another creator."""

    def __init__(self, seed, **options):
        super().__init__(seed, leaves=3, lines=["v1 = x1 * x2"], root="v1", **options)
        self._found = None

    def run(self):
        if self._found is None:
            self._found = super().run()
        else:
            self._found["root"].add_(self._found["x3"])
            self.lines.append("v1.add_(x3)")
        return self._found


def with_the_id(wanted, make, id_of=id):
    """Return what `make()` returns, made until it has the id of an object that is gone, 100 times at most."""
    others = [make()]
    while id_of(others[-1]) != wanted and len(others) < 100:
        others.append(make())
    return others[-1]


class Gone(Graph):
    """A Graph that is run twice; the second time its result has the id of the first, which is gone.

    `of` is the attribute of the result that has it, "creator" for example; without that attribute it is the result.
    """

    def __init__(self, seed, of, **options):
        super().__init__(seed, leaves=2, lines=["v1 = x1 * 2", "v2 = v1 * v1"], root="v2", **options)
        self._of, self._found = of, None

    def run(self):
        if self._found is None:
            found = super().run()
            self._id = self._id_of(found["root"])
            self._found = {name: value for name, value in found.items() if name not in ("v2", "root")}
            return found
        self.lines[-1] = "v2 = x2 * x2"
        x = self._found["x2"]
        return {**self._found, "root": with_the_id(self._id, lambda: x * x, self._id_of)}

    def _id_of(self, root):
        return id(getattr(root, self._of, root))


def graphs(seed, answer, **options):
    """Yield Graphs as `graphs_once` does, one twice, whose result has another creator then, and two Gone twice."""
    changed = Changed([seed, len(STEPS) + 3], **options)
    yield from [*graphs_once(seed, answer, **options), changed, changed]
    for of in ("the result itself", "creator"):
        gone = Gone([seed, len(STEPS) + 3], of, **options)
        yield gone
        yield gone


def graphs_once(seed, answer, **options):
    """Yield Graphs of all lengths in STEPS, a chain of 280 steps, a product of nine, and those that a fault needs.

    With a `constant` one has several of them, which meet in one operation. The last have an operation of 301 operands
    and a chain of as many, and of more than each number in the code of the answer.
    """
    for number, steps in enumerate(STEPS):
        yield Graph([seed, number], steps, **options)
    # The one way to the first leaf is long, and one operation is used at both ends of it.
    lines = ["v1 = x2 * 2", "v2 = v3 = x1 + v1"]
    lines.append("for number in range(280): v2, v3 = v3, v3 + x2 if number % 7 else v3 * 0.5")
    lines.append("v4 = v3 + v2 + v1 + x3")
    yield Graph([seed, len(STEPS)], leaves=3, lines=lines, root="v4", **options)
    lines = ["v1 = torch.cat([c2, c3, c4])", "v2 = v1 * 2", "v3 = v1 * 3", "v4 = v2 + v3", "v5 = torch.cat([v4, x1])"]
    for root in ("v1", "v4", "v5") if options.get("constant") else ():
        yield Graph([seed, len(STEPS) + 4], leaves=1, constants=3, lines=lines, root=root, **options)
    product = " * ".join([f"x{number}" for number in range(1, 10)] + ["c10"] * ("constant" in options))
    yield Graph([seed, len(STEPS) + 6], leaves=9, lines=[f"v1 = {product}"], root="v1", **options)
    for shape in ("[{}]", "[[{}]]"):
        leaf = options.get("leaf", LEAF).replace("[{}]", shape)
        same = Graph([seed, len(STEPS) + 2], leaves=2, **{**options, "leaf": leaf})
        # A leaf with the same numbers in memory, in this package or in modern torch, and equal operations.
        second = "{}.detach().requires_grad_()" if "leaf" in options else "Variable({}.data)"
        same.lines.append(f"x0 = {second.format('x2')}")
        same.leaves.append("x0")
        same.lines += ["v1 = x0 * 2", "v2 = x0 * 2", "v3 = x2 * 2", "v4 = v1 + v2", "v5 = v4 + v3"]
        same.lines += ["v6 = x1 * x0", "v7 = x1 * x0", "v8 = v5 + v6 + v7"]
        same.root = "v8"
        if "leaf" not in options:  # a Function of this package with two outputs
            same.lines.append("v9 = LSTMGates()(torch.cat([v8, v4, v3, v2]).view(1, 4), x0.view(1, 1))")
            same.root = "v9[1]"
        yield same
    further = [(count, "sums") for count in beyond(answer) if count <= 60]
    for count, of_all in ((5, "sums"), (5, "parts"), (12, "sums"), *further):
        names = [f"v{number}" for number in range(1, count + 1)]
        wide = Graph([seed, len(STEPS) + 1], leaves=count, **options)
        wide.lines += [f"{name} = {leaf} * {name[1:]}" for name, leaf in zip(names, wide.leaves)]
        first, second, third = (f"v{count + more}" for more in (1, 2, 3))
        if of_all == "sums":
            wide.lines += [f"{first} = {' + '.join(names)}", f"{second} = {' * '.join(names)}"]
            wide.lines.append(f"{third} = {first} + {second}{f' + {names[0]}' * (count > 5) * count}")
        else:
            wide.lines.append(f"{first} = torch.cat([{', '.join(names)}]).chunk({count})")
        wide.root = third if of_all == "sums" else f"{first}[3]"
        yield wide
    for count in (301, *beyond(answer)):
        lines = [f"v1 = torch.cat([x1] * {count - 1} + [x2]).chunk({count})", f"v2 = v1[{count - 1}]"]
        lines.append(f"for _ in range({count}): v2 = v2 + x1")
        yield Graph([seed, len(STEPS) + 5], leaves=2, lines=lines, root="v2", **options)
