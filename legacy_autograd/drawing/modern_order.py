"""`ModernOrderEngine` runs Functions in the order of modern torch's engine, on a graph of this package.

In torch each Function has a sequence number, which counts up as Functions are made. The engine runs the ready Function
with the largest number: the newest first. The number of an `AccumulateGrad`, torch's Leaf, is the largest possible, so
a leaf runs as soon as it is ready. 2016 had one stack instead: what became ready last runs first.
"""

import math

from ..autograd.engine import ExecutionEngine
from ..autograd.leaf import Leaf
from ..autograd.variable import Variable
from ..tensor import Tensor
from .recording import record_of
from .walk import Graph, inputs_of


class ModernOrderEngine(ExecutionEngine):
    """Modern torch's order: leaves at once, then the newest Function first.

    A Function of this package has no sequence number. Under `drawing.record()` the order in which Functions were made
    is known. Otherwise it is that of Python's evaluation if the whole graph were one expression: operands first, from
    left to right. Of several leaves that are ready, the first one runs.

    `choices` are those that differ from a stack's: (number of the run, Function, what a stack would run, reason).
    """

    def run_backward(self, variable: Variable, grad: Tensor, retain_variables: bool = True) -> None:
        """Carry a gradient from a Variable back to every leaf that requires one.

        Args:
            variable: The root.
            grad: The gradient of the root, a Tensor.
            retain_variables: Ignored: the Functions keep the tensors that they saved.
        """
        self.choices: list = []
        self._made = order_of_making(variable.creator)
        ready, not_ready = self._begin(variable, grad)
        dependencies = self._compute_dependencies(variable.creator)
        runs = 0
        while ready:
            fn, grad_output = ready.pop(self._newest(ready, runs))
            runs += grad_output is not None
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self._run(fn, grad_output)):
                if not prev_fn.requires_grad:
                    continue
                output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                gradients = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if grad is not None:
                    self._add(gradients, prev_fn, output_nr, grad)
                if self._is_ready_for_backward(dependencies, prev_fn):
                    del not_ready[prev_fn]
                    ready.append((prev_fn, self._complete(prev_fn, gradients)))

    def _newest(self, ready, runs):
        numbers = [self._made[fn] for fn, _ in ready]
        place = numbers.index(max(numbers))
        (fn, _), (last, _) = ready[place], ready[-1]
        if fn is not last:
            reason = "newest" if not isinstance(fn, Leaf) else "leaves" if isinstance(last, Leaf) else "leaf"
            self.choices.append((runs, fn, last, reason))
        return place


def order_of_making(root):
    """Return {Function behind `root`: its number in the order in which they were made}; a Leaf has infinity."""
    graph = Graph([(root, 0)], inputs_of)
    records = [record_of(fn) for fn in graph.nodes if not isinstance(fn, Leaf)]
    numbers = graph.number if None in records else {fn: record_of(fn).sequence for fn in graph.nodes if record_of(fn)}
    return {fn: math.inf if isinstance(fn, Leaf) else numbers[fn] for fn in graph.nodes}
