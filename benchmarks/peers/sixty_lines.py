"""An engine of sixty lines, with the flow of 2016 and nothing round it: what the rest of the package costs.

A call goes `__call__`, `_do_forward`, `forward`; a Variable has a creator; backward counts dependencies. There are no
hooks, no counts of writes, no checks, no types and no trace. The first sixty lines are the engine, the others the
operations that the workloads need.
"""

import numpy

from .torch_like import TorchLike


class Tensor:
    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def add(self, other):
        return Tensor(self.array + other.array)

    def mul(self, other):
        return Tensor(self.array * other.array)


class Variable:
    __slots__ = ("data", "creator", "grad")

    def __init__(self, data, creator=None, requires_grad=True):
        self.data, self.grad = data, None
        self.creator = Leaf(self, requires_grad) if creator is None else creator

    def backward(self):
        run_backward(self.creator, Tensor(numpy.ones_like(self.data.array)))


class Function:
    def __call__(self, *input):
        return self._do_forward(*input)

    def _do_forward(self, *input):
        raw_output = self.forward(*[variable.data for variable in input])
        self.needs_input_grad = [variable.creator.requires_grad for variable in input]
        self.requires_grad = any(self.needs_input_grad)
        self.previous_functions = [(variable.creator, id(variable)) for variable in input]
        output = Variable(raw_output, self)
        self.output_ids = {id(output): 0}
        return (output,)

    def _do_backward(self, grad_output):
        grad_input = self.backward(grad_output)
        return grad_input if isinstance(grad_input, tuple) else (grad_input,)


class Leaf(Function):
    previous_functions = ()

    def __init__(self, variable, requires_grad):
        self.variable, self.requires_grad, self.output_ids = variable, requires_grad, {id(variable): 0}

    def _do_backward(self, grad_output):
        before = self.variable.grad
        self.variable.grad = grad_output if before is None else before.add(grad_output)
        return ()


def run_backward(root, grad):
    dependencies, queue = {}, [root]
    while queue:
        for prev_fn, arg_id in queue.pop().previous_functions:
            if prev_fn.requires_grad:
                if prev_fn not in dependencies:
                    dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                    queue.append(prev_fn)
                dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1
    ready, not_ready = [(root, [grad])], {}
    while ready:
        fn, grad_output = ready.pop()
        for (prev_fn, arg_id), grad in zip(fn.previous_functions, fn._do_backward(*grad_output)):
            if prev_fn.requires_grad:
                output_nr = prev_fn.output_ids[arg_id]
                dependencies[prev_fn][output_nr] -= 1
                waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                waiting[output_nr] = grad if waiting[output_nr] is None else waiting[output_nr].add(grad)
                if not any(dependencies[prev_fn]):
                    ready.append((prev_fn, not_ready.pop(prev_fn)))


# --- the operations


def _rows_summed(grad, of):
    """The gradient of a row `of` that was added to each row of a matrix."""
    return grad if grad.array.shape == of.array.shape else Tensor(grad.array.sum(0))


class Add(Function):
    def forward(self, a, b):
        self.b = b
        return a.add(b)

    def backward(self, grad_output):
        return grad_output, _rows_summed(grad_output, self.b)


class Sub(Function):
    def forward(self, a, b):
        return Tensor(a.array - b.array)

    def backward(self, grad_output):
        return grad_output, Tensor(-grad_output.array) if self.needs_input_grad[1] else None


class Mul(Function):
    def forward(self, a, b):
        self.a, self.b = a, b
        return a.mul(b)

    def backward(self, grad_output):
        needs_a, needs_b = self.needs_input_grad
        return grad_output.mul(self.b) if needs_a else None, grad_output.mul(self.a) if needs_b else None


class Mm(Function):
    def forward(self, a, b):
        self.a, self.b = a.array, b.array
        return Tensor(self.a.dot(self.b))

    def backward(self, grad_output):
        needs_a, needs_b = self.needs_input_grad
        return (
            Tensor(grad_output.array.dot(self.b.T)) if needs_a else None,
            Tensor(self.a.T.dot(grad_output.array)) if needs_b else None,
        )


class Abs(Function):
    def forward(self, x):
        self.x = x.array
        return Tensor(numpy.abs(self.x))

    def backward(self, grad_output):
        return Tensor(grad_output.array * numpy.sign(self.x))


class Sum(Function):
    def forward(self, x):
        self.shape = x.array.shape
        return Tensor(numpy.array([x.array.sum()], x.array.dtype))

    def backward(self, grad_output):
        return Tensor(numpy.full(self.shape, grad_output.array[0], grad_output.array.dtype))


class Mean(Sum):
    def forward(self, x):
        self.shape, self.count = x.array.shape, x.array.size
        return Tensor(numpy.array([x.array.mean()], x.array.dtype))

    def backward(self, grad_output):
        return Tensor(numpy.full(self.shape, grad_output.array[0] / self.count, grad_output.array.dtype))


class Tanh(Function):
    def forward(self, x):
        self.result = numpy.tanh(x.array)
        return Tensor(self.result)

    def backward(self, grad_output):
        return Tensor(grad_output.array * (1 - self.result * self.result))


class Relu(Function):
    def forward(self, x):
        self.result = numpy.maximum(x.array, 0)
        return Tensor(self.result)

    def backward(self, grad_output):
        return Tensor(grad_output.array * (self.result > 0))


class CrossEntropy(Function):
    def __init__(self, classes):
        self.classes = classes.data.array

    def forward(self, x):
        shifted = x.array - x.array.max(1, keepdims=True)
        self.logarithms = shifted - numpy.log(numpy.exp(shifted).sum(1, keepdims=True))
        loss = -self.logarithms[numpy.arange(len(shifted)), self.classes].mean()
        return Tensor(numpy.array([loss], x.array.dtype))

    def backward(self, grad_output):
        grad = numpy.exp(self.logarithms)
        grad[numpy.arange(len(grad)), self.classes] -= 1
        grad *= grad_output.array / len(grad)
        return Tensor(grad)


def _method(function):
    return lambda *variables: function()(*variables)[0]


for _name, _function in {
    "__add__": Add, "__sub__": Sub, "__mul__": Mul, "mm": Mm, "abs": Abs, "sum": Sum, "mean": Mean, "tanh": Tanh,
}.items():  # fmt: skip
    setattr(Variable, _name, _method(_function))


class _Names:
    """What the workloads ask of torch and of its nn.functional."""

    mm, sum, abs = Variable.mm, Variable.sum, Variable.abs
    relu = staticmethod(_method(Relu))

    @staticmethod
    def cross_entropy(x, classes):
        return CrossEntropy(classes)(x)[0]


def _leaf(array, requires_grad=True):
    return Variable(Tensor(array), requires_grad=requires_grad)


def _update(parameters, rate):
    gradients = [parameter.grad for parameter in parameters]
    for parameter, gradient in zip(parameters, gradients):
        parameter.data.array -= rate * gradient.array
        parameter.grad = None
    return gradients


def _to_numpy(gradients):
    return [getattr(gradient, "data", gradient).array for gradient in gradients]  # of Variables and Tensors


class _Peer(TorchLike):
    lenet = second_derivative = convolution = max_pooling = loading = None  # not in sixty lines

    def regression(self, w, x, y, rate):
        w, x, y = self.leaf(w.copy()), self.leaf(x, False), self.leaf(y, False)

        def step():
            self.torch.sum(self.torch.abs(self.torch.mm(w, x) - y)).backward()
            return self.update([w], rate)

        return step


PEER = _Peer(_Names, _Names, None, _leaf, _update, _to_numpy)
