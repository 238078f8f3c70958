"""The programs that draw their graphs: what exercise 9 draws."""


def _draws(graph):
    """Add leaves of several sizes, steps, and Functions of one to seven operands of any sizes."""
    grads = {"all": [True], "some": [True, False], "none": [False]}[graph.draw.pick("requires_grad")]
    for _ in range(graph.draw.whole(1, 3)):
        graph.leaf(graph.draw.one_of(grads))
        if graph.draw.pick("places", ("apart", "shared")) == "shared":
            graph.shared(graph.any_of(), graph.draw.one_of(grads))
    for _ in range(graph.draw.whole(0, 3)):
        graph.leaf(graph.draw.one_of(grads), graph.draw.size())
    steps = ["arithmetic", "reused", "view", "sums", "handed_on", "outputs", "diamonds", "selected", "without_gradient"]
    graph.steps([*steps, "total"], graph.draw.whole(0, 5))
    return graph.total()


def one(graph):
    graph.add(f"t = to_dot({_draws(graph)})")


def several(graph):
    """Draw one graph at least twice, with other uses of it and other drawings in between."""
    root = _draws(graph)
    graph.add(f"t1 = to_dot({root})")
    again = graph.draw.pick("again")
    if again == "interleaved":
        graph.add(f"t = to_dot({graph.draw.one_of([name for names in graph.by_size.values() for name in names])})")
    elif again == "another":
        graph.add(f"t = to_dot({root} * 2 + {graph.leaf()})")
    elif again == "second" and graph.requires(root):
        graph.add(f"{root}.backward()")
    graph.add(f"t2 = to_dot({root})")
    if graph.requires(root):
        graph.add(f"{root}.backward()")
