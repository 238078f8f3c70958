"""The operations: one Function subclass for each, one file for each family (2016: `torch/autograd/functions/`).

v0.1.1's Variable had the methods that stand in `variable.py`. All others, which take the arguments of the Tensor's
method of the same name, come from the one table METHODS. The names exported here are theirs. Those behind nn
(`functions.conv.Conv2d`) stay in their files, so that `from torch.autograd.functions import *` hides no layer.
"""

import numbers
import sys

import numpy

from .. import eras
from ..function import Function
from ..tensor import Tensor, creation, names, random
from ..tensor.wrapping import shown
from ..variable import Variable
from . import activation, basic_ops, blas, comparison, pointwise, reduce, selection, tensor

_FAMILIES = (basic_ops, pointwise, reduce, blas, tensor, selection, activation, comparison)


def cat(tensors, dim=0):
    """The Tensors or Variables of a sequence one after another along `dim`. They have one size but along `dim`."""
    return _joined(creation.cat, tensor.Concat, tensors, dim)


def stack(tensors, dim=0):
    """The Tensors or Variables of a sequence, all of one size, side by side along a new dimension `dim`."""
    return _joined(creation.stack, tensor.Stack, tensors, dim)


concat = cat


def unbind(tensor, dim=0):
    """The parts of a Tensor or Variable along `dim`, without that dimension, as a tuple."""
    return tuple([tensor.select(dim, number) for number in range(tensor.size(dim))])


def normal(means=0.0, std=1.0):
    """Numbers from normal distributions, of means and standard deviations of which one at least is a Tensor.

    Of Variables the result is one, whose draws can be reinforced (later/stochastic.py).
    """
    if isinstance(means, Variable) or isinstance(std, Variable):
        from ..later.stochastic import normal as of_variables

        return of_variables(means, std)
    return random.normal(means, std)


def _joined(of_tensors, function, tensors, dim):
    if isinstance(tensors, (list, tuple)) and any([isinstance(x, Variable) for x in tensors]):
        return function(dim)(*tensors)[0]
    return of_tensors(tensors, dim)


def _contiguous(x):
    """This Variable in the order of its rows: itself, if it is; else, under v0.1.12, itself over another memory."""
    if x.is_contiguous():
        return x
    return tensor.Contiguous()(x)[0] if eras.era.contiguous_is_another else x.contiguous_()


# --- the ways in which a method calls its Function


def _alone(function):
    """One operand, and nothing else."""
    return lambda x: function()(x)[0]


def _one(function):
    """One operand; the method's arguments are those of the constructor."""
    return lambda x, *constants, **named: function(*constants, **named)(x)[0]


def _one_to_several(function):
    """The same, with several outputs."""
    return lambda x, *constants, **named: function(*constants, **named)(x)


def _two(function):
    """Two operands, both Variables."""
    return lambda x, other: function()(x, other)[0]


def _two_or_constant(of_constant):
    """Two Variables, or a Variable and a number."""
    return lambda function: lambda x, other: (
        function()(x, other)[0] if isinstance(other, Variable) else of_constant(other)(x)[0]
    )


def _comparison(function):
    return lambda x, other: function()(x, other)[0] if isinstance(other, Variable) else function(other)(x)[0]


def _extreme(of_two):
    """The three meanings of max and min: whole, by dimension (two outputs), and pointwise with another Variable."""

    def method_of(function):
        def method(x, dim=None, keepdim=True):
            if dim is None:
                return function()(x)[0]
            if isinstance(dim, Variable):
                return of_two()(x, dim)[0]
            return function(dim, keepdim)(x)

        return method

    return method_of


def _by_index(function):
    return lambda x, dim, index: function(dim)(x, _data(index))[0]


def _by_index_with_number(function):
    return lambda x, dim, index, value: function(dim, value)(x, _data(index))[0]


def _by_index_with_source(function):
    return lambda x, dim, index, source: function(dim)(x, _data(index), source)[0]


def _by_mask_with_source(function):
    return lambda x, mask, source: function()(x, _data(mask), source)[0]


def _scatter(function):
    def method(x, dim, index, source):
        if isinstance(source, numbers.Real):
            return function(dim, source)(x, _data(index))[0]
        return function(dim)(x, _data(index), source)[0]

    return method


def _data(index):
    """An index or a mask as a Variable: it may come as a Tensor, since nobody wants a gradient for it."""
    return Variable(index, requires_grad=False) if isinstance(index, Tensor) else index


def _with_scale(function):
    """addcmul(tensor1, tensor2), or with a number before the two."""

    def method(x, *arguments, value=1):
        (value, *_), operands = _numbers_first(function, arguments, (value,))
        return function(value)(x, *operands)[0]

    return method


def _added_product(function):
    """addmm(m1, m2), or with beta, or with beta and alpha before the two."""

    def method(x, *arguments, beta=1, alpha=1):
        (beta, alpha), operands = _numbers_first(function, arguments, (beta, alpha))
        return function(alpha, beta)(x, *operands)[0]

    return method


def _numbers_first(function, arguments, values):
    """The numbers that stand before the last two of `arguments`, completed from `values`, and those two."""
    first, operands = arguments[:-2], arguments[-2:]
    if len(operands) != 2 or len(first) > len(values):
        raise TypeError(
            f"{function.__name__.lower()}: expected two Variables, and before them at most {len(values)} numbers; got "
            f"({', '.join([shown(argument) for argument in arguments])})"
        )
    return (*first, *values[len(first) :]), operands


def _resize(x, *sizes):
    """The same elements in another size; there have to be as many (since v0.1.5)."""
    return x.contiguous().view(*sizes)


def _resize_as(x, other):
    """`resize` to the size of `other`."""
    return _resize(x, *other.size())


def _renorm(x, p, dim, maxnorm):
    rows = x.transpose(dim, 0).contiguous()
    norms = rows.view(rows.size(0), -1).norm(p, 1).view(-1, *(1,) * (len(rows.size()) - 1))
    factors = (maxnorm / (norms + 1e-7)).masked_fill(norms.le(maxnorm), 1)
    return (rows * factors).transpose(dim, 0)


def _cuda(x, *device):
    x.data.cuda(*device)  # raises, unless CUDA is ignored
    return x


# name: (the Function, the way it is called), or a method made of others
METHODS = {
    # pointwise
    "exp": (pointwise.Exp, _alone),
    "expm1": (pointwise.Expm1, _alone),
    "log": (pointwise.Log, _alone),
    "log1p": (pointwise.Log1p, _alone),
    "sqrt": (pointwise.Sqrt, _alone),
    "rsqrt": (pointwise.Rsqrt, _alone),
    "abs": (pointwise.Abs, _alone),
    "neg": (basic_ops.Negate, _alone),
    "sigmoid": (pointwise.Sigmoid, _alone),
    "tanh": (pointwise.Tanh, _alone),
    "sin": (pointwise.Sin, _alone),
    "cos": (pointwise.Cos, _alone),
    "tan": (pointwise.Tan, _alone),
    "asin": (pointwise.Asin, _alone),
    "acos": (pointwise.Acos, _alone),
    "atan": (pointwise.Atan, _alone),
    "atan2": (pointwise.Atan2, _two),
    "sinh": (pointwise.Sinh, _alone),
    "cosh": (pointwise.Cosh, _alone),
    "reciprocal": (pointwise.Reciprocal, _alone),
    "sign": (pointwise.Sign, _alone),
    "floor": (pointwise.Floor, _alone),
    "ceil": (pointwise.Ceil, _alone),
    "round": (pointwise.Round, _alone),
    "trunc": (pointwise.Trunc, _alone),
    "frac": (pointwise.Frac, _alone),
    "clamp": (pointwise.Clamp, _one),
    "clamp_min": (pointwise.Clamp, lambda function: lambda x, min: function(min, None)(x)[0]),
    "clamp_max": (pointwise.Clamp, lambda function: lambda x, max: function(None, max)(x)[0]),
    "cmax": (pointwise.Cmax, _two_or_constant(pointwise.CmaxConstant)),
    "cmin": (pointwise.Cmin, _two_or_constant(pointwise.CminConstant)),
    "remainder": (pointwise.Remainder, _two_or_constant(pointwise.RemainderConstant)),
    "fmod": (pointwise.Fmod, _two_or_constant(pointwise.FmodConstant)),
    "lerp": (pointwise.Lerp, lambda function: lambda x, end, weight: function(weight)(x, end)[0]),
    "addcmul": (pointwise.Addcmul, _with_scale),
    "addcdiv": (pointwise.Addcdiv, _with_scale),
    "softmax": (activation.Softmax, _one),
    "log_softmax": (activation.LogSoftmax, _one),
    # comparisons
    "eq": (comparison.Eq, _comparison),
    "ne": (comparison.Ne, _comparison),
    "lt": (comparison.Lt, _comparison),
    "le": (comparison.Le, _comparison),
    "gt": (comparison.Gt, _comparison),
    "ge": (comparison.Ge, _comparison),
    # reductions
    "sum": (reduce.Sum, _one),
    "mean": (reduce.Mean, _one),
    "prod": (reduce.Prod, _one),
    "var": (reduce.Var, _one),
    "std": (reduce.Std, _one),
    "norm": (reduce.Norm, _one),
    "max": (reduce.Max, _extreme(pointwise.Cmax)),
    "min": (reduce.Min, _extreme(pointwise.Cmin)),
    "median": (reduce.Median, _one_to_several),
    "mode": (reduce.Mode, _one_to_several),
    "kthvalue": (reduce.Kthvalue, _one_to_several),
    "cumsum": (reduce.Cumsum, _one),
    "cumprod": (reduce.Cumprod, _one),
    "dist": lambda x, other, p=2: x.sub(other).norm(p),
    "renorm": _renorm,
    "argmax": lambda x, dim=None, keepdim=True: _indices(x.data.argmax(dim, keepdim)),
    "argmin": lambda x, dim=None, keepdim=True: _indices(x.data.argmin(dim, keepdim)),
    # products
    "mm": (blas.Mm, _two),
    "mv": (blas.Mv, _two),
    "bmm": (blas.Bmm, _two),
    "dot": (blas.Dot, _two),
    "ger": (blas.Ger, _two),
    "matmul": (blas.Matmul, _two),
    "addmm": (blas.Addmm, _added_product),
    "addmv": (blas.Addmv, _added_product),
    "addr": (blas.Addr, _added_product),
    "addbmm": (blas.Addbmm, _added_product),
    "baddbmm": (blas.Baddbmm, _added_product),
    "inverse": (blas.Inverse, _alone),
    "cross": (blas.Cross, lambda function: lambda x, other, dim=None: function(dim)(x, other)[0]),
    # size and order
    "permute": (tensor.Permute, _one),
    "expand": (tensor.Expand, _one),
    "repeat": (tensor.Repeat, _one),
    "squeeze": (tensor.Squeeze, _one),
    "unsqueeze": (tensor.Unsqueeze, _one),
    "unfold": (tensor.Unfold, _one),
    "narrow": (tensor.Narrow, _one),
    "select": (tensor.Select, _one),
    "split": (tensor.Split, _one_to_several),
    "chunk": (tensor.Chunk, _one_to_several),
    "sort": (selection.Sort, _one_to_several),
    "topk": (selection.Topk, _one_to_several),
    "diag": (tensor.Diag, _one),
    "tril": (tensor.Tril, _one),
    "triu": (tensor.Triu, _one),
    "trace": (tensor.Trace, _alone),
    "clone": (tensor.Clone, _alone),
    "contiguous": _contiguous,
    "reshape": lambda x, *sizes: x.contiguous().view(*sizes),
    "resize": _resize,
    "resize_as": _resize_as,
    "view_as": lambda x, other: x.view(*other.size()),
    "expand_as": lambda x, other: x.expand(*other.size()),
    # index tensors and masks
    "index_select": (selection.IndexSelect, _by_index),
    "index_add": (selection.IndexAdd, _by_index_with_source),
    "index_copy": (selection.IndexCopy, _by_index_with_source),
    "index_fill": (selection.IndexFill, _by_index_with_number),
    "gather": (selection.Gather, _by_index),
    "scatter": (selection.Scatter, _scatter),
    "scatter_add": (selection.ScatterAdd, _by_index_with_source),
    "take": lambda x, index: x.contiguous().view(-1)[_data(index)],
    "masked_select": (selection.MaskedSelect, lambda function: lambda x, mask: function()(x, _data(mask))[0]),
    "masked_fill": (selection.MaskedFill, lambda function: lambda x, mask, value: function(value)(x, _data(mask))[0]),
    "masked_copy": (selection.MaskedCopy, _by_mask_with_source),
    "masked_scatter": (selection.MaskedCopy, _by_mask_with_source),
    # types
    "type_as": lambda x, other: x.type(other.type()),
    "double": lambda x: x.type("torch.DoubleTensor"),
    "float": lambda x: x.type("torch.FloatTensor"),
    "half": lambda x: x.type("torch.HalfTensor"),
    "long": lambda x: x.type("torch.LongTensor"),
    "int": lambda x: x.type("torch.IntTensor"),
    "short": lambda x: x.type("torch.ShortTensor"),
    "char": lambda x: x.type("torch.CharTensor"),
    "byte": lambda x: x.type("torch.ByteTensor"),
    "cpu": lambda x: x,
    "cuda": _cuda,
    "item": lambda x: x.data.item(),
}


def _indices(found):
    return Variable(found if isinstance(found, Tensor) else Tensor([found]).long(), requires_grad=False)


def _operator(name):
    """`name` as an operator: with what is neither Variable nor number Python decides, so that `v == None` is False."""
    method = METHODS[name]

    def operator(self, other):
        if isinstance(other, (Variable, Tensor, numpy.ndarray, numbers.Real)):
            return method(self, other)
        return NotImplemented

    return operator


def _mask_operator(name):
    """`name` on masks, which has no derivative: the Tensors' own, in a Variable that requires no gradient."""

    def operator(self, *others):
        if any([not isinstance(other, Variable) for other in others]):
            return NotImplemented
        return Variable(getattr(self.data, name)(*[other.data for other in others]), requires_grad=False)

    return operator


def _no_array(self, dtype=None, copy=None):
    """Always raises: numpy would leave no trace in the graph."""
    raise TypeError("a Variable is no array, and numpy's operations are not recorded: use its .data, or .data.numpy()")


def _install():
    for name, entry in METHODS.items():
        function, method = None, entry
        if isinstance(entry, tuple):
            function, call = entry
            method = METHODS[name] = call(function)
        method.__name__ = name
        method.__qualname__ = f"Variable.{name}"
        method.__doc__ = method.__doc__ or (function or getattr(Tensor, name)).__doc__
        setattr(Variable, name, method)
    for alias, name in names.METHODS.items():
        if name in METHODS:
            setattr(Variable, alias, METHODS[name])
    for name, method in (
        ("eq", "__eq__"), ("ne", "__ne__"), ("lt", "__lt__"), ("le", "__le__"), ("gt", "__gt__"), ("ge", "__ge__"),
        ("matmul", "__matmul__"), ("remainder", "__mod__"),
    ):  # fmt: skip
        setattr(Variable, method, _operator(name))
    for method in ("__and__", "__or__", "__xor__", "__invert__"):
        setattr(Variable, method, _mask_operator(method))
    Variable.__abs__ = METHODS["abs"]
    Variable.__array_ufunc__ = None  # so that `numpy.float64(2) * v` comes to v, not to an array of Variables
    Variable.__array__ = _no_array


_install()

_CLASSES = {
    name: member
    for family in _FAMILIES
    for name, member in vars(family).items()
    if isinstance(member, type) and issubclass(member, Function) and member.__module__ == family.__name__
}
globals().update(_CLASSES)
torch = sys.modules[__package__.rpartition(".")[0]]
# The last three came with v0.1.1's star import by accident; its own tests relied on it.
__all__ = ["cat", "concat", "normal", "stack", "unbind", *_CLASSES, "Function", "Variable", "torch"]
