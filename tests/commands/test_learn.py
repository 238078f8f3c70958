"""`legacy-autograd learn`: what it copies, what it leaves alone, and how it opens JupyterLab."""

import json
import re
import sys
from pathlib import Path

import pytest

from legacy_autograd import exercises
from legacy_autograd.__main__ import main
from legacy_autograd.commands import learn

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def signatures(tmp_path_factory, monkeypatch):
    """Jupyter's folder for data, where it keeps its signatures: one of the test's own."""
    folder = tmp_path_factory.mktemp("jupyter")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(folder))
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A folder with the course that nothing changes."""
    folder = tmp_path_factory.mktemp("course")
    learn.copy_course(folder)
    return folder


@pytest.fixture
def started(monkeypatch):
    """The commands that would have been started, each with its folder; JupyterLab passes for installed."""
    commands = []

    class Done:
        returncode = 0

    def note(command, cwd):
        commands.append((command[1:], cwd))
        return Done

    monkeypatch.setattr(learn.subprocess, "run", note)
    monkeypatch.setattr(learn.importlib.util, "find_spec", lambda name: name)
    return commands


def test_every_notebook_and_every_deck_is_there(course):
    for pattern in ("*.ipynb", "slides/*.ipynb"):
        names = {path.name for path in ROOT.joinpath("notebooks").glob(pattern)}
        assert names and {path.name for path in course.glob(pattern)} >= names


def test_every_link_of_the_course_leads_to_a_file_of_the_course(course):
    targets = set()
    for path in course.glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                targets.update(re.findall(r"\]\(([^)#]+)", "".join(cell["source"])))
    inside = {target for target in targets if not target.startswith("https://")}
    assert "source/legacy_autograd/autograd/engine.py" in inside
    assert [target for target in inside if not (course / target).resolve().is_relative_to(course)] == []
    assert [target for target in inside if not (course / target).is_file()] == []


def test_exercises_come_without_their_solutions_and_with_all_checks(course):
    paths = sorted(course.glob("exercises/*.ipynb"))
    assert [path.stem for path in paths] == [exercises.load(number).file_name for number in exercises.numbers()]
    for number, path in enumerate(paths, 1):
        text = path.read_text(encoding="utf-8")
        assert "not written yet" in text and "SOLUTION" not in text and "HIDDEN" not in text
        for name in exercises.load(number).checks:
            assert f'\\"{name}\\",' in text


def test_the_exercises_command_finds_them(course, monkeypatch, capsys):
    monkeypatch.chdir(course)
    main(["exercises"])
    shown = capsys.readouterr().out
    assert shown.count(" started") == len(exercises.NAMES) and "not started" not in shown


def test_a_changed_file_stays_and_is_named(tmp_path, capsys):
    main(["learn", "--copy-only", str(tmp_path)])
    mine = tmp_path / "02_one_subtraction.ipynb"
    original = mine.read_bytes()
    mine.write_text("my notes")
    (tmp_path / "03_the_leaf.ipynb").unlink()
    capsys.readouterr()
    assert main(["learn", "--copy-only", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "1 files written" in shown and "Kept as you changed them: 02_one_subtraction.ipynb." in shown
    assert mine.read_text() == "my notes" and (tmp_path / "03_the_leaf.ipynb").exists()
    mine.unlink()
    main(["learn", "--copy-only", str(tmp_path)])
    assert mine.read_bytes() == original


def test_notebooks_are_signed_but_for_those_that_were_changed(tmp_path):
    nbformat, sign = pytest.importorskip("nbformat"), pytest.importorskip("nbformat.sign")
    main(["learn", "--copy-only", str(tmp_path)])
    other = tmp_path / "03_the_leaf.ipynb"
    other.write_text(other.read_text(encoding="utf-8").replace("# 3.", "# Three:"), encoding="utf-8")
    main(["learn", "--copy-only", str(tmp_path)])
    notary = sign.NotebookNotary()
    unsigned = [path for path in tmp_path.rglob("*.ipynb") if not notary.check_signature(nbformat.read(path, 4))]
    notary.store.close()
    assert unsigned == [other]


def test_where_jupyter_cannot_keep_signatures_one_sentence_says_so(tmp_path, signatures, monkeypatch, capsys):
    pytest.importorskip("nbformat.sign")
    (signatures / "file").write_text("")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(signatures / "file"))
    assert main(["learn", "--copy-only", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "The notebooks are not signed: " in shown and "Their first cells say how to trust them." in shown


def test_an_exercise_that_was_started_as_a_python_file_gets_no_notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["exercises", "start", "3"])
    learn.copy_course(tmp_path)
    assert (tmp_path / "exercises/03_leaf.py").exists() and not (tmp_path / "exercises/03_leaf.ipynb").exists()
    assert (tmp_path / "exercises/04_dependencies.ipynb").exists()


@pytest.mark.parametrize("options", [[], ["--no-browser"], ["--no-browser", "--allow-root"]])
def test_jupyterlab_is_started_in_the_folder(tmp_path, started, options):
    assert main(["learn", str(tmp_path), *options]) == 0
    assert started == [(["-m", "jupyterlab", *options], tmp_path)]


def test_without_jupyterlab_the_files_are_there_and_one_sentence_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    monkeypatch.setattr(learn.importlib.util, "find_spec", lambda name: None)
    assert main(["learn", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and 'pip install "legacy_autograd[notebooks]"' in error
    assert (tmp_path / "01_a_program_from_2016.ipynb").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(SystemExit, match="learn: cannot write into .*taken"):
        main(["learn", str(tmp_path / "taken")])
