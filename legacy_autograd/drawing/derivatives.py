"""Local derivatives: for every Function of a small graph, the Jacobian of each output with respect to each input.

In the page's "Free choice", the reader chooses the order of the Functions, and the page computes the gradients from
these matrices. A backward is linear in its incoming gradients, so it returns the rows of a Jacobian for unit gradients.
Only the package's own operations are called for this: their backward has no side effects, but a user's may have.
"""

import math
import warnings

import numpy

from ..autograd import functions
from ..autograd.function import as_tuple
from ..autograd.leaf import Leaf
from ..tensor.base import wrap
from .labels import size_text
from .values import grad_as_read

MOST_ELEMENTS = 6  # of a tensor: a picture shows so many as numbers
MOST_FUNCTIONS = 60


class LocalDerivatives:
    """Collects the Jacobians of the Functions during a traced backward, while all saved tensors exist.

    `data` can be written as JSON. It contains either the numbers or the reason for their absence:

    - `root`: the number of the Function at which backward starts; `seed`: its outputs' gradients
    - `held`: {number of a leaf: its `grad` before, or None}
    - `jacobians`: {number: [for each input: [for each output: rows, one for each element of the output]]}, with None
      for an input that receives no gradient
    - or `refused`: {"why": "too_many" | "too_large" | "own_function" | "hook" | "unpacked" | "not_finite", …}

    Tensors are flat lists in the order of their elements.
    """

    def __init__(self, recorder):
        self._recorder = recorder
        self.data = None

    def begin(self, function, gradients):
        """Record the root of backward and its gradients, or why this graph's derivatives are not collected."""
        graph = self._recorder.graph
        functions = [fn for fn in graph.nodes if fn.requires_grad]
        refused = self._refusal(functions)
        if refused is not None:
            self.data = {"refused": refused}
            return
        leaves = [fn for fn in functions if isinstance(fn, Leaf)]
        self.data = {
            "root": self._recorder.number(function),
            "seed": [None if gradient is None else gradient.array.ravel().tolist() for gradient in gradients],
            "held": {self._recorder.number(leaf): _held(leaf) for leaf in leaves},
            "jacobians": {},
        }
        self._check_finite([*self.data["seed"], *self.data["held"].values()], function)

    def add(self, function, gradients):
        """Collect the Jacobians of `function`, which has run with `gradients`."""
        if "refused" in self.data or isinstance(function, Leaf):
            return
        like = next(gradient for gradient in gradients if gradient is not None)
        found = jacobians(function, like)
        self.data["jacobians"][self._recorder.number(function)] = found
        self._check_finite([row for by_output in found if by_output for rows in by_output for row in rows], function)

    def _check_finite(self, rows, function):
        """Refuse infinities: JSON has none, and 0 times an infinite derivative is not what backward computes."""
        if not all(math.isfinite(x) for row in rows if row is not None for x in row):
            self.data = {"refused": {"why": "not_finite", "label": self._recorder.label(function)}}

    def _refusal(self, functions):
        if len(functions) > MOST_FUNCTIONS:
            return {"why": "too_many", "count": len(functions), "most": MOST_FUNCTIONS}
        for function in functions:
            label = self._recorder.label(function)
            for size in function._output_sizes:
                if math.prod(size) > MOST_ELEMENTS:
                    return {"why": "too_large", "label": label, "size": size_text(size), "most": MOST_ELEMENTS}
            if type(function) is not Leaf and not _is_pure(function):
                return {"why": "own_function", "label": label}
            if function._variable_hooks or function.backward_hooks:
                return {"why": "hook", "label": label}
            if function._unpack is not None:
                return {"why": "unpacked", "label": label}
        return None


def jacobians(function, like):
    """Return [for each input: [for each output: the Jacobian as rows, one for each element of the output]].

    An input that receives no gradient has None. `function` was called, belongs to the package, and still has its saved
    tensors. `like` is a gradient of its outputs' type.
    """
    sizes = function._output_sizes
    by_input = [[[] for _ in sizes] for _ in function.previous_functions]
    for output_nr, size in enumerate(sizes):
        for element in range(math.prod(size)):
            gradients = [wrap(numpy.zeros(other, like.array.dtype)) for other in sizes]
            gradients[output_nr].array.flat[element] = 1
            with warnings.catch_warnings():  # the real backward has already shown its warnings
                warnings.simplefilter("ignore")
                result = function.backward(*gradients)
            for rows, gradient in zip(by_input, as_tuple(result)):
                rows[output_nr].append(None if gradient is None else gradient.array.ravel().tolist())
    return [None if any(None in rows for rows in by_output) else by_output for by_output in by_input]


def _is_pure(function):
    """Return whether backward of `function` has no side effects: whether it is an operation of the package."""
    return type(function).__module__.startswith(functions.__name__)


def _held(leaf):
    grad = None if leaf.variable is None else grad_as_read(leaf.variable)
    return None if grad is None else grad.data.array.ravel().tolist()
