"""Views: Variables that share the memory of another one, their base (their histories: 0.2.0, August 2017).

The problem: changing a view in place changes its base and all other views, but not their histories. Their gradients
would be those of numbers that no longer exist.

How the 2016 core makes room for it: a call records which of its outputs share the memory of an input
(`_note_views`), and the memory holds weak references to both. When one Variable is changed, `Family` finds all
others that see the change. Their new histories consist of two Functions: `CopySlices` inserts a changed view into the
history of its base, and `AsStrided` takes a view from it again. Both only need the places of the memory that a Variable
sees, so one rule applies to every kind of view.
"""

import weakref
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy

from ...tensor import Tensor
from ...tensor.arithmetic import add_at
from ...tensor.wrapping import wrap
from ..function import NOTHING_REGISTERED, Function
from ..functions import tensor as operations
from ..functions._utils import call
from ..leaf import Leaf
from ..variable import Variable

Places: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...]]  # the address of the first element, shape, strides


def memory_of(variable: Variable) -> Tensor:
    """Return the Tensor that owns the memory of `variable`; Variables with the same one are views of the same numbers.

    Args:
        variable: The Variable.
    """
    tensor = variable.data
    return tensor if tensor._base is None else tensor._base


# --- recording views


class Viewers(list):
    """Weak references to the Variables that share one memory: its base and the views of that."""

    limit = 32  # beyond this length, dead references are removed

    def note(self, *variables: Variable) -> None:
        """Add Variables.

        Args:
            *variables: The Variables.
        """
        self += map(weakref.ref, variables)
        if len(self) > self.limit:
            self[:] = dict.fromkeys([reference for reference in self if reference() is not None])
            self.limit = 2 * len(self) + Viewers.limit


def viewers_of(memory: Tensor) -> Viewers:
    """Return the Viewers of a memory, which are created at the first view.

    Args:
        memory: The Tensor that owns the memory.
    """
    try:
        return memory._viewers
    except AttributeError:  # the slot is empty until the first view
        memory._viewers = Viewers()
        return memory._viewers


def note_views(function: Function, input: tuple[Any, ...], output: tuple[Variable, ...]) -> None:
    """Record which outputs of a call share the memory of an input, or of an earlier output.

    Args:
        function: The Function that was called.
        input: Its inputs, Variables or None.
        output: Its outputs.
    """
    if len(input) == len(output) == 1:
        (viewed,), (view,) = input, output
        if viewed is not None and viewed.data is view.data._base:
            function._viewed = _WHOLE  # the usual case
            viewers_of(viewed.data).note(viewed, view)
            return
    first: dict[int, tuple[Variable, int | None]] = {}  # the first with each memory, and its position among the inputs
    for position, variable in enumerate(input):
        if variable is not None:
            first.setdefault(id(memory_of(variable)), (variable, position))
    for number, variable in enumerate(output):
        memory = memory_of(variable)
        if id(memory) not in first:
            first[id(memory)] = variable, None
            continue
        viewed, place = first[id(memory)]
        is_owner_or_view = viewed.data is memory or viewed.output_nr in viewed.creator._viewed
        places = None if is_owner_or_view else places_of(viewed.data)
        _note_view(function, number, variable, viewed, place, places)


def note_unrecorded_view(variable: Variable, input: Sequence[Variable]) -> None:
    """Record that `variable`, the leaf that a call within `no_grad` returned, shares the memory of an input.

    Args:
        variable: The output.
        input: The inputs of the call.
    """
    for other in input:
        if memory_of(other) is memory_of(variable):
            _note_view(variable.creator, 0, variable, other, None)
            break


def _note_view(function, number, variable, viewed, position, places=None):
    """Record that `variable`, output `number`, is a view of `viewed`, the input at `position`.

    The position is None if the Function alone does not lead to the view; then `viewed` is remembered weakly. `places`
    are the places that `viewed` sees, if it is a base and does not see all of its memory.
    """
    if position is None:
        way = viewed.creator._viewed.get(0, None) if isinstance(viewed.creator, Leaf) else None
        position = weakref.ref(viewed) if way is None else way[0]
    function._viewed = {**function._viewed, number: (position, places)}
    viewers_of(memory_of(variable)).note(viewed, variable)


_WHOLE = {0: (0, None)}
Function._viewed = NOTHING_REGISTERED  # {number of an output: (the position of the input that it views, its places)}
Function._recorded = ("_viewed",)  # a second call discards it
Function._note_views = note_views


# --- finding views


class Family:
    """The Variables that see a change of `variable`, found before the change is made.

    `source` is the history of the base: (Function, number of its output). `base` is the base, which may be `variable`
    itself, or None if it no longer exists. `views` are its other views. `obstacle` is the Function because of which
    `variable` cannot have a new history, or None. `unrecorded` are the Variables over that memory with such an
    obstacle, as (Variable, obstacle, history of its base).

    Args:
        variable: The Variable that will be changed.
    """

    def __init__(self, variable: Variable) -> None:
        self._memory = memory = memory_of(variable)
        self.source, self._places, self.obstacle = _base_of(variable)
        self.base = variable if _history(variable) == self.source else None
        self.views, self.unrecorded = [], []
        for other in dict.fromkeys([reference() for reference in getattr(memory, "_viewers", ())]):
            if other is None or memory_of(other) is not memory:
                continue
            source, _, obstacle = _base_of(other)
            if obstacle is not None:
                self.unrecorded.append((other, obstacle, source))
            elif _history(other) == self.source:
                self.base = other
            elif source == self.source and other is not variable:
                self.views.append(other)

    @property
    def places(self) -> Places:
        """`places_of` of the base."""
        if self.base is not None:
            return places_of(self.base.data)
        return places_of(self._memory) if self._places is None else self._places


def _history(variable):
    return variable.creator, variable.output_nr


def _base_of(variable):
    """Return the history of the base, the places that it sees (None for all), and the obstacle, a Function or None."""
    (function, number), places, obstacle = _history(variable), None, None
    while number in function._viewed:
        if type(function) not in _REPLAYED:
            obstacle = function
        position, places = function._viewed[number]
        if isinstance(position, int):
            function, number = function._sources()[position]
        elif position() is not None:
            function, number = _history(position())
        else:
            break
    return (function, number), places, obstacle


# --- new histories of views


def places_of(tensor: Tensor) -> Places:
    """Return the places in memory that `tensor` sees: the address of its first element, its shape and its strides.

    Args:
        tensor: The Tensor.
    """
    return tensor.data_ptr() // tensor.element_size(), tensor.array.shape, tensor.stride()


def is_overlapping(tensor: Tensor) -> bool:
    """Return whether two elements of `tensor` share one place in memory.

    Args:
        tensor: The Tensor.
    """
    places = places_of(tensor)
    return not tensor.is_contiguous() and AsStrided(places, places).forward(tensor.clone().fill_(1)).max() > 1


class AsStrided(Function):
    """The elements of a Variable over the `places` of a memory, as `others` see that memory.

    Elements that share one place are added; a place without an element is 0.

    Args:
        places: The places of the input, as from `places_of`.
        others: The places of the result.

    Gradient:
        g with the two sets of places exchanged, where g is the gradient of the result.
    """

    def __init__(self, places: Places, others: Places) -> None:
        self._places, self._others = places, others

    def forward(self, x):
        both = [
            sum(numpy.ix_(*[numpy.arange(length) * step for length, step in zip(size, strides)]), first)
            for first, size, strides in (self._places, self._others)
        ]
        begin = min([places.min() for places in both if places.size], default=0)
        end = max([places.max() + 1 for places in both if places.size], default=0)
        memory = numpy.zeros(end - begin, x.array.dtype)
        add_at(memory, both[0] - begin, x.array)
        return wrap(memory.take(both[1] - begin))

    def backward(self, grad_output):
        return call(AsStrided(self._others, self._places), grad_output)


class CopySlices(Function):
    """A base after a change of a view: its old numbers, and the new ones of the view. It is not called, but linked.

    Args:
        base: The places of the base, as from `places_of`.
        view: The places of the view.

    Gradient:
        For the base, g with zeros at the places of the view; for the view, g at its places, where g is the gradient of
        the result.
    """

    def __init__(self, base: Places, view: Places) -> None:
        self._base, self._view = base, view

    def backward(self, grad_output):
        changed = AsStrided(self._view, self._base).forward(wrap(numpy.ones(self._view[1]))).gt(0)
        return grad_output.masked_fill(changed, 0), call(AsStrided(self._base, self._view), grad_output)


_REPLAYED = {
    *(operations.Expand, operations.Index, operations.Narrow, operations.Permute, operations.Select),
    *(operations.Squeeze, operations.Transpose, operations.Unfold, operations.Unsqueeze, operations.View),
    AsStrided,
}
