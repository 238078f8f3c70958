"""A `Comparison` as one HTML page, and as what a notebook shows: two columns with the graphs, the tables under them."""

import html
import re

from ..drawing.labels import image
from ..drawing.layout import LayoutUnavailable, to_svg
from ..drawing.template import filled
from .graphs import pictures
from .text import NOT_SEEN, cells, heading, numbers, verdict

_WIDEST = 480  # pixels of a graph in a notebook's column
_KINDS = ("number", "names", "names", "", *["number"] * 4, "code")  # of the columns that `text.cells` fills


def page(comparison):
    """The HTML of the page; it refers to nothing outside of itself."""
    worlds = (comparison.here.world, comparison.there.world)
    columns = [
        f'<section class="world"><h2>{html.escape(world)}</h2><div class="graph">{_no_smaller(svg)}</div></section>'
        for world, svg in zip(worlds, _svgs(comparison))
    ]
    values = {
        "TITLE": f"{html.escape(comparison.title)}, side by side",
        "WORLDS": f"{html.escape(worlds[0])} and {html.escape(worlds[1])}, run from the same numbers. A difference is "
        f"an error where it is larger than {comparison.tolerance:g} (1 + the size of the number).",
        "GOOD OR BAD": "good" if comparison.agrees else "bad",
        "VERDICT": "".join(f"<p>{html.escape(sentence)}</p>" for sentence in verdict(comparison)),
        "GRAPHS": "".join(columns),
        "TABLES": tables(comparison),
    }
    return filled(__package__, "page.html", values)


def embedded(comparison):
    """What a notebook shows. The graphs are images, which also a viewer shows that runs no script and strips styles."""
    columns = []
    for world, svg in zip((comparison.here.world, comparison.there.world), _svgs(comparison)):
        picture = svg
        if svg.startswith("<svg"):
            picture = image(svg, f"The graph of {world}", width=min(_WIDEST, round(_width(svg))))
        columns.append(f'<td align="center" valign="top"><b>{html.escape(world)}</b><br>{picture}</td>')
    sentences = "".join(f"<p><b>{html.escape(sentence)}</b></p>" for sentence in verdict(comparison))
    return f"{sentences}<table><tr>{''.join(columns)}</tr></table>{tables(comparison)}"


def _svgs(comparison):
    """Both graphs as SVG elements; a sentence in place of each where they cannot be drawn."""
    try:
        return [_element(to_svg(dot.source)) for dot in pictures(comparison)]
    except (LayoutUnavailable, ValueError) as error:
        return [f"<p>{html.escape(str(error))}</p>"] * 2


def _element(svg):
    """The <svg> alone, without what only a file of its own needs, and without graphviz's titles (n1, n1->n2)."""
    element = svg[svg.index("<svg") :]
    return re.sub(r"<title>[^<]*</title>\s*|<!--.*?-->\s*", "", element, flags=re.DOTALL).rstrip()


def _mood(comparison, row):
    return " first" if row.number == comparison.first_number else "" if row.agrees else " bad"


def _width(svg):
    """The width of an <svg> in pixels; graphviz gives it in points."""
    return float(re.search(r'width="([\d.]+)pt"', svg)[1]) * 4 / 3


def _no_smaller(svg):
    """The <svg>, which shrinks with its column, but not to where it cannot be read: then the column scrolls."""
    if not svg.startswith("<svg"):
        return svg
    return svg.replace("<svg", f'<svg style="min-width: {0.6 * _width(svg):.0f}px"', 1)


def tables(comparison):
    """The tables of operations and leaves, of results, and of what differs by design."""
    here, there = html.escape(comparison.here.world), html.escape(comparison.there.world)
    rows = [
        f'<tr class="m{row.number}{_mood(comparison, row)}">{"".join(map(_cell, _KINDS, cells(row)))}</tr>'
        for row in comparison.rows
    ]
    parts = ["<h2>Values and gradients</h2>", _table(map(html.escape, heading(comparison)), rows)]
    if any(row.value is None or row.gradient is None for row in comparison.rows):
        parts.append(f"<p>{html.escape(NOT_SEEN)}</p>")
    if comparison.results:
        rows = [
            f"<tr{'' if d.agrees else ' class=bad'}><td>{html.escape(name)}</td>{_numbers(d)}</tr>"
            for name, d in comparison.results.items()
        ]
        parts += ["<h2>Results</h2>", _table(["", "differs", "relative"], rows)]
    if comparison.by_design:
        rows = [
            f"<tr>{_cell('number', str(d.count))}{_cell('', d.here)}{_cell('', d.there)}</tr>"
            for d in comparison.by_design
        ]
        parts += ["<h2>Different by design</h2>", _table(["times", here, there], rows)]
    return "".join(parts)


def _cell(kind, text):
    text = html.escape(text)
    if kind == "code":
        return f"<td><code>{text}</code></td>" if text else "<td></td>"  # an empty <code> is a grey spot
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def _numbers(difference):
    return "".join(_cell("number", text) for text in numbers(difference))


def _table(heading, rows):
    head = "".join(f'<th scope="col">{name}</th>' for name in heading)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
