"""Draw the calls from `loss.backward()` to `grad.add_`, recorded by a profiling function during a backward."""

import sys

from ..autograd import fast, function, leaf, variable
from ..autograd.engine import ExecutionEngine
from ..tensor import Tensor
from .graphviz_drawing import FONT, LINE_COLOR, STYLES, blank_drawing

_PACKAGE = __name__.split(".")[0]
_SHOWN_OF_TENSOR = {"add_", "clone"}  # those that accumulate a gradient; the formulas' arithmetic would fill the page
_COLORS = {
    "ExecutionEngine": {"fillcolor": "#e4e8eb", "color": "#56606a"},
    **{
        name: {part: STYLES[kind][part] for part in ("fillcolor", "color")}
        for name, kind in (("Variable", "output"), ("Leaf", "leaf"), ("Tensor", "saved"))
    },
}


def draw_calls(variable_to_run, gradient=None):
    """Run backward from a Variable and draw the called methods: a box for each class, an arrow for each call.

    The drawing shows methods of Variable, the engine, Function and Leaf, each operation's `backward`, and how a Leaf
    accumulates a gradient. An arrow has the number of calls.
    """
    calls = {}  # {(caller, callee): number of calls}, in the order of the first calls

    def watch(frame, event, _):
        if event != "call":
            return
        callee = _method(frame)
        caller = frame.f_back
        while callee is not None and caller is not None and _method(caller) is None:
            caller = caller.f_back  # skip frames that are not shown
        if callee is not None:
            edge = (None if caller is None else _method(caller), callee)
            calls[edge] = calls.get(edge, 0) + 1

    outer = sys.getprofile()
    with fast.the_books_walk():
        sys.setprofile(watch)
        try:
            variable_to_run.backward(gradient)
        finally:
            sys.setprofile(outer)
    return _draw({edge: count for edge, count in calls.items() if None not in edge})


def _method(frame):
    """Return (class, method) of a frame that is shown, otherwise None."""
    owner = frame.f_locals.get("self")
    name = frame.f_code.co_name
    if isinstance(getattr(type(owner), name, None), property):
        return None
    module = frame.f_globals.get("__name__", "")
    if not module.startswith(f"{_PACKAGE}.") or module.startswith(fast.__name__):
        return None
    if isinstance(owner, Tensor):
        return ("Tensor", name) if name in _SHOWN_OF_TENSOR else None
    for shown in (variable.Variable, ExecutionEngine, leaf.Leaf):
        if isinstance(owner, shown) and not (shown is variable.Variable and name != "backward"):
            return (shown.__name__, name) if name in vars(shown) else _of_function(owner, name)
    return _of_function(owner, name)


def _of_function(owner, name):
    if not isinstance(owner, function.Function):
        return None
    if name == "backward":
        return type(owner).__name__, name
    return ("Function", name) if name == "_do_backward" else None


def _draw(calls):
    dot = blank_drawing(rankdir="LR", ordering="out", nodesep="0.12", ranksep="0.5")
    classes = {}
    for edge in calls:
        for class_name, method in edge:
            classes.setdefault(class_name, {})[method] = None
    dot.nodes, dot.edges = sum(map(len, classes.values())), len(calls)
    dot.words = f"The calls during backward: methods of {', '.join(classes)}"
    for class_name, methods in classes.items():
        with dot.subgraph(name=f"cluster_{class_name}") as cluster:
            cluster.attr(
                **FONT, label=class_name, fontsize="12", fontcolor=LINE_COLOR, color=LINE_COLOR, style="rounded"
            )
            for method in methods:
                cluster.node(f"{class_name}.{method}", method, **STYLES["function"] | _COLORS.get(class_name, {}))
    for ((from_class, caller), (to_class, callee)), count in calls.items():
        label = {"label": f" ×{count}"} if count > 1 else {}
        dot.edge(f"{from_class}.{caller}", f"{to_class}.{callee}", **label)
    return dot
