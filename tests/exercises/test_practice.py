"""The short exercises of the notebooks: right answers pass, known mistakes are named."""

import importlib
import pkgutil

import pytest

from legacy_autograd.exercises import practice, practice_cases

from .practice_answers import RIGHT, WRONG


def said(capsys, *arguments, **options):
    if arguments[0] in ("7.2", "7.3"):
        pytest.importorskip("torch")
    practice.check(*arguments, **options)
    return capsys.readouterr().out


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_passes(name, capsys):
    for answer in RIGHT[name]:
        assert said(capsys, name, answer).startswith(f"{name}: right")


@pytest.mark.parametrize("name, answer, because", [(name, *case) for name, cases in WRONG.items() for case in cases])
def test_a_wrong_answer_is_told_why(name, answer, because, capsys):
    words = " ".join(said(capsys, name, answer).split())
    assert not words.startswith(f"{name}: right") and because in words


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_not_written_is_not_wrong(name, capsys):
    if isinstance(RIGHT[name][0], type):
        stub = type("Stub", RIGHT[name][0].__bases__, {"forward": lambda self, *tensors: ...})
        assert "not written yet" in said(capsys, name, stub)
    elif callable(RIGHT[name][0]):
        assert "not written yet" in said(capsys, name, lambda *arguments: None)
    else:
        assert "not written yet" in said(capsys, name, ...)


def test_every_short_exercise_has_answers():
    names = set()
    for module in pkgutil.iter_modules(practice_cases.__path__):
        cases = importlib.import_module(f"{practice_cases.__name__}.{module.name}")
        names |= {f"{int(module.name[1:])}.{name[5:]}" for name in vars(cases) if name.startswith("case_")}
    assert names == set(RIGHT) == set(WRONG)


def test_an_exception_names_its_line(capsys):
    words = said(capsys, "3.1", lambda start, count: start.missing)
    assert "AttributeError: 'float' object has no attribute 'missing'" in words and "start.missing" in words


def test_in_chinese(capsys):
    assert "应为: 12" in said(capsys, "3.1", lambda start, count: 2 * start, lang="zh")


def test_no_such_exercise():
    for name in ("3.9", "99.1", "x"):
        with pytest.raises(ValueError, match="there is no exercise"):
            practice.check(name, 1)
