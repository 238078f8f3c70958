"""`torch.autograd.graph`: hooks on saved tensors (1.10, October 2021), for all within a context, or for a single one.

The problem: what forward saves for backward is most of the memory that training takes, and it only lies there until
backward comes. Somebody may know a better place for it, on disk for example, or a smaller form; but which tensors a
Function saves was its own affair.

How the 2016 core makes room for it: all of the package's Functions save in one way, `save_for_backward`. A callback
around every call (`callbacks.around_call`) replaces what was saved by what `pack_hook` makes of it, and leaves an
`_unpack` on the Function, which `saved_tensors` asks from then on. What an old Function keeps on `self` is not seen by
any hook.
"""

import pathlib
import threading
import weakref

import numpy

from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from ...tensor.dtypes import TYPE_NAMES
from ..callbacks import Reason, WhileNeeded, around_call
from ..function import Function
from ..variable import Variable
from . import grad_mode
from .double_backward import AsVariables

Node = Function


class _Pairs(threading.local):
    """The hooks of this thread, the innermost context's last."""

    def __init__(self):
        self.stack = []
        self.forbidden = None
        self.reason = Reason()


class saved_tensors_hooks:
    """Within this context `pack_hook(tensor)` is given every tensor that is saved for backward, and what it returns is
    kept in its place. When backward asks for the tensor, `unpack_hook` of that has to give one of the same numbers.

    Of nested contexts the innermost counts, of the hooks only those of the thread. A pack_hook must not change its
    tensor in place (RuntimeError). unpack_hook runs whenever the tensor is asked for, so it may run several times.
    """

    def __init__(self, pack_hook, unpack_hook):
        for hook in (pack_hook, unpack_hook):
            if not callable(hook):
                raise TypeError(f"saved_tensors_hooks needs two functions, got {type(hook).__name__}")
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        if _pairs.forbidden is not None:
            raise RuntimeError(_pairs.forbidden)
        _pairs.stack.append((self.pack_hook, self.unpack_hook))
        _registration.add(_pairs.reason)

    def __exit__(self, *exception):
        _pairs.stack.pop()
        if not _pairs.stack:
            _registration.drop(_pairs.reason)


class disable_saved_tensors_hooks:
    """Within this context, entering `saved_tensors_hooks` raises a RuntimeError with `error_message` (1.13)."""

    def __init__(self, error_message):
        self.error_message = error_message

    def __enter__(self):
        if _pairs.stack:
            raise RuntimeError(f"disable_saved_tensors_hooks within saved_tensors_hooks: {self.error_message}")
        self._before, _pairs.forbidden = _pairs.forbidden, self.error_message

    def __exit__(self, *exception):
        _pairs.forbidden = self._before


def _pack_what_was_saved(function, proceed, *variables):
    output = proceed(*variables)
    recorded = function.requires_grad and grad_mode.recording() and not any([v.volatile for v in variables])
    if _pairs.stack and function._saved and recorded:
        pack_hook, unpack_hook = _pairs.stack[-1]
        record = _record_of(function)
        with grad_mode.no_grad():  # what a hook itself computes is not recorded, and so not packed
            for number in range(len(record.entries)):
                record.pack(number, pack_hook, unpack_hook)
        _keep(function, record)
    return output


_pairs = _Pairs()
_registration = WhileNeeded(around_call, _pack_what_was_saved)


# --- what takes the place of the saved tensors


class Record:
    """A `Function._unpack`: entries of (what is kept, how to unpack it or None, size, dtype, version)."""

    def __init__(self, tensors, positions):
        self.entries = [(tensor, None, tensor.array.shape, tensor.array.dtype, tensor._version) for tensor in tensors]
        self.positions = positions  # for double_backward: which inputs or outputs these are

    def __call__(self, function):
        return tuple([self.unpacked(function, number) for number in range(len(self.entries))])

    def unpacked(self, function, number):
        kept, unpack_hook, size, dtype, version = self.entries[number]
        expected = f"a {TYPE_NAMES[dtype]} of size {shown_size(size)}"
        if version is not None and kept._version != version:
            raise RuntimeError(
                f"{function._name}: one of the variables needed for gradient computation has been modified by an "
                f"inplace operation: {expected} is at version {kept._version}; expected version {version} instead"
            )
        if unpack_hook is None:
            return kept
        tensor = unpack_hook(kept)
        tensor = tensor.data if isinstance(tensor, Variable) else tensor
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{function._name}: unpack_hook has to return {expected}, got {type(tensor).__name__}")
        if tensor.array.shape != size or tensor.array.dtype != dtype:
            raise RuntimeError(
                f"{function._name}: unpack_hook has to return {expected}, got a {tensor.type()} of size "
                f"{shown_size(tensor.array.shape)}"
            )
        return tensor

    def pack(self, number, pack_hook, unpack_hook):
        tensor, _, size, dtype, version = self.entries[number]
        kept = pack_hook(tensor)
        if tensor._version != version:
            raise RuntimeError("a pack_hook of saved tensors changed the tensor that it was given, in place")
        # A pack_hook that returned the tensor itself did not protect it from writes.
        self.entries[number] = (kept, unpack_hook, size, dtype, version if kept is tensor else None)


def _record_of(function):
    unpack = function._unpack
    if isinstance(unpack, AsVariables):
        unpack = unpack.unpack
    return unpack if isinstance(unpack, Record) else Record(function._saved, function._saved_positions)


def _keep(function, record):
    function._saved, function._saved_versions = (), ()
    function._unpack = record


class SavedTensor:
    """One of the tensors that `function` saved, as `function._raw_saved_tensors` and `_raw_saved_self` give it."""

    def __init__(self, function, number):
        self._function = function
        self._number = number

    def register_hooks(self, pack_hook, unpack_hook):
        """Let `pack_hook(tensor)` take the tensor's place now, to be unpacked by `unpack_hook`.

        RuntimeError if it has hooks already, or was freed.
        """
        saved_tensors_hooks(pack_hook, unpack_hook)  # are they functions?
        function = self._function
        if function._saved is None:
            raise RuntimeError(f"{function._name}: register_hooks on a tensor that was freed")
        record = _record_of(function)
        if record.entries[self._number][1] is not None:
            raise RuntimeError(f"{function._name}: register_hooks on a saved tensor that has hooks already")
        with grad_mode.no_grad():
            record.pack(self._number, pack_hook, unpack_hook)
        _keep(function, record)


def _raw_saved_tensors(function):
    """A SavedTensor for each tensor that was saved."""
    count = 0 if function._saved is None else len(_record_of(function).entries)
    return tuple([SavedTensor(function, number) for number in range(count)])


def _position(function, position, name):
    """The number, among what `function` saved, of the tensor at `position` of its inputs and outputs."""
    positions = _record_of(function).positions if function._saved is not None else []
    if position not in positions:
        raise AttributeError(f"{function._name} saved no {name}")
    return positions.index(position)


def _saved_self(function):
    """The first input, if it was saved: the name that torch's generated nodes have for it."""
    return function.saved_tensors[_position(function, 0, "self")]


def _saved_other(function):
    """The second input, if it was saved."""
    return function.saved_tensors[_position(function, 1, "other")]


def _saved_result(function):
    """The output, if it was saved."""
    return function.saved_tensors[_position(function, -1, "result")]


def _raw_saved_self(function):
    """The SavedTensor of the first input."""
    return SavedTensor(function, _position(function, 0, "self"))


def _raw_saved_other(function):
    """The SavedTensor of the second input."""
    return SavedTensor(function, _position(function, 1, "other"))


def _raw_saved_result(function):
    """The SavedTensor of the output."""
    return SavedTensor(function, _position(function, -1, "result"))


Function._raw_saved_tensors = property(_raw_saved_tensors)
Function._saved_self = property(_saved_self)
Function._saved_other = property(_saved_other)
Function._saved_result = property(_saved_result)
Function._raw_saved_self = property(_raw_saved_self)
Function._raw_saved_other = property(_raw_saved_other)
Function._raw_saved_result = property(_raw_saved_result)


# --- two pairs of hooks that are of use


class save_on_cpu(saved_tensors_hooks):
    """Keeps copies of the saved tensors. In torch they move from a GPU to the main memory; here they are there already,
    and what remains is that writing to the original in place does no harm to backward."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda tensor: tensor.clone(), lambda tensor: tensor)


class save_on_disk(saved_tensors_hooks):
    """Keeps the saved tensors in files, in `folder` (a temporary one of the system's where none is given).

    A file lives as long as the graph: backward may ask for it again, so reading does not delete it.
    """

    def __init__(self, folder=None):
        super().__init__(lambda tensor: SelfDeletingTempFile(tensor, folder), SelfDeletingTempFile.read)


class SelfDeletingTempFile:
    """A tensor in a file that is deleted with this object."""

    def __init__(self, tensor, folder=None):
        import tempfile

        descriptor, self.name = tempfile.mkstemp(suffix=".npy", dir=folder)
        weakref.finalize(self, pathlib.Path(self.name).unlink, missing_ok=True)
        with open(descriptor, "wb") as file:
            numpy.save(file, tensor.array)

    def read(self):
        return wrap(numpy.load(self.name))
