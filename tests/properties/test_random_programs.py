"""Random programs give the numbers and the gradients that modern torch gives.

programs.py says how to repeat a failure.
"""

import numpy
from hypothesis import event

from .operations import Ours
from .programs import ModernTorch, for_random_programs, kinds


@for_random_programs(300)
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
