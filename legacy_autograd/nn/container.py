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


class _Numbered(Module):
    """A container whose elements, modules as a rule, are numbered from 0 on."""

    @property
    def _elements(self):
        return self._modules

    def append(self, module):
        """Add an element at the end; returns the container."""
        self.add_module(str(len(self)), module)
        return self

    def __len__(self):
        return len(self._elements)

    def __iter__(self):
        return iter(self._elements.values())

    def __getitem__(self, index):
        return self._elements[self._key(index)]

    def __setitem__(self, index, module):
        key = self._key(index)
        if not isinstance(module, Module):
            raise TypeError(f"{self._name}: expected a Module, got {type(module).__name__}")
        self._modules[key] = module

    def __delitem__(self, index):
        """Remove an element, or those of a slice. As in torch, the others are then numbered from 0 on."""
        elements = list(self)
        del elements[index if isinstance(index, slice) else list(self._elements).index(self._key(index))]
        self._elements.clear()
        self._elements.update(zip(map(str, range(len(elements))), elements))

    def _key(self, index):
        """The name of the element number `index`, which may be negative."""
        if not isinstance(index, Integral):
            raise TypeError(f"{self._name}: an index is an integer, got {type(index).__name__}")
        if not -len(self) <= index < len(self):
            raise IndexError(f"{self._name}: index {index} is out of range, it has {len(self)} entries")
        return list(self._elements)[index]


class Sequential(_Numbered, Container):
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

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential(OrderedDict(list(self._modules.items())[index]))
        return super().__getitem__(index)


class _List(_Numbered):
    def extend(self, elements):
        """Add several at the end; returns the list."""
        for element in elements:
            self.append(element)
        return self

    def __iadd__(self, elements):
        return self.extend(elements)


class ModuleList(_List):
    """A list of Modules, all registered; it has no forward, its owner calls them."""

    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    def __contains__(self, module):
        return any([own is module for own in self])

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ModuleList(list(self)[index])
        return super().__getitem__(index)


class ParameterList(_List):
    """A list of Parameters, all registered."""

    def __init__(self, parameters=()):
        super().__init__()
        self.extend(parameters)

    @property
    def _elements(self):
        return self._parameters

    def append(self, parameter):
        """Add a parameter at the end; returns the list. TypeError for what is no Parameter."""
        self.register_parameter(str(len(self)), self._checked(parameter))
        return self

    def __getitem__(self, index):
        return list(self)[index] if isinstance(index, slice) else super().__getitem__(index)

    def __setitem__(self, index, parameter):
        self._parameters[self._key(index)] = self._checked(parameter)

    def _checked(self, parameter):
        if not isinstance(parameter, Parameter):
            raise TypeError(f"{self._name}: expected a Parameter, got {type(parameter).__name__}")
        return parameter

    def extra_repr(self):
        return ", ".join(["x".join(map(str, parameter.size())) for parameter in self])
