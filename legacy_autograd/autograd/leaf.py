"""`Leaf`: the Function where the graph ends (2016: `torch/autograd/leaf.py`; since 0.2.0 `AccumulateGrad`).

A Variable that no operation made still has a creator. It creates nothing: its backward adds the gradient to the
Variable's `grad`.
"""

import threading
import weakref

from . import callbacks
from .function import Function


class Leaf(Function):
    """The creator of a Variable made by hand. It holds the Variable weakly, while the Variable holds it.

    2016 held it strongly, a cycle that kept the memory until the garbage collector ran. When the Variable is gone, its
    hooks still run and the gradient is dropped.

    Args:
        variable: The Variable.
        requires_grad: Whether backward computes a gradient for it.
    """

    _lock = threading.RLock()  # one for all leaves, so that a fork can wait for it

    def __init__(self, variable, requires_grad):
        self._variable = weakref.ref(variable)
        self.output_ids = {id(variable): 0}
        self.previous_functions = []
        self.requires_grad = requires_grad
        self._size = variable.data.array.shape

    @property
    def variable(self):
        """The Variable whose gradient is accumulated here, or None when it is gone."""
        return self._variable()

    def _do_forward(self, *input):
        raise NotImplementedError("a Leaf is the start of a graph: it cannot be called")

    def _do_backward(self, *grad_output):
        """Call the hooks with the gradient, then add it to `variable.grad`. Return (), because a leaf has no inputs."""
        grad_output = self._own(grad_output)
        for hook in list(self.backward_hooks.values()):
            hook(grad_output, grad_output)
        variable = self.variable
        if variable is not None:
            callbacks.around_accumulate.run(self, self._accumulate, (variable, grad_output[0]))
        return ()

    def _accumulate(self, variable, grad):
        """Add `grad` to `variable.grad`, a tensor that belongs to the Variable alone.

        2016 added to a tensor of zeros. The first gradient is copied instead: the same numbers, one operation less.
        A gradient begins anew when `data` got another shape. One that was resized itself is refused.
        Several threads may add to one Variable. They take turns under the lock; hooks run outside of it.
        """
        with self._lock:
            before = variable._grad
            if before is None or before.array.shape == self._size != grad.array.shape:
                self._check_gradient(grad, 0, variable.data)
                variable._grad = grad.clone()
            else:
                self._check_gradient(before, 0, source="the accumulated gradient was resized: `grad` is")
                before.data.add_(grad)  # `.data`: after create_graph=True the sum is a Variable
            self._size = grad.array.shape

    @property
    def _output_sizes(self):
        """The shape of the Variable's `data`, which may have been replaced since."""
        variable = self.variable
        return [self._size if variable is None else variable.data.array.shape]

    def __reduce__(self):
        raise TypeError("a Leaf belongs to one Variable: copy or pickle the Variable, which makes itself a new Leaf")
