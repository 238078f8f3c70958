"""`SavedTensors`: the tensors that a Function keeps of forward for backward (v0.1.1 had no such file).

v0.1.1's Functions kept their inputs on `self`, and a tensor that was changed in place between forward and backward gave
an incorrect gradient. `save_for_backward` came with v0.1.2, the comparison of write counts with v0.1.5.
"""

import sys
import warnings
from collections.abc import Callable

from .. import conventions
from ..tensor import Tensor
from ..tensor.base import OPERATION, STEP, shown_size, version
from ..tensor.dtypes import FLOATING, TYPE_NAMES
from .record import Record, level_of_the_caller

AMBIGUOUS = object()  # the position of a saved tensor that may be one of several inputs
_warned: set = set()  # (file, line) of each backward that a warning was given for


class SavedTensors(Record):
    """The base of Function that saves tensors for backward and checks that they were not changed since."""

    non_differentiable: tuple = ()
    _integers_end_the_graph = True  # an integer output requires no gradient
    _saved: tuple | None = ()  # the tensors; None once they were freed
    _saved_versions: list | tuple = ()  # the count of writes to each when it was saved
    _saved_positions = ()  # for each: n for input n, -1 - n for output n, None for any other tensor
    _absent: list | tuple = ()  # the arguments of save_for_backward that were None
    _unpack: Callable | None = None  # `_unpack(self)` returns the tensors instead of `_saved` (saved-tensor hooks)
    _recorded: tuple = ("non_differentiable", "_saved", "_saved_versions", "_saved_positions", "_absent", "_unpack")

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward, where `saved_tensors` returns them.

        Args:
            *tensors: Inputs, outputs or others. None means an optional input that was not given.

        Raises:
            TypeError: For anything else.
        """
        for position, tensor in enumerate(tensors):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(
                    f"{self._name}: save_for_backward takes Tensors and None, and argument {position} is a "
                    f"{type(tensor).__name__}. Keep anything else as an attribute"
                )
        self._absent = [position for position, tensor in enumerate(tensors) if tensor is None]
        self._saved = tuple([tensor for tensor in tensors if tensor is not None])
        self._saved_versions = [writes(tensor) for tensor in self._saved]

    @property
    def saved_tensors(self) -> tuple:
        """The tensors that `save_for_backward` kept.

        Raises:
            RuntimeError: If one of them was changed in place since, or if they were freed.
        """
        if self._saved is None:
            raise RuntimeError(
                f"{self._name}: the saved tensors were freed by a backward with retain_variables=False; "
                "leave it out if backward should run through this graph again"
            )
        saved = self._checked() if self._unpack is None else self._unpack(self)
        for position in self._absent:
            saved = (*saved[:position], None, *saved[position:])
        return saved

    def mark_non_differentiable(self, *outputs: Tensor) -> None:
        """Declare, in forward, outputs that have no derivative, for instance indices (v0.1.3).

        Args:
            *outputs: Tensors that forward is about to return.

        Raises:
            TypeError: For anything but Tensors, such as a list of them.
        """
        for output in outputs:
            if not isinstance(output, Tensor):
                raise TypeError(f"{self._name}: mark_non_differentiable takes Tensors, got {type(output).__name__}")
        self.non_differentiable = outputs

    def _checked(self):
        """Return the saved tensors, none of which was changed in place since."""
        for number, (tensor, count) in enumerate(zip(self._saved, self._saved_versions)):
            if writes(tensor) != count:
                self._refuse_changed(number, tensor, count)
        return self._saved

    def _free_saved(self):
        """Release the saved tensors, if there are any: backward cannot run again."""
        if self._saved or self._unpack is not None:
            self._saved, self._saved_versions, self._unpack = None, (), None

    def _note_saved(self, input, output):
        """Record which inputs and outputs were saved, so that double backward can link them to the graph again.

        Record the outputs that are views, too. Return the outputs. Those that were marked non-differentiable become
        leaves that require no gradient, and so do integers where a gradient was required.
        """
        self._note_views(input, output)
        marked = {id(tensor) for tensor in self.non_differentiable}
        if self.requires_grad and self._integers_end_the_graph:
            marked.update([id(var.data) for var in output if var.data.array.dtype not in FLOATING])
        outputs = [None if id(var.data) in marked else var.data for var in output]
        self.non_differentiable = ()
        self._saved_positions = [
            self._position(number, tensor, input, outputs) for number, tensor in enumerate(self._saved)
        ]
        return tuple([type(var)(var.data, requires_grad=False) if id(var.data) in marked else var for var in output])

    def _position(self, number, tensor, input, outputs):
        found = [position for position, arg in enumerate(input) if arg is not None and arg.data is tensor]
        if not found:
            return next((-1 - position for position, output in enumerate(outputs) if output is tensor), None)
        # Several inputs over one Tensor: the order in which they were saved tells them apart.
        same = [nth for nth, other in enumerate(self._saved) if other is tensor]
        if len(same) == len(found):
            return found[same.index(number)]
        return found[0] if len({id(input[position]) for position in found}) == 1 else AMBIGUOUS

    # --- the error of a saved tensor that was changed in place

    def _refuse_changed(self, number, tensor, count):
        """Raise RuntimeError, or warn if no operation of a Variable changed the tensor and the conventions allow it.

        The warning is given once for each place in the program.
        """
        what = (
            f"{self._name}: one of the variables needed for gradient computation has been modified by an inplace "
            f"operation: a {TYPE_NAMES[tensor.array.dtype]} of size {shown_size(tensor.array.shape)}"
            f"{self._origin(self._saved_positions[number])}"
        )
        since = writes(tensor) - count
        by_step = since % STEP == 0 and since < OPERATION
        if since < OPERATION and not conventions.era.data_writes_raise:
            level = level_of_the_caller()
            caller = sys._getframe(level - 1)
            place = caller.f_code.co_filename, caller.f_lineno
            if place not in _warned:
                by, when = ("by an optimizer's step", "step") if by_step else ("through `data`", "write")
                warnings.warn(
                    f"{what} was written to {by} between this forward and its backward. As in "
                    f"v{conventions.era.version} backward goes on: the gradient mixes numbers from before and after "
                    f"the {when}. For the correct one run this backward before the {when}, or compute forward again "
                    "after it",
                    stacklevel=level,
                )
                _warned.add(place)
            return
        advice = ". An optimizer's step wrote to it in between: run backward before the step, or forward again after it"
        raise RuntimeError(
            f"{what} is at version {tensor._version}; expected version {version(count)} instead"
            f"{advice if by_step else ''}"
        )

    def _origin(self, position):
        """Describe the operation that the saved tensor at `position` came from."""
        if not isinstance(position, int):
            return ""
        source, output_nr = self._sources()[position] if position >= 0 else (self, -1 - position)
        return f", which is output {output_nr} of {source._name}," if source._sources() else ""


def writes(tensor: Tensor) -> int:
    """Return the number of in-place writes to the memory of a tensor, as it is compared.

    Args:
        tensor: The tensor. For a view, its base is counted.
    """
    return tensor._writes if tensor._base is None else tensor._base._writes
