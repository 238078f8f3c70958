"""Exercise 8, 50 minutes: Hooks: clipping, logging, averaging. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 8. Hooks
#
# A hook is a function that backward calls when the gradient of a Variable is complete and before it is used.
# `variable.register_hook(hook)` registers one. In each backward, `hook(grad)` is called once. `grad` is a Tensor, the
# sum of the gradients over all uses of the Variable. If the hook returns a Tensor, that Tensor replaces the gradient.
# If it returns None, the gradient is unchanged. `register_hook` returns a handle, and `handle.remove()` removes the
# hook.
#
# (This is the form of January 2017. In the first release a hook had a name and two arguments, and its return value was
# ignored.)
#
# A hook must not write into its argument: another Variable may have the same Tensor as its gradient.

# %% [markdown]
# ## Clipping
#
# A gradient with a very large norm makes training unstable. Write `clip(variable, limit)`, which registers a hook. If
# the norm of the gradient (the square root of its sum of squares) is larger than `limit`, a positive number, the hook
# scales the gradient so that its norm is `limit`. The direction stays the same. A gradient of zeros stays as it is, so
# no epsilon is needed. Return the handle.


# %% solution: clip
def clip(variable, limit):
    ### BEGIN SOLUTION
    def hook(grad):
        norm = grad.norm()
        return grad * (limit / norm) if norm > limit else None

    return variable.register_hook(hook)
    ### END SOLUTION


# %% tests: clip
# the norm of a gradient is limited (4 points)
# - The return value of a hook replaces the gradient.
# - grad.norm() is the norm, a number. Multiplied by limit / norm, the gradient has the norm limit.
# - Return None or the gradient itself if the norm is not larger than the limit.

# %% [markdown]
# ## Logging
#
# Write `log_norms(variables, log)`. `variables` is a dictionary from names to Variables, and `log` is a list. Register
# a hook on each Variable that appends `(name, norm)` to the list. `norm` is the norm of the gradient, a Python number.
# The hooks change no gradient. Return a function without arguments that removes all these hooks.


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
# norms are logged (3 points)
# - Each hook needs the name of its Variable.
# - A function that is defined in a loop looks up the loop variable when it is called, after the loop. Bind it before.
# - Make the hook in a separate function, hook_for(name), and keep the handles.

# %% [markdown]
# ## Averaging over workers
#
# Several workers train the same model, each on its own part of the data. After each backward all of them must have the
# same gradient: the average over all workers. They communicate through `all_reduce(tensor)`. *Every* worker has to call
# it, and it returns to each of them the sum of the tensors of all workers. (It waits until all workers have called it.
# If one worker calls it more often than the others, or skips it because its own gradient is 0, all of them wait for
# ever.) The sum is a new tensor for each worker, which it may write into. The argument is unchanged.
#
# Write `average(parameters, all_reduce, workers)`. `parameters` is a list of leaves, each of which is in it once.
# Register hooks on them, so that each backward adds the average over the workers to their `grad`. `workers` is the
# number of workers. Call `all_reduce` once for each gradient.


# %% solution: average
def average(parameters, all_reduce, workers):
    ### BEGIN SOLUTION
    for parameter in parameters:
        parameter.register_hook(lambda grad: all_reduce(grad) / workers)
    ### END SOLUTION


# %% tests: average
# the average over workers (4 points)
# - The hook of a leaf is called before the gradient is added to grad.
# - all_reduce returns the sum over the workers. Divide it to get the average.
# - return all_reduce(grad) / workers, in a hook on each parameter
