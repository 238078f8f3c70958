"""Exercise 9: from previous_functions to DOT."""

import itertools
import re
from collections import Counter

from .. import template
from ..model import Exercise, Wrong, shown
from ..observers.drawing import (
    drawn,
    drawn_again,
    drawn_at_random,
    drawn_chain,
    drawn_of_length,
    drawn_sizes,
    drawn_twice,
    random_graph,
)
from ..observers.programs import words
from . import dot_text

exercise = Exercise(title="Drawing the graph", minutes=50, groups=template.groups("09_drawing"))


def functions_of(variable):
    """Return all Functions behind a Variable, for the judge."""
    found = {variable.creator: None}
    waiting = list(found)
    while waiting:
        for previous, _ in waiting.pop().previous_functions:
            if previous not in found:
                found[previous] = None
                waiting.append(previous)
    return list(found)


def label_of(function):
    if function.previous_functions:
        return type(function).__name__
    return "x".join(map(str, function._output_sizes[0]))


def color_of(function):
    return "lightblue" if function.previous_functions else "lightgreen" if function.requires_grad else "yellow"


def places(labels, edges):
    """How often each label is in each place, where a place is what leads there: {node: label}, [(from, to)]."""
    known = dict(labels)
    for _ in range(12):
        before = {node: [] for node in known}
        for one, other in edges:
            before[other].append(known[one])
        known = {node: hash((labels[node], tuple(sorted(map(str, before[node]))))) for node in known}
    return Counter(known.values())


def read(trial, probe, on, **inputs):
    """Return the graph that the student's text describes."""
    found = trial.ask(probe, on, "a text in DOT", **inputs)
    if found["is"] != "str":
        raise Wrong(on, "a text", shown(found), "to_dot returns the text, a str")
    return graph_of(found["text"], on)


def graph_of(text, on):
    try:
        return dot_text.read(text)
    except dot_text.Unreadable as reason:
        raise Wrong(on, "a text in DOT", "a text that cannot be read", str(reason), kind="unreadable") from None


def label(graph, name):
    return graph.nodes[name].get("label", name)


def counted(labels):
    """Return `Add, 2 times Mul` for a collection of labels or of pairs of labels."""
    words = []
    for what, times in sorted(Counter(labels).items()):
        what = " -> ".join(what) if isinstance(what, tuple) else what
        words.append(what if times == 1 else f"{times} times {what}")
    return ", ".join(words) or "nothing"


def operation_or_leaf(label):
    return label if label.isidentifier() else "a leaf"


def operations_in(labels):
    return sorted(label for label in labels if not label[:1].isdigit())


def labels_or_number(found, expected):
    """Return why the labels `found` differ from `expected`."""
    if len(found) != len(expected):
        than = "more" if len(found) > len(expected) else "fewer"
        return f"there are {than} than the graph has: one node for every Function, one edge for every use"
    return "the count is correct and the labels are not: the class name for an operation, the shape for a leaf"


def check_nodes(program, labels, because=None, hidden=False):
    """Register a check that there is a node for each of `labels`."""

    @exercise.check("nodes", hidden, name=f"nodes_{program}", title=words(program))
    def run(trial):
        graph = read(trial, drawn, words(program), program=program)
        found, expected = [label(graph, name) for name in graph.nodes], labels.split()
        if sorted(found) != sorted(expected):
            why = because
            if len(found) > len(expected):
                why = "a Function that is reached on a second path already has a node; do not draw it again"
            elif {name for name in graph.nodes if "label" not in graph.nodes[name]}:
                why = "a node without a label shows its name in DOT"
            elif sorted(found) == operations_in(expected):
                why = "the leaves are missing: they are Functions with an empty previous_functions"
            elif {*found} == {*expected} and operations_in(found) == operations_in(expected):
                why = "two leaves of the same size are two nodes, also if both are constants"
            elif why is None:
                why = labels_or_number(found, expected)
            raise Wrong(words(program), f"nodes {counted(expected)}", f"nodes {counted(found)}", why)
        again = [name for name, times in Counter(graph.declared).items() if times > 1]
        if again:
            sentence = "one statement is enough, even for a Function with several uses"
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
                why = "these edges point backwards; the data flows from the operand to the operation"
            elif sorted(set(found)) == sorted(set(expected)) and len(found) < len(expected):
                why = "an operand that is used twice by one operation has two edges"
            elif any("label" not in graph.nodes[name] for edge in graph.edges for name in edge):
                why = "an edge leads to a node without a label, perhaps one that has no statement; it shows its name"
            elif sorted(set(found)) == sorted(set(expected)) and len(found) > len(expected):
                why = "an edge is drawn each time its Function is reached; draw the edges of each Function once"
            else:
                ends = [end for edge in expected for end in edge]
                why = labels_or_number([end for edge in found for end in edge], ends)
            raise Wrong(words(program), f"edges {counted(expected)}", f"edges {counted(found)}", why)


check_nodes("chain", "1 MulConstant AddConstant")
check_nodes("square", "1 Mul", "x is one leaf, although it is used twice")
check_nodes("diamond_on_a_stem", "1 MulConstant MulConstant MulConstant Mul")
check_nodes("lopsided", "1 Mul MulConstant MulConstant Add", hidden=True)
check_nodes("both_outputs", "1 Pair Mul", "Pair is one Function, although it has two outputs", hidden=True)
check_nodes("constant_part", "1 1 1 Mul Mul Add", "constants are part of the graph too", hidden=True)
check_nodes("nothing_but_a_leaf", "1", hidden=True)
check_edges("chain", "1>MulConstant MulConstant>AddConstant")
check_edges("square", "1>Mul 1>Mul")
_STEM = "1>MulConstant MulConstant>MulConstant MulConstant>MulConstant MulConstant>Mul MulConstant>Mul"
check_edges("diamond_on_a_stem", _STEM, hidden=True)
check_edges("lopsided", "1>Mul 1>Mul Mul>MulConstant MulConstant>MulConstant MulConstant>Add Mul>Add", hidden=True)
check_edges("both_outputs", "1>Pair Pair>Mul Pair>Mul", hidden=True)
check_edges("doubled_twice", "1>Add 1>Add Add>Add Add>Add", hidden=True)


def kind(label):
    """Return Join, Mix or "leaf"; the checks of looks test the shape of a leaf."""
    return label if label in ("Join", "Mix") else "a leaf"


@exercise.check("nodes", hidden=True)
def nodes_at_random(trial):
    """Random graphs of operations with one to seven operands: one node for every Function."""
    for seed in range(6):
        on = f"a random graph, of operations of one to seven operands (seed {seed})"
        found = read(trial, drawn_at_random, on, seed=seed)
        labels = [kind(label(found, name)) for name in found.nodes]
        expected = [kind(label_of(function)) for function in functions_of(random_graph(seed))]
        if sorted(labels) != sorted(expected):
            why = "one node for every Function, and two for two leaves of the same size"
            raise Wrong(on, f"nodes {counted(expected)}", f"nodes {counted(labels)}", why)


@exercise.check("edges", hidden=True)
def edges_at_random(trial):
    """Random graphs of operations with one to seven operands: one edge for every use, between the right nodes."""
    for seed in range(6):
        on = f"a random graph, of operations of one to seven operands (seed {seed})"
        graph = read(trial, drawn_at_random, on, seed=seed)
        functions = functions_of(random_graph(seed))
        links = [(previous, function) for function in functions for previous, _ in function.previous_functions]
        found = [(kind(label(graph, one)), kind(label(graph, other))) for one, other in graph.edges]
        expected = [(kind(label_of(one)), kind(label_of(other))) for one, other in links]
        if sorted(found) != sorted(expected):
            why = "one edge for every entry in previous_functions, however many an operation has"
            raise Wrong(on, f"edges {counted(expected)}", f"edges {counted(found)}", why)
        drawn_places = places({name: kind(label(graph, name)) for name in graph.nodes}, graph.edges)
        if drawn_places != places({function: kind(label_of(function)) for function in functions}, links):
            sentence = "the number of edges of each kind is correct, but they connect other nodes"
            raise Wrong(on, f"edges {counted(expected)}", "the same between other nodes", sentence)


def exchange(line, one, other):
    """Return the line with two colours exchanged."""
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
            why = "the label of a leaf is its shape, not the name of its class"
        else:
            for one, other in itertools.combinations(("lightblue", "lightgreen", "yellow"), 2):
                if sorted(exchange(line, one, other) for line in found) == sorted(expected):
                    why = f"these two colours are exchanged: {one} and {other}"
        if why is None and sorted(line.partition(" (")[0] for line in found) == sorted(
            line.partition(" (")[0] for line in expected
        ):
            why = "the labels are correct and the colours are not: blue for each operation, green or yellow for a leaf"
        elif why is None:
            why = labels_or_number(found, expected)
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


@exercise.check("looks", hidden=True)
def looks_at_random(trial):
    """Random graphs with leaves of one to three dimensions and results of constants."""
    for seed in range(6):
        functions = functions_of(random_graph(seed))
        expected = [f"{label_of(function)} ({color_of(function)})" for function in functions]
        on = f"a random graph, of leaves of one to three dimensions (seed {seed})"
        check_colors(trial, drawn_at_random, on, expected, seed=seed)


def check_same(program, hidden):
    title = f"the same text for the same program: {words(program)}"

    @exercise.check("text", hidden, name=f"same_{program}", title=title)
    def run(trial):
        on = f"{words(program)}; run twice"
        found = trial.ask(drawn_twice, on, "the same text", program=program)
        if not found["same"]:
            first, second = found["texts"]
            lines = itertools.zip_longest(str(first).splitlines(), str(second).splitlines(), fillvalue="")
            line = next((one, other) for one, other in lines if one != other)
            why = (
                "id() and os.getpid() give another number in each run; so do the order of a set and a counter that "
                "continues from the previous call"
            )
            raise Wrong(on, "the same text", f"{line[0].strip()!r} the first time, {line[1].strip()!r} the second", why)
        read(trial, drawn, words(program), program=program)


check_same("diamond", hidden=False)
check_same("leaf_in_many_places", hidden=True)


@exercise.check("text", hidden=True)
def order_of_lines(trial):
    """The order of the lines does not depend on the lengths of the leaves."""
    # The order of texts in a set changes from run to run, but not within one. It changes with the texts too.
    orders = []
    for length in range(1, 9):
        on = f"(x * y + x.exp()) * y.sigmoid() - c, with leaves of length {length}"
        graph = read(trial, drawn_of_length, on, length=length)
        orders.append([operation_or_leaf(label(graph, name)) for name in graph.declared])
        if orders[-1] != orders[0]:
            why = "the order of a set of strings changes from run to run: keep the lines in a list"
            words_of = [f"nodes in the order {', '.join(order)}" for order in (orders[0], orders[-1])]
            raise Wrong(on, f"{words_of[0]}, as with length 1", words_of[1], why)


@exercise.check("text", hidden=True)
def drawn_twice_and_used(trial):
    """A graph can be drawn twice, and backward still works."""
    on = f"{words('diamond')}; the same graph drawn twice, then z.backward()"
    found = trial.ask(drawn_again, on, "the same text twice, and x.grad = [60]", program="diamond")
    first, second = found["texts"]
    if first != second:
        why = "a second drawing must be equal: store nothing on the Functions or between calls"
        raise Wrong(on, "the same text twice", f"{shown(first)} and {shown(second)}", why)
    if found["x.grad"] != [60.0]:
        why = "to_dot must not change the graph: the backward after it must work"
        raise Wrong(on, "x.grad = [60]", f"x.grad = {shown(found['x.grad'])}", why)


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
        got = f"{len(graph.nodes)} nodes and {len(graph.edges)} edges"
        raise Wrong(on, f"{nodes} nodes and {edges} edges", got, "one node for every Function, one edge for every use")
