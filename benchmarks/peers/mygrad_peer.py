"""The workloads in MyGrad, with its guards against writing to arrays in use switched off (half of its time)."""

import mygrad as mg
import numpy
from mygrad.nnet.layers import conv_nd, max_pool
from mygrad.nnet.losses import softmax_crossentropy

mg.turn_memory_guarding_off()


def to_numpy(gradients):
    return list(gradients)


def _leaves(*arrays):
    return [mg.tensor(array) for array in arrays]


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
        total = mg.tensor(numpy.zeros(1), constant=True)
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
    arrays = [array.copy() for array in arrays]

    def step():
        parameters = _leaves(*arrays)
        loss(parameters).backward()
        gradients = [parameter.grad for parameter in parameters]
        for array, gradient in zip(arrays, gradients):
            array -= rate * gradient
        return gradients

    return step


def perceptron(layers, x, y, rate):
    def loss(parameters):
        h = x
        for w, b in zip(parameters[:-2:2], parameters[1:-2:2]):
            h = mg.maximum(h @ w + b, 0)
        return softmax_crossentropy(h @ parameters[-2] + parameters[-1], y)

    return _trained(loss, [array for layer in layers for array in layer], rate)


def small_perceptron(layers, x, y, rate):
    def loss(parameters):
        w1, b1, w2, b2 = parameters
        error = mg.tanh(x @ w1 + b1) @ w2 + b2 - y
        return (error * error).mean()

    return _trained(loss, [array for layer in layers for array in layer], rate)


def regression(w, x, y, rate):
    return _trained(lambda parameters: mg.abs(parameters[0] @ x - y).sum(), [w], rate)


def lenet(weights, biases, x, y, rate):
    def loss(parameters):
        w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = parameters
        h = max_pool(mg.maximum(conv_nd(x, w1, stride=1) + b1.reshape(1, -1, 1, 1), 0), (2, 2), 2)
        h = max_pool(mg.maximum(conv_nd(h, w2, stride=1) + b2.reshape(1, -1, 1, 1), 0), (2, 2), 2)
        h = mg.maximum(h.reshape(len(x), -1) @ w3.T + b3, 0)
        h = mg.maximum(h @ w4.T + b4, 0)
        return softmax_crossentropy(h @ w5.T + b5, y)

    return _trained(loss, [array for pair in zip(weights, biases) for array in pair], rate)
