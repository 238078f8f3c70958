"""Short exercises of notebook 4, the engine."""

from ...autograd import ExecutionEngine, Variable
from ...drawing import trace_backward
from ...tensor import DoubleTensor
from ..practice import Case, written


def _leaves(*numbers):
    return [Variable(DoubleTensor([number])) for number in numbers]


def case_1(answer):
    """`answer(root)`: {Function: uses of its outputs that lead to the root}."""
    for on, build in [
        ("x * y + (x + y)", lambda x, y: x * y + (x + y)),
        ("x * x", lambda x, y: x * x),
        ("s * s + s, with s = x + y", lambda x, y: _of_sum(x + y)),
    ]:
        root = build(*_leaves(2.0, 3.0)).creator
        got = written(answer(root))
        trace_number = {function: number for number, function in enumerate(_behind(root), 1)}
        right = {
            f"{type(function).__name__} #{trace_number[function]}": sum(sum(c.values()) for c in counters)
            for function, counters in ExecutionEngine()._compute_dependencies(root).items()
        }
        shown = {f"{type(f).__name__} #{trace_number.get(f, '?')}": number for f, number in got.items()}
        root_counted = root in got
        mistakes = (
            (lambda got, counted=root_counted: counted, "the root is not counted: nothing behind it uses it"),
            (dict.fromkeys(right, 1), "each use counts, also a second one by the same Function"),
        )
        keys = sorted({*right, *shown})
        yield Case(
            on,
            [f"{key}: {shown.get(key, 'missing')}" for key in keys],
            [f"{key}: {right.get(key, 'missing')}" for key in keys],
            tuple(
                (m if callable(m) else [f"{key}: {m.get(key, 'missing')}" for key in keys], why) for m, why in mistakes
            ),
        )


def _of_sum(s):
    return s * s + s


def _behind(root):
    """All Functions behind the root, the root last, in the order of their numbers in a drawing."""
    found = []

    def visit(function):
        if function not in found:
            for previous, _ in function.previous_functions:
                visit(previous)
            found.append(function)

    visit(root)
    return found


def case_2(answer):
    """`answer`: the labels of `(x * y) * (x + 1)` in the order in which they run."""
    x, y = _leaves(2.0, 3.0)
    trace = trace_backward((x * y) * (x + 1), params={"x": x, "y": y})
    right = [trace.nodes[step.function].label for step in trace if step.event == "pop"]
    queue = [right[0], right[2], right[1], *right[3:]]
    mistakes = (
        (right[::-1], "the engine begins at the root"),
        (queue, "`ready` is a stack: the last Function pushed is the first popped"),
        (lambda got: sorted(got) != sorted(right), f"each of {', '.join(sorted(right))} runs once"),
    )
    yield Case("(x * y) * (x + 1)", answer if answer is ... else [str(label) for label in answer], right, mistakes)


def case_3(answer):
    """`answer(trace)`: the largest number of Functions that wait at one step."""
    for on, build, right in [
        ("the trace of x + 1", lambda x, y: x + 1, 0),
        ("the trace of x * y + (x + y)", lambda x, y: x * y + (x + y), 2),
        ("the trace of x * x + x", lambda x, y: x * x + x, 1),
    ]:
        trace = trace_backward(build(*_leaves(2.0, 3.0)))
        last = len(trace[-1].not_ready)
        steps = sum(bool(step.not_ready) for step in trace)
        mistakes = (
            (steps, "that counts the steps at which something waits"),
            (last, "that looks at one step: take the maximum over all"),
        )
        yield Case(on, answer(trace), right, mistakes)
