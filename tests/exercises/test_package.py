"""The package of a student's process: what is removed, and what stays as it is."""

import ast
import json
import subprocess
import sys
import zipfile

import pytest

from legacy_autograd import exercises
from legacy_autograd.exercises.sandbox import launch, package

SOURCE = b'''"""Text."""
import os


def one(x): return x


class A:
    """Of A."""

    def first(
        self,
        x=len("\xc3\xa9\xc3\xa9"),  # a comment
    ):
        """Return x.

        In two lines.
        """
        # the answer
        return x  # here

    @property
    def second(self):
        return 2


def last(x):
    return os.path.join(x)
'''


def test_bodies_are_removed_and_lines_stay():
    found = package.without(SOURCE, ["one", "A.first"]).decode()
    before, after = SOURCE.decode().splitlines(), found.splitlines()
    assert len(before) == len(after)
    changed = [number for number, (one, other) in enumerate(zip(before, after), 1) if one != other]
    assert changed == [5, 15, 17, 18, 19, 20]
    assert after[4].startswith("def one(x): from legacy_autograd.exercises.answer import Withheld; raise Withheld(")
    assert "write A.first yourself: the package's own is not available here" in after[14]
    assert "answer" not in "".join(after[15:20]) and ast.parse(found)


def test_a_class_and_a_file_lose_the_bodies_of_their_methods():
    for names in (["A"], [""]):
        found = package.without(SOURCE, names).decode()
        assert "write A.second yourself" in found and "write A.first yourself" in found
        assert "def one(x): return x" in found and "return os.path.join(x)" in found


def test_a_name_that_is_not_there_is_an_error():
    with pytest.raises(LookupError, match=r"A\.third"):
        package.without(SOURCE, ["A.first", "A.third"])


@pytest.mark.parametrize("number", exercises.numbers())
def test_everything_that_is_withheld_exists(number):
    paths = [path.relative_to(package.ROOT).as_posix() for path in package.ROOT.rglob("*.py")]
    for entry in exercises.load(number).withheld:
        files = [path for path in paths if package.removed([entry], path)]
        assert files, entry
        for path in files:
            source = (package.ROOT / path).read_bytes()
            changed = package.without(source, package.removed([entry], path))
            assert changed != source or entry.endswith("/"), entry


def test_what_has_answers_is_absent(tmp_path):
    with zipfile.ZipFile(package.write(tmp_path, exercises.load(5).withheld)) as archive:
        texts = {name.partition("/")[2]: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
        found = {
            name.partition("/")[2].removesuffix("c") for name in archive.namelist() if name.endswith((".py", ".pyc"))
        }
    assert not [path for path in found if path.split("/")[0] == "historical" or "/checks/" in path]
    assert not [path for path in found if "/templates/" in path or "practice" in path]
    assert not [path for path, text in texts.items() if b"class Engine(Parts)" in text]  # a correct one, exercise 6's
    assert {path for path in found if path.startswith("autograd/fast/")} == {
        "autograd/fast/__init__.py",
        "autograd/fast/walk.py",
    }
    assert texts.keys() == found and "autograd/engine.py" in found
    assert not [path for path, text in texts.items() if b"self._complete(root, gradients)" in text]


def test_nothing_is_overwritten(tmp_path):
    package.write(tmp_path, ())
    with pytest.raises(FileExistsError):
        package.write(tmp_path, ())


def test_an_installation_in_development_mode_is_not_found(tmp_path):
    """Its finder knows the modules that this package does not have."""
    archive = package.write(tmp_path, ())
    program = f"""
import importlib.machinery, sys
sys.path.insert(0, {archive!r})
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "legacy_autograd":
            return importlib.machinery.PathFinder.find_spec("legacy_autograd", [{str(package.ROOT.parent)!r}])
sys.meta_path.append(Finder)
from legacy_autograd.exercises.sandbox import launch, package
package.forget_others()
assert Finder not in sys.meta_path and importlib.machinery.PathFinder in sys.meta_path
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def test_a_students_process_does_not_search_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(package.ROOT.parent))
    *_, paths, module = launch.command(
        "sandbox.worker", [str(tmp_path), "/elsewhere", str(package.ROOT.parent)], "/root"
    )
    root, waits, first, last = json.loads(paths)
    is_installed = (package.ROOT.parent / "numpy").exists()
    assert (root, waits) == ("/root", False) and module.endswith(".worker")
    assert first == ["/elsewhere", *([str(package.ROOT.parent)] * is_installed)]
    assert last == [str(package.ROOT.parent)] * is_installed
