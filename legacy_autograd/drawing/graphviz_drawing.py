"""What a drawing is: a `graphviz.Digraph` with the kinds, colours and fonts of all pictures, and how it is written.

The colours are those of 2016's articles: blue for a Function, green for a leaf that requires a gradient, yellow for one
that does not, brown for an output of an operation, orange for a saved tensor. Each kind also has its own shape, so
colour is not needed to tell them apart.
"""

import html
import re
from pathlib import Path

import graphviz

from .labels import image
from .layout import LayoutUnavailable, to_svg

STYLES = {
    "function": {"shape": "box", "style": "rounded,filled", "fillcolor": "#cfe2fb", "color": "#1f5fa8"},
    "leaf": {"shape": "ellipse", "style": "filled", "fillcolor": "#c3e6c5", "color": "#2b7a30", "penwidth": "1.5"},
    "constant": {"shape": "ellipse", "style": "filled,dashed", "fillcolor": "#fff1a6", "color": "#8f7200"},
    "output": {"shape": "box", "style": "filled", "fillcolor": "#dcc2a4", "color": "#75461b"},
    "cut": {"shape": "box", "style": "filled,dashed", "fillcolor": "#f3e9dd", "color": "#75461b"},
    "saved": {"shape": "note", "style": "filled", "fillcolor": "#ffcf9e", "color": "#c25a00"},
    "group": {"shape": "box", "peripheries": "2", "style": "filled", "fillcolor": "#a9c9f5", "color": "#1f5fa8"},
    "leaves": {"shape": "folder", "style": "filled", "fillcolor": "#c3e6c5", "color": "#2b7a30"},
}
FONT = {"fontname": "Helvetica"}
LINE_COLOR = "#6d7782"  # visible on white and on black: the background is transparent
MOST_SHOWN = 500  # nodes of a picture that a notebook shows; a larger one is slow to lay out and unreadable
_PAGES = (".html", ".htm")
_PICTURES = graphviz.FORMATS - {"dot", "gv", "canon", "xdot", "xdot1.2", "xdot1.4"}  # no DOT


class Drawing(graphviz.Digraph):
    """A `graphviz.Digraph` that shows itself in a notebook, with any available layout program (drawing/layout.py)."""

    nodes = edges = 0  # the numbers of drawn nodes and edges
    words = "A drawing"  # the description for screen readers
    text = None  # the graph as `print_graph` prints it, for a notebook that cannot show the picture

    def __repr__(self):
        return f"<drawing of {self.nodes} nodes and {self.edges} edges; its DOT is .source>"

    def svg(self):
        """Return the picture as SVG with the label `words`, without Graphviz's titles (browsers show them as tooltips).

        Raises LayoutUnavailable if no program on this machine can lay out a graph.
        """
        svg = re.sub(r"<title>[^<]*</title>\n?", "", to_svg(self.source))
        return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(self.words)}" ', 1)

    def save(self, filename=None, directory=None, **options):
        """Write the DOT source to a file, as `graphviz.Digraph.save`. Raises ValueError if the name is a picture's."""
        suffix = "" if filename is None else Path(filename).suffix.lower()
        if suffix in _PAGES:
            raise ValueError(
                f"save writes DOT, not a page: for {Path(filename).name!r} call drawing.trace_backward(loss).save(…), "
                "or drawing.render(dot, 'x.svg') for a picture"
            )
        if suffix.removeprefix(".") in _PICTURES:
            raise ValueError(f"save writes DOT, not {suffix}: for {Path(filename).name!r} call drawing.render(dot, …)")
        return super().save(filename, directory=directory, **options)

    def _repr_mimebundle_(self, include=None, exclude=None, **_):
        if self.nodes > MOST_SHOWN:
            return {
                "text/plain": f"{self!r} It is too large to show: fold it, or write it to a file with drawing.render."
            }
        try:
            svg = self.svg()
        except LayoutUnavailable as error:
            return {"text/plain": f"{error}\n\n{repr(self) if self.text is None else self.text}"}
        return {"text/html": image(svg, self.words), "image/svg+xml": svg, "text/plain": repr(self)}


def blank_drawing(name=None, **graph_attributes):
    """Return a `Drawing` without nodes, with the fonts and lines of all drawings. `name` is its name in DOT."""
    return Drawing(
        name,
        filename="Digraph.gv",
        graph_attr={"bgcolor": "transparent", "nodesep": "0.3", "ranksep": "0.3", **graph_attributes},
        node_attr={**FONT, "fontsize": "11", "fontcolor": "#101418", "height": "0.3", "margin": "0.12,0.05"},
        edge_attr={**FONT, "fontsize": "9", "fontcolor": LINE_COLOR, "color": LINE_COLOR, "arrowsize": "0.7"},
    )


def render(dot: Drawing, path: str | Path) -> None:
    """Write a drawing to a file.

    Args:
        dot: What `make_dot` returned.
        path: The file. Its suffix gives the format: .svg, .dot, or any other format of the `dot` program.

    Raises:
        LayoutUnavailable: If no program on this machine can lay out the graph. The message says what to install.
        ValueError: If the suffix is unknown.
    """
    path = Path(path)
    format = path.suffix.removeprefix(".").lower()
    if format in ("dot", "gv"):
        path.write_text(dot.source, encoding="utf-8")
    elif format == "svg":
        path.write_text(dot.svg(), encoding="utf-8")
    elif format in graphviz.FORMATS:
        try:
            path.write_bytes(dot.pipe(format))
        except graphviz.ExecutableNotFound:
            raise LayoutUnavailable(
                f"render: .{format} needs Graphviz's `dot` program, which is missing; install it or write .svg or .dot"
            ) from None
    else:
        raise ValueError(f"render: unknown format {path.suffix!r}; use .svg, .dot, .png, .pdf or another of Graphviz's")
