"""`load_lua` reads what Lua's Torch writes: the bytes here are put together by hand from its description."""

import struct

import pytest

import legacy_autograd as torch
from legacy_autograd.utils.serialization import T7Reader, load_lua
from legacy_autograd.utils.serialization.read_lua_file import T7ReaderException


def integers(*values):
    return struct.pack(f"<{len(values)}i", *values)


def longs(*values, width="q"):
    return struct.pack(f"<{len(values)}{width}", *values)


def number(value):
    return integers(1) + struct.pack("<d", value)


def plain_text(value):
    return integers(len(value)) + value


def text(value):
    return integers(2) + plain_text(value)


def table(index, *entries):
    return integers(3, index, len(entries) // 2) + b"".join(entries)


def instance(index, name, content, version=b"V 1"):
    return integers(4, index) + (plain_text(version) if version else b"") + plain_text(name) + content


def storage(index, kind, values, form):
    return instance(
        index, b"torch.%sStorage" % kind, longs(len(values)) + struct.pack(f"<{len(values)}{form}", *values)
    )


def tensor(index, kind, sizes, strides, offset, content):
    parts = integers(len(sizes)) + longs(*sizes) + longs(*strides) + longs(offset) + content
    return instance(index, b"torch.%sTensor" % kind, parts)


@pytest.fixture
def read(tmp_path):
    def read(content, **options):
        path = tmp_path / "file.t7"
        path.write_bytes(content)
        return load_lua(path, **options)

    return read


def test_plain_values(read):
    assert read(integers(0)) is None
    assert read(integers(5, 1)) is True and read(integers(5, 0)) is False
    assert read(number(2.5)) == 2.5
    assert read(number(3)) == 3 and type(read(number(3))) is int
    assert type(read(number(3), int_heuristic=False)) is float
    assert read(text("Größe".encode())) == "Größe"


def test_tables(read):
    found = read(
        table(1, text(b"name"), text(b"net"), text(b"sizes"), table(2, number(1), number(7), number(2), number(8)))
    )
    assert dict(found) == {"name": "net", "sizes": [7, 8]}
    assert found.name == "net" and found.other is None and found == found and found != dict(found)
    assert read(table(1)) == []
    assert dict(read(table(1, number(1), number(7)), list_heuristic=False)) == {1: 7}
    assert dict(read(table(1, number(2), number(7)))) == {2: 7}
    assert dict(read(table(1, integers(5, 1), number(7)))) == {True: 7}
    itself = read(table(1, text(b"me"), integers(3, 1)))
    assert itself.me is itself
    twice = read(table(1, text(b"a"), table(2, text(b"x"), number(1)), text(b"b"), integers(3, 2)))
    assert twice.a is twice.b
    as_key = read(table(1, table(2, text(b"x"), number(1)), number(5)))
    assert list(as_key.values()) == [5]
    function = read(integers(8, 1) + plain_text(b"code") + integers(0))
    assert (function.size, function.dumped, function.upvalues) == (4, b"code", None)


def test_tensors_share_their_storage(read):
    memory = storage(9, b"Float", [0, 1, 2, 3, 4, 5], "f")
    content = table(
        1,
        number(1),
        tensor(2, b"Float", [2, 2], [3, 1], 2, memory),
        number(2),
        tensor(3, b"Float", [3], [2], 1, integers(4, 9)),
    )
    first, second = read(content)
    assert type(first) is torch.FloatTensor and first.tolist() == [[1, 2], [4, 5]] and second.tolist() == [0, 2, 4]
    second[1] = 7
    assert first[0][1] == 7
    for kind, form in {b"Double": "d", b"Long": "q", b"Int": "i", b"Short": "h", b"Char": "b", b"Byte": "B"}.items():
        found = read(tensor(1, kind, [2], [1], 1, storage(2, kind, [1, 2], form)))
        assert found.type() == f"torch.{kind.decode()}Tensor" and found.tolist() == [1, 2]
    assert read(tensor(1, b"Double", [], [], 1, integers(0))).numel() == 0
    assert list(read(storage(1, b"Long", [5, 6], "q"))) == [5, 6]


def test_other_objects(read):
    assert read(instance(1, b"tds.Vec", longs(2) + number(1) + text(b"x"))) == [1, "x"]
    assert read(instance(1, b"tds.Hash", longs(1) + text(b"k") + number(2), version=None)) == {"k": 2}
    module = instance(1, b"nn.Linear", table(2, text(b"weight"), number(0.5)))
    found = read(module)
    assert found.torch_typename() == "nn.Linear" and found.weight == found["weight"] == 0.5
    with pytest.raises(AttributeError, match="nn.Linear has no forward: torch.legacy.nn is left out; the file has w"):
        found.forward(1)
    other = instance(1, b"my.Net", table(2, text(b"weight"), number(0.5)))
    with pytest.raises(T7ReaderException, match="class my.Net, which cannot be read; unknown_classes=True"):
        read(other)
    found = read(other, unknown_classes=True)
    assert found.weight == found["weight"] == 0.5 and found.bias is None
    assert "weight" in dir(found) and repr(found) == "TorchObject(my.Net, {'weight': 0.5})"
    assert read(instance(1, b"nn.Numbers", table(2, number(1), number(5))))[1] == 5


def test_a_file_from_a_machine_with_short_longs(tmp_path):
    content = instance(1, b"torch.ByteStorage", longs(2, width="i") + b"\1\2")
    path = tmp_path / "short.t7"
    path.write_bytes(content)
    with open(path, "rb") as file:
        assert list(T7Reader(file, long_size=4).read()) == [1, 2]


def test_damaged_files(read):
    whole = tensor(1, b"Double", [2], [1], 1, storage(2, b"Double", [1, 2], "d"))
    for end in range(len(whole)):
        with pytest.raises(T7ReaderException):
            read(whole[:end])
    for content, message in [
        (integers(77), "unknown type number 77; the file may be damaged"),
        (integers(2, 2**31 - 1), "a value of 2147483647 bytes does not fit"),
        (integers(2, -1), "a value of -1 bytes does not fit"),
        (instance(1, b"torch.DoubleStorage", longs(2**60)), "a value of [0-9]+ bytes does not fit"),
        (
            tensor(1, b"Double", [3], [1], 1, storage(2, b"Double", [1, 2], "d")),
            "needs 3 elements of its storage, .* 2",
        ),
        (tensor(1, b"Double", [2], [1], 0, storage(2, b"Double", [1, 2], "d")), "offset -1"),
        (b"".join(integers(3, i, 1, 5, 1) for i in range(5000)), "deeper than Python can read"),
        (table(1, table(2, number(1), number(1)), number(1)), "a list as a key"),
        (table(1, instance(2, b"tds.Vec", longs(0)), number(1)), "a list as a key"),
    ]:
        with pytest.raises(T7ReaderException, match=message):
            read(content)
