"""The pictures of a trace, each complete in itself: one layout, painted anew for every step."""

from .nested import Nest
from .painted import Painting, lay_out, survey
from .template import filled

# The state is said by colour, by the shape of the outline, and in words. One set of colours serves light and dark
# pages: every node has a fill of its own, and the lines are grey.
STYLE = filled(__package__, "states.css")


def frames(trace, wanted=None):
    """{index: the SVG after that step, complete in itself} of the steps `wanted`, or of all."""
    painting = laid_out(trace)
    return {
        index: painting.svg(state, STYLE)
        for index, state in enumerate(trace.states())
        if wanted is None or index in wanted
    }


def laid_out(trace):
    """All of the graph in one picture, laid out."""
    _, widest = survey(trace)
    painting = Painting(trace, Nest(trace, folded=False), 0, widest)
    lay_out([painting])
    return painting
