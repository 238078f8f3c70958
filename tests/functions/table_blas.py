import torch

from legacy_autograd.autograd.functions import blas as f

from .table import cases, given, real


def products(function, reference, *sizes, **options):
    return cases(function, reference, *[tuple([real(*size) for size in operands]) for operands in sizes], **options)


MATRICES = ((3, 4), (4, 2)), ((1, 1), (1, 1)), ((1, 5), (5, 1)), ((0, 3), (3, 2)), ((2, 0), (0, 3))
BATCHES = ((2, 3, 4), (2, 4, 5)), ((1, 1, 1), (1, 1, 1)), ((0, 3, 4), (0, 4, 5)), ((3, 2, 0), (3, 0, 2))
VECTORS = ((3, 4), (4,)), ((1, 1), (1,)), ((0, 3), (3,)), ((2, 0), (0,))
OUTER = ((3,), (4,)), ((1,), (1,)), ((0,), (3,))


def added(function, reference, *sizes):
    """With and without numbers; `reference` has modern torch's keywords beta and alpha."""
    return [
        *products(function, reference, *sizes),
        *products(function, lambda m, a, b: reference(m, a, b, alpha=0.7), *sizes, constants=(0.7,)),
        *products(
            function, lambda m, a, b: reference(m, a, b, beta=0.4, alpha=-1.5), *sizes[:2], constants=(-1.5, 0.4)
        ),
        *products(function, lambda m, a, b: reference(m, a, b, beta=0), sizes[0], constants=(1, 0)),
    ]


BASES = {"AddedProduct", "Product"}
CASES = [
    *products(f.Mm, torch.mm, *MATRICES),
    *products(f.MmNT, lambda a, b: a.mm(b.t()), ((3, 4), (2, 4)), ((1, 5), (1, 5)), ((0, 3), (2, 3)), ((2, 0), (3, 0))),
    *products(f.MmTN, lambda a, b: a.t().mm(b), ((4, 3), (4, 2)), ((5, 1), (5, 1)), ((3, 0), (3, 2)), ((0, 2), (0, 3))),
    *products(f.Mv, torch.mv, *VECTORS),
    *products(f.Bmm, torch.bmm, *BATCHES),
    *products(f.Dot, torch.dot, ((5,), (5,)), ((1,), (1,)), ((0,), (0,))),
    # Tensors of more dimensions count row by row, in v0.1.x.
    *products(
        f.Dot,
        lambda a, b: torch.dot(a.reshape(-1), b.reshape(-1)),
        ((2, 3), (2, 3)),
        ((2, 3), (3, 2)),
        ((2, 1, 3), (6,)),
        ((1, 1), (1,)),
    ),
    *products(f.Ger, torch.ger, *OUTER),
    *products(f.Matmul, torch.matmul, ((5,), (5,)), *MATRICES, *VECTORS, *BATCHES),
    *products(
        f.Matmul,
        torch.matmul,
        ((4,), (4, 2)),
        ((4,), (2, 4, 3)),
        ((2, 3, 4), (4,)),
        ((2, 3, 4), (4, 5)),
        ((3, 4), (2, 4, 5)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((2, 5, 3, 4), (2, 1, 4, 2)),
        ((1,), (1, 1)),
        ((0, 3, 4), (4, 2)),
        ((2, 3, 0), (0, 2)),
    ),
    *added(f.Addmm, torch.addmm, ((3, 2), (3, 4), (4, 2)), ((2,), (3, 4), (4, 2)), ((3, 1), (3, 4), (4, 2))),
    *added(f.Addmv, torch.addmv, ((3,), (3, 4), (4,)), ((1,), (3, 4), (4,))),
    *added(f.Addr, torch.addr, ((3, 4), (3,), (4,)), ((4,), (3,), (4,))),
    *added(
        f.Addbmm,
        torch.addbmm,
        ((3, 5), (2, 3, 4), (2, 4, 5)),
        ((5,), (2, 3, 4), (2, 4, 5)),
        ((1, 1), (1, 1, 1), (1, 1, 1)),
    ),
    *added(f.Baddbmm, torch.baddbmm, ((2, 3, 5), (2, 3, 4), (2, 4, 5)), ((3, 5), (2, 3, 4), (2, 4, 5))),
    *cases(
        f.Inverse,
        torch.inverse,
        given([[2.0, 0.3, -0.5], [0.1, 1.5, 0.4], [-0.7, 0.2, 1.8]]),
        given([[1.7]]),
    ),
    *cases(
        f.Gesv,
        lambda b, a: torch.linalg.solve(a, b),
        (real(3, 2), given([[2.0, 0.3, -0.5], [0.1, 1.5, 0.4], [-0.7, 0.2, 1.8]])),
        (real(1, 3), given([[1.7]])),
    ),
    *products(f.Cross, lambda a, b: torch.linalg.cross(a, b), ((2, 3), (2, 3)), ((3,), (3,))),
    *products(f.Cross, lambda a, b: torch.linalg.cross(a, b, dim=0), ((3, 4), (3, 4)), constants=(0,)),
]
