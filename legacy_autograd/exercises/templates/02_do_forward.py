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
# 2. makes a Variable, with this Function as its creator, of every Tensor that `forward` returned:
#    `Variable(tensor, self)`. `forward` returns a Tensor, or a tuple of them;
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
# run forward, wrap what it returns (3 points)
# - forward knows Tensors, the caller has Variables: unwrap before, wrap after.
# - forward may return one Tensor or a tuple of them. Make a tuple of the one, then there is one case only.
# - output = tuple(Variable(tensor, self) for tensor in raw_output), and that tuple is returned.

# %% tests: needs
# which operands require a gradient (2 points)
# - Every Variable has a creator, and every creator a requires_grad.
# - needs_input_grad has one entry for each operand; requires_grad asks whether any of them is true.
# - self.needs_input_grad = tuple(arg.creator.requires_grad for arg in input)

# %% tests: links
# previous_functions (3 points)
# - backward will have to know whom to hand each gradient: the Function that made that operand.
# - One entry for every operand, in their order, also twice for x * x, also for a constant.
# - self.previous_functions = [(arg.creator, id(arg)) for arg in input]

# %% tests: outputs
# output_ids (2 points)
# - A later Function notes id(variable) of what it was called with. Here that id must lead to a number.
# - A dictionary: the key is the id of an output, the value its position.
# - self.output_ids = {id(variable): number for number, variable in enumerate(output)}

# %% tests: backward
# a graph of such Functions can be differentiated (2 points)
# - If the other parts pass, so does this one.
# - backward looks up output_ids[arg_id]: both ids have to be those of the same Variable.
# - Note id(arg), not id(arg.data): the Tensor inside is another object.

# %% [markdown]
# To try it, derive an operation from your `Function`:
#
#     class Double(Function):
#         def forward(self, x):
#             return x * 2
#
#         def backward(self, grad_output):
#             return grad_output * 2
