"""trace_backward: it is a real backward, and what it tells is what the engine did."""

import json
import math
import re

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from properties.operations import Ours
from properties.programs import programs

import legacy_autograd
from legacy_autograd import drawing, historical
from legacy_autograd.autograd import Function, callbacks
from legacy_autograd.autograd.engine import ExecutionEngine
from legacy_autograd.autograd.leaf import Leaf
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.drawing import layout
from legacy_autograd.drawing.page_shell import page_words
from legacy_autograd.drawing.painted import lines_of
from legacy_autograd.drawing.sentences import Sentences
from legacy_autograd.tensor import Tensor

from .graphs import diamond, variable

PROGRAMS = settings(
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def gradient_of(root):
    size = tuple(root.size())
    return Tensor(numpy.cos(numpy.arange(math.prod(size))).reshape(size))


def traces_of(program):
    """Run a program and trace backward from each of its roots; returns the leaves and the traces."""
    values = program.run(Ours)
    roots = [values[number] for number in program.roots if values[number].requires_grad]
    traces = [drawing.trace_backward(root, gradient_of(root)) for root in roots]
    return values[: len(program.leaves)], traces


@PROGRAMS
@given(programs())
def test_gradients_are_those_of_a_plain_backward(program):
    leaves, _ = traces_of(program)
    values = program.run(Ours)
    for number in program.roots:
        if values[number].requires_grad:
            values[number].backward(gradient_of(values[number]))
    for traced, plain in zip(leaves, values[: len(program.leaves)], strict=True):
        assert (traced._grad is None) == (plain._grad is None)
        if traced._grad is not None:
            assert numpy.array_equal(traced._grad.array, plain._grad.array)


@PROGRAMS
@given(programs())
def test_replaying_the_events_over_a_toy_counter_gives_every_order_of_ready(program):
    for trace in traces_of(program)[1]:
        replay(trace)


def replay(trace):
    """A toy engine that knows the graph and counts, and is told nothing but which event comes next."""
    nodes = trace.nodes
    wanted = {n for n, node in nodes.items() if node.requires_grad}
    counts = {}
    for node in nodes.values():
        for number, output in node.inputs:
            if number in wanted and node.number in wanted:
                counts.setdefault(number, [0] * len(nodes[number].sizes))[output] += 1
    root = trace[0].function
    assert trace[0].event == "begin" and trace[1].event == "count"
    assert trace[1].counts == counts
    ready, arrived, ran, edges = [root], {}, [], iter(())
    for step in trace:
        if step.event == "pop":
            assert next(edges, None) is None, "an edge was left out"
            assert ready.pop() == step.function, "not the last one"
            assert step.function not in ran, "ran twice"
            assert not any(counts.get(step.function, [])), "ran before its count was zero"
            ran.append(step.function)
            node = nodes[step.function]
            edges = iter([(p, n, o) for p, (n, o) in enumerate(node.inputs) if n in wanted])
        elif step.event == "free":
            assert (step.input, step.function, step.output) == next(edges)
            assert step.by == ran[-1]
            assert counts[step.function][step.output] == step.before
            counts[step.function][step.output] -= 1
            assert counts[step.function][step.output] == step.after >= 0
            arrived.setdefault(step.function, set())
        elif step.event == "ask":
            assert step.answer == (not any(counts[step.function]))
        elif step.event == "add":
            arrived[step.function].add(step.output)
        elif step.event == "push":
            assert not any(counts[step.function])
            del arrived[step.function]
            ready.append(step.function)
        assert step.ready == tuple(ready)
        waiting = {n for n in arrived if any(counts[n]) or n == step.function}
        assert {n for n in arrived if any(counts[n])} <= set(step.not_ready) | {step.function}
        assert set(step.not_ready) <= waiting
    assert sorted(ran) == sorted(wanted & reachable(nodes, root, wanted))
    assert ready == [] and not arrived


def reachable(nodes, root, wanted):
    found, queue = {root}, [root]
    while queue:
        for number, _ in nodes[queue.pop()].inputs:
            if number in wanted and number not in found:
                found.add(number)
                queue.append(number)
    return found


def test_the_toy_counter_notices_a_wrong_trace():
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    replay(trace)
    pops = [step for step in trace if step.event == "pop"]
    pops[1].function, pops[2].function = pops[2].function, pops[1].function
    with pytest.raises(AssertionError):
        replay(trace)


def test_the_states_follow_the_engine():
    x, y, z = diamond()
    trace = drawing.trace_backward(z)
    states = list(trace.states())
    assert len(states) == len(trace)
    running = [[n for n, node in state.nodes.items() if node["state"] == "running"] for state in states]
    assert all(len(numbers) <= 1 for numbers in running)
    assert [n for step in trace if step.event == "pop" for n in [step.function]] == [5, 4, 3, 2, 1]
    assert {node["state"] for node in states[-1].nodes.values()} == {"done"}
    for step, state in zip(trace, states, strict=True):
        assert [cells[0] for cells in state.panels["ready"].values()] == [trace.nodes[n].label for n in step.ready]
    first_x = next(i for i, step in enumerate(trace) if step.event == "add" and step.function == 1)
    assert (states[first_x].nodes[1]["state"], states[first_x].nodes[1]["words"]) == ("waiting", "waits for 1")
    assert states[first_x].panels["not_ready"][1] == ["x #1", "[1]"]
    assert states[first_x].panels["dependencies"][1] == ["x #1", "Mul #3, Add #4", "1"]
    assert x is not y


def test_sentences_and_the_table():
    x, y, z = diamond()
    trace = drawing.trace_backward(z)
    texts = [step.text for step in trace]
    assert "It is added to the gradient of x #1: [1] + [3] = [4]." in texts
    assert "x #1 adds [4] to its grad, which was [0] and is now [4]." in texts
    table = str(trace).splitlines()
    assert table[0] == "backward of z" and len(table) == len(trace) + 2
    assert repr(trace) == f"<trace of backward of z: {len(trace)} steps, 5 Functions>"
    assert x.grad[0] == 4 and y.grad[0] == 3
    assert trace[-1].event == "end" and [step.index for step in trace[2:4]] == [2, 3]


def test_json_goes_there_and_back():
    x = variable(1.0, 0.0, -1.0)
    loss = x.log().sum()
    trace = drawing.trace_backward(loss)
    text = trace.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert '"inf"' in text
    again = drawing.Trace.from_json(text)
    assert again.to_json() == text and str(again) == str(trace)
    assert list(again.states()) == list(trace.states())


def test_twice_the_same_trace_is_the_same_text():
    assert len({drawing.trace_backward(diamond()[2]).to_json() for _ in range(3)}) == 1


def test_hooks_are_told_and_left_as_they_were():
    x = variable(2.0)
    middle = x * 3
    loss = middle * middle
    seen = []
    x.register_hook("named", lambda grad_input, grad_output: seen.append("named"))
    x.register_hook(lambda grad: grad.mul(10))
    middle.register_hook(lambda grad: seen.append("middle"))
    loss.creator.register_hook("operator", lambda grad_input, grad_output: drawing.note("inside"))
    hooks = [dict(f._variable_hooks) | dict(f.backward_hooks) for f in (x.creator, middle.creator, loss.creator)]
    trace = drawing.trace_backward(loss)
    told = ("hook", "note", "ran", "accumulate")
    assert [(s.event, s.name, s.function) for s in trace if s.event in told] == [
        ("ran", None, 3),  # a hook of an operator runs when backward has run, and sees what it returned
        ("hook", "operator", 3),
        ("note", None, None),  # what a hook notes comes after the hook
        ("hook", "<lambda>", 2),  # a hook of a Variable runs before backward of its creator
        ("ran", None, 2),
        ("hook", "<lambda>", 1),
        ("hook", "named", 1),
        ("accumulate", None, 1),
    ]
    # d loss / d middle = 2 * middle = 12, times 3 = 36; the hook makes it 360.
    assert [(s.text, s.after and [g["values"] for g in s.after]) for s in trace if s.event == "hook"] == [
        ("The hook 'operator' of Mul #3 receives the gradients of the inputs: [6]; [6].", None),
        ("The hook '<lambda>' of MulConstant #2 receives [12].", None),
        ("The hook '<lambda>' of x #1 receives [36] and replaces it with [360].", [[360.0]]),
        ("The hook 'named' of x #1 receives [360].", None),
    ]
    replaced = next(index for index, step in enumerate(trace) if step.after and step.event == "hook")
    states = list(trace.states())
    assert [states[i].nodes[1]["grads"][0]["values"] for i in (replaced - 1, replaced)] == [[36.0], [360.0]]
    assert [s.gradient["values"] for s in trace if s.event == "accumulate"] == [[360.0]]
    assert x.grad[0] == 360 and seen == ["middle", "named"]
    functions = (x.creator, middle.creator, loss.creator)
    assert hooks == [dict(f._variable_hooks) | dict(f.backward_hooks) for f in functions]


def test_what_a_hook_writes_into_a_gradient_is_told():
    x = variable(2.0)
    y = x * 3
    y.creator.register_hook("five", lambda grad_input, grad_output: grad_input[0].mul_(5) and None)
    y.register_hook(lambda grad: grad.mul_(7) and None)
    trace = drawing.trace_backward(y)
    assert [step.text for step in trace if step.event in ("hook", "ran")] == [
        "The hook '<lambda>' of MulConstant #2 receives [1] and replaces it with [7].",
        "MulConstant #2 returns the gradient of its input: [21].",
        "The hook 'five' of MulConstant #2 receives the gradients of the inputs, [21], and replaces them with [105].",
    ]
    assert x.grad[0] == 105
    (add,) = [i for i, step in enumerate(trace) if step.event == "add"]
    assert list(trace.states())[add].edges[2, 0]["grad"]["values"] == [105.0]


def test_what_is_told_of_grad_does_not_depend_on_whether_it_was_read():
    texts = []
    for is_read in (False, True):
        x = variable(2.0)
        if is_read:
            assert x.grad[0] == 0
        texts.append(str(drawing.trace_backward(x * 3)))
        assert "x #1 adds [3] to its grad, which was [0] and is now [3]." in texts[-1]
    assert texts[0] == texts[1]


def test_a_hook_may_remove_itself_and_start_another_backward():
    x, other = variable(2.0), variable(5.0)
    loss = x * 3
    handle = x.register_hook(lambda grad: (handle.remove(), (other * 7).backward()) and None)
    trace = drawing.trace_backward(loss)
    assert not x.creator._variable_hooks
    assert other.grad[0] == 7 and x.grad[0] == 3
    assert [step.event for step in trace].count("pop") == 2, "the inner backward was mixed in"
    assert [step.event for step in trace].count("hook") == 1


def test_several_outputs_of_which_one_is_not_used():
    x = variable(1.0, 2.0)
    first, second = x.chunk(2)
    trace = drawing.trace_backward(second * 2)
    (push,) = [s for s in trace if s.event == "push" and trace.nodes[s.function].kind == "Chunk"]
    assert push.text.endswith("Its output 0 received no gradient and gets zeros.")
    assert [g["values"] for g in push.gradients] == [[0.0], [2.0]]
    assert x.grad.tolist() == [0, 2] and first is not None


class NoGradient(Function):
    def forward(self, x):
        return x.mul(1)

    def backward(self, grad_output):
        return None


def test_a_gradient_of_none_is_passed_on_and_passed_over():
    x = variable(1.0)
    trace = drawing.trace_backward(NoGradient()(x * 2)[0])
    texts = "\n".join(step.text for step in trace)
    assert "MulConstant #2 received no gradient; it is pushed" in texts
    assert "The engine pops x #1 from the stack ready and skips it: no gradient arrived." in texts
    assert [s.event for s in trace].count("accumulate") == 0 and x._grad is None
    replay_of_events = [s.event for s in trace if s.event in ("push", "pop")]
    assert replay_of_events == ["pop", "push", "pop", "push", "pop"]


class Breaks(Function):
    def forward(self, x):
        return x.mul(1)

    def backward(self, grad_output):
        raise ArithmeticError("no")


def test_an_error_passes_through_with_the_step_it_came_at():
    x = variable(1.0)
    engine = Variable._execution_engine
    with pytest.raises(ArithmeticError, match="no") as raised:
        drawing.trace_backward(Breaks()(x * 2)[0])
    assert "raised after step 2: The engine pops Breaks #3" in raised.value.__notes__[0]
    assert Variable._execution_engine is engine
    with pytest.raises(RuntimeError, match="only on a scalar"):
        drawing.trace_backward(variable(1.0, 2.0) * 2)
    with pytest.raises(TypeError, match="trace_backward needs a Variable"):
        drawing.trace_backward(3)


def test_traced_or_not_the_engine_is_the_same_afterwards():
    before = (Variable._execution_engine, vars(ExecutionEngine).copy(), vars(Leaf).copy())
    _, _, z = diamond()
    drawing.trace_backward(z)
    assert (Variable._execution_engine, vars(ExecutionEngine).copy(), vars(Leaf).copy()) == before
    assert type(Variable._execution_engine) is ExecutionEngine
    assert callbacks.around_backward.callbacks == ()


def test_freeing_and_titles_and_clocks():
    x = variable(2.0)
    loss = x * x
    ticks = iter(range(1000))
    trace = drawing.trace_backward(loss, retain_variables=False, title="a title", clock=lambda: next(ticks))
    assert trace.title == "a title" and [step.time for step in trace] == list(range(len(trace)))
    with pytest.raises(RuntimeError, match="freed"):
        drawing.trace_backward(loss)


def test_a_leaf_whose_variable_is_gone_drops_its_gradient():
    seen = []
    gone = variable(1.0)
    gone.register_hook(lambda grad: grad.mul(5))
    gone.register_hook("see", lambda grad_input, grad_output: seen.append(grad_output[0].tolist()))
    loss = gone * 2
    del gone
    trace = drawing.trace_backward(loss)
    assert [step.event for step in trace][-5:] == ["pop", "hook", "hook", "drop", "end"]
    assert trace[-2].text == "Leaf #1 drops [10]: its Variable no longer exists, so no program can read the gradient."
    assert trace[-2].function == 1 and trace[-2].gradient["values"] == [10.0] and seen == [[10.0]]
    replay(trace)
    (events,) = [line["events"] for line in page_words("en")["algorithm_backward"] if "accumulate" in line["events"]]
    assert "drop" in events, "the page marks no line"


def test_the_engine_of_2016_can_be_watched_going_wrong():
    x, y = (historical.variable.HistoricalVariable(Tensor([number])) for number in (2.0, 3.0))
    trace = drawing.trace_backward(x.mul(y).add(x.add(y)))
    texts = [step.text for step in trace]
    assert "It is added to the gradient of x #1: [1] + [3] = [4]." in texts
    assert "It is added to the gradient of y #2: [4] + [2] = [6]." in texts, "two slots held one tensor"
    replay(trace)


def test_what_a_trace_can_be_saved_as(tmp_path):
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    trace.save(tmp_path / "x.json")
    trace.save(str(tmp_path / "x.txt"))
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["title"] == "backward of z"
    assert (tmp_path / "x.txt").read_text(encoding="utf-8") == f"{trace}\n"
    with pytest.raises(ValueError, match="the suffix must be one of .html, .svg, .json, .txt, got 'x.docx'"):
        trace.save("x.docx")


# --- forward


def test_forward_call_by_call():
    a = variable(2.0)
    with drawing.trace_forward() as trace:
        b = a * 3
        loss = b.exp() - a
    assert [step.event for step in trace] == ["call", "forward", "wrap", "link"] * 3 + ["end"]
    assert trace[0].text == "MulConstant()(a): Function.__call__ calls _do_forward."
    assert trace[1].text == "MulConstant.forward receives the Tensors (1,) and returns [6]."
    assert trace[2].text == "The result becomes a Variable, b, whose creator is MulConstant #2."
    assert trace[11].text == "Sub #4 records the Functions that made its inputs: [Exp #3, a #1]."
    rows = Sentences(trace.nodes, "en").rows
    assert rows(trace[11])["needs_input_grad"] == "(True, True)"
    assert rows(trace[5])["saved for backward"] == "DoubleTensor (1,)"
    assert rows(trace[11])["output_ids"] == "{id of loss: 0}"
    assert callbacks.around_call.callbacks == () and "forward" not in vars(loss.creator)
    states = list(trace.states())
    assert [node["state"] for node in states[0].nodes.values()] == ["built", "running", "hidden", "hidden"]
    assert {node["state"] for node in states[-1].nodes.values()} == {"built"}
    words = page_words("en")
    values = [lines_of(trace.nodes[2], state.nodes[2], words)["value"] for state in states[:2]]
    assert values == ["", "b = 6"], "no value before forward has run"
    assert lines_of(trace.nodes[1], states[0].nodes[1], words)["grad"] == "", "a forward says nothing of grad"
    assert states[0].edges[2, 0]["state"] == "hidden" and states[3].edges[2, 0]["state"] == "active"
    assert drawing.Trace.from_json(trace.to_json()).to_json() == trace.to_json()


def test_what_was_made_before_the_trace_is_there_from_the_start():
    w, x, y = variable(2.0), variable(3.0), variable(4.0)
    product = w * x
    with drawing.trace_forward() as trace:
        difference = product - y
    names = {trace.nodes[number].label: node["state"] for number, node in next(trace.states()).nodes.items()}
    assert names == {"w #1": "built", "x #2": "built", "Mul #3": "built", "y #4": "built", "Sub #5": "running"}
    assert difference.creator.requires_grad


def test_forward_of_nothing_of_an_error_and_of_what_is_not_recorded():
    with drawing.trace_forward() as nothing:
        pass
    assert [step.event for step in nothing] == ["end"]
    x = variable(1.0, 2.0)
    with drawing.trace_forward() as trace:
        with pytest.raises((RuntimeError, ValueError)):
            x.view(3, 5)
        y = x * 2
    assert [step.event for step in trace][:2] == ["call", "raise"]
    assert trace[2].function == 2 and y is not None


def test_forward_under_no_grad_and_of_a_comparison():
    x = variable(1.0)
    with drawing.trace_forward() as trace:
        with legacy_autograd.no_grad():
            y = x * 2
        z = x * y
    assert [step.event for step in trace if step.event not in ("call", "forward")] == [
        "unrecorded",
        "wrap",
        "link",
        "end",
    ]
    assert [node.kind for node in trace.nodes.values()] == ["Leaf", "Leaf", "Mul"]
    with drawing.trace_forward() as trace:
        larger = x.gt(z)
    assert any("it becomes a leaf, which requires no gradient" in step.text for step in trace)
    assert not larger.requires_grad


def test_forward_of_several_outputs():
    x = variable(3.0, 1.0)
    with drawing.trace_forward() as trace:
        largest, index = x.max(0)
    (wrap,) = [step for step in trace if step.event == "wrap"]
    assert "largest, index" in wrap.text and "has a Leaf instead" in wrap.text
    assert largest is not index


@pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")
def test_a_page_has_the_root_on_top_and_a_picture_the_leaves():
    *_, z = diamond()

    def height(svg, name):
        return float(re.search(rf'<text(?: class="name"| text-anchor)[^>]* y="(-?[\d.]+)"[^>]*>{name} #', svg)[1])

    page = drawing.trace_backward(z).frames()[0]
    turned = drawing.trace_backward(z, rankdir="BT").frames()[0]
    picture = drawing.make_dot(z, show_outputs=False).svg()
    assert height(page, "Mul") < height(page, "Leaf")
    assert height(picture, "Leaf") < height(picture, "Mul")
    assert height(turned, "Leaf") < height(turned, "Mul")
