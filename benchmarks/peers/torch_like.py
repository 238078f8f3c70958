"""The workloads as users of torch write them. The lines are the same for this package and for modern torch."""

from .eager import Eager


class TorchLike(Eager):
    """A peer with torch's names; `torch` is its module. A subclass makes the leaves."""

    def __init__(self, torch):
        self.torch, self.nn, self.optim = torch, torch.nn, torch.optim

    def gradient(self, leaf):
        return leaf.grad.data.numpy()

    def _training(self, model, criterion, parameters, x, y, rate):
        model = model.float() if x.dtype == "float32" else model.double()
        for parameter, array in zip(model.parameters(), parameters, strict=True):
            parameter.data.copy_(self.torch.from_numpy(array))
        optimizer = self.optim.SGD(model.parameters(), lr=rate)
        x, y = self.leaf(x, False), self.leaf(y, False)

        def step():
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()

        def read():
            trained = list(model.parameters())
            return self._gradients(trained)() + [parameter.data.numpy().copy() for parameter in trained]

        return step, read

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

        class Flatten(nn.Module):  # as users of 2016 wrote it, before nn.Flatten
            def forward(self, images):
                return images.view(images.size(0), -1)

        model = nn.Sequential(
            nn.Conv2d(1, 6, kernel_size=5),
            nn.ReLU(),
            nn.MaxPool2d(kernel_size=2),
            nn.Conv2d(6, 16, kernel_size=5),
            nn.ReLU(),
            nn.MaxPool2d(kernel_size=2),
            Flatten(),
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
