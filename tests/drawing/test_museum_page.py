"""historical.page(): the walks of v0.1.1 and of today in step, and the step at which a number goes wrong."""

import functools
import re

import pytest

from legacy_autograd import historical
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.drawing import layout
from legacy_autograd.historical import FIXED, V0_1_1
from legacy_autograd.historical.traced import run_traced
from legacy_autograd.historical.walks import both_walks

# The event and the Function at which each program's number goes wrong, from the comments of the exhibits (2016's walk
# by hand), and a part of the reason.
WRONG = {
    "product_and_sum": ("add", "x #1", "the gradient that y #2 holds: [1] became [4]"),
    "a_sum_in_a_sum": ("add", "x #1", "the gradient that Add #3 passes to y #2: [1] became [2]"),
    "the_hook_test": ("add", "y #5", "the gradient that Add #4 holds: [1] became [2]"),
    "the_callers_gradient": ("add", "x #1", "the program's own 'gradient': [1] became [2]"),
    "a_view_of_the_gradient": ("add", "x #1", "the program's own 'gradient': [1] became [2]"),
    "a_gradient_used_twice": ("add", "x #1", "the program's own 'gradient': [1] became [2]"),
    "half_a_repair": ("add", "b #1", "the gradient that MulConstant #2 holds: [1] became [6]"),
    "a_count_that_never_falls": ("count", None, "x #1 waits for 2 gradients at this step, but only 1 will arrive."),
    "backward_on_the_second_output": ("begin", "Pair #2", "At this step v0.1.1 has [1]. Today it is [0]; [1]."),
    "the_first_output_alone": ("push", "Pair #2", "At this step v0.1.1 has [1]. Today it is [1]; [0]."),
    "zero_to_the_zero": ("ran", "PowConstant #2", "At this step v0.1.1 has [nan]. Today it is [0]."),
    "a_power_of_zero": ("ran", "Pow #3", "At this step v0.1.1 has [0]; [nan]. Today it is [0]; [0]."),
    "operands_of_two_sizes": ("begin", "Add #4", "Today the program stops before its backward, with an error."),
    "a_function_called_twice": ("begin", "MulConstant #2", "Today the program stops before its backward"),
    "the_gradient_of_a_result": ("end", None, "The incorrect number was never part of the walk. v0.1.1: y.grad = 0"),
    "data_changed_in_between": ("ran", "Mul #2", "Today backward stops at this step with an error. RuntimeError: Mul"),
    "ten_times_a_loss": ("ran", "AbsCriterion #2", "At this step v0.1.1 has [1]. Today it is [10]."),
}


@functools.cache
def walks():
    """{title of the exhibit: (run then, run today)}, in the order of the page."""
    return {exhibit.title: (then, today) for exhibit, then, today in both_walks()}


@functools.cache
def html():
    return historical.page()


def walks_of(name):
    return walks()[getattr(historical, name)().title]


def wrong_steps(trace):
    return [step for step in trace if "wrong" in (step.extra or {})]


def test_every_exhibit_with_a_wrong_number_from_a_backward_is_on_it():
    titles = [getattr(historical, name)().title for name in WRONG]
    assert list(walks()) == titles
    for show_both in historical.EXHIBITS:
        item = show_both()
        if item.title not in titles:  # it raised, or was right, or no backward took part
            no_backward = ("E4", "F9", "G1", "G7")
            assert item.then.exception is not None or item.then == item.right or item.id in no_backward


@pytest.mark.parametrize("name", WRONG)
def test_the_number_goes_wrong_where_the_walk_by_hand_says(name):
    event, label, reason = WRONG[name]
    then, today = walks_of(name)
    (step,) = wrong_steps(then.trace)
    assert step.event == event
    assert (None if step.function is None else then.trace.nodes[step.function].label) == label
    assert reason in step.extra["wrong"]
    assert today.trace is None or not wrong_steps(today.trace)


def test_the_outcomes_are_those_of_the_exhibits():
    for name in WRONG:
        (then, today), item = walks_of(name), getattr(historical, name)()
        assert str(then.outcome) == str(item.then) and str(today.outcome) == str(item.right)


def test_holders_of_one_tensor_light_up_together():
    then, today = walks_of("product_and_sum")
    label = {number: node.label for number, node in then.trace.nodes.items()}
    lit = [[label[n] for n in (step.extra.get("marks") or {"nodes": []})["nodes"]] for step in then.trace]
    waits = next(i for i, step in enumerate(then.trace) if step.event == "add" and label[step.function] == "y #2")
    assert lit[waits] == ["x #1", "y #2", "Mul #3"], "the inner sum's gradient is held three times"
    (wrong,) = [i for i, step in enumerate(then.trace) if "wrong" in step.extra]
    assert lit[wrong] == ["x #1", "y #2"]
    assert lit[-1] == [] == lit[0]
    given = next(step for step in then.trace if step.event == "ran")
    assert given.extra["marks"]["edges"] == ["5_0", "5_1"], "Add returns one tensor twice"
    states = list(then.trace.states())
    y = next(number for number, text in label.items() if text == "y #2")
    assert [states[i].nodes[y]["grads"][0]["values"] for i in (wrong - 1, wrong)] == [[1.0], [4.0]]
    states = list(today.trace.states())
    assert all(
        state.nodes[y].get("grads") in (None, [None]) or state.nodes[y]["grads"][0]["values"] != [4.0]
        for state in states
    )


def test_the_programs_own_tensor_is_in_the_table_of_notes():
    then, today = walks_of("the_callers_gradient")
    for run, last in ((then, "[2]"), (today, "[1]")):
        rows = [state.panels["notes"]["gradient"] for state in run.trace.states()]
        assert rows[0] == ["gradient", "[1]"] and rows[-1] == ["gradient", last]
    (wrong,) = wrong_steps(then.trace)
    assert wrong.extra["marks"]["panels"] == {"notes": ["gradient"]}


def test_both_walks_are_aligned_at_the_same_events():
    for then, today in walks().values():
        if today.trace is None:
            continue
        for trace in (then.trace, today.trace):
            times = [step.time for step in trace]
            assert times == sorted(set(times)), "one step of a walk at a time, in its order"
        at = {step.time: step for step in today.trace}
        for step in then.trace:
            if step.time in at and at[step.time].event != "raise":
                assert step.event == at[step.time].event
    then, today = walks_of("data_changed_in_between")
    (wrong,) = wrong_steps(then.trace)
    assert today.trace[-1].event == "raise" and today.trace[-1].time == wrong.time
    then, today = walks_of("product_and_sum")
    shared = {step.time for step in then.trace} & {step.time for step in today.trace}
    assert len(shared) == len(then.trace)
    alone = [step.event for step in today.trace if step.time not in shared]
    assert alone == ["add", "add"], "v0.1.1 hands a single gradient on without a sum"


def test_the_step_is_found_and_not_written_down():
    def longer(autograd):
        x, y = autograd.leaves(2, 3)
        z = (x * y + (x + y)) * 1 * 1
        z.backward()
        return {"x.grad": x.grad, "y.grad": y.grad}

    run = run_traced(longer, V0_1_1, "en")
    written = [
        (step.event, run.trace.nodes[step.function].label) for step, held in zip(run.trace, run.held) if held.written
    ]
    assert written[0] == ("add", "x #1")
    assert not any(held.written for held in run_traced(longer, FIXED, "en").held)
    before = next(i for i, held in enumerate(run.held) if held.written)
    then, _ = walks_of("product_and_sum")
    assert before > next(i for i, held in enumerate(then.held) if held.written)


def test_every_exhibit_of_the_page_has_a_title_and_a_reason_in_chinese():
    chinese, english = [[exhibit for exhibit, _, _ in both_walks(lang)] for lang in ("zh", "en")]
    for one, other in zip(chinese, english, strict=True):
        assert re.search("[\u4e00-\u9fff]", one.reason) and one.reason != other.reason
        assert re.search("[\u4e00-\u9fff]", one.title) or one.title == other.title
    with pytest.raises(ValueError, match="got lang='fr'"):
        historical.page(lang="fr")


def test_the_engines_are_back_afterwards():
    engines = Variable._execution_engine, historical.HistoricalVariable._execution_engine
    list(both_walks())
    assert (Variable._execution_engine, historical.HistoricalVariable._execution_engine) == engines


def test_two_backwards_of_a_program_are_one_trace():
    then, today = walks_of("a_gradient_used_twice")
    for run in (then, today):
        assert [step.event for step in run.trace].count("begin") == 2
        assert [step.index for step in run.trace] == list(range(len(run.trace)))
    sums = [step.after["values"] for step in then.trace if step.event == "accumulate"]
    assert sums == [[2.0], [6.0]]


needs_layout = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")
LOOK = """
    const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
    const lit = (track, name) => [...track.querySelectorAll(`.node.${name} text.name`)].map((e) => e.textContent);
    return {
        words: document.getElementById("words").textContent.split("\\n"),
        place: document.getElementById("place").textContent,
        title: document.getElementById("program").selectedOptions[0].textContent,
        lit: [...document.querySelectorAll(".track")].map((track) => lit(track, "lit")),
        wrong: [...document.querySelectorAll(".track")].map((track) => lit(track, "wrong")),
        reason: [...document.querySelectorAll(".wrong-text")].map((e) => e.hidden ? "" : e.textContent),
        lines: [...document.querySelectorAll(".line.now .text")].map((e) => e.textContent.trim()),
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
"""


@needs_layout
def test_the_page_in_a_browser(opened, tmp_path):
    historical.page(tmp_path / "museum.html")
    text = (tmp_path / "museum.html").read_text(encoding="utf-8")
    browser = opened(text, "#program=1&step=25")
    seen = browser.execute_script(LOOK)
    assert seen["words"] == [
        "v0.1.1: It is added to the gradient of x #1: [1] + [3] = [4].",
        "today: It is added to the gradient of x #1: [1] + [3] = [4].",
    ]
    assert seen["place"] == "step 25 of 35"
    assert seen["lit"][0] == ["x #1", "y #2"] == seen["wrong"][0] and seen["wrong"][1] == []
    assert seen["reason"][0].startswith("Incorrect since step 25: The sum for x #1") and seen["reason"][1] == ""
    assert seen["lines"] == ["self._add(gradients, prev_fn, output_nr, grad)"] * 2
    assert len(browser.find_elements("css selector", "#program option")) == len(WRONG)
    assert not browser.find_elements("css selector", "#modes button"), "one walk would tell the answers about the other"
    link = browser.find_element("css selector", "#text a")
    assert link.text == "The error occurs at step 25."
    # In one script, before the address could follow to step 1: it still is the link's, so no navigation would occur.
    browser.execute_script("document.getElementById('first').click(); arguments[0].click()", link)
    assert browser.execute_script(LOOK)["place"] == "step 25 of 35"
    forward, back = browser.find_element("id", "next"), browser.find_element("id", "back")
    forward.click()
    assert browser.execute_script(LOOK)["place"] == "step 26 of 35"
    back.click()
    back.click()
    seen = browser.execute_script(LOOK)
    assert seen["place"] == "step 24 of 35" and seen["reason"] == ["", ""]
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", "program")).select_by_visible_text(
        "F6: data changed between forward and backward"
    )
    browser.find_element("id", "last").click()
    seen = browser.execute_script(LOOK)
    assert re.match("Incorrect since step [45]: Today backward stops at this step with an error", seen["reason"][0])
    assert seen["title"].startswith("F6")


@needs_layout
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_page_is_as_wide_as_the_window(opened, size):
    browser = opened(historical.page(lang="zh"))
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        seen = browser.execute_script(LOOK)
        assert seen["wide"] <= 0
        assert "根节点" in seen["words"][0] and seen["words"][1].startswith("今天")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@needs_layout
@pytest.mark.slow
def test_every_program_can_be_walked_to_its_end(opened):
    browser = opened(html())
    for number in range(len(WRONG)):
        seen = browser.execute_script(
            "const s = document.getElementById('program'); s.value = arguments[0]; s.onchange({ target: s });"
            "page.stepper.go(page.stepper.last);" + LOOK,
            number,
        )
        assert seen["reason"][0].startswith("Incorrect since step ")
        assert all(reason == "" for reason in seen["reason"][1:])
