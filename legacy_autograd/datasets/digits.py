"""Handwritten digits, from scikit-learn's wheel."""

import numpy


def load_digits(size=28):
    """1,797 handwritten digits: images, a float64 array of shape (1797, 1, size, size), and the digits, int64.

    The images are 8x8 with 17 shades. Each is enlarged by the whole number of times that fits, and framed with white;
    0 is white and 1 black. From the test part of "Optical recognition of handwritten digits" (Alpaydin and Kaynak,
    1998, UCI Machine Learning Repository, CC BY 4.0), as `sklearn.datasets.load_digits` has it.

    Raises ImportError where scikit-learn is missing, ValueError for a size below 8.
    """
    if size < 8:
        raise ValueError(f"load_digits: the images are 8x8, {size}x{size} is too small")
    try:
        from sklearn import datasets
    except ImportError:
        raise ImportError(
            'the digits come with scikit-learn, which is not installed: pip install "legacy_autograd[train]"'
        ) from None
    images, digits = datasets.load_digits(return_X_y=True)
    times = size // 8
    images = numpy.kron(images.reshape(-1, 8, 8) / 16, numpy.ones((times, times)))
    before = (size - 8 * times) // 2
    after = size - 8 * times - before
    images = numpy.pad(images, ((0, 0), (before, after), (before, after)))
    return images[:, None], digits.astype(numpy.int64)
