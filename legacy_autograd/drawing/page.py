"""The page that steps through a trace: one file with nothing outside of it, and the same inside a notebook.

The markup, its looks and its script are `page.html`. Here a trace becomes what that needs: the laid-out graph, and for
every step what it changes.
"""

import hashlib
import html
import json
from pathlib import Path

from .dot import MOST_SHOWN
from .frames import STYLE, Canvas, frames
from .labels import image
from .layout import LayoutUnavailable
from .template import filled

_MOST_STEPS = 5000
_MOST_FRAMES = 60  # in a notebook, for viewers that run no script
_LONGEST_TABLE = 200

# [(events, line)]: what the code says, in words, in its order.
ALGORITHM = {
    "backward": [
        ("begin", "Put the root onto the stack <code>ready</code>, with the gradient it was given."),
        ("count", "<code>_compute_dependencies</code>: count how often each output is used on the way to the root."),
        ("pop", "While <code>ready</code> holds something, take the last one off,"),
        ("ran hook", "run its backward: the gradients of its outputs become those of its inputs."),
        ("accumulate drop", "A Leaf has no inputs: it adds the gradient to <code>variable.grad</code>."),
        ("free", "For each input, <code>_free_backward_dependency</code>: count one use down."),
        ("ask", "<code>_is_ready_for_backward</code>: is no use left to come?"),
        ("add", "Add the gradient to what has arrived; until all have, they wait in <code>not_ready</code>."),
        ("push", "What has everything goes onto <code>ready</code>."),
        ("end", "<code>ready</code> is empty: every leaf has its gradient."),
    ],
    "forward": [
        ("call", "<code>Function.__call__</code> hands the Variables to <code>_do_forward</code>,"),
        ("forward", "which takes the Tensors out of them and runs <code>forward</code>."),
        ("wrap", "Each result is wrapped in a Variable, whose <code>creator</code> is this Function."),
        (
            "link",
            "<code>previous_functions</code> notes who made each input, <code>output_ids</code> which output is which.",
        ),
        ("end", "That is the graph: the way back is written down."),
    ],
}

# (name, title, columns, what is said of an empty one, newest on top?)
NOTES = ("notes", "what the program noted", ["of", "how it stands"], "nothing yet", False)
PANELS = {
    "backward": [
        ("ready", "<code>ready</code>, the stack: the top one runs next", ["Function"], "empty", True),
        ("not_ready", "<code>not_ready</code>: what has arrived and waits", ["for", "gradient"], "empty", False),
        ("dependencies", "dependencies", ["of", "gradients come from", "still to come"], "not counted yet", False),
    ],
    "forward": [("call", "what this call wrote down", ["attribute", "value"], "nothing yet", False)],
}

LEGEND = {
    "backward": [
        ("idle", "is not counted yet"),
        ("waiting", "waits for gradients"),
        ("ready", "is ready"),
        ("running", "runs"),
        ("done", "has run"),
        ("unused", "requires no gradient"),
    ],
    "forward": [("running", "is called"), ("built", "is part of the graph"), ("hidden", "is not made yet")],
}
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
        "LEGEND": "".join(_legend(name, words) for kind in kinds for name, words in LEGEND[kind]),
        "ROWS": "".join(_row(index, step) for index, step in enumerate(steps)),
        "DATA": _script_json({"before": [_page_start(trace) for trace in traces], "steps": steps}),
    }
    return filled(__package__, values)


def _page_start(trace):
    """How a track stands until its first step: the steps of another may come before."""
    state = trace.state_before()
    return {"status": state.status, "edges": _named(_all_edges(trace, state))}


def _all_edges(trace, state):
    numbers = [(node.number, input) for node in trace.nodes.values() for input in range(len(node.inputs))]
    return {edge: state.edges.get(edge, "") for edge in sorted(numbers)}


def _named(edges):
    return {f"{number}_{input}": name for (number, input), name in edges.items()}


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
                "edges": _named(dict(_changes(before_edges, edges))),
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
    lines = "".join(f'<li data-events="{events}">{line}</li>' for events, line in ALGORITHM[trace.kind])
    panels = "".join(_panel(*panel) for panel in PANELS[trace.kind])
    notes = _panel(*NOTES) if "notes" in end.panels else ""
    algorithm = f'<section class="panel"><h2>The algorithm</h2><ol class="algorithm">{lines}</ol></section>'
    return (
        f'<section class="track" data-kind="{trace.kind}">{heading}<div class="graph">{svg}</div>'
        f'<div class="panels">{notes}{algorithm}{panels}</div></section>'
    )


def _panel(name, title, columns, empty, newest_first):
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    reversed_ = ' data-reversed="yes"' if newest_first else ""
    return (
        f'<section class="panel" data-panel="{name}"{reversed_}><h2>{title}</h2>'
        f"<table hidden><thead><tr>{head}</tr></thead><tbody></tbody></table><p>{empty}</p></section>"
    )


def _legend(name, words):
    sample = f'<svg viewBox="0 0 38 22" aria-hidden="true"><g class="node {name}">'
    sample += '<rect class="shape" x="2" y="2" width="34" height="18" rx="5"/></g></svg>'
    return f"<li>{sample} {words}</li>"


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
    """The page, put in by a script; where none runs (an untrusted notebook, GitHub), folded pictures stay."""
    whole = page([trace], embedded=True)
    key = hashlib.sha256(whole.encode("utf-8")).hexdigest()[:16]
    script = _NOTEBOOK_SCRIPT.replace("KEY", json.dumps(key)).replace("PAGE", _script_json(whole))
    return f'<div data-trace="{key}">{_folded(trace, starts, pictures)}</div><script>{script}</script>'


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


# The page gets a frame of its own, so that its keys and its looks stay apart from the notebook's.
_NOTEBOOK_SCRIPT = """
(() => {
  const page = PAGE;
  const theme = () => {
    const body = document.body.dataset;
    if (body.jpThemeLight) return body.jpThemeLight === "false" ? "dark" : "light";
    return body.theme || document.documentElement.dataset.theme || "";
  };
  for (const place of document.querySelectorAll('[data-trace=' + JSON.stringify(KEY) + ']')) {
    const frame = document.createElement("iframe");
    frame.title = "Step through the trace";
    frame.style.cssText = "width:100%;height:40rem;border:0";
    frame.onload = () => {
      const inside = frame.contentDocument;
      if (theme()) inside.documentElement.dataset.theme = theme();
      const fit = () => { frame.style.height = inside.body.scrollHeight + 4 + "px"; };
      new ResizeObserver(fit).observe(inside.body);
      fit();
    };
    frame.srcdoc = page;
    place.replaceChildren(frame);
  }
})();
"""
