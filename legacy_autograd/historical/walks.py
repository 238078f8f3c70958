"""`page()` shows the walk of v0.1.1 beside today's, for every exhibit that gave an incorrect number."""

import html
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path

from ..drawing.alignment import align
from ..drawing.holders import mark, written_text
from ..drawing.labels import record_text
from ..drawing.page import programs_page
from ..drawing.sentences import words_in
from .exhibit import EXHIBITS, FIXED
from .traced import run_traced


def page(path: str | Path | None = None, lang: str = "en") -> str | None:
    """Write a page that steps through v0.1.1's walk and today's for each exhibit with an incorrect number.

    The page shows the exhibits whose backward gave v0.1.1 a number that is incorrect, or that raises today. The steps
    of both versions are aligned. Holders of the same tensor are highlighted together, and the step at which the number
    becomes incorrect shows the reason.

    Args:
        path: The HTML file. Default: none is written.
        lang: The language, "en" or "zh".

    Returns:
        The HTML if `path` is None, otherwise None.

    Raises:
        LayoutUnavailable: If no program on this machine can lay out a graph.
        ValueError: If `lang` is unknown.
    """
    programs = [_program(number, *both) for number, both in enumerate(both_walks(lang), start=1)]
    text = programs_page(programs, words_in(lang)["museum"]["title"], lang)
    if path is None:
        return text
    Path(path).write_text(text, encoding="utf-8")
    return None


def both_walks(lang="en"):
    """Yield (exhibit, run in its version, run today) of every exhibit with an incorrect number, with marked steps."""
    words_in(lang)  # raises for an unknown language before any program runs
    translated = {} if lang == "en" else _translated(lang)
    for show_both in EXHIBITS:
        then, today = (run_traced(show_both.program, autograd, lang) for autograd in (show_both.version, FIXED))
        if then.trace is None or then.outcome.exception is not None or then.outcome == today.outcome:
            continue
        pairs = _aligned(then, today)
        for run in (then, today):
            if run.trace is not None:
                mark(run.trace, run.held)
        index, reason = _where_it_goes_wrong(then, today, pairs, words_in(lang)["museum"])
        then.trace[index].extra["wrong"] = reason
        yield replace(show_both(), **translated.get(show_both.__name__, {})), then, today


def _translated(lang):
    """Return {name of an exhibit: its title and reason} in a language other than English."""
    return tomllib.loads(resources.files(__package__).joinpath(f"exhibits.{lang}.toml").read_text(encoding="utf-8"))


def _program(number, exhibit, then, today):
    """Return the program for `programs_page`; its text links to the step with the error."""
    words = words_in(then.trace.lang)["museum"]
    moments = sorted({step.time for run in (then, today) if run.trace is not None for step in run.trace})
    (wrong,) = [step for step in then.trace if "wrong" in step.extra]
    place = moments.index(wrong.time) + 1
    link = f'<a href="#program={number}&amp;step={place}">{html.escape(words["goes_wrong"].format(step=place))}</a>'
    outcomes = words["outcomes"].format(version=exhibit.version, then=then.outcome, today=today.outcome)
    reason = html.escape(exhibit.reason)
    text = f"<pre>{html.escape(exhibit.program)}</pre><p>{html.escape(outcomes)} {link}<br>{reason}</p>"
    traces = {exhibit.version: then.trace, words["today"]: today.trace}
    traces = {name: trace for name, trace in traces.items() if trace is not None}
    return {"title": f"{exhibit.id}: {exhibit.title}", "text": text, "traces": traces}


# --- the steps of both, aligned


def _aligned(then, today):
    """Give the same `time` to the steps of both that are the same event. Returns {index of a step: that of today}."""
    if today.trace is None:
        return align(then.trace.steps, [])
    return align(then.trace.steps, today.trace.steps, _same_functions(then.trace, today.trace))


def _same_functions(then, today):
    """Return {number of a Function: its number today, or None}, matched from the roots and the leaves' names."""
    same = dict.fromkeys(then.nodes)
    roots = [[step.function for step in trace if step.event == "begin"] for trace in (then, today)]
    named = {node.label.rpartition(" ")[0]: number for number, node in today.nodes.items() if node.is_leaf}
    leaves = [(n, named.get(node.label.rpartition(" ")[0])) for n, node in then.nodes.items() if node.is_leaf]
    queue = [*leaves, *zip(*roots)]
    while queue:
        number, other = queue.pop()
        if other is None or same[number] is not None:
            continue
        node, others = then.nodes[number], today.nodes[other]
        if node.kind.removeprefix("Historical") == others.kind and len(node.inputs) == len(others.inputs):
            same[number] = other
            queue += [(one, two) for (one, _), (two, _) in zip(node.inputs, others.inputs)]
    return same


# --- where it goes wrong


def _where_it_goes_wrong(then, today, pairs, words):
    """Return (index, reason) of the first step of `then` after which a number is incorrect.

    That is the first write into a tensor that another holder still needs, or the first step whose facts differ from
    today's, or a preceding result of a Function that is not in today's graph. If today's run ends with an error, it is
    the first step that today's run does not reach. If all steps agree, it is the last one, because the walk never used
    the incorrect number.
    """
    other_function = None
    for index, (step, held) in enumerate(zip(then.trace, then.held, strict=True)):
        if held.written:
            return index, written_text(then.trace, step, held, words)
        if index in pairs:
            reason = _difference(then, step, today.trace[pairs[index]], words)
            if reason:
                return index if other_function is None else other_function, reason
            other_function = None
        elif step.event == "ran" and today.trace is not None:
            other_function = index
    if today.outcome.exception is not None:
        key = "error_before" if today.trace is None else "error_here"
        return max(pairs, default=-1) + 1, words[key].format(error=today.outcome)
    return len(then.trace) - 1, words["read"].format(version=then.version, then=then.outcome, today=today.outcome)


def _difference(then, step, other, words):
    """Return the difference between a step and the same step of today as text, or None."""
    for number, counts in (step.counts or {}).items():
        right = (other.counts or {}).get(number)
        if right is not None and sum(counts) != sum(right):
            label = then.trace.nodes[number].label
            key = "counted_one" if sum(counts) == 1 else "counted"
            return words[key].format(function=label, then=sum(counts), today=sum(right))
    for one, two in ((step.gradients, other.gradients), ([step.after], [other.after])):
        if _values(one) != _values(two):
            return words["differs"].format(version=then.version, then=_records(one), today=_records(two))
    return None


def _values(records):
    return None if records is None else [r["values"] if isinstance(r, dict) else r for r in records]


def _records(records):
    return "; ".join(record_text(r) if isinstance(r, dict) else str(r) for r in records or [None])
