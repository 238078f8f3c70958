"""The workloads in MyGrad. It has functions for networks, but no layers or optimizers, so users write the update.

Its guards against writes to arrays in use are off, as its documentation recommends for speed.
"""

import mygrad as mg
from mygrad.nnet.activations import relu, softmax
from mygrad.nnet.layers import conv_nd, max_pool
from mygrad.nnet.losses import softmax_crossentropy

from .eager import Eager

mg.turn_memory_guarding_off()


def _training(loss, parameters, rate):
    """`loss` takes the tensors of `parameters`."""
    parameters = [mg.tensor(array) for array in parameters]

    def step():
        loss(*parameters).backward()
        for parameter in parameters:
            parameter.data -= rate * parameter.grad

    def read():
        return [parameter.grad.copy() for parameter in parameters] + [parameter.data.copy() for parameter in parameters]

    return step, read


class MyGrad(Eager):
    def leaf(self, array, requires_grad=True):
        return mg.tensor(array, constant=not requires_grad)

    def gradient(self, leaf):
        return leaf.grad

    def regressor(self, parameters, x, y, rate):
        def loss(w1, b1, w2, b2):
            error = relu(x @ w1.T + b1) @ w2.T + b2 - y
            return (error**2).mean()

        return _training(loss, parameters, rate)

    def classifier(self, parameters, x, y, rate):
        def loss(w1, b1, w2, b2, w3, b3):
            h = relu(x @ w1.T + b1)
            h = relu(h @ w2.T + b2)
            return softmax_crossentropy(h @ w3.T + b3, y)

        return _training(loss, parameters, rate)

    def lenet(self, parameters, x, y, rate):
        def loss(w1, b1, w2, b2, w3, b3, w4, b4, w5, b5):
            h = max_pool(relu(conv_nd(x, w1, stride=1) + b1.reshape(1, -1, 1, 1)), (2, 2), 2)
            h = max_pool(relu(conv_nd(h, w2, stride=1) + b2.reshape(1, -1, 1, 1)), (2, 2), 2)
            h = relu(h.reshape(len(x), -1) @ w3.T + b3)
            h = relu(h @ w4.T + b4)
            return softmax_crossentropy(h @ w5.T + b5, y)

        return _training(loss, parameters, rate)

    def attention(self, queries, keys, values):
        leaves = [mg.tensor(array) for array in (queries, keys, values)]

        def step():
            q, k, v = leaves
            weights = softmax(mg.matmul(q, mg.swapaxes(k, 1, 2)), axis=2)
            (mg.matmul(weights, v) ** 2).sum().backward()

        return step, self._gradients(leaves)

    def products(self, a, b, c):
        a, b, c = leaves = [mg.tensor(array) for array in (a, b, c)]
        return lambda: (a @ b @ c).sum().backward(), self._gradients(leaves)

    def elementwise(self, x, y):
        x, y = leaves = [mg.tensor(array) for array in (x, y)]
        return lambda: (mg.tanh(x * y + x) - y).sum().backward(), self._gradients(leaves)

    def linear_regression(self, w, x, y, rate):
        return _training(lambda w: mg.sum(mg.abs(w @ x - y)), [w], rate)


PEER = MyGrad()
