"""Methods that write into the tensor itself, beside modern torch's; each is a write that is counted."""

import functools
import re

import numpy
import pytest
from steps import for_each

import legacy_autograd as torch
from legacy_autograd.tensor import Tensor, camel_case

from .modern import FLOATING, INTEGERS, arrays, assert_same, both

KINDS = sorted(arrays())


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "pow", "remainder", "fmod"])
@for_each("dtype", FLOATING)
@for_each("kind", KINDS)
def test_arithmetic(name, kind, dtype):
    a, b = both(arrays()[kind][..., ::-1] + 0.25, dtype)
    for ours, theirs in ((a, b), (2, 2), (0.5, 0.5), (-1, -1), (3, 3)):
        x, y = both(arrays()[kind], dtype)
        memory = x.array
        assert getattr(x, f"{name}_")(ours) is x
        assert x.array is memory and x._version == 1
        assert_same(x, getattr(y, name)(theirs))


def test_operators_that_assign():
    x, y = both(arrays()["matrix"])
    kept, memory = x, x.array
    x += 2
    y += 2
    x -= torch.ones(4)
    y -= 1
    x *= x
    y *= y.clone()
    x /= 3
    y /= 3
    x **= 2
    y **= 2
    x %= 0.7
    y %= 0.7
    assert x is kept and x.array is memory and x._version == 6
    assert_same(x, y)


def test_a_program_of_2016():
    class W:
        data = torch.ones(2, 2)
        grad = torch.ones(2, 2)

    W.data -= W.grad.data * 0.5
    W.grad.data.zero_()
    W.data.add_(-0.1, torch.ones(2, 2))
    assert W.grad.sum() == 0 and abs(W.data[0, 0] - 0.4) < 1e-15


@for_each("dtype", INTEGERS)
def test_arithmetic_of_integers(dtype):
    x, y = both(numpy.array([7, 8, 9]), dtype)
    assert_same(
        x.add_(1).mul_(2).sub_(3).div_(4).pow_(2), ((y + 1) * 2 - 3).div(4, rounding_mode="trunc").pow(2).to(y.dtype)
    )
    with pytest.raises(TypeError, match="mul_: a .* cannot take the number 0.5"):
        x.mul_(0.5)
    with pytest.raises(ZeroDivisionError):
        x.div_(0)


@for_each("name", ["add_", "sub_", "mul_", "div_", "pow_", "cmax_", "fmod_", "eq_", "atan2_", "copy_", "__iadd__"])
def test_a_tensor_does_not_grow(name):
    for size, other in (((3,), (2, 3)), ((1, 3), (2, 3)), ((2, 1), (2, 3)), ((3,), (4,))):
        x = torch.zeros(*size)
        words = re.escape(f"sizes {size} and {other} do not fit")
        with pytest.raises(ValueError, match=words):
            getattr(x, name)(torch.ones(*other))
        assert x.sum() == 0 and x._version == 0 and x.size() == size


@for_each("name", ["lt", "eq", "ge"])
def test_comparisons_in_place(name):
    x, y = both(arrays()["matrix"])
    a, b = both(arrays()["matrix"][::-1])
    assert_same(getattr(x, f"{name}_")(a), getattr(y, f"{name}_")(b))


@for_each("kind", KINDS)
def test_zero_fill_copy(kind):
    x, y = both(arrays()[kind])
    assert_same(x.fill_(2.5), y.fill_(2.5))
    assert_same(x.zero_(), y.zero_())
    a, b = both(arrays()[kind], "float32")
    assert_same(x.copy_(a), y.copy_(b))
    assert x._version == 3
    assert_same(x.clone().cumsum_(0), y.cumsum(0))
    assert_same(x.clone().cumprod_(0), y.cumprod(0))


def test_fill_needs_a_number_of_the_type():
    x = torch.LongTensor(2)
    for value, error in ((0.5, TypeError), ("a", TypeError), (2**64, OverflowError), (torch.ones(1), TypeError)):
        with pytest.raises(error, match="fill_: "):
            x.fill_(value)
    assert x.fill_(2.0).tolist() == [2, 2]


def test_copy_converts_broadcasts_and_takes_equal_counts():
    x = torch.zeros(2, 3)
    assert x.copy_(torch.IntTensor([1, 2, 3])).tolist() == [[1, 2, 3], [1, 2, 3]]
    assert x.copy_(torch.arange(6)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x.copy_(torch.arange(6).view(3, 2)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x.copy_(torch.arange(6).view(3, 2).t()).tolist() == [[0, 2, 4], [1, 3, 5]]
    assert torch.LongTensor(2).copy_(torch.DoubleTensor([1.7, -1.7])).tolist() == [1, -1]
    assert x.view(-1)[1:].copy_(x.view(-1)[:-1]).tolist() == [0, 2, 4, 1, 3]
    square = torch.arange(4).view(2, 2)
    assert square.copy_(square.t()).tolist() == [[0, 2], [1, 3]]
    with pytest.raises(ValueError, match=r"copy_: sizes \(2, 3\) and \(4,\) do not fit"):
        x.copy_(torch.ones(4))
    with pytest.raises(TypeError, match="copy_: expected a Tensor, got list"):
        x.copy_([1])


def test_a_tensor_may_be_its_own_operand():
    x, y = both(arrays()["matrix"][:, :3])
    x.add_(x.t())
    y.add_(y.t().clone())
    assert_same(x, y)
    x.mul_(x)
    assert_same(x, y * y)


@for_each("kind", KINDS)
def test_writes_reach_memory_that_is_not_contiguous(kind):
    x, y = both(arrays()[kind])
    if x.numel() < 2:
        return
    part, other = x.t() if x.dim() == 2 else x[1:], y.t() if y.dim() == 2 else y[1:]
    for name in ("abs_", "sigmoid_", "sign_", "floor_", "frac_", "rsqrt_"):
        getattr(part, name)()
        getattr(other, name)()
    assert_same(x, y)
    assert x._version == 6


def test_functions_of_python():
    x = torch.DoubleTensor([[1, 2], [3, 4]]).t()
    assert x.apply_(lambda n: n * 10).tolist() == [[10, 30], [20, 40]]
    assert x.map_(torch.DoubleTensor([[1, 2], [3, 4]]), lambda a, b: a + b).tolist() == [[11, 32], [23, 44]]
    assert x.map2_(x, torch.ones(4), lambda a, b, c: a - b + c).tolist() == [[1, 1], [1, 1]]
    assert x._version == 3
    seen = []
    torch.LongTensor([1, 2]).apply_(lambda n: seen.append(n) or n)
    assert seen == [1, 2] and type(seen[0]) is int

    def fails(n):
        raise KeyError(n)

    with pytest.raises(KeyError):
        x.apply_(fails)
    with pytest.raises(TypeError, match="apply_: .*number, got NoneType"):
        x.apply_(lambda n: None)
    with pytest.raises(TypeError, match="apply_: a torch.LongTensor cannot take the number 0.5"):
        x.long().apply_(lambda n: 0.5)
    with pytest.raises(ValueError, match=r"map_: .* as many elements as .*\(2, 2\), .*got .*size \(3,\)"):
        x.map_(torch.ones(3), lambda a, b: a)
    assert x.sum() == 4 and x._version == 3


def test_read_only_memory_is_not_written_to():
    array = numpy.ones(3)
    array.flags.writeable = False
    x = torch.from_numpy(array)
    for write in (x.zero_, x.exp_, lambda: x.add_(1), lambda: x.copy_(torch.zeros(3)), lambda: x.lerp_(x, 1)):
        with pytest.raises(RuntimeError, match="read-only"):
            write()
    assert x.tolist() == [1, 1, 1] and x._version == 0


ARGUMENTS = {
    **dict.fromkeys(
        "add_ sub_ mul_ div_ pow_ remainder_ fmod_ cmax_ cmin_ fill_ eq_ ne_ lt_ le_ gt_ ge_".split(), (2,)
    ),
    **dict.fromkeys("clamp_min_ clamp_max_ tril_ triu_ cumsum_ cumprod_ unsqueeze_".split(), (0,)),
    **dict.fromkeys("copy_ atan2_ set_ resize_as_ resizeAs_".split(), (torch.ones(2, 2),)),
    **dict.fromkeys("addcmul_ addcdiv_ addmm_".split(), (torch.ones(2, 2),) * 2),
    **dict.fromkeys("addbmm_".split(), (torch.ones(1, 2, 2),) * 2),
    "addr_": (torch.ones(2),) * 2,
    "addmv_": (torch.ones(2, 2), torch.ones(2)),
    "baddbmm_": (torch.ones(2, 2, 2),) * 2,
    "clamp_": (0, 1),
    "lerp_": (torch.ones(2, 2), 0.5),
    "renorm_": (2, 0, 1),
    "apply_": (abs,),
    "map_": (torch.ones(2, 2), min),
    "map2_": (torch.ones(2, 2), torch.ones(2, 2), min),
    "transpose_": (0, 1),
    "resize_": (2, 2),
    "random_": (5,),
    "geometric_": (0.5,),
    "index_put_": (0, torch.ones(2)),
    "masked_fill_": (torch.ByteTensor([[1, 0], [0, 1]]), 2),
    **dict.fromkeys(("masked_copy_", "masked_scatter_"), (torch.ByteTensor([[1, 0], [0, 1]]), torch.ones(2))),
    "index_fill_": (0, torch.LongTensor([0]), 2),
    **dict.fromkeys(("index_copy_", "index_add_"), (0, torch.LongTensor([0]), torch.ones(1, 2))),
    **dict.fromkeys(("scatter_", "scatter_add_"), (0, torch.LongTensor([[0, 1]]), torch.ones(1, 2))),
}
SNAKE = {name: snake for name, snake in camel_case.METHODS.items() if name.endswith("_")}
METHODS = sorted(
    name
    for name in dir(Tensor)
    if name.endswith("_") and not name.startswith("_") and hasattr(Tensor, name) and name != "share_memory_"
)


@for_each("name", METHODS)
def test_every_method_with_an_underscore_counts_one_write_and_returns_the_tensor(name):
    sizes = {"addmv_": (2,), "baddbmm_": (2, 2, 2), "unsqueeze_": (2,)}
    x = torch.ones(*sizes.get(name, (2, 2)))
    assert getattr(x, name)(*ARGUMENTS.get(SNAKE.get(name, name), ())) is x
    assert x._version == (1 if name != "set_" else x._version) and x._version >= 1


POINTWISE = """abs acos asin atan ceil cos cosh exp floor frac log log1p neg reciprocal round rsqrt
sigmoid sign sin sinh sqrt tan tanh trunc""".split()


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("name", POINTWISE)
def test_elements_that_lie_apart(name):
    """NumPy has other loops for other distances; its negative is wrong for some."""
    agree = functools.partial(numpy.testing.assert_allclose, rtol=1e-6)
    for dtype in ["float32", "float64", *(["int32", "int64"] if name in ("abs", "neg", "sign") else [])]:
        for apart in range(1, 18):
            numbers = numpy.arange(1, 1 + 9 * 3 * apart).reshape(3, 9, apart)[:, :, 0]
            numbers = (numbers / 300 if dtype[0] == "f" else numbers).astype(dtype)
            expected = getattr(torch.from_numpy(numbers), name)().numpy()
            memory = numpy.zeros((3, 9, apart), dtype)
            memory[:, :, 0] = numbers
            view = torch.from_numpy(memory).select(2, 0)
            turned, row = view.t(), view.select(0, 1)
            agree(getattr(turned, name)().numpy(), expected.T, err_msg=f"{apart}, turned")
            agree(getattr(row, name)().numpy(), expected[1], err_msg=f"{apart}, a row")
            getattr(row, f"{name}_")()
            agree(view.numpy(), [numbers[0], expected[1], numbers[2]], err_msg=f"{apart}, {name}_")
            row.copy_(torch.from_numpy(numbers[1].copy()))
            getattr(turned, f"{name}_")()
            agree(view.numpy(), expected, err_msg=f"{apart}, {name}_, turned")
