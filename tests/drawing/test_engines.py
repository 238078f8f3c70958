"""drawing.compare_engines(): each fault of an engine is found and named, and no correct engine is called wrong."""

import functools
import heapq
import inspect
import json
import pathlib
import random
import re

import numpy
import pytest
import torch as modern

from legacy_autograd import Tensor, drawing, historical
from legacy_autograd.autograd import Function, Variable, engine
from legacy_autograd.autograd.engine import ExecutionEngine
from legacy_autograd.drawing import engines, layout
from legacy_autograd.drawing.alignment import align
from legacy_autograd.drawing.loss_curves import Training
from legacy_autograd.drawing.trace import Step
from legacy_autograd.exercises.programs.graphs import drawn
from legacy_autograd.exercises.programs.running import Run

from .graphs import Modern, Ours, diamond, random_program, variable

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "playground" / "programs" / "engines"


# --- correct engines


def gradients_for(fn, arrived):
    """The gradients to run `fn` with, or None if nothing arrived: zeros for an output that was not used."""
    came = [grad for grad in arrived if grad is not None]
    if not came:
        return None
    return [came[0].new(*size).zero_() if g is None else g for g, size in zip(arrived, fn._output_sizes)]


def edges_of(fn, grads):
    for (prev_fn, arg_id), grad in zip(fn.previous_functions, grads):
        if prev_fn.requires_grad:
            yield prev_fn, prev_fn.output_ids[arg_id], grad


class WithoutParts:
    """A correct engine with none of the real one's methods. `pop` chooses what runs next."""

    def pop(self, ready):
        return ready.pop()

    def run_backward(self, variable, grad):
        root = variable.creator
        uses, functions = {}, [root]
        for fn in functions:
            for prev_fn, _, _ in edges_of(fn, [None] * len(fn.previous_functions)):
                if prev_fn not in uses:
                    functions.append(prev_fn)
                uses[prev_fn] = uses.get(prev_fn, 0) + 1
        arrived = {fn: [None] * len(fn.output_ids) for fn in functions}
        arrived[root][root.output_ids[id(variable)]] = grad
        ready = [root]
        while ready:
            fn = self.pop(ready)
            gradients = gradients_for(fn, arrived.pop(fn))
            found = [None] * len(fn.previous_functions) if gradients is None else fn._do_backward(*gradients)
            for prev_fn, output, given in edges_of(fn, found):
                before = arrived[prev_fn][output]
                if given is not None:
                    arrived[prev_fn][output] = given if before is None else before + given
                uses[prev_fn] -= 1
                if not uses[prev_fn]:
                    ready.append(prev_fn)


class BreadthFirst(WithoutParts):
    def pop(self, ready):
        return ready.pop(0)


class AnyOrder(WithoutParts):
    def __init__(self):
        self.choose = random.Random(0)

    def pop(self, ready):
        return ready.pop(self.choose.randrange(len(ready)))


class InPlaceOnItsOwn(WithoutParts):
    """Writes each sum into its first gradient, which it has copied."""

    def run_backward(self, variable, grad):
        root, arrived = variable.creator, {}
        uses, functions = {}, [root]
        for fn in functions:
            for prev_fn, _, _ in edges_of(fn, [None] * len(fn.previous_functions)):
                if prev_fn not in uses:
                    functions.append(prev_fn)
                uses[prev_fn] = uses.get(prev_fn, 0) + 1
        arrived = {fn: [None] * len(fn.output_ids) for fn in functions}
        arrived[root][root.output_ids[id(variable)]] = grad
        ready = [root]
        while ready:
            fn = ready.pop()
            gradients = gradients_for(fn, arrived.pop(fn))
            found = [None] * len(fn.previous_functions) if gradients is None else fn._do_backward(*gradients)
            for prev_fn, output, given in edges_of(fn, found):
                before = arrived[prev_fn][output]
                if given is not None and before is None:
                    arrived[prev_fn][output] = given.clone()
                elif given is not None:
                    before.add_(given)
                uses[prev_fn] -= 1
                if not uses[prev_fn]:
                    ready.append(prev_fn)


class Recursive:
    """A Function is visited when the last of the Functions that use it passes a gradient on."""

    def run_backward(self, variable, grad):
        self.uses, self.arrived = {}, {}
        self.count(variable.creator)
        self.visit(variable.creator, variable.creator.output_ids[id(variable)], grad)

    def count(self, fn):
        for prev_fn, _, _ in edges_of(fn, [None] * len(fn.previous_functions)):
            if prev_fn not in self.uses:
                self.uses[prev_fn] = 0
                self.count(prev_fn)
            self.uses[prev_fn] += 1

    def visit(self, fn, output, grad):
        arrived = self.arrived.setdefault(fn, [None] * len(fn.output_ids))
        if grad is not None:
            arrived[output] = grad if arrived[output] is None else arrived[output] + grad
        if self.uses.get(fn):
            self.uses[fn] -= 1
        if self.uses.get(fn):
            return
        gradients = gradients_for(fn, arrived)
        found = [None] * len(fn.previous_functions) if gradients is None else fn._do_backward(*gradients)
        for prev_fn, number, given in edges_of(fn, found):
            self.visit(prev_fn, number, given)


class Queue(ExecutionEngine):
    """The real engine's methods, with a queue."""

    def next(self, ready):
        return ready.pop(0)

    def run_backward(self, variable, grad):
        ready, not_ready = self._begin(variable, grad)
        dependencies = self._compute_dependencies(variable.creator)
        while ready:
            fn, grad_output = self.next(ready)
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self._run(fn, grad_output)):
                if prev_fn.requires_grad:
                    output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                    gradients = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                    if grad is not None:
                        self._add(gradients, prev_fn, output_nr, grad)
                    if self._is_ready_for_backward(dependencies, prev_fn):
                        ready.append((prev_fn, self._complete(prev_fn, not_ready.pop(prev_fn))))


class Priority(ExecutionEngine):
    """A heap, which a trace can not follow: it is compared by what its Functions do."""

    def run_backward(self, variable, grad):
        ready, not_ready = self._begin(variable, grad)
        dependencies = self._compute_dependencies(variable.creator)
        ready = [(0, *ready[0])]
        count = 0
        while ready:
            _, fn, grad_output = heapq.heappop(ready)
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self._run(fn, grad_output)):
                if prev_fn.requires_grad:
                    output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                    gradients = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                    if grad is not None:
                        self._add(gradients, prev_fn, output_nr, grad)
                    if self._is_ready_for_backward(dependencies, prev_fn):
                        count += 1
                        key = (-1) ** count * count
                        heapq.heappush(ready, (key, prev_fn, self._complete(prev_fn, not_ready.pop(prev_fn))))


def copied_engine():
    """The class of a copy of engine.py."""
    names = {"__name__": "copied", "__package__": "legacy_autograd.autograd"}
    exec(compile(inspect.getsource(engine), "copied.py", "exec"), names)
    return names["ExecutionEngine"]


CORRECT = [
    ExecutionEngine, copied_engine(), Queue, Priority, WithoutParts, BreadthFirst, AnyOrder, InPlaceOnItsOwn, Recursive,
    drawing.ModernOrderEngine,
]  # fmt: skip
KINDS = ["sums", "diamonds", "handed_on", "without_gradient", "selected", "outputs", "outputs", "arithmetic", "reused"]
DIMENSIONS = {
    "type": ("Double", "Float", "Half", "Long"), "size": ("empty", "one", "1-D", "2-D"),
    "places": ("apart", "twice", "shared", "reused", "diamonds", "unused"), "requires_grad": ("all", "some"),
    "returned": ("a tensor", "a tuple", "None", "a view", "the argument"), "hooks": ("none", "one", "several", "runs"),
    "values": ("ordinary", "zeros", "cancel", "nan", "inf", "-0"),
}  # fmt: skip


def random_graph(seed, kinds=KINDS, dimensions=DIMENSIONS):
    """(root, gradient) of a random program, and its names."""

    def make(graph):
        graph.some_leaves()
        graph.steps(kinds, graph.draw.whole(1, 6 if graph.kind != "Half" else 3))
        graph.hooks()
        name, size = graph.root()
        graph.add(f"root = {name}")
        graph.add(f"gradient = {graph.tensor(size)}")

    run = Run()
    run.execute(drawn(make, seed, dimensions).lines)
    return run.names["root"], run.names["gradient"], run


@pytest.fixture
def untrained(monkeypatch):
    """Leave out the regression, which is the same for every graph."""
    monkeypatch.setattr(engines, "trained", lambda engine: Training([1.0, 0.5]))


def test_no_correct_engine_is_called_wrong_on_50_random_graphs(untrained):
    for seed in range(50):
        root, gradient, _ = random_graph(seed)
        found = drawing.compare_engines(root, gradient, engine=CORRECT[seed % len(CORRECT)])
        assert found.fault is None, (seed, found.text)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_none_of_the_correct_engines_is_called_wrong_on_any_of_200_random_graphs(untrained, part):
    for seed in range(50 * part, 50 * part + 50):
        root, gradient, _ = random_graph(seed)
        for correct in CORRECT:
            found = drawing.compare_engines(root, gradient, engine=correct)
            assert found.fault is None, (seed, correct.__name__, found.text)


# --- wrong engines


def program(number):
    """The names that a prepared program of the live page defines, without its last line."""
    path = PROGRAMS / f"engine_{number}.py"
    source, _, last = path.read_text(encoding="utf-8").rpartition("\ndrawing.")
    assert last == "compare_engines(z, engine=Mine)\n"
    names = {"__name__": "program"}
    exec(compile(source, path, "exec"), names)
    return names


def leaves_of(names):
    return {name: value for name, value in names.items() if isinstance(value, Variable) and value.is_leaf}


# Of each prepared engine: the kind of its fault on `z`, and the words. The numbers are by hand: x = 2, y = 3.
WRONG = {
    1: ("too_early", "x #1 runs too early: the gradient of Add #4 is still to come."),
    # (x + y) * x: x gets the sum, 5, at once, and 2 by way of the sum.
    2: ("lost", "x #1 receives [5] instead of [7]: the gradient [2] of Add #3 is missing."),
    3: ("uses", "Mul #2 uses it 2 times and returned a gradient for each use: the sum is [4]. Count uses"),
    # One tensor of 1 for both: 3 is added for x, then 2 for y.
    4: ("written", "others still need: [1] became [6]. The same tensor belongs to x #1 and y #2."),
    # As the museum's A6: 1 + 5 for b, which b * 7 and a hold too.
    5: ("written", "[1] became [6]. The same tensor belongs to MulConstant #2, a #3 and b #1."),
    6: ("lost", "x #1 receives [3] instead of [8]: the gradient [5] of MulConstant #4 is missing."),
    7: ("wrong_output", "Pair #2 receives the gradient of its output 1 as that of output 0."),
    8: ("never", "The engine ends too early: x #1 never runs, although its gradient [1] was complete."),
    9: ("wrong_place", "x #1 receives a gradient that belongs to y #2: what Mul #3 returned for its input 1."),
    10: ("too_early", "x #1 runs too early: the gradient of Mul #3 is still to come."),
}  # fmt: skip


@pytest.mark.parametrize("number", WRONG)
def test_each_prepared_engine_is_found_and_seems_to_work_elsewhere(untrained, number):
    names = program(number)
    kind, words = WRONG[number]
    found = drawing.compare_engines(names["z"], engine=names["Mine"], params=leaves_of(names))
    assert found.fault == kind and words in found.text
    assert found.text.startswith(f"Incorrect at step {found.step}. ")
    assert re.search("[\u4e00-\u9fff]", found.in_language("zh").text)
    assert drawing.compare_engines(names["fine"], engine=names["Mine"]).fault is None


def grads_of(root, gradient, run, engine):
    """The grads of all leaves after a plain backward with an engine, or None if it raised an exception."""
    leaves = [value for _, value in run.variables() if value.is_leaf]
    for leaf in leaves:
        leaf._grad = None
    try:
        engine.run_backward(root, gradient.clone())
    except Exception:
        return None
    return [None if leaf._grad is None else leaf._grad.data.array.copy() for leaf in leaves]


def agree(one, other):
    if one is None or other is None:
        return one is other
    equal = functools.partial(numpy.allclose, rtol=1e-2, atol=1e-2, equal_nan=True)  # HalfTensors are rounded
    return all((a is None) == (b is None) and (a is None or equal(a, b)) for a, b in zip(one, other))


def test_an_engine_that_gives_wrong_grads_is_always_found(untrained):
    wrong = [program(number)["Mine"] for number in WRONG] + [historical.HistoricalEngine]
    found = dict.fromkeys(wrong, 0)
    for seed in range(300, 340):
        root, gradient, run = random_graph(seed)
        right = grads_of(root, gradient, run, ExecutionEngine())
        for cls in wrong:
            if not agree(grads_of(root, gradient, run, cls()), right):
                found[cls] += 1
                assert drawing.compare_engines(root, gradient, engine=cls).fault is not None, (seed, cls)
    assert all(found.values()), found


def test_parts_of_a_gradient_add_up_in_the_leaves_as_the_how_to_says():
    without_hooks = {**DIMENSIONS, "hooks": ("none",)}
    for seed in range(500, 520):
        root, gradient, run = random_graph(seed, ["sums", "diamonds", "arithmetic", "reused"], without_hooks)
        right = grads_of(root, gradient, run, ExecutionEngine())
        for number in (1, 2, 3):
            assert agree(grads_of(root, gradient, run, program(number)["Mine"]()), right), (seed, number)


class EndsEarly:
    def run_backward(self, variable, grad):
        variable.creator._do_backward(grad)


class Endless:
    def run_backward(self, variable, grad):
        ready = [variable.creator]
        while ready:
            ready[0]


class EndlessInOneLine:
    def run_backward(self, variable, grad):
        while True: pass  # fmt: skip  # noqa: E701


class RunsForEver:
    def run_backward(self, variable, grad):
        while True:
            variable.creator._do_backward(grad)


class Catches(RunsForEver):
    def run_backward(self, variable, grad):
        while True:
            try:
                super().run_backward(variable, grad)
            except Exception:
                pass


class Raises:
    def run_backward(self, variable, grad):
        return {}[variable]


class TwiceAtTheLeaf(WithoutParts):
    def run_backward(self, variable, grad):
        super().run_backward(variable, grad)
        for prev_fn, _ in variable.creator.previous_functions:
            if hasattr(prev_fn, "variable"):
                prev_fn._do_backward(grad)


class OnItsOwn(WithoutParts):
    """Adds the root's gradient to a leaf's grad without its Leaf."""

    def run_backward(self, variable, grad):
        super().run_backward(variable, grad)
        variable.creator.previous_functions[0][0].variable._grad.add_(grad)


class Doubles(ExecutionEngine):
    def _add(self, gradients, fn, output_nr, grad):
        super()._add(gradients, fn, output_nr, grad)
        if gradients[output_nr] is not grad:
            super()._add(gradients, fn, output_nr, grad)


class LeavesNone(ExecutionEngine):
    def _complete(self, fn, gradients):
        return gradients


class OnceEach(ExecutionEngine):
    def _compute_dependencies(self, function):
        dependencies = super()._compute_dependencies(function)
        for outputs in dependencies.values():
            for consumers in outputs:
                consumers.update({consumer: 1 - count for consumer, count in consumers.items()})
        return dependencies


class Pair(Function):
    def forward(self, x):
        return x * 2, x * 3

    def backward(self, of_double, of_triple):
        return of_double * 2 + of_triple * 3


class TakesAnother(WithoutParts):
    """Runs a Leaf that requires no gradient."""

    def run_backward(self, variable, grad):
        super().run_backward(variable, grad)
        for prev_fn, _ in variable.creator.previous_functions:
            if not prev_fn.requires_grad:
                prev_fn._do_backward(grad)


def added():
    x, y = variable(2.0), variable(3.0)
    return x, y, x + y


def outputs():
    x = variable(1.0)
    return x, Pair()(x)[1] * 5


def square():
    x, y = variable(2.0), variable(3.0)
    return x, y, x * x + y


def with_a_constant():
    x, c = variable(2.0), variable(3.0, requires_grad=False)
    return x, c, x + c


def hooked():
    x = variable(2.0)
    y = x * 2
    y.register_hook(lambda grad: grad * 10)
    return x, y * 3


@pytest.mark.parametrize("graph, engine, kind, words", [
    (diamond, EndsEarly, "never", "never runs, although its gradient [1] was complete"),
    (diamond, Endless, "endless", "stopped after it had run 0 Functions"),
    (diamond, EndlessInOneLine, "endless", "stopped after it had run 0 Functions"),
    (diamond, RunsForEver, "again", "Add #5 runs again"),
    (diamond, Catches, "again", "Add #5 runs again"),
    (diamond, Raises, "raised", "raises an error in line"),
    (added, TwiceAtTheLeaf, "leaf_again", "A leaf receives one gradient, the sum"),
    (added, OnItsOwn, "leaf_sum", "is [2], which is not the sum"),
    (diamond, Doubles, "twice", "is added twice"),
    (outputs, LeavesNone, "no_zeros", "Pair #2 receives None for its output 0"),
    (square, OnceEach, "uses", "waits for 1 gradient for"),
    (with_a_constant, TakesAnother, "unneeded", "runs, but it requires no gradient"),
    (hooked, WithoutParts, "hooks", "The hooks of MulConstant #2 do not run"),
])  # fmt: skip
def test_faults_have_names(untrained, graph, engine, kind, words):
    *leaves, root = graph()
    found = drawing.compare_engines(root, engine=engine)
    assert (found.fault, words in found.text) == (kind, True), found.text


def test_v0_1_1s_engine_is_wrong_at_the_museums_step():
    x, y, z = diamond()
    found = drawing.compare_engines(z, engine=historical.HistoricalEngine)
    # The museum: G = 1 waits for x and for y; the product adds y = 3 to it.
    assert found.step == 25 and found.fault == "written"
    assert "The same tensor is also the gradient that y #2 holds: [1] became [4]." in found.text
    assert "the grad of y #2 is [6], correct is [3]" in str(found)  # 4 + 2


def test_the_program_of_the_how_to_prints_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "how_to" / "your_own_engine.md").read_text(encoding="utf-8")
    source = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    exec(compile(source, "your_own_engine.py", "exec"), {"__name__": "__main__"})
    assert re.search(r"print\(found.text\)  # (.*)", source)[1] == capsys.readouterr().out.strip()
    assert (tmp_path / "mine.html").exists()


def test_the_callers_gradient_is_not_to_be_written_into():
    x, gradient = variable(1.0), Tensor([1.0])
    found = drawing.compare_engines(x + x, gradient, engine=historical.HistoricalEngine)
    assert found.fault == "caller" and "the program's own 'gradient': [1] became [2]" in found.text
    assert gradient.tolist() == [1.0], "each engine gets a copy"


def test_another_order_is_a_difference_and_no_fault():
    x, y, z = diamond()
    found = drawing.compare_engines(z, engine=Queue)
    assert found.fault is None and found.step is not None
    assert found.text.startswith(
        "The order differs, and is still correct: here Mul #3 runs, in the real engine Add #4."
    )
    found = drawing.compare_engines(z, engine=ExecutionEngine)
    assert found.fault is None and found.step is None and found.text.startswith("No difference: ")


def test_many_equal_steps_are_aligned_one_by_one():
    """The second walk begins with a step that the first has not; 300 notes follow in both."""
    steps = [Step(number, "note") for number in range(300)]
    others = [Step(number, "note" if number else "begin") for number in range(301)]
    assert align(steps, others) == {number: number + 1 for number in range(300)}
    assert [step.time for step in steps] == list(range(1, 301)) and [step.time for step in others] == list(range(301))


def test_nothing_is_left_behind():
    x, y, z = diamond()
    z.backward()
    before = x._grad
    z = x * y + (x + y)
    drawing.compare_engines(z, engine=historical.HistoricalEngine)
    drawing.compare_engines(z, engine=EndsEarly)
    assert x._grad is before and x.grad.tolist() == [4.0]
    assert not any("_do_backward" in vars(fn) or "backward" in vars(fn) for fn in (z.creator, x.creator))
    z.backward()
    assert x.grad.tolist() == [8.0]  # 4 + 4


def test_mistakes_are_named():
    x, y, z = diamond()
    with pytest.raises(TypeError, match=r"engine must be a class or an instance with run_backward\(variable, grad\)"):
        drawing.compare_engines(z, engine=object)
    with pytest.raises(TypeError, match="compare_engines needs a Variable"):
        drawing.compare_engines(3, engine=Queue)
    with pytest.raises(RuntimeError, match="does not require a gradient"):
        drawing.compare_engines(variable(1.0, requires_grad=False) * 2, engine=Queue)
    with pytest.raises(ValueError, match="got lang='fr'"):
        drawing.compare_engines(z, engine=Queue, lang="fr")
    with pytest.raises(ValueError, match="pass another max_nodes"):
        drawing.compare_engines(z, engine=Queue, max_nodes=3)
    with pytest.raises(ValueError, match="the suffix must be .html"):
        drawing.compare_engines(z, engine=Queue).save("picture.svg")


# --- the page


class Dictionary:
    """Keeps `ready` and `not_ready` in its own way, and adds nothing."""

    def run_backward(self, variable, grad):
        ready, not_ready = [(variable.creator, grad)], {}
        uses = dict.fromkeys([fn for fn, _ in variable.creator.previous_functions], 1)
        while ready:
            fn, grad = ready.pop()
            for (prev_fn, _), given in zip(fn.previous_functions, fn._do_backward(grad)):
                not_ready[prev_fn] = given
                if uses.get(prev_fn) == 1:
                    ready.append((prev_fn, not_ready.pop(prev_fn)))


def test_the_engines_own_stack_dictionary_and_line_are_shown():
    x, y, z = diamond()
    found = drawing.compare_engines(z, engine=Dictionary)
    # Add #4 runs first and gives x and y a gradient of 1 each, which stay in not_ready.
    states = list(found.mine.states())
    pops = [step for step in found.mine if step.event == "pop"]
    assert list(states[pops[-1].index].panels["not_ready"].values()) == [["x #1", "[1]"], ["y #2", "[1]"]]
    assert [found.mine.nodes[step.function].label for step in pops] == ["Add #5", "Add #4", "Mul #3"]
    assert [len(step.ready) for step in pops] == [0, 1, 0]
    waiting = [step.facts["holds"] for step in pops]
    x_, y_ = (next(n for n, node in found.mine.nodes.items() if node.label == label) for label in ("x #1", "y #2"))
    assert waiting == [{}, {}, {x_: "[1]", y_: "[1]"}]
    lines = found.mine.source["lines"]
    at = {step.line - found.mine.source["first"] for step in pops}
    assert all("_do_backward" in lines[place] for place in at)
    assert found.fault == "never"


def test_the_page_says_what_the_comparison_says():
    x, y, z = diamond()
    found = drawing.compare_engines(z, engine=program(1)["Mine"])
    for told in (found, found.in_language("zh")):
        data = page_data(told.page())
        (shown,) = data["programs"]
        assert shown["at"] == told.step
        assert told.text in shown["text"] and f'href="#step={told.step}"' in shown["text"]
        wrong = [step["wrong"] for step in shown["steps"] if "wrong" in step]
        assert len(wrong) == 1 and wrong[0] in told.text
        assert shown["text"].count("<polyline") == 2
        assert [track.get("own") for track in shown["tracks"]] == [True, None]
        plain = re.search(r"<noscript>(.*?)</noscript>", told.page(), re.DOTALL)[1]
        assert told.text in plain and plain.count("<polyline") == 2  # without scripts too
    bundle = found._repr_mimebundle_()
    assert bundle["text/plain"] == str(found) and "<script>" in bundle["text/html"]


def page_data(html):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1])


LOOK = """
    return {
        place: document.getElementById("place").textContent,
        wrong: [...document.querySelectorAll(".track")].map((track) =>
            [...track.querySelectorAll(".node.wrong text.name")].map((e) => e.textContent)),
        reason: [...document.querySelectorAll(".wrong-text")].map((e) => e.hidden ? "" : e.textContent),
        finding: document.querySelector("#text .finding").textContent,
        titles: [...document.querySelectorAll(".track h2")].map((e) => e.firstChild.textContent).slice(0, 2),
        curves: document.querySelectorAll("svg[role=img] polyline").length,
        tabs: [...document.querySelectorAll("[role=tablist]")].map((e) => e.textContent),
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        panels: [...document.querySelectorAll(".panel")].map((e) => dock.offsetTop - e.getBoundingClientRect().top),
    };
"""


@pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")
@pytest.mark.parametrize("size", [(1280, 800), (790, 760), (390, 844)])
def test_the_page_opens_at_the_first_step_that_differs(opened, size):
    x, y, z = diamond()
    found = drawing.compare_engines(z, engine=Dictionary)
    browser = opened(found.page())
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        seen = browser.execute_script(LOOK)
        assert seen["place"].startswith(f"step {found.step} of ")
        assert seen["wrong"] == [["y #2"], []]
        assert seen["reason"][0].startswith(f"Incorrect since step {found.step}: The engine ends too early: y #2")
        assert seen["reason"][1] == "" and found.text in seen["finding"]
        ready, _, dependencies = zip(seen["panels"][:3], seen["panels"][3:], strict=True)
        assert size[0] < 500 or min(ready + dependencies) > 50, "below the dock"
        assert seen["curves"] == 2 and seen["wide"] <= 0
        assert seen["tabs"] == ["test_engines.py", "In wordsengine.py"]
        browser.execute_script("document.getElementById('first').click()")
        assert browser.execute_script(LOOK)["reason"] == ["", ""]
        browser.execute_script("document.querySelector('#text a').click()")
        assert browser.execute_script(LOOK)["place"].startswith(f"step {found.step} of ")
        browser.execute_script("for (let i = 0; i <= page.stepper.last; i++) page.stepper.go(i)")
        browser.find_element("css selector", "#grains [value=function]").click()
        browser.execute_script("page.stepper.go(0)")
        turns = browser.execute_script(
            "const seen = []; while (page.stepper.index < page.stepper.last) { page.stepper.forward();"
            "seen.push(document.getElementById('words').textContent) } return seen"
        )
        assert any("Mine" not in words and "Dictionary: " in words for words in turns) and len(turns) > 5
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# --- the regression


def test_both_engines_train_the_same_regression():
    z = variable(1.0) * 2
    mine, real = drawing.compare_engines(z, engine=Queue).losses
    assert mine == real and len(real) == 61
    # h = k = 0 at x = ±1 … : the data of the first loss by numpy, and the end near 0
    x = numpy.linspace(-1, 1, 8)
    first = (1 + 0.2 * x) * (1 - 0.1 * x) - (1 + 0.8 * x) * (1 - 0.5 * x)
    assert real[0] == pytest.approx(numpy.mean(first**2)) and real[-1] < 1e-6
    found = drawing.compare_engines(z, engine=historical.HistoricalEngine)
    assert found.losses[0][-1] > 1000 * found.losses[1][-1]
    assert drawing.compare_engines(z, engine=Raises).losses[0] == real[:1]
    assert "does not end" in str(drawing.compare_engines(z, engine=Endless))


# --- modern torch's order


def torchs_order(root, gradient):
    """The nodes of a torch graph in the order in which its engine runs them."""
    order, handles, nodes, queue = [], [], {root.grad_fn}, [root.grad_fn]
    for node in queue:
        handles.append(node.register_prehook(lambda _, node=node: order.append(node)))
        new = [following for following, _ in node.next_functions if following is not None and following not in nodes]
        queue += dict.fromkeys(new)
        nodes.update(new)
    root.backward(gradient)
    for handle in handles:
        handle.remove()
    return order


def pairs_of(function, node):
    """{node of torch: our Function}, from the roots on: the operands of both have the same order."""
    paired, queue = {node: function}, [(function, node)]
    for fn, theirs in queue:
        ours = [prev_fn for prev_fn, _ in fn.previous_functions if prev_fn.requires_grad]
        operands = [following for following, _ in theirs.next_functions if following is not None]
        assert len(ours) == len(operands)
        for one, other in zip(ours, operands):
            if other not in paired:
                paired[other] = one
                queue.append((one, other))
            assert paired[other] is one
    return paired


def with_leaves_in_groups(labels):
    """The order, with each row of leaves as a set: torch does not define which of them runs first."""
    rows = []
    for label in labels:
        if label.startswith("Leaf") and rows and isinstance(rows[-1], set):
            rows[-1].add(label)
        else:
            rows.append({label} if label.startswith("Leaf") else label)
    return rows


@pytest.mark.parametrize("seed", range(30))
def test_the_modern_order_is_torchs(untrained, seed):
    with drawing.record():
        _, ours = random_program(seed)(Ours)
    _, theirs = random_program(seed)(Modern)
    root, other = ours[-1], theirs[-1]
    if root.is_leaf:
        pytest.skip("the program has no result that requires a gradient")
    found = drawing.compare_engines(root, root.data * 0 + 1, engine=drawing.ModernOrderEngine)
    label = {number: f"{node.kind} {number}" for number, node in found.mine.nodes.items()}
    run = [label[step.function] for step in found.mine if step.event == "pop"]
    paired = pairs_of(root.creator, other.grad_fn)
    number = engines.graph_to_show([root], None, "", "").number
    expected = [label[number[paired[node]]] for node in torchs_order(other, modern.ones_like(other))]
    assert with_leaves_in_groups(run) == with_leaves_in_groups(expected)


def test_each_difference_from_torchs_order_has_its_reason():
    x, y = variable(2.0), variable(3.0)
    with drawing.record():
        later = x + y
        product = x * y
        z = later * product
    found = drawing.compare_engines(z, engine=drawing.ModernOrderEngine)
    # 2016's stack holds (Add, Mul) and pops Mul, which is also the newest: no difference. Then x, y, Add in turn.
    assert found.fault is None
    with drawing.record():
        product = x * y
        later = x + y
        z = later * product  # the stack ends with the product, but the sum is newer
    found = drawing.compare_engines(z, engine=drawing.ModernOrderEngine)
    assert "Add #3 was made after Mul #4. Today the newest Function runs first" in str(found)
    assert "在 Mul #4 之后创建" in str(found.in_language("zh"))
    # Without `record()` the order of one expression is assumed: the first operand of z is made first.
    found = drawing.compare_engines((x + y) * (x * y), engine=drawing.ModernOrderEngine)
    assert "was made after" not in str(found)
    w = variable(1.0)
    found = drawing.compare_engines(w + w * w, engine=drawing.ModernOrderEngine)
    assert found.text.startswith("No difference")
    found = drawing.compare_engines(x + y * 2, engine=drawing.ModernOrderEngine)
    assert "is a leaf. Today a leaf runs as soon as it is ready, as an AccumulateGrad" in str(found)
