"""The slots of a Function: one for each gradient that it expects, labelled with the sender, filled when it arrives.

`painted.py` reserves a row for them above the Function's name. `templates/page/slots.js` paints them on the page; both
follow the same rules.
"""

from html import escape

from .labels import numbered, short_text

MOST = 8  # slots in a row; if there are more, the row is a count
_WIDEST = 200  # of a row with the senders' labels; in a wider one, the slots show only their numbers
_GAP = 7
_LEAST = 28  # of a slot
_CHARACTER = 6.4  # the width of a character of a slot's texts


class Slots:
    """The row of slots of the Function `number`. `edges` are the edges that bring it a gradient.

    The row of a Function that expects none is empty: its `height` is 0.
    """

    def __init__(self, trace, number):
        self.edges = trace.senders.get(number, []) if trace.kind == "backward" else []
        self._label = {}
        if not self.edges:
            self.width = self.height = 0
        elif len(self.edges) > MOST:
            self.width, self.height = 80, 13.5
        else:
            self._label = {edge: trace.nodes[edge[0]].label for edge in self.edges}
            if self._row() > _WIDEST:
                self._label = {edge: numbered("", edge[0]).strip() for edge in self.edges}
            self.width, self.height = self._row(), 31

    def _row(self):
        return sum(map(self._width_of, self.edges)) + _GAP * (len(self.edges) - 1)

    def _width_of(self, edge):
        return max(_LEAST, len(self._label[edge]) * _CHARACTER)

    def svg(self, order, now, x, top, words):
        """Return the row in the state `now`, with the slots in the `order` of edges, below `top` and around `x`."""
        if not self.edges:
            return ""
        arrived = {edge: gradient for edge, _, gradient in now.get("parts", ())}
        if not self._label:
            text = words["slots"].format(arrived=len(arrived), expected=len(self.edges))
            return f'<text class="slots" x="{x:.0f}" y="{top + 10:.0f}" data-expected="{len(self.edges)}">{text}</text>'
        labels, slots, left = [], [], x - self.width / 2
        for edge in order:
            width = self._width_of(edge)
            middle = f"{left + width / 2:.0f}"
            text = _text(arrived[edge], width) if edge in arrived else ""
            labels.append(f'<text class="from" x="{middle}" y="{top + 9:.0f}">{escape(self._label[edge])}</text>')
            slots.append(
                f'<g class="slot{" full" if edge in arrived else ""}" data-edge="{edge[0]}_{edge[1]}">'
                f'<rect x="{left:.0f}" y="{top + 13:.0f}" width="{width:.0f}" height="15"/>'
                f'<text class="part" x="{middle}" y="{top + 24:.0f}">{text}</text></g>'
            )
            left += width + _GAP
        return " ".join([*labels, *slots])


def _text(gradient, width):
    """Return what a full slot shows: the number if it fits, "✓" for a tensor, "–" if the sender had no gradient."""
    if gradient is None:
        return "–"
    text = short_text(gradient) if len(gradient["values"]) == 1 else "✓"
    return text if len(text) * _CHARACTER <= width else "✓"
