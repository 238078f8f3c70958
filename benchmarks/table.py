"""The table as Markdown: for the README with the columns that a user compares, for benchmarks/README.md with goals."""

import datetime
import os
import platform
from dataclasses import dataclass

from .measure import THREADS
from .peers import PEERS

PACKAGE = "legacy"


@dataclass
class Row:
    """One line: the text of each peer's cell, and this package's goal with its outcome."""

    title: str
    cells: dict  # {peer: text}
    goal: str = ""
    met: bool = False
    quartiles: str = ""  # of this package's ratio


def timed_row(workload, timings, reference):
    """Return the Row of a Workload: the reference's time, the ratio to it for all others."""
    cells = {}
    for name, timing in timings.items():
        cells[name] = duration(timing.median) if name == reference else f"{timing.ratio:.2f}"
    row = Row(workload.title, cells)
    if PACKAGE in timings and PACKAGE != reference:
        own = timings[PACKAGE]
        row.quartiles = "{:.2f}–{:.2f}".format(*own.quartiles)
        if reference == "torch":
            rivals = [name for name in workload.ahead_of if name in timings]
            row.goal = f"≤ {workload.goal:.2f}" + "".join(f", < {PEERS[name].title}" for name in rivals)
            row.met = own.ratio <= workload.goal and all(own.ratio < timings[name].ratio for name in rivals)
    return row


def line(row):
    """Return the Row as one line of text, for the terminal."""
    cells = [f"{PEERS[name].title} {text}" for name, text in row.cells.items()]
    quartiles = f" (quartiles {row.quartiles})" if row.quartiles else ""
    return f"{row.title}: {', '.join(cells)}{quartiles}{_judged(row, '; goal ')}"


def markdown(rows, names, goals):
    """Return the table of `rows` with a column for each peer of `names`, with quartiles and goals or without."""
    head = ["", *[PEERS[name].title for name in names], *(["quartiles", "goal"] if goals else [])]
    lines = [_line_of_table(head), "|---" + "|---:" * len(names) + ("|---:|---|" if goals else "|")]
    for row in rows:
        cells = dict(row.cells)
        if PACKAGE in cells:
            cells[PACKAGE] = f"**{cells[PACKAGE]}**"
        columns = [cells.get(name, "–") for name in names]
        lines.append(_line_of_table([row.title, *columns, *([row.quartiles, _judged(row)] if goals else [])]))
    return "\n".join(lines) + "\n"


def caption(reference):
    """Return the sentence above the table."""
    threads = " on one thread" if THREADS == 1 else f" on {THREADS} threads"
    return (
        f"Medians of one run on {datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}:\n"
        f"the time of {PEERS[reference].title}{threads}, and of the others as a multiple of it.\n"
    )


def duration(seconds):
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


def _judged(row, before=""):
    if not row.goal:
        return ""
    return f"{before}{row.goal}, {'met' if row.met else 'not met'}"


def _line_of_table(cells):
    return "| " + " | ".join(cells) + " |"
