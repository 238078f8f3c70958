"""Draw programs that call the operations of an answer, and their backward: by itself, or in a graph."""


def called(graph, name, sizes, requires=(True, True), first=None, zeros=True):
    """Add a call of the operation `name` on leaves; return (the Function, its result, the size of the result).

    `sizes` are those of the operands and of the result. `first` is an operand that is there already. Two operands are
    in places that are drawn: one leaf twice, or one Tensor behind both.
    """
    *sizes, size = sizes
    operands = [first or graph.leaf(requires[0], sizes[0], zeros)]
    if len(sizes) == 2:
        is_free = first is None and requires[0] == requires[1] and sizes[0] == sizes[1]
        match graph.draw.pick("places") if is_free else "apart":
            case "twice":
                operands *= 2
            case "shared":
                is_square = len(sizes[0]) > 1 and sizes[0][0] == sizes[0][1]
                view = ".transpose(0, 1)" if is_square and graph.draw.chance(0.7) else ""
                operands.append(graph.result(f"Variable({operands[0]}.data{view})", sizes[0], letter="x"))
            case _:
                operands.append(graph.leaf(requires[1], sizes[1], zeros))
    function = graph.name("f")
    graph.add(f"{function} = {name}()")
    return function, graph.result(f"{function}({', '.join(operands)})[0]", size, operands, letter="y"), size


def asked_directly(graph, call):
    """Add calls of backward itself, with one gradient and then with others. `call(elsewhere)` adds a call.

    With `elsewhere` it may have another size. Return the operands of the last call and its gradient.
    """
    draw, again = graph.draw, graph.draw.pick("again", ("once", "second", "interleaved", "another"))
    calls = [call(elsewhere=False)]
    if again in ("interleaved", "another"):
        calls.append(call(elsewhere=True))
    order = {"once": [0], "second": [0, 0, 0], "interleaved": [0, 1, 0], "another": [0]}[again]
    for number in order:
        function, result, size = calls[number]
        gradient = graph.name("g")
        graph.add(f"{gradient} = {graph.tensor(size)}")
        graph.add(f"{graph.name('d')} = {function}.backward({gradient})")
    if again == "second":
        graph.add(f"{graph.name('d')} = {function}.backward(in_reverse({gradient}))")  # of the same sum and norm
    if again == "second" and draw.chance(0.5):  # not seen by a Run, which would keep each gradient: each one is gone
        call = f"type({function}).backward({function}, {gradient} * n)"
        graph.add(f"{graph.name('d')} = [{call} for n in range(1, 6)]")
    return graph.operands[result], gradient


def in_a_graph(graph, call, of_two):
    """Add a call, operations on its result, and a backward through all. `call(requires=…, first=…)` adds a call."""
    draw, first = graph.draw, graph.draw.chance(0.5)
    some = draw.pick("requires_grad") == "some" and of_two
    _, result, graph.size = call(requires=(first, not first) if some else (True, True))
    graph.differentiable, graph.by_size = [result], {graph.size: [result]}
    if draw.chance(0.3):
        call(first=result)
    if draw.chance(0.3):
        call()
    if graph.kind != "Half":
        graph.steps(["arithmetic", "view"], draw.whole(0, 2))
    graph.hooks()
    graph.backwards()


def asked_again(graph, name, operands, gradient, factor=-3):
    """Change the operands of a call that was asked for a gradient, or take others, and ask for the same gradient again.

    They are multiplied by `factor`, or one of them is.
    """
    changed = list(dict.fromkeys(operands))
    if graph.draw.chance(0.3):
        changed = [graph.draw.one_of(changed)]
    if graph.draw.chance(0.5) and not any("expand" in line for line in graph.lines):  # in the same Tensors
        for operand in changed:
            graph.add(f"rewrite({operand}.data, {factor})")
    else:
        others = {operand: graph.name("x") for operand in changed}
        for operand, other in others.items():
            graph.add(f"{other} = Variable({operand}.data * {factor})")
        operands = [others.get(operand, operand) for operand in operands]
    function = graph.name("f")
    graph.add(f"{function} = {name}()")
    graph.add(f"{graph.name('u')} = {function}({', '.join(operands)})[0]")
    graph.add(f"{graph.name('d')} = {function}.backward({gradient})")
