"""The page's questions and its naive engine: the scripts without a page, run by node. test_predict.py has the page."""

import json
import re
import shutil
import subprocess
import tomllib
from functools import cache
from importlib import resources

import numpy
import pytest

from legacy_autograd import drawing
from legacy_autograd.autograd import Function, Variable
from legacy_autograd.autograd.functions import cat
from legacy_autograd.drawing import layout, page
from legacy_autograd.tensor import Tensor

from .graphs import diamond, variable

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None or layout.engine() is None, reason="node, or what lays out a graph, is not installed"
)

FILES = resources.files("legacy_autograd.drawing").joinpath("templates", "page")
WORDS = tomllib.loads(FILES.joinpath("questions.toml").read_text(encoding="utf-8"))

HARNESS = """
"use strict";
const page = {};
page.data = JSON.parse(require("fs").readFileSync(0, "utf-8"));
page.words = page.data.words;
page.say = (key, fields = {}) => page.words[key].replace(/\\{(\\w+)\\}/g, (whole, name) => {
  if (!(name in fields)) throw new Error(`${key} has no ${name}`);
  return fields[name];
});
%s
page.sizeText = (size) => (size.length === 1 ? `(${size[0]},)` : `(${size.join(", ")})`);
page.number = (x) => String(Number(x.toPrecision(4)));
const program = page.data.programs[0];
for (const step of program.steps) Object.assign(step, { track: step.track ?? 0, turn: step.turn ?? null });
const { nodes, derivatives } = program.tracks[0];
const steps = page.questions.read(program);
const asked = steps.map((_, at) => page.questions.ask(program.tracks[0], steps, at)).filter(Boolean);
console.log(JSON.stringify((() => { %s })()));
"""


@cache
def scripts():
    return "\n".join(FILES.joinpath(name).read_text(encoding="utf-8") for name in ("questions.js", "naive.js"))


def data_of(trace, lang="en"):
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.page([trace]), re.DOTALL)
    return json.loads(found) | {"words": WORDS[lang]}


def run(body, trace, lang="en"):
    """What `body`, statements of JavaScript that see `asked`, `nodes`, `derivatives` and `page`, returns."""
    source = HARNESS % (scripts(), body)
    data = json.dumps(data_of(trace, lang))
    done = subprocess.run([NODE, "-e", source], input=data, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def branch():
    """One number that three Functions use, one of them twice."""
    x = variable(2.0)
    a = x * 3
    return drawing.trace_backward(a * a + (a + 1) * (-a), params={"x": x})


def network():
    x, w, b = variable(1.0, 2.0, requires_grad=False), variable(0.5, -1.0), variable(0.25, 0.5)
    h = (x * w + b).tanh()
    z = cat([h, h * w], 0).sum()
    return drawing.trace_backward(z, params={"x": x, "w": w, "b": b})


def traced_diamond():
    x, y, z = diamond()
    return drawing.trace_backward(z, params={"x": x, "y": y})


@needs_node
def test_the_questions_of_the_diamond():
    # Add #5 pushes Mul #3, then Add #4, which runs first and gives x and y their first gradient. Mul #3 completes them.
    found = run(
        "return asked.map((q) => [q.at + 2, page.say(...q.words), page.questions.answerText(q)]);", traced_diamond()
    )
    assert found == [
        [2, "The engine counts before it runs anything. How many gradients will x #1 receive?", "2"],
        [13, "Which Function runs next?", "Add #4"],
        [15, "Add #4 now passes a gradient to x #1. How many more gradients does x #1 wait for after that?", "1"],
        [21, "Which Function runs next?", "Mul #3"],
        [22, "Mul #3 runs with the gradient 1. Which gradient does it pass to x #1?", "3"],
        [25, "3 now arrives at x #1 from Mul #3. What will be added to x.grad?", "4"],
        [29, "2 now arrives at y #2 from Mul #3. What will be added to y.grad?", "3"],
        [31, "Which Function runs next?", "y #2"],
    ]


def judged(trace, question, *answers, lang="en"):
    """[right, the reason in words] for each answer to the question of that place."""
    body = f"""const question = asked[{question}];
    return {json.dumps(answers)}.map((answer) => {{
      const {{ right, why }} = page.questions.judge(question, answer);
      return [right, page.say(...why)];
    }});"""
    return run(body, trace, lang)


@needs_node
def test_the_judgement_on_the_next_function_names_the_reason():
    assert judged(traced_diamond(), 1, 4, 3, 1, 5) == [
        [True, "Add #4 is the last one on the stack ready, and pop returns the last."],
        [False, "Mul #3 is ready too, but Add #4 was pushed onto the stack after it. A stack is last in, first out."],
        [False, "No gradient has arrived at x #1 yet. It gets its gradient from Mul #3, Add #4."],
        [False, "Add #5 has run already. Every Function runs once."],
    ]
    assert judged(traced_diamond(), 3, 1)[0][1] == "x #1 still waits for 1 gradient, from Mul #3."
    x, y = variable(2.0), variable(3.0, requires_grad=False)
    (judgement,) = judged(drawing.trace_backward(x * y + x), 2, 2)
    assert judgement == [False, "y #2 requires no gradient: backward never visits it."]


@needs_node
def test_the_judgement_on_a_count_names_the_uses():
    assert judged(traced_diamond(), 0, "2", "two", "1") == [
        [True, "x #1 was used by Mul #3, Add #4. Every use sends one gradient back."],
        [None, "Type a whole number, for example 2."],
        [
            False,
            "Count the arrows that point at x #1: it was used by Mul #3, Add #4, and every use sends one gradient "
            "back.",
        ],
    ]
    assert judged(traced_diamond(), 2, "1", "2", lang="zh") == [
        [True, "它原来等 2 个，到了一个。来自 Mul #3 的梯度还没到。"],
        [False, "x #1 原来等 2 个，现在到了其中一个。看看谁还没有运行：Mul #3。"],
    ]
    x = variable(3.0)
    assert judged(drawing.trace_backward(x * x), 0, "1", "2") == [
        [False, "x #1 was used by Mul #2 ×2. A Function that used it twice sends two gradients."],
        [True, "x #1 was used by Mul #2 ×2. Every use sends one gradient back."],
    ]


@needs_node
def test_a_sentence_names_six_functions_at_most():
    x = variable(1.0)
    y = x
    for _ in range(9):
        y = y + x
    assert judged(drawing.trace_backward(y), 0, "10") == [
        [
            True,
            "x #1 was used by Add #2 ×2, Add #3, Add #4, Add #5, Add #6, Add #7 and 3 more. Every use sends one "
            "gradient back.",
        ]
    ]


@needs_node
def test_the_judgement_on_a_sum_names_its_parts():
    x, y, z = diamond()
    x.grad = Tensor([10.0])
    trace = drawing.trace_backward(z, params={"x": x, "y": y})
    assert judged(trace, 5, "4", " [4.0] ", "3", "1", "14", "5", "4, 1", "four") == [
        [True, "1 had already arrived, and 1 + 3 = 4. The engine adds the gradients of all uses."],
        [True, "1 had already arrived, and 1 + 3 = 4. The engine adds the gradients of all uses."],
        [False, "3 is only the gradient that arrives now. 1 had already arrived, and the engine adds the two."],
        [False, "1 is only the gradient that had already arrived. 3 from Mul #3 is added to it."],
        [
            False,
            "x.grad will have this value afterwards. It is 10 now; the question asks for the amount that is added.",
        ],
        [False, "1 had already arrived at x #1, and 3 arrives now. The engine adds them."],
        [False, "The gradient of x #1 has as many numbers as x #1 itself: 1. You typed 2."],
        [None, "Type a number, for example 4, 0.5 or 1/3; put several in brackets: [1, 2]."],
    ]


@needs_node
def test_the_judgement_on_a_gradient_names_the_local_derivative():
    assert judged(traced_diamond(), 4, "3", "1", "2") == [
        [True, "The derivative of Mul #3 by x #1 is 3. Times the gradient 1, that is 3."],
        [
            False,
            "1 is the gradient that Mul #3 received. Its backward multiplies it by the derivative of Mul #3 by "
            "x #1, which is 3.",
        ],
        [
            False,
            "Use the chain rule: backward multiplies the gradient that it received, 1, by the derivative of Mul #3 "
            "by x #1, which is 3.",
        ],
    ]


@needs_node
@pytest.mark.parametrize("make", [traced_diamond, branch, network])
def test_the_answer_to_every_question_is_judged_right_and_every_sentence_has_its_fields(make):
    trace = make()
    for lang in WORDS:
        body = """return asked.map((q) => {
          const wrong = q.kind === "next" ? Object.keys(nodes).map(Number) : ["-7", "999", "1, 2, 3, 4, 5", "x"];
          for (const answer of wrong) page.say(...page.questions.judge(q, answer).why);
          const right = q.kind === "next" ? q.answer : page.questions.answerText(q);
          const sentences = [q.words, page.questions.reason(q)].map((words) => page.say(...words));
          return [q.kind, page.questions.judge(q, right).right, sentences];
        });"""
        found = run(body, trace, lang)
        assert len(found) >= 4
        assert all(right is True for _, right, _ in found)
        assert {"next", "added"} <= {kind for kind, *_ in found}
    if make is network:
        added = run('return asked.filter((q) => q.kind === "added").map((q) => q.answer.length)', trace)
        assert added and set(added) == {2}


@needs_node
def test_numbers_are_read_as_a_student_types_them():
    cases = [
        ("4", [4], True), ("4.0", [4], True), ("[4]", [4], True), ("(4)", [4], True), ("4,0", [4], True),
        ("−3", [-3], True), ("- 3", [-3], False), ("1/3", [1 / 3], True), ("0.33", [1 / 3], True),
        ("0.3", [1 / 3], False), ("0.3333", [1 / 3], True), ("0.34", [1 / 3], False), ("1 / 3", [1 / 3], True),
        ("[1, 2]", [1, 2], True), ("1 2", [1, 2], True), ("1；2", [1, 2], True), ("［1，2］", [1, 2], True),
        ("1、2", [1, 2], True), ("2, 1", [1, 2], False), ("1e-3", [0.001], True), (".5", [0.5], True), ("", [4], False),
        ("four", [4], False), ("4 apples", [4], False), ("0", [1e-17], True), ("0.01", [0], False),
        ("６", [6], True), ("－６", [-6], True), ("–6", [-6], True), ("—6", [-6], True), ("０。5", [0.5], True),
        ("【1，2】", [1, 2], True), ("〔1、２〕", [1, 2], True), ("１／３", [1 / 3], True), ("1\u3000２", [1, 2], True),
        ("1 2", [12], False), ("１　２", [12], False), ("½", [0.5], True), ("4。", [4], True), ("1/2/3", [4], False),
        ("1000.0", [1000.4], True), ("1.0", [1.04], True), ("1", [1.04], False),
    ]  # fmt: skip
    body = f"""return {json.dumps([case[:2] for case in cases])}.map(([typed, right]) => {{
      const read = page.questions.parse(typed, right.length);
      return read !== null && page.questions.isSame(read, right);
    }});"""
    found = run(body, traced_diamond())
    assert [(typed, answer) for (typed, _, _), answer in zip(cases, found, strict=True)] == [
        (typed, right) for typed, _, right in cases
    ]


# --- the naive engine


@needs_node
@pytest.mark.parametrize("make", [traced_diamond, branch, network])
def test_the_engines_order_gives_what_backward_gave(make):
    trace = make()
    body = """const order = page.naive.engineOrder(nodes, derivatives);
      return [order, page.naive.run(nodes, derivatives, order, page.naive.AGAIN).grads];"""
    order, grads = run(body, trace)
    assert order == [step.function for step in trace if step.event == "pop"]
    for step in trace:
        if step.event == "accumulate":
            assert grads[str(step.function)] == pytest.approx(step.after["values"], rel=1e-12)


class Half(Function):
    """A user's Function: half of its input."""

    def forward(self, x):
        return x.mul(0.5)

    def backward(self, grad):
        return grad.mul(0.5)


def large():
    """Tensors of nine elements, three paths to x, and two to w."""
    x, w = variable(*map(float, range(9))), variable(*[0.5] * 9)
    a = x * w
    return drawing.trace_backward((a * a + x).sum() * 2, params={"x": x, "w": w})


def large_with_a_gradient():
    x = variable(*map(float, range(9)))
    x.grad = Tensor([2.0] * 9)
    return drawing.trace_backward((x * x).sum(), params={"x": x})


def matrices():
    torch_like = numpy.arange(12.0).reshape(3, 4) / 7
    a, b = Variable(Tensor(torch_like)), Variable(Tensor(torch_like.T - 1))
    return drawing.trace_backward((a.mm(b) * a.mm(b).tanh()).sum(), params={"a": a, "b": b})


def with_users_code():
    x = variable(2.0)
    (half,) = Half()(x * 3)
    half.register_hook(lambda grad: grad.mul(10))
    x.register_hook(lambda grad: grad.add(1))
    return drawing.trace_backward(half * half + x, params={"x": x})


@needs_node
@pytest.mark.parametrize("make", [large, large_with_a_gradient, matrices, with_users_code])
def test_the_engines_order_gives_what_backward_gave_for_tensors_of_any_size_and_users_code(make):
    trace = make()
    body = """const order = page.naive.engineOrder(nodes, derivatives);
      const state = page.naive.run(nodes, derivatives, order, page.naive.AGAIN);
      return [order, state.log.some((entry) => entry.isUnknown), Object.entries(state.grads).map(([number, grad]) =>
        [Number(number), page.naive.record(state, number, 0, grad)])];"""
    order, is_unknown, grads = run(body, trace)
    assert order == [step.function for step in trace if step.event == "pop"] and not is_unknown
    after = {step.function: step.after for step in trace if step.event == "accumulate"}
    assert {number for number, _ in grads} == set(after)
    for number, record in grads:
        for key in {"values", "mean", "norm"} & set(after[number]):
            assert record[key] == pytest.approx(after[number][key], rel=1e-9), key


@needs_node
def test_a_large_tensor_that_runs_too_early_has_the_gradients_that_had_arrived():
    # a = x * w and z = 2 * sum(a * a + x): from Add, x receives 2 at once; from Mul #3 later.
    trace = large()
    number = {node.label: number for number, node in trace.nodes.items()}
    picks = [number[label] for label in ("MulConstant #7", "Sum #6", "Add #5", "x #1", "Mul #4")]
    found = run(
        f"""const state = page.naive.run(nodes, derivatives, {picks}, page.naive.AGAIN);
        const {{ leaves }} = page.naive.compare(state);
        return leaves.map(({{ number, got, isRight }}) =>
            [nodes[number].label, got && page.naive.record(state, number, 0, got).values, isRight]);""",
        trace,
    )
    assert found == [["x #1", [2.0] * 9, False], ["w #2", [0.0] * 9, False]]
    text = "return page.naive.text({ nodes, local: derivatives }, 1, 0, derivatives.held[1].map(() => 0));"
    assert run(text, trace) == "(9,) norm 0"


@needs_node
def test_of_a_users_function_only_what_was_recorded_is_known():
    # half = Half(3 x) at x = 2; z = half * half + x. half receives 3 + 3 = 6, its hook makes it 60, so 30 comes out.
    trace = with_users_code()
    assert [node.label for node in trace.nodes.values()] == ["x #1", "MulConstant #2", "Half #3", "Mul #4", "Add #5"]
    body = """const state = page.naive.run(nodes, derivatives, %s, page.naive.AGAIN);
      const { leaves } = page.naive.compare(state);
      return [state.log.map((entry) => entry.isUnknown), leaves.map(({ got, wanted, isRight }) =>
        [page.naive.text(state, 1, 0, got), page.naive.text(state, 1, 0, wanted), isRight])];"""
    # x: 3 * 30 + 1 = 91, and its own hook makes that 92
    assert run(body % [5, 4, 3, 2, 1], trace) == [[False] * 5, [["92", "92", True]]]
    unknown, leaves = run(body % [5, 1, 4, 3, 2], trace)
    assert unknown == [False, True, False, False, False], "the hook of x got 91, and not 1"
    assert leaves == [["?", "92", False]]


def chosen(trace, picks, rule="AGAIN", lang="en"):
    """{leaf: [its grad, the right one, the reasons]} after these picks."""
    body = f"""const state = page.naive.run(nodes, derivatives, {json.dumps(picks)}, page.naive.{rule});
      return page.naive.compare(state).leaves.map(({{ number, got, wanted, why }}) =>
        [nodes[number].label, got, wanted, why.map((one) => page.say(...one))]);"""
    return {label: rest for label, *rest in run(body, trace, lang)}


@needs_node
def test_what_runs_too_early_loses_what_comes_later():
    # z = x * y + (x + y) at (2, 3): x receives 3 from Mul #3 and 1 from Add #4.
    assert chosen(traced_diamond(), [5, 3, 1, 4, 2]) == {
        "x #1": [[3], [4], ["x #1 had run before 1 from Add #4 arrived, and did not add it to x.grad."]],
        "y #2": [[3], [3], []],
    }


@needs_node
def test_what_runs_again_passes_everything_on_again():
    # x adds 3 at first, then 3 + 1.
    assert chosen(traced_diamond(), [5, 3, 1, 4, 1, 2])["x #1"] == [
        [7], [4], ["x #1 ran 2 times, and added 3, its first gradient, 2 times."],
    ]  # fmt: skip


@needs_node
def test_with_only_what_is_new_the_gradients_are_right_but_there_are_more_runs():
    assert chosen(traced_diamond(), [5, 3, 1, 4, 1, 2], "NEW")["x #1"] == [[4], [4], []]
    body = """const state = page.naive.run(nodes, derivatives, [5, 3, 1, 4, 1, 2], page.naive.NEW);
      const { runs, enough } = page.naive.compare(state);
      return [runs, enough, page.naive.candidates(state)];"""
    assert run(body, traced_diamond()) == [6, 5, []]


@needs_node
def test_the_lesson_of_notebook_4():
    # a = 2x, z = a * a + a at x = 3: 26 is right. MulConstant first with the 1 of Add alone gives 2.
    x = variable(3.0)
    a = x * 2
    trace = drawing.trace_backward(a * a + a, params={"x": x})
    assert [node.label for node in trace.nodes.values()] == ["x #1", "MulConstant #2", "Mul #3", "Add #4"]
    found = chosen(trace, [4, 2, 1, 3])
    assert found["x #1"] == [
        [2], [26], ["MulConstant #2 had run before 6, 6 from Mul #3 arrived, and did not pass it on."],
    ]  # fmt: skip
    assert chosen(trace, [4, 3, 2, 1])["x #1"][0] == [26]


@needs_node
def test_what_never_runs_is_told_too_and_grad_begins_with_what_it_held():
    x, y, z = diamond()
    x.grad = Tensor([10.0])
    trace = drawing.trace_backward(z, params={"x": x, "y": y})
    never = "Mul #3 received 1 and never ran."
    assert chosen(trace, [5, 4]) == {
        "x #1": [[10], [14], [never, "x #1 received 1 and never ran, so nothing was added to x.grad."]],
        "y #2": [[0], [3], [never, "y #2 received 1 and never ran, so nothing was added to y.grad."]],
    }


def test_both_languages_have_the_same_words_with_the_same_fields():
    assert list(WORDS["en"]) == list(WORDS["zh"])
    for key, english in WORDS["en"].items():
        fields = [set(re.findall(r"\{(\w+)\}", text)) for text in (english, WORDS["zh"][key])]
        assert fields[0] == fields[1], key


@needs_node
def test_a_function_that_waits_on_and_on_is_offered_once():
    # x waits for ten gradients, and one Function is ready at a time: only the first time is a question.
    x = variable(1.0)
    y = x
    for _ in range(9):
        y = y + x
    trace = drawing.trace_backward(y)
    assert run('return asked.filter((q) => q.kind === "next").map((q) => q.choices);', trace) == [[1, 9]]


@needs_node
def test_a_second_backward_begins_anew():
    # Two walks on one track: the second finds its stack and its counts empty, as the first did.
    trace = traced_diamond()
    body = """const twice = [...steps, ...steps];
      const track = program.tracks[0];
      const text = (q) => [page.say(...q.words), page.questions.answerText(q)];
      const all = twice.map((_, at) => page.questions.ask(track, twice, at)).filter(Boolean).map(text);
      return [asked.map(text), all];"""
    once, both = run(body, trace)
    assert both == once + once
