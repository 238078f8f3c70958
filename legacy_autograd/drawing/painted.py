"""A picture of a trace: laid out once, with space for the texts of all its steps, and painted for any state.

Every Function has four lines: its name, its value in the forward pass, its gradient, and its state. This module
computes the size of each box from the widest text of each line. Graphviz gets the sizes and returns positions and
curves. The SVG is written here, in a form small enough for a page of thousands of nodes.
"""

import math
import re
from collections import Counter
from html import escape

from .edge_labels import WHICH_SIZE, Places, along, gradient_label, which_output
from .heat import Heats
from .labels import short_text
from .layout import to_svgs
from .page_shell import page_words
from .replay import State
from .slots import Slots

FONT_SIZE = 11
_LINE_HEIGHT = 13.5
_BASELINE = 4  # below the middle of a line's letters
_LINES = ("name", "value", "grad", "state")
_SLACK = 1.17  # the browser's font may be wider than Helvetica
_BOLD = {"name": 1.08, "grad": 1.08}  # the relative width of a bold line
_MOST_LABELLED = 40  # edges of a picture in which Graphviz makes room for the labels
_DIGIT = 0.556 * FONT_SIZE  # the width of a digit, as Graphviz measures it
_MOST_PASSED = 600  # ranks that the edges of a picture pass in all; above that, the layout leaves out the longest edges
_LONGEST_EDGE = 12
_MANY_USES = 6  # of a leaf in a picture: only its shortest edges take part in the layout

# The widths of Helvetica's characters in thousandths of the font size (from its AFM file). Other characters get 600,
# Chinese, Japanese and Korean ones 1000.
_WIDTHS = {
    character: width
    for characters, width in (
        ("ijl'", 222), (" !,./:;I[\\]ft|", 278), ("()-`r{}", 333), ("*", 389), ("J", 500), ("cksvxyz", 500),
        ("abdeghnopqu0123456789#$?L_", 556), ("+<=>~^", 584), ("FTZ", 611), ("ABEKPSVXY&", 667), ("CDHNRUw", 722),
        ("GOQ", 778), ("mM", 833), ("%", 889), ("W", 944), ("@", 1015), ("\"", 355),
    )
    for character in characters
}  # fmt: skip


def text_width(text, size=FONT_SIZE):
    """Return the width of `text` in points."""
    thousandths = sum(_WIDTHS.get(character) or (1000 if character > "⺀" else 600) for character in text)
    return thousandths * size * _SLACK / 1000


# --- the texts on a node and on an edge; templates/page/view.js writes the same


def lines_of(node, now, words):
    """Return {line: text} of a Function in the state `now`; `words` are the page's words in its language."""
    values = now.get("values", [] if now["state"] == "hidden" else node.values or [])
    shown = _joined([value for value in values if value is not None])
    name = f"{node.name} " if node.name and not node.is_leaf else ""
    return {
        "name": node.label,
        "value": name + words["node_value"].format(value=shown) if shown else "",
        "grad": _gradient_line(node, now, words),
        "state": now["words"],
    }


_OF_FORWARD = ("built", "hidden")  # a forward shows no gradients


def _joined(records):
    """Return the text of all outputs' tensors; only norms if several are large, so that the node is not too wide."""
    text = short_text if len(records) == 1 else edge_text
    return "; ".join(map(text, records))


def _gradient_line(node, now, words):
    if now.get("held") is not None:
        was, is_ = ("None" if record is None else edge_text(record) for record in now["held"])
        return words["node_held"].format(was=was, now=is_)
    grads = [(output, grad) for output, grad in enumerate(now.get("grads") or ()) if grad is not None]
    sums = []
    for output, grad in grads:
        parts = [part for _, to, part in now.get("parts", ()) if to == output and part is not None]
        if now["state"] != "waiting":  # the slots show the summands
            sums.append(_sum(parts, edge_text(grad)))
    if sums:
        return "; ".join(sums) if len(sums) > 1 or " + " in sums[0] else words["node_grad"].format(grad=sums[0])
    if node.held is None or now["state"] in _OF_FORWARD:
        return ""
    return words["node_grad"].format(grad=edge_text(node.held))


def _sum(parts, total):
    """Return a gradient with its summands, if there are at most three and each is a single number."""
    few = 1 < len(parts) <= 3 and all(len(part["values"]) == 1 for part in parts)
    return f"{' + '.join(map(short_text, parts))} = {total}" if few else total


def edge_text(gradient):
    """Return the text of a gradient, or of one of several tensors: its numbers, or the norm if there are over six."""
    text = "" if gradient is None else short_text(gradient)
    return text[text.index("norm") :] if gradient is not None and "norm" in gradient else text


class Widest:
    """The widest lines of all nodes, and the widest gradients of all edges, over the steps of a trace."""

    def __init__(self, trace):
        self._trace = trace
        self._words = page_words(trace.lang)
        self.lines = {number: dict.fromkeys(_LINES, 0.0) for number in trace.nodes}
        self.grads = {}

    def note(self, change, state):
        """Update the widths with `state`, which `change` has just changed."""
        for number in change.nodes:
            widest = self.lines[number]
            for line, text in lines_of(self._trace.nodes[number], state.nodes[number], self._words).items():
                if text:
                    widest[line] = max(widest[line], text_width(text) * _BOLD.get(line, 1))
        for edge, values in change.edges.items():
            text = gradient_label(values.get("grad"), self._words) if values else ""
            self.grads[edge] = max(self.grads.get(edge, ""), text, key=text_width)


def survey(trace, wanted=()):
    """Return ({index: the state after that step} of the steps `wanted`, `Widest`) of a trace."""
    state, widest, states = State(), Widest(trace), {}
    wanted = set(wanted)
    for index, change in enumerate(trace.changes(), start=-1):
        state.apply(change)
        widest.note(change, state)
        if index in wanted:
            states[index] = state.copy()
    return states, widest


class Painting:
    """One `Picture` (nested.py) of a trace. `dot` is the input of Graphviz; `lay_out` reads its output."""

    def __init__(self, trace, nest, place, widest, prefix=""):
        self._trace = trace
        self._nest = nest
        self._picture = nest.pictures[place]
        self._widest = widest
        self._words = page_words(trace.lang)
        self._prefix = prefix
        self._suffix = "" if place == 0 else f"p{place}"
        self._labelled = len(self._picture.links) <= _MOST_LABELLED
        self._links = {link.edge: link for link in self._picture.links}
        self._far = self._edges_left_out()
        self._has_scripts = False
        self._sizes = {}  # {name: (width, height)}
        self._lines = {}  # {name: the classes of its lines}
        self._slots = {number: Slots(trace, number) for number in self._picture.functions}
        self._heats = {number: Heats(trace.nodes[number], trace.kind) for number in self._picture.functions}
        for number in self._picture.functions:
            self._add(f"f{number}", widest.lines[number], self._slots[number], self._heats[number])
        for box in self._picture.boxes:
            inner = nest.pictures[box]
            counts = dict.fromkeys(("done", "all"), "000")
            state = max((self._words[key].format(**counts) for key in ("box_runs", "box_done")), key=text_width)
            lines = {"name": inner.title, "value": _count_text(nest, box), "state": state}
            widths = {line: text_width(text) * _BOLD.get(line, 1) for line, text in lines.items()}
            self._add(f"m{box}", widths)

    def _add(self, name, widths, *rows):
        self._lines[name] = [line for line in _LINES if widths.get(line)]
        height = len(self._lines[name]) * _LINE_HEIGHT + 8 + sum(row.height for row in rows)
        self._sizes[name] = (max(*widths.values(), *(row.width for row in rows)) + 14, height)

    # --- for Graphviz

    def dot(self):
        """Return the picture as DOT: boxes of the computed sizes, with text only on the edges."""
        lines = [
            f"digraph {{ rankdir={self._trace.rankdir}; nodesep=0.25; ranksep=0.35;",
            'node [shape=box fixedsize=true label=""]; edge [fontsize=11 fontname=Helvetica arrowsize=0.7];',
        ]
        for name, (width, height) in self._sizes.items():
            lines.append(f'{name} [id="{name}" width={width / 72:.3f} height={height / 72:.3f}];')
        stubs = {"source": [], "sink": []}
        for link in self._picture.links:
            if link.edge in self._far:
                continue
            if link.tail[0] == "s":
                stubs["source"].append(link.tail)
            if link.head[0] == "s":
                stubs["sink"].append(link.head)
            number, input = link.edge
            width = sum(self._label_widths(link))
            label = f'label="{"0" * math.ceil(width / _DIGIT)}" ' if self._labelled and width else ""
            open_ = "arrowhead=none " if link.head[0] == "s" else ""
            lines.append(f'{link.tail} -> {link.head} [id="e{number}_{input}" {label}{open_}];')
        for rank, names in stubs.items():
            if names:
                ends = "; ".join(f'{name} [id="{name}" width=0.01 height=0.01]' for name in names)
                lines.append(f"{{ rank={rank}; {ends} }}")
        return "\n".join([*lines, "}"])

    def _label_widths(self, link):
        """Return the widths of the two parts of a label: which output, and the gradient."""
        which, gradient = which_output(self._trace, link), self._widest.grads.get(link.edge, "")
        return text_width(which, WHICH_SIZE) + (which != "") * 6, text_width(gradient) * _BOLD["grad"]

    def _edges_left_out(self):
        """Return the edges that Graphviz does not get because they pass many nodes: from a loop to its weights.

        A leaf that many nodes use is placed beside the closest of them.
        Graphviz's time grows with the square of the number of nodes that all edges pass: a minute for 100 steps of a
        loop.
        """
        rank = {}
        for link in self._in_order():
            rank[link.head] = max(rank.get(link.head, 0), rank.setdefault(link.tail, 0) + 1)
        passed = {link.edge: rank[link.head] - rank[link.tail] - 1 for link in self._picture.links}
        longest = _LONGEST_EDGE if sum(passed.values()) >= _MOST_PASSED else len(rank)
        uses = Counter(self._leaf_of(link) for link in self._picture.links)
        return {
            link.edge
            for link in self._picture.links
            if passed[link.edge] > longest
            or (passed[link.edge] > 0 and self._leaf_of(link) and uses[self._leaf_of(link)] >= _MANY_USES)
        }

    def _leaf_of(self, link):
        """Return the node of the leaf at an end of a link, or None."""
        end = link.head if self._trace.kind == "backward" else link.tail
        return end if end[0] == "f" and self._trace.nodes[int(end[1:])].is_leaf else None

    def _in_order(self):
        """Yield the links, with those into a node before those out of it."""
        leaving, missing = {}, {}
        for link in self._picture.links:
            leaving.setdefault(link.tail, []).append(link)
            missing[link.head] = missing.get(link.head, 0) + 1
        ready = [name for name in leaving if name not in missing]
        while ready:
            for link in leaving.get(ready.pop(), ()):
                yield link
                missing[link.head] -= 1
                if not missing[link.head]:
                    ready.append(link.head)

    def lay_out(self, svg):
        """Read the positions of all nodes and the curves of all edges from Graphviz's output for `dot`."""
        down, self.width, self.height = _frame(svg)
        self._at = {}
        for name, points in re.findall(r'<g id="(\w+)" class="node">.*?points="([^"]*)"', svg, re.DOTALL):
            corners = [tuple(map(float, point.split(","))) for point in points.split()]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            self._at[name] = ((min(xs) + max(xs)) / 2 + 4, (min(ys) + max(ys)) / 2 + down)
        self._curves = {}
        for name, inside in re.findall(r'<g id="e(\w+)" class="edge">(.*?)</g>', svg, re.DOTALL):
            path = re.search(r' d="([^"]*)"', inside)[1]
            points = [(float(x) + 4, float(y) + down) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
            label = re.search(r'<text[^>]* x="([^"]*)" y="([^"]*)"', inside)
            at = None if label is None else (float(label[1]) + 4, float(label[2]) + down)
            self._curves[tuple(map(int, name.split("_")))] = points, at
        for link in self._picture.links:
            if link.edge in self._far:
                self._curves[link.edge] = self._bow(link), None
        self._place_labels()

    def _place_labels(self):
        """Place the labels: where Graphviz made room, or elsewhere beside the curve if that covers something."""
        boxes = [(*self._at[name], *size) for name, size in self._sizes.items()]
        curves = [points for edge, (points, _) in self._curves.items() if edge not in self._far]
        places = Places(boxes, curves, 3 if self._labelled else 6)
        for link in self._picture.links:
            points, at = self._curves[link.edge]
            width = sum(self._label_widths(link))
            if link.edge in self._far:
                self._curves[link.edge] = points, along(points, 2)[1]
            elif width:
                x, y = places.beside(points, width, None if at is None else (at[0], at[1] - _BASELINE))
                self._curves[link.edge] = points, (x, y + _BASELINE)

    def _bow(self, link):
        """Return a curve for an edge that Graphviz did not get: from side to side, around the nodes in between."""
        sideways = self._trace.rankdir in ("LR", "RL")
        (x1, y1), (x2, y2) = self._at[link.tail], self._at[link.head]
        if sideways:
            (x1, y1), (x2, y2) = (y1, x1), (y2, x2)
        tail, head = (self._sizes.get(name, (0, 0))[sideways] / 2 for name in (link.tail, link.head))
        side = -1 if x2 < x1 - tail - head else 1
        x1 += side * tail
        x2 += (side if abs(x2 - x1) < tail + head else -side) * (head + 7)
        out = side * min(40 + abs(y2 - y1) / 8, 160)
        points = [
            (x1, y1),
            (x1 + out, y1 + (y2 - y1) / 4),
            (x2 + (out if x2 * side < x1 * side else -out / 2), y2),
            (x2, y2),
        ]
        return [(y, x) for x, y in points] if sideways else points

    # --- the SVG

    def svg(self, state, style="", words=None):
        """Return the SVG of the picture in `state`.

        With a `style` it is complete. Otherwise scripts paint heat maps, and a module's picture is drawn in the whole.
        """
        self._has_scripts = not style
        edges = "".join(self._edge(link, state.edges.get(link.edge)) for link in self._picture.links)
        nodes = "".join(self._function(number, state.nodes[number]) for number in self._picture.functions)
        boxes = "".join(map(self._box, self._picture.boxes))
        arrow = f"{self._prefix}arrow"
        looks = marker = size = ""
        if not self._suffix:
            title = escape(words or self._picture.title)
            size = f' width="{_n(self.width)}" height="{_n(self.height)}" role="img" aria-label="{title}"'
            looks = f' font-family="Helvetica,Arial,sans-serif" font-size="{FONT_SIZE}" text-anchor="middle"'
            marker = (
                f'<defs><marker id="{arrow}" class="arrow" markerWidth="8" markerHeight="7" refY="3" '
                'orient="auto" markerUnits="userSpaceOnUse"><path d="M0,0L7,3L0,6Z"/></marker></defs>'
            )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(self.width)} {_n(self.height)}"{size}>'
            f'{f"<style>{style}</style>" if style else ""}<g class="graph"{looks}>{marker}'
            f'<g class="edges" fill="none" stroke="#6d7782" marker-end="url(#{arrow})">{edges}</g>'
            f'<g class="nodes">{boxes}{nodes}</g></g></svg>'
        )

    def elements(self, state, nodes=None, edges=None):
        """Yield (name, SVG) of `edges`, then of the Functions `nodes`, in `state`; by default of all."""
        for edge in self._links if edges is None else edges:
            yield self.id_of(edge), self._edge(self._links[edge], state.edges.get(edge))
        for number in self._picture.functions if nodes is None else nodes:
            yield f"f{number}", self._function(number, state.nodes[number])

    def _function(self, number, now):
        node = self._trace.nodes[number]
        kind = "function" if not node.is_leaf else "leaf" if node.requires_grad else "constant"
        texts = lines_of(node, now, self._words)
        slots = self._slots[number]
        (x, y), (_, height) = self._at[f"f{number}"], self._sizes[f"f{number}"]
        order = sorted(slots.edges, key=self._side_of)
        heats = self._heats[number]
        rows = (
            slots.svg(order, now, x, y - height / 2 + _LINE_HEIGHT + 4, self._words),  # below the name
            heats.svg(node, now, x, y + height / 2 - 4, is_empty=self._has_scripts),
        )
        corner = 5 if not node.is_leaf else 17
        return self._group(f"f{number}", f"{now['state']} {kind}", texts, corner, slots.height, rows)

    def _side_of(self, edge):
        """Return where `edge` arrives at its Function, from left to right."""
        return self._curves[edge][0][-1][0] if edge in self._curves else 0

    def _box(self, place):
        texts = {"name": self._nest.pictures[place].title, "value": _count_text(self._nest, place), "state": ""}
        return self._group(f"m{place}", "idle module", texts, 2)

    def _group(self, name, classes, texts, corner, slots_height=0, rows=("", "")):
        (x, y), (width, height) = self._at[name], self._sizes[name]
        top = y - height / 2 + 1
        lines = []
        for place, line in enumerate(self._lines[name], start=1):
            at = top + place * _LINE_HEIGHT + (slots_height if place > 1 else 0)
            text = escape(texts[line], quote=False)
            lines.append(f'<text class="{line}" x="{_n(x)}" y="{_n(at)}">{text}</text>')
        texts_in_order = " ".join([*lines[:1], rows[0], *lines[1:]])  # the spaces separate them in the group's name
        return (
            f'<g id="{self._prefix}{name}" class="node {classes}">'
            f'<rect class="shape" x="{_n(x - width / 2)}" y="{_n(y - height / 2)}" width="{_n(width)}" '
            f'height="{_n(height)}" rx="{corner}"/>{texts_in_order}{rows[1]}</g>'
        )

    def _edge(self, link, now):
        points, at = self._curves[link.edge]
        start, *rest = [f"{x:.0f},{y:.0f}" for x, y in points]
        number, input = link.edge
        open_ = ' marker-end="none"' if link.head[0] == "s" else ""
        classes = f"edge {now['state']}" if now else "edge"
        text = ""
        if at is not None:
            x, y = at
            which, gradient = which_output(self._trace, link), gradient_label((now or {}).get("grad"), self._words)
            wide, narrow = self._label_widths(link)
            text = f'<text class="grad" x="{_n(x + wide / 2)}" y="{_n(y)}">{escape(gradient, quote=False)}</text>'
            if which:
                text += f'<text class="which" x="{_n(x - narrow / 2)}" y="{_n(y)}">{which}</text>'
        pale = ' stroke-opacity=".3"' if link.edge in self._far else ""  # states.css: 1 while it carries a gradient
        path = f'<path d="M{start}C{" ".join(rest)}"{open_}{pale}/>'
        return f'<g id="{self.id_of(link.edge)}" class="{classes}">{path}{text}</g>'

    def id_of(self, edge):
        """Return the id of the element that draws `edge` in this picture."""
        return f"{self._prefix}e{edge[0]}_{edge[1]}{self._suffix}"


def _count_text(nest, place):
    count = len(nest.pictures[place].functions)
    boxes = len(nest.pictures[place].boxes)
    words = ([f"{count} Functions"] if count else []) + ([f"{boxes} modules"] if boxes else [])
    return ", ".join(words)


def lay_out(paintings):
    """Lay out all `paintings` with one run of Graphviz."""
    for painting, svg in zip(paintings, to_svgs([painting.dot() for painting in paintings]), strict=True):
        painting.lay_out(svg)


def _frame(svg):
    """Return the vertical offset of Graphviz's own frame, and its width and height."""
    down = float(re.search(r"translate\([-\d.]+[ ,]+([-\d.]+)\)", svg)[1])
    width, height = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', svg).groups()
    return down, float(width), float(height)


def _n(number):
    """Return a coordinate in as few characters as possible."""
    return f"{number:.1f}".removesuffix(".0")
