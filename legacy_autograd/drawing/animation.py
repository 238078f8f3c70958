"""The moving picture of a trace: one SVG without a script, for a README or a slide, where a page cannot go.

The graph is laid out once. A node or an edge is written once for each of its looks, and CSS makes each look visible
while it is the present one; so the file grows with what the steps change.
"""

import re
import textwrap
from xml.sax.saxutils import escape

from .frames import STYLE
from .labels import short_text
from .nested import Nest
from .painted import Painting, lay_out, survey
from .replay import State
from .template import filled

# The steps with which a moment begins, and whose sentence a moment tells: the first of these that it has.
_BEGIN = {"begin", "count", "pop", "free", "end", "call", "link", "note", "hook"}
_TELLING = (
    "raise", "unrecorded", "accumulate", "drop", "add", "hook", "note", "pop", "count", "begin", "link", "call", "end",
)  # fmt: skip
_SECONDS = 1.6  # of a moment
_LAST = 3  # times as long as the others the last moment stays
_NARROWEST = 380.0  # points: the sentences need this
_LINES = 3  # of a sentence
_WIDTHS = {"en": 6.2, "zh": 11}  # of a character of a sentence, in points
_ENLARGED = 1.25


def animation(trace):
    """Return the SVG text. Where less motion is asked for, or none is possible, it shows the state after the last step.

    A moment is what a glance takes in: a Function runs, or one of its gradients arrives and what that makes ready.
    Raises LayoutUnavailable where nothing on this machine can lay out a graph.
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
        # Before the first step there is a change too: how things stand then.
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
        "TITLE": escape(trace.title, {'"': "&quot;"}),
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
    """The steps of each moment; the first, before anything happens, has none."""
    moments = [[]]
    for step in trace:
        leaf_has_run = step.event == "accumulate" and moments[-1][0].event == "pop"
        if len(moments) == 1 or (step.event in _BEGIN and not leaf_has_run):
            moments.append([])
        moments[-1].append(step)
    return moments


def _telling(steps):
    """The sentence of the step that says most of a moment."""
    return min(steps, key=lambda step: _TELLING.index(step.event) if step.event in _TELLING else len(_TELLING)).text


def _results(trace, state):
    """What the leaves that have a name hold in the end: "x.grad = 4"."""
    for number, node in trace.nodes.items():
        held = state.nodes[number].get("held")
        if node.is_leaf and node.name and held is not None:
            yield f"{node.name}.grad = {short_text(held[1])}"


def _words(lines, top):
    spans = "".join(f'<tspan x="10" dy="14">{escape(line)}</tspan>' for line in lines)
    return f'<text class="words" y="{top:.0f}">{spans}</text>'


class _Looks:
    """How each element looks in each of `count` moments."""

    def __init__(self, count):
        self._count = count
        self._present = {}  # {element: its SVG}
        self._spans = {}  # {element: {its SVG: [[first moment, the one after the last], …]}}

    def show(self, element, moment, svg):
        """Note that `element` is `svg` from `moment` on."""
        present = self._present.get(element)
        if svg == present:
            return
        looks = self._spans.setdefault(element, {})
        if present is not None:
            looks[present][-1][1] = moment
        self._present[element] = svg
        looks.setdefault(svg, []).append([moment, self._count])

    def svg(self):
        """All looks of all elements, in the order in which the elements were first shown."""
        written = []
        for looks in self._spans.values():
            for svg, spans in looks.items():
                if not self._stays(spans):
                    last = " last" if spans[-1][1] == self._count else ""
                    svg = re.sub(r'class="', f'class="look {_name(spans)}{last} ', svg, count=1)
                written.append(svg)
        return "".join(written)

    def spans(self):
        """Yield when each look is to be seen, of those that do not stay from beginning to end."""
        for looks in self._spans.values():
            yield from (spans for spans in looks.values() if not self._stays(spans))

    def _stays(self, spans):
        return spans == [[0, self._count]]


def _name(spans):
    return "v" + "_".join(f"{first}-{after}" for first, after in spans)


def _keyframes(count, spans):
    """The CSS that makes looks visible for their `spans`, which are in moments, of which there are `count`."""
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
