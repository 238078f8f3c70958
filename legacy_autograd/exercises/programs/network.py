"""The programs with a layer, a loss and an optimizer: what exercise 11 draws."""

from .dimensions import text_of
from .run_backward import ENGINE, STEPS, writes

# Which of x, weight and bias require a gradient, and the place of these gradients in the result.
_OF_THESE = {
    (True, True, True): "",
    (False, True, True): "[1:]",
    (True, False, True): "[::2]",
    (True, True, False): "[:2]",
    (False, False, True): "[2:]",
}
_NEEDS = [(False, True, True), *list(_OF_THESE)[1:]]


_engines = writes(["arithmetic", *STEPS["own"], "diamonds"], nothing=False, gone=False)


def engines(graph):
    """Add a graph of exercise 5, or one with Functions that receive None: it is free whether those run on zeros."""
    if graph.draw.chance(0.7):
        _engines(graph)
        return
    graph.add(ENGINE)
    graph.some_leaves()
    graph.steps(["without_gradient", "without_gradient", "arithmetic"], graph.draw.whole(1, 6))
    line = graph.backward(graph.root())
    graph.add(line)


def _variable(graph, tensor, requires_grad=True):
    """Add a Tensor that must not be written into, and a Variable of it. Return the Variable's name."""
    data, name = graph.name("d"), graph.name("x")
    graph.add(f"{data} = {tensor}")
    graph.add(f"{name} = Variable({data}{'' if requires_grad else ', requires_grad=False'})")
    return name


def _parameter(graph, size, requires_grad=True):
    return _variable(graph, f"DoubleTensor({text_of(graph.draw.numbers(size, 'ordinary'))})", requires_grad)


def _gradient(graph, size):
    name = graph.name("g")
    graph.add(f"{name} = {graph.tensor(size)}")
    return name


def linears(graph):
    calls, sizes = [], None
    for _ in range(graph.draw.whole(1, 3)):
        if sizes is None or graph.draw.chance(0.5):  # else the size of the call before
            n = graph.draw.length_once() or graph.draw.whole(1, 4)
            sizes = n, graph.draw.whole(1, 4), graph.draw.whole(1, 4)
        n, inputs, outputs = sizes
        all_need = graph.draw.pick("requires_grad") == "all"
        needs = (True, True, True) if all_need else graph.draw.one_of(_NEEDS)
        x = _variable(graph, graph.tensor((n, inputs)), needs[0])
        twice = all_need and graph.draw.pick("places", ("apart", "twice")) == "twice" and n < 30
        w, outputs = (x, n) if twice else (_parameter(graph, (outputs, inputs), needs[1]), outputs)
        operands = f"{x}, {w}, {_parameter(graph, (outputs,), needs[2])}"
        calls.append((_linear(graph, operands), (n, outputs), needs))
    for f, size, needs in [*calls, *calls[:1], *calls[-1:]]:
        g = _gradient(graph, size)
        _ask_linear(graph, f, g, needs)
    if graph.draw.chance(0.7) and not twice:  # an operand changes in place, or two
        names = operands.split(", ")[any("expand" in line for line in graph.lines) :]
        for name in dict.fromkeys([graph.draw.one_of(names), graph.draw.one_of(names)]):
            graph.add(f"rewrite({name}.data, -3)")
        _ask_linear(graph, _linear(graph, operands), g, needs)
    constants = ", ".join(_variable(graph, tensor, False) for tensor in _plain(graph.draw))
    for _ in range(2):
        y = graph.name("y")
        graph.add(f"{y} = Linear()({constants})[0]")
        graph.add(f"rewrite({y}.data)")  # the result is the caller's, and is not a part of an operand
        graph.add(f"rewrite({constants.split(', ')[0]}.data, -3)")
    for weight in ("[[1.0, 0.0], [0.0, 1.0]]", "[[1.0, 2.0], [0.0, -3.0]]"):  # of one first row
        weight = f"Variable(DoubleTensor({weight}).t())"
        graph.add(f"{graph.name('y')} = Linear()({constants.split(', ')[0]}, {weight}, {constants.split(', ')[2]})[0]")


def _plain(draw):
    """Return the texts of x, weight and bias with zeros, or with the unit matrix as the weight."""
    zeros, unit = "DoubleTensor(2, 2).zero_()", "DoubleTensor([[1.0, 0.0], [0.0, 1.0]])"
    x, weight = (draw.one_of([zeros, unit, "DoubleTensor([[1.5, 2.0], [3.0, -1.0]])"]) for _ in range(2))
    return x, weight, "DoubleTensor([0.5, -2.0])"


def _linear(graph, operands):
    """Add a call of a new Linear, and return the Function's name."""
    f, y = graph.name("f"), graph.name("y")
    graph.add(f"{f} = Linear()")
    graph.add(f"{y} = {f}({operands})[0]")
    return f


def _ask_linear(graph, f, gradient, needs):
    names = [graph.name(name) for name, needed in zip(("rx", "rw", "rb"), needs) if needed]
    graph.add(f"{', '.join(names)}, = {f}._do_backward({gradient}){_OF_THESE[needs]}")


def losses(graph):
    calls = []
    for _ in range(graph.draw.whole(1, 3)):
        n, classes = graph.draw.length_once() or graph.draw.whole(1, 4), graph.draw.one_of([2, 3, 4, 12])
        targets, f, y = (graph.name(letter) for letter in "kfy")
        scale = graph.draw.one_of(["", "", " * 10", " * 372", " * 1000"])  # e ** -744 has one digit
        x = _variable(graph, (scores := graph.tensor((n, classes)) + scale))
        graph.add(f"{targets} = {[graph.draw.whole(0, classes - 1) for _ in range(n)]}")
        graph.add(f"{f} = CrossEntropy({targets})")
        graph.add(f"{y} = {f}({x})[0]")
        calls.append(f)
    for f in [*calls, *calls[:1], *calls[-1:]]:
        graph.add(
            f"{graph.name('rs')} = {f}._do_backward(DoubleTensor([{graph.draw.one_of([1.0, -2.0, 0.5, 0.0])}]))[0]"
        )
    if graph.draw.chance(0.5):  # other scores with the same targets; then the first are asked
        other, gradient = graph.name("f"), graph.name("g")
        graph.add(f"{gradient} = DoubleTensor([{graph.draw.one_of([1.0, -2.0, 0.5])}])")
        y = _variable(graph, graph.tensor((n, classes)) + scale)
        _entropy(graph, other, targets, y)
        graph.add(f"{graph.name('rs')} = {f}._do_backward({gradient})[0]")
        graph.add(f"{graph.name('rs')} = {other}._do_backward({gradient})[0]")
    elif "expand" not in scores or scale:  # the scores or the targets have changed in place
        other = graph.name("f")
        if graph.draw.chance(0.5):
            graph.add(f"rewrite({x}.data, -0.5)")
        else:
            graph.add(f"{targets}[0] = ({targets}[0] + 1) % {classes}")
        _entropy(graph, other, targets, x)
        graph.add(f"{graph.name('rs')} = {other}._do_backward(DoubleTensor([1.0]))[0]")


def _entropy(graph, f, targets, scores):
    """Add a call of a new CrossEntropy, the Function `f`."""
    graph.add(f"{f} = CrossEntropy({targets})")
    graph.add(f"{graph.name('y')} = {f}({scores})[0]")


def steps(graph):
    optimizers = []
    for _ in range(graph.draw.whole(1, 2)):
        names, sizes, size = [], [], graph.draw.size()
        if optimizers and graph.draw.chance(0.5):  # of the same leaves
            names, sizes = map(list, zip(*optimizers[0][1]))
        for _ in range(graph.draw.whole(1, 3) if not names else 0):
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
        for name, size in zip(names, sizes):
            if graph.draw.chance(0.2):  # a gradient is there before
                graph.add(f"{name}.grad.add_({graph.tensor(size)})")
        momentum = graph.draw.one_of(["", ", 0.5", ", momentum=0.9", ", 0.99", ", 1"])
        named, optimizer = graph.name("q"), graph.name("o")
        graph.add(f"{named} = [{', '.join(names)}]")
        graph.add(f"{optimizer} = SGD({named}, {graph.draw.one_of([0.1, 0.5, 1, 0.25, 0, 2])}{momentum})")
        optimizers.append((optimizer, [*zip(names, sizes)]))
    for _ in range(graph.draw.whole(2, 5)):
        optimizer, parameters = graph.draw.one_of(optimizers)
        if graph.draw.chance(0.6):
            if graph.draw.chance(0.3):
                name, size = graph.draw.one_of(parameters)
                graph.add(f"{name}.grad.add_({graph.tensor(size)})")
            graph.add(f"{optimizer}.zero_grad()")
            graph.add("see()")
        for name, size in parameters:
            if graph.draw.chance(0.8):
                graph.add(f"{name}.grad.add_({graph.tensor(size)})")
                if graph.draw.chance(0.05):
                    graph.add(f"{name}.requires_grad = False")
            for attribute in ("data", "grad"):
                if graph.draw.chance(0.05):
                    tensor = graph.tensor(size)
                    graph.add(f"{name}.{attribute} = {tensor}{'.clone()' * ('expand' in tensor)}")
        graph.add(f"{optimizer}.step()")
        graph.add("see()")
