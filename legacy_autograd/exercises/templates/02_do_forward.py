"""Exercise 2; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 2. `_do_forward`: what a call records
#
# There is no separate graph in the autograd of 2016. A call of a `Function` computes its result and, on the way,
# writes down on itself where its operands came from. When `backward` starts at the end, it finds its way by these
# notes alone.
#
# A `Variable` has `data`, a Tensor, and a `creator`, the Function that made it. A Variable that was made by hand has a
# creator too, a `Leaf`. Every creator has `requires_grad`.
#
# Write `_do_forward(self, *input)`, where `input` are Variables. It
#
# 1. takes the Tensor out of every Variable and calls `self.forward` with them, once;
# 2. makes a Variable, with this Function as its creator, of every Tensor that `forward` returned. `forward` returns a
#    Tensor, or a tuple of them;
# 3. writes down `self.needs_input_grad`, a tuple that says of each operand whether its creator requires a gradient, and
#    `self.requires_grad`, whether any of them does;
# 4. writes down `self.previous_functions`, a list with a pair `(creator, id(variable))` for each operand, in order;
# 5. writes down `self.output_ids`, a dictionary that leads from the `id` of each output, a Variable, to its number;
# 6. returns the outputs: a tuple, also if there is only one.
#
# Why ids? A Function may have several outputs. Whoever uses one of them notes which, and the id is what both know.

# %% given
from legacy_autograd import autograd
from legacy_autograd.autograd import Variable

# %% [markdown]
# `__call__` is given. `_output_sizes` is for a check that the engine of this package makes, and that of 2016 did not.

# %% solution: do_forward
class Function(autograd.Function):
    """The package's Function with a _do_forward of your own."""

    def __call__(self, *input):
        output = self._do_forward(*input)
        self._output_sizes = [tuple(variable.size()) for variable in output]
        return output

    def _do_forward(self, *input):
        ### BEGIN SOLUTION
        unpacked_input = [arg.data for arg in input]
        raw_output = self.forward(*unpacked_input)
        if not isinstance(raw_output, tuple):
            raw_output = (raw_output,)
        self.needs_input_grad = tuple([arg.creator.requires_grad for arg in input])
        self.requires_grad = any(self.needs_input_grad)
        output = tuple([Variable(tensor, self) for tensor in raw_output])
        self.previous_functions = [(arg.creator, id(arg)) for arg in input]
        self.output_ids = {id(variable): number for number, variable in enumerate(output)}
        return output
        ### END SOLUTION


# %% tests: result

# %% tests: needs

# %% tests: links

# %% tests: outputs

# %% tests: backward

# %% [markdown]
# To try it, derive an operation from your `Function`:
#
#     class Double(Function):
#         def forward(self, x):
#             return x * 2
#
#         def backward(self, grad_output):
#             return grad_output * 2
