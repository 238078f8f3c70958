"""The page that steps through a trace: one file with nothing outside of it, and the same inside a notebook.

The markup, its looks and its script are in `templates/`. Here a trace becomes what they need: the laid-out graph, and
for every step what it changes.
"""

import hashlib
import html
import json
from pathlib import Path

from .dot import MOST_SHOWN
from .frames import STYLE, Canvas, frames
from .labels import image
from .layout import LayoutUnavailable
from .template import filled, fragment

_MOST_STEPS = 5000
_MOST_FRAMES = 60  # in a notebook, for viewers that run no script
_LONGEST_TABLE = 200

_KEY_EVENTS = {"begin", "count", "pop", "link", "end"}  # the frames that a viewer without script gets


def save_page(path, traces):
    """Write one page for several traces, {name: Trace}, the processes of a distributed run for instance.

    Their graphs stand side by side and are stepped through together: in the order of the steps' `time`, or in turn
    where they have none. Raises LayoutUnavailable where nothing on this machine can lay out a graph.
    """
    Path(path).write_text(page(list(traces.values()), list(traces)), encoding="utf-8")


def page(traces, names=None, embedded=False):
    """The HTML of the page. Raises ValueError for more steps than a page can hold."""
    total = sum(map(len, traces))
    if total > _MOST_STEPS:
        raise ValueError(
            f"a page holds up to {_MOST_STEPS} steps, this is {total}; save it as .json, or trace a smaller graph"
        )
    title = "; ".join(dict.fromkeys(trace.title for trace in traces))
    steps = _merged([_page_steps(trace, number, names) for number, trace in enumerate(traces)])
    kinds = list(dict.fromkeys(trace.kind for trace in traces))
    values = {
        "TITLE": html.escape(title),
        "CLASS": "embedded" if embedded else "file",
        "HOW MANY": "one" if len(traces) == 1 else "many",
        "STATE STYLE": STYLE,
        "TRACKS": "".join(_track(trace, number, names) for number, trace in enumerate(traces)),
        "LEGEND": "".join(fragment(__package__, f"{kind}_legend.html") for kind in kinds),
        "ROWS": "".join(_row(index, step) for index, step in enumerate(steps)),
        "DATA": _script_json({"before": [_page_start(trace) for trace in traces], "steps": steps}),
    }
    return filled(__package__, "page.html", values)


def _page_start(trace):
    """How a track stands until its first step: the steps of another may come before."""
    state = trace.state_before()
    return {"status": state.status, "edges": _all_edges(trace, state)}


def _all_edges(trace, state):
    numbers = [(node.number, input) for node in trace.nodes.values() for input in range(len(node.inputs))]
    return {f"{number}_{input}": state.edges.get((number, input), "") for number, input in sorted(numbers)}


def _page_steps(trace, number, names):
    """For each step what it changes, as the page's script wants it."""
    steps = []
    start = trace.state_before()
    before_status, before_edges, before_panels = start.status, _all_edges(trace, start), {}
    who = "" if names is None else f"{names[number]}: "
    for step, state in zip(trace, trace.states(), strict=True):
        edges = _all_edges(trace, state)
        steps.append(
            {
                "track": number,
                "text": who + step.text,
                "name": step.event,
                "event": state.event,
                "time": step.time,
                "status": dict(_changes(before_status, state.status)),
                "edges": dict(_changes(before_edges, edges)),
                "panels": {
                    panel: changes
                    for panel, table in state.panels.items()
                    if (changes := _changes(before_panels.get(panel, {}), table))
                },
            }
        )
        before_status, before_edges, before_panels = state.status, edges, state.panels
    return steps


def _changes(before, after):
    """[(key, new value)] of what differs; None for what is gone."""
    changed = [(key, value) for key, value in after.items() if before.get(key) != value]
    return changed + [(key, None) for key in before if key not in after]


def _merged(tracks):
    steps = [(place, step) for steps in tracks for place, step in enumerate(steps)]
    timed = all(step["time"] is not None for _, step in steps)
    steps.sort(key=lambda pair: (pair[1]["time"] if timed else pair[0], pair[1]["track"]))
    return [{key: value for key, value in step.items() if key != "time"} for _, step in steps]


def _track(trace, number, names):
    heading = "" if names is None else f"<h2>{html.escape(str(names[number]))}</h2>"
    canvas = Canvas(trace, prefix=f"t{number}-")
    *_, end = trace.states()
    canvas.paint(end)  # for a viewer that runs no script
    svg = canvas.text()
    shown = ["notes", trace.kind] if "notes" in end.panels else [trace.kind]
    panels = "".join(fragment(__package__, f"{name}_panels.html") for name in shown)
    return (
        f'<section class="track" data-kind="{trace.kind}">{heading}<div class="graph">{svg}</div>'
        f'<div class="panels">{panels}</div></section>'
    )


def _row(index, step):
    return (
        f'<tr><td><button value="{index}" aria-label="Go to step {index + 1}">{index + 1}</button></td>'
        f"<td>{step['name']}</td><td>{html.escape(step['text'])}</td></tr>"
    )


def _script_json(data):
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


# --- in a notebook


def notebook_bundle(trace):
    """What a notebook is given to choose from: the page, the picture of one step, the table."""
    table = trace.table() if len(trace) <= _LONGEST_TABLE else repr(trace)
    if len(trace.nodes) > MOST_SHOWN:
        return {"text/plain": f"{table}\n\nIts graph is too large to be shown at once; save it as .json or .html."}
    starts = [index for index, step in enumerate(trace) if step.event in _KEY_EVENTS]
    try:
        pictures = frames(trace, {*starts[:_MOST_FRAMES], trace.key_step()})
        body = _notebook_html(trace, starts, pictures)
    except (LayoutUnavailable, ValueError) as error:
        return {"text/plain": f"{table}\n\n{error}"}
    return {"text/html": body, "image/svg+xml": pictures[trace.key_step()], "text/plain": table}


def _notebook_html(trace, starts, pictures):
    """The page, put in by a script; where none runs (an untrusted notebook, GitHub), folded pictures stay.

    The page gets a frame of its own, so that its keys and its looks stay separate from the notebook's.
    """
    whole = page([trace], embedded=True)
    key = hashlib.sha256(whole.encode("utf-8")).hexdigest()[:16]
    values = {"KEY": key, "PAGE": _script_json(whole), "FOLDED": _folded(trace, starts, pictures)}
    return filled(__package__, "notebook.html", values).rstrip()


def _folded(trace, starts, pictures):
    """A fold for each of the steps `starts`, with its picture and what happened until the next."""
    folds = []
    for start, end in list(zip(starts, [*starts[1:], len(trace)], strict=True))[:_MOST_FRAMES]:
        then = "".join(f"<li>{html.escape(trace[i].text)}</li>" for i in range(start + 1, end))
        open_ = " open" if start <= trace.key_step() < end else ""
        folds.append(
            f"<details{open_}><summary>step {start + 1} of {len(trace)}: {html.escape(trace[start].text)}</summary>"
            f"{image(pictures[start], f'The graph after step {start + 1}')}"
            f"{f'<ul>{then}</ul>' if then else ''}</details>"
        )
    if len(starts) > _MOST_FRAMES:
        folds.append(f"<p>… and {len(starts) - _MOST_FRAMES} more; trace.save('x.html') writes all.</p>")
    return f"<p><strong>{html.escape(trace.title)}</strong></p>{''.join(folds)}"
