"""The heat map of a tensor: a grid of at most 8 x 12 cells, coloured from negative over 0 to positive.

A page shows tensors of seven and more elements so; `templates/page/heat.js` draws the same.
"""

import numpy

MOST_ROWS, MOST_COLUMNS = 8, 12
_LEVELS = 9  # on each side of 0
LEAST = 7  # elements of a tensor that is shown as a heat map
CELL = 4.5  # points
_GAP = 6


def heat_of(array):
    """Return the rows of a tensor's heat map as strings, a character for each cell.

    The last dimension gives the columns. A cell of a large tensor is the mean of its part. "A" to "I" are negative,
    "I" the least of them; "a" to "i" are positive, "0" is 0, and "?" a nan or an infinity.
    """
    numbers = numpy.asarray(array, numpy.float64)
    if numbers.ndim == 1 and numbers.size > MOST_COLUMNS:
        numbers = _folded(numbers)
    with numpy.errstate(all="ignore"):
        grid = _means(_means(numbers.reshape(-1, numbers.shape[-1]), MOST_ROWS, 0), MOST_COLUMNS, 1)
        finite = grid[numpy.isfinite(grid)]
        largest = numpy.abs(finite).max(initial=0) or 1
        levels = numpy.rint(grid / largest * _LEVELS)
    return ["".join(map(_character, row)) for row in levels.tolist()]


def _folded(numbers):
    """Return a long row of numbers as several rows; the last one may be filled with 0."""
    rows = min(MOST_ROWS, -(-len(numbers) // MOST_COLUMNS))
    columns = -(-len(numbers) // rows)
    return numpy.pad(numbers, (0, rows * columns - len(numbers))).reshape(rows, columns)


def _means(grid, most, axis):
    """Return a grid with at most `most` rows (axis 0) or columns (axis 1)."""
    length = grid.shape[axis]
    if length <= most:
        return grid
    starts = numpy.arange(most) * length // most
    sums = numpy.add.reduceat(grid, starts, axis)
    counts = numpy.diff(starts, append=length)
    return sums / (counts[:, None] if axis == 0 else counts)


def _character(level):
    if not numpy.isfinite(level):
        return "?"
    if level == 0:
        return "0"
    return chr((ord("A") if level < 0 else ord("a")) + int(abs(level)) - 1)


class Heats:
    """The heat maps at the foot of a Function: of its value and, in a backward, of its gradient.

    They show the first output that has seven or more elements. `width` and `height` are 0 if it has none.
    """

    def __init__(self, node, kind):
        self._output = next((n for n, size in enumerate(node.sizes) if numpy.prod(size) >= LEAST), None)
        self._shows = ["value", "grad"] if kind == "backward" and node.requires_grad else ["value"]
        self.width = self.height = 0
        if self._output is not None:
            example = heat_of(numpy.broadcast_to(0.0, node.sizes[self._output]))
            self._columns, rows = len(example[0]), len(example)
            self.width = len(self._shows) * (self._columns * CELL + _GAP)
            self.height = rows * CELL + _GAP

    def svg(self, node, now, x, bottom, is_empty=False):
        """Return the heat maps in the state `now`, in the middle at `x` and above `bottom`; or only their places."""
        if not self.height:
            return ""
        drawn = []
        for place, (name, record) in enumerate(zip(self._shows, self._records(node, now))):
            left, top = (
                x - self.width / 2 + place * self.width / len(self._shows) + _GAP / 2,
                bottom - self.height + _GAP,
            )
            cells = "" if record is None or is_empty else heat_svg(record["heat"], left, top)
            drawn.append(f'<g class="heat" data-of="{name}" data-x="{left:.1f}" data-y="{top:.1f}">{cells}</g>')
        return "".join(drawn)

    def _records(self, node, now):
        """Return (value, gradient) of the output that is shown, each as a record or None."""
        is_made = now["state"] != "hidden"
        values = now.get("values", node.values if is_made else None)
        grads = now.get("held", [None, None])[1:] if now.get("held") else now.get("grads")
        if grads is None and is_made:
            grads = [node.held]
        return [self._of(values), self._of(grads)]

    def _of(self, records):
        record = records[self._output] if records and self._output < len(records) else None
        return record if record is not None and "heat" in record else None


def heat_svg(rows, x, y):
    """Return a heat map as SVG, with its upper left corner at (x, y) and a path for each level.

    states.css has its colours.
    """
    cells = {}
    for row, characters in enumerate(rows):
        for column, character in enumerate(characters):
            if character != "0":
                corner = f"M{x + column * CELL:.1f},{y + row * CELL:.1f}"
                cells.setdefault(character, []).append(f"{corner}h{CELL}v{CELL}h-{CELL}z")
    paths = "".join(
        f'<path class="{_sign(character)}" fill-opacity="{_opacity(character):.2f}" d="{"".join(corners)}"/>'
        for character, corners in sorted(cells.items())
    )
    width, height = len(rows[0]) * CELL, len(rows) * CELL
    return f'<rect class="zero" x="{x:.1f}" y="{y:.1f}" width="{width}" height="{height}"/>{paths}'


def _sign(character):
    return "odd" if character == "?" else "minus" if character.isupper() else "plus"


def _opacity(character):
    return 1 if character == "?" else (ord(character.lower()) - ord("a") + 1) / _LEVELS
