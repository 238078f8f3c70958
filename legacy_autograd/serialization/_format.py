"""The format of the files that `save` writes.

The tensors of an object go into a safetensors file under readable names (`model.conv1.weight`). The structure around
them goes into the header of that file as JSON. Reading it runs nothing that the file says.

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

import numpy

KEY = "legacy_autograd"  # of the structure, in the metadata of the header
VERSION = 1
TRUSTING = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"  # modern torch's environment variable for programs that stay as they are
LARGEST_HEADER = 100_000_000  # bytes; safetensors reads no larger one
DTYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16",
    "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8",
    "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool",
}  # fmt: skip
NUMBERS = frozenset(DTYPES.values())


DEEPEST = 150  # containers inside of each other: of more, load could not be sure to end below Python's limit
MOST_DIMENSIONS = 64  # of an array of numpy


def place(path):
    """Return in words where in the object `path`, the keys from the outside inwards, leads."""
    return "the object" + "".join([f"[{key!r}]" for key in path])


def safetensors_library():
    try:
        import safetensors.numpy
    except ImportError:
        raise ImportError(
            'save and load need safetensors, which is not installed: pip install "legacy_autograd[train]"'
        ) from None
    return safetensors


def is_plain(key):
    """May this be a key? Not a Tensor, nor anything with one in it."""
    if isinstance(key, tuple):
        return all([is_plain(part) for part in key])
    return key is None or isinstance(key, (str, int, float, numpy.generic))
