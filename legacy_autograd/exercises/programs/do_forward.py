"""The programs of calls that exercise 2 draws, and the operations that they call."""

from ...autograd.variable import Variable
from ...tensor import DoubleTensor, Tensor
from .dimensions import ERRORS
from .running import BY_A_HOOK, Run

_RETURNED = {  # the operations of one operand or two, by what their forward returns
    "a tensor": ("Mul", "Nested", "Scaled", "Sums", "Fixed"),
    "a tuple": ("SumAndProduct", "Sums", "Fixed"),
    "a tuple of one": ("InTuple",),
    "one Tensor twice": ("Twice", "Both"),
    "a view": ("View",),
    "the argument": ("Identity", "Both", "Last"),
}

_OPERANDS = {"Mul": 2, "SumAndProduct": 2, "InTuple": 2, "Last": 2, "Refuses": 2}


def _leaves(graph):
    wanted = graph.draw.pick("requires_grad")
    for number in range(graph.draw.whole(2, 4)):
        graph.leaf(requires_grad=wanted == "all" or wanted == "some" and number % 2 == 0)
    if graph.draw.pick("places", ("apart", "shared")) == "shared":
        graph.result(f"Variable({graph.by_size[graph.size][0]}.data)")


def _call(graph, name=None, function=None, used=True):
    """Add a call of an operation, of the instance `function` if it is given; `used` says whether the result may be."""
    draw = graph.draw
    name = name or draw.one_of(_RETURNED[draw.pick("returned")])
    sizes, made = [graph.size] * (1 + (name in ("SumAndProduct", "Twice", "Both", "Last"))), f"{name}()"
    operands = [graph.any_of() for _ in range(_OPERANDS.get(name, 1))]
    if draw.pick("places", ("apart", "twice")) == "twice":
        operands = operands[:1] * len(operands)
    if name == "Scaled":
        draw.used.add(("type", "Long"))
        operands.append(graph.name("i"))
        graph.add(f"{operands[-1]} = Variable(LongTensor([1, 2]), requires_grad=False)")
    elif name == "Sums":
        others = [one for names in graph.by_size.values() for one in names]
        operands = [draw.one_of(others) for _ in range(draw.whole(1, 6))]
        sizes = [(n,) for n in range(1, draw.whole(1, 5) + 1)]
        made = f"Sums({len(sizes)})"
    elif name == "Fixed":
        sizes *= 1 if function else draw.whole(1, 2)
        operands, made = [], f"Fixed({', '.join(graph.tensor() for _ in sizes)})"
    if len(sizes) > 1:
        draw.used.add(("places", "unused"))
    draw.used.add(("places", "reused"))
    code = f"{function or made}({', '.join(operands)})"
    if used:
        graph.results(code, sizes, operands)
    else:
        graph.add(code)


def calls(graph):
    _leaves(graph)
    for _ in range(graph.draw.whole(1, 6)):
        again = graph.draw.pick("again")
        if again == "once":
            _call(graph)
            continue
        names = ("Mul", "InTuple", "SumAndProduct", "Identity", "Twice", "View", "Writes", "Fixed")
        name = "Refuses" if again == "after an exception" else graph.draw.one_of(names)
        function = graph.name("f")
        constant = {"Refuses": graph.draw.one_of(ERRORS), "Fixed": graph.tensor()}.get(name, "")
        graph.add(f"{function} = {name}({constant})")
        for _ in range(graph.draw.one_of([1, 1, 2, 4])):
            _call(graph, name, function, used=False)
        if again == "another":
            _call(graph, name)
        _call(graph, name, function)
    inner = [name for name in graph.differentiable if "[" in name]
    if inner:  # what an operand requires may change between two calls
        graph.add(f"{graph.draw.one_of(inner)}.creator.requires_grad = False")
        for name in inner[:2]:
            graph.add(f"{graph.name()} = Mul()({name}, {name})")
        function, name = graph.name("f"), inner[0]  # called again with the same operands
        graph.add(f"{function} = Mul()")
        graph.add(f"{function}({name}, {name})")
        graph.add(f"{name}.creator.requires_grad = not {name}.creator.requires_grad")
        graph.add(f"{graph.name()} = {function}({name}, {name})")
    if graph.draw.chance(0.3):  # a Function that has fewer outputs in its second call, or more
        function = graph.name("f")
        graph.add(f"{function} = Each()")
        counts = graph.draw.one_of([(3, 1), (3, 2), (1, 3), (2, 0), (0, 2)])
        first, second = ([graph.any_of() for _ in range(count)] for count in counts)
        graph.add(f"{function}({', '.join(first)})")
        graph.add(f"{graph.name()} = {function}({', '.join(second)})")
    if graph.draw.chance(0.3):
        graph.add(f"{graph.name()} = Nested()({graph.draw.one_of(graph.by_size[graph.size])})")
    _nearly(graph)
    _more(graph)
    if graph.draw.chance(0.3):  # an operand whose creator changes, and an exception without arguments
        c, function = graph.name("c"), graph.name("f")
        graph.add(f"{c} = Variable(DoubleTensor([1.5, 0.5]), requires_grad=False)")
        graph.add(f"{function} = Each()")
        graph.add(f"{function}({c}, {c})")
        graph.add(f"{c}.creator = type({c}.creator)({c}, True)")
        graph.add(f"{graph.name()} = {function}({c}, {c})")
        graph.add(f"tried(lambda: Refuses({graph.draw.one_of(ERRORS[:-2])}, plain=True)({c}, {c}))")
    if graph.draw.chance(0.3):  # outputs that begin at the same number
        graph.add(f"{graph.name()} = Views()({graph.any_of()})")


def _nearly(graph):
    """Call a Function again with operands that differ little: each has a relative, which is another Variable."""
    draw, of, both = graph.draw, graph.any_of(), graph.name()
    places = draw.one_of([(0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0, 2), (0, 1, 2, 0)])
    graph.add(f"{both} = Placed{places}({of})")
    first, second = (number for number, place in enumerate(places) if place == 0)
    related = {f"{both}[{first}]": f"{both}[{second}]"}  # two outputs of one Function, over one Tensor
    for leaf, constant in ((graph.leaf(True), ""), (graph.leaf(False), ", requires_grad=False")):
        related[leaf] = graph.name("x")
        graph.add(f"{related[leaf]} = Variable({leaf}.data{constant})")
    relatives = related | {other: one for one, other in related.items()}
    count = draw.one_of([1, 1, 1, 2, 3])
    operands = [draw.one_of(list(relatives)) for _ in range(count)]
    function, changed = graph.name("f"), draw.whole(0, count - 1)
    if draw.chance(0.4):
        operands[:2] = operands[0], relatives[operands[0]]
    graph.add(f"{function} = {draw.one_of(['Sums(1)', 'Each()', *['Identity()'] * 2 * (len(operands) == 1)])}")
    graph.add(f"{function}({', '.join(operands)})")
    if len(operands) > 1 and draw.chance(0.3):
        operands.reverse()
    else:
        operands[changed] = relatives[operands[changed]]
    graph.add(f"{graph.name()} = {function}({', '.join(operands)})")
    graph.add(f"call_on_new(Each(), {of}.data)")
    if draw.chance(0.3):  # without operands
        graph.add(f"{graph.name()} = Placed{places}()")
    if draw.chance(0.7):
        function, given = graph.name("f"), ", ".join([of, of][: draw.one_of([0, 2])])
        graph.add(f"{function} = Refuses({draw.one_of(ERRORS)}, {draw.whole(1, 2)})")
        for _ in range(2):  # the first call raises, or the second
            graph.add(f"{function}({given})")


def _more(graph):
    """Add many operands and outputs, an index as first operand, or a forward that the instance has."""
    one, other, result = graph.any_of(), graph.any_of(), graph.name()
    match graph.draw.one_of([None, "many", "index", "forward"]):
        case "many" if graph.draw.chance(0.2):
            graph.add(f"{result} = Each()(*[{one}, {other}] * 150)")
        case "many":
            graph.add(f"{result} = Each()({', '.join(graph.any_of() for _ in range(12))})")
        case "index":
            index = graph.name("i")
            graph.add(f"{index} = Variable(LongTensor([1, 2]), requires_grad=False)")
            graph.add(f"{result} = Selected()({index}, {one})")
        case "forward":
            graph.add(f"{result} = Bound()({one}, {other})")


def backwards(graph):
    _leaves(graph)
    for _ in range(graph.draw.whole(1, 5)):
        _call(graph)
    if graph.differentiable:
        line = graph.backward(graph.root())
        graph.add(line)


# --- operations, of which a program derives classes from the student's Function


class Operation:
    """What the operations have in common: a call is written down, and `forward` computes with Tensors."""

    calls = 0

    def __call__(self, *input):
        return Run.last.call(self, input)

    def forward(self, *given):
        self.calls += 1
        self.given = given
        self.operands = [data if isinstance(data, Tensor) else data.data for data in given]
        self.returned = self.compute(*self.operands)
        return self.returned


class Mul:
    def compute(self, a, b):
        return a * b

    def backward(self, grad_output):
        a, b = self.operands
        return grad_output * b, grad_output * a


class InTuple(Mul):
    """The product in a tuple of one."""

    def compute(self, a, b):
        return (a * b,)


class SumAndProduct(Mul):
    def compute(self, a, b):
        return a + b, a * b

    def backward(self, of_sum, of_product):
        a, b = self.operands
        return of_sum + of_product * b, of_sum + of_product * a


class Identity:
    """x itself."""

    def compute(self, x):
        return x

    def backward(self, grad_output):
        return grad_output


class View(Identity):
    """A view of x."""

    def compute(self, x):
        return x.transpose(0, 0)


class Views:
    """x * 2 and two views of it that begin at the same number."""

    def compute(self, x):
        double = x * 2
        return double, double.transpose(0, 0), double.contiguous().view(-1)[:1]


class Twice:
    """x * 2, the same Tensor as both outputs."""

    def compute(self, x):
        double = x * 2
        return double, double

    def backward(self, one, other):
        return one * 2 + other * 20


class Both(Identity):
    """x itself as both outputs."""

    def compute(self, x):
        return x, x

    def backward(self, one, other):
        return one * 2 + other * 20


class Scaled:
    """x times the number of elements of an index, which has no gradient."""

    def compute(self, x, index):
        return x * index.numel()

    def backward(self, grad_output):
        return grad_output * self.operands[1].numel(), None


class Selected:
    """x times the number of elements of an index, the first operand."""

    def compute(self, index, x):
        return x * index.numel()

    def backward(self, grad_output):
        return None, grad_output * self.operands[0].numel()


class Bound(Mul):
    """The product, by a forward that is an attribute of the instance."""

    def __init__(self):
        super().__init__()
        self.forward = lambda *given: Operation.forward(self, *given)

    def forward(self, *given):
        raise TypeError("call self.forward, which this instance has for itself")


class Sums:
    """Sums of all operands, one for each output: of 1, 2, 3 … elements."""

    def __init__(self, outputs):
        super().__init__()
        self.outputs = outputs

    def compute(self, *operands):
        total = sum(operand.sum() for operand in operands)
        results = [operands[0].new(n).fill_(total * n) for n in range(1, self.outputs + 1)]
        return tuple(results) if self.outputs > 1 else results[0]

    def backward(self, *gradients):
        total = sum(gradient.sum() * n for n, gradient in enumerate(gradients, 1))
        return tuple(operand.new(operand.size()).fill_(total) for operand in self.operands)


class Each:
    """x * 2 of each operand x: no output, if there is none."""

    def compute(self, *operands):
        results = tuple([operand * 2 for operand in operands])
        return results if len(results) != 1 else results[0]

    def backward(self, *gradients):
        return tuple([gradient * 2 for gradient in gradients])


class Last:
    """a + b, and b itself."""

    def compute(self, a, b):
        return a + b, b

    def backward(self, of_sum, of_b):
        return of_sum, of_sum + of_b


class Placed:
    """x * 2, x * 3 … of these numbers: one Tensor may be several outputs. x is 1.5 without an operand."""

    def __init__(self, *places):
        super().__init__()
        self.places = places

    def compute(self, x=None):
        x = DoubleTensor([1.5]) if x is None else x
        results = [x * (number + 2) for number in range(3)]
        return tuple([results[place] for place in self.places])

    def backward(self, *gradients):
        return sum([gradient * (place + 2) for place, gradient in zip(self.places, gradients)])


class Fixed:
    """Copies of the constructor's Tensors: an operation without operands."""

    def __init__(self, *tensors):
        super().__init__()
        self.tensors = tensors

    def compute(self):
        copies = tuple([tensor.clone() for tensor in self.tensors])
        return copies if len(copies) > 1 else copies[0]


class Nested:
    """x * x, by an operation that forward calls."""

    def compute(self, x):
        inner, other = Variable(x), Variable(x.clone(), requires_grad=False)
        Run.last.kept = Run.last.operation("Mul")()(inner, inner), Run.last.operation("Sums")(3)(other, inner, other)
        return x * x

    def backward(self, grad_output):
        return grad_output * self.operands[0] * 2


class Writes:
    """x + 1, written into x if its elements have places of their own."""

    def compute(self, x):
        return x.add_(1) if x.is_contiguous() else x + 1


class Refuses(Mul):
    """a * b, or 1.5 without operands, but the first call raises an exception, or the one of this number."""

    def __init__(self, error=ArithmeticError, number=1, plain=False):
        super().__init__()
        self.error, self.left, self.arguments = error, number, () if plain else (BY_A_HOOK, 2)

    def compute(self, *operands):
        self.left -= 1
        if not self.left:
            self.refused = self.error(*self.arguments)
            raise self.refused
        return operands[0] * operands[1] if operands else DoubleTensor([1.5])


OPERATIONS = {
    cls.__name__: cls
    for cls in (Mul, InTuple, SumAndProduct, Identity, View, Views, Twice, Both, Scaled, Selected, Bound, Sums, Each,
                Last, Placed, Fixed, Nested, Writes, Refuses)
}  # fmt: skip
