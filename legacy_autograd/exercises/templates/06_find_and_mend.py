"""Exercise 6; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 6. Find and mend
#
# Five engines, and each has one fault. Three faults are those of the first release of 2016, one is that of the release
# after it, which was meant to mend another, and one was made up. Each engine is the engine of exercise 5 but for a line
# or a few.
#
# For each of them write two things:
#
# - `program_1()`, a program that shows the fault: it makes Variables, calls `backward`, and returns a gradient, or
#   several. Which engine runs its `backward` is up to whoever calls the program. With the faulty engine it must return
#   something else than with a right one, or end in an exception that is not there with a right one.
# - `Mended1.run_backward`: the same engine without the fault, and without a new one.
#
# and so on for 2 to 5. Read the engine first: on which graph does the line that looks odd make a difference?

# %% given
import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable


class Parts:
    """What all five have in common; the faults are not here."""

    def count(self, root):
        """{Function: how often each of its outputs is used on the ways from `root` back}."""
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
        """The gradients of the operands of `fn`, given those of its outputs; zeros stand for one that is None."""
        arrived = [gradient for gradient in gradients if gradient is not None]
        if not arrived:
            return (None,) * len(fn.previous_functions)
        zeros = [arrived[0].new(*size).zero_() for size in fn._output_sizes]
        return fn._do_backward(*[zero if grad is None else grad for grad, zero in zip(gradients, zeros)])


# %% [markdown]
# Two operations that may be of use. `Pair()(x)` returns a tuple of two Variables, x * 2 and x * 3. `Second()(a, b)`
# returns a tuple of one, a copy of b; its backward answers None for a, since a has no part in the result.


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


# %% solution: mended1
class Mended1(Engine1):
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
# - Look at what is done with a gradient that arrives second.
# - It is written into the tensor that arrived first. Who else may hold that tensor? Think of x + y.
# - x * y + (x + y): the inner sum hands x and y the same tensor, and then x * y adds to it twice.

# %% [markdown]
# ## Engine 2
#
# From v0.1.1.


# %% given
class Engine2(Parts):
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
                    assert grad is None
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


# %% solution: program2
def program_2():
    ### BEGIN SOLUTION
    x, c = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]), requires_grad=False)
    (x + c).backward()
    return x.grad
    ### END SOLUTION


# %% solution: mended2
class Mended2(Engine2):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Mended1.run_backward(self, variable, grad)  # without their faults all five are the same engine
        ### END SOLUTION


# %% tests: engine2
# the second engine (3 points)
# - Look at what is done with an operand that requires no gradient.
# - Which backward answers a gradient for every operand, without asking whether it is wanted?
# - Add does: x + c, with requires_grad=False for c.

# %% [markdown]
# ## Engine 3
#
# From v0.1.1.


# %% given
class Engine3(Parts):
    def run_backward(self, variable, grad, retain_variables=True):
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[0] = grad
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


# %% solution: program3
def program_3():
    ### BEGIN SOLUTION
    x = Variable(torch.Tensor([1]))
    double, triple = Pair()(x)
    triple.backward()
    return x.grad
    ### END SOLUTION


# %% solution: mended3
class Mended3(Engine3):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Mended1.run_backward(self, variable, grad)  # without their faults all five are the same engine
        ### END SOLUTION


# %% tests: engine3
# the third engine (3 points)
# - Look at how the walk begins.
# - The gradient is put at place 0. When is 0 not the place of the Variable that backward was called on?
# - When a Function has two outputs, and backward is called on the second.

# %% [markdown]
# ## Engine 4
#
# From v0.1.2, where the fault of the first was thought to be mended. This is the hardest of the five. While
# `program_4` does not show the fault, the report says what the engine copied, where it wrote in place and who else
# held that tensor; `check` also writes a page that goes through the backward step by step.


# %% given
class Engine4(Parts):
    def run_backward(self, variable, grad, retain_variables=True):
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[root.output_ids[id(variable)]] = grad
        ready, not_ready, need_copy = [(root, gradients)], {}, {id(grad)}
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
                        need_copy.add(id(grad))
                    else:
                        if id(waiting[output_nr]) in need_copy:
                            need_copy.remove(id(waiting[output_nr]))
                            waiting[output_nr] = waiting[output_nr].clone()
                        waiting[output_nr].add_(grad)
                if not any(dependencies[prev_fn]):
                    ready.append((prev_fn, not_ready.pop(prev_fn)))


# %% solution: program4
def program_4():
    ### BEGIN SOLUTION
    a, b = Variable(torch.Tensor([1])), Variable(torch.Tensor([1]))
    z = b * 7 + (a * b * 5 + (a + b))
    z.backward()
    return a.grad, b.grad
    ### END SOLUTION


# %% solution: mended4
class Mended4(Engine4):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Mended1.run_backward(self, variable, grad)  # without their faults all five are the same engine
        ### END SOLUTION


# %% tests: engine4
# the fourth engine (3 points)
# - This is the first engine with a repair: it copies a tensor before it first writes into it.
# - The set knows tensors. One tensor may wait for two Functions; how many copies are made then?
# - In b * 7 + (a * b * 5 + (a + b)) one tensor waits for a, for b and for b * 7. Count the copies.

# %% [markdown]
# ## Engine 5
#
# From nobody's release: it was made up for this exercise.


# %% given
class Engine5(Parts):
    def run_backward(self, variable, grad, retain_variables=True):
        root = variable.creator
        gradients = [None] * len(root.output_ids)
        gradients[root.output_ids[id(variable)]] = grad
        ready, not_ready = [(root, gradients)], {}
        dependencies = self.count(root)
        while ready:
            fn, gradients = ready.pop()
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients)):
                if not prev_fn.requires_grad or grad is None:
                    continue
                output_nr = prev_fn.output_ids[arg_id]
                dependencies[prev_fn][output_nr] -= 1
                waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if waiting[output_nr] is None:
                    waiting[output_nr] = grad
                else:
                    waiting[output_nr] = waiting[output_nr].add(grad)
                if not any(dependencies[prev_fn]):
                    ready.append((prev_fn, not_ready.pop(prev_fn)))


# %% solution: program5
def program_5():
    ### BEGIN SOLUTION
    x = Variable(torch.Tensor([2]))
    Second()(x * 5, x)[0].backward()
    return x.grad
    ### END SOLUTION


# %% solution: mended5
class Mended5(Engine5):
    def run_backward(self, variable, grad, retain_variables=True):
        ### BEGIN SOLUTION
        Mended1.run_backward(self, variable, grad)  # without their faults all five are the same engine
        ### END SOLUTION


# %% tests: engine5
# the fifth engine (3 points)
# - Look at what is done with None.
# - None is nothing to add. But is it nothing at all? Somebody is waiting.
# - Use x twice, and have one of the two answer None: Second()(x * 5, x).
