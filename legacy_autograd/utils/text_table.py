"""Tables as text, of the profiler, of a trace and of a comparison."""


def text_table(rows, right=()):
    """Return rows of strings as lines: the heading, which is the first row, a rule, and all others.

    Columns are as wide as their widest cell and aligned to the left; those whose numbers are in `right`, to the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [f"{cell:{'>' if k in right else '<'}{width}}" for k, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return [lines[0], "  ".join(["-" * width for width in widths if width]), *lines[1:]]
