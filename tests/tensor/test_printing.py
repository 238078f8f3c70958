"""Tensors as text, in v0.1.x's style."""

import math

import pytest

import legacy_autograd as torch
from legacy_autograd.tensor import printing


@pytest.fixture(autouse=True)
def default_options():
    yield
    torch.set_printoptions(profile="default")


def shown(text):
    """The expected text, written with a margin, and with a point for a blank at the end of a line."""
    lines = text.strip("\n").split("\n")[:-1]
    return "\n".join(line.removeprefix("    |").replace("·", " ") for line in lines) + "\n"


EXAMPLES = {
    "a matrix": (
        lambda: torch.DoubleTensor([[0.4963, -0.7682, 0.0885], [0.132, 0.30742, 12.6341]]),
        """
    |
    |  0.4963  -0.7682   0.0885
    |  0.1320   0.3074  12.6341
    |[torch.DoubleTensor of size 2x3]
    """,
    ),
    "numbers below 1": (
        lambda: torch.FloatTensor([[0.4963, -0.7682], [0.132, 0.30742]]),
        """
    |
    | 0.4963 -0.7682
    | 0.1320  0.3074
    |[torch.FloatTensor of size 2x2]
    """,
    ),
    "whole numbers": (
        lambda: torch.ones(2, 2),
        """
    |
    | 1  1
    | 1  1
    |[torch.DoubleTensor of size 2x2]
    """,
    ),
    "a vector": (
        lambda: torch.LongTensor([1, -20, 300]),
        """
    |
    |   1
    | -20
    | 300
    |[torch.LongTensor of size 3]
    """,
    ),
    "a common factor": (
        lambda: torch.DoubleTensor([[123456.5, 1000000.25], [-250000, 987654]]),
        """
    |
    |1.00000e+06 *
    | 0.1235  1.0000
    |-0.2500  0.9877
    |[torch.DoubleTensor of size 2x2]
    """,
    ),
    "five digits without a factor": (
        lambda: torch.DoubleTensor([12345.5, -98765.25]),
        """
    |
    | 12345.5000
    |-98765.2500
    |[torch.DoubleTensor of size 2]
    """,
    ),
    "tenths without a factor": (
        lambda: torch.DoubleTensor([0.125, -0.5]),
        """
    |
    | 0.1250
    |-0.5000
    |[torch.DoubleTensor of size 2]
    """,
    ),
    "small numbers": (
        lambda: torch.DoubleTensor([0.00123, 0.00456]),
        """
    |
    |1.00000e-03 *
    | 1.2300
    | 4.5600
    |[torch.DoubleTensor of size 2]
    """,
    ),
    "numbers far apart": (
        lambda: torch.DoubleTensor([1e-8, 1.5]),
        """
    |
    | 1.0000e-08
    | 1.5000e+00
    |[torch.DoubleTensor of size 2]
    """,
    ),
    "large whole numbers": (
        lambda: torch.DoubleTensor([1e12, -1]),
        """
    |
    | 1.0000e+12
    |-1.0000e+00
    |[torch.DoubleTensor of size 2]
    """,
    ),
    "large integers": (
        lambda: torch.LongTensor([10**12, -1]),
        """
    |
    | 1000000000000
    |            -1
    |[torch.LongTensor of size 2]
    """,
    ),
    "nan and inf": (
        lambda: torch.DoubleTensor([[1, math.nan], [-math.inf, math.inf]]),
        """
    |
    |   1  nan
    |-inf  inf
    |[torch.DoubleTensor of size 2x2]
    """,
    ),
    "nan among fractions": (
        lambda: torch.DoubleTensor([[0.5, math.nan], [-math.inf, 1.25]]),
        """
    |
    | 0.5000     nan
    |   -inf  1.2500
    |[torch.DoubleTensor of size 2x2]
    """,
    ),
    "nothing but nan": (
        lambda: torch.DoubleTensor([math.nan]),
        """
    |
    | nan
    |[torch.DoubleTensor of size 1]
    """,
    ),
    "three dimensions": (
        lambda: torch.arange(8).view(2, 2, 2),
        """
    |
    |(0 ,.,.) =·
    |  0  1
    |  2  3
    |
    |(1 ,.,.) =·
    |  4  5
    |  6  7
    |[torch.DoubleTensor of size 2x2x2]
    """,
    ),
    "four dimensions": (
        lambda: torch.ByteTensor(2, 1, 1, 2),
        """
    |
    |(0 ,0 ,.,.) =·
    |  0  0
    |
    |(1 ,0 ,.,.) =·
    |  0  0
    |[torch.ByteTensor of size 2x1x1x2]
    """,
    ),
    "a view": (
        lambda: torch.arange(6).view(2, 3).t()[1:],
        """
    |
    | 1  4
    | 2  5
    |[torch.DoubleTensor of size 2x2]
    """,
    ),
    "nothing": (
        lambda: torch.FloatTensor(),
        """
    |[torch.FloatTensor with no dimension]
    """,
    ),
    "no rows": (
        lambda: torch.zeros(0, 3),
        """
    |
    |[torch.DoubleTensor of size 0x3]
    """,
    ),
    "wide": (
        lambda: torch.arange(50).div(4).view(2, 25),
        """
    |
    |Columns 0 to 7·
    |  0.0000   0.2500   0.5000   0.7500   1.0000   1.2500   1.5000   1.7500
    |  6.2500   6.5000   6.7500   7.0000   7.2500   7.5000   7.7500   8.0000
    |
    |Columns 8 to 15·
    |  2.0000   2.2500   2.5000   2.7500   3.0000   3.2500   3.5000   3.7500
    |  8.2500   8.5000   8.7500   9.0000   9.2500   9.5000   9.7500  10.0000
    |
    |Columns 16 to 23·
    |  4.0000   4.2500   4.5000   4.7500   5.0000   5.2500   5.5000   5.7500
    | 10.2500  10.5000  10.7500  11.0000  11.2500  11.5000  11.7500  12.0000
    |
    |Columns 24 to 24·
    |  6.0000
    | 12.2500
    |[torch.DoubleTensor of size 2x25]
    """,
    ),
    "a long vector": (
        lambda: torch.arange(2000),
        """
    |
    |    0
    |    1
    |    2
    |  ...
    | 1997
    | 1998
    | 1999
    |[torch.DoubleTensor of size 2000]
    """,
    ),
    "a large matrix": (
        lambda: torch.arange(10000).view(100, 100),
        """
    |
    |    0     1     2 ...    97    98    99
    |  100   101   102 ...   197   198   199
    |  200   201   202 ...   297   298   299
    |  ...   ...   ...  ⋱    ...   ...   ...
    | 9700  9701  9702 ...  9797  9798  9799
    | 9800  9801  9802 ...  9897  9898  9899
    | 9900  9901  9902 ...  9997  9998  9999
    |[torch.DoubleTensor of size 100x100]
    """,
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name):
    make, expected = EXAMPLES[name]
    x = make()
    assert repr(x) == str(x) == f"{x}" == shown(expected)


def test_many_dimensions_are_shortened():
    text = repr(torch.zeros(20, 20, 2, 2))
    assert text.count("(0 ,0 ,.,.)") == 1 and "(10 ,0 ,.,.)" not in text and "(19 ,19 ,.,.)" in text
    assert text.count(",.,.) =") == 36
    assert text.count("...\n") == 7  # in each of six slices, and once between them
    assert text.endswith("[torch.DoubleTensor of size 20x20x2x2]\n")


def test_a_large_tensor_is_printed_without_looking_at_all_of_it():
    x = torch.zeros(300, 300)
    x[150, 150] = 1e30
    assert "e+" not in repr(x)


def test_options():
    x = torch.DoubleTensor([1.23456789, 2])
    torch.set_printoptions(precision=2)
    assert repr(x) == "\n 1.23\n 2.00\n[torch.DoubleTensor of size 2]\n"
    torch.set_printoptions(precision=6)
    assert repr(x) == "\n 1.234568\n 2.000000\n[torch.DoubleTensor of size 2]\n"
    torch.set_printoptions(threshold=4, edgeitems=1)
    assert repr(torch.arange(5)) == "\n   0\n ...\n   4\n[torch.DoubleTensor of size 5]\n"
    torch.set_printoptions(profile="full")
    assert repr(torch.arange(5000)).count("\n") == 5002
    torch.set_printoptions(profile="short")
    assert repr(x) == "\n 1.23\n 2.00\n[torch.DoubleTensor of size 2]\n"
    torch.set_printoptions(profile="default", linewidth=20)
    assert repr(torch.rand(1, 3)).count("Columns") == 2
    torch.set_printoptions(profile="default")
    assert printing._options == printing.Options()


@pytest.mark.parametrize(
    "wrong", [{"precision": -1}, {"precision": 1.5}, {"edgeitems": 0}, {"linewidth": "a"}, {"profile": "x"}]
)
def test_options_that_are_refused(wrong):
    with pytest.raises(ValueError, match="set_printoptions"):
        torch.set_printoptions(**wrong)


def test_a_line_is_never_longer_than_it_may_be():
    for columns in (1, 8, 10, 11, 30):
        assert max(map(len, repr(torch.rand(2, columns)).split("\n"))) <= 80
    assert max(map(len, repr(torch.rand(2, 2, 30)).split("\n"))) <= 80
