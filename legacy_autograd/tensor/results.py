"""Results that are written to given tensors: `torch.exp(x, out=y)`, and until v0.1.9 `torch.exp(y, x)`.

2016: the arguments marked `output: True` of torch/csrc/generic/methods/*.cwrap. All forms of v0.1.x work under all
conventions (conventions.py).
"""

import functools
import inspect
import math
import numbers
from collections.abc import Callable
from typing import Any

from .messages import shown
from .wrapping import is_tensor

_ABSENT: Any = object()


def takes_results(
    tensors: int,
    results: int = 1,
    converts: bool = False,
    columns: bool = False,
    keeps_shape: bool = False,
    value_between: bool = False,
    or_of_two: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator: the function can write to tensors that are passed as `out`, or before all other arguments.

    A call with more Tensors than the function takes, or with more arguments, begins with the tensors to write to. They
    are resized to the shapes of the results, and returned, before whatever else the function returns.

    Args:
        tensors: The largest number of Tensors among the function's own positional arguments.
        results: The number of results that can be written to tensors.
        converts: Whether these tensors may have another type than the results.
        columns: Whether the results have LAPACK's column order, even in tensors that have the shape already.
        keeps_shape: Whether a tensor with as many elements as the result is not resized.
        value_between: Whether the function takes (tensor, number, tensor). Then (tensor, tensor, number) begins with a
            result.
        or_of_two: Whether the function returns one result for two Tensors.

    Raises:
        TypeError: In a call, if the tensors to write to have another type or number, or the results are Variables.
    """

    def decorate(function):
        name, parameters = function.__name__, list(inspect.signature(function).parameters.values())
        positional = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        most = math.inf if any([p.kind is p.VAR_POSITIONAL for p in parameters]) else len(positional)

        too_few = 2 if or_of_two else tensors  # arguments

        def in_any_form(*arguments, out=None, **named):
            if out is None:
                given = len(arguments)
                if given <= too_few or not is_tensor(arguments[0]):
                    return function(*arguments, **named)
                count = sum([is_tensor(argument) for argument in arguments])
                number_last = value_between and given == 3 and isinstance(arguments[2], numbers.Real)
                if count <= tensors and given <= most and not (number_last and is_tensor(arguments[1])):
                    return function(*arguments, **named)
                wanted = 1 if or_of_two and count == given == 3 else results
                out, arguments = arguments[:wanted], arguments[wanted:]
                out = out[0] if wanted == 1 else out
            return write(name, out, function(*arguments, **named), results, converts, columns, keeps_shape)

        # Most calls have one or two arguments and no tensor to write to. They go to the function at once.

        def with_one(x=_ABSENT, /, *others, out=None, **named):
            if others or named or out is not None or x is _ABSENT:
                return in_any_form(*(() if x is _ABSENT else (x, *others)), out=out, **named)
            return function(x)

        def with_two(x=_ABSENT, other=_ABSENT, /, *others, out=None, **named):
            if others or named or out is not None or other is _ABSENT:
                given = [argument for argument in (x, other) if argument is not _ABSENT]
                return in_any_form(*given, *others, out=out, **named)
            return function(x, other)

        called = functools.wraps(function)({1: with_one, 2: with_two}.get(too_few, in_any_form))
        end = len(parameters) - (parameters[-1:] != [] and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD)
        parameters.insert(end, inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None))
        called.__signature__ = inspect.Signature(parameters)
        return called

    return decorate


def write(
    name: str,
    out: Any,
    result: Any,
    results: int = 1,
    converts: bool = False,
    columns: bool = False,
    keeps_shape: bool = False,
) -> Any:
    """Copy results into tensors, which are resized as needed.

    Args:
        name: The operation, for messages.
        out: A Tensor, or a tuple or list of them.
        result: What the operation returned.
        results: How many of the results are written.
        converts: Whether the tensors may have another type.
        columns: Whether the tensors get LAPACK's column order.
        keeps_shape: Whether a tensor with as many elements as the result is not resized.

    Returns:
        `out`, followed by the results that were not written.

    Raises:
        TypeError: If the number or the types of the tensors do not fit, or a result is not a Tensor.
    """
    targets = out if isinstance(out, (tuple, list)) else (out,)
    computed = result if isinstance(result, tuple) else (result,)
    if not all(map(is_tensor, computed)):
        raise TypeError(f"{name}: a result tensor cannot take {', '.join(map(shown, computed))}; it takes Tensors")
    computed, others = computed[:results], computed[results:]
    if len(targets) != len(computed) or not all(map(is_tensor, targets)):
        raise TypeError(
            f"{name}: expected {len(computed)} Tensor{'s' * (len(computed) > 1)} for the result, got "
            f"({', '.join(map(shown, targets))})"
        )
    for target, source in zip(targets, computed):
        if target.array.dtype != source.array.dtype and not converts:
            raise TypeError(f"{name}: the result is {shown(source)}, and cannot be written to {shown(target)}")
    for target, source in zip(targets, computed):
        shape = source.array.shape
        if columns and len(shape) > 1 and target.array.flags.c_contiguous:
            target.resize_(*shape[:-2], shape[-1], shape[-2]).transpose_(-2, -1)
        elif target.array.shape != shape and not (keeps_shape and target.array.size == source.array.size):
            target.resize_(*shape)
        target.copy_(source)
    return (out, *others) if others else out
