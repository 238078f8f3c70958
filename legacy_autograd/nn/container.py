"""Modules that are made of others (2016: `torch/nn/modules/container.py`)."""

from collections import OrderedDict
from numbers import Integral

from .module import Module
from .parameter import Parameter


class Container(Module):
    """A Module whose children are keyword arguments: `Container(hidden=Linear(2, 3), out=Linear(3, 1))`.

    The base class of networks in 2016, today Module itself is. Raises KeyError for a name that is taken ("type",
    for example), TypeError for what is no Module.
    """

    def __init__(self, **modules):
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)


class Sequential(Container):
    """Its modules one after another, each given the result of the one before.

    `Sequential(a, b)` names them "0" and "1", `Sequential(OrderedDict([("first", a), …]))` as the dictionary does, and
    `Sequential("first", a, b)`, v0.1.1's way, by the string before a module where there is one. (In v0.1.1 modules
    without a name had their parameters left out of `parameters()`.)
    """

    def __init__(self, *modules):
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
            return
        name = None
        for module in modules:
            if isinstance(module, str):
                if name is not None:
                    raise TypeError(f"{self._name}: expected a Module after the name {name!r}, got another name")
                name = module
            else:
                self.add_module(str(len(self)) if name is None else name, module)
                name = None
        if name is not None:
            raise TypeError(f"{self._name}: expected a Module after the name {name!r}")

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def append(self, module):
        """Add a module at the end; returns the Sequential."""
        self.add_module(str(len(self)), module)
        return self

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential(OrderedDict(list(self._modules.items())[index]))
        return self._modules[_key(self, index)]

    def __setitem__(self, index, module):
        self.add_module(_key(self, index), module)

    def __delitem__(self, index):
        del self._modules[_key(self, index)]


class ModuleList(Module):
    """A list of Modules, all registered; it has no forward, its owner calls them."""

    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    def append(self, module):
        """Add a module at the end; returns the list."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        """Add several at the end; returns the list."""
        for module in modules:
            self.append(module)
        return self

    def __iadd__(self, modules):
        return self.extend(modules)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __contains__(self, module):
        return any([own is module for own in self])

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ModuleList(list(self)[index])
        return self._modules[_key(self, index)]

    def __setitem__(self, index, module):
        self.add_module(_key(self, index), module)


class ParameterList(Module):
    """A list of Parameters, all registered."""

    def __init__(self, parameters=()):
        super().__init__()
        self.extend(parameters)

    def append(self, parameter):
        """Add a parameter at the end; returns the list. TypeError for what is no Parameter."""
        self.register_parameter(str(len(self)), self._checked(parameter))
        return self

    def extend(self, parameters):
        """Add several at the end; returns the list."""
        for parameter in parameters:
            self.append(parameter)
        return self

    def __iadd__(self, parameters):
        return self.extend(parameters)

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return list(self)[index]
        return self._parameters[_key(self, index)]

    def __setitem__(self, index, parameter):
        self._parameters[_key(self, index)] = self._checked(parameter)

    def _checked(self, parameter):
        if not isinstance(parameter, Parameter):
            raise TypeError(f"{self._name}: expected a Parameter, got {type(parameter).__name__}")
        return parameter

    def extra_repr(self):
        return ", ".join(["x".join(map(str, parameter.size())) for parameter in self])


def _key(container, index):
    """The name of the element number `index`, which may be negative."""
    if not isinstance(index, Integral):
        raise TypeError(f"{container._name}: an index is an integer, got {type(index).__name__}")
    if not -len(container) <= index < len(container):
        raise IndexError(f"{container._name}: index {index} is out of range, it has {len(container)} entries")
    names = container._parameters if isinstance(container, ParameterList) else container._modules
    return list(names)[index]
