"""The page that steps through a trace: one self-contained file, or the same page inside a notebook.

The markup, its styles and its scripts are in `templates/`. This module converts a trace into their data: the laid-out
graph, each tensor once, and the changes of every step.
"""

import base64
import hashlib
import html
import json
import zlib
from pathlib import Path

from .animation import animation
from .frames import STYLE, Frames, frames
from .graphviz_drawing import MOST_SHOWN
from .labels import image
from .layout import LayoutUnavailable
from .nested import Nest
from .page_shell import page_html
from .painted import Painting, Widest, lay_out
from .replay import State
from .template import filled
from .trace import Trace

_MOST_STEPS = 100_000
_MOST_FRAMES = 12  # pictures in a notebook, for viewers without scripts
_MOST_BETWEEN = 8  # texts between two of these pictures
_LONGEST_TABLE = 200

_KEY_EVENTS = {"begin", "count", "pop", "link", "end"}  # the events whose pictures a viewer without scripts gets


def save_page(path: str | Path, traces: dict[str, Trace], lang: str | None = None) -> None:
    """Write one page for several traces, for example the processes of a distributed run.

    The page shows the graphs side by side. Their steps are ordered by `time`, or alternate if they have no time.

    Args:
        path: The HTML file.
        traces: The traces by name.
        lang: The language of the texts, "en" or "zh". Default: that of the traces.

    Raises:
        LayoutUnavailable: If no program on this machine can lay out a graph.
        ValueError: If there are more steps than a page can hold, or `lang` is unknown.
    """
    told = [trace if lang is None else trace.in_language(lang) for trace in traces.values()]
    Path(path).write_text(page(told, list(traces)), encoding="utf-8")


def page(traces, names=None, embedded=False):
    """Return the HTML of the page. Raises ValueError if there are more steps than a page can hold."""
    title = "; ".join(dict.fromkeys(trace.title for trace in traces))
    names = [None] * len(traces) if names is None else names
    return _page([_Program(title, None, list(zip(names, traces)))], title, traces[0].lang, embedded)


def programs_page(programs, title, lang, embedded=False):
    """Return the HTML of one page for several programs, from which the reader chooses.

    A program is a dictionary: its `title`, its `text` in HTML, and its `traces`, {name: Trace}. Steps of several traces
    with the same `time` are shown together. The page begins `at` a step, by default the first. Raises ValueError if
    there are more steps than a page can hold.
    """
    programs = [_Program(p["title"], p["text"], list(p["traces"].items()), p.get("at")) for p in programs]
    return _page(programs, title, lang, embedded)


def _page(programs, title, lang, embedded):
    total = sum(len(program.steps) for program in programs)
    if total > _MOST_STEPS:
        raise ValueError(
            f"a page can hold {_MOST_STEPS} steps, got {total}; save the trace as .json, or trace a smaller graph"
        )
    tracks = [track for program in programs for track in program.tracks]
    lay_out([painting for track in tracks for painting in track.paintings + track.plain.paintings * (not embedded)])
    sources = []
    for source in (track.trace.source for track in tracks):
        if source is not None and source not in sources:
            sources.append(source)
    data = {"source": sources, "programs": [program.data(sources) for program in programs]}
    plain = ""
    if not embedded:
        plain = f"<style>{STYLE}</style>{''.join(map(_without_script, programs))}"
        for step in (step for program in programs for step in program.steps):
            del step["text"]  # the scripts read it from `plain`
    return page_html(data, title, lang=lang, without_script=plain, embedded=embedded)


class _Program:
    """One program of a page: `traces` are pairs (name or None, Trace), whose graphs are shown side by side."""

    def __init__(self, title, text, traces, at=None):
        self.title, self.text, self._at = title, text, at
        self._records = Records()
        self.tracks = [Track(trace, number, name, self._records) for number, (name, trace) in enumerate(traces)]
        self.steps = _merged(self.tracks)

    def data(self, sources):
        """Return the program as plain data, once its paintings are laid out; tracks refer to `sources` by index."""
        tracks = [track.data() for track in self.tracks]
        for track, data in zip(self.tracks, tracks, strict=True):
            if track.trace.source is not None:
                data["source"] = sources.index(track.trace.source)
        return {
            "title": self.title,
            "text": self.text,
            "records": self._records.all,
            "tracks": tracks,
            "steps": self.steps,
            **({} if self._at is None else {"at": self._at}),
        }


def _without_script(program):
    """Return what a browser without scripts shows of a program: its text, the first and last picture, and all steps."""
    rows = "".join(f"<li>{html.escape(step['text'])}" for step in program.steps)
    pictures = "".join(track.plain.svg(index, "") for track in program.tracks for index in (0, len(track.steps) - 1))
    return f'<h2>{html.escape(program.title)}</h2>{program.text or ""}{pictures}<ol class="said">{rows}</ol>'


class Records:
    """The distinct tensors of a program as records (labels.py); the rest of the page refers to them by index."""

    def __init__(self):
        self.all = []
        self._place = {}  # {a record as JSON: its index}
        self._place_of, self._kept = {}, []  # {id of a record that was looked up: its index}

    def place(self, record):
        """Return the index of `record` in `all`; None for None."""
        if record is None:
            return None
        known = self._place_of.get(id(record))
        if known is None:
            self._kept.append(record)  # keep the record alive, so that its id stays unique
            known = self._place_of[id(record)] = self._find(_rounded(record))
        return known

    def _find(self, record):
        key = json.dumps(record)
        if key not in self._place:
            self._place[key] = len(self.all)
            self.all.append(record)
        return self._place[key]

    def places(self, records):
        """Return the indices of a list of records; None for None."""
        return None if records is None else [self.place(record) for record in records]


def _rounded(record):
    """Return a record rounded as pages need it: to eight digits, or five if the tensor has many elements."""
    digits = 5 if "norm" in record else 8
    short = {name: _round(record[name], digits) for name in ("mean", "norm") if name in record}
    return {**record, **short, "values": [_round(x, digits) for x in record["values"]]}


def _round(number, digits):
    if not isinstance(number, float):
        return number
    rounded = float(f"{number:.{digits}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e6 and str(rounded) != "-0.0" else rounded


class Track:
    """One trace on the page: its graph and what its steps change, in the form of the page's data."""

    def __init__(self, trace, number, name, records):
        self.trace = trace
        self.number = number
        self.name = None if name is None else str(name)
        self._records = records
        changes = trace.changes()
        self._start, state, widest = next(changes), State(), Widest(trace)
        state.apply(self._start)
        widest.note(self._start, state)
        self.first = state.copy()
        start = self._change(self._start)
        self.steps = []
        ends = {}  # the states after the first and the last step
        for step, change in zip(trace, changes, strict=True):
            state.apply(change)
            widest.note(change, state)
            if not ends:
                ends[0] = state.copy()
            self.steps.append((step.time, self._step(step, change)))
        ends[len(self.steps) - 1] = state
        self.plain = Frames(trace, ends, widest, prefix=f"t{number}-plain-")
        self._nest = Nest(trace)
        places = range(len(self._nest.pictures))
        self.paintings = [Painting(trace, self._nest, place, widest, f"t{number}-") for place in places]
        self._data = {
            "kind": trace.kind,
            "title": self.name,
            "nodes": {str(node.number): self._node(node) for node in trace.nodes.values()},
            "edges": {
                f"{edge[0]}_{edge[1]}": [self.paintings[place].id_of(edge) for place in places]
                for edge, places in self._nest.drawn_in.items()
            },
            "start": start,
            "derivatives": trace.derivatives,
            "operations": trace.operations,
            **({"own": True} if trace.is_own else {}),
        }

    def data(self):
        """Return the track as plain data, after its paintings are laid out."""
        pictures = [
            {"svg": painting.svg(self.first), "title": picture.title, "parent": picture.parent}
            for painting, picture in zip(self.paintings, self._nest.pictures, strict=True)
        ]
        return {**self._data, "pictures": pictures}

    def _node(self, node):
        return {
            "label": node.label,
            "kind": node.kind,
            "leaf": node.is_leaf,
            "sizes": node.sizes,
            "requires_grad": node.requires_grad,
            "inputs": node.inputs,
            "values": self._records.places(node.values),
            "held": self._records.place(node.held),
            "name": node.name,
            "picture": self._nest.place[node.number],
        }

    def _step(self, step, change):
        who = "" if self.name is None else f"{self.name}: "
        data = {"track": self.number, "event": step.event, "text": who + step.text}
        data |= {"line": step.line, "turn": step.turn} | self._change(change)
        data = {name: value for name, value in data.items() if value is not None and (name, value) != ("track", 0)}
        if facts := self._facts(step):
            data["facts"] = facts
        return data | {name: value for name, value in (step.extra or {}).items() if name in ("marks", "wrong")}

    def _facts(self, step):
        """Return the data of the page's questions: the numbers of the Functions and tensors of a step.

        `of` is a Function. `by` is an edge: the Function that passes on a gradient, and the input that receives it.
        """
        place = self._records.place
        if step.event in ("begin", "push"):
            return {"of": step.function}
        if step.event == "count":
            return {"counts": step.counts}
        if step.event in ("pop", "ran"):
            return {"of": step.function, "gradients": self._records.places(step.gradients)}
        if step.event == "free":
            return {"by": [step.by, step.input], "after": step.after}
        if step.event in ("add", "accumulate"):
            who = {"by": [step.by, step.input]} if step.event == "add" else {"of": step.function}
            return who | {name: place(getattr(step, name)) for name in ("gradient", "before", "after")}
        return None

    def _change(self, change):
        data = {}
        if change.nodes:
            data["nodes"] = {str(number): self._values(values) for number, values in change.nodes.items()}
        if change.edges:
            data["edges"] = {
                f"{number}_{input}": None if values is None else self._values(values)
                for (number, input), values in change.edges.items()
            }
        if change.panels:
            data["panels"] = {panel: list(rows.items()) for panel, rows in change.panels.items()}
        return data

    def _values(self, values):
        """Return a change's values of a node or an edge, with tensors replaced by their indices."""
        data = dict(values)
        for name in ("values", "grads", "held"):
            if data.get(name) is not None:
                data[name] = self._records.places(data[name])
        if "part" in data:
            data["part"] = self._part(data["part"])
        if data.get("parts") is not None:
            data["parts"] = [self._part(part) for part in data["parts"]]
        if "grad" in data:
            data["grad"] = self._records.place(data["grad"])
        return data

    def _part(self, part):
        (number, input), output, gradient = part
        return [f"{number}_{input}", output, self._records.place(gradient)]


def _merged(tracks):
    """Return the steps of all tracks, ordered by time, or alternating if they have no time.

    If a step has the same time as the previous one, which belongs to another track, it is `joined` to that step.
    """
    steps = [(place, time, step) for track in tracks for place, (time, step) in enumerate(track.steps)]
    timed = all(time is not None for _, time, _ in steps)
    steps.sort(key=lambda one: (one[1] if timed else one[0], one[2].get("track", 0)))
    for (_, before, _), (_, time, step) in zip(steps, steps[1:]):
        if timed and time == before:
            step["joined"] = True
    return [step for _, _, step in steps]


# --- in a notebook


def notebook_bundle(trace, include=None, exclude=None, **_):
    """Return what a notebook can choose from: the page, the picture of one step, and the table."""
    table = trace.table() if len(trace) <= _LONGEST_TABLE else repr(trace)
    if len(trace.nodes) > MOST_SHOWN:
        return {"text/plain": f"{table}\n\nIts graph is too large to show; save it as .json or .html."}
    starts = _key_steps(trace)
    try:
        pictures = frames(trace, {*starts, trace.key_step()}, whole=False)
        body = in_notebook(page([trace], embedded=True), _folded(trace, starts, pictures))
    except (LayoutUnavailable, ValueError) as error:
        return {"text/plain": f"{table}\n\n{error}"}
    return {"text/html": body, "image/svg+xml": pictures[trace.key_step()], "text/plain": table}


def _key_steps(trace):
    """Return the steps whose pictures a viewer without scripts gets: the first, the last, and some in between."""
    starts = [index for index, step in enumerate(trace) if step.event in _KEY_EVENTS]
    apart = max(1, (len(starts) - 1) / (_MOST_FRAMES - 1))
    return [starts[round(place * apart)] for place in range(min(len(starts), _MOST_FRAMES))]


def in_notebook(whole, folded):
    """Return the HTML that inserts a page by a script; without scripts (untrusted, GitHub) `folded` remains.

    The page has its own frame, so its keys and styles do not affect the notebook.
    """
    text = whole.encode("utf-8")
    packed = base64.b64encode(zlib.compress(text, 9)).decode("ascii")
    values = {"KEY": hashlib.sha256(text).hexdigest()[:16], "PAGE": packed, "FOLDED": folded}
    return filled(__package__, "notebook.html", values).rstrip()


def _folded(trace, starts, pictures):
    """Return a fold for each of the steps `starts`, with its picture and the texts up to the next."""
    folds = []
    for start, end in zip(starts, [*starts[1:], len(trace)], strict=True):
        between = range(start + 1, min(end, start + 1 + _MOST_BETWEEN))
        then = "".join(f"<li>{html.escape(trace[i].text)}</li>" for i in between)
        if end > start + 1 + _MOST_BETWEEN:
            then += "<li>…</li>"
        open_ = " open" if start <= trace.key_step() < end else ""
        folds.append(
            f"<details{open_}><summary>{start + 1}/{len(trace)}: {html.escape(trace[start].text)}</summary>"
            f"{image(pictures[start], f'{start + 1}/{len(trace)}')}"
            f"{f'<ul>{then}</ul>' if then else ''}</details>"
        )
    return f"<p><strong>{html.escape(trace.title)}</strong></p>{''.join(folds)}"


def save(trace: Trace, path: str | Path, lang: str | None = None) -> None:
    """Write the trace to a file: a page to step through (.html), an animation (.svg), .json, or the table (.txt).

    The page of a backward can also hide the next step and ask for it ("Predict"). If the graph is small, its reader can
    run the Functions in any order and see which gradients become incorrect ("Free choice"), and change the leaves'
    numbers ("Sliders"). `#step=12&mode=predict` after its address opens it at a step and in a mode.

    Args:
        trace: The trace.
        path: The file. Its suffix gives the format.
        lang: The language, "en" or "zh". Default: that of the trace.

    Raises:
        LayoutUnavailable: If the format is .html or .svg, and no program on this machine can lay out a graph.
        ValueError: If the suffix or `lang` is unknown.
    """
    if lang is not None:
        return save(trace.in_language(lang), path)
    path = Path(path)
    writers = {
        ".html": lambda: page([trace]),
        ".svg": lambda: animation(trace),
        ".json": lambda: trace.to_json(indent=1),
        ".txt": lambda: f"{trace.table()}\n",
    }
    if path.suffix.lower() not in writers:
        raise ValueError(f"Trace.save: the suffix must be one of {', '.join(writers)}, got {path.name!r}")
    path.write_text(writers[path.suffix.lower()](), encoding="utf-8")


Trace.save = save
Trace._repr_mimebundle_ = notebook_bundle  # type: ignore[attr-defined]
