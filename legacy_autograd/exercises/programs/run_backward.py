"""The programs whose backward an engine runs: what exercise 5 draws."""

from .dimensions import ERRORS
from .running import STILL_THERE

ENGINE = "Variable._execution_engine = Engine()"

DIMENSIONS = (
    "type; layout; size; places; again; returned: a tensor, a tuple, None, a view, the argument; hooks: "
    "none, one, several, runs, raises, removes; requires_grad: all, some; values: ordinary, zeros, "
    "cancel, nan, inf, -0"
)
_ARITHMETIC = ["arithmetic", "arithmetic", "reused", "view"]

STEPS = {  # of the random programs of each group
    "simple": ["arithmetic"],
    "diamonds": ["diamonds", *_ARITHMETIC],
    "own": ["sums", "sums", "handed_on", *_ARITHMETIC],
    "constants": ["without_gradient", "selected", *_ARITHMETIC],
    "outputs": ["outputs", "outputs", *_ARITHMETIC],
    "random": ["sums", "diamonds", "handed_on", "without_gradient", "selected", "outputs", "outputs", *_ARITHMETIC],
}


def is_kept(got):
    """Return whether an engine still held something of a graph that was gone."""
    return any(True in held for held in got.get(STILL_THERE, ()))


def _more(graph, nothing):
    """Add another backward: after a change of the graph, with many a constant and None, or of a graph that goes."""
    draw, last = graph.draw, graph.lines[-1]
    root = last.partition(".")[0].partition("[")[0]
    inner = [name for name in graph.differentiable if name not in graph.leaves and name.partition("[")[0] != root]
    match draw.whole(0, 6):
        case 0 | 1 if inner and "retain_variables" not in last:
            graph.add(f"{draw.one_of(inner)}.creator.requires_grad = False")
            graph.add(last)
        case 2 | 3:
            c, outputs, x = graph.leaf(requires_grad=False), graph.name(), draw.one_of(graph.leaves)
            graph.add(f"{outputs} = {draw.one_of(['Parts', 'Pair'] if 0 not in graph.size else ['Pair'])}({c})")
            operands = [f"{outputs}[1]", f"{outputs}[0]", f"Second({c}, {x})", f"Second({c}, {x})", f"{c} * {c}"]
            pair = graph.results(f"Pair({x})", (), [x])
            operands += [f"{pair}[0]", f"Second({pair}[0], {pair}[1])", f"Second({pair}[1], {x})"]
            if nothing:
                operands.append(f"Nothing(Total({c}, {c}, {x}, {x} * 2))")
            total = graph.result(f"Total({', '.join(operands)}, {x})", (1,), [x])
            graph.backward((total, (1,)))
        case 4:
            graph.add(f"outlives(lambda: {draw.one_of(graph.leaves)} * 2 * 3)")
        case 5 if graph.kind != "Half":
            x = draw.one_of(graph.leaves)
            graph.add(f"Total({x} * 2, {x} * nan, {x} * 3).backward()")
        case 6:
            x = draw.one_of(graph.leaves)
            hook = graph.register(x, f"note({x!r}, 'raises', {draw.one_of(ERRORS)})")
            graph.add(f"Total({x} * 2, {x} * 3).backward(None, retain_variables=False)")
            graph.add(f"{x}.grad.zero_()")
            graph.add(f"{hook}.remove()")
            graph.add("forget()")


def writes(steps, anew=ENGINE, nothing=True):
    """Return a function that writes programs of these steps. `anew` is a line that makes an engine.

    `nothing` says whether Functions may be there that receive no gradient at all.
    """

    def make(graph):
        graph.add(anew)
        graph.some_leaves()
        graph.steps(steps, graph.draw.whole(1, 6 if graph.kind != "Half" else 3))
        graph.hooks()
        graph.backwards(anew)
        _more(graph, nothing)

    return make
