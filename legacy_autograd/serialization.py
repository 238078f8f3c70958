"""`save` and `load` (2016: `torch/serialization.py`, which wrote a tar file of pickles).

What is saved is taken apart into tensors, which go into a safetensors file under readable names (`model.conv1.weight`),
and what is around them, which goes into the header of that file as JSON. Reading it runs nothing that the file says.

The JSON has lists, strings, finite numbers, true, false and null as themselves, and a dict whose keys are strings as an
object. Everything else is an object with one of these keys:

================  ====================================================================================================
"$tensor"         the name of a tensor in the file. Tensors that share memory are in the file once; one that is not all
                  of that memory has its "offset", "size" and "stride" (in elements) in it
"$array"          the same for a numpy array
"$number"         a numpy number: the name of its dtype, and the number
"$variable"       a leaf Variable: its tensor, "requires_grad", and the "number" by which it is known where it comes
                  again; "$parameter" for a Parameter
"$float"          "nan", "inf" or "-inf"
"$tuple"          the items; "$size" for a Size
"$dict"           the pairs of a dict with other keys; "$ordereddict" of an OrderedDict
================  ====================================================================================================
"""

import collections
import contextlib
import hashlib
import io
import json
import math
import os
import pickle
import secrets
import stat

import numpy

from .cuda import refuse
from .tensor import Size, Tensor
from .tensor.types import supported
from .tensor.wrapping import view_of, wrap
from .variable import Variable

_KEY = "legacy_autograd"  # of the structure, in the metadata of the header
_VERSION = 1
_TRUSTING = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"
_LARGEST_HEADER = 100_000_000  # bytes; safetensors reads no larger one
_DTYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16",
    "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8",
    "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool",
}  # fmt: skip
_NUMBERS = frozenset(_DTYPES.values())

# {length: {SHA-256 of a pickle}}: what `save` pickled while a program of the time runs (running.py), else None.
pickled_here = None


def save(obj, file, weights_only=None):
    """Write `obj` to `file`, a path or a file that is open for writing in binary mode.

    `obj` is made of dicts (with keys of any plain kind), OrderedDicts, lists, tuples, Tensors, leaf Variables, numpy
    arrays, numbers, strings, booleans and None, in any nesting: a state dict, or a dict of several and the epoch. It is
    stored with safetensors. Tensors that share memory do so again when they are loaded; gradients are not stored.

    A whole Module is pickled instead, as torch does it: loading that runs code from the file, and needs the classes.
    `weights_only=False` pickles anything, True nothing. Under `python -m legacy_autograd run` anything else that
    cannot be stored is pickled too, as it was in v0.1.x.

    A path is written to under another name first, flushed to the disk and renamed: whatever happens in between, the
    file of that name is the old one or the new one. Raises TypeError for what cannot be stored, with its place, and
    ValueError for what contains itself; ImportError where safetensors is missing.
    """
    if weights_only is None:
        weights_only = not _is_module(obj) and (pickled_here is None or _is_storable(obj))
    content = _Writer(obj).content() if weights_only else _pickled(obj)
    if hasattr(file, "write"):
        if isinstance(file, io.TextIOBase):
            raise TypeError("save: the file is open for text; open it in binary mode, 'wb'")
        file.write(content)
    else:
        _write_whole(os.path.realpath(os.fsdecode(file)), content)


def load(file, map_location=None, weights_only=None):
    """Read what `save` wrote to `file`, a path or a file that is open for reading in binary mode.

    A safetensors file of another program gives a dict of its tensors. A pickle is opened only with
    `weights_only=False`: it can run any code, so only for files that you trust. Where nothing is said, the environment
    variable that modern torch has for this, TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1, stands for False: for a program that
    loads whole Modules and is to stay as it is. `python -m legacy_autograd run --trust-pickles` sets it; a pickle that
    the same run has saved is opened there without.

    From an open file no more is read than was written by one `save`. `map_location`, which said where tensors of a GPU
    are to go, changes nothing.

    Raises ValueError for a file that is something else, is damaged, or is a pickle, and says which.
    """
    if isinstance(map_location, str) and map_location != "cpu":
        refuse(f"load(map_location={map_location!r})")
    if weights_only is None and os.environ.get(_TRUSTING, "").lower() in ("1", "y", "yes", "true"):
        weights_only = False
    if isinstance(file, io.TextIOBase):
        raise TypeError("load: the file is open for text; open it in binary mode, 'rb'")
    if hasattr(file, "read"):
        seekable = hasattr(file, "seekable") and file.seekable()
        return _read(file if seekable else io.BytesIO(file.read()), None, weights_only)
    with open(file, "rb") as stream:
        return _read(stream, os.fsdecode(file), weights_only)


def _is_module(obj):
    from .nn.module import Module

    return isinstance(obj, Module)


def _is_storable(obj):
    try:
        _Writer(obj)
    except TypeError:
        return False
    return True


def _pickled(obj):
    content = pickle.dumps(obj)
    if pickled_here is not None:
        pickled_here.setdefault(len(content), set()).add(hashlib.sha256(content).digest())
    return content


def _was_pickled_here(stream, begin):
    """Does the stream go on, from `begin`, with what this run has pickled, to the last bit?"""
    for length, digests in (pickled_here or {}).items():
        stream.seek(begin)
        if hashlib.sha256(stream.read(length)).digest() in digests:
            return True
    return False


def trust_pickles():
    """Let `load` open pickles in this process and those that it starts, where the call says nothing of it."""
    os.environ[_TRUSTING] = "1"


def _safetensors():
    try:
        import safetensors.numpy
    except ImportError:
        raise ImportError(
            'save and load need safetensors, which is not installed: pip install "legacy_autograd[train]"'
        ) from None
    return safetensors


# --- files


def _write_whole(path, content):
    """Replace the file at `path` by one with this content; at no time is there half of it."""
    mode = None
    with contextlib.suppress(FileNotFoundError):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):  # a device or a pipe, which must not be replaced by a file
            with open(path, "wb") as stream:
                stream.write(content)
            return
        mode = stat.S_IMODE(status.st_mode)
    folder = os.path.dirname(path)
    temporary = os.path.join(folder, f".{secrets.token_hex(8)}.tmp")
    # Not tempfile: its files are for their owner alone, while this one is to have the permissions that open would give.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _flush_folder(folder)


def _flush_folder(folder):
    """Let the new name reach the disk too, where a folder can be flushed."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(stream, path, weights_only):
    where = f"load: {path!r}" if path is not None else "load: the file"
    begin = stream.tell()
    end = stream.seek(0, io.SEEK_END)
    stream.seek(begin)
    head = stream.read(9)
    length = int.from_bytes(head[:8], "little")
    if len(head) == 9 and head[8:] == b"{" and length <= _LARGEST_HEADER:
        stream.seek(begin)
        content, header = _read_safetensors(stream, end - begin, length, where)
        if path is not None and stream.tell() != end:
            raise ValueError(
                f"{where} is damaged: it goes on for {end - stream.tell()} bytes after what its header says"
            )
        return _Reader(content, header, where).result()
    stream.seek(begin)
    if not _looks_pickled(head):
        raise ValueError(f"{where} is {_kind_of(stream.read(512))}, not what save writes")
    if weights_only or weights_only is None and not _was_pickled_here(stream, begin):
        raise ValueError(
            f"{where} is a pickle, as save writes of a whole Module. Loading it can run any code. If you trust it, say "
            f"load(..., weights_only=False), or for a program that cannot be changed set {_TRUSTING}=1 (run "
            "--trust-pickles does); if you have the model, save its state_dict() instead"
        )
    stream.seek(begin)
    return pickle.load(stream)


def _read_safetensors(stream, size, length, where):
    """The bytes of one safetensors file, and its header."""
    if 8 + length > size:
        raise ValueError(f"{where} is cut off: it has {size} bytes, and its header alone takes {8 + length}")
    content = stream.read(8 + length)
    try:
        header = json.loads(content[8:])
        end = max([entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"], default=0)
        if type(end) is not int or end < 0:
            raise ValueError
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise ValueError(f"{where} is damaged: its header is not that of a safetensors file") from None
    if 8 + length + end > size:
        raise ValueError(f"{where} is cut off: it has {size} bytes, and its header promises {8 + length + end}")
    stream.seek(-len(content), io.SEEK_CUR)
    return stream.read(8 + length + end), header


def _looks_pickled(head):
    return len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= pickle.HIGHEST_PROTOCOL


def _kind_of(head):
    """What a file is that begins with `head`, for messages."""
    if not head:
        return "empty"
    for signature, kind in {
        b"PK\x03\x04": "a zip archive (modern torch.save writes those; there, torch.save its state with safetensors)",
        b"\x1f\x8b": "compressed by gzip",
        b"\x93NUMPY": "an array of numpy.save",
        b"\x89HDF": "an HDF5 file",
    }.items():
        if head.startswith(signature):
            return kind
    if head[257:262] == b"ustar":
        return "a tar archive (torch.save of 2016 wrote those)"
    if len(head) < 9:
        return f"cut off or foreign: it has {len(head)} bytes"
    return "no safetensors file and no pickle"


# --- writing


class _Writer:
    """Takes an object apart: `nodes` become the JSON, `found` the tensors and arrays in it."""

    def __init__(self, obj):
        self.found = []  # (name, array, node, kind of node), of every Tensor and array once
        self.nodes = {}  # by the id of an object that may come again and is to be the same then
        self.alive = []  # so that no id is used again
        self.around = set()  # the ids of the containers that we are in
        self.names = {"__metadata__"}
        try:
            self.root = self.node(obj, ())
        except RecursionError:
            raise ValueError("save: nested too deeply") from None
        self.arrays = {}
        for cluster in _sharing_memory(self.found):
            self.arrays.update(_stored(cluster))

    def content(self):
        library = _safetensors()
        structure = json.dumps({"version": _VERSION, "content": self.root}, allow_nan=False, separators=(",", ":"))
        content = library.numpy.save(self.arrays, metadata={_KEY: structure})
        length = int.from_bytes(content[:8], "little")
        if length > _LARGEST_HEADER:
            raise ValueError(
                f"save: numbers and names outside of tensors take {length} bytes, more than the {_LARGEST_HEADER} "
                "that a header can have; put long lists of numbers into tensors"
            )
        return content

    def node(self, x, path):
        kind = type(x)
        if x is None or kind is bool or kind is int or kind is str:
            return x
        if kind is float:
            return x if math.isfinite(x) else {"$float": repr(x)}
        if kind in (dict, collections.OrderedDict, list, tuple, Size):
            if id(x) in self.around:
                raise ValueError(f"save: {_place(path)} contains itself")
            self.around.add(id(x))
            try:
                return self.container(x, kind, path)
            finally:
                self.around.remove(id(x))
        if id(x) not in self.nodes:
            self.nodes[id(x)] = self.leaf(x, path)
            self.alive.append(x)
        return self.nodes[id(x)]

    def container(self, x, kind, path):
        if kind is dict and all([type(key) is str and not key.startswith("$") for key in x]):
            return {key: self.node(value, (*path, key)) for key, value in x.items()}
        if kind is dict or kind is collections.OrderedDict:
            pairs = [[self.key(key, path), self.node(value, (*path, key))] for key, value in x.items()]
            return {f"${kind.__name__.lower()}": pairs}
        items = [self.node(item, (*path, number)) for number, item in enumerate(x)]
        return items if kind is list else {f"${kind.__name__.lower()}": items}

    def key(self, key, path):
        if not _is_plain(key):
            raise TypeError(
                f"save: {_place(path)} has a {type(key).__name__} as a key; plain values and tuples can be keys"
            )
        return self.node(key, (*path, key))

    def leaf(self, x, path):
        if isinstance(x, Tensor):
            return self.array("$tensor", x.array, path)
        if isinstance(x, Variable):
            return self.variable(x, path)
        if isinstance(x, numpy.ndarray) and x.dtype.name in _NUMBERS:
            return self.array("$array", x, path)
        if isinstance(x, numpy.generic) and x.dtype.name in _NUMBERS:
            return {"$number": [x.dtype.name, self.node(x.item(), path)]}
        raise TypeError(
            f"save: {_place(path)} is a {type(x).__name__}, which a file of tensors cannot hold. Of a model or an "
            "optimizer take the state_dict(); save(obj, file, weights_only=False) pickles whatever it is"
        )

    def variable(self, x, path):
        from .nn.parameter import Parameter

        kinds = {Variable: "$variable", Parameter: "$parameter"}
        if type(x) not in kinds or not x.is_leaf:
            what = type(x).__name__ if x.is_leaf else f"Variable that {type(x.creator).__name__} made"
            raise TypeError(
                f"save: {_place(path)} is a {what}; only leaf Variables and Parameters can be saved: take its data"
            )
        return {kinds[type(x)]: self.node(x.data, path), "requires_grad": x.requires_grad, "number": len(self.nodes)}

    def array(self, kind, array, path):
        node = {}
        self.found.append((self.name(path), array, node, kind))
        return node

    def name(self, path):
        name = ".".join(map(str, path)).encode("utf-8", "replace").decode() or "tensor"
        unique, number = name, 1
        while unique in self.names:  # "a.b" is both the entry "a.b" and the entry "b" of "a"
            number += 1
            unique = f"{name}#{number}"
        self.names.add(unique)
        return unique


def _place(path):
    return "the object" + "".join([f"[{key!r}]" for key in path])


def _sharing_memory(found):
    """What was found, in groups whose memory overlaps; in each, as in all of them, in the order of finding."""
    spans = []
    groups = []
    for position, (_, array, *_) in enumerate(found):
        if array.size:
            spans.append((*numpy.lib.array_utils.byte_bounds(array), position))
        else:
            groups.append([position])
    reached = 0
    for low, high, position in sorted(spans):
        if low >= reached:
            groups.append([])
        groups[-1].append(position)
        reached = max(reached, high)
    return [[found[position] for position in sorted(group)] for group in sorted(groups, key=min)]


def _stored(group):
    """{name: array to be stored} for tensors that share memory; their nodes are filled in."""
    arrays = [array for _, array, *_ in group]
    low = min([numpy.lib.array_utils.byte_bounds(array)[0] for array in arrays])
    high = max([numpy.lib.array_utils.byte_bounds(array)[1] for array in arrays])
    itemsize = arrays[0].itemsize
    if len(group) == 1 or not all([_is_regular(array, arrays[0].dtype, low) for array in arrays]):
        # Alone; or one memory read as several types, which is not kept.
        for name, _, node, kind in group:
            node[kind] = name
        return {name: numpy.asarray(array, order="C") for name, array, *_ in group}

    whole = [entry for entry in group if entry[1].flags.c_contiguous and entry[1].nbytes == high - low]
    if whole:
        name, memory = whole[0][:2]
    else:
        name, memory = f"{group[0][0]}.memory", _flat(arrays, low, high)
    for _, array, node, kind in group:
        node[kind] = name
        if array.shape != memory.shape or array.strides != memory.strides:
            node["offset"] = (array.__array_interface__["data"][0] - low) // itemsize
            node["size"] = list(array.shape)
            node["stride"] = [step // itemsize for step in array.strides]
    return {name: memory}


def _is_regular(array, dtype, low):
    offset = array.__array_interface__["data"][0] - low
    return array.dtype == dtype and not any([step % array.itemsize for step in (offset, *array.strides)])


def _flat(arrays, low, high):
    """All of the memory from `low` to `high` as one row. It lies within one allocation, since its parts overlap."""
    for array in arrays:
        forward = array[tuple([slice(None, None, -1 if step < 0 else 1) for step in array.strides])]
        if forward.__array_interface__["data"][0] == low:
            count = (high - low) // array.itemsize
            return numpy.lib.stride_tricks.as_strided(forward, (count,), (array.itemsize,), writeable=False)
    raise AssertionError("one of the arrays begins where they all begin")


# --- reading


class _Reader:
    """Puts an object together again. Whatever the structure says, nothing but the kinds of the table comes of it."""

    def __init__(self, content, header, where):
        self.where = where
        for name, entry in header.items():
            if name != "__metadata__" and str(entry.get("dtype")) not in _DTYPES:
                raise ValueError(
                    f"{where}: the tensor {name!r} has the type {entry.get('dtype')}, which numpy does not have"
                )
        library = _safetensors()
        try:
            arrays = library.numpy.load(content)
        except library.SafetensorError as error:
            raise ValueError(f"{where} is damaged: safetensors says {error}") from None
        self.structure = header.get("__metadata__", {}).get(_KEY)
        # Writable, and each in memory of its own.
        self.arrays = {name: array if array.flags.writeable else array.copy() for name, array in arrays.items()}
        self.tensors = {}
        self.made = {}  # views and Variables, so that what was one object is one again

    def result(self):
        if self.structure is None:
            return {name: self.whole(name) for name in self.arrays}
        try:
            structure = json.loads(self.structure)
            version, content = structure["version"], structure["content"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self.damaged("its structure is not readable") from None
        if version != _VERSION:
            raise ValueError(
                f"{self.where} was written by another version of save ({version!r}, this one is {_VERSION})"
            )
        try:
            return self.value(content)
        except RecursionError:
            raise self.damaged("its structure is nested too deeply") from None

    def damaged(self, what):
        return ValueError(f"{self.where} is damaged: {what}")

    def value(self, node):
        if type(node) is list:
            return [self.value(item) for item in node]
        if type(node) is not dict:
            return node
        for key in node:
            if key.startswith("$"):
                if key not in _KINDS:
                    raise self.damaged(f"its structure has an unknown kind {key!r}")
                return _KINDS[key](self, node[key], node)
        return {key: self.value(item) for key, item in node.items()}

    # --- tensors and arrays

    def read_tensor(self, name, node):
        tensor = self.whole(name)
        if "offset" not in node:
            return tensor
        return self.view(name, node, tensor.array, lambda part: view_of(tensor, part if part.ndim else part.reshape(1)))

    def read_array(self, name, node):
        array = self.array(name)
        return self.view(name, node, array, lambda part: part) if "offset" in node else array

    def array(self, name):
        if type(name) is not str or name not in self.arrays:
            raise self.damaged(f"its structure names a tensor {name!r}, and there is none")
        return self.arrays[name]

    def whole(self, name):
        """The Tensor of that name, one object whoever asks."""
        array = self.array(name)
        if name not in self.tensors:
            try:
                self.tensors[name] = wrap(supported(array))
            except TypeError as error:
                raise ValueError(f"{self.where}: the tensor {name!r}: {error}") from None
        return self.tensors[name]

    def view(self, name, node, array, make):
        """`make` of the part of `array` that the node describes; one object for all nodes that describe the same."""
        offset, size, stride = node["offset"], node.get("size"), node.get("stride")
        memory = array.reshape(-1)
        if not _lies_within(offset, size, stride, memory.size):
            raise self.damaged(f"its structure names a part of {name!r} that is not in it")
        key = "$tensor" in node, name, offset, tuple(size), tuple(stride)
        if key not in self.made:
            steps = [step * memory.itemsize for step in stride]
            one_place_for_several = any([step == 0 and length > 1 for step, length in zip(stride, size)])
            part = numpy.lib.stride_tricks.as_strided(memory[offset:], size, steps, writeable=not one_place_for_several)
            self.made[key] = make(part)
        return self.made[key]

    # --- everything else

    def read_variable(self, node, around):
        return self.variable(Variable, node, around)

    def read_parameter(self, node, around):
        from .nn.parameter import Parameter

        return self.variable(Parameter, node, around)

    def variable(self, kind, node, around):
        tensor = self.value(node)
        number, requires_grad = around.get("number"), around.get("requires_grad")
        if not isinstance(tensor, Tensor) or type(requires_grad) is not bool or type(number) is not int:
            raise self.damaged("its structure has a Variable without a tensor, or without a number")
        if number not in self.made:
            try:
                self.made[number] = kind(tensor, requires_grad=requires_grad)
            except ValueError as error:
                raise self.damaged(str(error)) from None
        return self.made[number]

    def read_float(self, text, _):
        if text not in ("nan", "inf", "-inf"):
            raise self.damaged(f"its structure has the number {text!r}")
        return float(text)

    def read_number(self, parts, _):
        if type(parts) is list and len(parts) == 2 and type(parts[0]) is str and parts[0] in _NUMBERS:
            number = self.value(parts[1])
            if type(number) in (bool, int, float):
                with contextlib.suppress(ValueError, OverflowError):
                    return numpy.dtype(parts[0]).type(number)
        raise self.damaged(f"its structure has the number {parts!r}")

    def read_tuple(self, items, _):
        return tuple(self.items(items))

    def read_size(self, items, _):
        return Size(self.items(items))

    def items(self, items):
        if type(items) is not list:
            raise self.damaged("its structure has a tuple without items")
        return self.value(items)

    def read_dict(self, pairs, _):
        return dict(self.pairs(pairs))

    def read_ordereddict(self, pairs, _):
        return collections.OrderedDict(self.pairs(pairs))

    def pairs(self, pairs):
        if type(pairs) is not list or any([type(pair) is not list or len(pair) != 2 for pair in pairs]):
            raise self.damaged("its structure has a dict without pairs")
        found = []
        for key, value in pairs:
            key = self.value(key)
            if not _is_plain(key):
                raise self.damaged(f"its structure has a {type(key).__name__} as a key")
            found.append((key, self.value(value)))
        return found


_KINDS = {
    f"${kind}": getattr(_Reader, f"read_{kind}")
    for kind in "tensor array number variable parameter float tuple size dict ordereddict".split()
}


def _is_plain(key):
    """May this be a key? Not a Tensor, nor anything with one in it."""
    if isinstance(key, tuple):
        return all([_is_plain(part) for part in key])
    return key is None or isinstance(key, (str, int, float, numpy.generic))


def _lies_within(offset, size, stride, count):
    """Are all elements of that offset, size and stride among `count`?"""
    numbers = [offset, *size, *stride] if type(size) is list and type(stride) is list else [None]
    if any([type(number) is not int for number in numbers]) or len(size) != len(stride) or len(size) > 32:
        return False
    if min(size, default=1) <= 0 or math.prod(size) > 2**40:
        return False
    first = offset + sum([min(0, (length - 1) * step) for length, step in zip(size, stride)])
    last = offset + sum([max(0, (length - 1) * step) for length, step in zip(size, stride)])
    return 0 <= first and last < count
