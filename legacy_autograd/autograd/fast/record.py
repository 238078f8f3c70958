"""The record of a call as two tuples, without ids and dictionaries. Its properties give 2016's form.

An edge is the creator of an input and the number of its output, so the Variable may be gone. A record that was read or
assigned in 2016's form stays in that form, since a program may append to the list. The book calls a Function that has
it, and walks every graph that holds one.
"""

import itertools
import weakref

from ..leaf import Leaf
from ..record import Record
from ..saved_tensors import SavedTensors


class LongWay(tuple):
    """The edges of a Function that has hooks, or one of whose inputs is one of several outputs."""

    __slots__ = ()


changed: set = set()  # classes that lost a method of the book while graphs of the twin may exist: the book walks all


def _in_2016s_form(name):
    """Return the property `name` of a record."""

    def read(self):
        if isinstance(self._edges, tuple):
            if type(self) is Leaf:
                return [] if name == "previous_functions" else {self._output_id: 0}
            self._take_2016s_form()
        return self.__dict__.get(name)

    def assign(self, record):
        before = self.output_ids
        if name == "output_ids" and before and self._first_outputs is None:  # by which its consumers know its outputs
            self._first_outputs = {number: key for key, number in before.items()}
        self._take_2016s_form()
        self.__dict__[name] = record
        self._edges = False

    return property(read, assign)


class TwinRecord(Record):
    """`Record`."""

    _edges = None  # the creators of the inputs; None before the call; False: the record has, or will have, 2016's form
    _numbers = ()  # which of their outputs the inputs are; () if all are output 0
    _output_id = None  # the id of the output, or a tuple of ids
    _first_outputs = None  # {number: id of the output} of the first call, once there was a second
    _size = None  # the shape of the output; None for several outputs
    _sizes = ()  # their shapes
    _notes_itself = False  # whether its class has a `_note_saved` of its own
    _declared_forward = None  # the forward of a class that declares what it saves
    _recorded: tuple = ("_edges", "_numbers", "_output_id", "_size", "_sizes")

    previous_functions = _in_2016s_form("previous_functions")
    output_ids = _in_2016s_form("output_ids")

    def _take_2016s_form(self):
        edges, output_id = self._edges, self._output_id
        if not isinstance(edges, tuple):
            return
        numbers = self._numbers or (0,) * len(edges)
        ids = output_id if type(output_id) is tuple else (output_id,)
        self.__dict__.update(
            previous_functions=[(function, function._key(number)) for function, number in zip(edges, numbers)],
            output_ids={key: number for number, key in enumerate(ids)},
        )
        self._edges, self._output_id = False, None

    @property
    def _output_sizes(self):
        return self._sizes if self._size is None else [self._size]

    @_output_sizes.setter
    def _output_sizes(self, sizes):
        self._size, self._sizes = (None, sizes) if self._edges is False or len(sizes) != 1 else (sizes[0], ())

    def _output_nr(self, arg_id):
        ids = self._output_id if type(self._output_id) is tuple else (self._output_id,)
        return super()._output_nr(arg_id) if changed or arg_id not in ids else ids.index(arg_id)

    def _sources(self):
        edges = self._edges
        if not changed and edges is not False:
            for function in edges:
                if function._edges is False:
                    break
            else:
                return list(zip(edges, self._numbers or itertools.repeat(0)))
        return super()._sources()

    def _key(self, number):
        """Return the id of an output, by which a record in 2016's form names it."""
        output_id = self._output_id
        if self._first_outputs is not None:
            return self._first_outputs[number]
        if output_id is None:
            return next(key for key, output_nr in self.output_ids.items() if output_nr == number)
        return output_id[number] if type(output_id) is tuple else output_id

    def _id_of_output(self, number):
        return super()._id_of_output(number) if changed or self._output_id is None else self._key(number)

    def _link(self, sources, variable):
        if changed or any([function._edges is False for function, _ in [(self, 0), *sources]]):
            return super()._link(sources, variable)
        edges = tuple([function for function, _ in sources])
        self._edges = LongWay(edges) if [function for function in edges if function._size is None] else edges
        self._numbers = tuple([number for _, number in sources])
        self._output_id, self._size = id(variable), variable.data.array.shape
        self.needs_input_grad = tuple([function.requires_grad for function in edges])
        self.requires_grad = True in self.needs_input_grad

    def _rename_output(self, key, new_key):
        if self._output_id is None:
            super()._rename_output(key, new_key)
        elif type(self._output_id) is tuple:
            self._output_id = tuple([new_key if own == key else own for own in self._output_id])
        else:
            self._output_id = new_key

    def _begin_again(self):
        first = self._first_outputs or {number: key for key, number in self.output_ids.items()}
        super()._begin_again()
        self._first_outputs, self._saved_positions = first, ()
        leave_to_the_book(self)


class TwinSavedTensors(SavedTensors, TwinRecord):
    """`SavedTensors`, without a list of counts while all of them are 0."""

    def save_for_backward(self, *tensors):
        if self._saved == ():  # else an earlier call saved, or the book will check what is saved
            try:
                for tensor in tensors:
                    if tensor._writes or tensor._base is not None:
                        self._saved_versions = _counts(tensors)
                        break
                self._saved = tensors
                return
            except AttributeError:  # something other than a Tensor
                pass
        super().save_for_backward(*tensors)

    @property
    def saved_tensors(self):
        saved, versions = self._saved, self._saved_versions
        if saved and not changed and type(versions) is not list and self._unpack is None:  # a list: the book saved them
            if versions:
                if versions == _counts(saved):
                    return saved
            else:
                for tensor in saved:
                    if tensor._writes:
                        break
                else:
                    return saved
        return super().saved_tensors

    def _checked(self):
        if self._saved and not self._saved_versions:
            self._saved_versions = (0,) * len(self._saved)
        return super()._checked()


def _counts(tensors):
    """Return `writes` of each tensor. A loop costs less than a comprehension, and two written out half of that."""
    if len(tensors) == 2:
        a, b = tensors
        return (a._writes if a._base is None else a._base._writes), (b._writes if b._base is None else b._base._writes)
    versions = ()
    for tensor in tensors:
        versions += (tensor._writes if tensor._base is None else tensor._base._writes,)
    return versions


def leaf_init(self, variable, requires_grad):
    """`Leaf.__init__`."""
    if self._edges is False:
        return leaf_init.__wrapped__(self, variable, requires_grad)
    self._variable = weakref.ref(variable)
    self.requires_grad = requires_grad
    self._size = variable.data.array.shape
    self._edges, self._output_id = (), id(variable)


def leave_to_the_book(function):
    """Let the book call a Function, and walk all graphs that it is part of: its record gets 2016's form."""
    function._take_2016s_form()
    function._edges = False
    if not function._saved:
        function._saved = [] if function._saved is not None else None  # a list: the book will save
    elif type(function._saved_versions) is tuple:
        function._saved_versions = list(function._saved_versions) or [0] * len(function._saved)
