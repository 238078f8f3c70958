"""`ExecutionEngine`: walks the graph from a root back to its leaves (2016: `torch/autograd/engine.py`).

A Function may run backward only when the gradients of all who used its outputs have arrived. So the engine first
counts, for every output, the uses that lead to the root; then it runs what is ready, and counts down.
"""

import numpy

from . import seams
from .tensor.base import wrap


class ExecutionEngine:
    """Runs backward. It keeps all state in the call, so a hook may start another backward inside of one."""

    def _compute_dependencies(self, function):
        """How often each output is used on a way from `function` back: {Function: [number of uses of each output]}.

        2016 kept a Counter of the consumers in place of each number. Functions that require no gradient are left out
        (since v0.1.5): nothing would ever count them down.
        """
        dependencies = {}
        queue = [function]
        while queue:
            fn = queue.pop()
            for prev_fn, arg_id in fn.previous_functions:
                if not prev_fn.requires_grad:
                    continue
                counts = dependencies.get(prev_fn)
                if counts is None:
                    counts = dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                    queue.append(prev_fn)
                try:
                    counts[prev_fn.output_ids[arg_id]] += 1
                except KeyError:
                    raise prev_fn.not_an_output() from None
        return dependencies

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        """Count one use down: `fn` has given its gradient for `prev_fn`'s output. Returns that output's number."""
        output_nr = prev_fn.output_ids[arg_id]
        dependencies[prev_fn][output_nr] -= 1
        return output_nr

    def _is_ready_for_backward(self, dependencies, function):
        """Have the gradients of all uses of all outputs of `function` arrived?"""
        return not any(dependencies[function])

    def run_backward(self, variable, grad, retain_variables=True):
        """Give `variable` the gradient `grad` and carry it back to every leaf that requires one.

        `ready` is a stack: what became ready last runs first. `not_ready` holds the gradients, one for each output,
        of Functions that still wait for others.
        """
        root = variable.creator
        ready, not_ready = self._begin(variable, grad)
        dependencies = self._compute_dependencies(root)

        while ready:
            fn, grad_output = ready.pop()
            grad_input = self._run(fn, grad_output)
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, grad_input):
                if not prev_fn.requires_grad:
                    continue
                output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                is_ready = self._is_ready_for_backward(dependencies, prev_fn)
                gradients = not_ready.get(prev_fn)
                if gradients is None:
                    gradients = [None] * len(prev_fn.output_ids)
                    if not is_ready:
                        not_ready[prev_fn] = gradients
                elif is_ready:
                    del not_ready[prev_fn]
                if grad is not None:
                    self._add(gradients, prev_fn, output_nr, grad)
                if is_ready:
                    ready.append((prev_fn, self._complete(prev_fn, gradients)))
            if not retain_variables:
                fn.free_saved()

        for listener in seams.backward_ended:
            listener(root)

    def _begin(self, variable, grad):
        """`ready`, with the root and the gradient it was given, and the empty `not_ready`."""
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[variable.output_number] = grad
        return [(root, self._complete(root, gradients))], {}

    def _run(self, fn, grad_output):
        """Run the hooks of one Function's outputs, then its backward; returns the gradients of its inputs."""
        if grad_output is None:
            return (None,) * len(fn.previous_functions)
        if fn.variable_hooks:
            grad_output = fn._run_variable_hooks(grad_output)
        if seams.around_backward:
            return seams.run_around(seams.around_backward, fn, fn._do_backward, grad_output)
        return fn._do_backward(*grad_output)

    def _add(self, gradients, fn, output_nr, grad):
        """Add `grad` to what has arrived for output `output_nr` of `fn`.

        What arrives first is held as it is, and never written to: somebody else may hold it too. In 2016 the second
        was added into the first, in place, which changed gradients that other Functions were still to read.
        """
        try:
            fits = grad.array.shape == fn.output_sizes[output_nr]
        except AttributeError:  # no Tensor: said by the check
            fits = False
        if not fits:
            fn.check_gradient(grad, output_nr)
        waiting = gradients[output_nr]
        gradients[output_nr] = grad if waiting is None else waiting.add(grad)

    def _complete(self, fn, gradients):
        """The gradients to run `fn` with: zeros for an output that nobody used (2016 failed an assertion).

        `fn.materialize_grads = False` leaves None in place of the zeros. None for all of them if no gradient came at
        all, because every backward on the way answered None: then `fn` is passed over, unless it says otherwise.
        """
        if len(gradients) == 1 and gradients[0] is not None:  # the usual case, at a third of the cost
            return gradients
        for output_nr, grad in enumerate(gradients):
            if grad is None:
                arrived = next((grad for grad in gradients if grad is not None), None)
                if arrived is None:
                    return fn.if_no_gradient_came
                if fn.materialize_grads:
                    gradients[output_nr] = self._zeros(fn.output_sizes[output_nr], arrived)
        return gradients

    def _zeros(self, size, like):
        return wrap(numpy.zeros(size, like.array.dtype))
