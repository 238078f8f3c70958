"""Show a `Comparison` as an HTML page or in a notebook: the graphs in two columns, with the tables below."""

import html
import re

import numpy

from ..drawing.labels import MOST_IN_WORDS, image, short_text, tensor_record
from ..drawing.layout import LayoutUnavailable
from ..drawing.template import filled
from ..tensor.base import wrap
from .graphs import pictures
from .text import NOT_SEEN, line_of, size_text, verdict

_WIDEST = 480  # pixels of a graph in a notebook's column
_MOST_NUMBERS = 60  # numbers in the fold below a tensor's mean and norm


def page(comparison):
    """Return the HTML of the page, which is self-contained."""
    worlds = (comparison.here.world, comparison.there.world)
    columns = [
        f'<section class="world"><h2>{html.escape(world)}</h2><div class="graph">{_no_smaller(svg)}</div></section>'
        for world, (svg, _) in zip(worlds, _svgs(comparison))
    ]
    values = {
        "TITLE": f"{html.escape(comparison.title)}, side by side",
        "WORLDS": f"{html.escape(worlds[0])} and {html.escape(worlds[1])}, run with the same numbers. A difference "
        f"counts if it is larger than {comparison.tolerance:g} (1 + the size of the number).",
        "GOOD OR BAD": "good" if comparison.agrees else "bad",
        "VERDICT": "".join(f"<p>{html.escape(sentence)}</p>" for sentence in verdict(comparison)),
        "GRAPHS": "".join(columns),
        "TABLES": tables(comparison),
    }
    return filled(__package__, "page.html", values)


def embedded(comparison):
    """Return the HTML for a notebook. The graphs are images, so viewers without scripts and styles show them too."""
    columns = []
    for world, (svg, words) in zip((comparison.here.world, comparison.there.world), _svgs(comparison)):
        picture = image(svg, words, width=min(_WIDEST, round(_width(svg)))) if words else svg
        columns.append(f'<td align="center" valign="top"><b>{html.escape(world)}</b><br>{picture}</td>')
    sentences = "".join(f"<p><b>{html.escape(sentence)}</b></p>" for sentence in verdict(comparison))
    return f"{sentences}<table><tr>{''.join(columns)}</tr></table>{tables(comparison)}"


def _svgs(comparison):
    """Return both graphs as (SVG element, description), or (a message, None) if they cannot be drawn."""
    try:
        return [(_element(dot.svg()), dot.words) for dot in pictures(comparison)]
    except (LayoutUnavailable, ValueError) as error:
        return [(f"<p>{html.escape(str(error))}</p>", None)] * 2


def _element(svg):
    """Return the <svg> element without the parts that only a separate file needs."""
    return re.sub(r"<!--.*?-->\s*", "", svg[svg.index("<svg") :], flags=re.DOTALL).rstrip()


def _mood(comparison, row):
    return " first" if row.number == comparison.first_number else "" if row.agrees else " bad"


def _width(svg):
    """Return the width of an <svg> in pixels; Graphviz gives it in points."""
    return float(re.search(r'width="([\d.]+)pt"', svg)[1]) * 4 / 3


def _no_smaller(svg):
    """Return the <svg> with a minimum width, so that it remains readable; a narrower column scrolls."""
    if not svg.startswith("<svg"):
        return svg
    return svg.replace("<svg", f'<svg style="min-width: {0.6 * _width(svg):.0f}px"', 1)


def tables(comparison):
    """Return the tables of operations and leaves, of results, and of differences by design."""
    worlds = comparison.here.world, comparison.there.world
    heading = ["#", *worlds, "shape", "value", "gradient", "line"]
    rows = [
        (
            f"m{row.number}{_mood(comparison, row)}",
            [
                str(row.number),
                html.escape(row.here or "-"),
                html.escape(row.there or "-"),
                size_text(row),
                _numbers(row.values, row.value, worlds),
                _numbers(row.gradients, row.gradient, worlds),
                _code(line_of(row.position)),
            ],
        )
        for row in comparison.rows
    ]
    parts = ["<h2>Values and gradients</h2>", _table(heading, rows)]
    if any(row.value is None or row.gradient is None for row in comparison.rows):
        parts.append(f"<p>{html.escape(NOT_SEEN)}</p>")
    if comparison.results:
        here, there = comparison.here.results, comparison.there.results
        rows = [
            ("" if d.agrees else "bad", [html.escape(name), _numbers([(here[name], there[name])], d, worlds)])
            for name, d in comparison.results.items()
        ]
        parts += ["<h2>Results</h2>", _table(["name", "value"], rows)]
    if comparison.by_design:
        rows = [("", [str(d.count), html.escape(d.here), html.escape(d.there)]) for d in comparison.by_design]
        parts += ["<h2>Different by design</h2>", _table(["times", *worlds], rows)]
    return "".join(parts)


def _numbers(pairs, difference, worlds):
    """Return the cell for values or gradients: one text if the runs agree, otherwise both and their difference."""
    if difference is None:
        return "-"
    lines = []
    for here, there in pairs:
        if difference.agrees:
            lines.append(f"<div>{_tensor(there if here is None else here)}</div>")
        else:
            lines += [
                f'<div class="wrong">{html.escape(world)}: {_tensor(array)}</div>'
                for world, array in zip(worlds, (here, there))
            ]
    if difference.note:
        lines.append(f"<div>{html.escape(difference.note)}</div>")
    elif difference.absolute:
        apart = f"differs by {difference.absolute:.1e} ({difference.relative:.1e} relative)"
        lines.append(f'<div class="quiet">{apart}</div>')
    return "".join(lines)


def _tensor(array):
    """Return the text of up to six numbers; for more, mean and norm above the first numbers in a fold."""
    if array is None:
        return "none"
    text = short_text(tensor_record(wrap(array.astype(numpy.float64) if array.dtype == bool else array)))
    text = html.escape(text.removeprefix(f"{tuple(array.shape)} "))  # the shape has its own column
    if array.size <= MOST_IN_WORDS:
        return text
    first = numpy.array2string(array.ravel()[:_MOST_NUMBERS], precision=4, threshold=_MOST_NUMBERS + 1, separator=", ")
    more = f" … {array.size - _MOST_NUMBERS} more" if array.size > _MOST_NUMBERS else ""
    return f"<details><summary>{text}</summary>{first}{more}</details>"


def _code(text):
    return f"<code>{html.escape(text)}</code>" if text else ""  # an empty <code> is a grey box


def _table(heading, rows):
    """Return a table of [(class, cells)]. Each cell has its heading, which narrow pages show in front of it."""
    heading = [html.escape(name) for name in heading]
    head = "".join(f'<th scope="col">{name}</th>' for name in heading)
    body = "".join(f'<tr class="{kind}">{"".join(map(_cell, heading, cells))}</tr>' for kind, cells in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(heading, content):
    return f'<td data-label="{heading}">{content}</td>'
