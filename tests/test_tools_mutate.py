"""The places that tools/breaks.py finds in a source, and the choice that it makes of them."""

import dataclasses
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]

SOURCE = '''\
"""Not here: 1 + 1 < 0."""
def é(x: list[0], keep=True, *, dim: int = 1) -> list[0]:
    if not (x < 1):
        raise ValueError("not here: %d" + x[0])
    total = (x) * (  # the comment keeps this operator
        dim
    )
    é(x, dim, eps=2.5)
    return "a" + f"{x - 1}" if total and -dim == 0 else x[1:dim, i]
'''
# The line that is changed, what is in it, and what each break puts in its place.
CHANGES = {
    2: [("True", "False"), ("1", "0")],
    3: [
        ("not (x < 1)", "True"),
        ("not (x < 1)", "False"),
        ("not (x < 1)", "(x < 1)"),
        ("<", "<="),
    ],
    4: [('raise ValueError("not here: %d" + x[0])', "pass")],
    8: [("é(x, dim, eps=2.5)", "pass"), ("x, dim", "dim, x"), (", eps=2.5", ""), ("2.5", "3.5")],
    9: [
        ("total and -dim == 0", "True"),
        ("total and -dim == 0", "False"),
        ("and", "or"),
        ("==", "!="),
        ("-dim", "dim"),
        ("1", "2"),
        ("dim", "dim + 1"),
        ("i", "i + 1"),
    ],
}

# Of some kinds: a source, and all sources that a break makes of it.
REMOVALS = {
    "context": {
        "with lock:\n    x()\n": ["if True:\n    x()\n"],
        "with (a.of(b)):  # held\n    x()\n": ["if True:  # held\n    x()\n"],
        "with lock as held:\n    x()\n": [],
        "with lock, open(é) as file, suppress(E):\n    x()\n": [
            "with open(é) as file, suppress(E):\n    x()\n",
            "with lock, open(é) as file:\n    x()\n",
        ],
        "with (\n    lock,\n    open(é) as file,\n    suppress(E),\n):\n    x()\n": [
            "with (\n    open(é) as file,\n    suppress(E),\n):\n    x()\n",
            "with (\n    lock,\n    open(é) as file,\n):\n    x()\n",
        ],
    },
    "finally": {
        "def f():\n    try:\n        x()\n    finally:  # finally\n        y()\n": [
            "def f():\n    try:\n        x()\n    finally:  # finally\n        pass\n",
            "def f():\n    try:\n        x()\n    except ():\n        pass\n    else:  # finally\n        y()\n",
        ],
        "try:\n    x()\nexcept E:\n    y()\nfinally:\n    z()\n": [
            "try:\n    x()\nexcept E:\n    y()\nfinally:\n    pass\n",
            "try:\n    x()\nexcept E:\n    y()\nelse:\n    z()\n",
        ],
        "try:\n    x()\nexcept E:\n    y()\nelse:\n    y()\nfinally:\n    z()\n": [
            "try:\n    x()\nexcept E:\n    y()\nelse:\n    y()\nfinally:\n    pass\n",
        ],
    },
    "handler": {
        "try:\n    x()\nexcept E as e:\n    y()\nexcept (A, B):\n    raise\n": [
            "try:\n    x()\nexcept () as e:\n    y()\nexcept (A, B):\n    raise\n",
            "try:\n    x()\nexcept E as e:\n    y()\nexcept ():\n    raise\n",
        ],
        "try:\n    x()\nexcept:\n    y()\n": [],
    },
    "copy": {
        "y = (é + 1).clone()[0] + x.copy()\n": ["y = (é + 1)[0] + x.copy()\n", "y = (é + 1).clone()[0] + x\n"],
        "y = x.copy(z) + copy(x) + x.copy\n": [],
    },
    "keyword": {
        "é(x, (y), b=1, *z, c=f(d=2), **k)\n": [
            "é(x, (y), *z, c=f(d=2), **k)\n",
            "é(x, (y), b=1, *z, **k)\n",
            "é(x, (y), b=1, *z, c=f(), **k)\n",
        ],
        "f((x), y=1)\n": ["f((x))\n"],
    },
    "inversion": {
        "x = a is b is not (c) in d\n": [
            "x = a is not b is not (c) in d\n",
            "x = a is b is (c) in d\n",
            "x = a is b is not (c) not in d\n",
        ],
        "x = a not in b\nfor a in b:\n    pass\n": ["x = a in b\nfor a in b:\n    pass\n"],
    },
}


@pytest.fixture(scope="module")
def breaks():
    spec = importlib.util.spec_from_file_location("breaks", ROOT / "tools/breaks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path):
    """A folder whose part "optim" is SOURCE."""
    (tmp_path / "legacy_autograd/optim").mkdir(parents=True)
    (tmp_path / "legacy_autograd/optim/sgd.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_the_places_of_a_source(breaks, checkout):
    found = breaks.breaks_of(checkout, "optim")
    assert sorted((b.line, b.old, b.new) for b in found) == sorted(
        (line, old, new) for line, changes in CHANGES.items() for old, new in changes
    )
    source = SOURCE.encode()
    for b in found:
        assert breaks.is_real(b, checkout)
        before, after = source.decode().splitlines(), b.applied(source).decode().splitlines()
        assert [f"-{before.pop(b.line - 1)}", f"+{after.pop(b.line - 1)}"] == b.diff.splitlines()
        assert before == after


@pytest.mark.parametrize(("kind", "source"), [(kind, source) for kind in REMOVALS for source in REMOVALS[kind]])
def test_a_removal(breaks, checkout, kind, source):
    (checkout / "legacy_autograd/optim/sgd.py").write_text(source, encoding="utf-8")
    found = [b for b in breaks.breaks_of(checkout, "optim") if b.kind == kind]
    assert all(breaks.is_real(b, checkout) for b in found)
    assert sorted(b.applied(source.encode()).decode() for b in found) == sorted(REMOVALS[kind][source])


def test_a_break_that_changes_nothing_is_not_drawn(breaks, checkout):
    (checkout / "legacy_autograd/optim/sgd.py").write_text("pow(2, 2)\npow(3, x)\n")
    assert {b.new for b in breaks.draw(checkout, 1, 3, ["optim"])} == {"pass", "x, 3"}
    with pytest.raises(SystemExit, match="optim has too few places"):
        breaks.draw(checkout, 1, 4, ["optim"])


def test_a_seed_names_its_breaks_and_an_equivalent_one_is_replaced(breaks, checkout):
    (checkout / "legacy_autograd/nn").mkdir()
    (checkout / "legacy_autograd/nn/linear.py").write_text(SOURCE, encoding="utf-8")
    drawn = breaks.draw(checkout, 1, 8, ["nn", "optim"])
    assert drawn == breaks.draw(checkout, 1, 8, ["nn", "optim"]) != breaks.draw(checkout, 2, 8, ["nn", "optim"])
    assert [b.part for b in drawn] == ["nn"] * 5 + ["optim"] * 3
    others = breaks.draw(checkout, 1, 8, ["nn", "optim"], equivalent={str(drawn[0])})
    assert others[:4] == drawn[1:5] and others[4] not in drawn and others[5:] == drawn[5:]


def test_every_break_of_the_package_that_is_drawn_compiles(breaks):
    for b in breaks.draw(ROOT, 1, 10, ["core"]):
        source = (ROOT / b.path).read_bytes()
        compile(b.applied(source), b.path, "exec")
        assert b.applied(source) != source


def test_a_break_is_found_again_in_a_file_that_moved(breaks, checkout):
    records = [dataclasses.asdict(b) for b in breaks.breaks_of(checkout, "optim")]
    old, new = (checkout / "legacy_autograd/optim" / name for name in ("sgd.py", "moved.py"))
    new.write_text("import this\n" + old.read_text(encoding="utf-8").replace("total", "sum"), encoding="utf-8")
    old.unlink()
    again = breaks.draw_again(checkout, records)
    for record, b in zip(records, again, strict=True):
        if record["line"] == 9:  # `total` was renamed
            assert b is None
        else:
            assert (b.line, b.old, b.new) == (record["line"] + 1, record["old"], record["new"])
