"""A mistake raises the right class of exception, with a message that names the operation and its arguments."""

import pytest

from legacy_autograd.autograd import functions as f
from legacy_autograd.autograd.functions import cat, stack
from legacy_autograd.autograd.functions.linear import Linear
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor import ByteTensor, FloatTensor, LongTensor, Tensor


def v(*sizes):
    return Variable(Tensor(*sizes).fill_(1))


def longs(*numbers):
    return Variable(LongTensor(list(numbers)))


ERRORS = [
    # what is no Variable
    (lambda: v(2).mm(Tensor(2, 2)), TypeError, "Mm: argument 1 is a DoubleTensor"),
    (lambda: v(2) + Tensor(2), TypeError, "AddConstant.*torch.DoubleTensor beside a Variable"),
    (lambda: v(2) * Tensor(2), TypeError, "MulConstant.*torch.DoubleTensor beside a Variable"),
    (lambda: v(2).cmax(Tensor(2)), TypeError, "CmaxConstant.*beside a Variable"),
    (lambda: v(2).eq(Tensor(2)), TypeError, "Eq.*beside a Variable"),
    (lambda: v(2) == Tensor(2), TypeError, "Eq.*beside a Variable"),
    (lambda: v(2) + "a", TypeError, "add.*str"),
    (lambda: v(2) < None, TypeError, "not supported"),
    (lambda: v(2) @ 3, TypeError, "Matmul"),
    (lambda: f.Exp()(Tensor(2)), TypeError, "Exp: argument 0 is a DoubleTensor"),
    (lambda: cat([v(2), Tensor(2)]), TypeError, "Concat: argument 1 is a DoubleTensor"),
    (lambda: stack([Tensor(2), v(2)]), TypeError, "Stack: argument 0 is a DoubleTensor"),
    (lambda: v(2, 2).index_select(0, [1]), TypeError, "IndexSelect: argument 1 is a list"),
    # types that differ, and integers where fractions are needed
    (lambda: v(2) + v(2).float(), TypeError, "add.*torch.DoubleTensor and torch.FloatTensor"),
    (lambda: v(2, 2).mm(v(2, 2).float()), TypeError, "mm.*torch.DoubleTensor and torch.FloatTensor"),
    (lambda: longs(1, 2).exp(), TypeError, "exp.*torch.LongTensor"),
    (lambda: longs(1, 2).mean(), TypeError, "mean.*torch.LongTensor"),
    (lambda: longs(1, 2).softmax(0), TypeError, "softmax.*torch.LongTensor"),
    (lambda: longs(1, 2).log_softmax(0), TypeError, "log_softmax.*torch.LongTensor"),
    (lambda: longs(1, 2) * 0.5, TypeError, "mul.*torch.LongTensor.*0.5"),
    (lambda: longs(1, 2) / 0, ZeroDivisionError, "div"),
    # sizes
    (lambda: v(2) + v(3), ValueError, r"add: sizes \(2,\) and \(3,\)"),
    (lambda: v(2, 3).mm(v(2, 3)), ValueError, r"mm.*\(2, 3\) and \(2, 3\)"),
    (lambda: v(2, 3).mv(v(2)), ValueError, r"mv.*\(2, 3\) and \(2,\)"),
    (lambda: v(2, 3, 4).bmm(v(3, 4, 5)), ValueError, r"bmm.*\(2, 3, 4\) and \(3, 4, 5\)"),
    (lambda: v(2).dot(v(3)), ValueError, r"dot.*\(2,\) and \(3,\)"),
    (lambda: v(2, 2).ger(v(3)), ValueError, r"ger.*\(2, 2\) and \(3,\)"),
    (lambda: v(2, 3).matmul(v(2)), ValueError, r"matmul.*\(2, 3\) and \(2,\)"),
    (lambda: v(2, 2).addmm(v(2, 3), v(3, 4)), ValueError, r"addmm.*\(2, 4\).*\(2, 2\)"),
    (lambda: v(2, 3).inverse(), ValueError, r"inverse.*square.*\(2, 3\)"),
    (lambda: Variable(Tensor([[1, 2], [2, 4]])).inverse(), RuntimeError, "inverse"),
    (lambda: v(2, 3).view(4), RuntimeError, r"view.*4.*6 elements.*\(2, 3\)"),
    (lambda: v(2, 3).t().view(6), RuntimeError, "view.*contiguous"),
    (lambda: v(2, 3).expand(4, 3), ValueError, r"expand.*\(2, 3\).*\(4, 3\)"),
    (lambda: v(2, 3).repeat(2), ValueError, r"repeat.*\(2, 3\)"),
    (lambda: v(2, 3).permute(0, 0), ValueError, r"permute.*\(2, 3\)"),
    (lambda: v(5).split([1, 2]), ValueError, r"split.*\[1, 2\].*5"),
    (lambda: v(5).split(0), ValueError, "split.*positive.*0"),
    (lambda: v(5).chunk(0), ValueError, "chunk.*positive.*0"),
    (lambda: v(5).unfold(0, 6, 1), ValueError, "unfold.*6"),
    (lambda: cat([v(2, 3), v(2, 4)]), ValueError, r"cat.*\(2, 3\), \(2, 4\)"),
    (lambda: stack([v(2), v(3)]), ValueError, r"stack.*\(2,\), \(3,\)"),
    (lambda: v(1, 1, 1, 1, 1).softmax(), ValueError, r"softmax.*\(1, 1, 1, 1, 1\).*dim"),
    (lambda: v(2, 2).masked_fill(ByteTensor([1, 0, 1]), 0), ValueError, r"masked_fill.*\(2, 2\) and \(3,\)"),
    (lambda: v(2, 2).masked_copy(ByteTensor([[1, 1], [1, 0]]), v(2)), ValueError, "masked_scatter.*3 places.*2"),
    (lambda: v(2, 2).diag().diag().unsqueeze(0).diag(), ValueError, "diag"),
    (lambda: v(2).tril(), ValueError, "tril.*matrix"),
    (lambda: v(2).trace(), ValueError, "trace.*matrix"),
    # dimensions and indices
    (lambda: v(2, 3).sum(2), IndexError, r"sum.*2.*\(2, 3\)"),
    (lambda: v(2, 3).mean(-3), IndexError, r"mean.*-3.*\(2, 3\)"),
    (lambda: v(2, 3).max(2), IndexError, r"max.*2.*\(2, 3\)"),
    (lambda: v(2, 3).sort(2), IndexError, r"sort.*2.*\(2, 3\)"),
    (lambda: v(2, 3).softmax(2), IndexError, r"softmax.*2.*\(2, 3\)"),
    (lambda: v(2, 3).log_softmax(2), IndexError, r"log_softmax.*2.*\(2, 3\)"),
    (lambda: v(2, 3).cumsum(2), IndexError, r"cumsum.*2.*\(2, 3\)"),
    (lambda: v(2, 3).sum("a"), TypeError, "sum.*str"),
    (lambda: v(2, 3).transpose(0, 2), IndexError, r"transpose.*2.*\(2, 3\)"),
    (lambda: f.Transpose(0), ValueError, "Transpose.*two dimensions.*1"),
    (lambda: v(2, 3)[2], IndexError, r"2 is out of range.*\(2, 3\)"),
    (lambda: v(2, 3)[0, 1, 2], IndexError, r"3 indices.*\(2, 3\)"),
    (lambda: v(2, 3)[LongTensor([5])], IndexError, "5.*out of range"),
    (lambda: v(2, 3)[1.5], TypeError, "float"),
    (lambda: v(2, 3).narrow(1, 2, 2), IndexError, r"narrow.*\(2, 3\)"),
    (lambda: v(2, 3).select(0, 5), IndexError, r"5 is out of range.*\(2, 3\)"),
    (lambda: v(2, 3).index_select(0, LongTensor([2])), IndexError, "index_select.*2.*out of range"),
    (lambda: v(2, 3).index_select(0, FloatTensor([1])), TypeError, "index_select.*LongTensor.*torch.FloatTensor"),
    (lambda: v(2, 3).gather(0, LongTensor([1])), ValueError, r"gather.*1.*\(2, 3\)"),
    (lambda: v(2, 3).masked_fill(LongTensor([[1, 0, 1]]), 0), TypeError, "masked_fill.*ByteTensor.*torch.LongTensor"),
    (lambda: v(3).topk(4), ValueError, "topk.*4"),
    (lambda: v(3).kthvalue(0), ValueError, "kthvalue.*0"),
    (lambda: v(0).max(), ValueError, "max.*empty"),
    (lambda: v(2, 0).max(1), IndexError, "max.*size 0"),
    # arguments
    (lambda: v(2).clamp(), ValueError, "clamp.*min, max or both"),
    (lambda: v(2, 2).addmm(v(2, 2)), TypeError, "addmm: expected two Variables"),
    (lambda: v(2, 2).addmm(1, 2, 3, v(2, 2), v(2, 2)), TypeError, "addmm: .*at most 2 numbers"),
    (lambda: v(2).addcmul(1, 2, v(2), v(2)), TypeError, "addcmul: .*at most 1 numbers"),
    (lambda: v(2).lerp(v(2), "a"), TypeError, "lerp|mul"),
    (lambda: v(2).cuda(), RuntimeError, "CUDA"),
    (lambda: v(2).type("torch.StringTensor"), TypeError, "torch.StringTensor"),
    (lambda: v(2, 3).norm("fro"), TypeError, "norm"),
    # a layer's weight and bias
    (lambda: Linear()(v(2, 3), v(4, 5)), ValueError, r"Linear: a weight of size \(4, 5\) takes an input of 5"),
    (lambda: Linear()(v(2, 3), v(3)), ValueError, r"Linear: a weight of size \(3,\) takes an input of 3 .*\(2, 3\)"),
    (lambda: Linear()(v(2, 3), v(1, 4, 3)), ValueError, r"Linear: a weight of size \(1, 4, 3\) takes an input of 3"),
    (lambda: Linear()(v(2, 3), v(4, 3), v(1)), ValueError, r"Linear: expected a bias of size 4, got .*\(1,\)"),
    (lambda: Linear()(v(2, 3), v(4, 3), v(1, 4)), ValueError, r"Linear: expected a bias of size 4, got .*\(1, 4\)"),
    (lambda: Linear()(v(2, 3), v(4, 3), v(2, 4)), ValueError, r"Linear: expected a bias of size 4, got .*\(2, 4\)"),
    (lambda: Linear()(v(2, 3), v(1, 3), v(1, 1)), ValueError, r"Linear: expected a bias of size 1, got .*\(1, 1\)"),
    (lambda: Linear()(v(2, 3), v(1, 3), v(2)), ValueError, r"Linear: expected a bias of size 1, got .*\(2,\)"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_error(number):
    wrong, exception, words = ERRORS[number]
    with pytest.raises(exception, match=f"(?s){words}"):
        wrong()


def test_an_index_that_was_changed_after_forward_is_noticed():
    x, index = v(3, 2), LongTensor([0, 2])
    for use in (lambda: x[index], lambda: x.index_select(0, index), lambda: x.gather(0, index.view(2, 1))):
        y = use().sum()
        index[0] = 1
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.backward()


def test_a_list_used_as_an_index_may_be_changed_after_forward():
    x, rows = v(3), [0, 2]
    y = x[rows].sum()
    rows[0] = 1
    y.backward()
    assert x.grad.tolist() == [1, 0, 1]


def test_an_input_that_was_changed_after_forward_is_noticed():
    for operation in ("exp", "log", "abs", "sigmoid", "sqrt", "prod", "max", "std", "norm", "softmax"):
        x = v(3)
        y = getattr(x, operation)()
        saved = x if operation in ("log", "abs", "prod", "max", "std", "norm") else y
        saved.data.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.sum().backward()
