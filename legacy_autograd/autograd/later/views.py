"""Views: Variables that see the memory of another one, their base (their histories: 0.2.0, August 2017).

The problem: a view that is changed in place changes its base and all other views, whose histories know nothing of it.
Their gradients would be those of numbers that are no longer there.

How the 2016 core makes room for it: a call notes which of its outputs see the memory of an input
(`callbacks.note_views`), and the memory keeps weak references to both. With these `Family` finds, when one Variable is
changed, all others that see the change. Their new histories are made of two Functions: `CopySlices` puts a changed view
into the history of its base, `AsStrided` takes a view from it again. Both need to know only which places of the memory
a Variable sees, so one rule holds for every kind of view.
"""

import weakref

import numpy

from ...tensor.base import wrap
from .. import callbacks
from ..function import NOTHING_REGISTERED, Function
from ..functions import tensor as operations
from ..functions._utils import call
from ..leaf import Leaf


def memory_of(variable):
    """The Tensor that owns the memory of `variable`: two Variables with the same one are views of the same numbers."""
    tensor = variable.data
    return tensor if tensor._base is None else tensor._base


# --- noting them


class Viewers(list):
    """Weak references to the Variables that see one memory: its base and the views of that."""

    limit = 32  # beyond this many, those that are dead are removed

    def note(self, *variables):
        self.extend(map(weakref.ref, variables))
        if len(self) > self.limit:
            self[:] = dict.fromkeys([reference for reference in self if reference() is not None])
            self.limit = 2 * len(self) + Viewers.limit


def viewers_of(memory):
    try:
        return memory._viewers
    except AttributeError:  # the slot is empty until there is a view
        memory._viewers = Viewers()
        return memory._viewers


def note_views(function, input, output):
    """Note which outputs of a call see the memory of an input, or that of an output before them."""
    if len(input) == len(output) == 1 and input[0] is not None and input[0].data is output[0].data._base:
        function._viewed = _WHOLE  # what nearly all views are, in the shortest way
        viewers_of(input[0].data).note(*input, *output)
        return
    for number, variable in enumerate(output):
        memory = memory_of(variable)
        for position, other in enumerate(input + output[:number]):
            if other is not None and memory_of(other) is memory:
                is_owner_or_view = other.data is memory or other.output_nr in other.creator._viewed
                places = None if is_owner_or_view else places_of(other.data)
                _note_view(function, number, variable, other, position if position < len(input) else None, places)
                break


def note_unrecorded_view(variable, input):
    """Note that `variable`, a leaf that a call within `no_grad` gave, sees the memory of an input."""
    for other in input:
        if memory_of(other) is memory_of(variable):
            _note_view(variable.creator, 0, variable, other, None)
            break


def _note_view(function, number, variable, viewed, position, places=None):
    """`variable`, output `number`, is a view of `viewed`, the input at `position`.

    The position is None where the Function is not all that led to it; then the Variable that is viewed is remembered,
    weakly. `places` are those that it sees, if it is a base and does not see all of its memory.
    """
    if position is None:
        way = viewed.creator._viewed.get(0, None) if isinstance(viewed.creator, Leaf) else None
        position = weakref.ref(viewed) if way is None else way[0]
    function._viewed = {**function._viewed, number: (position, places)}
    viewers_of(memory_of(variable)).note(viewed, variable)


_WHOLE = {0: (0, None)}
Function._viewed = NOTHING_REGISTERED  # {number of an output: (the position of the input that it views, its places)}
callbacks.note_views = note_views


# --- finding them


class Family:
    """The Variables that see a change of `variable`, found before it is made.

    `source` is the history of the base: (Function, number of its output). `base` is the base, which may be `variable`
    itself, or None if it is gone. `views` are the other views of it. `obstacle` is a Function because of which
    `variable` cannot have a new history, or None. `unrecorded` are the Variables over that memory that have one, each
    with it and with the history of its base.
    """

    def __init__(self, variable):
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
    def places(self):
        """What `places_of` gives for the base."""
        if self.base is not None:
            return places_of(self.base.data)
        return places_of(self._memory) if self._places is None else self._places


def _history(variable):
    return variable.creator, variable.output_nr


def _base_of(variable):
    """The history of the base, the places that it sees or None for all, and the Function that is in the way or None."""
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


# --- their new histories


def places_of(tensor):
    """The places in memory that `tensor` sees: the address of the first one, the size, the strides."""
    return tensor.data_ptr() // tensor.element_size(), tensor.array.shape, tensor.stride()


def is_overlapping(tensor):
    """Whether two elements of `tensor` have one place in memory."""
    places = places_of(tensor)
    return not tensor.is_contiguous() and AsStrided(places, places).forward(tensor.clone().fill_(1)).max() > 1


class AsStrided(Function):
    """The numbers of a Variable that is at the `places` of a memory, as they are seen from `others`; 0 elsewhere.

    Numbers with one place in common are added. Gradient: that of the result, with the places exchanged.
    """

    def __init__(self, places, others):
        self._places, self._others = places, others

    def forward(self, x):
        both = [
            sum(numpy.ix_(*[numpy.arange(length) * step for length, step in zip(size, strides)]), first)
            for first, size, strides in (self._places, self._others)
        ]
        begin = min([places.min() for places in both if places.size], default=0)
        end = max([places.max() + 1 for places in both if places.size], default=0)
        memory = numpy.zeros(end - begin, x.array.dtype)
        numpy.add.at(memory, both[0] - begin, x.array)
        return wrap(memory.take(both[1] - begin))

    def backward(self, grad_output):
        return call(AsStrided(self._others, self._places), grad_output)


class CopySlices(Function):
    """The base after a change of a view: its old numbers, and the view's new ones. It is not called, but linked.

    Gradients: g with zeros in the places of the view, and g as the view sees it.
    """

    def __init__(self, base, view):
        self._base, self._view = base, view

    def backward(self, grad_output):
        changed = AsStrided(self._view, self._base).forward(wrap(numpy.ones(self._view[1]))).gt(0)
        return grad_output.masked_fill(changed, 0), call(AsStrided(self._base, self._view), grad_output)


_REPLAYED = {
    *(operations.Expand, operations.Index, operations.Narrow, operations.Permute, operations.Select),
    *(operations.Squeeze, operations.Transpose, operations.Unfold, operations.Unsqueeze, operations.View),
    AsStrided,
}
