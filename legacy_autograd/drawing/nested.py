"""The pictures of a trace: the whole, and one for each recorded module call, which is a box in its parent's picture.

Each picture has its own layout, so the cost grows with the graph, and a folded network fits on a screen. An edge that
crosses the border of a box is drawn in several pictures: between the boxes in the picture that contains both, and
between the Function and a stub at the border in the others.
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Link:
    """An edge in one picture from `tail` to `head`: f5 is a Function, m2 a box, s7_0 the stub of an edge."""

    edge: tuple  # (number of the consumer, index of its input)
    tail: str
    head: str


@dataclass
class Picture:
    """The contents of one picture. `parent` is the index of the picture that shows it as a box, None for the whole."""

    title: str
    parent: int | None
    functions: list = field(default_factory=list)  # their numbers
    boxes: list = field(default_factory=list)  # the indices of the pictures that are boxes in this one
    links: list = field(default_factory=list)


class Nest:
    """The `pictures` of a trace, the whole first; `place` maps each Function to the index of its picture.

    `folded=False` puts everything into one picture. `only` are the numbers of the Functions to draw, by default all.
    """

    def __init__(self, trace, folded=True, only=None):
        self._trace = trace
        self.pictures = [Picture(trace.title, None)]
        calls = _calls_that_become_boxes(trace) if folded else []
        at = {call: place for place, call in enumerate(calls, start=1)}
        for call in calls:
            module = trace.modules[call]
            parent = _within(trace, module["parent"], at)
            outer = "" if parent == 0 else f"{trace.modules[calls[parent - 1]]['title'].partition(' ')[0]}."
            self.pictures.append(Picture(module["title"].removeprefix(outer), parent))
        for place, picture in enumerate(self.pictures[1:], start=1):
            self.pictures[picture.parent].boxes.append(place)
        for picture in self.pictures:
            self._number_calls_of_one_module([self.pictures[place] for place in picture.boxes])
        self.place = {}
        for node in trace.nodes.values():
            if only is None or node.number in only:
                self.place[node.number] = _within(trace, node.module, at)
                self.pictures[self.place[node.number]].functions.append(node.number)
        self.drawn_in = {}  # {edge: the indices of the pictures that draw it, from its tail to its head}
        for number in self.place:
            for input, (prev, _) in enumerate(trace.nodes[number].inputs):
                if prev in self.place:
                    self._link((number, input), prev)

    def _number_calls_of_one_module(self, boxes):
        calls, seen = Counter(box.title for box in boxes), Counter()
        for box in boxes:
            if calls[title := box.title] > 1:
                seen[title] += 1
                box.title = f"{title} ({seen[title]})"

    def _link(self, edge, prev):
        tail, head = (edge[0], prev) if self._trace.kind == "backward" else (prev, edge[0])
        up, down = self._path(tail), self._path(head)
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop()
            down.pop()
        stub = f"s{edge[0]}_{edge[1]}"
        starts = [f"f{tail}", *(f"m{place}" for place in up)]
        ends = [f"f{head}", *(f"m{place}" for place in down)]
        for start, place in zip(starts, up[:-1]):
            self.pictures[place].links.append(Link(edge, start, stub))
        self.pictures[up[-1]].links.append(Link(edge, starts[len(up) - 1], ends[len(down) - 1]))
        for end, place in zip(ends, down[:-1]):
            self.pictures[place].links.append(Link(edge, stub, end))
        self.drawn_in[edge] = [*up, *down[-2::-1]]

    def _path(self, number):
        """Return the indices of the pictures around a Function, from the innermost to the whole."""
        path = [self.place[number]]
        while (parent := self.pictures[path[-1]].parent) is not None:
            path.append(parent)
        return path


def _within(trace, call, at):
    """Return the index of the picture of the innermost call around `call` that has one; 0 is the whole."""
    while call is not None and call not in at:
        call = trace.modules[call]["parent"]
    return 0 if call is None else at[call]


def _calls_that_become_boxes(trace):
    """Return the module calls with their own picture, each after the call around it.

    An outermost call that makes other calls has none, since a picture of a single box is useless. Neither has a call
    with only one Function in the graph.
    """
    sizes = [0] * len(trace.modules)
    for node in trace.nodes.values():
        call = node.module
        while call is not None:
            sizes[call] += 1
            call = trace.modules[call]["parent"]
    makes_others = {module["parent"] for call, module in enumerate(trace.modules) if sizes[call] > 1}
    kept = [
        call
        for call, module in enumerate(trace.modules)
        if sizes[call] > 1 and (module["parent"] is not None or call not in makes_others)
    ]
    return sorted(kept, key=lambda call: _depth(trace, call))


def _depth(trace, call):
    depth = 0
    while (call := trace.modules[call]["parent"]) is not None:
        depth += 1
    return depth
