"""The programs whose leaves are the student's: what exercise 3 draws."""

from .dimensions import ERRORS


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


def directly(graph, leaf=None):
    """Add a direct call, of this leaf or of any, whose result is shown."""
    gradient = graph.name("g")
    graph.add(f"{gradient} = {graph.draw.tensor(graph.size, graph.kind)}")
    graph.add(f"show({leaf or graph.draw.one_of(graph.leaves)}.creator._do_backward({gradient}))")


def backwards(graph):
    match graph.draw.pick("again", ("once", "second", "interleaved", "another")):
        case "once":
            directly(graph) if graph.draw.chance(0.3) else graph.backward(_root(graph))
        case "second":
            line = graph.backward(_root(graph))
            for _ in range(graph.draw.whole(1, 4)):
                graph.add(f"handling(lambda: {line})" if graph.draw.chance(0.15) else line)
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
    """Add a line of code that reads, changes or passes on `x.grad` between backwards."""
    x = graph.draw.one_of(graph.leaves)
    match graph.draw.whole(0, 7):
        case 0 | 1:
            graph.add(f"{graph.name('k')} = {x}.grad")
        case 2:
            graph.add(f"{x}.grad.zero_()")
        case 3:
            graph.add(f"{x}.grad.mul_(10)")
        case 4:
            tensor = graph.tensor()
            graph.add(f"{x}.grad = {tensor}{'.clone()' if 'expand' in tensor else ''}")
            graph.add(f"{graph.name('k')} = {x}.grad")
        case 5:
            graph.add(f"{graph.name('k')} = {x}.grad.transpose(0, 0)")  # a view
        case 6 | 7 if not any("register_hook" in line for line in graph.lines):
            graph.draw.used.add(("places", "shared"))
            graph.add(f"{x}.backward({x}.grad)")  # the sum itself is the gradient


def hooks(graph):
    """Register hooks of one kind on leaves. Those of them that raise go after their backward.

    No hook goes while an outer call still has to come to it: it is free whether it is called again.
    """
    kinds, there = set(graph.draw.dimensions["hooks"]), " ".join(graph.lines)
    if "'runs'" in there or "'again'" in there:
        kinds -= {"runs", "again", "removes"}
    elif "'removes'" in there:
        kinds -= {"runs", "again"}
    if graph.draw.chance(0.5):  # what a wrong answer rarely survives
        kinds = {"raises", "replaces"}
    kind, other = graph.draw.pick("hooks", kinds), None
    handles = {}  # {name of a handle: its leaf and the label}
    counts = {"none": 0, "several": graph.draw.whole(2, 5), "removes": graph.draw.whole(1, 3)}
    leaves = [graph.draw.one_of(graph.leaves)] if kind == "several" and graph.draw.chance(0.5) else graph.leaves
    for _ in range(counts.get(kind, 1)):
        x, hook = graph.draw.one_of(leaves), graph.name("h")
        label = repr(f"{graph.draw.one_of('abcdefgh')}{hook}")
        if kind in ("runs", "again"):
            same, another = graph.result(f"{x} * {x} + {x}", operands=[x]), _leaf(graph)
            if kind == "again" or graph.draw.chance(0.5):
                other = same
            else:
                other = graph.draw.one_of([*graph.differentiable, another])
        elif kind == "raises":
            other = graph.draw.one_of(ERRORS)
        elif kind == "replaces" and graph.draw.chance(0.5):
            other = graph.draw.one_of(
                ["False", "True", "0", "()", "'a text'", "DoubleTensor([5.0])", "DoubleTensor([5.0, 0.0])"]
            )
        elif kind == "sets":
            other = graph.draw.one_of([-1.5, 0.5, 2])
        asked = "" if kind in ("one", "several") else f", {kind!r}" + (f", {other}" if other else "")
        function = f"note({label}, {x}{asked})"
        if kind == "twice":
            function = graph.name("n")
            graph.add(f"{function} = note({label}, {x})")
            graph.add(f"{x}.register_hook({repr(graph.name('h'))}, {function})")
        elif graph.draw.seed % 4 == 0:
            function = f"Empty({function})"
        graph.add(f"{hook} = {x}.register_hook({label}, {function})")
        if kind == "several" and graph.draw.chance(0.3):  # without a name
            graph.add(f"{x}.creator.register_hook({function})")
        handles[hook] = x, label
    if kind == "raises":
        graph.draw.pick("again", ("after an exception",))
        if graph.draw.chance(0.5):  # a hook behind the one that raises
            label = repr(graph.name("h"))
            graph.add(f"{x}.register_hook({label}, note({label}, {x}))")
        line = graph.backward((x, graph.size) if graph.draw.chance(0.6) else _root(graph))
        if graph.draw.chance(0.5):
            graph.add(f"{graph.name('k')} = {graph.draw.one_of(graph.leaves)}.grad.clone()")
        if graph.draw.chance(0.5):  # it raises again
            graph.add(line)
        graph.add(f"{hook}.remove()")
        graph.add(line)
        place = ERRORS.index(other)
        for error in (ERRORS[place - 3], ERRORS[place - 6]):
            hook, label = graph.name("h"), repr(graph.name("z"))  # the last by name, too
            graph.add(f"{hook} = {x}.register_hook({label}, note({label}, {x}, 'raises', {error}))")
            graph.add(line)
            graph.add(f"{hook}.remove()")
    elif kind in ("replaces", "sets", "twice"):
        label = repr(graph.name("h"))
        graph.add(f"{x}.register_hook({label}, note({label}, {x}, 'replaces', False))")  # behind the others
        directly(graph, x)
    elif kind in ("runs", "again") and graph.draw.chance(0.7):  # a second hook, for the backward within the first
        label = repr(graph.name("h"))
        graph.add(f"{x}.register_hook({label}, note({label}, {x}))")
        graph.backward((x, graph.size))
    elif handles and kind not in ("runs", "removes") and graph.draw.chance(0.5):
        backwards(graph)
        hook = graph.draw.one_of(list(handles))
        graph.add(f"{hook}.remove()")
        if graph.draw.chance(0.8):  # another one takes its name
            x, label = handles[hook]
            graph.add(f"{x}.register_hook({label}, note('another', {x}))")


def _more(graph, with_hooks):
    """Add backwards of one leaf between which the gradient changes or, with hooks, these."""
    draw, x, name, gradient = graph.draw, _leaf(graph, (2, 2)), graph.name("h"), graph.name("g")
    graph.add(f"{gradient} = {graph.tensor((2, 2))}")
    names = [name + letter for letter in "abcd"]
    hooks = f"{x}.creator.backward_hooks"

    def register(*names, action=None):
        for name in names:
            graph.add(f"{x}.register_hook({name!r}, {action or f'note({graph.name()!r}, {x})'})")

    match draw.whole(0, 4) if with_hooks else 4:
        case 0:  # a hook that removes one that has run, or two
            gone = names[: draw.whole(1, 2)]
            register(*gone, action="lambda *_: None")
            register("removes", action=f"lambda *_: [{hooks}.pop(name, None) for name in {gone}]")
            register(*names[2:])
        case 1:  # a hook that removes itself, and registers another
            one, another, *others = names
            swap = f"{hooks}.pop({one!r}, None) and {hooks}.setdefault({another!r}, lambda *_: None)"
            register(one, action=f"lambda *_: [{swap}]")
            register(*others)
        case 2:  # another hook with the name of one that was removed
            register(names[0])
            graph.add(f"{x}.backward({gradient})")
            graph.add(f"{x}.creator.remove_hook({names[0]!r})")
            register(names[0])
        case 3:  # no hooks after several
            gone = names[: draw.whole(1, 3)]
            register(*gone)
            graph.add(f"{x}.backward({gradient})")
            for name in gone:
                graph.add(f"{x}.creator.remove_hook({name!r})")
        case 4:  # the caller writes into its gradient
            if "expand" in graph.lines[-1]:
                graph.lines[-1] += ".clone()"
            graph.add(f"{x}.backward({gradient})")
            graph.add(f"rewrite({gradient})")
    graph.add(f"{x}.backward({gradient})")


def writes(*actions):
    def make(graph):
        _begin(graph)
        for _ in range(graph.draw.whole(1, 4)):
            graph.draw.one_of(actions)(graph)
        backwards(graph)
        _more(graph, hooks in actions)

    return make
