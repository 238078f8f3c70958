"""`NestedIOFunction`: the structure of its inputs and outputs, and gradients by hand and against torch's rule."""

import pytest

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.autograd import NestedIOFunction, Variable


class Cell(NestedIOFunction):
    """(x, [h, None, (w,)]) -> (x w + h, [x w])."""

    def forward_extended(self, x, state):
        h, nothing, (w,) = state
        assert nothing is None
        self.save_for_backward(x, [w, None])
        product = x.mul(w)
        return product.add(h), [product]

    def backward_extended(self, grad_result, grad_list):
        x, (w, nothing) = self.saved_tensors
        assert nothing is None and isinstance(grad_list, list)
        grad = grad_result.add(grad_list[0])
        return grad.mul(w), [grad_result, (grad.mul(x),)]


def leaf(*numbers):
    return Variable(torch.DoubleTensor(numbers), requires_grad=True)


@pytest.mark.parametrize("version", conventions.ERAS)
def test_structure_and_gradients(version, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS[version])
    x, h, w = leaf(1, 2), leaf(3, 4), leaf(5, 6)
    result = Cell()(x, [h, None, (w,)])
    assert type(result) is tuple and type(result[1]) is list
    assert list(result[0].data) == [8, 16] and list(result[1][0].data) == [5, 12]
    (result[0].sum() + result[1][0].sum() * 2).backward()
    # The gradient of x w is 1 + 2, that of h 1.
    assert [list(v._grad.data) for v in (x, h, w)] == [[15, 18], [1, 1], [3, 6]]


class Double(NestedIOFunction):
    def forward_extended(self, x, other):
        return x.mul(2)

    def backward_extended(self, grad):
        return grad.mul(2), None


def test_one_output_is_no_tuple_and_an_input_may_have_no_gradient():
    x, other = leaf(1), leaf(7)
    result = Double()(x, other)
    assert isinstance(result, Variable)
    result.backward(torch.DoubleTensor([3]))
    assert list(x.grad.data) == [6] and list(other.grad.data) == [0]


def test_mistakes():
    with pytest.raises(ValueError, match="parts must be Variables, lists, tuples or None, got .*dict"):
        Double()(leaf(1), {"a": leaf(1)})
    with pytest.raises(NotImplementedError, match="NestedIOFunction does not define forward_extended"):
        NestedIOFunction()(leaf(1))


def test_names_of_its_modules():
    assert torch.autograd.function.NestedIOFunction is NestedIOFunction
    assert torch.autograd.stochastic_function.StochasticFunction is torch.autograd.StochasticFunction
