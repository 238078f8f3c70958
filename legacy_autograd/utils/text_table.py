"""Text tables, for the profiler, a trace and a comparison."""

from collections.abc import Container, Sequence


def text_table(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Return rows of strings as the lines of a table: the heading, a rule, and the other rows.

    Args:
        rows: The rows. The first one is the heading.
        right: The numbers of the columns that are aligned to the right; others are aligned to the left.
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [f"{cell:{'>' if k in right else '<'}{width}}" for k, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return [lines[0], "  ".join(["-" * width for width in widths if width]), *lines[1:]]
