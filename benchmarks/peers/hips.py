"""The workloads in HIPS autograd, which differentiates functions of arrays. It has no layers, so users write them."""

import autograd.numpy as np
import numpy
from autograd import grad

from . import programs


def _differentiated(function, *leaves):
    """`step` and `read` for the gradients of `function` with respect to all `leaves`."""
    derivative, found = grad(function, tuple(range(len(leaves)))), None

    def step():
        nonlocal found
        found = derivative(*leaves)

    return step, lambda: [numpy.array(gradient) for gradient in found]


def chain(operations, x, c, d):
    return _differentiated(lambda x, c, d: programs.chain(operations, x, c, d)[0], x, c, d)


def chain_with_constants(operations, x, c, d):
    return _differentiated(lambda x: programs.chain(operations, x, c, d)[0], x)


def doubling(x, depth):
    return _differentiated(lambda x: programs.doubling(x, depth)[0], x)


def fan_out(x, factors):
    # With respect to `x` alone: for a sequence of 3,000 arguments HIPS autograd takes time quadratic in its length.
    return _differentiated(lambda x: programs.fan_out(x, factors, numpy.zeros(1))[0], x)


def _training(loss, parameters, rate):
    """`loss` takes the list of parameters."""
    parameters = [array.copy() for array in parameters]
    derivative, gradients = grad(loss), None

    def step():
        nonlocal gradients
        gradients = derivative(parameters)
        for parameter, gradient in zip(parameters, gradients):
            parameter -= rate * gradient

    return step, lambda: [numpy.array(array) for array in (*gradients, *parameters)]


def _cross_entropy(scores, y):
    shifted = scores - np.max(scores, 1, keepdims=True)
    return -np.mean((shifted - np.log(np.sum(np.exp(shifted), 1, keepdims=True)))[numpy.arange(len(y)), y])


def regressor(parameters, x, y, rate):
    def loss(parameters):
        w1, b1, w2, b2 = parameters
        h = np.maximum(np.dot(x, w1.T) + b1, 0)
        return np.mean((np.dot(h, w2.T) + b2 - y) ** 2)

    return _training(loss, parameters, rate)


def classifier(parameters, x, y, rate):
    def loss(parameters):
        w1, b1, w2, b2, w3, b3 = parameters
        h = np.maximum(np.dot(x, w1.T) + b1, 0)
        h = np.maximum(np.dot(h, w2.T) + b2, 0)
        return _cross_entropy(np.dot(h, w3.T) + b3, y)

    return _training(loss, parameters, rate)


def linear_regression(w, x, y, rate):
    return _training(lambda parameters: np.sum(np.abs(np.dot(parameters[0], x) - y)), [w], rate)


def double_backward(w1, b1, w2, b2, x, y):
    def loss(x, w1):
        error = np.dot(np.tanh(np.dot(x, w1) + b1), w2) + b2 - y
        return np.mean(error * error)

    return _differentiated(lambda w1: np.sum(grad(loss)(x, w1) ** 2), w1)


def attention(queries, keys, values):
    def loss(q, k, v):
        scores = np.matmul(q, np.swapaxes(k, 1, 2))
        exponentials = np.exp(scores - np.max(scores, 2, keepdims=True))
        return np.sum(np.matmul(exponentials / np.sum(exponentials, 2, keepdims=True), v) ** 2)

    return _differentiated(loss, queries, keys, values)


def products(a, b, c):
    return _differentiated(lambda a, b, c: np.sum(np.dot(np.dot(a, b), c)), a, b, c)


def elementwise(x, y):
    return _differentiated(lambda x, y: np.sum(np.tanh(x * y + x) - y), x, y)
