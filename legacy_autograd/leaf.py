"""`Leaf`: the Function where the graph ends (2016: `torch/autograd/leaf.py`; since 0.2.0 `AccumulateGrad`).

A Variable that no operation made still has a creator. It creates nothing: its backward adds the gradient to the
Variable's `grad`.
"""

import weakref

from .function import Function


class Leaf(Function):
    """The creator of a Variable made by hand. It holds the Variable weakly, while the Variable holds it.

    2016 held it strongly, a cycle that kept the memory until the garbage collector came. When the Variable is gone
    its hooks still run, and the gradient is dropped.
    """

    def __init__(self, variable, requires_grad):
        self._variable = weakref.ref(variable)
        self.output_ids = {id(variable): 0}
        self.output_sizes = (variable.data.array.shape,)
        self.previous_functions = []
        self.requires_grad = requires_grad

    @property
    def variable(self):
        """The Variable whose gradient is accumulated here, or None when it is gone."""
        return self._variable()

    def _do_forward(self, *input):
        raise NotImplementedError("a Leaf is the start of a graph: it cannot be called")

    def _do_backward(self, *grad_output):
        """Show the gradient to the hooks, then add it to `variable.grad`. Returns (): nothing lies behind a leaf."""
        for hook in list(self.backward_hooks.values()):
            hook(grad_output, grad_output)
        variable = self.variable
        if variable is not None:
            self.accumulate(variable, grad_output[0])
        return ()

    def accumulate(self, variable, grad):
        """Add `grad` to `variable.grad`, in a tensor that belongs to the Variable alone.

        2016 added to a tensor of zeros. The first gradient is copied instead: the same numbers, one operation less.
        """
        if variable._grad is None or variable._grad.array.shape != variable.data.array.shape:
            variable.check_gradient_type(grad)
            variable._grad = grad.clone()
        else:
            variable._grad.data.add_(grad)  # `data`, because after create_graph (later) the sum is a Variable

    def check_gradient(self, grad, output_nr):
        if self.variable is not None:
            self.output_sizes = (self.variable.data.array.shape,)  # its data may have been replaced since
        super().check_gradient(grad, output_nr)

    def __reduce__(self):
        raise TypeError("a Leaf belongs to one Variable: copy or pickle the Variable, which makes itself a new Leaf")
