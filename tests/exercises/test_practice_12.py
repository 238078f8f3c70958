"""The steps of notebook 12: its file of 200 lines passes each, and known mistakes are named."""

import inspect
import re

import pytest

from legacy_autograd.exercises import practice
from legacy_autograd.exercises.practice_cases import n12

from .practice_answers_12 import MISTAKES, PARTS, answer


def verdict(capsys, name, parts):
    practice.check(name, parts)
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", PARTS)
def test_the_file_of_200_lines_passes(name, capsys):
    assert verdict(capsys, name, answer(name)).startswith(f"{name}: right")
    assert practice.is_right(name)


@pytest.mark.parametrize(
    "name, old, new, because", [(name, *case) for name, cases in MISTAKES.items() for case in cases]
)
def test_a_mistake_is_told_why(name, old, new, because, capsys):
    practice.check(name, answer(name))
    capsys.readouterr()
    words = verdict(capsys, name, answer(name, old, new))
    assert not words.startswith(f"{name}: right") and because in words.partition("because:")[2]
    assert not practice.is_right(name)


@pytest.mark.parametrize("name", PARTS)
def test_a_mistake_is_told_why_in_chinese(name, capsys):
    for old, new, _ in MISTAKES[name]:
        practice.check(name, answer(name, old, new), lang="zh")
        _, label, why = capsys.readouterr().out.partition("原因: ")
        words = re.sub("`[^`]*`", "", " ".join(why.split()))
        assert label and not re.search("[a-z]{2,} [a-z]{2,}", words), why


@pytest.mark.parametrize("name", PARTS)
def test_what_is_not_written_is_not_wrong(name, capsys):
    assert verdict(capsys, name, ...) == f"{name}: not written yet"


def test_every_step_has_mistakes():
    steps = {
        f"12.{name[5:]}" for name, value in vars(n12).items() if name.startswith("case_") and inspect.isfunction(value)
    }
    assert steps == set(PARTS) == set(MISTAKES)


def test_a_queue_instead_of_the_stack_is_right(capsys):
    """2016 had a stack. Any order in which each Function runs after all its consumers gives the same gradients."""
    assert verdict(
        capsys, "12.8", answer("12.8", "fn, arrived = ready.pop()", "fn, arrived = ready.pop(0)")
    ).startswith("12.8: right")
