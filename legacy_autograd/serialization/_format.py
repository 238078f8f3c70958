"""The format of the files that `save` writes.

The tensors of an object are in a safetensors file under readable names (`model.conv1.weight`). The structure around
them is JSON in the header of that file. Reading it executes nothing.

Lists, strings, finite numbers, true, false and null are JSON values, and a dict whose keys are strings is a JSON
object. Everything else is an object with one of these keys:

================  ====================================================================================================
"$tensor"         the name of a tensor in the file. Memory that tensors share is in the file once; a tensor over a part
                  of it has an "offset", a "size" and a "stride" (in elements)
"$array"          the same for a numpy array
"$number"         a numpy number: the name of its dtype, and the number
"$variable"       a leaf Variable: its tensor, "requires_grad", and a "number" that identifies it if it occurs again;
                  "$parameter" for a Parameter
"$float"          "nan", "inf" or "-inf"
"$tuple"          the items; "$size" for a Size
"$dict"           the pairs of a dict with other keys; "$ordereddict" for an OrderedDict
================  ====================================================================================================

The metadata of the header also have the SHA-256 digest of the whole file, with zeros instead of the digest. Files
of version 1.0.0 have none.
"""

import hashlib

import numpy

KEY = "legacy_autograd"  # the key of the structure in the header's metadata
VERSION = 1
DIGEST = "sha256"  # the key of the file's digest in the same metadata
NO_DIGEST = "0" * 64
TRUSTING = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"  # modern torch's environment variable for programs that cannot be changed
LARGEST_HEADER = 100_000_000  # bytes; safetensors reads no larger one
DTYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16",
    "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8",
    "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool",
}  # fmt: skip
NUMBERS = frozenset(DTYPES.values())


DEEPEST = 150  # nested containers: with more, load might exceed Python's recursion limit
MOST_DIMENSIONS = 64  # of an array of numpy


def place(path):
    """Return in words which part of the object the keys `path`, from the outside inwards, lead to."""
    return "the object" + "".join([f"[{key!r}]" for key in path])


def digest_of(head, tensors):
    """Return the digest of a file: of its head, with NO_DIGEST instead of the digest, and of its tensors."""
    state = hashlib.sha256(head)
    state.update(tensors)
    return state.hexdigest()


def safetensors_library():
    try:
        import safetensors.numpy
    except ImportError:
        raise ImportError(
            'save and load need safetensors, which is not installed: pip install "legacy_autograd[train]"'
        ) from None
    return safetensors


def is_plain(key):
    """Return whether `key` can be a key in a file: not a Tensor, nor anything that contains one."""
    if isinstance(key, tuple):
        return all([is_plain(part) for part in key])
    return key is None or isinstance(key, (str, int, float, numpy.generic))
