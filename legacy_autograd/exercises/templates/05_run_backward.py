"""Exercise 5; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 5. `run_backward`: the engine, whole
#
# Now everything comes together. `z.backward()` calls `run_backward(z, gradient)` of the engine, and the engine carries
# the gradient from `z.creator` back to the leaves.
#
# Each `function` of the graph has
#
# - `previous_functions`: a pair `(prev_fn, arg_id)` for each operand; empty for a leaf;
# - `output_ids`: from the ids of its outputs to their numbers;
# - `_output_sizes`: the size of each output;
# - `requires_grad`;
# - `_do_backward(*gradients)`, which wants a gradient for each of its outputs and answers a tuple with one for each of
#   its operands, or None where there is none. A leaf adds its gradient to `grad` of its Variable, and answers `()`.
#
# Write `run_backward(self, variable, grad)`, with whatever else you need. It holds to these rules:
#
# 1. A Function runs once, when the gradients of all uses of its outputs have arrived. So count first, as in exercise 4
#    (the counting is not given; yours from there will do).
# 2. What arrives for the same output is added.
# 3. A tensor that has arrived is never written into. Others may hold it: the other operand, or the user.
# 4. What requires no gradient is passed over. None is nothing to add, but the use is dealt with. A Function that got
#    nothing but None is not run, and each of its operands gets None.
# 5. An output that nobody used has zeros for a gradient. `backward` may be called on any output.
# 6. No function calls itself: a chain of 100,000 operations is nothing unusual.
# 7. Nothing is left behind in the engine. The next backward, or one after an exception, starts from nothing. A hook may
#    run the backward of another graph while yours is under way.
#
# `retain_variables` is False where the caller will not run backward again. An engine may then free what the Functions
# saved. Yours may ignore it.
#
# In 2016 the Functions that were ready stood in a list, and the last was taken first. Yours may take any. A tensor of
# zeros, of the type of another, is `tensor.new(*size).zero_()`.


# %% solution: engine
class Engine:
    """Carries a gradient back to the leaves."""

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
# - Begin with the root and its gradient. A Function that has run hands its gradients to those before it.
# - Keep a list `ready` of pairs: a Function, and the gradients of its outputs. While it holds one: run it.
# - A prev_fn goes into ready when its last gradient has come; until then what came is kept in `not_ready`.

# %% tests: diamonds
# every Function runs once, with the sum (4 points)
# - A Function whose result was used twice gets two gradients. It must not run before both are there.
# - Count the uses before the walk, as in exercise 4, and count down whenever a gradient arrives.
# - Gradients of the same output are added; then backward runs once, with the sum.

# %% tests: own
# nobody's gradient is changed (3 points)
# - The backward of x + y answers one tensor twice. If you add into it for x, y reads the sum.
# - Who else may hold a gradient that has just arrived? You cannot know. So never write into one.
# - waiting.add(grad) makes a new tensor; waiting.add_(grad) writes into the old one.

# %% tests: constants
# operands without a gradient (2 points)
# - A Function may answer a gradient for an operand that requires none. Nobody wants it.
# - Ask prev_fn.requires_grad, in the walk as well as in the counting.
# - And a backward may answer None: there is nothing to add then, but the use is dealt with. Count it down.

# %% tests: outputs
# several outputs (4 points)
# - _do_backward wants one gradient for each output: fn._do_backward(*gradients).
# - output_ids[arg_id] says at which place a gradient belongs; for the root it is output_ids[id(variable)].
# - An output that nobody used has the gradient 0: zeros of the size fn._output_sizes[number].

# %% tests: large
# large graphs (2 points)
# - Python allows about a thousand calls inside one another. A long program has more operations.
# - Work through a list in a while loop; let no function call itself.
# - And run every Function once: a graph of 30 diamonds has a thousand million ways through it.

# %% tests: random
# random graphs (2 points)
# - If another part fails, begin there: its graphs are smaller.
# - The report has the whole program. Leave out its last lines one by one, until the numbers are right.
# - Constants in either place, None, several outputs of different sizes: each has a part of its own above.

# %% [markdown]
# To try it, have your engine run every backward:
#
#     from legacy_autograd.autograd import Variable
#     Variable._execution_engine = Engine()
