"""`torch.autograd.graph`: hooks on saved tensors (1.10, October 2021), for all within a context or for a single one.

The problem: the tensors that forward saves for backward take most of the memory of training, and are idle until
backward. A program may have a better place for them, for example on disk, or a smaller format. But only the Function
knew which tensors it saves.

How the 2016 core makes room for it: all of the package's Functions save with `save_for_backward`. A callback around
every call (`callbacks.around_call`) replaces each saved tensor by the result of `pack_hook`, and sets an `_unpack` on
the Function, which `saved_tensors` calls from then on. Tensors that an old Function keeps on `self` pass no hook.
"""

import pathlib
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

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
PackHook: TypeAlias = Callable[[Tensor], Any]
UnpackHook: TypeAlias = Callable[[Any], Tensor | Variable]


class _Pairs(threading.local):
    """The hooks of this thread, the innermost context's last."""

    def __init__(self):
        self.stack = ()  # replaced and not changed, so that an interrupt comes before or after
        self.forbidden = None
        self.reason = Reason()


class saved_tensors_hooks:
    """Pack every tensor that is saved for backward within this context, and unpack it when backward needs it.

    Of nested contexts only the innermost applies. The hooks apply to their own thread.

    Args:
        pack_hook: `pack_hook(tensor)` returns the object to keep. It must not change the tensor in place.
        unpack_hook: `unpack_hook(object)` returns a tensor of the same numbers. It runs at each use of the tensor, so
            it may run several times.

    Raises:
        RuntimeError: In the call whose `pack_hook` changes its tensor, and on entry within
            `disable_saved_tensors_hooks`.
        TypeError: If a hook is not callable.
    """

    def __init__(self, pack_hook: PackHook, unpack_hook: UnpackHook) -> None:
        for hook in (pack_hook, unpack_hook):
            if not callable(hook):
                raise TypeError(f"saved_tensors_hooks needs two functions, got {type(hook).__name__}")
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        if _pairs.forbidden is not None:
            raise RuntimeError(_pairs.forbidden)
        _registration.add(_pairs.reason)
        _pairs.stack = (*_pairs.stack, (self.pack_hook, self.unpack_hook))

    def __exit__(self, *exception):
        _pairs.stack = _pairs.stack[:-1]
        if not _pairs.stack:
            _registration.drop(_pairs.reason)


class disable_saved_tensors_hooks:
    """Forbid `saved_tensors_hooks` within this context (1.13).

    Args:
        error_message: The message of the RuntimeError that entering `saved_tensors_hooks` raises.

    Raises:
        RuntimeError: On entry within `saved_tensors_hooks`.
    """

    def __init__(self, error_message: str) -> None:
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
    if not _pairs.stack:
        _registration.drop(_pairs.reason)  # after an interrupt of `__enter__` it may still be there
    elif function._saved and recorded:
        pack_hook, unpack_hook = _pairs.stack[-1]
        record = _record_of(function)
        with grad_mode.no_grad():  # so that the hook's own computations are not packed
            for number in range(len(record.entries)):
                record.pack(number, pack_hook, unpack_hook)
        _keep(function, record)
    return output


_pairs = _Pairs()
_registration = WhileNeeded(around_call, _pack_what_was_saved)


# --- the replacement of the saved tensors


class Record:
    """A `Function._unpack` with an entry for each saved tensor.

    An entry is (kept object, unpack hook or None, shape, dtype, version).

    Args:
        tensors: The saved tensors.
        positions: For double backward, which input or output of the Function each tensor is.
    """

    def __init__(self, tensors: Sequence[Tensor], positions: Sequence[Any]) -> None:
        self.entries: list[tuple[Any, ...]] = [
            (tensor, None, tensor.array.shape, tensor.array.dtype, tensor._version) for tensor in tensors
        ]
        self.positions = positions  # for double backward: which input or output each tensor is

    def __call__(self, function):
        return tuple([self.unpacked(function, number) for number in range(len(self.entries))])

    def unpacked(self, function: Function, number: int) -> Tensor:
        """Return the saved tensor of an entry.

        Args:
            function: The Function that saved it, for messages.
            number: The number of the entry.

        Raises:
            RuntimeError: If the tensor was changed in place since, or `unpack_hook` returned another shape or type.
            TypeError: If `unpack_hook` returned no tensor.
        """
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
            raise TypeError(f"{function._name}: unpack_hook must return {expected}, got {type(tensor).__name__}")
        if tensor.array.shape != size or tensor.array.dtype != dtype:
            raise RuntimeError(
                f"{function._name}: unpack_hook must return {expected}, got a {tensor.type()} of size "
                f"{shown_size(tensor.array.shape)}"
            )
        return tensor

    def pack(self, number: int, pack_hook: PackHook, unpack_hook: UnpackHook) -> None:
        """Replace the tensor of an entry by the result of `pack_hook`.

        Args:
            number: The number of the entry.
            pack_hook: The function that is called with the tensor.
            unpack_hook: The function that restores the tensor.

        Raises:
            RuntimeError: If `pack_hook` changed the tensor in place.
        """
        tensor, _, size, dtype, version = self.entries[number]
        kept = pack_hook(tensor)
        if tensor._version != version:
            raise RuntimeError("pack_hook must not change its tensor in place; change a clone() of it")
        # A tensor that pack_hook returned unchanged is not protected from writes.
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
    """One tensor that `function` saved, as in `function._raw_saved_tensors` and `function._raw_saved_self`.

    Args:
        function: The Function that saved it.
        number: Its number among the saved tensors.
    """

    def __init__(self, function: Function, number: int) -> None:
        self._function = function
        self._number = number

    def register_hooks(self, pack_hook: PackHook, unpack_hook: UnpackHook) -> None:
        """Pack this tensor now; `unpack_hook` restores it in backward.

        Args:
            pack_hook: As in `saved_tensors_hooks`.
            unpack_hook: As in `saved_tensors_hooks`.

        Raises:
            RuntimeError: If the tensor has hooks already or was freed, or if `pack_hook` changes it in place.
            TypeError: If a hook is not callable.
        """
        saved_tensors_hooks(pack_hook, unpack_hook)  # checks that both are callable
        function = self._function
        if function._saved is None:
            raise RuntimeError(f"{function._name}: register_hooks on a saved tensor that was freed")
        record = _record_of(function)
        if record.entries[self._number][1] is not None:
            raise RuntimeError(f"{function._name}: register_hooks on a saved tensor that has hooks already")
        with grad_mode.no_grad():
            record.pack(self._number, pack_hook, unpack_hook)
        _keep(function, record)


def _raw_saved_tensors(function):
    """Return a SavedTensor for each tensor that was saved."""
    count = 0 if function._saved is None else len(_record_of(function).entries)
    return tuple([SavedTensor(function, number) for number in range(count)])


def _position(function, position, name):
    """Return the number, among the saved tensors, of the one at `position` in the inputs and outputs of `function`."""
    positions = _record_of(function).positions if function._saved is not None else []
    if position not in positions:
        raise AttributeError(f"{function._name} saved no {name}")
    return positions.index(position)


def _saved(position, name):
    """Return the property that reads the tensor saved of one input or output, under torch's name of it."""
    return property(lambda function: function.saved_tensors[_position(function, position, name)])


def _raw_saved(position, name):
    """Return the property that reads its SavedTensor."""
    return property(lambda function: SavedTensor(function, _position(function, position, name)))


# The core's stubs do not list these names of torch's generated nodes.
Function._raw_saved_tensors = property(_raw_saved_tensors)  # type: ignore[attr-defined]
Function._saved_self = _saved(0, "self")  # type: ignore[attr-defined]
Function._saved_other = _saved(1, "other")  # type: ignore[attr-defined]
Function._saved_result = _saved(-1, "result")  # type: ignore[attr-defined]
Function._raw_saved_self = _raw_saved(0, "self")  # type: ignore[attr-defined]
Function._raw_saved_other = _raw_saved(1, "other")  # type: ignore[attr-defined]
Function._raw_saved_result = _raw_saved(-1, "result")  # type: ignore[attr-defined]


# --- two useful pairs of hooks


class save_on_cpu(saved_tensors_hooks):
    """Save copies of tensors within this context.

    In torch this moves the tensors from a GPU to main memory, where they always are in legacy_autograd. What remains:
    backward is not affected by in-place writes to the original.

    Args:
        pin_memory: Accepted and ignored.
        device_type: Accepted and ignored.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: tensor.clone(), lambda tensor: tensor)


class save_on_disk(saved_tensors_hooks):
    """Save tensors in files within this context.

    A file exists as long as its graph: backward may read it several times.

    Args:
        folder: The folder of the files. Default: the system's temporary folder.
    """

    def __init__(self, folder: str | None = None) -> None:
        super().__init__(lambda tensor: SelfDeletingTempFile(tensor, folder), SelfDeletingTempFile.read)


class SelfDeletingTempFile:
    """A tensor in a file that is deleted together with this object.

    Args:
        tensor: The tensor to write.
        folder: The folder of the file. Default: the system's temporary folder.
    """

    def __init__(self, tensor: Tensor, folder: str | None = None) -> None:
        import tempfile

        descriptor, self.name = tempfile.mkstemp(suffix=".npy", dir=folder)
        weakref.finalize(self, pathlib.Path(self.name).unlink, missing_ok=True)
        with open(descriptor, "wb") as file:
            numpy.save(file, tensor.array)

    def read(self) -> Tensor:
        """Return the tensor, read from the file."""
        return wrap(numpy.load(self.name))
