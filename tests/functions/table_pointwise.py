import torch

from legacy_autograd.autograd.functions import pointwise as f

from .table import PAIRS, SIZES, cases, distinct, positive, real
from .table_basic_ops import each, nonzero, pairs


def unit(*size):
    return real(*size, low=-0.9, high=0.9)


def smooth(*size):
    """Away from every place where a step function jumps, a remainder jumps, or a clamp begins."""
    return real(*size, away_from=[k / 2 for k in range(-5, 6)])


def apart(*size):
    return distinct(*size)


def triples(function, reference, *constants, c=real):
    sizes = (
        ((3, 4), (3, 4), (3, 4)),
        ((5,), (5,), (5,)),
        ((3, 4), (4,), (3, 1)),
        ((1,), (2, 3), (3,)),
        ((4,), (3, 4), (1,)),
        ((1,), (1,), (1,)),
        ((0, 3), (3,), (1,)),
    )
    inputs = [(real(*x), real(*a), c(*b)) for x, a, b in sizes]
    return cases(function, reference, *inputs, constants=constants)


def second_apart(a, b):
    """Operands of which no element meets an equal one, or one a multiple of it away."""
    return real(*a, low=3.1, high=3.9), real(*b, low=1.1, high=1.4)


BASES = {"OfBoth", "OfInput", "OfResult", "Step"}
CASES = [
    *each(f.Exp, torch.exp),
    *each(f.Expm1, torch.expm1),
    *each(f.Log, torch.log, x=positive),
    *each(f.Log1p, torch.log1p, x=unit),
    *each(f.Sqrt, torch.sqrt, x=positive),
    *each(f.Rsqrt, torch.rsqrt, x=positive),
    *each(f.Abs, torch.abs, x=smooth),
    *each(f.Sigmoid, torch.sigmoid),
    *each(f.Tanh, torch.tanh),
    *cases(f.TanhBackward, lambda g, t: g * (1 - t * t), (real(3, 4), real(3, 4)), (real(1), real(1))),
    *each(f.Sin, torch.sin),
    *each(f.Cos, torch.cos),
    *each(f.Tan, torch.tan, x=unit),
    *each(f.Asin, torch.asin, x=unit),
    *each(f.Acos, torch.acos, x=unit),
    *each(f.Atan, torch.atan),
    *pairs(f.Atan2, torch.atan2, b=nonzero),
    *each(f.Sinh, torch.sinh),
    *each(f.Cosh, torch.cosh),
    *each(f.Reciprocal, torch.reciprocal, x=nonzero),
    *each(f.Sign, torch.sign, x=smooth),
    *each(f.Floor, torch.floor, x=smooth),
    *each(f.Ceil, torch.ceil, x=smooth),
    *each(f.Round, torch.round, x=smooth),
    *each(f.Trunc, torch.trunc, x=smooth),
    *each(f.Frac, torch.frac, x=smooth),
    *each(f.Clamp, lambda x: torch.clamp(x, -0.5, 1.0), -0.5, 1.0, x=smooth),
    *each(f.Clamp, lambda x: torch.clamp(x, min=-0.5), min=-0.5, x=smooth),
    *each(f.Clamp, lambda x: torch.clamp(x, max=0.5), max=0.5, x=smooth),
    *each(f.Clamp, lambda x: torch.clamp(x, 1.0, -1.0), 1.0, -1.0, x=smooth),
    *cases(f.Cmax, torch.maximum, *[(apart(*a), real(*b, low=0.02, high=0.06)) for a, b in PAIRS]),
    *cases(f.Cmin, torch.minimum, *[(apart(*a), real(*b, low=0.02, high=0.06)) for a, b in PAIRS]),
    *each(f.CmaxConstant, lambda x: x.maximum(x.new_tensor(0.5)), 0.5, x=smooth),
    *each(f.CminConstant, lambda x: x.minimum(x.new_tensor(0.5)), 0.5, x=smooth),
    *cases(f.Remainder, torch.remainder, *[second_apart(a, b) for a, b in PAIRS]),
    *cases(f.Remainder, torch.remainder, (real(3, low=-3.9, high=-3.1), real(2, 3, low=1.1, high=1.4))),
    *cases(f.Fmod, torch.fmod, *[second_apart(a, b) for a, b in PAIRS]),
    *cases(f.Fmod, torch.fmod, (real(3, low=-3.9, high=-3.1), real(2, 3, low=1.1, high=1.4))),
    *each(f.RemainderConstant, lambda x: x.remainder(1.5), 1.5, x=smooth),
    *each(f.RemainderConstant, lambda x: x.remainder(-1.5), -1.5, x=smooth),
    *each(f.FmodConstant, lambda x: x.fmod(1.5), 1.5, x=smooth),
    *cases(f.Lerp, lambda a, b: torch.lerp(a, b, 0.3), *[(real(*a), real(*b)) for a, b in PAIRS], constants=(0.3,)),
    *cases(f.Lerp, lambda a, b: torch.lerp(a, b, 1.7), (real(*SIZES[0]), real(*SIZES[0])), constants=(1.7,)),
    *triples(f.Addcmul, torch.addcmul),
    *triples(f.Addcmul, lambda x, a, b: torch.addcmul(x, a, b, value=0.7), 0.7),
    *triples(f.Addcdiv, torch.addcdiv, c=nonzero),
    *triples(f.Addcdiv, lambda x, a, b: torch.addcdiv(x, a, b, value=0.7), 0.7, c=nonzero),
]
