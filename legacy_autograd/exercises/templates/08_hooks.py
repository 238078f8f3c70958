"""Exercise 8; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 8. Hooks
#
# A hook is a function that is called in the middle of a backward, when a gradient is known and not yet used.
# `variable.register_hook(hook)` has `hook(grad)` called with the gradient of that Variable, a Tensor, the sum over all
# its uses, once in every backward. If the hook returns a Tensor, that is used in its place; if it returns None,
# everything stays as it is. `register_hook` returns a handle, and `handle.remove()` takes the hook out.
#
# (That is the form of January 2017. In the first release a hook had a name and two arguments, and what it returned was
# ignored.)
#
# The Tensor that a hook is given is not its own. It may be that of another Variable as well, so do not write into it.

# %% [markdown]
# ## Clipping
#
# A gradient that is too long throws a training off its track. Write `clip(variable, limit)`, which registers a hook:
# where the norm of the gradient, the root of the sum of squares, is larger than `limit`, the gradient is shortened to
# that norm, and keeps its direction. Return the handle.


# %% solution: clip
def clip(variable, limit):
    ### BEGIN SOLUTION
    def hook(grad):
        norm = grad.norm()
        return grad * (limit / norm) if norm > limit else None

    return variable.register_hook(hook)
    ### END SOLUTION


# %% tests: clip
# a gradient is shortened (4 points)
# - A hook returns what is to be used in place of the gradient.
# - grad.norm() is the norm, a number. Multiplied by limit / norm, the gradient has the norm limit.
# - Return None, or the gradient itself, where the norm is not larger than the limit.

# %% [markdown]
# ## Logging
#
# Write `log_norms(variables, log)`. `variables` is a dictionary from names to Variables, `log` a list. Whenever the
# gradient of one of them becomes known, `(name, norm)` is appended to the list, with the norm of the gradient as a
# Python number. Nothing else changes. Return a function without arguments that takes all these hooks out again.


# %% solution: log_norms
def log_norms(variables, log):
    ### BEGIN SOLUTION
    def hook_for(name):
        return lambda grad: log.append((name, grad.norm()))

    handles = [variable.register_hook(hook_for(name)) for name, variable in variables.items()]

    def stop():
        for handle in handles:
            handle.remove()

    return stop
    ### END SOLUTION


# %% tests: log
# norms are written down (3 points)
# - Every hook has to know its own name.
# - A function that is made in a loop looks a name up when it is called, after the loop. Bind it before.
# - Make the hook in a function of its own, hook_for(name), and keep the handles for the end.

# %% [markdown]
# ## Averaging over workers
#
# Several workers train the same model, each on its own part of the data. After every backward each of them must hold
# the same gradient: the average over all workers. They have one means of talking: `all_reduce(tensor)`, which *every*
# worker has to call, and which returns to each of them the sum of what all of them gave. (It waits until all have
# called it. If one calls it more often than the others, or leaves it out because its own gradient is 0, everybody waits
# for ever.) The sum is a new tensor of the worker's own, which may be written into. The tensor that it was given stays
# as it was.
#
# Write `average(parameters, all_reduce, workers)`: register hooks on the leaves in the list `parameters`, so that what
# is added to their `grad` in a backward is the average over the workers. `workers` is how many there are. Call
# `all_reduce` once for each gradient.


# %% solution: average
def average(parameters, all_reduce, workers):
    ### BEGIN SOLUTION
    for parameter in parameters:
        parameter.register_hook(lambda grad: all_reduce(grad) / workers)
    ### END SOLUTION


# %% tests: average
# the average over workers (4 points)
# - The hook of a leaf is called before the gradient is added to grad.
# - all_reduce gives the sum over the workers; what is wanted is the average.
# - return all_reduce(grad) / workers, in a hook on each parameter
