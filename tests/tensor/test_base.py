"""The Tensor's memory, types, constructors, arithmetic and Python's protocols."""

import copy
import gc
import math
import pickle

import numpy
import pytest
from steps import for_each

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.tensor import dtypes

from .modern import FLOATING, INTEGERS, arrays, assert_same, both, modern

TYPES = {
    "float64": torch.DoubleTensor,
    "float32": torch.FloatTensor,
    "float16": torch.HalfTensor,
    "int64": torch.LongTensor,
    "int32": torch.IntTensor,
    "int16": torch.ShortTensor,
    "int8": torch.CharTensor,
    "uint8": torch.ByteTensor,
}


class Subclass(numpy.ndarray):
    pass


@pytest.fixture
def later_era(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])


# --- constructors and types


@for_each("dtype", TYPES)
def test_every_type_is_made_of_sizes_of_numbers_and_of_an_array(dtype):
    kind = TYPES[dtype]
    assert kind(2, 3).array.dtype == dtype and kind(2, 3).size() == (2, 3)
    assert kind([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    array = numpy.arange(3).astype(dtype)
    assert numpy.shares_memory(kind(array).numpy(), array)
    assert isinstance(kind(1), kind) and isinstance(kind(1), torch.Tensor)
    others = [other for name, other in TYPES.items() if name != dtype]
    assert not any(isinstance(kind(1), other) for other in others)
    assert kind(1).type() == f"torch.{kind.__name__}"


def test_the_classes_that_programs_of_2016_iterate_over():
    assert torch._tensor_classes == {*TYPES.values(), torch.HalfTensor}


def test_the_default_type_is_double_and_can_be_set(monkeypatch):
    monkeypatch.setattr(dtypes, "_default", None)
    assert torch.Tensor(1).type() == "torch.DoubleTensor"
    torch.set_default_tensor_type("torch.FloatTensor")
    assert torch.Tensor([1]).type() == torch.zeros(1).type() == torch.get_default_tensor_type() == "torch.FloatTensor"
    with pytest.raises(TypeError, match="floating-point.*LongTensor"):
        torch.set_default_tensor_type(torch.LongTensor)


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ((-1,), ValueError, "negative.*-1"),
        ((1.5,), TypeError, "sizes.*float"),
        (("a",), TypeError, "sizes.*str"),
        (([[1, 2], [3]],), TypeError, "one length"),
        ((["a"],), TypeError, "numbers"),
        ((2, None), TypeError, "int, NoneType"),
        ((torch.LongTensor([1]),), TypeError, "DoubleTensor.*LongTensor"),
    ],
)
def test_a_constructor_says_what_it_needs(arguments, error, words):
    with pytest.raises(error, match=words):
        torch.DoubleTensor(*arguments)


def test_a_constructor_does_not_cut_fractions_off():
    with pytest.raises(TypeError, match="LongTensor holds integers"):
        torch.LongTensor([1.5])
    assert torch.LongTensor([1.0]).tolist() == [1]


def test_a_size_makes_a_tensor_of_that_size():
    assert torch.Tensor(torch.zeros(2, 3).size()).size() == (2, 3)
    assert torch.Tensor().size() == (0,)
    assert torch.zeros(1).int().new(2).type() == "torch.IntTensor"


@for_each("source", TYPES)
@for_each("target", TYPES)
def test_conversions(source, target):
    array = numpy.array([0.0, 1.0, 100.0, 2.75])
    x, y = both(array, source)
    for by in (TYPES[target], f"torch.{TYPES[target].__name__}", target):
        assert_same(x.type(by), y.to(getattr(modern, target)))
    method = TYPES[target].__name__.removesuffix("Tensor").lower()
    assert_same(getattr(x, method)(), getattr(y, method)())
    assert (x.type(target) is x) == (source == target)
    assert_same(x.type_as(torch.zeros(1).type(target)), y.to(getattr(modern, target)))


def test_an_unknown_type_is_named():
    with pytest.raises(TypeError, match="ComplexTensor"):
        torch.zeros(1).type("torch.ComplexTensor")


def test_cuda_is_refused_and_cpu_is_where_we_are():
    x = torch.zeros(1)
    assert x.cpu() is x and not x.is_cuda
    with pytest.raises(RuntimeError, match=r"Tensor.cuda\(\).*is_available"):
        x.cuda()


# --- memory


def test_memory_is_shared_with_numpy_both_ways():
    array = numpy.zeros(3)
    x = torch.from_numpy(array)
    array[0] = 1
    x[1] = 2
    assert x.tolist() == array.tolist() == [1, 2, 0]
    x.numpy()[2] = 3
    assert x.tolist() == [1, 2, 3] and x.numpy() is x.numpy()
    assert numpy.asarray(x) is x.numpy()
    assert numpy.array(x) is not x.numpy() and numpy.array(x).tolist() == [1, 2, 3]
    assert numpy.asarray(x, dtype="float32").dtype == "float32"
    with pytest.raises(ValueError, match="without a copy"):
        x.__array__("float32", copy=False)  # of numpy.asarray(copy=False), which NumPy 1 lacks


def test_from_numpy_refuses_what_has_no_type_here():
    with pytest.raises(TypeError, match="complex128"):
        torch.from_numpy(numpy.zeros(1, complex))
    with pytest.raises(TypeError, match="an ndarray, got list"):
        torch.from_numpy([1])
    with pytest.raises(TypeError, match="mask"):
        torch.from_numpy(numpy.ma.masked_array([1.0], [True]))
    for make in (torch.from_numpy, torch.Tensor):
        assert type(make(numpy.ones(1).view(Subclass)).numpy()) is numpy.ndarray
    assert torch.from_numpy(numpy.array(3.0)).size() == (1,)
    assert torch.from_numpy(numpy.array([True, False])).type() == "torch.ByteTensor"


def test_views_count_writes_together_and_copies_apart():
    x = torch.zeros(2, 3)
    views = {
        "view": x.view(6),
        "t": x.t(),
        "transpose": x.transpose(0, 1),
        "permute": x.permute(1, 0),
        "narrow": x.narrow(0, 0, 1),
        "select": x.select(0, 1),
        "item": x[0],
        "slice": x[:, 1:],
        "step": x[:, ::2],
        "None": x[None],
        "unsqueeze": x.unsqueeze(0),
        "squeeze": x.squeeze(),
        "expand": x.expand(4, 2, 3),
        "unfold": x.unfold(1, 2, 1),
        "split": x.split(1)[1],
        "chunk": x.chunk(2, 1)[0],
        "iteration": next(iter(x)),
        "view of a view": x[0].view(1, 3).t(),
        "copy": copy.copy(x),
        "data": x.data,
    }
    copies = [x.clone(), x.repeat(1, 1), x + 0, x[torch.LongTensor([0])], copy.deepcopy(x), x.contiguous().clone()]
    for name, view in views.items():
        assert numpy.shares_memory(view.array, x.array), name
        assert view._version == x._version == 0, name
    x.zero_()
    views["view of a view"].fill_(2)
    views["slice"][0, 0] = 5
    assert {name: view._version for name, view in views.items()} == dict.fromkeys(views, 3)
    assert x._version == 3 and all(y._version == 0 for y in copies)
    assert not any(numpy.shares_memory(y.array, x.array) for y in copies)


def test_a_view_keeps_its_memory_when_the_tensor_is_gone():
    x = torch.ones(3)
    view = x[1:]
    del x
    gc.collect()
    view.add_(1)
    assert view.tolist() == [2, 2] and view._version == 1


def test_copies_and_pickles():
    x = torch.FloatTensor([[1, 2], [3, 4]])
    x.add_(1)
    for y in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), pickle.loads(pickle.dumps(x.t())).t()):
        assert type(y) is torch.FloatTensor and y.equal(x) and not numpy.shares_memory(x.array, y.array)
        # Types are compared by identity in places.
        assert y.type("torch.FloatTensor") is y
        assert (y + x).type() == "torch.FloatTensor"
    assert numpy.shares_memory(copy.copy(x).array, x.array)


@pytest.mark.parametrize("core", [b"numpy.core.", b"numpy._core."])
def test_a_pickle_of_either_numpy_is_read(core):
    """NumPy 1 and 2 write different names of the modules that make an array again."""
    x = torch.FloatTensor([[1, 2], [3, 4]])
    written = pickle.dumps(x, 2).replace(b"numpy._core.", b"numpy.core.").replace(b"numpy.core.", core)
    assert core in written and pickle.loads(written).equal(x)


# --- arithmetic


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "pow", "remainder", "fmod"])
@for_each("kind", arrays())
@for_each("dtype", FLOATING)
def test_arithmetic_of_two_tensors_and_with_a_number(name, kind, dtype):
    x, y = both(arrays()[kind], dtype)
    a, b = both(arrays()[kind][..., ::-1] + 0.25, dtype)
    assert_same(getattr(x, name)(a), getattr(y, name)(b))
    for number in (2, 0.5, -1, 3, 1.7, 0, -2, -0.5):
        assert_same(getattr(x, name)(number), getattr(y, name)(number))


@for_each("dtype", INTEGERS)
def test_arithmetic_of_integers(dtype):
    x, y = both(numpy.array([[7, 8, 9], [1, 2, 0]]), dtype)
    a, b = both(numpy.array([[2, 3, 4], [5, 1, 1]]), dtype)
    assert_same(x + a, y + b)
    assert_same(x - a, y - b)
    assert_same(x * a, y * b)
    assert_same(x / a, modern.div(y, b, rounding_mode="trunc"))
    assert_same(x / 2, modern.div(y, 2, rounding_mode="trunc"))
    assert_same(50 / a, modern.div(modern.tensor(50, dtype=b.dtype), b, rounding_mode="trunc"))
    assert_same(x % a, y % b)
    assert_same(x.pow(2), y.pow(2))
    assert_same(2**a, 2**b)


def test_quotients_of_negative_integers_are_cut_off():
    x, y = torch.LongTensor([7, -7, 7, -7, 6, -6]), torch.LongTensor([2, 2, -2, -2, 3, 3])
    assert (x / y).tolist() == [3, -3, -3, 3, 2, -2]
    assert (x / 2).tolist() == [3, -3, 3, -3, 3, -3]
    assert x.div_(y).tolist() == [3, -3, -3, 3, 2, -2]


def test_operators_take_numbers_on_either_side():
    x, y = both(numpy.array([1.0, 2.0, 4.0]))
    for operation in (
        lambda t: t + 1, lambda t: 1 + t, lambda t: t - 1, lambda t: 1 - t, lambda t: t * 2, lambda t: 2 * t,
        lambda t: t / 2, lambda t: 2 / t, lambda t: t**2, lambda t: 2**t, lambda t: t % 3, lambda t: -t, lambda t: +t,
        lambda t: abs(-t), lambda t: t * True, lambda t: t + numpy.float32(0.5), lambda t: t * numpy.int64(3),
        lambda t: numpy.float64(0.5) * t, lambda t: numpy.float32(0.5) - t, lambda t: numpy.int64(3) / t,
    ):  # fmt: skip
        assert_same(operation(x), operation(y), types=False)
        assert operation(x).type() == "torch.DoubleTensor"


def test_scalar_first_forms():
    x, y = torch.DoubleTensor([1, 2]), torch.DoubleTensor([10, 20])
    assert x.add(2, y).tolist() == [21, 42]
    assert x.sub(2, y).tolist() == [-19, -38]
    assert x.clone().add_(0.5, y).tolist() == [6, 12]
    assert x.clone().sub_(0.5, y).tolist() == [-4, -8]


@for_each("sizes", [((2, 3), (3,)), ((2, 1), (1, 3)), ((1,), (2, 2)), ((3, 1, 2), (4, 1)), ((0, 3), (1, 3))])
def test_broadcasting(sizes):
    x, y = both(numpy.random.default_rng(0).random(sizes[0]))
    a, b = both(numpy.random.default_rng(1).random(sizes[1]))
    assert_same(x * a, y * b)
    assert_same(a - x, b - y)
    assert_same(x > a, y > b)


def test_in_the_later_era_equal_counts_are_taken_point_by_point(later_era):
    x, y = torch.DoubleTensor([[1], [2], [3]]), torch.DoubleTensor([10, 20, 30])
    assert (x + y).tolist() == [[11], [22], [33]]
    assert (y + x).tolist() == [11, 22, 33]
    assert (x > y).size() == (3, 1)
    assert y.add_(x).tolist() == [11, 22, 33]
    assert y.mul_(torch.DoubleTensor([[1, 0, 2]])).tolist() == [11, 0, 66]
    assert y.masked_select(torch.ByteTensor([[1], [0], [1]])).tolist() == [11, 66]
    assert (torch.DoubleTensor([[1, 2]]) + torch.DoubleTensor([[1], [2], [3]])).size() == (3, 2)


@for_each("name", ["add", "sub", "mul", "div", "pow", "eq", "lt", "cmax", "fmod", "add_", "mul_", "cmin_"])
def test_operands_that_do_not_fit_are_named(name):
    x = torch.zeros(2, 3)
    with pytest.raises(ValueError, match=rf"^{name}: sizes \(2, 3\) and \(4,\) do not fit"):
        getattr(x, name)(torch.zeros(4))
    with pytest.raises(TypeError, match=f"^{name}: .*DoubleTensor and torch.FloatTensor"):
        getattr(x, name)(torch.zeros(2, 3).float())
    with pytest.raises(TypeError, match=f"^{name}: expected a torch.DoubleTensor or a number, got str"):
        getattr(x, name)("1")
    with pytest.raises(TypeError, match="got ndarray"):
        getattr(x, name)(numpy.zeros((2, 3)))
    assert x._version == 0


def test_an_array_beside_a_tensor_is_refused():
    array, x = numpy.ones(2), torch.ones(2)
    for operation in (
        lambda: array + x, lambda: x + array, lambda: array * x, lambda: array - x, lambda: array / x,
        lambda: x == array, lambda: array == x, lambda: x < array, lambda: array < x,
    ):  # fmt: skip
        with pytest.raises(TypeError, match="ndarray"):
            operation()


def test_integers_refuse_fractions_and_what_is_too_large():
    x = torch.ByteTensor([1, 2])
    with pytest.raises(TypeError, match=r"^mul: a torch.ByteTensor cannot take the number"):
        x.mul(0.5)
    for number in (math.nan, math.inf):
        with pytest.raises(OverflowError, match=rf"^mul: {number} does not fit into a torch.ByteTensor"):
            x.mul(number)
    with pytest.raises(OverflowError, match="add: 300 does not fit into a torch.ByteTensor"):
        x + 300
    assert (x * 2.0).tolist() == [2, 4]
    for name in ("div", "remainder", "fmod"):
        for method in (getattr(x, name), getattr(x, f"{name}_")):
            with pytest.raises(ZeroDivisionError, match=f"{name}: division of an integer tensor by zero"):
                method(0)
            with pytest.raises(ZeroDivisionError, match=f"{name}: division of an integer tensor by zero"):
                method(torch.ByteTensor([1, 0]))
    with pytest.raises(RuntimeError, match="negative exponent"):
        torch.LongTensor([2]) ** -1


def test_numbers_that_are_kept_for_the_next_time():
    """The array of a number is used again, so equal numbers must not be mixed up."""
    x = torch.ones(1)
    for _ in range(2):
        assert [math.copysign(1, (x * zero)[0]) for zero in (0, 0.0, -0.0, 0, 0.0)] == [1, 1, -1, 1, 1]
        assert math.isnan((x * math.nan)[0]) and (x * 2)[0] == (x * 2.0)[0] == (x * True)[0] * 2 == 2
        for number in range(1, 200):
            assert (x * number)[0] == number and (x.long() * float(number))[0] == number
        assert type(x.long() * 2.0) is torch.LongTensor and type(x.float() * 2) is torch.FloatTensor
        with pytest.raises(TypeError, match="cannot take the number 0.5"):
            x.long() * 0.5
    y = torch.zeros(1).fill_(7)
    assert y.add_(1)[0] == 8 and (x * 7)[0] == 7


def test_division_by_zero_is_silent():
    assert (torch.ones(1) / 0).tolist() == [math.inf]
    assert math.isnan((torch.zeros(1) / 0)[0])
    assert torch.zeros(1).log().tolist() == [-math.inf]


# --- Python's protocols


def test_len_iter_contains():
    x = torch.DoubleTensor([[1, 2], [3, 4]])
    assert len(x) == 2
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert list(x[0]) == [1, 2] and [type(n) for n in x[0].long()] == [int, int]
    assert 3 in x and 5 not in x
    first, second = x
    second[0] = 9
    assert x[1, 0] == 9
    assert list(torch.Tensor()) == []


def test_truth_and_numbers():
    assert torch.ones(1) and not torch.zeros(1, 1) and not torch.Tensor()
    with pytest.raises(RuntimeError, match="DoubleTensor with 2 elements is ambiguous"):
        bool(torch.ones(2))
    assert float(torch.LongTensor([3])) == 3.0 and int(torch.DoubleTensor([[2.5]])) == 2
    assert [10, 20][torch.LongTensor([1])] == 20
    with pytest.raises(TypeError, match="integer tensor"):
        [10, 20][torch.DoubleTensor([1])]
    with pytest.raises(ValueError, match=r"one element, got the size \(2, 2\)"):
        torch.ones(2, 2).item()
    assert type(torch.FloatTensor([1]).item()) is float and type(torch.ByteTensor([1]).item()) is int


def test_equality_is_elementwise_and_hash_is_identity():
    x = torch.ones(2)
    assert (x == 1).tolist() == [1, 1] and (x == torch.DoubleTensor([1, 2])).tolist() == [1, 0]
    assert (x == "a") is False and (x != None) is True  # noqa: E711
    assert len({x, x.clone()}) == 2 and {x: 1}[x] == 1
    assert hash(x) == object.__hash__(x)
    with pytest.raises(TypeError):
        x < "a"  # noqa: B015


def test_the_storage_is_a_vector_over_all_of_the_memory():
    x = torch.Tensor([[1, 2, 3], [4, 5, 6]])
    part = x[:, 1:]
    for tensor in (x, part, x.t()):
        assert tensor.storage().tolist() == [1, 2, 3, 4, 5, 6]
    x.storage()[4] = 50
    assert part.tolist() == [[2, 3], [50, 6]] and part._version == 1
    assert part[1, 0] == part.storage()[part.storage_offset() + part.stride(0)]
    columns = torch.from_numpy(numpy.asfortranarray([[1.0, 2.0], [3.0, 4.0]]))
    assert columns.storage().tolist() == [1, 3, 2, 4]
    assert torch.Tensor().storage().size() == 0
    with pytest.raises(RuntimeError, match="storage: .*contiguous"):
        torch.from_numpy(numpy.arange(6.0)[::2]).storage()


def test_typename():
    assert torch.typename(torch.LongTensor([1])) == torch.typename(torch.LongTensor) == "torch.LongTensor"
    assert torch.typename([]) == torch.typename(list) == "builtins.list"
