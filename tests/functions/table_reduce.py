import math

import torch

from legacy_autograd.autograd.functions import reduce as f

from .table import cases, distinct, given, positive, real

WHOLE = ((3, 4), (5,), (1,), (2, 1, 3))
ALONG = (((3, 4), 0), ((3, 4), 1), ((3, 4), -2), ((5,), 0), ((5,), -1), ((1,), 0), ((2, 1, 3), 1), ((2, 4, 3), 2))


def reduced(function, reference, x=real, whole=WHOLE, along=ALONG, **named):
    """Whole, and along each dimension with and without `keepdim`. `reference(x, dim, keepdim)` may return a tuple."""
    rows = []
    for size in whole:
        rows += cases(function, lambda x: reference(x, tuple(range(x.dim())), False), x(*size), named=named)
    for size, dim in along:
        rows += cases(function, lambda x, d=dim: reference(x, d, True), x(*size), named={"dim": dim, **named})
        rows += cases(
            function, lambda x, d=dim: reference(x, d, False), x(*size), named={"dim": dim, "keepdim": False, **named}
        )
    return rows


def prod(x, dim, keepdim):
    return x.prod(dim, keepdim=keepdim) if isinstance(dim, int) else x.prod()


def norm(p):
    return lambda x, dim, keepdim: torch.linalg.vector_norm(x, p, dim, keepdim)


def apart(*size):
    return real(*size, away_from=(0,))


def selected(function, reference, *constants):
    rows = []
    for size, dim in (*ALONG, ((2, 5), -1)):
        for keepdim in (True, False):
            rows += cases(
                function, lambda x, d=dim, k=keepdim: reference(x, *constants, dim=d, keepdim=k), distinct(*size),
                constants=constants, named={"dim": dim, "keepdim": keepdim},
            )  # fmt: skip
    return rows + cases(
        function, lambda x: reference(x, *constants, dim=-1, keepdim=True), distinct(2, 3, 4), constants=constants
    )


EMPTY = ((0,), (0, 3), (2, 0))
ALONG_EMPTY = (*ALONG, ((0, 3), 0), ((0, 3), 1), ((2, 0), 1))
ONE_IN_SIX = [[1.5, -2.0, 0.7], [0.4, 1.1, -0.6]]
NO_ZERO = given(ONE_IN_SIX)
ZERO = given([[1.5, 0.0, 0.7], [0.4, 1.1, -0.6]])
ZEROS = given([[0.0, 0.0, 0.7], [0.4, 0.0, -0.6]])

BASES = {"Reduction"}
CASES = [
    *reduced(f.Sum, torch.sum, whole=(*WHOLE, *EMPTY), along=ALONG_EMPTY),
    *reduced(f.Mean, torch.mean, whole=(*WHOLE, *EMPTY), along=ALONG_EMPTY),
    *reduced(f.Prod, prod, whole=(*WHOLE, *EMPTY), along=ALONG_EMPTY),
    *[
        row
        for x, note in ((NO_ZERO, "no zero"), (ZERO, "a zero"), (ZEROS, "zeros"))
        for row in (
            *cases(f.Prod, torch.prod, x, note=note),
            *cases(f.Prod, lambda x: x.prod(0, keepdim=True), x, constants=(0,), note=note),
            *cases(f.Prod, lambda x: x.prod(1), x, constants=(1, False), note=note),
            *cases(f.Cumprod, lambda x: x.cumprod(0), x, constants=(0,), note=note),
            *cases(f.Cumprod, lambda x: x.cumprod(1), x, constants=(-1,), note=note),
        )
    ],
    *cases(f.Prod, torch.prod, given([1.5, 0.0, 2.0, -1.0, 0.5, 3.0, 0.7, 1.1, -0.4]), note="a zero among nine"),
    *reduced(f.Var, lambda x, d, k: x.var(d, keepdim=k), whole=((3, 4), (5,)), along=(*ALONG[:5], ALONG[-1])),
    *reduced(f.Var, lambda x, d, k: x.var(d, correction=0, keepdim=k), unbiased=False),
    *reduced(f.Std, lambda x, d, k: x.std(d, keepdim=k), whole=((3, 4), (5,)), along=(*ALONG[:5], ALONG[-1])),
    *reduced(
        f.Std, lambda x, d, k: x.std(d, correction=0, keepdim=k), whole=((3, 4),), along=ALONG[:4], unbiased=False
    ),
    *cases(f.Var, lambda x: x.var(unbiased=False), real(3, 4), constants=(False,)),
    *reduced(f.Norm, norm(2), x=apart, whole=(*WHOLE, *EMPTY), along=ALONG_EMPTY),
    *[row for p in (1, 1.5, 3, 2.5, 0.5, math.inf, -math.inf) for row in reduced(f.Norm, norm(p), x=distinct, p=p)],
    *[
        row
        for size, dim in (*ALONG, ((0, 3), 1), ((0, 3), 0))
        for row in (
            *cases(f.Cumsum, lambda x, d=dim: x.cumsum(d), real(*size), constants=(dim,)),
            *cases(f.CumsumBackward, lambda g, d=dim: g.flip(d).cumsum(d).flip(d), real(*size), constants=(dim,)),
            *cases(f.Cumprod, lambda x, d=dim: x.cumprod(d), positive(*size), constants=(dim,)),
        )
    ],
    *reduced(f.Max, lambda x, d, k: x.max(d, keepdim=k) if isinstance(d, int) else x.max(), x=distinct),
    *reduced(f.Min, lambda x, d, k: x.min(d, keepdim=k) if isinstance(d, int) else x.min(), x=distinct),
    *[
        row
        for function, reference in ((f.Max, torch.max), (f.Min, torch.min), (f.Median, torch.median))
        for row in cases(function, lambda x, r=reference: r(x, 1, keepdim=True), distinct(0, 3), constants=(1,))
    ],
    *selected(f.Median, torch.median),
    *selected(f.Mode, torch.mode),
    *selected(f.Kthvalue, torch.kthvalue, 1),
    *cases(f.Kthvalue, lambda x: x.kthvalue(3, 1), distinct(2, 5), constants=(3, 1, False)),
]
