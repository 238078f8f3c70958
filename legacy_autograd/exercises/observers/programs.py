"""Small programs that are hard for an engine. Each makes a graph and returns its Variables by name, the root last.

The first line of a program's docstring is the program in words; `PROGRAMS` has them by name.
"""

import numpy

from ...autograd.function import Function
from ...autograd.variable import Variable
from ...tensor import FloatTensor
from ..answer import plain
from .support import leaf

PROGRAMS: dict = {}
RANDOM = [f"random_{seed}" for seed in range(12)]  # names of programs that `random_program` makes
PLAIN = [f"plain_{seed}" for seed in range(6)]  # of others, of operations with one output


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def words(name):
    """Return the program in words."""
    return PROGRAMS[name].__doc__.partition("\n")[0].removesuffix(".")


def root_of(variables):
    return list(variables.values())[-1]


def start_for(name, root):
    """Return the initial gradient of a backward from `root`: ones, or for a random program one of both signs."""
    if name not in (*RANDOM, *PLAIN):
        return root.data.new(*root.size()).fill_(1)
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


_OPERATIONS: dict = {}  # the names that the code of a program may use, beside those of its Variables


def operation(cls):
    """Make a Function's class an operation of programs: `Pair(x)` calls a new Pair. One output is not in a tuple."""

    def call(*operands):
        outputs = cls()(*operands)
        return outputs if len(outputs) > 1 else outputs[0]

    _OPERATIONS[cls.__name__] = call
    return cls


def made(code, constants="", **leaves):
    """Return the Variables of the steps `code`, such as "a = x * 2; z = a + x", by name. `leaves` are numbers."""
    variables = {name: leaf(numbers, requires_grad=name not in constants) for name, numbers in leaves.items()}
    for names, step in (step.split(" = ") for step in code.split("; ")):
        results, names = eval(step, _OPERATIONS, variables), names.split(", ")
        variables.update(zip(names, results if len(names) > 1 else [results]))
    return variables


def written(name, words, code, constants="", **leaves):
    """Register the program `made` of the code."""

    def build():
        return made(code, constants, **leaves)

    build.__name__, build.__doc__ = name, words
    program(build)


@operation
class Pair(Function):
    """x * 2 and x * 3, two outputs."""

    def forward(self, x):
        return x * 2, x * 3

    def backward(self, of_double, of_triple):
        return of_double * 2 + of_triple * 3


@operation
class Second(Function):
    """The second operand; no gradient for the first."""

    def forward(self, a, b):
        return b.clone()

    def backward(self, grad_output):
        return None, grad_output


@operation
class Parts(Function):
    """x * 2, the sum of x as one element, and the first half of x * 3: three outputs of different sizes."""

    def forward(self, x):
        self.size, self.half = x.size(0), max(1, x.size(0) // 2)
        return x * 2, x.new([x.sum()]), x[: self.half] * 3

    def backward(self, of_double, of_total, of_half):
        grad = of_double * 2 + of_total[0]
        grad[: self.half] = grad[: self.half] + of_half * 3
        return grad


@operation
class Blend(Function):
    """x + y * 2 + z * 3, x * 4 and z * 5, and the sum of y in a matrix: three operands, four outputs."""

    def forward(self, x, y, z):
        return x + y * 2 + z * 3, x * 4, z * 5, x.new([[y.sum()]])

    def backward(self, of_blend, of_x, of_z, of_sum):
        return of_blend + of_x * 4, of_blend * 2 + of_sum[0, 0], of_blend * 3 + of_z * 5


@operation
class Nothing(Function):
    """x * 2, without a gradient."""

    def forward(self, x):
        return x * 2

    def backward(self, grad_output):
        return None


def small(name, code, values, constants="", **leaves):
    """Register a small program whose code is also its words; `values` are those of its leaves, in words."""
    words = code.replace("; ", ", ").replace("Pair(x),", "Pair(x), which are x * 2 and x * 3;")
    written(name, f"{words}, with {values}.", code, constants, **leaves)


small("chain", "y = x * 3; z = y + 1", "x = 2", x=2.0)
small("square", "y = x * x", "x = 3", x=3.0)
small("doubled_twice", "b = a + a; c = b + b", "a = 1", a=1.0)
small("diamond", "a = x * 2; b = x * 3; c = a * b", "x = 5", x=5.0)
small("diamond_on_a_stem", "h = x * 2; a = h * 2; b = h * 3; c = a * b", "x = 1", x=1.0)
small("lopsided", "a = x * x; b = a * 2; c = b * 3; d = c + a", "x = 2 (one way from a to d is longer)", x=2.0)
small("product_and_sum", "z = x * y + (x + y)", "x = 2 and y = 3", x=2.0, y=3.0)
small("sum_in_a_sum", "z = (x + y) + x", "x = y = 1", x=1.0, y=1.0)
small("one_gradient_for_three", "z = b * 7 + (a * b * 5 + (a + b))", "a = b = 1", a=1.0, b=1.0)
small("through_a_view", "z = (x.t() + w) + x", "x = w = [[1]]", x=[[1.0]], w=[[1.0]])
small("leaf_in_many_places", "z = (w * x + w) * (w - x) + w", "w = [1, 2] and x = [3, 4]", w=[1.0, 2.0], x=[3.0, 4.0])
small("constant_operand", "z = x * c", "x = 2 and c = 3, which requires no gradient", "c", x=2.0, c=3.0)
_TWO_CONSTANTS = "x = 2, and c = 3 and d = 4, which require no gradient"
small("constant_part", "p = c * d; z = p * x + c", _TWO_CONSTANTS, "cd", x=2.0, c=3.0, d=4.0)
small("both_outputs", "double, triple = Pair(x); z = double * triple", "x = 1", x=1.0)
small("first_output", "double, triple = Pair(x); z = double * 5", "x = 1", x=1.0)
small("second_output", "double, triple = Pair(x); z = triple * 5", "x = 1", x=1.0)
small("second_output_twice", "double, triple = Pair(x); z = triple * triple + double", "x = 1", x=1.0)
small("large_numbers", "y = x * 1000000; z = y * 1000000", "x = 2", x=2.0)


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
    steps = []

    def note(sizes, code):
        number = len(steps)
        names = [f"v{number}{letter}" for letter in "xyzu"[: len(sizes)]] if len(sizes) > 1 else [f"v{number}"]
        for name, group in zip(names, sizes):
            group.append(name)
        steps.append(f"{', '.join(names)} = {code}")

    for _ in range(12):
        kind = random.choice(kinds)
        group = [group for group in (wide, wide, single, half) if group][int(random.integers(0, 3)) % 3 - 1] or wide
        one, other = (str(random.choice(group[-4:] if random.random() < 0.7 else group)) for _ in range(2))
        factor = round(float(random.uniform(-2, 2)), 2)
        if kind in ("+", "-", "*"):
            note([group], f"{one} {kind} {other}")
        elif kind == "* number":
            note([group], f"{one} * {factor}")
        elif kind == "parts" and group is wide:
            note([wide, single, half], f"Parts({one})")
        elif kind == "second":
            note([group], f"Second({one}, {other})")
        elif kind == "nothing":
            note([group], f"Nothing({one}) + {other}")
        elif kind == "expand" and single:
            one = str(random.choice(single))
            note([wide], f"{one}.expand({size}) * {other if other in wide else 'a'}")
        else:
            note([group], f"{one} + {one}")
    ends = [str(name) for name in (wide[-1], random.choice(wide))]
    if name in RANDOM:
        note([wide, wide, wide, []], f"Blend({ends[0]}, {ends[1]}, a)")
        ends = [wide[-3], wide[-1]]  # the second of its outputs and the matrix have no use
    note([wide], f"{ends[0]} * a + {ends[1]}")
    values = ", ".join(f"{name} = {values}" for name, values in numbers.items())
    words = f"{name.replace('_', ' program ')}: {'; '.join(steps)}; with {values}; "
    words += f"{' and '.join(constants)} require no gradient"
    if name in RANDOM:
        words += (
            ". Parts(x) is x * 2, the sum of x, and half of x * 3; Second(x, y) is y and Nothing(x) is x * 2, without "
            "a gradient for x; Blend(x, y, z) is x + 2y + 3z, 4x, 5z and the sum of y in a matrix"
        )
    written(name, words, "; ".join(steps), constants, **numbers)


for _name in (*RANDOM, *PLAIN):
    random_program(_name)
