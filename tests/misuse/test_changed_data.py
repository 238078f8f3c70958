"""Data that changes between forward and backward, by every route."""

from legacy_autograd.autograd import Variable

from .misuse import gives, leaf, raises


@raises(RuntimeError, "Mul", "modified by an inplace operation", "version 1")
def test_fill_between_forward_and_backward():
    x = leaf(2.0)
    y = x * x
    x.data.fill_(5)
    y.backward()


@gives(2.0)  # Add saves nothing: d(x + x)/dx is 2 whatever x is
def test_fill_where_nothing_was_saved():
    x = leaf(2.0)
    y = x + x
    x.data.fill_(5)
    y.backward()
    return x.grad


@gives(4.0)  # `data` is replaced, not written to: the graph keeps the tensor that forward saw, d(x * x)/dx at 2
def test_data_replaced_between_forward_and_backward():
    x = leaf(2.0)
    y = x * x
    x.data = Variable(x.data * 3).data
    y.backward()
    return x.grad
