"""`Variable`: a tensor that remembers its `creator` (2016: `torch/autograd/variable.py`).

Reading order of the core: this file, then `function.py` (what a call records), `leaf.py` (where a gradient ends) and
`engine.py` (how it gets there). The operations are in `functions/`. Types are in the stub beside each of the four files
(`variable.pyi`).

What v0.1.1 did not have is elsewhere and attaches itself to these classes: the further methods and properties of
Variable in `methods/`, later features of PyTorch in `later/`. A name that the four files use and do not define is in
one of these folders, as `_make_volatile` is in `later/volatile.py`.
"""

from .. import conventions
from ..modern_names import NotInVariable
from ..tensor import Tensor
from ..tensor.dtypes import FLOATING, dtype_of_type
from ..utils.hooks import RemovableHandle


class Variable(NotInVariable):
    """A node's value: `data` (a Tensor), `creator` (the Function that made it, never None) and `grad`.

    `Variable(tensor)` makes a leaf, whose creator is a `Leaf`. A Function passes itself as `creator`; `requires_grad`
    is then the creator's.

    Args:
        tensor: The Tensor.
        creator: The Function that computed it. Default: none, which makes a leaf.
        requires_grad: Whether backward computes a gradient for this leaf. Default: True, and False for integers
            (conventions.py has v0.1.12's).
        volatile: Whether operations on this leaf are left unrecorded (v0.1.2).
        data: The later name of `tensor`.

    Raises:
        TypeError: If `tensor` is not a Tensor or `creator` not a Function.
        RuntimeError: If integers should require a gradient.
        ValueError: If a volatile leaf should require a gradient.

    Example:
        >>> x = Variable(Tensor([2, 3]))
        >>> (x * x).sum().backward()
        >>> x.grad.tolist()
        [4.0, 6.0]
    """

    __slots__ = ("data", "creator", "_grad", "_name", "__weakref__")

    def __init__(self, tensor=None, creator=None, requires_grad=None, volatile=False, data=None):
        tensor = data if tensor is None else tensor
        if not isinstance(tensor, Tensor) or creator is not None and not isinstance(creator, Function):
            raise self._refused(tensor, creator)
        self.data = tensor
        self._grad = None
        self.creator = creator
        if creator is None:
            self.creator = Leaf(self, self._may_require_grad(requires_grad, volatile))
            if volatile:
                self.creator._make_volatile()

    @property
    def grad(self):
        """The gradient summed over all backward passes so far: a Tensor of the shape of `data`.

        For a leaf that requires a gradient it reads as zeros before the first backward. For any other Variable it is
        None, unless it was retained. (2016 had zeros for an operation's output too, and never added to them.)
        """
        if self._grad is None and conventions.era.grad_begins_as_zeros and self.requires_grad and self.is_leaf:
            with self.creator._lock:  # another thread may be adding the first gradient
                if self._grad is None:
                    self._grad = self.data.new(self.data.size()).zero_()
        return self._gradient_as_variable() if conventions.era.grad_is_variable else self._grad

    @grad.setter
    def grad(self, grad):
        if grad is not None:
            self.creator._check_gradient(grad, self.output_nr, self.data, "grad: got")
        self._grad = grad

    def _may_require_grad(self, requires_grad, volatile=False):
        floating = self.data.array.dtype in FLOATING
        if requires_grad and not floating:
            raise RuntimeError(f"only floating-point Variables can require a gradient, not a {self.data.type()}")
        if requires_grad and volatile:
            raise ValueError("a volatile Variable cannot require a gradient: its results are not recorded")
        if requires_grad is None:
            requires_grad = conventions.era.requires_grad and floating and not volatile
        return bool(requires_grad)

    def backward(self, gradient=None, retain_variables=True, retain_graph=None, create_graph=False, inputs=None):
        """Compute the gradient of this Variable with respect to every leaf, and add it to the leaves' `grad`.

        The graph is kept, so backward can run again.

        Args:
            gradient: The gradient of some scalar with respect to this Variable, a Tensor of its shape and type.
                Default: 1, for a Variable with a single element.
            retain_variables: False frees what the Functions saved (v0.1.4).
            retain_graph: The later name of `retain_variables` (0.2.0).
            create_graph: Whether the gradients are part of a graph themselves (0.2.0; see `autograd.backward`).
            inputs: The only Variables whose `grad` to add to (0.2.0; see `autograd.backward`).

        Raises:
            RuntimeError: If this Variable requires no gradient, if `gradient` is missing and this Variable has several
                elements, or if `gradient` has another shape.
            TypeError: If `gradient` has another type.
        """
        retain = retain_variables if retain_graph is None else retain_graph
        if create_graph or inputs is not None:
            return self._backward_with_options(gradient, retain, create_graph, inputs)
        if not self.creator.requires_grad:
            raise RuntimeError("backward: this Variable does not require a gradient, and nothing it was made from does")
        if gradient is None:
            gradient = self.creator._starting_gradient(self.data)
        else:
            self.creator._check_gradient(gradient, self.output_nr, self.data, "backward: got")
            gradient = gradient.data
        self._execution_engine.run_backward(self, gradient, retain)

    def register_hook(self, name, hook=None):
        """Register a hook that is called when the gradient of this Variable is computed.

        `register_hook(hook)` came with v0.1.6. `hook(grad)` receives the whole gradient of this Variable before its
        creator's backward runs (for a leaf: before it is added to `grad`). It may return another gradient to replace
        it. `register_hook(name, hook)` is 2016's form: a hook of this Variable's creator. Hooks run in the order of
        registration.

        Args:
            name: The hook, or in 2016's form its name, by which `remove_hook(name)` removes it.
            hook: In 2016's form the hook, called as `hook(grad_input, grad_output)`.

        Returns:
            A handle with `remove()`.

        Raises:
            RuntimeError: If this Variable requires no gradient.
            ValueError: If the creator has a hook of that name.
        """
        if not self.creator.requires_grad:
            raise RuntimeError("register_hook: this Variable requires no gradient, the hook would never be called")
        if hook is not None:
            return self.creator.register_hook(name, self._named_hook(hook), self)
        hook = self.creator._shown_variables(name) if conventions.era.hooks_see_variables else name
        return RemovableHandle.put(self.creator, "_variable_hooks", (hook, self.output_nr))

    def remove_hook(self, name):
        """Remove the hook that was registered under a name.

        Args:
            name: The name.

        Raises:
            KeyError: If there is no such hook.
        """
        self.creator.remove_hook(name)

    def __repr__(self):
        return f"Variable containing:{self.data!r}"

    # --- the operations of v0.1.1

    def add(self, other, tensor=None):
        """Return x + other, elementwise; `add(value, tensor)` is x + value * tensor (v0.1.3).

        Args:
            other: A Variable or a number.
            tensor: In v0.1.3's form the Variable to add, with the factor `other`.

        Raises:
            TypeError: For a Tensor.

        Gradient:
            `g` and `g`, where g is the gradient of the result, summed to the shape of each operand.
        """
        if tensor is not None:
            return self.add(tensor.mul(other))
        if isinstance(other, Variable):
            return Add()(self, other)[0]
        return AddConstant(other)(self)[0]

    def sub(self, other, tensor=None):
        """Return x - other, elementwise; `sub(value, tensor)` is x - value * tensor (v0.1.3).

        Args:
            other: A Variable or a number.
            tensor: In v0.1.3's form the Variable to subtract, with the factor `other`.

        Raises:
            TypeError: For a Tensor.

        Gradient:
            `g` and `-g`, where g is the gradient of the result, summed to the shape of each operand.
        """
        if tensor is not None:
            return self.sub(tensor.mul(other))
        if isinstance(other, Variable):
            return Sub()(self, other)[0]
        return SubConstant(other)(self)[0]

    def mul(self, other):
        """Return x * other, elementwise.

        Args:
            other: A Variable or a number.

        Raises:
            TypeError: For a Tensor.

        Gradient:
            `g * other` and `g * x`, where g is the gradient of the result.
        """
        if isinstance(other, Variable):
            return Mul()(self, other)[0]
        return MulConstant(other)(self)[0]

    def div(self, other):
        """Return x / other, elementwise.

        Args:
            other: A Variable or a number.

        Raises:
            TypeError: For a Tensor.

        Gradient:
            `g / other` and `-g * x / other**2`, where g is the gradient of the result.
        """
        if isinstance(other, Variable):
            return Div()(self, other)[0]
        return DivConstant(other)(self)[0]

    def pow(self, other):
        """Return x ** other, elementwise.

        Args:
            other: A Variable or a number.

        Raises:
            TypeError: For a Tensor.

        Gradient:
            `g * other * x**(other - 1)` and `g * x**other * log(x)`, where g is the gradient of the result.
        """
        if isinstance(other, Variable):
            return Pow()(self, other)[0]
        return PowConstant(other)(self)[0]

    def view(self, *sizes):
        """Return the same memory with another shape.

        Args:
            *sizes: The new shape. One size may be -1.

        Raises:
            RuntimeError: For another number of elements, or if x is not contiguous.

        Gradient:
            g, the gradient of the result, in the shape of x.
        """
        return View(*sizes)(self)[0]

    def t(self):
        """Return a view with the first two dimensions exchanged.

        Gradient:
            `g.T`, where g is the gradient of the result.
        """
        return Transpose(0, 1)(self)[0]

    def transpose(self, dim1, dim2):
        """Return a view with two dimensions exchanged.

        Args:
            dim1: One dimension.
            dim2: The other dimension.

        Raises:
            IndexError: For an unknown dimension.

        Gradient:
            `swapaxes(g, dim1, dim2)`, where g is the gradient of the result.
        """
        return Transpose(dim1, dim2)(self)[0]

    def type(self, t=None):
        """Return the name of the type of `data`, or this Variable converted to another type.

        Args:
            t: The type, as a name or a class. A Variable of this type is returned itself. Default: return the name.

        Gradient:
            g, the gradient of the result, converted back.
        """
        if t is None:
            return self.data.type()
        if dtype_of_type(t) is self.data.array.dtype:
            return self
        return Copy(t)(self)[0]

    def contiguous_(self):
        """Replace `data` by a contiguous copy if it is not contiguous, and return this Variable."""
        self.data = self.data.contiguous()
        return self

    def __getitem__(self, key):
        return Index(key)(self)[0]

    def __add__(self, other):
        return self.add(other)

    __radd__ = __add__

    def __sub__(self, other):
        return self.sub(other)

    def __rsub__(self, other):
        return SubConstant(other, sub_tensor=True)(self)[0]

    def __mul__(self, other):
        return self.mul(other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self.div(other)

    def __rtruediv__(self, other):
        return DivConstant(other, div_by_tensor=True)(self)[0]

    def __pow__(self, other):
        return self.pow(other)

    def __rpow__(self, other):
        return PowConstant(other, tensor_power=True)(self)[0]

    def __neg__(self):
        return Negate()(self)[0]


# The one import circle of the 2016 design: a Variable without a creator makes a Leaf, a Leaf is a Function, a Function
# wraps its results in Variables, and a Variable's `sub` calls the Function Sub. As in 2016 the imports are at the foot
# of variable.py: `Variable` is defined by now, so those modules can import it.
# isort: off
from .engine import ExecutionEngine  # noqa: E402
from .function import Function  # noqa: E402
from .functions.basic_ops import Add, AddConstant, Div, DivConstant, Mul, MulConstant, Negate  # noqa: E402
from .functions.basic_ops import Pow, PowConstant, Sub, SubConstant  # noqa: E402
from .functions.tensor import Copy, Index, Transpose, View  # noqa: E402
from .leaf import Leaf  # noqa: E402

Variable._execution_engine = ExecutionEngine()
