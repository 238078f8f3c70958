"""Tensors that a function writes its results to: `torch.exp(x, out=y)`, and until v0.1.9 `torch.exp(y, x)`.

2016: the arguments marked `output: True` of torch/csrc/generic/methods/*.cwrap. All of v0.1.x's forms work in each
column of the conventions.
"""

import functools
import inspect
import math
import numbers

from . import _helpers
from ._helpers import is_tensor, shown


def takes_results(
    tensors, results=1, converts=False, columns=False, keeps_shape=False, value_between=False, or_of_two=False
):
    """Let a function write to tensors that the caller passes as `out`, or before all other arguments.

    `tensors` is the largest count of Tensors among the function's own positional arguments. A call with more of them,
    or with more arguments than the function has, begins with `results` tensors to write to. With `value_between` the
    function takes (tensor, number, tensor) but not (tensor, tensor, number), so that begins with a result too. With
    `or_of_two` it has one result where its own arguments are two Tensors.

    The results are resized to the shape of what was computed, and returned, before what else the function returns.
    One that `keeps_shape` is not resized if it has as many elements. Those of `columns` get LAPACK's column order, even
    where they have the shape already. They must have the type of what was computed, unless the function `converts`.
    Raises TypeError for another type, another count of Tensors, and for what is computed from Variables.
    """

    def decorate(function):
        name, parameters = function.__name__, list(inspect.signature(function).parameters.values())
        positional = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        most = math.inf if any([p.kind is p.VAR_POSITIONAL for p in parameters]) else len(positional)

        too_few = 2 if or_of_two else tensors  # arguments

        @functools.wraps(function)
        def called(*arguments, out=None, **named):
            if out is None:
                given = len(arguments)
                if given <= too_few or given == 2 and too_few and type(arguments[1]) is int:
                    # No place for a result: most calls end here.
                    return function(*arguments, **named) if named else function(*arguments)
                if not given or not is_tensor(arguments[0]):
                    return function(*arguments, **named)
                count = sum([isinstance(argument, _helpers.Tensor) for argument in arguments])
                number_last = value_between and given == 3 and isinstance(arguments[2], numbers.Real)
                if count <= tensors and given <= most and not (number_last and is_tensor(arguments[1])):
                    return function(*arguments, **named)
                wanted = 1 if or_of_two and count == given == 3 else results
                out, arguments = arguments[:wanted], arguments[wanted:]
                out = out[0] if wanted == 1 else out
            return write(name, out, function(*arguments, **named), results, converts, columns, keeps_shape)

        end = len(parameters) - (parameters[-1:] != [] and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD)
        parameters.insert(end, inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None))
        called.__signature__ = inspect.Signature(parameters)
        return called

    return decorate


def write(name, out, result, results=1, converts=False, columns=False, keeps_shape=False):
    """Resize the tensors of `out` to the shapes of the first `results` of `result`, copy these, and return `out`."""
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
