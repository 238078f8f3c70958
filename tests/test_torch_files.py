"""Files of torch: of v0.1.1 to v0.1.9 (tar), v0.1.10 to v1.5 (pickles) and since v1.6 (zip), in both directions."""

import collections
import io
import os
import pickle
import random
import struct
import tarfile
import warnings
import zipfile

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.serialization import pickles, torch_read
from legacy_autograd.serialization.torch_trusted import SourceChangeWarning

modern = pytest.importorskip("torch")

FORMATS = ["pickles", "zip"]
TYPES = {
    "float64": "Double", "float32": "Float", "float16": "Half", "int64": "Long", "int32": "Int", "int16": "Short",
    "int8": "Char", "uint8": "Byte",
}  # fmt: skip


def by_modern(obj, kind="zip", **how):
    """The content of modern torch's file with `obj`."""
    stream = io.BytesIO()
    modern.save(obj, stream, _use_new_zipfile_serialization=kind == "zip", **how)
    return stream.getvalue()


def read(content, **how):
    return torch.load(io.BytesIO(content), **how)


@pytest.fixture
def torch_format(monkeypatch):
    """What `run --torch-format` sets."""
    monkeypatch.setattr(pickles, "pickled_here", {})
    monkeypatch.setattr(pickles, "torch_format", True)


def written(obj):
    stream = io.BytesIO()
    torch.save(obj, stream)
    return stream.getvalue()


def in_modern(obj, **how):
    return modern.load(io.BytesIO(written(obj)), **how)


def test_a_part_of_a_stream_reads_as_a_stream_of_its_own():
    def readinto(stream, size):
        memory = bytearray(max(size or 2, 0))
        return stream.readinto(memory), memory

    content = b"".join([b"line %d\n" % number for number in range(40)])
    calls = [
        lambda stream, size, offset: stream.read(size),
        lambda stream, size, offset: stream.readline(size),
        lambda stream, size, offset: stream.readline(),
        lambda stream, size, offset: readinto(stream, size),
        lambda stream, size, offset: stream.seek(offset),
        lambda stream, size, offset: stream.seek(-offset, io.SEEK_CUR),
        lambda stream, size, offset: stream.seek(-offset, io.SEEK_END),
    ]
    rng = random.Random(0)
    whole, theirs = io.BytesIO(b"before\n" + content + b"after\n"), io.BytesIO(content)
    ours = torch_read._Part(whole, 7, 7 + len(content))
    ours.seek(0)
    assert ours.seekable() and ours.readable()
    for _ in range(2000):
        call, size = rng.choice(calls), rng.choice([None, -1, 0, 1, 3, 8, 100, 1000])
        offset = rng.choice([0, 5, 100, len(content), len(content) + 9])
        assert call(ours, size, offset) == call(theirs, size, offset) and ours.tell() == theirs.tell()


# --- written by modern torch


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("dtype, name", TYPES.items())
def test_every_type_of_tensor_is_read(kind, dtype, name):
    x = modern.arange(6).view(2, 3).to(getattr(modern, dtype))
    back = read(by_modern([x, x.t(), x[:, 1], x[:0], x[1, 2], x[0].expand(4, 3)], kind))
    assert {tensor.type() for tensor in back} == {f"torch.{name}Tensor"}
    expected = [x.tolist(), x.t().tolist(), x[:, 1].tolist(), [], [5], x[0].expand(4, 3).tolist()]
    assert [tensor.tolist() for tensor in back] == expected and back[3].size() == (0, 3)
    assert back[1].stride() == (1, 3) and back[5].stride() == (0, 1)
    back[0].fill_(7)
    assert [tensor.tolist()[0] for tensor in back[1:3]] == [[7, 7], 7] and back[4].tolist() == [7]
    assert back[1]._version == back[0]._version == 1 and back[1].storage() is back[0].storage()
    with pytest.raises(RuntimeError, match="read-only"):
        back[5].fill_(1)
    back[0].resize_(1)  # it owns its memory


@pytest.mark.parametrize("kind", FORMATS)
def test_types_that_numpy_or_the_package_does_not_have(kind):
    assert read(by_modern(modern.tensor([True, False]), kind)).type() == "torch.ByteTensor"
    x = modern.tensor([1.5, -3e38, float("inf")])
    with pytest.warns(UserWarning, match="bfloat16 numbers, which become float32"):
        back = read(by_modern([x.bfloat16(), x.bfloat16()[1:]], kind))
    assert [tensor.tolist() for tensor in back] == [x.bfloat16().tolist(), x[1:].bfloat16().tolist()]
    for refused, name in [
        (x.to(modern.complex64), "torch.ComplexFloatStorage"),
        (modern.zeros(2, dtype=modern.uint16), r"torch._utils._rebuild_tensor_v3|UntypedStorage"),
        (modern.eye(2).to_sparse(), "torch._utils._rebuild_sparse_tensor"),
        (modern.float32, "torch.float32"),
        (modern.device("cpu"), "torch.device"),
    ]:
        with pytest.raises(ValueError, match=f"needs ({name})"):
            read(by_modern(refused, kind))


@pytest.mark.parametrize("kind", FORMATS)
def test_variables_and_containers(kind):
    w = modern.nn.Parameter(modern.ones(2))
    obj = {
        "p": w, "frozen": modern.nn.Parameter(modern.ones(1), requires_grad=False),
        "v": modern.zeros(1, requires_grad=True), "size": modern.Size([2, 3]),
        (1, "a"): [1, None, True, 2**70, "ä", -0.5],
        "o": collections.OrderedDict(b=b"abc\xff", a={}), "c": collections.Counter([3, 3]), "twice": w,
    }  # fmt: skip
    back = read(by_modern(obj, kind))
    assert type(back["p"]) is nn.Parameter and back["p"].requires_grad and back["p"] is back["twice"]
    assert type(back["frozen"]) is nn.Parameter and not back["frozen"].requires_grad
    assert type(back["v"]) is Variable and back["v"].requires_grad and back["v"].is_leaf
    assert back["size"] == (2, 3) and type(back["size"]) is torch.Size and back[1, "a"] == obj[1, "a"]
    assert list(back["o"].items()) == [("b", b"abc\xff"), ("a", {})] and type(back["o"]) is collections.OrderedDict
    assert back["c"] == {3: 2}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_state_dict_and_an_optimizers_state_of_modern_torch(kind):
    theirs = modern.nn.Sequential(modern.nn.Conv2d(1, 2, 3), modern.nn.ReLU(), modern.nn.Linear(3, 2))
    ours = nn.Sequential(nn.Conv2d(1, 2, (3, 3)), nn.ReLU(), nn.Linear(3, 2))
    x = modern.randn(2, 1, 5, 5)
    adam = {"step": modern.tensor(1.0), "exp_avg": modern.randn(2, 1, 3, 3)}
    optimizer = {"state": {0: adam}, "param_groups": [{"lr": 0.1, "betas": (0.9, 0.999), "params": [0]}]}
    back = read(by_modern({"model": theirs.state_dict(), "optimizer": optimizer}, kind))
    assert back["model"]._metadata[""] == {"version": 1}
    for module in (ours, read(by_modern(theirs, kind), weights_only=False)):
        module.load_state_dict(back["model"])
        module.float()
        output = module(Variable(torch.from_numpy(x.numpy())))
        numpy.testing.assert_allclose(output.data.numpy(), theirs(x).detach().numpy(), atol=1e-6)
    assert back["optimizer"]["state"][0]["exp_avg"].tolist() == adam["exp_avg"].tolist()
    assert back["optimizer"]["param_groups"] == optimizer["param_groups"]


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_is_read_from_where_it_begins(kind, tmp_path):
    content = by_modern(modern.ones(2), kind)
    stream = io.BytesIO(b"before" + content)
    stream.seek(6)
    assert torch.load(stream).tolist() == [1, 1]
    (tmp_path / "x").write_bytes(content)
    assert torch.load(tmp_path / "x").tolist() == [1, 1]
    two = io.BytesIO(by_modern(modern.zeros(1), "pickles") + content)
    assert torch.load(two).tolist() == [0] and torch.load(two).tolist() == [1, 1]


def test_the_arguments_of_2017(tmp_path, torch_format):
    torch.save(torch.ones(2), f=tmp_path / "x", pickle_module=pickle, pickle_protocol=2)
    assert torch.load(tmp_path / "x", lambda storage, location: storage, pickle).tolist() == [1, 1]
    assert torch.load(f=tmp_path / "x", map_location={"cuda:0": "cpu"}, pickle_module=pickle).tolist() == [1, 1]


def test_map_location_is_asked_for_every_storage():
    asked = []
    content = by_modern([modern.ones(2), modern.zeros(1)])
    read(content, map_location=lambda storage, location: asked.append((storage.tolist(), location)))
    assert sorted(asked) == [([0], "cpu"), ([1, 1], "cpu")]
    assert read(content, map_location=lambda storage, location: storage)[0].tolist() == [1, 1]
    with pytest.raises(TypeError, match="map_location must return the storage or None, got str"):
        read(content, map_location=lambda storage, location: "cpu")


# --- written as v0.1.x wrote


class _Named:
    """Pickled as a global of torch, whatever that is."""

    def __init__(self, module, name):
        self.names = module, name


class _Call:
    def __init__(self, function, arguments, state=None):
        self.reduced = (function, arguments) if state is None else (function, arguments, state)


class OldPickler(pickle._Pickler):
    """Writes globals by any name; `ids` contains the objects outside of the pickle."""

    ids = {}

    def persistent_id(self, obj):
        return self.ids.get(id(obj))

    def reducer_override(self, obj):
        return "x" if isinstance(obj, _Named) else obj.reduced if isinstance(obj, _Call) else NotImplemented

    def save_global(self, obj, name=None):
        if not isinstance(obj, _Named):
            return super().save_global(obj, name)
        module, name = obj.names
        self.write(b"c" + module.encode() + b"\n" + name.encode() + b"\n")
        self.memoize(obj)

    def save_reduce(self, func, args, state=None, listitems=None, dictitems=None, *, obj=None, **more):
        self.save(func)
        self.save(args)
        self.write(b"\x81" if args == () and isinstance(func, _Named) and state is not None else b"R")
        if obj is not None:
            self.memoize(obj)
        self._batch_setitems(dictitems) if dictitems is not None else None
        if state is not None:
            self.save(state)
            self.write(b"b")


FLOATS = _Named("torch", "FloatStorage")


def dumped(obj, ids=()):
    stream = io.BytesIO()
    pickler = OldPickler(stream, 2)
    pickler.ids = dict(ids)
    pickler.dump(obj)
    return stream.getvalue()


def magic(content, keys=b"", storages=b"", system=None):
    """A file of v0.1.10: the part before the object's pickle, the pickle, and the numbers."""
    system = system or {"little_endian": True, "protocol_version": 1001, "type_sizes": {}}
    front = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps(system, 2)
    return front + content + keys + storages


def floats(*numbers):
    return struct.pack(f"<q{len(numbers)}f", len(numbers), *numbers)


def storage_id(size=4, key="7", location="cpu", part=None):
    return "storage", FLOATS, key, location, size, part


def test_a_file_of_2017():
    rebuild = _Named("torch._utils", "_rebuild_tensor")
    root, part, tensor = object(), object(), object()
    x = _Call(rebuild, (root, 0, (2, 2), (2, 1)))
    y = _Call(rebuild, (root, 1, (2,), (2,)))
    variable, parameter = _Named("torch.autograd.variable", "Variable"), _Named("torch.nn.parameter", "Parameter")
    obj = {
        "x": x, "y": y, "root": root, "part": part,
        "p": _Call(parameter, (x,), (True, False, collections.OrderedDict())),
        "v": _Call(variable, (), (y, None, None, False, True)),
    }  # fmt: skip
    ids = {id(root): storage_id(), id(part): storage_id(part=("9", 1, 2)), id(tensor): None}
    # The Call of OrderedDict() in Python's pickle is that of v0.1.x as well.
    for trusted in (None, False):
        content = magic(dumped(obj, ids), pickle.dumps(["7"], 2), floats(1, 2, 3, 4))
        back = read(content, weights_only=trusted)
        assert back["x"].tolist() == [[1, 2], [3, 4]] and back["y"].tolist() == [2, 4]
        assert type(back["root"]) is torch.FloatStorage and back["part"].tolist() == [2, 3]
        assert type(back["p"]) is nn.Parameter and back["p"].requires_grad and back["p"].data is back["x"]
        assert type(back["v"]) is Variable and back["v"].volatile and back["v"].data is back["y"]
        back["part"][0] = 20
        assert back["root"].tolist() == [1, 20, 3, 4] and back["y"].tolist() == [20, 4]


def test_a_model_of_2017():
    ids, numbers = {}, []
    rebuild, parameter = _Named("torch._utils", "_rebuild_tensor"), _Named("torch.nn.parameter", "Parameter")

    def tensor(*size, value=1.0):
        root, count = object(), int(numpy.prod(size))
        ids[id(root)] = "storage", FLOATS, str(len(numbers)), "cuda:0", count, None
        numbers.append((root, floats(*[value] * count)))
        strides = tuple(int(numpy.prod(size[dim + 1 :])) for dim in range(len(size)))
        return _Call(rebuild, (root, 0, size, strides))

    def module(file, name, **attributes):
        kind, inner = _Named(f"torch.nn.modules.{file}", name), _Named(f"torch.nn.modules.{file}", name)
        ids[id(kind)] = "module", inner, f"/old/{file}.py", f"class {name}(Module):\n    pass\n"
        of = {"_parameters": {}, "_buffers": {}, "_modules": {}, "_backward_hooks": {}, "_forward_hooks": {}}
        state = {key: collections.OrderedDict(attributes.pop(key, value)) for key, value in of.items()}
        backend = _Call(_Named("torch.nn.backends.thnn", "_get_thnn_function_backend"), ())
        return _Call(kind, (), {**state, "training": False, "_backend": backend, **attributes})

    def weights(**tensors):
        return {name: _Call(parameter, (x,), (True, False, None)) for name, x in tensors.items()}

    conv = module(
        "conv", "Conv2d", in_channels=1, out_channels=2, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1),
        dilation=(1, 1), transposed=False, output_padding=(0, 0), groups=1,
        _parameters=weights(weight=tensor(2, 1, 3, 3), bias=tensor(2, value=0.5)),
    )  # fmt: skip
    norm = module(
        "batchnorm", "BatchNorm2d", num_features=2, affine=True, eps=0.0, momentum=0.1,
        _parameters=weights(weight=tensor(2, value=2), bias=tensor(2)),
        _buffers={"running_mean": tensor(2, value=9.5), "running_var": tensor(2, value=4)},
    )  # fmt: skip
    pool = module(
        "pooling", "MaxPool2d", kernel_size=3, stride=3, padding=0, dilation=1, return_indices=False, ceil_mode=False
    )
    linear = module(
        "linear", "Linear", in_features=1, out_features=1, _parameters=weights(weight=tensor(1, 1, value=3))
    )
    modules = {"0": conv, "1": norm, "2": module("activation", "ReLU", inplace=True, threshold=0, value=0), "3": pool}
    model = module("container", "Sequential", _modules=modules)
    # The weights of Linear have no bias: v0.1.12 wrote it as None.
    linear.reduced[2]["_parameters"]["bias"] = None
    content = magic(
        dumped([model, linear], ids),
        pickle.dumps([str(number) for number in range(len(numbers))], 2),
        b"".join([content for _, content in numbers]),
    )
    with pytest.raises(ValueError, match="needs torch.nn.modules.container.Sequential"):
        read(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model, linear = read(content, weights_only=False)
    x = Variable(torch.ones(1, 1, 3, 3).float())
    # The middle of the convolution sees 9 ones: (9.5 - 9.5) / 2 * 2 + 1; the others see fewer.
    output = model(x)
    assert output.data.tolist() == [[[[1]], [[1]]]] and linear(output.view(2, 1)).data.tolist() == [[3], [3]]
    output.sum().backward()
    assert model[0].weight.grad.abs().sum() > 0 and "Conv2d(1, 2" in repr(model)
    assert type(model) is nn.Sequential and model.training is False


def tar(pickled, tensors, storages, system=None):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:", format=tarfile.PAX_FORMAT) as archive:
        system = pickle.dumps(system or {"little_endian": True, "protocol_version": 1000}, 2)
        for name, content in [("sys_info", system), ("pickle", pickled), ("tensors", tensors), ("storages", storages)]:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def placed(offset, size, stride):
    return struct.pack(f"<iI{2 * len(size) + 1}q", len(size), 0xABCD, *size, *stride, offset)


@pytest.mark.parametrize("version", ["0.1.1", "0.1.9"])
def test_a_tar_of_2016(version):
    first = version == "0.1.1"
    tensor_type, key = _Named("torch", "FloatTensor"), 140_000_000_000_000
    x, y, e, storage = object(), object(), object(), object()
    content = tar(
        dumped({"x": x, "y": y, "e": e, "s": storage}, {id(x): "11", id(y): "12", id(e): "13", id(storage): str(key)}),
        pickle.dumps(3, 2)
        + dumped((11, tensor_type, key) if first else (11, key, tensor_type)) + placed(0, (2, 2), (2, 1))
        + dumped((12, tensor_type, key) if first else (12, key, tensor_type)) + placed(1, (2,), (2,))
        + dumped((13, tensor_type, key) if first else (13, None, tensor_type)) + placed(0, (), ()),
        pickle.dumps(1, 2) + dumped((key, FLOATS) if first else (key, "cpu", FLOATS)) + floats(1, 2, 3, 4)
        + (b"" if first else pickle.dumps([(15, key, 1, 2)], 2)),
    )  # fmt: skip
    for trusted in (None, False):
        back = read(content, weights_only=trusted)
        assert back["x"].tolist() == [[1, 2], [3, 4]] and back["y"].tolist() == [2, 4] and back["e"].numel() == 0
        assert type(back["e"]) is torch.FloatTensor and back["s"].tolist() == [1, 2, 3, 4]
        back["s"][1] = 20
        assert back["y"].tolist() == [20, 4] and back["x"].storage() is back["s"]
    if not first:
        content = content.replace(dumped((13, None, tensor_type)), dumped((13, key, tensor_type)))
    for cut in range(300, len(content) - 10240, 499):
        with pytest.raises(ValueError, match="load: the file"):
            read(content[:cut])


def test_modern_torch_reads_the_same_tar(tmp_path):
    x, y, tensor_type = object(), object(), _Named("torch", "FloatTensor")
    content = tar(
        dumped([x, y], {id(x): "11", id(y): "12"}),
        pickle.dumps(2, 2) + dumped((11, 5, tensor_type)) + placed(0, (2, 2), (2, 1))
        + dumped((12, 6, tensor_type)) + placed(0, (2,), (1,)),
        pickle.dumps(1, 2) + dumped((5, "cpu", FLOATS)) + floats(1, 2, 3, 4) + pickle.dumps([(6, 5, 1, 2)], 2),
    )  # fmt: skip
    (tmp_path / "x").write_bytes(content)
    theirs, ours = modern.load(tmp_path / "x", weights_only=False), read(content)
    assert [tensor.tolist() for tensor in theirs] == [tensor.tolist() for tensor in ours] == [[[1, 2], [3, 4]], [2, 3]]
    for tensors in (theirs, ours):
        tensors[0].fill_(9)
        assert tensors[1].tolist() == [9, 9]


# --- written here


def test_modern_torch_reads_every_type(torch_format):
    for dtype, name in TYPES.items():
        x = torch.arange(0, 6).view(2, 3).type(f"torch.{name}Tensor")
        theirs = in_modern([x, x.t(), x[1], x[:, 1], x.new(), x[:1].expand(4, 3)], weights_only=True)
        assert {tensor.dtype for tensor in theirs} == {getattr(modern, dtype)}
        assert [tensor.tolist() for tensor in theirs[:4]] == [
            x.tolist(),
            x.t().tolist(),
            x[1].tolist(),
            x[:, 1].tolist(),
        ]
        assert theirs[4].numel() == 0 and theirs[5].tolist() == [x[0].tolist()] * 4
        theirs[0].fill_(7)
        assert theirs[1].tolist() == [[7, 7]] * 3 and theirs[3].tolist() == [7, 7]


def test_modern_torch_reads_state_dicts_parameters_and_containers(torch_format):
    model = nn.Sequential(nn.Conv2d(1, 2, (3, 3)), nn.BatchNorm2d(2), nn.Linear(3, 2)).float()
    optimizer = torch.optim.Adam(model.parameters())
    model(Variable(torch.ones(2, 1, 5, 5).float())).sum().backward()
    optimizer.step()
    obj = {
        "model": model.state_dict(), "optimizer": optimizer.state_dict(), "p": nn.Parameter(torch.ones(2)),
        "frozen": nn.Parameter(torch.ones(2), requires_grad=False), "size": torch.Size([1, 2]),
        "n": (1, 2.5, None, "ä"),
    }  # fmt: skip
    theirs = in_modern(obj, weights_only=True)
    module = modern.nn.Sequential(modern.nn.Conv2d(1, 2, 3), modern.nn.BatchNorm2d(2), modern.nn.Linear(3, 2))
    assert not module.load_state_dict(theirs["model"], strict=False).unexpected_keys
    x = modern.randn(4, 1, 5, 5)
    ours = model(Variable(torch.from_numpy(x.numpy())))
    numpy.testing.assert_allclose(ours.data.numpy(), module(x).detach().numpy(), atol=1e-5)
    assert theirs["p"].requires_grad and not theirs["frozen"].requires_grad and theirs["size"] == (1, 2)
    assert type(theirs["p"]) is modern.nn.Parameter and theirs["n"] == obj["n"]
    assert [*theirs["optimizer"]] == ["state", "param_groups"]
    assert type(in_modern(Variable(torch.ones(2)), weights_only=False)) is modern.Tensor


def test_what_is_written_here_is_read_here(torch_format):
    x = torch.arange(0, 12).view(3, 4)
    part = x.storage()[1:3]
    obj = [x, x.t(), x.storage(), part, part, x.storage()[1:3], Variable(x[0], requires_grad=False), torch.Size([2])]
    back = read(written(obj), weights_only=True)
    assert [type(item) for item in back] == [type(item) for item in obj] and back[0].storage() is back[2]
    assert back[3] is back[4] is not back[5] and back[3]._cdata != back[5]._cdata and len(back[5]) == 2
    back[3].fill_(9)
    assert back[0].tolist()[0] == back[6].data.tolist() == [0, 9, 9, 3] and back[1].tolist()[1] == [9, 5, 9 + 0 * 9]


class Tree:
    def __init__(self, child):
        self.children = [child]


def test_what_is_nested_as_a_parse_tree_is_written(torch_format):
    tree = None
    for _ in range(150):
        tree = Tree(tree)
    back, depth = read(written(tree)), 0
    while back is not None:
        back, depth = back.children[0], depth + 1
    assert depth == 150


def test_scattered_memory_of_numpy_is_written(torch_format):
    scattered = torch.from_numpy(numpy.arange(10.0)[::2])
    assert in_modern(scattered).tolist() == [0, 2, 4, 6, 8]


def test_every_layer_has_torchs_name(torch_format):
    elsewhere, count = set(), 0
    for name in dir(modern.nn):
        kind, theirs = getattr(nn, name, None), getattr(modern.nn, name)
        if isinstance(kind, type) and kind.__name__ == name and theirs.__module__.startswith("torch.nn.modules."):
            count += 1
            if theirs.__module__.encode() + b"\n" + name.encode() not in written(kind):
                elsewhere.add(name)
    assert count > 60 and not elsewhere, elsewhere


def test_run_writes_torchs_format_when_asked(tmp_path):
    import subprocess
    import sys

    (tmp_path / "program.py").write_text(
        "import torch\ntorch.save({'w': torch.ones(2, 2), 'epoch': 3}, 'x.pt')\nprint(torch.load('x.pt')['epoch'])\n"
    )
    root = os.path.dirname(os.path.dirname(torch.__file__))
    command = [sys.executable, "-m", "legacy_autograd", "run", "--torch-format", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}, capture_output=True, text=True)
    assert done.stdout == "3\n", done.stderr
    assert modern.load(tmp_path / "x.pt")["w"].tolist() == [[1, 1], [1, 1]]


# --- trust


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 1)

    def forward(self, x):
        return self.linear(x)


def test_a_module_needs_trust(torch_format, monkeypatch):
    net = Net()
    content = written({"net": net})
    monkeypatch.setattr(pickles, "pickled_here", {})
    with pytest.raises(ValueError, match="needs .*Net|needs the class of a Module"):
        read(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = read(content, weights_only=False)["net"]
    assert type(back) is Net and back.linear.weight.data.tolist() == net.linear.weight.data.tolist()
    back(Variable(torch.ones(1, 2))).sum().backward()
    assert back.linear.weight.grad is not None


def test_a_class_that_has_changed_is_said(torch_format):
    content = written(Net())
    changed = content.replace(b"return self.linear(x)", b"return self.linear(y)")
    with pytest.warns(SourceChangeWarning, match="source code of class '.*Net' has changed"):
        read(changed, weights_only=False)


# --- damaged and hostile


class Evil:
    def __init__(self, function, *arguments):
        self.reduced = function, arguments

    def __reduce__(self):
        return self.reduced


RAN = []


def boom(*arguments):
    RAN.append(arguments)


def zipped(pickled, entries=(), compression=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", compression) as archive:
        warnings.simplefilter("ignore")  # of names that come twice
        for name, content in [("archive/data.pkl", pickled), ("archive/version", b"3\n"), *entries]:
            archive.writestr(name, content)
    return stream.getvalue()


WRAPPED = {
    "pickles": lambda pickled: magic(pickled, pickle.dumps([], 2)),
    "zip": zipped,
    "tar": lambda pickled: tar(pickled, pickle.dumps(0, 2), pickle.dumps(0, 2)),
}
ORDERED = b"ccollections\nOrderedDict\n"
HOSTILE = {
    "a call": pickle.dumps(Evil(boom, 1), 2),
    "a call in protocol 4": pickle.dumps(Evil(boom, 1), 4),
    "os.system": pickle.dumps(Evil(os.system, "exit 1"), 2),
    "eval": b"\x80\x02c__builtin__\neval\nX\x05\x00\x00\x001 + 1\x85R.",
    "getattr": b"\x80\x02cbuiltins\ngetattr\n(" + ORDERED + b"X\x08\x00\x00\x00__init__tR.",
    "a class itself": b"\x80\x02" + ORDERED + b".",
    "a type of storages itself": b"\x80\x02]q\x00ctorch\nFloatStorage\na.",
    "a call of a storage's type": b"\x80\x02ctorch\nFloatStorage\nK\x05\x85R.",
    "a name with a dot": b"\x80\x02ccollections\nabc.sys\n.",
    "an attribute of what is allowed": b"\x80\x02ccollections\nOrderedDict.fromkeys\n]\x85R.",
    "torch.load": b"\x80\x02ctorch\nload\nX\x01\x00\x00\x00x\x85R.",
    "an INST": b"\x80\x02(ios\ngetcwd\n.",
    "an OBJ": b"\x80\x02(cos\ngetcwd\no.",
    "an EXT": b"\x80\x02\x82\x01.",
    "a text of protocol 0": b"\x80\x02S'abc'\n.",
    "a BUILD on a dict": b"\x80\x02}}b.",
    "a BUILD on an OrderedDict": b"\x80\x02" + ORDERED + b")R}X\x05\x00\x00\x00itemsK\x01sb.",
    "a BUILD on a number": b"\x80\x02K\x01}b.",
    "a REDUCE of a text": b"\x80\x02X\x04\x00\x00\x00evil)R.",
    "an APPEND to a tuple": b"\x80\x02)K\x01a.",
    "an APPEND to a dict": b"\x80\x02}K\x01a.",
    "a SETITEM in a list": b"\x80\x02]K\x01K\x02s.",
    "a list as a key": b"\x80\x02}]K\x02s.",
    "nested tuples as a key": b"\x80\x02})" + b"\x86".join([b"2"] * 40) + b"K\x01s.",
    "an empty stack": b"\x80\x020.",
    "a mark that is not there": b"\x80\x02t.",
    "a mark as a value": b"\x80\x02(.",
    "a mark in the memo": b"\x80\x02(q\x00.",
    "a memo that is not there": b"\x80\x02h\x05.",
    "odd items": b"\x80\x02}(K\x01u.",
    "no end": b"\x80\x02K\x01",
    "nothing": b"",
    "a text longer than the file": b"\x80\x02X\xff\xff\xff\x7fabc.",
    "a text of an exabyte": b"\x80\x04\x8d" + struct.pack("<Q", 2**60) + b"abc.",
    "bytes of an exabyte": b"\x80\x04\x8e" + struct.pack("<Q", 2**60) + b"abc.",
    "an integer of 10,000 digits": b"\x80\x02\x8b" + struct.pack("<i", 5000) + b"\x7f" * 5000 + b".",
    "an integer of negative length": b"\x80\x02\x8b" + struct.pack("<i", -5) + b".",
    "an unknown opcode": b"\x80\x02\xff.",
    "a protocol of the future": b"\x80\x63K\x01.",
    "an id that is a text": b"\x80\x02X\x03\x00\x00\x00abcQ.",
    "an id that is a number": b"\x80\x02K\x05Q.",
    "an id that is too short": b"\x80\x02X\x07\x00\x00\x00storage\x85Q.",
    "a module as an id": b"\x80\x02(X\x06\x00\x00\x00module" + ORDERED + b"NNtQ.",
    "a tensor over a number": b"\x80\x02ctorch._utils\n_rebuild_tensor\n(K\x01K\x00K\x01\x85K\x01\x85tR.",
    "a tensor without arguments": b"\x80\x02ctorch._utils\n_rebuild_tensor\n)R.",
    "a Parameter of a number": b"\x80\x02ctorch.nn.parameter\nParameter\nK\x01\x85R.",
    "a Variable without data": b"\x80\x02ctorch.autograd.variable\nVariable\n)\x81.",
    "a Size of texts": b"\x80\x02ctorch\nSize\nX\x01\x00\x00\x00a\x85\x85R.",
    "an OrderedDict of numbers": b"\x80\x02" + ORDERED + b"]K\x01a\x85R.",
    "a Counter of texts": b"\x80\x02ccollections\nCounter\n}K\x01X\x01\x00\x00\x00as\x85R.",
    "bytes in another encoding": b"\x80\x02c_codecs\nencode\nX\x01\x00\x00\x00aX\x05\x00\x00\x00rot13\x86R.",
}


@pytest.mark.parametrize("kind", WRAPPED)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_pickle_is_refused(kind, name):
    for weights_only in (None, True):
        with pytest.raises(ValueError, match="^load: the file is (damaged|a file of torch that needs)") as caught:
            read(WRAPPED[kind](HOSTILE[name]), weights_only=weights_only)
    assert not RAN and type(caught.value) is ValueError


def test_what_is_nested_deeply_comes_or_is_refused():
    deep = b"\x80\x02" + b"]" * 20_000 + b"a" * 19_999 + b"."
    back, depth = read(zipped(deep)), 0
    while back:
        back, depth = back[0], depth + 1
    assert depth == 19_999
    again = b"\x80\x02]q\x00h\x00a."  # a list in itself, as Python's pickle has it
    back = read(zipped(again))
    assert back[0] is back


def declared(size=4, key="0", offset=0, sizes=(4,), strides=(1,), kind="FloatStorage"):
    storage = object()
    tensor = _Call(_Named("torch._utils", "_rebuild_tensor"), (storage, offset, sizes, strides))
    return dumped(tensor, {id(storage): ("storage", _Named("torch", kind), key, "cpu", size)})


FOUR = struct.pack("<4f", 1, 2, 3, 4)


def test_sizes_that_lie_are_refused():
    right = [("archive/data/0", FOUR)]
    assert read(zipped(declared(), right)).tolist() == [1, 2, 3, 4]
    for pickled, entries, words in [
        (declared(size=5), right, "needs 20 bytes, and there are 16"),
        (declared(size=3, sizes=(3,)), right, "needs 12 bytes, and there are 16"),
        (declared(size=2**50), right, "more than the file holds"),
        (declared(size=-1), right, "has the size -1"),
        (declared(size=4.0), right, "has the size 4.0"),
        (declared(), [], "no numbers for the storage '0'"),
        (declared(key="../../etc/passwd"), right, "no numbers for the storage"),
        (declared(sizes=(5,)), right, "does not hold a tensor"),
        (declared(offset=1), right, "does not hold a tensor"),
        (declared(offset=-1), right, "no offset, size and strides"),
        (declared(offset=2**70), right, "no offset, size and strides"),
        (declared(strides=(-1,)), right, "no offset, size and strides"),
        (declared(sizes=(2, 2)), right, "no offset, size and strides"),
        (declared(sizes=(2**30, 2**30), strides=(0, 0)), right, "an impossible size"),
        (declared(sizes=(1,) * 65, strides=(1,) * 65), right, "dim"),
        (declared(kind="ComplexFloatStorage"), right, "ComplexFloatStorage"),
    ]:
        with pytest.raises(ValueError, match=words):
            read(zipped(pickled, entries))
    for keys, storages, words in [
        ([], b"", "the numbers of the storage '7' are missing"),
        (["7"], b"", "cut off"),
        (["7"], floats(1, 2, 3), "3 numbers for the storage '7'"),
        (["7", "7"], 2 * floats(1, 2, 3, 4), "or has its numbers already"),
        (["7", "8"], 2 * floats(1, 2, 3, 4), "'8'"),
        ({"7": 1}, floats(1, 2, 3, 4), "list of storages is a dict"),
        (["7"], struct.pack("<q", 2**62), "another size"),
    ]:
        root = object()
        x = _Call(_Named("torch._utils", "_rebuild_tensor"), (root, 0, (4,), (1,)))
        with pytest.raises(ValueError, match=words):
            read(magic(dumped(x, {id(root): storage_id()}), pickle.dumps(keys, 2), storages))
    with pytest.raises(ValueError, match="highest byte first"):
        read(magic(pickle.dumps(1, 2), pickle.dumps([], 2), system={"little_endian": False}))


def test_zip_archives_with_tricks_are_refused():
    right = [("archive/data/0", FOUR)]
    for content, words in [
        (zipped(declared(), right, zipfile.ZIP_DEFLATED), "compressed"),
        (zipped(declared(), [*right, ("archive/data.pkl", b"\x80\x02K\x01.")]), "an entry twice"),
        (zipped(declared(), [*right, ("other/data.pkl", b"\x80\x02K\x01.")]), "no data.pkl, or several"),
        (zipped(declared(), right).replace(b"archive", b"arch/ve"), "no data.pkl, or several"),
        (zipped(declared(), [*right, ("archive/constants.pkl", b"")]), "TorchScript"),
        (zipped(declared(), [*right, ("archive/byteorder", b"middle")]), "its byte order"),
        (zipped(declared(), right)[:-10], "damaged"),
        (zipped(declared(), right).replace(FOUR, b"\xff" + FOUR[1:]), "CRC"),
        (b"PK\x03\x04" + b"\0" * 600, "damaged"),
    ]:
        with pytest.raises(ValueError, match=words):
            read(content)
    big_endian = zipped(declared(), [("archive/data/0", struct.pack(">4f", 1, 2, 3, 4)), ("archive/byteorder", b"big")])
    assert read(big_endian).tolist() == [1, 2, 3, 4]


def test_tar_archives_with_tricks_are_refused(tmp_path):
    entry = tarfile.TarInfo("../evil")
    link = tarfile.TarInfo("pickle")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    for strange in (entry, link):
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w:") as archive:
            archive.addfile(strange)
        with pytest.raises(ValueError, match="torch.save does not|is no file"):
            read(stream.getvalue())
    with pytest.raises(ValueError, match="has only"):
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w:") as archive:
            archive.addfile(tarfile.TarInfo("sys_info"))
        read(stream.getvalue())


@pytest.mark.parametrize("kind", [*FORMATS, "here"])
def test_cut_off_or_changed_anywhere_nothing_but_valueerror_comes(kind, torch_format):
    theirs = {"w": modern.ones(2, 3), "p": modern.nn.Parameter(modern.zeros(2)), "n": [1, 2.5, "x"], "o": {}}
    ours = {"w": torch.ones(2, 3), "p": nn.Parameter(torch.zeros(2)), "n": [1, 2.5, "x"], "s": torch.ones(2).storage()}
    content = written(ours) if kind == "here" else by_modern(theirs, kind)
    pickles.pickled_here.clear()
    assert len(read(content)["w"]) == 2
    rng = random.Random(0)
    for length in range(0, len(content), max(1, len(content) // 100)):
        with pytest.raises(ValueError, match="^load: the file is"):
            read(content[:length])
    for _ in range(400):
        changed = bytearray(content)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                read(bytes(changed), weights_only=True)
            except ValueError as error:
                assert type(error) is ValueError and str(error).startswith("load: the file")
