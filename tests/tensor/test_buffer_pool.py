"""The pool of large buffers (buffer_pool.py): what is pooled, and when a buffer is used again."""

import numpy
import pytest

from legacy_autograd.tensor import buffer_pool
from legacy_autograd.tensor.buffer_pool import KEPT, LARGE, SMALLEST


@pytest.fixture
def free(monkeypatch):
    """The free buffers of an empty pool."""
    free = {}
    monkeypatch.setattr(buffer_pool, "_free", free)
    return free


def array_of(size):
    return buffer_pool.empty((size,), numpy.dtype(numpy.uint8))


@pytest.mark.parametrize(
    ("size", "pooled"),
    [(SMALLEST - 1, 0), (SMALLEST, SMALLEST), (SMALLEST + 1, 2 * SMALLEST), (KEPT, KEPT), (KEPT + 1, 0)],
)
def test_sizes_that_are_pooled(free, size, pooled):
    array = array_of(size)
    assert array.shape == (size,) and array.dtype == numpy.uint8
    del array
    assert [(number, len(buffers)) for number, buffers in free.items()] == ([(pooled, 1)] if pooled else [])


def test_a_buffer_is_used_again_when_its_last_view_is_gone(free):
    first = array_of(SMALLEST)
    address, view = first.ctypes.data, first[3:]
    del first
    assert free == {} and array_of(SMALLEST).ctypes.data != address
    del view
    kept = array_of(SMALLEST), array_of(SMALLEST)
    assert address in [array.ctypes.data for array in kept] and kept[0].ctypes.data != kept[1].ctypes.data


def test_the_free_buffers_of_a_size_have_a_limit(free):
    arrays = [array_of(KEPT // 2) for _ in range(3)]
    assert len({array.ctypes.data for array in arrays}) == 3
    del arrays
    assert len(free[KEPT // 2]) == 2


def test_zeros_and_copies_in_used_buffers(free):
    array_of(4 * SMALLEST).fill(7)
    assert not buffer_pool.zeros((SMALLEST, 4), numpy.dtype(numpy.uint8)).any()
    array = numpy.arange(SMALLEST).reshape(2, -1).T
    copied = buffer_pool.copy(array)
    assert (copied == array).all() and copied.flags.c_contiguous and not numpy.shares_memory(copied, array)


def test_only_large_results_get_a_buffer():
    large = numpy.empty((LARGE // 8, 1))
    assert buffer_pool.like(large).shape == large.shape and buffer_pool.like(large).dtype == large.dtype
    assert buffer_pool.like(large[1:]) is None
