"""v0.1.1's `Function` and `Leaf` (2016: `torch/autograd/function.py`, `torch/autograd/leaf.py`)."""

from collections import OrderedDict
from typing import Any

from ..autograd.function import Function
from ..autograd.leaf import Leaf
from ..modern_names import Absent
from .engine import add_in_place


class HistoricalFunction(Function):
    """A Function of v0.1.1: nothing is checked, an instance may be called twice, backward takes one gradient.

    Its saved tensors are not checked for writes, like the attributes in which v0.1.1 kept tensors.
    """

    backward_hooks: Any = Absent("backward_hooks")  # of a subclass whose constructor does not call this one

    def __init__(self):
        self.backward_hooks = OrderedDict()

    __reduce_ex__ = object.__reduce_ex__  # a copy of a graph has the old ids (F1)

    def _do_forward(self, *input):
        raw_output = self.forward(*[arg.data for arg in input])
        if not isinstance(raw_output, tuple):
            raw_output = (raw_output,)
        self.needs_input_grad = tuple([arg.creator.requires_grad for arg in input])
        self.requires_grad = any(self.needs_input_grad)
        output = tuple([type(input[0])(tensor, self) for tensor in raw_output])
        self.previous_functions = [(arg.creator, id(arg)) for arg in input]
        self.output_ids = {id(var): number for number, var in enumerate(output)}
        self._output_sizes = [getattr(tensor, "shape", ()) for tensor in raw_output]  # for drawings
        return output

    def _do_backward(self, grad_output):
        grad_input = self.backward(grad_output)
        if not isinstance(grad_input, tuple):
            grad_input = (grad_input,)
        if len(grad_input) != len(self.previous_functions):
            raise AssertionError(f"{type(self).__name__} returned an invalid number of gradient tensors")
        for hook, index in self.backward_hooks.values():
            if index is not None:
                _ = grad_input[index]  # D5: indexed by the number of an output, and not used
            hook(grad_input, grad_output)
        return grad_input

    def save_for_backward(self, *tensors):
        self._saved = tensors

    @property
    def saved_tensors(self):
        return self._saved

    def register_hook(self, name, hook, variable=None):
        if name in self.backward_hooks:
            raise AssertionError
        self.backward_hooks[name] = (hook, None if variable is None else self.output_ids[id(variable)])

    def remove_hook(self, name):
        if name not in self.backward_hooks:
            raise AssertionError
        del self.backward_hooks[name]


class HistoricalLeaf(HistoricalFunction, Leaf):
    """v0.1.1's Leaf: it holds its Variable, and calls its hooks incorrectly, as the tuples in which they are stored."""

    variable = None
    _output_sizes = ()

    def __init__(self, variable, requires_grad):
        self.variable = variable  # F9: a cycle, which waits for the garbage collector
        self.output_ids = {id(variable): 0}
        self._output_sizes = (getattr(variable.data, "shape", ()),)
        self.previous_functions = []
        self.requires_grad = requires_grad
        self.backward_hooks = OrderedDict()

    _do_forward = Leaf._do_forward
    __reduce__ = object.__reduce__

    def _do_backward(self, *grad_output):
        if len(grad_output) != 1:
            raise AssertionError
        for hook in self.backward_hooks.values():
            hook(grad_output, grad_output)  # D1
        add_in_place(self.variable.grad, grad_output[0])
        return ()
