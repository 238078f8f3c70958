"""`checkpoint` and `checkpoint_sequential` (0.4.0, April 2018; the non-reentrant form 1.11, March 2022).

The problem: backward needs all intermediate results of forward. A deep network does not fit into memory, although no
two of its layers compute at the same time. A checkpointed part saves only its inputs and is recomputed in backward. A
chain of n layers in √n parts needs memory for √n results between the parts and √n results within the part that is being
recomputed, at the cost of a second forward.

How the 2016 core makes room for it, in two forms:
- `use_reentrant=True`, torch's first form: the part is one Function. Its forward runs the part unrecorded. Its backward
  runs the part again, recorded, and starts a nested backward.
- `use_reentrant=False`, the default: the part is recorded as usual, but hooks on saved tensors (graph.py) keep none of
  them. When backward asks for the first of these tensors, the part is recomputed and its saved tensors are collected.
  This form supports `grad`, `create_graph`, keyword arguments, and arguments of any type.
"""

import contextlib
import functools
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ...tensor.base import shown_size, version
from ...tensor.dtypes import FLOATING, TYPE_NAMES
from ...tensor.random import get_rng_state, set_rng_state
from ..callbacks import around_call
from ..function import Function
from ..variable import Variable
from .backward_api import backward, is_capturing
from .double_backward import one
from .grad_mode import enable_grad, memory_of, no_grad, recording
from .graph import saved_tensors_hooks


class CheckpointError(RuntimeError):
    """The second run of a checkpointed part differed from the first."""


def _no_contexts():
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    context_fn: Callable[[], tuple[Any, Any]] = _no_contexts,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Return `function(*args, **kwargs)`, saving only the arguments for backward, which runs `function` again.

    The second run must do the same as the first. The Variables that `function` reads besides its arguments must not
    change in between, by an optimizer's step for example. Attributes of its Functions may change, such as the running
    averages of BatchNorm. Writes through numpy, and Python objects that `function` refers to, are not checked.

    Args:
        function: The part to run.
        *args: Its arguments, Variables or any other objects.
        use_reentrant: True selects torch's older form. There, gradients go to Variables among `args` and to leaves, at
            least one of `args` must require one, and `autograd.grad` cannot be used. Default: False.
        preserve_rng_state: Whether the second run draws the same random numbers, so that Dropout drops the same
            elements.
        context_fn: Returns two contexts, for the first and for the second run.
        determinism_check: "default" compares the types and shapes of the saved tensors of both runs, "none" does not.
        debug: Accepted and ignored.
        early_stop: Whether the second run ends once it has saved all needed tensors.
        **kwargs: The keyword arguments of `function`; none for `use_reentrant=True`.

    Raises:
        CheckpointError: In backward, if the saved tensors of the second run differ, or a Variable that `function` read
            was changed after the first run, under all conventions.
        TypeError: If `function` is not callable.
        ValueError: If `use_reentrant=True` comes with keyword arguments or `context_fn`, or for an unknown
            `determinism_check`.
    """
    if not callable(function):
        raise TypeError(f"checkpoint needs a function, got {type(function).__name__}")
    if use_reentrant:
        if kwargs or context_fn is not _no_contexts:
            raise ValueError("checkpoint: use_reentrant=True takes neither keyword arguments nor context_fn")
        return _reentrant(function, args, preserve_rng_state)
    if determinism_check not in ("default", "none"):
        raise ValueError(f"checkpoint: determinism_check must be 'default' or 'none', got {determinism_check!r}")
    first_context, second_context = context_fn()
    if not recording():
        with first_context:
            return function(*args, **kwargs)
    part = _Part(function, args, kwargs, preserve_rng_state, second_context, determinism_check == "default", early_stop)
    with first_context, saved_tensors_hooks(part.pack, part.unpack), part.reads.noted([*args, *kwargs.values()]):
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, preserve_rng_state: bool = True
) -> Any:
    """Return the result of applying `functions` to `input` in order, checkpointing them in `segments` parts.

    The last part is not checkpointed: backward would recompute it immediately after forward.

    Args:
        functions: A sequence of callables, or a Sequential.
        segments: The number of parts.
        input: The argument of the first function.
        use_reentrant: As in `checkpoint`.
        preserve_rng_state: As in `checkpoint`.

    Raises:
        CheckpointError: In backward, as in `checkpoint`.
        ValueError: If there are fewer functions than segments, or `segments` is less than 1.
    """
    functions = list(functions.children()) if hasattr(functions, "children") else list(functions)
    if not 1 <= segments <= max(len(functions), 1):
        raise ValueError(
            f"checkpoint_sequential: {len(functions)} functions cannot be divided into {segments} segments"
        )
    size = len(functions) // segments
    for start in range(0, size * (segments - 1), size):
        part = functools.partial(_one_after_another, functions[start : start + size])
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state)
    return _one_after_another(functions[size * (segments - 1) :], input)


def _one_after_another(functions, input):
    for function in functions:
        input = function(input)
    return input


@contextlib.contextmanager
def _random_numbers_from(state):
    """Draw random numbers from `state`, if it is not None, within this context; restore the generator afterwards."""
    if state is None:
        yield
        return
    before = get_rng_state()
    try:
        set_rng_state(state)
        yield
    finally:
        set_rng_state(before)


class _Reads:
    """The outside Variables that the Functions of a part read, held weakly, and the counts of writes to them.

    If one of them changed after the first run, the second run would compute different numbers.
    """

    def __init__(self):
        self.variables = {}  # {id: weak reference}
        self.owners = {}  # the same for the Tensors that own their memory
        self.data = self.counts = ()

    @contextlib.contextmanager
    def noted(self, arguments=()):
        """Record the Variables that this context reads, except `arguments`: their `data` is saved and may change."""
        thread, made = threading.get_ident(), {}

        def note(function, proceed, *variables):
            if threading.get_ident() != thread:
                return proceed(*variables)
            for variable in variables:
                if isinstance(variable, Variable) and not _holds(made, memory_of(variable)):
                    _put(self.variables, variable)
                    _put(self.owners, memory_of(variable))
            outputs = proceed(*variables)
            for owner in map(memory_of, outputs):
                if not _holds(self.owners, owner):  # else the output is a view of an outside Variable
                    _put(made, owner)
            return outputs

        with around_call.within(note):
            yield
        for argument in arguments:
            self.variables.pop(id(argument), None)
        self.settle()

    def settle(self):
        """Record the current state of everything that was read: the part itself may have written to it."""
        alive = [(ref, ref()) for ref in self.variables.values()]
        self.data = [(ref, weakref.ref(variable.data)) for ref, variable in alive if variable is not None]
        alive = [(ref, ref()) for ref in self.owners.values()]
        self.counts = [(ref, owner._writes) for ref, owner in alive if owner is not None]

    def check(self):
        """Raise CheckpointError if something that was read has changed since."""
        for ref, data in self.data:
            variable = ref()
            if variable is not None and variable.data is not data():
                _refuse_changed(variable.data, "is a different tensor now")
        for ref, count in self.counts:
            owner = ref()
            if owner is not None and owner._writes != count:
                _refuse_changed(owner, f"is at version {owner._version}; expected version {version(count)} instead")


def _holds(references, x):
    return id(x) in references and references[id(x)]() is x


def _put(references, x):
    references[id(x)] = weakref.ref(x)


def _refuse_changed(tensor, how):
    raise CheckpointError(
        "checkpoint: one of the variables that the part read in forward has been modified by an inplace operation "
        f"since: {_kind(tensor.array.shape, tensor.array.dtype)} {how}. Backward runs the part again and needs "
        "the same numbers. Run it before the change (such as an optimizer's step), or run forward again after it"
    )


# --- the non-reentrant form


class _Enough(BaseException):
    """Ends the second run once all needed tensors are saved. A BaseException, so that `except Exception` misses it."""


class _Place:
    """A placeholder for the `number`th tensor that was saved."""

    def __init__(self, part, number):
        self.part = part
        self.number = number


class _Part:
    """One checkpointed call: its arguments, and the placeholders of the tensors that it saved."""

    def __init__(self, function, args, kwargs, preserve_rng_state, context, compare, early_stop):
        self.function = function
        self.rng_state = get_rng_state() if preserve_rng_state else None
        self.context = context
        self.compare = compare
        self.early_stop = early_stop
        self.places = []  # held weakly: a freed part of the graph needs no tensors
        self.kinds = []
        self.found = {}
        self.reads = _Reads()
        self.inputs = _Inputs()
        self.keywords = list(kwargs)
        self.arguments = self.inputs.keep([*args, *kwargs.values()])

    def pack(self, tensor):
        place = _Place(self, len(self.places))
        self.places.append(weakref.ref(place))
        self.kinds.append((tensor.array.shape, tensor.array.dtype))
        return place

    def unpack(self, place):
        if place.number not in self.found:
            self.compute_again()
        tensor, version = self.found.pop(place.number)
        if tensor._version != version:
            raise RuntimeError(
                "checkpoint: one of the variables needed for gradient computation has been modified by an inplace "
                f"operation of the same part: {_kind(*self.kinds[place.number])} is at version {tensor._version}; "
                f"expected version {version} instead"
            )
        return tensor

    def compute_again(self):
        found, missing = {}, len(self.places)

        def take(tensor):
            number = len(found)
            if number == missing:
                if self.compare:
                    raise CheckpointError(
                        f"checkpoint: the part saved {missing} tensors in its first run and more in its second"
                    )
                return
            found[number] = (tensor, tensor._version)
            if self.compare and (tensor.array.shape, tensor.array.dtype) != self.kinds[number]:
                raise CheckpointError(
                    f"checkpoint: tensor {number} that the part saved was {_kind(*self.kinds[number])} in its first "
                    f"run and {_kind(tensor.array.shape, tensor.array.dtype)} in its second"
                )
            if self.early_stop and number == missing - 1:
                raise _Enough

        self.reads.check()
        values = self.inputs.values(self.arguments)
        count = len(values) - len(self.keywords)
        kwargs = dict(zip(self.keywords, values[count:]))
        with _random_numbers_from(self.rng_state), enable_grad(), self.context:
            try:
                with saved_tensors_hooks(take, _never):
                    self.function(*values[:count], **kwargs)
            except _Enough:
                pass
        if len(found) < missing:
            raise CheckpointError(
                f"checkpoint: the part saved {missing} tensors in its first run and {len(found)} in its second; "
                "both runs must do the same"
            )
        self.found = {number: kept for number, kept in found.items() if self.places[number]() is not None}
        self.reads.settle()


def _kind(size, dtype):
    return f"a {TYPE_NAMES[dtype]} of size {shown_size(size)}"


def _never(_):
    raise RuntimeError("checkpoint: backward cannot run inside the second run of a part")


class _Inputs(Function):
    """A Function that saves the Variables among the arguments of a part.

    It saves as every Function does. So in nested checkpoints the hooks of the outer part see these tensors too, and the
    outer part need not keep them either.
    """

    _name = "checkpoint"  # for messages

    def forward(self, one, *tensors):
        self.save_for_backward(*tensors)
        return one

    def keep(self, arguments):
        """Save the Variables among `arguments`; return the arguments with `self` instead of each Variable."""
        variables = [argument for argument in arguments if isinstance(argument, Variable)]
        self.require = [variable.requires_grad for variable in variables]
        # The first requires a gradient, because hooks apply only to recorded calls.
        self(Variable(one(), requires_grad=True), *variables)
        return [self if isinstance(argument, Variable) else argument for argument in arguments]

    def values(self, arguments):
        """Return the arguments again, with a leaf instead of each placeholder."""
        leaves = map(_leaf, self.saved_tensors, self.require)
        return [next(leaves) if argument is self else argument for argument in arguments]


def _leaf(tensor, requires_grad):
    return Variable(tensor, requires_grad=requires_grad)


# --- the reentrant form


def _reentrant(function, args, preserve_rng_state):
    variables = [arg for arg in args if isinstance(arg, Variable)]
    if recording() and not any([variable.requires_grad for variable in variables]):
        warnings.warn(
            "checkpoint: no argument requires a gradient, so with use_reentrant=True none passes through the part",
            stacklevel=3,
        )
    part = CheckpointFunction(function, args, preserve_rng_state)
    output = iter(part(*variables))
    returned, part.returned = part.returned, None
    if not isinstance(returned, tuple):
        return next(output) if isinstance(returned, Variable) else returned
    return tuple([next(output) if isinstance(value, Variable) else value for value in returned])


class CheckpointFunction(Function):
    """A part of the program as one Function: its forward runs the part unrecorded, its backward runs it again.

    Args:
        function: The part to run.
        args: Its positional arguments.
        preserve_rng_state: Whether the second run draws the same random numbers.

    Gradient:
        The gradients of the second run, for g, the gradients of the outputs.
    """

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], preserve_rng_state: bool) -> None:
        self.function = function
        self.arguments = [None if isinstance(arg, Variable) else arg for arg in args]
        self.is_variable = [isinstance(arg, Variable) for arg in args]
        self.reads = _Reads()
        self.rng_state = get_rng_state() if preserve_rng_state else None

    def _run(self, variables):
        rest = iter(variables)
        values = [next(rest) if is_variable else arg for arg, is_variable in zip(self.arguments, self.is_variable)]
        returned = self.function(*values)
        outputs = returned if isinstance(returned, tuple) else (returned,)
        return returned, [output for output in outputs if isinstance(output, Variable)]

    def forward(self, *tensors):
        self.save_for_backward(*tensors)
        with no_grad(), self.reads.noted():
            self.returned, outputs = self._run([_leaf(tensor, False) for tensor in tensors])
        integers = [output.data for output in outputs if output.data.array.dtype not in FLOATING]
        self.mark_non_differentiable(*integers)
        return tuple([output.data for output in outputs])

    def backward(self, *grad_output):
        if is_capturing() or any([isinstance(grad, Variable) for grad in grad_output]):
            raise RuntimeError(
                "checkpoint: use_reentrant=True supports only backward, without inputs= and create_graph=True, and not "
                "grad; use_reentrant=False supports all of them"
            )
        self.reads.check()
        inputs = list(map(_leaf, self.saved_tensors, self.needs_input_grad))
        with enable_grad(), _random_numbers_from(self.rng_state):
            _, outputs = self._run(inputs)
        self.reads.settle()
        roots = [(output, grad) for output, grad in zip(outputs, grad_output) if output.requires_grad]
        if roots:
            backward([output for output, _ in roots], [grad for _, grad in roots])
        return tuple([input._grad for input in inputs])
