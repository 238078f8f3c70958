"""The programs with hooks that clip, log and average: what exercise 8 draws."""

import re

from .dimensions import ERRORS

_STEPS = ["arithmetic", "arithmetic", "reused", "view", "sums", "handed_on", "outputs", "diamonds", "selected"]


def _begin(graph, most=5):
    graph.some_leaves()
    graph.steps(_STEPS, graph.draw.whole(1, most))
    graph.hooks()


def _limit(graph):
    return graph.draw.one_of([0.1, 0.5, 1.0, 1.25, 2.5, 4.0, 10.0])


def _again(graph, *lines):
    """Add the lines, and the last backward once more if its graph is still there."""
    last = graph.lines[-1]
    for line in lines:
        graph.add(line)
    if "retain_variables" not in last:
        graph.add(last)


def _repeated(graph):
    """Repeat the last backward in a loop, and return a new leaf. None if the graph may be gone.

    Functions that are made after a loop are not watched, so the gradients of the leaf are gone at once.
    """
    last = graph.lines[-1]
    if "backward" not in last or "retain_variables" in last or not graph.draw.chance(0.5):
        return None
    graph.add(f"for n in range(1, 6): {last[:-1]} * n)")
    return graph.leaf()


def _scale(graph):
    """Return a factor that makes gradients large, or small where the type has such numbers."""
    return graph.draw.one_of([1, 1e3, 1e-3, 1e-6, 1e-7] if graph.kind == "Double" else [1, 1e3])


def _backwards_of(graph, x, scale):
    """Add five backwards of that leaf, and return the gradient of the first, which has that factor."""
    gradient = graph.name("g")
    graph.add(f"{gradient} = {graph.tensor()} * {scale}")
    graph.add(f"for n in range(1, 6): ({x} * 2).backward({gradient} * n)")
    return gradient


def _resized(graph, x):
    """Give a leaf data of another size, and run a backward of it."""
    graph.add(f"{x}.data = {graph.tensor((2, 5))}")
    gradient = graph.name("g")
    graph.add(f"{gradient} = {graph.tensor((2, 5))}")
    graph.add(f"({x} * 2).backward({gradient})")


def clips(graph):
    _begin(graph)
    calls = {}  # {handle: the call}
    for _ in range(graph.draw.whole(1, 3)):
        handle = graph.name("h")
        calls[handle] = f"clip({graph.draw.one_of(graph.differentiable)}, {_limit(graph)})"
        graph.add(f"{handle} = {calls[handle]}")
    graph.hooks()
    dropped = graph.drop() if graph.draw.chance(0.4) else None
    graph.backwards(f"clip({graph.draw.one_of(graph.differentiable)}, {_limit(graph)})")
    if graph.draw.chance(0.5):
        x, scale = graph.leaf(), _scale(graph)
        graph.add(f"{graph.name('h')} = clip({x}, {_limit(graph) * scale})")
        graph.add(f"({x} * 2).backward({graph.tensor()} * {scale})")
    if x := _repeated(graph):
        scale = _scale(graph)
        graph.add(f"{graph.name('h')} = clip({x}, {_limit(graph) * scale})")
        gradient = _backwards_of(graph, x, scale)
        graph.add(f"({x} * 2).backward({gradient} * -5)")  # of the same norm
    handle = graph.draw.one_of(list(calls))
    again = graph.draw.chance(0.5) and f"clip({dropped}," not in calls[handle]
    _again(graph, f"{handle}.remove()", *[calls[handle]] * again)


def _dictionary(graph):
    names = [graph.draw.one_of(graph.differentiable) for _ in range(graph.draw.one_of([0, 1, 1, 2, 2, 3, 4, 6]))]
    texts = [f"name {letter}" for letter in "abcdefg"], ["a.w", "b.w", " c", "_d_", "W", "e 1", "f"]
    labels = graph.draw.one_of([*texts, range(7)])
    # A second dictionary has some of them, too.
    return "{" + ", ".join(f"{labels[place]!r}: {name}" for place, name in zip(graph.draw.order(7), names)) + "}"


def logging(graph):
    _begin(graph)
    stops = []
    for _ in range(graph.draw.whole(1, 2)):
        named, log = graph.name("d"), graph.name("log")
        stops.append(graph.name("s"))
        dictionary = _dictionary(graph)
        graph.add(f"{named} = {dictionary}")
        graph.add(f"{log} = {graph.draw.one_of(['[]', repr([('before', 1.0)])])}")
        graph.add(f"{stops[-1]} = log_norms({named}, {log})")
        if graph.draw.chance(0.3):  # another log of the same Variables
            other, stop = graph.name("log"), graph.name("s")
            graph.add(f"{other} = []")
            graph.add(f"{stop} = log_norms({dictionary}, {other})")
            if graph.draw.chance(0.5):  # stopped before any backward
                graph.add(f"{stop}()")
        if graph.draw.chance(0.4):  # the caller needs its dictionary no more, nor a Variable
            graph.add(f"{named}.clear()")
            if graph.draw.chance(0.6):
                graph.drop(re.findall(r"\bv\d+", dictionary))
    graph.hooks()
    graph.backwards(f"log_norms({_dictionary(graph)}, {log})")
    stop = graph.draw.one_of(stops)
    _again(graph, *[f"{stop}()"] * graph.draw.one_of([1, 1, 2]))
    if x := _repeated(graph):
        graph.add(f"{log} = []")
        graph.add(f"log_norms({{'x': {x}}}, {log})")
        _backwards_of(graph, x, _scale(graph))
        _resized(graph, x)


def averaging(graph):
    workers = graph.draw.whole(1, 6)
    graph.add(f"workers = {workers}")
    _begin(graph, 3)
    parameters = [name for name in graph.leaves if graph.draw.chance(0.7)] or graph.leaves[:1]
    named = graph.name("p")
    graph.add(f"{named} = [{', '.join(parameters)}]")
    if graph.draw.chance(0.5):  # the parameters have gradients before
        graph.backward(graph.root())
    all_reduce = f"refuses({graph.draw.one_of(ERRORS)})" if graph.draw.chance(0.15) else "all_reduce"
    graph.add(f"average({named}, {all_reduce}, workers)")
    others = [name for name in graph.leaves if name not in parameters or graph.draw.chance(0.2)]
    if others and graph.draw.chance(0.5):  # another group of parameters and of workers
        count, named = graph.draw.whole(2, 5), graph.name("p")
        graph.add(f"{named} = [{', '.join(others)}]")
        graph.add(f"average({named}, alone({count}), {count})")
    if graph.draw.chance(0.4):  # the caller needs its list no more, nor a parameter
        graph.add(f"{named}.clear()")
        if not others and graph.draw.chance(0.6):
            graph.drop(parameters)
    graph.hooks()
    graph.backwards()
    if workers < 3 and (x := _repeated(graph)):  # more workers would run the loops very often
        graph.add(f"average([{x}], all_reduce, workers)")
        _backwards_of(graph, x, _scale(graph))
        _resized(graph, x)
    for number, line in enumerate(graph.lines):  # constants and gradients differ from worker to worker
        factors = [graph.draw.one_of([1, 2, -1, 0.5, 0]) for _ in range(workers)]
        name, _, code = line.partition(" = ")
        if name[0] == "g":
            graph.lines[number] = f"{name} = {code} * {factors}[worker]"
