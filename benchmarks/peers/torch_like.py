"""The workloads as users of torch write them. The lines are the same for this package and for modern torch."""

import numpy

from .eager import Eager
from .networks import networks


class TorchLike(Eager):
    """A peer with torch's names; `torch` is its module. A subclass makes the leaves."""

    def __init__(self, torch):
        self.torch, self.nn, self.optim = torch, torch.nn, torch.optim
        self.networks = networks(torch)

    def gradient(self, leaf):
        return leaf.grad.data.numpy()

    def _given(self, model, parameters):
        """Return the parameters of `model` after the arrays `parameters` were copied into them."""
        model.float() if parameters[0].dtype == "float32" else model.double()
        for parameter, array in zip(model.parameters(), parameters, strict=True):
            parameter.data.copy_(self.torch.from_numpy(array))
        return list(model.parameters())

    def _training(self, model, criterion, parameters, x, y, rate, optimizer="SGD"):
        trained = self._given(model, parameters)
        optimizer = getattr(self.optim, optimizer)(trained, lr=rate)
        x, y = self.leaf(x, False), self.leaf(y, False)

        def step():
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()

        return step, self._trained(trained)

    def _trained(self, parameters):
        return lambda: self._gradients(parameters)() + [parameter.data.numpy().copy() for parameter in parameters]

    def regressor(self, parameters, x, y, rate):
        nn = self.nn
        (hidden, inputs), outputs = parameters[0].shape, len(parameters[3])
        model = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))
        return self._training(model, nn.MSELoss(), parameters, x, y, rate)

    def classifier(self, parameters, x, y, rate):
        nn = self.nn
        (first, inputs), second, classes = parameters[0].shape, len(parameters[3]), len(parameters[5])
        model = nn.Sequential(
            nn.Linear(inputs, first),
            nn.ReLU(),
            nn.Linear(first, second),
            nn.ReLU(),
            nn.Linear(second, classes),
        )
        return self._training(model, nn.CrossEntropyLoss(), parameters, x, y, rate)

    def lenet(self, parameters, x, y, rate):
        nn = self.nn

        model = nn.Sequential(
            nn.Conv2d(1, 6, kernel_size=5),
            nn.ReLU(),
            nn.MaxPool2d(kernel_size=2),
            nn.Conv2d(6, 16, kernel_size=5),
            nn.ReLU(),
            nn.MaxPool2d(kernel_size=2),
            self.networks.Flatten(),
            nn.Linear(400, 120),
            nn.ReLU(),
            nn.Linear(120, 84),
            nn.ReLU(),
            nn.Linear(84, 10),
        )
        return self._training(model, nn.CrossEntropyLoss(), parameters, x, y, rate)

    def linear_regression(self, w, x, y, rate):
        torch = self.torch
        w, x, y = self.leaf(w.copy()), self.leaf(x, False), self.leaf(y, False)

        def step():
            if w.grad is not None:
                w.grad.data.zero_()
            y_ = torch.mm(w, x)
            loss = torch.sum(torch.abs(y_ - y))
            loss.backward()
            w.data -= w.grad.data * rate

        return step, lambda: [*self._gradients([w])(), w.data.numpy().copy()]

    def double_backward(self, w1, b1, w2, b2, x, y):
        grad = self.torch.autograd.grad
        w1, b1, w2, b2, x = [self.leaf(array) for array in (w1, b1, w2, b2, x)]
        y = self.leaf(y, False)
        found = None

        def step():
            nonlocal found
            error = (x.mm(w1) + b1).tanh().mm(w2) + b2 - y
            (grad_x,) = grad((error * error).mean(), x, create_graph=True)
            found = grad((grad_x * grad_x).sum(), w1)

        return step, lambda: [gradient.data.numpy().copy() for gradient in found]

    def _classifier(self, model, **data):
        return self._training(model, self.nn.CrossEntropyLoss(), **data)

    def recurrent(self, layer, sizes, width, classes, options, **data):
        return self._classifier(
            self.networks.LastStep(getattr(self.nn, layer)(*sizes, **options), width, classes), **data
        )

    def lstm_cell(self, state, sizes, **data):
        return self._classifier(self.networks.Unrolled(self.leaf(state, False), *sizes), **data)

    def characters(self, state, sizes, **data):
        return self._classifier(self.networks.Characters(self.leaf(state, False), *sizes), **data)

    def words(self, sizes, **data):
        return self._classifier(self.networks.MeanOfWords(*sizes), **data)

    def residual(self, sizes, **data):
        return self._classifier(self.networks.ResidualBlock(*sizes), **data)

    def deep(self, layers, width, **data):
        nn = self.nn
        model = nn.Sequential(*[layer for _ in range(layers) for layer in (nn.Linear(width, width), nn.Tanh())])
        return self._training(model, nn.MSELoss(), **data)

    def vae(self, noise, sizes, **data):
        return self._training(self.networks.VAE(self.leaf(noise, False), *sizes), self.networks.evidence, **data)

    def dcgan(self, width, of_generator, of_discriminator, noise, images, rate):
        generator, discriminator = self.networks.generator(width), self.networks.discriminator(width)
        trained = self._given(generator, of_generator), self._given(discriminator, of_discriminator)
        optimizer_g, optimizer_d = [self.optim.Adam(part, lr=rate, betas=(0.5, 0.999)) for part in trained]
        criterion, noise, images = self.nn.BCELoss(), self.leaf(noise, False), self.leaf(images, False)
        true, false = [self.leaf(numpy.full((len(images), 1, 1, 1), n, "float32"), False) for n in (1, 0)]

        def step():
            discriminator.zero_grad()
            criterion(discriminator(images), true).backward()
            made = generator(noise)
            criterion(discriminator(made.detach()), false).backward()
            optimizer_d.step()
            generator.zero_grad()
            criterion(discriminator(made), true).backward()
            optimizer_g.step()

        return step, self._trained([*trained[0], *trained[1]])

    def attention(self, queries, keys, values):
        torch, leaves = self.torch, [self.leaf(array) for array in (queries, keys, values)]
        softmax = self.nn.Softmax(dim=2)

        def step():
            for leaf in leaves:
                leaf.grad = None
            q, k, v = leaves
            weights = softmax(torch.bmm(q, k.transpose(1, 2)))
            torch.bmm(weights, v).pow(2).sum().backward()

        return step, self._gradients(leaves)

    def products(self, a, b, c):
        torch, leaves = self.torch, [self.leaf(array) for array in (a, b, c)]

        def step():
            for leaf in leaves:
                leaf.grad = None
            a, b, c = leaves
            torch.mm(torch.mm(a, b), c).sum().backward()

        return step, self._gradients(leaves)

    def elementwise(self, x, y):
        x, y = self.leaf(x), self.leaf(y)

        def step():
            x.grad = y.grad = None
            ((x * y + x).tanh() - y).sum().backward()

        return step, self._gradients([x, y])

    def indexing(self, x):
        x, found = self.leaf(x), None

        def step():
            nonlocal found
            found = x[1, 2], x[1], x[1:3], x[:, 2], x[1:3, 0:2]

        return step, lambda: [part.data.numpy().reshape(-1).copy() for part in found]
