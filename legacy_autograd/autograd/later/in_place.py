"""In-place operations on Variables, `x.add_(y)` (v0.1.2, 25 August 2016; the counts of writes: v0.1.5).

The problem: every operation took new memory, also where the old numbers would never be looked at again. And since
`x.data` could be written to at any time, a backward could compute with numbers that forward had not seen: the first
version of in-place operations marked a Variable as dirty, from v0.1.5 on a count of the writes finds out exactly the
tensors that were saved and changed since.

How the 2016 core makes room for it: an in-place operation is the ordinary one, whose result is written into the memory
of `x`; then `x` takes the place of the result in the graph: its creator is the new Function. Who used `x` before holds
the pair (creator, id) of that time, so nothing changes for him. The count of writes lies in the Tensor.

Other Variables may see that memory, and then their numbers have changed too. They get new histories at once (views.py),
as in modern torch. What cannot have one is refused: a leaf that requires a gradient, because its gradient is that of
its old numbers; a view that `split`, a user's Function or `no_grad` made. `x += y` stays what it was in v0.1.1, a new
Variable under the old name, where the conventions (plus_equals_writes) do not say otherwise.
"""

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from .. import function as _function
from ..function import Function
from ..functions._utils import call, sum_to_size, zeros_like
from ..functions.tensor import Index
from ..leaf import Leaf
from ..saved_tensors import writes
from ..variable import Variable
from . import grad_mode, volatile
from .hooks import RETAINED
from .views import AsStrided, CopySlices, Family, is_overlapping, memory_of, places_of

_SHAPES = {"squeeze_", "t_", "transpose_", "unsqueeze_"}  # no number is written, the same ones are seen in another way


def copy_(variable, source):
    """Take over the numbers of `source`, a Variable, or a Tensor, which is a constant."""
    source = Variable(source, requires_grad=False) if isinstance(source, Tensor) else source
    return change("copy_", variable, lambda x: CopyInto()(x, source)[0])


def set_item(variable, key, value):
    """`variable[key] = value`, which is a number, a Variable or a Tensor (a constant)."""
    value = Variable(value, requires_grad=False) if isinstance(value, Tensor) else value
    if isinstance(value, Variable):
        change("an assignment to a part", variable, lambda x: SetItem(key)(x, value)[0])
    else:
        change("an assignment to a part", variable, lambda x: SetItem(key, value)(x)[0])


def augmented(variable, name, other):
    """`variable += other`, and `-=` and `*=`, in place (v0.1.6). Returns `variable`.

    Where the Function that made `variable` has saved its result, as ReLU does, v0.1.12 had mostly saved the input, and
    backward worked. Then `variable` gets new memory, and the saved numbers stay.
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


def change(name, variable, operation, saves_input=True):
    """Let `variable` become what `operation(variable)` is, in its own memory. Returns `variable`.

    `saves_input=False` promises that the operation's Function keeps nothing of its input, which then is not copied.
    """
    if variable.creator._inference and not grad_mode.is_inference_mode_enabled():
        raise RuntimeError(f"{name}: a Variable computed in inference_mode can be changed only there; clone it")
    family = Family(variable)
    if grad_mode.recording():
        check(name, variable, family, variable.requires_grad)
    before = variable.data
    if saves_input and grad_mode.recording() and name not in _SHAPES:
        variable.data = before.clone()  # the Function may save it, and is about to see it changed otherwise
    try:
        result = operation(variable)
    finally:
        variable.data = before
    if name in _SHAPES:
        variable.data = result.data._wrote()
        if variable is family.base:
            return become(variable, result, family)
        _refuse_from_here_on(family, result)
        return _take_place(variable, result) if result.requires_grad else variable
    if result.data.array.dtype != before.array.dtype:  # a comparison, written as numbers of the type of x
        numbers = result.data.type(before.type())
        result = Replace(lambda tensor: tensor.copy_(numbers))(variable)
    if result.data.array.shape != before.array.shape:
        raise RuntimeError(
            f"{name}: the result has the size {shown_size(result.data.array.shape)}, and does not fit into a Variable "
            f"of size {shown_size(before.array.shape)}"
        )
    if result.requires_grad:
        check(name, variable, family, True)
    before.copy_(result.data)
    _replace_saved_output(result.creator, result.data, before)
    return become(variable, result, family)


def check(name, variable, family, requires_grad):
    """Raise if the Variables that see a change of `variable` cannot have new histories, and need them."""
    function, _ = family.source
    if isinstance(function, Leaf) and function.requires_grad:
        owner = function.variable
        if owner is None or memory_of(owner) is memory_of(variable):
            what = "" if variable is owner else "a view of "
            message = (
                f"{name}: {what}a leaf Variable that requires grad has been used in an in-place operation. Change its "
                "data, or do it within no_grad"
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
    """Why a Variable with the Function `obstacle` in its history cannot have a new one."""
    if isinstance(obstacle, Leaf):
        return "is a view that was made within no_grad"
    if len(obstacle._output_sizes) > 1:
        return f"is a view that is one of several outputs of {obstacle._name}"
    return f"shares its memory with an input of {obstacle._name}, whose backward does not know of a change in place"


def _replace_saved_output(function, result, tensor):
    """What `function` saved of its result is `tensor` from here on: one memory, and later writes to it are noticed."""
    if not function._saved or not any([saved is result for saved in function._saved]):
        return
    function._saved = tuple([tensor if saved is result else saved for saved in function._saved])
    function._saved_versions = [writes(saved) for saved in function._saved]


# --- the histories after it


def become(variable, result, family):
    """`variable` takes the place of `result`, and those who see its memory get new histories. Returns `variable`."""
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
        base = variable if family.base is None else family.base  # where it is gone, another id has to take its place
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
    """Refuse the further use of views that cannot have a new history, where they or the `result` require a gradient."""
    for view, obstacle, source in family.unrecorded:
        needed = source[0].requires_grad or (result.requires_grad and source == family.source)
        if needed and view is not result:
            view.creator = Stale(view, obstacle)


def _take_place(variable, result):
    function = result.creator
    function._rename_output(id(result), id(variable))
    return _move(variable, function)


def _move(variable, function):
    """Make `function` the creator of `variable`. `retain_grad` moves along; hooks stay with what it was before."""
    retained = variable.retains_grad and variable.creator._variable_hooks.pop(RETAINED + variable.output_nr)
    variable.creator = function
    if retained:
        variable.retain_grad()
    return variable


class Stale(Function):
    """The creator of a view whose memory was changed and which cannot have a new history. Recorded calls refuse it."""

    previous_functions = ()

    def __init__(self, variable, obstacle):
        self.output_ids = {id(variable): 0}
        self._output_sizes = [variable.data.array.shape]
        self._reason = _description(obstacle)

    @property
    def requires_grad(self):
        if not grad_mode.recording():
            return True
        raise RuntimeError(
            f"this Variable {self._reason}, and its memory was changed in place since, of which its own history does "
            "not know, so that its gradient would be wrong. Use the one that was changed, or clone() this one before"
        )


# --- the operations that there is no other form of


class Replace(Function):
    """Numbers that do not depend on x: `write` puts them into a tensor of its size. Gradient: 0.

    Called as an operation it answers the Variable itself.
    """

    def __init__(self, write):
        self.write = write

    def __call__(self, x):
        return super().__call__(x)[0]

    def forward(self, x):
        write, self.write = self.write, None
        return write(wrap(x.array.copy()))

    def backward(self, grad_output):
        return zeros_like(grad_output)


class CopyInto(Function):
    """The numbers of `source` in the size and type of x. Gradients: 0, and g summed to the size of `source`."""

    def forward(self, x, source):
        self.source_size, self.source_type = source.array.shape, source.type()
        return x.clone().copy_(source)

    def backward(self, grad_output):
        return zeros_like(grad_output), sum_to_size(grad_output, self.source_size).type(self.source_type)


class SetItem(Function):
    """x, with `value` at the key (a second Variable, or a number). Gradients: g with 0 at the key, and g at the key."""

    def __init__(self, key, *number):
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
    """The base of Functions that can work in place (v0.1.2 to 0.4): it knows whether they are to.

    `forward` passes the inputs that it has written to, and returns, to `mark_dirty`. The Variables of these inputs are
    then the outputs of the call. Raises RuntimeError for a leaf that requires a gradient, as every in-place operation.
    """

    _dirty = ()  # the tensors of inputs that forward has written to

    def __init__(self, inplace=False):
        self.inplace = inplace

    def __call__(self, *input):
        self._dirty = ()
        output = super().__call__(*input)
        if not self._dirty:
            return output
        outputs = [self._moved(variable, input) for variable in (output if isinstance(output, tuple) else (output,))]
        return tuple(outputs) if isinstance(output, tuple) else outputs[0]

    def mark_dirty(self, *inputs):
        """Name, in forward, the input Tensors that forward has written to. TypeError for anything but Tensors."""
        for tensor in inputs:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"{self._name}: mark_dirty is called with inputs, got a {type(tensor).__name__}")
        self._dirty = inputs

    def _moved(self, result, input):
        """The Variable of the input that became `result`, in its new place in the graph; `result` if there is none."""
        if not any([tensor is result.data for tensor in self._dirty]):
            return result
        variable = next(variable for variable in input if variable.data is result.data)
        family = Family(variable)
        family.views = [view for view in family.views if view is not result]
        check(self._name, variable, family, result.requires_grad)
        return become(variable, result, family)


def _mark_dirty(function, *inputs):
    """Only an InplaceFunction may mark inputs as written to. RuntimeError for any other Function."""
    raise RuntimeError(f"{function._name}: mark_dirty needs a Function that is derived from InplaceFunction")


def _mark_shared_storage(function, *pairs):
    """Accept what forward knows about inputs and outputs over one memory (v0.1.2 to 0.1.12). They are found anyway."""


Function.mark_dirty = _mark_dirty
Function.mark_shared_storage = _mark_shared_storage
_function.InplaceFunction = InplaceFunction  # programs import it from torch.autograd.function
