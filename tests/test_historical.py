"""The museum: every exhibit's number of 2016 and the right one, both of which are really computed."""

import copy
import gc
import math
import operator
import subprocess
import sys
import weakref

import pytest

import legacy_autograd as torch
from legacy_autograd import historical
from legacy_autograd.autograd import ExecutionEngine, Function, Variable
from legacy_autograd.historical import EXHIBITS, FIXED, V0_1_1, V0_1_2, outcome_of

# exhibit: the outcome in v0.1.1 (A6: v0.1.2) and in legacy_autograd. An exception is (class, part of its message).
NUMBERS = {
    "product_and_sum": ({"x.grad": [6], "y.grad": [6]}, {"x.grad": [4], "y.grad": [3]}),
    "a_sum_in_a_sum": ({"x.grad": [2], "y.grad": [2]}, {"x.grad": [2], "y.grad": [1]}),
    "the_hook_test": ({"x.grad": [12], "y.grad": [2]}, {"x.grad": [8], "y.grad": [2]}),
    "the_callers_gradient": ({"x.grad": [2], "gradient": [2]}, {"x.grad": [2], "gradient": [1]}),
    "a_view_of_the_gradient": (
        {"x.grad": [[2]], "w.grad": [[1]], "gradient": [[2]]},
        {"x.grad": [[2]], "w.grad": [[1]], "gradient": [[1]]},
    ),
    "a_gradient_used_twice": ({"x.grad": [6]}, {"x.grad": [4]}),
    "half_a_repair": ({"a.grad": [6], "b.grad": [48]}, {"a.grad": [6], "b.grad": [13]}),
    "a_constant_operand": (("AssertionError", ""), {"x.grad": [3]}),
    "backward_on_a_constant": (("AttributeError", "add_"), ("RuntimeError", "does not require a gradient")),
    "backward_on_a_result_of_constants": (("AssertionError", ""), ("RuntimeError", "does not require a gradient")),
    "a_count_that_never_falls": ({"x.grad": [0]}, {"x.grad": [1]}),
    "the_second_output_alone": (("AssertionError", ""), {"x.grad": [3]}),
    "both_outputs": (("TypeError", "_do_backward() takes 2 positional arguments but 3"), {"x.grad": [5]}),
    "backward_on_the_second_output": ({"x.grad": [2]}, {"x.grad": [3]}),
    "the_first_output_alone": (
        {"x.grad": [2], "gradients received": 1},
        {"x.grad": [2], "gradients received": 2},
    ),
    "none_as_a_gradient": (("ValueError", "Invalid arguments!"), {"x.grad": [0]}),
    "a_hook_on_a_leaf": (("TypeError", "'tuple' object is not callable"), {"seen": [[3]], "x.grad": [3]}),
    "a_hook_on_the_second_output": (("IndexError", "out of range"), {"calls": 1, "x.grad": [3]}),
    "two_to_the_x": (("NameError", "'result' is not defined"), {"x.grad": [pytest.approx(8 * math.log(2))]}),
    "zero_to_the_zero": ({"x.grad": [pytest.approx(math.nan, nan_ok=True)]}, {"x.grad": [0]}),
    "a_power_of_zero": (
        {"a.grad": [0], "b.grad": [pytest.approx(math.nan, nan_ok=True)]},
        {"a.grad": [0], "b.grad": [0]},
    ),
    "an_index_packed_twice": (
        {"x[0, 2]": [[1, 2, 3], [4, 5, 6]], "shape of x[0]": [1, 3]},
        {"x[0, 2]": [3], "shape of x[0]": [3]},
    ),
    "a_full_index": (("AttributeError", "'float' object has no attribute 'numel'"), {"x.grad": [[0, 1], [0, 0]]}),
    "a_loop_over_a_variable": (("RuntimeError", "out of range"), {"elements": 3}),
    "operands_of_two_sizes": (
        {"shape of (b * 1)'s gradient": [2, 3]},
        ("SizeError", "sizes (2, 3) and (3, 2) do not fit"),
    ),
    "the_gradient_not_given": (("RuntimeError", "out of range"), {"x.grad": [[1]]}),
    "a_copied_leaf": (("KeyError", ""), {"y.grad": [3]}),
    "a_function_called_twice": ({"x.grad": [0], "y.grad": [2]}, ("RuntimeError", "was called before")),
    "a_creator_named_by_hand": (("KeyError", ""), ("RuntimeError", "the creator of a Variable that it did not make")),
    "the_gradient_of_a_result": ({"y.grad": [0], "x.grad": [36]}, {"y.grad": None, "x.grad": [36]}),
    "data_changed_in_between": ({"x.grad": [20]}, ("RuntimeError", "modified by an inplace operation")),
    "data_of_another_size": (("RuntimeError", "inconsistent tensor size"), {"x.grad": [3, 3]}),
    "a_cycle": ({"alive after del": True}, {"alive after del": False}),
    "a_sequential_without_names": ({"unnamed": 0, "named": 4}, {"unnamed": 4, "named": 4}),
    "ten_times_a_loss": ({"x.grad": [1]}, {"x.grad": [10]}),
    "a_target_by_default": (("AssertionError", ""), {"x.grad": [1], "target.grad": [-1]}),
    "no_dampening": ({"x": [-2]}, {"x": [-2.5]}),
}


def check(outcome, expected):
    if isinstance(expected, dict):
        assert outcome.exception is None, outcome
        assert outcome.values == expected
    else:
        exception, message = expected
        assert outcome.exception == exception
        assert message in outcome.message


@pytest.mark.parametrize("name", NUMBERS)
def test_both_numbers(name):
    then, right = NUMBERS[name]
    exhibit = getattr(historical, name)()
    check(exhibit.then, then)
    check(exhibit.right, right)


def test_every_exhibit_is_in_the_table_above():
    assert [exhibit.__name__ for exhibit in EXHIBITS] == list(NUMBERS)


def test_ids_of_the_exhibits_come_in_their_order():
    ids = [exhibit.id for exhibit in EXHIBITS]
    assert ids == sorted(ids)
    assert {"A1", "A2", "A3", "A4", "A6", "B1", "B2", "B3", "B4", "C1", "C2", "C3", "C4", "C5"} <= set(ids)
    assert {"D1", "D5", "E1", "E4", "E5", "E6", "E7", "E8", "F1", "F2", "F3", "F4", "F6", "F7", "G1", "G2"} <= set(ids)


def test_an_exhibit_shows_the_program_both_numbers_and_the_reason():
    text = str(historical.product_and_sum())
    assert "z = x * y + (x + y)" in text
    assert "x.grad = 6, y.grad = 6" in text and "x.grad = 4, y.grad = 3" in text
    assert "the same tensor" in text and "0325e2f646" in text
    assert "#" not in text  # the comments tell the answer
    assert "class Pair" in historical.both_outputs().program


def test_show_prints_a_line_for_every_exhibit(capsys):
    historical.show()
    table = capsys.readouterr().out
    assert max(map(len, table.splitlines())) <= 120
    for exhibit in EXHIBITS:
        assert exhibit().title.split()[0] in table
    assert "KeyError: an id" in table  # not the id itself: the table is the same every time


def test_the_half_repair_of_v0_1_2_and_what_v0_1_1_gave():
    program = historical.half_a_repair.program
    assert outcome_of(program, V0_1_1).values == {"a.grad": [11], "b.grad": [88]}
    assert outcome_of(program, V0_1_2).values == {"a.grad": [6], "b.grad": [48]}


@pytest.mark.parametrize("name", ["product_and_sum", "a_sum_in_a_sum", "the_hook_test", "the_callers_gradient"])
def test_v0_1_2_did_repair_the_simple_cases(name):
    program = getattr(historical, name).program
    assert outcome_of(program, V0_1_2) == outcome_of(program, FIXED)


def test_the_historical_engine_goes_wrong_on_a_graph_of_todays_classes_too(monkeypatch):
    monkeypatch.setattr(Variable, "_execution_engine", historical.HistoricalEngine())
    x, y = Variable(torch.DoubleTensor([2.0])), Variable(torch.DoubleTensor([3.0]))
    (x * y + (x + y)).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([6], [6])


def test_dependencies_are_counters_of_consumers():
    x = historical.HistoricalVariable(torch.DoubleTensor([2.0]))
    c = historical.HistoricalVariable(torch.DoubleTensor([3.0]), requires_grad=False)
    square = x * x
    total = square + c
    engine = historical.HistoricalEngine()
    dependencies = engine._compute_dependencies(total.creator)
    assert dependencies[x.creator] == [{square.creator: 2}]
    assert dependencies[c.creator] == [{total.creator: 1}]  # counted, though it requires no gradient
    assert engine._free_backward_dependency(dependencies, x.creator, square.creator, id(x)) == 0
    assert not engine._is_ready_for_backward(dependencies, x.creator)
    engine._free_backward_dependency(dependencies, x.creator, square.creator, id(x))
    assert engine._is_ready_for_backward(dependencies, x.creator)


def test_a_program_without_a_defect_is_right_there_too():
    for autograd in (V0_1_1, V0_1_2, FIXED):
        x, y = autograd.leaves(2, 3)
        functions = autograd.functions
        z = (-x * y).div(4) - functions.Log()(y)[0] + functions.Exp()(x)[0] * 0.5 + (6 / x) + (1 - y) ** 2
        z.backward()
        # -y/4 + e^x / 2 - 6/x²; -x/4 - 1/y - 2 (1-y)
        assert x.grad.tolist() == [pytest.approx(-0.75 + math.exp(2) / 2 - 1.5)]
        assert y.grad.tolist() == [pytest.approx(-0.5 - 1 / 3 + 4)]


def test_later_methods_are_not_there():
    x = historical.HistoricalVariable(torch.DoubleTensor([1.0, 2.0]))
    for name in ("sum", "detach", "mul_", "is_contiguous", "no_such_name"):
        with pytest.raises(AttributeError, match=f"'HistoricalVariable' object has no attribute '{name}'"):
            getattr(x, name)
    assert x.size() == (2,) and x.dim() == 1
    with pytest.raises(TypeError):
        len(x)
    assert (x == x) is True and bool(x)


def test_a_hooks_name_is_asserted_to_be_new():
    x = historical.HistoricalVariable(torch.DoubleTensor([1.0]))
    y = x * 2
    y.register_hook("see", print)
    with pytest.raises(AssertionError):
        y.register_hook("see", print)
    y.remove_hook("see")
    with pytest.raises(AssertionError):
        y.remove_hook("see")


@pytest.mark.parametrize("constant_first", [False, True])
@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow])
def test_no_operation_of_two_accepts_a_constant(operation, constant_first):
    # v0.1.1's backward of all five always returned both gradients, and its engine asserted None for the constant.
    x, c = V0_1_1.variable([2.0]), V0_1_1.variable([3.0], requires_grad=False)
    result = operation(c, x) if constant_first else operation(x, c)
    with pytest.raises(AssertionError):
        result.backward()


@pytest.mark.parametrize(
    ("view", "afterwards"),
    [
        (lambda x: x.view(1, 1), 1),  # View's backward copied G: the 2 is added to the copy
        (lambda x: x.t(), 3),  # Transpose's passes on a view of G, to which the 2 is added: G = 1 + 2 (A3)
    ],
)
def test_view_passes_on_a_copy_and_transpose_the_memory_itself(view, afterwards):
    x = V0_1_1.variable([[1.0]])
    gradient = V0_1_1.tensor([[1.0]])
    (x * 2 + view(x)).backward(gradient)  # the last operand's branch runs first, so the view's gradient waits for x
    assert x.grad.tolist() == [[3]]
    assert gradient.tolist() == [[afterwards]]


@pytest.mark.parametrize(
    ("operation", "size"),
    [
        # A product or quotient has the shape of its first operand. That is the gradient, here a row of 4, but in Exp,
        # whose backward is `result * grad_output`.
        (lambda x, f: x * x, [4]),
        (lambda x, f: x / x, [4]),
        (lambda x, f: x**x, [4]),
        (lambda x, f: x * 2, [4]),
        (lambda x, f: 2 / x, [4]),
        (lambda x, f: x**3, [4]),
        (lambda x, f: f.MulConstant(torch.DoubleTensor([1.0, 2.0, 3.0, 4.0]))(x)[0], [4]),
        (lambda x, f: f.Log()(x)[0], [4]),
        (lambda x, f: f.Log1p()(x)[0], [4]),
        (lambda x, f: f.Exp()(x)[0], [2, 2]),
        (lambda x, f: x[0:2], [2, 2]),
        (lambda x, f: x.view(2, 2), [2, 2]),
    ],
)
def test_operands_of_another_shape_are_taken_in_backward_too(operation, size):
    x = V0_1_1.variable([[1.0, 2.0], [3.0, 4.0]])
    result = operation(x, V0_1_1.functions)
    sizes = []
    result.register_hook("see", lambda grad_input, grad_output: sizes.append(list(grad_input[0].size())))
    result.backward(V0_1_1.tensor([1.0, 1.0, 1.0, 1.0]))
    assert sizes == [size]


def test_the_gradient_not_given_keeps_its_one_dimension_through_a_product():
    # E8: the product passes on a gradient of shape (1,), which Transpose's backward cannot transpose.
    x, y = V0_1_1.variable([[2.0]]), V0_1_1.variable([[3.0]])
    with pytest.raises(RuntimeError, match="out of range"):
        (x.t() * y).backward()


def test_a_type_is_a_class_or_its_name():
    (x,) = V0_1_1.leaves(2)
    assert x.type(torch.DoubleTensor) is x  # only the class was compared
    named = x.type("torch.DoubleTensor")
    assert named is not x and named.data is x.data  # which Tensor.type returned for its own name
    with pytest.raises(AssertionError):
        V0_1_1.functions.Copy(torch.DoubleTensor)(x)
    with pytest.raises(AssertionError):
        V0_1_1.functions.Transpose(0)
    whole = x.type("torch.LongTensor")  # an integer requires a gradient like any other Variable
    (whole * 2).backward()
    assert x.grad.tolist() == [2] and x.grad.type() == "torch.DoubleTensor"


@pytest.mark.parametrize(
    ("index", "result"),
    [
        ([(1,), 0], [4]),  # a single number in a tuple: that row
        ([(-2, 2), 2], "out of range"),  # C subtracted -2 from 2, so this means 4 rows from row 0 on
        ([(0, 2), 2], [3, 6]),
        ([0, 0, 0], "Indexing too many dimensions"),
        ([slice(2, 9)], "out of range"),  # C had no empty tensors of several dimensions
        ([slice(0, 3, 2)], "Only step == 1 supported"),
        ([(0, 1, 2)], "Expected one or two integers"),
        ([(slice(0, 1), 0)], "Expected one or two integers"),
        ([[0, 1]], "Slicing with an unsupported type"),
    ],
)
def test_the_rules_of_v0_1_1s_indices(index, result):
    x = V0_1_1.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    function = V0_1_1.functions.Index(*index)
    if isinstance(result, str):
        with pytest.raises(RuntimeError, match=result):
            function(x)
    else:
        assert function(x)[0].data.tolist() == result


def test_a_number_fails_where_a_tensor_is_needed_first():
    x = V0_1_1.variable([[1.0, 2.0]])
    (element,) = V0_1_1.functions.Index(0, 1)(x)
    product = x * element  # a tensor times the number 2
    assert product.data.tolist() == [[2, 4]]
    with pytest.raises(AttributeError, match="'float' object has no attribute 'copy_'"):
        product.backward(V0_1_1.tensor([[1.0, 1.0]]))


def test_a_tensor_as_a_constant():
    x = V0_1_1.variable([[2.0, 4.0]])
    functions, constant = V0_1_1.functions, V0_1_1.tensor([1.0, 2.0])
    for name, result in [("Add", [3, 6]), ("Sub", [1, 2]), ("Mul", [2, 8]), ("Div", [2, 2]), ("Pow", [2, 16])]:
        assert getattr(functions, f"{name}Constant")(constant)(x)[0].data.tolist() == [result]
    for name in ("Sub", "Div"):  # these filled a tensor with the constant
        with pytest.raises(TypeError, match="fill_"):
            getattr(functions, f"{name}Constant")(constant, True)(x)


def test_a_copied_graph_is_one_of_its_own():
    (x,) = V0_1_1.leaves(2)
    y = copy.deepcopy(x * 3)
    leaf = y.creator.previous_functions[0][0].variable
    y.backward()
    assert (x.grad.tolist(), leaf.grad.tolist()) == ([0], [3])
    with pytest.raises(KeyError):
        (y * 1).backward()  # F1: the copied Function has the id of the original result


def test_a_users_constructor_must_call_that_of_function():
    class Twice(V0_1_1.Function):
        def __init__(self):
            pass

        def forward(self, x):
            return x.mul(2)

        def backward(self, grad_output):
            return grad_output.mul(2)

    (x,) = V0_1_1.leaves(1)
    with pytest.raises(AttributeError, match="'Twice' object has no attribute 'backward_hooks'"):
        Twice()(x)[0].backward()


def test_later_protocols_are_not_there():
    (x,) = V0_1_1.leaves(1)
    for protocol in (float, int, len, abs, operator.invert):
        with pytest.raises(TypeError):
            protocol(x)
    for protocol in (operator.and_, operator.or_, operator.xor, operator.mod, operator.matmul, operator.lt):
        with pytest.raises(TypeError):
            protocol(x, x)
    with pytest.raises(TypeError):
        x[0] = 1


def test_nothing_of_it_is_on_unless_asked_for():
    assert type(Variable._execution_engine) is ExecutionEngine
    assert not issubclass(Function, historical.HistoricalFunction)
    code = "import sys, legacy_autograd.autograd.functions; print('legacy_autograd.historical' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_the_cycle_of_a_variable_and_its_leaf_goes_with_the_collector():
    x = historical.HistoricalVariable(torch.DoubleTensor([1.0]))
    watch = weakref.ref(x)
    del x
    gc.collect()
    assert watch() is None
