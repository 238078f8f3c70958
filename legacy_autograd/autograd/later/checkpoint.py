"""`checkpoint` and `checkpoint_sequential` (0.4.0, April 2018; the form without re-entrance 1.11, March 2022).

The problem: backward needs the intermediate results of forward, all of them, and a deep network does not fit into
memory although no two of its layers are ever at work together. A part of it that is checkpointed keeps its inputs
alone, and is computed once more when backward comes to it. A chain of n layers in √n parts needs memory for √n results
between the parts and √n within the one that is being computed again, at the price of a second forward.

How the 2016 core makes room for it, in two ways:
- `use_reentrant=True`, torch's first: the part is one Function. Its forward runs the part unrecorded, its backward runs
  it again, recorded, and starts a backward of its own inside of the one that is going on.
- `use_reentrant=False`, which is what one gets here where nothing is said: the part is recorded as always, but by hooks
  on saved tensors (graph.py) nothing is kept. The first tensor that backward asks for has the part computed again, to
  take down what is saved this time. This form serves `grad`, `create_graph`, keyword arguments, and inputs of any kind.
"""

import contextlib
import functools
import threading
import warnings
import weakref

from ...tensor.base import STEP, shown_size
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
    """The second computation of a checkpointed part was not like the first."""


def _no_contexts():
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=_no_contexts, determinism_check="default",
    debug=False, early_stop=True, **kwargs,
):  # fmt: skip
    """`function(*args, **kwargs)`, of which nothing but the arguments is kept for backward.

    `function` runs a second time in backward, and has to do the same then; `preserve_rng_state` puts the generator of
    random numbers back for that, so that Dropout drops the same. `context_fn` returns two contexts, for the first and
    for the second run. What is saved is compared in type and size, unless `determinism_check="none"`, and raises
    CheckpointError where it differs. With `early_stop` the second run ends when all that was saved is there again.
    CheckpointError too, under all conventions, where a Variable that `function` read was changed since (by an
    optimizer's step, for example). What its Functions keep as attributes, the running averages of BatchNorm for one,
    may change; numbers that numpy wrote and Python objects that `function` refers to are not checked.

    `use_reentrant=True` is the older form: keyword arguments are not for it (ValueError), gradients go to Variables
    among `args` and to leaves, at least one of `args` has to require one, and `autograd.grad` cannot be used with it.
    """
    if not callable(function):
        raise TypeError(f"checkpoint needs a function, got {type(function).__name__}")
    if use_reentrant:
        if kwargs or context_fn is not _no_contexts:
            raise ValueError("checkpoint: use_reentrant=True takes neither keyword arguments nor context_fn")
        return _reentrant(function, args, preserve_rng_state)
    if determinism_check not in ("default", "none"):
        raise ValueError(f"checkpoint: determinism_check is 'default' or 'none', got {determinism_check!r}")
    first_context, second_context = context_fn()
    if not recording():
        with first_context:
            return function(*args, **kwargs)
    part = _Part(function, args, kwargs, preserve_rng_state, second_context, determinism_check == "default", early_stop)
    with first_context, saved_tensors_hooks(part.pack, part.unpack), part.reads.noted([*args, *kwargs.values()]):
        return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, preserve_rng_state=True):
    """Apply `functions` (a sequence of them, or a Sequential) to `input` one after another, in `segments` parts.

    All parts but the last are checkpointed: backward would compute the last again right after it was computed.
    """
    functions = list(functions.children()) if hasattr(functions, "children") else list(functions)
    if not 1 <= segments <= max(len(functions), 1):
        raise ValueError(f"checkpoint_sequential: {len(functions)} functions cannot be cut into {segments} segments")
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
    """Within this context random numbers start from `state`, if there is one, and go on as before afterwards."""
    if state is None:
        yield
        return
    before = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(before)


class _Reads:
    """The Variables from outside of a part that its Functions read, held weakly, and the counts of writes to them.

    A part that is computed again after one of them was changed would give other numbers than it gave the first time.
    """

    def __init__(self):
        self.variables = {}  # {id: weak reference}
        self.owners = {}  # the same of the Tensors that own their memory
        self.data = self.counts = ()

    @contextlib.contextmanager
    def noted(self, arguments=()):
        """Within this context note what is read. The `data` of `arguments` is saved, and may be replaced."""
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
                if not _holds(self.owners, owner):  # else the output is a view of what comes from outside
                    _put(made, owner)
            return outputs

        around_call.register(note)
        try:
            yield
        finally:
            around_call.remove(note)
        for argument in arguments:
            self.variables.pop(id(argument), None)
        self.settle()

    def settle(self):
        """Take what was read as it is now: the part itself may have written to it."""
        alive = [(ref, ref()) for ref in self.variables.values()]
        self.data = [(ref, weakref.ref(variable.data)) for ref, variable in alive if variable is not None]
        alive = [(ref, ref()) for ref in self.owners.values()]
        self.counts = [(ref, owner._writes) for ref, owner in alive if owner is not None]

    def check(self):
        """Raise CheckpointError if something that was read is another now."""
        for ref, data in self.data:
            variable = ref()
            if variable is not None and variable.data is not data():
                _refuse_changed(variable.data, "is another tensor than it was then")
        for ref, count in self.counts:
            owner = ref()
            if owner is not None and owner._writes != count:
                expected = count % STEP + count // STEP
                _refuse_changed(owner, f"is at version {owner._version}; expected version {expected} instead")


def _holds(references, x):
    return id(x) in references and references[id(x)]() is x


def _put(references, x):
    references[id(x)] = weakref.ref(x)


def _refuse_changed(tensor, how):
    raise CheckpointError(
        "checkpoint: one of the variables that the part read in forward has been modified by an inplace operation "
        f"since: {_kind(tensor.array.shape, tensor.array.dtype)} {how}. Backward computes the part again, and needs "
        "the same numbers: run it before the change (an optimizer's step, say), or compute forward again after it"
    )


# --- without re-entrance


class _Enough(BaseException):
    """Ends the second run of a part when it has given all that is needed. Not an Exception, so that none catches it."""


class _Place:
    """Stands for the tensor that was the `number`th to be saved."""

    def __init__(self, part, number):
        self.part = part
        self.number = number


class _Part:
    """One checkpointed call: its arguments, and the places of what it saved."""

    def __init__(self, function, args, kwargs, preserve_rng_state, context, compare, early_stop):
        self.function = function
        self.rng_state = get_rng_state() if preserve_rng_state else None
        self.context = context
        self.compare = compare
        self.early_stop = early_stop
        self.places = []  # held weakly: a part of the graph that is gone needs nothing
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
                    raise CheckpointError(f"checkpoint: computed again, the part saved more than {missing} tensors")
                return
            found[number] = (tensor, tensor._version)
            if self.compare and (tensor.array.shape, tensor.array.dtype) != self.kinds[number]:
                raise CheckpointError(
                    f"checkpoint: computed again, the part saved {_kind(tensor.array.shape, tensor.array.dtype)} as "
                    f"tensor {number}, and {_kind(*self.kinds[number])} the first time"
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
                f"checkpoint: computed again, the part saved {len(found)} tensors, and {missing} the first time; "
                "it has to do the same each time it runs"
            )
        self.found = {number: kept for number, kept in found.items() if self.places[number]() is not None}
        self.reads.settle()


def _kind(size, dtype):
    return f"a {TYPE_NAMES[dtype]} of size {shown_size(size)}"


def _never(_):
    raise RuntimeError("checkpoint: backward was run within the second computation of a part, whose graph is of no use")


class _Inputs(Function):
    """Saves the Variables among the arguments of a part as every Function saves, so that where one part is inside of
    another the hooks of the outer one see them, and need not keep them either."""

    _name = "checkpoint"  # for messages

    def forward(self, one, *tensors):
        self.save_for_backward(*tensors)
        return one

    def keep(self, arguments):
        """Keep the Variables among `arguments`; returns the arguments with `self` in their places."""
        variables = [argument for argument in arguments if isinstance(argument, Variable)]
        self.require = [variable.requires_grad for variable in variables]
        # The first requires a gradient because hooks are for what is recorded.
        self(Variable(one(), requires_grad=True), *variables)
        return [self if isinstance(argument, Variable) else argument for argument in arguments]

    def values(self, arguments):
        """The arguments again, with leaves in the places of the Variables."""
        leaves = map(_leaf, self.saved_tensors, self.require)
        return [next(leaves) if argument is self else argument for argument in arguments]


def _leaf(tensor, requires_grad):
    return Variable(tensor, requires_grad=requires_grad)


# --- with re-entrance


def _reentrant(function, args, preserve_rng_state):
    variables = [arg for arg in args if isinstance(arg, Variable)]
    if recording() and not any([variable.requires_grad for variable in variables]):
        warnings.warn(
            "checkpoint: with use_reentrant=True no gradient goes through a part of which no argument requires one",
            stacklevel=3,
        )
    part = CheckpointFunction(function, args, preserve_rng_state)
    output = iter(part(*variables))
    returned, part.returned = part.returned, None
    if not isinstance(returned, tuple):
        return next(output) if isinstance(returned, Variable) else returned
    return tuple([next(output) if isinstance(value, Variable) else value for value in returned])


class CheckpointFunction(Function):
    """`function` as one Function, which is run unrecorded, and again in backward. Gradient: that of the second run."""

    def __init__(self, function, args, preserve_rng_state):
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
                "checkpoint: with use_reentrant=True a part can be walked through by backward alone, not by grad, nor "
                "with inputs= or create_graph=True; use_reentrant=False serves all of them"
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
