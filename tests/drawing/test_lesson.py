"""The lesson that plays itself: its script against the traces and the notes, and the player in a browser."""

import html
import importlib.util
import re
import sys
from pathlib import Path

import pytest

from legacy_autograd import drawing
from legacy_autograd.drawing import layout, page

from .graphs import diamond, variable
from .test_page import press

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.skipif(not (ROOT / "notebooks").is_dir(), reason="the folder notebooks/ is not here"),
    pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph"),
]


@pytest.fixture(scope="module")
def lesson():
    """The module notebooks/lesson.py, which finds its neighbours beside itself."""
    before = {name: sys.modules.get(name) for name in ("build", "slides")}
    sys.path.insert(0, str(ROOT / "notebooks"))
    try:
        spec = importlib.util.spec_from_file_location("make_lesson", ROOT / "notebooks" / "lesson.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "notebooks"))
        for name, kept in before.items():
            if kept is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = kept
    return module


@pytest.fixture(scope="module")
def script(lesson):
    return lesson.script()


@pytest.fixture(scope="module")
def cues(script):
    return [cue for chapter in script for cue in chapter["cues"]]


@pytest.fixture(scope="module")
def text(lesson):
    return lesson.lesson("en")


# --- the script


def test_it_takes_the_twenty_minutes_that_it_says(cues):
    assert round(sum(cue["seconds"] for cue in cues) / 60) == 20
    assert all(5 <= cue["seconds"] <= 30 for cue in cues)


def test_each_caption_is_there_in_both_languages(cues):
    for cue in cues:
        assert not re.search("[\u4e00-\u9fff]", cue["en"]), cue["en"]
        assert re.search("[\u4e00-\u9fff]", cue["zh"]) or "=" in cue["zh"], cue["zh"]
        assert not re.search(r"\*\*|\{|\}", cue["en"] + cue["zh"].replace("Function.", "")), cue


def test_every_step_and_every_function_exists(lesson, cues):
    for shown in (cue["show"] for cue in cues):
        trace = lesson.traces()[shown["program"]]
        assert 0 <= shown["step"] < len(trace)
        assert set(shown.get("runs", [])) <= set(trace.nodes)


def test_captions_of_steps_are_the_sentences_of_the_traces(lesson, cues):
    """All of the sentences of the diamond's first turn are told, in their order."""
    for lang in lesson.NAMES:
        told = [cue[lang] for cue in cues]
        sentences = [step.text for step in lesson.traces()["diamond"].in_language(lang)][:8]
        start = told.index(sentences[0])
        assert told[start : start + len(sentences)] == sentences


def test_captions_from_the_notes_are_the_text_of_the_deck(lesson, cues):
    """Each of these sentences is in the deck, apart from the asterisks around words."""
    deck = lesson.DECK.read_text(encoding="utf-8").replace("**", "")
    for start in ("After: `_do_forward`", "5, 3, 4 … is a queue", "Then `Mul` sends 6 + 6", "How many gradients are"):
        (cue,) = [cue for cue in cues if cue["en"].startswith(start)]
        assert cue["en"] in deck and cue["zh"] in deck
    with pytest.raises(ValueError, match=r"no paragraph 9 of notes under 'Count first'"):
        lesson._captions({"notes": ["Count first", 9]}, None, lesson.notes(), {})


def test_a_question_of_the_notes_waits_for_its_answer(cues):
    (at,) = [i for i, cue in enumerate(cues) if cue["en"].startswith("Can a program find out")]
    assert cues[at]["en"].endswith("?") and cues[at + 1]["en"].startswith("No. Nothing points forwards")
    assert cues[at]["seconds"] >= 8


def test_the_numbers_in_the_captions_are_those_of_the_traces(lesson, cues):
    """By hand, at x = 2 and y = 3: dz/dx = y + 1 and dz/dy = x + 1. At x = 3, z = 4x² + 2x: 8x + 2."""
    facts = lesson.facts()
    assert (facts["diamond_grad_x"], facts["diamond_grad_y"], facts["early_grad_x"]) == ("4", "3", "26")
    assert facts["diamond_order"] == "Add #5 → Add #4 → Mul #3 → y #2 → x #1"
    assert (facts["diamond_count_x"], facts["early_count_MulConstant"]) == (2, 3)
    all_said = " ".join(cue["en"] for cue in cues)
    assert f"`dz/dx = y + 1 = {facts['diamond_grad_x']}`, `dz/dy = x + 1 = {facts['diamond_grad_y']}`" in all_said
    mul = next(step for step in lesson.traces()["early"] if step.event == "ran" and step.function == 3)
    late = [int(gradient["values"][0]) for gradient in mul.gradients]
    assert late == [6, 6]
    lost = sum(late) * 2  # MulConstant would have multiplied them by 2
    assert f"{late[0]} + {late[1]} = {sum(late)} to a Function" in all_said
    assert f"{lost} of {facts['early_grad_x']} are lost" in all_said


def test_a_line_of_code_must_be_there_once(lesson):
    source = lesson.traces()["diamond"].source
    found = lesson.line_of_engine("while ready:")
    assert source["lines"][found - source["first"]].strip() == "while ready:"
    with pytest.raises(ValueError, match="2 lines of engine.py begin with 'if not prev_fn.requires_grad:'"):
        lesson.line_of_engine("if not prev_fn.requires_grad:")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_committed_page_says_the_same_and_so_does_one_without_scripts(lesson, cues, lang):
    committed = (ROOT / "diagrams" / lesson.NAMES[lang]).read_text(encoding="utf-8")
    plain = re.search("<noscript>(.*?)</noscript>", committed, re.DOTALL)[1]
    said = [html.unescape(caption) for caption in re.findall("<p>(.*?)</p>", plain)][1:]
    assert said == [cue[lang] for cue in cues], "python notebooks/lesson.py"
    assert plain.count("<img ") == plain.count("<h2>") == 7
    assert len(committed) < 400_000


# --- the player


def now(browser):
    return browser.execute_script("""
        const chapter = document.querySelector("#chapters [aria-current]").textContent;
        const caption = document.getElementById("caption").textContent;
        const time = Number(document.getElementById("time").value);
        return { chapter, caption, time, step: page.stepper.index, mode: document.getElementById("app").dataset.mode };
    """)


def ahead(browser, seconds):
    """Let the lesson's clock see that many seconds pass at once, if it runs."""
    browser.execute_async_script(
        "const real = performance.now.bind(performance), by = arguments[0] * 1000;"
        "performance.now = () => real() + by; setTimeout(arguments[1], 250);",
        seconds,
    )


def test_nothing_moves_before_play_then_it_goes_on_and_stops(text, sized):
    browser = sized(text)
    ahead(browser, 100)
    assert now(browser)["time"] == 0
    press(browser, "SPACE")
    ahead(browser, 45)
    assert now(browser)["time"] >= 45 and now(browser)["step"] == 2
    browser.find_element("id", "lesson-play").click()
    stopped = now(browser)
    ahead(browser, 100)
    assert now(browser) == stopped


def test_speed_two_is_twice_as_fast(text, sized):
    browser = sized(text)
    browser.execute_script("document.getElementById('lesson-speed').value = '2'")
    browser.find_element("id", "lesson-play").click()
    ahead(browser, 50)
    assert 100 <= now(browser)["time"] < 150


def await_true(browser, condition):
    """Wait until a condition of the page holds; the browser ends a script that takes too long."""
    browser.execute_async_script(f"const look = () => {condition} ? arguments[0]() : setTimeout(look, 20); look()")


def test_chapters_are_reached_by_keys_and_by_the_address(lesson, script, text, sized):
    at, time = {}, 0
    for chapter in script:
        at[chapter["en"]] = time
        time += sum(cue["seconds"] for cue in chapter["cues"])
    browser = sized(text, f"#t={at['Run it'] + 1}")
    assert now(browser)["chapter"] == "Run it" and now(browser)["time"] == at["Run it"] + 1
    press(browser, "PAGE_DOWN")
    assert now(browser)["chapter"] == "A naive engine" and now(browser)["mode"] == "choice"
    await_true(browser, f"location.hash === '#t={at['A naive engine']}'")  # one address for many moves
    press(browser, "PAGE_UP", "PAGE_UP")
    assert now(browser)["chapter"] == "Predict" and now(browser)["mode"] == "watch"
    button = browser.find_elements("css selector", "#chapters button")[5]
    browser.execute_script("arguments[0].focus()", button)
    press(browser, "ENTER")
    assert now(browser)["chapter"] == "The code"
    assert browser.execute_script("return [...document.querySelectorAll('.line.told')].at(0).dataset.line") == str(
        lesson.line_of_engine("def run_backward")
    )
    browser.execute_script("document.getElementById('time').focus()")
    before = now(browser)["time"]
    press(browser, "ARROW_RIGHT")
    assert now(browser)["time"] == before + 10
    browser.execute_script("location.hash = '#t=95'")
    await_true(browser, "Number(document.getElementById('time').value) === 95")
    assert now(browser)["time"] == 95 and now(browser)["chapter"] == "The graph"


def test_every_question_is_asked_and_answered_again_after_going_back(cues, text, sized):
    browser = sized(text)
    time, asked = 0, {}
    for cue in cues:
        if cue["show"].get("mode") == "predict":
            asked.setdefault(cue["show"]["step"], []).append((time, cue["show"]["answered"]))
        time += cue["seconds"]
    verdict = "return document.querySelector('#aside .verdict').textContent"
    right = {0: "The answer is 2.", 11: "The answer is Add #4.", 20: "The answer is 3."}
    assert set(asked) == set(right)
    for _ in range(2):
        for step, moments in asked.items():
            for at, answered in moments:
                browser.execute_script("document.getElementById('time').value = arguments[0];"
                                       "document.getElementById('time').oninput()", at)  # fmt: skip
                assert now(browser)["step"] == step
                said = browser.execute_script(verdict)
                assert said[: len(right[step])] == (right[step] if answered else "")
    assert browser.execute_script("return document.activeElement === document.body")


def test_every_cue_shows_its_step_in_its_mode(lesson, cues, text, sized):
    """From the first to the last, then backwards; the browser must have nothing to complain of."""
    browser = sized(text)
    times = [sum(cue["seconds"] for cue in cues[:i]) for i in range(len(cues))]
    programs = list(lesson.traces())
    there = """
        const time = document.getElementById("time");
        return arguments[0].map((at) => {
            time.value = at;
            time.oninput();
            const { dataset } = document.getElementById("app"), program = document.getElementById("program").value;
            return [Number(program), page.stepper.index, dataset.mode, page.source.chosen];
        });
    """
    expected = [
        [programs.index(show["program"]), show["step"], show.get("mode", "watch"), show.get("tab", "words")]
        for show in (cue["show"] for cue in cues)
    ]
    assert browser.execute_script(there, times) == expected
    assert browser.execute_script(there, times[::-1]) == expected[::-1]


def test_nothing_moves_while_the_clock_stands(text, opened):
    """Without the wish for less motion: at 420 seconds a gradient has just arrived, at 745 the naive engine runs."""
    moving = "return document.getAnimations().length + document.querySelectorAll('.token').length"
    for anchor in ("#t=420", "#t=745"):
        browser = opened(text, anchor)
        assert browser.execute_script("return document.querySelectorAll('.edge.active').length") > 0
        assert browser.execute_script(moving) == 0
    browser = opened(text, "#t=405")
    press(browser, "SPACE")
    ahead(browser, 14)
    assert browser.execute_script(moving) > 0
    press(browser, "SPACE")
    assert browser.execute_script(moving) == 0


def test_the_naive_engine_fails_as_the_captions_say(cues, text, sized):
    time = sum(cue["seconds"] for cue in cues[: next(i for i, c in enumerate(cues) if c["show"].get("compare"))])
    browser = sized(text, f"#t={time}")
    cells = "return [...document.querySelectorAll('#aside .result td')].map((cell) => cell.textContent)"
    assert browser.execute_script(cells) == ["x.grad", "2 ✗", "26"]


@pytest.mark.parametrize("size", [(1280, 800), (768, 1024), (390, 844)])
def test_it_fits_the_window_and_with_reduced_motion_nothing_glides(text, sized, size):
    browser = sized(text, "#t=360", size)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    press(browser, "ARROW_RIGHT")
    assert browser.execute_script("return document.querySelectorAll('.token').length") == 0
    bottom = "return document.getElementById('player').getBoundingClientRect().bottom <= innerHeight + 1"
    assert browser.execute_script(bottom)


def test_a_page_of_programs_with_one_graph_each_changes_between_them(sized):
    """The sentence is inside the graph, which is made anew."""
    x = variable([3.0])
    traces = [drawing.trace_backward(root) for root in (diamond()[-1], x * x)]
    programs = [{"title": str(i), "text": None, "traces": {None: trace}} for i, trace in enumerate(traces)]
    browser = sized(page.programs_page(programs, "two", "en"))
    browser.execute_script("const one = document.getElementById('program'); one.value = 1; one.onchange({target: one})")
    assert browser.find_element("id", "words").text == traces[1][0].text
