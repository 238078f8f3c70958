"""`VariableMethods`: the operations of a Variable, and what PyTorch added to Variable after v0.1.1.

v0.1.1's own methods and operators are in `variable.py`. A method here calls one Function of `functions/`, or hands over
to the file of `later/` that implements it. Names, arguments and shapes are those of the Tensor's method of the same
name; the Tensor method also raises the errors for wrong shapes and types. No 2016 counterpart.

In the docstrings x is the Variable itself. A gradient is a Python expression over arrays, in backquotes, in which g
is the gradient of the result and r the result. Operands of different shapes are broadcast, and their gradients summed
back to their own shapes.
"""

import numbers
from typing import TYPE_CHECKING

import numpy

from .. import conventions
from ..modern_names import NotInVariable
from ..tensor import Tensor
from ..tensor._helpers import naming, shown
from ..tensor.no_cuda import accept_async
from ..tensor.reduce import check_norms

if TYPE_CHECKING:  # they need this file first; the feet of variable.py and of later/__init__.py set these names
    from . import functions, later
    from .leaf import Leaf
    from .variable import Variable

# What an operator passes on to its method, besides Variables: numbers, and what the method refuses with a reason. With
# anything else Python decides, so that `v == None` is False.
_OPERANDS = (Tensor, numpy.ndarray, numbers.Real, numpy.bool_)


def not_a_variable(tensor, creator):
    """Return the TypeError of a Variable that cannot be made of these."""
    if isinstance(tensor, Tensor):
        return TypeError(f"Variable: its creator is a Function, left out for a leaf; got {type(creator).__name__}")
    maker = "Variable needs" if creator is None else f"{type(creator).__name__}.forward must return"
    return TypeError(f"{maker} a Tensor, got {type(tensor).__name__}")


class VariableMethods(NotInVariable):
    """The base of Variable: every operation that it gained after v0.1.1, one method each.

    In the docstrings x is the Variable, r the result, and g the gradient of the result.
    """

    __slots__ = ()

    # --- what a Variable knows

    @property
    def requires_grad(self):
        """Whether backward computes a gradient for this Variable (v0.1.2). Settable on leaves (v0.1.5)."""
        return self.creator.requires_grad

    @requires_grad.setter
    def requires_grad(self, requires_grad):
        if not self.is_leaf:
            if requires_grad:
                return
            raise RuntimeError(
                "requires_grad can be changed on leaves only; this Variable is an output of "
                f"{type(self.creator).__name__}. Use detach() to cut it off"
            )
        requires_grad = self._may_require_grad(bool(requires_grad), self.volatile)
        if isinstance(self.creator, Leaf):
            self.creator.requires_grad = requires_grad
        elif requires_grad:  # the creator required no gradient, so nothing is lost where the graph begins here
            self.creator = Leaf(self, True)

    @property
    def volatile(self):
        """Whether what is computed from this Variable is left unrecorded (v0.1.2; since 0.4.0 `no_grad`).

        Settable on leaves. A leaf does not require a gradient while it is volatile.
        """
        return self.creator._volatile

    @volatile.setter
    def volatile(self, volatile):
        later.volatile.set_volatile(self, volatile)

    @property
    def array(self):
        """The NumPy array behind `data`. Tensor has it too, so gradient code accepts either."""
        return self.data.array

    @property
    def is_leaf(self):
        """Whether the graph ends here: made by hand, or by an operation that needed no gradient (v0.1.9)."""
        return not self.creator.requires_grad or isinstance(self.creator, Leaf)

    @property
    def output_nr(self):
        """The number of this output of its creator. RuntimeError if the creator did not make this Variable."""
        return self.creator._output_nr(id(self))

    @property
    def name(self):
        """A name for drawings and messages, None if none was given."""
        return getattr(self, "_name", None)

    @name.setter
    def name(self, name):
        self._name = name

    def _gradient_as_variable(self):
        return later.variable_gradients.of(self)

    @property
    def _backward_hooks(self):
        """The hooks on this Variable without a name, as a dictionary that registers what is put in (v0.1.9)."""
        return later.hooks.HooksOfVariable(self)

    @_backward_hooks.setter
    def _backward_hooks(self, hooks):
        current = later.hooks.HooksOfVariable(self)
        current.clear()
        current.update(hooks or {})

    backward_hooks = _backward_hooks  # their name up to v0.1.5

    def _named_hook(self, hook):
        """`hook` as the creator calls it. From v0.1.2 to v0.1.8 it took the gradient of this Variable alone."""
        if conventions.era.named_hook_takes_two or not callable(hook):
            return hook
        number = self.output_nr

        def with_one(grad_input, grad_output):
            hook(grad_output[number] if isinstance(grad_output, tuple) else grad_output)

        return with_one

    # --- Python's protocols

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter([self[i] for i in range(len(self.data))])

    def __bool__(self):
        """That of `data`; under the conventions of v0.1.1 True, under those of v0.1.12 whether `len` is above 0."""
        truth = conventions.era.truth_of_variable
        return bool(self.data) if truth == "number" else truth == "always" or len(self) > 0

    def __float__(self):
        return float(self.data)

    def __int__(self):
        return int(self.data)

    def __deepcopy__(self, memo):
        return later.copying.deep_copied(self, memo)

    def __reduce__(self):
        return later.copying.reduced(self)

    def __setstate__(self, state):
        """Take over what a pickle of v0.1.x has of a leaf: (requires_grad, volatile, hooks) (v0.1.3)."""
        later.copying.set_state(self, state)

    # --- pointwise functions

    def exp(self):
        """Return e^x, elementwise. Gradient: `g * exp(x)`, with g the gradient of the result."""
        return functions.Exp()(self)[0]

    def expm1(self):
        """Return e^x - 1, elementwise, precise near 0. Gradient: `g * exp(x)`, with g the gradient of the result."""
        return functions.Expm1()(self)[0]

    def log(self):
        """Return the natural logarithm, elementwise. Gradient: `g / x`, with g the gradient of the result."""
        return functions.Log()(self)[0]

    def log1p(self):
        """Return ln(1 + x), elementwise, precise near 0. Gradient: `g / (1 + x)`, with g the gradient of the result."""
        return functions.Log1p()(self)[0]

    def sqrt(self):
        """Return the square root, elementwise.

        Gradient: `g / (2 * sqrt(x))`, with g the gradient of the result; infinite at 0.
        """
        return functions.Sqrt()(self)[0]

    def rsqrt(self):
        """Return 1 / √x, elementwise. Gradient: `-g / (2 * x * sqrt(x))`, with g the gradient of the result."""
        return functions.Rsqrt()(self)[0]

    def abs(self):
        """Return |x|, elementwise. Gradient: `g * sign(x)`, with g the gradient of the result; 0 at 0."""
        return functions.Abs()(self)[0]

    def neg(self):
        """Return -x, elementwise. Gradient: `-g`, with g the gradient of the result."""
        return functions.Negate()(self)[0]

    def sigmoid(self):
        """Return 1 / (1 + e^-x), elementwise. Gradient: `g * r * (1 - r)`, with g the gradient of the result r."""
        return functions.Sigmoid()(self)[0]

    def tanh(self):
        """Return tanh x, elementwise. Gradient: `g * (1 - r**2)`, with g the gradient of the result r."""
        return functions.Tanh()(self)[0]

    def sin(self):
        """Return the sine, elementwise. Gradient: `g * cos(x)`, with g the gradient of the result."""
        return functions.Sin()(self)[0]

    def cos(self):
        """Return the cosine, elementwise. Gradient: `-g * sin(x)`, with g the gradient of the result."""
        return functions.Cos()(self)[0]

    def tan(self):
        """Return the tangent, elementwise. Gradient: `g * (1 + r**2)`, with g the gradient of the result r."""
        return functions.Tan()(self)[0]

    def asin(self):
        """Return the arcsine, elementwise.

        Gradient: `g / sqrt(1 - x**2)`, with g the gradient of the result; infinite at -1 and 1.
        """
        return functions.Asin()(self)[0]

    def acos(self):
        """Return the arccosine, elementwise.

        Gradient: `-g / sqrt(1 - x**2)`, with g the gradient of the result; infinite at -1 and 1.
        """
        return functions.Acos()(self)[0]

    def atan(self):
        """Return the arctangent, elementwise. Gradient: `g / (1 + x**2)`, with g the gradient of the result."""
        return functions.Atan()(self)[0]

    def atan2(self, other):
        """Return the angle of the point (other, x), elementwise; `other` is a Variable.

        Gradients: `g * other / (x**2 + other**2)` and `-g * x / (x**2 + other**2)`, with g the gradient of the result;
        0 at the origin.
        """
        return functions.Atan2()(self, other)[0]

    def sinh(self):
        """Return the hyperbolic sine, elementwise. Gradient: `g * cosh(x)`, with g the gradient of the result."""
        return functions.Sinh()(self)[0]

    def cosh(self):
        """Return the hyperbolic cosine, elementwise. Gradient: `g * sinh(x)`, with g the gradient of the result."""
        return functions.Cosh()(self)[0]

    def reciprocal(self):
        """Return 1 / x, elementwise. Gradient: `-g / x**2`, with g the gradient of the result."""
        return functions.Reciprocal()(self)[0]

    def sign(self):
        """Return 1, 0 or -1 for each element: its sign. Gradient: `0 * g`, with g the gradient of the result."""
        return functions.Sign()(self)[0]

    def floor(self):
        """Return the largest integer that is at most x, elementwise. Gradient: `0 * g`, g that of the result."""
        return functions.Floor()(self)[0]

    def ceil(self):
        """Return the smallest integer that is at least x, elementwise. Gradient: `0 * g`, g that of the result."""
        return functions.Ceil()(self)[0]

    def round(self):
        """Return the nearest integer, elementwise, the even one for halves. Gradient: `0 * g`, g that of the result."""
        return functions.Round()(self)[0]

    def trunc(self):
        """Return x without its fraction, elementwise. Gradient: `0 * g`, with g the gradient of the result."""
        return functions.Trunc()(self)[0]

    def frac(self):
        """Return the fraction of x, x - trunc(x), elementwise. Gradient: `g`, the gradient of the result."""
        return functions.Frac()(self)[0]

    def clamp(self, min=None, max=None):
        """Return x limited to [min, max], elementwise; either limit may be None. ValueError if both are.

        Gradient: g, the gradient of the result, where min <= x <= max, the limits included; 0 elsewhere.
        """
        return functions.Clamp(min, max)(self)[0]

    def clamp_min(self, min):
        """Return `clamp(min=min)`. Gradient: `where(x >= min, g, 0)`, with g the gradient of the result."""
        return functions.Clamp(min, None)(self)[0]

    def clamp_max(self, max):
        """Return `clamp(max=max)`. Gradient: `where(x <= max, g, 0)`, with g the gradient of the result."""
        return functions.Clamp(None, max)(self)[0]

    def cmax(self, other):
        """Return the larger of x and `other`, a Variable or a number, elementwise.

        The larger one receives g, the gradient of the result; where they are equal each receives g / 2.
        """
        if isinstance(other, Variable):
            return functions.Cmax()(self, other)[0]
        return functions.CmaxConstant(other)(self)[0]

    def cmin(self, other):
        """Return the smaller of x and `other`, a Variable or a number, elementwise.

        The smaller one receives g, the gradient of the result; where they are equal each receives g / 2.
        """
        if isinstance(other, Variable):
            return functions.Cmin()(self, other)[0]
        return functions.CminConstant(other)(self)[0]

    def remainder(self, divisor):
        """Return the remainder of x / divisor with the divisor's sign, elementwise; a Variable or a number divides.

        Gradients: `g` and `-g * floor(x / divisor)`, with g the gradient of the result.
        """
        if isinstance(divisor, Variable):
            return functions.Remainder()(self, divisor)[0]
        return functions.RemainderConstant(divisor)(self)[0]

    def fmod(self, divisor):
        """Return the remainder of x / divisor with the sign of x, elementwise; a Variable or a number divides.

        Gradients: `g` and `-g * trunc(x / divisor)`, with g the gradient of the result.
        """
        if isinstance(divisor, Variable):
            return functions.Fmod()(self, divisor)[0]
        return functions.FmodConstant(divisor)(self)[0]

    def lerp(self, end, weight):
        """Return x + weight (end - x), elementwise; `end` is a Variable, `weight` a number.

        Gradients: `g * (1 - weight)` and `g * weight`, with g the gradient of the result.
        """
        return functions.Lerp(weight)(self, end)[0]

    def addcmul(self, *arguments, value=1):
        """Return x + value a b: `addcmul(a, b)` or `addcmul(value, a, b)`, with Variables a and b.

        Gradients: g for x, g value b for a and g value a for b, with g the gradient of the result.
        """
        (value, *_), operands = _numbers_first("addcmul", arguments, (value,))
        return functions.Addcmul(value)(self, *operands)[0]

    def addcdiv(self, *arguments, value=1):
        """Return x + value a / b: `addcdiv(a, b)` or `addcdiv(value, a, b)`, with Variables a and b.

        Gradients: g for x, g value / b for a and -g value a / b² for b, with g the gradient of the result.
        """
        (value, *_), operands = _numbers_first("addcdiv", arguments, (value,))
        return functions.Addcdiv(value)(self, *operands)[0]

    def softmax(self, dim=None):
        """Return e^x / Σ e^x along `dim`; the default is v0.1.x's: 0 for 1 and 3 dimensions, 1 for 2 and 4.

        Gradient: `r * (g - sum(g * r, dim, keepdims=True))`, with g the gradient of the result r.
        ValueError without `dim` for more dimensions; TypeError for integers.
        """
        return functions.Softmax(dim)(self)[0]

    def log_softmax(self, dim=None):
        """Return ln(e^x / Σ e^x) along `dim`, whose default and errors are those of `softmax`.

        Gradient: `g - exp(r) * sum(g, dim, keepdims=True)`, with g the gradient of the result r.
        """
        return functions.LogSoftmax(dim)(self)[0]

    # --- comparisons, which have no derivative: the result requires no gradient

    def eq(self, other):
        """Return a ByteTensor Variable: 1 where x == other, a Variable or a number, else 0. It has no gradient."""
        return functions.Eq()(self, other)[0] if isinstance(other, Variable) else functions.Eq(other)(self)[0]

    def ne(self, other):
        """Return a ByteTensor Variable: 1 where x != other, a Variable or a number, else 0. It has no gradient."""
        return functions.Ne()(self, other)[0] if isinstance(other, Variable) else functions.Ne(other)(self)[0]

    def lt(self, other):
        """Return a ByteTensor Variable: 1 where x < other, a Variable or a number, else 0. It has no gradient."""
        return functions.Lt()(self, other)[0] if isinstance(other, Variable) else functions.Lt(other)(self)[0]

    def le(self, other):
        """Return a ByteTensor Variable: 1 where x <= other, a Variable or a number, else 0. It has no gradient."""
        return functions.Le()(self, other)[0] if isinstance(other, Variable) else functions.Le(other)(self)[0]

    def gt(self, other):
        """Return a ByteTensor Variable: 1 where x > other, a Variable or a number, else 0. It has no gradient."""
        return functions.Gt()(self, other)[0] if isinstance(other, Variable) else functions.Gt(other)(self)[0]

    def ge(self, other):
        """Return a ByteTensor Variable: 1 where x >= other, a Variable or a number, else 0. It has no gradient."""
        return functions.Ge()(self, other)[0] if isinstance(other, Variable) else functions.Ge(other)(self)[0]

    # --- reductions: of all elements to shape (1,), or along `dim`, which stays with size 1 unless keepdim is False

    def sum(self, dim=None, keepdim=True):
        """Return the sum of all elements, with shape (1,), or along `dim`, which stays with size 1 if `keepdim`.

        Gradient: `g + 0 * x`, the gradient g of the result, for every element.
        """
        return functions.Sum(dim, keepdim)(self)[0]

    def mean(self, dim=None, keepdim=True):
        """Return the mean of all elements, with shape (1,), or along `dim`, which stays with size 1 if `keepdim`.

        Gradient: g / n for every element, with g the gradient of the result and n the number of elements averaged.
        """
        return functions.Mean(dim, keepdim)(self)[0]

    def prod(self, dim=None, keepdim=True):
        """Return the product of all elements, with shape (1,), or along `dim`, which stays with size 1 if `keepdim`.

        Gradient: `g * r / x`, with g the gradient of the result r; where x is 0, g times the product of the others.
        """
        return functions.Prod(dim, keepdim)(self)[0]

    def var(self, dim=None, unbiased=True, keepdim=True):
        """Return Σ (x - mean)² / (n - 1), or / n if not `unbiased`: over all n elements, or along `dim`.

        Gradient: 2 g (x - mean) / (n - 1), or / n, with g the gradient of the result; nan where the divisor is 0.
        """
        return functions.Var(dim, unbiased, keepdim)(self)[0]

    def std(self, dim=None, unbiased=True, keepdim=True):
        """Return the square root of `var(dim, unbiased, keepdim)`.

        Gradient: that of `var`, divided by 2 r, with r the result; 0 where r is 0.
        """
        return functions.Std(dim, unbiased, keepdim)(self)[0]

    def norm(self, p=2, dim=None, keepdim=True):
        """Return (Σ |x|^p)^(1/p) over all elements, with shape (1,), or along `dim`; `p` may be 0 or infinite.

        Gradient: `g * sign(x) * (abs(x) / r)**(p - 1)`, with g the gradient of the result r; 0 where r or x is 0.
        The infinite norms share g among the elements with |x| = r; p = 0, which counts, has the gradient 0.
        """
        return functions.Norm(p, dim, keepdim)(self)[0]

    def max(self, dim=None, keepdim=True):
        """Return the largest element, with shape (1,); along `dim` a tuple of values and indices.

        With a Variable as the one argument it is `cmax`. The gradient g of the result goes to the largest element,
        shared evenly among equal ones; along `dim` to the one that the index names. Indices have no gradient.
        """
        if dim is None:
            return functions.Max()(self)[0]
        if isinstance(dim, Variable):
            return functions.Cmax()(self, dim)[0]
        return functions.Max(dim, keepdim)(self)

    def min(self, dim=None, keepdim=True):
        """Return the smallest element, with shape (1,); along `dim` a tuple of values and indices.

        With a Variable as the one argument it is `cmin`. The gradient g of the result goes to the smallest element,
        shared evenly among equal ones; along `dim` to the one that the index names. Indices have no gradient.
        """
        if dim is None:
            return functions.Min()(self)[0]
        if isinstance(dim, Variable):
            return functions.Cmin()(self, dim)[0]
        return functions.Min(dim, keepdim)(self)

    def argmax(self, dim=None, keepdim=True):
        """Return the index of the largest element, of the flattened x or along `dim`: a LongTensor without gradient.

        With `keepdim`, `dim` stays with size 1.
        """
        return _indices(self.data.argmax(dim, keepdim))

    def argmin(self, dim=None, keepdim=True):
        """Return the index of the smallest element, of the flattened x or along `dim`: a LongTensor without gradient.

        With `keepdim`, `dim` stays with size 1.
        """
        return _indices(self.data.argmin(dim, keepdim))

    def median(self, dim=-1, keepdim=True):
        """Return the medians along `dim`, the lower of two, and their indices, as a tuple.

        The gradient g of the values goes to the elements that the indices name; indices have no gradient.
        """
        return functions.Median(dim, keepdim)(self)

    def mode(self, dim=-1, keepdim=True):
        """Return the most frequent elements along `dim` and their indices, as a tuple.

        The gradient g of the values goes to the elements that the indices name; indices have no gradient.
        """
        return functions.Mode(dim, keepdim)(self)

    def kthvalue(self, k, dim=-1, keepdim=True):
        """Return the k-th smallest elements along `dim`, k from 1 on, and their indices, as a tuple.

        The gradient g of the values goes to the elements that the indices name; indices have no gradient.
        """
        return functions.Kthvalue(k, dim, keepdim)(self)

    def cumsum(self, dim):
        """Return the running sums along `dim`, in the same shape.

        Gradient: `flip(cumsum(flip(g, dim), dim), dim)`, the running sums of the gradient g of the result from the end.
        """
        return functions.Cumsum(dim)(self)[0]

    def cumprod(self, dim):
        """Return the running products along `dim`, in the same shape.

        Gradient: the running sums of g r from the end, divided by x, with g the gradient of the result r; exact at 0.
        """
        return functions.Cumprod(dim)(self)[0]

    def dist(self, other, p=2):
        """Return the p-norm of x - other, with shape (1,). Gradients: those of `norm`, for `other` with the sign -."""
        with naming("dist"):
            return self.sub(other).norm(p)

    def renorm(self, p, dim, maxnorm):
        """Return x with each slice along `dim` whose p-norm is above `maxnorm` scaled down to it.

        Gradient: that of the scaling, in which the norm counts as a function of x; g, that of the result, below it.
        """
        check_norms(p, maxnorm)
        rows = self.transpose(dim, 0).contiguous()
        flat = rows.view(rows.size(0), -1)
        is_kept = flat.norm(p, 1).gt(maxnorm).eq(0)  # also where it is nan, and then has no part in the gradient
        norms = flat.masked_fill(is_kept.expand_as(flat), 1).norm(p, 1)
        factors = (maxnorm / (norms + 1e-7)).masked_fill(is_kept, 1)
        return (rows * factors.view(-1, *(1,) * (len(rows.size()) - 1))).transpose(dim, 0)

    # --- products of matrices and vectors

    def mm(self, other):
        """Return the matrix product of two matrices, (n, m) and (m, p), of shape (n, p).

        Gradients: `g @ other.T` and `x.T @ g`, with g the gradient of the result.
        """
        return functions.Mm()(self, other)[0]

    def mv(self, vector):
        """Return the product of a matrix (n, m) and a vector (m,), of shape (n,).

        Gradients: `outer(g, vector)` and `x.T @ g`, with g the gradient of the result.
        """
        return functions.Mv()(self, vector)[0]

    def bmm(self, other):
        """Return the matrix products of two batches, (b, n, m) and (b, m, p), of shape (b, n, p).

        Gradients: `g @ swapaxes(other, 1, 2)` and `swapaxes(x, 1, 2) @ g`, with g the gradient of the result.
        """
        return functions.Bmm()(self, other)[0]

    def dot(self, other):
        """Return Σ x other, of shape (1,), of two tensors with as many elements.

        Gradients: `g * other` and `g * x`, with g the gradient of the result.
        """
        return functions.Dot()(self, other)[0]

    def ger(self, other):
        """Return the outer product of two vectors, (n,) and (m,), of shape (n, m).

        Gradients: `g @ other` and `g.T @ x`, with g the gradient of the result.
        """
        return functions.Ger()(self, other)[0]

    def matmul(self, other):
        """Return the matrix product by modern torch's rules: of vectors, matrices, or batches that broadcast.

        A vector counts as a row on the left, as a column on the right; two vectors give shape (1,).
        Gradients: g otherᵀ and xᵀ g, with g the gradient of the result, summed over broadcast batch dimensions.
        """
        return functions.Matmul()(self, other)[0]

    def addmm(self, *arguments, beta=1, alpha=1):
        """Return beta x + alpha a b, matrices a and b: `addmm(a, b)`, `addmm(beta, a, b)`, `addmm(beta, alpha, a, b)`.

        Gradients: beta g, alpha g bᵀ for a and alpha aᵀ g for b, with g the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addmm", arguments, (beta, alpha))
        return functions.Addmm(alpha, beta)(self, *operands)[0]

    def addmv(self, *arguments, beta=1, alpha=1):
        """Return beta x + alpha a b for a matrix a and a vector b; numbers may precede them as in `addmm`.

        Gradients: beta g, alpha g bᵀ for a and alpha aᵀ g for b, with g the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addmv", arguments, (beta, alpha))
        return functions.Addmv(alpha, beta)(self, *operands)[0]

    def addr(self, *arguments, beta=1, alpha=1):
        """Return beta x + alpha a bᵀ for vectors a and b; numbers may precede them as in `addmm`.

        Gradients: beta g, alpha g b for a and alpha gᵀ a for b, with g the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addr", arguments, (beta, alpha))
        return functions.Addr(alpha, beta)(self, *operands)[0]

    def addbmm(self, *arguments, beta=1, alpha=1):
        """Return beta x + alpha Σ a b, the sum over two batches of matrices; numbers may precede a and b as in `addmm`.

        Gradients: beta g, alpha g bᵀ for a and alpha aᵀ g for b in each pair, with g the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addbmm", arguments, (beta, alpha))
        return functions.Addbmm(alpha, beta)(self, *operands)[0]

    def baddbmm(self, *arguments, beta=1, alpha=1):
        """Return beta x + alpha a b for each pair of two batches of matrices; numbers may precede them as in `addmm`.

        Gradients: beta g, alpha g bᵀ for a and alpha aᵀ g for b, with g the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("baddbmm", arguments, (beta, alpha))
        return functions.Baddbmm(alpha, beta)(self, *operands)[0]

    def inverse(self):
        """Return the inverse of a square matrix. Gradient: `-r.T @ g @ r.T`, with g the gradient of the result r."""
        return functions.Inverse()(self)[0]

    def cross(self, other, dim=None):
        """Return the cross product along `dim`, which has size 3; the default is the first dimension that has.

        Gradients: `cross(other, g)` and `cross(g, x)`, along the same dimension, with g the gradient of the result.
        """
        return functions.Cross(dim)(self, other)[0]

    # --- shape and order

    def permute(self, *dims):
        """Return a view with the dimensions in the order `dims`. Gradient: g, that of the result, put back in order."""
        return functions.Permute(*dims)(self)[0]

    def expand(self, *sizes):
        """Return a view in which dimensions of size 1 are repeated to `sizes`; -1 keeps a size.

        Gradient: g, that of the result, summed over the repetitions. ValueError for a size that is neither.
        """
        return functions.Expand(*sizes)(self)[0]

    def expand_as(self, other):
        """Return `expand` to the shape of `other`."""
        return self.expand(*other.size())

    def repeat(self, *sizes):
        """Return a copy that repeats dimension d `sizes[d]` times.

        Gradient: g, that of the result, summed over the repetitions.
        """
        return functions.Repeat(*sizes)(self)[0]

    def squeeze(self, dim=None):
        """Return a view without the dimensions of size 1, or without `dim` if it has size 1.

        Gradient: g, that of the result, in the shape of x.
        """
        return functions.Squeeze(dim)(self)[0]

    def unsqueeze(self, dim):
        """Return a view with a new dimension of size 1 at `dim`. Gradient: g, that of the result, without it."""
        return functions.Unsqueeze(dim)(self)[0]

    def unfold(self, dim, size, step):
        """Return a view of all windows of `size` along `dim`, `step` apart, in a new last dimension.

        Gradient: the windows of g, that of the result, added where they overlap.
        """
        return functions.Unfold(dim, size, step)(self)[0]

    def narrow(self, dim, start, length):
        """Return a view of `length` slices along `dim` from `start` on. IndexError if there are not that many.

        Gradient: g, that of the result, in those slices; 0 elsewhere.
        """
        return functions.Narrow(dim, start, length)(self)[0]

    def select(self, dim, index):
        """Return a view of the slice at `index` of `dim`, without `dim`; of a vector, shape (1,).

        Gradient: g, that of the result, in that slice; 0 elsewhere.
        """
        return functions.Select(dim, index)(self)[0]

    def split(self, split_size, dim=0):
        """Return a tuple of views of `split_size` along `dim`, the last maybe smaller, or of a list of sizes.

        Gradient: those of the parts, concatenated.
        """
        return functions.Split(split_size, dim)(self)

    def chunk(self, chunks, dim=0):
        """Return a tuple of at most `chunks` views along `dim`, equal in size except for the last.

        Gradient: those of the parts, concatenated.
        """
        return functions.Chunk(chunks, dim)(self)

    def sort(self, dim=-1, descending=False):
        """Return the elements in order along `dim` and their indices, as a tuple. The sort is stable.

        The gradient g of the values goes back to the places that the indices name; indices have no gradient.
        """
        return functions.Sort(dim, descending)(self)

    def topk(self, k, dim=-1, largest=True, sorted=True):
        """Return the `k` largest (or smallest) elements along `dim`, in order, and their indices, as a tuple.

        The gradient g of the values goes to the elements that the indices name; indices have no gradient.
        """
        return functions.Topk(k, dim, largest, sorted)(self)

    def diag(self, k=0):
        """Return the `k`-th diagonal of a matrix, or a matrix with this vector as its `k`-th diagonal.

        Gradient: g, that of the result, on that diagonal and 0 elsewhere, or the diagonal of g.
        """
        return functions.Diag(k)(self)[0]

    def tril(self, k=0):
        """Return x with zeros above the `k`-th diagonal. Gradient: `tril(g, k)`, with g the gradient of the result."""
        return functions.Tril(k)(self)[0]

    def triu(self, k=0):
        """Return x with zeros below the `k`-th diagonal. Gradient: `triu(g, k)`, with g the gradient of the result."""
        return functions.Triu(k)(self)[0]

    def trace(self):
        """Return the sum of the diagonal of a matrix, of shape (1,).

        Gradient: `g * eye(*x.shape)`, with g the gradient of the result.
        """
        return functions.Trace()(self)[0]

    def clone(self):
        """Return a copy in memory of its own, still part of the graph. Gradient: `g`, the gradient of the result."""
        return functions.Clone()(self)[0]

    def contiguous(self):
        """Return x itself if it is contiguous, else a contiguous copy. Gradient: `g`, the gradient of the result.

        Under v0.1.12 the Variable itself is returned in both cases, with its data replaced, as `contiguous_` does.
        """
        if self.is_contiguous():
            return self
        return functions.Contiguous()(self)[0] if conventions.era.contiguous_is_another else self.contiguous_()

    def reshape(self, *sizes):
        """Return x with the shape `sizes`: a view where memory allows it, else a copy.

        Gradient: g, that of the result, in the shape of x.
        """
        return self.contiguous().view(*sizes)

    def resize(self, *sizes):
        """Return x with the shape `sizes`: a view where memory allows it, else a copy (v0.1.5).

        Gradient: g, that of the result, in the shape of x. RuntimeError for another number of elements.
        """
        return functions.Resize(*sizes)(self)[0]

    def resize_as(self, other):
        """Return `resize` to the shape of `other`."""
        return self.resize(*other.size())

    def view_as(self, other):
        """Return `view` with the shape of `other`."""
        return self.view(*other.size())

    # --- elements chosen by an index or a mask, which may be a Variable or a Tensor and has no gradient

    def index_select(self, dim, index):
        """Return the slices along `dim` that `index`, a LongTensor vector, names.

        Gradient: g, that of the result, added into zeros at the named slices.
        """
        return functions.IndexSelect(dim)(self, _constant(index))[0]

    def index_add(self, dim, index, source):
        """Return x with the slices of `source` added at the slices of `dim` that `index` names.

        Gradients: g for x and the slices of g at `index` for `source`, with g the gradient of the result.
        """
        return functions.IndexAdd(dim)(self, _constant(index), source)[0]

    def index_copy(self, dim, index, source):
        """Return x with the slices along `dim` that `index` names, each once, replaced by those of `source`.

        Gradients: g with zeros at `index` for x and the slices of g at `index` for `source`.
        """
        return functions.IndexCopy(dim)(self, _constant(index), source)[0]

    def index_fill(self, dim, index, value):
        """Return x with the number `value` in the slices along `dim` that `index` names.

        Gradient: g, that of the result, with zeros there.
        """
        return functions.IndexFill(dim, value)(self, _constant(index))[0]

    def gather(self, dim, index):
        """Return, for dim 0, x[index[i, j], j] at (i, j), in the shape of `index`.

        Gradient: g, that of the result, added into zeros at the named places.
        """
        return functions.Gather(dim)(self, _constant(index))[0]

    def scatter(self, dim, index, source):
        """Return x with `source`, a Variable or a number, written for dim 0 at (index[i, j], j), each place once.

        Gradients: g with zeros at the named places for x and g at those places for `source`.
        """
        if isinstance(source, numbers.Real):
            return functions.Scatter(dim, source)(self, _constant(index))[0]
        return functions.Scatter(dim)(self, _constant(index), source)[0]

    def scatter_add(self, dim, index, source):
        """Return x with `source` added, for dim 0 at (index[i, j], j).

        Gradients: g for x and g at the named places for `source`, with g the gradient of the result.
        """
        return functions.ScatterAdd(dim)(self, _constant(index), source)[0]

    def take(self, index):
        """Return the elements of the flattened x that `index` names, in its shape.

        Gradient: g, that of the result, added into zeros at the named elements.
        """
        return self.contiguous().view(-1)[_constant(index)]

    def masked_select(self, mask):
        """Return a vector of the elements where the ByteTensor `mask` is not 0.

        Gradient: the elements of g, that of the result, in those places; 0 elsewhere.
        """
        return functions.MaskedSelect()(self, _constant(mask))[0]

    def masked_fill(self, mask, value):
        """Return x with the number `value` where `mask` is not 0.

        Gradient: `where(mask, 0, g)`, with g the gradient of the result.
        """
        return functions.MaskedFill(value)(self, _constant(mask))[0]

    def masked_copy(self, mask, source):
        """Return x with the elements of `source`, in their order, where `mask` is not 0.

        Gradients: g with zeros there for x and the elements of g there for `source`, with g that of the result.
        """
        return functions.MaskedCopy()(self, _constant(mask), source)[0]

    def masked_scatter(self, mask, source):
        """Return `masked_copy(mask, source)`, under its later name."""
        return self.masked_copy(mask, source)

    # --- types: each returns x itself if it has the type already; a conversion to integers has no gradient

    def type_as(self, other):
        """Return x converted to the type of `other`. Gradient: `g`, that of the result, converted back."""
        return self.type(other.type())

    def double(self):
        """Return x as a DoubleTensor Variable. Gradient: `g`, that of the result, converted back."""
        return self.type("torch.DoubleTensor")

    def float(self):
        """Return x as a FloatTensor Variable. Gradient: `g`, that of the result, converted back."""
        return self.type("torch.FloatTensor")

    def half(self):
        """Return x as a HalfTensor Variable. Gradient: `g`, that of the result, converted back."""
        return self.type("torch.HalfTensor")

    def long(self):
        """Return x as a LongTensor Variable, fractions cut off. It has no gradient."""
        return self.type("torch.LongTensor")

    def int(self):
        """Return x as an IntTensor Variable, fractions cut off. It has no gradient."""
        return self.type("torch.IntTensor")

    def short(self):
        """Return x as a ShortTensor Variable, fractions cut off. It has no gradient."""
        return self.type("torch.ShortTensor")

    def char(self):
        """Return x as a CharTensor Variable, fractions cut off. It has no gradient."""
        return self.type("torch.CharTensor")

    def byte(self):
        """Return x as a ByteTensor Variable, fractions cut off. It has no gradient."""
        return self.type("torch.ByteTensor")

    def cpu(self):
        """Return x itself: its memory is the processor's."""
        return self

    def cuda(self, device_id=None, non_blocking=False, **keywords):
        """Raise RuntimeError: there is no CUDA here. Return x itself where `run --ignore-cuda` asked for that.

        `non_blocking`, `async` in v0.1.x, changes nothing.
        """
        self.data.cuda(device_id, non_blocking, **keywords)
        return self

    def item(self):
        """Return the only element as a Python number; ValueError if there are more, or none."""
        return self.data.item()

    # --- operators that came after v0.1.1

    # Where the conventions do not write in place, Python binds the name to the result of `+`, `-` or `*`.

    def __iadd__(self, other):
        return later.in_place.augmented(self, "add", other) if conventions.era.plus_equals_writes else NotImplemented

    def __isub__(self, other):
        return later.in_place.augmented(self, "sub", other) if conventions.era.plus_equals_writes else NotImplemented

    def __imul__(self, other):
        return later.in_place.augmented(self, "mul", other) if conventions.era.plus_equals_writes else NotImplemented

    def __eq__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented
        return self.eq(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __ne__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented
        return self.ne(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __lt__(self, other):
        return self.lt(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __le__(self, other):
        return self.le(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __gt__(self, other):
        return self.gt(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __ge__(self, other):
        return self.ge(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    __hash__ = object.__hash__  # identity, so that Variables serve as keys although == compares their numbers

    def __matmul__(self, other):
        return self.matmul(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __mod__(self, other):
        return self.remainder(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __abs__(self):
        return self.abs()

    def __and__(self, other):
        return _constant(self.data & other.data) if isinstance(other, Variable) else NotImplemented

    def __or__(self, other):
        return _constant(self.data | other.data) if isinstance(other, Variable) else NotImplemented

    def __xor__(self, other):
        return _constant(self.data ^ other.data) if isinstance(other, Variable) else NotImplemented

    def __invert__(self):
        return _constant(~self.data)

    __array_ufunc__ = None  # so that `numpy.float64(2) * v` is a Variable, not an array of Variables

    def __array__(self, dtype=None, copy=None):
        """Raise TypeError: NumPy's operations are not recorded in the graph."""
        raise TypeError(
            "a Variable is no array, and numpy's operations are not recorded: use its .data, or .data.numpy()"
        )

    # --- passed on to `data`, as v0.1.1 did for size, stride, nElement, numel and dim

    def size(self, dim=None):
        """Return the shape as a Size, or the length of dimension `dim` as an int; IndexError for an unknown one."""
        return self.data.size(dim)

    @property
    def shape(self):
        """The shape, as `size()` returns it."""
        return self.data.shape

    def dim(self):
        """Return the number of dimensions, at least 1."""
        return self.data.dim()

    def numel(self):
        """Return the number of elements."""
        return self.data.numel()

    def stride(self, dim=None):
        """Return the strides in elements as a tuple, or that of dimension `dim` as an int."""
        return self.data.stride(dim)

    def storage_offset(self):
        """Return the index of the first element in the memory that `data` shares; 0 if it is no view."""
        return self.data.storage_offset()

    def element_size(self):
        """Return the number of bytes of one element."""
        return self.data.element_size()

    def is_contiguous(self):
        """Return whether the elements are adjacent in memory, the last dimension varying fastest."""
        return self.data.is_contiguous()

    def is_same_size(self, other):
        """Return whether `other`, a Variable or a Tensor, has the same shape."""
        return self.data.is_same_size(other)

    def is_set_to(self, other):
        """Return whether `other`, a Variable or a Tensor, is the same memory with the same shape and strides."""
        return self.data.is_set_to(other.data)

    def is_signed(self):
        """Return whether the type can hold negative numbers."""
        return self.data.is_signed()

    @property
    def is_cuda(self):
        """False: all tensors are in main memory."""
        return self.data.is_cuda

    @property
    def _version(self):
        """How often the memory of `data` was written to in place."""
        return self.data._version

    # --- the graph and its gradients, as later versions see them (each in a file of `later/`)

    @property
    def grad_fn(self):
        """The Function that backward runs for this Variable: its `creator`; None for a leaf (0.2.0)."""
        return None if self.is_leaf else self.creator

    def detach(self):
        """Return a leaf over the same memory that requires no gradient (January 2017). No gradient passes it."""
        return later.detach.detach(self)

    def no_grad(self):
        """Return `detach()`, under its name of v0.1.5."""
        return self.detach()

    def detach_(self):
        """Cut this Variable off the graph that made it, and return it. Results computed from it earlier stay linked."""
        return later.detach.detach_(self)

    def requires_grad_(self, requires_grad=True):
        """Set `requires_grad` and return this Variable (0.4.0).

        RuntimeError for integers, for a Variable of `inference_mode`, and where False is asked of a non-leaf.
        """
        return later.detach.requires_grad_(self, requires_grad)

    def retain_grad(self):
        """Let every later backward add to the `grad` of this non-leaf too (0.2.0). It does nothing for a leaf.

        RuntimeError if this Variable requires no gradient.
        """
        later.retain_grad.retain_grad(self)

    @property
    def retains_grad(self):
        """Whether `retain_grad` was called on this non-leaf; False for a leaf."""
        return later.retain_grad.retains_grad(self)

    def register_post_accumulate_grad_hook(self, hook):
        """Call `hook(variable)` after each accumulation into the `grad` of this leaf (2.1). Return a removable handle.

        RuntimeError if this Variable is no leaf or requires no gradient.
        """
        return later.hooks.register_post_accumulate_grad_hook(self, hook)

    def is_inference(self):
        """Return whether this Variable was computed within `inference_mode` (1.9)."""
        return later.grad_mode.is_inference(self)

    def multinomial(self, num_samples=1, with_replacement=False):
        """Return indices drawn with probabilities proportional to this vector, or each row of this matrix.

        Gradient: that of -reward ln p(draw), once `reinforce` was called on the result (December 2016).
        """
        return later.stochastic.Multinomial(num_samples, with_replacement)(self)[0]

    def bernoulli(self):
        """Return 1 with the probabilities x, else 0.

        Gradient: that of -reward ln p(draw), once `reinforce` was called on the result (December 2016).
        """
        return later.stochastic.Bernoulli()(self)[0]

    def reinforce(self, reward):
        """Set the reward of a random draw, a number or a Tensor of its shape, which its backward then uses.

        RuntimeError if this Variable is no stochastic Function's output or has a reward already; TypeError or
        ValueError for a reward of the wrong type or shape.
        """
        later.stochastic.reinforce(self, reward)

    # --- in place (v0.1.2, later/in_place.py): the result is written into this Variable's memory, and the Variable
    # takes its place in the graph. RuntimeError for a leaf that requires a gradient, and for a result of another shape.

    def add_(self, other, tensor=None, *, alpha=1):
        """Add `other` (or alpha times it) in place and return this Variable; v0.1.x's form is `add_(alpha, tensor)`.

        Gradients: those of `add`. RuntimeError for a leaf that requires a gradient.
        """
        other, alpha = (other, alpha) if tensor is None else (tensor, other)
        return _in_place(self, "add", other if alpha == 1 else other * alpha)

    def sub_(self, other, tensor=None, *, alpha=1):
        """Subtract `other` (or alpha times it) in place and return this Variable; v0.1.x: `sub_(alpha, tensor)`.

        Gradients: those of `sub`. RuntimeError for a leaf that requires a gradient.
        """
        other, alpha = (other, alpha) if tensor is None else (tensor, other)
        return _in_place(self, "sub", other if alpha == 1 else other * alpha)

    def mul_(self, other):
        """Apply `mul` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "mul", other)

    def div_(self, other):
        """Apply `div` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "div", other)

    def pow_(self, other):
        """Apply `pow` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "pow", other)

    def exp_(self):
        """Apply `exp` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "exp")

    def expm1_(self):
        """Apply `expm1` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "expm1")

    def log_(self):
        """Apply `log` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "log")

    def log1p_(self):
        """Apply `log1p` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "log1p")

    def sqrt_(self):
        """Apply `sqrt` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "sqrt")

    def rsqrt_(self):
        """Apply `rsqrt` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "rsqrt")

    def abs_(self):
        """Apply `abs` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "abs")

    def neg_(self):
        """Apply `neg` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "neg")

    def sigmoid_(self):
        """Apply `sigmoid` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "sigmoid")

    def tanh_(self):
        """Apply `tanh` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "tanh")

    def sin_(self):
        """Apply `sin` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "sin")

    def cos_(self):
        """Apply `cos` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "cos")

    def tan_(self):
        """Apply `tan` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "tan")

    def asin_(self):
        """Apply `asin` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "asin")

    def acos_(self):
        """Apply `acos` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "acos")

    def atan_(self):
        """Apply `atan` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "atan")

    def sinh_(self):
        """Apply `sinh` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "sinh")

    def cosh_(self):
        """Apply `cosh` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "cosh")

    def reciprocal_(self):
        """Apply `reciprocal` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "reciprocal")

    def sign_(self):
        """Apply `sign` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "sign")

    def floor_(self):
        """Apply `floor` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "floor")

    def ceil_(self):
        """Apply `ceil` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "ceil")

    def round_(self):
        """Apply `round` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "round")

    def trunc_(self):
        """Apply `trunc` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "trunc")

    def frac_(self):
        """Apply `frac` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "frac")

    def atan2_(self, other):
        """Apply `atan2` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "atan2", other)

    def cmax_(self, other):
        """Apply `cmax` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "cmax", other)

    def cmin_(self, other):
        """Apply `cmin` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "cmin", other)

    def remainder_(self, divisor):
        """Apply `remainder` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "remainder", divisor)

    def fmod_(self, divisor):
        """Apply `fmod` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "fmod", divisor)

    def clamp_(self, min=None, max=None):
        """Apply `clamp` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "clamp", min, max)

    def clamp_min_(self, min):
        """Apply `clamp_min` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "clamp_min", min)

    def clamp_max_(self, max):
        """Apply `clamp_max` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "clamp_max", max)

    def lerp_(self, end, weight):
        """Apply `lerp` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "lerp", end, weight)

    def addcmul_(self, *arguments, value=1):
        """Apply `addcmul` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "addcmul", *arguments, value=value)

    def addcdiv_(self, *arguments, value=1):
        """Apply `addcdiv` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "addcdiv", *arguments, value=value)

    def addmm_(self, *arguments, beta=1, alpha=1):
        """Apply `addmm` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "addmm", *arguments, beta=beta, alpha=alpha)

    def addmv_(self, *arguments, beta=1, alpha=1):
        """Apply `addmv` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "addmv", *arguments, beta=beta, alpha=alpha)

    def addr_(self, *arguments, beta=1, alpha=1):
        """Apply `addr` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "addr", *arguments, beta=beta, alpha=alpha)

    def addbmm_(self, *arguments, beta=1, alpha=1):
        """Apply `addbmm` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "addbmm", *arguments, beta=beta, alpha=alpha)

    def baddbmm_(self, *arguments, beta=1, alpha=1):
        """Apply `baddbmm` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "baddbmm", *arguments, beta=beta, alpha=alpha)

    def eq_(self, other):
        """Apply `eq` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "eq", other)

    def ne_(self, other):
        """Apply `ne` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "ne", other)

    def lt_(self, other):
        """Apply `lt` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "lt", other)

    def le_(self, other):
        """Apply `le` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "le", other)

    def gt_(self, other):
        """Apply `gt` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "gt", other)

    def ge_(self, other):
        """Apply `ge` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "ge", other)

    def cumsum_(self, dim):
        """Apply `cumsum` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "cumsum", dim)

    def cumprod_(self, dim):
        """Apply `cumprod` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "cumprod", dim)

    def renorm_(self, p, dim, maxnorm):
        """Apply `renorm` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "renorm", p, dim, maxnorm)

    def tril_(self, k=0):
        """Apply `tril` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "tril", k)

    def triu_(self, k=0):
        """Apply `triu` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "triu", k)

    def index_add_(self, dim, index, source):
        """Apply `index_add` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "index_add", dim, index, source)

    def index_copy_(self, dim, index, source):
        """Apply `index_copy` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "index_copy", dim, index, source)

    def index_fill_(self, dim, index, value):
        """Apply `index_fill` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "index_fill", dim, index, value)

    def scatter_(self, dim, index, source):
        """Apply `scatter` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "scatter", dim, index, source)

    def scatter_add_(self, dim, index, source):
        """Apply `scatter_add` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "scatter_add", dim, index, source)

    def masked_fill_(self, mask, value):
        """Apply `masked_fill` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "masked_fill", mask, value)

    def masked_copy_(self, mask, source):
        """Apply `masked_copy` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "masked_copy", mask, source)

    def masked_scatter_(self, mask, source):
        """Apply `masked_copy` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "masked_scatter", mask, source)

    def t_(self):
        """Apply `t` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "t")

    def transpose_(self, dim0, dim1):
        """Apply `transpose` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "transpose", dim0, dim1)

    def squeeze_(self, dim=None):
        """Apply `squeeze` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "squeeze", dim)

    def unsqueeze_(self, dim):
        """Apply `unsqueeze` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "unsqueeze", dim)

    def resize_(self, *sizes):
        """Apply `resize` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "resize", *sizes)

    def resize_as_(self, other):
        """Apply `resize_as` in place and return this Variable. RuntimeError for a leaf that requires a gradient."""
        return _in_place(self, "resize_as", other)

    # --- in place, with numbers that do not depend on x

    def __setitem__(self, key, value):
        """Write `value`, a number, a Variable or a Tensor, at `key` (v0.1.5).

        Gradients: g with zeros at `key` for the old x and g at `key` for `value`, with g the gradient of the result.
        RuntimeError for a leaf that requires a gradient.
        """
        later.in_place.set_item(self, key, value)

    def copy_(self, source, non_blocking=False, **keywords):
        """Copy the elements of `source`, a Variable or a Tensor, into this Variable, and return it.

        Gradients: 0 for the old x, and g, that of the result, for `source`, summed to its shape.
        `non_blocking`, `async` in v0.1.x, changes nothing. RuntimeError for a leaf that requires a gradient.
        """
        accept_async("copy_", keywords)
        return later.in_place.copy_(self, source)

    def fill_(self, value):
        """Set every element to the number `value` and return this Variable. The old x gets the gradient 0."""
        return _written(self, "fill_", value)

    def zero_(self):
        """Set every element to 0 and return this Variable. The old x gets the gradient 0."""
        return _written(self, "zero_")

    def uniform_(self, low=0, high=1):
        """Draw every element from [low, high) and return this Variable. The old x gets the gradient 0."""
        return _written(self, "uniform_", low, high)

    def normal_(self, mean=0, std=1):
        """Draw every element from a normal distribution and return this Variable. The old x gets the gradient 0."""
        return _written(self, "normal_", mean, std)

    def log_normal_(self, mean=1, std=2):
        """Draw every element from a log-normal distribution and return this Variable. The old x gets the gradient 0.

        `mean` and `std` are those of the logarithms.
        """
        return _written(self, "log_normal_", mean, std)

    def exponential_(self, lambd=1):
        """Draw every element from the exponential distribution of rate `lambd`. The old x gets the gradient 0."""
        return _written(self, "exponential_", lambd)

    def cauchy_(self, median=0, sigma=1):
        """Draw every element from a Cauchy distribution and return this Variable. The old x gets the gradient 0."""
        return _written(self, "cauchy_", median, sigma)

    def geometric_(self, p):
        """Draw in every element how many trials of probability `p` succeed first. The old x gets the gradient 0."""
        return _written(self, "geometric_", p)

    def bernoulli_(self, p=0.5):
        """Draw 1 with probability `p`, else 0, in every element. The old x gets the gradient 0."""
        return _written(self, "bernoulli_", p)

    def random_(self, first=None, end=None):
        """Draw integers from `first` to `end` - 1 in every element. The old x gets the gradient 0."""
        return _written(self, "random_", first, end)

    # --- the camelCase names of v0.1.1's Tensors, and further ones

    nElement = nelement = numel
    ndimension = dim
    expandAs = expand_as
    indexSelect = index_select
    maskedSelect = masked_select
    repeatTensor = repeat
    typeAs = type_as
    viewAs = view_as
    cinv = reciprocal
    cinv_ = reciprocal_


def _constant(index):
    """Return an index or a mask as a Variable; a Tensor is wrapped, since an index has no gradient."""
    return Variable(index, requires_grad=False) if isinstance(index, Tensor) else index


def _indices(found):
    return _constant(found if isinstance(found, Tensor) else Tensor([found]).long())


def _numbers_first(name, arguments, values):
    """Return the numbers before the last two `arguments`, completed from the defaults `values`, and those two."""
    first, operands = arguments[:-2], arguments[-2:]
    if len(operands) != 2 or len(first) > len(values):
        raise TypeError(
            f"{name}: expected two Variables, and before them at most {len(values)} numbers; got "
            f"({', '.join([shown(argument) for argument in arguments])})"
        )
    return (*first, *values[len(first) :]), operands


def _in_place(variable, name, *arguments, **named):
    """Replace `variable` by the result of its method `name`, and return it."""
    return later.in_place.change(f"{name}_", variable, lambda x: getattr(x, name)(*arguments, **named))


def _written(variable, name, *arguments):
    """Let the Tensor method `name` overwrite every element of `variable`, and return it."""
    return later.in_place.change(
        name, variable, later.in_place.Replace(lambda tensor: getattr(tensor, name)(*arguments))
    )
