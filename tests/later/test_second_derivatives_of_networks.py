"""Second derivatives of whole networks, with convolution, pooling, batch norm and losses, beside modern torch's."""

import numpy
import pytest

from .both import same


def set_parameters(t, network):
    """The same numbers under both: the two libraries draw others."""
    rng = numpy.random.default_rng(0)
    for parameter in network.parameters():
        parameter.data.copy_(t.tensor(rng.standard_normal(tuple(parameter.size())) * 0.4))
    return network


def image_network(t):
    nn = t.torch.nn
    if t.is_modern:
        conv, norm = nn.Conv2d(2, 3, 3).double(), nn.BatchNorm2d(3).double()
        second, linear = nn.Conv2d(3, 4, 2, 2).double(), nn.Linear(4, 3).double()
    else:
        conv, norm, second, linear = (
            nn.Conv2d(2, 3, 3, 3),
            nn.BatchNorm2d(3),
            nn.Conv2d(3, 4, 2, 2, 2, 2),
            nn.Linear(4, 3),
        )
    parts = [set_parameters(t, part) for part in (conv, norm, second, linear)]

    def run(x):
        x = nn.functional.avg_pool2d(norm(conv(x)).tanh(), 2)
        x = nn.functional.max_pool2d(second(x).sigmoid(), 1)
        return linear(x.view(x.size(0), 4))

    return run, [parameter for part in parts for parameter in part.parameters()]


LOSSES = {
    "cross_entropy": lambda t, scores, target: t.torch.nn.functional.cross_entropy(scores, target),
    "nll_loss": lambda t, scores, target: t.torch.nn.functional.nll_loss((scores * scores).log_softmax(1), target),
    "mse_loss": lambda t, scores, target: t.torch.nn.functional.mse_loss(scores, scores.detach() * 0.5),
    "smooth_l1_loss": lambda t, scores, target: t.torch.nn.functional.smooth_l1_loss(scores, scores.detach() * 0.5),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_hessian_times_vector(loss):
    rng = numpy.random.default_rng(1)
    images, classes = rng.standard_normal((5, 2, 6, 6)), [0, 2, 1, 1, 0]

    def program(t):
        run, parameters = image_network(t)
        x = t.variable(images)
        target = t.torch.LongTensor(classes)
        if not t.is_modern:
            target = t.torch.autograd.Variable(target)
        value = LOSSES[loss](t, run(x), target)
        first = t.autograd.grad(value, [x, *parameters], create_graph=True)
        v = numpy.random.default_rng(2)
        total = sum(
            [
                (gradient * t.variable(v.standard_normal(tuple(gradient.size())), requires_grad=False)).sum()
                for gradient in first
            ]
        )
        return value, first, t.autograd.grad(total, [x, *parameters])

    same(program)


def test_the_penalty_of_wasserstein_networks():
    """The norm of the gradient by the images is pulled to 1; backward of that goes to the parameters."""
    rng = numpy.random.default_rng(3)
    real, fake, mixture = rng.standard_normal((4, 2, 6, 6)), rng.standard_normal((4, 2, 6, 6)), rng.random((4, 1, 1, 1))

    def program(t):
        run, parameters = image_network(t)
        x = t.variable(mixture * real + (1 - mixture) * fake)
        scores = run(x)
        ones = t.tensor(numpy.ones(tuple(scores.size())))
        (gradient,) = t.autograd.grad(scores, x, ones, create_graph=True)
        norms = (gradient.view(4, -1) ** 2).sum(1).sqrt()
        loss = scores.mean() + 10 * ((norms - 1) ** 2).mean()
        loss.backward()
        return loss, [parameter.grad for parameter in parameters]

    same(program)
