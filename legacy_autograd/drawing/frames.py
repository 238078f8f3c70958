"""The pictures of a trace: one layout, whose nodes and edges are repainted for every step.

The graph is laid out once, with a line in every node that is wide enough for any state; a frame differs from the next
only in the classes of its elements and in those lines.
"""

import textwrap
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from .layout import to_svg
from .template import filled

# The state is said by colour, by the shape of the outline, and in words. One set of colours serves light and dark
# pages: every node has a fill of its own, and the lines are grey.
STYLE = filled(__package__, "states.css")
_SHAPES = {"path", "polygon", "ellipse"}
_SECONDS_A_FRAME = 1.2


class Canvas:
    """The laid-out graph of a trace, to be painted. `prefix` keeps the ids of several on one page apart."""

    def __init__(self, trace, prefix=""):
        self.root = _without_namespaces(ElementTree.fromstring(to_svg(trace.dot_source).encode("utf-8")))
        self.root.set("role", "img")
        self.root.set("aria-label", trace.title)
        self._nodes = {}
        self._edges = {}
        for group in list(self.root.iter("g")):
            name = group.get("id", "")
            if name.startswith("f") and group.get("class") == "node":
                self._nodes[int(name[1:])] = group
            elif name.startswith("e") and group.get("class") == "edge":
                number, input = name[1:].split("_")
                self._edges[int(number), int(input)] = group
            if name:
                group.set("id", prefix + name)
        for number, group in self._nodes.items():
            group.find("title").text = trace.nodes[number].label
            for element in group:
                if element.tag in _SHAPES:
                    element.set("class", "shape")
            texts = group.findall("text")
            texts[0].set("class", "name")
            texts[-1].set("class", "state")

    def paint(self, state):
        """Show `state`: the classes of all nodes and edges, and the last line of every node."""
        for number, node in state.nodes.items():
            group = self._nodes[number]
            group.set("class", f"node {node['state']}")
            group.findall("text")[-1].text = node["words"]
        for edge, group in self._edges.items():
            group.set("class", f"edge {state.edges.get(edge, {}).get('state', '')}".strip())

    def text(self, style=""):
        """The SVG as it is painted now."""
        svg = ElementTree.tostring(self.root, encoding="unicode")
        start = svg.index(">") + 1
        return f"{svg[:start]}<style>\n{style}</style>{svg[start:]}" if style else svg


def frames(trace, wanted=None):
    """{index: the SVG after that step, complete in itself} of the steps `wanted`, or of all."""
    canvas = Canvas(trace)
    pictures = {}
    for index, state in enumerate(trace.states()):
        if wanted is None or index in wanted:
            canvas.paint(state)
            pictures[index] = canvas.text(STYLE)
    return pictures


def animation(trace):
    """One SVG that shows all steps in turn, without a script: for a README, where a page cannot go.

    Where less motion is asked for, it stands still at the step that says most.
    """
    canvas = Canvas(trace)
    left, top, width, height = map(float, canvas.root.get("viewBox").split())
    wide = max(width, 420.0)
    tall = height + 58
    content = []
    for index, (step, state) in enumerate(zip(trace, trace.states(), strict=True)):
        canvas.paint(state)
        inside = "".join(ElementTree.tostring(child, encoding="unicode") for child in canvas.root)
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
        "VIEW BOX": f"{left:g} {top:g} {wide:g} {tall:g}",
        "WIDTH": f"{wide:g}",
        "HEIGHT": f"{tall:g}",
        "STATE STYLE": STYLE,
        "SECONDS": f"{len(trace) * _SECONDS_A_FRAME:.1f}",
        "SHARE": f"{100 / len(trace):.4f}",
        "FRAMES": "".join(content),
    }
    return filled(__package__, "animation.svg", values)


def _without_namespaces(root):
    """The tree with plain names, and with an edge's tooltip as its title in place of graphviz's link around it."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for name in [name for name in element.keys() if name.startswith("{")]:
            element.set(name.rpartition("}")[2], element.attrib.pop(name))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    for group in root.iter("g"):
        for wrapper in group.findall("g"):
            link = wrapper.find("a")
            if link is None:
                continue
            group.find("title").text = link.get("title")
            place = list(group).index(wrapper)
            group.remove(wrapper)
            for offset, child in enumerate(link):
                group.insert(place + offset, child)
    return root
