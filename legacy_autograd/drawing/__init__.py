"""Drawings of the live graph: pictures, text trees, and step-by-step pages of the engine (added: 2016 had none)."""

from .backward import trace_backward
from .dot import make_dot, render
from .forward import trace_forward
from .layout import LayoutUnavailable
from .page import save_page
from .recording import record
from .text import print_graph
from .trace import Trace, note

__all__ = [
    "LayoutUnavailable", "Trace", "make_dot", "note", "print_graph", "record", "render", "save_page", "trace_backward",
    "trace_forward",
]  # fmt: skip
