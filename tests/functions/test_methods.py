"""The methods of a Variable: the names and arguments of a Tensor's; comparisons; cat and stack."""

import inspect

import numpy
import pytest
from steps import for_each

import legacy_autograd
from legacy_autograd.autograd import functions
from legacy_autograd.autograd.functions import cat, stack
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.conventions import ERAS
from legacy_autograd.tensor import ByteTensor, LongTensor, Tensor
from legacy_autograd.tensor import functions as top_level

X = Tensor([[0.5, -0.25, 0.75], [0.1, 0.9, -0.6]])
Y = Tensor([[0.4, 0.8, -0.3], [0.2, -0.7, 0.6]])
SQUARE = Tensor([[2.0, 0.5], [0.25, 1.0]])
BATCH = Tensor(numpy.linspace(-1, 1, 12).reshape(2, 2, 3))
ROWS = LongTensor([1, 0])
PICKS = LongTensor([[0, 2], [1, 1]])
MASK = ByteTensor([[1, 0, 1], [0, 1, 0]])

# name: arguments with which a Variable's method must do what the Tensor's does, one tuple for each way to call it
CALLS = {
    **{name: [()] for name in (
        "exp expm1 log log1p sqrt rsqrt abs neg sigmoid tanh sin cos tan asin acos atan sinh cosh reciprocal sign "
        "floor ceil round trunc frac sum mean prod var std norm max min median mode argmax argmin squeeze clone "
        "contiguous tril triu sort t double float half long int short char byte cpu"
    ).split()},
    "clamp": [(-0.5, 0.5), (-0.5,), (None, 0.5)],
    "clamp_min": [(0.1,)],
    "clamp_max": [(0.1,)],
    "cmax": [(Y,), (0.2,)],
    "cmin": [(Y,), (0.2,)],
    "remainder": [(Y,), (0.3,)],
    "fmod": [(Y,), (0.3,)],
    "atan2": [(Y,)],
    "lerp": [(Y, 0.3)],
    "addcmul": [(X, Y), (0.5, X, Y)],
    "addcdiv": [(X, Y), (0.5, X, Y)],
    **{name: [(Y,), (0.5,)] for name in "eq ne lt le gt ge add sub mul div".split()},
    "pow": [(Y,), (2,)],
    **{name: [(0,), (1, False)] for name in "sum mean prod".split()},
    "var": [(1,), (1, False), (0, True, False)],
    "std": [(1,), (1, False), (0, True, False)],
    "norm": [(1,), (3, 1), (2, 0, False)],
    "max": [(), (1,), (0, False), (Y,)],
    "min": [(), (1,), (0, False), (Y,)],
    "argmax": [(), (1,)],
    "argmin": [(), (1, False)],
    "median": [(), (0,), (1, False)],
    "mode": [(), (0,), (1, False)],
    "kthvalue": [(1,), (2, 0), (1, 1, False)],
    "sort": [(), (0,), (1, True)],
    "topk": [(2,), (1, 0), (2, 1, False)],
    "cumsum": [(0,), (1,)],
    "cumprod": [(1,)],
    "dist": [(Y,), (Y, 1)],
    "renorm": [(2, 0, 0.5)],
    "cross": [(Y,), (Y, 1)],
    "permute": [(1, 0)],
    "transpose": [(1, 0)],
    "view": [(3, 2), ((6,),)],
    "reshape": [(3, 2)],
    "expand": [(2, 2, 3), ((4, -1, 3),)],
    "expand_as": [(BATCH,)],
    "view_as": [(Tensor(3, 2),)],
    "type_as": [(ROWS,)],
    "type": [("torch.FloatTensor",)],
    "repeat": [(2, 1), ((1, 2, 1),)],
    "squeeze": [(), (1,)],
    "unsqueeze": [(0,), (-1,)],
    "unfold": [(1, 2, 1)],
    "narrow": [(1, 0, 2)],
    "select": [(1, 0)],
    "split": [(1,), (2, 1), ([1, 2], 1)],
    "chunk": [(2,), (2, 1)],
    "diag": [(), (1,)],
    "tril": [(), (1,)],
    "triu": [(), (-1,)],
    "index_select": [(0, ROWS)],
    "index_add": [(0, ROWS, Y)],
    "index_copy": [(0, ROWS, Y)],
    "index_fill": [(0, ROWS, 2.5)],
    "gather": [(1, PICKS)],
    "scatter": [(1, LongTensor([[0, 2], [1, 0]]), Y), (1, PICKS, 2.5)],
    "scatter_add": [(1, PICKS, Y)],
    "take": [(PICKS,)],
    "masked_select": [(MASK,)],
    "masked_fill": [(MASK, 2.5)],
    "masked_copy": [(MASK, Y)],
    "masked_scatter": [(MASK, Y)],
}  # fmt: skip
ON_OTHER_SIZES = {
    "mm": (SQUARE, [(X,)]),
    "matmul": (SQUARE, [(X,)]),
    "mv": (X, [(Tensor([1, 2, 3]),)]),
    "dot": (Tensor([1, 2]), [(Tensor([3, 4]),)]),
    "ger": (Tensor([1, 2]), [(Tensor([3, 4]),)]),
    "bmm": (BATCH, [(BATCH.transpose(1, 2),)]),
    "addmm": (SQUARE, [(X, Y.t()), (0.5, X, Y.t()), (0.5, 2, X, Y.t())]),
    "addmv": (Tensor([1, 2]), [(SQUARE, Tensor([3, 4])), (0.5, 2, SQUARE, Tensor([3, 4]))]),
    "addr": (SQUARE, [(Tensor([1, 2]), Tensor([3, 4])), (0.5, 2, Tensor([1, 2]), Tensor([3, 4]))]),
    "addbmm": (SQUARE, [(BATCH, BATCH.transpose(1, 2)), (0.5, 2, BATCH, BATCH.transpose(1, 2))]),
    "baddbmm": (SQUARE, [(BATCH, BATCH.transpose(1, 2)), (0.5, 2, BATCH, BATCH.transpose(1, 2))]),
    "inverse": (SQUARE, [()]),
    "gesv": (Tensor([[1], [2]]), [(SQUARE,)]),
    "trace": (SQUARE, [()]),
    "item": (Tensor([2.5]), [()]),
}
ALL_CALLS = {**{name: (X, many) for name, many in CALLS.items()}, **ON_OTHER_SIZES}
# What Variable has and a Tensor has too, or has as a function, and that is computed: not in place, not of the graph.
NOT_COMPUTED = set(
    "size dim numel stride storage_offset element_size is_contiguous is_same_size is_set_to is_signed is_inference "
    "get_device detach no_grad retain_grad reinforce register_post_accumulate_grad_hook multinomial bernoulli".split()
)
# {name: the file of `autograd/` that attaches it}
ATTACHED = {
    name: member.__module__.removeprefix("legacy_autograd.autograd.")
    for name, member in vars(Variable).items()
    if inspect.isfunction(member) and member.__module__ != Variable.__module__ and not name.startswith("_")
}
OPERATIONS = {name for name in ATTACHED if not name.endswith("_") and name not in NOT_COMPUTED}
PRODUCTS = {"addmm", "addmv", "addr", "addbmm", "baddbmm"}
WITHOUT_A_TENSORS_METHOD = {"softmax", "log_softmax", "resize", "resize_as", "cuda"}


def same(ours, theirs):
    if isinstance(theirs, tuple):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            same(one, other)
    elif isinstance(theirs, Tensor):
        assert ours.type() == theirs.type()
        assert ours.size() == theirs.size()
        numpy.testing.assert_allclose(ours.data.numpy(), theirs.numpy(), rtol=1e-14)
    elif isinstance(ours, Variable):
        assert ours.size() == (1,)
        numpy.testing.assert_allclose(ours.data.numpy(), [theirs], rtol=1e-14)
    else:
        assert ours == theirs


def variable(x):
    return Variable(x) if isinstance(x, Tensor) else x


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@for_each("name, call", [(name, call) for name, (_, many) in ALL_CALLS.items() for call in range(len(many))])
def test_a_variables_method_does_what_the_tensors_does(name, call):
    x, many = ALL_CALLS[name]
    arguments = many[call]
    expected = getattr(x, name)(*arguments)
    if name == "neg":
        expected = -x
    operands = [variable(argument) for argument in arguments]
    same(getattr(Variable(x), name)(*operands), expected)
    if name in top_level.__all__ and not (name in PRODUCTS and len(arguments) > 2):
        # torch.exp(x) is x.exp(), of a Variable too. (Of addmm's numbers, the first stands before x there.)
        same(getattr(top_level, name)(Variable(x), *operands), expected)


@pytest.mark.parametrize("name", sorted(PRODUCTS))
def test_numbers_first(name):
    x, calls = ON_OTHER_SIZES[name]
    m1, m2 = calls[0]
    expected = getattr(x, name)(0.5, 2, m1, m2)
    function = getattr(top_level, name)
    same(function(0.5, Variable(x), 2, Variable(m1), Variable(m2)), expected)
    same(getattr(Variable(x), name)(Variable(m1), Variable(m2), beta=0.5, alpha=2), expected)


def test_every_method_with_a_tensors_name_is_called_above():
    methods = {name for name in OPERATIONS if getattr(Variable, name).__name__ == name}  # without the aliases
    assert methods - set(ALL_CALLS) == WITHOUT_A_TENSORS_METHOD


def test_every_function_at_top_level_takes_a_variable():
    # Without are factorizations and counts, for which v0.1.x's autograd had nothing either.
    without = set(
        """
        all any bernoulli btrifact btrisolve eig equal gels geqrf histc lgamma
        multinomial nonzero orgqr ormqr potrf potri
        potrs pstrf qr svd symeig trtrs
    """.split()
    )
    assert {name for name in top_level.__all__ if not hasattr(Variable(X), name)} <= without


def test_the_methods_of_v011_are_in_the_book():
    for name in "add sub mul div pow view t transpose type contiguous_ backward register_hook remove_hook".split():
        assert name not in ATTACHED and vars(Variable)[name].__module__ == "legacy_autograd.autograd.variable"


@pytest.mark.parametrize("name", sorted(name for name, home in ATTACHED.items() if home.startswith("methods.")))
def test_a_method_is_in_the_file_of_the_tensors_method_or_of_its_function(name):
    home = ATTACHED[name].removeprefix("methods.")
    method = getattr(Variable, name)
    if home in ("inplace", "inplace_forms"):
        assert name.endswith("_") or method.__name__.endswith("_")
        return
    tensors = getattr(Tensor, method.__name__, None)
    homes = {tensors.__module__.rpartition(".")[2]} if tensors is not None else set()
    homes |= {
        getattr(functions, called).__module__.rpartition(".")[2]
        for called in method.__code__.co_names
        if isinstance(getattr(functions, called, None), type)
    }
    assert home in homes or {"resize", "resize_as"} >= {name}, homes


def test_an_index_or_mask_may_be_a_tensor():
    x = Variable(X)
    for result in (x.index_select(0, ROWS), x.gather(1, PICKS), x.masked_fill(MASK, 0), x[ROWS], x[MASK], x[0, PICKS]):
        result.sum().backward()
    same(x[Variable(MASK)], X[MASK])
    same(x[Variable(ROWS), Variable(ROWS)], X[ROWS, ROWS])


def test_the_camel_case_names_of_the_tensors():
    x = Variable(X)
    same(x.indexSelect(0, ROWS), X.index_select(0, ROWS))
    same(x.typeAs(Variable(ROWS)), X.type_as(ROWS))
    same(x.expandAs(Variable(BATCH)), X.expand_as(BATCH))


def test_a_star_import_gives_the_functions_of_2016():
    names = {}
    exec("from legacy_autograd.autograd.functions import *", names)
    of_2016 = (
        "Add Sub Mul Div Pow AddConstant SubConstant MulConstant DivConstant PowConstant Negate "
        "Index Transpose View Copy Exp Log Log1p"
    )
    for name in of_2016.split():
        assert names[name].__name__ == name
    assert "numpy" not in names
    assert names["torch"] is legacy_autograd and names["Variable"] is Variable
    assert issubclass(names["Add"], names["Function"])


def test_the_functions_under_their_names_of_2017():
    names = {}
    exec("from legacy_autograd.autograd._functions import *", names)
    for (
        name
    ) in "Add Concat Fmod InplaceFunction Multinomial Normal Bernoulli Resize SetItem StochasticFunction".split():
        assert names[name].__name__ == name
    assert names["Type"] is names["Copy"] and names["Cinv"] is names["Reciprocal"] and "torch" not in names
    x = Variable(Tensor([-3.0, 3.5]), requires_grad=False)
    assert names["Fmod"](2)(x)[0].data.tolist() == [-1, 1.5] and names["Remainder"](2)(x)[0].data.tolist() == [1, 1.5]
    engine = legacy_autograd.autograd.engine
    assert engine.BasicEngine is engine.ImperativeEngine is type(Variable._execution_engine)


def test_resize_is_a_view():
    x = Variable(X)
    assert x.resize(3, 2).size() == (3, 2)
    assert x.resize_as(Variable(Tensor(3, 2))).size() == (3, 2)
    with pytest.raises(RuntimeError, match=r"resize: \(4,\) is not a shape"):
        x.resize(4)


def test_contiguous_returns_the_variable_itself_if_it_is():
    x = Variable(X)
    assert x.contiguous() is x
    assert x.t().contiguous().is_contiguous()


# --- comparisons


def test_comparisons_are_elementwise_and_require_no_gradient():
    x, y = Variable(Tensor([1, 2, 3])), Variable(Tensor([3, 2, 1]))
    for result, expected in (
        (x == y, [0, 1, 0]),
        (x != y, [1, 0, 1]),
        (x < y, [1, 0, 0]),
        (x <= y, [1, 1, 0]),
        (x > y, [0, 0, 1]),
        (x >= y, [0, 1, 1]),
        (x > 1, [0, 1, 1]),
        (2 < x, [0, 0, 1]),
        (x == 2.0, [0, 1, 0]),
    ):
        assert result.data.tolist() == expected
        assert result.type() == "torch.ByteTensor"
        assert not result.requires_grad and result.is_leaf


def test_equality_with_something_else_is_false():
    x = Variable(Tensor([1]))
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    assert (x == "a") is False


def test_hash_is_identity():
    x = Variable(Tensor([1, 2]))
    assert {x: "here"}[x] == "here"
    assert hash(x) != hash(Variable(Tensor([1, 2])))
    assert x in [x, Variable(Tensor([1, 2]))]


def test_operators():
    x, y = Variable(SQUARE), Variable(X)
    same(x @ y, SQUARE.mm(X))
    same(abs(y), X.abs())
    same(y % 0.3, X.remainder(0.3))


def test_masks():
    x = Variable(Tensor([1, 2, 3]))
    for mask, expected in (
        ((x > 1) & (x < 3), [0, 1, 0]),
        ((x < 2) | (x > 2), [1, 0, 1]),
        ((x > 1) ^ (x > 2), [0, 1, 0]),
        (~(x > 1), [1, 0, 0]),
    ):
        assert mask.data.tolist() == expected and not mask.requires_grad
    with pytest.raises(TypeError):
        (x > 1) & True
    with pytest.raises(TypeError, match="invert.*mask"):
        ~x


def test_numpys_numbers_are_numbers_and_its_arrays_are_refused():
    x = Variable(X)
    same(numpy.float64(2) * x, X * 2)
    same(numpy.float32(2) - x, 2 - X)
    same(1 / x / numpy.int64(2), 1 / X / 2)
    for wrong in (
        lambda: numpy.ones(3) * x,
        lambda: x * numpy.ones(3),
        lambda: numpy.ones(3) == x,
        lambda: numpy.exp(x),
        lambda: numpy.asarray(x),
        lambda: numpy.mean([x, x]),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_max_by_dimension_by_name():
    same(Variable(X).max(dim=1)[0], X.max(1)[0])
    same(Variable(X).min(dim=0, keepdim=False)[1], X.min(0, False)[1])


# --- several Variables


def test_cat_and_stack_take_tensors_or_variables():
    x, y = Variable(X), Variable(Y)
    same(cat([x, y]), cat([X, Y]))
    same(cat((x, y), 1), cat((X, Y), 1))
    same(stack([x, y], 1), stack([X, Y], 1))
    assert functions.concat is cat
    assert isinstance(cat([X, Y]), Tensor)
    cat([x, x], 1).sum().backward()
    assert x.grad.tolist() == [[2, 2, 2], [2, 2, 2]]


@pytest.mark.parametrize("name", ["max", "sort", "topk", "median", "mode", "kthvalue"])
def test_indices_are_not_differentiable(name):
    values, indices = getattr(Variable(X), name)(1)
    assert indices.type() == "torch.LongTensor"
    assert not indices.requires_grad and indices.is_leaf
    assert values.requires_grad


def test_a_conversion_to_integers_cuts_the_graph():
    x = Variable(X)
    assert not x.long().requires_grad
    assert not x.type("torch.ByteTensor").requires_grad
    assert x.float().requires_grad
    assert x.double() is x


@pytest.mark.parametrize("function", [functions.Mul, functions.Div, functions.Pow, functions.Mm, functions.Matmul])
def test_no_gradient_is_computed_that_nobody_needs(function):
    operation = function()
    output = operation(Variable(SQUARE), Variable(SQUARE, requires_grad=False))[0]
    assert operation.backward(Tensor(output.size()))[1] is None


def test_contiguous_is_the_variable_itself_in_the_later_era(monkeypatch):
    def leaf():
        return Variable(Tensor([[1.0, 2.0], [3.0, 4.0]]).t(), requires_grad=True)

    x = leaf()
    assert x.contiguous() is not x
    monkeypatch.setattr(legacy_autograd.conventions, "era", ERAS["0.1.12"])
    x = leaf()
    y = x.contiguous()
    assert y is x and x.is_contiguous() and x.data.tolist() == [[1, 3], [2, 4]]
    (y.view(4) * Variable(Tensor([1, 2, 3, 4]))).sum().backward()
    assert x.grad.data.tolist() == [[1, 2], [3, 4]]


def test_operands_of_equal_count_are_taken_point_by_point_in_the_later_era(monkeypatch):
    monkeypatch.setattr(legacy_autograd.conventions, "era", ERAS["0.1.12"])
    a = Variable(Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), requires_grad=True)
    b = Variable(Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), requires_grad=True)
    n, column = Variable(Tensor([1.0, 2.0]), requires_grad=True), Variable(Tensor([[3.0], [4.0]]), requires_grad=True)
    for result in (a * b, a + b, a / b, a.cmax(b), a.pow(b), a.addcmul(b, b), a.lerp(b, 0.5)):
        assert result.size() == a.size()
        result.sum().backward()
    assert b.grad.data.size() == b.size()
    assert (n * column).size() == (2,)
    (n * column).sum().backward()
    assert column.grad.data.tolist() == [[1], [2]]


def test_unbind():
    x = Variable(Tensor([[1, 2], [3, 4]]), requires_grad=True)
    first, second = legacy_autograd.unbind(x, 1)
    assert (first.data.tolist(), second.data.tolist()) == ([1, 3], [2, 4])
    (first * second).sum().backward()
    assert x.grad.data.tolist() == [[2, 1], [4, 3]]
    assert [part.tolist() for part in legacy_autograd.unbind(x.data)] == [[1, 2], [3, 4]]


def test_cat_takes_a_generator():
    parts = [Tensor(1, 1).fill_(number) for number in (1, 2)]
    assert cat(part for part in parts).tolist() == [[1], [2]]
    assert cat((Variable(part) * 2 for part in parts), 1).data.tolist() == [[2, 4]]
