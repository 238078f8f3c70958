"""Names and values of results without a Variable's name: the program's own text, also inside functions."""

import pytest

from legacy_autograd import drawing, nn
from legacy_autograd.drawing import names, text, walk

from .graphs import variable


def shown(trace):
    """{the label of a Function: (its name, the numbers of its output)}."""
    first = {node.label: (node.values or [None])[0] for node in trace.nodes.values()}
    return {node.label: (node.name, (first[node.label] or {}).get("values")) for node in trace.nodes.values()}


def diamond_in_a_function():
    x, y = variable(2.0), variable(3.0)
    return x * y + (x + y)


DIAMOND = {"x #1": ("x", [2]), "y #2": ("y", [3]), "Mul #3": ("x * y", [6]), "Add #4": ("x + y", [5])}


def test_a_trace_inside_a_function_reads_the_expressions_of_its_assignment():
    x, y = variable(2.0), variable(3.0)
    z = x * y + (x + y)
    assert shown(drawing.trace_backward(z)) == DIAMOND | {"Add #5": ("z", [11])}
    trace = drawing.trace_backward(x * y + (x + y))
    assert trace.title == "backward of x * y + (x + y)"
    assert shown(trace) == DIAMOND | {"Add #5": ("x * y + (x + y)", [11])}


def test_methods_constants_and_signs():
    w, x = variable([1.0, 2.0], [3.0, 4.0]), variable([1.0], [-1.0])
    loss = (-w.mm(x) * 2 - 1).abs().sum()
    found = {name: numbers for name, numbers in shown(drawing.trace_backward(loss)).values()}
    # w.mm(x) is [1 - 2, 3 - 4] = [-1, -1]; 2 - 1 = 1 each; their sum is 2
    assert found == {
        "w": [1, 2, 3, 4], "x": [1, -1], "w.mm(x)": [-1, -1], "-w.mm(x)": [1, 1], "-w.mm(x) * 2": [2, 2],
        "-w.mm(x) * 2 - 1": [1, 1], "(-w.mm(x) * 2 - 1).abs()": [1, 1], "loss": [2],
    }  # fmt: skip


def test_an_index_is_named_and_not_computed():
    v = variable(1.0, 2.0, 3.0)
    w = (v[1:] * v[1:]).sum()
    names = shown(drawing.trace_backward(w))
    assert [name for name, _ in names.values()] == ["v", "v[1:]", "v[1:]", "v[1:] * v[1:]", "w"]
    assert names["Mul #4"] == ("v[1:] * v[1:]", None)


def test_another_expression_gives_no_name():
    x, y = variable(2.0), variable(3.0)
    z = x * y + (x + y) if x.data[0] > 0 else x * y - x  # not an operation on Variables
    assert shown(drawing.trace_backward(z))["Mul #3"] == (None, None)
    u, v = variable(2.0), variable(3.0)
    z = u * v + y
    u = variable(7.0)  # the name refers to another Variable than it did
    assert u.data[0] == 7 and shown(drawing.trace_backward(z))["Mul #3"] == (None, None)


def test_an_operand_that_was_changed_since_leaves_the_name_and_no_value():
    x, y = variable(2.0), variable(3.0)
    z = (x + 1) + (x + y)
    x.data.fill_(5.0)
    assert shown(drawing.trace_backward(z))["Add #4"] == ("x + y", None)


def test_under_record_the_names_of_a_function_that_has_returned():
    with drawing.record():
        result = diamond_in_a_function()
    assert shown(drawing.trace_backward(result)) == DIAMOND | {"Add #5": ("result", [11])}
    lines = list(text.graph_lines(walk.graph_of([result]), names.Names(), {}))
    assert [line.split("─ ")[-1] for line in lines[2:4]] == ["Leaf x #1 (1,)", "Leaf y #2 (1,)"]


def test_a_name_that_the_caller_still_has_comes_before_one_that_was_noted():
    def doubled(argument):
        return argument * 2

    image = variable(1.0)
    with drawing.record():
        result = doubled(image) + 1
    assert shown(drawing.trace_backward(result)) == {
        "image #1": ("image", [1]), "MulConstant #2": ("argument * 2", [2]), "AddConstant #3": ("result", [3]),
    }  # fmt: skip


def test_a_composite_operation_and_a_module_do_not_name_their_parts():
    a, b = variable([1.0, 2.0]), variable([3.0, 5.0])
    with drawing.record():
        loss = nn.functional.cosine_similarity(a, b).sum()
        hidden = nn.Linear(2, 2).double()(a)
    found = [name for name, _ in shown(drawing.trace_backward(loss)).values()]
    assert found.count("nn.functional.cosine_similari…") == 1
    assert "nn.Linear(2, 2).double()(a)" not in str(shown(drawing.trace_backward(hidden.sum())))


def test_a_name_in_a_loop_is_the_same_in_each_step():
    def run():
        h = variable(1.0)
        with drawing.record():
            for _ in range(3):
                h = h.tanh() * 2
        return h

    found = [name for name, _ in shown(drawing.trace_backward(run())).values()]
    assert found == ["h", "h.tanh()", "h", "h.tanh()", "h", "h.tanh()", "h.tanh() * 2"]


@pytest.mark.parametrize("source", ["def broken(:", "%matplotlib inline\nz = x * y"])
def test_a_cell_that_is_no_python_is_skipped(source):
    x, y = variable(2.0), variable(3.0)
    z = x * y + 1
    program = "trace = trace_backward(z)"
    space = {"x": x, "y": y, "z": z, "trace_backward": drawing.trace_backward, "In": ["", source, "z = x * y + 1"]}
    exec(compile(program, "<cell>", "exec"), space)
    assert shown(space["trace"])["Mul #3"] == ("x * y", [6])
