"""Waiting as the page draws it: a slot for each expected gradient, and the sentence beside the running Function."""

import re

import pytest

from legacy_autograd import drawing, historical, nn
from legacy_autograd.autograd import Function
from legacy_autograd.drawing import layout, page
from legacy_autograd.drawing.slots import MOST, Slots
from legacy_autograd.historical.walks import both_walks

from .graphs import variable
from .test_page_view import DESKTOP, PHONE, TABLET, html_of, inside, lstm_trace, overlapping, press, step_with
from .test_questions import branch, traced_diamond

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")

SLOTS = """
    const all = name => [...document.querySelectorAll("#t0-f" + arguments[0] + name)].map(text => text.textContent);
    const parts = all(" .part");
    return all(" .from").map((from, i) => [from, parts[i]]);
"""

RECTANGLES = """
    const rect = element => { const b = element.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
    const view = page.views[0];
    const turn = view.state.step.turn;
    return {
        words: rect(words), frame: rect(view.svg), dock: rect(dock),
        nodes: view.picture.seen().map(({ id, group }) => [id, rect(group.querySelector(".shape"))]),
        running: turn === null ? null : rect(view.picture.nodes[turn].group.querySelector(".shape")),
        panels: [...document.querySelectorAll(".panel")].map(rect),
        overflow: words.scrollHeight - words.clientHeight,
    };
"""


def go(browser, step):
    browser.execute_script("page.stepper.go(arguments[0])", step - 1)


def slots_of(browser, number):
    return browser.execute_script(SLOTS, number)


def drawn_slots(svg, label):
    """[(sender, what has arrived)] of the Function `label` in a complete picture."""
    (node,) = [node for node in svg.split('<g id="f') if re.search(f'class="name"[^>]*>{label}<', node)]
    return list(zip(*[re.findall(rf'class="{name}"[^>]*>([^<]*)', node) for name in ("from", "part")], strict=True))


# --- slots


def test_a_slot_fills_when_its_gradient_arrives_and_the_sum_is_written_when_all_have(sized):
    trace = traced_diamond()  # Add #4 sends 1 to x, then Mul #3 sends y = 3
    browser = sized(html_of(trace), "#step=2")
    assert slots_of(browser, 1) == [["Mul #3", ""], ["Add #4", ""]] and slots_of(browser, 5) == []
    go(browser, step_with(trace, "add", 1))
    assert slots_of(browser, 1) == [["Mul #3", ""], ["Add #4", "1"]]
    name = browser.find_element("id", "t0-f1").accessible_name
    assert name == "x #1, Mul #3, Add #4, 1, = 2, grad 0, waits for 1"
    text = browser.find_element("id", "words").text
    assert text.endswith("It waits: 1 of 2 gradients. Mul #3 has not sent its gradient yet.")
    go(browser, step_with(trace, "add", 1, last=True))
    assert slots_of(browser, 1) == [["Mul #3", "3"], ["Add #4", "1"]]
    assert "1 + 3 = 4" in browser.find_element("id", "t0-f1").accessible_name
    press(browser, *["ARROW_LEFT"] * 12)
    assert slots_of(browser, 1) == [["Mul #3", ""], ["Add #4", ""]]


def test_pictures_without_scripts_have_the_same_slots(sized):
    trace = branch()  # of a: a * a uses it twice, a + 1 and -a once
    frames = trace.frames()
    browser = sized(html_of(trace))
    for index in range(0, len(trace), 5):
        go(browser, index + 1)
        for number, node in trace.nodes.items():
            shown = [tuple(slot) for slot in slots_of(browser, number)]
            assert sorted(shown) == sorted(drawn_slots(frames[index], node.label)) if shown else True
    assert len(slots_of(browser, 2)) == 4


def test_a_wide_row_shows_numbers_and_a_longer_one_is_a_count(sized):
    x = variable(1.0)
    few = drawing.trace_backward(x + 1 + (x - 2) + (x * 3) + x / 4)
    slots = Slots(few, 1)
    assert len(slots.edges) == 4 and slots.width < 210
    many = x * 1
    for factor in range(MOST):
        many = many + x * float(factor)
    trace = drawing.trace_backward(many)
    browser = sized(html_of(trace), f"#step={len(trace)}")
    count = browser.find_element("css selector", "#t0-f1 text.slots")
    assert count.text == f"{MOST + 1} of {MOST + 1} arrived"
    go(browser, step_with(trace, "add", 1))
    assert count.text == f"1 of {MOST + 1} arrived"


class Sides(Function):
    """Has two inputs, and a gradient for the first one only."""

    def forward(self, a, b):
        return a.add(b)

    def backward(self, grad):
        return grad, None


def test_a_sender_without_a_gradient_closes_its_slot(sized):
    a, b = variable(1.0), variable(2.0)
    (c,) = Sides()(a, b)
    trace = drawing.trace_backward(c + b)
    browser = sized(html_of(trace), f"#step={len(trace)}")
    number = next(n for n, node in trace.nodes.items() if node.name == "b")
    assert sorted(slots_of(browser, number)) == [["Add #4", "1"], ["Sides #3", "–"]]


def test_a_tensor_fills_its_slot_with_a_tick(sized):
    x = variable(1.0, 2.0)
    trace = drawing.trace_backward((x * 2 + x).sum())
    browser = sized(html_of(trace), f"#step={len(trace)}")
    assert sorted(part for _, part in slots_of(browser, 1)) == ["✓", "✓"]


def test_slots_fill_in_a_walk_of_2016_too():
    titles = {exhibit.title: then.trace for exhibit, then, _ in both_walks()}
    *_, last = titles[historical.product_and_sum().title].states()
    arrived = {number: len(state.get("parts", ())) for number, state in last.nodes.items()}
    assert sorted(arrived.values()) == [0, 1, 1, 2, 2]  # the root, Mul and Add, x and y


# --- who is missing


def test_the_text_names_who_has_not_sent_a_gradient():
    texts = [step.text for step in branch() if step.event == "add" and step.function == 2]
    assert [re.split(r"(?<=[.?]) ", text)[-1] for text in texts] == [
        "Mul #3, AddConstant #4 have not sent their gradients yet.",
        "Mul #3 has not sent its gradients yet.",
        "Mul #3 sends it another one.",
        "It is added to the gradient of MulConstant #2: [-7] + [6] = [-1].",
    ]


def test_the_text_names_few_of_many_senders():
    x = variable(1.0)
    total = x * 0
    for factor in range(1, 9):
        total = total + x * float(factor)
    first = next(step for step in drawing.trace_backward(total) if step.event == "add" and step.function == 1)
    assert first.facts["of"] == 9 and first.facts["left"] == 8 and len(first.facts["missing"]) == 3


def test_a_count_that_never_falls_is_told():
    trace = {exhibit.id: then.trace for exhibit, then, _ in both_walks()}["B4"]
    assert any("No Function is left that will send one." in step.text for step in trace)


# --- the sentence beside the running Function


@pytest.mark.parametrize("size", [DESKTOP, TABLET])
def test_the_sentence_stands_beside_the_running_function_and_covers_none(sized, size):
    trace = traced_diamond()
    browser = sized(html_of(trace), "", size)
    for step in range(1, len(trace) + 1):
        go(browser, step)
        seen = browser.execute_script(RECTANGLES)
        assert inside(seen["words"], seen["frame"])
        assert overlapping([("words", seen["words"]), *seen["nodes"]]) == [], step
        if seen["running"]:
            (left, top, right, bottom), (a, b, c, d) = seen["running"], seen["words"]
            assert max(left - c, a - right, top - d, b - bottom) < 60, step


def test_on_a_phone_the_sentence_is_below_the_graph(sized):
    trace = traced_diamond()
    browser = sized(html_of(trace), "#step=17", PHONE)
    for step in (2, 17, 24):
        go(browser, step)
        seen = browser.execute_script(RECTANGLES)
        assert seen["words"][1] >= seen["frame"][3] and inside(seen["words"], seen["dock"])
        assert seen["words"][3] <= PHONE[1]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("grain", ["every", "function"])
def test_no_sentence_overflows_its_place(sized, size, grain):
    trace = lstm_trace()
    browser = sized(html_of(trace), f"#grain={grain}", size)
    for step in range(1, len(trace) + 1, 9):
        go(browser, step)
        seen = browser.execute_script(RECTANGLES.replace("view.picture.nodes[turn].group", "view.svg"))
        assert seen["overflow"] <= 0, step
        assert inside(seen["words"], (0, 0, *size)), step


# --- the place of all that


@pytest.mark.parametrize("embedded", [True, False])
@pytest.mark.parametrize("size", [(717, 760), (768, 1024), PHONE, DESKTOP])
def test_the_tables_of_the_engine_are_in_view(sized, size, embedded):
    text = page.page([traced_diamond()], embedded=embedded)
    browser = sized(text, "", size)
    if embedded:  # a frame does not read the address
        go(browser, 17)
    seen = browser.execute_script(RECTANGLES)
    assert len(seen["panels"]) == 3
    for _, top, _, _ in seen["panels"]:
        assert top + 60 < min(seen["dock"][1], size[1])


def test_the_slider_keeps_its_width_and_the_algorithm_its_place(sized):
    trace = traced_diamond()
    browser = sized(html_of(trace))
    looks = "return [slider.offsetWidth, document.querySelector('.body').scrollTop]"
    for grain in ("every", "function"):
        browser.find_element("css selector", f"#grains [value={grain}]").click()
        seen = set()
        for step in range(1, len(trace) + 1):
            go(browser, step)
            seen.add(tuple(browser.execute_script(looks)))
        assert len(seen) == 1 and seen.pop()[1] == 0


def test_modules_are_covered_by_no_sentence(sized):
    model = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
    with drawing.record():
        loss = model(variable(1.0, 2.0).view(1, 2)).sum()
    trace = drawing.trace_backward(loss)
    browser = sized(html_of(trace))
    for step in range(1, len(trace) + 1, 7):
        go(browser, step)
        seen = browser.execute_script(RECTANGLES.replace("view.picture.nodes[turn].group", "view.svg"))
        assert overlapping([("words", seen["words"]), *seen["nodes"]]) == [], step
