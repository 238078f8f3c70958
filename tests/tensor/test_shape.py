"""Sizes, views and what else leaves the numbers as they are, beside modern torch's."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import for_each

import legacy_autograd as torch
from legacy_autograd import conventions

from .modern import arrays, assert_same, both

KINDS = sorted(arrays())
DIMS = [(kind, dim) for kind, array in arrays().items() for dim in range(-array.ndim, array.ndim)]


def shares(x, y):
    return numpy.shares_memory(x.array, y.array)


@for_each("kind", KINDS)
def test_questions(kind):
    x, y = both(arrays()[kind])
    assert tuple(x.size()) == tuple(y.size()) == tuple(x.shape)
    assert type(x.size()) is torch.Size and type(x.shape) is torch.Size
    assert x.dim() == x.ndimension() == y.dim()
    assert x.numel() == x.nelement() == y.numel()
    assert x.is_contiguous() == y.is_contiguous()
    assert x.element_size() == y.element_size()
    for dim in range(-y.dim(), y.dim()):
        assert x.size(dim) == y.size(dim) and type(x.size(dim)) is int
        assert x.stride(dim) == x.stride()[dim]
    if y.numel():
        assert x.stride() == y.stride()
    with pytest.raises(IndexError, match=rf"size: dimension {y.dim()} is out of range: a tensor of size"):
        x.size(y.dim())


def test_size():
    size = torch.zeros(2, 3).size()
    assert size == (2, 3) and size.numel() == 6 and size.tolist() == [2, 3] and repr(size) == "torch.Size([2, 3])"
    assert type(size[1:]) is torch.Size and size[1:].numel() == 3 and torch.zeros(4, *size[1:]).size() == (4, 3)
    rows, columns = size
    assert rows == 2 and size[1] == 3 and size[-1] == 3
    assert torch.zeros(size).is_size(size) and not torch.zeros(6).is_size(size)


def test_storage_offset_and_sameness():
    x = torch.zeros(4, 3)
    assert x.storage_offset() == 0 and x[1:].storage_offset() == 3 and x[1:][:, 1].storage_offset() == 4
    assert x.t().storage_offset() == 0
    assert x.is_set_to(x.view(4, 3)) and not x.is_set_to(x.view(12)) and not x.is_set_to(x.clone())
    assert x.is_same_size(x.clone()) and not x.is_same_size(x.t())
    assert x[1].data_ptr() == x.data_ptr() + 24


@for_each("kind", KINDS)
def test_view(kind):
    x, y = both(arrays()[kind])
    if not x.is_contiguous():
        with pytest.raises(RuntimeError, match=r"not contiguous.*\.contiguous\(\)"):
            x.view(-1)
        x, y = x.contiguous(), y.contiguous()
    for sizes in ((y.numel(),), (-1, 1) if y.numel() else (0, 1), (1, y.numel(), 1), tuple(y.size())):
        assert_same(x.view(*sizes), y.view(*sizes))
        assert_same(x.view(sizes), y.view(sizes))
        assert_same(x.view(torch.Size(sizes)), y.view(sizes))
        assert_same(x.view(list(sizes)), y.view(sizes))
        assert shares(x, x.view(*sizes)) or not y.numel()
    assert_same(x.view_as(x.view(-1)), y.view(-1))


@pytest.mark.parametrize("sizes", [(4,), (-1, 4), (-1, -1), (2, -2), (0,), (-3,), (7, -1)])
def test_view_in_a_size_that_does_not_hold_the_elements(sizes):
    with pytest.raises(
        RuntimeError, match=r"view: a size of .* does not hold the 6 elements of a tensor of size \(2, 3\)"
    ):
        torch.zeros(2, 3).view(*sizes)


def test_view_of_wrong_arguments():
    with pytest.raises(RuntimeError, match="at least one size"):
        torch.zeros(1).view()
    with pytest.raises(RuntimeError, match="at least one size"):
        torch.zeros(1).view(())
    with pytest.raises(TypeError, match="view: expected integers.*float"):
        torch.zeros(2).view(2.0)
    with pytest.raises(RuntimeError, match="does not hold"):
        torch.zeros(0, 3).view(0, -1)


@for_each("kind", KINDS)
def test_contiguous_clone_reshape(kind):
    x, y = both(arrays()[kind])
    assert x.contiguous().is_contiguous()
    assert (x.contiguous() is x) == x.is_contiguous()
    assert_same(x.contiguous(), y.contiguous())
    assert_same(x.clone(), y)
    assert_same(x.reshape(-1), y.reshape(-1))
    assert not shares(x, x.clone())


@for_each("kind, dim", DIMS)
def test_dimensions_moved(kind, dim):
    x, y = both(arrays()[kind])
    for other in range(-y.dim(), y.dim()):
        assert_same(x.transpose(dim, other), y.transpose(dim, other))
        assert_same(x.clone().transpose_(dim, other), y.transpose(dim, other))
    assert_same(x.squeeze(dim), y.squeeze(dim) if y.dim() > 1 else y)
    assert_same(x.clone().squeeze_(dim), y.squeeze(dim) if y.dim() > 1 else y)
    assert_same(x.unsqueeze(dim), y.unsqueeze(dim))
    assert_same(x.clone().unsqueeze_(dim), y.unsqueeze(dim))
    assert_same(x.unsqueeze(y.dim()), y.unsqueeze(y.dim()))
    assert shares(x, x.unsqueeze(dim)) or not y.numel()


def test_t_permute_squeeze():
    x, y = both(arrays()["3-d"])
    assert_same(x.permute(2, 0, 1), y.permute(2, 0, 1))
    assert_same(x.permute((2, -3, 1)), y.permute((2, 0, 1)))
    assert_same(x[0].t(), y[0].t())
    assert_same(x[0].clone().t_(), y[0].t())
    assert torch.zeros(1, 2, 1).squeeze().size() == (2,) and torch.zeros(1, 1).squeeze().size() == (1,)
    for wrong in ((0, 1), (0, 0, 1), ()):
        with pytest.raises(ValueError, match=r"permute: .*\(2, 3, 4\) needs each of its dimensions once"):
            x.permute(*wrong)
    for tensor in (x, x[0, 0]):
        with pytest.raises(RuntimeError, match="t: expected a matrix"):
            tensor.t()
    with pytest.raises(IndexError, match="transpose: dimension 3 is out of range"):
        x.transpose(0, 3)
    with pytest.raises(IndexError, match="unsqueeze: dimension 4 is out of range"):
        x.unsqueeze(4)


@for_each(
    "kind, sizes",
    [
        ("row", (3, 4)), ("row", (2, 3, 4)), ("row", (-1, 4)), ("row", (3, -1)), ("column", (4, 3)), ("one", (5,)),
        ("one", (0,)), ("none, 2-d", (2, 0, 3)), ("vector", (2, 5)), ("transposed", (2, 3, 4)), ("3-d", (2, 3, 4)),
        ("one, 2-d", (3, 2)), ("row", (0, 4)), ("row", (1, 1, 4)), ("transposed", (1, 3, 4)),
    ],
)  # fmt: skip
def test_expand(kind, sizes):
    x, y = both(arrays()[kind])
    assert_same(x.expand(*sizes), y.expand(*sizes))
    assert_same(x.expand(sizes), y.expand(sizes))
    expanded = x.expand(*sizes)
    assert shares(x, expanded) or not expanded.numel()
    if 0 != expanded.numel() != x.numel():
        for write in (
            lambda: expanded.add_(1), lambda: expanded.zero_(), lambda: expanded.fill_(2), lambda: expanded.abs_(),
            lambda: expanded.copy_(expanded.clone()), lambda: expanded.clamp_(0, 1), lambda: expanded.uniform_(),
            lambda: expanded.apply_(abs), lambda: expanded.__setitem__(0, 1), lambda: expanded.mul_(expanded),
            lambda: expanded.masked_fill_(expanded > 0, 1), lambda: expanded.normal_(), lambda: expanded.sigmoid_(),
            lambda: expanded.__setitem__(slice(1), expanded[:1].clone()), lambda: expanded.add_(2, expanded),
        ):  # fmt: skip
            with pytest.raises(RuntimeError, match=r"read-only.*clone\(\)"):
                write()
    elif expanded.numel():
        expanded.add_(1)
        assert x._version == 1
        assert_same(x, y + 1)


def test_expand_of_what_cannot_be_repeated():
    x = torch.zeros(2, 3)
    for sizes, words in (
        ((4, 3), r"\(2, 3\) cannot become \(4, 3\): dimension 0"),
        ((3,), "more dimensions"),
        ((-1, 2, 3), "negative"),
    ):
        with pytest.raises(ValueError, match=f"expand: .*{words}"):
            x.expand(*sizes)
    assert torch.zeros(1, 3).expand_as(x).size() == (2, 3)


def test_expand_of_a_part_of_memory_begins_where_it_does():
    x, y = both(arrays()["3-d"])
    assert_same(x[1, 1:2].expand(5, 4), y[1, 1:2].expand(5, 4))
    assert_same(x[1].expand(2, 3, 4), y[1].expand(2, 3, 4))
    assert_same(x[:, :1].expand(2, 7, 4), y[:, :1].expand(2, 7, 4))


@for_each("kind, dim", DIMS)
def test_parts(kind, dim):
    x, y = both(arrays()[kind])
    length = y.size(dim)
    for size in (1, 2, 3, 100):
        assert_same(x.split(size, dim), y.split(size, dim))
        assert_same(x.chunk(size, dim), y.chunk(size, dim))
    if length > 1:
        assert_same(x.split([1, length - 1], dim), y.split([1, length - 1], dim))
    for start in range(-length, length + 1):
        for size in range(length - (start + length if start < 0 else start) + 1):
            assert_same(x.narrow(dim, start, size), y.narrow(dim, start, size))
    for index in range(-length, length):
        assert_same(x.select(dim, index), y.select(dim, index))
    for size in range(1, length + 1):
        for step in (1, 2):
            assert_same(x.unfold(dim, size, step), y.unfold(dim, size, step))


def test_parts_that_there_are_not():
    x = torch.zeros(2, 3)
    for start, length in ((0, 3), (2, 1), (-3, 1), (0, -1)):
        with pytest.raises(IndexError, match=r"narrow: dimension 0 of .*\(2, 3\) has size 2"):
            x.narrow(0, start, length)
    with pytest.raises(IndexError, match="index 2 is out of range for dimension 0 of size 2"):
        x.select(0, 2)
    for call, words in (
        (lambda: x.split(0), "split: the size of a part must be positive"),
        (lambda: x.split([1, 2]), r"split: \[1, 2\] do not add up"),
        (lambda: x.chunk(0), "chunk: the number of parts must be positive"),
        (lambda: x.unfold(1, 4, 1), "unfold: windows of 4"),
        (lambda: x.unfold(1, 2, 0), "unfold: windows"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_windows_share_memory():
    x = torch.zeros(5)
    x.unfold(0, 3, 1)[1].fill_(1)
    assert x.tolist() == [0, 1, 1, 1, 0] and x._version == 1


def test_repeat():
    x, y = both(arrays()["matrix"])
    for sizes in ((2, 3), (1, 1), (2, 1, 3), (0, 1), (4, 2, 1, 1)):
        assert_same(x.repeat(*sizes), y.repeat(*sizes))
        assert_same(x.repeat(sizes), y.repeat(sizes))
    for sizes in ((2,), (2, -1)):
        with pytest.raises(ValueError, match=r"repeat: .*\(3, 4\)"):
            x.repeat(*sizes)


@for_each("k", [-5, -1, 0, 1, 2])
@for_each("kind", ["matrix", "transposed", "one, 2-d", "column"])
def test_diagonals(kind, k):
    x, y = both(arrays()[kind])
    assert_same(x.tril(k), y.tril(k))
    assert_same(x.triu(k), y.triu(k))
    assert_same(x.clone().tril_(k), y.tril(k))
    assert_same(x[0].diag(k), y[0].diag(k))
    assert_same(x.trace(), y.trace())
    if -y.size(0) < k < y.size(1):
        assert_same(x.diag(k), y.diag(k))
        assert not shares(x, x.diag(k))


def test_diagonals_of_other_sizes():
    x, y = both(arrays()["3-d"])
    assert_same(x.tril(), y.tril())
    for name, tensor in (("tril", x[0, 0]), ("triu", x[0, 0]), ("diag", x), ("trace", x)):
        with pytest.raises(ValueError, match=f"{name}: expected"):
            getattr(tensor, name)()


def test_resize():
    x = torch.arange(6).view(2, 3)
    row = x[0]
    assert x.resize_(2, 2).tolist() == [[0, 1], [2, 3]]
    row[0] = 9
    assert x.tolist() == [[9, 1], [2, 3]] and x._version == 2
    assert x.resize_(torch.Size([3, 3])).tolist() == [[9, 1, 2], [3, 0, 0], [0, 0, 0]] and x._version == 3
    assert x.resize_as_(torch.zeros(2)).tolist() == [9, 1]
    assert torch.arange(4).view(2, 2).t().resize_(3).tolist() == [0, 2, 1]
    version = row._version
    assert row.resize_(5).tolist() == [9, 1, 2, 0, 0] and row._base is None and row._version > version
    for sizes in ((), (-1,)):
        with pytest.raises(ValueError, match="resize_: sizes must not be negative"):
            x.resize_(*sizes)


def test_set():
    x, y = torch.zeros(2), torch.ones(3, 3)
    y.add_(1).add_(1)
    view = x.view(1, 2)
    assert x.set_(y[0]) is x and x.tolist() == [3, 3, 3]
    x.fill_(5)
    assert y[0].tolist() == [5, 5, 5] and view.tolist() == [[0, 0]]
    assert x._version == y._version == 4
    assert x.set_().numel() == 0 and x._version == 5
    assert y.set_(y[1]).tolist() == [3, 3, 3] and y._base is None
    with pytest.raises(TypeError, match="set_: .*FloatTensor"):
        y.set_(y.float())
    with pytest.raises(TypeError, match="set_: expected a torch.DoubleTensor, got int"):
        y.set_(3)


def test_a_tensor_that_was_transposed_in_place_is_another_version():
    x = torch.zeros(2, 3)
    for change in (lambda: x.t_(), lambda: x.transpose_(0, 1), lambda: x.unsqueeze_(0), lambda: x.squeeze_()):
        before = x._version
        assert change() is x and x._version == before + 1
    assert x.size() == (2, 3)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.data())
def test_permuted_views_go_back(sizes, data):
    x = torch.randn(*sizes)
    order = data.draw(st.permutations(range(len(sizes))))
    back = [order.index(dim) for dim in range(len(sizes))]
    assert x.permute(*order).permute(*back).equal(x)
    assert x.permute(*order).contiguous().is_contiguous()


def test_an_empty_tensor_has_no_dimensions_in_v0_1_12(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    empty = torch.Tensor()
    assert empty.size() == empty.shape == () == torch.Tensor(empty.size()).size() and empty.dim() == 0
    assert empty.view_as(empty).numel() == empty.new(empty.size()).numel() == 0
    none = torch.zeros(2, 3).nonzero()
    assert none.size() == () and none.dim() == none.numel() == len(none) == none.size(0) == 0 and none.size(1) == 2
    assert "no dimension" in repr(none) and torch.cat([none, torch.ones(2, 3).long()], 1).size() == (2, 3)
    assert torch.zeros(3).resize_as_(empty).dim() == 0 and torch.zeros(2, 0).dim() == 2
    with pytest.raises(RuntimeError, match="unsqueeze: expected a tensor with elements"):
        empty.unsqueeze(0)


def test_new_dimensions_have_the_same_strides_from_expand_and_unsqueeze():
    x = torch.ones(5)
    assert x.expand(1, 1, 5).stride() == x.unsqueeze(0).unsqueeze(1).stride() == (5, 5, 1)
    assert x.expand(2, 1, 5).stride() == (0, 5, 1) and x.expand(1, 2, 5).stride(1) == 0


def test_sizes_are_integers_and_add_up_to_sizes():
    size = torch.Size([2, 3])
    assert size + (4,) == (2, 3, 4) and size * 2 == 2 * size == (2, 3, 2, 3)
    assert {type(s) for s in (size + (4,), size * 2, 2 * size, size[:1])} == {torch.Size}
    for wrong in (torch.ones(3), [1.0], ["2"]):
        with pytest.raises(TypeError, match="Size: expected integers, got"):
            torch.Size(wrong)
