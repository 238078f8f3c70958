"""Random programs give the numbers and the gradients that modern torch gives.

RANDOM_PROGRAMS=10000 in the environment runs that many (300 otherwise). A failure prints the program in its smallest
form, and the line `@reproduce_failure(...)` with which to run it again.
"""

import os

import numpy
from hypothesis import HealthCheck, event, given, settings

from legacy_autograd.functions import cat, stack
from legacy_autograd.tensor import LongTensor, Tensor
from legacy_autograd.variable import Variable

from .programs import ModernTorch, kinds, programs

COUNT = int(os.environ.get("RANDOM_PROGRAMS", 300))


class Ours:
    cat = staticmethod(cat)
    stack = staticmethod(stack)
    index = staticmethod(LongTensor)

    @staticmethod
    def maximum(a, b):
        return a.cmax(b)

    @staticmethod
    def minimum(a, b):
        return a.cmin(b)

    @staticmethod
    def leaf(numbers, requires_grad):
        return Variable(Tensor(numbers), requires_grad=requires_grad)

    @staticmethod
    def scalar(x):
        return x

    @staticmethod
    def backward(root, gradient):
        root.backward(Tensor(gradient))


@settings(
    max_examples=COUNT,
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(programs())
def test_gradients_of_random_programs_are_modern_torchs(program):
    ours, theirs = program.run(Ours), program.run(ModernTorch)
    assert len(ours) == len(theirs)
    for number, (value, expected) in enumerate(zip(ours, theirs)):
        assert tuple(value.size()) == tuple(expected.shape), f"size of v{number}"
        assert value.requires_grad == expected.requires_grad, f"requires_grad of v{number}"
        numpy.testing.assert_allclose(
            value.data.numpy(), expected.detach().numpy(), rtol=1e-9, atol=1e-11, err_msg=f"v{number}"
        )

    program.backward(Ours, ours)
    program.backward(ModernTorch, theirs)
    for number in range(len(program.leaves)):
        leaf, expected = ours[number], theirs[number]
        if not expected.requires_grad:
            assert leaf.grad is None
            continue
        gradient = numpy.zeros(expected.shape) if expected.grad is None else expected.grad.numpy()
        scale = 1 + numpy.abs(gradient).max(initial=0)
        numpy.testing.assert_allclose(
            leaf.grad.numpy(), gradient, rtol=1e-9, atol=1e-11 * scale, err_msg=f"gradient of v{number}"
        )
    for operation in kinds(program):
        event(operation)
