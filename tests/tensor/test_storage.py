"""Storages: the memory of tensors, and LongStorages as sizes."""

import array
import copy
import pickle
import struct

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable

TYPES = "Double Float Half Long Int Short Char Byte".split()


def kinds():
    return [
        (getattr(torch, f"{name}Storage"), getattr(torch, f"{name}Tensor"), f"torch.{name}Storage") for name in TYPES
    ]


@pytest.mark.parametrize("kind, tensor, name", kinds())
def test_every_type_is_made_of_a_size_of_numbers_and_of_another(kind, tensor, name):
    assert kind(3).tolist() == [0, 0, 0] and len(kind()) == 0
    storage = kind([1, 2, 3])
    assert (
        type(storage) is kind
        and isinstance(storage, torch.Storage)
        and storage.type() == torch.typename(storage) == name
    )
    assert storage.size() == len(storage) == 3 and list(storage) == storage.tolist() == [1, 2, 3]
    assert kind((1, 2)).tolist() == kind(range(1, 3)).tolist() == kind(numpy.arange(1, 3)).tolist() == [1, 2]
    assert storage.element_size() == storage._row.array.itemsize == tensor(1).element_size()
    assert type(tensor([1, 2]).storage()) is kind and type(storage.new(2)) is kind and storage.new([5])[0] == 5
    part = kind(storage, 1)
    part[0] = 7
    assert kind(storage, 1, 1).tolist() == [7] and storage.tolist() == [1, 7, 3] and kind(storage) == storage
    assert torch.is_storage(storage) and torch.isStorage(storage) and not torch.is_storage(tensor(1))
    assert torch.isLongStorage(storage) == (kind is torch.LongStorage)


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ((-1,), ValueError, "DoubleStorage: the size must not be negative, got -1"),
        (("ab",), TypeError, "got str"),
        ((["a"],), TypeError, "numbers"),
        (([[1, 2]],), TypeError, "got one of sequences"),
        ((2, 3), TypeError, "an offset and a size"),
        ((torch.FloatStorage(2),), TypeError, "cannot share the memory of a torch.FloatStorage"),
        ((torch.DoubleStorage(2), 3), ValueError, "2 elements has no -1 elements from 3 on"),
        ((torch.DoubleStorage(2), 1, 2), ValueError, "2 elements has no 2 elements from 1 on"),
        ((torch.DoubleStorage(2), "a"), TypeError, "integers"),
    ],
)
def test_a_constructor_says_what_it_needs(arguments, error, words):
    with pytest.raises(error, match=words):
        torch.DoubleStorage(*arguments)


def test_fractions_do_not_become_integers_unasked():
    with pytest.raises(TypeError, match="holds integers"):
        torch.LongStorage([1.5])
    storage = torch.LongStorage(2)
    with pytest.raises(TypeError, match="cannot take the number 0.5"):
        storage[0] = 0.5
    with pytest.raises(TypeError, match="cannot take the number 0.5"):
        storage.fill_(0.5)


def test_a_storage_shares_the_memory_and_the_count_of_writes_with_its_tensor():
    x = torch.Tensor([[1, 2], [3, 4]])
    storage, of_a_view = x.storage(), x.t()[1].storage()
    assert storage.data_ptr() == of_a_view.data_ptr() == x.data_ptr() and storage == of_a_view
    assert hash(storage) == hash(of_a_view) and storage != x.clone().storage() and storage != storage[1:]
    writes = (
        lambda: storage.__setitem__(1, 5),
        lambda: storage.__setitem__(slice(2, 4), 6),
        lambda: storage.fill_(2),
        lambda: storage.copy_(torch.FloatStorage([4, 3, 2, 1])),
        lambda: storage[1:3].fill_(9),
    )
    expected = ([1, 5, 3, 4], [1, 5, 6, 6], [2, 2, 2, 2], [4, 3, 2, 1], [4, 9, 9, 1])
    for number, (write, numbers) in enumerate(zip(writes, expected), 1):
        write()
        assert x.view(-1).tolist() == storage.tolist() == numbers and x._version == number
    x.add_(1)
    assert storage.tolist() == of_a_view.tolist() == [5, 10, 10, 2]
    assert storage.clone().tolist() == storage.tolist() and storage.clone() != storage


def test_backward_notices_a_write_through_a_storage():
    x = Variable(torch.ones(2), requires_grad=True)
    y = x * x
    x.data.storage()[0] = 3
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward(torch.ones(2))


def test_elements_and_parts():
    storage = torch.IntStorage([1, 2, 3, 4])
    assert storage[-1] == 4 and type(storage[0]) is int and 3 in storage
    assert storage[1:3].tolist() == [2, 3] and storage[:0].tolist() == []
    storage[1:3][0] = 20
    storage[-1] = 40
    assert storage.tolist() == [1, 20, 3, 40]
    for key in (4, -5):
        with pytest.raises(IndexError, match=f"index {key} is out of range for a storage of size 4"):
            storage[key]
        with pytest.raises(IndexError, match="out of range"):
            storage[key] = 1
    with pytest.raises(RuntimeError, match="step of 1, got 2"):
        storage[::2]
    with pytest.raises(TypeError, match="an integer or a slice, got float"):
        storage[1.0]
    with pytest.raises(ValueError, match=r"copy_: sizes \(4,\) and \(2,\) do not fit"):
        storage.copy_(torch.IntStorage(2))
    with pytest.raises(TypeError, match="copy_: expected a storage, got list"):
        storage.copy_([1, 2, 3, 4])
    assert str(torch.LongStorage([1, 2])) == " 1\n 2\n[torch.LongStorage of size 2]"


@pytest.mark.parametrize("kind, tensor, name", kinds())
def test_conversions(kind, tensor, name):
    storage = torch.DoubleStorage([0, 1, 2.75])
    expected = tensor(1).new(storage.tolist()) if kind in FLOATING else tensor([0, 1, 2])
    method = kind.__name__.removesuffix("Storage").lower()
    for converted in (storage.type(kind), storage.type(name), getattr(storage, method)()):
        assert type(converted) is kind and converted.tolist() == expected.tolist()
        assert converted.type(kind) is converted and getattr(converted, method)() is converted
        assert (converted is storage) == (kind is torch.DoubleStorage)
    for wrong in (tensor, "torch.ComplexStorage", float):
        with pytest.raises(TypeError, match="no storage type"):
            storage.type(wrong)


FLOATING = (torch.DoubleStorage, torch.FloatStorage, torch.HalfStorage)


def test_tensors_over_a_storage():
    storage = torch.DoubleStorage(range(12))
    x = torch.DoubleTensor(storage)
    assert x.tolist() == storage.tolist() and x.storage() == storage and x.storage_offset() == 0
    part = torch.Tensor(storage, 2, (2, 3), (5, 1))
    assert part.tolist() == [[2, 3, 4], [7, 8, 9]] and part.stride() == (5, 1) and part.storage_offset() == 2
    assert torch.Tensor(storage, 2, torch.LongStorage([2, 2])).tolist() == [[2, 3], [4, 5]]
    assert x.new(storage, 10).tolist() == [10, 11]
    part.zero_()
    assert x.sum() == 66 - (2 + 3 + 4 + 7 + 8 + 9) and x._version == part._version == 1
    with pytest.raises(TypeError, match="FloatTensor cannot share the memory of a torch.DoubleStorage"):
        torch.FloatTensor(storage)


def test_set_from_a_storage():
    storage = torch.DoubleStorage(range(12))
    x = torch.Tensor(1)
    version = x._version
    assert x.set_(storage) is x and x.size() == (12,) and x._version > version
    assert x.set_(storage, 3, (2, 3)).tolist() == [[3, 4, 5], [6, 7, 8]] and x.storage() == storage
    assert x.set_(storage, 1, (3, 2), (1, 4)).tolist() == [[1, 5], [2, 6], [3, 7]] and not x.is_contiguous()
    assert x.set_(storage, 11, 1).tolist() == [11] and x.set_(storage, 0, (0, 3)).size() == (0, 3)
    assert x.set_(storage, 4, (2, 2), (0, 1)).tolist() == [[4, 5], [4, 5]]
    x.fill_(1)
    assert storage[4] == storage[5] == 1
    with pytest.raises(
        RuntimeError, match=r"set_: a storage of 12 elements does not hold .* \(3, 4\) .* from element 1 on"
    ):
        x.set_(storage, 1, (3, 4))
    for arguments in ((-1,), (0, (-1,)), (0, (2,), (-1,)), (0, (2, 2), (1,)), (0, ())):
        with pytest.raises(ValueError, match="set_: expected a size"):
            x.set_(storage, *arguments)
    with pytest.raises(TypeError, match="set_: .*different types"):
        x.set_(torch.FloatStorage(2))
    with pytest.raises(TypeError, match="need a Storage"):
        x.set_(torch.ones(4), 1)
    own = torch.Tensor([1, 2, 3, 4])
    assert own.set_(own.storage(), 0, (2, 2), (1, 2)).tolist() == [[1, 3], [2, 4]]
    assert (own + own).is_contiguous() and own.neg().is_contiguous()


def test_resize():
    x = torch.Tensor([1, 2, 3])
    storage = x.storage()
    assert storage.resize_(2) is storage and storage.tolist() == [1, 2] and storage.data_ptr() == x.data_ptr()
    assert storage.resize_(4).tolist() == [1, 2, 0, 0] and storage.data_ptr() != x.data_ptr()
    assert x.tolist() == [1, 2, 3] and torch.FloatStorage().resize_(2).tolist() == [0, 0]
    with pytest.raises(ValueError, match="resize_: sizes must not be negative"):
        storage.resize_(-1)


def test_memory_that_processes_share():
    x = torch.ones(2, 2)
    storage = x.storage()
    assert not storage.is_shared() and storage.share_memory_() is storage
    assert x.is_shared() and storage.is_shared() and storage.data_ptr() == x.data_ptr()
    storage[0] = 5
    assert x[0, 0] == 5
    assert torch.FloatStorage([1]).share_memory_().is_shared()
    with pytest.raises(RuntimeError, match="part of a storage"):
        torch.ones(4).storage()[1:].share_memory_()
    shared = torch.FloatStorage._new_shared(3)
    assert type(shared) is torch.FloatStorage and shared.is_shared() and shared.tolist() == [0, 0, 0]


def test_a_storage_has_an_identity():
    x = torch.arange(0, 6).view(2, 3)
    storage = x.storage()
    assert x.storage() is storage is x[1].storage() is x.t().storage()
    assert x.storage()._cdata == x[1].storage()._cdata != x.clone().storage()._cdata
    part, again = storage[1:3], storage[1:3]
    assert part == again and part._cdata != again._cdata
    assert part._root_storage() == (storage, 1) and storage._root_storage() == (storage, 0)
    over = torch.Tensor(part)
    assert over.storage() is part and torch.Tensor().set_(part, 1, (1,)).storage() is part
    assert over.set_(x).storage() is storage and over.set_().storage().size() == 0
    own = torch.DoubleStorage([1, 2])
    assert torch.Tensor(own).storage() is own and own.resize_(5).size() == 5


def test_copies_share_what_the_originals_share():
    x = torch.arange(0, 6).view(2, 3)
    row, turned, storage, part, again = copied = copy.deepcopy([x[1], x.t(), x.storage(), x.storage()[2:4], x])
    assert [item.tolist() for item in copied] == [
        [3, 4, 5], x.t().tolist(), [0, 1, 2, 3, 4, 5], [2, 3], [[0, 1, 2], [3, 4, 5]],
    ]  # fmt: skip
    again.fill_(7)
    assert row.tolist() == [7, 7, 7] and turned.tolist() == [[7, 7]] * 3 and part.tolist() == [7, 7]
    assert again.storage() == storage and row._version == turned._version == 1 and x.tolist() == [[0, 1, 2], [3, 4, 5]]
    expanded = copy.deepcopy(torch.ones(1, 2).expand(3, 2))
    assert expanded.stride() == (0, 1)
    with pytest.raises(RuntimeError, match="read-only"):
        expanded.fill_(2)
    module = torch.nn.Linear(2, 2)
    module.tied = torch.nn.Parameter(module.weight.data)
    other = copy.deepcopy(module)
    other.weight.data.fill_(3)
    assert other.tied.data.tolist() == [[3, 3], [3, 3]] != module.tied.data.tolist()


@pytest.mark.parametrize("order, sign", [("little", "<"), ("big", ">"), ("native", "=")])
@pytest.mark.parametrize(
    "kind, code", [("Double", "d"), ("Float", "f"), ("Half", "e"), ("Long", "q"), ("Int", "i"), ("Short", "h")]
)
def test_from_buffer(kind, code, order, sign):
    kind = getattr(torch, f"{kind}Storage")
    content = b"xyz" + struct.pack(f"{sign}3{code}", 1, 2, 300)
    assert kind.from_buffer(content, order, offset=3).tolist() == [1, 2, 300]
    assert kind.from_buffer(content, byte_order=order, count=2, offset=3).tolist() == [1, 2]
    assert kind.from_buffer(bytearray(content), order, 0).tolist() == []
    with pytest.raises(ValueError, match="from_buffer: 4 numbers need"):
        kind.from_buffer(content, order, 4, 3)
    with pytest.raises(ValueError, match="do not divide"):
        kind.from_buffer(content, order, offset=2)
    with pytest.raises(ValueError, match="offset 100 is outside"):
        kind.from_buffer(content, order, offset=100)
    with pytest.raises(ValueError, match="byte_order is 'native', 'little' or 'big', got None"):
        kind.from_buffer(content)


def test_from_a_buffer_of_bytes():
    content = bytearray([1, 255, 3])
    storage = torch.ByteStorage.from_buffer(content)
    content[0] = 9
    assert storage.tolist() == [1, 255, 3] and torch.CharStorage.from_buffer(content, count=2).tolist() == [9, -1]
    assert torch.ByteStorage.from_buffer(array.array("h", [1]), "native").size() == 2
    assert torch.ByteTensor(torch.ByteStorage.from_buffer(b"ab")).tolist() == [97, 98]
    with pytest.raises(TypeError):
        torch.ByteStorage.from_buffer([1, 2])


def test_copies_and_pickles():
    x = torch.Tensor([1, 2]).float()
    storage = x.storage()
    for other in (copy.copy(storage), copy.deepcopy(storage), pickle.loads(pickle.dumps(storage))):
        assert type(other) is torch.FloatStorage and other.tolist() == [1, 2] and other != storage
        other.fill_(0)
        assert x.tolist() == [1, 2] and other.float() is other
    assert pickle.loads(pickle.dumps(torch.FloatStorage)) is torch.FloatStorage


def test_a_long_storage_is_accepted_as_sizes():
    size = torch.LongStorage([2, 3])
    for x in (
        torch.Tensor(size), torch.FloatTensor(size), torch.zeros(size), torch.ones(size), torch.rand(size),
        torch.arange(6).view(size), torch.ones(1, 3).expand(size), torch.ones(1).resize_(size), torch.ones(1).new(size),
        torch.ones(1, 1).repeat(size), torch.arange(6).reshape(size), Variable(torch.arange(6)).view(size).data,
        Variable(torch.ones(1, 3)).expand(size).data, Variable(torch.ones(1, 1)).repeat(size).data,
    ):  # fmt: skip
        assert x.size() == (2, 3)
    assert torch.zeros(2, 3).is_size(size) and torch.ones(2, 3).permute(torch.LongStorage([1, 0])).size() == (3, 2)
    assert torch.LongTensor(torch.LongStorage([2, 3])).tolist() == [2, 3]  # of its own type: the memory


def test_cuda_is_refused_and_cpu_is_where_we_are():
    storage = torch.FloatStorage(1)
    assert storage.cpu() is storage and not storage.is_cuda and not storage.is_sparse and not storage.is_pinned()
    with pytest.raises(RuntimeError, match=r"Storage.cuda\(\).*is_available"):
        storage.cuda()
    with pytest.raises(RuntimeError, match=r"Storage.pin_memory\(\).*is_available"):
        storage.pin_memory()


def test_a_tensor_over_scattered_memory_has_no_storage():
    for part in (numpy.arange(6.0)[::2], numpy.ones((4, 4))[:, :2]):
        with pytest.raises(RuntimeError, match="storage: .*contiguous"):
            torch.from_numpy(part).storage()
