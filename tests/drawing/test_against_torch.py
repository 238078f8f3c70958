"""The drawn graph is the graph: read back from the DOT, it is what modern torch links together for the same program."""

import contextlib
import types

import pytest

from legacy_autograd import drawing

from .graphs import TORCHS_NAME, Modern, Ours, Parsed, random_program


@pytest.mark.parametrize("recorded", [False, True])
def test_what_is_drawn_is_modern_torchs_graph_for_200_random_programs(recorded):
    drawn = several = 0
    for seed in range(200):
        program = random_program(seed)
        with drawing.record() if recorded else contextlib.nullcontext():
            leaves, roots = program(Ours)
        their_leaves, their_roots = program(Modern)
        assert len(roots) == len(their_roots)
        if not roots:
            continue
        names = {f"leaf {i}": leaf for i, leaf in enumerate(leaves)} | {
            f"root {i}": root for i, root in enumerate(roots)
        }
        parsed = Parsed(drawing.make_dot(tuple(roots), names))
        pairs = [(node_of_root(parsed, i), root.grad_fn, root.output_nr) for i, root in enumerate(their_roots)]
        nodes = compare(parsed, pairs, {id(leaf): f"leaf {i}" for i, leaf in enumerate(their_leaves)})
        drawn += len(nodes)
        several += sum(number > 0 for node in nodes for _, number in parsed.inputs.get(node, {}).values())
    assert drawn > 1500 and several > 50, "the programs have become too small to prove anything"


@pytest.mark.parametrize(
    ("line", "wrong"), [("input 1", "input 0"), ("f1 -> f3", "f2 -> f3"), ('label="Sub #3', 'label="Add #3')]
)
def test_the_comparison_notices_a_wrong_drawing(line, wrong):
    def run(library):
        a, b = library.leaf([[1.0]], True), library.leaf([[2.0]], True)
        return [a, b], [a - b]

    (leaves, roots), (their_leaves, their_roots) = run(Ours), run(Modern)
    names = {"leaf 0": leaves[0], "leaf 1": leaves[1], "root 0": roots[0]}
    leaf_names = {id(leaf): f"leaf {i}" for i, leaf in enumerate(their_leaves)}

    def check(source):
        parsed = Parsed(types.SimpleNamespace(source=source))
        compare(parsed, [("v3_0", their_roots[0].grad_fn, 0)], leaf_names)

    source = drawing.make_dot(roots[0], names).source
    check(source)
    assert line in source
    with pytest.raises((AssertionError, KeyError)):
        check(source.replace(line, wrong))


def node_of_root(parsed, number):
    (node,) = [name for name, label in parsed.label.items() if label.startswith(f"root {number}\\n")]
    return node


def compare(parsed, roots, leaf_names):
    """Walk both graphs at once, from the roots; every node must meet the same one each time."""
    partner, stack, known = {}, [], {}
    for output, grad_fn, output_nr in roots:
        function, _, number = output[1:].partition("_")
        assert int(number) == output_nr
        stack.append((f"f{function}", grad_fn))
    while stack:
        node, grad_fn = stack.pop()
        if node in partner:
            assert partner[node] is grad_fn
            continue
        assert grad_fn not in partner.values()
        partner[node] = grad_fn
        assert TORCHS_NAME[parsed.class_name(node)] == type(grad_fn).__name__
        if parsed.class_name(node) == "Leaf":
            assert parsed.label[node].partition(" #")[0] == leaf_names[id(grad_fn.variable)]
        inputs = {
            position: source
            for position, source in parsed.inputs.get(node, {}).items()
            if parsed.requires_grad(source[0], known)
        }
        theirs = {p: edge for p, edge in enumerate(grad_fn.next_functions) if edge[0] is not None}
        assert inputs.keys() == theirs.keys(), parsed.label[node]
        for position, (source, number) in inputs.items():
            assert number == theirs[position][1]
            stack.append((source, theirs[position][0]))
    return partner
