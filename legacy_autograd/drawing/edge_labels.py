"""The labels of the edges of a trace: "output 1" if the Function has several outputs, "grad 3" while it carries one.

The numbers of inputs are not written: beside a gradient they read as numbers of the computation. In a small picture
Graphviz makes room for the labels. A label that would cover something goes where it covers least.
"""

import itertools
import math

from .labels import short_text, size_text

WHICH_SIZE = 10  # the font size of "output 1"
_LONGEST = 14  # characters of a gradient; of a longer one the label is the shape
_HEIGHT = 10  # of the letters of a label


def which_output(trace, link):
    """Return "output 1" for a link between two Functions if the one that made the value has several, else ""."""
    if link.tail[0] != "f" or link.head[0] != "f":
        return ""
    number, input = link.edge
    prev, output = trace.nodes[number].inputs[input]
    return f"output {output}" if len(trace.nodes[prev].sizes) > 1 else ""


def gradient_label(gradient, words):
    """Return the text of a gradient on its edge; templates/page/view.js writes the same."""
    if gradient is None:
        return ""
    text = short_text(gradient)
    text = text[text.index("norm") :] if "norm" in gradient else text
    return words["node_grad"].format(grad=text if len(text) <= _LONGEST else size_text(gradient["size"]))


class Places:
    """Free places for labels beside the `curves` of a picture and between its `boxes`, [(x, y, width, height)].

    What is taken is noted in squares with sides of `cell` points.
    """

    def __init__(self, boxes, curves, cell):
        self._cell = cell
        self._taken = set()
        for box in boxes:
            self._taken.update(self._cells(*box))
        for points in curves:
            length = sum(math.dist(a, b) for a, b in itertools.pairwise(points))
            self._taken.update((int(x // cell), int(y // cell)) for x, y in along(points, 2 + int(length / cell)))

    def beside(self, points, width, suggested=None):
        """Return the centre of a label beside a curve, where it covers least, and note that it is taken.

        A `suggested` place is taken if it covers nothing.
        """
        candidates, on_curve = [] if suggested is None else [suggested], along(points, 24)
        for part in sorted(range(2, 23), key=lambda part: abs(part - 12)):  # from the middle
            x, y = on_curve[part]
            for away in (width / 2 + 5, width / 2 + 14, width / 2 + 26):
                candidates += [(x + away, y), (x - away, y)]
        best, least = None, math.inf
        for at in candidates:
            covered = len(self._taken.intersection(self._cells(*at, width, _HEIGHT)))
            if covered < least:
                best, least = at, covered
            if not least:
                break
        self._taken.update(self._cells(*best, width, _HEIGHT))
        return best

    def _cells(self, x, y, width, height):
        """Return the squares that a rectangle with the centre (x, y) covers."""
        cell = self._cell
        columns = range(int((x - width / 2) // cell), int((x + width / 2) // cell) + 1)
        rows = range(int((y - height / 2) // cell), int((y + height / 2) // cell) + 1)
        return [(column, row) for column in columns for row in rows]


def along(points, count):
    """Return count + 1 points along a curve, given by its start and control points."""
    pieces = (len(points) - 1) // 3
    found = []
    for step in range(count + 1):
        piece = min(step * pieces // count, pieces - 1)
        t = step * pieces / count - piece
        a, b, c, d = points[3 * piece : 3 * piece + 4]
        weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append(tuple(sum(w * p[axis] for w, p in zip(weights, (a, b, c, d))) for axis in (0, 1)))
    return found
