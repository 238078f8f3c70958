"""v0.1.1's `ExecutionEngine`, and v0.1.2's (2016: `torch/autograd/engine.py`)."""

from collections import Counter

from ..autograd.engine import ExecutionEngine
from ..tensor import Tensor


class HistoricalEngine(ExecutionEngine):
    """v0.1.1's engine, with all defects of its walk. It can also walk graphs of the fixed classes."""

    def _compute_dependencies(self, function):
        """Return {Function: for each output a Counter {consumer: number of edges}} of all reachable Functions.

        Functions that require no gradient are counted too, though their uses are never subtracted (B4).
        """
        dependencies, seen, queue = {}, {function}, [function]
        while queue:
            fn = queue.pop()
            for prev_fn, arg_id in fn.previous_functions:
                if prev_fn not in dependencies:
                    dependencies[prev_fn] = [Counter() for _ in prev_fn.output_ids]
                dependencies[prev_fn][prev_fn.output_ids[arg_id]][fn] += 1
                if prev_fn not in seen:
                    seen.add(prev_fn)
                    queue.append(prev_fn)
        return dependencies

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        """Remove one edge from `fn` from the Counter; return the number of the output to which it leads."""
        output_nr = prev_fn.output_ids[arg_id]
        consumers = dependencies[prev_fn][output_nr]
        consumers[fn] -= 1
        if consumers[fn] == 0:
            del consumers[fn]
        return output_nr

    def run_backward(self, variable, grad, retain_variables=True):
        """Walk back from `variable`, with v0.1.1's assertions. No buffer is freed: `retain_variables` is ignored."""
        ready, not_ready = self._begin(variable, grad)
        dependencies = self._compute_dependencies(variable.creator)
        while ready:
            fn, grad_output = ready.pop()
            grad_input = self._run(fn, grad_output)
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, grad_input):
                if not prev_fn.requires_grad:
                    if grad is not None:
                        raise AssertionError  # B1: v0.1.1's had no message either
                    continue
                output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                is_ready = self._is_ready_for_backward(dependencies, prev_fn)
                if is_ready and prev_fn not in not_ready:
                    if output_nr != 0:
                        raise AssertionError  # C1
                    ready.append((prev_fn, (grad,)))
                    continue
                gradients = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                self._add(gradients, prev_fn, output_nr, grad)
                if is_ready:
                    ready.append((prev_fn, not_ready.pop(prev_fn)))

    def _begin(self, variable, grad):
        """Start the root with one gradient, whichever of its outputs backward was called on (C3)."""
        return [(variable.creator, (grad,))], {}

    def _add(self, gradients, fn, output_nr, grad):
        """Store the first gradient without a copy, and add later ones to it in place (A1 to A4)."""
        if gradients[output_nr] is None:
            gradients[output_nr] = grad
        else:
            add_in_place(gradients[output_nr], grad)


class HalfRepairedEngine(HistoricalEngine):
    """v0.1.2's partial fix: a tensor that was stored without a copy is copied before the first addition to it.

    A set contains these tensors. A tensor that waits for two consumers is in the set only once, so only the first
    consumer makes a copy (A6). v0.1.5 stores positions instead of tensors.
    """

    def _begin(self, variable, grad):
        self.need_copy = set()
        return super()._begin(variable, grad)

    def _add(self, gradients, fn, output_nr, grad):
        waiting = gradients[output_nr]
        if waiting is None:
            gradients[output_nr] = grad
            self.need_copy.add(grad)
        else:
            if waiting in self.need_copy:
                self.need_copy.remove(waiting)
                waiting = gradients[output_nr] = waiting.clone()
            add_in_place(waiting, grad)


# --- results of the C code


def add_in_place(tensor, other):
    """v0.1.1's `tensor.add_(other)`: the operands need equally many elements, whatever their shapes."""
    add_ = tensor.add_  # B2: of None, an AttributeError
    if not isinstance(other, Tensor):
        raise ValueError("Invalid arguments!")
    add_(in_size_of(tensor, other))


def pointwise(tensor, name, other):
    """v0.1.1's `tensor.add(other)`, `mul` and so on: as `add_in_place`; the result has the shape of `tensor`."""
    return getattr(tensor, name)(in_size_of(tensor, other))


def in_size_of(tensor, other):
    """Return `other` with the shape of `tensor`; a number is returned unchanged."""
    if not isinstance(other, Tensor):
        return other
    if other.numel() != tensor.numel():
        raise RuntimeError("inconsistent tensor size")
    return other.contiguous().view(*tensor.size())
