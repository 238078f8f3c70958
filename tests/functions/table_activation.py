import torch

from legacy_autograd.autograd.functions import activation as f

from .table import cases, real

ALONG = ((3, 4), 1), ((3, 4), 0), ((3, 4), -1), ((5,), 0), ((2, 3, 4), 1), ((1, 1), 1)


def along(function, reference):
    rows = []
    for size, dim in (*ALONG, ((0, 3), 1), ((3, 0), 1)):
        rows += cases(function, lambda x, dim=dim: reference(x, dim), real(*size), constants=(dim,))
    for size, dim in (((5,), 0), ((3, 4), 1), ((2, 3, 2), 0), ((2, 3, 2, 2), 1)):  # v0.1.x's choice of dimension
        rows += cases(function, lambda x, dim=dim: reference(x, dim), real(*size))
    rows += cases(function, lambda x: reference(x, 1), real(2, 3, low=-800, high=800), constants=(1,), note="large")
    return rows


CASES = [
    *along(f.Softmax, torch.softmax),
    *along(f.LogSoftmax, torch.log_softmax),
]
