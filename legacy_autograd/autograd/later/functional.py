"""`torch.autograd.functional`: Jacobians, Hessians, and their products with vectors (1.5, April 2020).

The problem: backward gives the product of one vector with the Jacobian. Who wanted the whole matrix looped over the
elements of the output, who wanted a second derivative looped within the loop, and whoever wanted the product with a
vector from the other side had to know a trick.

How the 2016 core makes room for it: it is all `grad`, with `create_graph` where a second derivative follows. The trick:
the gradient is linear in the vector that it starts from, and the derivative of v -> vJ is the Jacobian from the other
side; so Ju comes of two backwards.

Inputs and vectors are Variables or Tensors, or tuples of them; what `func` is given are Variables, and it returns one,
or a tuple. Results are Tensors; with `create_graph=True` Variables, that can be differentiated further. A Variable of
size (1,) counts as a scalar where it is the output: its Jacobian has the size of the input. Where an output does not
depend on an input the result is zeros, and RuntimeError with `strict=True`.
"""

import numpy

from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from ..functions.joining import stack
from ..variable import Variable
from .backward_api import grad
from .double_backward import as_gradient


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """`(func(*inputs), vᵀJ)`: the product of `v`, which has the sizes of the outputs, with the Jacobian from the left.

    `v` may be left out where the output is a single number.
    """
    call = _Call("vjp", func, inputs, create_graph, strict)
    outputs = call.outputs()
    products = call.gradients(outputs, call.vector(v, outputs, "output"))
    return call.answer(outputs, call.outputs_in_tuple), call.answer(products, call.inputs_in_tuple)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """`(func(*inputs), Ju)`: the product of the Jacobian with `v`, which has the sizes of the inputs, from the right.

    `v` may be left out where the input is a single number.
    """
    call = _Call("jvp", func, inputs, create_graph, strict)
    v = call.vector(v, call.inputs, "input")
    outputs = call.outputs()
    products = call.from_the_right(outputs, v)
    return call.answer(outputs, call.outputs_in_tuple), call.answer(products, call.outputs_in_tuple)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The Jacobian: of the size of the output followed by that of the input. Of several inputs a tuple for each of
    them, of several outputs a tuple of those for each of them.

    `vectorize` is accepted and changes nothing; of the strategies there is only "reverse-mode" (NotImplementedError).
    """
    _only_reverse_mode("jacobian", strategy)
    call = _Call("jacobian", func, inputs, create_graph, strict)
    outputs = call.outputs()
    sizes = [output.data.array.shape for output in outputs]
    return call.matrix(outputs, [() if size == (1,) else size for size in sizes], call.outputs_in_tuple)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The matrix of second derivatives of `func`, which returns a scalar: of the size of the input twice. Of several
    inputs a tuple of tuples: [i][j] is differentiated by input i and by input j.

    RuntimeError if the output is not a single number. For the other arguments see jacobian.
    """
    _only_reverse_mode("hessian", outer_jacobian_strategy)
    call = _Call("hessian", func, inputs, create_graph, strict)
    return call.matrix(call.first_derivative(), [x.data.array.shape for x in call.inputs], call.inputs_in_tuple)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """`(func(*inputs), vᵀH)`: the product of `v`, which has the sizes of the inputs, with the Hessian from the left."""
    call = _Call("vhp", func, inputs, create_graph, strict)
    v = call.vector(v, call.inputs, "input")
    first = call.first_derivative()
    products = call.gradients(first, v)
    return call.answer([call.output], False), call.answer(products, call.inputs_in_tuple)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """`(func(*inputs), Hv)`: the product of the Hessian with `v` from the right. It takes a backward more than vhp, and
    is the same wherever the second derivative is continuous."""
    call = _Call("hvp", func, inputs, create_graph, strict)
    v = call.vector(v, call.inputs, "input")
    first = call.first_derivative()
    products = call.from_the_right(first, v)
    return call.answer([call.output], False), call.answer(products, call.inputs_in_tuple)


def _only_reverse_mode(name, strategy):
    if strategy != "reverse-mode":
        raise NotImplementedError(f"{name}: there is no forward mode here; strategy has to be 'reverse-mode'")


def _stacked(rows, leading, array):
    """Gradients with respect to an input over `array`, one below the other, in the size `leading` and the input's."""
    size = (*leading, *array.shape)
    return stack(rows).view(*size) if rows else wrap(numpy.zeros(size, array.dtype))


class _Call:
    """One call of `func`, with inputs that require a gradient, and the questions about it."""

    def __init__(self, name, func, inputs, create_graph, strict):
        self.name, self.func = name, func
        self.create_graph, self.strict = create_graph, strict
        self.inputs_in_tuple = isinstance(inputs, (tuple, list))
        inputs = self._checked(inputs if self.inputs_in_tuple else (inputs,), "inputs")
        # What is differentiated by are Variables of this call alone: the gradients do not stop at those given.
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
                raise TypeError(f"{self.name}: {what}[{position}] is a {type(value).__name__}, not a Variable")
        return values

    def outputs(self):
        returned = self.func(*self.inputs)
        self.outputs_in_tuple = isinstance(returned, (tuple, list))
        outputs = returned if self.outputs_in_tuple else (returned,)
        self._checked(outputs, "what func returned: output", Variable)
        for position, output in enumerate(outputs):
            if self.strict and not output.requires_grad:
                raise RuntimeError(f"{self.name}: output {position} does not depend on the inputs, and strict=True")
        return list(outputs)

    def first_derivative(self):
        """The gradient of a scalar output, recorded."""
        outputs = self.outputs()
        if self.outputs_in_tuple or outputs[0].data.array.size != 1:
            sizes = ", ".join([shown_size(output.data.array.shape) for output in outputs])
            raise RuntimeError(f"{self.name}: func has to return a single Variable with one element, got ({sizes})")
        self.output = outputs[0]
        return self.gradients(outputs, None, create_graph=True)

    def vector(self, v, like, what):
        """`v` as a list with an entry for each of `like`, in their sizes; a 1 if it is None and they are one number."""
        if v is None:
            if len(like) != 1 or like[0].data.array.size != 1:
                raise RuntimeError(f"{self.name}: v can be left out only for a single {what} of one element")
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
        """vᵀJ for each input; zeros where nothing depends on it."""
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
        """Ju for each output: the derivative of w -> wᵀJ, times v."""
        start = [Variable(wrap(numpy.zeros_like(output.data.array)), requires_grad=True) for output in outputs]
        return self.gradients(self.gradients(outputs, start, create_graph=True), v, inputs=start)

    def matrix(self, outputs, sizes, in_tuple):
        """The derivatives of each output by each input: of its size in `sizes`, followed by that of the input."""
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
