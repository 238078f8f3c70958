"""Each step of `trace_backward` has the line of the engine's source that did it."""

import importlib.util
import inspect
import sys
from pathlib import Path

from hypothesis import given, settings
from properties.programs import programs

from legacy_autograd import drawing, historical
from legacy_autograd.autograd import engine
from legacy_autograd.autograd.variable import Variable

from .graphs import diamond, variable
from .test_trace import PROGRAMS, traces_of

# What the line of an event says. With hooks, backward is told as soon as it has run, before them.
DOES = {
    "begin": "self._begin(",
    "count": "self._compute_dependencies(",
    "pop": "ready.pop()",
    "hook": ("fn._run_variable_hooks(", "fn._do_backward"),
    "ran": ("self._run(", "fn._do_backward"),
    "accumulate": "self._run(",
    "drop": "self._run(",
    "free": "self._free_backward_dependency(",
    "ask": "self._is_ready_for_backward(",
    "add": "self._add(",
    "push": "ready.append(",
    "end": "while ready:",
}


def texts_of(trace):
    """[(event, the text of its line)] of a trace."""
    first, lines = trace.source["first"], trace.source["lines"]
    return [(step.event, lines[step.line - first]) for step in trace]


def assert_that_lines_do_it(trace):
    for event, text in texts_of(trace):
        needed = DOES[event] if isinstance(DOES[event], tuple) else (DOES[event],)
        assert any(part in text for part in needed), (event, text)


@settings(PROGRAMS, max_examples=40)
@given(programs())
def test_every_step_of_a_random_program_has_the_line_that_does_it(program):
    for trace in traces_of(program)[1]:
        assert_that_lines_do_it(trace)


def test_the_source_is_the_book():
    x, y, z = diamond()
    trace = drawing.trace_backward(z)
    assert_that_lines_do_it(trace)
    assert trace.source["file"] == "legacy_autograd/autograd/engine.py"
    book = Path(engine.__file__).read_text(encoding="utf-8").splitlines()
    first, lines = trace.source["first"], trace.source["lines"]
    assert lines == book[first - 1 : first - 1 + len(lines)] and lines[0].startswith("class ExecutionEngine")
    again = drawing.Trace.from_json(trace.to_json())
    assert again.source == trace.source and [s.line for s in again] == [s.line for s in trace]
    assert x is not y


def test_a_line_tracer_sees_the_same_lines_in_the_same_order_and_stays():
    x, y, z = diamond()
    seen = []

    def lines_of_the_walk(frame, event, _):
        if event == "line":
            seen.append(frame.f_lineno)
        return lines_of_the_walk

    def outer(frame, event, _):
        return lines_of_the_walk if frame.f_code.co_qualname == "ExecutionEngine.run_backward" else None

    before = sys.gettrace()  # of a debugger, or of coverage
    sys.settrace(outer)
    try:
        trace = drawing.trace_backward(z)
        assert sys.gettrace() is outer
    finally:
        sys.settrace(before)
    executed = iter(seen)
    for step in trace:
        assert step.line in executed, step  # "in" goes on to where it is found
    assert seen.count(trace[2].line) == 5 and x is not y


def test_a_line_put_into_the_book_moves_the_lines_below_it(monkeypatch, tmp_path):
    _, _, z = diamond()
    plain = drawing.trace_backward(z)
    source = Path(engine.__file__).read_text(encoding="utf-8")
    before = "                is_ready = self._is_ready"
    assert source.count(before) == 1
    copy = tmp_path / "engine.py"
    copy.write_text(source.replace(before, f"                # A comment.\n{before}"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("legacy_autograd.autograd.copied_engine", copy)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(Variable, "_execution_engine", module.ExecutionEngine())
    _, _, z = diamond()
    moved = drawing.trace_backward(z)
    assert_that_lines_do_it(moved)
    place = 1 + source[: source.index(before)].count("\n")
    assert [s.line for s in moved] == [s.line + (s.line >= place) for s in plain]
    assert {s.line for s in moved} & {s.line for s in plain}, "the lines above stay"


def test_an_engine_with_a_walk_of_its_own_has_the_lines_of_its_own_file():
    x, y = historical.V0_1_1.leaves(2, 3)
    trace = drawing.trace_backward(x * y + (x + y))
    assert_that_lines_do_it(trace)
    assert trace.source["file"] == "legacy_autograd/historical/engine.py"
    assert trace.source["lines"][0] == "class HistoricalEngine(ExecutionEngine):"

    class Careful(historical.HistoricalEngine):
        def _add(self, gradients, fn, output_nr, grad):
            super()._add(gradients, fn, output_nr, grad.clone())

    plain, historical.HistoricalVariable._execution_engine = historical.HistoricalVariable._execution_engine, Careful()
    try:
        again = drawing.trace_backward(x * y + (x + y))
    finally:
        historical.HistoricalVariable._execution_engine = plain
    assert texts_of(again) == texts_of(trace) and again.source == trace.source


def test_hooks_have_the_line_that_runs_them():
    x = variable(2.0)
    y = x * 3
    y.register_hook(lambda grad: grad.mul(2))
    y.register_hook("named", lambda grad_input, grad_output: None)
    trace = drawing.trace_backward(y)
    assert_that_lines_do_it(trace)
    lines, first = inspect.getsourcelines(engine.ExecutionEngine)
    hooks = [lines[step.line - first].strip() for step in trace if step.event == "hook"]
    assert hooks[0].startswith("grad_output = fn._run_variable_hooks(") and "fn._do_backward" in hooks[1]


def test_the_turn_is_that_of_the_function_popped_last():
    _, _, z = diamond()
    turn = None
    for step in (trace := drawing.trace_backward(z)):
        turn = {"pop": step.function, "end": None}.get(step.event, turn)
        assert step.turn == turn
    assert [s.turn for s in trace if s.event in ("begin", "count", "end")] == [None] * 3
    with drawing.trace_forward() as forward:
        made = variable(2.0) * 3
    assert [s.turn for s in forward] == [2, 2, 2, 2, None] and made is not None
