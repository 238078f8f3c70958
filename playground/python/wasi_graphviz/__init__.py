"""Lays out graphs with the page's Graphviz, under the name of a package that drawing/layout.py uses."""

from playground.bridge import host


def render(dot_source):
    return host("layout", dot_source).encode()
