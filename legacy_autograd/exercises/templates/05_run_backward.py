"""Exercise 5, 90 minutes: run_backward: the engine, whole. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 5. `run_backward`: the whole engine
#
# This exercise combines the earlier ones. `z.backward()` calls `run_backward(z, gradient)` of the engine. The engine
# propagates the gradient from `z.creator` back to the leaves.
#
# Each `function` of the graph has
#
# - `previous_functions`: a pair `(prev_fn, arg_id)` for each operand; empty for a leaf;
# - `output_ids`: a dictionary from the ids of its outputs to their numbers;
# - `_output_sizes`: the size of each output;
# - `requires_grad`;
# - `_do_backward(*gradients)`, which takes one gradient for each output and returns a tuple with one gradient, or None,
#   for each operand. A leaf adds its gradient to `grad` of its Variable and returns `()`.
#
# Write `run_backward(self, variable, grad)` and any helper that you need. It follows these rules:
#
# 1. A Function runs once, after the gradients of all uses of its outputs have arrived. So count first, as in exercise 4
#    (you may copy your answer from there).
# 2. Gradients of the same output are added.
# 3. The engine never writes into a gradient that it received. Another Function or the user may hold it.
# 4. Functions that require no gradient are skipped. A None adds nothing, but its use is counted down. A Function that
#    received only None does not run, and each of its operands gets None.
# 5. An unused output has zeros as its gradient. The user may call `backward` on any output. All gradients of one
#    backward have the same type.
# 6. No recursion: a chain of 100,000 operations must work.
# 7. The engine keeps nothing between two backward calls, even after an exception. A hook may run the backward of
#    another graph while yours runs.
#
# `retain_variables` is False if the caller will not run backward again. An engine may then free the saved tensors.
# Yours may ignore it.
#
# In v0.1.1 the ready Functions were in a list, and the engine took the last one first. Yours may take any. To make a
# tensor of zeros of the type of another, write `tensor.new(*size).zero_()`.


# %% solution: engine
class Engine:
    """Propagates a gradient back to the leaves."""

    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[root.output_ids[id(variable)]] = grad
        ready = [(root, gradients)]
        not_ready = {}
        dependencies = self._compute_dependencies(root)
        while ready:
            fn, gradients = ready.pop()
            grad_input = self._run(fn, gradients)
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, grad_input):
                if not prev_fn.requires_grad:
                    continue
                output_nr = prev_fn.output_ids[arg_id]
                dependencies[prev_fn][output_nr] -= 1
                waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if grad is not None:
                    before = waiting[output_nr]
                    waiting[output_nr] = grad if before is None else before.add(grad)
                if not any(dependencies[prev_fn]):
                    ready.append((prev_fn, not_ready.pop(prev_fn)))

    def _compute_dependencies(self, function):
        dependencies, queue = {}, [function]
        while queue:
            for prev_fn, arg_id in queue.pop().previous_functions:
                if not prev_fn.requires_grad:
                    continue
                if prev_fn not in dependencies:
                    dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                    queue.append(prev_fn)
                dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1
        return dependencies

    def _run(self, fn, gradients):
        arrived = [gradient for gradient in gradients if gradient is not None]
        if not arrived:
            return (None,) * len(fn.previous_functions)
        filled = [
            arrived[0].new(*size).zero_() if gradient is None else gradient
            for gradient, size in zip(gradients, fn._output_sizes)
        ]
        return fn._do_backward(*filled)
        ### END SOLUTION


# %% tests: simple
# chains, operands used twice, and the same engine once more (3 points)
# - Start with the root and its gradient. A Function that has run passes its gradients on to the Functions before it.
# - Keep a list `ready` of pairs: a Function, and the gradients of its outputs. Run them until the list is empty.
# - Put prev_fn into `ready` when its last gradient arrives; until then keep its gradients in `not_ready`.

# %% tests: diamonds
# each Function runs once, with the sum (4 points)
# - A Function whose result is used twice receives two gradients. It must not run before both have arrived.
# - Count the uses before the walk, as in exercise 4, and subtract 1 for each gradient that arrives.
# - Add the gradients of the same output; then run backward once, with the sum.

# %% tests: own
# no gradient is written into (3 points)
# - The backward of x + y returns the same tensor twice. If you add to it in place for x, y reads the sum.
# - You cannot know who else holds a gradient that has arrived. So never write into it.
# - waiting.add(grad) makes a new tensor; waiting.add_(grad) writes into the old one.

# %% tests: constants
# operands without a gradient (2 points)
# - A Function may return a gradient for an operand that requires none. Ignore it.
# - Check prev_fn.requires_grad in the walk as well as in the counting.
# - A backward may return None. Then there is nothing to add, but count the use down.

# %% tests: outputs
# several outputs (4 points)
# - _do_backward takes one gradient for each output: fn._do_backward(*gradients).
# - output_ids[arg_id] is the index of the gradient; for the root it is output_ids[id(variable)].
# - The gradient of an unused output is a tensor of zeros with the size fn._output_sizes[number].

# %% tests: large
# large graphs (2 points)
# - Python allows about 1,000 nested calls. A long program has more operations.
# - Use a list and a while loop instead of recursion.
# - Run each Function once: a graph of 30 diamonds has about 10⁹ paths.

# %% tests: random
# random graphs (2 points)
# - If another part fails, begin there: its graphs are smaller.
# - The report shows the whole program. Remove its last lines one by one until the numbers are correct.
# - Constants, None, several outputs of different sizes: the parts above check each of these alone.

# %% [markdown]
# To try it, let your engine run every backward:
#
#     from legacy_autograd.autograd import Variable
#     Variable._execution_engine = Engine()
