"""What an integer tensor is made of and written with is in it exactly, or an OverflowError names the number."""

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.utils.data.dataloader import default_collate

BITS = {"Byte": 8, "Char": 8, "Short": 16, "Int": 32, "Long": 64}
LIMITS = {kind: (0, 255) if kind == "Byte" else (-(2 ** (n - 1)), 2 ** (n - 1) - 1) for kind, n in BITS.items()}


def filled(write):
    """A way that makes a tensor of two zeros and writes the number to it."""

    def way(cls, number):
        x = cls([0, 0])
        write(x, number)
        return x

    return way


ONE, MASK = torch.LongTensor([1]), torch.ByteTensor([0, 1])
WAYS = {
    "constructor": lambda cls, n: cls([0, n]),
    "nested": lambda cls, n: cls([[0], [n]]).view(2),
    "tuple": lambda cls, n: cls((0, n)),
    "new": lambda cls, n: cls(1).new([0, n]),
    "Storage": lambda cls, n: cls(getattr(torch, cls.__name__.replace("Tensor", "Storage"))([0, n])),
    "fill_": filled(lambda x, n: x[1:].fill_(n)),
    "x[1] = n": filled(lambda x, n: x.__setitem__(1, n)),
    "x[mask] = n": filled(lambda x, n: x.__setitem__(MASK, n)),
    "index_put_": filled(lambda x, n: x.index_put_(ONE, n)),
    "storage[1] = n": filled(lambda x, n: x.storage().__setitem__(1, n)),
    "storage fill_": filled(lambda x, n: x[1:].storage()[1:].fill_(n)),
    "masked_fill_": filled(lambda x, n: x.masked_fill_(MASK, n)),
    "masked_fill": lambda cls, n: cls([0, 0]).masked_fill(MASK, n),
    "masked_fill of a Variable": lambda cls, n: (
        Variable(cls([0, 0]), requires_grad=False).masked_fill(Variable(MASK, requires_grad=False), n).data
    ),
    "index_fill_": filled(lambda x, n: x.index_fill_(0, ONE, n)),
    "scatter_": filled(lambda x, n: x.scatter_(0, ONE, n)),
    "add_": filled(lambda x, n: x[1:].add_(n)),
    "add_ of a multiple": filled(lambda x, n: x.add_(n, type(x)([0, 1]))),
    "add": lambda cls, n: cls([0, 0]) + cls([0, 1]) * n,
    "apply_": filled(lambda x, n: x[1:].apply_(lambda _: n)),
    "constant": filled(lambda x, n: torch.nn.init.constant(x[1:], n)),
}
VALUES = [300, -1, -129, 2**15, 2**31, 2**40, -(2**31) - 1, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**70]


@pytest.mark.parametrize("kind", BITS)
@pytest.mark.parametrize("way", WAYS)
def test_a_number_is_taken_exactly_or_refused(way, kind):
    cls, (low, high) = getattr(torch, f"{kind}Tensor"), LIMITS[kind]
    for number in [
        low,
        high,
        *VALUES,
        *map(float, VALUES),
        numpy.int64(300),
        float("nan"),
        float("inf"),
        -float("inf"),
    ]:
        if low <= number <= high:
            assert WAYS[way](cls, number).tolist() == [0, int(number)]
        else:
            with pytest.raises(
                OverflowError, match=rf": {number} does not fit into a torch.{kind}Tensor$".replace("+", r"\+")
            ):
                WAYS[way](cls, number)


@pytest.mark.parametrize("kind", BITS)
@pytest.mark.parametrize("dtype", ["int64", "int32", "int16", "int8", "uint8", "float64", "float32", "float16", "bool"])
def test_an_array_of_another_dtype(dtype, kind):
    cls, (low, high) = getattr(torch, f"{kind}Tensor"), LIMITS[kind]
    limits = numpy.iinfo(dtype) if numpy.dtype(dtype).kind in "iu" else None
    extremes = (
        [limits.min, limits.max] if limits else [1] if dtype == "bool" else [300.0, -2.0, float("nan"), float("inf")]
    )
    for number in extremes:
        array = numpy.array([0, number], dtype)
        number = array[1].item()
        for make in (cls, cls(1).new):
            if low <= number <= high:
                assert make(array).tolist() == [0, number]
            else:
                with pytest.raises(OverflowError, match=f"does not fit into a torch.{kind}Tensor"):
                    make(array)


def test_integers_beside_fractions_are_not_rounded():
    assert torch.LongTensor([2**53 + 1, 1.0]).tolist() == [2**53 + 1, 1]
    assert torch.LongTensor([[2**62 + 1, -(2.0**60)]]).tolist() == [[2**62 + 1, -(2**60)]]
    assert torch.DoubleTensor([2**70, 0.5]).tolist() == [2.0**70, 0.5]
    with pytest.raises(TypeError, match="LongTensor cannot take the number 0.5"):
        torch.LongTensor([2**53 + 1, 0.5])
    with pytest.raises(OverflowError, match="DoubleTensor: an integer of 1329 bits does not fit"):
        torch.DoubleTensor([10**400])


def test_random_numbers_that_do_not_fit():
    x = torch.ByteTensor([1, 2])
    for refused in (lambda: x.random_(0, 257), lambda: x.random_(-1, 5), lambda: x.geometric_(1e-9)):
        with pytest.raises(OverflowError, match="does not fit into a torch.ByteTensor"):
            refused()
    for limits in ((0.5, 2.5), (0, 2**70)):
        with pytest.raises(ValueError, match="random_: expected integers of 64 bits"):
            torch.ones(2).random_(*limits)
    assert x.tolist() == [1, 2] and x._version == 0
    ends = torch.LongTensor(100).random_(-(2**63), 2**63)
    assert ends.min() < 0 < ends.max()


def test_results_of_one_number_counts_and_batches():
    x = torch.ByteTensor([200, 200])
    assert x.sum() == 400
    with pytest.raises(OverflowError, match="400 does not fit into a torch.ByteTensor"):
        Variable(x, requires_grad=False).sum()
    with pytest.raises(OverflowError, match="histc: .* 300, does not fit"):
        torch.ByteTensor(300).histc(1)
    assert torch.CharTensor([-128, 127, 127]).histc(2).tolist() == [1, 2]
    with pytest.raises(OverflowError, match=f"default_collate: {2**70} does not fit into a torch.LongTensor"):
        default_collate([1, 2**70])
    with pytest.raises(TypeError, match="normal_: expected a tensor of floating-point numbers, got a torch.LongTensor"):
        torch.nn.init.orthogonal(torch.LongTensor(2, 2))
    for key in ([2**64 - 1], numpy.array([2**64 - 1], numpy.uint64)):
        with pytest.raises(IndexError, match=str(2**64 - 1)):
            x[key]


def test_conversions_and_arithmetic_wrap_as_in_torch():
    # 300 = 256 + 44, -1 = -256 + 255; 200 * 200 = 156 * 256 + 64, 255 * 255 = 254 * 256 + 1
    whole, fractions = torch.LongTensor([300, -1]), torch.Tensor([2.9, -2.9])
    assert whole.byte().tolist() == torch.ByteTensor(2).copy_(whole).tolist() == [44, 255]
    assert fractions.int().tolist() == torch.IntTensor(2).copy_(fractions).tolist() == [2, -2]
    x = torch.ByteTensor([200, 255])
    assert (x + 100).tolist() == [44, 99] and (x * x).tolist() == [64, 1]


def test_comparisons_with_numbers_of_any_size():
    """NumPy 1 compares int64 with 2**63 as float64, in which 2**63 - 1 is the same number."""
    for x, too_large in ((torch.LongTensor([2**63 - 1, -(2**63)]), 2**63), (torch.ByteTensor([255, 0]), 256)):
        for number in (too_large, 2**70):
            for name, answer in {"eq": 0, "ne": 1, "lt": 1, "le": 1, "gt": 0, "ge": 0}.items():
                assert getattr(x, name)(number).tolist() == [answer] * 2, (name, number)
            for name, answer in {"eq": 0, "ne": 1, "lt": 0, "le": 0, "gt": 1, "ge": 1}.items():
                assert getattr(x, name)(-number - 1).tolist() == [answer] * 2, (name, -number - 1)
