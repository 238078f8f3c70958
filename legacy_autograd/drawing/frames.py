"""The pictures of a trace, each complete in itself, and the moving one: one layout, painted anew for every step."""

import textwrap
from xml.sax.saxutils import escape

from .nested import Nest
from .painted import Painting, lay_out, survey
from .template import filled

# The state is said by colour, by the shape of the outline, and in words. One set of colours serves light and dark
# pages: every node has a fill of its own, and the lines are grey.
STYLE = filled(__package__, "states.css")
_FEW = 30  # Functions of a graph whose pictures have all of it
_MOST_AROUND = 14  # Functions of a picture of a larger one
_SECONDS_A_FRAME = 1.2


class Frames:
    """The pictures of some steps of a trace, `states` being {index of the step: its state}.

    Those of a small graph have all of it. Of a larger one a picture has what is close to the Function whose turn it is,
    laid out for itself. `paintings` have to be laid out before `svg` is called.
    """

    def __init__(self, trace, states, widest, whole=None, prefix=""):
        self._trace = trace
        self._states = states
        whole = len(trace.nodes) < _FEW if whole is None else whole
        nests = {None: Nest(trace, folded=False)}
        self._nest_of = {}  # {index of a step: what its picture is of}
        for index in states:
            centre = None if whole else _centre(trace, index)
            self._nest_of[index] = centre
            if centre not in nests:
                nests[centre] = Nest(trace, folded=False, only=_around(trace, centre))
        wanted = set(self._nest_of.values())
        self._painting = {c: Painting(trace, nest, 0, widest, prefix) for c, nest in nests.items() if c in wanted}

    @property
    def paintings(self):
        """The `Painting`s, each once."""
        return list(self._painting.values())

    def svg(self, index, style=STYLE):
        """The picture after the step `index`."""
        return self._painting[self._nest_of[index]].svg(self._states[index], style)


def frames(trace, wanted=None, whole=True):
    """{index: the SVG after that step, complete in itself} of the steps `wanted`, or of all.

    `whole=False` leaves out of large graphs what is far from the Function whose turn it is.
    """
    wanted = range(len(trace)) if wanted is None else sorted(wanted)
    states, widest = survey(trace, wanted)
    pictures = Frames(trace, states, widest, whole or None)
    lay_out(pictures.paintings)
    return {index: pictures.svg(index) for index in wanted}


def _centre(trace, index):
    """The Function that the step `index` is about, or the last one before it."""
    about = (trace[place].turn or trace[place].function for place in range(index, -1, -1))
    return next((number for number in about if number is not None), next(iter(trace.nodes)))


def _around(trace, centre):
    """The numbers of the Functions up to two edges away from `centre`, the closest ones where they are many."""
    users = trace.users
    found, last = {centre}, [centre]
    for _ in range(2):
        close = [number for known in last for number, _ in trace.nodes[known].inputs]
        close += [user for known in last for user in users.get(known, ())]
        last = [number for number in dict.fromkeys(close) if number not in found][: _MOST_AROUND - len(found)]
        found.update(last)
    return found


def animation(trace):
    """One SVG that shows all steps in turn, without a script: for a README, where a page cannot go.

    Where less motion is asked for, it stands still at the step that says most.
    """
    _, widest = survey(trace)
    painting = Painting(trace, Nest(trace, folded=False), 0, widest)
    lay_out([painting])
    width, height = painting.width, painting.height
    wide = max(width, 420.0)
    tall = height + 58
    content = []
    for index, (step, state) in enumerate(zip(trace, trace.states(), strict=True)):
        inside = painting.svg(state)
        lines = textwrap.wrap(f"{index + 1}/{len(trace)}  {step.text}", int(wide / 5.4))[:4]
        words = "".join(f'<tspan x="4" dy="13">{escape(line)}</tspan>' for line in lines)
        key = " key" if index == trace.key_step() else ""
        content.append(
            f'<g class="frame{key}" style="animation-delay:{index * _SECONDS_A_FRAME:.1f}s">'
            f'<g transform="translate({(wide - width) / 2:.1f} 0)">{inside}</g>'
            f'<text class="words" y="{height:.0f}">{words}</text></g>'
        )
    values = {
        "TITLE": escape(trace.title),
        "VIEW BOX": f"0 0 {wide:g} {tall:g}",
        "WIDTH": f"{wide:g}",
        "HEIGHT": f"{tall:g}",
        "STATE STYLE": STYLE,
        "SECONDS": f"{len(trace) * _SECONDS_A_FRAME:.1f}",
        "SHARE": f"{100 / len(trace):.4f}",
        "FRAMES": "".join(content),
    }
    return filled(__package__, "animation.svg", values)
