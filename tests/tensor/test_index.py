"""x[key] and x[key] = value, beside modern torch's."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.tensor import Tensor

from .modern import assert_same, both, modern

SIZES = st.lists(st.integers(0, 4), min_size=1, max_size=4)


def for_modern(key):
    """The key for modern torch: our index tensors and masks as its own."""
    if isinstance(key, tuple):
        return tuple(for_modern(k) for k in key)
    if isinstance(key, Tensor):
        tensor = modern.from_numpy(key.array)
        return tensor.bool() if tensor.dtype == modern.uint8 else tensor
    return key


def slices(length):
    edge = st.none() | st.integers(-length - 1, length + 1)
    return st.builds(slice, edge, edge, st.none() | st.integers(1, 3))


@st.composite
def keys(draw, shape, fancy=True):
    """A key that fits a tensor of `shape`."""
    entries, dim, count = [], 0, draw(st.integers(0, len(shape)))
    index_length = draw(st.integers(1, 3))
    has_ellipsis = False
    while dim < count:
        length = shape[dim]
        kinds = ["slice", "slice", "None"]
        if length:
            kinds.append("int")
        if fancy:
            kinds.append("mask")
            if length:
                kinds += ["index", "list"]
        if not has_ellipsis:
            kinds.append("...")
        kind = draw(st.sampled_from(kinds))
        if kind == "None":
            if entries.count(None) < 2:
                entries.append(None)
            continue
        if kind == "...":
            # It stands for what is left over, so what follows counts from the back.
            has_ellipsis = True
            entries.append(Ellipsis)
            dim = len(shape) - (count - dim)
            count = len(shape)
            continue
        if kind == "slice":
            entries.append(draw(slices(length)))
        elif kind == "int":
            entries.append(draw(st.integers(-length, length - 1)))
        elif kind == "mask":
            # Masks and indices broadcast: one mask, and no indices beside it, keeps that simple.
            if any(isinstance(entry, (Tensor, list)) for entry in entries):
                continue
            dims = draw(st.integers(1, count - dim))
            size = shape[dim : dim + dims]
            bits = draw(
                st.lists(st.sampled_from([0, 1, 2]), min_size=int(numpy.prod(size)), max_size=int(numpy.prod(size)))
            )
            entries.append(torch.ByteTensor(numpy.array(bits, "uint8").reshape(size)))
            fancy = False
            dim += dims - 1
        else:
            indices = draw(st.lists(st.integers(-length, length - 1), min_size=index_length, max_size=index_length))
            entries.append(indices if kind == "list" else torch.LongTensor(indices))
        dim += 1
    return entries[0] if len(entries) == 1 and draw(st.booleans()) else tuple(entries)


@st.composite
def tensors_and_keys(draw):
    shape = draw(SIZES)
    x, y = both(numpy.arange(float(numpy.prod(shape))).reshape(shape))
    if draw(st.booleans()):
        x, y = x.transpose(0, -1), y.transpose(0, -1)
    return x, y, draw(keys(tuple(x.size())))


def is_fancy(key):
    return any(isinstance(k, (Tensor, list)) for k in (key if isinstance(key, tuple) else (key,)))


@settings(max_examples=400)
@given(tensors_and_keys())
def test_reading(drawn):
    x, y, key = drawn
    expected = y[for_modern(key)]
    found = x[key]
    assert_same(found, expected)
    if isinstance(found, Tensor) and found.numel():
        assert numpy.shares_memory(found.array, x.array) != is_fancy(key)
        assert (found._base is None) == is_fancy(key)


@settings(max_examples=400)
@given(tensors_and_keys(), st.booleans())
def test_writing(drawn, with_tensor):
    x, y, key = drawn
    indices = for_modern(key)
    part = y[indices]
    value = -1.5 - numpy.arange(part.numel(), dtype=float).reshape(part.shape)
    if part.ndim == 0:
        value = value.reshape(1)
    # With an index twice, which write counts is left open by modern torch: write one number to all.
    if with_tensor and not is_fancy(key):
        x[key] = torch.from_numpy(value)
        y[indices] = modern.from_numpy(value).reshape(part.shape)
    else:
        x[key] = 7
        y[indices] = 7
    assert_same(x, y)
    assert x._version == 1


@settings(max_examples=300)
@given(tensors_and_keys())
def test_adding_at_a_key(drawn):
    x, y, key = drawn
    values = numpy.ones(y[for_modern(key)].shape)
    x.index_put_(key, torch.from_numpy(values), accumulate=True)
    # What autograd makes of a key is the sum of what was read from each place.
    y = y.clone().requires_grad_()
    y[for_modern(key)].sum().backward()
    assert_same(x, y.detach() + y.grad)
    assert x._version == 1


def test_numbers_and_views():
    x, y = both(numpy.arange(6.0).reshape(2, 3))
    assert x[1, 2] == 5.0 and type(x[1, 2]) is float and type(x.long()[0, 0]) is int
    assert x[0].tolist() == [0, 1, 2]
    assert x[-1][-1] == 5
    assert x[numpy.int64(1), numpy.int32(0)] == 3
    assert_same(x[numpy.array([1, 0])], y[[1, 0]])
    assert_same(x[numpy.array([True, False])], y[1 - 1 : 1])
    assert_same(x[[True, False]], y[:1])
    assert_same(x[:, [2, 0]], y[:, [2, 0]])
    assert_same(x[torch.IntTensor([1])], y[[1]])
    assert_same(x[torch.LongTensor([[0, 1], [1, 1]])], y[modern.tensor([[0, 1], [1, 1]])])
    assert_same(x[[]], y[[]])
    assert_same(
        x[torch.LongTensor([[0], [1]]), torch.LongTensor([0, 2])], y[modern.tensor([[0], [1]]), modern.tensor([0, 2])]
    )
    assert_same(x[x > 2], y[y > 2])
    assert_same(x[x > 9], y[y > 9])
    assert_same(x[()], y[()])
    assert_same(x[...], y[...])
    assert_same(x[None, ..., None], y[None, ..., None])


def test_integers_are_taken_before_index_tensors():
    """numpy counts the integer among the index tensors, and puts their dimension first: the size would be (2, 3)."""
    x, y = both(numpy.arange(24.0).reshape(2, 3, 4))
    assert_same(x[0, :, [1, 2]], y[0, :, [1, 2]])
    assert x[0, :, [1, 2]].size() == (3, 2)
    assert_same(x[[0, 1], :, [1, 2]], y[[0, 1], :, [1, 2]])
    assert_same(x[[0, 1], 1, [1, 2]], y[[0, 1], 1, [1, 2]])


def test_writes_of_tensors():
    x = torch.zeros(2, 3)
    x[0] = torch.DoubleTensor([1, 2, 3])
    x[1] = torch.DoubleTensor([4])
    assert x.tolist() == [[1, 2, 3], [4, 4, 4]]
    x[:, 1] = torch.FloatTensor([8, 9])
    assert x.tolist() == [[1, 8, 3], [4, 9, 4]]
    x[0, 0] = torch.LongTensor([7])
    x[[0, 1], [2, 2]] = torch.DoubleTensor([5, 6])
    x[x > 8] = 0
    assert x.tolist() == [[7, 8, 5], [4, 0, 6]]
    x[x > 5] = torch.DoubleTensor([1, 2, 3])
    assert x.tolist() == [[1, 2, 5], [4, 0, 3]]
    x[0] = x[0, :].view(3, 1)  # as many elements in another size, as in v0.1.x
    x[[0]] = torch.DoubleTensor([[9], [9], [9]])
    assert x[0].tolist() == [9, 9, 9] and x._version == 9
    x[:] = x.clone() * 0
    assert x.sum() == 0
    x[0] += 2
    x[:, 0] *= 3
    assert x.tolist() == [[6, 2, 2], [0, 0, 0]]
    y = torch.arange(4)
    y[1:] = y[:-1]
    assert y.tolist() == [0, 0, 1, 2]
    y.long()[0] = 3.0


@pytest.mark.parametrize(
    "key, error, words",
    [
        (
            2,
            IndexError,
            r"x\[key\]: index 2 is out of range for dimension 0 of size 2 \(of a tensor of size \(2, 3\)\)",
        ),
        (-3, IndexError, "index -3 is out of range for dimension 0"),
        ((0, 3), IndexError, "index 3 is out of range for dimension 1 of size 3"),
        ((..., 3), IndexError, "index 3 is out of range for dimension 1 of size 3"),
        ((None, slice(None), 3), IndexError, "index 3 is out of range for dimension 1 of size 3"),
        ((0, 0, 0), IndexError, r"3 indices are too many for a tensor of size \(2, 3\)"),
        ((0, None, 0, [0]), IndexError, "3 indices are too many"),
        ((..., ...), IndexError, "one Ellipsis"),
        (slice(None, None, -1), ValueError, "step of a slice must be positive, got -1"),
        (slice(None, None, 0), ValueError, "step of a slice must be positive, got 0"),
        ([0, 2], IndexError, "index 2 is out of range for a dimension of size 2"),
        ((slice(None), [0, -4]), IndexError, "index -4 is out of range for a dimension of size 3"),
        (([0, 1], [0, 1, 2]), IndexError, r"index tensors of sizes \(2,\), \(3,\) do not fit together"),
        (
            torch.ByteTensor([1, 0, 1]),
            IndexError,
            r"a mask of size \(3,\) does not fit the tensor's size \(2, 3\), from dimension 0",
        ),
        (torch.ByteTensor(3, 2), IndexError, r"a mask of size \(3, 2\) does not fit"),
        ((..., torch.ByteTensor(2)), IndexError, r"a mask of size \(2,\) does not fit"),
        (torch.DoubleTensor([1]), TypeError, "an index tensor is a LongTensor.*DoubleTensor"),
        (True, TypeError, "got bool"),
        (1.0, TypeError, "got float"),
        ("a", TypeError, "got str"),
        ([0.5], TypeError, "got list"),
        ([[0], [1, 2]], TypeError, "got list"),
    ],
)
def test_keys_that_name_nothing(key, error, words):
    x = torch.zeros(2, 3)
    with pytest.raises(error, match=words):
        x[key]
    with pytest.raises(error, match=words.replace(r"x\[key\]", r"x\[key\] = value")):
        x[key] = 1
    with pytest.raises(error):
        x[key] = torch.ones(1)
    with pytest.raises(error):
        x.index_put_(key, torch.ones(1))
    assert x.sum() == 0 and x._version == 0


@pytest.mark.parametrize("key", [0, slice(None), (0, 1), [0, 1], torch.ByteTensor([1, 0]), (slice(None), 1)])
def test_values_that_do_not_fit(key):
    x = torch.zeros(2, 3)
    with pytest.raises(ValueError, match=r"^x\[key\] = value: sizes .* and \(5,\) do not fit"):
        x[key] = torch.ones(5)
    for value in ([1, 2, 3], numpy.ones(3), "a", None):
        with pytest.raises(TypeError, match=f"or a number, got {type(value).__name__}"):
            x[key] = value
    with pytest.raises(TypeError, match="LongTensor cannot take the number 1.5"):
        x.long()[key] = 1.5
    with pytest.raises(ValueError, match="index_put_: sizes"):
        x.index_put_(key, torch.ones(5), accumulate=True)
    with pytest.raises(TypeError, match="index_put_: expected a torch.DoubleTensor, got a torch.FloatTensor"):
        x.index_put_(key, torch.ones(5).float(), accumulate=True)
    assert x.sum() == 0 and x._version == 0


def test_putting_without_adding():
    x = torch.ones(3)
    x.index_put_([0, 0], torch.DoubleTensor([2, 3]), accumulate=True)
    x.index_put_(2, torch.DoubleTensor([5]))
    assert x.tolist() == [6, 1, 5] and x._version == 2


@pytest.mark.parametrize("key", [0, [0, 1], (None, torch.LongTensor([0]))])
def test_adding_to_elements_that_share_a_place_is_refused(key):
    x = torch.ones(1)
    with pytest.raises(RuntimeError, match="^index_put_: .*read-only"):
        x.expand(3).index_put_(key, torch.ones(1), accumulate=True)
    assert x.tolist() == [1]


def test_a_mask_of_as_many_elements_in_v0_1_12(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    x, mask = torch.range(1, 6).view(2, 3), torch.ByteTensor([1, 0, 0, 1, 0, 1])
    assert x[mask].tolist() == [1, 4, 6] == x[mask.view(3, 2)].tolist() == x.index(mask).tolist()
    x[mask] = torch.Tensor([[7], [8], [9]])
    assert x.tolist() == [[7, 2, 3], [8, 5, 9]]
    x[mask] = 0
    assert x.tolist() == [[0, 2, 3], [0, 5, 0]]
    with pytest.raises(IndexError, match=r"a mask of size \(5,\) does not fit"):
        x[mask[:5]]


@pytest.mark.parametrize(
    "key, is_a_tuple",
    [
        ([1, 2], False),
        ([True, False, True], False),
        ([1, ...], True),
        ([..., 0], True),
        ([None, 1], True),
        ([slice(0, 2), 0], True),
        ([[0, 2], 1], True),
        ([(0, 2), 1], True),
        ([torch.LongTensor([0, 2]), 1], True),
    ],
    ids=repr,
)
def test_a_list_with_more_than_numbers_is_a_tuple_in_v0_2_0(key, is_a_tuple, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.column("0.2.0"))
    x, numbers = torch.range(1, 12).view(3, 4), numpy.arange(1.0, 13).reshape(3, 4)
    plain = [part.numpy() if isinstance(part, Tensor) else part for part in key]
    assert x[key].tolist() == numbers[tuple(plain) if is_a_tuple else plain].tolist()


def test_numbers_in_a_column_for_a_mask():
    x, mask = torch.zeros(2, 2), torch.ByteTensor([[1, 0], [0, 1]])
    x[mask] = torch.DoubleTensor([[7], [8]])
    assert x.tolist() == [[7, 0], [0, 8]]
    with pytest.raises(ValueError, match=r"sizes \(2,\) and \(3, 1\) do not fit"):
        x[mask] = torch.ones(3, 1)


def test_tuples_in_keys_narrow_in_v0_1_1(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.1"])
    x = torch.range(1, 12).view(4, 3)
    assert x[(1,)].tolist() == [[4, 5, 6]] and x[((1, 3), 0)].tolist() == [4, 7]
    assert x[(-1,), (0, 2)].tolist() == [[10, 11]] and x[1, 2] == 6 and x[1].tolist() == [4, 5, 6]
    x[((0, 2), (2,))] = 0
    assert x[:, 2].tolist() == [0, 0, 9, 12]
    for key in ((5,), ((3, 5), 0), ((2, 2), 0)):
        with pytest.raises(RuntimeError, match="is out of range"):
            x[key]
    with pytest.raises(RuntimeError, match="a tuple in a key holds one or two integers"):
        x[(0, 1, 2), 0]
