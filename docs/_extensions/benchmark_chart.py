"""Sphinx extension: the directive `benchmark-chart`, the first table of benchmarks/README.md as a picture.

One line for each row of the table. On it is a mark for each library, at its multiple of torch's time; the scale is
logarithmic.
"""

import html
import math
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive

TABLE = Path(__file__).resolve().parents[2] / "benchmarks" / "README.md"
# The column, and its mark around (0, 0).
MARKS = {
    "numpy by hand": '<circle r="3.5" class="numpy"/>',
    "DeZero": '<path d="M0-5 5 4H-5z" class="dezero"/>',
    "MyGrad": '<path d="M-4-4H4V4H-4z" class="mygrad"/>',
    "HIPS autograd": '<path d="M0-5.500 5.500 0 0 5.500-5.500 0z" class="hips"/>',
    "legacy_autograd": '<circle r="5.500" class="ours"/>',
}
LEFT, WIDTH, ROW, TOP = 8, 424, 38, 70
LOWEST, HIGHEST = 0.07, 8  # of the scale, unless a row goes beyond


def read_table(text):
    """Return [(row's title, {library: multiple of torch's time})] of the first table with the libraries as columns."""
    lines = iter(text.splitlines())
    header = next(line for line in lines if "| legacy_autograd |" in line)
    columns = [cell.strip() for cell in header.strip("|").split("|")]
    rows = []
    for line in list(lines)[1:]:
        if not line.startswith("|"):
            return rows
        title, *cells = [cell.strip().strip("*") for cell in line.strip("|").split("|")]
        found = {name: float(cell) for name, cell in zip(columns[1:], cells) if re.fullmatch(r"[\d.]+", cell)}
        rows.append((title, {name: ratio for name, ratio in found.items() if name in MARKS}))
    return rows


def chart(rows):
    """Return the chart of these rows as an svg element, whose colours the site's style sheet sets."""

    ratios = [ratio for _, row in rows for ratio in row.values()]
    lowest, highest = min(LOWEST, *ratios), max(HIGHEST, *ratios)

    def across(ratio):
        return LEFT + WIDTH * math.log(ratio / lowest) / math.log(highest / lowest)

    bottom = TOP + ROW * len(rows)
    words = "; ".join(
        f"{title}: " + ", ".join(f"{name} {ratio:g}" for name, ratio in row.items()) for title, row in rows
    )
    words = html.escape("Multiples of torch's time. " + words.replace("`", ""))
    box = f"0 0 {WIDTH + 2 * LEFT} {bottom + 22}"
    parts = [f'<svg class="benchmarks" viewBox="{box}" role="img" aria-label="{words}">']
    for number, (name, mark) in enumerate(MARKS.items()):
        x, y = LEFT + 6 + 140 * (number % 3), 10 + 18 * (number // 3)
        parts.append(f'<g transform="translate({x} {y})">{mark}<text x="11" y="4">{name}</text></g>')
    for ratio in (0.1, 0.25, 0.5, 1, 2, 4):
        x = across(ratio)
        kind = "torch" if ratio == 1 else "grid"
        parts.append(f'<path class="{kind}" d="M{x:.1f} {TOP - 14}V{bottom}"/>')
        label = "torch: 1" if ratio == 1 else f"{ratio:g}"
        parts += [f'<text class="scale" x="{x:.1f}" y="{y}">{label}</text>' for y in (TOP - 20, bottom + 14)]
    for number, (title, row) in enumerate(rows):
        y = TOP + ROW * number
        parts.append(f'<text class="row" x="{LEFT}" y="{y + 4}">{html.escape(title.replace("`", ""))}</text>')
        parts.append(f'<path class="line" d="M{LEFT} {y + 18}H{LEFT + WIDTH}"/>')
        for name, mark in MARKS.items():
            if name in row:
                parts.append(
                    f'<g transform="translate({across(row[name]):.1f} {y + 18})">{mark}'
                    f"<title>{name}: {row[name]:g}</title></g>"
                )
    return "".join([*parts, "</svg>"])


class BenchmarkChart(Directive):
    """The directive."""

    def run(self):
        return [nodes.raw("", chart(read_table(TABLE.read_text(encoding="utf-8"))), format="html")]


def setup(app):
    app.add_directive("benchmark-chart", BenchmarkChart)
    return {"parallel_read_safe": True}
