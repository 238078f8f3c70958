"""In-place operations on Variables, `x.add_(y)` (v0.1.2, 25 August 2016; the counts of writes: v0.1.5).

The problem: every operation took new memory, also where the old numbers would never be looked at again. And since
`x.data` could be written to at any time, a backward could compute with numbers that forward had not seen: the first
version of in-place operations marked a Variable as dirty, from v0.1.5 on a count of the writes finds out exactly the
tensors that were saved and changed since.

How the 2016 core makes room for it: an in-place operation is the ordinary one, whose result is written into the memory
of `x`; then `x` takes the place of the result in the graph: its creator is the new Function. Who used `x` before holds
the pair (creator, id) of that time, so nothing changes for him. The count of writes lies in the Tensor.

A leaf that requires a gradient cannot be changed: its gradient is that of its old numbers. Other Variables that share
the memory (views) cannot know of the change. Modern torch rewrites their histories; here using one of them, where it
requires a gradient, raises. `x += y` stays what it was in v0.1.1, a new Variable under the old name.
"""

import weakref

import numpy

from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from .. import function as _function
from ..callbacks import WhileNeeded, around_call
from ..function import Function
from ..functions._utils import call, sum_to_size, zeros_like
from ..functions.tensor import Index
from ..leaf import Leaf
from ..saved_tensors import writes
from ..variable import Variable
from . import grad_mode
from .double_backward import SavedVariable
from .grad_mode import memory_of
from .hooks import RETAINED

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


# --- the change


def change(name, variable, operation):
    """Let `variable` become what `operation(variable)` is, in its own memory. Returns `variable`."""
    _check(name, variable)
    before = variable.data
    if grad_mode.recording() and name not in _SHAPES:
        variable.data = before.clone()  # the Function may save it, and is about to see it changed otherwise
    try:
        result = operation(variable)
    finally:
        variable.data = before
    if name in _SHAPES:
        variable.data = result.data
        return become(variable, result, name)
    if result.data.array.dtype != before.array.dtype:  # a comparison, written as numbers of the type of x
        numbers = result.data.type(before.type())
        result = Replace(lambda tensor: tensor.copy_(numbers))(variable)
    if result.data.array.shape != before.array.shape:
        raise RuntimeError(
            f"{name}: the result has the size {shown_size(result.data.array.shape)}, and does not fit into a Variable "
            f"of size {shown_size(before.array.shape)}"
        )
    before.copy_(result.data)
    _replace_saved_output(result.creator, result.data, before)
    return become(variable, result, name)


def _check(name, variable):
    if not grad_mode.recording():
        if variable.creator._inference and not grad_mode.is_inference_mode_enabled():
            raise RuntimeError(f"{name}: a Variable computed in inference_mode can be changed only there; clone it")
        return
    if variable.creator._inference:
        raise RuntimeError(f"{name}: a Variable computed in inference_mode can be changed only there; clone it")
    _refuse_leaf(name, variable)


def _refuse_leaf(name, variable):
    memory, function, what = memory_of(variable), variable.creator, ""
    while not isinstance(function, Leaf):  # a view of a leaf is as bad
        if type(function).__module__ != Index.__module__ or variable.data is memory:
            return
        function, what = function._sources()[0][0], "a view of "
    owner = function.variable
    if function.requires_grad and (owner is None or memory_of(owner) is memory):
        raise RuntimeError(
            f"{name}: {what}a leaf Variable that requires grad has been used in an in-place operation. Change its "
            "data, or do it within no_grad"
        )


def _replace_saved_output(function, result, tensor):
    """What `function` saved of its result is `tensor` from here on: one memory, and later writes to it are noticed."""
    if not function._saved or not any([saved is result for saved in function._saved]):
        return
    function._saved = tuple([tensor if saved is result else saved for saved in function._saved])
    function._saved_versions = [writes(saved) for saved in function._saved]


def become(variable, result, name):
    """`variable` takes the place of `result` in the graph. Returns `variable`."""
    if result.volatile:
        from .volatile import mark

        variable.creator = Leaf(variable, False)
        mark(variable.creator)
    elif result.requires_grad:
        _refuse_leaf(name, variable)
        retained = _take_retained(variable)
        function = result.creator
        function.output_ids[id(variable)] = function.output_ids.pop(id(result))
        variable.creator = function
        if retained:
            variable.retain_grad()
        _note_change(variable)
    return variable


def _take_retained(variable):
    key = RETAINED + variable.output_nr
    return key in variable.creator._variable_hooks and variable.creator._variable_hooks.pop(key)


# --- who else sees that memory


class _Changed:
    """A memory in which a recorded Variable was changed, and those Variables over it whose histories know of that."""

    def __init__(self, memory, variable):
        key = id(memory)
        self.memory = weakref.ref(memory, lambda _: _changed.pop(key, None))
        self._knowing = {}
        self.add(variable)

    def add(self, variable):
        key, knowing = id(variable), self._knowing
        knowing[key] = weakref.ref(variable, lambda _: knowing.pop(key, None))

    def __contains__(self, variable):
        # A leaf has no history that could be wrong, and what was saved is checked by its count of writes.
        return id(variable) in self._knowing or isinstance(variable.creator, (Leaf, SavedVariable))


_changed = {}  # id of the memory: _Changed


def _note_change(variable):
    memory = memory_of(variable)
    _changed[id(memory)] = changed = _Changed(memory, variable)
    _registration.add(changed)


def _refuse_those_who_do_not_know(function, proceed, *variables):
    for position, variable in enumerate(variables):
        changed = _changed.get(id(memory_of(variable)))
        if changed is not None and variable.requires_grad and variable not in changed:
            raise RuntimeError(
                f"{function._name}: argument {position} shares its memory with a Variable that has been modified by an "
                "inplace operation since, of which its own history does not know, so that its gradient would be wrong. "
                "Use the one that was changed, or clone() it before"
            )
    output = proceed(*variables)
    for variable in output:
        changed = _changed.get(id(memory_of(variable)))
        if changed is not None:
            changed.add(variable)
    _registration.rest()
    return output


_registration = WhileNeeded(around_call, _refuse_those_who_do_not_know)


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
    """v0.1.2's base of Functions that can work in place: it knows whether they are to. (From then to 0.4.)"""

    def __init__(self, inplace=False):
        self.inplace = inplace


_function.InplaceFunction = InplaceFunction  # programs import it from torch.autograd.function
