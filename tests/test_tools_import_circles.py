"""The package's imports lead one way, and the one circle of 2016 is made in one place: tools/import_circles.py."""

import ast
import pathlib

import pytest

from tools import import_circles

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = vars(import_circles)
PACKAGE = ROOT / "legacy_autograd"
pytestmark = pytest.mark.xdist_group("import graph")  # which takes more than a second to make


@pytest.fixture(scope="module")
def graph():
    return TOOL["import_graph"](PACKAGE)


def test_the_package_has_one_circle_and_no_import_the_wrong_way():
    assert TOOL["problems"](PACKAGE) == []


def test_the_circle_is_that_of_2016(graph):
    (circle,) = TOOL["circles"](set(graph))
    assert circle >= {f"autograd.{name}" for name in ("variable", "function", "leaf", "functions.basic_ops")}
    assert {name for name in circle if not name.startswith("autograd.functions.")} <= {
        f"autograd.{name}" for name in TOOL["_CORE"]
    }
    assert len(circle) <= 16


def test_what_runs_has_the_same_circle(graph):
    assert TOOL["circles"](set(TOOL["import_graph"](PACKAGE, as_run=True))) == TOOL["circles"](set(graph))


def _files(name):
    path = PACKAGE / "autograd" / name
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


@pytest.mark.parametrize("name", [*TOOL["_CORE"], "functions", "methods"])
def test_neither_the_core_nor_functions_nor_methods_name_later(name):
    for file in _files(name):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {part for node in ast.walk(tree) for part in vars(node).values() if isinstance(part, str)}
        docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert not [part for part in names - docstrings if "later" in part.split(".")], file


@pytest.fixture
def found(tmp_path):
    """`found(file=source)`: the problems of a package with the one permitted circle and these files."""

    def problems(**sources):
        permitted = {
            "autograd__variable": "class Variable: pass\nfrom .leaf import Leaf\n",
            "autograd__leaf": "from .variable import Variable\n",
        }
        for name, source in {**permitted, **sources}.items():
            path = tmp_path.joinpath("legacy_autograd", f"{name.replace('__', '/').replace('@', '__init__')}.py")
            path.parent.mkdir(parents=True, exist_ok=True)
            for folder in path.relative_to(tmp_path).parents[:-1]:
                (tmp_path / folder / "__init__.py").touch()
            path.write_text(source, encoding="utf-8")
        return TOOL["problems"](tmp_path / "legacy_autograd")

    return problems


NOT_NEEDED = [f"an exception that is not needed: {edge}" for edge in TOOL["EXCEPTIONS"]]


def test_the_permitted_circle_is_no_problem(found):
    assert found() == NOT_NEEDED


def test_an_exception_may_be_needed(found):
    left = [edge for edge in NOT_NEEDED if "distributed" not in edge]
    sources = {"names": "def f(): import legacy_autograd.distributed\n", "distributed__x": ""}
    assert found(**sources) == left


PROBLEMS = [
    ("the wrong way: tensor.a, line 1, imports nn.b", {"tensor__a": "from ..nn import b\n", "nn__b": ""}),
    ("the wrong way: tensor.a, line 1, imports nn.b", {"tensor__a": "from ..nn.b import c\n", "nn__b": ""}),
    ("the wrong way: tensor.a, line 1, imports legacy_autograd", {"tensor__a": "from .. import save\n"}),
    (
        "the wrong way: autograd.engine, line 2, imports autograd.later.b",
        {"autograd__engine": "def f():\n    from .later import b\n", "autograd__later__b": ""},
    ),
    (
        "a circle: tensor.a, tensor.b",
        {"tensor__a": "def f():\n    from . import b\n", "tensor__b": "from legacy_autograd.tensor.a import f"},
    ),
    ("a circle: tensor, tensor.a", {"tensor__a": "from . import f\n", "tensor__@": "from .a import f\n"}),
    (
        "the wrong way: tensor.a, line 3, imports nn.b",
        {"tensor__a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..nn import b\n", "nn__b": ""},
    ),
    (
        "a circle: nn.a, nn.b",
        {"nn__a": "import typing\nif typing.TYPE_CHECKING:\n    from .b import c\n", "nn__b": "from .a import d\n"},
    ),
    # nn.b uses a name that nn.a sets
    ("a circle: nn.a, nn.b", {"nn__a": "from . import b as c\nc.slot = 1\n", "nn__b": "slot = None\n"}),
    ("a circle: nn.a, nn.b", {"nn__a": "from . import b\n(b.slot, x) = 1, 2\n", "nn__b": ""}),
    ("a circle: nn.a, nn.b", {"nn__a": "from .. import nn\nfrom . import b\ndef f(): b.slot = 1\n", "nn__b": ""}),
    ("a circle: nn.a, nn.b", {"nn__a": "import legacy_autograd.nn.b as b\nb.slot = 1\n", "nn__b": ""}),
    ("a circle: optim.sgd", {"optim__sgd": "import legacy_autograd.optim.sgd\n"}),
    (
        "a circle: autograd.leaf, autograd.variable",
        {"autograd__variable": "from .leaf import Leaf\nclass Variable: pass\n"},
    ),
]


@pytest.mark.parametrize(
    "sources",
    [
        {"nn__a": "from . import b\ndef f(b): b.slot = 1\n", "nn__b": ""},  # another b
        {"nn__a": "from . import b\ndef f():\n    b = object()\n    b.slot = 1\n", "nn__b": ""},
        {"nn__a": "from .b import C\nC.slot = 1\n", "nn__b": "class C: pass\n"},  # a class attribute
        {"names": "from .nn import b\nb.slot = 1\n", "nn__b": ""},  # its work
    ],
)
def test_what_is_no_circle(found, sources):
    assert found(**sources) == NOT_NEEDED


@pytest.mark.parametrize(("problem", "sources"), PROBLEMS)
def test_what_is_found(found, problem, sources):
    assert found(**sources) == [*NOT_NEEDED, problem]
