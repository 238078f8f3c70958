"""The attributes of a Variable in the graph, its copy, and Python's protocols."""

from __future__ import annotations

from collections.abc import Callable

import numpy

from ... import conventions
from ...tensor import Tensor
from ..function import Function
from ..functions.tensor import Clone
from ..leaf import Leaf
from ..variable import Variable
from ._arguments import constant
from ._attach import attach


class BaseMethods:
    """Attributes, `clone`, and Python's protocols."""

    # Of Variable, to which these methods are attached.
    data: Tensor
    creator: Function
    volatile: bool
    _may_require_grad: Callable[[bool, bool], bool]

    @property
    def requires_grad(self) -> bool:
        """Whether backward computes a gradient for this Variable (v0.1.2). Settable on leaves (v0.1.5)."""
        return self.creator.requires_grad

    @requires_grad.setter
    def requires_grad(self, requires_grad: bool) -> None:
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
        elif requires_grad:  # the creator required no gradient, so a graph that begins here loses nothing
            self.creator = Leaf(self, True)

    @property
    def is_leaf(self) -> bool:
        """Whether the graph ends at this Variable (0.2.0).

        A leaf was made by hand, or by an operation that needed no gradient.
        """
        return not self.creator.requires_grad or isinstance(self.creator, Leaf)

    @property
    def output_nr(self) -> int:
        """The number of this Variable among the outputs of its creator.

        Raises:
            RuntimeError: If the creator did not make this Variable.
        """
        return self.creator._output_nr(id(self))

    @property
    def name(self) -> str | None:
        """The name for drawings and messages, or None."""
        return getattr(self, "_name", None)

    @name.setter
    def name(self, name: str | None) -> None:
        self._name = name

    @property
    def grad_fn(self) -> Function | None:
        """The Function that backward runs for this Variable: its `creator`; None for a leaf (0.2.0)."""
        return None if self.is_leaf else self.creator

    @property
    def array(self) -> numpy.ndarray:
        """The NumPy array behind `data`. Tensor has it too, so gradient code accepts either."""
        return self.data.array

    @property
    def _version(self) -> int:
        """The number of in-place writes to the memory of `data`."""
        return self.data._version

    def _refused(self, tensor, creator):
        """Return the exception of a Variable that cannot be made of these arguments."""
        if isinstance(tensor, Tensor):
            return TypeError(
                f"Variable: creator is a {type(creator).__name__}; it must be a Function, or left out to make a leaf"
            )
        maker = "Variable needs" if creator is None else f"{type(creator).__name__}.forward must return"
        return TypeError(f"{maker} a Tensor, got {type(tensor).__name__}")

    def _named_hook(self, hook):
        """Return `hook` as the creator calls it. From v0.1.2 to v0.1.8 it took the gradient of this Variable alone."""
        if conventions.era.named_hook_takes_two or not callable(hook):
            return hook
        number = self.output_nr

        def with_one(grad_input, grad_output):
            hook(grad_output[number] if isinstance(grad_output, tuple) else grad_output)

        return with_one

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter([self[i] for i in range(len(self.data))])

    def __bool__(self):
        """Return the truth of `data`; under v0.1.1's conventions True, under v0.1.12's whether `len` is above 0."""
        truth = conventions.era.truth_of_variable
        return bool(self.data) if truth == "number" else truth == "always" or len(self) > 0

    def __float__(self):
        return float(self.data)

    def __int__(self):
        return int(self.data)

    def item(self) -> float:
        """Return the only element as a Python number.

        Raises:
            ValueError: If there is not exactly one element.
        """
        return self.data.item()

    def clone(self) -> Variable:
        """Return a copy with its own memory, still part of the graph.

        Gradient:
            `g`, the gradient of the result.
        """
        return Clone()(self)[0]

    def __and__(self, other):
        return constant(self.data & other.data) if isinstance(other, Variable) else NotImplemented

    def __or__(self, other):
        return constant(self.data | other.data) if isinstance(other, Variable) else NotImplemented

    def __xor__(self, other):
        return constant(self.data ^ other.data) if isinstance(other, Variable) else NotImplemented

    def __invert__(self):
        return constant(~self.data)

    __array_ufunc__ = None  # so that `numpy.float64(2) * v` is a Variable, not an array of Variables

    def __array__(self, dtype=None, copy=None):
        """Raise TypeError: NumPy's operations are not recorded in the graph."""
        raise TypeError(
            "a Variable is not an array: NumPy's operations are not recorded. Use its .data, or .data.numpy()"
        )


attach(BaseMethods)
