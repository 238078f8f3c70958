"""Exercise 3; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 3. `Leaf`: where gradients are summed
#
# A Variable that was made by hand has a creator too: a `Leaf`. It is a `Function`, so that `backward` may treat it like
# any other, but it computes nothing. Its `_do_backward` is the place where the gradient arrives and stays.
#
# Write `_do_backward(self, *grad_output)`. `grad_output` is a tuple that holds one Tensor, the gradient. It
#
# 1. shows the gradient to the hooks. `self.backward_hooks` is a dictionary from names to functions; call each of them,
#    in the order they were registered, as `hook(grad_output, grad_output)`, twice the tuple. What they return is
#    ignored. A hook may remove itself while it runs;
# 2. then adds the gradient to `self.variable.grad`, which reads as zeros before the first backward. Whoever holds
#    `x.grad` must see the sum, so it stays the same tensor;
# 3. returns the gradients of its operands. It has none.
#
# One thing to beware of: the Tensor in `grad_output` is not yours. The backward of `x + y` hands x and y one and the
# same tensor, and it may be the one that the user gave to `backward`. It must not be written into, and `x.grad` must
# not be that tensor. (In the first release it was written into, by the engine, and `x * y + (x + y)` had wrong
# gradients.)

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
# gradients are added up (3 points)
# - variable.grad holds what earlier backwards brought. What is to be there after this one?
# - variable.grad reads as zeros before the first backward, so that the first is no special case.
# - self.variable.grad.add_(grad_output[0])

# %% tests: own
# in a tensor that nobody else has (3 points)
# - The backward of x + y hands x and y one and the same gradient tensor. Who writes into it?
# - Never keep grad_output[0] as variable.grad, and never call a method on it that ends in _.
# - Either add into the zeros that variable.grad is at first, or keep grad_output[0].clone().

# %% tests: hooks
# hooks see the gradient first (3 points)
# - backward_hooks is a dictionary: names lead to functions.
# - Every hook is called with two arguments, both of them the tuple grad_output. The addition comes last.
# - for hook in list(self.backward_hooks.values()): hook(grad_output, grad_output)

# %% tests: end
# nothing lies behind a leaf (1 point)
# - _do_backward answers the gradients of the operands. How many operands has a leaf?
# - The engine goes through the answer and previous_functions side by side; both are empty.
# - return ()

# %% [markdown]
# To try it, give a Variable a leaf of yours: `x.creator = Leaf(x, True)`.
