"""The tensors of a graph as far as they can be known: what each Function returned, and what each leaf holds.

A graph keeps its Variables only weakly or not at all. So their tensors are read from what is still alive: leaves
and Variables that have a name are alive, a consumer may have saved what it was given, and `drawing.record()` noted
each while it was there.
"""

from ..autograd.leaf import Leaf
from ..autograd.saved_tensors import writes
from .labels import tensor_record
from .recording import record_of


def values_of(graph, variables, most=16):
    """{(Function, output number): record (labels.py)} of all tensors in `graph` that are known, leaves included.

    `variables` are Variables that are alive. Of each tensor the first `most` numbers are kept.
    """
    tensors, known = {}, {}
    for variable in variables:
        function = variable.creator
        number = (function.output_ids or {}).get(id(variable))
        if function in graph.number and number is not None:
            tensors[function, number] = variable.data
    for function in graph.nodes:
        record = record_of(function)
        if record is not None:
            known.update({(function, number): value for number, value in enumerate(record.values)})
        if isinstance(function, Leaf):
            if function.variable is not None:
                tensors[function, 0] = function.variable.data
                known.pop((function, 0), None)
        else:
            _find_saved(function, tensors)
    for place, tensor in tensors.items():
        if place not in known:
            known[place] = tensor_record(tensor, most)
    return known


def grads_of(graph, most=16):
    """{leaf: the record of its `grad`} of the leaves that have one, as they read."""
    held = {}
    for leaf in graph.nodes:
        if isinstance(leaf, Leaf) and leaf.requires_grad and leaf.variable is not None:
            grad = grad_as_read(leaf.variable)
            if grad is not None:
                held[leaf] = tensor_record(grad.data, most)
    return held


def grad_as_read(variable):
    """What reading `variable.grad` gives: zeros before the first backward, where the conventions say so.

    Reading makes them, which this takes back.
    """
    before = variable._grad
    grad = variable.grad
    variable._grad = before
    return grad


def _find_saved(function, tensors):
    """Put the tensors that `function` saved for backward where they came from, unless they were changed since."""
    if not getattr(function, "_saved_positions", ()) or function._saved is None or function._unpack is not None:
        return  # the museum's Functions know no positions
    versions = function._saved_versions or [0] * len(function._saved)  # fast.py leaves out versions of 0
    saved = zip(function._saved, versions, function._saved_positions)
    sources = function._sources()
    for tensor, version, position in saved:
        if isinstance(position, int) and writes(tensor) == version:
            place = sources[position] if position >= 0 else (function, -1 - position)
            tensors.setdefault(tuple(place), tensor)
