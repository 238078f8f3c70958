"""The probes of exercise 9: from previous_functions to DOT."""

import os

import numpy

from ...autograd.function import Function
from ..answer import attempt, plain
from .programs import PROGRAMS, root_of
from .support import leaf, random_numbers, tensor


def drawn(answer, program):
    return text_of(answer, root_of(PROGRAMS[program]()))


class Join(Function):
    """Returns the sum of all elements of its operands, in a tensor of any shape."""

    def __init__(self, *sizes):
        super().__init__()
        self.sizes = sizes

    def forward(self, *operands):
        total = sum(operand.sum() for operand in operands)
        outputs = tuple(tensor(numpy.full(size, total).tolist()) for size in self.sizes)
        return outputs if len(outputs) > 1 else outputs[0]


class Mix(Join):
    """The same operation under another name."""


def random_graph(seed):
    """Leaves of sizes that repeat, of which some are constants, and operations of one to seven operands."""
    random = numpy.random.default_rng(seed)

    def size():
        return tuple(int(n) for n in random.integers(1, 4, int(random.integers(1, 4))))

    sizes = [size() for _ in range(3)]
    variables = []
    for number in range(6):
        numbers = random_numbers(seed + number, *sizes[int(random.integers(3))])
        variables.append(leaf(numbers, requires_grad=number % 3 > 0))
    constants = variables[0::3]
    for number in range(10):
        operation = (Join, Mix)[int(random.integers(2))](*[size() for _ in range(int(random.integers(1, 3)))])
        chosen = constants if number in (0, 4) else variables[-7:]
        operands = [chosen[int(n)] for n in random.integers(0, len(chosen), int(random.integers(1, 8)))]
        variables += operation(*operands)
    return Join((1,))(*variables[-3:])[0]


def drawn_at_random(answer, seed):
    return text_of(answer, random_graph(seed))


def drawn_again(answer, program):
    """Return two texts of one graph, and x.grad after a backward."""
    variables = PROGRAMS[program]()
    texts = [text_of(answer, root_of(variables))["text"] for _ in range(2)]
    ended = attempt(root_of(variables).backward)
    return {"texts": texts, "x.grad": ended or plain(variables["x"].grad)}


def drawn_sizes(answer):
    """Leaves of several sizes, with and without a gradient."""
    x, c = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), leaf([[1.0], [2.0]], requires_grad=False)
    return text_of(answer, (x * c).view(3, 2).t())


def drawn_twice(answer, program):
    """Return the texts of two runs of one program, with other objects made in between."""
    first = text_of(answer, root_of(PROGRAMS[program]()))["text"]
    kept = [leaf([1.0]) for _ in range(100)]
    getpid, other = os.getpid, os.getpid() + 1
    os.getpid = lambda: other  # as in another run
    try:
        second = text_of(answer, root_of(PROGRAMS[program]()))["text"]
    finally:
        os.getpid = getpid
    return {"same": first == second, "texts": [first, second], "kept": len(kept)}


def drawn_of_length(answer, length):
    x, y, c = (leaf(random_numbers(length, length), requires_grad=grad) for grad in (True, True, False))
    return text_of(answer, (x * y + x.exp()) * y.sigmoid() - c)


def drawn_chain(answer, length):
    x = leaf([2.0])
    for _ in range(length):
        x = x + 0
    return text_of(answer, x)


def text_of(answer, variable):
    text = answer.to_dot(variable)
    text = getattr(text, "source", text)  # of a graphviz.Digraph
    return {"text": text if isinstance(text, str) else plain(text), "is": type(text).__name__}
