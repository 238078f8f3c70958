"""Folding: by module, by chain, by depth, by a label; no circle, and nothing lost."""

import re
from collections import Counter

import numpy
import pytest

from legacy_autograd import drawing, nn
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.drawing import folding, walk
from legacy_autograd.tensor import Tensor

from .graphs import Ours as Library
from .graphs import Parsed, random_program, variable


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))

    def forward(self, x):
        return self.second(self.first(x).tanh()) * 2


@pytest.fixture
def net_and_output():
    net = Net()
    x = Variable(Tensor([[1.0, 2.0, 3.0]]), requires_grad=False)
    with drawing.record():
        output = net(x)
    return net, output


def labels(dot):
    """The labels of Functions and groups, without the numbers of the Functions."""
    shown = [label.replace("\\n", " | ") for name, label in Parsed(dot).label.items() if name[0] in "fg"]
    return [re.sub(r" #\d+", "", label) for label in shown]


def test_by_module(net_and_output):
    net, output = net_and_output
    drawn = labels(drawing.make_dot(output, dict(net.named_parameters()), fold="modules", show_outputs=False))
    assert drawn == [
        "Leaf | (1, 3)",
        "first Linear | (1, 4) | weight, bias",
        "Tanh | (1, 4)",
        "second.0 Linear | (1, 4) | weight, bias",
        "second.1 ReLU | (1, 4)",
        "second.2 Linear | (1, 2) | weight, bias",
        "MulConstant",
    ]


@pytest.mark.parametrize(
    ("depth", "titles"),
    [
        (0, ["Net"]),
        (1, ["first Linear", "second Sequential"]),
        (2, ["second.0 Linear", "second.1 ReLU", "second.2 Linear"]),
    ],
)
def test_by_module_at_a_depth(net_and_output, depth, titles):
    net, output = net_and_output
    drawn = labels(drawing.make_dot(output, fold=folding.by_module(depth), show_outputs=False))
    assert [label.split(" | ")[0] for label in drawn if label.split(" | ")[0] in titles] == titles
    assert len(drawn) == {0: 2, 1: 5, 2: 9}[depth]


def test_parameters_of_a_module_that_is_called_often_are_drawn_once():
    cell = nn.Linear(2, 2)
    h = Variable(Tensor([[1.0, 2.0]]), requires_grad=False)
    with drawing.record():
        for _ in range(5):
            h = cell(h)
    dot = drawing.make_dot(h, {"cell.weight": cell.weight, "cell.bias": cell.bias}, fold="modules", show_outputs=False)
    drawn = labels(dot)
    assert drawn.count("Linear | (1, 2)") == 4 and drawn.count("Linear") == 1
    assert [label for label in drawn if "parameters" in label] == ["Linear parameters | weight, bias"]
    assert dot.source.count("g2 -> ") == 5


def test_without_a_recording_folding_by_module_says_what_is_missing():
    output = Net()(Variable(Tensor([[1.0, 2.0, 3.0]])))
    with pytest.raises(ValueError, match="run the modules under `with drawing.record"):
        drawing.make_dot(output, fold="modules")


def test_chains():
    x = variable(1.0)
    value = x
    for _ in range(100):
        value = value * 1
    value = value.exp().sin().cos().tanh() + x.exp()
    assert labels(drawing.make_dot(value, fold="chains", show_outputs=False)) == [
        "x | Leaf (1,)",
        "MulConstant, Exp, Sin, … | 104 Functions | (1,)",
        "Exp | (1,)",
        "Add",
    ]
    assert labels(drawing.make_dot(value, fold=folding.chains(longest=1000), show_outputs=False))[-1] == "Add"


def test_beyond_a_depth():
    x = variable(1.0)
    value = x
    for _ in range(100):
        value = value * x
    drawn = labels(drawing.make_dot(value, fold=3, show_outputs=False))
    assert drawn == ["the rest | 96 Functions | (1,) | x", "Mul | (1,)", "Mul | (1,)", "Mul | (1,)", "Mul"]


def test_by_a_label_and_several_ways_at_once():
    x = variable(1.0)
    value = x.exp().sin().cos() * x.tanh()
    label = {"Exp": "block", "Sin": "block"}
    drawn = labels(
        drawing.make_dot(value, fold=[lambda f: label.get(type(f).__name__), folding.chains(0)], show_outputs=False)
    )
    assert drawn == ["x | Leaf (1,)", "block | 2 Functions | (1,)", "Cos ×1 | (1,)", "Tanh ×1 | (1,)", "Mul"]


@pytest.mark.parametrize("fold", [-1, True, "module", 1.5])
def test_what_is_no_folding_is_refused(fold):
    with pytest.raises(ValueError, match="fold must be 'modules', 'chains', a depth"):
        drawing.make_dot(variable(1.0), fold=fold)


@pytest.mark.parametrize("fold", ["chains", 0, 2, 5])
def test_no_folding_makes_a_circle_or_loses_a_function(fold):
    for seed in range(60):
        _, roots = random_program(seed)(Library)
        if not roots:
            continue
        graph = drawing.walk.graph_of(roots)
        groups = folding.groups_of(graph, fold)
        stands_for = {function: groups.get(function, function) for function in graph.nodes}
        after = {}
        for user in graph.nodes:
            for made, _ in graph.inputs[user]:
                if stands_for[made] is not stands_for[user]:
                    after.setdefault(stands_for[made], set()).add(stands_for[user])
        assert_no_circle(after)
        source = drawing.make_dot(tuple(roots), fold=fold, show_outputs=False).source
        drawn = {line.split(" ")[0].strip() for line in source.splitlines() if "\tf" in line or "\tg" in line}
        assert len({n for n in drawn if n[1:].isdigit()}) == len(set(stands_for.values()))


def assert_no_circle(after):
    open_, done = set(), set()

    def visit(node):
        assert node not in open_, "a circle"
        if node not in done:
            open_.add(node)
            for follower in after.get(node, ()):
                visit(follower)
            open_.remove(node)
            done.add(node)

    for node in list(after):
        visit(node)


# --- repeated steps, in a graph without records


def written_lstm(steps):
    """The loss of an LSTM of single operations, whose first step has no sum of losses."""
    weights = [(variable([0.1] * 3, [0.2] * 3), variable(*[[0.3] * 3] * 3)) for _ in range(4)]
    h = c = variable([0.0] * 3)
    loss = 0
    for step in range(steps):
        x = variable([0.1 * step, 0.2], requires_grad=False)
        i, f, o, g = (x.mm(w) + h.mm(u) for w, u in weights)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        loss = loss + h.sum()
    return loss


def is_without_circles(graph, box_of):
    """Whether a picture with one node for each box has no path that leaves a box and enters it again."""
    users = {}
    for function in graph.nodes:
        for prev, _ in graph.inputs[function]:
            one, two = box_of.get(prev, prev), box_of.get(function, function)
            if one != two:
                users.setdefault(one, set()).add(two)
    missing = Counter(user for all_users in users.values() for user in all_users)
    ready = [box for box in users if box not in missing]
    seen = 0
    while ready:
        seen += 1
        for user in users.get(ready.pop(), ()):
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    return seen == len(set(users) | set(missing))


def test_the_steps_of_an_unrolled_loop():
    loss = written_lstm(10)
    graph = walk.graph_of([loss])
    steps = folding.repeated_steps(graph)
    kinds = {step: [] for step in sorted(set(steps.values()))}
    for function in graph.nodes:
        if function in steps:
            kinds[steps[function]].append(type(function).__name__)
    assert list(kinds) == [(1, step) for step in range(1, 11)]
    # 8 Mm, 4 Add, 3 Sigmoid, 1 Tanh; 2 Mul, Add, Tanh, Mul; Sum and Add, in the first step AddConstant; and x
    assert {len(inside) for step, inside in kinds.items() if step[1] > 1} == {8 + 4 + 3 + 1 + 2 + 3 + 2 + 1}
    assert len({tuple(sorted(inside)) for step, inside in kinds.items() if step[1] > 1}) == 1
    weights = [fn for fn in graph.nodes if fn.requires_grad and not graph.inputs[fn] and len(graph.uses[fn]) > 5]
    assert len(weights) == 8 and [fn for fn in graph.nodes if fn not in steps] == weights
    assert is_without_circles(graph, steps)


def test_two_loops_one_after_the_other_and_what_is_no_loop():
    w, v = variable(0.5), variable(0.25)
    value = variable(1.0)
    for _ in range(9):
        value = (value * w).tanh() + w
    for _ in range(9):
        value = (value + v).sigmoid() * v * w
    graph = walk.graph_of([value])
    steps = folding.repeated_steps(graph)
    assert sorted(set(steps.values())) == [(loop, step) for loop in (1, 2) for step in range(1, 10)]
    assert is_without_circles(graph, steps)
    chain = variable(1.0)
    for _ in range(60):
        chain = (chain * 2).tanh().exp()
    assert folding.repeated_steps(walk.graph_of([chain])) == {}
    assert folding.repeated_steps(walk.graph_of([written_lstm(1)])) == {}  # small enough as it is


@pytest.mark.parametrize("seed", range(12))
def test_folded_steps_of_random_programs_have_no_circle(seed):
    rng = numpy.random.default_rng(seed)
    values = [variable(0.1 * i) for i in range(4)]
    program = [(rng.integers(3), *rng.integers(1, 7, 2)) for _ in range(rng.integers(2, 7))]
    for _ in range(12):
        for kind, one, two in program:
            a, b = values[-min(one, len(values))], values[-min(two, len(values))]
            values.append(a * b if kind == 0 else a + b if kind == 1 else a.tanh())
    graph = walk.graph_of([sum(values[1:], values[0])])
    assert is_without_circles(graph, folding.repeated_steps(graph))


def test_a_trace_has_a_box_for_each_step_in_its_language():
    trace = drawing.trace_backward(written_lstm(4))
    assert [module["title"] for module in trace.modules] == ["step 1", "step 2", "step 3", "step 4"]
    assert trace.in_language("zh").modules[3]["title"] == "第 4 步"


def test_calls_of_one_module_are_numbered_in_their_order_and_hold_their_own_inputs():
    cell = nn.LSTMCell(2, 3)
    h = c = Variable(Tensor(1, 3).fill_(0))
    with drawing.record():
        for step in range(4):
            h, c = cell(Variable(Tensor(1, 2).fill_(step), requires_grad=False), (h, c))
    trace = drawing.trace_backward(h.sum())
    inputs = [node for node in trace.nodes.values() if node.is_leaf and not node.requires_grad]
    assert {trace.modules[node.module]["title"] for node in inputs} == {"LSTMCell"}
    assert [node.values[0]["values"][0] for node in sorted(inputs, key=lambda node: node.module)] == [0, 1, 2, 3]
