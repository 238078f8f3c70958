"""Random programs with views and in-place operations: the numbers of modern torch, or a refusal where it refuses.

A step is an operation and four integers, which choose its operands and parameters by what is there when it is run. A
step that does not fit is left out, and so is one that both libraries refuse. programs.py says how to repeat a failure.
"""

import math
from dataclasses import dataclass

import numpy
import pytest
import torch
from hypothesis import event
from hypothesis import strategies as st

import legacy_autograd
from legacy_autograd.autograd import Variable, backward, grad, no_grad

from .programs import for_random

# What only this package refuses (FIDELITY.md).
ONLY_HERE = {
    "several elements of this Variable share one place": "in place on what unfold gave",
    "several of its elements share one place (expand)": "in place on a part of what expand gave",
}


class Ours:
    no_grad, backward, grad = no_grad, staticmethod(backward), staticmethod(grad)

    @staticmethod
    def variable(numbers, requires_grad=False):
        return Variable(legacy_autograd.DoubleTensor(numbers), requires_grad=requires_grad)


class Modern:
    no_grad = torch.no_grad
    backward = staticmethod(torch.autograd.backward)
    grad = staticmethod(torch.autograd.grad)

    @staticmethod
    def variable(numbers, requires_grad=False):
        return torch.tensor(numbers, requires_grad=requires_grad)


# --- operations: f(library, x, other, a, b), where `other` has the size of x and a, b are integers; None: does not fit


def size_of(x):
    return tuple(x.shape) if isinstance(x, torch.Tensor) else tuple(x.size())


def view(t, x, other, a, b):
    count = math.prod(size_of(x))
    sizes = [(count,), (1, count), (count, 1)] + [(d, count // d) for d in (2, 3) if count % d == 0]
    return x.view(*sizes[a % len(sizes)]) if x.is_contiguous() else None


def narrow(t, x, other, a, b):
    dim = a % x.dim()
    start = b % size_of(x)[dim]
    return x.narrow(dim, start, 1 + (a + b) % (size_of(x)[dim] - start))


def select(t, x, other, a, b):
    dim = a % x.dim()
    part = x.select(dim, b % size_of(x)[dim])
    return part.view(1) if x.dim() == 1 else part  # torch has no dimension there


def key_of(x, a, b):
    key = []
    for length in size_of(x)[: 1 + a % x.dim()]:
        key.append([slice(b % length, None), slice(None, None, 2), slice(0, 1 + a % length)][(a + b) % 3])
    return tuple(key)


def expand(t, x, other, a, b):
    if x.dim() > 3 or math.prod(size_of(x)) > 12:
        return None
    return x.expand(2, *[2 if length == 1 else length for length in size_of(x)])


def unfold(t, x, other, a, b):
    dim = a % x.dim()
    return x.unfold(dim, 1 + b % min(size_of(x)[dim], 2), 1 + a % 2) if x.dim() < 3 else None


def unsqueeze(t, x, other, a, b):
    return x.unsqueeze(a % (x.dim() + 1)) if x.dim() < 4 else None


def squeeze(t, x, other, a, b):
    return x.squeeze(a % x.dim()) if x.dim() > 1 else None


def unsqueeze_(t, x, other, a, b):
    return x.unsqueeze_(a % (x.dim() + 1)) if x.dim() < 4 else None


def set_part(t, x, other, a, b):
    key = key_of(x, a, b)
    x[key] = a - 1.5 if b % 2 else other[key] * 0.5
    return x


def shares_places(x):
    places = sum(numpy.ix_(*[numpy.arange(length) * step for length, step in zip(size_of(x), x.stride())]))
    return numpy.unique(places).size < places.size


def unrecorded(t, x, other, a, b):
    with t.no_grad():
        return x.mul_(0.5 + a)


def product(t, x, other, a, b):
    """Here both operands are saved, in torch only those that another one's gradient needs."""
    return x * other if x.requires_grad and other.requires_grad else x.clone() * other.clone()


NEW = {
    "mul number": lambda t, x, other, a, b: x * (a - 1.5),
    "mul": product,
    "add": lambda t, x, other, a, b: x + other,
    "tanh": lambda t, x, other, a, b: x.tanh(),
    "clone": lambda t, x, other, a, b: x.clone(),
    "sum": lambda t, x, other, a, b: x.sum(a % x.dim(), True),
    "detach": lambda t, x, other, a, b: x.detach(),
}
VIEWS = {
    "view": view,
    "narrow": narrow,
    "transpose": lambda t, x, other, a, b: x.transpose(a % x.dim(), b % x.dim()),
    "permute": lambda t, x, other, a, b: x.permute(*[(a + dim) % x.dim() for dim in range(x.dim())]),
    "select": select,
    "index": lambda t, x, other, a, b: x[key_of(x, a, b)],
    "expand": expand,
    "unfold": unfold,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "split": lambda t, x, other, a, b: x.split(1 + b % 2, a % x.dim()),
    "chunk": lambda t, x, other, a, b: x.chunk(2, a % x.dim()),
}
IN_PLACE = {
    "mul_ number": lambda t, x, other, a, b: x.mul_(a - 1.5),
    "mul_": lambda t, x, other, a, b: x.mul_(other * 0.5),
    "add_": lambda t, x, other, a, b: x.add_(other * other),
    "copy_": lambda t, x, other, a, b: x.copy_(other * 2),
    "sigmoid_": lambda t, x, other, a, b: x.sigmoid_(),
    "sin_": lambda t, x, other, a, b: x.sin_(),
    "zero_": lambda t, x, other, a, b: x.zero_(),
    "set part": set_part,
    "transpose_": lambda t, x, other, a, b: x.transpose_(a % x.dim(), b % x.dim()),
    "unsqueeze_": unsqueeze_,
    "mul_ of detached": lambda t, x, other, a, b: x.detach().mul_(2),
    "mul_ within no_grad": unrecorded,
}
SHAPES = "transpose_", "unsqueeze_"
UNRECORDED = "detach", "mul_ of detached", "mul_ within no_grad"
OPERATIONS = {**NEW, **VIEWS, **IN_PLACE}
SPECIAL = ["retain_grad", "forget"]
SIZES = [(4,), (2, 3), (3, 2), (2, 2, 2), (1, 4)]
NAMES = [*NEW, *3 * [*VIEWS], *3 * [*IN_PLACE], *2 * SPECIAL]


@dataclass
class Program:
    """`leaves`: (size, requires_grad); `steps`: (operation, x, other, a, b); `end`: what `Run.finish` is given."""

    leaves: list
    steps: list
    end: tuple


STEP = st.tuples(st.sampled_from(NAMES), *[st.integers(0, 40)] * 2, *[st.integers(0, 7)] * 2)
PROGRAMS = st.builds(
    Program,
    st.lists(st.tuples(st.sampled_from(SIZES), st.booleans()), min_size=1, max_size=2),
    st.lists(STEP, min_size=3, max_size=16),
    st.tuples(st.sampled_from(["backward", "roots", "grad", "second"]), st.integers(0, 40)),
)


def numbers_for(size, shift):
    return numpy.cos(numpy.arange(math.prod(size)) + shift).reshape(size)


class Run:
    """A program in one library. `values` are those that a step may choose, `retained` those whose `grad` is kept."""

    def __init__(self, library, program):
        self.library = library
        leaves = [((2, 3), True), *program.leaves]
        self.leaves = [library.variable(numbers_for(size, i), needs) for i, (size, needs) in enumerate(leaves)]
        # In place on a leaf that requires a gradient is refused: most steps start from a product.
        self.values = [self.leaves[0], *[leaf * 1 if leaf.requires_grad else leaf for leaf in self.leaves]]
        self.retained = []
        # After a write that is not recorded, or a change of the shape, torch forgets that a view of a view was one, and
        # has no gradient for it.
        self.asks_for_leaves_only = False

    def do(self, name, x, other, a, b):
        """Run one step. Returns the text of a refusal, or None."""
        number = -1 - x % len(self.values)
        x = self.values[number]
        try:
            if name == "forget" and len(self.values) > 1:
                del self.values[number]
            elif name == "retain_grad" and x.requires_grad and not x.is_leaf and not self.asks_for_leaves_only:
                x.retain_grad()
                self.retained.append(x)
            elif name in OPERATIONS and self.fits(name, x):
                self.asks_for_leaves_only |= name in (*SHAPES, *UNRECORDED)
                fitting = [value for value in self.values if size_of(value) == size_of(x)]
                other = fitting[other % len(fitting)]
                if name in NEW and name != "detach":  # the libraries differ in which results are contiguous
                    x, other = x.contiguous(), other.contiguous()
                result = OPERATIONS[name](self.library, x, other, a, b)
                if result is not None and result is not x:
                    self.values += result if isinstance(result, (tuple, list)) else [result]
        except RuntimeError as error:
            return str(error)
        return None

    def fits(self, name, x):
        """Leave out what torch does otherwise: it writes twice to a place that unfold shows twice, and it fails an
        assertion of its own where gradients are retained."""
        if name in SHAPES or name in UNRECORDED:
            return not self.retained and not shares_places(x)
        return x.requires_grad or name not in IN_PLACE or not shares_places(x)

    def settle(self):
        """Make torch move retained gradients, which it does when the history is read; ignore its refusals."""
        for values in (self.values, self.retained):
            values[:] = [value for value in values if not _is_refused(value)]

    def finish(self, kind, which):
        """The gradients of a backward, or the text of a refusal."""
        t, wanted = self.library, [leaf for leaf in self.leaves if leaf.requires_grad]
        try:
            roots = [value for value in self.values if value.requires_grad]
            roots = roots or [self.leaves[0] * 2]
            root = roots[which % len(roots)]
            if kind == "roots":
                t.backward([root, roots[0]], [weights(t, root), weights(t, roots[0])], retain_graph=True)
                return [value.grad for value in [*wanted, *self.retained]]
            loss = (self.leaves[0] * self.leaves[0]).sum()
            for value in roots if kind == "backward" else [root]:
                loss = loss + (value * value * weights(t, value)).sum()
            if kind == "backward":
                loss.backward(retain_graph=True)
                return [value.grad for value in [*wanted, *self.retained]]
            if kind == "second":  # test_views.py has that of a base, which differs
                wanted = [leaf for leaf in wanted if leaf.is_leaf]
            asked = list(wanted)
            if kind == "grad" and not self.asks_for_leaves_only:
                asked += [value for value in roots if not value.is_leaf]
            found = t.grad(loss, asked, allow_unused=True, create_graph=kind == "second", retain_graph=True)
            if kind == "grad":
                return found
            total = (self.leaves[0] * self.leaves[0]).sum()
            for gradient in found:
                if gradient is not None and gradient.requires_grad:
                    total = total + (gradient * gradient).sum()
            return [*found, *t.grad(total, wanted, allow_unused=True, retain_graph=True)]
        except RuntimeError as error:
            return str(error)


def weights(t, value):
    return t.variable(numbers_for(size_of(value), 0.5))


def _is_refused(value):
    try:
        _ = value * 1, value.grad_fn
    except RuntimeError:
        return True
    return False


def array_of(value):
    return value.detach().numpy() if isinstance(value, torch.Tensor) else value.data.numpy()


def agree(ours, modern, what):
    """None and zeros are the same gradient."""
    if ours is None and modern is None:
        return
    modern = numpy.zeros_like(array_of(ours)) if modern is None else array_of(modern)
    ours = numpy.zeros_like(modern) if ours is None else array_of(ours)
    assert ours.shape == modern.shape or ours.shape == (1,), f"{what}: size {ours.shape}, and with torch {modern.shape}"
    scale = 1 + numpy.abs(modern).max(initial=0)
    numpy.testing.assert_allclose(ours, modern.reshape(ours.shape), rtol=1e-9, atol=1e-10 * scale, err_msg=what)


def is_refused_by_both(ours, modern, what):
    """Whether the program goes on: False, whether both refuse: True. None if only this package does, as documented."""
    if ours is None and modern is None:
        return False
    if ours is not None and modern is not None:
        event("a refusal by both")
        return True
    assert modern is None, f"{what}: torch refuses it ({modern})"
    known = [reason for text, reason in ONLY_HERE.items() if text in ours]
    assert known, f"{what}: only refused here ({ours})"
    event(f"only refused here: {known[0]}")
    return None


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
@for_random(300, PROGRAMS)
def test_views_and_in_place_operations_are_modern_torchs(program):
    ours, modern = Run(Ours, program), Run(Modern, program)
    for number, step in enumerate(program.steps):
        what = f"step {number}, {step}"
        if is_refused_by_both(ours.do(*step), modern.do(*step), what) is None:
            return
        ours.settle()
        modern.settle()
        assert len(ours.values) == len(modern.values), what
        for position, (value, expected) in enumerate(zip(ours.values, modern.values)):
            agree(value, expected, f"{what}: value {position}")
            assert value.requires_grad == expected.requires_grad, f"{what}: value {position}"
    found, expected = ours.finish(*program.end), modern.finish(*program.end)
    refused = [gradients if isinstance(gradients, str) else None for gradients in (found, expected)]
    if is_refused_by_both(*refused, "at the end") is False:
        event("numbers")
        for position, (gradient, other) in enumerate(zip(found, expected)):
            agree(gradient, other, f"gradient {position}")
