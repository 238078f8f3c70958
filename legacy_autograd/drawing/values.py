"""The known tensors of a graph: what each Function returned, and what each leaf holds.

A graph holds its Variables by weak references or not at all. Their tensors come from several sources: leaves and named
Variables that still exist, tensors that a consumer saved, and the notes of `drawing.record()`.
"""

from ..autograd.leaf import Leaf
from ..autograd.saved_tensors import writes
from .labels import tensor_record
from .recording import record_of


def values_of(graph, variables, most=16):
    """Return {(Function, output number): record (labels.py)} of all known tensors in `graph`, leaves included.

    `variables` are Variables that still exist. A record contains the first `most` numbers.
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
    """Return {leaf: the record of its `grad`} of the leaves that have one."""
    held = {}
    for leaf in graph.nodes:
        if isinstance(leaf, Leaf) and leaf.requires_grad and leaf.variable is not None:
            grad = grad_as_read(leaf.variable)
            if grad is not None:
                held[leaf] = tensor_record(grad.data, most)
    return held


def grad_as_read(variable):
    """Return `variable.grad` without side effects: under some conventions, reading it creates a tensor of zeros."""
    before = variable._grad
    grad = variable.grad
    variable._grad = before
    return grad


def _find_saved(function, tensors):
    """Add the tensors that `function` saved to `tensors`, unless they were changed since."""
    if not getattr(function, "_saved_positions", ()) or function._saved is None or function._unpack is not None:
        return  # the Functions of `historical` record no positions
    versions = function._saved_versions or [0] * len(function._saved)  # fast/ leaves out versions of 0
    saved = zip(function._saved, versions, function._saved_positions)
    sources = function._sources()
    for tensor, version, position in saved:
        if isinstance(position, int) and writes(tensor) == version:
            place = sources[position] if position >= 0 else (function, -1 - position)
            tensors.setdefault(tuple(place), tensor)
