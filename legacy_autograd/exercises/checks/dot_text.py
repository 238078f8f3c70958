"""A strict reader of DOT: the part that a drawing needs, which are nodes and edges with attributes.

It refuses what Graphviz refuses or warns of, such as `label=2x3` without quotes; the tests compare it with Graphviz. It
does not read subgraphs, ports, lists of nodes or HTML. pydot, the parser that is a package, is no help here: it takes
names like `0n`, which `dot` splits in two. Where Graphviz is installed, `refused_by_graphviz` asks it too.
"""

import re
import subprocess

import graphviz

from ...drawing import layout

_TOKEN = re.compile(
    r'[ \t\r\n]+|(?://|#)[^\n]*|/\*.*?\*/|(?P<quoted>"(?:\\.|[^"\\])*")'
    r"|(?P<word>[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))"
    r"|(?P<mark>->|--|[{}\[\]=;,])|(?P<other>.)",
    re.DOTALL,
)
_KEYWORDS = ("strict", "graph", "digraph", "node", "edge", "subgraph")


class Unreadable(Exception):
    """The text is not DOT, or uses a part of DOT that this module does not read."""


class Graph:
    """`nodes`: {name: attributes}, `edges`: [(from, to)] as their arrows point."""

    def __init__(self):
        self.nodes, self.edges = {}, []


def read(text):
    """Return the Graph that a DOT text describes. Raises Unreadable with the reason."""
    return _Reader(text).graph()


class _Reader:
    def __init__(self, text):
        self.text, self.tokens, self.position = text, [], 0  # of tokens: pairs (kind, text)
        for match in _TOKEN.finditer(text):
            kind, word = match.lastgroup, match[0]
            if kind == "other":
                self.refuse(f"the character {word!r} cannot be read here", match.start())
            if kind == "word" and word[0] in "-.0123456789":
                after = text[match.end() : match.end() + 1]
                if re.match(r"[A-Za-z0-9_.\u0080-\U0010ffff]", after):
                    self.refuse("a number ends where the word does not: put the word in quotes", match.start())
            if kind == "quoted":
                word = re.sub(r'\\(["\n])', lambda found: found[1].strip("\n"), word[1:-1])
            elif kind == "word" and word.lower() in _KEYWORDS:
                kind, word = "keyword", word.lower()
            if kind:
                self.tokens.append((kind, word))

    def refuse(self, why, place=None):
        near = "" if place is None else f", near {self.text[place : place + 20]!r}"
        raise Unreadable(f"{why}{near}")

    def take(self, *wanted):
        """Return the text of the next token if it is one of these marks or keywords, and go on; else None."""
        if self.position < len(self.tokens):
            kind, word = self.tokens[self.position]
            if kind in ("mark", "keyword") and word in wanted:
                self.position += 1
                return word
        return None

    def name(self, why):
        """Return the next token, a name."""
        if self.position == len(self.tokens) or self.tokens[self.position][0] not in ("word", "quoted"):
            self.refuse(why)
        self.position += 1
        return self.tokens[self.position - 1][1]

    def is_name(self):
        return self.position < len(self.tokens) and self.tokens[self.position][0] in ("word", "quoted")

    def graph(self):
        if self.take("strict"):
            self.refuse("a strict graph draws two edges between the same nodes as one")
        if not self.take("digraph"):
            self.refuse("it does not begin with the word digraph")
        if self.is_name():
            self.position += 1
        if not self.take("{"):
            self.refuse("the graph is not enclosed in { and }")
        graph, defaults = Graph(), {"node": {}, "edge": {}, "graph": {}}
        while not self.take("}"):
            if self.position == len(self.tokens):
                self.refuse("the graph is not enclosed in { and }")
            self.statement(graph, defaults)
            self.take(";")
        if self.position < len(self.tokens):
            self.refuse(f"there is more behind the graph: {self.tokens[self.position][1]!r}")
        return graph

    def statement(self, graph, defaults):
        kind = self.take("node", "edge", "graph")
        if kind:
            if ("mark", "[") not in self.tokens[self.position : self.position + 1]:
                self.refuse(f"the word {kind} needs attributes in [ ]")
            defaults[kind].update(self.attributes())
            return
        first = self.name(f"{self.tokens[self.position][1]!r} is not the start of a node or an edge")
        if self.take("="):
            self.name("an attribute of the graph has no value")
            return
        chain = [first]
        while self.take("->"):
            chain.append(self.name("an edge has no end"))
        if self.take("--"):
            self.refuse("an edge of a digraph is written ->")
        attributes = self.attributes()
        for name in chain:
            graph.nodes.setdefault(name, dict(defaults["node"]))
        if len(chain) == 1:
            graph.nodes[first].update(attributes)
        direction = {**defaults["edge"], **attributes}.get("dir", "forward")
        if len(chain) > 1 and direction not in ("forward", "back"):
            self.refuse(f"an edge with dir={direction} does not show a direction")
        for one, other in zip(chain, chain[1:]):
            graph.edges.append((one, other) if direction == "forward" else (other, one))

    def attributes(self):
        found = {}
        while self.take("["):
            while not self.take("]"):
                key = self.name("an attribute in [ ] is not written name=value")
                if not self.take("="):
                    self.refuse("an attribute in [ ] is not written name=value")
                found[key] = self.name("an attribute in [ ] is not written name=value")
                self.take(",", ";")
        return found


_FEW, _MOST = 10, 20_000  # texts, and characters, for a Graphviz without `dot`: it reads only what it lays out


def refused_by_graphviz(texts):
    """Return (a text, why) for the first text that Graphviz refuses or warns of; None if there is none, or no Graphviz.

    One run of `dot` reads all texts and lays out none. Another Graphviz (drawing/layout.py) draws some of them.
    """
    engine = layout.engine()
    if engine == "dot":
        if not _complaint("\n".join(texts)):
            return None
        return next(((text, why) for text in texts if (why := _complaint(text))), None)
    for text in [text for text in texts if len(text) < _MOST][:_FEW] if engine else ():
        try:
            layout.to_svg(text)
        except ValueError as error:
            return text, str(error)
    return None


def _complaint(text):
    """Return what `dot` says about a text, or None if it takes it without a word."""
    command = [graphviz.backend.DOT_BINARY, "-Tcanon"]
    source = text.encode(errors="backslashreplace")
    ran = subprocess.run(command, input=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = ran.stderr.decode(errors="replace").strip()
    return said or (f"exit code {ran.returncode}" if ran.returncode else None)
