"""Run the lines of a program and write down what can be seen of them, as plain data."""

import builtins
import contextlib
import functools
import gc
import itertools
import random
import weakref

import numpy

from ... import tensor as tensors
from ...autograd.leaf import Leaf
from ...autograd.variable import Variable
from ...nn.parameter import Parameter
from ...tensor import Tensor
from ..answer import plain
from .functions import BY_A_HOOK, FUNCTIONS

_TYPES = ("DoubleTensor", "FloatTensor", "HalfTensor", "LongTensor", "IntTensor", "ByteTensor")
NAMES = {name: getattr(tensors, name) for name in _TYPES}  # that every program may use
NAMES |= {"Variable": Variable, "Parameter": Parameter, "nan": float("nan"), "inf": float("inf"), **FUNCTIONS}
STILL_THERE = "a Function and a gradient are still there after their backward"
OUTSIDE = "random numbers and garbage collection"
_COPIES = random.Random(), numpy.random.RandomState(), tensors.Generator()


@functools.cache
def _compiled(line):
    return compile(line, "<string>", "exec")


class Run:
    """Runs programs. `names` are further names that the lines may use, such as the student's classes.

    `last` is the Run that executed last, of which a picture may show the graph.
    `seen` is {what: data}, to which `execute` adds the Variables and Tensors of the lines at the end.
    """

    last = None

    def __init__(self, names=(), watch=False):
        self.names = {**NAMES, **dict(names), "note": self.note, "forget": self.forget, "outlives": self.outlives}
        self.names |= {"rewrite": self.rewrite, "__builtins__": builtins}
        self._watches = watch
        self._given = len(self.names)
        self.seen = {}
        self._held = []  # (what, a Tensor that someone else holds, its bytes, its count of writes)
        self.labels = {}  # {a watched Function: its name}

    def execute(self, lines):
        """Run the lines in turn. An exception that a hook raises ends its line only, and is noted."""
        _copies_agree()  # from here on: other code may have drawn
        Run.last, collects = self, gc.isenabled()
        for number, line in enumerate(lines, 1):
            code = _compiled(line)
            try:
                exec(code, self.names)
            except BaseException as error:  # KeyboardInterrupt, too
                if BY_A_HOOK not in str(error):
                    raise
                self.seen[f"line {number}"] = type(error).__name__
            self._watches = self._watches and not line.startswith("for ")  # of which a loop makes too many
            self.look(self.names if "_(" in line else code.co_names)  # through a view, any Variable may change
        if not _copies_agree() or gc.isenabled() != collects:
            self.seen[OUTSIDE] = "changed"
            gc.enable()  # so that the next program sees it, too
        return {**self.at_the_end(), **self.seen}

    def look(self, names):
        """Look at what the last line has made or changed, which is among these names."""
        if self._watches:
            for name in names:
                for of, variable in variables_in(name, self.names.get(name)):
                    if variable.creator not in self.labels:
                        self.watch(of, variable.creator)

    def made(self, since=0):
        """Return the pairs (name, value) of all that the lines have made, in order: those `since` so many `names`."""
        return list(itertools.islice(self.names.items(), max(since, self._given), None))

    def variables(self, since=0):
        """Return the pairs (name, Variable) that the lines have made, as `made` does."""
        for name, value in self.made(since):
            yield from variables_in(name, value)

    def hold(self, what, tensor):
        """Note if a Tensor is written into from now on: other code reads it."""
        if isinstance(tensor, Tensor):
            self._held.append((what, tensor, tensor.array.tobytes(), tensor._version))

    def add(self, what, data):
        """Append to the list that is seen as `what`."""
        self.seen.setdefault(what, []).append(data)

    def note(self, name, kind="one", other=None):
        """Return a hook that writes down its gradient, and then does what its kind says (dimensions.py).

        `other` is the Variable whose backward it runs, or the class of the exception that it raises.
        """

        def see(*arguments):
            gradient = arguments[-1]
            self.add(f"hook {name}", plain(gradient))
            for one in gradient if isinstance(gradient, tuple) else (gradient,):
                self.hold(f"the gradient that hook {name} saw", one)
            return gradient * 2

        return self.hook(see, kind, other)

    def hook(self, see, kind, other, remove=None):
        """Return a hook of that kind. `see` looks at its arguments and returns what a hook that replaces returns.

        `remove` removes the hook, before it runs a backward as well; without it, its `handle` does when it must.
        """
        ran = False

        def hook(*arguments):
            nonlocal ran
            instead = see(*arguments)
            if kind == "raises":
                raise other(BY_A_HOOK)
            if kind == "removes":
                (remove or hook.handle.remove)()
            if kind in ("runs", "catches") or kind == "again" and not ran:
                ran = True
                if remove is not None and kind != "again":
                    remove()
                try:
                    other.backward(other.data.new(*other.size()).fill_(1))
                except BaseException as error:
                    if kind != "catches" or BY_A_HOOK not in str(error):
                        raise
                leaves = [fn.variable for fn, _ in other.creator.previous_functions if isinstance(fn, Leaf)]
                self.add("gradients after the backward that a hook ran", [described(leaf.grad) for leaf in leaves])
            return instead if kind == "replaces" else None

        return hook

    def forget(self):
        """Drop what was seen so far: the order in which a backward ran until it raised is free."""
        self.seen = {what: data for what, data in self.seen.items() if what.startswith("line ")}

    def outlives(self, make, error=None):
        """Run the backward of the Variable that `make()` returns. Write down what of it the engine still holds.

        `error` is the class of the exception that one of its operands raises in backward, half of the others after it.
        """
        variable = make()
        gradient = variable.data.new(variable.size()).fill_(1)
        functions = [weakref.ref(operand) for operand, _ in variable.creator.previous_functions]
        gradients, waiting = [weakref.ref(gradient)], len(functions)

        def watched(function, *grad_output):
            nonlocal waiting
            waiting -= 1
            if error is not None and waiting == len(functions) // 2:
                raise error(BY_A_HOOK)
            found = type(function()).backward(function(), *grad_output)
            others = found if isinstance(found, tuple) else (found,)  # without an exception they may become x.grad
            gradients.extend(map(weakref.ref, grad_output if error is None else grad_output + others))
            return found

        for function in functions:
            function().backward = functools.partial(watched, function)
        with contextlib.suppress(error or ()):
            variable.backward(gradient)
        del gradient
        of_a_graph = _are_there(gradients)  # that is still there
        del variable
        self.add(STILL_THERE, [_are_there(functions), of_a_graph])

    def rewrite(self, tensor, factor=2):
        """Multiply the numbers of a Tensor: it is the caller's, who may."""
        tensor.mul_(factor)
        self._held = [
            (what, held, held.array.tobytes(), held._version) if held is tensor else (what, held, before, writes)
            for what, held, before, writes in self._held
        ]

    def watch(self, name, function):
        """Write down each backward of this Function, and of those behind it that have no name of their own."""
        waiting = [function]
        while waiting:
            one = waiting.pop()
            if one in self.labels or not one.requires_grad:
                continue
            label = name if one is function else f"{type(one).__name__} {len(self.labels)} behind {name}"
            self.labels[one] = label
            if isinstance(one, Leaf):
                self.watch_leaf(label, one)
            else:
                one.backward = self._watched(label, one.backward)
            waiting += [operand for operand, _ in one.previous_functions]

    def watch_leaf(self, name, leaf):
        do_backward = leaf._do_backward

        def watched(*gradients):
            self._ran(name, gradients)
            return do_backward(*gradients)

        leaf._do_backward = watched

    def _watched(self, name, backward):
        def watched(*gradients):
            self._ran(name, gradients)
            found = backward(*gradients)
            for gradient in found if isinstance(found, (tuple, list)) else (found,):
                self.hold(f"the gradient that {name} returned", gradient)
            return found

        return watched

    def _ran(self, name, gradients):
        self.add(f"backward of {name}", plain(gradients[0] if len(gradients) == 1 else gradients))
        for gradient in gradients:
            self.hold(f"the gradient that {name} was given", gradient)

    def at_the_end(self):
        """Return all numbers and gradients, and the first Tensor of another's that was written into."""
        found = {}
        for name, variable in self.variables():
            if variable.is_leaf and variable.requires_grad:
                found[f"{name}.grad"] = described(variable.grad)
            elif variable._grad is not None:
                found[f"{name}.grad"] = described(variable._grad)
            found[name] = described(variable.data)
        for name, value in self.made():
            if isinstance(value, Tensor):
                found |= {name: described(value), f"writes into {name}": value._version}
        for what, tensor, before, writes in self._held:
            if tensor._version != writes or tensor.array.tobytes() != before:
                return {"written into": what, **found}
        return {"written into": "nothing", **found}


def _are_there(references):
    """Return whether one of the weak references has its object, also after a garbage collection."""
    for generation in range(3):  # the last, of all objects, takes longest
        if all(one() is None for one in references):
            return False
        gc.collect(generation)
    return any(one() is not None for one in references)


def _copies_agree():
    """Draw from each generator that all of the process shares, and from its copy. Return whether these were alike."""
    python, of_numpy, of_tensors = _COPIES
    drawn = random.random(), numpy.random.random(), tensors.default_generator._stream.random()
    if drawn == (python.random(), of_numpy.random(), of_tensors._stream.random()):
        return True
    python.setstate(random.getstate())
    of_numpy.set_state(numpy.random.get_state())
    of_tensors.set_state(tensors.get_rng_state())
    return False


def variables_in(name, value):
    """Return the pairs (name, Variable) of a value of that name: itself, or those in a tuple or list."""
    if isinstance(value, (tuple, list)):
        return [(f"{name}[{n}]", one) for n, one in enumerate(value) if isinstance(one, Variable)]
    return [(name, value)] if isinstance(value, Variable) else []


def described(tensor):
    """Return a Tensor's numbers; with its type and size where nested lists do not show them.

    A list or tuple gives that for each of its items, and a tuple of one that for its item.
    """
    if isinstance(tensor, (tuple, list)):
        items = [described(item) for item in tensor]
        return items[0] if len(items) == 1 and isinstance(tensor, tuple) else items
    if not isinstance(tensor, Tensor):
        return plain(tensor)
    if tensor.numel() and type(tensor).__name__ == "DoubleTensor":
        return plain(tensor)
    return [type(tensor).__name__, list(tensor.size()), plain(tensor)]
