"""The sizes of operands, sums to a size, and calls of Add and Mul: what exercise 7 draws."""

from math import prod

import numpy

from .operations import asked_again, asked_directly, called, in_a_graph


def _lengths(draw, count, equal=None):
    """Return that many lengths from 1 to 3, one of which may be up to 6, or that of the Draw; or all are `equal`."""
    if equal:
        return [equal] * count
    lengths = [draw.whole(1, 3) for _ in range(count)]
    length = draw.length_once() if count else None
    if count and (length or draw.chance(0.3)):
        lengths[draw.whole(0, count - 1)] = length or draw.whole(4, 6)
    return lengths


def _operand(draw, equal):
    """Return the size of an operand; four dimensions are up to six. The lengths are `equal`, unless that is None."""
    name = draw.pick("size")
    if name == "4-D" and draw.chance(0.5):
        return [draw.whole(1, 2) for _ in range(draw.whole(5, 6))]
    return [1] if name == "one" else _lengths(draw, int(name[0]), equal)


def _with_ones(draw, size):
    """Return the size with 1 in at least one place."""
    chosen = [draw.chance(0.6) for _ in size]
    chosen[draw.whole(0, len(size) - 1)] = True
    return [1 if one else length for one, length in zip(chosen, size)]


def _sizes(draw, group):
    """Return the sizes of a result and of an operand."""
    equal = draw.one_of([2, 2, 3]) if draw.chance(0.25) else None
    size = _operand(draw, equal)
    result = size
    if group in ("leading", "mixed"):
        missing = draw.one_of([1, 1, 2, 2, 4]) if len(size) < 3 else draw.whole(1, 2)
        result = _lengths(draw, missing, equal) + size
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
        if draw.chance(0.15):  # numbers over 256, of which two equal ones are not one object
            long, to = draw.one_of([("300", (300,)), ("2, 300", (300,)), ("2, 300", (2, 1)), ("300, 1", (1, 1))])
            graph.add(f"{graph.name('s')} = sum_to_size(DoubleTensor({long}).fill_(0.5), {to})")
            return
        can = "expand" not in graph.lines[-2] and prod(size) > prod(to)  # so no sum is a view of the gradient
        if again == "second" and can and draw.chance(0.6):
            graph.add(f"rewrite({gradient})")
            graph.add(f"{graph.name('s')} = sum_to_size({gradient}, {of})")
            graph.add(f"{graph.name('d')} = [sum_to_size({gradient} * n, {of}) for n in range(1, 6)]")

    return make


def writes_functions(graph):
    name = graph.draw.one_of(["Add", "Mul"])

    def call(requires=(True, True), first=None, elsewhere=False):
        draw = graph.draw
        if first is not None:
            one = result = graph.size
            other = tuple(_with_ones(draw, one))
        elif draw.chance(0.25):  # a row and a column, or squares
            length, more = draw.whole(2, 4), tuple(_lengths(draw, draw.whole(0, 1)))
            is_square = draw.chance(0.7)
            one, other = [(length, length, *more)] * 2 if is_square else [(*more, 1, length), (*more, length, 1)]
        else:
            result, one = _sizes(draw, draw.one_of(["same", "leading", "ones", "mixed", "mixed"]))
            other = result
            if draw.chance(0.5):  # both are repeated
                other = tuple(1 if mine > 1 and draw.chance(0.6) else wide
                              for mine, wide in zip(_full(one, result), result))  # fmt: skip
                if len(one) == len(result) > 1 and draw.chance(0.8):  # and the other has fewer dimensions
                    other = other[draw.whole(1, len(other) - 1) :]
        result = numpy.broadcast_shapes(one, other)
        sizes = [one, other] if first is not None or draw.chance(0.5) else [other, one]
        return called(graph, name, [*sizes, tuple(result)], requires, first)

    if graph.draw.chance(0.35):
        operands, gradient = asked_directly(graph, call)
        if graph.draw.chance(0.5):
            asked_again(graph, name, operands, gradient)
    else:
        in_a_graph(graph, call, True)


def _full(size, result):
    return (1,) * (len(result) - len(size)) + tuple(size)
