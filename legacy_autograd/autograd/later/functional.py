"""`torch.autograd.functional`: Jacobians, Hessians, and their products with vectors (1.5, April 2020).

The problem: backward computes the product of one vector with the Jacobian. A whole Jacobian took a loop over the
elements of the output, a second derivative a loop within that loop, and the product with a vector from the other side
took a trick.

How the 2016 core makes room for it: everything here is `grad`, with `create_graph` where a second derivative follows.
The trick: the gradient is linear in the vector that it starts from, and the derivative of v -> vᵀJ is the Jacobian from
the other side. So Ju takes two backward passes.

Inputs and vectors are Variables or Tensors, or tuples of them. `func` is called with Variables, and returns a Variable
or a tuple of them. Results are Tensors, or with `create_graph=True` Variables that can be differentiated again. Where
an output does not depend on an input, the result is zeros, or a RuntimeError with `strict=True`.

Tensors of 2016 have at least one dimension, so an output of shape (1,) may be a sum, which today has none, or a single
element. It counts as a sum, and its Jacobian has the shape of the input, unless every input has the shape (1,) too.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy

from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from ..functions.joining import stack
from ..variable import Variable
from .backward_api import grad
from .double_backward import as_gradient

Values: TypeAlias = Variable | Tensor | Sequence[Variable | Tensor]


def vjp(
    func: Callable[..., Any], inputs: Values, v: Values | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `(func(*inputs), vᵀJ)`, where J is the Jacobian of `func`.

    Args:
        func: The function to differentiate.
        inputs: Its arguments.
        v: The vector, with the shapes of the outputs. Default: 1, for an output of one element.
        create_graph: Whether the results are Variables that can be differentiated again.
        strict: Whether an output that does not depend on an input raises.

    Returns:
        A pair: the outputs as `func` returned them, and the products in the structure of `inputs`.

    Raises:
        RuntimeError: If `v` is missing or has other shapes than the outputs; under `strict`.
        TypeError: If an input, an output or an entry of `v` has the wrong type.
    """
    call = _Call("vjp", func, inputs, create_graph, strict)
    outputs = call.outputs()
    products = call.gradients(outputs, call.vector(v, outputs, "output"))
    return call.answer(outputs, call.outputs_in_tuple), call.answer(products, call.inputs_in_tuple)


def jvp(
    func: Callable[..., Any], inputs: Values, v: Values | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `(func(*inputs), Jv)`, where J is the Jacobian of `func`.

    Args:
        func: The function to differentiate.
        inputs: Its arguments.
        v: The vector, with the shapes of the inputs. Default: 1, for an input of one element.
        create_graph: Whether the results are Variables that can be differentiated again.
        strict: Whether an output that does not depend on an input raises.

    Returns:
        A pair: the outputs as `func` returned them, and the products in the same structure.

    Raises:
        RuntimeError: If `v` is missing or has other shapes than the inputs; under `strict`.
        TypeError: If an input, an output or an entry of `v` has the wrong type.
    """
    call = _Call("jvp", func, inputs, create_graph, strict)
    v = call.vector(v, call.inputs, "input")
    outputs = call.outputs()
    products = call.from_the_right(outputs, v)
    return call.answer(outputs, call.outputs_in_tuple), call.answer(products, call.outputs_in_tuple)


def jacobian(
    func: Callable[..., Any],
    inputs: Values,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of `func`.

    Args:
        func: The function to differentiate.
        inputs: Its arguments.
        create_graph: Whether the result is made of Variables that can be differentiated again.
        strict: Whether an output that does not depend on an input raises.
        vectorize: Accepted and ignored.
        strategy: Only "reverse-mode" is accepted.

    Returns:
        For one output and one input a Tensor of the shape of the output followed by that of the input; the module's
        text says when an output of shape (1,) counts as one without dimensions. For several inputs a tuple with one
        entry each; for several outputs a tuple of these.

    Raises:
        NotImplementedError: If `strategy` is not "reverse-mode".
        RuntimeError: Under `strict`.
        TypeError: If an input or an output has the wrong type.

    Example:
        >>> torch.autograd.functional.jacobian(lambda x: x * x, torch.Tensor([1, 2])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """
    _only_reverse_mode("jacobian", strategy)
    call = _Call("jacobian", func, inputs, create_graph, strict)
    outputs = call.outputs()
    sizes = [output.data.array.shape for output in outputs]
    if any(x.data.array.shape != (1,) for x in call.inputs):
        sizes = [() if size == (1,) else size for size in sizes]
    return call.matrix(outputs, sizes, call.outputs_in_tuple)


def hessian(
    func: Callable[..., Any],
    inputs: Values,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of `func`, which returns a single element.

    Args:
        func: The function to differentiate twice.
        inputs: Its arguments.
        create_graph: Whether the result is made of Variables that can be differentiated again.
        strict: Whether an output that does not depend on an input raises.
        vectorize: Accepted and ignored.
        outer_jacobian_strategy: Only "reverse-mode" is accepted.

    Returns:
        For one input a Tensor of the shape of the input twice. For several inputs a tuple of tuples, whose entry [i][j]
        is differentiated by input i and by input j.

    Raises:
        NotImplementedError: If `outer_jacobian_strategy` is not "reverse-mode".
        RuntimeError: If the output is not a single element; under `strict`.
        TypeError: If an input or the output has the wrong type.
    """
    _only_reverse_mode("hessian", outer_jacobian_strategy)
    call = _Call("hessian", func, inputs, create_graph, strict)
    return call.matrix(call.first_derivative(), [x.data.array.shape for x in call.inputs], call.inputs_in_tuple)


def vhp(
    func: Callable[..., Any], inputs: Values, v: Values | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `(func(*inputs), vᵀH)`, where H is the Hessian of `func`.

    Args:
        func: The function to differentiate twice; it returns a single element.
        inputs: Its arguments.
        v: The vector, with the shapes of the inputs. Default: 1, for an input of one element.
        create_graph: Whether the results are Variables that can be differentiated again.
        strict: Whether an output that does not depend on an input raises.

    Returns:
        A pair: the output, and the products in the structure of `inputs`.

    Raises:
        RuntimeError: If the output is not a single element; if `v` is missing or has other shapes; under `strict`.
        TypeError: If an input, the output or an entry of `v` has the wrong type.
    """
    call = _Call("vhp", func, inputs, create_graph, strict)
    v = call.vector(v, call.inputs, "input")
    first = call.first_derivative()
    products = call.gradients(first, v)
    return call.answer([call.output], False), call.answer(products, call.inputs_in_tuple)


def hvp(
    func: Callable[..., Any], inputs: Values, v: Values | None = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return `(func(*inputs), Hv)`, where H is the Hessian of `func`.

    It takes one backward pass more than `vhp`. Both are equal where the second derivative is continuous.

    Args:
        func: The function to differentiate twice; it returns a single element.
        inputs: Its arguments.
        v: The vector, with the shapes of the inputs. Default: 1, for an input of one element.
        create_graph: Whether the results are Variables that can be differentiated again.
        strict: Whether an output that does not depend on an input raises.

    Returns:
        A pair: the output, and the products in the structure of `inputs`.

    Raises:
        RuntimeError: If the output is not a single element; if `v` is missing or has other shapes; under `strict`.
        TypeError: If an input, the output or an entry of `v` has the wrong type.
    """
    call = _Call("hvp", func, inputs, create_graph, strict)
    v = call.vector(v, call.inputs, "input")
    first = call.first_derivative()
    products = call.from_the_right(first, v)
    return call.answer([call.output], False), call.answer(products, call.inputs_in_tuple)


def _only_reverse_mode(name, strategy):
    if strategy != "reverse-mode":
        raise NotImplementedError(
            f"{name}: forward mode is not supported; strategy must be 'reverse-mode', got {strategy!r}"
        )


def _stacked(rows, leading, array):
    """Return the gradients `rows` with respect to an input over `array`, stacked, of the shape `leading` + its own."""
    size = (*leading, *array.shape)
    return stack(rows).view(*size) if rows else wrap(numpy.zeros(size, array.dtype))


class _Call:
    """One call of `func` with inputs that require a gradient, and the derivatives of its outputs."""

    def __init__(self, name, func, inputs, create_graph, strict):
        self.name, self.func = name, func
        self.create_graph, self.strict = create_graph, strict
        self.inputs_in_tuple = isinstance(inputs, (tuple, list))
        inputs = self._checked(inputs if self.inputs_in_tuple else (inputs,), "inputs")
        # Variables of this call: gradients with respect to them do not reach the caller's, except under create_graph.
        self.inputs = [
            x.clone() if create_graph and isinstance(x, Variable) and x.requires_grad
            else Variable(x.data, requires_grad=True)
            for x in inputs
        ]  # fmt: skip
        self.outputs_in_tuple = False
        self.output = None

    def _checked(self, values, what, kinds=(Variable, Tensor)):
        for position, value in enumerate(values):
            if not isinstance(value, kinds):
                raise TypeError(f"{self.name}: {what}[{position}] must be a Variable, got {type(value).__name__}")
        return values

    def outputs(self):
        returned = self.func(*self.inputs)
        self.outputs_in_tuple = isinstance(returned, (tuple, list))
        outputs = returned if self.outputs_in_tuple else (returned,)
        self._checked(outputs, "the result of func: output", Variable)
        for position, output in enumerate(outputs):
            if self.strict and not output.requires_grad:
                raise RuntimeError(f"{self.name}: output {position} does not depend on the inputs, and strict=True")
        return list(outputs)

    def first_derivative(self):
        """Return the gradient of a scalar output, recorded."""
        outputs = self.outputs()
        if self.outputs_in_tuple or outputs[0].data.array.size != 1:
            sizes = ", ".join([shown_size(output.data.array.shape) for output in outputs])
            raise RuntimeError(f"{self.name}: func must return a single Variable with one element, got {sizes}")
        self.output = outputs[0]
        return self.gradients(outputs, None, create_graph=True)

    def vector(self, v, like, what):
        """Return `v` as a list with the shapes of `like`; None gives 1 if `like` is a single element."""
        if v is None:
            if len(like) != 1 or like[0].data.array.size != 1:
                raise RuntimeError(f"{self.name}: v is optional only for a single {what} of one element")
            return [wrap(numpy.ones_like(like[0].data.array))]
        v = self._checked(v if isinstance(v, (tuple, list)) else (v,), "v")
        sizes = [x.data.array.shape for x in v]
        expected = [x.data.array.shape for x in like]
        if sizes != expected:
            raise RuntimeError(
                f"{self.name}: v has the sizes {', '.join(map(shown_size, sizes))}, and the {what}s "
                f"{', '.join(map(shown_size, expected))}"
            )
        return list(v)

    def gradients(self, outputs, v, create_graph=None, inputs=None):
        """Return vᵀJ for each input; zeros for an input without an influence on the outputs."""
        create_graph = self.create_graph if create_graph is None else create_graph
        inputs = self.inputs if inputs is None else inputs
        v = [None] * len(outputs) if v is None else v
        used = [(output, start) for output, start in zip(outputs, v) if output.requires_grad]
        found = [None] * len(inputs)
        if used:
            outputs, v = zip(*used)
            found = grad(outputs, inputs, v, create_graph=create_graph, allow_unused=True)
        filled = []
        for number, (gradient, x) in enumerate(zip(found, inputs)):
            if gradient is None:
                if self.strict:
                    raise RuntimeError(f"{self.name}: the result does not depend on input {number}, and strict=True")
                zeros = wrap(numpy.zeros_like(x.data.array))
                gradient = as_gradient(zeros) if create_graph else zeros
            filled.append(gradient)
        return filled

    def from_the_right(self, outputs, v):
        """Return Jv for each output: the derivative of w -> wᵀJ, times v."""
        start = [Variable(wrap(numpy.zeros_like(output.data.array)), requires_grad=True) for output in outputs]
        return self.gradients(self.gradients(outputs, start, create_graph=True), v, inputs=start)

    def matrix(self, outputs, sizes, in_tuple):
        """Return the derivatives of each output by each input: of the shape in `sizes` followed by the input's."""
        rows = []
        for output, size in zip(outputs, sizes):
            columns = [[] for _ in self.inputs]
            for index in numpy.ndindex(output.data.array.shape):
                start = numpy.zeros(output.data.array.shape, output.data.array.dtype)
                start[index] = 1
                for column, gradient in zip(columns, self.gradients([output], [wrap(start)])):
                    column.append(gradient)
            row = [_stacked(column, size, x.data.array) for column, x in zip(columns, self.inputs)]
            rows.append(self.answer(row, self.inputs_in_tuple))
        return tuple(rows) if in_tuple else rows[0]

    def answer(self, values, in_tuple):
        values = tuple([value if self.create_graph else value.data for value in values])
        return values if in_tuple else values[0]
