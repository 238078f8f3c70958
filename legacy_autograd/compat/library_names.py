"""Names that NumPy and Pillow had in 2017 and have removed since, restored for programs under `run`.

Only aliases of objects that still exist are restored. No 2016 counterpart.
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
    """Add the missing aliases of 2017 to the module numpy; existing names stay unchanged."""
    for name, value in NUMPY.items():
        if name not in vars(np):
            setattr(np, name, value)


def restore_pillow():
    """Add the missing filter names of 2017 to PIL.Image; without Pillow do nothing."""
    try:
        from PIL import Image
    except ImportError:
        return
    for old, new in PILLOW.items():
        if not hasattr(Image, old):
            setattr(Image, old, getattr(Image, new))
