"""`print_graph` prints the graph behind a Variable as an indented tree for a terminal."""

import sys
from typing import TextIO

from ..autograd.function import Function
from ..autograd.leaf import Leaf
from ..autograd.variable import Variable
from .labels import numbered, one_line, size_text
from .names import Names, callers_frame
from .walk import MOST_NODES, as_variables, graph_to_show

_DEEPEST = 30  # levels of one tree; deeper parts continue in a separate tree, so that lines remain readable
_ASCII = str.maketrans({"├": "|", "└": "`", "─": "-", "│": "|", "…": "~"})


def print_graph(
    variable: Variable | tuple[Variable, ...] | list[Variable],
    file: TextIO | None = None,
    params: dict[str, Variable] | list[tuple[str, Variable]] | None = None,
    *,
    max_nodes: int | None = MOST_NODES,
    notes: dict[Function, str] | None = None,
) -> None:
    """Print the graph behind one or several Variables as a tree, from the root back to the leaves.

    A Function is printed with its number and the shapes of its outputs. Its inputs are indented below it, in their
    order. A Function with several users is printed in full the first time, and as a reference to its number after that.

    Args:
        variable: A Variable, or a tuple or list of Variables: the roots of the graph.
        file: The file to print to. Default: standard output.
        params: Names of leaves, as in `make_dot`.
        max_nodes: The largest number of Functions, leaves included (10,000; None: no limit).
        notes: Texts that follow the full line of a Function, after an arrow.

    Raises:
        TypeError: If `variable` is not a Variable or a tuple or list of Variables.
        ValueError: If the graph is larger than `max_nodes`.

    Example:
        >>> import legacy_autograd as torch
        >>> from legacy_autograd import drawing
        >>> x = torch.autograd.Variable(torch.DoubleTensor([3]))
        >>> drawing.print_graph(x * x, params={"x": x})
        Mul #2 (1,)
        ├─ Leaf x #1 (1,)
        └─ Leaf x #1 (1,) (above)
    """
    variables = as_variables(variable, "print_graph")
    file = sys.stdout if file is None else file
    graph = graph_to_show(variables, max_nodes, "print_graph", "print the graph of an earlier Variable")
    for line in graph_lines(graph, Names(params, callers_frame()), notes or {}):
        print(_encodable(line, file), file=file)


def graph_lines(graph, names, notes):
    """Yield the lines that `print_graph` prints."""
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
        stack = [(top, "", "", None)]  # (Function, prefix of its line, prefix of the lines below, edge)
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
    name = names.of_leaf(function) if isinstance(function, Leaf) else None
    words += [type(function).__name__] if name is None else ["Leaf", one_line(name)]
    words[-1] = numbered(words[-1], graph.number[function])
    words.append(", ".join(size_text(size) for size in function._output_sizes))
    if not function.requires_grad:
        words.append("(no gradient)")
    return " ".join(words)


def _encodable(line, file):
    """Return `line`, with ASCII branches if `file` cannot encode it."""
    encoding = getattr(file, "encoding", None) or "utf-8"
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        return line.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return line
