import math

import torch

from legacy_autograd.autograd.functions import indexing
from legacy_autograd.autograd.functions import tensor as f
from legacy_autograd.tensor import ByteTensor, LongTensor

from .table import cases, distinct, index, mask, real
from .table_basic_ops import each


def at(key, *sizes, ours=None):
    """x[key], with a key of torch's; `ours` is the same of this package, where the key holds tensors."""
    constants = (key if ours is None else ours,)
    return cases(f.Index, lambda x: x[key], *[real(*size) for size in sizes], constants=constants)


def placed(key, size, grad_size, ours=None):
    """IndexBackward: a gradient put at the key."""

    def reference(grad):
        return grad.new_zeros(size).index_put(tuple(key), grad, accumulate=True) if fancy else sliced(grad)

    def sliced(grad):
        zeros = grad.new_zeros(size)
        zeros[key] = grad
        return zeros

    fancy = isinstance(key, list)
    ours = key if ours is None else ours
    return cases(f.IndexBackward, reference, real(*grad_size), constants=(ours, size))


def windows(x, dim, size, step):
    return x.unfold(dim, size, step)


def added_windows(size, *windows):
    def reference(grad):
        positions = torch.arange(math.prod(size)).view(size).unfold(*windows)
        return grad.new_zeros(math.prod(size)).index_add(0, positions.reshape(-1), grad.reshape(-1)).view(size)

    return reference


def joined(function, reference, *dims_and_sizes):
    rows = []
    for dim, *sizes in dims_and_sizes:
        inputs = tuple([real(*size) for size in sizes])
        rows += cases(function, lambda *x, d=dim: reference(x, d), inputs, constants=(dim,))
    return rows


ROWS = index([2, 0, 2])
PICKS = index([[0, 2, 1], [2, 2, 0]])
ONCE = index([[0, 2, 1], [2, 1, 0]])
BITS = [[1, 0, 1, 1], [0, 0, 1, 0], [0, 1, 0, 0]]
BOOLS = torch.tensor(BITS).bool()

WINDOWS = (
    ((7,), (0, 3, 2)),
    ((7, 2), (0, 3, 1)),
    ((2, 5), (-1, 2, 1)),
    ((2, 5, 3), (1, 2, 3)),
    ((4, 2, 3), (0, 3, 1)),
    ((1,), (0, 1, 1)),
)

BASES = {"AlongDimension", "Parts", "Selection"}
CASES = [
    # indices
    *at(0, (3, 4), (2, 1, 3), (5,)),
    *at(-1, (3, 4), (1,)),
    *at(slice(1, 3), (3, 4), (5,)),
    *at(slice(None, None, 2), (5,), (3, 4)),
    *at((1, 2), (3, 4)),
    *at((slice(None), 1), (3, 4)),
    *at((slice(None), slice(1, 2)), (3, 4)),
    *at((Ellipsis, 0), (2, 1, 3)),
    *at((None, slice(0, 2)), (3, 4)),
    *at(slice(0, 0), (3, 4)),
    *at([2, 0, 2], (3, 4), (5,)),
    *at(torch.tensor([[0, 2], [2, 2]]), (3, 4), (5,), ours=LongTensor([[0, 2], [2, 2]])),
    *at((slice(None), torch.tensor([1, 1, 0])), (3, 4), ours=(slice(None), LongTensor([1, 1, 0]))),
    *at(
        (torch.tensor([0, 2, 2]), torch.tensor([1, 3, 3])),
        (3, 4),
        ours=(LongTensor([0, 2, 2]), LongTensor([1, 3, 3])),
    ),
    *at(BOOLS, (3, 4), (3, 4, 2), ours=ByteTensor(BITS)),
    *at(torch.tensor([True, False, True]), (3, 4), ours=ByteTensor([1, 0, 1])),
    *placed((slice(1, 3),), (3, 4), (2, 4)),
    *placed((1, 2), (3, 4), (1,)),
    *placed([torch.tensor([0, 2, 2])], (3, 4), (3, 4), ours=(LongTensor([0, 2, 2]),)),
    *cases(f.Narrow, lambda x: x.narrow(1, 1, 2), real(3, 4), real(2, 3, 2), constants=(1, 1, 2)),
    *cases(f.Narrow, lambda x: x.narrow(-1, 0, 1), real(3, 4), real(1), constants=(-1, 0, 1)),
    *cases(f.Narrow, lambda x: x.narrow(0, -2, 2), real(3, 4), constants=(0, -2, 2)),
    *cases(f.Narrow, lambda x: x.narrow(0, 3, 0), real(3, 4), constants=(0, 3, 0)),
    *cases(f.Select, lambda x: x.select(1, 0), real(3, 4), real(2, 1, 3), constants=(1, 0)),
    *cases(f.Select, lambda x: x.select(-1, -1), real(3, 4), real(5), real(1), constants=(-1, -1)),
    # size and order
    *cases(f.Transpose, lambda x: x.transpose(0, 1), real(3, 4), real(2, 1, 3), real(0, 3), constants=(0, 1)),
    *cases(f.Transpose, lambda x: x.transpose(-1, 0), real(2, 4, 3), real(5), constants=(-1, 0)),
    *cases(f.View, lambda x: x.view(4, -1), real(3, 4), real(2, 2, 3), constants=(4, -1), contiguous=True),
    *cases(f.View, lambda x: x.view(1, 1), real(1), constants=((1, 1),), contiguous=True),
    *cases(f.Resize, lambda x: x.reshape(4, -1), real(3, 4), real(2, 2, 3), constants=(4, 3)),
    *cases(f.View, lambda x: x.view(3, 0), real(0), real(0, 3), constants=(3, 0), contiguous=True),
    *cases(f.Permute, lambda x: x.permute(2, 0, 1), real(2, 4, 3), real(0, 2, 3), constants=(2, 0, 1)),
    *cases(f.Permute, lambda x: x.permute(-1, 0), real(3, 4), constants=((-1, 0),)),
    *cases(f.Expand, lambda x: x.expand(3, 4), real(3, 1), real(1, 4), real(1), real(4), real(3, 4), constants=(3, 4)),
    *cases(f.Expand, lambda x: x.expand(2, 3, -1), real(3, 4), real(1, 1), constants=((2, 3, -1),)),
    *cases(f.Expand, lambda x: x.expand(0, 3), real(1, 3), real(3), constants=(0, 3)),
    *cases(f.Repeat, lambda x: x.repeat(2, 3), real(3, 4), real(5), real(1), real(0, 3), constants=(2, 3)),
    *cases(f.Repeat, lambda x: x.repeat(1, 0), real(3, 4), constants=((1, 0),)),
    *cases(f.Squeeze, lambda x: x.squeeze(), real(2, 1, 3), real(3, 4), real(1, 1), real(1)),
    *cases(f.Squeeze, lambda x: x.squeeze(1), real(2, 1, 3), real(3, 4), real(0, 1), constants=(1,)),
    *cases(f.Unsqueeze, lambda x: x.unsqueeze(1), real(3, 4), real(5), real(1), real(0, 3), constants=(1,)),
    *cases(f.Unsqueeze, lambda x: x.unsqueeze(-1), real(3, 4), real(5), constants=(-1,)),
    *[
        row
        for size, window in WINDOWS
        for row in cases(f.Unfold, lambda x, w=window: windows(x, *w), real(*size), constants=window)
        + cases(
            f.UnfoldBackward,
            added_windows(size, *window),
            real(*torch.zeros(size).unfold(*window).shape),
            constants=(size, *window),
        )
    ],
    *each(f.Clone, torch.clone),
    *each(f.Contiguous, lambda x: x.contiguous()),
    *cases(f.Copy, lambda x: x.float(), real(3, 4), constants=("torch.FloatTensor",), numerical=False),
    *cases(f.Copy, lambda x: x.double(), real(3, 4), real(0), constants=("torch.DoubleTensor",)),
    *cases(f.Copy, lambda x: x.long(), real(3, 4), constants=("torch.LongTensor",)),
    # several into one, one into several
    *joined(
        f.Concat,
        torch.cat,
        (0, (3, 4), (1, 4), (2, 4)),
        (1, (3, 4), (3, 1)),
        (1, (3, 2), (3, 2), (3, 2)),
        (-1, (5,), (2,)),
        (0, (1,)),
        (0, (0, 3), (2, 3)),
        (1, (3, 4), (0,), (3, 2)),
    ),
    *joined(
        f.Stack,
        torch.stack,
        (0, (3, 4), (3, 4)),
        (1, (5,), (5,), (5,)),
        (-1, (2, 3), (2, 3)),
        (0, (1,)),
        (0, (0,), (0,)),
    ),
    *cases(f.Split, lambda x: x.split(2), real(5), real(3, 4), real(1), constants=(2,)),
    *cases(f.Split, lambda x: x.split(2, 1), real(3, 4), real(2, 3, 2), constants=(2, 1)),
    *cases(f.Split, lambda x: x.split([1, 3], -1), real(3, 4), constants=([1, 3], -1)),
    *cases(f.Chunk, lambda x: x.chunk(2), real(5), real(3, 4), real(1), constants=(2,)),
    *cases(f.Chunk, lambda x: x.chunk(3, -1), real(3, 4), real(3, 2), constants=(3, -1)),
    # index tensors
    *cases(
        indexing.IndexSelect, lambda x, i: x.index_select(0, i), (real(3, 4), ROWS), (real(5), ROWS), constants=(0,)
    ),
    *cases(indexing.IndexSelect, lambda x, i: x.index_select(-1, i), (real(2, 3), ROWS), constants=(-1,)),
    *cases(indexing.IndexSelect, lambda x, i: x.index_select(0, i), (real(3, 4), index([])), constants=(0,)),
    *cases(
        indexing.IndexSelectBackward,
        lambda g, i: g.new_zeros(4, 3).index_add(1, i, g),
        (real(4, 3), ROWS),
        constants=(1, (4, 3)),
    ),
    *cases(indexing.IndexAdd, lambda x, i, s: x.index_add(1, i, s), (real(2, 3), ROWS, real(2, 3)), constants=(1,)),
    *cases(indexing.IndexAdd, lambda x, i, s: x.index_add(0, i, s), (real(5), ROWS, real(3)), constants=(0,)),
    *cases(
        indexing.IndexCopy,
        lambda x, i, s: x.index_copy(0, i, s),
        (real(3, 4), index([2, 0]), real(2, 4)),
        (real(5), index([1]), real(1)),
        constants=(0,),
    ),
    *cases(
        indexing.IndexFill,
        lambda x, i: x.index_fill(0, i, 1.5),
        (real(3, 4), ROWS),
        (real(5), ROWS),
        constants=(0, 1.5),
    ),
    *cases(indexing.Gather, lambda x, i: x.gather(1, i), (real(2, 3), PICKS), (real(4, 3), PICKS), constants=(1,)),
    *cases(
        indexing.Gather, lambda x, i: x.gather(0, i), (real(3, 3), PICKS), (real(5), index([4, 4, 0])), constants=(0,)
    ),
    *cases(
        indexing.ScatterZeros,
        lambda g, i: g.new_zeros(2, 3).scatter_add(1, i, g),
        (real(2, 3), PICKS),
        constants=(1, (2, 3)),
    ),
    *cases(
        indexing.ScatterZeros,
        lambda g, i: g.new_zeros(2, 4).scatter(1, i, g),
        (real(2, 3), ONCE),
        constants=(1, (2, 4)),
        named={"once": True},
    ),
    *cases(
        indexing.Scatter,
        lambda x, i, s: x.scatter(1, i, s[:2, :3]),
        (real(2, 3), ONCE, real(2, 3)),
        (real(3, 4), ONCE, real(3, 5)),
        constants=(1,),
    ),
    *cases(
        indexing.Scatter,
        lambda x, i: x.scatter(1, i, 2.5),
        (real(2, 3), ONCE),
        (real(2, 3), PICKS),
        constants=(1, 2.5),
    ),
    *cases(
        indexing.ScatterAdd,
        lambda x, i, s: x.scatter_add(1, i, s[:2, :3]),
        (real(2, 3), PICKS, real(2, 3)),
        (real(3, 4), PICKS, real(3, 5)),
        constants=(1,),
    ),
    # masks
    *cases(
        indexing.MaskedSelect,
        lambda x, m: x.masked_select(m),
        (real(3, 4), mask(BITS)),
        (real(3, 4), mask([1, 0, 1, 0])),
        (real(4), mask(BITS)),
        (real(3, 1), mask(BITS)),
        (real(3), mask([0, 0, 0])),
        (real(0), mask([])),
    ),
    *cases(
        indexing.MaskedSelectBackward,
        lambda g, m: g.new_zeros(3, 4).masked_scatter(m, g),
        (real(5), mask(BITS)),
        constants=((3, 4),),
    ),
    *cases(
        indexing.MaskedFill,
        lambda x, m: x.masked_fill(m, 1.5),
        (real(3, 4), mask(BITS)),
        (real(3, 4), mask([1, 0, 1, 0])),
        (real(1), mask([1])),
        constants=(1.5,),
    ),
    *cases(
        indexing.MaskedCopy,
        lambda x, m, s: x.masked_scatter(m, s),
        (real(3, 4), mask(BITS), real(5)),
        (real(3, 4), mask(BITS), real(2, 4)),
        (real(3, 4), mask([0, 1, 0, 0]), real(3)),
    ),
    # order
    *[
        row
        for size, dim in (((3, 4), 0), ((3, 4), 1), ((5,), -1), ((1,), 0), ((2, 3, 4), 1), ((0,), 0), ((0, 3), 1))
        for descending in (False, True)
        for row in cases(
            indexing.Sort, lambda x, d=dim, r=descending: x.sort(d, r), distinct(*size), constants=(dim, descending)
        )
    ],
    *cases(indexing.Sort, lambda x: x.sort(), distinct(3, 4)),
    *cases(indexing.Topk, lambda x: x.topk(2), distinct(3, 4), distinct(5), distinct(2, 3, 2), constants=(2,)),
    *cases(indexing.Topk, lambda x: x.topk(2, 0), distinct(3, 4), distinct(5), constants=(2, 0)),
    *cases(indexing.Topk, lambda x: x.topk(3, 1, False), distinct(3, 4), constants=(3, 1, False)),
    # diagonals
    *cases(f.Diag, torch.diag, real(3, 3), real(3, 4), real(4, 3), real(3), real(1)),
    *cases(f.Diag, lambda x: torch.diag(x, 1), real(3, 4), real(3), constants=(1,)),
    *cases(f.Diag, lambda x: torch.diag(x, -2), real(4, 3), real(2), constants=(-2,)),
    *cases(f.DiagBackward, lambda g: torch.diag(g, 1)[:3], real(3), constants=(1, (3, 4))),
    *cases(f.DiagBackward, lambda g: torch.diag(g, -1)[:, :2], real(2), constants=(-1, (3, 2))),
    *cases(f.Trace, torch.trace, real(3, 3), real(3, 4), real(4, 3), real(1, 1)),
    *[
        row
        for k in (-1, 0, 2)
        for row in cases(f.Tril, lambda x, k=k: x.tril(k), real(3, 4), real(2, 3, 3), real(0, 3), constants=(k,))
        + cases(f.Triu, lambda x, k=k: x.triu(k), real(3, 4), real(2, 3, 3), real(0, 3), constants=(k,))
    ],
]
