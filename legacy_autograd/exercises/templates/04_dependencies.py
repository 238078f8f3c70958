"""Exercise 4; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 4. Counting dependencies
#
# `b = a + a`, `c = b + b`. When `c` gives its gradient, it gives it to `b` twice, for both of its operands. If `b` ran
# its backward at the first, and again at the second, then `a` would be reached four times, and in a graph of 30 such
# sums a thousand million times. So a Function waits until *all* gradients of its outputs have arrived, and runs once.
# For that the engine has to know how many there will be. It counts before it starts.
#
# The graph is what you know from `_do_forward`. Each `function` has
#
# - `previous_functions`, a list with a pair `(prev_fn, arg_id)` for each operand: who made it, and the id of the
#   Variable that was used;
# - `output_ids`, a dictionary from the ids of its own outputs to their numbers 0, 1, …;
# - `requires_grad`.
#
# Write three methods:
#
# - `_compute_dependencies(function)`: how often each output is used on the ways from `function` back. A dictionary with
#   an entry for every Function that can be reached from `function` (not for `function` itself) and requires a gradient:
#   a list with a number for each of its outputs. What requires no gradient gets no entry, and its operands neither.
# - `_free_backward_dependency(dependencies, prev_fn, fn, arg_id)`: `fn` has just given its gradient for the operand
#   `arg_id`, which `prev_fn` made. Take this use out of the count. Return the number of that output of `prev_fn`.
# - `_is_ready_for_backward(dependencies, function)`: is no use of any of its outputs left?
#
# Graphs can be large. The checks count a graph of 30 diamonds and a chain of 100,000 operations: look at the operands
# of each Function once, and let no function call itself.
#
# (2016's engine kept a `Counter` of the Functions that use the output instead of each number, and so does the engine of
# this package: `{Function: [Counter {consumer: edges} of each output]}`. You may do that too.)


# %% solution: engine
class Engine:
    """The half of an engine that counts."""

    def _compute_dependencies(self, function):
        ### BEGIN SOLUTION
        dependencies = {}
        queue = [function]
        while queue:
            fn = queue.pop()
            for prev_fn, arg_id in fn.previous_functions:
                if not prev_fn.requires_grad:
                    continue
                if prev_fn not in dependencies:
                    dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                    queue.append(prev_fn)
                dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1
        return dependencies
        ### END SOLUTION

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        ### BEGIN SOLUTION
        output_nr = prev_fn.output_ids[arg_id]
        dependencies[prev_fn][output_nr] -= 1
        return output_nr
        ### END SOLUTION

    def _is_ready_for_backward(self, dependencies, function):
        ### BEGIN SOLUTION
        return not any(dependencies[function])
        ### END SOLUTION


# %% tests: count
# every use of every output is counted (4 points)
# - Go from Function to Function along previous_functions. Every pair you meet there is one use.
# - Whose use is it? That of prev_fn, and of the output that prev_fn.output_ids[arg_id] names.
# - Look at the operands of a Function once, when it is met first; count at every meeting.

# %% tests: constants
# what requires no gradient is left out (2 points)
# - Nobody will ever give a constant a gradient. What happens to a count that never falls?
# - Every Function has requires_grad.
# - if not prev_fn.requires_grad: continue, before anything is counted

# %% tests: large
# large graphs (2 points)
# - A graph of 30 diamonds has a thousand million ways from end to end, but 90 Functions.
# - Keep a list of Functions whose operands are still to be looked at; put each there once.
# - while queue: fn = queue.pop(), and queue.append(prev_fn) only where prev_fn was not counted before

# %% tests: free
# one use less (2 points)
# - fn has just given its gradient for one operand, which prev_fn made. Which output of prev_fn was it?
# - prev_fn.output_ids[arg_id] is the number. Its count falls by one, whatever the others are.
# - dependencies[prev_fn][output_nr] -= 1, and return output_nr

# %% tests: ready
# has everything arrived? (2 points)
# - A Function with two outputs waits for the gradients of both.
# - It is ready when no use of any output is left. An output that nobody used was ready from the start.
# - return not any(dependencies[function])

# %% tests: random
# random graphs (2 points)
# - If another part fails, begin there: its graphs are smaller.
# - The report has the whole program. Draw it, and count the uses of each output by hand.
# - Constants in either place, operands that are used twice, several outputs: each has a part of its own above.

# %% [markdown]
# To try it: `from legacy_autograd.autograd import Variable`, make a Variable `z` from others, and ask
# `Engine()._compute_dependencies(z.creator)`.
