"""gradcheck and gradgradcheck accept correct gradients and reject slightly incorrect ones."""

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, gradcheck, gradgradcheck
from legacy_autograd.autograd.later.gradcheck import GradcheckError

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


class Square(Function):
    """x², with a gradient that is wrong by a factor, and a second one that is wrong by another."""

    def __init__(self, wrong=1.0, second=1.0):
        self.wrong, self.second = wrong, second

    def forward(self, x):
        self.save_for_backward(x)
        return x.mul(x)

    def backward(self, g):
        (x,) = self.saved_tensors
        return SquareBackward(self.second)(g, x)[0] * self.wrong if isinstance(g, Variable) else g * x * 2 * self.wrong


class SquareBackward(Function):
    def __init__(self, wrong):
        self.wrong = wrong

    def forward(self, g, x):
        self.save_for_backward(g, x)
        return g.mul(x).mul(2)

    def backward(self, h):
        g, x = self.saved_tensors
        return h * x * 2, h * g * (2 * self.wrong)


def test_what_is_right_passes():
    def program(t):
        x, y = t.variable([[0.5, 1.5], [2.0, -1.0]]), t.variable([[0.3], [-0.7]])
        constant = t.variable([1.0, 2.0], requires_grad=False)
        gradcheck, gradgradcheck = t.autograd.gradcheck, t.autograd.gradgradcheck
        return [
            gradcheck(lambda a, b: (a.mm(b).tanh(), a.t()), (x, y)),
            gradgradcheck(lambda a, b: (a.mm(b).tanh(), a.t()), (x, y)),
            gradcheck(lambda a, b, k: a * k + b, (x, y, 3.0)),
            gradcheck(lambda a, c: a * c, (x, constant)),
            gradgradcheck(lambda a, c: a * a * c, (x, constant)),
            gradcheck(lambda a: a.exp(), x),
            gradcheck(lambda a: a.exp(), [x], fast_mode=True),
            gradgradcheck(lambda a: a.exp(), [x], fast_mode=True),
            gradgradcheck(lambda a: a.exp(), x, gen_non_contig_grad_outputs=True),
            gradgradcheck(lambda a: a.exp(), x, t.variable([[1.0, 2.0], [3.0, 4.0]])),
            gradcheck(lambda a: t.variable([1.0], requires_grad=False), x),
            gradcheck(lambda a: (a.exp(), a.detach() * 0 + 1), x),
        ]

    assert all(same(program))


@pytest.mark.parametrize("fast_mode", [False, True])
def test_an_error_of_a_twentieth_of_a_percent_is_found(fast_mode):
    x = variable(0.5, 1.5, 2.5)
    assert gradcheck(lambda a: Square()(a)[0], x, fast_mode=fast_mode, rtol=1e-4)
    with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"):
        gradcheck(lambda a: Square(1.0005)(a)[0], x, fast_mode=fast_mode, rtol=1e-4)
    assert not gradcheck(lambda a: Square(1.01)(a)[0], x, fast_mode=fast_mode, raise_exception=False)


@pytest.mark.parametrize("fast_mode", [False, True])
def test_a_second_derivative_that_is_wrong_is_found(fast_mode):
    x = variable(0.5, 1.5, 2.5)
    wrong = lambda a: Square(second=1.01)(a)[0]  # noqa: E731
    assert gradcheck(wrong, x, fast_mode=fast_mode)
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradgradcheck(wrong, x, fast_mode=fast_mode)
    assert not gradgradcheck(wrong, x, raise_exception=False, fast_mode=fast_mode)
    assert gradgradcheck(lambda a: Square()(a)[0], x, fast_mode=fast_mode)


def test_the_message_shows_both_jacobians():
    with pytest.raises(RuntimeError) as raised:
        gradcheck(lambda a: Square(1.5)(a)[0], variable(1.0, 2.0))
    text = str(raised.value)
    assert "numerical:\n 2.0000  0.0000\n 0.0000  4.0000\n" in text and "analytical:\n 3  0\n 0  6\n" in text
    assert "They differ most at element 1 of the input and 1 of the output: 4.00000" in text and "and 6.0" in text


def test_which_output_and_input():
    x, y = variable(1.0), variable(2.0, 3.0)
    with pytest.raises(GradcheckError, match="output 1 with respect to input 2"):
        gradcheck(lambda a, k, b: (a * b, Square(2.0)(b)[0]), (x, 7, y))


def test_a_gradient_that_is_missing_is_wrong():
    class Forgets(Function):
        def forward(self, a, b):
            return a.mul(b)

        def backward(self, g):
            return None, g

    with pytest.raises(GradcheckError, match="with respect to input 0"):
        gradcheck(lambda a, b: Forgets()(a, b)[0], (variable(1.0), variable(1.0)))


def test_nan_is_a_mismatch():
    with pytest.raises(GradcheckError, match="nan"):
        gradcheck(lambda a: Square(float("nan"))(a)[0], variable(1.0))


def test_what_differs_from_run_to_run():
    calls = []

    class Drifts(Function):
        def forward(self, x):
            return x.mul(1)

        def backward(self, g):
            calls.append(1)
            return g * (1 + 1e-7 * len(calls))

    with pytest.raises(GradcheckError, match="Backward is not reentrant"):
        gradcheck(lambda a: Drifts()(a)[0], variable(1.0))
    assert gradcheck(lambda a: Drifts()(a)[0], variable(1.0), nondet_tol=1e-4)


def test_refusals():
    def program(t):
        x = t.variable([1.0, 2.0])
        gradcheck = t.autograd.gradcheck
        return [
            t.raised(lambda: gradcheck(lambda a: a * 2, (t.variable([1.0], requires_grad=False),))),
            t.raised(lambda: gradcheck(lambda a: a * 2, t.variable([[1.0]]).expand(2, 3))),
            t.raised(lambda: gradcheck(lambda a: a * t.variable(numpy.random.rand(2), requires_grad=False), x)),
        ]

    assert same(program) == ["ValueError", "RuntimeError", "RuntimeError"]


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda x: gradcheck(lambda a: 3, x), TypeError, "func must return Variables, got int as output 0"),
        (lambda x: gradcheck(lambda a: a, x.data), ValueError, "none of the inputs is a Variable that requires a grad"),
        (
            lambda x: gradcheck(lambda a: a, x, check_forward_ad=True),
            NotImplementedError,
            "forward mode is not supported",
        ),
        (
            lambda x: gradgradcheck(lambda a: a, x, check_fwd_over_rev=True),
            NotImplementedError,
            "forward mode is not supported",
        ),
        (lambda x: gradcheck(lambda a: a, x, atoll=1), TypeError, "atoll"),
    ],
)
def test_messages(call, error, message):
    with pytest.raises(error, match=message):
        call(variable(1.0, 2.0))


def test_single_precision_is_warned_about():
    x = Variable(torch.FloatTensor([1.0, 2.0]), requires_grad=True)
    with pytest.warns(UserWarning, match="input 0 is a torch.FloatTensor"):
        assert not gradcheck(lambda a: a * 2, x, raise_exception=False)


def test_inputs_are_left_as_they_were():
    x = variable(0.1, 0.2)
    before = x.data.tolist()
    gradcheck(lambda a: a.exp(), x)
    gradcheck(lambda a: a.exp(), x, fast_mode=True)
    assert x.data.tolist() == before and x._grad is None


def test_inputs_that_are_not_contiguous_and_outputs_that_are_views():
    x = Variable(torch.DoubleTensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).t())
    assert gradcheck(lambda a: (a, a.t(), a[0]), x) and gradgradcheck(lambda a: (a * a).t(), x)
