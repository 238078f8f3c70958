"""Exercise 4, 50 minutes: Counting dependencies. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 4. Counting dependencies
#
# `b = a + a`, `c = b + b`. The backward of `c` sends two gradients to `b`, one for each of its operands. If `b` ran its
# backward for each of them, `a` would be reached four times, and in a graph of 30 such sums about 10⁹ times. So a
# Function waits until *all* gradients of its outputs have arrived, and runs once. The engine must know how many to
# expect, so it counts them before it starts.
#
# The graph is the one that `_do_forward` recorded in exercise 2. Each `function` has
#
# - `previous_functions`, a list with a pair `(prev_fn, arg_id)` for each operand: the Function that made it, and the id
#   of the Variable;
# - `output_ids`, a dictionary from the ids of its own outputs to their numbers 0, 1, …;
# - `requires_grad`.
#
# Write three methods:
#
# - `_compute_dependencies(function)` counts the uses of each output in the graph behind `function`. It returns a
#   dictionary with an entry for each Function that is reachable from `function` (but not `function` itself) and
#   requires a gradient: a list or tuple with one number for each of its outputs. A Function that requires no gradient
#   has no entry, and the Functions behind it are not visited.
# - `_free_backward_dependency(dependencies, prev_fn, fn, arg_id)`: `fn` has just sent the gradient of its operand
#   `arg_id`, which `prev_fn` made. Remove this use from the count. Return the number of that output of `prev_fn`.
# - `_is_ready_for_backward(dependencies, function)` returns True if no use of its outputs is left.
#
# Each call counts anew. It leaves the Functions, and what another call returned, as they were. Several engines may
# count the same graph, and one may free what another has counted.
#
# Graphs can be large. The checks count a graph of 30 diamonds and a chain of 20,000 operations: visit the operands of
# each Function once, and do not use recursion.
#
# (The engine of v0.1.1 kept a `Counter` of the consumers of an output instead of each number, and so does this package:
# `{Function: [Counter {consumer: edges} of each output]}`. You may do the same.)


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
# each use of each output is counted (4 points)
# - Follow previous_functions from Function to Function. Each pair is one use.
# - It is a use of the output of prev_fn with the number prev_fn.output_ids[arg_id].
# - Visit the operands of a Function only the first time you reach it; count each time.

# %% tests: constants
# Functions that require no gradient are left out (2 points)
# - A constant never receives a gradient. What happens to a count that never falls?
# - Every Function has requires_grad.
# - if not prev_fn.requires_grad: continue, before the counting

# %% tests: large
# large graphs (2 points)
# - A graph of 30 diamonds has about 10⁹ paths from end to end, but only 90 Functions.
# - Keep a list of the Functions whose operands you have not visited yet. Put each Function into it once.
# - while queue: fn = queue.pop(), and queue.append(prev_fn) only if prev_fn is not in dependencies yet

# %% tests: free
# one use less (2 points)
# - fn has just sent the gradient of one operand, which prev_fn made. Which output of prev_fn is it?
# - prev_fn.output_ids[arg_id] is its number. Subtract 1 from its count only.
# - dependencies[prev_fn][output_nr] -= 1, and return output_nr

# %% tests: ready
# a Function is ready when no use is left (2 points)
# - A Function with two outputs waits for the gradients of both.
# - An output without any use has the count 0 from the start.
# - return not any(dependencies[function])

# %% tests: random
# random graphs (2 points)
# - If another part fails, start there: its graphs are smaller.
# - The report shows the whole program. Draw its graph and count the uses of each output by hand.
# - Constants, operands that are used twice, several outputs: the parts above check each of these alone.

# %% [markdown]
# To try it: `from legacy_autograd.autograd import Variable`, compute a Variable `z` from others, and call
# `Engine()._compute_dependencies(z.creator)`.
