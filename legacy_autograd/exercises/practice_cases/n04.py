"""Short exercises of notebook 4, the engine."""

from ...autograd import ExecutionEngine, Variable
from ...drawing import trace_backward
from ...tensor import DoubleTensor
from ..practice import Case, words, written
from .inputs import graphs


def case_1(answer):
    """`answer(root)`: {Function: uses of its outputs that lead to the root}."""
    for graph in graphs(41):
        root = graph.run()["root"].creator
        labels = {function: f"{type(function).__name__} #{number}" for number, function in enumerate(_behind(root), 1)}
        right = {
            labels[function]: sum(sum(counter.values()) for counter in counters)
            for function, counters in ExecutionEngine()._compute_dependencies(root).items()
        }
        shown = []
        for _ in range(2):
            got = written(answer(root))
            shown.append(_labelled(got, labels) if isinstance(got, dict) else f"a {type(got).__name__}")
        mistakes = (
            (lambda got: not isinstance(got["counts"], dict), "a dictionary with the Functions as its keys"),
            (
                lambda got, root=labels[root]: root in got["counts"],
                "the root is not counted: nothing behind it uses it",
            ),
            ({"counts": dict.fromkeys(right, 1)}, "each use counts, also a second one by the same Function"),
            (
                lambda got, right=right: got["counts"] == right,
                "a second call gives other counts: what is kept from one call to the next?",
            ),
        )
        keys = sorted({*right, *(key for counts in shown if isinstance(counts, dict) for key in counts)})
        expected = {key: right.get(key, "missing") for key in keys}
        found = [
            {key: counts.get(key, "missing") for key in keys} if isinstance(counts, dict) else counts
            for counts in shown
        ]
        because = next((why for mistake, why in mistakes if _is(mistake, {"counts": shown[0]})), None)
        yield Case(
            graph.text,
            {"counts": found[0], "those of a second call": found[1]},
            {"counts": expected, "those of a second call": expected},
            (((lambda got: True), because),) if because else (),
        )


def _is(mistake, got):
    return mistake(got) if callable(mistake) else mistake == got


def _labelled(counts, labels):
    return {labels.get(key, f"a {type(key).__name__}"): count for key, count in counts.items()}


def _behind(root):
    """All Functions behind the root, the root last, in the order of their numbers in a drawing."""
    found, seen, stack = [], set(), [(root, False)]
    while stack:
        function, done = stack.pop()
        if done:
            found.append(function)
        elif function not in seen:
            seen.add(function)
            stack += [(function, True), *((previous, False) for previous, _ in reversed(function.previous_functions))]
    return found


def case_2(answer):
    """`answer`: the labels of `(x * y) * (x + 1)` in the order in which they run."""
    x, y = Variable(DoubleTensor([2.0])), Variable(DoubleTensor([3.0]))
    trace = trace_backward((x * y) * (x + 1), params={"x": x, "y": y})
    right = [trace.nodes[step.function].label for step in trace if step.event == "pop"]
    queue = [right[0], right[2], right[1], *right[3:]]
    mistakes = (
        (right[::-1], "the engine begins at the root"),
        (queue, "`ready` is a stack: the last Function pushed is the first popped"),
        (lambda got: sorted(map(str, got)) != sorted(right), f"each of {', '.join(sorted(right))} runs once"),
    )
    yield Case("(x * y) * (x + 1)", words(answer), right, mistakes)


def case_3(answer):
    """`answer(trace)`: the largest number of Functions that wait at one step."""
    for graph in graphs(43):
        trace = trace_backward(graph.run()["root"])
        right = max(len(step.not_ready) for step in trace)
        last = len(trace[-1].not_ready)
        steps = sum(bool(step.not_ready) for step in trace)
        mistakes = (
            ({"most": steps}, "that counts the steps at which something waits"),
            ({"most": last}, "that looks at one step: take the maximum over all"),
            ({"most": right}, "a second call gives another number: what is kept from one call to the next?"),
        )
        got = {"most": written(answer(trace)), "that of a second call": answer(trace)}
        yield Case(f"the trace of {graph.text}", got, {"most": right, "that of a second call": right}, mistakes)
