"""x[key] as a view: its numbers and gradients, views of it, and writes to it or to its base, as in modern torch.

Each test runs twice: by the short call of an operation that declares what it saves, and, because a callback listens, by
the long one.
"""

import contextlib

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable, callbacks, gradcheck, gradgradcheck

from .both import same

NUMBERS = numpy.arange(24.0).reshape(4, 6) / 7 - 1
KEYS = {
    "one number": (1, 2),
    "one number from the end": (-1, -2),
    "one number and ...": (1, ..., 2),
    "a number of a row": (2, None, 3),
    "a row": 1,
    "the last row": -1,
    "rows": slice(1, 3),
    "every second row": slice(None, None, 2),
    "no row": slice(2, 2),
    "a column": (slice(None), 2),
    "a column by ...": (..., 2),
    "a block": (slice(1, 3), slice(0, 4, 3)),
    "a new dimension": None,
    "everything": ...,
    "numpy's integers": (numpy.int64(1), numpy.int64(2)),
}


@pytest.fixture(params=["short", "long"], autouse=True)
def call(request):
    listening = callbacks.around_call.within(lambda function, proceed, *inputs: proceed(*inputs))
    with listening if request.param == "long" else contextlib.nullcontext():
        yield request.param


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_numbers_gradients_and_memory(key):
    def program(t):
        x = t.variable(NUMBERS)
        y = x * 1
        part = y[key]
        (part * part * part).sum().backward()
        return part, x.grad

    same(program)
    x = Variable(torch.DoubleTensor(NUMBERS))
    assert x[key].data._base is x.data and numpy.shares_memory(x[key].data.array, x.data.array) == bool(x[key].numel())
    if x[key].numel():
        assert gradcheck(lambda x: x[key] * 2, (x,)) and gradgradcheck(lambda x: x[key] ** 3, (x,))


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("changed", ["part", "base", "part of part"])
def test_writes(key, changed):
    def program(t):
        x = t.variable(NUMBERS)
        y = x * 1
        part = y[key]
        inner = part[None][0]
        {"part": part, "base": y, "part of part": inner}[changed].mul_(3)
        inner.add_(1)
        ((y * y).sum() + (part**3).sum() + inner.sum()).backward()
        return x.grad, y, part, inner

    same(program)


def test_views_of_views():
    def program(t):
        x = t.variable(NUMBERS)
        y = x.t()[1:][..., 2][1:4]
        column = (x * 1)[:, 1:][2][::2]
        loss = (y * y).sum() + (column**3).sum() + y[0] * column[1]
        (first,) = t.autograd.grad(loss, x, create_graph=True)
        return y, column, first, t.autograd.grad((first * first).sum(), x)

    same(program)


def test_a_write_to_the_data_is_seen_by_both():
    x = Variable(torch.DoubleTensor(NUMBERS))
    row = x[1]
    square = row * row
    x.data[1, 0] = 5
    assert row.data[0] == 5 and row.data._version == x.data._version == 1
    with pytest.raises(RuntimeError, match=r"size \(6,\), which is output 0 of Index, is at version 1; expected"):
        square.sum().backward()


def test_a_constant_gives_a_constant():
    x = Variable(torch.DoubleTensor(NUMBERS), requires_grad=False)
    integers = Variable(torch.LongTensor([[1, 2], [3, 4]]))
    assert not x[1].requires_grad and not integers[0].requires_grad and integers[0].data.tolist() == [1, 2]


@pytest.mark.parametrize("key", [4, (0, 6), (0, 0, 0), slice(0, 2, -1)])
def test_a_refused_key_leaves_nothing(key):
    x = Variable(torch.DoubleTensor(NUMBERS))
    with pytest.raises((IndexError, ValueError, RuntimeError)):
        x[key]
    assert not getattr(x.data, "_viewers", ())


def test_a_mask_or_an_index_that_was_changed():
    x = Variable(torch.DoubleTensor(NUMBERS))
    mask, index = torch.ByteTensor([1] * 4), torch.LongTensor([0, 3])
    by_mask, by_index = x[mask], x[:, Variable(index)]
    assert by_mask.data._base is None and by_index.data._base is None
    (by_mask.sum() + by_index.sum()).backward()
    # Each row counts once, and the columns 0 and 3 once more.
    assert x.grad.tolist() == [[2, 1, 1, 2, 1, 1]] * 4
    mask[0] = 0
    with pytest.raises(RuntimeError, match=r"Index: .*ByteTensor of size \(4,\) is at version 1; expected version 0"):
        by_mask.sum().backward()
    index[0] = 1
    with pytest.raises(RuntimeError, match=r"Index: .*LongTensor of size \(2,\) is at version 1; expected version 0"):
        by_index.sum().backward()
