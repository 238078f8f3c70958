"""The methods that are functions as well: `torch.exp(x)` is `x.exp()`, of a Tensor and of a Variable alike.

Where v0.1.x lets a number come first, so do these: `pow(2, x)`, `add(x, value, y)`, `addmm(beta, x, alpha, a, b)`.
"""

import numbers
import operator

from . import base
from .wrapping import is_tensor, shown

# The names of all methods that `import legacy_autograd as torch` also has as functions.
NAMES = """
    abs acos add addbmm addcdiv addcmul addmm addmv addr all any argmax argmin asin atan atan2 baddbmm bernoulli
    bmm ceil chunk clamp clamp_max clamp_min clone cmax cmin cos cosh cross cumprod cumsum diag dist div dot eig
    eq equal exp expm1 floor fmod frac gather ge ger gesv gt histc index_add index_copy index_fill index_select
    inverse kthvalue le lerp log log1p lt masked_fill masked_scatter masked_select matmul max mean median min mm
    mode mul multinomial mv narrow ne neg nonzero norm numel permute potrf pow prod qr reciprocal remainder
    renorm reshape round rsqrt scatter scatter_add sigmoid sign sin sinh sort split sqrt squeeze std sub sum svd
    symeig t take tan tanh topk trace transpose tril triu trunc unsqueeze var
""".split()

_OF_A_NUMBER_AND_A_TENSOR = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
}
_WITH_TWO_FACTORS = ("addbmm", "addmm", "addmv", "addr", "baddbmm")


def _check(name, x):
    """Refuse what is neither a Tensor nor a Variable, whose `data` is a Tensor. (A list has methods, too.)"""
    if not is_tensor(getattr(x, "data", None)):
        raise TypeError(f"{name}: expected a Tensor or Variable, got {shown(x)}")


def _function(name):
    def function(x, *arguments, **named):
        if type(x) is not base.Tensor:
            _check(name, x)
        return getattr(x, name)(*arguments, **named)

    return function


def _number_first(name, of_number):
    def function(x, *arguments, **named):
        if isinstance(x, numbers.Real) and len(arguments) == 1:
            _check(name, arguments[0])
            return of_number(x, arguments[0])
        _check(name, x)
        return getattr(x, name)(*arguments, **named)

    return function


def _with_two_factors(name):
    """addmm(x, a, b), with a number before x (beta) and one after it (alpha), either of which may be left out."""

    def function(x, *arguments, **named):
        if isinstance(x, numbers.Real) and arguments:
            named["beta"] = x
            x, *arguments = arguments
        if arguments and isinstance(arguments[0], numbers.Real):
            named["alpha"], *arguments = arguments
        _check(name, x)
        return getattr(x, name)(*arguments, **named)

    return function


def _made(name):
    if name in _OF_A_NUMBER_AND_A_TENSOR:
        function = _number_first(name, _OF_A_NUMBER_AND_A_TENSOR[name])
    elif name in _WITH_TWO_FACTORS:
        function = _with_two_factors(name)
    else:
        function = _function(name)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`x.{name}(...)`, of a Tensor or Variable x. {getattr(base.Tensor, name).__doc__}"
    return function


# From here on abs, all, any, max, min, pow, round and sum are, in this file, not Python's.
globals().update({name: _made(name) for name in NAMES})
__all__ = NAMES
