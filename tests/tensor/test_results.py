"""Results written to tensors that the caller gives: as `out`, and in first place, as until v0.1.9."""

import inspect

import numpy
import pytest
from steps import for_each

import legacy_autograd as torch
from legacy_autograd import conventions

from .modern import modern

X = numpy.random.default_rng(0).uniform(0.2, 0.9, (3, 3))
SYMMETRIC = X @ X.T + numpy.eye(3)


def x():
    return torch.from_numpy(X.copy())


def y():
    return torch.from_numpy(X.T[::-1].copy())


def symmetric():
    return torch.from_numpy(SYMMETRIC.copy())


def index():
    return torch.LongTensor([[0, 2, 1]])


def batch():
    return torch.stack([x(), symmetric()])


# {name of a function: the arguments of its calls}
CALLS = {
    **dict.fromkeys(
        "abs acos asin atan ceil cos cosh exp expm1 floor frac lgamma log log1p neg nonzero reciprocal round rsqrt "
        "sigmoid "
        "sign sin sinh sqrt tan tanh trunc geqrf inverse".split(),
        [lambda: (x(),)],
    ),
    **dict.fromkeys("mean median mode norm prod sum max min sort std var".split(), [lambda: (x(), 1)]),
    **dict.fromkeys("cumprod cumsum".split(), [lambda: (x(), 0)]),
    **dict.fromkeys("diag tril triu".split(), [lambda: (x(),), lambda: (x(), 1)]),
    **dict.fromkeys("clamp_min clamp_max".split(), [lambda: (x(), 0.5)]),
    **dict.fromkeys(
        "atan2 cmax cmin fmod remainder mul div pow eq ge gt le lt ne max min".split(), [lambda: (x(), y())]
    ),
    **dict.fromkeys("fmod remainder mul div pow eq ge gt le lt ne".split(), [lambda: (x(), y()), lambda: (x(), 0.5)]),
    "pow": [lambda: (x(), y()), lambda: (x(), 2), lambda: (2, x())],
    "max": [lambda: (x(), 1), lambda: (x(), y())],
    "min": [lambda: (x(), 0), lambda: (x(), y())],
    "norm": [lambda: (x(), 2, 1)],
    "add": [lambda: (x(), y()), lambda: (x(), 5), lambda: (x(), 5, y())],
    "sub": [lambda: (x(), y()), lambda: (x(), 5), lambda: (x(), 5, y())],
    **dict.fromkeys("addcdiv addcmul".split(), [lambda: (x(), y(), x()), lambda: (x(), 2, y(), x())]),
    **dict.fromkeys(
        "addmm".split(), [lambda: (x(), y(), x()), lambda: (2, x(), y(), x()), lambda: (2, x(), 3, y(), x())]
    ),
    "addmv": [lambda: (x()[0], y(), x()[1]), lambda: (2, x()[0], 3, y(), x()[1])],
    "addr": [lambda: (x(), y()[0], x()[1]), lambda: (2, x(), 3, y()[0], x()[1])],
    "addbmm": [lambda: (x(), batch(), batch()), lambda: (2, x(), 3, batch(), batch())],
    "baddbmm": [lambda: (batch(), batch(), batch()), lambda: (2, batch(), 3, batch(), batch())],
    "bmm": [lambda: (batch(), batch())],
    "clamp": [lambda: (x(), 0.3, 0.6)],
    "cross": [lambda: (x(), y()), lambda: (x(), y(), 1)],
    "gather": [lambda: (x(), 0, index())],
    "ger": [lambda: (x()[0], y()[1])],
    "histc": [lambda: (x(),), lambda: (x(), 5, 0, 1)],
    "index_select": [lambda: (x(), 1, index()[0])],
    "kthvalue": [lambda: (x(), 2), lambda: (x(), 2, 0)],
    "lerp": [lambda: (x(), y(), 0.3)],
    "masked_select": [lambda: (x(), x().gt(0.5))],
    **dict.fromkeys("matmul mm".split(), [lambda: (x(), y())]),
    "mv": [lambda: (x(), y()[0])],
    "renorm": [lambda: (x(), 2, 0, 0.5)],
    "topk": [lambda: (x(), 2), lambda: (x(), 2, 0, False)],
    "btrifact": [lambda: (batch(),)],
    "btrisolve": [lambda: (batch(), *batch().btrifact())],
    "eig": [lambda: (x(), True)],
    "gels": [lambda: (y(), x())],
    "gesv": [lambda: (y(), x())],
    "orgqr": [lambda: x().geqrf()],
    "ormqr": [lambda: (*x().geqrf(), y()), lambda: (*x().geqrf(), y(), False, True)],
    "potrf": [lambda: (symmetric(),), lambda: (symmetric(), False)],
    "potri": [lambda: (symmetric().potrf(),)],
    "potrs": [lambda: (y(), symmetric().potrf()), lambda: (y(), symmetric().potrf(False), False)],
    "pstrf": [lambda: (symmetric(),), lambda: (symmetric(), False)],
    "qr": [lambda: (x(),)],
    "svd": [lambda: (x(),), lambda: (x(), False)],
    "symeig": [lambda: (symmetric(), True)],
    "trtrs": [lambda: (y(), x()), lambda: (y(), x(), False, True)],
    "arange": [lambda: (4,), lambda: (1, 9, 2)],
    "range": [lambda: (1, 9, 2)],
    "linspace": [lambda: (1, 2, 5)],
    "logspace": [lambda: (1, 2, 5)],
    "eye": [lambda: (2,), lambda: (2, 3)],
    "ones": [lambda: (2, 3), lambda: ((2, 3),)],
    "zeros": [lambda: (2, 3), lambda: ((2, 3),)],
    "cat": [lambda: ([x(), y()],), lambda: ((x(), y()), 1)],
    "stack": [lambda: ([x(), y()],), lambda: ((x(), y()), 1)],
}
DRAWN = {
    "rand": lambda: (2, 3),
    "randn": lambda: (2, 3),
    "randperm": lambda: (5,),
    "bernoulli": lambda: (x(),),
    "multinomial": lambda: (x(), 2),
    "normal": lambda: (x(), y()),
}
TAKING_RESULTS = [
    name
    for name in dir(torch)
    if inspect.isfunction(f := getattr(torch, name)) and "out" in inspect.signature(f).parameters
]


def test_every_function_that_takes_a_result_has_its_call():
    assert {*TAKING_RESULTS} - {"concat"} == {*CALLS} | {*DRAWN}


def targets_like(results):
    """Empty tensors, tensors of the right size, and strided views, of the types of the results."""
    yield [torch.zeros(0).type(result.type()) for result in results]
    yield [result.new(result.size()).fill_(7) for result in results]
    yield [result.new(*result.size(), 2).fill_(7).select(-1, 1) for result in results]


@for_each("name", CALLS)
def test_out_and_first_place_give_what_the_function_returns(name):
    function = getattr(torch, name)
    for arguments in CALLS[name]:
        returned = function(*arguments())
        expected = returned[:1] if name in ("orgqr", "ormqr") else returned
        results = expected if isinstance(expected, tuple) else (expected,)
        for first in (False, True):
            for targets in targets_like(results):
                if first:
                    got = function(*targets, *arguments())
                else:
                    got = function(*arguments(), out=targets[0] if len(targets) == 1 else tuple(targets))
                assert (got[0] if isinstance(got, tuple) else got) is targets[0]
                for target, result in zip(targets, results):
                    assert target.size() == result.size() and target.equal(result)


@for_each("name", DRAWN)
def test_draws(name):
    function = getattr(torch, name)
    torch.manual_seed(3)
    expected = function(*DRAWN[name]())
    for first in (False, True):
        torch.manual_seed(3)
        target = expected.new()
        got = function(target, *DRAWN[name]()) if first else function(*DRAWN[name](), out=target)
        assert got is target and target.equal(expected)


def test_a_result_may_be_an_operand():
    a, b = x(), y()
    assert torch.mm(a, b, out=a) is a and a.equal(x().mm(y()))
    b = y()
    torch.gesv(b, a, out=(b, a))
    assert b.equal(y().gesv(x().mm(y()))[0])


def test_a_view_is_written_through_and_counts_a_write():
    a = torch.zeros(2, 3)
    torch.add(x()[:2, :2], 1, out=a[:, 1:])
    assert a[:, 0].eq(0).all() and a[:, 1:].equal(x()[:2, :2] + 1) and a._version == 1
    torch.arange(0, 4, out=a[:, 1:])  # as many elements: they are not resized
    assert a.tolist() == [[0, 0, 1], [0, 2, 3]]


# The functions whose results may be written to a tensor of another type
CONVERTING = {*"eq ge gt le lt ne arange range linspace logspace eye ones zeros rand randn randperm".split()}
# Those that fill a tensor of another shape with as many elements, in modern torch too
FILLING = {*"arange range linspace logspace".split()}
# Those of LAPACK, whose matrices are columns in memory
IN_COLUMNS = {*"btrifact eig gels geqrf gesv inverse orgqr ormqr potrf potri potrs pstrf qr svd symeig trtrs".split()}


def written(name, arguments, change):
    """Yield each result of the function, and the tensor `change(result)` after the function wrote to it."""
    function = getattr(torch, name)
    torch.manual_seed(3)
    result = function(*arguments())
    results = result if isinstance(result, tuple) else (result,)
    results = results[:1] if name in ("orgqr", "ormqr") else results
    targets = tuple(map(change, results))
    torch.manual_seed(3)
    function(*arguments(), out=targets[0] if len(targets) == 1 else targets)
    return zip(results, targets)


ONE_CALL_OF_EACH = [(name, calls[0]) for name, calls in CALLS.items()] + [*DRAWN.items()]


@for_each("name, arguments", ONE_CALL_OF_EACH)
def test_what_is_created_and_compared_gets_the_type_of_the_tensor_to_write_to(name, arguments):
    def of_another_type(result):
        return torch.FloatTensor() if result.type() != "torch.FloatTensor" else torch.DoubleTensor()

    if name in CONVERTING:
        ((result, target),) = written(name, arguments, of_another_type)
        assert target.type() == "torch.FloatTensor" and target.equal(result.float())
    else:
        with pytest.raises(TypeError, match="cannot be written to a torch.FloatTensor"):
            written(name, arguments, of_another_type)


@for_each("name, arguments", ONE_CALL_OF_EACH)
def test_the_shape_and_order_of_a_tensor_that_is_written_to(name, arguments):
    for result, target in written(name, arguments, lambda result: result.new(1, *result.size(), 1)):
        assert target.size() == ((1, *result.size(), 1) if name in FILLING else result.size())
        assert target.contiguous().view(-1).equal(result.contiguous().view(-1))
    for _, target in written(name, arguments, lambda result: result.new(result.size())):
        assert target.is_contiguous() == (name not in IN_COLUMNS or target.dim() == 1)


def test_the_type_of_the_tensor_to_write_to_in_first_place():
    assert torch.zeros(2, out=torch.LongTensor()).type() == "torch.LongTensor"
    assert torch.range(torch.FloatTensor(), 1, 3).type() == "torch.FloatTensor"
    assert torch.gt(x(), 0.5, out=x()).type() == "torch.DoubleTensor"


def test_lapack_writes_columns():
    inverse = torch.zeros(3, 3)
    for _ in range(2):
        torch.inverse(x(), out=inverse)
        assert not inverse.is_contiguous() and inverse.equal(x().inverse())


def test_the_tensors_of_cat_without_a_sequence():
    assert torch.cat(x(), y(), 1).equal(torch.cat([x(), y()], 1))
    target = torch.zeros(0)
    assert torch.cat(target, x(), y()) is target and target.equal(torch.cat([x(), y()]))


def test_vectors_are_columns_of_cat_in_2016(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    a, b = (
        torch.autograd.Variable(torch.from_numpy(numbers), requires_grad=True) for numbers in (X[0], X[:, 1:].copy())
    )
    theirs = [modern.tensor(v.data.numpy(), requires_grad=True) for v in (a, b)]
    result = torch.cat([a, b, a], 1)
    expected = modern.cat([theirs[0][:, None], theirs[1], theirs[0][:, None]], 1)
    assert result.data.tolist() == expected.tolist()
    weight = modern.arange(12.0, dtype=modern.float64).reshape(3, 4)
    result.backward(torch.from_numpy(weight.numpy()))
    expected.backward(weight)
    for v, other in zip((a, b), theirs):
        assert v.grad.data.tolist() == other.grad.tolist()


@for_each(
    "call, words",
    [
        (
            lambda: torch.exp(x(), out=x().float()),
            r"exp: the result is a torch.DoubleTensor of size \(3, 3\), and cannot",
        ),
        (lambda: torch.exp(x(), out=3), r"exp: expected 1 Tensor for the result, got \(int\)"),
        (lambda: torch.sort(x(), out=x()), r"sort: expected 2 Tensors for the result, got \(a torch.DoubleTensor of"),
        (lambda: torch.sort(x(), out=(x(), x())), "sort: the result is a torch.LongTensor"),
        (lambda: torch.sum(x(), out=x()), "sum: a result tensor cannot take float"),
        (lambda: torch.exp(torch.autograd.Variable(x()), out=x()), "exp: a result tensor cannot take Variable"),
        (lambda: torch.cat(x(), 1), "cat: expected a list or tuple of Tensors, got a torch.DoubleTensor"),
        (lambda: torch.cat([x()], 0, x()), "cat: expected a sequence of Tensors and a dimension, got 1 more"),
        (lambda: torch.cat(x(), y(), 0, 1), "cat: expected a list or tuple"),
    ],
)
def test_errors(call, words):
    with pytest.raises(TypeError, match=words):
        call()


@for_each(
    "call, error",
    [
        (lambda: x() + torch.ones(2), ValueError),
        (lambda: x().mm(torch.ones(2, 2)), ValueError),
        (lambda: x().sum(2), IndexError),
        (lambda: x()[3], IndexError),
        (lambda: x().gather(0, torch.LongTensor([[3]])), IndexError),
        (lambda: torch.cat([]), ValueError),
        (lambda: x().apply_(lambda number: "a"), TypeError),
        (lambda: x().multinomial(7), ValueError),
    ],
)
def test_errors_are_the_runtime_errors_of_v0_1_x(call, error):
    for kind in (error, RuntimeError):
        with pytest.raises(kind):
            call()
