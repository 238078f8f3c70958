"""Short exercises of notebook 4, the engine."""

import functools
import types

from ...autograd import ExecutionEngine, Variable
from ...drawing import trace_backward
from ...drawing.walk import graph_of
from ...tensor import DoubleTensor
from ..practice import Unwritten, case, twice, words, written
from ..programs import short
from ..programs.inputs import graphs
from .watching import links_of, paths


def case_1(answer):
    """`answer(root)`: {Function: uses of its outputs that lead to the root}."""
    for graph in graphs(41, answer):
        yield _uses_in(answer, graph)  # whose graph is gone then: the next one may get its ids


def _uses_in(answer, graph):
    """Return the Case of a graph."""
    variable = graph.run()["root"]
    root, functions = variable.creator, graph_of([variable]).nodes
    labels = {function: f"{type(function).__name__} #{number}" for number, function in enumerate(functions, 1)}
    uses = ExecutionEngine()._compute_dependencies(root)
    right = {function: sum(sum(counter.values()) for counter in counters) for function, counters in uses.items()}

    def named(counts):
        return sorted(f"{labels.get(key, f'a {type(key).__name__}')}: {count}" for key, count in counts.items())

    def shown(got):
        return named(got) if isinstance(got, dict) else f"a {type(got).__name__}"

    on_paths = {function: count for function, count in paths(variable).items() if function is not root}
    return twice(graph.text, lambda: written(answer(root)), "counts", named(right),
        (lambda got: not isinstance(got["counts"], list), "a dictionary with the Functions as its keys"),
        (lambda got, root=labels[root]: any(text.startswith(f"{root}: ") for text in got["counts"]),
         "the root is not counted: nothing behind it uses it"),
        ({"counts": named(dict.fromkeys(right, 1))},
         "each use counts, also a second one by the same Function"),
        ({"counts": named(on_paths)},
         "that counts the paths from the root: go on from a Function only the first time that you reach it"),
        other="other counts", second="those of a second call", state=links_of(functions), plain=shown,
        another=lambda: answer((Variable(DoubleTensor([1.0])) * 2).creator))  # fmt: skip


def case_2(answer):
    """`answer`: the labels of `(x * y) * (x + 1)` in the order in which they run."""
    x, y = Variable(DoubleTensor([2.0])), Variable(DoubleTensor([3.0]))
    trace = trace_backward((x * y) * (x + 1), params={"x": x, "y": y})
    right = [trace.nodes[step.function].label for step in trace if step.event == "pop"]
    root, last, first, y_label, x_label = right
    hint = "Write `ready` down after each turn. An input goes on top of the stack when its last gradient arrives."
    yield case("(x * y) * (x + 1)", words(answer), right,
        (lambda got: not isinstance(got, list), "a list of labels, the first one first"),
        (right[::-1], "the engine begins at the root"),
        (lambda got: sorted(map(str, got)) != sorted(right),
         "each Function and each leaf of the picture runs once, under the label that the picture shows"),
        (lambda got: got[:3] == [root, first, last],
         "`ready` is a stack: the last Function pushed is the first popped. A queue takes the first one pushed"),
        ([root, last, first, x_label, y_label],
         "right up to the leaves. The `Mul` passes gradients on in the order of its inputs, so `y` is pushed last"),
        (lambda got: got.index(x_label) < got.index(first),
         f"`x` is used by {first} and by {last}, so it waits until both have run"),
        (lambda got: got[0] != root, "the engine begins at the root"),
        hint=hint)  # fmt: skip


def case_3(answer):
    """`answer(trace)`: the largest number of Functions that wait at one step."""
    for number, graph in enumerate(short.waiting(answer)):
        run = graph.run()
        root = run["root"]
        if number % 2:
            del run  # the Variables of the leaves are gone
        trace = trace_backward(root)
        right = max(len(step.not_ready) for step in trace)
        waiting = [number for step in trace for number in step.not_ready]
        found = (
            (sum(bool(step.not_ready) for step in trace), "that counts the steps at which something waits"),
            (len(trace[-1].not_ready), "that looks at one step: take the maximum over all"),
            (len(set(waiting)), "that counts all that ever wait: how many wait at the same step?"),
            (max(waiting, default=0),
             "`step.not_ready` holds the numbers of the Functions: count them, and do not compare them"),
            (max(len(step.ready) for step in trace), "`ready` holds those that do not wait any more"),
        )  # fmt: skip
        mistakes = [({"most": number}, why) for number, why in found]
        yield twice(f"the trace of {graph.text}", lambda trace=trace: written(answer(trace)), "most", right, *mistakes,
                    state=functools.partial(list, trace))  # fmt: skip


def case_4(answer):
    """`answer`: a class whose `run_backward` has five blanks; `____` marks one that is not filled."""
    from .. import load

    exercise = load(5)
    if "____" in written(getattr(answer, "run_backward", None)).__code__.co_names:
        raise Unwritten
    for lines in short.ENGINES:
        program = ["Variable._execution_engine = Engine()", *lines]
        expected = exercise.right(exercise.behaviour, lines=program)
        try:
            got = exercise.behaviour(types.SimpleNamespace(Engine=answer), program)
        except KeyError as error:
            if "requires_grad" not in " ".join(lines):
                raise
            got = f"KeyError: {error}"
            reason = "blank 2: what requires no gradient has no count, also if a gradient arrives for it: skip it"
        else:
            reason = _reason(got, expected, lines)
            shown = [key for key in expected if got.get(key) != expected[key]]
            got = {key: got.get(key, "it does not run") for key in shown}
            expected = {key: expected[key] for key in shown}
        yield case("; ".join(lines), got, expected, (lambda got: True, reason), tolerance=1e-10)


def _reason(got, expected, lines):
    """Return which blank is wrong, by what the engine did."""
    if got["written into"] != expected["written into"]:
        return "blank 4: the sum must be a new tensor, because others may hold both of these"
    runs = [(len(got.get(key) or ()), len(expected[key])) for key in expected if key.startswith("backward of")]
    if any(times < right for times, right in runs):
        if "Second" in " ".join(lines):
            return "blank 2: a None must be counted down, so skip only what requires no gradient"
        return "blank 2 or 5: a Function was skipped, or never became ready"
    if any(times > right for times, right in runs):
        return "blank 5: `prev_fn` is ready when no use of any of its outputs is left"
    if "Pair" in " ".join(lines):
        return "blank 1: `output_ids` has the number of the output that is the root, under the id of its Variable"
    return "blank 4: a second gradient is added to the first"
