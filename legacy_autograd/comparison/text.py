"""A `Comparison` as text."""

from ..drawing.expressions import text_at
from ..utils.text_table import text_table

_WIDEST = 38


def text_of(comparison):
    """Return the table of operations and leaves, the results, the differences by design, and the verdict."""
    here, there = comparison.here.world, comparison.there.world
    rows = [(*heading(comparison), "")]
    for row in comparison.rows:
        number, name_here, name_there, *rest = cells(row)
        mark = "<- first difference" if row.number == comparison.first_number else "" if row.agrees else "differs"
        rows.append((number, short(name_here), short(name_there), *rest, mark))
    lines = [f"{comparison.title}: {here} and {there}, tolerance {comparison.tolerance:g} (1 + size of the number)"]
    lines += ["", *text_table(rows)]
    if any(row.value is None or row.gradient is None for row in comparison.rows):
        lines.append(NOT_SEEN)
    if comparison.results:
        results = [("result", "differs", "relative", "")]
        for name, difference in comparison.results.items():
            results.append((name, *numbers(difference), "" if difference.agrees else "differs"))
        lines += ["", *text_table(results)]
    if comparison.by_design:
        lines += ["", "Different by design:"]
        lines += [f"{d.count:>5} x  {here}: {d.here}\n         {there}: {d.there}" for d in comparison.by_design]
    return "\n".join([*lines, "", *verdict(comparison)])


def heading(comparison):
    """Return the headings of the columns that `cells` returns."""
    worlds = comparison.here.world, comparison.there.world
    return ["", *worlds, "shape", "value differs", "relative", "gradient differs", "relative", "line"]


def cells(row):
    """Return one row of the table of operations and leaves."""
    names = row.here or "-", row.there or "-"
    return [str(row.number), *names, size_text(row), *numbers(row.value), *numbers(row.gradient), line_of(row.position)]


NOT_SEEN = "- : there is no such number, or torch does not show it (inside one of its functions)"


def short(text, widest=_WIDEST):
    """Return `text`, cut if it is too long for a column."""
    return text if len(text) <= widest else f"{text[: widest - 1]}…"


def verdict(comparison):
    """Return the sentences with the result of the comparison."""
    if comparison.agrees:
        return [f"All values and gradients agree within {comparison.tolerance:g} (1 + their size)."]
    others = [f"{problem}." for problem in comparison.problems if problem != comparison.first_difference]
    return [*others, " ".join([f"They differ: {comparison.first_difference}.", *comparison.random_numbers])]


def numbers(difference):
    """Return the largest absolute and the largest relative difference as text; '-' if nothing was compared."""
    if difference is None:
        return "-", "-"
    return tuple(f"{x:.1e}" if x else "0" for x in (difference.absolute, difference.relative))


def size_text(row):
    """Return the shape of an operation's result; both shapes if they differ."""
    shapes = dict.fromkeys(str(tuple(size)) for size in (row.size, row.size_there) if size is not None)
    return " | ".join(shapes)


def line_of(position):
    """Return the program's expression for an operation, with its line number."""
    if not position:
        return ""
    line, expression = position[-1][1], text_at(position[-1])
    return f"{line}: {short(expression)}" if expression else str(line)
