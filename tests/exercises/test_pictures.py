"""A failing check draws its graph, with what the student's code said on it."""

import re

import pytest

from legacy_autograd import exercises
from legacy_autograd.__main__ import main
from legacy_autograd.drawing import layout
from legacy_autograd.exercises import grader, template

from . import answers

pytestmark = pytest.mark.usefixtures("fewer_programs")


def judged(number, name, checks, draw="text"):
    exercise = exercises.load(number)
    text = template.as_file(exercise, answers.cells(number, answers.of(number).WRONG[name].changes))
    results = grader.judge(exercise, template.cells_of_text(text, "answer.py"), checks, draw=draw)
    return results, grader.report(exercise, results)


@pytest.mark.parametrize(
    "number, name, check, line",
    [
        (4, "an edge is counted once", "square", r"Leaf x #1 \(1,\)  <- .*uses counted in d: \[1\], not \[2\] WRONG"),
        (
            5,
            "no counting, the first first",
            "square",
            r"<- gradient: \[6\]; backward: \[\[3\], \[3\]\], not .* WRONG",
        ),
        (8, "every element is cut", "too_long", r"Leaf x #\d \(2,\)  <- gradient: \[1, 1\], not \[0.6, 0.8\];.* WRONG"),
    ],  # fmt: skip
)
def test_the_graph_is_in_the_report(number, name, check, line):
    (result,), said = judged(number, name, [check])
    assert result.picture is not None and result.picture.svg is None
    assert re.search(line, said), said


@pytest.mark.parametrize(
    "number, name, check",
    [(2, "forward gets Variables", "a_call_with_one_output"), (9, "edges backwards", "edges_chain")],
)
def test_what_a_part_does_not_compare_is_not_marked(number, name, check):
    (result,), _ = judged(number, name, [check])
    assert "Leaf" in result.picture.text and "WRONG" not in result.picture.text


def test_only_the_first_failing_check_of_a_group_draws():
    results, _ = judged(4, "an edge is counted once", ["square", "count_programs"])
    assert [result.passed for result in results] == [False, False]
    assert [result.picture is not None for result in results] == [True, False]


@pytest.mark.slow
def test_a_graph_that_is_too_large_is_not_drawn():
    (result,), said = judged(4, "recursion", ["both_sides"])
    assert result.picture.text == "" and "(no picture: the graph has more than 60 Functions)" in said


def test_the_graph_is_that_of_the_program_that_was_made_smaller():
    (result,), _ = judged(1, "Mul right once", ["mul_programs"])
    leaves = re.findall(r"^(x\d+) = ", "\n".join(result.wrong.program), re.MULTILINE)
    assert leaves and set(re.findall(r"Leaf (\w+) #", result.picture.text)) == set(leaves)


def test_an_answer_that_is_not_written_has_no_picture():
    exercise = exercises.load(4)
    cells = [{"source": "x = 1", "label": "answer.py"}]
    assert all(result.picture is None for result in grader.judge(exercise, cells, ["square"], draw="text"))


def test_the_svg_marks_what_is_wrong_and_survives_the_child():
    if layout.engine() is None:
        pytest.skip("nothing here lays out a graph")
    exercise = exercises.load(4)
    changes = answers.of(4).WRONG["an edge is counted once"].changes
    cells = template.cells_of_text(template.as_file(exercise, answers.cells(4, changes)), "answer.py")
    (result,) = grader.judge_in_child(exercise, cells, ["square"], draw="svg")
    assert (
        "uses counted in d: [1], not [2]" in result.picture.svg.replace("&#45;", "-")
        and "#c00020" in result.picture.svg
    )


def test_the_command_writes_it_beside_the_answer_and_takes_it_away(tmp_path, monkeypatch, capsys):
    if layout.engine() is None:
        pytest.skip("nothing here lays out a graph")
    monkeypatch.setattr(grader, "judge_in_child", grader.judge)
    exercise, path = exercises.load(4), tmp_path / "04_dependencies.py"
    changes = answers.of(4).WRONG["an edge is counted once"].changes
    picture = tmp_path / "04_dependencies-square.svg"
    for given, is_there in ((changes, True), ([], False)):
        path.write_text(template.as_file(exercise, answers.cells(4, given)), encoding="utf-8")
        main(["exercises", "check", str(path)])
        assert picture.exists() == is_there
        assert (picture.name in capsys.readouterr().out) == is_there


def test_without_a_layout_program_there_is_a_sentence(monkeypatch):
    def refuse(source):
        raise layout.LayoutUnavailable("there is no dot")

    monkeypatch.setattr(layout, "to_svg", refuse)
    (result,), said = judged(4, "an edge is counted once", ["square"], "svg")
    assert result.picture.svg is None and "(no picture: there is no dot)" in said and "WRONG" in said


TWO_LEAVES = "a, b = Variable(torch.Tensor([1])), Variable(torch.Tensor([1]))\n"
PROGRAM_4 = {
    "no fault": (
        f"{TWO_LEAVES}z = a * a + b\nz.backward()\nreturn a.grad",
        "Copies that the engine made: 1; times that it wrote in place: 0; it never wrote",
        ["copied the gradient that a #1 waits with, and added to the copy"],
    ),
    # a and b wait with the gradient of their sum. The first copies it, the second writes into that of b * 7.
    "what it changed is not returned": (
        f"{TWO_LEAVES}z = b * 7 + (a * b * 5 + (a + b))\nz.backward()\nreturn a.data",
        "Copies that the engine made: 1; times that it wrote in place: 2, also into a gradient that another held",
        ["copied the gradient that a #", "; it is also held by the caller, MulConstant #2"],
    ),
    "no backward": (f"{TWO_LEAVES}return a.data", "Copies that the engine made: 0", []),
}


@pytest.mark.parametrize("code, because, shown", PROGRAM_4.values(), ids=PROGRAM_4)
def test_the_fourth_program_is_told_what_the_engine_did(code, because, shown):
    exercise = exercises.load(6)
    text = template.as_file(exercise, answers.cells(6, [answers.write("program4", code)]))
    (result,) = grader.judge(exercise, template.cells_of_text(text, "answer.py"), ["engine4_shows"], draw="text")
    assert because in result.wrong.because
    assert (result.picture is not None) == bool(shown)
    assert all(words in result.picture.text for words in shown), result.picture.text


def test_the_fourth_program_has_a_page_beside_the_answer(tmp_path, monkeypatch, capsys):
    if layout.engine() is None:
        pytest.skip("nothing here lays out a graph")
    monkeypatch.setattr(grader, "judge_in_child", grader.judge)
    exercise, path = exercises.load(6), tmp_path / "06_find_and_fix.py"
    page = tmp_path / "06_find_and_fix-engine4_shows.html"
    for changes, is_there in (([answers.write("program4", PROGRAM_4["no fault"][0])], True), ([], False)):
        path.write_text(template.as_file(exercise, answers.cells(6, changes)), encoding="utf-8")
        main(["exercises", "check", str(path)])
        assert page.exists() == is_there
        assert (page.name in capsys.readouterr().out) == is_there
