"""`run --digits`: scikit-learn's digits instead of MNIST, so that a program runs without data files."""

import os
import sys

import numpy

from ..demos.datasets import load_digits
from ..tensor import from_numpy

_SERVED = "LEGACY_AUTOGRAD_DIGITS"  # an environment variable, so that child processes inherit it
ANY_FILES = "LEGACY_AUTOGRAD_ANY_FILES"  # another one: data sets do not compare MD5 sums (`run --any-files`)
_TRAINING = 1500  # of 1,797; the rest, by other writers, is for the test
_said = False


def serve():
    """Replace every MNIST dataset by the digits, in this process and its child processes."""
    os.environ[_SERVED] = "1"


def served():
    """Return whether `serve` was called."""
    return bool(os.environ.get(_SERVED))


def images_and_labels(train):
    """Return a ByteTensor of images (N, 28, 28) and a LongTensor of digits: 1,500 for training, or 297 for the test.

    The first call prints a note on stderr.

    Raises:
        ImportError: If scikit-learn is missing.
    """
    global _said
    images, digits = load_digits(28)
    if not _said:
        _said = True
        print(
            f"legacy_autograd run: --digits replaces MNIST by scikit-learn's {len(digits):,} digits, enlarged to "
            f"28x28: {_TRAINING:,} for training and {len(digits) - _TRAINING} for the test",
            file=sys.stderr,
        )
    part = slice(_TRAINING) if train else slice(_TRAINING, None)
    return from_numpy((images[part, 0] * 255).round().astype(numpy.uint8)), from_numpy(digits[part])
