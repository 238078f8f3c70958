"""Small real data sets: NIST's Norris, a text file of this folder, and the digits in scikit-learn's wheel."""

from pathlib import Path

import numpy


def load_norris() -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return the observations of NIST's calibration of ozone monitors.

    Returns:
        x, the readings of the reference instrument, and y, those of the monitor under calibration: two float64 arrays
        of shape (36,). NIST certifies the least-squares line y = -0.262323073774029 + 1.00211681802045 x for them.

    Source:
        NIST Statistical Reference Datasets, linear regression, "Norris"
        (https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml), public domain.
    """
    table = numpy.loadtxt(Path(__file__).with_name("norris.csv"), delimiter=",", comments=("#", "y,x"))
    y, x = table.T.copy()
    return x, y


def load_digits(size: int = 28) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return 1,797 images of handwritten digits, and the digits.

    The images are 8x8 with 17 shades. Each is enlarged by the largest whole factor that fits, and framed with white.

    Args:
        size: The height and width of the images.

    Returns:
        The images, a float64 array of shape (1797, 1, size, size) in which 0 is white and 1 black, and the digits, an
        int64 array of shape (1797,).

    Raises:
        ImportError: If scikit-learn is missing.
        ValueError: If `size` is below 8.

    Source:
        The test part of "Optical recognition of handwritten digits" (Alpaydin and Kaynak, 1998, UCI Machine Learning
        Repository, CC BY 4.0), from `sklearn.datasets.load_digits`.
    """
    if size < 8:
        raise ValueError(f"load_digits: size must be 8 or more, got {size}")
    try:
        from sklearn import datasets
    except ImportError:
        raise ImportError(
            'load_digits: scikit-learn, which has the digits, is not installed: pip install "legacy_autograd[train]"'
        ) from None
    images, digits = datasets.load_digits(return_X_y=True)
    times = size // 8
    images = numpy.kron(images.reshape(-1, 8, 8) / 16, numpy.ones((times, times)))
    before = (size - 8 * times) // 2
    after = size - 8 * times - before
    images = numpy.pad(images, ((0, 0), (before, after), (before, after)))
    return images[:, None], digits.astype(numpy.int64)
