"""The walk from Variables back to their leaves, which all drawings, text trees, traces and comparisons use.

Because they share one walk, a Function has the same number in all of them. The walk takes a function `inputs` that
returns a node's edges, so it can number the graph of modern torch in the same order.
"""

import functools
import math

from ..autograd.function import Function
from ..autograd.variable import Variable


class Graph:
    """The nodes reachable from `roots`, each once and after all its inputs.

    `nodes` lists the nodes; `number` maps each to its position in that list, from 1. The inputs of a node are visited
    in order, so the same program always gets the same numbers. `inputs[node]` contains for each input the pair (node
    that made it, number of its output), or None. The walk ends after `most` nodes; `is_complete` is False if there are
    more.
    """

    def __init__(self, roots, inputs, most=None):
        self.roots = list(roots)
        self.is_complete = True
        self._most = math.inf if most is None else most
        self.nodes = []
        self.number = {}
        self.inputs = {}
        for root, _ in self.roots:
            self._visit(root, inputs)

    def _visit(self, root, inputs):
        """Visit depth first, without recursion: a graph may be a million nodes deep."""
        if root in self.inputs:
            return
        self.inputs[root] = inputs(root)
        path = [(root, iter(self.inputs[root]))]
        while path:
            node, rest = path[-1]
            if len(self.inputs) > self._most:
                self.is_complete = False
                return
            for edge in rest:
                if edge is not None and edge[0] not in self.inputs:
                    self.inputs[edge[0]] = inputs(edge[0])
                    path.append((edge[0], iter(self.inputs[edge[0]])))
                    break
            else:
                path.pop()
                self.nodes.append(node)
                self.number[node] = len(self.nodes)

    @functools.cached_property
    def uses(self):
        """{node: [(node that uses it, its input, the node's output), …]}, in the order of the numbers."""
        found = {node: [] for node in self.nodes}
        for node in self.nodes:
            for position, edge in enumerate(self.inputs[node]):
                if edge is not None:
                    found[edge[0]].append((node, position, edge[1]))
        return found


MOST_NODES = 10_000  # of a picture, a tree or a trace: larger ones are slow and unreadable


def graph_of(variables, requiring_grad=False, most=None):
    """Return the `Graph` of Functions behind `variables`.

    `requiring_grad=True` leaves out Functions that require no gradient, which modern torch never records. An input that
    is left out is None, so the others keep their positions.
    """
    return Graph([root_of(variable) for variable in variables], _wanted_inputs if requiring_grad else inputs_of, most)


def graph_to_show(variables, max_nodes, caller, advice):
    """Return `graph_of(variables)`. Raises ValueError if it has more than `max_nodes` nodes; None means no limit."""
    graph = graph_of(variables, most=max_nodes)
    if not graph.is_complete:
        raise too_large(caller, _count(variables), advice)
    return graph


def _count(variables):
    """Return the number of Functions behind `variables`, much faster than a `Graph` does."""
    stack = [variable.creator for variable in variables]
    seen = set(stack)
    while stack:
        new = {function for function, _ in stack.pop()._sources()} - seen
        seen |= new
        stack += new
    return len(seen)


def too_large(caller, count, advice):
    """Return the ValueError for a graph of `count` nodes, which is too large to show."""
    return ValueError(
        f"{caller}: the graph has {count} Functions, leaves included; {advice}, or pass another max_nodes "
        "(None: no limit)"
    )


def root_of(variable):
    """Return (creator, output number) of a Variable. Raises ValueError if its creator did not make it."""
    try:
        return variable.creator, variable.output_nr
    except RuntimeError:
        raise ValueError(
            f"the creator of this Variable is a {type(variable.creator).__name__} that did not make it; "
            "only a call of the Function makes its outputs"
        ) from None


def as_variables(variables, caller):
    """Return a Variable, or a tuple or list of them, as a tuple. Raises a TypeError that names `caller`."""
    if isinstance(variables, Variable):
        return (variables,)
    if isinstance(variables, (tuple, list)) and variables and all(isinstance(v, Variable) for v in variables):
        return tuple(variables)
    if isinstance(variables, Function):
        raise TypeError(f"{caller} needs Variables, got a {type(variables).__name__}; pass the result of its call")
    got = type(variables).__name__
    if isinstance(variables, (tuple, list)):
        got = f"a {got} of {', '.join(sorted({type(v).__name__ for v in variables})) or 'nothing'}"
    raise TypeError(f"{caller} needs a Variable or a tuple of them, got {got}")


def inputs_of(function):
    """Return the edges that a called Function recorded: (Function, number of its output) for each input."""
    return function._sources()


def _wanted_inputs(function):
    return [edge if edge[0].requires_grad else None for edge in inputs_of(function)]
