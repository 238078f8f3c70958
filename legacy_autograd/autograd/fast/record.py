"""The record of a call as two tuples, without ids and dictionaries. Its properties give 2016's form.

An edge is the creator of an input and the number of its output, so the Variable may be gone. A record that was read or
assigned in 2016's form stays in that form, since a program may append to the list. The book walks graphs that hold one.
"""

import itertools
import weakref

from ..leaf import Leaf
from ..record import Record
from ..saved_tensors import SavedTensors, writes


class LongWay(tuple):
    """The edges of a Function that has hooks, or one of whose inputs is one of several outputs."""

    __slots__ = ()


NOT_CALLED = LongWay()  # the edges of a Function that got a hook, or a method of its own, before its call
changed: set = set()  # classes that lost a method of the book while graphs of the twin may exist: the book walks all
_NOTHING_SAVED = SavedTensors._saved
_FIRST_OUTPUTS = itertools.repeat(0)


class TwinRecord(Record):
    """`Record`. A Function whose class or instance overrides a method of the book uses the book's methods."""

    _edges = None  # the creators of the inputs; False where the record is in 2016's form
    _numbers = ()  # which of their outputs the inputs are; () if all are output 0
    _output_id = None  # the id of the output, or a tuple of ids
    _first_outputs = None  # {number: id of the output} of the first call, once there was a second
    _size = None  # the shape of the output; None for several outputs
    _sizes = ()  # their shapes
    _by_the_book = False  # whether the book calls and walks it
    _notes_itself = False  # whether its class has a `_note_saved` of its own
    _declared_forward = None  # the forward of a class that declares what it saves
    _recorded: tuple = ("_edges", "_numbers", "_output_id", "_size", "_sizes")

    @property
    def previous_functions(self):
        if "previous_functions" not in self.__dict__:
            edges = self._edges
            if edges is None or edges is NOT_CALLED:
                return None
            if self.__class__ is Leaf:
                return []
            numbers = self._numbers or (0,) * len(edges)
            record = [(function, function._key(number)) for function, number in zip(edges, numbers)]
            self.__dict__.update(output_ids=self._numbered(), previous_functions=record)
            self._edges, self._output_id = False, None
        return self.__dict__["previous_functions"]

    @previous_functions.setter
    def previous_functions(self, record):
        self.__dict__["previous_functions"] = record
        self._edges = False

    @property
    def output_ids(self):
        if "output_ids" not in self.__dict__ and self._output_id is not None:
            if self.__class__ is Leaf:
                return self._numbered()
            self.previous_functions  # noqa: B018  # both have 2016's form from now on
        return self.__dict__.get("output_ids")

    @output_ids.setter
    def output_ids(self, record):
        if self._first_outputs is None and self.output_ids:  # by which the Functions behind it know its outputs
            self._first_outputs = {number: key for key, number in self.output_ids.items()}
        if isinstance(self._edges, tuple) and self._edges is not NOT_CALLED:
            self.previous_functions = self.previous_functions
        self.__dict__["output_ids"] = record
        self._output_id = None

    def _numbered(self):
        if "output_ids" in self.__dict__:
            return self.__dict__["output_ids"]
        output_id = self._output_id
        return {key: number for number, key in enumerate(output_id if output_id.__class__ is tuple else (output_id,))}

    @property
    def _output_sizes(self):
        return self._sizes if self._size is None else [self._size]

    @_output_sizes.setter
    def _output_sizes(self, sizes):
        self._size, self._sizes = (None, sizes) if self._by_the_book or len(sizes) != 1 else (sizes[0], ())

    def _output_nr(self, arg_id):
        output_id = self._output_id
        if not self._by_the_book:
            if output_id == arg_id:
                return 0
            if output_id.__class__ is tuple and arg_id in output_id:
                return output_id.index(arg_id)
        return super()._output_nr(arg_id)

    def _sources(self):
        edges = self._edges
        if edges is False or self._by_the_book:
            return super()._sources()
        for function in edges:
            if function._by_the_book:
                return super()._sources()
        return list(zip(edges, self._numbers or _FIRST_OUTPUTS))

    def _id_of_output(self, number):
        return super()._id_of_output(number) if self._by_the_book else self._key(number)

    def _key(self, number):
        """Return the id of an output, by which a record in 2016's form names it."""
        output_id = self._output_id
        if self._first_outputs is not None:
            return self._first_outputs[number]
        if output_id is None:
            return next(key for key, output_nr in self.output_ids.items() if output_nr == number)
        return output_id[number] if output_id.__class__ is tuple else output_id

    def _link(self, sources, variable):
        edges = tuple([function for function, _ in sources])
        if [function for function in (self, *edges) if function._by_the_book]:
            super()._link(sources, variable)
            return
        numbers = tuple([number for _, number in sources])
        self._edges = LongWay(edges) if [function for function in edges if function._size is None] else edges
        if any(numbers):
            self._numbers = numbers
        self._output_id, self._size = id(variable), variable.data.array.shape
        self.needs_input_grad = tuple([function.requires_grad for function in edges])
        self.requires_grad = True in self.needs_input_grad

    def _rename_output(self, key, new_key):
        output_id = self._output_id
        if output_id is None or self._by_the_book:
            super()._rename_output(key, new_key)
        elif output_id.__class__ is tuple:
            self._output_id = tuple([new_key if own == key else own for own in output_id])
        else:
            self._output_id = new_key

    def _begin_again(self):
        first = self._first_outputs or {number: key for key, number in self.output_ids.items()}
        super()._begin_again()
        self._first_outputs, self._saved_positions = first, ()
        if "_by_the_book" in self.__dict__:
            leave_to_the_book(self)


class TwinSavedTensors(SavedTensors, TwinRecord):
    """`SavedTensors`, without a list of counts while all of them are 0."""

    def save_for_backward(self, *tensors):
        if self._saved is not _NOTHING_SAVED:  # an earlier call saved, or the book will check what is saved
            super().save_for_backward(*tensors)
            return
        try:
            for tensor in tensors:
                if tensor._writes or tensor._base is not None:
                    self._saved_versions = tuple([writes(tensor) for tensor in tensors])
                    break
        except AttributeError:  # something other than a Tensor
            super().save_for_backward(*tensors)
            return
        self._saved = tensors

    @property
    def saved_tensors(self):
        saved, versions = self._saved, self._saved_versions
        if not saved or changed or versions.__class__ is list or self._unpack is not None:  # list: the book saved them
            return super().saved_tensors
        if versions:
            for tensor, version in zip(saved, versions):
                if (tensor._writes if tensor._base is None else tensor._base._writes) != version:
                    return super().saved_tensors
        else:
            for tensor in saved:
                if tensor._writes:
                    return super().saved_tensors
        return saved

    def _checked(self):
        if self._saved and not self._saved_versions:
            self._saved_versions = [0] * len(self._saved)
        return super()._checked()


def leaf_init(self, variable, requires_grad):
    """`Leaf.__init__`."""
    if self._by_the_book:
        leaf_init.__wrapped__(self, variable, requires_grad)
        return
    self._variable = weakref.ref(variable)
    self.requires_grad = requires_grad
    self._size = variable.data.array.shape
    self._edges, self._output_id = (), id(variable)


def leave_to_the_book(function):
    """Let the book call a Function, and walk all graphs that it is part of: its record gets 2016's form."""
    function._by_the_book = True
    edges = function._edges
    if edges is None or edges is NOT_CALLED:
        function._edges = NOT_CALLED
    elif edges is not False and isinstance(function, Leaf):
        function.__dict__.update(previous_functions=[], output_ids=function.output_ids)
        function._edges, function._output_id = False, None
    else:
        sizes = function._output_sizes
        function.previous_functions  # noqa: B018
        function._output_sizes = sizes
    if not function._saved:
        function._saved = [] if function._saved is not None else None  # a list: the book will save
    elif function._saved_versions.__class__ is tuple:
        function._saved_versions = list(function._saved_versions) or [0] * len(function._saved)
