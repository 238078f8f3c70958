"""The autograd of PyTorch's first alpha (August 2016) in one file over bare NumPy, to be read from top to bottom.

A call of a Function on Variables computes new ones and records where its inputs came from: the records are the graph.
`backward` walks it from a result to the leaves. legacy_autograd's four files of the book grow from these four classes.
"""

from collections import Counter

import numpy as np


class Variable:
    """An array (`data`), its gradient (`grad`), and the Function that made it (`creator`)."""

    def __init__(self, data, creator=None, requires_grad=True):
        self.data = np.asarray(data, dtype=np.float64)
        self.creator = Leaf(self, requires_grad) if creator is None else creator
        self.grad = None

    def backward(self, gradient=None):
        """Add the derivative of this Variable to the `grad` of every leaf behind it."""
        if gradient is None and self.data.size != 1:
            raise RuntimeError(f"backward of {self.data.size} numbers needs a gradient of the shape {self.data.shape}")
        gradient = np.ones_like(self.data) if gradient is None else np.asarray(gradient, dtype=np.float64)
        ExecutionEngine().run_backward(self, gradient)


class Function:
    """One operation. An instance represents one call, and is one node of the graph."""

    def __init__(self):
        self.backward_hooks = {}  # {name: hook(grad_input, grad_output)}

    def __call__(self, *input):
        return self._do_forward(*input)

    def _do_forward(self, *input):
        """Compute the outputs and record the inputs. Return a tuple of Variables, also for one output."""
        input = [arg if isinstance(arg, Variable) else Variable(arg, requires_grad=False) for arg in input]
        raw_output = self.forward(*[arg.data for arg in input])
        raw_output = raw_output if isinstance(raw_output, tuple) else (raw_output,)
        self.requires_grad = any([arg.creator.requires_grad for arg in input])
        output = tuple([Variable(array, self) for array in raw_output])
        self.previous_functions = [(arg.creator, id(arg)) for arg in input]
        self.output_ids = {id(var): number for number, var in enumerate(output)}
        self.input_shapes = [arg.data.shape for arg in input]
        self.output_shapes = [var.data.shape for var in output]
        return output

    def _do_backward(self, *grad_output):
        """Run `backward` with one gradient for each output. Return one for each input."""
        grad_input = self.backward(*grad_output)
        grad_input = grad_input if isinstance(grad_input, tuple) else (grad_input,)
        inputs = len(self.input_shapes)
        if len(grad_input) != inputs:
            raise RuntimeError(f"{type(self).__name__}.backward returned {len(grad_input)} gradients, not {inputs}")
        grad_input = tuple([sum_to(shape, grad) for shape, grad in zip(self.input_shapes, grad_input)])
        for hook in self.backward_hooks.values():
            hook(grad_input, grad_output)
        return grad_input


class Leaf(Function):
    """The creator of a Variable that no operation made. Its backward adds the gradient to the Variable's `grad`."""

    def __init__(self, variable, requires_grad):
        super().__init__()
        self.variable, self.requires_grad = variable, requires_grad
        self.previous_functions, self.output_ids = [], {id(variable): 0}
        self.output_shapes = [variable.data.shape]

    def _do_backward(self, grad_output):
        for hook in self.backward_hooks.values():
            hook((grad_output,), (grad_output,))
        self.variable.grad = grad_output + (0 if self.variable.grad is None else self.variable.grad)
        return ()


class ExecutionEngine:
    """Runs each Function once, when the gradients of all uses of its outputs have arrived."""

    def run_backward(self, variable, grad):
        root = variable.creator
        ready = [(root, {root.output_ids[id(variable)]: grad})]  # a stack: what became ready last runs first
        not_ready = {}  # {Function that waits: {number of an output: its gradient so far}}
        dependencies = self._compute_dependencies(root)
        while ready:
            fn, arrived = ready.pop()
            # An output that no Function used gets zeros.
            grad_output = [arrived.get(nr, np.zeros(shape)) for nr, shape in enumerate(fn.output_shapes)]
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, fn._do_backward(*grad_output)):
                if prev_fn.requires_grad:
                    output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                    arrived = not_ready.setdefault(prev_fn, {})
                    if grad is not None:  # added out of place: another Function may hold the same array
                        arrived[output_nr] = arrived.get(output_nr, 0) + grad
                    if self._is_ready_for_backward(dependencies, prev_fn):
                        ready.append((prev_fn, not_ready.pop(prev_fn)))

    def _compute_dependencies(self, function):
        """Count the uses of every output behind `function`: {Function: [Counter {consumer: uses} of each output]}."""
        dependencies, queue = {}, [function]
        while queue:
            fn = queue.pop()
            for prev_fn, arg_id in fn.previous_functions:
                if prev_fn.requires_grad:
                    if prev_fn not in dependencies:
                        dependencies[prev_fn] = [Counter() for _ in prev_fn.output_ids]
                        queue.append(prev_fn)
                    dependencies[prev_fn][prev_fn.output_ids[arg_id]][fn] += 1
        return dependencies

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        """Count down one use: the gradient from `fn` has arrived. Return the number of the output it is for."""
        output_nr = prev_fn.output_ids[arg_id]
        dependencies[prev_fn][output_nr] -= Counter([fn])
        return output_nr

    def _is_ready_for_backward(self, dependencies, function):
        return not any(dependencies[function])


def sum_to(shape, grad):
    """Sum a gradient to the shape of an input that NumPy broadcast: copies of a number share its gradient."""
    if grad is None or grad.shape == shape:
        return grad
    grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))
    return grad.sum(axis=tuple([axis for axis, size in enumerate(shape) if size == 1]), keepdims=True)


# The operations. `forward` keeps on `self` what `backward` needs.
class Add(Function):
    def forward(self, a, b):
        return a + b

    def backward(self, grad_output):
        return grad_output, grad_output


class Mul(Function):
    def forward(self, a, b):
        self.input = a, b
        return a * b

    def backward(self, grad_output):
        a, b = self.input
        return grad_output * b, grad_output * a


class PowConstant(Function):
    def __init__(self, constant):
        super().__init__()
        self.constant = constant

    def forward(self, a):
        self.input = a
        return a**self.constant

    def backward(self, grad_output):
        return grad_output * self.constant * self.input ** (self.constant - 1)


class Mm(Function):
    def forward(self, a, b):
        self.input = a, b
        return a @ b

    def backward(self, grad_output):
        a, b = self.input
        return grad_output @ b.T, a.T @ grad_output


class Abs(Function):
    def forward(self, a):
        self.input = a
        return abs(a)

    def backward(self, grad_output):
        return grad_output * np.sign(self.input)


class Sum(Function):
    def forward(self, a):
        return a.sum()

    def backward(self, grad_output):
        return np.broadcast_to(grad_output, self.input_shapes[0])


# The operators: each makes a Function and calls it.
Variable.__array_ufunc__ = None  # NumPy leaves `array * variable` to the Variable
Variable.__add__ = Variable.__radd__ = lambda self, other: Add()(self, other)[0]
Variable.__mul__ = Variable.__rmul__ = lambda self, other: Mul()(self, other)[0]
Variable.__neg__ = lambda self: self * -1
Variable.__sub__ = lambda self, other: self + -other
Variable.__rsub__ = lambda self, other: -self + other
Variable.__pow__ = lambda self, exponent: PowConstant(exponent)(self)[0]
Variable.mm = lambda self, other: Mm()(self, other)[0]
Variable.abs = lambda self: Abs()(self)[0]
Variable.sum = lambda self: Sum()(self)[0]
