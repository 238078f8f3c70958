"""Names for Variables: given by the caller, stored in the Variable, or found in the caller's code.

Names in the caller's code are read from the frame that called the drawing. A Variable gets such a name if exactly one
name in the frame refers to it. Under `record()`, the names of operands are read where they are used.
"""

import sys

from ..autograd.variable import Variable
from .expressions import is_a_name
from .recording import record_of

_LONGEST_SEQUENCE = 100  # of a list in the caller's frame: longer lists contain data


class Names:
    """The names of Variables, and the Variables with a name (they still exist, so they can be drawn)."""

    def __init__(self, params=None, frame=None):
        pairs = _pairs(params)
        self._given = {id(variable): str(name) for name, variable in pairs}
        self._found = {}
        self.variables = [variable for _, variable in pairs]
        if frame is not None:
            self._read(frame)

    def of(self, variable):
        """Return the name of `variable`; None if it has none, or if `variable` is None because it no longer exists."""
        if variable is None:
            return None
        if id(variable) in self._given:
            return self._given[id(variable)]
        if variable.name is not None:
            return str(variable.name)
        number = (variable.creator.output_ids or {}).get(id(variable))
        return self._found.get(id(variable)) or _noted(variable.creator, number)

    def of_leaf(self, leaf):
        """Return the name of a Leaf's Variable, also if `record()` noted it and the Variable no longer exists."""
        return self.of(leaf.variable) or _noted(leaf, 0)

    def _read(self, frame):
        namespaces = [frame.f_locals]
        if frame.f_globals is not frame.f_locals:
            namespaces.append(frame.f_globals)
        for namespace in namespaces:
            for search in (_by_itself, _inside):
                self._take(search(namespace))

    def _take(self, found):
        """Use the names in `found` for Variables without one; a Variable with two names gets none."""
        candidates = {}
        for name, variable in found:
            candidates.setdefault(id(variable), (variable, []))[1].append(name)
        for variable, names in candidates.values():
            if id(variable) not in self._found:
                self._found[id(variable)] = names[0] if len(names) == 1 else None
                self.variables.append(variable)


def callers_frame():
    """Return the frame that called the caller of this function."""
    return sys._getframe(2)


def _pairs(params):
    if params is None:
        return []
    pairs = list(params.items() if isinstance(params, dict) else params)
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], Variable)):
            raise TypeError(
                "params must name Variables, as {'W': W} or dict(model.named_parameters()) does; "
                f"got {type(pair[1]).__name__ if isinstance(pair, tuple) and len(pair) == 2 else type(pair).__name__}"
            )
    return pairs


def _noted(function, number):
    """Return the name that `record()` noted for an output of `function` where it was an operand, or None."""
    record = record_of(function)
    return None if record is None else record.names.get(number)


def _by_itself(namespace):
    for name, value in list(namespace.items()):
        if isinstance(value, Variable) and is_a_name(name):
            yield name, value


def _inside(namespace):
    """Yield Variables in lists and the parameters of modules: xs[0], model.fc1.weight."""
    for name, value in list(namespace.items()):
        if isinstance(value, type) or not is_a_name(name):
            continue
        if isinstance(value, (list, tuple)) and len(value) <= _LONGEST_SEQUENCE:
            for index, item in enumerate(value):
                if isinstance(item, Variable):
                    yield f"{name}[{index}]", item
        elif callable(getattr(type(value), "named_parameters", None)):
            for path, parameter in value.named_parameters():
                if isinstance(parameter, Variable):  # a module of modern torch has other parameters
                    yield f"{name}.{path}", parameter
