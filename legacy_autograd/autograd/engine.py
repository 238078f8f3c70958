"""`ExecutionEngine`: walks the graph from a root back to its leaves (2016: `torch/autograd/engine.py`).

A Function may run backward only when the gradients of all consumers of its outputs have arrived. So the engine first
counts, for every output, the consumers that lead to the root. Then it runs the Functions that are ready, and counts
down.
"""

from collections import Counter

import numpy

from ..tensor.base import wrap
from . import callbacks


class ExecutionEngine:
    """Runs backward. It keeps all state in the call, so a hook may start another backward."""

    def _compute_dependencies(self, function):
        """Count the edges behind `function`: {Function: [Counter {consumer: edges} of each output]}.

        Functions that require no gradient are left out (since v0.1.5), because no gradient would ever count them down.
        """
        dependencies = {}
        seen = {function}
        queue = [function]
        while queue:
            fn = queue.pop()
            for prev_fn, arg_id in fn.previous_functions:
                if not prev_fn.requires_grad:
                    continue
                if prev_fn not in dependencies:
                    dependencies[prev_fn] = [Counter() for _ in prev_fn.output_ids]
                output_nr = prev_fn._output_nr(arg_id)
                dependencies[prev_fn][output_nr][fn] += 1
                if prev_fn not in seen:
                    queue.append(prev_fn)
                    seen.add(prev_fn)
        return dependencies

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        """Count down the edge from `fn`, which has run, to an output of `prev_fn`. Return the number of that output."""
        output_nr = prev_fn._output_nr(arg_id)
        consumers = dependencies[prev_fn][output_nr]
        consumers[fn] -= 1
        if consumers[fn] == 0:
            del consumers[fn]
        return output_nr

    def _is_ready_for_backward(self, dependencies, function):
        """Return whether the gradients of all consumers of all outputs of `function` have arrived."""
        return not any(dependencies[function])

    def run_backward(self, variable, grad, retain_variables=True):
        """Carry a gradient from a Variable back to every leaf that requires one.

        `ready` is a stack: what became ready last runs first. `not_ready` holds the gradients that have arrived at
        Functions which still wait for others, one for each output.

        Args:
            variable: The root.
            grad: The gradient of the root, a Tensor.
            retain_variables: Whether the Functions keep the tensors that they saved.
        """
        root = variable.creator
        ready, not_ready = self._begin(variable, grad)
        dependencies = self._compute_dependencies(root)

        while ready:
            fn, grad_output = ready.pop()
            grad_input = self._run(fn, grad_output)
            for position, ((prev_fn, arg_id), grad) in enumerate(zip(fn.previous_functions, grad_input)):
                if not prev_fn.requires_grad:
                    continue
                output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                is_ready = self._is_ready_for_backward(dependencies, prev_fn)
                gradients = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if is_ready:
                    del not_ready[prev_fn]
                if grad is not None:
                    source = f"{type(fn).__name__}.backward returned for input {position}"
                    prev_fn._check_gradient(grad, output_nr, None, source)
                    self._add(gradients, prev_fn, output_nr, grad)
                if is_ready:
                    ready.append((prev_fn, self._complete(prev_fn, gradients)))
            if not retain_variables:
                fn._free_saved()

        callbacks.backward_ended.notify(root)

    def _begin(self, variable, grad):
        """Return `ready`, which holds the root and its gradient, and the empty `not_ready`."""
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[root._output_nr(id(variable))] = grad
        return [(root, self._complete(root, gradients))], {}

    def _run(self, fn, grad_output):
        """Run the hooks of one Function's outputs, then its backward. Return the gradients of its inputs."""
        if grad_output is None:
            return (None,) * len(fn.previous_functions)
        if fn._variable_hooks:
            grad_output = fn._run_variable_hooks(grad_output)
        return callbacks.around_backward.run(fn, fn._do_backward, grad_output)

    def _add(self, gradients, fn, output_nr, grad):
        """Add `grad` to the gradient that has arrived for output `output_nr` of `fn`.

        The first gradient is held as it is and never written to, because other Functions may hold it too. 2016 added
        the second gradient to the first in place, and so changed gradients that other Functions had still to read.
        """
        waiting = gradients[output_nr]
        gradients[output_nr] = grad if waiting is None else waiting.add(grad)

    def _complete(self, fn, gradients):
        """Return the gradients to run `fn` with: zeros for an output that was not used (2016 failed an assertion).

        If no gradient arrived, because every backward on the way returned None, `fn` is skipped (None).
        """
        arrived = next((grad for grad in gradients if grad is not None), None)
        if arrived is None:
            return fn._if_no_gradient_came
        if fn._materialize_grads:
            for output_nr, grad in enumerate(gradients):
                if grad is None:
                    gradients[output_nr] = self._zeros(fn._output_sizes[output_nr], arrived)
        return gradients

    def _zeros(self, size, like):
        return wrap(numpy.zeros(size, like.array.dtype))
