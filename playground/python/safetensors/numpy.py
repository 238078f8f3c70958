"""`save` and `load` of the live page's safetensors, for arrays of NumPy."""

import json

import numpy

from . import SafetensorError

TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U64": "<u8",
    "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_NAMES = {text: name for name, text in TYPES.items()}


def save(tensor_dict, metadata=None):
    """Return the bytes of a file with these arrays."""
    header, parts, end = {} if metadata is None else {"__metadata__": metadata}, [], 0
    # The widest types first, so that each array begins at a multiple of its elements' size.
    for name, array in sorted(tensor_dict.items(), key=lambda item: (-item[1].itemsize, item[0])):
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": _NAMES[array.dtype.str], "shape": list(array.shape), "data_offsets": [begin, end]}
        parts.append(array.tobytes())
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def load(data):
    """Return {name: array} of the bytes of a file. Raises SafetensorError if they are damaged."""
    length = int.from_bytes(data[:8], "little")
    content, arrays, last = memoryview(data)[8 + length :], {}, 0
    try:
        entries = {name: e for name, e in json.loads(data[8 : 8 + length]).items() if name != "__metadata__"}
        for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
            begin, end = entry["data_offsets"]
            if begin != last or end > len(content):
                raise SafetensorError(f"{name} begins at {begin}, and the array before it ends at {last}")
            last = end
            array = numpy.frombuffer(content[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
            arrays[name] = array.copy()
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SafetensorError(f"the header does not describe the arrays: {error}") from None
    if last != len(content):
        raise SafetensorError(f"the arrays end at {last}, the file at {len(content)}")
    return arrays
