"""The pictures of a trace, each a complete SVG: of the whole graph, or of the surroundings of the running Function."""

from .nested import Nest
from .painted import Painting, lay_out, survey
from .template import filled

# Colour, outline and text show the state. One set of colours works for light and dark pages: every node is filled,
# and the lines are grey.
STYLE = filled(__package__, "states.css")
_FEW = 30  # Functions of a graph that is small enough for every picture to show all of it
_MOST_AROUND = 14  # Functions in a picture of a larger graph


class Frames:
    """The pictures of some steps of a trace; `states` is {index of the step: its state}.

    A picture of a small graph shows all of it. A picture of a large graph shows the surroundings of the running
    Function, with a separate layout. `paintings` must be laid out before `svg` is called.
    """

    def __init__(self, trace, states, widest, whole=None, prefix=""):
        self._trace = trace
        self._states = states
        whole = len(trace.nodes) < _FEW if whole is None else whole
        nests = {None: Nest(trace, folded=False)}
        self._nest_of = {}  # {index of a step: the central Function of its picture, None for the whole}
        for index in states:
            centre = None if whole else _centre(trace, index)
            self._nest_of[index] = centre
            if centre not in nests:
                nests[centre] = Nest(trace, folded=False, only=_around(trace, centre))
        wanted = set(self._nest_of.values())
        self._painting = {c: Painting(trace, nest, 0, widest, prefix) for c, nest in nests.items() if c in wanted}

    @property
    def paintings(self):
        """The distinct `Painting`s."""
        return list(self._painting.values())

    def svg(self, index, style=STYLE):
        """Return the picture after the step `index`."""
        return self._painting[self._nest_of[index]].svg(self._states[index], style)


def frames(trace, wanted=None, whole=True):
    """Return {index: complete SVG after that step} of the steps `wanted`, by default of all.

    `whole=False` draws only the surroundings of the running Function if the graph is large.
    """
    wanted = range(len(trace)) if wanted is None else sorted(wanted)
    states, widest = survey(trace, wanted)
    pictures = Frames(trace, states, widest, whole or None)
    lay_out(pictures.paintings)
    return {index: pictures.svg(index) for index in wanted}


def _centre(trace, index):
    """Return the Function that the step `index` is about, or that of the last step that has one."""
    about = (trace[place].turn or trace[place].function for place in range(index, -1, -1))
    return next((number for number in about if number is not None), next(iter(trace.nodes)))


def _around(trace, centre):
    """Return the numbers of the Functions at most two edges away from `centre`; if there are many, the closest ones."""
    users = trace.users
    found, last = {centre}, [centre]
    for _ in range(2):
        close = [number for known in last for number, _ in trace.nodes[known].inputs]
        close += [user for known in last for user in users.get(known, ())]
        last = [number for number in dict.fromkeys(close) if number not in found][: _MOST_AROUND - len(found)]
        found.update(last)
    return found
