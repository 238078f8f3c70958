"""Exercise 9: from previous_functions to DOT."""

import itertools
import re
from collections import Counter

from .. import template
from ..model import Exercise, Wrong, plain
from . import dot_text
from .programs import PROGRAMS, root_of, words
from .support import leaf

exercise = Exercise(title="Drawing the graph", minutes=50, groups=template.groups("09_drawing"))


@exercise.probe
def drawn(answer, program):
    return {"text": text_of(answer, root_of(PROGRAMS[program]()))}


@exercise.probe
def drawn_sizes(answer):
    """Leaves of several sizes, with and without a gradient."""
    x, c = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), leaf([[1.0], [2.0]], requires_grad=False)
    return {"text": text_of(answer, (x * c).view(3, 2).t())}


@exercise.probe
def drawn_twice(answer, program):
    """The texts of two runs of one program, with other things made in between."""
    first = text_of(answer, root_of(PROGRAMS[program]()))
    kept = [leaf([1.0]) for _ in range(100)]
    second = text_of(answer, root_of(PROGRAMS[program]()))
    return {"same": first == second, "texts": [first, second], "kept": len(kept)}


@exercise.probe
def drawn_chain(answer, length):
    x = leaf([2.0])
    for _ in range(length):
        x = x + 0
    return {"text": text_of(answer, x)}


def text_of(answer, variable):
    text = answer.to_dot(variable)
    return text if isinstance(text, str) else plain(getattr(text, "source", text))  # or a graphviz.Digraph


def read(trial, probe, on, **inputs):
    """The graph that the student's text describes."""
    text = trial.ask(probe, on, **inputs)["text"]
    if not isinstance(text, str):
        raise Wrong(on, "a text", f"{text}", "to_dot returns the text, a str")
    try:
        return dot_text.read(text)
    except dot_text.Unreadable as reason:
        raise Wrong(on, "a text in DOT", "a text that cannot be read", str(reason), kind="unreadable") from None


def label(graph, name):
    return graph.nodes[name].get("label", name)


def counted(labels):
    """`Add, 2 times Mul` for a collection of labels, or of pairs of them."""
    words = []
    for what, times in sorted(Counter(labels).items()):
        what = " -> ".join(what) if isinstance(what, tuple) else what
        words.append(what if times == 1 else f"{times} times {what}")
    return ", ".join(words) or "nothing"


def check_nodes(program, labels, because=None, hidden=False):
    """Register a check that there is a node for each of `labels`."""

    @exercise.check("nodes", hidden, name=f"nodes_{program}", title=words(program))
    def run(trial):
        graph = read(trial, drawn, words(program), program=program)
        found, expected = [label(graph, name) for name in graph.nodes], labels.split()
        if sorted(found) != sorted(expected):
            why = because
            if len(found) > len(expected):
                why = "a Function that was met on another way is drawn again; it has its node already"
            elif {name for name in graph.nodes if "label" not in graph.nodes[name]}:
                why = "a node without a label shows its name in DOT"
            elif sorted(found) == sorted(label for label in expected if not label[0].isdigit()):
                why = "the leaves are missing: they are Functions too, those without previous_functions"
            raise Wrong(words(program), f"nodes {counted(expected)}", f"nodes {counted(found)}", why)
        again = [name for name, times in Counter(graph.declared).items() if times > 1]
        if again:
            sentence = "one statement is enough, also for a Function that is used several times"
            raise Wrong(words(program), "one statement for every node", f"{len(again)} nodes with several", sentence)


def check_edges(program, edges, hidden=False):
    """Register a check of the edges, given as "1>Mul" by the labels of both ends."""

    @exercise.check("edges", hidden, name=f"edges_{program}", title=words(program))
    def run(trial):
        graph = read(trial, drawn, words(program), program=program)
        found = [(label(graph, one), label(graph, other)) for one, other in graph.edges]
        expected = [tuple(edge.split(">")) for edge in edges.split()]
        if sorted(found) != sorted(expected):
            why = None
            if sorted((other, one) for one, other in found) == sorted(expected):
                why = "these edges point backwards; the data went from the operand to the operation"
            elif sorted(set(found)) == sorted(set(expected)) and len(found) < len(expected):
                why = "an operand that is used twice by one operation has two edges"
            elif sorted(set(found)) == sorted(set(expected)) and len(found) > len(expected):
                why = "an edge is drawn again whenever its Function is met; draw those of each Function once"
            raise Wrong(words(program), f"edges {counted(expected)}", f"edges {counted(found)}", why)


check_nodes("chain", "1 MulConstant AddConstant")
check_nodes("square", "1 Mul", "x is one leaf, though it is used twice")
check_nodes("diamond_on_a_stem", "1 MulConstant MulConstant MulConstant Mul")
check_nodes("lopsided", "1 Mul MulConstant MulConstant Add", hidden=True)
check_nodes("both_outputs", "1 Pair Mul", "Pair is one Function, though it has two outputs", hidden=True)
check_nodes("constant_part", "1 1 1 Mul Mul Add", "what requires no gradient is part of the graph too", hidden=True)
check_nodes("nothing_but_a_leaf", "1", hidden=True)
check_edges("chain", "1>MulConstant MulConstant>AddConstant")
check_edges("square", "1>Mul 1>Mul")
_STEM = "1>MulConstant MulConstant>MulConstant MulConstant>MulConstant MulConstant>Mul MulConstant>Mul"
check_edges("diamond_on_a_stem", _STEM, hidden=True)
check_edges("lopsided", "1>Mul 1>Mul Mul>MulConstant MulConstant>MulConstant MulConstant>Add Mul>Add", hidden=True)
check_edges("both_outputs", "1>Pair Pair>Mul Pair>Mul", hidden=True)
check_edges("doubled_twice", "1>Add 1>Add Add>Add Add>Add", hidden=True)


def exchange(line, one, other):
    """The line with two colours exchanged."""
    return re.sub(rf"\(({one}|{other})\)", lambda match: f"({other if match[1] == one else one})", line)


def check_colors(trial, probe, on, expected, **inputs):
    """Compare labels with colours; where there is no fillcolor, Graphviz fills with color."""
    graph = read(trial, probe, on, **inputs)
    found = sorted(
        f"{label(graph, name)} ({attributes.get('fillcolor', attributes.get('color', 'without a colour'))})"
        for name, attributes in graph.nodes.items()
    )
    if found != sorted(expected):
        why = None
        if any("(1," in line or ", " in line for line in found):
            why = 'a leaf of size (2, 3) is labelled "2x3"'
        elif any(line.startswith("Leaf") for line in found):
            why = "the label of a leaf is its size, not the name of its class"
        else:
            for one, other in itertools.combinations(("lightblue", "lightgreen", "yellow"), 2):
                if sorted(exchange(line, one, other) for line in found) == sorted(expected):
                    why = f"these two colours are exchanged: {one} and {other}"
        raise Wrong(on, f"nodes {', '.join(sorted(expected))}", f"nodes {', '.join(found)}", why)
    for attributes in graph.nodes.values():
        if "filled" not in attributes.get("style", ""):
            style = f"style={attributes.get('style')}"
            raise Wrong(on, "style=filled for every node", style, "only then fillcolor shows")


@exercise.check("looks")
def leaves_and_operations(trial):
    """Operations, leaves and constants have their labels and colours."""
    check_colors(
        trial, drawn_sizes, "(x * c).view(3, 2).t(), with x of size 2x3 and c of size 2x1, a constant",
        ["2x1 (yellow)", "2x3 (lightgreen)", "Mul (lightblue)", "Transpose (lightblue)", "View (lightblue)"],
    )  # fmt: skip


@exercise.check("looks", hidden=True)
def results_of_constants(trial):
    """An operation is blue, whether it requires a gradient or not."""
    check_colors(
        trial, drawn, words("constant_part"),
        ["1 (lightgreen)", "1 (yellow)", "1 (yellow)", "Mul (lightblue)", "Mul (lightblue)", "Add (lightblue)"],
        program="constant_part",
    )  # fmt: skip


def check_same(program, hidden):
    title = f"the same text for the same program: {words(program)}"

    @exercise.check("text", hidden, name=f"same_{program}", title=title)
    def run(trial):
        on = f"{words(program)}; run twice"
        found = trial.ask(drawn_twice, on, program=program)
        if not found["same"]:
            first, second = found["texts"]
            lines = itertools.zip_longest(str(first).splitlines(), str(second).splitlines(), fillvalue="")
            line = next((one, other) for one, other in lines if one != other)
            why = "a number that id() gives is another one in every run; so is the order in a set"
            raise Wrong(on, "the same text", f"{line[0].strip()!r} the first time, {line[1].strip()!r} the second", why)
        read(trial, drawn, words(program), program=program)


check_same("diamond", hidden=False)
check_same("leaf_in_many_places", hidden=True)


@exercise.check("large")
def diamonds(trial):
    """30 diamonds."""
    graph = read(trial, drawn, words("ladder"), program="ladder")
    _check_counts(graph, words("ladder"), 91, 120)


@exercise.check("large", hidden=True)
def long_chain(trial):
    """5,000 operations in a row."""
    on = "a chain of 5,000 additions"
    _check_counts(read(trial, drawn_chain, on, length=5000), on, 5001, 5000)


def _check_counts(graph, on, nodes, edges):
    if (len(graph.nodes), len(graph.edges)) != (nodes, edges):
        raise Wrong(on, f"{nodes} nodes and {edges} edges", f"{len(graph.nodes)} nodes and {len(graph.edges)} edges")
