"""Every row of conventions.py, seen in a process of each column."""

import dataclasses
import functools
import json
import os
import subprocess
import sys

import pytest

from legacy_autograd import conventions

PROGRAM = """
import copy
import json
import pickle
import sys
import warnings
import legacy_autograd as torch
from legacy_autograd import cuda, multiprocessing, nn, optim, utils
from legacy_autograd.autograd import Function, Variable

class Twice(Function):
    def forward(self, x):
        return x.mul(2)
    def backward(self, grad_output):
        return grad_output.mul(2)

def leaf(*numbers):
    return Variable(torch.DoubleTensor(numbers), requires_grad=True)

def outcome(expression):
    try:
        return eval(expression, dict(globals()))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def after_a_call(function, x):
    function(x)
    return type(function(x)).__name__

def after_backward():
    x = leaf(1, 2)
    x.sum().backward()
    return type(x.grad).__name__

def shown_by_hooks():
    x, kinds = leaf(1, 2), []
    y = x * 2
    for where in (x, y):
        where.register_hook(lambda grad: (kinds.append(type(grad).__name__), grad * 2)[1])
    y.creator.register_hook(lambda grad_input, grad_output: kinds.append(type(grad_input[0]).__name__))
    y.sum().backward()
    assert x.grad.data.tolist() == [8, 8]
    return sorted(set(kinds))

def named_hook():
    x, seen = leaf(1, 2), []
    y = x * 3
    y.register_hook("h", lambda *gradients: seen.append(len(gradients)))
    y.sum().backward()
    y.remove_hook("h")
    return seen

def plus_equals():
    x = leaf(1, 2)
    y = z = x * 2
    z += 10
    data = y.data
    return y.data.tolist(), data.tolist()

def written_leaf():
    x = leaf(1, 2)
    y = x.add_(1) * 3
    try:
        y.sum().backward()
    except RuntimeError as error:
        return "only backward raises: " + str(error)

def written_beside_a_view():
    x = leaf(1, 2) * 1
    y = x[1]
    x.add_(2)
    return y.data.tolist()

def selected():
    x, kinds = leaf(1, 5, 3), []
    for result in (x.max(0), x.min(0), x.median(0), x.mode(0), x.kthvalue(2, 0), x.sort(0), x.topk(1)):
        values = result[0] if isinstance(result, tuple) else result
        x.grad = None
        values.backward(torch.ones(values.size()).double())
        kinds.append((type(result).__name__, tensor_of(x.grad).tolist()))
    return kinds

def constant_root():
    x = leaf(1)
    torch.autograd.backward([x * 2, Variable(torch.DoubleTensor([1]), requires_grad=False)], [None, None])
    return x.grad.data.tolist()

def point_by_point():
    column = Variable(torch.Tensor([[1], [2]]), requires_grad=True)
    row = Variable(torch.Tensor([10, 20]), requires_grad=True)
    (column - row).pow(2).sum().backward()
    return list((column - row).size()), column.grad.data.tolist(), row.grad.data.tolist()

def after_a_step():
    module = nn.Linear(1, 1, bias=False).double()
    module.weight.data.fill_(2)
    x = Variable(torch.DoubleTensor([[3]]), requires_grad=True)
    loss = module(x).sum()
    module.weight.grad = module.weight.data.clone().fill_(1)
    optim.SGD(module.parameters(), lr=1).step()
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        loss.backward()
    return x.grad.data.tolist(), "between this forward and its backward" in str(shown[0].message)

def contiguous():
    x = Variable(torch.Tensor(2, 3).t())
    return x.contiguous() is x

def parameters_of_a_module():
    module = nn.Module()
    module.weight = leaf(1)
    return len(list(module.parameters()))

def copied_and_written():
    x = torch.ones(1)
    copy.copy(x).fill_(5)
    return x[0]

def type_after_cuda():
    cuda.ignore()
    return next(nn.Linear(1, 1).double().cuda().parameters()).data.type()

def momentum():
    x = leaf(1)
    x.sum().backward()
    return optim.SGD([x], lr=0.1, momentum=0.9).param_groups[0]["dampening"]

def batches_of_numbers():
    dataset = utils.data.TensorDataset(torch.zeros(4), torch.zeros(4, 2))
    return (number for number, _ in utils.data.DataLoader(dataset, batch_size=2))

def rates():
    optimizer = optim.SGD([leaf(1)], lr=1)
    schedule = optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    seen = []
    for _ in range(4):
        schedule.step()
        seen.append(optimizer.param_groups[0]["lr"])
    return seen

def evaluations_of_lbfgs():
    x, evaluations = leaf(*[0.5e-6] * 4), []
    optimizer = optim.LBFGS([x], tolerance_change=0)
    def closure():
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        evaluations.append(loss)
        return loss
    optimizer.step(closure)
    return len(evaluations)

def is_shared_after_a_queue():
    queue, x = multiprocessing.Queue(), torch.ones(2)
    queue.put(x)
    queue.get().fill_(5)
    return x[0] == 5

def hooked():
    layer = nn.Tanh()
    kept = layer.register_forward_hook(lambda module, input, result: result * 0)
    return layer(leaf(1)).data.tolist()

def arguments_of_named_hooks():
    layer, seen = nn.Tanh(), []
    layer.register_forward_hook("look", lambda module, input, result: seen.append(type(result).__name__))
    layer.register_backward_hook("look", lambda module, inputs, grad_output: seen.append(type(grad_output) is tuple))
    layer(leaf(1)).backward()
    return seen

def gradients_of_copies():
    x = leaf(1, 2)
    x.sum().backward()
    copies = copy.deepcopy(x), pickle.loads(pickle.dumps(x))
    return [each._grad is not None for each in copies]

def written_by_a_rectifier():
    x = leaf(-1, 2) * 1
    result = nn.functional.relu(x, inplace=True)
    return x.data.tolist(), result is x

def mean_of_samples_without_weight():
    x = Variable(torch.Tensor([[-1, -2], [-3, -4]]), requires_grad=True)
    loss = nn.NLLLoss(torch.Tensor([1, 0]))(x, Variable(torch.LongTensor([1, 1]), requires_grad=False))
    loss.backward()
    return str(loss.data[0]), str(abs(tensor_of(x.grad)[1, 1]))

def static_backward():
    seen = []
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()
        @staticmethod
        def backward(ctx, grad_output):
            seen.append(type(grad_output).__name__)
            return grad_output
    Same.apply(leaf(1)).backward()
    return seen

def gradient_by_a_variable():
    x = leaf(3)
    (gradient,) = torch.autograd.grad(x * x, x, Variable(torch.DoubleTensor([1])))
    return getattr(gradient, "requires_grad", False)

def tensor_of(gradient):
    return gradient.data if isinstance(gradient, Variable) else gradient

print(json.dumps({name: outcome(expression) for name, expression in json.load(sys.stdin).items()}))
"""

# (column - row)^2 with column (1, 2) and row (10, 20), by hand.
# Point by point: 2 (1 - 10) = -18, 2 (2 - 20) = -36. Broadcast: 2 (1-10 + 1-20) = -56, 2 (2-10 + 2-20) = -52 for the
# column, and for the row -2 (1-10 + 2-10) = 34, -2 (1-20 + 2-20) = 74.
_BROADCAST = [[2, 2], [[-56], [-52]], [34, 74]]
_POINT_BY_POINT = [[2, 1], [[-18], [-36]], [18, 36]]

# Of (1, 5, 3), where max, min, median, mode, kthvalue(2), sort and topk(1) take their elements from.
_SELECTED = [[0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 1, 1], [0, 1, 0]]

# {row: (expression, its value under import, under 0.1.1, under 0.1.12)}; of an exception the beginning of its text.
ROWS = {
    "call_returns_tuple": ("type(Twice()(leaf(1))).__name__", "tuple", "tuple", "Variable"),
    "function_runs_again": (
        "after_a_call(Twice(), leaf(1))",
        "RuntimeError: this Twice was called before",
        "tuple",
        "Variable",
    ),
    "requires_grad": ("Variable(torch.Tensor([1])).requires_grad", True, True, False),
    "default_tensor_type": ("torch.Tensor(1).type()", "torch.DoubleTensor", "torch.DoubleTensor", "torch.FloatTensor"),
    "broadcast": ("point_by_point()", _BROADCAST, _POINT_BY_POINT, _POINT_BY_POINT),
    "reductions_keep_dimension": (
        "[list(x.size()) for x in (torch.ones(2, 3).sum(1), leaf(1, 2).max(0)[0], torch.ones(2, 3).max(0)[1])]",
        *[[[2, 1], [1], [1, 3]]] * 3,
    ),
    "median_is_of_all": ("type(torch.ones(2, 3).median()).__name__", *["tuple"] * 3),
    "static_backward_sees_variables": ("static_backward()", *[["DoubleTensor"]] * 3),
    "variables_create_graph": ("gradient_by_a_variable()", False, False, False),
    "lists_of_indices_are_tuples": ("list(torch.ones(2, 3)[[[0, 1], [1, 1]]].size())", *[[2, 2, 3]] * 3),
    "truth_of_tensor": (
        "[bool(x) for x in (torch.Tensor(), torch.Tensor([0]))]",
        [False, False],
        [True, True],
        "RuntimeError: bool value of",
    ),
    "truth_of_variable": ("[bool(leaf(0)), bool(leaf(0).lt(0))]", [False, False], [True, True], [True, True]),
    "equality_is_identity": ("type(torch.ones(2) == torch.ones(2)).__name__", "ByteTensor", "bool", "ByteTensor"),
    "grad_begins_as_zeros": ("leaf(1, 2).grad is None", False, False, True),
    "outputs_pickle_as_leaves": (
        "pickle.loads(pickle.dumps(leaf(1) * 2)).data.tolist()",
        "RuntimeError: only leaf Variables can be copied or pickled; this one is an output of MulConstant",
        "RuntimeError: only leaf Variables can be copied or pickled; this one is an output of MulConstant",
        [2],
    ),
    "copies_have_grad": ("gradients_of_copies()", [True, True], [True, True], [False, False]),
    "grad_is_variable": ("after_backward()", "DoubleTensor", "DoubleTensor", "Variable"),
    "hooks_see_variables": ("shown_by_hooks()", ["DoubleTensor"], ["DoubleTensor"], ["Variable"]),
    "named_hook_takes_two": ("named_hook()", [2], [2], [1]),
    "plus_equals_writes": ("plus_equals()", [[2, 4], [2, 4]], [[2, 4], [2, 4]], [[12, 14], [12, 14]]),
    "writes_to_leaf_raise": (
        "written_leaf()",
        "RuntimeError: add_: a leaf",
        "RuntimeError: add_: a leaf",
        "RuntimeError: add_: a leaf",
    ),
    "writes_to_shared_raise": (
        "written_beside_a_view()",
        [4],
        [4],
        "RuntimeError: add_: in-place operations can be only used on variables that don't share storage",
    ),
    "selections_have_indices": ("selected()", *[[["tuple", place] for place in _SELECTED]] * 3),
    "constant_roots_raise": (
        "constant_root()",
        "RuntimeError: backward: Variable 1 does not require",
        "RuntimeError: backward: Variable 1 does not require",
        [2],
    ),
    "contiguous_is_another": ("contiguous()", False, False, True),
    "data_writes_raise": (
        "after_a_step()",
        "RuntimeError: Linear: one of the variables",
        [[[1]], True],
        [[[1]], True],
    ),
    "height_and_width_apart": ("nn.Conv2d(1, 6, 5, 2).kernel_size", [5, 2], [5, 2], [5, 5]),
    "dampening_is_momentum": ("momentum()", 0.9, 0.9, 0),
    "schedule_steps_open_epochs": ("rates()", [1, 0.5, 0.5, 0.25], [1, 1, 0.5, 0.5], [1, 1, 0.5, 0.5]),
    # 4 elements of g = 1e-6: the largest is above 1e-7, but their sum is below 1e-5.
    "lbfgs_stops_by_sums": ("evaluations_of_lbfgs() > 1", True, False, False),
    "vectors_become_columns": ("list(next(iter(batches_of_numbers())).size())", [2], [2, 1], [2]),
    "weight_and_bias_are_parameters": ("parameters_of_a_module()", 1, 1, 0),
    "cuda_is_float": ("type_after_cuda()", "torch.FloatTensor", "torch.FloatTensor", "torch.DoubleTensor"),
    "empty_has_no_dimension": (
        "[torch.Tensor().dim(), list(torch.Tensor().size()), torch.Tensor().resize_as_(torch.Tensor()).numel()]",
        [1, [0], 0],
        [0, [], 0],
        [0, [], 0],
    ),
    "copy_shares_memory": ("copied_and_written()", 5, 1, 5),
    "cat_takes_vectors_as_columns": (
        "torch.cat([torch.ones(2), torch.ones(2)], 1).tolist()",
        "RangeError: cat: dimension 1 is out of range",
        [[1, 1], [1, 1]],
        [[1, 1], [1, 1]],
    ),
    "stack_counts_dims_of_operands": (
        "list(torch.stack([torch.ones(2, 3)] * 4, -1).size()), list(torch.stack([leaf(1, 2)] * 3, -1).size())",
        [[2, 3, 4], [2, 3]],
        [[2, 3, 4], [2, 3]],
        [[2, 4, 3], [3, 2]],
    ),
    "one_point_is_no_interval": (
        "torch.linspace(2, 3, 1).tolist()",
        [2],
        "SizeError: linspace: 1 step does not lead from 2 to 3",
        "SizeError: linspace: 1 step does not lead from 2 to 3",
    ),
    "tuples_in_keys_narrow": (
        "[torch.ones(4, 3)[(0,)].dim(), list(torch.ones(4, 3)[(0, 3), 0:2].size())]",
        [1, [2, 2]],
        [2, [3, 2]],
        [1, [2, 2]],
    ),
    "misfit_state": (
        "nn.Linear(1, 1).load_state_dict({})",
        "RuntimeError: Linear: the state dict does not fit",
        "RuntimeError: Linear: the state dict does not fit",
        "KeyError: 'Linear: the state dict does not fit",
    ),
    "add_module_replaces": (
        "nn.Sequential(nn.Tanh()).add_module('0', nn.ReLU())",
        None,
        None,
        "KeyError: \"Sequential: the name '0' is taken",
    ),
    "named_hooks_see_tuples": ("arguments_of_named_hooks()", ["tuple", False], ["tuple", False], ["Variable", True]),
    "forward_hook_replaces": (
        "hooked()",
        [0],
        [0],
        "RuntimeError: Tanh: a forward hook must return None in v0.1.x, but <lambda> didn't return None",
    ),
    "queues_share": ("is_shared_after_a_queue()", False, False, True),
    "mean_over_no_weight_is_zero": ("mean_of_samples_without_weight()", ["nan", "nan"], ["0.0", "0.0"], ["0.0", "0.0"]),
    "inplace_writes": ("written_by_a_rectifier()", [[-1, 2], False], [[0, 2], True], [[0, 2], True]),
}

# Further expressions that show that a row means what it says.
MORE = {
    "a deep copy of an output": ("copy.deepcopy(leaf(1) * 2)", *["RuntimeError: only leaf Variables can be"] * 3),
    "an explicit True": ("Variable(torch.Tensor([1]), requires_grad=True).requires_grad", True, True, True),
    "own operations": ("type(leaf(1) + leaf(1)).__name__", "Variable", "Variable", "Variable"),
    "zeros of the size of an empty tensor": (
        "list(torch.zeros([]).size())",
        "TypeError: zeros: expected sizes",
        [],
        [],
    ),
    "random numbers of that size": ("list(torch.rand([]).size())", "SizeError: rand: expected sizes", [], []),
    "an empty tensor": ("bool(torch.Tensor())", False, True, False),
    "tensors of equal count": (
        "(torch.Tensor([[1], [2]]) + torch.Tensor([10, 20])).tolist()",
        [[11, 21], [12, 22]],
        [[11], [22]],
        [[11], [22]],
    ),
    "equal Variables": ("type(leaf(1) != leaf(1)).__name__", "Variable", "bool", "Variable"),
    "a list of Variables": ("leaf(1) in [leaf(2)]", False, False, True),
}


@functools.cache
def outcomes(version):
    """What every expression gives in a process of that column."""
    environment = {name: value for name, value in os.environ.items() if name != conventions.ENVIRONMENT_VARIABLE}
    if version != "import":
        environment[conventions.ENVIRONMENT_VARIABLE] = version
    expressions = json.dumps({name: row[0] for name, row in {**ROWS, **MORE}.items()})
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, input=expressions, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", [*ROWS, *MORE])
def test_every_row_of_the_table(name):
    _, *expected = {**ROWS, **MORE}[name]
    for version, value in zip(conventions.ERAS, expected, strict=True):
        found = outcomes(version)[name]
        if isinstance(value, str):
            assert found.startswith(value), version
        else:
            assert found == value, version


def test_the_table_has_these_rows():
    fields = {field.name for field in dataclasses.fields(conventions.Era)} - {"version"}
    assert fields == {*ROWS}
    for name in fields:
        assert len({getattr(era, name) for era in [*conventions.ERAS.values(), *conventions.OTHERS.values()]}) > 1, name


def test_releases_between_differ_from_v0_1_12_in_few_rows():
    latest = outcomes("0.1.12")
    assert {name for name, found in outcomes("0.1.9").items() if found != latest[name]} == {
        "grad_begins_as_zeros",
        "writes_to_leaf_raise",
        "copy_shares_memory",
    }
    found = outcomes("0.1.5")
    assert found["writes_to_leaf_raise"].startswith("only backward raises: add_: a leaf Variable")
    changed = {name: found[name] for name in found if found[name] != latest[name]}
    assert changed == {
        "truth_of_tensor": [True, True],
        "equality_is_identity": "bool",
        "grad_begins_as_zeros": False,
        "grad_is_variable": "DoubleTensor",
        "hooks_see_variables": ["DoubleTensor"],
        "plus_equals_writes": [[2, 4], [2, 4]],
        "writes_to_leaf_raise": found["writes_to_leaf_raise"],
        "selections_have_indices": [["Variable", place] for place in _SELECTED],
        "vectors_become_columns": [2, 1],
        "copy_shares_memory": 1,
        "an empty tensor": True,
        "equal Variables": "bool",
        "a list of Variables": False,
    }


def test_v0_2_0_differs_from_v0_1_12_in_few_rows():
    latest, found = outcomes("0.1.12"), outcomes("0.2.0")
    assert {name: found[name] for name in found if found[name] != latest[name]} == {
        "broadcast": _BROADCAST,
        "tensors of equal count": [[11, 21], [12, 22]],
        "reductions_keep_dimension": [[2], [1], [3]],
        "median_is_of_all": "float",
        "static_backward_sees_variables": ["Variable"],
        "variables_create_graph": True,
        "lists_of_indices_are_tuples": [2],
        "stack_counts_dims_of_operands": [[2, 3, 4], [2, 3]],
    }


def test_v0_2_0_warns_of_operands_and_reductions():
    """Operands that cannot be broadcast are paired, with a warning; the others warn if a program asks for it."""
    program = """
import warnings, legacy_autograd as torch
from legacy_autograd.utils import backcompat
def said(function, enabled):
    backcompat.broadcast_warning.enabled = backcompat.keepdim_warning.enabled = enabled
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = function()
    return result.tolist(), [str(warning.message).partition(":")[0] for warning in seen]
x, y = torch.Tensor([[1, 2, 3, 4, 5, 6]]), torch.Tensor([[1, 2], [3, 4], [5, 6]])
for enabled in (False, True):
    print(said(lambda: y + x.view(2, 3), enabled), said(lambda: y.clone().copy_(x), enabled))
    print(said(lambda: torch.ones(2, 1) + torch.ones(1, 2), enabled), said(lambda: y.sum(1), enabled))
    print(said(lambda: y.sum(1, keepdim=True), enabled))
"""
    environment = {**os.environ, conventions.ENVIRONMENT_VARIABLE: "0.2.0"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    paired, copied, twos = (
        [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]],
        [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
        [[2.0, 2.0]] * 2,
    )
    sums, kept = [3.0, 7.0, 11.0], [[3.0], [7.0], [11.0]]
    assert done.stdout.splitlines() == [
        f"({paired}, ['add']) ({copied}, ['copy_'])",
        f"({twos}, []) ({sums}, [])",
        f"({kept}, [])",
        f"({paired}, ['add']) ({copied}, ['copy_'])",
        f"({twos}, ['add']) ({sums}, ['sum'])",
        f"({kept}, [])",
    ]


def test_an_unknown_era_is_refused():
    with pytest.raises(ValueError, match="no era '0.3': the eras are import, 0.1.1, 0.1.12, 0.1.5, 0.1.9, 0.2.0"):
        conventions.choose("0.3")
