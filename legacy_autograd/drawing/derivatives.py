"""Local derivatives: for every Function of a small graph, what its backward returns for any gradient that it may get.

In the page's "Free choice", the reader chooses the order of the Functions, and the page computes the gradients from
these numbers. A backward is linear in its incoming gradients, so its results for the gradients of a basis are enough.
Only the package's own operations are called for this: their backward has no side effects, but a user's may have. Of a
user's Function, and of one with hooks, the page has what the backward that ran returned.
"""

import math
import warnings

import numpy

from ..autograd import functions
from ..autograd.function import as_tuple
from ..autograd.leaf import Leaf
from ..tensor.base import wrap
from .values import grad_as_read

MOST_ELEMENTS = 6  # of a tensor: a picture shows so many as numbers
MOST_FUNCTIONS = 60
MOST_PATHS = 64  # gradients in a basis
_MOST_NUMBERS = 5_000_000  # in all bases
_MOST_VALUES = 16  # of a gradient of a basis on the page


class Refused(Exception):
    """This graph's data are not collected; the argument is a dictionary that says `why`."""


class LocalDerivatives:
    """Collects the derivatives of the Functions during a traced backward, while all saved tensors exist.

    A gradient is a list of coordinates. Those of a tensor with few elements are its numbers. A larger tensor has a
    basis: the gradients that arrive if every Function runs once for each gradient that it receives. `finish` returns
    data that can be written as JSON. They contain either the numbers or the reason for their absence:

    - `root`: the number of the Function at which backward starts; `seed`: its outputs' gradients
    - `held`: {number of a leaf: its `grad` before, or None}
    - `jacobians`: {number: [for each input: [for each output: rows, one for each coordinate of the output]]}, with None
      for an input that receives no gradient
    - `recorded`: {number: [for each input its gradient in the backward that ran, or None]} of the Functions that cannot
      run again; of a leaf with hooks, [the gradient that was accumulated]
    - `bases`: {number: [for each output None, or its `vectors` (their first values and mean) and `gram`, the products
      of each two of them]}
    - or `refused`: {"why": "too_many" | "too_large" | "too_many_paths" | "own_engine" | "not_finite", …}
    """

    def __init__(self, recorder, engine):
        self._recorder = recorder
        self.is_own_engine = engine.__module__.startswith(functions.__name__.rpartition(".")[0])
        self._bases = {}  # {(Function, output): the gradients of its basis}
        self._numbers = 0  # in all of them
        self._data = {}
        self.start = {}  # `root` and `seed`: all numbers of each output's gradient, or None

    def begin(self, function, gradients):
        """Record the root of backward and its gradients, or why this graph's derivatives are not collected."""
        numbers = [None if gradient is None else gradient.data.array for gradient in gradients]
        self.start = {"root": self._recorder.number(function)}
        self.start["seed"] = [None if array is None else array.ravel().tolist() for array in numbers]
        self._collect(self._begin, function, gradients)

    def add(self, function, gradients, result):
        """Collect the derivatives of `function`, which ran with `gradients` and returned `result`.

        The result of a Leaf is the gradient that it accumulates.
        """
        self._collect(self._add, function, gradients, result)

    def _collect(self, part, *args):
        if "refused" not in self._data:
            try:
                part(*args)
            except Refused as refused:
                self._data = {"refused": refused.args[0]}

    def _begin(self, function, gradients):
        graph = [fn for fn in self._recorder.graph.nodes if fn.requires_grad]
        if len(graph) > MOST_FUNCTIONS:
            raise Refused({"why": "too_many", "count": len(graph), "most": MOST_FUNCTIONS})
        if not self.is_own_engine and not all(map(_can_run_again, graph)):
            raise Refused({"why": "own_engine"})
        self._data = {"root": self._recorder.number(function), "jacobians": {}, "recorded": {}}
        self._data["seed"] = [self._coordinates(function, i, gradient) for i, gradient in enumerate(gradients)]
        leaves = [fn for fn in graph if isinstance(fn, Leaf)]
        self._data["held"] = {self._recorder.number(fn): self._coordinates(fn, 0, _held(fn)) for fn in leaves}

    def _add(self, function, gradients, result):
        sources = self._recorder.graph.inputs[function] or [(function, 0)]
        number = self._recorder.number(function)
        if not _can_run_again(function):
            self._data["recorded"][number] = [self._passed(*place) for place in zip(sources, result)]
        elif not isinstance(function, Leaf):
            like = next(gradient for gradient in gradients if gradient is not None)
            bases = [self._basis(function, output, like) for output in range(len(function._output_sizes))]
            self._data["jacobians"][number] = jacobians(function, bases, sources, self._passed)

    def _passed(self, source, gradient):
        function, output = source
        return self._coordinates(function, output, gradient) if function.requires_grad else None

    def _coordinates(self, function, output, gradient):
        """Return a gradient as its numbers; one of many is added to the basis, and its place there is returned."""
        if gradient is None:
            return None
        array = gradient.data.array  # of a Variable if the backward that ran is differentiable
        if not numpy.isfinite(array).all():  # JSON has no infinities, and 0 times infinity is nan
            raise Refused({"why": "not_finite", "label": self._recorder.label(function)})
        if array.size <= MOST_ELEMENTS:
            return array.ravel().tolist()
        basis = self._bases.setdefault((function, output), [])
        basis.append(array.copy())  # the one of a leaf changes in place
        self._numbers += array.size
        if len(basis) > MOST_PATHS:
            raise Refused({"why": "too_many_paths", "label": self._recorder.label(function), "most": MOST_PATHS})
        if self._numbers > _MOST_NUMBERS:
            raise Refused({"why": "too_large", "most": _MOST_NUMBERS})
        return len(basis) - 1

    def _basis(self, function, output, like):
        size = function._output_sizes[output]
        if math.prod(size) <= MOST_ELEMENTS:
            return units(size, like.data.array.dtype)
        return self._bases.get((function, output), [])

    # --- as data

    def finish(self):
        """Return the data, with coordinates instead of places in a basis."""
        data = self._data
        if "refused" in data:
            return data
        inputs = {self._recorder.number(fn): edges for fn, edges in self._recorder.graph.inputs.items()}
        functions = {self._recorder.number(fn): fn for fn in self._recorder.graph.nodes}
        root = functions[data["root"]]
        data["seed"] = [self._row(root, output, place) for output, place in enumerate(data["seed"])]
        data["held"] = {number: self._row(functions[number], 0, place) for number, place in data["held"].items()}
        for number, by_input in data["jacobians"].items():
            for by_output, source in zip(by_input, inputs[number]):
                for rows in by_output or ():
                    rows[:] = [self._row(*source, place) for place in rows]
        for number, row in data["recorded"].items():
            sources = inputs[number] or [(functions[number], 0)]
            data["recorded"][number] = [self._row(*source, place) for source, place in zip(sources, row)]
        data["bases"] = {}
        for (function, output), basis in self._bases.items():
            outputs = data["bases"].setdefault(self._recorder.number(function), [None] * len(function._output_sizes))
            outputs[output] = _basis_data(basis)
        return data

    def _row(self, function, output, place):
        if not isinstance(place, int):
            return place
        return [int(place == other) for other in range(len(self._bases[function, output]))]


def jacobians(function, bases, sources, passed):
    """Return [for each input: [for each output: `passed(source, gradient)` for each gradient of the output's basis]].

    An input that receives no gradient has None. `function` was called, belongs to the package, and still has its saved
    tensors. `bases` has a list of arrays for each output; `sources` are the inputs' (Function, output).
    """
    sizes = function._output_sizes
    by_input = [[[] for _ in sizes] for _ in sources]
    for output, basis in enumerate(bases):
        for gradient in basis:
            gradients = [wrap(numpy.zeros(other, gradient.dtype)) for other in sizes]
            gradients[output] = wrap(gradient)
            with warnings.catch_warnings():  # the real backward has already shown its warnings
                warnings.simplefilter("ignore")
                result = as_tuple(function.backward(*gradients))
            for source, rows, found in zip(sources, by_input, result):
                rows[output].append(None if found is None else passed(source, found))
    return [None if any(None in rows for rows in by_output) else by_output for by_output in by_input]


def units(size, dtype):
    """Return the gradients of this shape that are 1 at one element and 0 at the others."""
    count = math.prod(size)
    return list(numpy.eye(count, dtype=dtype).reshape(count, *size))


def has_hooks(function):
    """Return whether a user's code takes part in the backward of `function`."""
    return bool(function._variable_hooks or function.backward_hooks or function._unpack is not None)


def is_operation(function):
    """Return whether `function` is an operation of the package."""
    return type(function).__module__.startswith(functions.__name__)


def _can_run_again(function):
    """Return whether backward of `function` has no side effects: it is an operation of the package without hooks."""
    return not has_hooks(function) and (isinstance(function, Leaf) or is_operation(function))


def _held(leaf):
    return None if leaf.variable is None else grad_as_read(leaf.variable)


def _basis_data(basis):
    wide = numpy.array([array.ravel() for array in basis], dtype=numpy.float64)
    vectors = [{"values": row[:_MOST_VALUES].tolist(), "mean": float(row.mean())} for row in wide]
    return {"vectors": vectors, "gram": (wide @ wide.T).tolist()}
