"""tools/compare_signatures.py finds every difference in parameters, and hints are none."""

import pathlib
import runpy

TOOL = runpy.run_path(str(pathlib.Path(__file__).resolve().parents[1] / "tools/compare_signatures.py"))
OLD = """
class Box:
    def __init__(self, size, name=None): ...
    def _hidden(self, x): ...
    def gone(self): ...

def move(x, *, copy=False): ...
def swap(a, b): ...
def same(a, /, b=(1, 2), *rest, key, **others): ...
"""
NEW = """
class Box:
    def __init__(self, size: int, name: str | None = None) -> None: ...
    def _hidden(self): ...

def move(x, copy=False): ...
def swap(b, a): ...
def same(a: int, /, b: tuple[int, int] = (1, 2), *rest: int, key: str, **others: int) -> None: ...
if True:
    def new(): ...
"""


def test_the_differences_are_found():
    found = list(TOOL["differences"]({"a.py": OLD}, {"a.py": NEW}))
    assert found == [
        ("a.py", "Box.gone", "self", None),
        ("a.py", "move", "x, *, copy=False", "x, copy=False"),
        ("a.py", "new", None, ""),
        ("a.py", "swap", "a, b", "b, a"),
    ]
    assert not list(TOOL["differences"]({"exercises/checks/a.py": OLD}, {"b.py": ""}))


def test_a_function_that_is_new_elsewhere_has_moved():
    old = {
        "a.py": "class Box:\n    def open(self, key): pass\n    def shut(self): pass\ndef f(x): pass\ndef g(x): pass\n"
    }
    new = {
        "b.py": "class Crate:\n    def open(self, key): pass\n    def shut(self, slowly): pass\n",
        "c.py": "def f(x): pass",
    }
    found = list(TOOL["differences"](old, new))
    assert TOOL["moved"](found) == {("a.py", "Box.open"), ("a.py", "f")}
