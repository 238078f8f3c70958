"""The workloads in DeZero, with its layers, models and optimizers."""

import numpy

from .eager import Eager

if not hasattr(numpy, "int"):
    numpy.int = int  # DeZero 0.0.13 uses this name, which NumPy 1.24 removed, while it is imported

import dezero.functions as F
import dezero.layers as L
from dezero import Function, Variable, optimizers
from dezero.models import Model, Sequential


class Abs(Function):
    """DeZero has no absolute value. Its book teaches readers to write a missing Function like this."""

    def forward(self, x):
        return numpy.abs(x)

    def backward(self, gy):
        (x,) = self.inputs
        return gy * numpy.sign(x.data)


class LeNet(Model):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = L.Conv2d(6, 5), L.Conv2d(16, 5)
        self.fc1, self.fc2, self.fc3 = L.Linear(120), L.Linear(84), L.Linear(10)

    def forward(self, x):
        x = F.pooling(F.relu(self.conv1(x)), 2, 2)
        x = F.pooling(F.relu(self.conv2(x)), 2, 2)
        x = F.reshape(x, (x.shape[0], -1))
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


class LastStep(Model):
    """An LSTM, and a Linear on its last step."""

    def __init__(self, width, classes):
        super().__init__()
        self.lstm, self.linear = L.LSTM(width), L.Linear(classes)

    def forward(self, x):
        self.lstm.reset_state()
        for step in x:
            h = self.lstm(step)
        return self.linear(h)


def _training(model, layers, criterion, parameters, x, y, rate, optimizer="SGD"):
    for layer, weight, bias in zip(layers, parameters[::2], parameters[1::2], strict=True):
        # DeZero's Linear keeps its weight with the inputs first.
        layer.W.data = numpy.ascontiguousarray(weight.T) if weight.ndim == 2 else weight.copy()
        layer.b.data = bias.copy()
    optimizer = getattr(optimizers, optimizer)(rate).setup(model)

    def step():
        loss = criterion(model(x), y)
        model.cleargrads()
        loss.backward()
        optimizer.update()

    def outputs_first(array):
        return array.T if array.ndim == 2 else array.copy()

    def read():
        trained = [parameter for layer in layers for parameter in (layer.W, layer.b)]
        gradients = [outputs_first(parameter.grad.data) for parameter in trained]
        return gradients + [outputs_first(parameter.data) for parameter in trained]

    return step, read


class DeZero(Eager):
    def leaf(self, array, requires_grad=True):
        return Variable(array)

    def gradient(self, leaf):
        return leaf.grad.data

    def regressor(self, parameters, x, y, rate):
        layers = [L.Linear(len(bias), dtype=x.dtype) for bias in parameters[1::2]]
        model = Sequential(layers[0], F.relu, layers[1])
        return _training(model, layers, F.mean_squared_error, parameters, x, y, rate)

    def classifier(self, parameters, x, y, rate):
        layers = [L.Linear(len(bias), dtype=x.dtype) for bias in parameters[1::2]]
        model = Sequential(layers[0], F.relu, layers[1], F.relu, layers[2])
        return _training(model, layers, F.softmax_cross_entropy, parameters, x, y, rate)

    def lenet(self, parameters, x, y, rate):
        model = LeNet()
        layers = [model.conv1, model.conv2, model.fc1, model.fc2, model.fc3]
        return _training(model, layers, F.softmax_cross_entropy, parameters, x, y, rate)

    def deep(self, layers, width, **data):
        linear = [L.Linear(width) for _ in range(layers)]
        model = Sequential(*[function for layer in linear for function in (layer, F.tanh)])
        # DeZero divides the squared error by the number of samples alone.
        return _training(model, linear, lambda found, y: F.mean_squared_error(found, y) / width, **data)

    def recurrent(self, layer, sizes, width, classes, options, parameters, x, y, rate, optimizer):
        """The LSTM with one layer and direction. Its gates are four layers, with one bias instead of torch's two."""
        if layer != "LSTM" or sizes[2] > 1 or options["bidirectional"]:
            return None
        model = LastStep(width, classes)
        lstm, linear = model.lstm, model.linear
        of_input, of_state, bias, second_bias, weight, linear.b.data = [array.copy() for array in parameters]
        linear.W.data = numpy.ascontiguousarray(weight.T)
        inner, outer = (lstm.x2i, lstm.x2f, lstm.x2u, lstm.x2o), (lstm.h2i, lstm.h2f, lstm.h2u, lstm.h2o)
        for number, (x2, h2) in enumerate(zip(inner, outer)):
            gate = slice(number * width, (number + 1) * width)
            x2.W.data, x2.b.data = of_input[gate].T.copy(), (bias + second_bias)[gate]
            h2.W.data = of_state[gate].T.copy()
        optimizer = getattr(optimizers, optimizer)(rate).setup(model)

        def step():
            loss = F.softmax_cross_entropy(model(x), y)
            model.cleargrads()
            loss.backward()
            optimizer.update()

        def read():
            found = []
            for of in (lambda parameter: parameter.grad.data, lambda parameter: parameter.data):
                both = numpy.concatenate([of(x2.b) for x2 in inner])
                kept = second_bias if found else numpy.zeros_like(both)  # the second bias is no parameter
                found += [numpy.concatenate([of(layer.W).T for layer in layers]) for layers in (inner, outer)]
                found += [both - kept, kept if kept.any() else both, of(linear.W).T, of(linear.b)]
            return found

        return step, read

    def linear_regression(self, w, x, y, rate):
        w, x, y = Variable(w.copy()), Variable(x), Variable(y)

        def step():
            y_ = F.matmul(w, x)
            loss = F.sum(Abs()(y_ - y))
            w.cleargrad()
            loss.backward()
            w.data -= rate * w.grad.data

        return step, lambda: [w.grad.data.copy(), w.data.copy()]

    def double_backward(self, w1, b1, w2, b2, x, y):
        w1, b1, w2, b2, x = [Variable(array) for array in (w1, b1, w2, b2, x)]

        def step():
            loss = F.mean_squared_error(F.linear(F.tanh(F.linear(x, w1, b1)), w2, b2), y)
            x.cleargrad()
            loss.backward(create_graph=True)
            grad_x = x.grad
            for leaf in (w1, b1, w2, b2, x):
                leaf.cleargrad()
            F.sum(grad_x * grad_x).backward()

        return step, self._gradients([w1])


PEER = DeZero()
