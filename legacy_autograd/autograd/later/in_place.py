"""In-place operations on Variables, `x.add_(y)` (v0.1.2, 25 August 2016; the counts of writes: v0.1.5).

The problem: every operation allocated new memory, even if the old numbers were never needed again. And since `x.data`
could be written to at any time, backward could compute with numbers that forward had not used. The first version of
in-place operations marked a Variable as dirty. From v0.1.5 on, a count of the writes identifies exactly the tensors
that were saved and changed since.

How the 2016 core makes room for it: an in-place operation is the ordinary one, whose result is written into the memory
of `x`. Then `x` replaces the result in the graph: its creator is the new Function. Functions that used `x` before store
its earlier (creator, id), so nothing changes for them. The count of writes is kept in the Tensor.

Other Variables may share that memory, and then their numbers change too. They get new histories at once (views.py), as
in modern torch. Two kinds cannot have one and are refused: a leaf that requires a gradient, because its gradient is
that of its old numbers, and a view that `split`, a user's Function or `no_grad` made. v0.1.5 to v0.2.0 refused every
change of shared memory (`writes_to_shared_raise` in conventions.py). `x += y` makes a new Variable, as in v0.1.1,
unless the conventions (`plus_equals_writes`) say otherwise.
"""

from collections.abc import Callable
from typing import Any

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor.base import OPERATION, shown_size, wrap
from ...tensor.no_cuda import accept_async
from ..function import Function
from ..functions._utils import call, sum_to_size, zeros_like
from ..functions.tensor import Index
from ..leaf import Leaf
from ..saved_tensors import writes
from ..variable import Variable
from . import grad_mode, volatile
from .hooks import RETAINED
from .views import AsStrided, CopySlices, Family, is_overlapping, memory_of, places_of

_SHAPES = {"squeeze_", "t_", "transpose_", "unsqueeze_"}  # they change only the shape


def copy_(variable: Variable, source: Variable | Tensor, non_blocking: bool = False, **keywords: Any) -> Variable:
    """Copy the elements of `source` into this Variable, and return it.

    Args:
        variable: The Variable to write to.
        source: The new elements, in a shape that broadcasts to that of x, or in another one with as many elements. A
            Tensor is a constant.
        non_blocking: Ignored; `async` in v0.1.x.
        **keywords: `async`, which is ignored.

    Raises:
        RuntimeError: For a leaf that requires a gradient, and as `change` does.

    Gradient:
        0 for the old x, and g, the gradient of the result, summed to its shape, for `source`.
    """
    accept_async("copy_", keywords)
    source = Variable(source, requires_grad=False) if isinstance(source, Tensor) else source
    return change("copy_", variable, lambda x: CopyInto()(x, source)[0])


def set_item(variable: Variable, key: Any, value: Variable | Tensor | float) -> None:
    """Write `value` at `key`, for `variable[key] = value` (v0.1.5).

    Args:
        variable: The Variable to write to.
        key: The index.
        value: A number, a Variable, or a Tensor, which is a constant.

    Raises:
        RuntimeError: For a leaf that requires a gradient, and as `change` does.

    Gradient:
        g with zeros at `key` for the old x and g at `key` for `value`, where g is the gradient of the result.
    """
    value = Variable(value, requires_grad=False) if isinstance(value, Tensor) else value
    if isinstance(value, Variable):
        change("an assignment to a part", variable, lambda x: SetItem(key)(x, value)[0])
    else:
        change("an assignment to a part", variable, lambda x: SetItem(key, value)(x)[0])


def augmented(variable: Variable, name: str, other: Variable | Tensor | float) -> Variable:
    """Apply `variable += other`, `-=` or `*=` in place (v0.1.6) and return `variable`.

    If the creator of `variable` has saved its result, as ReLU does, `variable` gets new memory and the saved numbers
    stay. In v0.1.12 such a Function had mostly saved its input, so backward worked.

    Args:
        variable: The Variable to write to.
        name: The operation: "add", "sub" or "mul".
        other: The second operand.

    Raises:
        RuntimeError: As `change` does.
    """
    saved = variable.creator._saved
    if saved and grad_mode.recording() and any([tensor is variable.data for tensor in saved]):
        family = Family(variable)
        if family.base is variable and not family.views and not family.unrecorded:
            result = getattr(variable, name)(other)
            variable.data = result.data
            return _take_place(variable, result)
    return getattr(variable, name + "_")(other)


# --- the change


def change(
    name: str, variable: Variable, operation: Callable[[Variable], Variable], saves_input: bool = True
) -> Variable:
    """Write `operation(variable)` into the memory of `variable`, and return `variable`.

    Args:
        name: The name of the in-place operation, for messages.
        variable: The Variable to write to.
        operation: The out-of-place operation.
        saves_input: False if the operation's Function saves nothing of its input, which then is not copied.

    Raises:
        RuntimeError: If `variable` is a leaf that requires a gradient, an inference Variable outside `inference_mode`,
            or a Variable that cannot have a new history; if the result has another shape; by the conventions, if
            another Variable shares the memory.
    """
    if variable.creator._inference and not grad_mode.is_inference_mode_enabled():
        raise RuntimeError(
            f"{name}: a Variable computed in inference_mode can be changed only within it; change a clone() of it"
        )
    family = Family(variable)
    if conventions.era.writes_to_shared_raise:
        sharing = [family.base, *family.views, *[view for view, _, _ in family.unrecorded]]
        if others := [view for view in sharing if view is not None and view is not variable]:
            raise RuntimeError(
                f"{name}: in-place operations can be only used on variables that don't share storage with any other "
                f"variables, but detected that there are {len(others) + 1} objects sharing it. Change a clone() of it"
            )
    if grad_mode.recording():
        check(name, variable, family, variable.requires_grad)
    before = variable.data
    if saves_input and grad_mode.recording() and name not in _SHAPES:
        variable.data = before.clone()  # the Function may save it, and it is overwritten below
    try:
        result = operation(variable)
    finally:
        variable.data = before
    if name in _SHAPES:
        variable.data = result.data
        variable.data._wrote_as(OPERATION)
        if variable is family.base:
            return become(variable, result, family)
        _refuse_from_here_on(family, result)
        return _take_place(variable, result) if result.requires_grad else variable
    if result.data.array.dtype != before.array.dtype:  # a comparison, converted to the type of x
        numbers = result.data.type(before.type())
        result = Replace(lambda tensor: tensor.copy_(numbers))(variable)
    if result.data.array.shape != before.array.shape:
        raise RuntimeError(
            f"{name}: the result has the size {shown_size(result.data.array.shape)} and does not fit into a Variable "
            f"of size {shown_size(before.array.shape)}"
        )
    if result.requires_grad:
        check(name, variable, family, True)
    before.copy_(result.data)
    before._wrote_as(OPERATION - 1)  # `copy_` counted 1
    _replace_saved_output(result.creator, result.data, before)
    return become(variable, result, family)


def check(name: str, variable: Variable, family: Family, requires_grad: bool) -> None:
    """Raise if a change of `variable` needs new histories that some Variables cannot have.

    Args:
        name: The name of the in-place operation, for messages.
        variable: The Variable to write to.
        family: The Variables that see the change.
        requires_grad: Whether the result requires a gradient.

    Raises:
        RuntimeError: If `variable` is a leaf that requires a gradient or a view of one, if it cannot have a new
            history, or if several of its elements share one place in memory.
    """
    function, _ = family.source
    if isinstance(function, Leaf) and function.requires_grad:
        owner = function.variable
        if owner is None or memory_of(owner) is memory_of(variable):
            what = "" if variable is owner else "a view of "
            message = (
                f"{name}: {what}a leaf Variable that requires grad has been used in an in-place operation. Change its "
                "data, or change it within no_grad"
            )
            if conventions.era.writes_to_leaf_raise:
                raise RuntimeError(message)
            _raise_in_backward(function, message)
    if requires_grad or function.requires_grad:
        if family.obstacle is not None:
            raise RuntimeError(f"{name}: this Variable {_description(family.obstacle)}. Change a clone() of it")
        if is_overlapping(variable.data):
            raise RuntimeError(
                f"{name}: several elements of this Variable share one place in memory, as those of expand and unfold "
                "do. Change a clone() of it"
            )


def _raise_in_backward(leaf, message):
    def refuse(grad_input, grad_output):
        raise RuntimeError(message)

    leaf.register_hook(refuse)


def _description(obstacle):
    """Return why a Variable with the Function `obstacle` in its history cannot have a new one."""
    if isinstance(obstacle, Leaf):
        return "is a view that was made within no_grad"
    if len(obstacle._output_sizes) > 1:
        return f"is a view that is one of several outputs of {obstacle._name}"
    return f"shares its memory with an input of {obstacle._name}, whose backward cannot account for a change in place"


def _replace_saved_output(function, result, tensor):
    """Replace the result by `tensor` in what `function` saved: one memory, and later writes to it are detected."""
    if not function._saved or not any([saved is result for saved in function._saved]):
        return
    function._saved = tuple([tensor if saved is result else saved for saved in function._saved])
    function._saved_versions = [writes(saved) for saved in function._saved]


# --- the new histories


def become(variable: Variable, result: Variable, family: Family) -> Variable:
    """Replace `result` by `variable` in the graph, give all who share its memory new histories, and return it.

    Args:
        variable: The Variable that was written to.
        result: The result of the out-of-place operation.
        family: The Variables that see the change.
    """
    function, number = result.creator, result.output_nr
    _refuse_from_here_on(family, result)
    if result.volatile:
        for member in (variable, family.base, *family.views):
            if member is not None:
                member.creator = Leaf(member, False)
                volatile.mark(member.creator)
    if not result.requires_grad:
        return variable
    if family.base is variable or (family.base is None and not family.views):
        _take_place(variable, result)
        function._viewed = {nr: viewed for nr, viewed in function._viewed.items() if nr != number}
        source, views = (function, number), family.views
    else:
        copied = CopySlices(family.places, places_of(variable.data))
        base = variable if family.base is None else family.base  # a base that no longer exists needs another id
        copied._link([family.source, (function, number)], base)
        copied._output_sizes = [family.places[1]]
        if family.base is not None:
            _move(family.base, copied)
        source, views = (copied, 0), [variable, *family.views]
    for view in views:
        strided = AsStrided(family.places, places_of(view.data))
        strided._link([source], view)
        strided._viewed = {0: (0, family.places)}
        _move(view, strided)
    return variable


def _refuse_from_here_on(family, result):
    """Refuse later use of views that cannot have a new history, if they or the `result` require a gradient."""
    for view, obstacle, source in family.unrecorded:
        needed = source[0].requires_grad or (result.requires_grad and source == family.source)
        if needed and view is not result:
            view.creator = Stale(view, obstacle)


def _take_place(variable, result):
    function = result.creator
    function._rename_output(id(result), id(variable))
    return _move(variable, function)


def _move(variable, function):
    """Make `function` the creator of `variable`. `retain_grad` moves along; hooks stay with the previous creator."""
    retained = variable.retains_grad and variable.creator._variable_hooks.pop(RETAINED + variable.output_nr)
    variable.creator = function
    if retained:
        variable.retain_grad()
    return variable


class Stale(Function):
    """The creator of a view whose memory was changed and which cannot have a new history. Recorded calls refuse it.

    Args:
        variable: The view.
        obstacle: The Function because of which it cannot have a new history.
    """

    previous_functions = ()

    def __init__(self, variable: Variable, obstacle: Function) -> None:
        self.output_ids = {id(variable): 0}
        self._output_sizes = [variable.data.array.shape]
        self._reason = _description(obstacle)

    @property
    def requires_grad(self) -> bool:  # type: ignore[override]  # it cannot be set
        """True while nothing is recorded.

        Raises:
            RuntimeError: While calls are recorded: the view cannot be part of a graph any more.
        """
        if not grad_mode.recording():
            return True
        raise RuntimeError(
            f"this Variable {self._reason}, and its memory was changed in place since. Its history lacks that "
            "change, so its gradient would be incorrect. Use the Variable that was changed, or a clone() made before"
        )


# --- operations that exist only in place


class Replace(Function):
    """Numbers that do not depend on x, written into a tensor of its shape.

    A call returns the Variable itself, not a tuple.

    Args:
        write: `write(tensor)` writes the numbers into a tensor and returns it.

    Gradient:
        Zeros.
    """

    def __init__(self, write: Callable[[Tensor], Tensor]) -> None:
        self.write = write

    def __call__(self, x):
        return super().__call__(x)[0]

    def forward(self, x):
        write, self.write = self.write, None
        return write(wrap(x.array.copy()))

    def backward(self, grad_output):
        return zeros_like(grad_output)


class CopyInto(Function):
    """The numbers of `source`, in the shape and type of x.

    Gradient:
        Zeros for x; g summed to the shape of `source`, where g is the gradient of the result.
    """

    def forward(self, x, source):
        self.source_size, self.source_type = source.array.shape, source.type()
        return x.clone().copy_(source)

    def backward(self, grad_output):
        return zeros_like(grad_output), sum_to_size(grad_output, self.source_size).type(self.source_type)


class SetItem(Function):
    """x with `value` at the key. The value is a second Variable, or a number that is given to the constructor.

    Args:
        key: The index.
        *number: The value, if it is a number.

    Gradient:
        For x, g with zeros at the key; for `value`, g at the key, where g is the gradient of the result.
    """

    def __init__(self, key: Any, *number: float) -> None:
        self.key = Index(key).key
        self.number = number

    def forward(self, x, *value):
        written = wrap(numpy.zeros(x.array.shape, numpy.uint8))
        written[self.key] = 1
        self.save_for_backward(written)
        result = x.clone()
        result[self.key] = (*value, *self.number)[0]
        if value:
            self.value_size, self.value_type = value[0].array.shape, value[0].type()
        return result

    def backward(self, grad_output):
        (written,) = self.saved_tensors
        grad_x = grad_output.masked_fill(written, 0)
        if self.number:
            return grad_x
        return grad_x, sum_to_size(call(Index(self.key), grad_output), self.value_size).type(self.value_type)


class InplaceFunction(Function):
    """The base of Functions that can work in place (v0.1.2 to 0.4).

    `forward` passes the inputs that it has written to, and returns, to `mark_dirty`. The Variables of these inputs are
    then the outputs of the call.

    Args:
        inplace: Whether the Function works in place.

    Raises:
        RuntimeError: In the call, if an input that was written to is a leaf that requires a gradient.
    """

    _dirty: tuple[Tensor, ...] = ()  # the tensors of inputs that forward has written to

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def __call__(self, *input):
        self._dirty = ()
        output = super().__call__(*input)
        if not self._dirty:
            return output
        outputs = [self._moved(variable, input) for variable in (output if isinstance(output, tuple) else (output,))]
        return tuple(outputs) if isinstance(output, tuple) else outputs[0]

    def mark_dirty(self, *inputs: Tensor) -> None:
        """Mark, in forward, the input Tensors that forward has written to.

        Args:
            *inputs: These Tensors.

        Raises:
            TypeError: If one is not a Tensor.
        """
        for tensor in inputs:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"{self._name}: mark_dirty takes input Tensors, got {type(tensor).__name__}")
        self._dirty = inputs

    def _moved(self, result, input):
        """Return the Variable of the input that became `result`, with its new history; `result` if there is none."""
        if not any([tensor is result.data for tensor in self._dirty]):
            return result
        variable = next(variable for variable in input if variable.data is result.data)
        family = Family(variable)
        family.views = [view for view in family.views if view is not result]
        check(self._name, variable, family, result.requires_grad)
        counts = self._saved_versions or (0,) * len(self._saved)
        valid = [writes(tensor) == count for tensor, count in zip(self._saved, counts)]
        result.data._wrote_as(OPERATION)
        self._saved_versions = [
            writes(tensor) if is_valid else count for tensor, count, is_valid in zip(self._saved, counts, valid)
        ]
        return become(variable, result, family)


def _mark_dirty(function, *inputs):
    """Raise RuntimeError: only an InplaceFunction may mark inputs as written to."""
    raise RuntimeError(f"{function._name}: mark_dirty needs a subclass of InplaceFunction")


def _mark_shared_storage(function, *pairs):
    """Accept and ignore pairs of inputs and outputs that share memory (v0.1.2 to 0.1.12): views.py finds them."""


def _in_place(variable, name, *arguments, **named):
    """Replace `variable` by the result of its method `name`, and return it."""
    return change(f"{name}_", variable, lambda x: getattr(x, name)(*arguments, **named))


def _written(variable, name, *arguments):
    """Overwrite every element of `variable` with the Tensor method `name`, and return `variable`."""
    return change(name, variable, Replace(lambda tensor: getattr(tensor, name)(*arguments)))


def _augmented(name):
    """Return the operator `+=`, `-=` or `*=`. If it returns NotImplemented, Python binds the name to a new result."""

    def operator(variable, other):
        return augmented(variable, name, other) if conventions.era.plus_equals_writes else NotImplemented

    return operator


Function.mark_dirty = _mark_dirty
Function.mark_shared_storage = _mark_shared_storage
Variable._in_place = _in_place
Variable._written = _written
Variable.copy_ = copy_
Variable.__setitem__ = set_item
Variable.__iadd__ = _augmented("add")
Variable.__isub__ = _augmented("sub")
Variable.__imul__ = _augmented("mul")
