"""Predict and free choice in a browser: by mouse and by keys, right and wrong, undo, the score as text."""

import pytest

from legacy_autograd import drawing
from legacy_autograd.drawing import layout, page
from legacy_autograd.tensor import Tensor

from .graphs import diamond, variable
from .test_derivatives import Square
from .test_diagrams import FOLDER
from .test_page import html_of, press
from .test_page_view import html_of as html
from .test_page_view import soon
from .test_questions import branch, network, traced_diamond

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")


def mode(browser, key):
    browser.find_element("css selector", f'#modes button[value="{key}"]').click()


def panel(browser):
    """What the panel says: the question, the verdict, the score; and where the page is."""
    return browser.execute_script("""
        const text = (name) => document.querySelector(`#aside .${name}`).innerText.trim();
        const step = page.stepper.index + 1;
        return { ask: text("ask"), verdict: text("verdict"), score: text("score summary"), step };
    """)


def go_on(browser):
    browser.find_element("css selector", "#aside .acts button").click()


def to_question(browser, part):
    """Step forward until a question that contains `part` is asked."""
    found = browser.execute_script(
        """
        const asks = () => document.querySelector("#aside .ask").textContent.includes(arguments[0]);
        const button = document.querySelector("#aside .acts button");
        for (let i = 0; i < page.stepper.last && !asks(); i++) button.click();
        return asks();
        """,
        part,
    )
    assert found, f"no question has {part!r}"


def type_answer(browser, text):
    field = browser.find_element("id", "answer-text")
    field.clear()
    field.send_keys(text + "\n")


def pick(browser, number):
    browser.find_element("css selector", f'#aside .picks button[value="{number}"]').click()


def node(browser, number):
    return browser.find_element("id", f"t0-f{number}")


def test_predict_asks_judges_and_keeps_the_score(sized, tmp_path):
    browser = sized(html_of(traced_diamond(), tmp_path))
    mode(browser, "predict")
    assert panel(browser)["ask"].endswith("How many gradients will x #1 receive?")
    type_answer(browser, "1")
    assert panel(browser)["verdict"].startswith("Not yet. Count the arrows that point at x #1")
    type_answer(browser, "2")
    assert panel(browser)["verdict"] == ("Correct. x #1 was used by Mul #3, Add #4. Every use sends one gradient back.")
    assert panel(browser)["score"] == "0 of 1 correct at the first attempt"
    to_question(browser, "Which Function runs next?")
    node(browser, 3).click()
    assert "last in, first out" in panel(browser)["verdict"]
    assert "mark-wrong" in node(browser, 3).get_attribute("class")
    node(browser, 4).click()
    assert panel(browser)["verdict"].startswith("Correct. Add #4 is the last one on the stack")
    to_question(browser, "x.grad")
    type_answer(browser, "[4.0]")
    assert panel(browser)["verdict"].startswith("Correct. 1 had already arrived, and 1 + 3 = 4.")
    assert panel(browser)["score"] == "1 of 3 correct at the first attempt"
    to_question(browser, "y.grad")
    browser.find_element("xpath", "//*[@id='aside']//button[text()='Show the answer']").click()
    assert panel(browser)["verdict"].startswith("The answer is 3.")
    browser.find_element("css selector", "#aside .score summary").click()
    assert browser.find_element("css selector", "#aside textarea").get_attribute("value").splitlines() == [
        "backward of z",
        "1 of 4 correct at the first attempt, 1 shown",
        "step 2: The engine counts before it runs anything. How many gradients will x #1 receive? 1 ✗, 2 ✓",
        "step 13: Which Function runs next? Mul #3 ✗, Add #4 ✓",
        "step 25: 3 now arrives at x #1 from Mul #3. What will be added to x.grad? [4.0] ✓",
        "step 29: 2 now arrives at y #2 from Mul #3. What will be added to y.grad? (shown: 3)",
    ]


def test_predict_hides_what_comes(sized, tmp_path):
    browser = sized(html_of(traced_diamond(), tmp_path))
    browser.find_element("css selector", "#all summary").click()
    mode(browser, "predict")

    def seen():
        return browser.execute_script("""
            const rows = [...document.querySelectorAll(".steps tbody tr")];
            return [page.stepper.index, rows.filter((row) => !row.hidden).length];
        """)

    assert seen() == [0, 1]
    press(browser, "END")  # in the field of the first question: it moves the cursor there, or nothing
    browser.execute_script("document.activeElement.blur()")
    press(browser, "END")
    assert seen() == [0, 1]
    browser.execute_script(
        "const slider = document.getElementById('slider'); slider.value = 20; slider.dispatchEvent(new Event('input'));"
    )
    assert seen() == [0, 1]
    browser.find_element("css selector", '#grains button[value="function"]').click()
    press(browser, "ARROW_RIGHT")
    first = seen()
    press(browser, "ARROW_RIGHT")
    assert panel(browser)["ask"] == "Which Function runs next?"
    assert first[0] < seen()[0] == 11
    press(browser, "ARROW_RIGHT")  # the turn of Add #4 is longer: it halts at a question in the middle
    assert panel(browser)["ask"].startswith("Add #4 now passes a gradient to x #1.")
    assert seen() == [13, 14]
    mode(browser, "watch")
    assert seen() == [13, 35]


def test_predict_by_keys_alone(sized, tmp_path):
    browser = sized(html_of(traced_diamond(), tmp_path))
    browser.execute_script("""document.querySelector('#modes button[value="predict"]').focus()""")
    press(browser, "ENTER")

    def focused():
        return browser.execute_script("return document.activeElement.textContent || document.activeElement.id")

    assert focused() == "answer-text"  # entering the mode by keys goes to its first question
    browser.switch_to.active_element.send_keys("2\n")
    assert focused() == "Continue"
    press(browser, "ENTER")
    while not panel(browser)["ask"].startswith("Which Function"):
        type_answer(browser, "1") if browser.find_elements("id", "answer-text") else None
        press(browser, "ENTER")
    assert focused() == "Mul #3"
    press(browser, "TAB", "ENTER")
    assert panel(browser)["verdict"].startswith("Correct. Add #4")
    assert focused() == "Continue"


def result(browser):
    """{name of the grad: (the reader's, the correct one)}, the reasons, and the lesson."""
    rows = browser.find_elements("css selector", "#aside .result tbody tr")
    cells = [[cell.text for cell in row.find_elements("css selector", "td")] for row in rows]
    reasons = [one.text for one in browser.find_elements("css selector", "#aside .reasons li")]
    return {name: (got, wanted) for name, got, wanted in cells}, reasons, panel_lesson(browser)


def panel_lesson(browser):
    return browser.find_element("css selector", "#aside .result .verdict").text


def compare(browser):
    browser.find_element("xpath", "//*[@id='aside']//button[text()='Compare with the correct gradients']").click()


def log(browser):
    return [one.text for one in browser.find_elements("css selector", "#aside .log li")]


def test_free_choice_shows_what_is_lost_and_undo_brings_it_back(sized, tmp_path):
    browser = sized(html_of(traced_diamond(), tmp_path), "#step=20")
    mode(browser, "choice")
    assert browser.find_element("id", "words").text == "Add #5 has received the gradient 1: backward starts with it."
    node(browser, 1).click()  # has received nothing
    assert log(browser) == []
    node(browser, 5).click()
    pick(browser, 3)
    pick(browser, 1)
    assert log(browser)[-1] == (
        "x #1 added 3 to x.grad, which is now 3.\nToo early: the gradient from Add #4 was missing."
    )
    pick(browser, 4)
    pick(browser, 2)
    compare(browser)
    assert result(browser) == (
        {"x.grad": ("3 ✗", "4"), "y.grad": ("3 ✓", "3")},
        ["x #1 had run before 1 from Add #4 arrived, and did not add it to x.grad."],
        "Some gradients are incorrect, and there was no error message. An engine must know how many gradients are "
        "still missing, so it counts first, and waits.",
    )
    pick(browser, 1)  # once more: 3 + 1 is added to the 3
    assert result(browser)[0]["x.grad"] == ("7 ✗", "4")
    for _ in range(4):
        browser.find_element("xpath", "//*[@id='aside']//button[text()='Undo']").click()
    assert len(log(browser)) == 2
    for number in (4, 1, 2):
        pick(browser, number)
    assert result(browser)[0] == {"x.grad": ("4 ✓", "4"), "y.grad": ("3 ✓", "3")}
    assert panel_lesson(browser).startswith("All gradients are correct. Every Function ran once")
    mode(browser, "watch")
    assert browser.execute_script("return page.stepper.index") == 19
    assert (
        browser.find_element("css selector", "#t0-f3")
        .get_attribute("aria-label")
        .endswith("Mul #3, Add #5, 1, grad 1, ready")
    )


def test_free_choice_with_only_what_is_new_by_keys(sized, tmp_path):
    browser = sized(html_of(traced_diamond(), tmp_path))
    mode(browser, "choice")
    browser.find_element("css selector", 'input[value="new"]').click()
    for number in (5, 3, 1, 4, 1, 2):
        browser.execute_script(f"document.querySelector('.picks button[value=\"{number}\"]').focus()")
        press(browser, "ENTER")
        assert browser.execute_script("return document.activeElement !== document.body")
    assert result(browser)[0] == {"x.grad": ("4 ✓", "4"), "y.grad": ("3 ✓", "3")}
    assert "it took 6 runs; the engine needs 5" in panel_lesson(browser)


def test_the_page_says_why_free_choice_is_not_offered(sized):
    y = variable(3.0)
    for _ in range(60):
        y = y * 2
    browser = sized(html(drawing.trace_backward(y)), "#mode=choice")
    text = browser.find_element("id", "aside").text
    assert (
        "Free choice is not available for this graph. It needs a graph of at most 60 Functions; this one has 61."
        in text
    )


def run_in_order(browser, trace):
    for number in [step.function for step in trace if step.event == "pop"]:
        browser.execute_script(f"""document.querySelector('.picks button[value="{number}"]').click()""")


def test_be_the_engine_on_the_page_that_the_site_links_to(sized):
    text = (FOLDER / "regression_backward.html").read_text(encoding="utf-8")
    browser = sized(text, "#mode=choice")
    assert "not available" not in browser.find_element("id", "aside").text
    steps = "return page.program.steps.filter(({ event }) => event === 'pop').map(({ facts }) => facts.of)"
    for number in browser.execute_script(steps):
        pick(browser, number)
    right, reasons, lesson = result(browser)
    assert right and all(got == f"{wanted} ✓" for got, wanted in right.values()) and not reasons
    assert lesson.startswith("All gradients are correct. Every Function ran once")
    assert "(1, 10) norm" in log(browser)[1], "the tensors have ten elements"


def test_free_choice_with_a_users_function_and_a_hook(sized):
    (half,) = Square()(variable(3.0) * 2)  # 6, squared: 36
    half.register_hook(lambda grad: grad.mul(10))
    trace = drawing.trace_backward(half * half + half)
    browser = sized(html(trace), "#mode=choice")
    assert [node.kind for node in trace.nodes.values()] == ["Leaf", "MulConstant", "Square", "Mul", "Add"]
    run_in_order(browser, trace)
    # Square receives 36 + 36 + 1 = 73, its hook makes that 730; times 2 * 6, times 2
    assert list(result(browser)[0].values()) == [("17520 ✓", "17520")]
    browser.find_element("xpath", "//*[@id='aside']//button[text()='Start again']").click()
    for number in (5, 3, 2, 1, 4):  # Square too early, with 1
        pick(browser, number)
    assert log(browser)[1] == (
        "Square #3 ran with 1 and passed on ? to MulConstant #2.\nToo early: the gradients from Mul #4 were missing.\n"
        "Its backward is a user's, or has a hook: the page knows what it returned for 73, and not what it returns "
        "for 1."
    )
    compare(browser)
    assert list(result(browser)[0].values()) == [("? ✗", "17520")]
    assert browser.execute_script("return document.querySelector('#t0-f2 .slot .part').textContent") == "?"


@pytest.mark.slow
@pytest.mark.parametrize("make", [branch, network])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_question_of_other_graphs_can_be_answered(sized, tmp_path, make, lang):
    trace = make()
    trace.lang = lang
    browser = sized(html_of(trace, tmp_path))
    mode(browser, "predict")
    asked = 0
    while panel(browser)["step"] < len(trace):
        question = browser.execute_script("""
            const steps = page.questions.read(page.program);
            const question = page.questions.ask(page.program.tracks[0], steps, page.stepper.index);
            return question && [question.kind, question.answer, page.questions.answerText(question)];
        """)
        if question:
            asked += 1
            kind, answer, text = question
            if kind == "next":
                wrong = browser.find_elements("css selector", f'#aside .picks button:not([value="{answer}"])')
                wrong[0].click()
            else:
                type_answer(browser, "-12345")
            assert "wrong" in browser.find_element("css selector", "#aside .verdict").get_attribute("class")
            pick(browser, answer) if kind == "next" else type_answer(browser, text)
            assert "right" in browser.find_element("css selector", "#aside .verdict").get_attribute("class")
        go_on(browser)
    assert asked > 5
    assert str(asked) in panel(browser)["score"]


@pytest.mark.slow
@pytest.mark.parametrize("make", [branch, network])
def test_free_choice_of_other_graphs_in_the_order_of_the_engine_and_in_others(sized, tmp_path, make):
    trace = make()
    order = [step.function for step in trace if step.event == "pop"]
    browser = sized(html_of(trace, tmp_path))
    mode(browser, "choice")
    for number in order:
        pick(browser, number)
    right, reasons, _ = result(browser)
    assert not reasons and all(got == f"{wanted} ✓" for got, wanted in right.values())
    browser.find_element("xpath", "//*[@id='aside']//button[text()='Start again']").click()
    assert log(browser) == []
    # The first in the list, never one twice: something comes too late.
    done = set()
    while left := [
        number
        for number in browser.execute_script(
            "return [...document.querySelectorAll('#aside .picks > button')].map((one) => Number(one.value))"
        )
        if number not in done
    ]:
        done.add(left[-1])
        pick(browser, left[-1])
    compare(browser)
    wrong, reasons, lesson = result(browser)
    assert any("✗" in got for got, _ in wrong.values()) == bool(reasons)
    assert lesson.startswith("Some gradients are incorrect" if reasons else "All gradients are correct")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["predict", "choice"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_panel_fits_every_window(sized, tmp_path, kind, size):
    x, y, z = diamond()
    x.grad = Tensor([10.0])
    browser = sized(html_of(drawing.trace_backward(z), tmp_path))
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        mode(browser, kind)
        root = "document.documentElement"
        assert browser.execute_script(f"return {root}.scrollWidth <= {root}.clientWidth")
        tops = browser.execute_script("""
            return [".graph", "#aside"].map((name) => document.querySelector(name).getBoundingClientRect())
                .map(({ top, bottom, left }) => [top, bottom, left]);
        """)
        (_, graph_bottom, _), (aside_top, _, aside_left) = tops
        assert aside_left > 600 if width > 1000 else graph_bottom < aside_top < height * 0.6
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_score_is_copied(sized, tmp_path):
    browser = sized(html_of(traced_diamond(), tmp_path))
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite"]})
    mode(browser, "predict")
    type_answer(browser, "2")
    browser.find_element("css selector", "#aside .score summary").click()
    browser.find_element("xpath", "//*[@id='aside']//button[text()='Copy as text']").click()
    copied = browser.execute_async_script("""
        const done = arguments[0];
        setTimeout(() => navigator.clipboard.readText().then(done, (error) => done(String(error))), 50);
    """)
    assert copied.startswith("backward of z\n1 of 1 correct at the first attempt\nstep 2:")
    assert browser.find_element("css selector", "#aside .copied").text == "Copied."
    browser.find_element("xpath", "//*[@id='aside']//button[text()='Start again']").click()
    assert panel(browser)["score"] == "No question answered yet."
    assert panel(browser)["step"] == 1


CONTRASTS = """
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgb = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const behind = (one) => {
      for (; one; one = one.parentElement) {
        const color = rgb(getComputedStyle(one).backgroundColor);
        if (color[3] === 255) return color;
      }
      return [255, 255, 255, 255];
    };
    const light = (color) => {
      const parts = color.slice(0, 3).map((x) => x / 255);
      const [r, g, b] = parts.map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const texts = [...document.querySelectorAll("#aside *")].filter((one) => one.checkVisibility() && !one.disabled &&
      [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
    return texts.map((one) => {
      const [a, b] = [light(rgb(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x);
      return [one.textContent.slice(0, 40), (a + 0.05) / (b + 0.05)];
    });
"""


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_panel_can_be_read(sized, tmp_path, theme):
    browser = sized(html_of(traced_diamond(), tmp_path))
    browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    mode(browser, "predict")
    type_answer(browser, "1")
    found = browser.execute_script(CONTRASTS)
    type_answer(browser, "2")
    found += browser.execute_script(CONTRASTS)
    mode(browser, "choice")
    for number in (5, 3, 1, 4, 2):
        pick(browser, number)
    compare(browser)
    found += browser.execute_script(CONTRASTS)
    assert len(found) > 30
    assert [(text, ratio) for text, ratio in found if ratio < 4.5] == []


def test_of_several_processes_the_question_names_one(sized, tmp_path):
    drawing.save_page(tmp_path / "both.html", {"one": traced_diamond(), "two": traced_diamond()})
    browser = sized((tmp_path / "both.html").read_text(encoding="utf-8"))
    mode(browser, "predict")
    to_question(browser, "two: Which Function runs next?")
    browser.find_element("id", "t0-f4").click()  # of the other process
    assert panel(browser)["verdict"] == ""
    browser.find_element("id", "t1-f4").click()
    assert panel(browser)["verdict"].startswith("Correct.")
    browser.find_element("css selector", "#aside .score summary").click()
    score = browser.find_element("css selector", "#aside textarea").get_attribute("value")
    assert "step 26: two: Which Function runs next? Add #4 ✓" in score


# --- on to the next question, links


def test_predict_plays_on_to_the_next_question_by_itself(opened):
    browser = opened(html(traced_diamond()), "#step=3&mode=predict")  # here nothing is asked
    browser.execute_script("document.getElementById('speed').value = '4'")
    soon(lambda: panel(browser)["ask"] == "Which Function runs next?")
    assert panel(browser)["step"] == 12
    pick(browser, 4)
    # In one command: a busy machine may need longer from one to the next than the page plays.
    assert browser.execute_script("""
        document.querySelector('#aside .acts button').click();
        return document.getElementById('play').classList.contains('on');
    """)
    soon(lambda: panel(browser)["ask"].startswith("Add #4 now passes a gradient to x #1."))
    assert not browser.execute_script("return document.getElementById('play').classList.contains('on')")
    type_answer(browser, "1")
    # The second click comes while it plays: at once.
    browser.execute_script("for (let i = 0; i < 2; i++) document.querySelector('#aside .acts button').click()")
    assert panel(browser)["ask"] == "Which Function runs next?" and panel(browser)["step"] == 20


def test_a_link_opens_the_page_in_a_mode(sized):
    text = html(traced_diamond())
    browser = sized(text, "#step=12&mode=predict")
    assert panel(browser) == {
        "ask": "Which Function runs next?",
        "verdict": "",
        "score": "No question answered yet.",
        "step": 12,
    }
    browser.execute_script("location.hash = '#mode=choice'")
    soon(lambda: browser.find_element("id", "app").get_attribute("data-mode") == "choice")
    assert browser.find_elements("css selector", "#aside .picks button[value='5']")
    mode(browser, "watch")
    soon(lambda: "mode" not in browser.current_url)
    mode(browser, "predict")
    soon(lambda: browser.current_url.endswith("#step=1&mode=predict"))
    for wrong in ("#mode=nothing", "#mode=predict%20"):
        browser = sized(text, wrong)
        assert browser.find_element("id", "app").get_attribute("data-mode") == "watch"


def test_the_link_to_a_step_is_copied(sized):
    browser = sized(html(traced_diamond()), "#step=12&mode=predict")
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite"]})
    browser.find_element("id", "link").click()
    soon(lambda: browser.find_element("id", "linked").text == "Link copied")
    copied = browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert copied == browser.current_url.partition("#")[0] + "#step=12&mode=predict"
    mode(browser, "watch")
    browser.switch_to.active_element.send_keys("l")
    copied = copied.removesuffix("&mode=predict")
    soon(lambda: browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == copied)
    embedded = sized(page.page([traced_diamond()], embedded=True))
    assert not embedded.find_element("id", "link").is_displayed(), "a frame in a notebook has no address"


def test_the_uses_of_each_output_are_asked_for(sized):
    first, second = variable(1.0, 2.0, 3.0, 4.0).chunk(2, 0)
    trace = drawing.trace_backward((first * first + second).sum())
    browser = sized(html(trace), "#mode=predict")
    number = next(number for number, node in trace.nodes.items() if node.kind == "Chunk")
    assert panel(browser)["ask"].endswith(
        f"How many gradients will the 2 outputs of Chunk #{number} receive, in their order?"
    )
    type_answer(browser, "3")
    assert "has 2 outputs. You typed 1 numbers." in panel(browser)["verdict"]
    type_answer(browser, "[1, 1]")
    assert "Not yet. Count the arrows that point at each output" in panel(browser)["verdict"]
    type_answer(browser, "[2, 1]")
    assert panel(browser)["verdict"] == (
        f"Correct. Of Chunk #{number}, output 0 was used by Mul #3 ×2, output 1 was used by Add #4. "
        "Every use sends one gradient back."
    )
