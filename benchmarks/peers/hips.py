"""The workloads in HIPS autograd, where a derivative is asked of a function of arrays."""

import autograd.numpy as np
import numpy
from autograd import grad


def to_numpy(gradients):
    return [numpy.asarray(gradient) for gradient in gradients]


def chain(operations, x, c, d):
    def built(leaves):
        h, factor, term = leaves
        for _ in range(operations // 2):
            h = h * factor + term
        return h[0]

    derivative = grad(built)
    return lambda: derivative((numpy.array([x]), numpy.array([c]), numpy.array([d])))


def fan_out(x, factors):
    def total(x):  # of `x` alone: a list of 3,000 arguments takes it forty times as long
        total = numpy.zeros(1)
        for factor in factors:
            total = total + x * factor
        return total[0]

    derivative = grad(total)
    return lambda: (derivative(x),)


def doubling(x, depth):
    def built(z):
        for _ in range(depth):
            z = z + z
        return z[0]

    derivative = grad(built)
    return lambda: (derivative(x),)


def _trained(loss, parameters, rate):
    derivative = grad(loss)

    def step():
        gradients = derivative(parameters)
        for parameter, gradient in zip(parameters, gradients):
            parameter -= rate * gradient
        return gradients

    return step


def perceptron(layers, x, y, rate):
    rows = numpy.arange(len(y))

    def loss(parameters):
        h = x
        for w, b in zip(parameters[:-2:2], parameters[1:-2:2]):
            h = np.maximum(h @ w + b, 0)
        scores = h @ parameters[-2] + parameters[-1]
        shifted = scores - np.max(scores, 1, keepdims=True)
        return -np.mean((shifted - np.log(np.sum(np.exp(shifted), 1, keepdims=True)))[rows, y])

    return _trained(loss, [array.copy() for layer in layers for array in layer], rate)


def small_perceptron(layers, x, y, rate):
    def loss(parameters):
        w1, b1, w2, b2 = parameters
        error = np.tanh(x @ w1 + b1) @ w2 + b2 - y
        return np.mean(error * error)

    return _trained(loss, [array.copy() for layer in layers for array in layer], rate)


def regression(w, x, y, rate):
    return _trained(lambda parameters: np.sum(np.abs(np.dot(parameters[0], x) - y)), [w.copy()], rate)


def second_derivative(layers, x, y, rate):
    (w1, b1), (w2, b2) = layers

    def loss(x, w1):
        error = np.tanh(x @ w1 + b1) @ w2 + b2 - y
        return np.mean(error * error)

    derivative = grad(lambda w1: np.sum(grad(loss)(x, w1) ** 2))
    return lambda: (derivative(w1),)
