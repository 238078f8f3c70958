"""Drawings of the live graph: pictures, text trees, and step-by-step pages of the engine (added: 2016 had none)."""

from .backward import trace_backward
from .dot import make_dot
from .engine_comparison import EngineComparison
from .engines import compare_engines
from .forward import trace_forward
from .graphviz_drawing import render
from .layout import LayoutUnavailable
from .modern_order import ModernOrderEngine
from .page import save_page
from .recording import record
from .text import print_graph
from .trace import Trace, note

__all__ = [
    "EngineComparison", "LayoutUnavailable", "ModernOrderEngine", "Trace", "compare_engines", "make_dot", "note",
    "print_graph", "record", "render", "save_page", "trace_backward", "trace_forward",
]  # fmt: skip
