"""The programs that call one operation: what exercise 1 draws."""

from .operations import asked_directly, called, in_a_graph

_OF_TWO = ("Sub", "Mul", "Div")  # operations with two operands


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

    return make
