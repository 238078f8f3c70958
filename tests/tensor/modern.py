"""Tensors beside those of modern torch: the same numbers in both, and results that have to be the same."""

import functools

import numpy
import torch as modern

import legacy_autograd as torch
from legacy_autograd.tensor import Tensor
from legacy_autograd.tensor.dtypes import CLASSES

FLOATING = ("float64", "float32")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")
TOLERANCE = {"float64": 1e-12, "float32": 2e-6, "float16": 2e-3}


def _numbers(*shape, seed=0):
    return numpy.random.default_rng(seed).uniform(-3, 3, shape).round(3)


@functools.cache
def arrays():
    """name -> array of doubles: sizes and layouts of every kind. They are read-only, since the tests share them."""
    made = {
        "one": _numbers(1),
        "one, 2-d": _numbers(1, 1),
        "none": _numbers(0),
        "none, 2-d": _numbers(0, 3),
        "vector": _numbers(5),
        "matrix": _numbers(3, 4),
        "row": _numbers(1, 4),
        "column": _numbers(4, 1),
        "3-d": _numbers(2, 3, 4),
        "transposed": _numbers(4, 3).T,
        "stepped": _numbers(6, 8)[::2, 1::3],
        "moved": numpy.moveaxis(_numbers(2, 3, 4), 0, 2),
        "special": numpy.array([[0.0, -0.0, numpy.nan], [numpy.inf, -numpy.inf, 1.5], [0.5, 2.5, -1.5]]),
    }
    for array in made.values():
        array.setflags(write=False)
    return made


def both(array, dtype=None):
    """A Tensor and modern's, of the same numbers and the same layout, in memory of their own."""
    if dtype is not None and array.dtype != dtype:
        with numpy.errstate(invalid="ignore"):
            array = numpy.nan_to_num(array).astype(dtype) if dtype in INTEGERS else array.astype(dtype)
    return torch.from_numpy(array.copy("K")), modern.from_numpy(array.copy("K"))


def assert_same(ours, theirs, rtol=None, types=True):
    """`ours`, a Tensor, Python number or tuple of them, has the size, type and numbers of modern's `theirs`."""
    if isinstance(ours, tuple):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs):
            assert_same(mine, other, rtol, types)
        return
    theirs = theirs.detach().numpy() if isinstance(theirs, modern.Tensor) else numpy.asarray(theirs)
    rtol = TOLERANCE.get(str(theirs.dtype), 0) if rtol is None else rtol
    if theirs.ndim == 0:
        assert type(ours) in (float, int, bool), f"expected a Python number, got {type(ours)}"
        theirs = theirs.item()
        if types:
            assert type(ours) is type(theirs)
        numpy.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol)
        return
    assert isinstance(ours, Tensor), f"expected a Tensor, got {type(ours)}"
    assert type(ours) is CLASSES[ours.array.dtype]
    assert ours.array.shape == theirs.shape
    if types:
        assert ours.array.dtype == (numpy.uint8 if theirs.dtype == bool else theirs.dtype)
    numpy.testing.assert_allclose(ours.array, theirs, rtol=rtol, atol=rtol)
