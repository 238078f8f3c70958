import torch

from legacy_autograd.autograd.functions import basic_ops as f

from .table import PAIRS, SIZES, cases, positive, real


def pairs(function, reference, a=real, b=real):
    return cases(function, reference, *[(a(*one), b(*other)) for one, other in PAIRS])


def each(function, reference, *constants, x=real, **named):
    return cases(function, reference, *[x(*size) for size in SIZES], constants=constants, named=named)


def nonzero(*size):
    return real(*size, low=0.4, high=2.0)


BASES = {"Broadcasting", "ConstantFunction"}
CASES = [
    *pairs(f.Add, torch.add),
    *pairs(f.Sub, torch.sub),
    *pairs(f.Mul, torch.mul),
    *pairs(f.Div, torch.div, b=nonzero),
    *pairs(f.Pow, torch.pow, a=positive),
    *each(f.AddConstant, lambda x: x + 1.5, 1.5),
    *each(f.AddConstant, lambda x: x + 2, 2),
    *each(f.SubConstant, lambda x: x - 1.5, 1.5),
    *each(f.SubConstant, lambda x: 1.5 - x, 1.5, sub_tensor=True),
    *each(f.MulConstant, lambda x: x * 2.5, 2.5),
    *each(f.DivConstant, lambda x: x / 2.5, 2.5),
    *each(f.DivConstant, lambda x: 2.5 / x, 2.5, x=nonzero, div_by_tensor=True),
    *each(f.PowConstant, lambda x: x**2, 2),
    *each(f.PowConstant, lambda x: x**3, 3),
    *each(f.PowConstant, lambda x: x**2.5, 2.5, x=positive),
    *each(f.PowConstant, lambda x: x**-1, -1, x=positive),
    *each(f.PowConstant, lambda x: x**0, 0),
    *each(f.PowConstant, lambda x: x**1, 1),
    *each(f.PowConstant, lambda x: 2.5**x, 2.5, tensor_power=True),
    *each(f.PowConstant, lambda x: 1**x, 1, tensor_power=True),
    *each(f.Negate, torch.neg),
]
