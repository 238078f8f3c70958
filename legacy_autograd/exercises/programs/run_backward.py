"""The programs whose backward an engine runs: what exercise 5 draws."""

from .dimensions import ERRORS
from .running import STILL_THERE

ENGINE = "Variable._execution_engine = Engine()"

DIMENSIONS = (
    "type; layout; size; places; again; returned: a tensor, a tuple, None, a view, the argument; hooks: "
    "none, one, several, runs, catches, raises, removes; requires_grad: all, some; values: ordinary, zeros, "
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


# Lines of a program with the leaves x and y: a hook raises an exception while x waits.
INTERRUPTED = (
    "p = x * y", "z = p + x", "h = p.register_hook('a hook', note('p', 'raises', ArithmeticError))", "z.backward()",
    "h.remove()", "x.grad.zero_()", "y.grad.zero_()", "forget()",
)  # fmt: skip


def is_kept(got):
    """Return whether an engine still held something of a graph that was gone."""
    return any(True in held for held in got.get(STILL_THERE, ()))


def _more(graph, nothing, gone):
    """Add another backward: after a change of the graph, with many a constant and None, or of a graph that goes.

    Or one that begins at one output of several, or where each output of a Function has several uses.
    """
    draw, last = graph.draw, graph.lines[-1]
    root = last.partition(".")[0].partition("[")[0]
    inner = [name for name in graph.differentiable if name not in graph.leaves and name.partition("[")[0] != root]
    match draw.whole(0, 13):
        case 0 | 1 if inner and "retain_variables" not in last:
            graph.add(f"{draw.one_of(inner)}.creator.requires_grad = False")
            graph.add(last)
        case 2 | 3:
            c, outputs, x = graph.leaf(requires_grad=False), graph.name(), draw.one_of(graph.leaves)
            graph.add(f"{outputs} = {draw.one_of(['Parts', 'Pair'] if 0 not in graph.size else ['Pair'])}({c})")
            operands = [
                f"{outputs}[1]",
                f"{outputs}[0]",
                *[f"Second({c}, {x})"] * 2,
                f"{c} * {c}",
                f"Outer({x}, {c}, {x})",
            ]
            pair = graph.results(f"Pair({x})", (), [x])
            operands += [f"Outer({pair}[0], {x}, {pair}[0])", f"{pair}[0]", f"Second({pair}[0], {pair}[1])"]
            operands.append(f"Second({pair}[1], {x})")
            pair, six = (graph.results(f"{name}({x})", (), [x]) for name in ("Pair", "Six"))
            operands += [f"First({pair}[0], {pair}[1])", f"{six}[0]", f"Second({six}[2], {x})", f"Second({x}, {c})"]
            if nothing:
                twice = graph.name()  # no gradient reaches it, and nothing else uses it
                graph.add(f"{twice} = {x} * 2")
                operands.append(f"Nothing(Total({c}, {c}, {x}, {twice}, {twice}))")
                operands.append(f"Second({graph.results(f'Pair({x} * 5)', (), [x])}[0], {x})")
            total = graph.result(f"Total({', '.join(operands)}, {x})", (1,), [x])
            graph.backward((total, (1,)))
        case 4:
            x = draw.one_of(graph.leaves)
            interrupted = f"Total({x} * 2, {x} * 3, {x} * 5), {draw.one_of(ERRORS)}"
            kept = [f"{x} * 2 * 3", f"Pair({x})[1] * 3", f"Pair({x} * 2)[1]", interrupted, interrupted]
            graph.add(f"outlives(lambda: {draw.one_of(kept)})")
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
        case 7 if "retain_variables" not in last:
            name = f"{graph.outputs()}["
            roots = [(one, size) for size, names in graph.by_size.items() for one in names if one.startswith(name)]
            for root in roots if graph.requires(roots[0][0]) else ():
                graph.backward(root)
        case 8:
            x, y = draw.one_of(graph.leaves), draw.one_of(graph.leaves)
            name = graph.results(f"Pair({x})", [graph.size] * 2, [x])
            one, other = (f"{name}[{place}]" for place in draw.order(2))
            sums = draw.one_of([f"({one} + {other}) + {y}", f"{one} + ({y} + {other})", f"({y} + {one}) + {other}"])
            factors = [draw.one_of(["", " * 5", " * 2"]) for _ in range(2)]
            code = f"{y} * 7 + ({one}{factors[0]} + {other}{factors[1]} + ({sums}))"
            code = draw.one_of([code, f"{y} * 7 + ({one} + {y})"])
            graph.backward((graph.result(code, operands=[x, y]), graph.size))
        case 9:
            x = draw.one_of(graph.leaves)
            name = graph.results(f"thrice({x})", [graph.size] * 6, [x])
            operands = ", ".join(f"{name}[{number}]" for number in (0, 2, 4, 1, 3, 5))
            graph.backward((graph.result(f"Total({operands})", (1,), [x]), (1,)))
        case 10 if gone:
            y, one, other = draw.one_of(graph.leaves), graph.leaf(), graph.leaf()
            for leaf in (one, other):
                graph.register(leaf, f"note({leaf!r})")
            root = graph.result(f"{one} * {y} + {other} * {y}", operands=[y, one, other])
            for leaf in (one, other):
                graph.drop([leaf])
            graph.backward((root, graph.size))
        case 11:  # by the engine's own method, whose last argument is left out
            x, gradient = draw.one_of(graph.leaves), graph.name("g")
            root = graph.result(f"{x} * {x}", operands=[x])
            graph.add(f"{gradient} = {graph.tensor()}")
            for _ in range(2):
                graph.add(f"Variable._execution_engine.run_backward({root}, {gradient})")
        case 12:  # what is left of the graph is a part of another
            x = draw.one_of(graph.leaves)
            y = graph.result(f"{x} + 1", operands=[x])
            first, second = (graph.result(f"{y} + {number}", operands=[y]) for number in (1, 2))
            graph.backward((first, graph.size))
            graph.lines[-1] = f"{graph.lines[-1][:-1]}, retain_variables=False)"
            graph.backward((second, graph.size))
        case 13:  # a hook runs the backward of another graph with the same leaf
            x = draw.one_of(graph.leaves)
            inner, y = (graph.result(f"{x} * {factor}", operands=[x]) for factor in (5, 2))
            graph.register(y, f"note({y!r}, 'runs', {inner})")
            root = graph.result(f"{y} + {x} * 3", operands=[y, x]) if draw.chance(0.5) else y
            graph.backward((root, graph.size))
    if nothing and draw.chance(0.15):  # a constant requires a gradient between its two uses
        x, c = draw.one_of(graph.leaves), graph.leaf(requires_grad=False)
        before = graph.result(f"{x} * {c}", operands=[x])
        graph.add(f"{c}.requires_grad = True")
        graph.backward((graph.result(f"{before} + {x} * {c}", operands=[x]), graph.size))


def writes(steps, anew=ENGINE, nothing=True, gone=True, more=True):
    """Return a function that writes programs of these steps. `anew` is a line that makes an engine.

    `nothing` says whether Functions may be there that receive no gradient at all, or None for one of several uses (the
    Mul of exercise 7 has a gradient for constants, too), and `gone` whether a leaf may have lost its Variable: the Leaf
    of exercise 3 needs it. `more` says whether graphs of other kinds follow, which are not in the programs of one part:
    a mistake there costs that part alone.
    """

    def make(graph):
        graph.add(anew)
        graph.some_leaves()
        graph.steps(steps, graph.draw.whole(1, 6 if graph.kind != "Half" else 3))
        graph.hooks()
        graph.backwards(anew)
        if not more:
            return
        _more(graph, nothing, gone)
        if graph.draw.chance(0.2):  # a leaf is the root, twice
            line = graph.backward((graph.draw.one_of(graph.leaves), graph.size))
            graph.add(line)
        if graph.draw.chance(0.2):  # two views of one gradient meet
            x, (view, size) = graph.leaf(size=(2, 2)), graph.draw.one_of([("t()", (2, 2)), ("view(4)", (4,))])
            y = graph.result(f"{x} * 1", (2, 2), [x])
            graph.backward((graph.result(f"{y}.{view} + {y}.{view}", size, [y]), size))
        if graph.draw.chance(0.2) and 0 not in graph.size:  # one output of three, used twice
            outputs, number = graph.name(), graph.draw.whole(0, 2)
            one, size = f"{outputs}[{number}]", (graph.size, (1,), (1,))[number]
            graph.add(f"{outputs} = Parts({graph.leaf()})")
            graph.backward((graph.result(f"{one} * 3 + {one}", size), size))
        if gone and graph.draw.chance(0.2):  # a leaf whose Variable is gone
            other, x = graph.leaves[0], graph.leaf()
            result = graph.result(f"{x} * {other}", operands=[x, other])
            if graph.drop([x]):
                graph.backward((result, graph.size))
        if graph.draw.chance(0.25):  # the gradient of a sum, itself a sum, waits at two operands for another one
            x = graph.leaves[0]
            p, q = (graph.result(f"{x} * {factor}", operands=[x]) for factor in (2, 3))
            both = graph.result(f"{p} + {q}", operands=[p, q])
            code = graph.draw.one_of([f"{p} * {q} + ({both} + {both})", f"{both} + {both} + {p} * {q}"])
            graph.backward((graph.result(code, operands=[p, q]), graph.size))
        if graph.draw.chance(0.25) and 0 not in graph.size:  # outputs that are gone leave their ids
            x, count = graph.leaves[0], graph.draw.whole(2, 5)
            one = graph.result(f"sum([Pair({x})[n % 2] * Pair({x})[0] for n in range({count})], {x})", operands=[x])
            other = graph.result(f"{one} * {one} + {x} * Pair({one})[1]", operands=[one, x])
            graph.backward((graph.result(f"{one} + {other} * {x}", operands=[one, other, x]), graph.size))
            outputs = graph.results(f"id_of_gone({x})", [graph.size] * 2, [x])
            code = graph.draw.one_of(["{0}[1] * 3 + {0}[1] * 5 * {0}[0]", "{0}[0] * ({0}[1] * 5) + {0}[1] * 3"])
            graph.backward((graph.result(code.format(outputs), operands=[x]), graph.size))

    return make
