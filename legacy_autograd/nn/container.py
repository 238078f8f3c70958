"""Modules that contain others (2016: `torch/nn/modules/container.py`)."""

from collections import OrderedDict
from collections.abc import Iterable
from numbers import Integral
from typing import Any, Self

from .module import Module
from .parameter import Parameter

__all__ = ["Container", "ModuleList", "ParameterList", "Sequential"]


class Container(Module):
    """A Module whose children are keyword arguments, for example `Container(hidden=Linear(2, 3), out=Linear(3, 1))`.

    In 2016 it was the base class of networks.

    Args:
        **modules: The children by name.

    Raises:
        KeyError: If a name is taken, for example "type".
        TypeError: If a value is not a Module.
    """

    def __init__(self, **modules: Module) -> None:
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)


class _Numbered(Module):
    """A container whose elements are numbered from 0 on."""

    @property
    def _elements(self):
        return self._modules

    def append(self, module: Any) -> Self:
        """Add an element at the end, and return the container.

        Args:
            module: The element, usually a Module.
        """
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
        """Remove an element or a slice. As in torch, the remaining elements are numbered again."""
        elements = list(self)
        del elements[index if isinstance(index, slice) else list(self._elements).index(self._key(index))]
        self._elements.clear()
        self._elements.update(zip(map(str, range(len(elements))), elements))

    def _key(self, index):
        """Return the name of the element number `index`, which may be negative."""
        if not isinstance(index, Integral):
            raise TypeError(f"{self._name}: an index must be an integer, got {type(index).__name__}")
        if not -len(self) <= index < len(self):
            raise IndexError(f"{self._name}: index {index} is out of range for the length {len(self)}")
        return list(self._elements)[index]


class Sequential(_Numbered, Container):
    """A chain of Modules: each is called with the output of the one before it.

    In v0.1.1 the parameters of modules without a name were missing from `parameters()`.

    Args:
        *modules: The Modules, named "0", "1" …; an OrderedDict of them by name; or, as in v0.1.1, Modules with their
            names before them, `Sequential("first", a, b)`.

    Raises:
        KeyError: If a name is taken.
        TypeError: If something is not a Module, or a name is not followed by one.

    Example:
        >>> model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
        >>> model(Variable(torch.ones(5, 3))).size()
        torch.Size([5, 2])
    """

    def __init__(self, *modules: Any) -> None:
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
    def extend(self, elements: Iterable) -> Self:
        """Add several elements at the end, and return the list.

        Args:
            elements: The elements.
        """
        for element in elements:
            self.append(element)
        return self

    def __iadd__(self, elements):
        return self.extend(elements)


class ModuleList(_List):
    """A list of Modules, which it registers. It has no forward.

    Args:
        modules: The Modules.
    """

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        self.extend(modules)

    def __contains__(self, module):
        return any([own is module for own in self])

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ModuleList(list(self)[index])
        return super().__getitem__(index)


class ParameterList(_List):
    """A list of Parameters, which it registers. It has no forward.

    Args:
        parameters: The Parameters.
    """

    def __init__(self, parameters: Iterable[Parameter] = ()) -> None:
        super().__init__()
        self.extend(parameters)

    @property
    def _elements(self):
        return self._parameters

    def append(self, parameter: Parameter) -> Self:
        """Add a parameter at the end, and return the list.

        Args:
            parameter: The Parameter.

        Raises:
            TypeError: If it is not a Parameter.
        """
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
