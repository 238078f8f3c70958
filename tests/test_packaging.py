"""The installed files are those of the folder, and the set-up prints a message when it cannot continue."""

import ast
import configparser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv
import zipfile

import graphviz
import numpy
import pytest

import legacy_autograd

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "legacy_autograd"
EXTRAS = "test train vision notebooks slides play compare distributed exercises bench site".split()


def configuration():
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory):
    """The wheel, built from a copy so that the working tree stays as it is."""
    pytest.importorskip("setuptools", minversion="77")
    copy = tmp_path_factory.mktemp("source")
    shutil.copytree(PACKAGE, copy / "legacy_autograd", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("notebooks", "diagrams"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("functions", "__pycache__"))
    for name in ("setup.cfg", "setup.py", "pyproject.toml", "README.md", "LICENSE", "FIDELITY.md"):
        shutil.copy(ROOT / name, copy)
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-c", f"from setuptools import build_meta; build_meta.build_wheel({str(out)!r})"],
        cwd=copy,
        check=True,
        capture_output=True,
    )
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture
def wheel(wheel_file):
    with zipfile.ZipFile(wheel_file) as archive:
        yield archive


@pytest.fixture(scope="module")
def installed(wheel_file, tmp_path_factory):
    """`installed("demo", ...)` runs the command of an environment that has the wheel, in a folder of its own.

    The environment sees NumPy and graphviz of this one, and neither the repository nor a network.
    """
    place = tmp_path_factory.mktemp("installed")
    venv.create(place / "env", with_pip=False)
    programs = place / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    python, folder = programs / "python", place / "folder"
    folder.mkdir()
    paths = subprocess.check_output([python, "-c", "import site; print(site.getsitepackages()[-1])"], encoding="utf-8")
    packages = pathlib.Path(paths.strip())
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LEGACY_AUTOGRAD"))}
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel_file],
        check=True,
        env=clean,
    )
    for needed in (numpy, graphviz):
        home = pathlib.Path(needed.__file__).parents[1]
        (packages / f"{needed.__name__}.pth").write_text(f"{home}\n", encoding="utf-8")

    def run(*arguments):
        return subprocess.run(
            [programs / "legacy-autograd", *arguments], cwd=folder, env=clean, capture_output=True, encoding="utf-8"
        )

    run.folder = folder
    return run


@pytest.mark.slow  # an environment is made
def test_from_the_wheel_to_the_first_picture_and_the_first_exercise(installed):
    result = installed("demo")
    assert (result.returncode, result.stderr) == (0, "") and "slope: 1.00" in result.stdout
    assert "Mm" in (installed.folder / "legacy_autograd_demo/regression.dot").read_text()
    result = installed("learn", "course", "--copy-only")
    assert result.returncode == 0 and "files written into course" in result.stdout
    copied = {path.name for path in installed.folder.glob("course/*.ipynb")}
    assert copied == {path.name for path in ROOT.glob("notebooks/*.ipynb")}
    assert (installed.folder / "course/source/diagrams/diamond_backward.svg").exists()
    result = installed("exercises", "--folder", "course/exercises", "check", "1")
    assert result.returncode == 1 and "0 of 8 points" in result.stdout
    assert installed("--version").stdout.startswith(f"legacy_autograd {legacy_autograd.__version__} ")
    assert installed("dmo").stderr.startswith("usage: legacy-autograd ")


@pytest.mark.slow  # an environment is made, and two interpreters start
def test_the_installed_command_runs_a_program_that_starts_processes(installed):
    (installed.folder / "program.py").write_text(
        "import torch\n"
        "import torch.multiprocessing as mp\n"
        "def work(queue):\n"
        "    queue.put(torch.ones(3).sum())\n"
        "if __name__ == '__main__':\n"
        "    context = mp.get_context('spawn')\n"
        "    queue = context.Queue()\n"
        "    process = context.Process(target=work, args=(queue,))\n"
        "    process.start()\n"
        "    print(queue.get(timeout=60))\n"
        "    process.join()\n"
    )
    result = installed("run", "program.py")
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "3.0", "")


def course_of(repository):
    """The files of the wheel's course, by the file of the repository that each is a copy of."""
    sources = [*repository.glob("notebooks/*.ipynb"), *repository.glob("notebooks/slides/*.ipynb")]
    sources += [repository / "notebooks/autograd_in_200_lines.py", repository / "diagrams/diamond_backward.svg"]
    sources += [repository / "FIDELITY.md"]
    return {source: f"legacy_autograd/course/{source.relative_to(repository).as_posix()}" for source in sources}


def test_the_wheel_holds_every_file_of_the_package(wheel):
    here = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "legacy_autograd/demos/norris.csv" in here
    course = course_of(ROOT)
    assert {name for name in wheel.namelist() if name.startswith("legacy_autograd/")} == here | set(course.values())
    for source, name in course.items():
        assert wheel.read(name) == source.read_bytes()


def test_the_repository_has_the_course_once():
    """`learn` finds the wheel's copy at this path first, so a copy in a clone would hide the notebooks."""
    assert not (PACKAGE / "course").exists()


def test_the_wheel_has_the_command(wheel):
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    assert wheel.read(name).decode("utf-8").split("\n")[:2] == [
        "[console_scripts]",
        "legacy-autograd = legacy_autograd.__main__:main",
    ]


def test_the_wheel_holds_the_hints(wheel):
    stubs = {f"legacy_autograd/autograd/{name}.pyi" for name in ("variable", "function", "leaf", "engine")}
    assert {"legacy_autograd/py.typed", *stubs} <= set(wheel.namelist())


def test_the_wheel_says_what_it_is(wheel):
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    lines = wheel.read(name).decode("utf-8").splitlines()
    assert f"Version: {legacy_autograd.__version__}" in lines
    for line in ("License-Expression: BSD-3-Clause", "Requires-Python: >=3.11"):
        assert line in lines
    assert [line for line in lines if line.startswith("Requires-Dist") and "extra ==" not in line] == [
        "Requires-Dist: numpy>=1.24",
        "Requires-Dist: graphviz>=0.20",
    ]
    assert {line.split(": ")[1] for line in lines if line.startswith("Provides-Extra")} == {*EXTRAS, "all"}
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_the_extra_all_means_all_extras():
    extras = configuration()["options.extras_require"]
    inside = extras["all"].strip().removeprefix("legacy_autograd[").removesuffix("]")
    assert sorted(inside.split(",")) == sorted(set(extras) - {"all"})


def test_the_licence_of_every_dependency_is_listed():
    options = configuration()
    lines = options["options"]["install_requires"].split("\n")
    lines += [line for extra in options["options.extras_require"].values() for line in extra.split("\n")]
    names = {re.match(r"[\w-]+", line)[0] for line in lines if line} - {"legacy_autograd"}
    page = (ROOT / "docs/how_to/install.md").read_text(encoding="utf-8")
    table = page.partition("## Licences of the dependencies")[2]
    assert set(re.findall(r"^\| ([\w-]+) \|", table, re.MULTILINE)) - {"package"} == names
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(options["options.extras_require"])


def test_the_base_install_needs_numpy_and_graphviz_only():
    """Anything else may be imported inside a function only, where its absence can be met with a sentence."""
    allowed = sys.stdlib_module_names | {"numpy", "graphviz", "legacy_autograd"}
    found = []
    for path in PACKAGE.rglob("*.py"):
        for statement in statements_at_import(ast.parse(path.read_text(encoding="utf-8")).body):
            if isinstance(statement, ast.Import):
                names = [alias.name for alias in statement.names]
            elif isinstance(statement, ast.ImportFrom) and statement.level == 0:
                names = [statement.module]
            else:
                continue
            found += [f"{path.relative_to(ROOT)}: {name}" for name in names if name.partition(".")[0] not in allowed]
    assert found == []


def statements_at_import(body):
    """The statements that run when a module is imported: all but those inside functions."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(statement, ast.Try) and any(catches_import_error(handler) for handler in statement.handlers):
            continue  # its absence is met there and then
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            continue  # for hints; never run
        yield statement
        for field in ("body", "orelse", "finalbody"):
            yield from statements_at_import(getattr(statement, field, []))


def catches_import_error(handler):
    return isinstance(handler.type, ast.Name) and handler.type.id in ("ImportError", "ModuleNotFoundError")


def test_torch_is_pinned_for_the_tests_and_the_set_up_finds_the_pin():
    pins = [line for line in configuration()["options.extras_require"]["test"].split() if line.startswith("torch==")]
    found = subprocess.run(
        ["sed", "-n", r"s/^ *\(torch==[0-9.]*\) *$/\1/p", ROOT / "setup.cfg"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.split()
    assert len(pins) == 1 and pins[0].startswith("torch==") and found == pins
    assert r"s/^ *\(torch==[0-9.]*\) *$/\1/p" in (ROOT / "tools/set_up.sh").read_text()


def set_up(copy_to, python, search_path):
    """tools/set_up.sh in an otherwise empty folder, with `python` as the text of the interpreter."""
    (copy_to / "tools").mkdir()
    shutil.copy(ROOT / "tools/set_up.sh", copy_to / "tools")
    if python is not None:
        interpreter = copy_to / "some_python"
        interpreter.write_text(f"#!/bin/sh\n{python}\n")
        interpreter.chmod(0o755)
    return subprocess.run(
        ["sh", "tools/set_up.sh", "base"],
        cwd=copy_to,
        env={"PATH": search_path, "PYTHON": str(copy_to / "some_python")},
        capture_output=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    "python, sentence",
    [
        (None, "there is no '.*some_python' here; install Python 3.11 or later, or name one: make PYTHON="),
        ("[ $1 = --version ] && echo Python 3.9.2; exit 1", "is Python 3.9.2, and Python 3.11 or later is needed"),
        ("case $2 in *version_info*) exit 0;; *) exit 1;; esac", "has no venv module; install it"),
    ],
)
def test_the_set_up_says_what_it_misses(tmp_path, python, sentence):
    # An apt-get that always fails, so that nothing is installed on the machine that runs the tests.
    (tmp_path / "bin").mkdir()
    apt_get = tmp_path / "bin/apt-get"
    apt_get.write_text("#!/bin/sh\nexit 1\n")
    apt_get.chmod(0o755)
    result = set_up(tmp_path, python, f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert result.returncode == 1
    assert re.search(sentence, result.stderr), result.stderr
    assert not (tmp_path / ".venv").exists()


def test_continuous_integration_runs_make_test():
    text = (ROOT / ".ci/run").read_text()
    assert "make test" in text
    assert (ROOT / ".ci/run").stat().st_mode & 0o100, ".ci/run must be executable"
