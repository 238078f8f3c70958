"""Write a trace as an animated SVG without a script, for a README or a slide, which cannot contain a page.

The graph is laid out once. The file contains a node or an edge once for each of its appearances; CSS makes the current
one visible. So the size of the file depends on the number of changes.
"""

import re
import textwrap
from html import escape

from .frames import STYLE
from .labels import short_text
from .nested import Nest
from .painted import Painting, lay_out, survey
from .replay import State
from .template import filled

# A moment starts with a step of `_BEGIN`. Its text is that of the first event in `_TELLING` that it contains.
_BEGIN = {"begin", "count", "pop", "free", "end", "call", "link", "note", "hook"}
_TELLING = (
    "raise", "unrecorded", "accumulate", "drop", "add", "hook", "note", "pop", "count", "begin", "link", "call", "end",
)  # fmt: skip
_SECONDS = 1.6  # of a moment
_LAST = 3  # the last moment is this many times as long as the others
_NARROWEST = 380.0  # points, for the texts
_LINES = 3  # of a text
_WIDTHS = {"en": 6.2, "zh": 11}  # of a character of a text, in points
_ENLARGED = 1.25


def animation(trace):
    """Return the animated SVG of a trace.

    A frame of the animation shows one event: a Function runs, or one of its gradients arrives and makes others ready.
    Where animation is disabled or unsupported, the SVG shows the state after the last step. Raises LayoutUnavailable if
    no program on this machine can lay out a graph.
    """
    _, widest = survey(trace)
    painting = Painting(trace, Nest(trace, folded=False), 0, widest)
    lay_out([painting])
    moments = _moments(trace)
    looks, words = _Looks(len(moments)), _Looks(len(moments))
    state, changes, most_lines = State(), trace.changes(), 1
    wide = max(painting.width + 20, _NARROWEST)
    left = (wide - painting.width) / 2
    for moment, steps in enumerate(moments):
        # The first change describes the state before the first step.
        made = [next(changes) for _ in range(max(1, len(steps)))]
        for change in made:
            state.apply(change)
        nodes = dict.fromkeys(number for change in made for number in change.nodes)
        edges = dict.fromkeys(edge for change in made for edge in change.edges)
        for name, svg in painting.elements(state, *(nodes, edges) if steps else ()):
            looks.show(name, moment, re.sub(r' id="[^"]*"|<title>[^<]*</title>', "", svg))
        text = _telling(steps) if steps else trace.title
        if moment == len(moments) - 1:
            text = " ".join([text, ", ".join(_results(trace, state))])
        lines = textwrap.wrap(text, int(wide / _WIDTHS[trace.lang]), max_lines=_LINES, placeholder=" …")
        words.show("words", moment, _words(lines, painting.height + 8))
        most_lines = max(most_lines, len(lines))
    tall = painting.height + 14 * most_lines + 30
    values = {
        "TITLE": escape(trace.title),
        "LANGUAGE": trace.lang,
        "VIEW BOX": f"0 0 {wide:g} {tall:g}",
        "WIDTH": f"{wide * _ENLARGED:.0f}",
        "HEIGHT": f"{tall * _ENLARGED:.0f}",
        "CARD WIDTH": f"{wide - 1:g}",
        "CARD HEIGHT": f"{tall - 1:g}",
        "STATE STYLE": STYLE,
        "SECONDS": f"{(len(moments) - 1 + _LAST) * _SECONDS:.1f}",
        "VISIBLE": _keyframes(len(moments), [*looks.spans(), *words.spans()]),
        "LEFT": f"{left:.1f}",
        "BAR": f"{wide - 20:g}",
        "BOTTOM": f"{tall - 9:g}",
        "PICTURE": looks.svg(),
        "WORDS": words.svg(),
    }
    return filled(__package__, "animation.svg", values)


def _moments(trace):
    """Return the steps of each moment; the first moment shows the start and has no steps."""
    moments = [[]]
    for step in trace:
        leaf_has_run = step.event == "accumulate" and moments[-1][0].event == "pop"
        if len(moments) == 1 or (step.event in _BEGIN and not leaf_has_run):
            moments.append([])
        moments[-1].append(step)
    return moments


def _telling(steps):
    """Return the text of the most informative step of a moment."""
    return min(steps, key=lambda step: _TELLING.index(step.event) if step.event in _TELLING else len(_TELLING)).text


def _results(trace, state):
    """Yield the final gradient of each named leaf, for example "x.grad = 4"."""
    for number, node in trace.nodes.items():
        held = state.nodes[number].get("held")
        if node.is_leaf and node.name and held is not None:
            yield f"{node.name}.grad = {short_text(held[1])}"


def _words(lines, top):
    spans = "".join(f'<tspan x="10" dy="14">{escape(line, quote=False)}</tspan>' for line in lines)
    return f'<text class="words" y="{top:.0f}">{spans}</text>'


class _Looks:
    """The appearance of each element in each of `count` moments."""

    def __init__(self, count):
        self._count = count
        self._present = {}  # {element: its SVG}
        self._spans = {}  # {element: {its SVG: [[first moment, the one after the last], …]}}

    def show(self, element, moment, svg):
        """Record that `element` looks like `svg` from `moment` on."""
        present = self._present.get(element)
        if svg == present:
            return
        looks = self._spans.setdefault(element, {})
        if present is not None:
            looks[present][-1][1] = moment
        self._present[element] = svg
        looks.setdefault(svg, []).append([moment, self._count])

    def svg(self):
        """Return all appearances of all elements, in the order of their first appearance."""
        written = []
        for looks in self._spans.values():
            for svg, spans in looks.items():
                if not self._stays(spans):
                    last = " last" if spans[-1][1] == self._count else ""
                    svg = re.sub(r'class="', f'class="look {_name(spans)}{last} ', svg, count=1)
                written.append(svg)
        return "".join(written)

    def spans(self):
        """Yield the spans of each appearance that is not visible all the time."""
        for looks in self._spans.values():
            yield from (spans for spans in looks.values() if not self._stays(spans))

    def _stays(self, spans):
        return spans == [[0, self._count]]


def _name(spans):
    return "v" + "_".join(f"{first}-{after}" for first, after in spans)


def _keyframes(count, spans):
    """Return the CSS that makes appearances visible during their `spans`, given in moments; `count` is their number."""
    rules = []
    for name, parts in sorted({_name(parts): parts for parts in spans}.items()):
        stops = [] if parts[0][0] == 0 else ["0%{visibility:hidden}"]
        for first, after in parts:
            stops.append(f"{_share(first, count)}{{visibility:visible}}")
            if after < count:
                stops.append(f"{_share(after, count)}{{visibility:hidden}}")
        rules.append(f".{name}{{animation-name:{name}}}@keyframes {name}{{{''.join(stops)}}}")
    return "\n".join(rules)


def _share(moment, count):
    return f"{100 * moment / (count - 1 + _LAST):.4g}%"
