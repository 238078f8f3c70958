"""The graph on which a check failed, with the data of the student's code for each Function, as text and as SVG.

The judge builds the graph anew from the lines of the program. The student's data are in the result of the probe.
"""

import copy
import io
import re
from dataclasses import dataclass, replace

from . import reports
from .model import agree, shown
from .programs.running import Run

MOST_FUNCTIONS = 60  # of a graph that is drawn: a larger picture is unreadable


@dataclass(frozen=True)
class Picture:
    """`title` names the graph; `text` is the tree, `svg` the picture, and `problem` the reason if there is none.

    `page` is a page of HTML that steps through a backward, if it was traced.
    """

    title: str
    text: str
    svg: str | None = None
    problem: str | None = None
    page: str | None = None


def picture_of(exercise, asked, svg=False, lang="en"):
    """Return the Picture of a check's last call (model.Asked), or None if it has no graph. Its title is in English."""
    if isinstance(asked.got, dict) and "trace" in asked.got:
        return _of_a_trace(asked.got, svg, lang)
    return _of_a_program(exercise, asked, svg, lang) if "lines" in asked.inputs else None


def _of_a_program(exercise, asked, svg, lang):
    """Return the Picture of the graphs that the lines of a program make, or None if they make none."""
    exercise.behaviour(exercise.reference, asked.inputs["lines"])
    run = Run.last
    variables = {name: variable for name, variable in run.variables() if variable.requires_grad}
    labels = {variable.creator: name for name, variable in reversed(variables.items())}
    labels = {**run.labels, **labels}
    operands = {operand for function in labels for operand, _ in function.previous_functions}
    roots = {v.creator: v for v in variables.values() if not v.is_leaf and v.creator not in operands}
    if not roots:
        return None
    notes, marked = _of_functions(asked, labels, lang)
    return _drawn("its graph", tuple(roots.values()), variables, notes, marked, svg, lang)


def _of_functions(asked, labels, lang):
    """({Function: what was seen of it}, the Functions of which that is wrong).

    What is seen of a Function is called "a.grad", "backward of a" or "uses of a counted in d", with its name.
    """
    got = asked.got if isinstance(asked.got, dict) else {}
    notes, marked = {}, []
    for function, label in labels.items():
        lines, is_wrong = [], False
        for key in {**asked.expected, **got}:
            what, found_name, rest = key.partition(f" of {label}")
            if key == f"{label}.grad":
                what = "gradient"
            elif not found_name or (rest and rest[0] != " "):
                continue
            right, found = asked.expected.get(key), got.get(key)
            differs = key in asked.expected and not agree(right, found, asked.tolerance)  # others are not compared
            # The name of the Function is left out in English, where that leaves a name of what was seen.
            name = f"{what}{rest}" if lang == "en" else reports.in_language(key, lang)
            line = f"{name}: {reports.in_language(shown(found), lang)}"
            instead = f"{reports.in_language(', not', lang)} {shown(right)}" if differs else ""
            lines.append(line + instead)
            is_wrong |= differs
        if lines:
            notes[function] = "; ".join(lines) + (reports.in_language("  WRONG", lang) if is_wrong else "")
        if is_wrong:
            marked.append(function)
    return notes, marked


def _drawn(title, roots, variables, notes, marked, svg, lang):
    """Return the Picture of the graph behind `roots`: its tree, and the SVG if that is wanted and can be had."""
    from ..drawing import LayoutUnavailable, make_dot, print_graph
    from ..drawing.layout import to_svg

    tree = io.StringIO()
    try:
        print_graph(roots, tree, variables, max_nodes=MOST_FUNCTIONS, notes=notes)
    except ValueError:
        return Picture(title, "", problem=f"the graph has more than {MOST_FUNCTIONS} Functions")
    text = "\n".join(_in_language(line, lang) for line in tree.getvalue().splitlines())
    if not svg:
        return Picture(title, text)
    lines = {function: note.replace("; ", "\n") for function, note in notes.items()}
    try:
        return Picture(title, text, to_svg(make_dot(roots, variables, notes=lines, marked=marked, lang=lang).source))
    except LayoutUnavailable as error:
        return Picture(title, text, problem=str(error))


def _in_language(line, lang):
    """Return a line of a tree (drawing.print_graph), whose notes are in that language already."""
    branches, words, note = re.fullmatch(r"([│├└─ ]*)(.*?)(  <- .*)?", line).groups(default="")
    return f"{branches}{reports.in_language(words, lang)}{note}"


def _of_a_trace(got, page, lang):
    """Return the Picture of a backward that was traced in the student's process."""
    from ..drawing import LayoutUnavailable, Trace
    from ..drawing.page import page as page_of

    trace = Trace.from_json(got["trace"])
    said = [reports.in_language(str(sentence), lang) for sentence in got["said"]]
    text = "\n".join(said) or reports.in_language("no copies and no writes in place", lang)
    if not page:
        return Picture(trace.title, text)
    try:
        return Picture(trace.title, text, page=page_of([_translated(trace, lang)]))
    except LayoutUnavailable as error:
        return Picture(trace.title, text, problem=str(error))


def _translated(trace, lang):
    """Return a trace in the language, with its notes and its title, which are the observer's (find_and_fix.py)."""
    other = copy.copy(trace.in_language(lang))
    other.title = reports.in_language(trace.title, lang)
    other.steps = [replace(step, text=reports.in_language(step.text, lang)) if step.event == "note" else step
                   for step in other.steps]  # fmt: skip
    return other
