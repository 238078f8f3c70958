"""`run --digits`: scikit-learn's digits where a program asks for MNIST, so that it runs without any file."""

import os
import sys

import numpy

from ..datasets.digits import load_digits
from ..tensor import from_numpy

_SERVED = "LEGACY_AUTOGRAD_DIGITS"  # an environment variable, so that processes that the program starts inherit it
_TRAINING = 1500  # of the 1,797; the others, of other writers, are for the test
_said = False


def serve():
    """Give the digits to every MNIST data set, in this process and in those that it starts."""
    os.environ[_SERVED] = "1"


def served():
    """Return whether `serve` was called."""
    return bool(os.environ.get(_SERVED))


def images_and_labels(train):
    """Return a ByteTensor of images (N, 28, 28) and a LongTensor of digits: 1,500 for training, or 297 for the test.

    Says so on stderr, once. Raises ImportError where scikit-learn is missing.
    """
    global _said
    images, digits = load_digits(28)
    if not _said:
        _said = True
        print(
            f"legacy_autograd run: MNIST is scikit-learn's {len(digits):,} digits here, enlarged to 28x28: "
            f"{_TRAINING:,} for training and {len(digits) - _TRAINING} for the test (--digits)",
            file=sys.stderr,
        )
    part = slice(_TRAINING) if train else slice(_TRAINING, None)
    return from_numpy((images[part, 0] * 255).round().astype(numpy.uint8)), from_numpy(digits[part])
