"""The programs that draw their graphs: what exercise 9 draws."""

from .functions import NAMES


def _draws(graph):
    """Add leaves of several sizes, steps, and Functions of one to seven operands of any sizes."""
    grads = {"all": [True], "some": [True, False], "none": [False]}[graph.draw.pick("requires_grad")]
    for _ in range(graph.draw.whole(1, 3)):
        graph.leaf(graph.draw.one_of(grads))
        if graph.draw.pick("places", ("apart", "shared")) == "shared":
            graph.shared(graph.any_of(), graph.draw.one_of(grads))
    for _ in range(graph.draw.whole(0, 3)):
        graph.leaf(graph.draw.one_of(grads), graph.draw.size())
    if graph.draw.chance(0.3):
        graph.leaf(graph.draw.one_of(grads), graph.draw.one_of([(1, 2, 1, 1, 3, 2), (2, 3, 1, 1)]))
        grad = graph.draw.one_of(grads)
        long = graph.leaf(grad, (1, 1))
        graph.lines[-1] = f"{long} = Variable({graph.kind}Tensor([[0.5]]).expand(1200, 1), requires_grad={grad})"
    steps = ["arithmetic", "reused", "view", "sums", "handed_on", "outputs", "diamonds", "selected", "without_gradient"]
    graph.steps([*steps, "total"], graph.draw.whole(0, 5))
    total = graph.total()
    if graph.draw.chance(0.5):
        own = [f"Own{name}" for name in NAMES]
        name = graph.draw.one_of(["Add1", "LikeALeaf", "_Plus_2_", "TheSumOfANumberAndOfTheNumberThree", *own])
        return graph.result(f"{name}({total})", (1,), [total])
    return total


def one(graph):
    root = _draws(graph)
    if graph.leaves and graph.draw.chance(0.1):  # its shape is that of the Tensor that it has now
        graph.add(f"{graph.draw.one_of(graph.leaves)}.data = {graph.tensor((2, 5))}")
    if graph.draw.chance(0.1):
        root = graph.draw.one_of([name for names in graph.by_size.values() for name in names if name[0] in "xc"])
    if graph.leaves and graph.draw.chance(0.3):
        name = graph.draw.one_of(graph.leaves)
        graph.add(f"{graph.name('h')} = {name}.register_hook(note({name!r}))")
    graph.add(f"t = to_dot({root})")


def several(graph):
    """Draw one graph at least twice, with other uses of it and other drawings in between."""
    root = _draws(graph)
    if graph.draw.chance(0.2):
        graph.add(f"tried(lambda: to_dot({graph.draw.one_of([f'{root}.data', 'None'])}))")
    graph.add(f"t1 = to_dot({root})")
    if graph.draw.chance(0.3):
        graph.add(f"t = to_dot({root})")
    again = graph.draw.pick("again")
    if again == "interleaved":
        graph.add(f"t = to_dot({graph.draw.one_of([name for names in graph.by_size.values() for name in names])})")
    elif again == "another":
        graph.add(f"t = to_dot({root} * 2 + {graph.leaf()})")
    elif again == "second" and graph.requires(root):
        graph.add(f"{root}.backward()")
    if graph.leaves and graph.draw.chance(0.3):  # another graph: a leaf is a constant now
        for name in dict.fromkeys(graph.draw.one_of(graph.leaves) for _ in range(3)):
            graph.add(f"{name}.creator.requires_grad = False")
    graph.add(f"t2 = to_dot({root})")
    if graph.requires(root):
        graph.add(f"{root}.backward()")
