"""All exercises are judged in the page as by the command: two workers, of which the student's holds no answers."""

import re

import pytest

from legacy_autograd import exercises
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.sandbox.host import StudentProcess

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

BEGIN = """
    const [name, done] = arguments;
    const base = new URL("./", location.href).href;
    import(base + name).then(async ({ Exercises }) => {
        window.judge = new Exercises({ base });
        await window.judge.ready;
        done(null);
    }).catch((error) => done(String(error.stack ?? error)));
"""
CHECK = """
    const [number, source, lang, done] = arguments;
    window.judge.check(number, source, lang)
        .then(done).catch((error) => done({ failure: String(error.stack ?? error) }));
"""
COUNTING = """
    const post = Worker.prototype.postMessage;
    window.verdicts = 0;
    Worker.prototype.postMessage = function (message, ...more) {
        if (message.name === "judge.verdict") window.verdicts += 1;
        return post.call(this, message, ...more);
    };
"""
LOOKING = """
import bundle, os, sys

modules = [name for name in [*sys.modules, *bundle._index] if "historical" in name or "practice" in name]
texts = []
for folder, _, files in os.walk("/usr/lib/python3.11/site-packages/legacy_autograd"):
    for file in files if not folder.endswith("templates") else []:
        with open(os.path.join(folder, file), errors="replace") as text:
            texts.append(text.read())
with open("/usr/lib/modules/student.code", "rb") as code:
    held = code.read().count(b"accumulated gradient was resized")  # a text in Leaf._accumulate
loaded = [name for name in bundle._index if name.startswith("legacy_autograd.autograd")]
raise RuntimeError(f"{modules} {sum('grad.add_' in text for text in texts)} {held} {loaded}")
"""


@pytest.fixture
def check(_shared_browser, built, served):
    """`check(number, source, lang)` returns the verdict of the page's judge."""
    address, _ = served
    (script,) = [path.name for path in built.glob("exercises_session-*.js")]
    _shared_browser.set_script_timeout(1200)
    _shared_browser.get(address + "licences.html")
    assert _shared_browser.execute_async_script(BEGIN, script) is None

    def checked(number, source, lang="en"):
        found = _shared_browser.execute_async_script(CHECK, number, source, lang)
        assert "failure" not in found, found["failure"]
        return found

    yield checked
    _shared_browser.execute_script("window.judge.close()")


def text_of(number, change):
    exercise = exercises.load(number)
    return template.as_file(exercise, change(template.read(exercise)))


@pytest.mark.parametrize("number", exercises.numbers())
def test_the_solution_passes_and_the_empty_text_does_not(check, number):
    exercise = exercises.load(number)
    found = check(number, text_of(number, template.solved))
    assert found["passed"], found["report"]
    assert found["points"] == [exercise.points] * 2 and set(found["states"].values()) == {"passed"}
    found = check(number, text_of(number, template.unsolved))
    assert not found["passed"] and found["points"] == [0, exercise.points]
    assert set(found["states"].values()) == {"not written yet"}


def test_the_questions_that_are_drawn_by_chance_are_asked_together(check, _shared_browser):
    """Each of the five programs of exercise 6 runs ten times, in a random order, for one more run of the judge."""
    _shared_browser.execute_script(COUNTING)
    assert check(6, text_of(6, template.solved))["passed"]
    assert _shared_browser.execute_script("return window.verdicts") == 6


def test_the_programs_at_an_answers_numbers_are_asked_together(check, _shared_browser):
    """The checks of exercise 3 that have random programs take one more run of the judge each, or two."""
    _shared_browser.execute_script(COUNTING)
    old = "self.variable.grad.add_(grad_output[0])"
    source = text_of(3, template.solved)
    assert old in source and check(3, source.replace(old, f"seventy = 77; {old}"))["passed"]
    assert _shared_browser.execute_script("return window.verdicts") <= 8


WRONG = {
    "adds the hooks' answer": (
        "self.variable.grad.add_(grad_output[0])",
        "self.variable.grad.add_(grad_output[0] * 2)",
    ),
    "raises": ("self.variable.grad.add_(grad_output[0])", "raise ValueError('mine')"),
    "prints": ("self.variable.grad.add_(grad_output[0])", "print('here'); self.variable.grad = grad_output[0]"),
}


@pytest.mark.parametrize("change, lang", list(zip(WRONG, ["en", "en", "zh"])))
def test_a_wrong_answer_has_the_report_of_the_command(check, change, lang, monkeypatch):
    """The page does not make a failing program smaller: each try would be a message to the other worker."""
    monkeypatch.setattr(StudentProcess, "shrinks", False)
    old, new = WRONG[change]
    source = text_of(3, template.solved)
    assert source.count(old) == 1
    source = source.replace(old, new)
    found = check(3, source, lang)
    exercise = exercises.load(3)
    results = grader.judge(exercise, template.cells_of_text(source, "your answer"), draw="svg", lang=lang)
    native = re.sub(r"\n +.(more: |更多：)python .*", "", grader.report(exercise, results, lang))
    assert not found["passed"] and found["report"] == native
    pictures = [result.picture.svg for result in results if result.picture and result.picture.svg]
    assert len(found["pictures"]) == len(pictures)


def test_the_students_worker_does_not_hold_the_answer(check):
    report = check(3, LOOKING)["report"]
    said = " ".join(report.split())
    assert "RuntimeError: [] 0 0 []" in said, report
