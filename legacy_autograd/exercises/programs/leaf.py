"""The programs whose leaves are the student's: what exercise 3 draws."""


def _leaf(graph, size=None):
    """Add a leaf whose creator is the student's, and return its name."""
    name = graph.leaf(size=size)
    graph.add(f"{name}.creator = Leaf({name}, True)")
    return name


def _begin(graph):
    """Add leaves, the student's, and results of them."""
    graph.some_leaves()
    for name in graph.leaves:
        graph.add(f"{name}.creator = Leaf({name}, True)")
    graph.steps(["arithmetic", "arithmetic", "sums", "reused", "view", "handed_on"], graph.draw.whole(0, 2))


def _root(graph):
    """Return a root of a backward: a leaf itself passes the gradient on as it is."""
    return (graph.draw.one_of(graph.leaves), graph.size) if graph.draw.chance(0.3) else graph.root()


def directly(graph):
    """Add a direct call, whose result is shown."""
    gradient = graph.name("g")
    graph.add(f"{gradient} = {graph.draw.tensor(graph.size, graph.kind)}")
    graph.add(f"show({graph.draw.one_of(graph.leaves)}.creator._do_backward({gradient}))")


def backwards(graph):
    match graph.draw.pick("again", ("once", "second", "interleaved", "another")):
        case "once":
            directly(graph) if graph.draw.chance(0.3) else graph.backward(_root(graph))
        case "second":
            line = graph.backward(_root(graph))
            for _ in range(graph.draw.whole(1, 4)):
                graph.add(line)
        case "interleaved":
            line = graph.backward(_root(graph))
            graph.backward(_root(graph))
            graph.add(line)
        case "another":
            line = graph.backward(_root(graph))
            name = graph.draw.one_of(graph.leaves)
            graph.add(f"{name}.creator = Leaf({name}, True)")
            graph.backward((name, graph.size))
            graph.add(line)


def on_the_sum(graph):
    """Add a line of code that reads or changes `x.grad` between backwards."""
    x = graph.draw.one_of(graph.leaves)
    match graph.draw.whole(0, 4):
        case 0 | 1:
            graph.add(f"{graph.name('k')} = {x}.grad")
        case 2:
            graph.add(f"{x}.grad.zero_()")
        case 3:
            graph.add(f"{x}.grad.mul_(10)")
        case 4:
            graph.add(f"{x}.grad = {graph.tensor()}.clone()")


def hooks(graph):
    """Register hooks of one kind on leaves. Those of them that raise go after their backward.

    No hook goes while an outer call still has to come to it: it is free whether it is called again.
    """
    kinds, there = set(graph.draw.dimensions["hooks"]), " ".join(graph.lines)
    if "'runs'" in there:
        kinds -= {"runs", "removes"}
    elif "'removes'" in there:
        kinds -= {"runs"}
    kind, other = graph.draw.pick("hooks", kinds), None
    handles = []
    for _ in range({"none": 0, "several": graph.draw.whole(2, 5), "removes": graph.draw.whole(1, 3)}.get(kind, 1)):
        x, hook = graph.draw.one_of(graph.leaves), graph.name("h")
        label = repr(f"{graph.draw.one_of('abcdefgh')}{hook}")
        if kind == "runs":
            other = graph.draw.one_of(
                [*graph.differentiable, graph.result(f"{x} * {x} + {x}", operands=[x]), _leaf(graph)]
            )
        elif kind == "raises":
            other = graph.draw.one_of(["ArithmeticError", "KeyError", "TypeError", "AttributeError", "IndexError"])
        asked = "" if kind in ("one", "several") else f", {kind!r}" + (f", {other}" if other else "")
        graph.add(f"{hook} = {x}.register_hook({label}, note({label}, {x}{asked}))")
        handles.append(hook)
    if kind == "raises":
        graph.draw.pick("again", ("after an exception",))
        line = graph.backward(_root(graph))
        if graph.draw.chance(0.5):
            graph.add(f"{graph.name('k')} = {graph.draw.one_of(graph.leaves)}.grad.clone()")
        graph.add(f"{handles[0]}.remove()")
        graph.add(line)
    elif handles and kind not in ("runs", "removes") and graph.draw.chance(0.5):
        backwards(graph)
        graph.add(f"{graph.draw.one_of(handles)}.remove()")


def writes(*actions):
    def make(graph):
        _begin(graph)
        for _ in range(graph.draw.whole(1, 4)):
            graph.draw.one_of(actions)(graph)
        backwards(graph)

    return make
