"""`Reader`: rebuilds an object from JSON and tensors (see `_format.py`)."""

import collections
import contextlib
import json
import math
import numbers

import numpy

from ..autograd.variable import Variable
from ..nn.parameter import Parameter
from ..tensor import Size, Tensor
from ..tensor.dtypes import supported
from ..tensor.wrapping import over_numpy, view_of
from ._format import DTYPES, KEY, MOST_DIMENSIONS, NUMBERS, VERSION, is_plain, place, safetensors_library


class Reader:
    """Rebuilds an object. Whatever the structure says, the result has only the kinds of the table in `_format.py`."""

    def __init__(self, content, header, where):
        self.where = where
        self.path = []  # the keys of the current entry
        for name, entry in header.items():
            if name != "__metadata__" and str(entry.get("dtype")) not in DTYPES:
                raise ValueError(
                    f"{where}: the tensor {name!r} has the type {entry.get('dtype')}, which numpy does not have"
                )
            if name != "__metadata__" and not _is_size(entry.get("shape")):
                shape = repr(entry.get("shape"))
                raise ValueError(f"{where} is damaged: no array has the shape of the tensor {name!r}, {shape:.100}")
        library = safetensors_library()
        try:
            arrays = library.numpy.load(content)
        except (library.SafetensorError, ValueError, OverflowError) as error:
            raise ValueError(f"{where} is damaged: safetensors says {error}") from None
        self.structure = (header.get("__metadata__") or {}).get(KEY)
        # Writable arrays, each in memory of its own.
        self.arrays = {name: array if array.flags.writeable else array.copy() for name, array in arrays.items()}
        self.tensors = {}
        self.made = {}  # views and Variables: an object that occurs several times is rebuilt once

    def result(self):
        if self.structure is None:
            return {name: self.whole(name) for name in self.arrays}
        try:
            structure = json.loads(self.structure)
            version, content = structure["version"], structure["content"]
        except RecursionError:
            raise self.damaged("its structure is nested too deeply") from None
        except (ValueError, TypeError, KeyError):
            raise self.damaged("its structure is not readable") from None
        if version != VERSION:
            raise ValueError(
                f"{self.where} was written by another version of save ({version!r}, this one is {VERSION})"
            )
        try:
            return self.value(content)
        except RecursionError:
            raise self.damaged("its structure is nested too deeply") from None

    def damaged(self, what):
        entry = f"{place(self.path)}: " if self.path else ""
        return ValueError(f"{self.where} is damaged: {entry}{what}")

    def at(self, key, node):
        """Return the value of the entry `key` of the current container."""
        self.path.append(key)
        value = self.value(node)
        self.path.pop()
        return value

    def value(self, node):
        if type(node) is list:
            return [self.at(number, item) for number, item in enumerate(node)]
        if type(node) is not dict:
            return node
        for key in node:
            if key.startswith("$"):
                if key not in _KINDS:
                    raise self.damaged(f"its structure has an unknown kind {key!r}")
                return _KINDS[key](self, node[key], node)
        return {key: self.at(key, item) for key, item in node.items()}

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
        """Return the Tensor with a name, the same object for each use."""
        array = self.array(name)
        if name not in self.tensors:
            try:
                self.tensors[name] = over_numpy(supported(array))
            except TypeError as error:
                raise ValueError(f"{self.where}: the tensor {name!r}: {error}") from None
        return self.tensors[name]

    def view(self, name, node, array, make):
        """Return `make` of the part of `array` that the node describes; the same object for equal descriptions."""
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
        kind = Parameter if "$parameter" in around else Variable
        tensor = self.value(node)
        number, requires_grad = around.get("number"), around.get("requires_grad")
        if not isinstance(tensor, Tensor) or type(requires_grad) is not bool or type(number) is not int:
            raise self.damaged("its structure has a Variable without a tensor, or without a number")
        if number not in self.made:
            try:
                self.made[number] = kind(tensor, requires_grad=requires_grad)
            except (ValueError, RuntimeError) as error:  # for example for integers that require a gradient
                raise self.damaged(str(error)) from None
        return self.made[number]

    read_parameter = read_variable

    def read_float(self, text, _):
        if text not in ("nan", "inf", "-inf"):
            raise self.damaged(f"its structure has the number {text!r}")
        return float(text)

    def read_number(self, parts, _):
        if type(parts) is list and len(parts) == 2 and type(parts[0]) is str and parts[0] in NUMBERS:
            number = self.value(parts[1])
            if type(number) in (bool, int, float):
                with contextlib.suppress(ValueError, OverflowError):
                    result = numpy.dtype(parts[0]).type(number)
                    if result.item() == number or number != number:
                        return result
        raise self.damaged(f"its structure has the number {parts!r}")

    def read_tuple(self, items, _):
        return tuple(self.items(items))

    def read_size(self, items, _):
        sizes = self.items(items)
        if not all([isinstance(size, numbers.Integral) for size in sizes]):
            raise self.damaged(f"its structure has a size of {repr(sizes):.100}, which are not all integers")
        return Size(sizes)

    def items(self, items):
        if type(items) is not list:
            raise self.damaged("its structure has a tuple without items")
        return [self.at(number, item) for number, item in enumerate(items)]

    def read_dict(self, pairs, around):
        if type(pairs) is not list or any([type(pair) is not list or len(pair) != 2 for pair in pairs]):
            raise self.damaged("its structure has a dict without pairs")
        found = collections.OrderedDict() if "$ordereddict" in around else {}
        for key, value in pairs:
            key = self.value(key)
            if not is_plain(key):
                raise self.damaged(f"its structure has a {type(key).__name__} as a key")
            found[key] = self.at(key, value)
        return found

    read_ordereddict = read_dict


_KINDS = {
    f"${kind}": getattr(Reader, f"read_{kind}")
    for kind in "tensor array number variable parameter float tuple size dict ordereddict".split()
}


def _is_size(size):
    """Return whether `size` is a list that can be the shape of an array."""
    return (
        type(size) is list
        and len(size) <= MOST_DIMENSIONS
        and all([type(length) is int and 0 <= length < 2**63 for length in size])
    )


def _lies_within(offset, size, stride, count):
    """Return whether all elements of an array with this offset, size and stride are among `count` elements."""
    given = [offset, *size, *stride] if type(size) is list and type(stride) is list else [None]
    if any([type(number) is not int for number in given]) or len(size) != len(stride) or not _is_size(size):
        return False
    if min(size, default=1) == 0 or math.prod(size) > 2**40 or max(map(abs, given)) > 2**48:
        return False
    first = offset + sum([min(0, (length - 1) * step) for length, step in zip(size, stride)])
    last = offset + sum([max(0, (length - 1) * step) for length, step in zip(size, stride)])
    return 0 <= first and last < count
