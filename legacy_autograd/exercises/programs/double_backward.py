"""The derivatives of derivatives, and functions for a hessian: what exercise 10 draws."""


def writes(name):
    def make(graph):
        draw = graph.draw

        def call():
            size = graph.size if draw.chance(0.7) else draw.size()
            wanted = draw.pick("requires_grad")
            twice = wanted == "all" and draw.pick("places") == "twice"
            scale = 1 if twice else draw.one_of([1, 1, 1, 5000, 1 / 5000])
            operands = [_leaf(graph, name, size, scale=scale, ones=scale == 1 and not twice and draw.chance(0.2))]
            if twice:
                operands *= 2
            else:
                operands.append(_leaf(graph, name, size, wanted == "all", is_exponent=True))
            function = graph.name("f")
            graph.add(f"{function} = {name}()")
            y = graph.result(f"{function}({', '.join(operands)})[0]", size, operands, letter="y")
            return y, operands, size

        calls = [call() for _ in range(2 if draw.pick("again", ("once", "second", "another")) == "another" else 1)]
        for y, operands, size in calls[: draw.whole(1, 2)]:
            if draw.chance(0.6):
                graph.add(f"{y}.backward({graph.tensor(size, zeros=False)})")
            total, wanted = graph.name("t"), list(dict.fromkeys(operands))
            wanted = [operand for operand in wanted if graph.requires(operand)]
            graph.add(f"{total} = ({' * '.join([y, *operands])}).sum()")
            for order in range(draw.whole(2, 3 if graph.kind == "Double" else 2), 0, -1):
                gradients = graph.name("d")
                graph.add(f"{gradients} = grad({total}, [{', '.join(wanted)}]{', create_graph=True' * (order > 1)})")
                if order > 1:
                    total = graph.name("t")
                    squares = [f"({gradients}[{n}] * {gradients}[{n}]).sum()" for n in range(len(wanted))]
                    graph.add(f"{total} = {' + '.join(squares)}")

    return make


def _leaf(graph, name, size, requires_grad=True, is_exponent=False, scale=1, ones=False):
    """Add a leaf without zeros for that operation; return its name. A DoubleTensor for Pow is multiplied by `scale`.

    With `ones` all numbers that Pow takes are 1.

    One that Pow takes is positive, and all exponents are twelfths: at whole exponents the higher derivatives of the
    package's own power are those of modern torch, which depend on the formula.
    """
    leaf = graph.leaf(requires_grad, size, zeros=False)
    if name == "Pow":
        numbers = graph.draw.numbers(size, "ordinary", zeros=False) * 4
        numbers = numbers.astype(int) if is_exponent else abs(numbers).astype(int)
        if ones:
            numbers[:] = 12
        constant = "" if requires_grad else ", requires_grad=False"
        scale = scale if graph.kind == "Double" else 1
        graph.lines[-1] = f"{leaf} = Variable({graph.kind}Tensor({(numbers * scale).tolist()}) / 12{constant})"
    return leaf


def _terms(graph, count, scale):
    """Return the texts of functions of `v` with that many elements; some use other Variables of the lines."""
    draw = graph.draw

    def weights(requires_grad=False):
        name = graph.name("w")
        numbers = (draw.numbers((count,), "digits", zeros=False) * scale).tolist()
        graph.add(f"{name} = Variable(DoubleTensor({numbers}){'' if requires_grad else ', requires_grad=False'})")
        return name

    some = draw.whole(0, count - 1)
    kinds = {
        "squares": lambda: "(v * v).sum()",
        "cubes": lambda: f"(v * v * v * {weights()}).sum()",
        "products": lambda: " * ".join(f"(v * {weights()}).sum()" for _ in range(draw.whole(2, 3))),
        "linear": lambda: f"(v * {draw.whole(2, 5)}).sum()",
        "another leaf": lambda: f"(v * {weights(True)}).sum()",
        "a part": lambda: f"v[{some}].exp()",
        "two elements": lambda: f"v[{some}] * v[{draw.whole(0, count - 1)}] * v[0]",
        "your Mul": lambda: "(Mul()(v, v)[0] * v).sum()",
        "constant": lambda: f"(v * 0).sum() + {weights(True)}.sum()",
    }
    return [kinds[draw.one_of(list(kinds))]() for _ in range(draw.whole(1, 3))]


def writes_hessians(graph):
    draw, graph.kind = graph.draw, "Double"
    again = draw.pick("again")
    for turn in range(1 if again == "once" else 2):
        if turn == 0 or again == "another":
            count = draw.whole(1, 6)
            x = graph.leaf(size=(count,), zeros=False)
            if draw.chance(0.6):
                graph.add(f"({x} * 5).backward({graph.tensor((count,))})")
            graph.add(f"{graph.name('k')} = {x}.grad")
        scale = draw.one_of([1, 1, 1e4, 1e7])
        function = " + ".join(_terms(graph, count, scale))
        if turn and draw.chance(0.5):
            graph.add(f"{x}.data.mul_(-0.5)")  # the same leaf with other numbers
        raises = again == "after an exception" and turn == 0
        error = f", {draw.one_of(['ArithmeticError', 'RuntimeError', 'TypeError', 'ValueError'])}" if raises else ""
        graph.add(f"{graph.name('h')} = hessian(asked(lambda v: {function}, {x}{error}), {x})")
    if draw.chance(0.3):  # the same function, and the same leaf with other numbers; or the function has another
        same, weights = graph.name("q"), graph.name("w")
        graph.add(f"{weights} = [2]")
        graph.add(f"{same} = lambda v: ({function}) * {weights}[0]")
        graph.add(f"{graph.name('h')} = hessian({same}, {x})")
        graph.add(f"{x}.data.mul_(-2)")
        graph.add(f"{graph.name('h')} = hessian({same}, {x})")
        graph.add(f"{weights}[0] = 5")
        graph.add(f"{graph.name('h')} = hessian({same}, {x})")
