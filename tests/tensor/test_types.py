"""Each type of tensors is a class of its own, whatever made the tensor."""

import copy
import pickle

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.tensor import base, dtypes

TYPES = "DoubleTensor FloatTensor HalfTensor LongTensor IntTensor ShortTensor CharTensor ByteTensor".split()
# A pickle of torch.FloatTensor([1, 2]) that was written when all tensors were instances of Tensor itself.
WRITTEN_BEFORE = bytes.fromhex(
    "800495c1000000000000008c1b6c65676163795f6175746f677261642e74656e736f722e62617365948c095f726573746f726564949394"
    "8c166e756d70792e5f636f72652e6d756c74696172726179948c0c5f7265636f6e7374727563749493948c056e756d7079948c076e6461"
    "727261799493944b0085944301629487945294284b014b02859468068c0564747970659493948c02663494898887945294284b038c013c"
    "944e4e4e4affffffff4affffffff4b007494628943080000803f0000004094749462859452942e"
)


def made_from(x):
    """What the operations make of the tensor `x` that have its type."""
    index = torch.LongTensor([0])
    yield from (x + x, x - x, x * x, x + 1, 1 - x, x.neg(), x.abs(), x.clone(), x.new(2), x.new([1]), x.t(), x[0])
    yield from (x.view(-1), x.expand(2, 2, 2), x.contiguous(), x.t().contiguous(), x[index], x.index_select(0, index))
    yield from (
        x.sum(0),
        x.max(0)[0],
        x.sort(0)[0],
        x.cumsum(0),
        x.repeat(2, 1),
        x.clamp(0, 1),
        x.mm(x),
        x.narrow(0, 0, 1),
    )
    yield from (torch.cat([x, x]), torch.stack([x, x]), torch.zeros_like(x), torch.ones_like(x), x.data, x.split(1)[0])
    yield from (torch.from_numpy(x.numpy()), copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)))
    yield from (next(iter(x)), x.diag(), x.tril(), x.masked_select(x.ge(0)), x.clone().add_(1), x.clone().set_(x[1]))


@pytest.mark.parametrize("name", TYPES)
def test_the_class_of_a_tensor_is_its_type(name):
    kind = getattr(torch, name)
    x = torch.Tensor([[1, 2], [3, 4]]).type(kind)
    assert type(x) is kind and x.type() == f"torch.{name}" and issubclass(kind, torch.Tensor)
    for y in made_from(x):
        assert type(y) is kind and y.array.dtype is x.array.dtype
    for other in TYPES:
        converted = x.type(getattr(torch, other))
        assert type(converted) is getattr(torch, other)
        assert isinstance(converted, kind) == (other == name)
        assert type(x.type_as(converted)) is type(converted)
    for indices in (x.sort(0)[1], x.max(0)[1], x.nonzero()):
        assert type(indices) is torch.LongTensor
    for mask in (x > 1, x.eq(x), x.t() < x):
        assert type(mask) is torch.ByteTensor


def test_types_are_keys():
    made = {torch.FloatTensor: "float", torch.LongTensor: "long"}
    assert made[type(torch.ones(1).float())] == "float" and made[type(torch.arange(3).long())] == "long"
    assert type(torch.ones(1)) not in made


def test_tensor_itself_makes_and_means_the_default_type(monkeypatch):
    monkeypatch.setattr(dtypes, "_default", None)
    assert type(torch.Tensor(2)) is type(torch.zeros(2)) is type(torch.randn(2)) is torch.DoubleTensor
    x = torch.LongTensor([1])
    assert type(x.type(torch.Tensor)) is torch.DoubleTensor
    torch.set_default_tensor_type(torch.FloatTensor)
    assert type(torch.Tensor([1])) is type(torch.rand(1)) is type(x.type(torch.Tensor)) is torch.FloatTensor
    assert type(torch.Storage(1)) is torch.FloatStorage


def test_a_type_is_not_changed_in_place():
    x = torch.ones(2)
    for change in (lambda: x.set_(torch.ones(2).float()), lambda: setattr(x, "data", torch.ones(2).long())):
        with pytest.raises(TypeError, match="DoubleTensor and torch"):
            change()
    x.data = torch.zeros(3)
    assert type(x) is torch.DoubleTensor and x.size() == (3,)
    with pytest.raises(TypeError, match="data must be a Tensor, got list"):
        x.data = [1]


def test_a_tensor_of_a_tensor_shares_the_memory_and_the_count_of_writes():
    x = torch.ones(2)
    for y in (torch.Tensor(x), torch.DoubleTensor(x), x.new(x)):
        y.zero_()
        assert x.sum() == 0 and x._version == y._version > 0
        x.fill_(1)


def test_names_and_pickles_of_the_classes():
    for name in TYPES:
        kind = getattr(torch, name)
        assert kind is getattr(base, name) and pickle.loads(pickle.dumps(kind)) is kind
        assert (kind.__name__, kind.__qualname__) == (name, name) and repr(kind).endswith(f".{name}'>")
    x = pickle.loads(WRITTEN_BEFORE)
    assert type(x) is torch.FloatTensor and x.tolist() == [1, 2] and x.type(torch.FloatTensor) is x


def test_tensors_have_no_attributes_of_a_program():
    for name in TYPES:
        with pytest.raises(AttributeError):
            getattr(torch, name)(1).anything = 1


def test_other_numpy_dtypes_have_no_type():
    for wrong in (numpy.complex128, "torch.ComplexTensor", list, torch.FloatStorage, object()):
        with pytest.raises(TypeError, match="no tensor type"):
            torch.ones(1).type(wrong)


@pytest.mark.parametrize("name", ["async", "non_blocking"])
def test_copies_take_the_argument_for_asynchronous_ones_and_refuse_others(name):
    x, y = torch.FloatTensor([1, 2]), torch.DoubleTensor(2)
    v = torch.autograd.Variable(torch.zeros(2), requires_grad=False)
    assert y.copy_(x, **{name: True}).tolist() == y.copy_(x, True).tolist() == [1, 2]
    assert y.storage().copy_(x.storage(), **{name: True}).tolist() == [1, 2]
    assert v.copy_(y, **{name: True}).data.tolist() == [1, 2]
    assert x.type("torch.LongTensor", **{name: True}).type() == "torch.LongTensor"
    assert x.storage().type("torch.LongStorage", **{name: True}).type() == "torch.LongStorage"
    for holder in (x, v, x.storage()):
        with pytest.raises(RuntimeError, match="CUDA"):
            holder.cuda(0, **{name: True})
        with pytest.raises(TypeError, match=r"cuda\(\) got an unexpected keyword argument 'asynk'"):
            holder.cuda(asynk=True)
    with pytest.raises(TypeError, match=r"type\(\) got an unexpected"):
        x.type("torch.LongTensor", asynk=True)
    with pytest.raises(TypeError, match=r"copy_\(\) got an unexpected"):
        y.copy_(x, asynk=True)
