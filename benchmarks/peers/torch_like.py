"""The workloads as users of torch write them: the same lines for this package and for modern torch."""

import numpy


class TorchLike:
    """A peer with torch's names. `torch`, `F` and `data` are its modules.

    `leaf(array, requires_grad)` makes an input, `update(parameters, rate)` does a step of gradient descent, lets go of
    the gradients and returns them, and `to_numpy(gradients)` gives their arrays.
    """

    def __init__(self, torch, F, data, leaf, update, to_numpy):
        self.torch, self.F, self.data = torch, F, data
        self.leaf, self.update, self.to_numpy = leaf, update, to_numpy

    def _built(self, operations, x, c, d):
        leaves = [self.leaf(numpy.array([number])) for number in (x, c, d)]
        h, factor, term = leaves
        for _ in range(operations // 2):
            h = h * factor + term
        return h, leaves

    def chain(self, **inputs):
        def step():
            h, leaves = self._built(**inputs)
            h.backward()
            return [leaf.grad for leaf in leaves]

        return step

    def chain_forward(self, **inputs):
        return lambda: self._built(**inputs)[:1]

    def fan_out(self, x, factors):
        def step():
            variable = self.leaf(x)
            total = self.leaf(numpy.zeros(1), False)
            for factor in [self.leaf(factor) for factor in factors]:
                total = total + variable * factor
            total.backward()
            return (variable.grad,)

        return step

    def doubling(self, x, depth):
        def step():
            variable = z = self.leaf(x)
            for _ in range(depth):
                z = z + z
            z.backward()
            return (variable.grad,)

        return step

    def perceptron(self, layers, x, y, rate):
        parameters = [self.leaf(array.copy()) for layer in layers for array in layer]
        x, y = self.leaf(x, False), self.leaf(y, False)

        def step():
            h = x
            for w, b in zip(parameters[:-2:2], parameters[1:-2:2]):
                h = self.F.relu(h.mm(w) + b)
            loss = self.F.cross_entropy(h.mm(parameters[-2]) + parameters[-1], y)
            loss.backward()
            return self.update(parameters, rate)

        return step

    def _squared_error(self, parameters, x, y):
        w1, b1, w2, b2 = parameters
        error = (x.mm(w1) + b1).tanh().mm(w2) + b2 - y
        return (error * error).mean()

    def small_perceptron(self, layers, x, y, rate):
        parameters = [self.leaf(array.copy()) for layer in layers for array in layer]
        x, y = self.leaf(x, False), self.leaf(y, False)

        def step():
            self._squared_error(parameters, x, y).backward()
            return self.update(parameters, rate)

        return step

    def regression(self, w, x, y, rate):
        w, x, y = self.leaf(w.copy()), self.leaf(x, False), self.leaf(y, False)

        def step():
            if w.grad is not None:
                w.grad.data.zero_()
            y_ = self.torch.mm(w, x)
            loss = self.torch.sum(self.torch.abs(y_ - y))
            loss.backward()
            w.data -= w.grad.data * rate
            return (w.grad,)

        return step

    def lenet(self, weights, biases, x, y, rate):
        parameters = [self.leaf(array.copy()) for pair in zip(weights, biases) for array in pair]
        x, y = self.leaf(x, False), self.leaf(y, False)

        def step():
            w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = parameters
            h = self.F.max_pool2d(self.F.relu(self.F.conv2d(x, w1, b1)), 2)
            h = self.F.max_pool2d(self.F.relu(self.F.conv2d(h, w2, b2)), 2)
            h = self.F.relu(self.F.linear(h.view(h.size(0), -1), w3, b3))
            h = self.F.relu(self.F.linear(h, w4, b4))
            self.F.cross_entropy(self.F.linear(h, w5, b5), y).backward()
            return self.update(parameters, rate)

        return step

    def second_derivative(self, layers, x, y, rate):
        parameters = [self.leaf(array) for layer in layers for array in layer]
        x, y = self.leaf(x), self.leaf(y, False)

        def step():
            (grad_x,) = self.torch.autograd.grad(self._squared_error(parameters, x, y), x, create_graph=True)
            return self.torch.autograd.grad((grad_x * grad_x).sum(), parameters[0])

        return step

    def convolution(self, x, weight, padding):
        def step():
            leaves = self.leaf(x), self.leaf(weight)
            self.F.conv2d(*leaves, padding=padding).sum().backward()
            return [leaf.grad for leaf in leaves]

        return step

    def max_pooling(self, x):
        def step():
            leaf = self.leaf(x)
            self.F.max_pool2d(leaf, 2).sum().backward()
            return (leaf.grad,)

        return step

    def loading(self, x, y):
        dataset = self.data.TensorDataset(self.torch.from_numpy(x), self.torch.from_numpy(y))
        loader = self.data.DataLoader(dataset, batch_size=64, shuffle=True)

        def step():
            return [self.leaf(numpy.array([float(sum(len(images) + 0 * len(labels) for images, labels in loader))]))]

        return step
