"""Which Functions the twin calls and walks: decided once for a class, when it is made or changed.

A class that overrides or lost a method of the book is called by the book, and the book walks the graphs that its
Functions are part of. So is an instance that was given such a method. `table()` shows what was decided.
"""

import functools
import types

from ..function import Function
from ..leaf import Leaf
from ..observed_class import ObservedClass, ObservedMethod, found
from ..record import Record
from ..saved_tensors import SavedTensors
from .call import call, call_declared
from .record import TwinRecord, TwinSavedTensors, changed, leave_to_the_book

# Methods of the book that the twin writes out, or does not always call.
WATCHED = (
    (Function, "_do_forward"), (Function, "_check_call"), (Function, "_do_backward"), (Function, "_check_count"),
    (Function, "_check_gradient"), (Function, "_own"), (Function, "_run_hook"), (Function, "_run_variable_hooks"),
    (SavedTensors, "_note_saved"), (SavedTensors, "_position"), (TwinSavedTensors, "_checked"),
    (TwinRecord, "_output_nr"), (TwinRecord, "_sources"), (TwinRecord, "_id_of_output"), (TwinRecord, "_begin_again"),
    (Leaf, "_do_backward"), (Leaf, "_accumulate"),
)  # fmt: skip
# What makes a class that defines it a class of the book: these, and what the twin's own record overrides.
_NAMES = {name for _, name in WATCHED} - {"_note_saved"} | {"saved_tensors", "_output_sizes", "variable"}
_NAMES |= {name for cls in (TwinRecord, TwinSavedTensors) for name, value in vars(cls).items() if callable(value)}
BOOK = (Function, TwinSavedTensors, SavedTensors, TwinRecord, Record, Leaf, object)
_DECIDED = {"_notes_itself", "_declared_forward", "_saved_positions", "_saved", "_edges"}
_CALLS = (call, call_declared)

trusted: dict = {}  # {class: its backward, whose gradients the walk does not check}
_made: dict = {}  # {class of this package: its public attributes as it was made}
originals: dict = {}  # {class of the book: {name: its attribute, as the twin found it}}
watched: dict = {}  # {(class, name): ObservedMethod}


def _with_subclasses(cls):
    """Return a class and all classes derived from it."""
    classes = [cls]
    for one in classes:
        classes += type.__subclasses__(one)
    return dict.fromkeys(classes)


def observe(cls, name=None):
    """Decide for a class and its subclasses: the class was made, or its attribute `name` changed."""
    if name in ("__abstractmethods__", "_abc_impl"):  # which Python sets on each class while it is made
        return
    if (cls, name) in watched and vars(cls).get(name) is watched[cls, name].function:
        type.__setattr__(cls, name, watched[cls, name])  # put back after a change
    differs = functools.cache(lambda base: _watched_in(base) != originals.get(base, {}))
    edited = functools.cache(_is_edited)
    for one in _with_subclasses(cls):
        if issubclass(one, Function):
            _decide(one, name, any(map(differs, one.__mro__)), any(map(edited, one.__mro__)))


def _is_ours(cls):
    return issubclass(cls, Function) and not cls._runs_user_code and not issubclass(cls, Leaf) and cls is not Function


def _is_edited(cls):
    if not _is_ours(cls):
        return False
    public = {name: value for name, value in vars(cls).items() if name[0] != "_"}
    public |= {name: value.function for name, value in public.items() if isinstance(value, ObservedMethod)}
    made = _made.setdefault(cls, public)
    return public.keys() != made.keys() or any(public[name] is not made[name] for name in public)


def _watched_in(cls):
    return {name: vars(cls)[name] for name in _NAMES & vars(cls).keys()}


def _decide(cls, name, by_the_book, edited):
    if not by_the_book:
        changed.discard(cls)
    elif name in _NAMES and cls._edges is not False:
        changed.add(cls)
    if by_the_book != (cls._edges is False):
        type.__setattr__(cls, "_saved", [] if by_the_book else ())
        type.__setattr__(cls, "_edges", False if by_the_book else None)
    type.__setattr__(cls, "_notes_itself", found(cls, "_note_saved") is not watched[SavedTensors, "_note_saved"])
    if cls is Function:
        return
    is_operation = _is_ours(cls) and not by_the_book and not edited
    if is_operation:
        for method in ("forward", "backward"):
            if type(vars(cls).get(method)) is types.FunctionType:
                type.__setattr__(cls, method, ObservedMethod(method, vars(cls)[method], leave_to_the_book))
    trusted.pop(cls, None)
    if cls is Leaf or is_operation and isinstance(found(cls, "backward"), ObservedMethod):
        trusted[cls] = cls.backward
    is_declared = is_operation and isinstance(found(cls, "forward"), ObservedMethod) and not cls._notes_itself
    is_declared = is_declared and hasattr(cls.forward, "saves")
    type.__setattr__(cls, "_declared_forward", cls.forward if is_declared else None)
    if is_declared or name is None:  # Functions that were called have those of their class
        type.__setattr__(cls, "_saved_positions", cls.forward.saves if is_declared else ())
    if vars(cls).get("__call__") in _CALLS:
        type.__delattr__(cls, "__call__")
    wanted = call_declared if is_declared and not cls.forward.several else call
    if cls.__call__ in _CALLS and cls.__call__ is not wanted:  # another is a user's
        type.__setattr__(cls, "__call__", wanted)


def watch():
    """Begin to watch the book's classes, and decide for all that were made so far."""
    for owner, name in WATCHED:
        watched[owner, name] = ObservedMethod(name, vars(owner)[name], leave_to_the_book)
        setattr(owner, name, watched[owner, name])
    originals.update({cls: _watched_in(cls) for cls in BOOK})
    ObservedClass.observer = observe
    observe(Function)


def unwatch():
    """Give every class back what the twin set on it."""
    ObservedClass.observer = None
    for cls in {*_with_subclasses(Function), *BOOK}:
        for name, value in list(vars(cls).items()):
            if isinstance(value, ObservedMethod):
                type.__setattr__(cls, name, value.function)
            elif name in _DECIDED and issubclass(cls, Function) or name == "__call__" and value in _CALLS:
                type.__delattr__(cls, name)
    for decided in (trusted, changed, originals, watched):
        decided.clear()


def table():
    """Return a line for each class of Functions: which call it has, and which walk."""
    lines = []
    for cls in _with_subclasses(Function):
        walk = "the book" if cls._edges is False else "trusted" if cls in trusted else "checked"
        how = walk if walk == "the book" else cls.__call__.__name__
        lines.append(f"{cls.__module__}.{cls.__qualname__:40} {how:16} {walk}")
    return sorted(lines)
