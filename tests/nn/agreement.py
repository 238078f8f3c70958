"""The same layer here and in modern torch: outputs, gradients and second derivatives have to agree."""

import numpy
import torch

import legacy_autograd
from legacy_autograd.autograd import Variable


def tensor(array):
    return legacy_autograd.from_numpy(numpy.array(array))


def variable(array, requires_grad=None):
    floating = array.dtype.kind == "f"
    return Variable(tensor(array), requires_grad=floating if requires_grad is None else requires_grad)


def modern(array):
    return torch.tensor(array, requires_grad=array.dtype.kind == "f")


def copy_parameters(ours, theirs):
    """Give modern torch's module the numbers of ours, which has the same names."""
    expected = dict(theirs.named_parameters())
    assert sorted(expected) == sorted(name for name, _ in ours.named_parameters())
    for name, parameter in ours.named_parameters():
        assert tuple(parameter.size()) == tuple(expected[name].shape), name
        expected[name].data.copy_(torch.from_numpy(parameter.data.array))


def flat(output):
    """The floating-point results of a module, which may be nested in tuples."""
    if isinstance(output, (tuple, list)):
        return [part for item in output for part in flat(item)]
    kind = output.data.array.dtype.kind if isinstance(output, Variable) else "f" if output.is_floating_point() else "i"
    return [output] if kind == "f" else []


def close(ours, theirs, what, tolerance=1e-10):
    theirs = theirs.detach().numpy(force=True)
    theirs = theirs.reshape(1) if theirs.ndim == 0 else theirs  # v0.1.x has no zero-dimensional tensors
    assert ours.shape == theirs.shape, f"{what}: {ours.shape}, and with torch {theirs.shape}"
    assert ours.dtype == theirs.dtype, what
    scale = max(1, numpy.abs(theirs[numpy.isfinite(theirs)]).max(initial=0))
    numpy.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * scale, err_msg=what)


def agree(ours, theirs, *arrays, second=True, tolerance=1e-10, seed=0):
    """Call both (modules, or functions) on `arrays`, of which the floating-point ones require a gradient.

    Compares all floating-point outputs, the gradients of a weighted sum of them with respect to all arrays and
    parameters, and (`second`) the gradients of a weighted sum of those.
    """
    own_parameters, parameters = [], []
    if isinstance(theirs, torch.nn.Module):
        copy_parameters(ours, theirs)
        own_parameters = list(ours.parameters())
        by_name = dict(theirs.named_parameters())
        parameters = [by_name[name] for name, _ in ours.named_parameters()]
    own_inputs, inputs = [variable(a) for a in arrays], [modern(a) for a in arrays]
    own_outputs, outputs = flat(ours(*own_inputs)), flat(theirs(*inputs))
    assert len(own_outputs) == len(outputs)
    for number, (a, b) in enumerate(zip(own_outputs, outputs)):
        close(a.data.array, b, f"output {number}", tolerance)

    own_wanted = [v for v in own_inputs if v.requires_grad] + own_parameters
    wanted = [v for v in inputs if v.requires_grad] + parameters
    rng = numpy.random.default_rng(seed)
    weights = [rng.normal(size=tuple(a.size())) for a in own_outputs]
    own_grads = legacy_autograd.autograd.grad(
        own_outputs, own_wanted, [tensor(w) for w in weights], allow_unused=True, create_graph=second
    )
    grads = torch.autograd.grad(
        outputs, wanted, [torch.tensor(w).view(b.shape) for w, b in zip(weights, outputs)], second, second, True
    )
    for number, (a, b) in enumerate(zip(own_grads, grads)):
        if a is None or b is None:
            assert (a is None or not a.data.array.any()) and (b is None or not b.any()), f"gradient {number}"
        else:
            close(a.data.array, b, f"gradient {number}", tolerance)
    if second:
        compare_second(own_grads, grads, own_wanted, wanted, rng, tolerance)


def compare_second(own_grads, grads, own_wanted, wanted, rng, tolerance):
    pairs = [(a, b) for a, b in zip(own_grads, grads) if a is not None and b is not None and b.requires_grad]
    if not pairs:
        return
    weights = [rng.normal(size=tuple(a.size())) for a, _ in pairs]
    theirs = torch.autograd.grad(
        [b for _, b in pairs], wanted, [torch.tensor(w).view(b.shape) for w, (_, b) in zip(weights, pairs)],
        allow_unused=True,
    )  # fmt: skip
    recorded = [(a, w) for (a, _), w in zip(pairs, weights) if a.requires_grad]
    ours = [None] * len(wanted)
    if recorded:
        ours = legacy_autograd.autograd.grad(
            [a for a, _ in recorded], own_wanted, [tensor(w) for _, w in recorded], allow_unused=True
        )
    for number, (a, b) in enumerate(zip(ours, theirs)):
        if a is None or b is None:
            assert (a is None or not a.array.any()) and (b is None or not b.any()), f"second gradient {number}"
        else:
            close(a.data.array, b, f"second gradient {number}", 10 * tolerance)
