"""The derivatives of derivatives, and functions for a hessian: what exercise 10 draws."""

from .operations import asked_again


def writes(name):
    def make(graph):
        draw = graph.draw
        whole = draw.chance(0.4)  # exponents, at which a third derivative depends on the formula

        def call():
            size = graph.size if draw.chance(0.7) else draw.size()
            needs = [True, True] if draw.pick("requires_grad") == "all" else draw.one_of([[True, False], [False, True]])
            place = draw.pick("places") if all(needs) and not whole else "apart"
            scale = 1 if place != "apart" else draw.one_of([1, 1, 1, 5000, 1 / 5000])
            same = None  # a number that all elements of an operand have
            if place == "apart" and scale == 1 and draw.chance(0.3):
                same = draw.one_of([1, 2] if name == "Pow" else [0, 1, 2])
            operands = [_leaf(graph, name, size, needs[0], scale=scale, same=same)]
            if place == "twice":
                operands *= 2
            elif place == "shared":
                operands.append(graph.result(f"Variable({operands[0]}.data)", size, letter="x"))
            else:
                same = draw.one_of([None, 0, 1, 2, -1, -2] if whole else [None, None, 0.5])
                operands.append(_leaf(graph, name, size, needs[1], is_exponent=True, whole=whole, same=same))
            function = graph.name("f")
            graph.add(f"{function} = {name}()")
            y = graph.result(f"{function}({', '.join(operands)})[0]", size, operands, letter="y")
            return function, y, operands, size, place

        calls = [call() for _ in range(2 if draw.pick("again", ("once", "second", "another")) == "another" else 1)]
        for function, y, operands, size, place in calls[: draw.whole(1, 2)]:
            if draw.chance(0.6) or place == "shared":
                gradient = graph.name("g")
                graph.add(f"{gradient} = {graph.tensor(size, zeros=False)}")
                graph.add(f"{draw.one_of([y, function])}.backward({gradient})")
            if place == "shared":  # whose saved Tensors are operands of one or of the other
                continue
            total, wanted = graph.name("t"), _wanted(graph, operands)
            factors = operands if not whole or not graph.requires(operands[0]) else operands[:1]  # others may be 0
            graph.add(f"{total} = ({' * '.join([y, *factors])}).sum()")
            for order in range(draw.whole(2, 3 if graph.kind == "Double" and not whole else 2), 0, -1):
                gradients = graph.name("d")
                graph.add(f"{gradients} = grad({total}, [{', '.join(wanted)}]{', create_graph=True' * (order > 1)})")
                if order > 1:
                    total = graph.name("t")
                    of_each = [f"{gradients}[{n}]" for n in range(len(wanted))]
                    graph.add(f"{total} = {' + '.join(f'({one} * {one} + {one}).sum()' for one in of_each)}")
        _of_relatives(graph, name)
        function, y, operands, size, place = calls[0]
        if place != "shared" and draw.chance(0.3):
            _of_gradients(graph, y, operands, size)
        if all(map(graph.requires, operands)) and draw.chance(0.4):
            gradient = graph.name("g")
            graph.add(f"{gradient} = {graph.tensor(size, zeros=False)}")
            for asked in (gradient, f"in_reverse({gradient})"):  # of the same sum and norm
                graph.add(f"{graph.name('d')} = {function}.backward({asked})")
            if name == "Mul":  # whose backward does not need the result
                graph.add(f"rewrite({y}.data)")
                graph.add(f"{graph.name('d')} = {function}.backward({gradient})")
            asked_again(graph, name, operands, gradient, 2)
        if place != "shared" and not any("expand" in line for line in graph.lines) and draw.chance(0.3):
            wanted = ", ".join(_wanted(graph, operands))
            for _ in range(2):  # the same Variables, with other numbers the second time
                graph.add(f"{graph.name('d')} = grad({name}()({', '.join(operands)})[0].sum(), [{wanted}], "
                          "create_graph=True)")  # fmt: skip
                graph.add(f"rewrite({operands[0]}.data)")

    return make


def _wanted(graph, operands):
    """Return the operands that require a gradient, each once."""
    return [operand for operand in dict.fromkeys(operands) if graph.requires(operand)]


def _of_relatives(graph, name):
    """Differentiate an operation twice whose operands are results of one Function, parts of one leaf, or its views."""
    draw, x = graph.draw, graph.name("x")
    if name == "Pow" and graph.kind != "Double":
        return
    numbers = draw.one_of([[1.5, 2.25, 0.75, 2.5], [1.5, 1.5, 1.5, 1.5]])
    graph.add(f"{x} = Variable({graph.kind}Tensor({numbers}))")
    match draw.whole(0, 3):
        case 0:
            first, second = (f"{graph.results(f'Pair({x})', (), [x])}[{number}]" for number in draw.order(2))
        case 1:
            both = graph.results(f"{x}.chunk(2)", (), [x])
            first, second = f"{both}[0]", f"{both}[1]"
        case 2:
            first, second = f"{x}[0:2]", f"{x}[2:4]"
        case 3:
            first, second = f"{x}.view(2, 2)", f"{x}.view(2, 2).t()"
    if draw.chance(0.2):  # a constant over the same Tensor
        c = graph.name("c")
        graph.add(f"{c} = Variable({x}.data, requires_grad=False)")
        graph.add(f"{name}()({c}, {x})[0].sum().backward()")
    if draw.chance(0.4):  # a constant over the same Tensor, or one of the same numbers that requires a gradient later
        c, y, gradients, of_a_copy = graph.name("c"), graph.name("y"), graph.name("d"), draw.one_of(["", ".clone()"])
        graph.add(f"{c} = Variable({x}.data{of_a_copy}, requires_grad=False)")
        graph.add(f"{y} = {name}()({', '.join([x, c][:: draw.one_of([1, -1])])})[0].sum()")
        graph.add(f"{c}.requires_grad = {bool(of_a_copy)}")
        graph.add(f"{gradients} = grad({y}, [{x}], create_graph=True)")
        if of_a_copy:
            graph.add(f"{graph.name('d')} = grad(({gradients}[0] * {gradients}[0]).sum(), [{c}])")
    gradients, total = graph.name("d"), f"({name}()({first}, {second})[0]).sum()"
    graph.add(f"{gradients} = grad({total}, [{x}], create_graph=True)")
    graph.add(f"{graph.name('d')} = grad(({gradients}[0] * {gradients}[0]).sum(), [{x}])")


def _of_gradients(graph, y, operands, size):
    """Differentiate the gradients of `y` with respect to the gradient of y, for two of equal numbers."""
    wanted = _wanted(graph, operands)
    first, second = graph.name("x"), graph.name("x")
    graph.add(f"{first} = Variable({graph.tensor(size, zeros=False)})")
    graph.add(f"{second} = Variable({first}.data.clone())")
    for of in (first, second):
        gradients = graph.name("d")
        graph.add(f"{gradients} = grad({y}, [{', '.join(wanted)}], [{of}], create_graph=True)")
        total = " + ".join(f"({gradients}[{n}] * {gradients}[{n}]).sum()" for n in range(len(wanted)))
        graph.add(f"{graph.name('d')} = grad({total}, [{of}])")


def _leaf(graph, name, size, requires_grad=True, is_exponent=False, scale=1, same=None, whole=False):
    """Add a leaf without zeros for that operation; return its name. A DoubleTensor for Pow is multiplied by `scale`.

    With `same` all elements are that number.

    One that Pow takes is positive. Exponents are twelfths, or whole numbers: the third derivatives at these depend on
    the formula, as those of modern torch do.
    """
    leaf = graph.leaf(requires_grad, size, zeros=False)
    constant = "" if requires_grad else ", requires_grad=False"
    if name == "Pow":
        numbers = graph.draw.numbers(size, "ordinary", zeros=False) * 4
        numbers = numbers.astype(int) if is_exponent else abs(numbers).astype(int)
        if same is not None:
            numbers[:] = 12 * same
        elif whole and is_exponent:
            numbers = 12 * (numbers % 3) * (numbers % 2)
        scale = scale if graph.kind == "Double" else 1
        turned = len(size) > 1 and graph.draw.chance(0.5)
        numbers = (numbers.swapaxes(0, 1) if turned else numbers) * scale
        tensor = f"({graph.kind}Tensor({numbers.tolist()}) / 12){'.transpose(0, 1)' * turned}"
        graph.lines[-1] = f"{leaf} = Variable({tensor}{constant})"
    elif same is not None:
        graph.lines[-1] = f"{leaf} = Variable({graph.kind}Tensor{tuple(size)}.fill_({same}){constant})"
    return leaf


def _terms(graph, x, count, scale):
    """Return the texts of functions of `v` with that many elements; some use other Variables of the lines.

    `x` is the name of the leaf at which they are asked. At a minimum their gradient is zeros.
    """
    draw = graph.draw

    def weights(requires_grad=False):
        name = graph.name("w")
        numbers = (draw.numbers((count,), "digits", zeros=False) * scale).tolist()
        graph.add(f"{name} = Variable(DoubleTensor({numbers}){'' if requires_grad else ', requires_grad=False'})")
        return name

    if count > 1 and draw.chance(0.15):  # each row of its hessian has the sum 0
        one, other, *_ = draw.order(count)
        return [f"(v[{one}] - v[{other}]) * (v[{one}] - v[{other}])"]
    if draw.chance(0.15):
        minimum = graph.name("m")
        graph.add(f"{minimum} = Variable({x}.data.clone(), requires_grad=False)")
        return [f"((v - {minimum}) * (v - {minimum}) * {draw.whole(1, 4)}).sum()"]
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
            x = graph.leaf(size=(count,), zeros=draw.chance(0.4))
            if draw.chance(0.1):
                graph.add(f"{x}.data.zero_()")
            if draw.chance(0.6):
                graph.add(f"({x} * 5).backward({graph.tensor((count,))})")
            graph.add(f"{graph.name('k')} = {x}.grad")
        scale = draw.one_of([1, 1, 1e4, 1e7])
        function = " + ".join(_terms(graph, x, count, scale))
        if turn and draw.chance(0.5):
            graph.add(f"{x}.data.mul_(-0.5)")  # the same leaf with other numbers
        if draw.chance(0.15):
            function = f"({function}).view(1, 1)"
        raises = again == "after an exception" and turn == 0
        error = f", {draw.one_of(['ArithmeticError', 'RuntimeError', 'TypeError', 'ValueError'])}" if raises else ""
        graph.add(f"{graph.name('h')} = hessian(asked(lambda v: {function}, {x}{error}), {x})")
    if draw.chance(0.2):  # a hessian in a function
        inner = graph.leaf(size=(draw.whole(1, 3),))
        of_inner = f"hessian(lambda u: (u * u * u).sum(), {inner})[0][0]"
        graph.add(f"{graph.name('h')} = hessian(lambda v: (v * v).sum() * {of_inner}, {x})")
    if draw.chance(0.1):  # a function that can be differentiated once
        graph.add(f"{graph.name('h')} = hessian(lambda v: Once(v).sum(), {x})")
    if draw.chance(0.3):  # the same function, and the same leaf with other numbers; or the function has another
        same, weights = graph.name("q"), graph.name("w")
        graph.add(f"{weights} = [2]")
        graph.add(f"{same} = lambda v: ({function}) * {weights}[0]")
        graph.add(f"{graph.name('h')} = hessian({same}, {x})")
        graph.add(f"{x}.data.mul_(-2)")
        graph.add(f"{graph.name('h')} = hessian({same}, {x})")
        graph.add(f"{weights}[0] = 5")
        graph.add(f"{graph.name('h')} = hessian({same}, {x})")
