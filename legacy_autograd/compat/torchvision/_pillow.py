"""Pillow, which images need but tensors do not (extra `vision`)."""

import numpy


def pillow(operation):
    """Return the module PIL.Image; `operation` names the caller in the ImportError for a missing Pillow."""
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(
            f'{operation} needs pillow, which is not installed: pip install "legacy_autograd[vision]"'
        ) from None
    return Image


def is_image(value):
    """Return whether `value` is a Pillow image."""
    try:
        from PIL import Image
    except ImportError:
        return False
    return isinstance(value, Image.Image)


def image_of(array):
    """Return the image of a uint8 array of shape (height, width) or (height, width, 3).

    Without Pillow, return the array itself, with three dimensions: ToTensor accepts both.
    """
    try:
        from PIL import Image
    except ImportError:
        return array[:, :, None] if array.ndim == 2 else array
    return Image.fromarray(numpy.ascontiguousarray(array))
