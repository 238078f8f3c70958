"""The programs with hooks that clip, log and average: what exercise 8 draws."""

_STEPS = ["arithmetic", "arithmetic", "reused", "view", "sums", "handed_on", "outputs", "diamonds", "selected"]


def _begin(graph, most=5):
    graph.some_leaves()
    graph.steps(_STEPS, graph.draw.whole(1, most))
    graph.hooks()


def _limit(graph):
    return graph.draw.one_of([0.5, 1, 1.25, 2.5, 4, 10])


def _again(graph, *lines):
    """Add the lines, and the last backward once more if its graph is still there."""
    last = graph.lines[-1]
    for line in lines:
        graph.add(line)
    if "retain_variables" not in last:
        graph.add(last)


def clips(graph):
    _begin(graph)
    handles = []
    for _ in range(graph.draw.whole(1, 3)):
        handles.append(graph.name("h"))
        graph.add(f"{handles[-1]} = clip({graph.draw.one_of(graph.differentiable)}, {_limit(graph)})")
    graph.hooks()
    graph.backwards(f"clip({graph.draw.one_of(graph.differentiable)}, {_limit(graph)})")
    _again(graph, f"{graph.draw.one_of(handles)}.remove()")


def _dictionary(graph):
    names = [graph.draw.one_of(graph.differentiable) for _ in range(graph.draw.whole(1, 4))]
    return "{" + ", ".join(f"'{graph.name('name ')}': {name}" for name in names) + "}"


def logging(graph):
    _begin(graph)
    stops = []
    for _ in range(graph.draw.whole(1, 2)):
        named, log = graph.name("d"), graph.name("log")
        stops.append(graph.name("s"))
        graph.add(f"{named} = {_dictionary(graph)}")
        graph.add(f"{log} = {graph.draw.one_of(['[]', repr([('before', 1.0)])])}")
        graph.add(f"{stops[-1]} = log_norms({named}, {log})")
    graph.hooks()
    graph.backwards(f"log_norms({_dictionary(graph)}, {log})")
    _again(graph, f"{graph.draw.one_of(stops)}()")


def averaging(graph):
    workers = graph.draw.whole(1, 4)
    graph.add(f"workers = {workers}")
    _begin(graph, 3)
    parameters = [name for name in graph.leaves if graph.draw.chance(0.7)] or graph.leaves[:1]
    named = graph.name("p")
    graph.add(f"{named} = [{', '.join(parameters)}]")
    graph.add(f"average({named}, all_reduce, workers)")
    graph.hooks()
    graph.backwards()
    for number, line in enumerate(graph.lines):  # constants and gradients differ from worker to worker
        factors = [graph.draw.one_of([1, 2, -1, 0.5, 0]) for _ in range(workers)]
        name, _, code = line.partition(" = ")
        if name[0] == "g":
            graph.lines[number] = f"{name} = {code} * {factors}[worker]"
