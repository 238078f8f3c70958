"""The safetensors of the live page: the file format in Python, because the library itself needs a compiler for it.

A file is the length of its header (8 bytes), the header (JSON: type, shape and place of each array) and the arrays.
"""


class SafetensorError(Exception):
    """A file that is not in the format."""


from . import numpy  # noqa: E402, F401
