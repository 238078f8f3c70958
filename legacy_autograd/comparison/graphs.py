"""Draw the two graphs of a `Comparison`; matching operations have the same number in both."""

from collections import Counter

from ..drawing.graphviz_drawing import STYLES, blank_drawing
from ..drawing.labels import counted, dot_label, numbered, size_text
from ..drawing.walk import Graph
from .alignment import numbers_of

_DIFFERS = {"color": "#c4161c", "penwidth": "3"}
_MOST_NODES = 600  # a larger graph takes minutes to lay out and is unreadable


def pictures(comparison):
    """Return the graphs of legacy_autograd's run and of modern torch's as two `graphviz.Digraph`s.

    Red borders mark differences; a red node is the first one. Only nodes that require a gradient and that backward
    visited are drawn, since modern torch records no others. Raises ValueError if there are too many nodes to draw.
    """
    differing = {row.number for row in comparison.rows if not row.agrees}
    return [
        _drawn(run, numbers_of(comparison.matches, side), differing, comparison.first_number, side)
        for side, run in (("here", comparison.here), ("there", comparison.there))
    ]


def _drawn(run, number, differing, first, side):
    graph = Graph([(root, 0) for root in _roots(run)], lambda index: run.nodes[index].inputs)
    if len(graph.nodes) > _MOST_NODES:
        raise ValueError(
            f"the graph has {len(graph.nodes)} nodes, which is too many for a picture; the limit is {_MOST_NODES}"
        )
    dot = blank_drawing(rankdir="TB", nodesep="0.25")
    titles = Counter(run.nodes[index].title for index in graph.nodes if not run.nodes[index].is_leaf)
    leaves = len(graph.nodes) - titles.total()
    dot.words = f"The graph of {run.world}: {counted(titles)}; {leaves} {'leaf' if leaves == 1 else 'leaves'}"
    for index in graph.nodes:
        node = run.nodes[index]
        style = dict(STYLES["leaf" if node.is_leaf else "function"])
        if number[index] in differing:
            style |= _DIFFERS
        if number[index] == first:
            style["fillcolor"] = "#f6a9a5"
        size = size_text(node.outputs[min(node.outputs)].shape) if node.outputs else ""
        lines = [numbered(node.title, number[index]), f"{node.name} {size}" if node.label else size]
        label = dot_label([line for line in lines if line])
        marks = {"class": f"m{number[index]}", "id": f"{side}-{index}"}
        dot.node(f"n{index}", label, **style, **marks)
        for edge in graph.inputs[index]:
            if edge is not None:
                dot.edge(f"n{edge[0]}", f"n{index}")
    return dot


def _roots(run):
    """Return the roots of backward; without a backward, the nodes that have no users."""
    if run.roots:
        return list(dict.fromkeys(run.roots))
    used = {edge[0] for node in run.nodes for edge in node.inputs if edge is not None}
    return [index for index in range(len(run.nodes)) if index not in used]
