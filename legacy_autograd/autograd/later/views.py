"""Views: Variables that see the memory of another one, their base (their histories: 0.2.0, August 2017).

The problem: a view that is changed in place changes its base and all other views, whose histories know nothing of it.
Their gradients would be those of numbers that are no longer there.

How the 2016 core makes room for it: a call notes which of its outputs see the memory of an input
(`callbacks.note_views`): the Function keeps a weak reference to that input, and the memory one to the output. With
these `Family` finds, when one Variable is changed, all others that see the change. Their new histories are made of two
Functions: `CopySlices` puts a changed view into the history of its base, `AsStrided` takes a view from it again. Both
need to know only which places of the memory a Variable sees, so one rule holds for every kind of view.
"""

import math
import weakref

import numpy

from ...tensor.base import wrap
from .. import callbacks
from ..function import NOTHING_REGISTERED, Function
from ..functions import tensor as operations
from ..functions._utils import call
from ..leaf import Leaf

_FEW = 32  # weak references of a memory, before those that are dead are looked for


def memory_of(variable):
    """The Tensor that owns the memory of `variable`: two Variables with the same one are views of the same numbers."""
    tensor = variable.data
    return tensor if tensor._base is None else tensor._base


# --- noting them


class Viewers(list):
    """Weak references to the Variables that are views of one memory."""

    limit = _FEW

    def add(self, variable):
        if len(self) > self.limit:
            self[:] = dict.fromkeys([reference for reference in self if reference() is not None])
            self.limit = 2 * len(self) + _FEW
        self.append(weakref.ref(variable))


def add_viewer(variable):
    memory = memory_of(variable)
    try:
        viewers = memory._viewers
    except AttributeError:  # the slot is empty until there is a view
        viewers = memory._viewers = Viewers()
    viewers.add(variable)


def note_views(function, input, output):
    """Note which outputs of a call see the memory of an input, or that of another output."""
    for number, variable in enumerate(output):
        memory = memory_of(variable)
        for position, arg in enumerate(input):
            if arg is not None and memory_of(arg) is memory:
                _note_view(function, number, variable, weakref.ref(arg), position)
                break
        else:
            sharing = [other for other in output if memory_of(other) is memory] if len(output) > 1 else [variable]
            owner = next((other for other in sharing if other.data is memory), None)
            if len(sharing) > 1 and owner is not variable:
                _note_view(function, number, variable, _gone if owner is None else weakref.ref(owner), None)


def _note_view(function, number, variable, viewed, position):
    """`variable`, output `number`, sees the memory of the Variable `viewed`, the input at `position`.

    The position is None if its history is not to be had from the Function: for views made within `no_grad`.
    """
    if function._viewed is NOTHING_REGISTERED:
        function._viewed = {number: (viewed, position)}
    else:
        function._viewed[number] = viewed, position
    add_viewer(variable)


def note_unrecorded_view(function, number, variable):
    """`variable`, a leaf, is what output `number` was before its history was cut off."""
    if number in function._viewed:
        viewed, _ = function._viewed[number]
        arg = viewed()
        if isinstance(arg.creator, Leaf) and arg.creator._viewed:  # an unrecorded view itself
            viewed, _ = arg.creator._viewed[0]
        _note_view(variable.creator, 0, variable, viewed, None)


def _gone():
    """Stands for a weak reference to a Variable that there is none of."""


Function._viewed = NOTHING_REGISTERED  # {number of an output: (weak reference to the Variable viewed, its position)}
callbacks.note_views = note_views


# --- finding them


class Family:
    """The Variables that see a change of `variable`, found before it is made.

    `source` is the history of the base, (Function, number of its output), and `places` are those it sees. `base` is the
    base, which may be `variable` itself, or None if it is gone. `views` are the other views of it. `unrecorded` are
    further views over that memory, with the Function because of which each of them cannot have a new history, and the
    history of its base. `obstacle` is that Function for `variable`, or None.
    """

    def __init__(self, variable):
        memory = memory_of(variable)
        self.source, self.reference, self.obstacle = _base_of(variable)
        self.base = self.reference()
        if self.base is not None and (memory_of(self.base) is not memory or _history(self.base) != self.source):
            self.base = None
        self.views, self.unrecorded = [], []
        for view in dict.fromkeys([reference() for reference in getattr(memory, "_viewers", ())]):
            if view is None or view is variable or view is self.base or memory_of(view) is not memory:
                continue
            source, _, obstacle = _base_of(view)
            if obstacle is not None:
                self.unrecorded.append((view, obstacle, source))
            elif source == self.source:
                self.views.append(view)
        self.others = self.views if self.base is None or self.base is variable else [self.base, *self.views]
        self.places = self._places(memory) if self.others else None

    def _places(self, memory):
        """What `places_of` gives for the base. None if the base is gone, and did not see its memory as a whole."""
        if self.base is not None:
            return places_of(self.base.data)
        function, number = self.source
        size = function._output_sizes[number]
        if memory.array.shape == size:
            return places_of(memory)
        return places_of(memory.view(*size)) if memory.is_contiguous() and memory.numel() == math.prod(size) else None


def _history(variable):
    return variable.creator, variable.output_nr


def _base_of(variable):
    """The history of the base, a weak reference to the base, and the Function that cannot be replayed, or None."""
    (function, number), reference, obstacle = _history(variable), weakref.ref(variable), None
    while number in function._viewed:
        if type(function) not in _REPLAYED:
            obstacle = function
        reference, position = function._viewed[number]
        if position is not None:
            function, number = function._sources()[position]
        elif reference() is not None:
            function, number = _history(reference())
        else:
            break
    return (function, number), reference, obstacle


# --- their new histories


def places_of(tensor):
    """The places in memory that `tensor` sees: the address of the first one, the size, the strides."""
    return tensor.data_ptr() // tensor.element_size(), tensor.array.shape, tensor.stride()


def is_overlapping(tensor):
    """Whether two elements of `tensor` may have one place in memory."""
    if tensor.is_contiguous():
        return False
    reach = 0
    for step, length in sorted([(abs(step), length) for step, length in zip(tensor.stride(), tensor.array.shape)]):
        if length > 1 and step <= reach:
            return True
        reach += step * (length - 1)
    return False


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
        _, size, _ = self._view
        changed = AsStrided(self._view, self._base).forward(wrap(numpy.ones(size))).gt(0)
        return grad_output.masked_fill(changed, 0), call(AsStrided(self._base, self._view), grad_output)


_REPLAYED = {
    *(operations.Expand, operations.Index, operations.Narrow, operations.Permute, operations.Select),
    *(operations.Squeeze, operations.Transpose, operations.Unfold, operations.Unsqueeze, operations.View),
    AsStrided,
}
