"""Small programs that are hard for an engine. Each makes a graph and returns its Variables by name, the root last.

The first line of a program's docstring is the program in words; `PROGRAMS` has them by name.
"""

import numpy

from ...autograd.function import Function
from ...autograd.variable import Variable
from ...tensor import FloatTensor
from ..model import plain
from .support import leaf, leaves

PROGRAMS: dict = {}
RANDOM = [f"random_{seed}" for seed in range(12)]  # names of programs that `random_program` makes
PLAIN = [f"plain_{seed}" for seed in range(6)]  # of others, of operations with one output

# Two mistakes that several exercises have in common.
OVERWRITTEN = "the second gradient that arrives takes the place of the first; add them instead"
IN_PLACE = "a gradient was written into while other code still had to read it: use add, not add_"


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def words(name):
    """Return the program in words."""
    return PROGRAMS[name].__doc__.partition("\n")[0].removesuffix(".")


def root_of(variables):
    return list(variables.values())[-1]


def ones_for(root):
    """Return the initial gradient of a backward from `root`."""
    return root.data.new(*root.size()).fill_(1)


def random_start(root):
    """Return a random initial gradient with both signs, whose numbers differ."""
    draw = numpy.random.default_rng(root.numel()).uniform(-2, 2, tuple(root.size()))
    return root.data.new(*root.size()).copy_(root.data.new(draw.tolist()))


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


class Parts(Function):
    """x * 2, the sum of x as one element, and the first half of x * 3: three outputs of different sizes."""

    def forward(self, x):
        self.size, self.half = x.size(0), max(1, x.size(0) // 2)
        return x * 2, x.new([x.sum()]), x[: self.half] * 3

    def backward(self, of_double, of_total, of_half):
        grad = of_double * 2 + of_total[0]
        grad[: self.half] = grad[: self.half] + of_half * 3
        return grad


class Blend(Function):
    """x + y * 2 + z * 3, x * 4 and z * 5, and the sum of y in a matrix: three operands, four outputs."""

    def forward(self, x, y, z):
        return x + y * 2 + z * 3, x * 4, z * 5, x.new([[y.sum()]])

    def backward(self, of_blend, of_x, of_z, of_sum):
        return of_blend + of_x * 4, of_blend * 2 + of_sum[0, 0], of_blend * 3 + of_z * 5


class Nothing(Function):
    """x * 2, without a gradient."""

    def forward(self, x):
        return x * 2

    def backward(self, grad_output):
        return None


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
def used_often():
    """z = x + x + …, twelve times x, with x = 2."""
    x = z = leaf([2.0])
    for _ in range(11):
        z = z + x
    return {"x": x, "z": z}


@program
def large_numbers():
    """y = x * 1000000, z = y * 1000000, with x = 2."""
    x = leaf([2.0])
    y = x * 1e6
    return {"x": x, "y": y, "z": y * 1e6}


@program
def of_floats():
    """double, total, half = Parts(x), which are x * 2, its sum and half of x * 3; z = double * 5, of FloatTensors."""
    x = Variable(FloatTensor([1.0, 2.0]))
    double, total, half = Parts()(x)
    return {"x": x, "double": double, "z": double * 5}


@program
def chain_of_5000():
    """a chain of 5,000 additions, x + 0 + 0 + …, with x = 2."""
    x = start = leaf([2.0])
    for _ in range(5000):
        x = x + 0
    return {"x": start, "z": x}


@program
def long_chain():
    """a chain of 100,000 additions, x + 0 + 0 + …, with x = 2."""
    x = start = leaf([2.0])
    for _ in range(100_000):
        x = x + 0
    return {"x": start, "z": x}


def random_program(name):
    """Register a program of a dozen operations that the seed in its name draws.

    It has constants in either place, operands that are used twice, and numbers of either sign. Unless it is plain, it
    has outputs of different sizes too, of which some are not used, and gradients that are None.
    """
    kinds = ["+", "-", "*", "* number", "twice"]
    if name in RANDOM:
        kinds += ["parts", "second", "nothing", "expand"]
    seed = int(name.rpartition("_")[2])
    random = numpy.random.default_rng(seed)
    size = int(random.integers(2, 5))
    numbers = {name: numpy.round(random.uniform(-2, 2, size), 2).tolist() for name in "abcd"}
    constants = "cd" if seed % 2 else "d"
    wide, single, half = list("abcd"), [], []  # names of Variables with all elements, one, or half of them
    plan = []  # (names of the results, words, function of the Variables so far)

    def note(sizes, words, compute):
        number = len(plan)
        names = [f"v{number}{letter}" for letter in "xyzu"[: len(sizes)]] if len(sizes) > 1 else [f"v{number}"]
        for name, group in zip(names, sizes):
            group.append(name)
        plan.append((names, words, compute))

    for _ in range(12):
        kind = random.choice(kinds)
        group = [group for group in (wide, wide, single, half) if group][int(random.integers(0, 3)) % 3 - 1] or wide
        one, other = (str(random.choice(group[-4:] if random.random() < 0.7 else group)) for _ in range(2))
        factor = round(float(random.uniform(-2, 2)), 2)
        if kind == "+":
            note([group], f"{one} + {other}", lambda v, a=one, b=other: [v[a] + v[b]])
        elif kind == "-":
            note([group], f"{one} - {other}", lambda v, a=one, b=other: [v[a] - v[b]])
        elif kind == "*":
            note([group], f"{one} * {other}", lambda v, a=one, b=other: [v[a] * v[b]])
        elif kind == "* number":
            note([group], f"{one} * {factor}", lambda v, a=one, n=factor: [v[a] * n])
        elif kind == "parts" and group is wide:
            note([wide, single, half], f"Parts({one})", lambda v, a=one: Parts()(v[a]))
        elif kind == "second":
            note([group], f"Second({one}, {other})", lambda v, a=one, b=other: Second()(v[a], v[b]))
        elif kind == "nothing":
            note([group], f"Nothing({one}) + {other}", lambda v, a=one, b=other: [Nothing()(v[a])[0] + v[b]])
        elif kind == "expand" and single:
            one = str(random.choice(single))
            note([wide], f"{one}.expand({size}) * {other if other in wide else 'a'}",
                 lambda v, a=one, b=other if other in wide else "a": [v[a].expand(size) * v[b]])  # fmt: skip
        else:
            note([group], f"{one} + {one}", lambda v, a=one: [v[a] + v[a]])
    ends = [str(name) for name in (wide[-1], random.choice(wide))]
    if name in RANDOM:
        note(
            [wide, wide, wide, []],
            f"Blend({ends[0]}, {ends[1]}, a)",
            lambda v, one=ends[0], other=ends[1]: Blend()(v[one], v[other], v["a"]),
        )
        ends = [wide[-3], wide[-1]]  # the second of its outputs and the matrix have no use
    note([wide], f"{ends[0]} * a + {ends[1]}", lambda v: [v[ends[0]] * v["a"] + v[ends[1]]])

    def build():
        variables = {name: leaf(values, requires_grad=name not in constants) for name, values in numbers.items()}
        for names, _, compute in plan:
            variables.update(zip(names, compute(variables)))
        return variables

    steps = "; ".join(f"{', '.join(names)} = {words}" for names, words, _ in plan)
    values = ", ".join(f"{name} = {values}" for name, values in numbers.items())
    build.__name__ = name
    build.__doc__ = (
        f"{name.replace('_', ' program ')}: {steps}; with {values}; {' and '.join(constants)} require no gradient"
    )
    if name in RANDOM:
        build.__doc__ += (
            ". Parts(x) is x * 2, the sum of x, and half of x * 3; Second(x, y) is y and Nothing(x) is x * 2, without "
            "a gradient for x; Blend(x, y, z) is x + 2y + 3z, 4x, 5z and the sum of y in a matrix"
        )
    return program(build)


for _name in (*RANDOM, *PLAIN):
    random_program(_name)
