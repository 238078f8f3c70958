"""to_torch and from_torch: tensors, Variables, modules and collections of them."""

from collections import OrderedDict, namedtuple

import numpy
import pytest

torch = pytest.importorskip("torch", reason="the comparison needs modern torch")

import legacy_autograd as here  # noqa: E402
from legacy_autograd.autograd import Variable  # noqa: E402
from legacy_autograd.comparison import from_torch, to_torch  # noqa: E402

TYPES = [
    (here.DoubleTensor, torch.float64), (here.FloatTensor, torch.float32), (here.HalfTensor, torch.float16),
    (here.LongTensor, torch.int64), (here.IntTensor, torch.int32), (here.ShortTensor, torch.int16),
    (here.CharTensor, torch.int8), (here.ByteTensor, torch.uint8),
]  # fmt: skip


@pytest.mark.parametrize("kind, dtype", TYPES)
def test_types_and_numbers_come_over_and_back(kind, dtype):
    tensor = kind([[1, 2], [3, 4]])
    moved = to_torch(tensor)
    assert moved.dtype == dtype and moved.tolist() == [[1, 2], [3, 4]]
    assert isinstance(from_torch(moved), kind)
    assert from_torch(moved).tolist() == [[1, 2], [3, 4]]


def test_memory_is_shared_both_ways():
    tensor = here.zeros(3)
    to_torch(tensor)[0] = 5
    assert tensor.tolist() == [5, 0, 0]
    modern = torch.zeros(3)
    from_torch(modern)[1] = 7
    assert modern.tolist() == [0, 7, 0]
    strided = torch.zeros(2, 3).t()
    from_torch(strided)[0, 1] = 4
    assert strided[0, 1] == 4


def test_what_cannot_be_shared_is_copied():
    assert to_torch(here.ones(1).expand(3)).tolist() == [1, 1, 1]
    reversed_ = here.from_numpy(numpy.arange(3.0)[::-1])
    assert to_torch(reversed_).tolist() == [2, 1, 0]


def test_what_has_no_counterpart():
    assert from_torch(torch.tensor(3.0)).size() == (1,)
    assert isinstance(from_torch(torch.tensor([True, False])), here.ByteTensor)
    with pytest.raises(TypeError, match="legacy_autograd has no tensor type for torch.complex64"):
        from_torch(torch.zeros(1, dtype=torch.complex64))
    with pytest.raises(TypeError, match="to_torch takes tensors, modules and collections of these, got object"):
        to_torch(object())
    x = Variable(here.ones(2))
    with pytest.raises(TypeError, match="this Variable is an output of MulConstant"):
        to_torch(x * 2)


def test_a_leaf_with_its_gradient():
    x = Variable(here.DoubleTensor([1.0, 2.0]))
    (x * x).sum().backward()
    moved = to_torch(x)
    assert moved.requires_grad and moved.is_leaf and moved.grad.tolist() == [2, 4]
    back = from_torch(moved)
    assert isinstance(back, Variable) and back.requires_grad and back.grad.tolist() == [2, 4]
    assert not isinstance(from_torch(torch.ones(2)), Variable)


def test_a_module_is_moved_as_its_state():
    model = here.nn.Sequential(here.nn.Linear(3, 2), here.nn.BatchNorm1d(2))
    counterpart = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)).double()
    state = to_torch(model)
    assert isinstance(state, OrderedDict)
    assert not counterpart.load_state_dict(state, strict=False).unexpected_keys
    x = numpy.random.default_rng(0).standard_normal((4, 3))
    theirs = counterpart(torch.from_numpy(x)).detach().numpy()
    ours = model(Variable(here.from_numpy(x))).data.numpy()
    assert numpy.allclose(ours, theirs, atol=1e-12)
    other = here.nn.Sequential(here.nn.Linear(3, 2), here.nn.BatchNorm1d(2))
    state = from_torch(counterpart)
    other.load_state_dict({key: value for key, value in state.items() if "num_batches" not in key})
    assert other[0].weight.data.tolist() == model[0].weight.data.tolist()


def test_collections_keep_their_kind():
    Pair = namedtuple("Pair", "first second")
    nested = {"a": [here.ones(2), None, 3], "b": Pair(here.zeros(1), "x")}
    moved = to_torch(nested)
    assert moved["a"][0].tolist() == [1, 1] and moved["a"][1:] == [None, 3]
    assert isinstance(moved["b"], Pair) and moved["b"].second == "x"
    back = from_torch(moved)
    assert back["b"].first.tolist() == [0]
