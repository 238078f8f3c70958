"""What single short exercises are tried on; `inputs.py` draws the tensors and graphs that several of them use."""

import itertools
import math

from ... import nn
from ...autograd.function import Function
from ...autograd.functions import Mul
from ...autograd.variable import Variable
from ..answer import plain
from .functions import FUNCTIONS
from .inputs import CONSTANT, Draw, Graph, beyond, graphs, made, programs
from .modules import Parameters, Tied, module_text

_WRITABLE = ("contiguous", "transposed", "strided", "part")  # layouts


def descents(answer):
    """1.2: yield the text and the type of a parameter, and of two steps a rate, a gradient, and whether it is recorded.

    Some second steps are where nothing is recorded.
    """
    for draw, kind, size in programs(12, answer):
        text = draw.tensor(kind, size, _WRITABLE)

        def step(draw=draw, kind=kind, size=size):
            return draw.one_of([abs(draw.number()), draw.whole(0, 2), 2.0**-12, 0.1]), draw.tensor(kind, size)

        yield text, kind, [("", *step(), True), (", the second step", *step(), draw.chance(0.5))]


# Each new leaf may get the id of the one before.
_NEW_LEAVES = ["v1 = x1", "for _ in range(60): v1 = v1 + Variable(DoubleTensor([1.0]))"]


def with_leaves(answer):
    """1.3: return Graphs. In one the leaves' Variables are gone, and one Function has the attributes of a Leaf."""
    in_place = Graph([13, 0], leaves=1, constant=CONSTANT, lines=["c2.mul_(x1)"], root="c2")
    gone = Graph([13, 2], leaves=1, lines=_NEW_LEAVES, root="v1")
    return [*graphs(13, answer, constant=CONSTANT), in_place, gone, _with_a_function_like_a_leaf([13, 1])]


def with_functions(answer):
    """2.2: return Graphs. In one the Variables of the leaves are gone, and one Function has 300 operands."""
    wide = ["v1 = torch.cat([x1 * n for n in range(300)])"]
    two = [Graph([22, number], leaves=1, lines=each, root="v1") for number, each in enumerate((_NEW_LEAVES, wide))]
    return [*graphs(22, answer, constant=CONSTANT), *two, _with_a_function_like_a_leaf([22, 2])]


def _with_a_function_like_a_leaf(seed):
    return Graph(seed, leaves=1, names=FUNCTIONS, lines=["v1 = LikeALeaf(x1 * 2) * x1"], root="v1")


def products(answer):
    """2.3: yield a type, two operands and a gradient, some of which are one Tensor, and calls.

    A call is a text of the inputs and which gradients are needed. Between calls `b` gets other numbers.
    """
    for number, (draw, kind, size) in enumerate(programs(23, answer)):
        texts = [draw.tensor(kind, size, _WRITABLE) for _ in range(2)]
        a, b = map(made, texts)
        if number % 5 == 4:
            b, texts[1] = a, "a"
        text = draw.tensor(kind, size)
        gradient = made(text)
        if number % 5 in (2, 3):
            gradient, text = [(a, "a"), (b, "b")][number % 5 - 2]

        def calls(a=a, b=b, texts=texts, text=text):
            for *needed, turn in itertools.product((True, False), (True, False), (0, 1)):
                yield f"a = {texts[0]}, b = {texts[1]}, grad_output = {text}, needs_input_grad = {needed}", needed
                change = ("add(0.00001)", "mul(2)")[turn]
                b.copy_(eval(f"b.{change}", {"b": b}))
                texts[b is not a] += f".{change}"

        yield kind, a, b, gradient, calls()


def starts(answer):
    """3.1: yield starts and counts of backwards, and what the results are multiplied by, which may be small."""
    draw = Draw(31)
    pairs = [(draw.number() * draw.whole(0, 8) / 3, draw.whole(0, 9) * (number % 7 < 6)) for number in range(18)]
    pairs += [(-1.0, 3), (-2.0, 3), (2.0, 3), (2.0, 2), (1000.0, 35), (-1 / 3, 300), (2**24 + 1, 1), (1e-9, 3),
              (1000.5, 1), (-123456.75, 2)]  # fmt: skip
    for start, count in [*pairs, *((1.5, count) for count in beyond(answer))]:
        yield start, count, 2**30 if 0 < abs(start) < 1e-6 else 1


def factors_of_backwards(answer):
    """3.2: yield two leaves, and for each backward the factors of the first one, which are added up."""
    for number, backwards in enumerate([1, 2, 3] * 6 + [1, 9, 25, *beyond(answer)]):
        draw, kind = Draw([32, number]), ("DoubleTensor", "FloatTensor")[number % 2]
        leaves = [Variable(made(draw.tensor(kind, (1,)))) for _ in range(2)]
        digits = 1.125 + 2.0**-25 * (kind == "DoubleTensor") if number > 9 else 1  # many after the point
        each = []
        for _ in range(backwards):
            factors = [draw.number() for _ in range(draw.whole(1, 3))] if number else [2.0, 3.0]
            factors = [1e308] if number == 6 else factors  # twice the gradient is more than a double can be
            factors = [factor * digits for factor in factors]
            each.append(factors + [-sum(factors)] * (number % 5 == 3))
        yield *leaves, each


def waiting(answer):
    """4.3: return Graphs: in one the first of two gradients is None, in one leaves get theirs before Functions wait.

    In one 130 leaves wait at once. Two have traces of one length.
    """
    names, lines = {"Second": FUNCTIONS["Second"]}, ["v1 = Second(x1, x1)"]
    nothing = Graph([43, 0], leaves=1, names=names, lines=lines, root="v1")
    lines = ["v1 = x1 * 2", "v2 = x2 + x3 + v1 * (v1 * (v1 * v1)) + x4 + x5"]
    late = Graph([43, 1], leaves=5, lines=lines, root="v2")
    each = ", ".join(f"x{number}" for number in range(1, 131))
    many = Graph([43, 2], leaves=130, lines=[f"v1 = (torch.cat([{each}]) * torch.cat([{each}])).sum()"], root="v1")
    alike = [
        Graph([43, 3], leaves=2, lines=[f"v1 = {code}"], root="v1")
        for code in ("(x1 * x2) * (x1 + x2)", "(x1 * x1) * (x2 * x2)")
    ]
    return [*graphs(43, answer), nothing, late, late, many, *alike]


_X, _C = "x = Variable(DoubleTensor([2.0]))", "c = Variable(DoubleTensor([3.0]), requires_grad=False)"
ENGINES = [  # 4.4: programs of exercise 5
    [_X, "y = x * 3", "z = y + 1", "z.backward()"],
    [_X, "z = x * x", "z.backward()"],
    [_X, "p = Pair(x)", "z = p[0] * 2 + p[1] * 5", "z.backward()"],
    [_X, "p = Pair(x)", "p[1].backward()"],
    [_X, "p = Pair(x)", "p[0].backward()"],
    [_X, "p = Pair(x)", "z = p[1] * 5", "z.backward()"],
    [_X, "y = Variable(DoubleTensor([3.0]))", "z = x * y + (x + y)", "z.backward()"],
    [_X, _C, "z = Same(x, c) + x * c", "z.backward()"],
    [_X, "a = x * 5", "z = Second(a, x)", "z.backward()"],
    [_X, _C, "z = (c * c) * x", "z.backward()"],
    [_X, "p = Pair(x)", "z = p[1] + p[1]", "z.backward()"],
    [_X, "s = Six(x)", "z = s[2] * 2 + (s[0] + s[5])", "z.backward()"],
    [_X, "s = Six(x)", "s[2].backward()"],
    ["x = Variable(DoubleTensor([[1.0, 2.0], [3.0, 4.0]]))", "z = x.t() * 3 + x", "z.backward(x.data.clone())"],
    [_X, "y = Variable(DoubleTensor([3.0]))", "z = x * y", "y.requires_grad = False", "z.backward()"],
    [_X, "a = x * 5", "z = Outer(x, x * 2, a)", "z.backward()"],
    [_X, "y = x * 3", "z = Blend(y, y, y)[0]", "z.backward()"],
    ["x = Variable(DoubleTensor(12).fill_(1))", "p = x.chunk(12)", "z = p[11] * 2 + p[3]", "z.backward()"],
    ["x = Variable(FloatTensor([2.0]))", "z = x * x", "z.backward()"],
    ["x = Variable(DoubleTensor([1.0]) / 3)", "z = x * x * x + x * 0.1", "z.backward()"],
]


def operands_and_gradients(seed, answer, most):
    """5.1, 5.3: yield a type, a factor of the tolerance, and texts: two operands, scaled by `most`, and gradients."""
    for number, (draw, kind, size) in enumerate(programs(seed, answer)):
        size = (1, 2, 1, 2, 3) if number == 21 else size
        texts = [draw.tensor(kind, size, most=most if place < 2 else math.inf) for place in range(6)]
        if number == 13:  # numbers with one hash
            texts[:2] = f"{kind}{size}.fill_(-2)", f"{kind}{size}.fill_(-1)"
        if number % 4 == 0:
            texts[1] = f"{texts[0]}.neg()"  # the same numbers with the other sign
        if number % 8 == 6:  # more digits than a float has, within the limits of Clip too
            texts[0] = f"{texts[0]}.div(3)"
        if number % 8 == 2 and draw.scale == 1:  # a tanh that is almost 1
            texts[0] = f"{texts[0]}.mul(3)"
        yield kind, min(max(draw.scale, 1), 20), texts  # differences of large numbers


def squares_and_cosines():
    """5.2: yield `a`, `b`, `x` of a x² + b cos(x), for which each step from 5e-9 to 2.5e-8 has an error below 1e-7."""
    draw = Draw(52)
    values = [[draw.number() / 2 for _ in range(3)] for _ in range(22)]
    yield from ((a, b, (x, x / 100, round(x))[number % 3]) for number, (a, b, x) in enumerate(values))  # an int, too
    # Near 0, near whole numbers, at the ends, a derivative that is a whole number, almost 0, or 0.
    yield from [(0.5, 1.0, 1e-4), (0.5, -1.0, -1e-6), (0.5, 1.0, 2e-9), (1.0, 0.0, 1.00002), (1.0, 0.0, -1.0),
                (0.5, 0.0, 3e-7), (0.0, 0.0, 0.5), (1.0, 1.0, -0.0), (0.25, 0.5, 1.5 + 1e-7), (0.5, 1.0, 2.0),
                (0.5, 1.0, -2.0), (3.6, 0.0, 1e-4)]  # fmt: skip


def arrivals(answer):
    """6.2: yield a type, a number of outputs, and nine gradients.

    Of a gradient: whether it is the first of the next backward, its output, its text, and its Tensor. Some Tensors come
    again, in the next backward with other numbers.
    """
    further = beyond(answer)
    for number, (draw, kind, size) in enumerate(programs(62, answer)):
        outputs = size[0] if size[0] in further else 1 + number % 6

        def gradients(draw=draw, kind=kind, size=size, outputs=outputs):
            earlier = {}  # {text: Tensor}
            for step in range(1, 10):
                if step == 7:
                    earlier = {f"{text}.mul(2)": one.mul_(2) for text, one in earlier.items() if "expand" not in text}
                again = earlier and draw.chance(step / 12)
                text = draw.one_of([*earlier]) if again else draw.tensor(kind, size)
                yield step == 7, draw.whole(0, outputs - 1), text, earlier.setdefault(text, made(text))

        yield kind, outputs, gradients()


def modern_graphs(answer):
    """7.2: return Graphs of modern torch. The leaves of one are Parameters."""
    import torch

    leaf, constant = "torch.tensor([{}], requires_grad=True)", "torch.tensor([{}])"
    modern, parameter = {"torch": torch}, "torch.nn.Parameter(torch.tensor([{}]))"
    of_parameters = Graph([72, 0], leaf=parameter, names=modern, leaves=2, lines=["v1 = x1 * x2"], root="v1")
    return [*graphs(72, answer, leaf=leaf, constant=constant, names=modern), of_parameters]


def modern_descents():
    """7.3: yield a parameter of modern torch, whether its steps are recorded, and steps: a rate and a gradient.

    Before the last step `w.grad` is None.
    """
    import torch

    for number, size in enumerate([(1,), (3,), (2, 3), (3, 2), (2, 1, 2), (), (0,), (1, 2)]):
        draw, kind = Draw([73, number]), (torch.float64, torch.float32)[number % 2]

        def tensor(values, draw=draw, kind=kind, size=size, digits=number == 4):
            values, scale = ("digits", 2.0**16) if digits else (values, 1)
            return torch.tensor((draw.numbers(size, values) * scale).tolist(), dtype=kind).reshape(size)

        w = tensor("ordinary")
        w = w.transpose(0, -1) if len(size) > 1 and draw.chance(0.5) else w

        def steps(w=w, draw=draw, tensor=tensor, number=number):
            small = (1, 2.0**-30)[number == 7]
            each = ["ordinary", ("ordinary", "cancel")[number % 2], "ordinary"]
            for step, values in zip(("", ", the second step", ", after w.grad = None"), each):
                slope = tensor(values).reshape(w.shape) * small
                rate = {2: 0.1, 3: 1.0}.get(number, abs(draw.number()) / small * (number != 5))
                yield step, rate, slope

        yield w.requires_grad_(), number % 4 != 1, steps()


def counted_backwards(answer):
    """8.2: yield parameters, two further Variables, and backwards: a factor and the parameters' places."""
    cases = [(None, number % 5) for number in range(15)]  # how many parameters, if that is not drawn, and backwards
    cases += [(None, 60), (9, 60), *((count, count) for count in beyond(answer))]
    for number, (count, turns) in enumerate(cases):
        draw, kind = Draw([82, number]), ("DoubleTensor", "FloatTensor")[number % 2]
        drawn = draw.whole(1, 4)
        count = count or drawn
        variables = [Variable(made(draw.tensor(kind, (2,)))) for _ in range(count + 2)]
        first = [0] * (turns > 4)  # one parameter is in each of many backwards
        places = [first + [draw.whole(0, count - 1) for _ in range(draw.whole(1, 4))] for _ in range(turns)]
        yield variables[:count], variables[count:], [(draw.whole(0, 2), each) for each in places]  # zeros arrive, too


def modules(answer):
    """9.1: yield texts of modules, and the modules."""
    texts = [module_text(Draw([91, number]), number % 4) for number in range(20)]
    texts += ["nn.Sequential(nn.BatchNorm1d(6), nn.BatchNorm1d(6))", "nn.Sequential(nn.Linear(2, 3), Tied(3))",
              "nn.Conv3d(2, 3, 2)", "nn.Linear(400, 300)"]  # fmt: skip
    depths = [6, *(depth for depth in beyond(answer) if depth <= 60)]
    texts += [f"{'nn.Sequential(' * depth}nn.Linear(2, 2){')' * depth}" for depth in depths]
    for text in texts:
        yield text, eval(text, {"nn": nn, "Tied": Tied})


def trainings(answer):
    """9.2: yield a type and steps: a number, Parameters with their gradients, a learning rate and a momentum.

    Two networks are trained in turn, so an answer cannot keep a state of its own.
    """
    further = beyond(answer)
    for number, (draw, kind, size) in enumerate(programs(92, answer)):
        sizes = [size] * draw.whole(1, 2) + [(2,)] * draw.whole(0, 3)
        sizes += [(2,)] * (5 * (number == 8) + size[0] * (size[0] in further))
        groups = [Parameters(draw, kind, sizes) for _ in range(2)]
        lr, momentum = (draw.whole(0, 8) / 8 for _ in range(2))
        for step in range(1, 6):
            groups[step % 2].backward(draw)
            # Some momentums are 0.
            yield kind, step, groups[step % 2], lr / 2 ** max(0, step - 3), momentum * (number % 8 < 7)


def powers():
    """10.1: yield `a`, `b`, `x` and `n` for the n-th derivative of a x⁵ + exp(b x)."""
    for number in range(20):
        draw = Draw([101, number])
        a, b, x, n = draw.number() * (1, 10000)[number > 17], draw.number(), draw.number(), draw.whole(1, 5)
        x = x / 3 if number % 4 == 3 else x
        b, x, n = (0.0, 0.0, 5) if number == 14 else (b, x, n)  # the derivatives before the fifth are 0
        yield a, b, x, n + 3 * (number == 15)  # more than x⁵ has


def sum_of_two(a, b, points):
    """10.1: return a x⁵ + exp(b x) as a function that notes its points."""

    def f(x):
        points.append(plain(x))
        return x**5 * a + (x * b).exp()

    return f


def powers_up_to_two():
    """10.1: yield a function in words, the function, `n`, and the n-th derivative at 2. The last one changes."""
    factors = [3.0]

    def changes(x):
        return x * x * factors[0]

    yield "f(x) = 3 x", lambda x: x * 3, 2, 0.0
    yield "f(x) = x", lambda x: x, 1, 1.0
    yield "f(x) = k x² with k = 3", changes, 1, 12.0
    factors[0] = 5.0
    yield "f(x) = k x² with k = 5", changes, 1, 20.0


class Counted(Function):
    """10.2: the identity. `runs` counts the backwards that pass it."""

    def __init__(self, runs):
        super().__init__()
        self.runs = runs

    def forward(self, x):
        return x.clone()

    def backward(self, grad_output):
        self.runs.append(1)
        return grad_output


def cubes(answer):
    """10.2: yield a type, and texts of `point`, `v` and `w`, where the answer is asked for Σ w x³ + (Σ x)² / 2.

    One `v` is "point": the same Tensor.
    """
    counts = [2, 2, 1, 3, 4, 2, 8, 9, 10, 8, 2, 4, 3, *beyond(answer)]
    for number, count in enumerate(counts):
        draw, kind = Draw([102, number]), ("DoubleTensor", "FloatTensor")[number % 2]
        point, v, w = (draw.tensor(kind, (count,), ("contiguous", "strided", "part")) for _ in range(3))
        point = f"{kind}({[0.0] * count})" if number == 6 else point  # the gradient is 0
        x = made(point).array
        gradient = (3 * made(w).array * x * x + x.sum()).tolist()
        special = {1: [0.0] * count, 5: [1.0, -1.0], 7: gradient, 10: [0.6, 0.8], 11: [0.0, 0.0, 1.0, 0.0],
                   12: [1.0, 1.0, 1.0]}  # fmt: skip
        v = f"{kind}({special[number]})" if number in special else {4: point, 8: "point"}.get(number, v)
        yield kind, point, v, w


def lengths():
    """10.3: yield lengths of chains and how many parts they have."""
    draw = Draw(103)
    pairs = [(draw.whole(1, 30), draw.whole(1, 30)) for _ in range(20)]
    for first, length in [*pairs, (1, 1), (1, 111), (11, 1), (49, 1), (30, 1000), (200, 1000)]:
        for parts in dict.fromkeys((first, 1, first * length)):
            yield first * length, parts


class Refuses(Counted):
    """11.1: has no operands, and raises. `runs` counts the forwards."""

    def forward(self):
        self.runs.append(1)
        raise ValueError("this operation takes no number")


class Power(Function):
    """11.1: x to the power 2 ** `times`. Its forward calls other Functions, one of its own class among them."""

    def __init__(self, times):
        super().__init__()
        self.times = times

    def forward(self, x):
        square = Variable(x) * Variable(x)
        return (Power(self.times - 1)(square)[0] if self.times > 1 else square).data

    def backward(self, grad_output):
        return grad_output


class Product(Mul):
    """11.1: a class derived from one that is counted, too."""


def without_history(answer):
    """11.2: yield a type, a text, a function and its arguments, and whether it runs where things are recorded."""
    functions = [
        ("x * x", 1, lambda x: x * x),
        ("(x + y).tanh()", 2, lambda x, y: (x + y).tanh()),
        ("sum(x * y * z)", 3, lambda x, y, z: (x * y * z).sum()),
        ("x * y + z + …", 7, lambda x, y, *others: sum(others, x * y)),
    ]
    further = beyond(answer)
    for number, (draw, kind, size) in enumerate(programs(112, answer)):
        what, count, f = functions[number % 3 if number % 5 else 3]
        if size[0] in further:
            (what, _, f), count = functions[3], size[0]
        texts = [draw.tensor(kind, size, _WRITABLE) for _ in range(count)]
        variables = [Variable(made(text), requires_grad=place % 2 == 0) for place, text in enumerate(texts)]
        recording = number % 4 != 3
        on = f"f = {what}; {', '.join(texts)}{'' if recording else ', under no_grad'}"
        yield kind, on, f, variables, recording


def distances(answer):
    """11.3: yield a type and two points."""
    # Distances of about 0.1.
    near = [[0.1], [0.101], [0.105], [0.11], [0.1, 9e-7], [-0.1, 1e-9, 0.0], [0.06, -0.08], [0.005] * 400,
            [0.1] + [0.0] * 399]  # fmt: skip
    near += [[0.25] * count for count in beyond(answer)]
    for number in range(20 + 2 * len(near)):
        draw, kind = Draw([113, number]), ("DoubleTensor", "FloatTensor")[number % 2]
        count = draw.whole(1, 5)
        scales = [0.1, 1, 2, 4] if number < 18 else [2.0**24]
        start, end = ([draw.number() * draw.one_of(scales) for _ in range(count)] for _ in range(2))
        end = {3: start[::-1], 4: start}.get(number % 5, end)
        if number >= 20:
            start = near[number // 2 - 10]
            end = [0.0] * len(start)
        yield kind, *(([1e5 + 0.1], [1e5]) if number == 16 else (start, end))  # many digits before the point
