"""What the short exercises write down of tensors and of graphs."""

from ...autograd import Variable
from ...drawing.walk import graph_of
from ...tensor import DoubleTensor, FloatTensor
from ..answer import plain


def tolerance_of(kind):
    return 1e-5 if kind == "FloatTensor" else 1e-9


def described(value):
    """Return the type and the numbers of a tensor, as a list; other values as `plain` gives them."""
    return [type(value).__name__, plain(value)] if isinstance(value, (DoubleTensor, FloatTensor, Variable)) else (
        plain(value))  # fmt: skip


def raised_by(ask):
    """Return the name of the class of the exception that `ask()` raises, or "nothing"."""
    try:
        ask()
    except Exception as error:
        return type(error).__name__
    return "nothing"


class Watched:
    """The numbers and the counts of writes of some tensors, by name, when they were passed to an answer."""

    def __init__(self, **tensors):
        self._tensors = tensors
        self._before = self._now()

    def _now(self):
        both = [(name, plain(tensor), tensor._version) for name, tensor in self._tensors.items()]
        return {key: value for name, numbers, writes in both
                for key, value in ((f"{name} afterwards", numbers), (f"writes into {name}", writes))}  # fmt: skip

    def parts(self):
        """Return what `practice.seen` compares: {"NAME afterwards": its numbers, "writes into NAME": how many}."""
        now = self._now()
        return {key: (before, now[key]) for key, before in self._before.items()}

    def written_into(self, name):
        """Return a function that recognizes a result after the tensor `name` was changed."""
        right = {key: self._before[key] for key in (f"{name} afterwards", f"writes into {name}")}
        return lambda got: isinstance(got, dict) and repr({key: got[key] for key in right}) != repr(right)


def links_of(functions):
    """Return a function that returns the links of these Functions, as they are when it is called."""
    return lambda: [list(function.previous_functions) for function in functions]


def paths(variable):
    """Return {Function: the number of paths to it from a Variable's creator}."""
    counts = {variable.creator: 1}
    for function in reversed(graph_of([variable]).nodes):  # each after all that use it
        for previous, _ in function.previous_functions:
            counts[previous] = counts.get(previous, 0) + counts[function]
    return counts
