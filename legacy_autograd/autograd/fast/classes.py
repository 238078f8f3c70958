"""Which Functions the twin calls and walks: decided once for a class, when it is made or changed.

A class that overrides or lost a method of the book is called by the book, and the book walks the graphs that its
Functions are part of. So is an instance that was given such a method. `table()` shows what was decided.
"""

import types

from ..function import Function
from ..leaf import Leaf
from ..observed_class import ObservedClass
from ..record import Record
from ..saved_tensors import SavedTensors
from .call import call, call_with_one, call_with_two
from .record import NOT_CALLED, TwinRecord, TwinSavedTensors, changed, leave_to_the_book

# Methods of the book that the twin writes out, or does not always call.
WATCHED = (
    (Function, "_do_forward"), (Function, "_check_call"), (Function, "_do_backward"), (Function, "_check_count"),
    (Function, "_check_gradient"), (Function, "_own"), (Function, "_run_hook"), (Function, "_run_variable_hooks"),
    (SavedTensors, "_note_saved"), (SavedTensors, "_position"), (TwinSavedTensors, "_checked"),
    (TwinRecord, "_output_nr"), (TwinRecord, "_id_of_output"), (TwinRecord, "_begin_again"),
    (Leaf, "_do_backward"), (Leaf, "_accumulate"),
)  # fmt: skip
# What makes a class that defines it a class of the book: these, and what the twin's own record overrides.
_NAMES = {name for _, name in WATCHED} - {"_note_saved"} | {"saved_tensors", "_output_sizes", "variable"}
_NAMES |= {name for cls in (TwinRecord, TwinSavedTensors) for name, value in vars(cls).items() if callable(value)}
BOOK = (Function, TwinSavedTensors, SavedTensors, TwinRecord, Record, Leaf, object)
_DECIDED = {"_by_the_book", "_notes_itself", "_declared_forward", "_saved_positions", "_saved", "_edges"}
_CALLS = (call, call_with_one, call_with_two)
_OF_ABSTRACT_CLASSES = ("__abstractmethods__", "_abc_impl")  # which Python sets on each class while it is made

trusted: dict = {}  # {class: its backward, whose gradients the walk does not check}
_edited: set = set()  # classes of this package of which a public attribute was assigned
originals: dict = {}  # {class of the book: {name: its attribute, as the twin found it}}
watched: dict = {}  # {(class, name): Watched}


class Watched:
    """A method that the twin does not look up on the instance. An instance that is given another is left to the book.

    Args:
        name: Its name.
        function: The method.
    """

    def __init__(self, name, function):
        self.name, self.function, self._was_assigned = name, function, False

    def __get__(self, instance, owner=None):
        if instance is None:
            return self.function
        if self._was_assigned and self.name in instance.__dict__ and _found(type(instance), self.name) is self:
            return instance.__dict__[self.name]  # but `super()._do_backward(…)` in a subclass is the method
        return types.MethodType(self.function, instance)

    def __set__(self, instance, method):
        self._was_assigned = True
        instance.__dict__[self.name] = method
        leave_to_the_book(instance)

    def __call__(self, *arguments, **keywords):
        """Run the method, for `vars(Mul)["forward"](…)`."""
        return self.function(*arguments, **keywords)

    def __delete__(self, instance):
        if self.name not in instance.__dict__:
            raise AttributeError(self.name)
        del instance.__dict__[self.name]


def _found(cls, name):
    """Return an attribute of a class as it is stored there, not bound."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def _with_subclasses(cls):
    """Return a class and all classes derived from it."""
    classes = [cls]
    for one in classes:
        classes += type.__subclasses__(one)
    return classes


def observe(cls, name=None):
    """Decide for a class and its subclasses: the class was made, or its attribute `name` changed."""
    if name in _OF_ABSTRACT_CLASSES:
        return
    if (cls, name) in watched and vars(cls).get(name) is watched[cls, name].function:
        type.__setattr__(cls, name, watched[cls, name])  # put back after a change
    is_ours = issubclass(cls, Function) and cls is not Function and not cls._runs_user_code
    if name is not None and name[0] != "_" and is_ours:
        _edited.add(cls)
    differs = {}  # {class: whether its own methods are others than those of the book}
    for one in _with_subclasses(cls):
        if issubclass(one, Function):
            _decide(one, name, differs)


def _is_by_the_book(cls, differs):
    for base in cls.__mro__:
        if base not in differs:
            differs[base] = _watched_in(base) != originals.get(base, {})
    return any([differs[base] for base in cls.__mro__])


def _watched_in(cls):
    return {name: vars(cls)[name] for name in _NAMES & vars(cls).keys()}


def _decide(cls, name, differs):
    by_the_book = _is_by_the_book(cls, differs)
    if not by_the_book:
        changed.discard(cls)
    elif name in _NAMES and not cls._by_the_book:
        changed.add(cls)
    if by_the_book != cls._by_the_book:
        type.__setattr__(cls, "_by_the_book", by_the_book)
        type.__setattr__(cls, "_saved", [] if by_the_book else ())
        type.__setattr__(cls, "_edges", NOT_CALLED if by_the_book else None)
    type.__setattr__(cls, "_notes_itself", _found(cls, "_note_saved") is not watched[SavedTensors, "_note_saved"])
    if cls is Function:
        return
    is_operation = not (by_the_book or cls._runs_user_code or issubclass(cls, Leaf)) and _edited.isdisjoint(cls.__mro__)
    if is_operation:
        for method in ("forward", "backward"):
            if isinstance(vars(cls).get(method), types.FunctionType):
                type.__setattr__(cls, method, Watched(method, vars(cls)[method]))
    trusted.pop(cls, None)
    if cls is Leaf or is_operation and isinstance(_found(cls, "backward"), Watched):
        trusted[cls] = cls.backward
    is_declared = is_operation and not cls._notes_itself and hasattr(cls.forward, "saves")
    is_declared = is_declared and isinstance(_found(cls, "forward"), Watched)
    type.__setattr__(cls, "_declared_forward", cls.forward if is_declared else None)
    if is_declared or name is None:  # Functions that were called have those of their class
        type.__setattr__(cls, "_saved_positions", cls.forward.saves if is_declared else ())
    if vars(cls).get("__call__") in _CALLS:
        type.__delattr__(cls, "__call__")
    inputs = cls.forward.__code__.co_argcount - 1 if is_declared else 0
    wanted = {1: call_with_one, 2: call_with_two}.get(inputs, call)
    if cls.__call__ in _CALLS and cls.__call__ is not wanted:  # another is a user's
        type.__setattr__(cls, "__call__", wanted)


def watch():
    """Begin to watch the book's classes, and decide for all that were made so far."""
    for owner, name in WATCHED:
        watched[owner, name] = Watched(name, vars(owner)[name])
        setattr(owner, name, watched[owner, name])
    originals.update({cls: _watched_in(cls) for cls in BOOK})
    ObservedClass.observer = observe
    observe(Function)


def unwatch():
    """Give every class back what the twin set on it."""
    ObservedClass.observer = None
    for cls in _with_subclasses(Function):
        for name in _DECIDED & vars(cls).keys():
            type.__delattr__(cls, name)
        for name in ("forward", "backward"):
            if isinstance(vars(cls).get(name), Watched):
                type.__setattr__(cls, name, vars(cls)[name].function)
        if cls is not Function and vars(cls).get("__call__") in _CALLS:
            type.__delattr__(cls, "__call__")
    for (owner, name), method in watched.items():
        type.__setattr__(owner, name, method.function)
    for table in (trusted, changed, originals, watched):
        table.clear()


def table():
    """Return a line for each class of Functions: which call it has, and which walk."""
    lines = []
    for cls in _with_subclasses(Function):
        call_of_it = "the book" if cls._by_the_book else cls.__call__.__name__
        walk = "the book" if cls._by_the_book else "trusted" if cls in trusted else "checked"
        lines.append(f"{cls.__module__}.{cls.__qualname__:40} {call_of_it:16} {walk}")
    return sorted(set(lines))
