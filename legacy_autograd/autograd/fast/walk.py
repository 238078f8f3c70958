"""`ExecutionEngine.run_backward` with the engine's other methods written in.

It counts in plain numbers, one a Function. It does not check the gradients that an operation of this package returns:
in the tests the book checks them. Functions of a program, hooks, callbacks and several outputs take the long way.
"""

import contextlib
import itertools
import operator
import os
import sys

import numpy

from ...tensor.base import wrap
from .. import callbacks
from ..engine import ExecutionEngine
from ..function import Function, as_tuple
from ..leaf import Leaf
from .classes import trusted
from .record import LongWay, TwinRecord, changed

PLAIN = "LEGACY_AUTOGRAD_PLAIN"  # environment variable: "1" leaves the twin out, "0" forces it under a debugger

_around_backward, _around_accumulate = callbacks.around_backward, callbacks.around_accumulate
_run_backward, _starting_gradient = ExecutionEngine.run_backward, Function._starting_gradient
_NAMES = {name for name in vars(ExecutionEngine) if name[0] == "_" != name[1]}
_methods = operator.attrgetter(*_NAMES, "__getattribute__")
_methods_of_book = _methods(ExecutionEngine)
_ONES = {dtype: numpy.ones(1, dtype) for dtype in map(numpy.dtype, ("float64", "float32"))}
_sources, _SMALL = TwinRecord._sources, range(64)
_monitoring = getattr(sys, "monitoring", None)  # Python 3.12
_forced = os.environ.get(PLAIN) == "0"
is_watched = False  # whether backward takes the book's walk so that its methods can be watched


def run_backward(self, variable, grad, retain_variables=True):
    """`ExecutionEngine.run_backward`."""
    root = variable.creator
    is_the_books = _methods(type(self)) == _methods_of_book and (not self.__dict__ or _NAMES.isdisjoint(self.__dict__))
    waits_for = _count(root) if is_the_books and not changed and not _is_debugged() else None
    if waits_for is None:
        return _run_backward(self, variable, grad, retain_variables)
    arrived = {}  # {Function: its gradient so far, or the list of them for several outputs}
    if root._output_id != id(variable):
        gradients = [None] * len(root._output_sizes)
        gradients[root._output_nr(id(variable))] = grad
        grad, arrived[root] = None, self._complete(root, gradients)
    ready = (root, grad, None)  # a stack: (Function, its gradient, the rest). None: none came, or `arrived` has a list
    while ready:
        fn, grad, ready = ready
        edges, backward = fn._edges, trusted.get(type(fn))
        if backward is None or type(edges) is not tuple or grad is None or _around_backward.callbacks:
            grad_output = arrived.pop(fn, fn._if_no_gradient_came) if grad is None else [grad]
            ready = _long_way(self, fn, grad_output, waits_for, arrived, ready)
        elif type(fn) is Leaf:
            _add_to_leaf(fn, grad)
        else:  # an operation of this package, whose gradients are Tensors of the right shapes
            grad_input = backward(fn, grad)
            if type(grad_input) is tuple:
                for prev_fn, grad in zip(edges, grad_input):
                    if prev_fn.requires_grad:
                        if grad is None or prev_fn in waits_for:
                            ready = _arrive(self, prev_fn, 0, grad, waits_for, arrived, ready)
                        else:
                            ready = (prev_fn, grad, ready)
            elif edges[0].requires_grad:  # one input: the same without a loop
                if grad_input is None or edges[0] in waits_for:
                    ready = _arrive(self, edges[0], 0, grad_input, waits_for, arrived, ready)
                else:
                    ready = (edges[0], grad_input, ready)
        if not retain_variables:
            fn._free_saved()
    for ended in callbacks.backward_ended.callbacks:  # `notify`, written out
        ended(root)


def _count(root):
    """Return {Function: edges to it}, of those with several; None if a Function has its record in 2016's form."""
    try:
        every = [root]
        for fn, _ in zip(every, _SMALL):
            every += fn._edges
        if len(every) <= len(_SMALL) and len(set(every)) == len(every):
            return {}  # a small tree
        several, seen, queue = {}, {root}, [root]
        for fn in queue:
            for prev_fn in fn._edges:
                if prev_fn.requires_grad:
                    if prev_fn in seen:
                        several[prev_fn] = several.get(prev_fn, 1) + 1
                    else:
                        seen.add(prev_fn)
                        if type(prev_fn) is not Leaf or prev_fn._edges is False:
                            queue.append(prev_fn)
    except TypeError:  # `_edges` is False
        return None
    return several


def _long_way(engine, fn, grad_output, waits_for, arrived, ready):
    """Run a Function as the engine does. Return `ready`."""
    backward = trusted_backward(fn)
    if grad_output is None:
        grad_input = itertools.repeat(None)
    else:
        grad_input = engine._run(fn, grad_output) if backward is None else as_tuple(backward(fn, *grad_output))
    for position, ((prev_fn, number), grad) in enumerate(zip(_sources(fn), grad_input)):
        if prev_fn.requires_grad:
            if grad is not None and backward is None:
                source = f"{type(fn).__name__}.backward returned for input {position}"
                prev_fn._check_gradient(grad, number, None, source)
            ready = _arrive(engine, prev_fn, number, grad, waits_for, arrived, ready)
    return ready


def trusted_backward(fn):
    """Return the backward of an operation of this package if it may run without hooks, callbacks and checks."""
    backward = None if type(fn) is Leaf or _around_backward.callbacks else trusted.get(type(fn))
    if backward and type(fn._edges) is not tuple and (fn._edges is False or fn.backward_hooks or fn._variable_hooks):
        return None
    return backward


def sources(fn):
    """Return `fn._sources()`, without the look for a method of its own where it has none."""
    return _sources(fn) if type(getattr(fn, "_edges", None)) is tuple else fn._sources()


def _arrive(engine, prev_fn, number, grad, waits_for, arrived, ready):
    """Note a gradient of output `number` of `prev_fn`. Return `ready`, with `prev_fn` if that was its last gradient."""
    remaining = waits_for[prev_fn] = waits_for.get(prev_fn, 1) - 1
    if prev_fn._size is None:
        gradients = arrived.setdefault(prev_fn, [None] * len(prev_fn._sizes))
        if grad is not None:
            engine._add(gradients, prev_fn, number, grad)
        if not remaining:
            arrived[prev_fn] = engine._complete(prev_fn, gradients)
        grad = None
    else:
        waiting = arrived.pop(prev_fn, None)
        if type(waiting) is tuple:  # (a sum that no Function holds, so that it may change in place,)
            if grad is not None:
                _add_in_place(waiting[0].array, grad.array)
            grad = waiting if remaining else waiting[0]
        elif waiting is not None:
            grad = waiting if grad is None else (waiting.add(grad),) if remaining else waiting.add(grad)
        if remaining:
            arrived[prev_fn] = grad
    return ready if remaining else (prev_fn, grad, ready)


def _add_to_leaf(leaf, grad):
    """`Leaf._do_backward` of a Leaf without hooks."""
    variable = leaf._variable()
    if variable is None:
        return
    if _around_accumulate.callbacks:
        return _around_accumulate.run(leaf, leaf._accumulate, (variable, grad))
    with leaf._lock:
        before = variable._grad
        if type(before) is type(grad) and before._base is None:
            total, added = before.array, grad.array
            if total.shape == added.shape == variable.data.array.shape and total.flags.writeable:
                _add_in_place(total, added)
                before._writes += 1
                leaf._size = total.shape
                return
        leaf._check_gradient(grad, 0)
        leaf._accumulate(variable, grad)


def _add_in_place(total, added):
    if total.size == 1 and total.dtype.kind == "f":  # numpy takes ten times as long to add one element
        total[0] = total.item() + added.item()
    else:
        numpy.add(total, added, total)


def _is_debugged():
    """Return whether a debugger steps through the program, or another watcher; these find the book's lines."""
    is_stepping = sys.gettrace() is not None or _monitoring and _monitoring.get_tool(_monitoring.DEBUGGER_ID)
    return is_watched or is_stepping and not _forced


@contextlib.contextmanager
def the_books_walk():
    """Let backward take the book's walk within this context, so that its methods can be watched."""
    global is_watched
    before, is_watched = is_watched, True
    try:
        yield
    finally:
        is_watched = before


def starting_gradient(self, data):
    """`Function._starting_gradient`."""
    one = _ONES.get(data.array.dtype) if data.array.shape == (1,) else None
    return _starting_gradient(self, data) if one is None else wrap(one.copy())


def hooks_in(name):
    """Return a property that is kept in the attribute `name`. Setting it sends the walk the long way."""

    def set_hooks(self, hooks):
        setattr(self, name, hooks)
        self._edges = LongWay(self._edges) if isinstance(self._edges, tuple) else False

    return property(operator.attrgetter(name), set_hooks)
