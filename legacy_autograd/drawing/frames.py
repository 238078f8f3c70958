"""The pictures of a trace, each complete in itself: laid out once, or around the Function whose turn it is."""

from .nested import Nest
from .painted import Painting, lay_out, survey
from .template import filled

# The state is said by colour, by the shape of the outline, and in words. One set of colours serves light and dark
# pages: every node has a fill of its own, and the lines are grey.
STYLE = filled(__package__, "states.css")
_FEW = 30  # Functions of a graph whose pictures have all of it
_MOST_AROUND = 14  # Functions of a picture of a larger one


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
