"""Small real data sets that come with the package, each a text file that names its source and its licence."""

from pathlib import Path

import numpy

_HERE = Path(__file__).parent


def load_norris() -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return the observations of NIST's calibration of ozone monitors.

    Returns:
        x, the readings of the reference instrument, and y, those of the monitor under calibration: two float64 arrays
        of shape (36,). NIST certifies the least-squares line y = -0.262323073774029 + 1.00211681802045 x for them.

    Source:
        NIST Statistical Reference Datasets, linear regression, "Norris"
        (https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml), public domain.
    """
    table = numpy.loadtxt(_HERE / "norris.csv", delimiter=",", comments=("#", "y,x"))
    y, x = table.T.copy()
    return x, y
