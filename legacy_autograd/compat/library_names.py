"""Names that NumPy and Pillow had in 2017 and have dropped since, put back for programs under `run`.

Only what was an alias of something that is still there. No 2016 counterpart.
"""

import numpy as np

NUMPY = {
    # aliases of Python's types, removed in NumPy 1.24
    "bool": bool,
    "complex": complex,
    "float": float,
    "int": int,
    "long": int,
    "object": object,
    "str": str,
    "unicode": str,
    # second names, removed in NumPy 2.0
    "Inf": np.inf,
    "Infinity": np.inf,
    "NaN": np.nan,
    "PINF": np.inf,
    "alltrue": np.all,
    "cumproduct": np.cumprod,
    "float_": np.float64,
    "infty": np.inf,
    "int0": np.intp,
    "mat": np.asmatrix,
    "product": np.prod,
    "row_stack": np.vstack,
    "sometrue": np.any,
    "string_": np.bytes_,
    "unicode_": np.str_,
}

# Removed in Pillow 10.
PILLOW = {"ANTIALIAS": "LANCZOS", "CUBIC": "BICUBIC", "LINEAR": "BILINEAR"}


def restore_numpy():
    """Give the module numpy the aliases of 2017 that it lacks; a name that it has stays as it is."""
    for name, value in NUMPY.items():
        if name not in vars(np):
            setattr(np, name, value)


def restore_pillow():
    """Give PIL.Image the filters' names of 2017 that it lacks; without pillow, nothing is done."""
    try:
        from PIL import Image
    except ImportError:
        return
    for old, new in PILLOW.items():
        if not hasattr(Image, old):
            setattr(Image, old, getattr(Image, new))
