"""`Variable`: a tensor that remembers its `creator` (2016: `torch/autograd/variable.py`).

Reading order of the core: this file, then `function.py` (what a call records), `leaf.py` (where a gradient ends) and
`engine.py` (how it gets there). The operations stand in `functions/`; those that v0.1.1's Variable had are methods
here, the later ones are added to the class by `functions/__init__.py`.
"""

import numpy

from . import eras
from .hooks import RemovableHandle
from .tensor import Tensor
from .tensor.base import wrap
from .tensor.types import FLOATING, dtype_of_type


class Variable:
    """A node's value: `data` (a Tensor), `creator` (the Function that made it, never None) and `grad`.

    `Variable(tensor)` makes a leaf, whose creator is a `Leaf`. A leaf requires a gradient unless it is told not to
    (`requires_grad=False`) or its numbers are integers; under the conventions of v0.1.12 it does not unless it is
    told to (eras.py). `volatile=True` makes one whose results are not recorded (v0.1.2). Functions pass `creator`.

    Raises TypeError if `tensor` is no Tensor, RuntimeError where integers are to require a gradient.
    """

    __slots__ = ("data", "creator", "_grad", "_name", "__weakref__")
    _fallthrough_methods = {  # passed on to `data` (on_demand.py)
        "size", "stride", "nElement", "numel", "dim",
        "ndimension", "nelement", "is_contiguous", "storage_offset", "element_size", "shape", "_version",
        "is_cuda", "is_same_size", "is_set_to", "is_signed",
    }  # fmt: skip

    def __init__(self, tensor, creator=None, requires_grad=None, volatile=False):
        if type(tensor) is not Tensor:
            maker = "Variable needs" if creator is None else f"{type(creator).__name__}.forward must return"
            raise TypeError(f"{maker} a Tensor, got {type(tensor).__name__}")
        self.data = tensor
        self._grad = None
        self.creator = creator
        if creator is None:
            self.creator = Leaf(self, self._may_require_grad(requires_grad, volatile))
            if volatile:
                from .later.volatile import mark

                mark(self.creator)

    def _may_require_grad(self, requires_grad, volatile):
        floating = self.data.array.dtype in FLOATING
        if requires_grad and not floating:
            raise RuntimeError(f"only floating-point Variables can require a gradient, not a {self.data.type()}")
        if requires_grad and volatile:
            raise ValueError("a volatile Variable cannot require a gradient: its results are not recorded")
        if requires_grad is None:
            requires_grad = eras.era.requires_grad and floating and not volatile
        return bool(requires_grad)

    # --- what a Variable knows

    @property
    def grad(self):
        """The gradient summed over every backward so far: a Tensor of the size of `data`.

        Of a leaf that requires one it reads as zeros before the first. Of anything else it is None (2016 answered
        zeros for the result of an operation, though nobody ever added to them), unless it was retained.
        """
        if self._grad is None and self.requires_grad and self.is_leaf:
            self._grad = self.data.new(self.data.size()).zero_()
        return self._grad

    @grad.setter
    def grad(self, grad):
        if grad is not None:
            self._check_gradient(grad)
        self._grad = grad

    @property
    def requires_grad(self):
        """Does backward compute a gradient for this? Settable on leaves (v0.1.5)."""
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
        requires_grad = self._may_require_grad(bool(requires_grad), self.creator.volatile)
        if isinstance(self.creator, Leaf):
            self.creator.requires_grad = requires_grad
        elif requires_grad:  # what made it required no gradient, so that nothing is lost where the graph begins here
            self.creator = Leaf(self, True)

    @property
    def volatile(self):
        """Is what is computed from this left unrecorded (v0.1.2; since 0.4.0 `no_grad`)?"""
        return self.creator.volatile

    @property
    def array(self):
        """The numpy array under `data`, as a Tensor has it: what is asked of a gradient may be asked of either."""
        return self.data.array

    @property
    def is_leaf(self):
        """Does the graph end here: was this made by hand, or by an operation that needed no gradient?"""
        return not self.creator.requires_grad or isinstance(self.creator, Leaf)

    @property
    def output_number(self):
        """Which output of its creator this is. RuntimeError where a creator was named that did not make it."""
        if id(self) not in self.creator.output_ids:
            raise self.creator.not_an_output()
        return self.creator.output_ids[id(self)]

    @property
    def name(self):
        """A name for drawings and messages, None unless one was given."""
        return getattr(self, "_name", None)

    @name.setter
    def name(self, name):
        self._name = name

    def __repr__(self):
        return f"Variable containing:{self.data!r}"

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter([self[i] for i in range(len(self.data))])

    def __bool__(self):
        return bool(self.data)

    def __float__(self):
        return float(self.data)

    def __int__(self):
        return int(self.data)

    def __reduce__(self):
        if not self.is_leaf:
            raise RuntimeError(
                f"only leaf Variables can be copied or pickled; this one is an output of {type(self.creator).__name__} "
                "and stands in its graph: copy its data, or detach() it first"
            )
        state = (self.data, self._grad, self.requires_grad, self.volatile, self.name, getattr(self, "__dict__", None))
        return _restored, (type(self), *state)

    # --- backward

    def backward(self, gradient=None, retain_variables=True, **later):
        """Compute the gradient of this Variable with respect to every leaf, and add it to the leaves' `grad`.

        `gradient` is the gradient of some scalar with respect to this Variable, a Tensor of its size and type. It may
        be left out for a single element, and is 1 then. The graph stays, and backward can run again, unless
        `retain_variables=False` asks to free what the Functions saved (v0.1.4). The arguments that came later
        (`retain_graph`, `create_graph`, `inputs`) are those of `autograd.backward`.

        Raises RuntimeError if this requires no gradient, has several elements and none is given, or one of another
        size; TypeError for a gradient of another type.
        """
        if later:
            from .later.gradients import backward

            return backward(self, gradient, **{"retain_graph": retain_variables, **later})
        if not self.creator.requires_grad:
            raise RuntimeError("backward: this Variable does not require a gradient, and nothing it was made from does")
        if gradient is None and self.creator.if_no_gradient_came is not None:
            pass  # a random draw, which has a reward instead (later/stochastic.py)
        elif gradient is None:
            if self.data.array.size != 1:
                raise RuntimeError(
                    "backward should be called only on a scalar (i.e. 1-element tensor) or with gradient w.r.t. the "
                    f"variable; this one has the size {'x'.join(map(str, self.data.array.shape))}"
                )
            gradient = wrap(numpy.empty_like(self.data.array))
            gradient.array.fill(1)  # in a third of the time of numpy.ones_like
        else:
            self._check_gradient(gradient)
            gradient = gradient.data
        self._execution_engine.run_backward(self, gradient, retain_variables)

    def _check_gradient(self, grad):
        self.creator.check_gradient(grad, self.output_number)
        self.check_gradient_type(grad)

    def check_gradient_type(self, grad):
        """Raise TypeError if `grad` is of another type than `data`."""
        if grad.array.dtype != self.data.array.dtype:
            raise TypeError(f"the gradient of a {self.data.type()} cannot be a {grad.data.type()}")

    def register_hook(self, name, hook=None):
        """Have a hook called when the gradient of this Variable is computed. Returns a handle with `remove()`.

        `register_hook(name, hook)` is 2016's way: `hook(grad_input, grad_output)` of this Variable's creator, removed
        by `remove_hook(name)`. `register_hook(hook)` came with v0.1.9: `hook(grad)` is given the whole gradient of
        this Variable before its creator's backward runs (for a leaf: before it is added to `grad`), and may return
        another in its place. Hooks run in the order they were registered.
        """
        if not self.creator.requires_grad:
            raise RuntimeError("register_hook: this Variable requires no gradient, the hook would never be called")
        if hook is not None:
            return self.creator.register_hook(name, hook, self)
        return RemovableHandle.put(self.creator, "variable_hooks", (name, self.output_number))

    def remove_hook(self, name):
        """Take out the hook registered under `name`; KeyError if there is none."""
        self.creator.remove_hook(name)

    # --- the operations of v0.1.1

    def add(self, other, tensor=None):
        if tensor is not None:
            return self.add(tensor.mul(other))  # add(value, tensor) is self + value * tensor, as for Tensors (v0.1.3)
        if isinstance(other, Variable):
            return Add()(self, other)[0]
        return AddConstant(other)(self)[0]

    def sub(self, other, tensor=None):
        if tensor is not None:
            return self.sub(tensor.mul(other))
        if isinstance(other, Variable):
            return Sub()(self, other)[0]
        return SubConstant(other)(self)[0]

    def mul(self, other):
        if isinstance(other, Variable):
            return Mul()(self, other)[0]
        return MulConstant(other)(self)[0]

    def div(self, other):
        if isinstance(other, Variable):
            return Div()(self, other)[0]
        return DivConstant(other)(self)[0]

    def pow(self, other):
        if isinstance(other, Variable):
            return Pow()(self, other)[0]
        return PowConstant(other)(self)[0]

    def view(self, *sizes):
        return View(*sizes)(self)[0]

    def t(self):
        return Transpose(0, 1)(self)[0]

    def transpose(self, dim1, dim2):
        return Transpose(dim1, dim2)(self)[0]

    def type(self, t=None):
        """The name of the type of `data`; with a type, this Variable converted to it (itself, if it has it already)."""
        if t is None:
            return self.data.type()
        if dtype_of_type(t) is self.data.array.dtype:
            return self
        return Copy(t)(self)[0]

    def contiguous_(self):
        self.data = self.data.contiguous()
        return self

    def __getitem__(self, key):
        return Index(key)(self)[0]

    def __setitem__(self, key, value):
        from .later.in_place import set_item  # came with v0.1.5

        set_item(self, key, value)

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

    __hash__ = object.__hash__  # identity, while == compares the numbers (functions/comparison.py)


def _restored(cls, data, grad, requires_grad, volatile, name, attributes):
    variable = cls.__new__(cls)
    Variable.__init__(variable, data, requires_grad=requires_grad, volatile=volatile)
    variable._grad = grad
    if name is not None:
        variable.name = name
    if attributes:
        variable.__dict__.update(attributes)
    return variable


# The one circle of the 2016 design: a Variable without a creator makes a Leaf, a Leaf is a Function, a Function wraps
# what it computes in Variables, and a Variable's `sub` calls the Function Sub. These imports stood at the foot of
# variable.py in 2016 too: by now `Variable` exists, so those modules can import it.
from .engine import ExecutionEngine  # noqa: E402
from .functions.basic_ops import (  # noqa: E402
    Add,
    AddConstant,
    Div,
    DivConstant,
    Mul,
    MulConstant,
    Negate,
    Pow,
    PowConstant,
    Sub,
    SubConstant,
)
from .functions.tensor import Copy, Index, Transpose, View  # noqa: E402
from .leaf import Leaf  # noqa: E402

Variable._execution_engine = ExecutionEngine()
