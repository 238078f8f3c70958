"""`cat` of v0.1.x: a dimension that an operand lacks has the size 1 (THTensor_(catArray))."""

import pytest

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.autograd import Variable


@pytest.mark.parametrize(
    "sizes, dim, result",
    [
        ([(3, 2), (3,), (3,)], 1, (3, 4)),
        ([(3,), (3, 2)], -1, (3, 3)),
        ([(2,), (3, 1)], 0, (5, 1)),
        ([(2,)] * 2, 1, (2, 2)),
    ],
)
def test_missing_dimensions_have_the_size_1(sizes, dim, result, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    count = iter(range(100))
    operands = []
    for size in sizes:
        tensor = torch.DoubleTensor(*size)
        operands.append(
            Variable(
                tensor.view(-1).copy_(torch.DoubleTensor([next(count) for _ in tensor.view(-1)])).view(*size),
                requires_grad=True,
            )
        )
    joined = torch.cat(operands, dim)
    assert joined.size() == result and sorted(joined.data.view(-1).tolist()) == list(range(next(count)))
    (joined * joined).sum().backward()
    for operand in operands:
        assert operand.grad.size() == operand.size() and operand.grad.data.tolist() == (operand.data * 2).tolist()


@pytest.mark.parametrize("sizes", [[(0, 3), (0, 5)], [(0,), (0, 3)], [(0, 3)]])
def test_tensors_without_elements_alone_give_one_without_dimensions(sizes, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    assert torch.cat([torch.zeros(*size) for size in sizes]).numel() == 0
    joined = torch.cat([*[torch.zeros(*size) for size in sizes], torch.ones(2, 3)])
    assert joined.tolist() == [[1, 1, 1]] * 2


def test_under_import_they_do_not_fit():
    with pytest.raises(ValueError, match="do not fit together along dimension 1"):
        torch.cat([torch.zeros(3, 2), torch.zeros(3)], 1)
