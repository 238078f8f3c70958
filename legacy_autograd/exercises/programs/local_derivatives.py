"""The programs that call one operation: what exercise 1 draws."""

from .operations import asked_again, asked_directly, called, in_a_graph

_OF_TWO = ("Sub", "Mul", "Div")  # operations with two operands


def _more(graph, name):
    """Add a call on special numbers.

    Or one on no elements, two on nearly the same numbers or on changed ones, or one whose gradient changes.
    """
    kind = graph.draw.one_of(["empty", "near", "operands change", "rewritten", *["special"] * 4])
    size = "2, 0" if kind == "empty" else "2"
    operands = [graph.name("x") for _ in range(1 + (name in _OF_TWO))]
    if kind == "special":
        _special(graph, name, operands)
        return
    for operand, number in zip(operands, (-0.75, 1.5)):
        graph.add(f"{operand} = Variable(DoubleTensor({size}).fill_({number}))")
    gradient = graph.name("g")
    numbers = graph.draw.one_of([[3.5, -1.5], [4.0, 0.25], [2.5, 2.5]])  # of sum 2, and of product 1
    graph.add(f"{gradient} = DoubleTensor({size if kind == 'empty' else numbers})")
    for turn in range(2 if kind == "near" else 1):
        step = " + 1e-06" if turn else ""
        function, result = graph.name("f"), graph.name("u")
        graph.add(f"{function} = {name}()")
        graph.add(f"{result} = {function}({', '.join(operand + step for operand in operands)})[0]")
        if kind == "empty":
            graph.add(f"{result}.backward({gradient})")
            continue
        if kind == "rewritten":  # the caller may write into its own gradient, and ask again
            graph.add(f"{graph.name('d')} = {function}.backward({gradient} * 1)")
            graph.add(f"{function}.backward({gradient})")
            graph.add(f"rewrite({gradient})")
        graph.add(f"{graph.name('d')} = {function}.backward({gradient})")
    if kind == "operands change":
        asked_again(graph, name, operands, gradient)


def _special(graph, name, operands):
    """Add a call on numbers that are equal, in order, symmetric or opposite, with a gradient of such a kind."""
    low, middle, high = (graph.draw.one_of(numbers) for numbers in ((-2.0, -1.5, 0.25), (0.75, 1.25), (1.75, 3.0)))
    kinds = [[[n, n], [n, n]] for n in (1.0, -1.0, middle)]
    kinds += [[[low, middle], [middle, high]], [[low, 0.5], [middle, high]]]
    same = graph.draw.one_of(kinds) if graph.draw.chance(0.3) else None
    view = graph.draw.one_of(["", ".view(4)"])
    for operand in operands:
        zeros = [[[0.0, 0.0], [0.0, 0.0]]] * (name != "Div" or operand != operands[-1])
        graph.add(f"{operand} = Variable(DoubleTensor({same or graph.draw.one_of(kinds + zeros)}){view})")
    if operands[1:] and graph.draw.chance(0.2):
        graph.lines[-1] = f"{operands[1]} = Variable(-{operands[0]}.data)"
    result = graph.name("u")
    graph.add(f"{result} = {name}()({', '.join(operands)})[0]")
    gradient = f"DoubleTensor({same or graph.draw.one_of(kinds)}){view}"
    if graph.draw.chance(0.2):  # an equal one of the result, or the result itself
        gradient = f"{result}.data{graph.draw.one_of(['', '.clone()'])}"
    graph.add(f"{result}.backward({gradient})")


def writes(name):
    def make(graph):
        def call(requires=(True, True), first=None, elsewhere=False, size=None):
            size = size or (graph.draw.size() if elsewhere and graph.draw.chance(0.4) else graph.size)
            sizes = [size] * (3 if name in _OF_TWO else 2)
            return called(graph, name, sizes, requires, first, zeros=name != "Div")

        if graph.draw.chance(0.5):
            asked_directly(graph, call)
        else:
            in_a_graph(graph, call, name in _OF_TWO)
        _more(graph, name)
        if graph.draw.chance(0.5):  # once more, often with four dimensions
            function, _, size = call(size=graph.draw.one_of([(1, 2, 1, 2), (1, 2, 1, 2), (2, 1, 2), (3, 3)]))
            graph.add(f"{graph.name('d')} = {function}.backward({graph.tensor(size)})")

    return make
