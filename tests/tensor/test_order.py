"""Results are in C order whatever the order of the operands, in every column of the conventions (as in v0.1.x)."""

import pickle

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.autograd import Variable

from .test_pointwise import FUNCTIONS

OF_TWO = "add sub mul div pow remainder fmod cmax cmin atan2 eq ne lt le gt ge".split()


ORDERS = {
    "transposed": lambda: torch.rand(4, 3).t(),
    "transposed in place": lambda: torch.rand(4, 3).t_(),
    "stepped": lambda: torch.rand(6, 8)[::2, ::2],
    "moved": lambda: torch.rand(2, 3, 4).permute(1, 2, 0),
    "of Fortran": lambda: torch.from_numpy(numpy.asfortranarray(numpy.random.rand(3, 4))),
    "expanded": lambda: torch.rand(3, 1).expand(3, 4),
    "set": lambda: torch.Tensor(torch.rand(12).storage(), 0, (3, 4), (1, 3)),
    "unpickled": lambda: pickle.loads(pickle.dumps(torch.rand(4, 3).t())),
    "large": lambda: torch.rand(1 << 9, 1 << 9).t(),
}


@pytest.fixture(params=conventions.ERAS, autouse=True)
def column(request, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS[request.param])


@pytest.mark.parametrize("order", ORDERS)
def test_pointwise_operations(order):
    x = ORDERS[order]()
    assert not x.is_contiguous()
    plain = x.contiguous()
    for name in FUNCTIONS:
        result = getattr(x, name)()
        assert result.is_contiguous() and numpy.array_equal(result.array, getattr(plain, name)().array, equal_nan=True)
    for name in OF_TWO:
        expected = getattr(plain, name)(plain)
        for first, second in ((x, x), (x, plain), (plain, x)):
            result = getattr(first, name)(second)
            assert result.is_contiguous() and result.equal(expected)
        result = getattr(x, name)(0.5)
        assert result.is_contiguous() and result.equal(getattr(plain, name)(0.5))
    for result in (x + x, 1 - x, 1 / x, 2**x, -x, x.eq(x), x.clamp(0, 1), x.clamp_min(0.5), x.lerp(x, 0.5), ~(x > 0.5)):
        assert result.is_contiguous()
    assert x.addcmul(x, x).is_contiguous() and (x.gt(0.5) & x.lt(0.7)).is_contiguous() and x.half().is_contiguous()


@pytest.mark.parametrize("order", ORDERS)
def test_other_results(order):
    x = ORDERS[order]()
    for d in range(x.dim()):
        for name in "sum mean prod var std norm max min median all any argmax sort cumsum cumprod".split():
            result = getattr(x, name)(dim=d)
            for part in result if isinstance(result, tuple) else (result,):
                assert part.is_contiguous(), name
        assert torch.cat([x, x], d).is_contiguous() and torch.stack([x, x], d).is_contiguous()
        assert x.index_select(d, torch.LongTensor([0, 1])).is_contiguous()
    for result in (
        x.nonzero(),
        x.tril(),
        x.triu(1),
        x[:, torch.LongTensor([0, 1])],
        x.renorm(2, 0, 1.0),
        x.clone(),
        x.type(torch.LongTensor),
    ):
        assert result.is_contiguous()


def test_results_for_variables():
    x = Variable(torch.rand(4, 3).t(), requires_grad=True)
    for y in (x + x, x * 2, x.exp(), x.tanh() * x):
        assert y.is_contiguous() and y.view(12).size() == (12,)


def test_writes_through_a_tensor_that_was_transposed_in_place_reach_its_views():
    x = torch.arange(6).view(2, 3).clone()
    view = x[0]
    x.t_()
    other = x[0]
    view.fill_(7)
    other.fill_(8)
    assert x.tolist() == [[8, 8], [7, 4], [7, 5]] and x._version == view._version == other._version == 3
    assert x.storage_offset() == 0 and x.storage().tolist() == [8, 7, 7, 8, 4, 5]
