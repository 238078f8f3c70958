"""The page computes a small graph again after a leaf has changed: the script run by node, against the package."""

import json
import subprocess

import numpy
import pytest

from legacy_autograd import drawing, nn
from legacy_autograd.autograd import Function, Variable
from legacy_autograd.autograd.functions import cat
from legacy_autograd.drawing import operations
from legacy_autograd.tensor import Tensor

from .graphs import Ours, random_program
from .test_questions import FILES, NODE

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")

HARNESS = """
"use strict";
const page = {};
%s
const cases = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const results = cases.map(({ nodes, operations, leaves }) => page.recompute.run(nodes, operations, leaves));
console.log(JSON.stringify(results));
"""


def recomputed(cases):
    """[{values, grads, sent}] of the cases (trace, {number of a leaf: its numbers})."""
    script = HARNESS % FILES.joinpath("recompute.js").read_text(encoding="utf-8")
    data = []
    for trace, leaves in cases:
        assert "refused" not in trace.operations, trace.operations
        nodes = {
            number: {"leaf": n.is_leaf, "inputs": n.inputs, "sizes": n.sizes, "requires_grad": n.requires_grad}
            for number, n in trace.nodes.items()
        }
        data.append({"nodes": nodes, "operations": trace.operations, "leaves": leaves})
    done = subprocess.run([NODE, "-e", script], input=json.dumps(data), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(pairs):
    """Compare the page's numbers with those of the package, for pairs (trace, trace of the same program elsewhere)."""
    found = recomputed([(trace, other.operations["leaves"]) for trace, other in pairs])
    for (_, other), result in zip(pairs, found, strict=True):
        for number, node in other.nodes.items():
            for numbers, record in zip(result["values"][str(number)], node.values or (), strict=False):
                if record is not None:
                    numpy.testing.assert_allclose(numbers[:16], record["values"], rtol=1e-12, atol=1e-14)
        for step in other:
            if step.event == "accumulate":
                numbers = result["grads"][str(step.function)][0]
                numpy.testing.assert_allclose(numbers[:16], step.gradient["values"], rtol=1e-10, atol=1e-13)
            elif step.event == "pop":
                for numbers, record in zip(result["grads"][str(step.function)], step.gradients):
                    if numbers is not None:
                        numpy.testing.assert_allclose(numbers[:16], record["values"], rtol=1e-10, atol=1e-13)


def traced(program, *leaves):
    variables = [Variable(Tensor(leaf), requires_grad=requires) for leaf, requires in leaves]
    with drawing.record():
        result = program(*variables)
    size = result.data.array.shape
    return drawing.trace_backward(result, Tensor(numpy.arange(1.0, 1 + result.data.array.size).reshape(size)))


A, B = numpy.array([[0.5, -1.5, 2.0]]), numpy.array([[1.25], [0.75]])
PROGRAMS = {
    "diamond": (lambda x, y: x * y + (x + y), [2.0], [3.0]),
    "broadcast": (lambda a, b: (a * b - a / b + (b - 3) * a).sum(), A, B),
    "constants": (lambda a: (2 - a) * (3 / (a + 5)) + a**3 - a / 4 + 2.0**a, A),
    "pow": (lambda a, b: (a * a) ** b, A, B),
    "cmax": (lambda a, b: a.cmax(b).sum() + a.cmin(b).sum(), A, B),
    "trigonometry": (lambda a: a.sin() * a.cos() + a.tan() + a.atan() + (a / 3).asin() + (a / 3).acos(), A),
    "exponentials": (lambda a: a.exp() + a.sinh() * a.cosh() + a.tanh() * a.sigmoid() - a.abs(), A),
    "roots": (lambda b: b.sqrt() * b.log() + b.rsqrt() + b.log1p() + b.reciprocal(), B),
    "relu": (lambda a: nn.functional.relu(a) * a, A),
    "matrices": (lambda a, b: b.mm(a).t().mm(b).sum(), A, B),
    "linear": (lambda a, b: nn.functional.linear(a.expand(2, 3), b.expand(2, 3), b.view(2)), A, B),
    "shapes": (lambda a, b: cat([a.view(3), b.view(2)], 0).mean() * a.select(1, 1) + b.narrow(0, 1, 1), A, B),
    "parts": (lambda a: a.chunk(3, 1)[0] * a.chunk(3, 1)[2] - a.sum(1).expand(1, 1), A),
    "one output": (lambda a: a.t().chunk(3, 0)[1] * 2, A),
}


@needs_node
def test_values_and_gradients_are_the_packages_after_any_leaf_changed():
    pairs = []
    for program, *leaves in PROGRAMS.values():
        leaves = [numpy.array(leaf) for leaf in leaves]
        before = traced(program, *[(leaf, True) for leaf in leaves])
        pairs += [(before, before), (before, traced(program, *[(leaf * 0.7 + 0.2, True) for leaf in leaves]))]
        half = [(leaf, place == 0) for place, leaf in enumerate(leaves)]  # the second one needs no gradient
        some = traced(program, *half)
        if "refused" not in some.operations:  # Concat leaves out the gradient of an input that needs none
            pairs.append((some, traced(program, *[(leaf * 0.9 + 0.1, needs) for leaf, needs in half])))
    assert (
        len({trace.operations["operations"][n][0] for trace, _ in pairs for n in trace.operations["operations"]}) > 28
    )
    check(pairs)


class Elsewhere(Ours):
    @staticmethod
    def leaf(numbers, requires_grad):
        return Ours.leaf(numbers * 0.8 + 0.15, requires_grad)


@needs_node
def test_random_graphs():
    pairs, seeds = [], 0
    for seed in range(60):
        program = random_program(seed)
        made = [program(library) for library in (Ours, Elsewhere)]  # (leaves, roots)
        root = made[0][1][0]
        gradient = Tensor(numpy.ones(root.data.array.shape))
        traces = [drawing.trace_backward(roots[0], gradient) for _, roots in made]
        if "refused" not in traces[0].operations:
            pairs.append(traces)
        seeds += 1
    assert len(pairs) > 0.8 * seeds > 40
    check(pairs)


class Twice(Function):
    def forward(self, x):
        return x.mul(2)

    def backward(self, grad):
        return grad.mul(2)


def hooked():
    y = Variable(Tensor([1.0])) * 2
    y.register_hook(lambda grad: grad)
    return y


REFUSED = {
    "unknown": (lambda: Twice()(Variable(Tensor([1.0])))[0], {"label": "Twice #2"}),
    "hook": (hooked, {"label": "MulConstant #2"}),
    "too_large": (lambda: Variable(Tensor(41).fill_(1)).sum(), {"label": "Leaf #1", "most": operations.MOST_ELEMENTS}),
    "no_numbers": (lambda: Variable(Tensor(20).fill_(1)).sum(), {"label": "Leaf #1"}),  # the leaf is gone
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_graph_that_the_page_cannot_compute_says_why(why):
    build, fields = REFUSED[why]
    assert drawing.trace_backward(build()).operations == {"refused": {"why": why, **fields}}
