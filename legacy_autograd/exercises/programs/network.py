"""The programs with a layer, a loss and an optimizer: what exercise 11 draws."""

from .dimensions import text_of


def _variable(graph, tensor, requires_grad=True):
    """Add a Tensor that must not be written into, and a Variable of it. Return the Variable's name."""
    data, name = graph.name("d"), graph.name("x")
    graph.add(f"{data} = {tensor}")
    graph.add(f"{name} = Variable({data}{'' if requires_grad else ', requires_grad=False'})")
    return name


def _parameter(graph, size):
    return _variable(graph, f"DoubleTensor({text_of(graph.draw.numbers(size, 'ordinary'))})")


def _gradient(graph, size):
    name = graph.name("g")
    graph.add(f"{name} = {graph.tensor(size)}")
    return name


def linears(graph):
    calls = []
    for _ in range(graph.draw.whole(1, 3)):
        n, inputs, outputs = (
            graph.draw.length_once() or graph.draw.whole(1, 4),
            graph.draw.whole(1, 4),
            graph.draw.whole(1, 4),
        )
        needs = graph.draw.pick("requires_grad") == "all"
        x = _variable(graph, graph.tensor((n, inputs)), needs)
        twice = needs and graph.draw.pick("places", ("apart", "twice")) == "twice"
        w, outputs = (x, n) if twice else (_parameter(graph, (outputs, inputs)), outputs)
        f, y = graph.name("f"), graph.name("y")
        graph.add(f"{f} = Linear()")
        graph.add(f"{y} = {f}({x}, {w}, {_parameter(graph, (outputs,))})[0]")
        calls.append((f, (n, outputs), needs))
    for f, size, needs in [*calls, *calls[:1], *calls[-1:]]:
        rx, rw, rb = (graph.name(name) for name in ("rx", "rw", "rb"))
        g = _gradient(graph, size)
        graph.add(f"{rx}, {rw}, {rb} = {f}._do_backward({g})" if needs else f"{rw}, {rb} = {f}._do_backward({g})[1:]")


def losses(graph):
    calls = []
    for _ in range(graph.draw.whole(1, 3)):
        n, classes = graph.draw.length_once() or graph.draw.whole(1, 4), graph.draw.whole(2, 4)
        targets, f, y = (graph.name(letter) for letter in "kfy")
        scale = graph.draw.one_of(["", "", " * 10", " * 1000"])
        x = _variable(graph, graph.tensor((n, classes)) + scale)
        graph.add(f"{targets} = {[graph.draw.whole(0, classes - 1) for _ in range(n)]}")
        graph.add(f"{f} = CrossEntropy({targets})")
        graph.add(f"{y} = {f}({x})[0]")
        calls.append(f)
    for f in [*calls, *calls[:1], *calls[-1:]]:
        graph.add(
            f"{graph.name('rs')} = {f}._do_backward(DoubleTensor([{graph.draw.one_of([1.0, -2.0, 0.5, 0.0])}]))[0]"
        )


def steps(graph):
    optimizers = []
    for _ in range(graph.draw.whole(1, 2)):
        names, sizes, size = [], [], graph.draw.size()
        for _ in range(graph.draw.whole(1, 3)):
            data = graph.name("p")
            sizes.append(size if graph.draw.chance(0.6) else graph.draw.size())
            names.append(graph.name("x"))
            tensor = graph.tensor(sizes[-1])
            graph.add(f"{data} = {tensor}{'.clone()' * ('expand' in tensor)}")
            graph.add(f"{names[-1]} = Variable({data})")
        if graph.draw.pick("places", ("apart", "shared")) == "shared":
            names.append(graph.name("x"))
            sizes.append(sizes[0])
            graph.add(f"{names[-1]} = Variable({names[0]}.data)")
        momentum = graph.draw.one_of(["", ", 0.5", ", momentum=0.9", ", 0.99"])
        named, optimizer = graph.name("q"), graph.name("o")
        graph.add(f"{named} = [{', '.join(names)}]")
        graph.add(f"{optimizer} = SGD({named}, {graph.draw.one_of([0.1, 0.5, 1, 0.25, 0])}{momentum})")
        optimizers.append((optimizer, [*zip(names, sizes)]))
    for _ in range(graph.draw.whole(2, 5)):
        optimizer, parameters = graph.draw.one_of(optimizers)
        if graph.draw.chance(0.6):
            graph.add(f"{optimizer}.zero_grad()")
            graph.add("see()")
        for name, size in parameters:
            if graph.draw.chance(0.8):
                graph.add(f"{name}.grad.add_({graph.tensor(size)})")
        graph.add(f"{optimizer}.step()")
        graph.add("see()")
