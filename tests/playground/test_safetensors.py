"""The live page's safetensors reads and writes the files of the library."""

import importlib.util
import pathlib
import sys

import numpy
import pytest

library = pytest.importorskip("safetensors.numpy")
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "playground" / "python" / "safetensors"


@pytest.fixture
def ours(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "safetensors"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(FOLDER.parent)
    module = importlib.import_module("safetensors")
    assert pathlib.Path(module.__file__).parent == FOLDER
    return module


def arrays():
    made = {
        f"a.{kind}": numpy.arange(6).reshape(2, 3).astype(kind) for kind in ("f8", "f4", "f2", "i8", "i2", "u1", "?")
    }
    return {**made, "empty": numpy.zeros((0, 3)), "turned": made["a.f8"].T, "名": numpy.array([1, -2], "i4")}


def same(found):
    expected = arrays()
    assert set(found) == set(expected)
    for name, array in expected.items():
        assert found[name].dtype == array.dtype and numpy.array_equal(found[name], array), name


def test_each_reads_what_the_other_has_written(ours):
    same(ours.numpy.load(ours.numpy.save(arrays())))
    same(library.load(ours.numpy.save(arrays(), metadata={"made by": "a test"})))
    contiguous = {name: numpy.ascontiguousarray(array) for name, array in arrays().items()}
    same(ours.numpy.load(library.save(contiguous, metadata={"made by": "a test"})))


def test_a_damaged_file_is_refused(ours):
    content = ours.numpy.save({"a": numpy.arange(3.0)})
    header = content[8 : 8 + int.from_bytes(content[:8], "little")]
    for damaged in (
        content[:-1],
        content + b"\0",
        content.replace(b"[3]", b"[4]"),
        content.replace(b"F64", b"F63"),
        content.replace(b"[0,24]", b"[1,24]"),
        content.replace(header, b"x" * len(header)),
    ):
        with pytest.raises(ours.SafetensorError):
            ours.numpy.load(damaged)
