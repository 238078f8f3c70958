"""How a tensor is printed: rows of aligned numbers, then a line with its type and size, as in v0.1.x.

A vector is printed as a column, and a tensor of more than two dimensions as one matrix after another, each under its
leading indices. A large tensor is shortened to its edges.
"""

import itertools
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy

from .wrapping import TensorBase


@dataclass(frozen=True)
class Options:
    """The options that `set_printoptions` sets."""

    precision: int = 4  # digits after the point
    threshold: float = 1000  # a tensor of more elements is shortened
    edgeitems: int = 3  # how many elements a shortened dimension shows at each end
    linewidth: int = 80  # longer rows are broken into groups of columns


_PROFILES = {
    "default": Options(),
    "short": Options(precision=2, threshold=1000, edgeitems=2),
    "full": Options(threshold=math.inf),
}
_options = Options()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
) -> None:
    """Set how tensors are printed; options that are None stay unchanged.

    Args:
        precision: Digits after the decimal point. Initially 4.
        threshold: The number of elements above which a tensor is shortened. Initially 1000.
        edgeitems: How many elements a shortened dimension shows at each end. Initially 3.
        linewidth: Characters in a line. Initially 80.
        profile: "default", "short" or "full", which sets all options before the others apply.

    Raises:
        ValueError: If an option is out of range, or there is no such profile.
    """
    global _options
    if profile is not None and profile not in _PROFILES:
        raise ValueError(f"set_printoptions: no profile {profile!r}; there are {', '.join(_PROFILES)}")
    given = dict(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth)
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    for name, value in chosen.items():
        least = 0 if name in ("precision", "threshold") else 1
        if not isinstance(value, (int, float)) or not value >= least or name != "threshold" and value != int(value):
            raise ValueError(f"set_printoptions: {name} must be an integer >= {least}, got {value!r}")
    _options = replace(_PROFILES[profile] if profile is not None else _options, **chosen)


class Printing(TensorBase):
    """The text form of Tensor."""

    __slots__ = ()

    def __repr__(self):
        array, name = self.array, self.type()
        if array.shape == (0,) or self.dim() == 0:
            return f"[{name} with no dimension]\n"
        return f"\n{_body(array)}[{name} of size {'x'.join(map(str, array.shape))}]\n"

    __str__ = __repr__


def _body(array):
    if not array.size:
        return ""
    shortened = array.size > _options.threshold
    # The indices of each dimension that are shown, with None for those left out.
    places = [_places(length, shortened) for length in array.shape]
    visible = array[numpy.ix_(*[[i for i in indices if i is not None] for indices in places])]
    form = _Form(visible, least_width=4 if shortened else 2)
    if array.ndim == 1:
        array, places = array[:, None], [*places, [0]]
    if array.ndim == 2:
        return form.heading + _matrix(array, places, form, "")
    parts = []
    for leading in itertools.product(*places[:-2]):
        if None in leading:
            # One "..." for each shortened dimension, not one for each index of the dimensions after it.
            first = leading.index(None)
            if all([i == 0 for i in leading[first + 1 :]]):
                parts.append("...\n")
            continue
        name = ",".join([f"{i} " for i in leading])
        parts.append(f"({name},.,.) = \n" + _matrix(array[leading], places[-2:], form, " "))
    return form.heading + "\n".join(parts)


def _places(length, shortened):
    edge = _options.edgeitems
    if not shortened or length <= 2 * edge:
        return list(range(length))
    return [*range(edge), None, *range(length - edge, length)]


def _matrix(array, places, form, indent):
    rows, columns = places
    shortened = None in columns
    per_line = len(columns) if shortened else max(1, (_options.linewidth - len(indent)) // (form.width + 1))
    lines = []
    for start in range(0, len(columns), per_line):
        group = columns[start : start + per_line]
        if per_line < len(columns):
            lines.append(f"{indent}Columns {group[0]} to {group[-1]} \n")
        for i in rows:
            cells = ["..." if i is None or j is None else form(array[i, j]) for j in group]
            if i is None:
                cells = [" ⋱ " if j is None else "...".rjust(form.width) for j in group]
            lines.append(indent + " ".join(cells) + "\n")
        if start + per_line < len(columns):
            lines.append("\n")
    return "".join(lines)


class _Form:
    """One format for all of the numbers that are shown: `form(x)` is x as text of `width` characters."""

    def __init__(self, values, least_width):
        precision = _options.precision
        self.scale, self.kind = 1, f".{precision}f"
        self.heading = ""
        if values.dtype.kind != "f":
            self.kind = "d"
            digits = max(len(str(values.max())), len(str(values.min()).lstrip("-")))
            self.width = max(digits + 1, least_width)
            return
        values = values.astype(numpy.float64)
        finite = numpy.absolute(values[numpy.isfinite(values)])
        # The digits before the decimal point of the largest and the smallest number.
        nonzero = finite[finite > 0]
        most = math.floor(math.log10(nonzero.max())) + 1 if nonzero.size else 1
        least = math.floor(math.log10(nonzero.min())) + 1 if nonzero.size else 1
        is_whole = (finite == numpy.floor(finite)).all()
        if most > 9 if is_whole else most - least > 4:
            self.kind, self.width = f".{precision}e", precision + 7
        elif is_whole:
            self.kind, self.width = ".0f", most + 1
        elif most > 5 or most < 0:
            self.scale = 10.0 ** (most - 1)
            self.width = precision + 3
            self.heading = f"{self.scale:.5e} *\n"
        else:
            self.width = precision + max(most, 1) + 2
        self.width = max(self.width, least_width if finite.size == values.size else 4)  # 4 characters: -inf

    def __call__(self, value):
        value = value.item()
        return format(value if self.scale == 1 else value / self.scale, f"{self.width}{self.kind}")
