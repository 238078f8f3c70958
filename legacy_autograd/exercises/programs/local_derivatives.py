"""The programs that call one operation: what exercise 1 draws."""

from .operations import asked_directly, called, in_a_graph

_OF_TWO = ("Sub", "Mul", "Div")  # operations with two operands


def _more(graph, name):
    """Add two calls on nearly the same numbers, a call on no elements or on many, or one that is asked often."""
    draw, count = graph.draw, 1 + (name in _OF_TWO)
    size, times = draw.one_of([*[("2", 0)] * 5, *[("2, 0", 0)] * 3, ("30, 40", 0), *[("2", 30)] * 3])
    operands = [graph.name("x") for _ in range(count)]
    for operand, number in zip(operands, (-0.75, 1.5)):
        graph.add(f"{operand} = Variable(DoubleTensor({size}).fill_({number}))")
    gradient = graph.name("g")
    graph.add(f"{gradient} = DoubleTensor({size}).fill_(2.5)")
    steps = (0, 1e-6) if size == "2" and not times else (0,)
    for step in steps:
        function = graph.name("f")
        moved = ", ".join(f"{operand} + {step}" if step else operand for operand in operands)
        graph.add(f"{function} = {name}()")
        result = graph.name("u")
        graph.add(f"{result} = {function}({moved})[0]")
        found = f"{function}.backward({gradient})"
        if times:  # the caller may write into its own gradient, and ask again
            graph.add(f"{graph.name('d')} = {found}")
            gradient = graph.name("g")
            graph.add(f"{gradient} = DoubleTensor({size}).fill_(1.5)")
            found = f"{function}.backward({gradient})"
            graph.add(f"for _ in range({times}): {found}")
            graph.add(f"rewrite({gradient})")
        graph.add(f"{graph.name('d')} = {found}" if size != "2, 0" else f"{result}.backward({gradient})")


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
