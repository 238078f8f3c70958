"""The programs that call one operation: what exercise 1 draws."""

from .operations import asked_again, asked_directly, called, in_a_graph

_OF_TWO = ("Sub", "Mul", "Div")  # operations with two operands


def _more(graph, name):
    """Add a call on no elements, two on nearly the same numbers or on changed ones, or one whose gradient changes."""
    kind = graph.draw.one_of(["empty", "near", "operands change", "rewritten"])
    size = "2, 0" if kind == "empty" else "2"
    operands = [graph.name("x") for _ in range(1 + (name in _OF_TWO))]
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


def writes(name):
    def make(graph):
        def call(requires=(True, True), first=None, elsewhere=False):
            size = graph.draw.size() if elsewhere and graph.draw.chance(0.4) else graph.size
            sizes = [size] * (3 if name in _OF_TWO else 2)
            return called(graph, name, sizes, requires, first, zeros=name != "Div")

        if graph.draw.chance(0.5):
            asked_directly(graph, call)
        else:
            in_a_graph(graph, call, name in _OF_TWO)
        _more(graph, name)

    return make
