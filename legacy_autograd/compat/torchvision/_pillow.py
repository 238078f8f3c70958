"""Pillow, which images need and tensors do not (extra `vision`)."""

import numpy


def pillow(operation):
    """Return the module PIL.Image for `operation`, which an ImportError names where pillow is not installed."""
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(
            f'{operation} needs pillow, which is not installed: pip install "legacy_autograd[vision]"'
        ) from None
    return Image


def is_image(value):
    """Return whether `value` is an image of pillow."""
    try:
        from PIL import Image
    except ImportError:
        return False
    return isinstance(value, Image.Image)


def image_of(array):
    """Return the image of a uint8 array of shape (height, width) or (height, width, 3).

    Without pillow the array itself comes back, with a third dimension: ToTensor takes either.
    """
    try:
        from PIL import Image
    except ImportError:
        return array[:, :, None] if array.ndim == 2 else array
    return Image.fromarray(numpy.ascontiguousarray(array))
