"""Exercise 2, 45 minutes: _do_forward: what a call records. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 2. `_do_forward`: what a call records
#
# The autograd of 2016 has no separate graph object. A `Function` computes its result and records on itself where its
# operands came from. `backward` starts at the last Function and follows these records.
#
# A `Variable` has `data`, a Tensor, and a `creator`, the Function that made it. A Variable that the user makes also
# has a creator, a `Leaf`. Every creator has `requires_grad`.
#
# Write `_do_forward(self, *input)`, where `input` are Variables. It
#
# 1. takes the Tensor out of each Variable and calls `self.forward` with them, once. An operation may have no operands;
# 2. makes a Variable of each Tensor that `forward` returned, with this Function as its creator:
#    `Variable(tensor, self)`. `forward` returns a Tensor or a plain `tuple` of Tensors. It may return an operand's own
#    Tensor, or one Tensor in two places of the tuple, which become two Variables;
# 3. sets `self.needs_input_grad`, a tuple (or list) that tells for each operand whether its creator requires a
#    gradient, and `self.requires_grad`, which is True if any of them does;
# 4. sets `self.previous_functions`, a list (or tuple) with a pair `(creator, id(variable))` for each operand, in order;
# 5. sets `self.output_ids`, a dictionary from the `id` of each output Variable to its number;
# 6. returns the outputs as a tuple, even if there is only one.
#
# An exception in `forward` reaches the caller. If the same Function is called again, it records the last call alone.
#
# Why ids? A Function may have several outputs. The consumer of an output has to record which one it used, and both
# sides know its id.

# %% given
from legacy_autograd import autograd
from legacy_autograd.autograd import Variable

# %% [markdown]
# `__call__` is given. This package's engine checks `_output_sizes`; that of v0.1.1 did not.


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
# run forward and wrap its results (3 points)
# - forward works on Tensors and the caller passes Variables: unwrap before the call and wrap after it.
# - forward may return one Tensor or a tuple of Tensors. Put a single Tensor into a tuple, so that one case remains.
# - output = tuple(Variable(tensor, self) for tensor in raw_output), and return output

# %% tests: needs
# which operands require a gradient (2 points)
# - Every Variable has a creator, and every creator a requires_grad.
# - needs_input_grad has one entry for each operand; requires_grad is True if any entry is True.
# - self.needs_input_grad = tuple(arg.creator.requires_grad for arg in input)

# %% tests: links
# previous_functions (3 points)
# - backward passes each gradient to the Function that made the operand, so it has to know that Function.
# - One entry for each operand, in order: two entries for x * x, and one for a constant too.
# - self.previous_functions = [(arg.creator, id(arg)) for arg in input]

# %% tests: outputs
# output_ids (2 points)
# - A later Function records id(variable) of each of its operands. output_ids maps that id to the output's number.
# - A dictionary: the key is the id of an output, the value is its position.
# - self.output_ids = {id(variable): number for number, variable in enumerate(output)}

# %% tests: backward
# a graph of such Functions can be differentiated (2 points)
# - If the other parts pass, this one passes too.
# - backward looks up output_ids[arg_id]: both ids must be the id of the same Variable.
# - Record id(arg), not id(arg.data): the Tensor inside is another object.

# %% [markdown]
# To try it, derive an operation from your `Function`:
#
#     class Double(Function):
#         def forward(self, x):
#             return x * 2
#
#         def backward(self, grad_output):
#             return grad_output * 2
