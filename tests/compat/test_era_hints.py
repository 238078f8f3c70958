"""The line of `run` that names the release in which an error would not have come."""

import pytest

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.autograd import Function, Variable
from legacy_autograd.compat import era_hints


def leaf():
    return Variable(torch.Tensor([1, 2]), requires_grad=True)


def gradient_before_backward():
    leaf().grad.data.zero_()


def step_by_a_gradient():
    w = leaf()
    w.sum().backward()
    w.data.add_(-0.1, w.grad)


def volatile_gradient():
    w = leaf()
    w.sum().backward()
    w.grad.volatile = False
    w.grad.volatile  # noqa: B018


def without_requires_grad():
    Variable(torch.Tensor([1, 2])).sum().backward()


def constant_root():
    torch.autograd.backward([leaf().sum(), Variable(torch.Tensor([1]), requires_grad=False)], [None, None])


def another_type():
    return torch.Tensor([1]) + torch.FloatTensor([1])


def truth():
    return 1 if torch.Tensor([1, 2]) else 0


def place_in_a_list():
    return leaf() in [Variable(torch.Tensor([1, 2, 3]))]


def accuracy():
    return (leaf() == leaf()).sum()


class Double(Function):
    def forward(self, x):
        return x * 2

    def backward(self, grad_output):
        return grad_output * 2


def result_of_a_function():
    return Double()(leaf()).sum()


def unpacked_result():
    (result,) = Double()(leaf())


def largest_of_a_selection():
    return leaf().view(1, 2).max(1).sum()


def sum_with_a_selection():
    return leaf().view(1, 2).sort(1) + 1


def product_with_a_selection():
    return leaf().view(1, 2).max(1) * leaf()


def unpacked_selection():
    values, indices = leaf().view(2, 1).expand(2, 3).t().max(1)


def hook_of_two():
    result = leaf() * 2
    result.register_hook("look", lambda grad_input, grad_output: None)
    result.sum().backward()


def plus_equals():
    w = leaf()
    w += 1


def written_leaf():
    leaf().add_(1)


def of_no_era():
    leaf().data.add_(None)
    None.data  # noqa: B018


@pytest.mark.parametrize(
    "program, era, named",
    [
        (gradient_before_backward, "0.1.12", "0.1.9"),
        (step_by_a_gradient, "0.1.12", "0.1.5"),
        (step_by_a_gradient, "0.1.9", "0.1.5"),
        (volatile_gradient, "0.1.5", "0.1.9"),
        (without_requires_grad, "0.1.12", "0.1.1"),
        (constant_root, "0.1.1", "0.1.5"),
        (another_type, "0.1.1", "0.1.5"),
        (truth, "0.1.12", "0.1.5"),
        (place_in_a_list, "0.1.9", "0.1.5"),
        (accuracy, "0.1.5", "0.1.9"),
        (result_of_a_function, "0.1.1", "0.1.5"),
        (unpacked_result, "0.1.12", "0.1.1"),
        (largest_of_a_selection, "0.1.12", "0.1.5"),
        (sum_with_a_selection, "0.2.0", "0.1.5"),
        (product_with_a_selection, "0.1.9", "0.1.5"),
        (unpacked_selection, "0.1.5", "0.1.9"),
        (hook_of_two, "0.1.12", "0.1.1"),
        (plus_equals, "0.1.12", "0.1.5"),
        (written_leaf, "0.1.12", "0.1.9"),
        (of_no_era, "0.1.12", None),
    ],
)
def test_the_release_is_named_and_has_no_such_error(program, era, named, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.column(era))
    monkeypatch.setattr(Function, "_returns_tuple", conventions.era.call_returns_tuple)
    with pytest.raises(Exception) as caught:  # noqa: B017, PT011
        program()
    said = era_hints.hint(caught.value)
    if named is None:
        assert said is None
        return
    assert said.startswith(f"in v{named} ") and said.endswith(f"--era {named}")
    monkeypatch.setattr(conventions, "era", conventions.column(named))
    monkeypatch.setattr(Function, "_returns_tuple", conventions.era.call_returns_tuple)
    program()


def test_the_line_comes_after_the_traceback(program):
    result = program(
        "import torch\nx = torch.autograd.Variable(torch.ones(2), requires_grad=True)\nx.grad.data.zero_()\n"
    )
    assert result.returncode == 1
    *_, last, said = result.stderr.splitlines()
    assert last == "AttributeError: 'NoneType' object has no attribute 'data'"
    assert said == (
        "legacy_autograd run: in v0.1.9 `grad` was zeros before the first backward. For a program of that time: "
        "--era 0.1.9"
    )
