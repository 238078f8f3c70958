"""Losses against modern torch: weights, reductions, edges, and targets in every form."""

import functools

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from legacy_autograd import DoubleTensor, LongTensor, nn
from legacy_autograd.autograd import Variable

from .agreement import agree, close, modern, tensor, variable

F = nn.functional
TF = torch.nn.functional
few = settings(max_examples=20)
sizes = st.sampled_from([(3,), (2, 4), (1, 1), (2, 3, 2)])
reductions = st.sampled_from(["mean", "sum", "none"])


def tensor_variable(x):
    return variable(x, requires_grad=False)


def numbers(size, low, high, seed=0):
    return numpy.random.default_rng(seed).uniform(low, high, size)


@few
@given(size=sizes, reduction=reductions, seed=st.integers(0, 9))
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("MSELoss", -2, 2),
        ("L1Loss", -2, 2),
        ("SmoothL1Loss", -2, 2),
        ("BCEWithLogitsLoss", -3, 3),
        ("KLDivLoss", -3, 0),
    ],
)
def test_elementwise(name, low, high, size, reduction, seed):
    x = numbers(size, low, high, seed)
    t = numbers(size, 0.1, 0.9, seed + 1)
    agree(getattr(nn, name)(reduction=reduction), getattr(torch.nn, name)(reduction=reduction), x, t)


@few
@given(size=sizes, reduction=reductions, weighted=st.booleans(), seed=st.integers(0, 9))
def test_bce(size, reduction, weighted, seed):
    x, t, w = numbers(size, 0.05, 0.95, seed), numbers(size, 0, 1, seed + 1), numbers(size[-1:], 0, 2, seed)
    ours = nn.BCELoss(tensor(w) if weighted else None, reduction=reduction)
    agree(ours, torch.nn.BCELoss(torch.tensor(w) if weighted else None, reduction=reduction), x, t)


@few
@given(size=sizes, reduction=reductions, weighted=st.booleans(), positive=st.booleans(), seed=st.integers(0, 9))
def test_bce_with_logits(size, reduction, weighted, positive, seed):
    x, t = numbers(size, -40, 40, seed), numbers(size, 0, 1, seed + 1)
    w, p = numbers(size[-1:], 0, 2, seed), numbers(size[-1:], 0.5, 2, seed + 2)
    ours = nn.BCEWithLogitsLoss(
        tensor(w) if weighted else None, reduction=reduction, pos_weight=tensor(p) if positive else None
    )
    theirs = torch.nn.BCEWithLogitsLoss(
        torch.tensor(w) if weighted else None, reduction=reduction, pos_weight=torch.tensor(p) if positive else None
    )
    agree(ours, theirs, x, t)


@few
@given(
    name=st.sampled_from(["NLLLoss", "CrossEntropyLoss"]),
    size=st.sampled_from([(4, 3), (1, 2), (2, 3, 2), (2, 3, 2, 2)]),
    reduction=reductions,
    weighted=st.booleans(),
    ignore=st.sampled_from([-100, 0, 1, -1]),
    seed=st.integers(0, 9),
)
def test_classes(name, size, reduction, weighted, ignore, seed):
    rng = numpy.random.default_rng(seed)
    x, w = rng.normal(size=size), rng.uniform(0.1, 1, size[1])
    t = rng.integers(0, size[1], (size[0], *size[2:]))
    if ignore < 0:
        t.flat[0] = ignore
    ours = getattr(nn, name)(tensor(w) if weighted else None, ignore_index=ignore, reduction=reduction)
    theirs = getattr(torch.nn, name)(torch.tensor(w) if weighted else None, ignore_index=ignore, reduction=reduction)
    agree(ours, theirs, x, t)


@pytest.mark.parametrize("weight", [None, [1.0, 2.0, 3.0], [0.0, 2.0, 3.0]])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", ["nll_loss", "cross_entropy"])
def test_targets_of_which_all_or_some_are_ignored(name, reduction, weight):
    """The mean of no losses is nan and its gradient 0, in the derivatives by the input and by the loss's gradient."""
    for size in [(2, 3), (2, 3, 2), (2, 3, 2, 2)]:
        for targets in (numpy.full(2, 1), numpy.array([1, 2]), numpy.array([0, 2])):
            t = numpy.broadcast_to(targets.reshape(2, *(1,) * len(size[2:])), (2, *size[2:]))
            own_options = {"weight": weight and tensor(weight), "reduction": reduction, "ignore_index": 1}
            options = {**own_options, "weight": weight and torch.tensor(weight, dtype=torch.float64)}
            ours = functools.partial(scaled, getattr(F, name), tensor(t), own_options)
            theirs = functools.partial(scaled, getattr(TF, name), torch.tensor(t), options)
            agree(ours, theirs, numbers(size, -1, 1), numbers((1,), 1, 2))


def scaled(loss, targets, options, x, factor):
    return loss(x, targets, **options) * factor


def test_the_mean_of_nothing_is_nan():
    x, t = numpy.zeros((2, 3)), numpy.full(2, -100)
    assert numpy.isnan(nn.NLLLoss()(variable(x), variable(t)).data[0])
    assert numpy.isnan(nn.MSELoss()(variable(x[:0]), variable(x[:0])).data[0])


def test_one_sample_may_come_without_a_dimension_of_its_own():
    x, weight = numpy.array([0.5, -1.0, 2.0]), numpy.array([1.0, 3.0, 2.0])
    for options in ({}, {"size_average": False}, {"weight": tensor(weight), "size_average": False}):
        for loss in (F.nll_loss, F.cross_entropy):
            one, batch = variable(x), variable(x[None])
            alone, together = (loss(v, tensor(numpy.array([1])), **options) for v in (one, batch))
            assert alone.data[0] == together.data[0]
            alone.backward()
            together.backward()
            assert one.grad.tolist() == batch.grad.tolist()[0]
    with pytest.raises(ValueError, match=r"size \(3,\) needs targets of size \(1,\), got \(2,\)"):
        F.nll_loss(variable(x), tensor(numpy.array([1, 1])))


def test_an_infinity_where_the_target_is_ignored_does_no_harm():
    x = numpy.array([[0.5, -1.0], [-numpy.inf, numpy.nan]])
    agree(nn.NLLLoss(ignore_index=0), torch.nn.NLLLoss(ignore_index=0), x, numpy.array([1, 0]))


def test_kl_div_batchmean_and_zero_targets():
    x, t = numbers((3, 4), -3, 0), numbers((3, 4), 0.1, 1)
    agree(nn.KLDivLoss(reduction="batchmean"), torch.nn.KLDivLoss(reduction="batchmean"), x, t)
    t[0] = 0
    ours, theirs = variable(x), modern(x)
    loss, expected = nn.KLDivLoss()(ours, tensor(t)), TF.kl_div(theirs, torch.tensor(t))
    loss.backward()
    expected.backward()
    close(loss.data.array, expected, "loss")
    close(ours.grad.array, theirs.grad, "gradient")


def test_bce_at_the_ends():
    x, t = numpy.array([0.0, 1, 0, 1, 0.5]), numpy.array([0.0, 1, 1, 0, 0.5])
    ours, theirs = (
        (lambda x: F.binary_cross_entropy(x, tensor(t))),
        (lambda x: TF.binary_cross_entropy(x, torch.tensor(t))),
    )
    # torch's smallest divisor is 1e-12 in single precision, whatever the type of the input
    agree(ours, theirs, x, second=False, tolerance=1e-8)
    # the loss of a certain and wrong answer is 100, so it grows by 100 with the target (torch: by an infinity)
    target = variable(t)
    nn.BCELoss(reduction="sum")(tensor_variable(x), target).backward()
    numpy.testing.assert_allclose(target.grad.array, [100, -100, 100, -100, 0])


def test_smooth_l1_at_its_limit_and_without_a_square():
    x, t = numpy.array([1.0, 1, 3, 0.5]), numpy.array([0.0, 2, 1, 0.5])
    for beta in (1, 2, 0):
        agree(nn.SmoothL1Loss(beta=beta), torch.nn.SmoothL1Loss(beta=beta), x, t)


def test_where_input_and_target_are_equal():
    x = numpy.array([1.0, 2.0])
    for name in ("L1Loss", "SmoothL1Loss", "MSELoss"):
        agree(getattr(nn, name)(), getattr(torch.nn, name)(), x, x)


def test_the_incoming_gradient_counts():
    """In 2016 criterions ignored it."""
    for factor in (1, 10):
        x = variable(numpy.array([[0.5, 1.0]]))
        (factor * nn.MSELoss()(x, tensor(numpy.zeros((1, 2))))).backward()
        numpy.testing.assert_allclose(x.grad.array, factor * numpy.array([[0.5, 1.0]]))


@pytest.mark.parametrize("size_average", [True, False, None])
@pytest.mark.parametrize("reduce", [True, False, None])
def test_flags_of_old(size_average, reduce):
    x, t = numbers((2, 3), -1, 1), numbers((2, 3), 0, 1)
    with pytest.warns(UserWarning) if (size_average, reduce) != (None, None) else _nothing():
        expected = TF.mse_loss(torch.tensor(x), torch.tensor(t), size_average, reduce)
    for loss in (
        nn.MSELoss(size_average, reduce)(variable(x), tensor(t)),
        F.mse_loss(variable(x), tensor(t), size_average, reduce),
    ):
        close(loss.data.array, expected, "loss")


class _nothing:
    def __enter__(self):
        pass

    def __exit__(self, *exception):
        pass


def test_size_average_is_an_attribute():
    loss = nn.MSELoss()
    loss.size_average = False
    assert loss.reduction == "sum" and not loss.size_average


def test_names_of_2016():
    weight = tensor(numpy.array([0.2, 0.8]))
    x, t = variable(numpy.log([[0.3, 0.7], [0.6, 0.4]])), tensor(numpy.array([1, 0]))
    loss = nn.ClassNLLCriterion(weight, False)(x, t)
    numpy.testing.assert_allclose(loss.data.array, [-0.8 * numpy.log(0.7) - 0.2 * numpy.log(0.6)])
    assert nn.AbsCriterion(False)(x, x).data[0] == 0
    assert nn.CrossEntropyCriterion()(x, t).data[0] == nn.CrossEntropyLoss()(x, t).data[0]


NAMES_OF_2016 = {
    "AbsCriterion": "L1Loss",
    "BCECriterion": "BCELoss",
    "ClassNLLCriterion": "NLLLoss",
    "CrossEntropyCriterion": "CrossEntropyLoss",
    "DistKLDivCriterion": "KLDivLoss",
    "MSECriterion": "MSELoss",
    "NLLLoss2d": "NLLLoss",
    "SmoothL1Criterion": "SmoothL1Loss",
}


@pytest.mark.parametrize(("old", "new"), NAMES_OF_2016.items())
def test_a_class_with_two_names_shows_the_one_it_was_made_by(old, new):
    older, newer = getattr(nn, old), getattr(nn, new)
    assert older.__name__ == old and repr(older()) == f"{old}()" and repr(newer()) == f"{new}()"
    assert issubclass(older, newer) and older.forward is newer.forward and older.__doc__ != newer.__doc__


@pytest.mark.parametrize("form", [tensor, variable, lambda t: Variable(tensor(t), requires_grad=False)])
def test_targets_in_every_form(form):
    x = numbers((3, 4), -1, 1)
    t = numpy.array([0, 3, 1])
    expected = TF.cross_entropy(torch.tensor(x), torch.tensor(t))
    close(nn.CrossEntropyLoss()(variable(x), form(t)).data.array, expected, "loss")
    loss = nn.MSELoss()(variable(x), form(x + 1))
    loss.backward()
    numpy.testing.assert_allclose(loss.data.array, [1])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: nn.NLLLoss()(x, tensor(numpy.array([0, 5, 1]))), IndexError, "NLLLoss: target 5 .*4 classes"),
        (lambda x: nn.NLLLoss()(x, tensor(numpy.array([0, -1, 1]))), IndexError, "NLLLoss: target -1"),
        (
            lambda x: nn.NLLLoss()(x, tensor(numpy.array([0, 1]))),
            ValueError,
            r"size \(3, 4\) needs targets of size \(3,\), got \(2,\)",
        ),
        (lambda x: nn.NLLLoss()(x, tensor(numpy.zeros(3))), TypeError, "LongTensor, got a torch.DoubleTensor"),
        (lambda x: nn.NLLLoss(tensor(numpy.ones(3)))(x, tensor(numpy.array([0, 1, 1]))), ValueError, "each of the 4"),
        (
            lambda x: nn.CrossEntropyLoss()(x[0], tensor(numpy.array([0, 1]))),
            ValueError,
            r"size \(4,\) needs targets of size \(1,\)",
        ),
        (
            lambda x: nn.MSELoss()(x, tensor(numpy.zeros((4, 3)))),
            ValueError,
            r"MSELoss: .*same size, got \(3, 4\) and \(4, 3\)",
        ),
        (lambda x: nn.MSELoss()(x, tensor(numpy.zeros((3, 4), "f"))), TypeError, "DoubleTensor.*FloatTensor"),
        (lambda x: nn.MSELoss()(x, 3), TypeError, "MSELoss: argument 1 is a int"),
        (lambda x: nn.BCELoss()(x + 1.5, x), ValueError, r"from 0 to 1; got 1\."),
        (
            lambda x: nn.BCELoss(tensor(numpy.ones(3)))(x, x),
            ValueError,
            r"weight of size \(3,\) does not fit .*\(3, 4\)",
        ),
        (lambda x: nn.MSELoss(reduction="avg")(x, x), ValueError, "mean, sum, none, got 'avg'"),
        (lambda x: nn.SmoothL1Loss(beta=-1)(x, x), ValueError, "beta must be above 0"),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call(variable(numbers((3, 4), 0, 0.4)))


def test_the_gradient_of_a_target_beside_a_certain_probability():
    target = Variable(DoubleTensor([0, 1]))
    nn.BCELoss(size_average=False)(Variable(DoubleTensor([1, 0]), requires_grad=False), target).backward()
    assert target.grad.tolist() == [-100, 100]  # max(ln(1 - x), -100) - max(ln x, -100); torch: -inf and inf


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("name", ["NLLLoss", "CrossEntropyLoss", "MultiMarginLoss"])
def test_one_sample_without_a_batch(name, reduction):
    numbers = numpy.random.default_rng(2).normal(size=5)
    weight = numpy.arange(1.0, 6)
    x, y = variable(numbers), torch.tensor(numbers, requires_grad=True)
    target = Variable(LongTensor([3]), requires_grad=False)
    loss = getattr(nn, name)(weight=tensor(weight), reduction=reduction)(x, target)
    expected = getattr(torch.nn, name)(weight=torch.tensor(weight), reduction=reduction)(y[None], torch.tensor([3]))
    loss.backward()
    expected.backward()
    assert loss.size() == (1,) and abs(loss.data[0] - expected.item()) < 1e-12
    assert numpy.allclose(x.grad.data.numpy(), y.grad.numpy())
    with pytest.raises(ValueError):
        getattr(nn, name)()(x, Variable(LongTensor([3, 1]), requires_grad=False))
