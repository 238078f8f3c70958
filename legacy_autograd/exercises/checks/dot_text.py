"""A reader of the part of DOT that a drawing needs: nodes with attributes, and edges.

It does not read subgraphs, ports or HTML.
"""

import re

_TOKEN = re.compile(
    r'\s+|//[^\n]*|#[^\n]*|/\*.*?\*/|(?P<quoted>"(?:\\.|[^"\\])*")|(?P<word>-?(?:\w|\.)+)|(?P<mark>->|--|[{}\[\]=;,])'
    r"|(?P<other>.)",
    re.DOTALL,
)


class Unreadable(Exception):
    """The text is not DOT, or uses a part of DOT that this module does not read."""


class Graph:
    """`nodes`: {name: attributes}, `edges`: [(from, to)], `declared`: the names of all node statements, in order."""

    def __init__(self):
        self.nodes, self.edges, self.declared = {}, [], []


def read(text):
    """Return the Graph that a DOT text describes. Raises Unreadable with the reason."""
    tokens = _tokens(text)
    if tokens[:1] == ["strict"]:
        raise Unreadable("a strict graph draws two edges between the same nodes as one")
    if tokens[:1] != ["digraph"]:
        raise Unreadable("it does not begin with the word digraph")
    start = 1 if tokens[1:2] == ["{"] else 2
    if tokens[start : start + 1] != ["{"] or tokens[-1] != "}":
        raise Unreadable("the graph is not enclosed in { and }")
    graph, inside, position = Graph(), tokens[start + 1 : -1], 0
    defaults = {}
    while position < len(inside):
        position = _statement(graph, inside, position, defaults)
    return graph


def _tokens(text):
    tokens = []
    for match in _TOKEN.finditer(text):
        if match["other"]:
            rest = text[match.start() : match.start() + 20]
            raise Unreadable(f"the character {match['other']!r} cannot be read here: {rest!r}")
        if match["quoted"]:
            tokens.append(match["quoted"][1:-1].replace('\\"', '"'))
        elif match["word"] or match["mark"]:
            tokens.append(match["word"] or match["mark"])
    return tokens


def _statement(graph, tokens, position, defaults):
    """Read one statement and return the position of the next."""
    first = tokens[position]
    if first in (";", ","):
        return position + 1
    if first in ("{", "}", "[", "]", "=", "->", "--", "subgraph"):
        raise Unreadable(f"{first!r}is not the start of a node or an edge")
    if tokens[position + 1 : position + 2] == ["="]:
        return position + 3  # an attribute of the whole graph
    chain, position = [first], position + 1
    while position < len(tokens) and tokens[position] == "->":
        if position + 1 == len(tokens):
            raise Unreadable("an edge has no end")
        chain.append(tokens[position + 1])
        position += 2
    attributes, position = _attributes(tokens, position)
    if first in ("node", "edge", "graph") and len(chain) == 1:
        if first == "node":
            defaults.update(attributes)
        return position
    for name in chain:
        graph.nodes.setdefault(name, dict(defaults))
    if len(chain) == 1:
        graph.nodes[first].update(attributes)
        graph.declared.append(first)
    graph.edges += zip(chain, chain[1:])
    return position


def _attributes(tokens, position):
    found = {}
    while position < len(tokens) and tokens[position] == "[":
        position += 1
        while tokens[position : position + 1] != ["]"]:
            if position + 2 >= len(tokens) or tokens[position + 1] != "=":
                raise Unreadable("an attribute in [ ] is not written name=value")
            found[tokens[position]] = tokens[position + 2]
            position += 3
            if tokens[position : position + 1] in ([","], [";"]):
                position += 1
        position += 1
    return found, position
