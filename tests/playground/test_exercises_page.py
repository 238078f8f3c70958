"""The exercises in the live page: text, hints, check, report, progress, and the files to hand in."""

import json

import pytest

from legacy_autograd import exercises
from legacy_autograd.exercises import reports, template


def answer(number, wrong=None):
    """Return the reference's code cells as the page's editor has them; `wrong` is a pair of texts to exchange."""
    exercise = exercises.load(number)
    cells = template.solved(template.read(exercise))
    code = [cell for cell in cells if cell.kind in ("given", "solution") and cell.source.strip()]
    text = "\n".join(f"# %%\n{cell.source}" for cell in code)
    if wrong:
        assert text.count(wrong[0]) == 1
        text = text.replace(*wrong)
    return text


def check(play, number, source, lang="en"):
    """Check `source` as the answer to an exercise, and return the report."""
    show(play, number, lang)
    play.write(source, "#exercise-editor")
    play.press("#check")
    play.until_enabled("#check")
    return play.text("#report")


def show(play, number, lang="en"):
    title = reports.title(exercises.load(number), lang)
    play.script("location.hash = arguments[0]", f"#exercise={number}")
    play.until(lambda: play.all("#exercise-editor .cm-content"))
    play.until(
        lambda: (
            f"{number}. {title}" in play.script("return document.querySelector('#exercise').selectedOptions[0]?.text")
        )
    )


WRONG = {  # {number: (a part of the reference, what takes its place)}; each is a mistake that its checks explain
    1: ("return grad_output, grad_output.neg()", "return grad_output, grad_output"),
    3: ("self.variable.grad.add_(grad_output[0])", "self.variable._grad = grad_output[0]"),
    5: ("else before.add(grad)", "else before.add_(grad)"),
}


@pytest.mark.parametrize("number", [1, 3, 5])
def test_the_reference_passes_and_a_mistake_is_refused(play, number):
    report = check(play, number, answer(number))
    points = exercises.load(number).points
    assert "FAILED" not in report and f"All {points} points" in play.text("#check-status")
    assert play.script("return document.querySelector('#exercise').selectedOptions[0].text").endswith(": done")
    report = check(play, number, answer(number, WRONG[number]))
    assert "FAILED" in report and "because" in report and "python -m" not in report
    assert play.all(".state.FAILED")
    assert number != 5 or play.all("#report img")  # the graph on which it failed


@pytest.mark.slow
def test_text_hints_and_progress(play):
    play.script("localStorage.clear()")
    play.open(fragment="#exercise=3")
    play.until(lambda: play.all("#exercise-editor .cm-content"))
    assert "where gradients are summed" in play.text(".text")
    assert "return ()" not in play.text("#exercise-editor") and "return ()" in play.text(".parts")
    hint = play.all(".parts li")[3].find_elements("css selector", "button")[2]
    shown = "return [...document.querySelectorAll('.hints p')].filter((p) => !p.hidden).map((p) => p.textContent)"
    assert play.script(shown) == []
    play.script("arguments[0].click()", hint)
    assert play.script(shown) == ["return ()"] and hint.get_attribute("aria-expanded") == "true"
    states = "return [...document.querySelectorAll('#exercise option')].map((option) => option.text.split(': ').at(-1))"
    assert play.script(states) == ["not started"] * 11
    play.write("begun = 1", "#exercise-editor")
    assert play.script(states)[2] == "started"
    play.press("#view-program")
    play.press("#view-exercises")  # leads to the first that is not done
    play.until(lambda: "Local derivatives" in play.text(".text"))
    play.open(fragment="#exercise=3")
    play.until(lambda: play.all("#exercise-editor .cm-content"))
    assert play.text("#exercise-editor .cm-line") == "begun = 1"


@pytest.mark.slow
def test_an_endless_answer_is_stopped(play):
    show(play, 3)
    play.write("while True: pass", "#exercise-editor")
    play.press("#check")
    play.until_enabled("#stop-check")
    play.press("#stop-check")
    play.until(lambda: "Stopped" in play.text("#report"))
    assert play.text("#exercise-editor .cm-line") == "while True: pass"


@pytest.mark.slow
def test_the_notebook_to_hand_in_holds_the_code_and_the_tests(play, tmp_path):
    source = answer(3)
    show(play, 3)
    play.write(source, "#exercise-editor")
    play.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    for kind in ("ipynb", "py"):
        play.script("const s = document.querySelector('#save-answer'); s.value = arguments[0]; s.onchange()", kind)
    play.until(lambda: (tmp_path / "03_leaf.ipynb").exists() and (tmp_path / "03_leaf.py").exists())
    assert (tmp_path / "03_leaf.py").read_text(encoding="utf-8") == source
    notebook = json.loads((tmp_path / "03_leaf.ipynb").read_text(encoding="utf-8"))
    # The same as the released notebook with the reference's code in its cells.
    exercise = exercises.load(3)
    expected = template.as_notebook(exercise, template.solved(template.read(exercise)))
    for cell, other in zip(notebook["cells"], expected["cells"], strict=True):
        assert cell["metadata"] == other["metadata"]
        if not cell["metadata"]["nbgrader"]["grade"]:
            assert "".join(cell["source"]) == "".join(other["source"])


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 4, 6, 7, 8, 9, 10, 11])
def test_each_reference_passes(play, number):
    report = check(play, number, answer(number))
    assert "FAILED" not in report and f"All {exercises.load(number).points} points" in play.text("#check-status")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 12))
def test_an_exercise_that_is_not_written_earns_nothing(play, number):
    play.script("localStorage.clear()")  # answers of other tests
    play.open()
    show(play, number)
    play.press("#check")
    play.until_enabled("#check")
    assert play.text("#check-status").startswith("0 of ")
