"""One program under this package and under modern torch: `same(program)` runs it twice and compares what it returns.

A program is a function of one argument, `t`, which has `t.torch` (the package), `t.variable(numbers)` and
`t.raised(function)`, the class of what a function raises. It may return tensors, Variables, gradients that are None,
plain values, and tuples, lists and dictionaries of these.
"""

import numpy
import torch

import legacy_autograd
from legacy_autograd.autograd import Variable


class Ours:
    torch = legacy_autograd
    autograd = legacy_autograd.autograd
    is_modern = False

    def variable(self, numbers, requires_grad=True):
        return Variable(legacy_autograd.DoubleTensor(numpy.array(numbers, float)), requires_grad=requires_grad)

    def tensor(self, numbers):
        return legacy_autograd.DoubleTensor(numpy.array(numbers, float))

    def raised(self, function, *arguments):
        return raised(function, *arguments)


class Modern(Ours):
    torch = torch
    autograd = torch.autograd
    is_modern = True

    def variable(self, numbers, requires_grad=True):
        return torch.tensor(numpy.array(numbers, float), requires_grad=requires_grad)

    def tensor(self, numbers):
        return torch.tensor(numpy.array(numbers, float))


def raised(function, *arguments):
    """The class of the exception that a call raises, of those that Python itself defines; None if it raises none."""
    try:
        function(*arguments)
    except Exception as error:
        return next(cls for cls in type(error).__mro__ if cls.__module__ == "builtins").__name__
    return None


def plain(value):
    """Without anything of either package: arrays, numbers, and containers of them."""
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, torch.Tensor):
        return value.detach().numpy().copy()
    if hasattr(value, "array"):
        return value.array.copy()
    return value


def agree(ours, modern, where="the result"):
    if isinstance(modern, numpy.ndarray):
        assert isinstance(ours, numpy.ndarray), f"{where}: {ours!r}, and with torch {modern!r}"
        # What is a scalar today has one dimension here.
        assert ours.shape == modern.shape or (ours.shape == (1,) and modern.shape == ()), f"{where}: {ours.shape}"
        numpy.testing.assert_allclose(ours, modern.reshape(ours.shape), rtol=1e-10, atol=1e-12, err_msg=where)
    elif isinstance(modern, (list, dict)):
        assert type(ours) is type(modern) and len(ours) == len(modern), f"{where}: {ours!r}, and with torch {modern!r}"
        for key in modern if isinstance(modern, dict) else range(len(modern)):
            agree(ours[key], modern[key], f"{where}[{key!r}]")
    else:
        assert ours == modern, f"{where}: {ours!r}, and with torch {modern!r}"


def same(program):
    """Run `program` under both, compare, and return what it gave here."""
    ours, modern = program(Ours()), program(Modern())
    agree(plain(ours), plain(modern))
    return ours
