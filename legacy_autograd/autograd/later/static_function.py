"""Functions with a static `forward(ctx, …)` and `backward(ctx, …)`, called by `apply` (0.2.0, August 2017).

`once_differentiable` came with them, `setup_context` with 2.0 (March 2023).

The problem: an instance of a Function was both the operation and its single call. Its constants were arguments of the
constructor, its Variables arguments of the call. A second call silently overwrote the data that backward needed. Now
the class is the operation, `apply` takes all arguments together, and each call stores its data on its `ctx`.

How the 2016 core makes room for it: `ctx` is an instance of 2016's kind. For the class F there is one class FBackward,
created at the first `F.apply`, whose `forward` and `backward` pass `self` to those of F. So such a node is drawn,
hooked, profiled and differentiated like any other. It receives Tensors, and Variables when its backward is recorded.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ... import conventions
from ...tensor import Tensor
from ...tensor.dtypes import FLOATING
from ..function import Function
from ..variable import Variable
from .double_backward import on_tensors
from .in_place import become, check
from .views import Family


def apply(cls: type[Function], *args: Any) -> Any:
    """Return the result of `cls.forward`, called with the Tensors of the Variables among `args` (`cls.apply(*args)`).

    Args:
        cls: A Function with static methods.
        *args: Variables and constants of any type.

    Returns:
        The result of `forward`, with Variables instead of its Tensors.

    Raises:
        RuntimeError: If `forward` does not return an input that it marked as dirty; in backward, if the gradients do
            not fit the arguments.
    """
    node_class = vars(cls).get("_backward_cls") or _make_node_class(cls)
    node = object.__new__(node_class)  # without the constructor, which a static Function does not use
    variables = [arg for arg in args if isinstance(arg, Variable)]
    node._args = args
    node._is_variable = [isinstance(arg, Variable) for arg in args]
    node._needs = tuple([isinstance(arg, Variable) and arg.requires_grad for arg in args])
    try:
        output = node(*variables)
        return node._in_place_of_tensors(variables, output)
    finally:
        node._args = node._returned = None  # backward does not need them


def _make_node_class(cls):
    node_class = type(f"{cls.__name__}Backward", (StaticNode, cls), {"__module__": cls.__module__, "_function": cls})
    node_class._returns_tuple = True
    cls._backward_cls = node_class
    return node_class


class StaticNode(Function):
    """One call of a static Function: the `ctx` of its methods. Attributes set on it are kept for backward."""

    _function: Any = None  # the class whose call this is
    _dirty: tuple[Tensor, ...] = ()
    _needs: tuple[bool, ...]

    # --- the interface of a `ctx`

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """For each argument of `apply`, whether it requires a gradient; False for an argument that is no Variable."""
        return self._needs

    @needs_input_grad.setter
    def needs_input_grad(self, needs: Sequence[bool]) -> None:
        """Ignore the core's values, which cover the Variables alone: `apply` has set its own."""

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Mark, in forward, the inputs that forward changed in place and returns.

        Args:
            *tensors: These inputs.
        """
        self._dirty = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Set whether backward receives zeros (True, the default) or None as the gradient of an unused output.

        Args:
            value: True for zeros, False for None.
        """
        self._materialize_grads = bool(value)

    # --- called by the core

    def forward(self, *tensors):
        rest = iter(tensors)
        args = [next(rest) if is_variable else arg for arg, is_variable in zip(self._args, self._is_variable)]
        function = self._function
        if hasattr(function, "setup_context"):
            returned = function.forward(*args)
            function.setup_context(self, tuple(args), returned)
        else:
            returned = function.forward(self, *args)
        self._returned = returned
        outputs = returned if isinstance(returned, tuple) else (returned,)
        self._is_tensor = [isinstance(output, Tensor) for output in outputs]
        tensors_out = tuple([output for output in outputs if isinstance(output, Tensor)])
        returned_ids = {id(tensor) for tensor in tensors_out}
        if not all([id(tensor) in returned_ids for tensor in self._dirty]):
            raise RuntimeError(
                f"{self._name}: forward must return every input that it changed in place and marked with mark_dirty"
            )
        integers = [tensor for tensor in tensors_out if tensor.array.dtype not in FLOATING]
        if integers:
            self.mark_non_differentiable(*self.non_differentiable, *integers)
        return tensors_out

    def _note_saved(self, input, output):
        # An input that forward changed is saved as the output that it became.
        dirty = {id(tensor) for tensor in self._dirty}
        return super()._note_saved(tuple([None if id(arg.data) in dirty else arg for arg in input]), output)

    def _in_place_of_tensors(self, variables, output):
        """Return the result of forward with Variables instead of Tensors; an input changed in place is itself again."""
        dirty = {id(tensor) for tensor in self._dirty}
        changed = {id(variable.data): variable for variable in variables if id(variable.data) in dirty}
        self._dirty = ()
        variables_out = []
        for variable in output:
            if id(variable.data) in changed:
                input = changed[id(variable.data)]
                family = Family(input)
                check(self._name, input, family, variable.requires_grad)
                variable = become(input, variable, family)
            variables_out.append(variable)
        if not isinstance(self._returned, tuple):
            return variables_out[0] if variables_out else self._returned
        rest = iter(variables_out)
        return tuple([next(rest) if isinstance(value, Tensor) else value for value in self._returned])

    def backward(self, *grad_output):
        wraps = conventions.era.static_backward_sees_variables and not any(isinstance(g, Variable) for g in grad_output)
        if wraps:
            grad_output = [g if g is None else Variable(g, requires_grad=False) for g in grad_output]
        rest = iter(grad_output)
        gradients = self._derivative()(self, *[next(rest) if is_tensor else None for is_tensor in self._is_tensor])
        gradients = gradients if isinstance(gradients, tuple) else (gradients,)
        count = len(self._is_variable)
        if len(gradients) < count or any([gradient is not None for gradient in gradients[count:]]):
            raise RuntimeError(
                f"{self._name} returned an incorrect number of gradients: {len(gradients)}, for {count} arguments of "
                "apply (None is the gradient of a constant)"
            )
        for position, (gradient, is_variable) in enumerate(zip(gradients, self._is_variable)):
            if gradient is not None and not is_variable:
                raise RuntimeError(
                    f"{self._name} returned a gradient for argument {position}, which was not a Variable; None is the "
                    "gradient of a constant"
                )
            if gradient is not None and not isinstance(gradient, (Tensor, Variable)):
                raise RuntimeError(
                    f"{self._name} returned a {type(gradient).__name__} as gradient of argument {position}; a gradient "
                    "is a Tensor (or, under create_graph, a Variable) or None"
                )
        gradients = [gradient for gradient, is_variable in zip(gradients, self._is_variable) if is_variable]
        return tuple([g.data if wraps and isinstance(g, Variable) else g for g in gradients])

    def _derivative(self):
        """Return `backward` of the class, or `vjp`, its other name."""
        for name in ("backward", "vjp"):
            derivative = getattr(self._function, name, None)
            if derivative is not None and derivative is not Function.backward:
                return derivative
        raise NotImplementedError(f"{self._function.__name__} defines no backward")


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `backward` that always receives Tensors, for code that is not differentiable itself, such as numpy.

    The gradients that it returns can be used like any others, but not differentiated. Methods of 2016's Functions can
    be decorated too.

    Args:
        backward: The method to decorate.

    Raises:
        RuntimeError: In a backward through one of these gradients.
    """

    @functools.wraps(backward)
    def on_plain_tensors(ctx, *grad_output):
        if not any([isinstance(grad, Variable) for grad in grad_output]):
            return backward(ctx, *grad_output)
        gradients = on_tensors(backward, ctx, *[None if grad is None else grad.data for grad in grad_output])
        gradients = gradients if isinstance(gradients, tuple) else (gradients,)
        sources = [(grad.creator, grad.output_nr) for grad in grad_output if grad is not None]
        return tuple(
            [Differentiated.link(grad, ctx, sources) if isinstance(grad, Tensor) else grad for grad in gradients]
        )

    return on_plain_tensors


class Differentiated(Function):
    """The creator of a gradient without a history. Its own backward raises."""

    of: str  # the name of the Function whose backward computed the gradient

    @classmethod
    def link(cls, tensor: Tensor, function: Function, sources: Sequence[tuple[Function, int]]) -> Variable:
        """Return `tensor` as a Variable that depends on the inputs of `function` and on the gradients in `sources`.

        Args:
            tensor: A gradient.
            function: The Function whose backward computed it.
            sources: For each gradient that backward received, its creator and the number of its output.
        """
        link = cls()
        link.of = function._name
        variable = Variable(tensor, link)
        link._link([*sources, *function._sources()], variable)
        return variable

    def backward(self, grad_output):
        raise RuntimeError(f"trying to differentiate twice {self.of}, whose backward is marked once_differentiable")


def _saved_variables(function):
    """The Variables of `saved_tensors`, for a backward that receives Variables (0.2)."""
    return tuple([Variable(x, requires_grad=False) if isinstance(x, Tensor) else x for x in function.saved_tensors])


Function.saved_variables = property(_saved_variables)  # type: ignore[assignment]
Function.apply = classmethod(apply)  # type: ignore[assignment]  # attached to the core's class
