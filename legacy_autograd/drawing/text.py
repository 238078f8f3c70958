"""`print_graph`: the graph behind a Variable as an indented tree for a terminal."""

import sys

from ..autograd.leaf import Leaf
from .labels import numbered, one_line, size_text
from .names import Names, callers_frame
from .walk import MOST_NODES, as_variables, graph_to_show

_DEEPEST = 30  # levels of one tree; what lies deeper is continued in a tree of its own, so lines stay readable
_ASCII = str.maketrans({"├": "|", "└": "`", "─": "-", "│": "|", "…": "~"})


def print_graph(variable, file=None, params=None, *, max_nodes=MOST_NODES, notes=None):
    """Print the graph behind `variable` (a Variable or a tuple of them) as a tree, from the root back to the leaves.

    A Function is printed with its number and the sizes of its outputs, and its inputs stand indented under it in their
    order. One that several use is printed whole where it is met first, and referred to by its number after that.
    `file` is where it goes, standard output if left out; `params` names leaves as in `make_dot`. `notes` are words of
    your own, {Function: text}, which stand behind an arrow where the Function is printed whole. Raises ValueError for a
    graph of more than `max_nodes` Functions, leaves included (10,000; None: no limit).
    """
    variables = as_variables(variable, "print_graph")
    file = sys.stdout if file is None else file
    graph = graph_to_show(variables, max_nodes, "print_graph", "print the graph of an earlier Variable")
    for line in graph_lines(graph, Names(params, callers_frame()), notes or {}):
        print(_encodable(line, file), file=file)


def graph_lines(graph, names, notes):
    """The lines that `print_graph` prints."""
    printed = set()
    waiting = [(function, True) for function, _ in graph.roots][::-1]  # a stack of trees, the first root on top
    is_first = True
    while waiting:
        top, is_root = waiting.pop()
        if top in printed and not is_root:
            continue
        if not is_first:
            yield ""
        is_first = False
        later = []
        stack = [(top, "", "", None)]  # (Function, what its line starts with, what those below start with, edge)
        while stack:
            function, first, rest, edge = stack.pop()
            words = _words(graph, names, function, edge)
            if function in printed:
                yield f"{first}{words} (above)"
                continue
            if len(rest) >= 3 * _DEEPEST and graph.inputs[function]:
                yield f"{first}{words} … continued below"
                later.append((function, False))
                continue
            printed.add(function)
            note = " ".join(notes.get(function, "").split())
            yield f"{first}{words}  <- {note}" if note else f"{first}{words}"
            inputs = graph.inputs[function]
            for position in reversed(range(len(inputs))):
                branch, trunk = ("└─ ", "   ") if position == len(inputs) - 1 else ("├─ ", "│  ")
                stack.append((inputs[position][0], rest + branch, rest + trunk, inputs[position]))
        waiting += reversed(later)


def _words(graph, names, function, edge):
    words = []
    if edge is not None and len(function._output_sizes) > 1:
        words.append(f"output {edge[1]} of")
    name = names.of(function.variable) if isinstance(function, Leaf) else None
    words += [type(function).__name__] if name is None else ["Leaf", one_line(name)]
    words[-1] = numbered(words[-1], graph.number[function])
    words.append(", ".join(size_text(size) for size in function._output_sizes))
    if not function.requires_grad:
        words.append("(no gradient)")
    return " ".join(words)


def _encodable(line, file):
    """`line` with ASCII for its branches where `file` cannot write them."""
    encoding = getattr(file, "encoding", None) or "utf-8"
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        return line.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return line
