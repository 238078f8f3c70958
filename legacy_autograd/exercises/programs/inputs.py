"""Random inputs of the short exercises: tensors of both types, of several sizes and layouts, and graphs.

Their number and their seeds are fixed, so each answer is judged by the same inputs each time. They begin small: the
first input that an answer gets wrong is among the smallest.
"""

import types

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...tensor import DoubleTensor, FloatTensor
from . import dimensions

SIZES = ((1,), (3,), (2, 3), (2, 1, 2), (0,), (3, 2), (4,), (1, 2))
STEPS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22)  # lengths of graphs
NAMES = {"DoubleTensor": DoubleTensor, "FloatTensor": FloatTensor, "Variable": Variable}


class Draw(dimensions.Draw):
    """Draws numbers and the texts of tensors from a seed."""

    def __init__(self, seed):
        super().__init__(seed, {})

    def number(self):
        """Return a quarter from -2 to 2 that is not 0."""
        return self.one_of([quarter / 4 for quarter in range(-8, 9) if quarter])

    def tensor(self, kind, size, layouts=("contiguous", "transposed", "expanded", "strided")):
        """Return the text of a tensor of quarters from -2 to 2, such as `DoubleTensor([[1.0, 2.0]]).expand(3, 2)`."""
        array = self.numbers(size, "ordinary")
        if self.chance(0.2):
            array = array - array[::-1]  # the sum is 0, and so is a single number
        possible = {"contiguous": True, "transposed": len(size) > 1, "expanded": len(size) > 1, "strided": array.size}
        layout = self.one_of([layout for layout in layouts if possible[layout]])
        return dimensions.laid_out(kind, array, layout)


def programs(seed, sizes=SIZES):
    """Yield a Draw, a type and a size of tensors: each size with each type."""
    for number, size in enumerate([size for size in sizes for _ in range(2)]):
        yield Draw([seed, number]), ("DoubleTensor", "FloatTensor")[number % 2], size


def made(text):
    """Return the tensor of a text."""
    return eval(text, dict(NAMES))


# --- graphs

CONSTANT = "Variable(DoubleTensor([{}]), requires_grad=False)"


class Graph:
    """A program that computes with Variables: `lines`, the names that they make, and the name of the result, `root`.

    The result is a leaf if there are no steps. A step uses late results more often, so graphs are deep and have
    diamonds. `leaf` is the text of a leaf with `{}` for its number, and `constant` that of one without a gradient.
    """

    def __init__(self, seed, steps, leaf="Variable(DoubleTensor([{}]))", constant=None, names=None, leaves=None):
        self.draw = Draw(seed)
        self.lines, self.leaves, self._values = [], [], []
        self._names = {**NAMES, "torch": types.SimpleNamespace(cat=cat), **(names or {})}
        for _ in range(leaves or self.draw.whole(1, 2 + steps // 3)):
            self._leaf("x", leaf)
        if constant:
            self._leaf("c", constant)
        self.root = self.leaves[0]
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
        found = {name: names[name] for name in (line.partition(" ")[0] for line in self.lines)}
        return {**found, "root": eval(self.root, names)}


def graphs(seed, **options):
    """Yield Graphs of all lengths in STEPS, a chain of 60 steps, and two of five results side by side."""
    for number, steps in enumerate(STEPS):
        yield Graph([seed, number], steps, **options)
    deep = Graph([seed, len(STEPS)], 0, leaves=3, **options)
    first, second, third, *_ = deep.leaves
    deep.lines.append(f"v1 = {first} * 0.5")  # the one way to the first leaf is long
    for number in range(2, 62):
        deep.lines.append(f"v{number} = v{number - 1} {'* 0.5' if number % 7 else f'+ {second}'}")
    deep.lines.append(f"v62 = v61 + v60 + v58 + {third}")
    deep.root = "v62"
    yield deep
    five = [f"v{number} = {{}} * {number}" for number in range(1, 6)]
    waiting = ["v6 = v1 + v2 + v3 + v4 + v5", "v7 = v1 * v2 * v3 * v4 * v5", "v8 = v6 + v7"]
    for lines, root in ((waiting, "v8"), (["v6 = torch.cat([v1, v2, v3, v4, v5]).chunk(5)"], "v6[3]")):
        wide = Graph([seed, len(STEPS) + 1], 0, leaves=5, **options)
        wide.lines += [line.format(leaf) for line, leaf in zip(five, wide.leaves)] + lines
        wide.root = root
        yield wide
