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

# %% tests: own

# %% tests: hooks

# %% tests: end

# %% [markdown]
# To try it, give a Variable a leaf of yours: `x.creator = Leaf(x, True)`.
