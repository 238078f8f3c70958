"""Indexing and assignment: `x[key]`, `x[key] = value` (2016: `torch/tensor.py` and THP's getters and setters).

Keys are those of modern torch: integers, slices, None, Ellipsis, masks (ByteTensors), index tensors and lists.
(v0.1.1 narrowed where a tuple holds an integer, and knew neither steps nor lists.) The methods that take an index or
a mask are in `selection.py`.
"""

import numbers

import numpy

from ._helpers import does_not_fit, is_tensor, not_writable, number_for, shown, shown_size, view_of, wrap_in_c_order
from .inplace import put
from .selection import Selecting

_EVERYTHING = slice(None)
_WRITE = "x[key] = value"
_INDEX_DTYPES = frozenset(map(numpy.dtype, ("int64", "int32")))
_BYTE = numpy.dtype("uint8")


class Indexing(Selecting):
    __slots__ = ()

    def __getitem__(self, key):
        """Return the part of the tensor at `key`.

        A view; a copy where the key holds a mask, index tensor or list; a Python number where it names one element.
        Raises IndexError where there is nothing at `key`.
        """
        array = self.array
        if _is_simple(key):
            try:
                part = array[key]
            except IndexError:
                raise _out_of_range("x[key]", array, key) from None
        else:
            part, fancy = _looked_up("x[key]", array, key)
            if fancy:
                return wrap_in_c_order(_taken("x[key]", part, fancy))
        if part.ndim:
            return view_of(self, part)
        return part.item()

    def __setitem__(self, key, value):
        """Write `value` to the part at `key`: a number, or a Tensor, which is converted and fits as for `copy_`."""
        array = self.array
        fancy = ()
        if _is_simple(key):
            try:
                part = array[(*key, ...) if type(key) is tuple else (key, ...)]
            except IndexError:
                raise _out_of_range(_WRITE, array, key) from None
        else:
            part, fancy = _looked_up(_WRITE, array, key)
        source = value.array if is_tensor(value) else number_for(_WRITE, array, value)
        if fancy:
            _put_at(part, fancy, source)
        elif source.ndim:
            put(part, _WRITE, source)
        else:
            try:
                part[...] = source
            except ValueError:
                raise not_writable(_WRITE, array) from None
        self._wrote()

    def index_put_(self, key, values, accumulate=False):
        """Set `x[key] = values`, or with `accumulate=True` add the Tensor `values` to the part at `key`.

        Then an element that an index tensor names twice receives both.
        """
        if not accumulate:
            self[key] = values
            return self
        part, fancy = _looked_up("index_put_", self.array, key)
        source = _source("index_put_", self, values)
        if fancy:
            shape = _taken("index_put_", part, fancy).shape
        else:
            shape = part.shape
        if source.shape != shape and source.size == numpy.prod(shape, dtype=int):
            source = source.reshape(shape)
        try:
            if fancy:
                numpy.add.at(part, fancy, source)
            else:
                numpy.add(part, source, part)
        except ValueError:
            error = not_writable("index_put_", part) or does_not_fit("index_put_", shape, source.shape, into=True)
            raise error from None
        return self._wrote()

    def __iter__(self):
        """Return the parts along the first dimension: views, or Python numbers of a vector."""
        if self.array.ndim == 1:
            return iter(self.array.tolist())
        return iter([self[i] for i in range(self.array.shape[0])])

    def __contains__(self, number):
        """Return whether some element equals `number`."""
        return bool(self.eq(number).array.any())


def _is_simple(key):
    """Return whether numpy may be asked as it is: an integer, a slice without step, or a tuple of these."""
    kind = type(key)
    if kind is int or kind is slice and key.step is None:
        return True
    if kind is not tuple:
        return False
    for k in key:
        if type(k) is not int and (type(k) is not slice or k.step is not None):
            return False
    return True


def _source(name, tensor, values):
    if not is_tensor(values) or values.array.dtype != tensor.array.dtype:
        raise TypeError(f"{name}: expected a {tensor.type()}, got {shown(values)}")
    return values.array


def _looked_up(name, array, key):
    """Return the view that the integers, slices, Nones and the Ellipsis in `key` name, and a key into that view.

    The second key holds the masks and index arrays at their places; it is () if there are none. Taking these two
    steps one after the other is what torch does. (numpy counts integers among the index arrays if there are any,
    which puts the dimensions of the result into another order.)
    """
    keys = key if type(key) is tuple else (key,)
    first, second = [], []
    consumed, fancy, ellipsis = 0, False, None
    for k in keys:
        if k is None:
            first.append(k)
            second.append(_EVERYTHING)
            continue
        if k is Ellipsis:
            if ellipsis is not None:
                raise IndexError(f"{name}: a key holds at most one Ellipsis (...)")
            ellipsis = len(first), len(second)
            continue
        if not isinstance(k, slice):
            k = _plain(name, k)
        if isinstance(k, slice):
            if k.step is not None and k.step <= 0:
                raise ValueError(f"{name}: the step of a slice must be positive, got {k.step}")
            first.append(k)
            second.append(_EVERYTHING)
            consumed += 1
        elif isinstance(k, int):
            first.append(k)
            consumed += 1
        else:
            fancy = True
            dims = 1
            if k.dtype == bool:
                dims = k.ndim
                if k.shape != array.shape[consumed : consumed + dims] and ellipsis is None:
                    raise IndexError(
                        f"{name}: a mask of size {shown_size(k.shape)} does not fit the tensor's size "
                        f"{shown_size(array.shape)}, from dimension {consumed} on"
                    )
            first.extend([_EVERYTHING] * dims)
            second.append(k)
            consumed += dims
    if consumed > array.ndim:
        raise _too_many(name, array, consumed)
    # An Ellipsis at the end changes nothing but that numpy gives a view of size () where it would give a number.
    at_first, at_second = (len(first), len(second)) if ellipsis is None else ellipsis
    second[at_second:at_second] = [_EVERYTHING] * (array.ndim - consumed)
    first.insert(at_first, Ellipsis)
    try:
        part = array[tuple(first)]
    except IndexError:
        raise _out_of_range(name, array, tuple(first)) from None
    return part, tuple(second) if fancy else ()


def _plain(name, key):
    """One entry of a key as an int, a bool array (a mask) or an integer array (an index)."""
    if is_tensor(key):
        array = key.array
        if array.dtype is _BYTE:
            return array != 0
        if array.dtype in _INDEX_DTYPES:
            return array
        raise TypeError(f"{name}: an index tensor is a LongTensor or IntTensor, a mask a ByteTensor; got {shown(key)}")
    if isinstance(key, numbers.Integral) and not isinstance(key, bool):
        return int(key)
    if isinstance(key, (list, numpy.ndarray)) or isinstance(key, tuple):
        try:
            array = numpy.array([k.tolist() if is_tensor(k) else k for k in key] if isinstance(key, list) else key)
        except ValueError:
            array = None
        if array is not None:
            if array.size == 0 and array.dtype.kind != "b":
                array = array.astype(int)
            if array.dtype.kind in "iu":
                return array.item() if array.ndim == 0 else array
            if array.dtype.kind == "b" and array.ndim:
                return array
    raise TypeError(
        f"{name}: a key consists of integers, slices, None, Ellipsis, ByteTensors, LongTensors and lists of integers "
        f"or bools; got {shown(key)}"
    )


def _taken(name, part, fancy):
    try:
        return part[fancy]
    except IndexError:
        raise _bad_fancy(name, part, fancy) from None


def _put_at(part, fancy, source):
    try:
        part[fancy] = source
    except IndexError:
        raise _bad_fancy(_WRITE, part, fancy) from None
    except ValueError:
        if not part.flags.writeable:
            raise not_writable(_WRITE, part) from None
        shape = _taken(_WRITE, part, fancy).shape
        if source.size != numpy.prod(shape, dtype=int):
            raise does_not_fit(_WRITE, shape, source.shape, into=True) from None
        part[fancy] = source.reshape(shape)


def _bad_fancy(name, part, fancy):
    """Return the IndexError for index arrays and masks that numpy refused."""
    dim, arrays = 0, []
    for k in fancy:
        if isinstance(k, slice):
            dim += 1
            continue
        arrays.append(k)
        if k.dtype == bool:
            if k.shape != part.shape[dim : dim + k.ndim]:
                return IndexError(
                    f"{name}: a mask of size {shown_size(k.shape)} does not fit the size {shown_size(part.shape)}"
                )
            dim += k.ndim
            continue
        wrong = k[(k < -part.shape[dim]) | (k >= part.shape[dim])]
        if wrong.size:
            return IndexError(f"{name}: index {wrong[0]} is out of range for a dimension of size {part.shape[dim]}")
        dim += 1
    sizes = ", ".join([shown_size(k.shape) for k in arrays])
    return IndexError(f"{name}: index tensors of sizes {sizes} do not fit together")


def _too_many(name, array, count):
    return IndexError(f"{name}: {count} indices are too many for a tensor of size {shown_size(array.shape)}")


def _out_of_range(name, array, key):
    """Return the IndexError for a key of integers, slices, Nones and an Ellipsis that names no place."""
    keys = key if type(key) is tuple else (key,)
    count = len([k for k in keys if k is not None and k is not Ellipsis])
    if count > array.ndim:
        return _too_many(name, array, count)
    dim = 0
    for k in keys:
        if k is Ellipsis:
            dim += array.ndim - count
        elif k is not None:
            if isinstance(k, int) and not -array.shape[dim] <= k < array.shape[dim]:
                return IndexError(
                    f"{name}: index {k} is out of range for dimension {dim} of size {array.shape[dim]} "
                    f"(of a tensor of size {shown_size(array.shape)})"
                )
            dim += 1
    return IndexError(f"{name}: {key!r} is out of range for a tensor of size {shown_size(array.shape)}")
