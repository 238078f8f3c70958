"""Small programs that are hard for an engine. Each makes a graph and returns its Variables by name, the root last.

The first line of a program's docstring is the program in words; `PROGRAMS` has them by name.
"""

from ...autograd.function import Function
from ..model import plain
from .support import leaf, leaves

PROGRAMS = {}

# Two mistakes that several exercises come upon.
OVERWRITTEN = "the second gradient that arrives takes the place of the first; they are to be added"
IN_PLACE = "a gradient was written into while somebody else was still to read it: use add, not add_"


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def words(name):
    """The program in words."""
    return PROGRAMS[name].__doc__.partition("\n")[0].removesuffix(".")


def root_of(variables):
    return list(variables.values())[-1]


def ones_for(root):
    """The gradient that a backward from `root` begins with."""
    return root.data.new(*root.size()).fill_(1)


def gradients_of(variables):
    """{"x.grad": numbers} of the leaves that require a gradient."""
    return {f"{name}.grad": plain(v.grad) for name, v in variables.items() if v.is_leaf and v.requires_grad}


def names_of(variables):
    """{Function: the name of the Variable that it made}; for two outputs, the first."""
    names = {}
    for name, variable in variables.items():
        names.setdefault(variable.creator, name)
    return names


class Pair(Function):
    """x * 2 and x * 3, two outputs."""

    def forward(self, x):
        return x * 2, x * 3

    def backward(self, of_double, of_triple):
        return of_double * 2 + of_triple * 3


class Second(Function):
    """The second operand; no gradient for the first."""

    def forward(self, a, b):
        return b.clone()

    def backward(self, grad_output):
        return None, grad_output


@program
def chain():
    """y = x * 3, z = y + 1, with x = 2."""
    x = leaf([2.0])
    y = x * 3
    return {"x": x, "y": y, "z": y + 1}


@program
def square():
    """y = x * x, with x = 3."""
    x = leaf([3.0])
    return {"x": x, "y": x * x}


@program
def doubled_twice():
    """b = a + a, c = b + b, with a = 1."""
    a = leaf([1.0])
    b = a + a
    return {"a": a, "b": b, "c": b + b}


@program
def diamond():
    """a = x * 2, b = x * 3, c = a * b, with x = 5."""
    x = leaf([5.0])
    a, b = x * 2, x * 3
    return {"x": x, "a": a, "b": b, "c": a * b}


@program
def diamond_on_a_stem():
    """h = x * 2, a = h * 2, b = h * 3, c = a * b, with x = 1."""
    x = leaf([1.0])
    h = x * 2
    a, b = h * 2, h * 3
    return {"x": x, "h": h, "a": a, "b": b, "c": a * b}


@program
def lopsided():
    """a = x * x, b = a * 2, c = b * 3, d = c + a, with x = 2 (one way from a to d is longer)."""
    x = leaf([2.0])
    a = x * x
    b = a * 2
    c = b * 3
    return {"x": x, "a": a, "b": b, "c": c, "d": c + a}


@program
def product_and_sum():
    """z = x * y + (x + y), with x = 2 and y = 3."""
    x, y = leaves(2.0, 3.0)
    return {"x": x, "y": y, "z": x * y + (x + y)}


@program
def sum_in_a_sum():
    """z = (x + y) + x, with x = y = 1."""
    x, y = leaves(1.0, 1.0)
    return {"x": x, "y": y, "z": (x + y) + x}


@program
def one_gradient_for_three():
    """z = b * 7 + (a * b * 5 + (a + b)), with a = b = 1."""
    a, b = leaves(1.0, 1.0)
    return {"a": a, "b": b, "z": b * 7 + (a * b * 5 + (a + b))}


@program
def through_a_view():
    """z = (x.t() + w) + x, with x = w = [[1]]."""
    x, w = leaf([[1.0]]), leaf([[1.0]])
    return {"x": x, "w": w, "z": (x.t() + w) + x}


@program
def leaf_in_many_places():
    """z = (w * x + w) * (w - x) + w, with w = [1, 2] and x = [3, 4]."""
    w, x = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    return {"w": w, "x": x, "z": (w * x + w) * (w - x) + w}


@program
def constant_operand():
    """z = x * c, with x = 2 and c = 3, which requires no gradient."""
    x, c = leaf([2.0]), leaf([3.0], requires_grad=False)
    return {"x": x, "c": c, "z": x * c}


@program
def constant_part():
    """p = c * d, z = p * x + c, with x = 2, and c = 3 and d = 4, which require no gradient."""
    x, c, d = leaf([2.0]), leaf([3.0], requires_grad=False), leaf([4.0], requires_grad=False)
    p = c * d
    return {"x": x, "c": c, "d": d, "p": p, "z": p * x + c}


@program
def both_outputs():
    """double, triple = Pair(x), which are x * 2 and x * 3; z = double * triple, with x = 1."""
    x = leaf([1.0])
    double, triple = Pair()(x)
    return {"x": x, "double": double, "triple": triple, "z": double * triple}


@program
def first_output():
    """double, triple = Pair(x), which are x * 2 and x * 3; z = double * 5, with x = 1."""
    x = leaf([1.0])
    double, triple = Pair()(x)
    return {"x": x, "double": double, "triple": triple, "z": double * 5}


@program
def second_output():
    """double, triple = Pair(x), which are x * 2 and x * 3; z = triple * 5, with x = 1."""
    x = leaf([1.0])
    double, triple = Pair()(x)
    return {"x": x, "double": double, "triple": triple, "z": triple * 5}


@program
def second_output_twice():
    """double, triple = Pair(x), which are x * 2 and x * 3; z = triple * triple + double, with x = 1."""
    x = leaf([1.0])
    double, triple = Pair()(x)
    return {"x": x, "double": double, "triple": triple, "z": triple * triple + double}


@program
def first_output_as_root():
    """double, triple = Pair(x), which are x * 2 and x * 3; from double, with x = 1."""
    x = leaf([1.0])
    double, triple = Pair()(x)
    return {"x": x, "triple": triple, "double": double}


@program
def second_output_as_root():
    """double, triple = Pair(x), which are x * 2 and x * 3; from triple, with x = 1."""
    x = leaf([1.0])
    double, triple = Pair()(x)
    return {"x": x, "double": double, "triple": triple}


@program
def none_on_one_way():
    """z = Second(x * 5, x), which has no gradient (None) for its first operand, with x = 2."""
    x = leaf([2.0])
    a = x * 5
    return {"x": x, "a": a, "z": Second()(a, x)[0]}


@program
def nothing_but_a_leaf():
    """x itself, with x = 2."""
    return {"x": leaf([2.0])}


@program
def ladder():
    """30 diamonds, one on the other: x = x * 1 + x * 0.5, thirty times, from x = 1."""
    x = start = leaf([1.0])
    for _ in range(30):
        x = x * 1 + x * 0.5
    return {"x": start, "z": x}


@program
def long_chain():
    """a chain of 100,000 additions, x + 0 + 0 + …, with x = 2."""
    x = start = leaf([2.0])
    for _ in range(100_000):
        x = x + 0
    return {"x": start, "z": x}
