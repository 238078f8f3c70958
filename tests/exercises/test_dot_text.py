"""How exercise 9 reads a drawing: as Graphviz does, and whatever the names and the order of the nodes are."""

import random

import pytest

from legacy_autograd.drawing import layout
from legacy_autograd.exercises.checks import dot_text
from legacy_autograd.exercises.checks.drawing import _fingerprint as fingerprint

_PIECES = [
    "{", "}", "->", "--", "[", "]", "[label=a]", '[label="2x3",style=filled]', "a", "n0", "0n", "1", "2.5", "-.5", "-",
    "3.", "2.3.4", "ü", '"q r"', '"a\\"b"', "=", ";", ",", "# x\n", "// c\n", "/* d */", "node", "Edge", '"node"',
    "rankdir=LR", "[a=b;c=d,]", '"', "+", "strict", "\f",
]  # fmt: skip


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_dot_takes_every_text_that_the_checks_take(count):
    """Random texts: what the strict reader accepts, Graphviz reads without a warning."""
    if layout.engine() != "dot":
        pytest.skip("Graphviz' dot is not installed")
    draw, accepted = random.Random(count), []
    while len(accepted) < count:
        between = draw.choice([" ", " ", "", "\n"])
        pieces = [draw.choice(_PIECES) for _ in range(draw.randint(0, 7))]
        text = between.join([draw.choice(["digraph {", "Digraph g{", 'digraph "x y"\n{']), *pieces, "}"])
        try:
            dot_text.read(text)
            accepted.append(text)
        except dot_text.Unreadable:
            pass
    assert dot_text.refused_by_graphviz(accepted) is None


def test_graphviz_names_the_text_that_it_refuses():
    if layout.engine() != "dot":
        pytest.skip("Graphviz' dot is not installed")
    text, why = dot_text.refused_by_graphviz(["digraph { a }", "digraph { a [label=2x3] }", "digraph { b }"])
    assert text == "digraph { a [label=2x3] }" and "2x" in why


@pytest.mark.parametrize(
    "source, reason",
    [
        ("graph { a -- b }", "does not begin with the word digraph"),
        ("strict digraph { a -> b }", "draws two edges"),
        ("digraph { a -> }", "an edge has no end"),
        ("digraph { a -- b }", "is written ->"),
        ("digraph { a [label] }", "is not written name=value"),
        ("digraph { a [label=2x3] }", "put the word in quotes, near '2x3"),
        ("digraph { 0n -> 1n }", "put the word in quotes, near '0n"),
        ("digraph { a", "the graph is not enclosed in { and }"),
        ("digraph { a } digraph { b }", "there is more behind the graph"),
        ("digraph { ;; }", "is not the start of a node or an edge"),
        ("digraph { node }", "needs attributes"),
        ("digraph { a -> b [dir=both] }", "does not show a direction"),
        ("digraph { subgraph x { a } }", "is not the start of a node or an edge"),
        ("digraph { a -> ü% }", "cannot be read"),
        ("", "digraph"),
    ],
)
def test_dot_that_cannot_be_read(source, reason):
    with pytest.raises(dot_text.Unreadable, match=reason):
        dot_text.read(source)


def test_dot_in_all_its_spellings():
    graph = dot_text.read(
        'Digraph "My graph" {\n  // words\n  node [style=filled]; rankdir=LR\n  a [label="x \\"y\\"" fillcolor=blue]\n'
        "  a -> b -> c [color=red]; b -> a [dir=back] /* again */ # and this\n}"
    )
    assert graph.nodes["a"] == {"style": "filled", "label": 'x "y"', "fillcolor": "blue"}
    assert graph.edges == [("a", "b"), ("b", "c"), ("a", "b")]


def test_the_fingerprint_of_a_drawing_is_that_of_its_graph():
    labels, edges = {"a": "Mul", "b": "leaf", "c": "leaf"}, [("b", "a"), ("c", "a"), ("c", "a")]
    one = fingerprint(labels, edges)
    assert one == fingerprint({"3": "leaf", "2": "leaf", "1": "Mul"}, [("2", "1"), ("3", "1"), ("2", "1")])
    assert one != fingerprint(labels, edges[1:]) and one != fingerprint(labels, [(b, a) for a, b in edges])
