"""A question's form: what it holds, and what it says to answers (in a browser)."""

import pytest

from legacy_autograd.exercises.questions import ask, blank


def form(question):
    return question._repr_mimebundle_()["text/html"]


def test_the_answer_is_folded_where_no_script_runs():
    page = form(ask(blank("`x.grad`", [1, 0.5]), because="**two** parts"))
    assert "<details><summary>Answer</summary>" in page
    assert "<code>x.grad</code>: <strong>1, 0.5</strong>" in page and "<strong>two</strong> parts" in page


def test_in_chinese():
    assert "<summary>答案</summary>" in form(ask(blank("次数", 1), because="因为", lang="zh"))


def test_text_stays_text():
    page = form(ask(blank("a < b", "</script>", wrong={"<i>": "no"}), because="a & b"))
    assert page.count("</script>") == 1 and "a &lt; b" in page and "a &amp; b" in page


def test_mistakes_of_its_author():
    with pytest.raises(ValueError, match="'x' is not one of the choices"):
        blank("which", "x", choices=["y"])
    with pytest.raises(ValueError, match="at least one blank"):
        ask(because="")
    with pytest.raises(ValueError, match="lang is one of en, zh, got 'de'"):
        ask(blank("a", 1), because="", lang="de")


def test_the_last_cell_lists_the_answers():
    question = ask(blank("calls", 2), blank("who", "Mul", choices=["Add", "Mul"]), because="so")
    assert question.answer() == "- calls: **2**\n- who: **Mul**\n\nso"
