"""The pictures of a trace, each complete in itself, and the moving one: one layout, painted anew for every step."""

import textwrap
from xml.sax.saxutils import escape

from .nested import Nest
from .painted import Painting, lay_out, survey
from .template import filled

# The state is said by colour, by the shape of the outline, and in words. One set of colours serves light and dark
# pages: every node has a fill of its own, and the lines are grey.
STYLE = filled(__package__, "states.css")
_SECONDS_A_FRAME = 1.2


def frames(trace, wanted=None):
    """{index: the SVG after that step, complete in itself} of the steps `wanted`, or of all."""
    painting = _whole(trace)
    return {
        index: painting.svg(state, STYLE)
        for index, state in enumerate(trace.states())
        if wanted is None or index in wanted
    }


def _whole(trace):
    """All of the graph in one picture, laid out."""
    _, widest = survey(trace)
    painting = Painting(trace, Nest(trace, folded=False), 0, widest)
    lay_out([painting])
    return painting


def animation(trace):
    """One SVG that shows all steps in turn, without a script: for a README, where a page cannot go.

    Where less motion is asked for, it stands still at the step that says most.
    """
    painting = _whole(trace)
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
