"""`ObservedClass`: the class of `Function` and its subclasses, which tells when one of them is made or changed.

`ObservedMethod` tells when an instance is given a method of its own. The book needs neither. The twin (fast/) decides
with them once how a class is called, not at each call, and still runs what a student assigns:
`Function._do_forward = mine`.
"""

import abc
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any


class ObservedClass(abc.ABCMeta):
    """A class that notifies `ObservedClass.observer` of its changes.

    It is derived from ABCMeta so that a Function can have an abstract base class as its second base. `isinstance` is
    that of other classes.
    """

    # observer(cls, name), when the attribute `name` of `cls` changed; the name is None when `cls` was made
    observer: Callable[[Any, str | None], None] | None = None

    def __init__(cls, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments)
        cls._notify(None)

    if not TYPE_CHECKING:  # a type checker would allow any attribute

        def __setattr__(cls, name, value):
            super().__setattr__(name, value)
            cls._notify(name)

        def __delattr__(cls, name):
            super().__delattr__(name)
            cls._notify(name)

    def _notify(cls, name):
        if ObservedClass.observer is not None:
            ObservedClass.observer(cls, name)

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


class ObservedMethod:
    """A method of a class that tells when an instance is given another in its place.

    Where a class shows it unbound, as `vars(Mul)["forward"]`, it passes for its function: `inspect` and `unittest.mock`
    look there.

    Args:
        name: Its name.
        function: The method.
        assigned: `assigned(instance)` is called when an instance is given another.
    """

    def __init__(self, name: str, function: Callable, assigned: Callable[[Any], None]) -> None:
        self.name, self.function, self._assigned, self._was_assigned = name, function, assigned, False

    def __get__(self, instance, owner=None):
        if instance is None:
            return self.function
        if self._was_assigned and self.name in instance.__dict__ and found(type(instance), self.name) is self:
            return instance.__dict__[self.name]  # but `super()._do_backward(…)` in a subclass is the method
        return types.MethodType(self.function, instance)

    def __set__(self, instance, method):
        self._was_assigned = True
        instance.__dict__[self.name] = method
        self._assigned(instance)

    def __delete__(self, instance):
        if instance.__dict__.pop(self.name, None) is None:
            raise AttributeError(self.name)

    def __call__(self, *arguments, **keywords):
        """Run the method."""
        return self.function(*arguments, **keywords)

    @property  # type: ignore[misc]  # object's can be set
    def __class__(self):
        return types.FunctionType

    def __getattr__(self, name):
        return getattr(self.function, name)


def found(cls: type, name: str) -> Any:
    """Return an attribute of a class as it is stored there, not bound; None if there is none.

    Args:
        cls: The class.
        name: The attribute.
    """
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
