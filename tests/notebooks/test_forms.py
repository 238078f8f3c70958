"""The forms of the predictions in exported HTML, as a reader uses them: in a browser without the network."""

import re
from pathlib import Path

import pytest
from installed import needs

_NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
ANSWER = "print('the answer is 2')"


def notebook(question):
    """A notebook of one prediction, its folded answer and the text after it, as notebooks/build.py makes it."""
    needs("nbformat", "nbconvert")
    from nbformat import v4

    asked = v4.new_output("execute_result", data=question._repr_mimebundle_(), execution_count=1)
    cells = [
        v4.new_markdown_cell("**Predict.** How often?"),
        v4.new_code_cell("ask(...)", outputs=[asked], metadata={"tags": ["question"]}, execution_count=1),
        v4.new_code_cell(ANSWER, metadata={"tags": ["answer"]}),
        v4.new_markdown_cell("Text that follows."),
    ]
    return v4.new_notebook(cells=cells)


def exported(notebook, theme="light"):
    """The page that `jupyter nbconvert --to html` makes, without what it loads from the network."""
    from nbconvert import HTMLExporter

    page = HTMLExporter(theme=theme, mathjax_url="").from_notebook_node(notebook)[0]
    page = page.replace('src="../diagrams/', f'src="{_NOTEBOOKS.parent.as_uri()}/diagrams/')
    return re.sub(r'<script[^>]*\bsrc="https?://[^"]*"[^>]*></script>', "", page)


def short_page(question):
    """The cells of `notebook(question)` with the classes that the exporter gives them; made at once, without it."""
    form = question._repr_mimebundle_()["text/html"]
    return f"""<!doctype html><meta charset="utf-8">
        <div class="jp-Cell celltag_question"><div class="jp-Cell-inputWrapper">ask(...)</div>{form}</div>
        <div class="jp-Cell celltag_answer">{ANSWER}</div><div class="jp-Cell">Text that follows.</div>"""


def a_question():
    from legacy_autograd.exercises.questions import ask, blank

    wrong = {"Add": "it still waits for `Mul`"}
    calls = blank("calls", 2, wrong={1: "count both uses"})
    return ask(calls, blank("which", "Mul", choices=["Add", "Mul"], wrong=wrong), because="so it is")


class Form:
    """A form on the page, by its number."""

    def __init__(self, driver, number=0):
        self.driver = driver
        self.root = driver.find_elements("css selector", ".la-question")[number]
        self.fields = self.root.find_elements("css selector", "input, select")
        self.check, self.show = self.root.find_elements("css selector", ".la-form button")

    def fill(self, *answers):
        for field, answer in zip(self.fields, answers, strict=True):
            if field.tag_name == "input":
                field.clear()
            field.send_keys(answer)

    @property
    def says(self):
        return self.root.find_element("css selector", ".la-says").text

    @property
    def hidden(self):
        """Whether the code and its output are still hidden."""
        answers = self.driver.find_elements("css selector", ".celltag_answer")
        assert answers
        return not any(cell.is_displayed() for cell in answers)


@pytest.mark.parametrize("page", [short_page, pytest.param(lambda q: exported(notebook(q)), marks=pytest.mark.slow)])
def test_a_wrong_answer_gets_its_reason_and_the_right_one_shows_the_code(opened, page):
    form = Form(opened(page(a_question())))
    assert form.hidden
    form.fill("1", "Add")
    form.check.click()
    assert form.says == "Not yet. count both uses it still waits for Mul" and form.hidden
    form.fill("2", "Mul")
    form.check.click()
    assert form.says == "Right." and not form.hidden
    assert "so it is" in form.root.text


@pytest.mark.parametrize(
    "answer, right, wrong",
    [
        (6, [*"6 ６ 6.0 ６．０ 6。 【6】 (６) 6； ６， +6 12/2 １２／2 12\u20442".split(" "), "+ 6", "12 / 2",
             "\u3000６ "], ["−6", "6 6", "six"]),
        (-0.5, ["-.5", "－０．5", "–0.5", "—0.5", "−1/2", "‐0。5", "- 0.5", "－1／2", "﹣0.5", "-½"],
         ["0.5", "-0 .5", "--0.5"]),
        ([2, 3], ["2,3", "2, 3", "[2, 3]", "（２，３）", "２、３", "[2；3]", "【2】，【3】", "2,3,"],
         ["2 3", "23", "２　３", "[2] [3]", "3, 2"]),
        (12, ["12", "１２"], ["1 2", "１ ２", "1\u30002", "1\u00a02"]),
        ("y, *, x", ["y, *, x", "ｙ，＊，ｘ", "Y*X", "y、*、x"], ["x, *, y", "y, -, x"]),
    ],
)  # fmt: skip
def test_numbers_as_an_input_method_for_chinese_types_them(opened, answer, right, wrong):
    from legacy_autograd.exercises.questions import ask, blank

    form = Form(opened(short_page(ask(blank("one", answer), because="so"))))
    for typed in [*right, *wrong]:
        form.driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[2].click()", form.fields[0], typed, form.check
        )
        assert (form.says == "Right.") == (typed in right), (typed, form.says)


def test_a_space_within_a_number_gets_a_sentence(opened):
    from legacy_autograd.exercises.questions import ask, blank

    form = Form(opened(short_page(ask(blank("one", 12, wrong={1: "no"}), blank("two", [1, 2]), because="so"))))
    for typed in ("1 2", "１\u3000２", "[1] [2]"):
        form.fill(typed, "1, 2")
        form.check.click()
        assert form.says.startswith("Not yet. A space is no part of a number: write 12 and not 1 2, and several")
    form.fill("12", "1 2")
    form.check.click()
    assert "A space is no part of a number" in form.says


@pytest.mark.slow
def test_an_answer_without_a_reason_and_an_empty_one(opened):
    form = Form(opened(exported(notebook(a_question()))))
    form.check.click()
    assert form.says == "Not yet. Nothing is filled in." and form.hidden
    form.fill("7", "Mul")
    form.check.click()
    assert form.says == "Not yet. Look again, or show the answer." and form.hidden
    form.fill("two", "Mul")
    form.check.click()
    assert form.says.startswith("Not yet. Write a number") and form.hidden


@pytest.mark.slow
def test_show_the_answer(opened):
    form = Form(opened(exported(notebook(a_question()))))
    assert "so it is" not in form.root.text
    form.show.click()
    assert not form.hidden
    assert "calls: 2" in form.root.text and "so it is" in form.root.text


@pytest.mark.slow
def test_by_keyboard_alone(opened):
    from selenium.webdriver import ActionChains, Keys

    driver = opened(exported(notebook(a_question())))
    form = Form(driver)
    driver.execute_script("arguments[0].focus()", form.fields[0])
    ActionChains(driver).send_keys("2", Keys.TAB, "M", Keys.TAB, Keys.ENTER).perform()
    assert form.says == "Right." and not form.hidden


@pytest.mark.slow
def test_without_scripts_the_answer_is_folded_and_nothing_is_lost(opened):
    page = re.sub(r"<script\b.*?</script>", "", exported(notebook(a_question())), flags=re.DOTALL)
    driver = opened(page)
    details = driver.find_element("css selector", ".la-question details")
    assert details.is_displayed() and not details.get_property("open") and "so it is" not in details.text
    assert not driver.find_elements("css selector", "form, input, select, button, .la-quiet")  # nothing that is dead
    details.find_element("css selector", "summary").click()
    assert "so it is" in details.text
    assert driver.find_element("css selector", ".celltag_answer").is_displayed()


def stored():
    return sorted(_NOTEBOOKS.glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", stored(), ids=lambda path: path.stem)
def test_every_form_of_a_notebook_on_a_phone(opened, path):
    """At 390 pixels no form is cut or scrolls sideways; the stored answers open each form's own cells.

    Answers that are not behind a form, which notebook 12 has, are folded by Jupyter alone.
    """
    needs("nbformat", "nbconvert")
    import nbformat

    cells = nbformat.read(path, as_version=4)
    without_a_form, behind_a_form = 0, False
    for tags in [cell.metadata.get("tags", ()) for cell in cells.cells]:
        if "answer" in tags:
            without_a_form += not behind_a_form
        else:
            behind_a_form = "question" in tags
    driver = opened(exported(cells, theme="dark"))
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    )
    try:
        edges = driver.execute_script("""
            return [...document.querySelectorAll(".la-question")].map((form) => {
              const parts = [form, ...form.querySelectorAll("label, input, select, button")];
              const edges = parts.map((part) => part.getBoundingClientRect());
              return [Math.min(...edges.map((e) => e.left)), Math.max(...edges.map((e) => e.right)),
                      form.scrollWidth - form.clientWidth];
            });""")
        assert len(edges) >= 3
        assert all(left >= 0 and right <= 390 and beyond <= 0 for left, right, beyond in edges), edges
        waiting = "return [...document.querySelectorAll('.celltag_answer')].filter((e) => e.offsetParent).length"
        assert driver.execute_script(waiting) == without_a_form
        driver.execute_script("document.querySelectorAll('.la-form button[type=button]').forEach((b) => b.click())")
        total = driver.execute_script("return document.querySelectorAll('.celltag_answer').length")
        assert driver.execute_script(waiting) == total >= len(edges)
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
