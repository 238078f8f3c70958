import torch

from legacy_autograd.autograd.functions import comparison as f

from .table import PAIRS, SIZES, cases, real


def compared(function, reference):
    return [
        *cases(function, reference, *[(real(*a), real(*b)) for a, b in PAIRS]),
        *cases(function, lambda x: reference(x, 0.5), *[real(*size) for size in SIZES], constants=(0.5,)),
    ]


BASES = {"Comparison"}
CASES = [
    *compared(f.Eq, torch.eq),
    *compared(f.Ne, torch.ne),
    *compared(f.Lt, torch.lt),
    *compared(f.Le, torch.le),
    *compared(f.Gt, torch.gt),
    *compared(f.Ge, torch.ge),
]
