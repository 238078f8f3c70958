"""Exercise 3, 40 minutes: Leaf: where gradients are summed. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 3. `Leaf`: where gradients are summed
#
# A Variable that the user makes also has a creator: a `Leaf`. It is a `Function`, so `backward` treats it like any
# other, but it computes nothing. Its `_do_backward` accumulates the gradient.
#
# Write `_do_backward(self, *grad_output)`. `grad_output` is a tuple with one Tensor, the gradient. It
#
# 1. calls the hooks. `self.backward_hooks` is a dictionary from names to functions. Call each of them, in the order of
#    registration, as `hook(grad_output, grad_output)`: both arguments are the tuple, or a tuple with copies. Ignore
#    their return values. A hook may remove itself while it runs. If it raises an exception, the caller gets it, and
#    nothing is added;
# 2. then adds the gradient to `self.variable.grad`, which reads as zeros before the first backward. The sum must be in
#    the same tensor as before, so that code which holds `x.grad` sees it;
# 3. returns the gradients of its operands. It has none.
#
# Beware: other code may hold the Tensor in `grad_output`. The backward of `x + y` passes the same tensor to x and y,
# and it may be the tensor that the user gave to `backward`. Do not write into it, and do not make it `x.grad`. (In the
# first release the engine wrote into it, and `x * y + (x + y)` had incorrect gradients.)

# %% given
from legacy_autograd.autograd import leaf


# %% solution: leaf
class Leaf(leaf.Leaf):
    """The package's Leaf, which has `variable`, `backward_hooks` and `requires_grad`, with your _do_backward."""

    def _do_backward(self, *grad_output):
        ### BEGIN SOLUTION
        for hook in list(self.backward_hooks.values()):
            hook(grad_output, grad_output)
        self.variable.grad.add_(grad_output[0])
        return ()
        ### END SOLUTION


# %% tests: adds
# gradients are accumulated (3 points)
# - variable.grad holds the sum of the gradients of earlier backward calls. What must it hold after this one?
# - variable.grad reads as zeros before the first backward, so the first call is no special case.
# - self.variable.grad.add_(grad_output[0])

# %% tests: own
# in a tensor of its own (3 points)
# - The backward of x + y passes the same gradient tensor to x and y. What happens if one of them writes into it?
# - Never store grad_output[0] as variable.grad, and never call a method of it whose name ends in _.
# - Either add to the zeros that variable.grad has at first, or store grad_output[0].clone().

# %% tests: hooks
# hooks run before the accumulation (3 points)
# - backward_hooks is a dictionary from names to functions.
# - Call each hook with two arguments, both the tuple grad_output. Add the gradient after the hooks.
# - for hook in list(self.backward_hooks.values()): hook(grad_output, grad_output)

# %% tests: end
# a leaf has no operands (1 point)
# - _do_backward returns the gradients of the operands. How many operands does a leaf have?
# - The engine pairs the result with previous_functions. For a leaf both are empty.
# - return ()

# %% [markdown]
# To try it, give a Variable your leaf: `x.creator = Leaf(x, True)`.
