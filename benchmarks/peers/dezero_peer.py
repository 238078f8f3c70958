"""The workloads in DeZero."""

import numpy

if not hasattr(numpy, "int"):
    numpy.int = int  # DeZero 0.0.13 uses this name, which numpy dropped in 1.24, while it is imported

import dezero.functions as F
from dezero import Variable


def to_numpy(gradients):
    return [gradient.data for gradient in gradients]


def _leaves(*arrays):
    return [Variable(numpy.asarray(array)) for array in arrays]


def chain(operations, x, c, d):
    def step():
        leaves = h, factor, term = _leaves([x], [c], [d])
        for _ in range(operations // 2):
            h = h * factor + term
        h.backward()
        return [leaf.grad for leaf in leaves]

    return step


def fan_out(x, factors):
    def step():
        (leaf,) = _leaves(x)
        total = Variable(numpy.zeros(1))
        for factor in _leaves(*factors):
            total = total + leaf * factor
        total.backward()
        return (leaf.grad,)

    return step


def doubling(x, depth):
    def step():
        (leaf,) = _leaves(x)
        z = leaf
        for _ in range(depth):
            z = z + z
        z.backward()
        return (leaf.grad,)

    return step


def _trained(loss, arrays, rate):
    parameters = _leaves(*[array.copy() for array in arrays])

    def step():
        for parameter in parameters:
            parameter.cleargrad()
        loss(parameters).backward()
        gradients = [parameter.grad for parameter in parameters]
        for parameter, gradient in zip(parameters, gradients):
            parameter.data -= rate * gradient.data
        return gradients

    return step


def perceptron(layers, x, y, rate):
    def loss(parameters):
        h = x
        for w, b in zip(parameters[:-2:2], parameters[1:-2:2]):
            h = F.relu(F.linear(h, w, b))
        return F.softmax_cross_entropy(F.linear(h, parameters[-2], parameters[-1]), y)

    return _trained(loss, [array for layer in layers for array in layer], rate)


def small_perceptron(layers, x, y, rate):
    def loss(parameters):
        w1, b1, w2, b2 = parameters
        return F.mean_squared_error(F.linear(F.tanh(F.linear(x, w1, b1)), w2, b2), y)

    return _trained(loss, [array for layer in layers for array in layer], rate)


def lenet(weights, biases, x, y, rate):
    def loss(parameters):
        w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = parameters
        h = F.pooling(F.relu(F.conv2d(x, w1, b1)), 2, 2)
        h = F.pooling(F.relu(F.conv2d(h, w2, b2)), 2, 2)
        h = F.relu(F.linear(F.reshape(h, (len(x), -1)), F.transpose(w3), b3))
        h = F.relu(F.linear(h, F.transpose(w4), b4))
        return F.softmax_cross_entropy(F.linear(h, F.transpose(w5), b5), y)

    return _trained(loss, [array for pair in zip(weights, biases) for array in pair], rate)
