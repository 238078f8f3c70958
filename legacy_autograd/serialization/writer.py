"""`Writer`: divides an object into JSON and tensors (see `_format.py`)."""

import collections
import json
import math
import types

import numpy

from ..autograd.variable import Variable
from ..nn.parameter import Parameter
from ..tensor import Size, Tensor
from ..tensor.numpy_memory import byte_bounds
from ._format import (
    DEEPEST,
    DIGEST,
    KEY,
    LARGEST_HEADER,
    NO_DIGEST,
    NUMBERS,
    VERSION,
    digest_of,
    is_plain,
    place,
    safetensors_library,
)  # fmt: skip


def is_storable(obj):
    try:
        Writer(obj)
    except TypeError:
        return False
    return True


class Writer:
    """Divides an object: `root` is the JSON structure, `found` the tensors and arrays in it."""

    def __init__(self, obj):
        self.found = []  # (name, array, node, kind of node), of every Tensor and array once
        self.nodes = {}  # {id of an object: its node}, for objects that may occur several times
        self.alive = []  # keeps the objects alive, so that no id is reused
        self.around = set()  # the ids of the enclosing containers
        self.names = {"__metadata__"}
        try:
            self.root = self.node(obj, ())
        except RecursionError:
            raise _too_deep() from None
        self.arrays = {}
        for cluster in _sharing_memory(self.found):
            self.arrays.update(_stored(cluster))

    def content(self):
        library = safetensors_library()
        structure = json.dumps({"version": VERSION, "content": self.root}, allow_nan=False, separators=(",", ":"))
        content = library.numpy.save(self.arrays)
        length = 8 + int.from_bytes(content[:8], "little")
        names = {"__metadata__": {DIGEST: NO_DIGEST, KEY: structure}, **json.loads(content[8:length])}
        header = json.dumps(names, ensure_ascii=False, separators=(",", ":")).encode()
        header += b" " * (-len(header) % 8)  # the tensors begin at a multiple of 8 bytes
        tensors, length = memoryview(content)[length:], len(header)
        if length > LARGEST_HEADER:
            raise ValueError(
                f"save: numbers and names outside of tensors take {length} bytes, more than the {LARGEST_HEADER} "
                "that a header can have; put long lists of numbers into tensors"
            )
        head = length.to_bytes(8, "little") + header
        return b"".join((head.replace(NO_DIGEST.encode(), digest_of(head, tensors).encode(), 1), tensors))

    def node(self, x, path):
        kind = type(x)
        if x is None or kind is bool or kind is int or kind is str:
            return x
        if kind is float:
            return x if math.isfinite(x) else {"$float": repr(x)}
        if kind in (dict, collections.OrderedDict, list, tuple, Size):
            if id(x) in self.around:
                raise ValueError(f"save: {place(path)} contains itself")
            self.around.add(id(x))
            node = self.container(x, kind, path)
            self.around.remove(id(x))
            return node
        if id(x) not in self.nodes:
            self.nodes[id(x)] = self.leaf(x, path)
            self.alive.append(x)
        return self.nodes[id(x)]

    def container(self, x, kind, path):
        if len(path) > DEEPEST:
            raise _too_deep()
        if kind is dict and all([type(key) is str and not key.startswith("$") for key in x]):
            return {key: self.node(value, (*path, key)) for key, value in x.items()}
        if kind is dict or kind is collections.OrderedDict:
            pairs = [[self.key(key, path), self.node(value, (*path, key))] for key, value in x.items()]
            return {f"${kind.__name__.lower()}": pairs}
        items = [self.node(item, (*path, number)) for number, item in enumerate(x)]
        return items if kind is list else {f"${kind.__name__.lower()}": items}

    def key(self, key, path):
        if not is_plain(key):
            raise TypeError(
                f"save: {place(path)} has a {type(key).__name__} as a key; plain values and tuples can be keys"
            )
        return self.node(key, (*path, key))

    def leaf(self, x, path):
        if isinstance(x, Tensor):
            return self.array("$tensor", x.array, path)
        if isinstance(x, Variable):
            return self.variable(x, path)
        if isinstance(x, numpy.ndarray) and x.dtype.name in NUMBERS:
            return self.array("$array", x, path)
        if isinstance(x, numpy.generic) and x.dtype.name in NUMBERS:
            return {"$number": [x.dtype.name, self.node(x.item(), path)]}
        raise TypeError(
            f"save: {place(path)} is a {type(x).__name__}, which a file of tensors cannot hold. Of a model or an "
            "optimizer take the state_dict(); save(obj, file, weights_only=False) pickles any object"
        )

    def variable(self, x, path):
        kinds = {Variable: "$variable", Parameter: "$parameter"}
        if type(x) not in kinds or not x.is_leaf:
            what = type(x).__name__ if x.is_leaf else f"Variable that {type(x.creator).__name__} made"
            raise TypeError(
                f"save: {place(path)} is a {what}; only leaf Variables and Parameters can be saved: take its data"
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


def _too_deep():
    return ValueError(f"save: the object is nested too deeply; load reads at most {DEEPEST} nested containers")


def _sharing_memory(found):
    """Return `found` in groups whose memory overlaps, in the order of finding within and between groups."""
    spans = []
    groups = []
    for position, (_, array, *_) in enumerate(found):
        if array.size:
            spans.append((*byte_bounds(array), position))
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
    """Return {name: array to be stored} for tensors that share memory, and complete their nodes."""
    arrays = [array for _, array, *_ in group]
    low = min([byte_bounds(array)[0] for array in arrays])
    high = max([byte_bounds(array)[1] for array in arrays])
    itemsize = arrays[0].itemsize
    if len(group) == 1 or not all([_is_regular(array, arrays[0].dtype, low) for array in arrays]):
        # A single array; or one memory read as several types, whose sharing is not stored.
        for name, _, node, kind in group:
            node[kind] = name
        return {name: numpy.asarray(array, order="C") for name, array, *_ in group}

    whole = [entry for entry in group if entry[1].flags.c_contiguous and entry[1].nbytes == high - low]
    if whole:
        name, memory = whole[0][:2]
    else:
        # It lies within one allocation, since its parts overlap.
        count, typestr = (high - low) // itemsize, arrays[0].dtype.str
        span = {"version": 3, "shape": (count,), "typestr": typestr, "data": (low, True)}
        name, memory = f"{group[0][0]}.memory", numpy.asarray(types.SimpleNamespace(__array_interface__=span))
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
