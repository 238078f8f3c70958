"""The sizes of operands, sums to a size, and calls of Add and Mul: what exercise 7 draws."""

import numpy

from .operations import asked_directly, called, in_a_graph


def _lengths(draw, count):
    """Return that many lengths from 1 to 3, one of which may be up to 6."""
    lengths = [draw.whole(1, 3) for _ in range(count)]
    if count and draw.chance(0.3):
        lengths[draw.whole(0, count - 1)] = draw.whole(4, 6)
    return lengths


def _operand(draw):
    """Return the size of an operand."""
    name = draw.pick("size")
    return {"empty": [0], "one": [1]}.get(name) or _lengths(draw, int(name[0]))


def _with_ones(draw, size):
    """Return the size with 1 in at least one place."""
    chosen = [draw.chance(0.6) for _ in size]
    chosen[draw.whole(0, len(size) - 1)] = True
    return [1 if one and length else length for one, length in zip(chosen, size)]


def _sizes(draw, group):
    """Return the sizes of a result and of an operand."""
    size = _operand(draw)
    result = _lengths(draw, draw.whole(1, 2)) + size if group in ("leading", "mixed") else size
    if group in ("ones", "mixed"):
        if size == [1]:
            return (*result[:-1], draw.whole(2, 4)), (1,)
        size = _with_ones(draw, size)
    return tuple(result), tuple(size)


def writes_sums(group):
    def make(graph):
        draw, sizes = graph.draw, _sizes(graph.draw, group)
        again = draw.pick("again", ("once", "second", "another"))
        for turn in range({"once": 1, "second": 3, "another": 3}[again]):
            size, to = _sizes(draw, group) if again == "another" and turn == 1 else sizes
            gradient = graph.name("g")
            graph.add(f"{gradient} = {graph.tensor(size)}")
            of = f"{gradient}.new{to}.size()".replace(",)", ")") if draw.chance(0.2) else to
            graph.add(f"{graph.name('s')} = sum_to_size({gradient}, {of})")

    return make


def writes_functions(graph):
    name = graph.draw.one_of(["Add", "Mul"])

    def call(requires=(True, True), first=None, elsewhere=False):
        draw = graph.draw
        if first is not None:
            one = result = graph.size
            other = tuple(_with_ones(draw, one))
        else:
            result, one = _sizes(draw, draw.one_of(["same", "leading", "ones", "mixed"]))
            other = result
            if draw.chance(0.3) and 0 not in result:  # both are repeated
                other = tuple(1 if length == 1 and wide else wide for length, wide in zip(_full(one, result), result))
                other = tuple(1 if mine > 1 and draw.chance(0.6) else wide
                              for mine, wide in zip(_full(one, result), other))  # fmt: skip
        result = numpy.broadcast_shapes(one, other)
        sizes = [one, other] if first is not None or draw.chance(0.5) else [other, one]
        return called(graph, name, [*sizes, tuple(result)], requires, first)

    if graph.draw.chance(0.5):
        asked_directly(graph, call)
    else:
        in_a_graph(graph, call, True)


def _full(size, result):
    return (1,) * (len(result) - len(size)) + tuple(size)
