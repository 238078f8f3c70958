"""Exercise 6, 90 minutes: Find and fix: five faulty engines. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 6. Find and fix
#
# Each of these five engines has one fault. Three faults are from v0.1.1. One is from the second
# release, where it was a first attempt to fix another fault. One was made up. Each engine differs from the engine of
# exercise 5 in one line or a few.
#
# Write two things for each engine:
#
# - `program_1()`, a program that shows the fault: it makes Variables, calls `backward`, and returns one or more
#   gradients. The checks run it with the faulty engine and with a correct one. The faulty engine must give another
#   result, or raise an exception that the correct one does not. A difference below 10⁻⁵ does not count, nor does a
#   graph with more than 20,000 ways from the result to the leaves.
# - `Fixed1.run_backward`: the same engine without the fault, and without a new one.
#
# Do the same for 2 to 5. Read the engine first: on which graph does the suspicious line make a difference?

# %% given
import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable


class Parts:
    """The parts that all five engines share; they have no fault."""

    def count(self, root):
        """Return {Function: the number of uses of each of its outputs in the graph behind `root`}."""
        dependencies, queue = {}, [root]
        while queue:
            for prev_fn, arg_id in queue.pop().previous_functions:
                if prev_fn.requires_grad:
                    if prev_fn not in dependencies:
                        dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                        queue.append(prev_fn)
                    dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1
        return dependencies

    def run(self, fn, gradients):
        """Return the gradients of the operands of `fn`, given those of its outputs. None counts as zeros."""
        arrived = [gradient for gradient in gradients if gradient is not None]
        if not arrived:
            return (None,) * len(fn.previous_functions)
        zeros = [arrived[0].new(*size).zero_() for size in fn._output_sizes]
        return fn._do_backward(*[zero if grad is None else grad for grad, zero in zip(gradients, zeros)])


# %% [markdown]
# Two operations that may help. `Pair()(x)` returns a tuple of two Variables, x * 2 and x * 3. `Second()(a, b)` returns
# a tuple with one Variable, a copy of b. Its backward returns None for a, because the result does not depend on a.


# %% given
class Pair(Function):
    def forward(self, x):
        return x * 2, x * 3

    def backward(self, of_double, of_triple):
        return of_double * 2 + of_triple * 3


class Second(Function):
    def forward(self, a, b):
        return b.clone()

    def backward(self, grad_output):
        return None, grad_output


# %% [markdown]
# ## Engine 1
#
# From the first release, v0.1.1.


# %% given
class Engine1(Parts):
    def run_backward(self, variable, grad, retain_variables=True):
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[root.output_ids[id(variable)]] = grad
        ready, not_ready = [(root, gradients)], {}
        dependencies = self.count(root)
        while ready:
            fn, gradients = ready.pop()
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients)):
                if not prev_fn.requires_grad:
                    continue
                output_nr = prev_fn.output_ids[arg_id]
                dependencies[prev_fn][output_nr] -= 1
                waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if grad is not None:
                    if waiting[output_nr] is None:
                        waiting[output_nr] = grad
                    else:
                        waiting[output_nr].add_(grad)
                if not any(dependencies[prev_fn]):
                    ready.append((prev_fn, not_ready.pop(prev_fn)))


# %% solution: program1
def program_1():
    ### BEGIN SOLUTION
    x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
    z = x * y + (x + y)
    z.backward()
    return x.grad, y.grad
    ### END SOLUTION


# %% solution: fixed1
class Fixed1(Engine1):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[root.output_ids[id(variable)]] = grad
        ready, not_ready = [(root, gradients)], {}
        dependencies = self.count(root)
        while ready:
            fn, gradients = ready.pop()
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients)):
                if not prev_fn.requires_grad:
                    continue
                output_nr = prev_fn.output_ids[arg_id]
                dependencies[prev_fn][output_nr] -= 1
                waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if grad is not None:
                    if waiting[output_nr] is None:
                        waiting[output_nr] = grad
                    else:
                        waiting[output_nr] = waiting[output_nr].add(grad)
                if not any(dependencies[prev_fn]):
                    ready.append((prev_fn, not_ready.pop(prev_fn)))
        ### END SOLUTION


# %% tests: engine1
# the first engine (3 points)
# - What does the engine do with the second gradient that arrives?
# - It adds it in place to the first one. Which other Function may hold that tensor? Think of x + y.
# - x * y + (x + y): the inner sum passes the same tensor to x and y, and then x * y adds to it twice.

# %% [markdown]
# ## Engine 2
#
# From v0.1.1.


# %% changed: Engine1
# - class Engine1(Parts):
# + class Engine2(Parts):
# -                 if not prev_fn.requires_grad:
# +                 if not prev_fn.requires_grad:
# +                     assert grad is None
# -                         waiting[output_nr].add_(grad)
# +                         waiting[output_nr] = waiting[output_nr].add(grad)


# %% solution: program2
def program_2():
    ### BEGIN SOLUTION
    x, c = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]), requires_grad=False)
    (x + c).backward()
    return x.grad
    ### END SOLUTION


# %% solution: fixed2
class Fixed2(Engine2):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Fixed1.run_backward(self, variable, grad)  # without its fault, each engine is the same
        ### END SOLUTION


# %% tests: engine2
# the second engine (3 points)
# - What does the engine do with an operand that requires no gradient?
# - Which backward returns a gradient for every operand, whether it is needed or not?
# - Add does: x + c, with requires_grad=False for c.

# %% [markdown]
# ## Engine 3
#
# From v0.1.1.


# %% changed: Engine1
# - class Engine1(Parts):
# + class Engine3(Parts):
# -         gradients[root.output_ids[id(variable)]] = grad
# +         gradients[0] = grad
# -                         waiting[output_nr].add_(grad)
# +                         waiting[output_nr] = waiting[output_nr].add(grad)


# %% solution: program3
def program_3():
    ### BEGIN SOLUTION
    x = Variable(torch.Tensor([1]))
    double, triple = Pair()(x)
    triple.backward()
    return x.grad
    ### END SOLUTION


# %% solution: fixed3
class Fixed3(Engine3):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Fixed1.run_backward(self, variable, grad)  # without its fault, each engine is the same
        ### END SOLUTION


# %% tests: engine3
# the third engine (3 points)
# - Look at the first step of the walk.
# - The gradient is put at index 0. When is 0 not the index of the Variable on which backward is called?
# - When a Function has two outputs and backward is called on the second.

# %% [markdown]
# ## Engine 4
#
# From v0.1.2, which was meant to fix the fault of engine 1. This is the hardest of the five. While `program_4` does not
# show the fault, the report lists the engine's copies, its writes in place, and the other holders of each tensor.
# `check` also writes a page that shows the backward step by step.


# %% changed: Engine1
# - class Engine1(Parts):
# + class Engine4(Parts):
# -         ready, not_ready = [(root, gradients)], {}
# +         ready, not_ready, need_copy = [(root, gradients)], {}, {id(grad)}
# -                         waiting[output_nr] = grad
# -                     else:
# +                         waiting[output_nr] = grad
# +                         need_copy.add(id(grad))
# +                     else:
# +                         if id(waiting[output_nr]) in need_copy:
# +                             need_copy.remove(id(waiting[output_nr]))
# +                             waiting[output_nr] = waiting[output_nr].clone()


# %% solution: program4
def program_4():
    ### BEGIN SOLUTION
    a, b = Variable(torch.Tensor([1])), Variable(torch.Tensor([1]))
    z = b * 7 + (a * b * 5 + (a + b))
    z.backward()
    return a.grad, b.grad
    ### END SOLUTION


# %% solution: fixed4
class Fixed4(Engine4):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Fixed1.run_backward(self, variable, grad)  # without its fault, each engine is the same
        ### END SOLUTION


# %% tests: engine4
# the fourth engine (3 points)
# - This is engine 1 with a partial fix: it copies a tensor before it writes into it for the first time.
# - The set contains tensors. One tensor may wait at two Functions; how many copies does the engine make then?
# - In b * 7 + (a * b * 5 + (a + b)) one tensor waits at a, at b and at b * 7. Count the copies.

# %% [markdown]
# ## Engine 5
#
# From no release: this fault was made up for the exercise.


# %% changed: Engine1
# - class Engine1(Parts):
# + class Engine5(Parts):
# -                 if not prev_fn.requires_grad:
# +                 if not prev_fn.requires_grad or grad is None:
# -                 if grad is not None:
# -                     if waiting[output_nr] is None:
# -                         waiting[output_nr] = grad
# -                     else:
# -                         waiting[output_nr].add_(grad)
# +                 if waiting[output_nr] is None:
# +                     waiting[output_nr] = grad
# +                 else:
# +                     waiting[output_nr] = waiting[output_nr].add(grad)


# %% solution: program5
def program_5():
    ### BEGIN SOLUTION
    x = Variable(torch.Tensor([2]))
    Second()(x * 5, x)[0].backward()
    return x.grad
    ### END SOLUTION


# %% solution: fixed5
class Fixed5(Engine5):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Fixed1.run_backward(self, variable, grad)  # without its fault, each engine is the same
        ### END SOLUTION


# %% tests: engine5
# the fifth engine (3 points)
# - What does the engine do with None?
# - None adds nothing to the sum. But a Function still waits for it.
# - Use x twice, and let one of the two uses return None: Second()(x * 5, x).
