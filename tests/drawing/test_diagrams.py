"""The committed diagrams are what the code makes today, and every Function has one."""

import html
import re
from pathlib import Path

import pytest

from legacy_autograd.autograd import function, functions
from legacy_autograd.drawing import diagrams, examples, layout

FOLDER = Path(__file__).resolve().parents[2] / "diagrams"
HOW = "make them again: python -m legacy_autograd diagrams"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder diagrams/ is not here")


def dot_of(name):
    return diagrams.all_diagrams()[name].make().source


@pytest.mark.parametrize("name", [d.name for d in diagrams.all_diagrams().values() if not d.is_trace])
def test_the_committed_dot_is_what_the_code_makes(name):
    path = FOLDER / f"{name}.dot"
    assert path.is_file(), f"there is no {name}.dot; {HOW}"
    assert path.read_text(encoding="utf-8") == dot_of(name), f"{name}.dot is out of date; {HOW}"
    assert "</svg>" in (FOLDER / f"{name}.svg").read_text(encoding="utf-8"), HOW


@pytest.mark.parametrize("name", [d.name for d in diagrams.PAGES])
def test_the_committed_pages_tell_what_the_code_does(name):
    trace = diagrams.all_diagrams()[name].make()
    text = (FOLDER / name).read_text(encoding="utf-8")
    said = re.search(r'<ol class="said"><li>(.*?)</ol>', text)[1].split("<li>")
    assert [html.unescape(sentence) for sentence in said] == [step.text for step in trace], HOW


def test_the_index_shows_all_and_nothing_lies_beside_them():
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == diagrams.index(), HOW
    known = diagrams.all_diagrams().values()
    lessons = {FOLDER / "lesson.html", FOLDER / "lesson.zh.html"}  # notebooks/lesson.py makes them
    expected = lessons | {FOLDER / "README.md"} | {FOLDER / d.name for d in known if d.is_trace}
    expected |= {FOLDER / f"{d.name}.{suffix}" for d in known if not d.is_trace for suffix in ("dot", "svg")}
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == expected
    shown = set(re.findall(r"\]\(([^)]+)\)", diagrams.index()))
    assert shown == {d.name if d.is_trace else f"{d.name}.svg" for d in known}


def test_every_function_has_a_diagram():
    classes = set()
    queue = [function.Function]
    while queue:
        for cls in queue.pop().__subclasses__():
            queue.append(cls)
            if cls.__module__.startswith(functions.__name__):
                classes.add(cls)
    drawn = set(examples.function_classes().values())
    bases = {cls.__name__ for cls in classes - drawn}
    assert bases == examples.BASES
    for cls in classes - drawn:
        assert cls.__subclasses__(), f"{cls.__name__} is called by nobody: it is no base, and needs a diagram"


@pytest.mark.parametrize("name", list(examples.function_classes()))
def test_a_functions_diagram_shows_the_function_its_inputs_and_its_outputs(name):
    called, inputs, outputs, _ = examples.example(name)
    source = dot_of(f"functions/{name}")
    assert f'label="{name}\\n' in source or f"label={name} " in source
    assert len(re.findall(r"^\tf\d+ -> f\d+ ", source, re.M)) == len(inputs) == len(called.previous_functions)
    assert len(re.findall(r"^\tv\d+_\d+ \[", source, re.M)) == len(outputs)
    cut = [output for output in outputs if output.creator is not called]
    assert source.count("not differentiable\\n") == len(cut)
    assert len(re.findall("shape=ellipse", source)) == len({id(v) for v in inputs.values()}), "a Leaf without an edge"


@pytest.mark.parametrize("name", ["linear_regression", "calls", "functions/Conv2d", "several_outputs"])
def test_made_twice_they_are_byte_for_byte_the_same(name):
    assert dot_of(name) == dot_of(name)


def test_the_command_makes_them_in_a_process_of_its_own(command, tmp_path):
    done = command("diagrams", "linear_regression", "functions/Sub", "--out", "made")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "made" / "functions" / "Sub.dot").read_bytes() == (FOLDER / "functions" / "Sub.dot").read_bytes()
    if layout.engine() is not None:
        assert done.stdout == "4 files written into made.\n"
        assert (tmp_path / "made" / "linear_regression.svg").is_file()
    listed = command("diagrams", "--list").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(diagrams.all_diagrams())


def test_the_command_speaks_of_what_it_does_not_know(command):
    done = command("diagrams", "functions/Subb")
    assert done.returncode == 1
    assert done.stderr.startswith("diagrams: no diagram 'functions/Subb'; similar names: functions/Sub")


def test_without_a_layout_the_dot_is_written(command, tmp_path):
    (tmp_path / "empty").mkdir()
    done = command("diagrams", "diamond", PATH=str(tmp_path / "empty"))
    assert done.returncode == 0
    assert (tmp_path / "diagrams" / "diamond.dot").is_file()
    if not (tmp_path / "diagrams" / "diamond.svg").is_file():
        assert "needs a layout program" in done.stderr and len(done.stderr.splitlines()) == 1
