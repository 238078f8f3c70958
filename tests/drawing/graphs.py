"""Graphs for the tests: small ones, and random ones that modern torch computes with the same nodes."""

import re

import numpy
import torch

from legacy_autograd.autograd.functions import cat
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor import Tensor


def variable(*numbers, **options):
    return Variable(Tensor(list(numbers)), **options)


def diamond():
    x, y = variable(2.0), variable(3.0)
    return x, y, x * y + (x + y)


class Ours:
    cat = staticmethod(cat)

    @staticmethod
    def leaf(numbers, requires_grad):
        return Variable(Tensor(numbers), requires_grad=requires_grad)


class Modern:
    cat = staticmethod(torch.cat)

    @staticmethod
    def leaf(numbers, requires_grad):
        return torch.tensor(numbers, requires_grad=requires_grad)


# (how many operands, what size they need, the operation, our Function, torch's)
OPERATIONS = [
    (2, None, lambda t, a, b: [a + b], "Add", "AddBackward0"),
    (2, None, lambda t, a, b: [a - b], "Sub", "SubBackward0"),
    (2, None, lambda t, a, b: [a * b], "Mul", "MulBackward0"),
    (2, None, lambda t, a, b: [a / (b * 0 + 2)], None, None),
    (2, (2, 2), lambda t, a, b: [a.mm(b)], "Mm", "MmBackward0"),
    (2, (1, 2), lambda t, a, b: [t.cat([a, b], 0)], "Concat", "CatBackward0"),
    (1, (2, 2), lambda t, a: list(a.chunk(2, 0)), "Chunk", "SplitBackward0"),
    (1, (2, 2), lambda t, a: [a.transpose(0, 1)], "Transpose", "TransposeBackward0"),
    (1, (1, 2), lambda t, a: [a.expand(2, 2)], "Expand", "ExpandBackward0"),
    (1, None, lambda t, a: [a + 3], "AddConstant", "AddBackward0"),
    (1, None, lambda t, a: [a * 0.5], "MulConstant", "MulBackward0"),
    (1, None, lambda t, a: [a.sin()], "Sin", "SinBackward0"),
    (1, None, lambda t, a: [a.tanh()], "Tanh", "TanhBackward0"),
    (1, None, lambda t, a: [-a], "Negate", "NegBackward0"),
    (1, None, lambda t, a: [a.clone()], "Clone", "CloneBackward0"),
    (1, None, lambda t, a: [a.sum()], "Sum", "SumBackward0"),
]
TORCHS_NAME = {ours: theirs for *_, ours, theirs in OPERATIONS if ours} | {
    "Leaf": "AccumulateGrad",
    "Div": "DivBackward0",
}


def random_program(seed):
    """`run(library)` of a random program, which gives all its values; the last ones are its roots."""

    def run(library):
        rng = numpy.random.default_rng(seed)
        sizes = [(2, 2), (1, 2)]
        values = [library.leaf(rng.uniform(-1, 1, sizes[i % 2]), bool(rng.random() < 0.7)) for i in range(5)]
        leaves = list(values)
        for _ in range(rng.integers(5, 40)):
            count, size, operation, *_ = OPERATIONS[rng.integers(len(OPERATIONS))]
            fitting = [v for v in values if size is None or tuple(v.size()) == size]
            recent = fitting[-4:]  # so that most of the program leads to its roots; the same one twice, now and then
            picks = [recent[i] for i in rng.integers(0, len(recent), count)]
            values += operation(library, *picks)
        roots = [v for v in values[5:] if v.requires_grad][-int(rng.integers(1, 4)) :]
        return leaves, roots

    return run


NODE = re.compile(r'^\t(\w+) \[label=(?:"((?:[^"\\]|\\.)*)"|(\S+?)) (.*)\]$')
EDGE = re.compile(r"^\t(\w+) -> (\w+)(?: \[(.*)\])?$")


class Parsed:
    """A drawing read back from its DOT: nodes, and for each Function what its inputs are."""

    def __init__(self, dot):
        self.label, self.attributes, self.inputs = {}, {}, {}
        arrived_by = {}  # {output node: (Function node, output number)}
        edges = []
        for line in dot.source.splitlines():
            if match := NODE.match(line):
                name, quoted, bare, rest = match.groups()
                self.label[name] = quoted if quoted is not None else bare
                self.attributes[name] = rest
            elif match := EDGE.match(line):
                edges.append(match.groups())
            else:
                assert line.split()[0] in ("digraph", "graph", "node", "edge", "}"), line
        for tail, head, attributes in edges:
            label = re.search(r'label="([^"]*)"', attributes or "")
            sentence = re.search(r'tooltip="([^"]*)"', attributes or "")
            self._edge(tail, head, label[1].strip() if label else "", sentence[1] if sentence else "", arrived_by)
        assert all(list(numbered) == sorted(numbered) for numbered in self.inputs.values())

    def _edge(self, tail, head, label, sentence, arrived_by):
        if tail.startswith("s"):
            return
        output, input = re.fullmatch(r"output (\d+) of \w+(?: is input (\d+) of \w+)?", sentence).groups()
        which, _, name = label.rpartition(" → ")
        assert not label.isdigit() and which in ("", f"output {output}"), "a bare number is read as a gradient"
        assert not name.startswith("output") or name == f"output {output}"
        if head.startswith("v"):
            arrived_by[head] = (tail, int(output))
            return
        source = arrived_by.get(tail) or (tail, int(output) if tail[0] != "g" else 0)
        inputs = self.inputs.setdefault(head, {})
        position = int(input) if head[0] != "g" else len(inputs)  # a group's inputs are not numbered
        assert position not in inputs
        inputs[position] = source

    def class_name(self, node):
        """The class of a Function's node."""
        first, *others = self.label[node].split("\\n")
        return "Leaf" if others and others[0].startswith("Leaf ") else first.partition(" #")[0]

    def requires_grad(self, node, known=None):
        """Does the Function of the node require a gradient: is one of the leaves behind it green?"""
        known = {} if known is None else known
        stack = [node]
        while stack:
            current = stack[-1]
            inputs = [source for source, _ in self.inputs.get(current, {}).values()]
            waiting = [source for source in inputs if source not in known]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            known[current] = "#c3e6c5" in self.attributes[current] if not inputs else any(known[i] for i in inputs)
        return known[node]
