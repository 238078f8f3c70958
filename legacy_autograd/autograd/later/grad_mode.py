"""`no_grad`, `enable_grad`, `set_grad_enabled` (0.4.0, April 2018) and `inference_mode` (1.9, June 2021).

The problem: `volatile` was a property of data. One volatile Variable in a training step left the step without a
gradient, and a network ran unrecorded only if its input was marked. So recording became a mode of the thread. Within
`no_grad`, results require no gradient, whatever the inputs require, and may be used like any others afterwards.
`inference_mode` is stricter: its results are never part of a recorded computation, and raise when they are used in one.
This saves torch time, because it need not count the writes to them.

============================  =======  =========  ===========
a result                      default  `no_grad`  `inference`
============================  =======  =========  ===========
may require a gradient        yes      no         no
counts as an inference one    no       no         yes
may be saved for a backward   yes      yes        no
============================  =======  =========  ===========

How the 2016 core makes room for it: a callback around every call (`callbacks.around_call`) replaces the outputs by
leaves. It is registered only while some thread is in a mode. No mode changes Variables that a program makes itself.
(In torch those made within `inference_mode` are inference tensors too; in legacy_autograd only results are.)
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Sequence

from ..callbacks import Reason, WhileNeeded, around_call
from ..function import Function
from ..leaf import Leaf
from ..variable import Variable
from .views import memory_of, note_unrecorded_view


def cut_off(function: Function, input: Sequence[Variable], output: Sequence[Variable]) -> tuple[Variable, ...]:
    """Return the outputs of a call as leaves that require no gradient; `function` releases what it recorded.

    Args:
        function: The Function that was called.
        input: Its inputs.
        output: Its outputs.
    """
    function.previous_functions = []  # not None, since the Function was called and cannot be called again
    function.requires_grad = False
    function._unpack, function._saved, function._saved_versions = None, (), ()
    # Leaves are kept: they are non-differentiable or volatile.
    cut = tuple([v if isinstance(v.creator, Leaf) else Variable(v.data, requires_grad=False) for v in output])
    for number in function._viewed:
        note_unrecorded_view(cut[number], input)
    return cut


class _State(threading.local):
    recording = True
    inference = False

    def __init__(self):
        self.reason = Reason()

    def change(self, recording, inference):
        if inference or not recording:
            _registration.add(self.reason)
        self.recording, self.inference = recording, inference
        self.settle()

    def settle(self):
        """Have the callback registered if this thread is in a mode."""
        needed = self.inference or not self.recording
        (_registration.add if needed else _registration.drop)(self.reason)


def _keep_to_the_mode(function, proceed, *variables):
    output = proceed(*variables)
    if _state.inference:
        output = cut_off(function, variables, output)
        for variable in output:
            mark_inference(variable)
    elif not _state.recording:
        output = cut_off(function, variables, output)
    elif any([variable.creator._inference for variable in variables]):
        _check_inference(function, variables, output)
    else:
        _state.settle()  # after an interrupt of `__enter__` its reason may still be there
    return output


def mark_inference(variable: Variable) -> None:
    """Mark `variable` as computed within `inference_mode`.

    Args:
        variable: A leaf.
    """
    variable.creator._inference = True
    _registration.add(variable.creator)


def _check_inference(function, variables, output):
    memories = {id(memory_of(variable)) for variable in variables if variable.creator._inference}
    for tensor in function._saved if function.requires_grad else ():
        if id(tensor if tensor._base is None else tensor._base) in memories:
            raise RuntimeError(
                f"{function._name}: a Variable computed in inference_mode cannot be saved for backward. Use a clone() "
                "of it, or compute it in no_grad instead"
            )
    for variable in output:
        if not variable.requires_grad and id(memory_of(variable)) in memories:  # a view of an inference Variable
            mark_inference(variable)


_registration = WhileNeeded(around_call, _keep_to_the_mode)
_state = _State()
Function._inference = False


def is_grad_enabled() -> bool:
    """Return whether calls of this thread are recorded; `inference_mode` turns this off too."""
    return _state.recording


def is_inference_mode_enabled() -> bool:
    """Return whether this thread is within `inference_mode`."""
    return _state.inference


def is_inference(variable: Variable) -> bool:
    """Return whether this Variable was computed within `inference_mode` (1.9).

    Args:
        variable: The Variable.
    """
    return variable.creator._inference


Variable.is_inference = is_inference


def recording() -> bool:
    """Return whether calls of this thread are in fact recorded: within `inference_mode` none are."""
    return _state.recording and not _state.inference


class GradMode:
    """A mode as a context (`with no_grad():`) and as a decorator of functions and generator functions.

    A subclass or an instance sets `mode`: whether calls are recorded within the context.
    """

    mode: bool

    def __init__(self) -> None:
        self._before: list[tuple[bool, bool]] = []  # a list, since contexts may be nested in themselves

    def modes(self) -> tuple[bool, bool]:
        """Return what the context sets: (recording, inference)."""
        return self.mode, _state.inference

    def clone(self) -> GradMode:
        """Return another instance of this mode, for one call of a decorated function."""
        return type(self)()

    def outer(self) -> tuple[bool, bool]:
        """Return what leaving the context restores."""
        return _state.recording, _state.inference

    # Python handles an interrupt (Ctrl+C) at the start of a function and after a call. So the mode is changed last in
    # `__enter__`, when none can come before the body, and first in `__exit__`.
    def __enter__(self):
        modes = self.modes()
        self._before.append(self.outer())
        if modes != (True, False):
            _registration.add(_state.reason)
        _state.recording, _state.inference = modes

    def __exit__(self, *exception):
        if not self._before:
            raise RuntimeError(
                f"{type(self).__name__}: the context was left without being entered; use it in a `with` statement"
            )
        _state.recording, _state.inference = self._before[-1]
        self._before.pop()
        _state.settle()

    def __call__(self, function):
        name = type(self).__name__
        if inspect.isclass(function) or not callable(function):
            raise TypeError(f"{name} decorates functions, got {function!r}; decorate the methods of a class one by one")
        if inspect.isgeneratorfunction(function):
            return self._generator(function)

        @functools.wraps(function)
        def in_mode(*args, **kwargs):
            with self.clone():
                return function(*args, **kwargs)

        return in_mode

    def _generator(self, function):
        """Return a generator function that runs in the mode; the code of its caller between two values does not."""

        @functools.wraps(function)
        def in_mode(*args, **kwargs):
            generator = function(*args, **kwargs)
            resume, argument = generator.send, None
            while True:
                try:
                    with self.clone():
                        answer = resume(argument)
                except StopIteration as end:
                    return end.value
                try:
                    resume, argument = generator.send, (yield answer)
                except BaseException as error:
                    resume, argument = generator.throw, error

        return in_mode


class _WithoutParentheses(GradMode):
    """A mode that also decorates without parentheses: `@no_grad` means `@no_grad()`."""

    def __new__(cls, function=None):
        return super().__new__(cls) if function is None else cls()(function)


class no_grad(_WithoutParentheses):
    """Results require no gradient within this context, or in the function that it decorates.

    Example:
        >>> x = Variable(torch.ones(2))
        >>> with torch.no_grad():
        ...     y = x * 2
        >>> y.requires_grad
        False
    """

    mode = False


class enable_grad(_WithoutParentheses):
    """Calls are recorded within this context, even inside `no_grad`."""

    mode = True


class set_grad_enabled(GradMode):
    """Turn recording on or off at once; used as a context, until the context ends.

    Args:
        mode: Whether calls are recorded.

    Raises:
        TypeError: If `mode` is neither True nor False.
    """

    def __init__(self, mode: bool) -> None:
        super().__init__()
        if mode not in (True, False):
            raise TypeError(f"set_grad_enabled needs True or False, got {mode!r}")
        self.mode = bool(mode)
        self._entry = (_state.recording, _state.inference)
        _state.change(*self.modes())

    def clone(self):
        return set_grad_enabled(self.mode)

    def outer(self):
        return self._entry

    def __call__(self, function):
        _state.change(*self._entry)  # the mode is meant for the function alone
        return super().__call__(function)


class inference_mode(GradMode):
    """Results require no gradient within this context, and cannot take part in a recorded computation later.

    Args:
        mode: False records calls within this context instead. A function: it is decorated, as by `@inference_mode`.
    """

    def __new__(cls, mode=True):
        return cls()(mode) if callable(mode) else super().__new__(cls)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode = bool(mode)

    def modes(self):
        return not self.mode, self.mode

    def clone(self):
        return inference_mode(self.mode)
