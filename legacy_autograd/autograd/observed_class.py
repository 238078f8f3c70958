"""`ObservedClass`: the class of `Function` and its subclasses, which tells when one of them is made or changed.

The book does not need it. The twin (fast/) decides with it once how a class is called, not at each call, and still runs
what a student assigns to a class: `Function._do_forward = mine`.
"""

import abc
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
