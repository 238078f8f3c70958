"""save and load: everything comes back as it was, nothing runs, nothing is half, a file of another kind is named."""

import collections
import contextlib
import copy
import enum
import io
import json
import math
import os
import pathlib
import pickle
import random
import signal
import stat
import struct
import subprocess
import sys
import time

import numpy
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import legacy_autograd as torch
from legacy_autograd import optim, serialization
from legacy_autograd.autograd import Variable
from legacy_autograd.nn.module import Module
from legacy_autograd.nn.parameter import Parameter
from legacy_autograd.serialization import load, save

safetensors = pytest.importorskip("safetensors")

TYPES = "Double Float Half Long Int Short Char Byte".split()


def again(obj):
    stream = io.BytesIO()
    save(obj, stream)
    stream.seek(0)
    return load(stream)


def same(a, b):
    """Equal in value and in kind, all the way down; nan is nan."""
    if type(a) is not type(b):
        return False
    if isinstance(a, torch.Tensor):
        return a.type() == b.type() and a.size() == b.size() and a.numpy().tobytes() == b.numpy().tobytes()
    if isinstance(a, numpy.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, Variable):
        return same(a.data, b.data) and a.requires_grad == b.requires_grad
    if isinstance(a, dict):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a.items(), b.items()))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, (float, numpy.floating)):
        return a == b and math.copysign(1, a) == math.copysign(1, b) or a != a and b != b
    return a == b


# --- what comes back


@st.composite
def tensors(draw):
    kind = draw(st.sampled_from(TYPES))
    size = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    random = numpy.random.default_rng(draw(st.integers(0, 99)))
    array = random.integers(0, 100, size) * (0.37 if kind in TYPES[:3] else 1)
    tensor = torch.from_numpy(array).type(f"torch.{kind}Tensor")
    if draw(st.booleans()):
        tensor = tensor.transpose(0, -1)
    return tensor


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(exclude_categories=[])),
    st.sampled_from([numpy.float32(0.1), numpy.int64(-3), numpy.bool_(True), numpy.float64("nan")]),
)  # fmt: skip
keys = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.tuples(st.integers(), st.text()),
    st.sampled_from(["$tensor", "a.b", "__metadata__", "", "0"]),
)  # fmt: skip
arrays = st.sampled_from([numpy.arange(6.0).reshape(2, 3), numpy.array(3, "uint16"), numpy.zeros((0, 2), bool)])
leaves = st.one_of(scalars, tensors(), arrays, tensors().map(lambda tensor: Variable(tensor, requires_grad=False)))


def containers(inside):
    return st.one_of(
        st.lists(inside, max_size=4),
        st.lists(inside, max_size=3).map(tuple),
        st.dictionaries(keys, inside, max_size=4),
        st.dictionaries(keys, inside, max_size=3).map(collections.OrderedDict),
        st.lists(st.integers(0, 5), max_size=3).map(torch.Size),
    )


@settings(max_examples=200)
@given(st.recursive(leaves, containers, max_leaves=12))
@example({"a.b": torch.zeros(1), "a": {"b": torch.ones(1)}, "__metadata__": torch.zeros(2), "a.b#2": torch.ones(3)})
@example({0: torch.zeros(1), "0": torch.ones(1), (0,): torch.zeros(3)})
@example({"\ud800": torch.zeros(1)})
@example([{"$float": "nan"}, {"$unknown": 1}, 10**40, -0.0, 1.0, 5e-324, math.inf])
def test_everything_comes_back_as_it_was(obj):
    back = again(obj)
    assert same(back, obj)


def test_the_same_object_is_the_same_file():
    obj = {"b": torch.ones(3), "a": [torch.zeros(2, 2), {"x": torch.LongTensor([1])}], "n": 3}
    program = (
        "import sys, legacy_autograd as torch; from legacy_autograd.serialization import save;"
        "save({'b': torch.ones(3), 'a': [torch.zeros(2, 2), {'x': torch.LongTensor([1])}], 'n': 3}, sys.stdout.buffer)"
    )
    stream = io.BytesIO()
    save(obj, stream)
    root = str(pathlib.Path(torch.__file__).parents[1])
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, env={**os.environ, "PYTHONPATH": root}, check=True
        )
        assert done.stdout == stream.getvalue()


def test_loaded_tensors_are_writable_and_apart():
    back = again({"a": torch.zeros(2), "b": torch.zeros(2)})
    back["a"].fill_(1)
    assert back["b"].tolist() == [0, 0]


def test_one_tensor_in_two_places_is_one_tensor_again():
    shared = torch.randn(3)
    back = again({"x": shared, "y": [shared], "z": torch.randn(3)})
    assert back["x"] is back["y"][0]
    assert back["x"] is not back["z"]
    row = shared[1:]
    back = again([shared, row, row])
    assert back[1] is back[2] is not back[0]


def test_one_variable_in_two_places_is_one_and_two_are_two():
    tensor = torch.ones(2)
    v, w = Variable(tensor, requires_grad=True), Variable(tensor, requires_grad=True)
    back = again({"v": v, "w": w, "v again": v, "data": tensor})
    assert back["v"] is back["v again"]
    assert back["v"] is not back["w"]
    assert back["v"].data is back["w"].data is back["data"]
    assert back["v"].requires_grad and back["v"].is_leaf


@pytest.mark.parametrize(
    "views",
    [
        lambda x: [x, x.t()],
        lambda x: [x[1], x],
        lambda x: [x.t(), x[:, 2]],
        lambda x: [x[0:2], x[1:3]],
        lambda x: [x[0:2], x[2:3], x[1:3]],
        lambda x: [x, x.view(-1)],
        lambda x: [x, x[0:1].expand(5, 4)],
        lambda x: [x[:, 0], x[:, 3], x[:, 1]],
        lambda x: [torch.from_numpy(x.numpy()[::-1, ::2]), x[1]],
        lambda x: [x.numpy(), x, x.numpy()[0]],
        lambda x: [x, Variable(x[0], requires_grad=True)],
        lambda x: [torch.zeros(0), x[1], x[0:0], x],
    ],
)
def test_tensors_that_share_memory_share_it_again(views):
    def arrays_of(parts):
        return [part if isinstance(part, numpy.ndarray) else part.data.numpy() for part in parts]

    x = torch.arange(0, 12).view(3, 4)
    before = views(x)
    back = again(before)
    assert same(back, before)
    ours, theirs = arrays_of(before), arrays_of(back)
    for i, one in enumerate(ours):
        for j, other in enumerate(ours):
            assert numpy.shares_memory(one, other) == numpy.shares_memory(theirs[i], theirs[j])


def test_a_write_to_one_view_counts_for_the_other():
    x = torch.zeros(3, 4)
    whole, row = again([x, x[1]])
    version = whole._version
    row.fill_(5)
    assert whole[1].tolist() == [5, 5, 5, 5] and whole._version > version


def test_what_could_not_be_written_to_cannot_be_again():
    x = torch.zeros(1, 3)
    whole, expanded = again([x, x.expand(4, 3)])
    whole.fill_(1)
    assert expanded.tolist() == [[1, 1, 1]] * 4
    with pytest.raises(RuntimeError, match="read-only"):
        expanded.fill_(2)


def test_memory_is_stored_once():
    big = torch.zeros(1000, 100)
    stream = io.BytesIO()
    save([big, big.t(), big[3], big], stream)
    assert len(stream.getvalue()) < 900_000


def test_one_memory_read_as_two_types_is_stored_twice():
    array = numpy.arange(4.0)
    back = again([torch.from_numpy(array), torch.from_numpy(array.view("int64"))])
    assert back[0].tolist() == [0, 1, 2, 3] and back[1].tolist() == array.view("int64").tolist()


def test_a_tensor_that_is_not_contiguous_comes_back_with_its_numbers():
    x = torch.arange(0, 6).view(2, 3).t()
    back = again(x)
    assert back.tolist() == x.tolist() and back.is_contiguous()
    expanded = torch.ones(1, 3).expand(2, 3)
    back = again(expanded)
    back.fill_(2)
    assert back.tolist() == [[2, 2, 2], [2, 2, 2]]


def test_the_state_of_an_optimizer_comes_back():
    p = Variable(torch.randn(3), requires_grad=True)
    optimizer = optim.LBFGS([p], history_size=3)

    def closure():
        optimizer.zero_grad()
        loss = (p * p * p * p).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    state = optimizer.state_dict()
    assert same(again(state), state)
    adam = optim.Adam([p])
    adam.step()
    assert same(again(adam.state_dict()), adam.state_dict())


# --- files


def test_other_tools_read_the_tensors_under_their_names(tmp_path):
    from safetensors.numpy import load_file

    state = collections.OrderedDict([("conv1.weight", torch.randn(2, 3)), ("conv1.bias", torch.randn(2))])
    save({"model": state, "optimizer": {"state": {0: {"exp_avg": torch.ones(4)}}}, "epoch": 3}, tmp_path / "x")
    found = load_file(tmp_path / "x")
    assert sorted(found) == ["model.conv1.bias", "model.conv1.weight", "optimizer.state.0.exp_avg"]
    assert (found["model.conv1.weight"] == state["conv1.weight"].numpy()).all()
    save(state, tmp_path / "x")
    assert list(sorted(load_file(tmp_path / "x"))) == ["conv1.bias", "conv1.weight"]
    modern = pytest.importorskip("torch")
    from safetensors.torch import load_file

    assert load_file(tmp_path / "x")["conv1.bias"].equal(modern.from_numpy(state["conv1.bias"].numpy()))


def test_a_safetensors_file_of_another_tool_is_a_dict_of_tensors(tmp_path):
    from safetensors.numpy import save_file

    save_file(
        {"w": numpy.ones((2, 2), "float32"), "mask": numpy.array([True, False])}, tmp_path / "x", {"format": "np"}
    )
    back = load(tmp_path / "x")
    assert back["w"].type() == "torch.FloatTensor" and back["w"].tolist() == [[1, 1], [1, 1]]
    assert back["mask"].type() == "torch.ByteTensor" and back["mask"].tolist() == [1, 0]
    save_file({"ids": numpy.ones(2, "uint32")}, tmp_path / "x")
    with pytest.raises(ValueError, match="'ids'.*uint32"):
        load(tmp_path / "x")
    modern = pytest.importorskip("torch")
    from safetensors.torch import save_file

    save_file({"w": modern.ones(2, dtype=modern.bfloat16)}, tmp_path / "x")
    with pytest.raises(ValueError, match="'w' has the type BF16"):
        load(tmp_path / "x")


def test_paths_and_open_files(tmp_path):
    path = tmp_path / "x.pt"
    for file in (str(path), path, os.fsencode(path)):
        save({"n": 1}, file)
        assert load(file) == {"n": 1}
    with open(path, "wb") as stream:
        stream.write(b"before")
        save([torch.ones(2)], stream)
        save("second", stream)
        save({"w": 0}, stream, weights_only=False)
        stream.write(b"after")
    with open(path, "rb") as stream:
        assert stream.read(6) == b"before"
        assert load(stream)[0].tolist() == [1, 1]
        assert load(stream) == "second"
        assert load(stream, weights_only=False) == {"w": 0}
        assert stream.read() == b"after"
    read_end, write_end = os.pipe()
    with open(write_end, "wb") as stream:
        save([1, 2], stream)
    with open(read_end, "rb") as stream:
        assert load(stream) == [1, 2]


@pytest.mark.parametrize("length", range(8))
def test_the_numbers_begin_at_a_multiple_of_8_bytes(length):
    """As the format of safetensors wants it, so that a program can map them into memory."""
    stream = io.BytesIO()
    save({"n" * length: torch.ones(2)}, stream)
    header = int.from_bytes(stream.getvalue()[:8], "little")
    assert header % 8 == 0 and stream.getvalue()[8 + header :] == numpy.ones(2).tobytes()
    assert json.loads(stream.getvalue()[8 : 8 + header])["n" * length or "tensor"]["shape"] == [2]


def test_a_file_open_for_text_is_refused(tmp_path):
    with open(tmp_path / "x", "w") as stream, pytest.raises(TypeError, match="'wb'"):
        save(1, stream)
    with open(tmp_path / "x") as stream, pytest.raises(TypeError, match="'rb'"):
        load(stream)


def test_permissions_are_those_of_any_file_and_are_kept(tmp_path):
    before = os.umask(0o027)
    try:
        save(1, tmp_path / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(tmp_path / "new").st_mode) == 0o640
    os.chmod(tmp_path / "new", 0o604)
    save(2, tmp_path / "new")
    assert stat.S_IMODE(os.stat(tmp_path / "new").st_mode) == 0o604
    assert os.listdir(tmp_path) == ["new"]


def test_links_stay_links_and_pipes_pipes(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    save(1, tmp_path / "link")
    save(2, tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and load(tmp_path / "folder" / "file") == 2
    # A pipe stands for devices too: should this ever fail, it must not be a device that is gone.
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    save(3, tmp_path / "pipe")
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)
    with open(reader, "rb") as stream:
        assert load(stream) == 3
    with pytest.raises(IsADirectoryError):
        save(1, tmp_path / "folder")
    with pytest.raises(FileNotFoundError):
        save(1, tmp_path / "nowhere" / "file")


def test_a_failure_in_the_middle_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model"
    save({"n": 1}, path)
    with pytest.raises(TypeError):
        save({"n": object()}, path)

    def fail(*_):
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(serialization.files.os, name, fail)
            with pytest.raises(OSError, match="No space"):
                save({"n": 2}, path)
        assert load(path) == {"n": 1}
        assert os.listdir(tmp_path) == ["model"]


KILLED = """
import sys, legacy_autograd as torch
from legacy_autograd.serialization import save
tensor = torch.zeros(2_000_000)
number = 0
while True:
    tensor.fill_(number)
    save({"tensor": tensor, "number": number}, sys.argv[1])
    number += 1
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="it kills")
def test_a_kill_in_the_middle_leaves_a_whole_file(tmp_path):
    path = tmp_path / "model"
    root = str(pathlib.Path(torch.__file__).parents[1])
    seen = set()
    for attempt in range(4):
        program = subprocess.Popen(
            [sys.executable, "-c", KILLED, path], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}
        )
        program.stdout.readline()
        time.sleep(0.005 + 0.013 * attempt)
        program.send_signal(signal.SIGKILL)
        program.communicate()
        back = load(path)
        assert set(back["tensor"].tolist()) == {back["number"]}
        seen.add(back["number"])
    assert seen


@pytest.mark.skipif(os.name != "posix", reason="it kills")
def test_what_a_killed_save_left_goes_with_the_next_one(tmp_path):
    root = str(pathlib.Path(torch.__file__).parents[1])
    program = """
import os, signal, sys
from legacy_autograd.serialization import files, save
files.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
save({"n": 1}, sys.argv[1])
"""
    for name in ("model", "other"):
        arguments = [sys.executable, "-c", program, tmp_path / name]
        assert subprocess.run(arguments, env={**os.environ, "PYTHONPATH": root}).returncode == -signal.SIGKILL
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".tmp", ".tmp"]
    save({"n": 2}, tmp_path / "model")
    assert len(list(tmp_path.iterdir())) == 2  # the file, and what was left of the other one
    save({"n": 3}, tmp_path / "other")
    assert sorted(os.listdir(tmp_path)) == ["model", "other"]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nothing is removed")
def test_what_another_save_is_writing_stays(tmp_path, monkeypatch):
    """A save of this process, in another thread, and one of another process that is alive."""
    replace, found = os.replace, []

    def replaced(temporary, path):
        if not found:
            alive = pathlib.Path(str(temporary).replace(f".{os.getpid()}.", f".{os.getppid()}."))
            dead = pathlib.Path(
                str(temporary).replace(f".{os.getpid()}.", ".4194305.") + ".tmp"
            )  # above Linux's largest
            alive.touch()
            dead.touch()
            found.extend([alive, dead])
            save({"n": 2}, path)
        replace(temporary, path)

    monkeypatch.setattr(serialization.files.os, "replace", replaced)
    save({"n": 1}, tmp_path / "model")
    alive, dead = found
    assert alive.exists() and not dead.exists() and load(tmp_path / "model") == {"n": 1}
    assert len(os.listdir(tmp_path)) == 2


# --- what is no file of ours


def written(obj):
    stream = io.BytesIO()
    save(obj, stream)
    return stream.getvalue()


class Runs:
    """Its pickle makes a file when it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_is_not_run(tmp_path, protocol):
    path = tmp_path / "hostile"
    path.write_bytes(pickle.dumps(Runs(tmp_path / "ran"), protocol))
    with pytest.raises(ValueError, match="is a pickle.*weights_only=False"):
        load(path)
    assert not (tmp_path / "ran").exists()
    load(path, weights_only=False)
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "is empty"),
        (b"\x07", "1 bytes"),
        (b"PK\x03\x04" + bytes(100), "damaged.*zip"),
        (b"some words that somebody wrote down", "neither a safetensors file nor a pickle"),
        (b"\x93NUMPY" + bytes(100), "numpy.save"),
        (b"\x1f\x8b" + bytes(100), "gzip"),
        (bytes(257) + b"ustar" + bytes(100), "damaged or cut off"),
        (struct.pack("<Q", 5000) + b"{", "cut off.*9 bytes.*5008"),
        (struct.pack("<Q", 2) + b"{]", "header is not that of a safetensors file"),
        (struct.pack("<Q", 9) + b'{"a":[1]}', "header is not"),
        (struct.pack("<Q", 1000) + b"{" + b"[" * 999, "header is not"),
        (struct.pack("<Q", 2**60) + b"{}", "neither a safetensors file"),
    ],
)
def test_what_is_something_else_is_named(tmp_path, content, message):
    (tmp_path / "x").write_bytes(content)
    for weights_only in (True, False):
        with pytest.raises(ValueError, match=message):
            load(tmp_path / "x", weights_only=weights_only)


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_a_file_that_is_cut_off_is_refused(length):
    content = written({"model": {"w": torch.randn(20)}, "epoch": 3, "history": [0.5] * 5})
    with pytest.raises(ValueError, match="cut off|empty|bytes"):
        load(io.BytesIO(content[: length % len(content)]))


@given(st.data())
@settings(max_examples=300)
def test_a_file_with_wrong_bytes_is_refused_or_harmless(data):
    content = written({"model": {"w": torch.randn(4), "v": torch.ones(2, 2).t()}, 3: (1.5, "x")})
    content = bytearray(content.replace(b'"sha256"', b'"sha25x"'))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        load(io.BytesIO(bytes(content)))
    except ValueError as error:
        assert str(error).startswith("load: the file")


def flipped(content, bit):
    """The content with one bit changed."""
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_no_changed_bit_is_silent():
    obj = {
        "model": collections.OrderedDict(w=Parameter(torch.randn(3, 4)), v=torch.ones(2, 2).t()),
        3: (1.5, "x", math.nan), "epoch": 7, "n": numpy.float32(0.5), "zeros": "0" * 64, "sha256": torch.zeros(1),
    }  # fmt: skip
    content = written(obj)
    bits = range(8 * len(content))
    assert len(bits) > 6000
    silent = []
    for bit in random.Random(29).sample(bits, 2000):
        with contextlib.suppress(ValueError):
            if not same(load(io.BytesIO(flipped(content, bit))), obj):
                silent.append(bit)
    assert silent == []


def test_the_name_of_the_digest_is_no_weak_place():
    """A byte that is doubled in it moves all numbers by one byte, too: the header ends with a space that fills it."""
    content = written({"w": torch.randn(3), "b": torch.randn(5)})
    begin = content.index(b'"sha256"')
    damaged = [flipped(content, 8 * begin + bit) for bit in range(64)]
    damaged += [content[:place] + content[place : place + 1] + content[place:] for place in range(begin, begin + 8)]
    damaged += [content[:place] + content[place + 1 :] + b"0" for place in range(begin, begin + 8)]
    for changed in damaged:
        with pytest.raises(ValueError):
            load(io.BytesIO(changed))


def test_a_changed_number_is_named_as_damage(tmp_path):
    content = written({"w": torch.ones(3)})
    (tmp_path / "x").write_bytes(flipped(content, 8 * len(content) - 1))
    with pytest.raises(ValueError, match="x' is damaged: its content does not have the digest that it was saved with"):
        load(tmp_path / "x")


@pytest.mark.parametrize("digest", ["", "0", "é", "\ud800", "a" * 64])
def test_a_digest_that_is_none_is_damage(digest):
    header = {"__metadata__": {"sha256": digest}, "w": {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}}
    with pytest.raises(ValueError, match="load: the file is damaged"):
        load(io.BytesIO(forged(header, bytes(16))))


def forged(header, tail=b""):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + tail


def lying(shape=(2,), begin=0, end=16, dtype="F64"):
    return {"w": {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}}


@pytest.mark.parametrize(
    "header, tail, message",
    [
        (lying(end=10**15), bytes(16), "cut off.*according to its header"),
        (lying(shape=(3,)), bytes(16), "safetensors says"),
        (lying(shape=(2**62, 2**62)), bytes(16), "safetensors says"),
        (lying(begin=8), bytes(16), "safetensors says"),
        (lying(end=-8), bytes(16), "header is not"),
        (lying(), bytes(24), "cut off|has 8 bytes more than its header"),
        (lying(dtype="F128"), bytes(16), "'w' has the type F128"),
        (lying(shape=(2**63,)), bytes(16), "the shape of the tensor 'w'"),
        (lying(shape=(2, *[1] * 64)), bytes(16), "the shape of the tensor 'w'"),
        (lying(shape=(0, 2**62), end=0), b"", "damaged"),
        (lying(shape=("a",)), bytes(16), "the shape of the tensor 'w'"),
        (lying(dtype=["F64"]), bytes(16), "'w' has the type"),
        ({"__metadata__": ["x"]}, b"", "safetensors says"),
        ({**lying(), "v": lying()["w"]}, bytes(16), "safetensors says"),
    ],
)
def test_a_file_that_lies_about_its_sizes_is_refused(tmp_path, header, tail, message):
    (tmp_path / "x").write_bytes(forged(header, tail))
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "x")


def with_structure(structure):
    text = structure if isinstance(structure, str) else json.dumps(structure)
    return forged({"__metadata__": {"legacy_autograd": text}, **lying()}, bytes(16))


@pytest.mark.parametrize(
    "content, message",
    [
        ({"$tensor": "v"}, "names a tensor 'v', and there is none"),
        ({"$tensor": 3}, "names a tensor 3"),
        ({"$tensor": ["w"]}, "names a tensor"),
        ({"$call": "os.system"}, "unknown kind"),
        ({"$tensor": "w", "offset": 1, "size": [2], "stride": [1]}, "not in it"),
        ({"$tensor": "w", "offset": 0, "size": [2], "stride": [-1]}, "not in it"),
        ({"$tensor": "w", "offset": -1, "size": [1], "stride": [1]}, "not in it"),
        ({"$tensor": "w", "offset": 0, "size": [2**70], "stride": [0]}, "not in it"),
        ({"$tensor": "w", "offset": 0, "size": [2], "stride": []}, "not in it"),
        ({"$tensor": "w", "offset": 0, "size": "2", "stride": [1]}, "not in it"),
        ({"$tensor": "w", "offset": 0}, "not in it"),
        ({"$tensor": "w", "offset": True, "size": [1], "stride": [1]}, "not in it"),
        ({"$tensor": "w", "offset": 0, "size": [1] * 65, "stride": [0] * 65}, "not in it"),
        ({"$array": "v"}, "there is none"),
        ({"$variable": 3, "requires_grad": True, "number": 0}, "without a tensor"),
        ({"$variable": {"$tensor": "w"}}, "without a tensor, or without a number"),
        ({"$parameter": {"$tensor": "w"}, "requires_grad": 1, "number": 0}, "without a tensor"),
        ({"$float": "1e400"}, "number '1e400'"),
        ({"$number": ["object", 3]}, "number"),
        ({"$number": [[], 3]}, "number"),
        ({"$number": ["int8", 300]}, "number"),
        ({"$number": ["float32", {"$tensor": "w"}]}, "number"),
        ({"$tuple": 3}, "tuple"),
        ({"$dict": [[1, 2, 3]]}, "pairs"),
        ({"$dict": {"a": 1}}, "pairs"),
        ({"$dict": [[{"$tensor": "w"}, 1]]}, "Tensor as a key"),
        ({"$dict": [[[1], 1]]}, "list as a key"),
        ({"$ordereddict": [[{"$tuple": [{"$tensor": "w"}]}, 1]]}, "tuple as a key"),
        ({"$tensor": "w", "offset": 0, "size": [1], "stride": [2**63]}, "not in it"),
        ({"$tensor": "w", "offset": 0, "size": [2**63], "stride": [1]}, "not in it"),
        ({"a": [0, {"$size": ["a"]}]}, r"the object\['a'\]\[1\]: .*size of \['a'\]"),
        ({"$dict": [[1, {"$size": [1.5]}]]}, r"the object\[1\]: .*not all integers"),
        ({"$number": ["int8", 3.5]}, "number"),
        ({"$number": ["float16", 1e9]}, "number"),
    ],
)
def test_a_structure_that_lies_is_refused(content, message):
    with pytest.raises(ValueError, match=f"damaged: .*{message}"):
        load(io.BytesIO(with_structure({"version": 1, "content": content})))


@pytest.mark.parametrize("kind", ["$variable", "$parameter"])
def test_integers_that_are_to_require_a_gradient_are_refused(tmp_path, kind):
    structure = {"version": 1, "content": {"model": [{kind: {"$tensor": "w"}, "requires_grad": True, "number": 1}]}}
    header = {"__metadata__": {"legacy_autograd": json.dumps(structure)}, **lying(dtype="I64")}
    (tmp_path / "x").write_bytes(forged(header, bytes(16)))
    with pytest.raises(ValueError, match=r"x' is damaged: the object\['model'\]\[0\]: only floating-point Variables"):
        load(tmp_path / "x")


def entries_of(node):
    """(container, key) of everything in nested dicts and lists."""
    for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield node, key
        yield from entries_of(node[key])


JUNK = [
    None, True, -1, 2**31, 2**63, 2**70, 1.5, math.nan, "", "a", "F64", [], {}, [[]], ["a"], [1] * 65, {"": 1},
    {"$tensor": "a"}, {"$size": ["a"]}, {"$number": ["int8", 3.7]}, {"$dict": [[[1], 2]]}, {"$tuple": {}},
    {"$variable": {"$tensor": "i"}, "requires_grad": True, "number": 7}, {"$array": "a", "offset": 0, "size": [2**63]},
]  # fmt: skip


def test_whatever_is_changed_in_a_header_nothing_but_valueerror_comes():
    x = torch.ones(4)
    objects = {
        "a": x, "v": x.view(2, 2).t(), "n": numpy.arange(3), "i": torch.LongTensor([1]), "number": numpy.float32(0.5),
        "nan": math.nan, "t": (1, "b", None), "s": torch.Size([2, 3]), "d": {1: 2, (1, 2): [3]}, "w": Parameter(x + 1),
    }  # fmt: skip
    content = written(objects)
    length = int.from_bytes(content[:8], "little")
    rng = random.Random(0)
    for _ in range(200):
        header = json.loads(content[8 : 8 + length])
        del header["__metadata__"]["sha256"]  # which refuses every change
        structure = json.loads(header["__metadata__"]["legacy_autograd"])
        for _ in range(rng.randint(1, 3)):
            node, key = rng.choice(list(entries_of(rng.choice([header, structure]))) or [({0: 0}, 0)])
            if rng.random() < 0.2:
                del node[key]
            elif rng.random() < 0.2 and isinstance(node, dict):
                node[rng.choice(["$tensor", "$variable", "offset", "dtype", "x"])] = node.pop(key)
            else:
                node[key] = copy.deepcopy(rng.choice(JUNK))
        if isinstance(header.get("__metadata__"), dict):
            header["__metadata__"].setdefault("legacy_autograd", json.dumps(structure))
            if rng.random() < 0.9:
                header["__metadata__"]["legacy_autograd"] = json.dumps(structure)
        changed = forged(header, content[8 + length :])
        try:
            load(io.BytesIO(changed[: rng.randrange(len(changed))] if rng.random() < 0.1 else changed))
        except ValueError as error:
            assert type(error) is ValueError and str(error).startswith("load: the file")


def test_what_save_nests_load_reads():
    for kind in (list, tuple, lambda items: dict(enumerate(items)), lambda items: {"x": items[0]}):
        deep = 1
        for _ in range(serialization._format.DEEPEST):
            deep = kind([deep])
        assert again(deep) == deep
        with pytest.raises(ValueError, match="nested too deeply; load reads at most 150"):
            save(kind([kind([deep])]), io.BytesIO())
    most = 64 if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0" else 32  # dimensions that an array can have
    many_dimensions = torch.ones(2).view(*[1] * (most - 1), 2)
    back, row = again([many_dimensions, many_dimensions.view(2)])
    assert back.dim() == most and row.storage() == back.storage()


def test_a_structure_that_cannot_be_read_is_refused():
    for text in ("", "[", "[1]", '{"version": 1}', "[" * 100_000):
        with pytest.raises(ValueError, match="structure"):
            load(io.BytesIO(with_structure(text)))
    deep = '{"version": 1, "content": ' + "[" * 950 + "]" * 950 + "}"
    try:
        load(io.BytesIO(with_structure(deep)))
    except ValueError as error:
        assert "too deeply" in str(error)
    with pytest.raises(ValueError, match=r"another version of save \(2"):
        load(io.BytesIO(with_structure({"version": 2, "content": 0})))


# --- what cannot be saved


class Color(enum.IntEnum):
    red = 1


@pytest.mark.parametrize(
    "obj, message",
    [
        ({"a": [1, object()]}, r"the object\['a'\]\[1\] is a object"),
        ({"color": Color.red}, r"\['color'\] is a Color"),
        ({"x": {1, 2}}, "is a set"),
        ({"x": numpy.array(["a"])}, "is a ndarray"),
        ({"x": numpy.zeros(2, complex)}, "is a ndarray"),
        ({"x": Module()}, r"\['x'\] is a Module.*state_dict"),
        ({"x": Variable(torch.zeros(2), requires_grad=True) * 2}, r"\['x'\] is a Variable that MulConstant made"),
        ({"x": collections.defaultdict(list)}, "is a defaultdict"),
        (print, "the object is a builtin_function"),
        ({(1, Color.red): 2}, "is a Color"),
    ],
)
def test_what_cannot_be_saved_is_named_with_its_place(obj, message):
    with pytest.raises(TypeError, match=message):
        save(obj, io.BytesIO())


def test_keys_have_to_be_plain():
    for key in (torch.zeros(1), (1, torch.zeros(1)), frozenset()):
        with pytest.raises(TypeError, match="as a key"):
            save({"a": {key: 1}}, io.BytesIO())


def test_what_contains_itself_is_refused():
    inner = []
    inner.append({"again": inner})
    with pytest.raises(ValueError, match=r"the object\['x'\]\[0\]\['again'\] contains itself"):
        save({"x": inner}, io.BytesIO())
    twice = [1]
    assert again([twice, twice]) == [[1], [1]]
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="too deeply"):
        save(deep, io.BytesIO())


def test_without_safetensors_it_says_what_to_install(monkeypatch, tmp_path):
    save({"w": torch.zeros(1)}, tmp_path / "x")
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    sentence = r'pip install "legacy_autograd\[train\]"'
    with pytest.raises(ImportError, match=sentence):
        save({"w": torch.zeros(1)}, tmp_path / "y")
    with pytest.raises(ImportError, match=sentence):
        load(tmp_path / "x")
    assert os.listdir(tmp_path) == ["x"]


# --- whole modules


class Scale(Module):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(torch.randn(3))

    def forward(self, x):
        return x * self.weight


def test_a_whole_module_is_pickled(tmp_path):
    module = Scale()
    save(module, tmp_path / "x")
    with pytest.raises(ValueError, match="a pickle, as save writes of a whole Module"):
        load(tmp_path / "x")
    back = load(tmp_path / "x", weights_only=False)
    assert isinstance(back, Scale) and back.weight.data.tolist() == module.weight.data.tolist()
    x = Variable(torch.ones(3))
    back(x).sum().backward()
    assert back.weight.grad.tolist() == [1, 1, 1]
    with pytest.raises(TypeError, match="is a Scale"):
        save(module, tmp_path / "y", weights_only=True)


def test_a_program_that_cannot_be_changed_can_be_trusted(tmp_path, monkeypatch):
    module = Scale()
    save(module, tmp_path / "x")
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    assert load(tmp_path / "x").weight.data.equal(module.weight.data)
    with pytest.raises(ValueError, match="TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1"):
        load(tmp_path / "x", weights_only=True)
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "0")
    with pytest.raises(ValueError, match="is a pickle"):
        load(tmp_path / "x")


def test_a_pickle_that_is_cut_off_is_damaged(tmp_path):
    content = pickle.dumps({"a": [1, 2.5, "text"], "w": torch.ones(3)})
    for length in range(2, len(content) - 1, 7):
        (tmp_path / "x").write_bytes(content[:length])
        with pytest.raises(ValueError, match="x' is (damaged or )?cut off"):
            load(tmp_path / "x", weights_only=False)


def test_a_module_that_cannot_be_pickled_leaves_the_old_file(tmp_path):
    module = Scale()
    save(module, tmp_path / "x")
    module.function = lambda: None
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        save(module, tmp_path / "x")
    load(tmp_path / "x", weights_only=False)


def test_anything_can_be_pickled_when_asked(tmp_path):
    save({"model": Scale(), "colors": {Color.red}}, tmp_path / "x", weights_only=False)
    assert load(tmp_path / "x", weights_only=False)["colors"] == {Color.red}


def test_a_place_for_tensors_of_a_gpu_changes_nothing(tmp_path):
    save(torch.ones(1), tmp_path / "x")
    assert load(tmp_path / "x", lambda storage, location: storage).tolist() == [1]
    assert load(tmp_path / "x", map_location="cpu").tolist() == [1]
    assert load(tmp_path / "x", map_location={"cuda:0": "cpu"}).tolist() == [1]
    with pytest.raises(RuntimeError, match="map_location='cuda:1'"):
        load(tmp_path / "x", map_location="cuda:1")
