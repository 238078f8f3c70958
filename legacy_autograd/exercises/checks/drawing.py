"""Exercise 9: from previous_functions to DOT."""

import hashlib
import itertools
import re
from collections import Counter

from ..model import Exercise, Trouble, Wrong, shown
from ..observers.drawing import later
from ..programs import drawing as programs
from . import dot_text


def to_dot(variable):
    """Draw without a queue: the dictionary of names grows while it is walked."""
    names, lines, walk = {variable.creator: "f0"}, [], [variable.creator]
    for function in walk:
        operands = [previous for previous, _ in function.previous_functions]
        for operand in operands:
            if operand not in names:
                names[operand] = f"f{len(names)}"
                walk.append(operand)
        label, color = type(function).__name__, "lightblue"
        if not operands:
            label = "x".join(map(str, function._output_sizes[0]))
            color = "lightgreen" if function.requires_grad else "yellow"
        lines.append(f'{names[function]} [label="{label}" fillcolor={color}]')
        lines += [f"{names[operand]} -> {names[function]}" for operand in operands]
    return "digraph { node [style=filled]\n" + "\n".join(lines) + "\n}"


exercise = Exercise(
    "09_drawing",
    reference=dict(to_dot=to_dot),
    dimensions="type; size; places; again: once, second, interleaved, another; returned: a tensor, a tuple, None, a "
    "view, the argument; requires_grad",
)

# --- what is compared of a text


def _graph(got):
    """Return the graph of the text `t` (dot_text.Graph)."""
    if got["t is"] not in ("str", "Digraph", "Source"):
        raise Trouble("wrong", shown(got["t"]), "to_dot returns the text, a str")
    try:
        return dot_text.read(got["t"])
    except dot_text.Unreadable as reason:
        raise Trouble("unreadable", "a text that is not DOT, or that cannot be read", str(reason)) from None


def _labels(graph):
    return {name: found.get("label", name).replace("\\N", name) for name, found in graph.nodes.items()}


def _kinds(graph):
    """Return {node: the name of its operation, or "a leaf"}."""
    return {name: label if label.isidentifier() else "a leaf" for name, label in _labels(graph).items()}


def _nodes(got):
    graph = _graph(got)
    unnamed = sum("label" not in attributes for attributes in graph.nodes.values())
    return {"nodes": sorted(_kinds(graph).values()), "nodes without a label": unnamed}


def _edges(got):
    graph = _graph(got)
    kinds = _kinds(graph)
    operands = {}
    for one, other in graph.edges:
        operands.setdefault(other, []).append(kinds[one])
    return {
        "edges": sorted(f"{kinds[one]} -> {kinds[other]}" for one, other in graph.edges),
        "operands": sorted(f"{kinds[node]}({', '.join(sorted(found))})" for node, found in operands.items()),
        "the whole graph as a number": _fingerprint(kinds, graph.edges),
    }


def _looks(got):
    """Return labels with colours; where there is no fillcolor, Graphviz fills with color."""
    graph = _graph(got)
    looks = {
        name: f"{label} ({found.get('fillcolor', found.get('color', 'without a colour')).lower()})"
        for (name, label), found in zip(_labels(graph).items(), graph.nodes.values())
    }
    styles = [re.split(r"\s*,\s*", found.get("style", "no style")) for found in graph.nodes.values()]
    return {
        "nodes": sorted(looks.values()),
        "styles": sorted({"filled" if "filled" in style else ",".join(style) for style in styles}),
        "the whole graph as a number": _fingerprint(looks, graph.edges),
    }


_MOST_EDGES = 1000  # of a graph that is compared as a whole: those of the random programs are much smaller


def _counts(got):
    graph = _graph(got)
    return {"number of nodes": len(graph.nodes), "number of edges": len(graph.edges)}


def _fingerprint(labels, edges):
    """Return a number that equal graphs share, whatever the names and the order of their nodes are.

    Each node is described by its label, then by the descriptions of its neighbours too, and so on.
    """
    if len(edges) > _MOST_EDGES:
        return "too large"
    before, after = ({node: [] for node in labels} for _ in range(2))
    for one, other in edges:
        before[other].append(one)
        after[one].append(other)
    known, count = labels, 0
    while len(set(known.values())) > count:
        count = len(set(known.values()))
        known = {
            node: _hash([text, *[sorted(known[other] for other in others[node]) for others in (before, after)]])
            for node, text in known.items()
        }
    return _hash(sorted(known.values()))


def _hash(data):
    return hashlib.sha256(repr(data).encode()).hexdigest()[:16]


# --- reasons

_NUMBER = "there are {} than the graph has: one node for every Function, one edge for every use"
_NAMES = "the count is correct and the labels are not: the class name for an operation, the shape for a leaf"


def _of_nodes(expected):
    right = expected["nodes"]
    operations = [kind for kind in right if kind != "a leaf"]
    return [
        (lambda got: got["nodes without a label"] > 0, "a node without a label shows its name in DOT"),
        (lambda got: len(got["nodes"]) > len(right), "there are more nodes than Functions: a Function that is reached "
         "on a second path already has a node; do not draw it again"),
        (lambda got: got["nodes"] == operations, "the leaves are missing: they are Functions with an empty "
         "previous_functions, and constants are part of the graph too"),
        (lambda got: Counter(got["nodes"]) < Counter(right) and [*filter("a leaf".__ne__, got["nodes"])] == operations,
         "some leaves are missing: constants are part of the graph too, and two leaves of the same size "
         "are two nodes, also if both are constants"),
        (lambda got: len(got["nodes"]) < len(right), _NUMBER.format("fewer")),
        (lambda got: True, _NAMES),
    ]  # fmt: skip


def _of_edges(expected):
    right = Counter(expected["edges"])

    def backwards(got):
        return Counter(" -> ".join(edge.split(" -> ")[::-1]) for edge in got["edges"]) == right

    return [
        (backwards, "these edges point backwards; the data flows from the operand to the operation"),
        (lambda got: Counter(got["edges"]) < right and set(got["edges"]) == set(right),
         "an operand that is used twice by one operation has two edges, however many operands an operation has"),
        (lambda got: right < Counter(got["edges"]) and set(got["edges"]) == set(right),
         "an edge is drawn each time its Function is reached; draw the edges of each Function once"),
        (lambda got: len(got["edges"]) < len(expected["edges"]), _NUMBER.format("fewer") + ", however many operands an "
         "operation has"),
        (lambda got: len(got["edges"]) > len(expected["edges"]), _NUMBER.format("more")),
        (lambda got: Counter(got["edges"]) != right,
         "the number of edges is correct, and they connect nodes of other labels: an edge leads from the node of an "
         "operand to that of its operation, and each node has a label"),
        (lambda got: True, "the number of edges of each kind is correct, but they connect other nodes"),
    ]  # fmt: skip


def _of_looks(expected):
    right = expected["nodes"]

    def exchanged(one, other):
        swap = {f"({one})": f"({other})", f"({other})": f"({one})"}
        swapped = sorted(re.sub(r"\(\w+\)$", lambda match: swap.get(match[0], match[0]), line) for line in right)
        return lambda got: got["nodes"] == swapped

    def words(lines):
        return sorted(line.rpartition(" (")[0] for line in lines)

    return [
        (lambda got: got["nodes"] == right and got["styles"] != ["filled"], "only with style=filled a fillcolor shows"),
        (lambda got: len(got["nodes"]) != len(right), _NUMBER.format("more nodes, or fewer,")),
        (lambda got: any(line.startswith("(") or ", " in line for line in got["nodes"]),
         'a leaf of size (2, 3) is labelled "2x3"'),
        (lambda got: any(line.startswith("Leaf") for line in got["nodes"]),
         "the label of a leaf is its shape, not the name of its class"),
        *[(exchanged(*pair), f"these two colours are exchanged: {pair[0]} and {pair[1]}")
          for pair in itertools.combinations(("lightblue", "lightgreen", "yellow"), 2)],
        (lambda got: got["nodes"] == right, "the labels and colours are correct, but on other nodes, or "
         "the edges between them are wrong"),
        (lambda got: words(got["nodes"]) == words(right), "the labels are correct and the colours are not: blue for "
         "each operation, green or yellow for a leaf, and all nodes filled"),
        (lambda got: True, _NAMES),
    ]  # fmt: skip


exercise.explain(_of_nodes, "nodes", reads=_nodes)
exercise.explain(_of_edges, "edges", reads=_edges)
exercise.explain(_of_looks, "looks", reads=_looks)
exercise.explain(lambda expected: [(lambda got: True, _NUMBER.format("more, or fewer,"))], "large", reads=_counts)

# --- examples


def _example(title, *lines, groups=("nodes", "edges"), hidden=False, name=None):
    for group in groups:
        exercise.example(group, title, *lines, hidden=hidden, name=f"{group}_{name}")


def _x(size="1", name="x", constant=False):
    numbers = f"DoubleTensor({', '.join(size.split('x'))}).zero_()"
    return f"{name} = Variable({numbers}{', requires_grad=False' if constant else ''})"


_T = "t = to_dot(z)"
_example("a chain", _x(), "z = x * 3 + 1", _T, name="chain")
_example("x * x", _x(), "z = x * x", _T, name="square")
_example("a diamond", _x(), "h = x * 2", "z = (h * 2) * (h * 3)", _T, name="diamond")
_example(
    "operations, leaves and constants have their labels and colours", _x("2x3"), _x("2x1", "c", constant=True),
    "z = (x * c).view(3, 2).t()", _T, groups=("looks",), name="leaves_and_operations",
)  # fmt: skip
_example("two equal operations", _x(), _x(name="y"), "z = (x * y) + (x * y)", _T, hidden=True, name="equal")
_example(
    "150 leaves of five sizes", _x(), "sizes = [(111,), (11,), (1,), (1, 12), (11, 2)]",
    "z = Total(*[Variable(DoubleTensor(*sizes[n % 5])) for n in range(150)])",
    "for _ in range(120): z = z * x", "for _ in range(12): z = z + x", "z = Add1(z) + x", _T,
    groups=("nodes", "edges", "looks"), hidden=True, name="many",
)  # fmt: skip

# --- random programs

exercise.programs("nodes", 60, programs.one, shared_by=("edges", "looks"))

# --- the same text for the same program

_AGAIN = (
    "the order of a set and hash() of a text change from process to process, and id(), os.getpid(), the clock and the "
    "folder from run to run: number the Functions in the order of your walk, and keep the lines in lists"
)
_KEPT = (
    "a second drawing must be equal: leave the graph as it is, and store nothing on the Functions or between calls; "
    "the clock, random numbers and id() of new objects differ too"
)


def _texts(got):
    return {name: text for name, text in got.items() if re.fullmatch(r"t\d*", name)}


def _same_in_one_run(got):
    _graph({"t": got["t1"], "t is": got["t1 is"]})
    kept = {key: value for key, value in got.items() if key.endswith(".grad")}
    kept["the graph"] = got["the graph"]
    return {**kept, "the text of the same graph": "the same" if got["t1"] == got["t2"] else "another"}


def _of_text(expected):
    changed = expected["the text of the same graph"] != "the same"
    return [
        (lambda got: changed and got["the text of the same graph"] == "the same",
         "requires_grad of a leaf has changed between the two drawings, and the text has not: keep no text"),
        (lambda got: got["the text of the same graph"] != "the same", _KEPT),
        (lambda got: True,
         "to_dot must not change the graph, nor set attributes on its Functions, nor start random numbers again"),
    ]  # fmt: skip


exercise.explain(_of_text, "text", reads=_same_in_one_run)
exercise.example("text", "the same graph twice", _x(), "z = (x * 2) * (x * 3)", "t1 = to_dot(z)", "t2 = to_dot(z)",
                 name="twice")  # fmt: skip
_several = exercise.assign("text_programs", programs.several, 30)


@exercise.check("text", "text_programs", "the same text for the same program, in every run", hidden=True)
def _run(trial):
    found = []
    for program in _several(trial.seeds):
        trial.behaves("text", program)
        found.append((program, _texts(trial.asked.got)))
    programs_of = {text: program for program, texts in found for text in texts.values()}
    if refused := dot_text.refused_by_graphviz([*programs_of]):
        lines = programs_of[refused[0]].lines
        raise Wrong("the program below", "a text that Graphviz reads", *refused, "unreadable", program=lines)
    trial.code.anew()
    for program, before in reversed(found):
        on = "the program below, run twice: again a year later, in another process and folder"
        now = _texts(trial.ask(later, on, "the same text", lines=list(program.lines)))
        if now != before:
            one, other = next((before[key], now.get(key)) for key in before if before[key] != now.get(key))
            lines = itertools.zip_longest(str(one).splitlines(), str(other).splitlines(), fillvalue="")
            first, second = next((pair for pair in lines if pair[0] != pair[1]), (one, other))
            got = f"{first!r} the first time, {second!r} the second"
            raise Wrong(on, "the same text", got, _AGAIN, program=program.lines)


# After the others: lines that are kept from call to call grow.
_example("30 diamonds, one on the other", _x(), "z = x", *["z = z * 1 + z * 0.5"] * 30, _T, groups=("large",),
         name="diamonds")  # fmt: skip
_CHAINS = [f"for _ in range(1_100): z = {code}" for code in ("x + z", "z + x * 2", "Total(x, z, x)")]
_example("chains of first, of middle and of last operands", _x(), "z = x", *_CHAINS, _T, groups=("large",), hidden=True,
         name="sides")  # fmt: skip
