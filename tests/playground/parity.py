"""Results that are compared natively and in the live page: all Functions, and random programs.

It runs in both: in the page without torch and hypothesis. Numbers are written as their bytes, so nothing is rounded.
"""

import json
import sys

from properties import operations

import legacy_autograd as torch
from legacy_autograd import autograd
from legacy_autograd.autograd import Variable
from legacy_autograd.drawing import examples


def written(tensor):
    """Return the type, the shape and the bytes of a Tensor or Variable; None for None."""
    if tensor is None:
        return None
    tensor = tensor.data.contiguous()
    return [tensor.type(), list(tensor.size()), tensor.array.tobytes().hex()]


def weights_like(variables, seed):
    """Return gradients for outputs, such that all elements count differently: fractions that are exact."""
    made = []
    for v in variables:
        count = v.data.numel()
        numbers = [((7 * i + seed) % 16 + 1) / 16 for i in range(count)]
        made.append(v.data.new(numbers).view(*v.size()))
    return made


def function_results(name):
    """Return the outputs of the example of a Function, its gradients, and its second derivatives."""
    result = {}
    try:
        torch.manual_seed(0)
        _, inputs, outputs, _ = examples.example(name)
        result["forward"] = [written(v) for v in outputs]
        leaves = [v for v in inputs.values() if isinstance(v, Variable) and v.requires_grad]
        roots = [v for v in outputs if v.requires_grad]
        if not roots:
            return result
        for root, gradient in zip(roots, weights_like(roots, 0)):
            root.backward(gradient)
        result["backward"] = [written(v.grad) for v in leaves]
        torch.manual_seed(0)
        _, inputs, outputs, _ = examples.example(name)
        leaves = [v for v in inputs.values() if isinstance(v, Variable) and v.requires_grad]
        roots = [v for v in outputs if v.requires_grad]
        gradients = [Variable(g) for g in weights_like(roots, 3)]
        first = autograd.grad(roots, leaves, gradients, create_graph=True, allow_unused=True)
        first = [g for g in first if g is not None and g.requires_grad]
        if first:
            second = autograd.grad(first, [*leaves, *gradients], weights_like(first, 5), allow_unused=True)
            result["second"] = [written(g) for g in second]
    except Exception as error:  # a Function without a second derivative says so, natively and in the page
        result["error"] = f"{type(error).__name__}: {error}"
    return result


def program_results(leaves, steps, roots):
    """Return all values of a random program, and the gradients of its leaves."""
    program = operations.Program(leaves, [operations.Step(*step) for step in steps], roots)
    values = program.run(operations.Ours)
    program.backward(operations.Ours, values)
    gradients = [v.grad for v in values[: len(leaves)] if v.requires_grad]
    return [written(v) for v in values], [written(g) for g in gradients]


def results(programs):
    """Return all results as JSON. Each program is the text of a tuple (leaves, steps, roots)."""
    with_slices = {"slice": slice}
    return json.dumps(
        {
            "functions": {name: function_results(name) for name in examples.function_classes()},
            "programs": [program_results(*eval(text, with_slices)) for text in programs],
            "bits": sys.maxsize.bit_length() + 1,
        }
    )
