"""Small real data sets that come with the package, each a text file that names its source and its licence."""

from pathlib import Path

import numpy

_HERE = Path(__file__).parent


def load_norris():
    """The observations of NIST's calibration of ozone monitors: `(x, y)`, two float64 arrays of shape (36,).

    x is the reading of the reference instrument, y that of the monitor under calibration.
    Source: NIST Statistical Reference Datasets, linear regression, "Norris"
    (https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml), public domain. NIST certifies the least-squares
    line y = -0.262323073774029 + 1.00211681802045 x for it.
    """
    table = numpy.loadtxt(_HERE / "norris.csv", delimiter=",", comments=("#", "y,x"))
    y, x = table.T.copy()
    return x, y
