"""`Function`: one operation, and the node that its call leaves in the graph (2016: `torch/autograd/function.py`).

A call runs `forward` on the tensors inside its Variables and records where they came from. That is all of the graph:
every Variable has its `creator`, every Function its `previous_functions` (`record.py` has the attributes of a call).
"""

from collections import OrderedDict
from types import MappingProxyType

import numpy

from .. import conventions
from ..tensor import Tensor
from ..tensor.base import shown_size, wrap
from ..utils.hooks import RemovableHandle
from . import callbacks
from .record import PACKAGE
from .saved_tensors import SavedTensors
from .variable import Variable

NOTHING_REGISTERED = MappingProxyType(OrderedDict())


def own(gradients):
    """Return copies of `gradients`, which a user's code may write to and keep.

    Other Functions may hold the same tensors: `x + y` passes one tensor on to both operands, and the caller of backward
    may hold it too.

    Args:
        gradients: Tensors, Variables or None.
    """
    return tuple([grad.clone() if isinstance(grad, (Tensor, Variable)) else grad for grad in gradients])


def as_tuple(result):
    """Return a tuple unchanged, and anything else as a tuple of one.

    Args:
        result: What forward, backward or a hook returned.
    """
    return result if isinstance(result, tuple) else (result,)


class Function(SavedTensors):
    """An operation with a derivative. Each instance represents one call and stores what that call recorded.

    A subclass defines `forward(*tensors)`, which returns a Tensor or a tuple of Tensors, and `backward(*gradients)`,
    which receives one gradient for each output and returns one for each input, or None for an input without a gradient.
    What backward needs of forward, forward passes to `save_for_backward`, or keeps on `self` as in 2016. Constants and
    dimensions are arguments of the constructor; only Variables are arguments of the call.

    Example:
        >>> class Square(Function):
        ...     def forward(self, x):
        ...         self.save_for_backward(x)
        ...         return x * x
        ...
        ...     def backward(self, grad_output):
        ...         (x,) = self.saved_tensors
        ...         return 2 * x * grad_output
        >>> x = Variable(Tensor([3]))
        >>> (y,) = Square()(x)
        >>> y.backward()
        >>> x.grad.tolist()
        [6.0]
    """

    backward_hooks = NOTHING_REGISTERED  # {name: hook(grad_input, grad_output)}
    _variable_hooks = NOTHING_REGISTERED  # {key: (hook(grad), output number)} (v0.1.6)
    _materialize_grads = True  # an output that no Function used gets zeros as its gradient, not None
    _if_no_gradient_came = None  # the gradients to run backward with in that case; None: it does not run
    _returns_tuple = True  # a call returns a tuple, also for one output
    _runs_user_code = True  # backward is a user's, which may write to gradients or keep them

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        cls._runs_user_code = cls.__module__.partition(".")[0] != PACKAGE

    def __call__(self, *input):
        """Run the operation on Variables and return a tuple of Variables, also for a single output (conventions.py)."""
        output = callbacks.around_call.run(self, self._do_forward, input)
        return output if self._returns_tuple or len(output) > 1 else output[0]

    def _do_forward(self, *input):
        self._check_call(input)
        unpacked_input = [arg.data for arg in input]
        needs = self.needs_input_grad = tuple([arg.creator.requires_grad for arg in input])
        raw_output = as_tuple(self.forward(*unpacked_input))
        self.needs_input_grad, self.requires_grad = needs, any(needs)
        output = tuple([Variable(tensor, self) for tensor in raw_output])
        self.previous_functions = [(arg.creator, id(arg)) for arg in input]
        self.output_ids = {id(var): i for i, var in enumerate(output)}
        self._output_sizes = [tensor.array.shape for tensor in raw_output]
        return self._note_saved(input, output)

    def forward(self, *tensors):
        """Compute the operation: Tensors in, a Tensor or a tuple of Tensors out.

        Args:
            *tensors: The `data` of each Variable of the call.
        """
        raise NotImplementedError(f"{self._name} does not define forward")

    def _do_backward(self, *grad_output):
        """Run `backward`, then the hooks. Return a tuple with a gradient (or None) for each input.

        What a user's backward or a hook writes into a gradient reaches the inputs of this Function and no other.
        """
        grad_output = self._own(grad_output)
        grad_input = self._own(self._check_count(as_tuple(self.backward(*grad_output))))
        for name, hook in list(self.backward_hooks.items()):
            grad_input = own(self._run_hook(name, hook, grad_input, grad_output))
        return grad_input

    def _own(self, gradients):
        return own(gradients) if self._runs_user_code or self.backward_hooks else gradients

    def backward(self, *grad_output):
        """Compute the derivative: one gradient for each output in, one (or None) for each input out.

        Written with out-of-place operations that Tensors and Variables share, it serves higher derivatives unchanged.

        Args:
            *grad_output: The gradient of each output.
        """
        raise NotImplementedError(f"{self._name} does not define backward")

    # --- hooks

    def register_hook(self, name, hook=None, variable=None):
        """Register `hook(grad_input, grad_output)`, called after each backward of this Function.

        `grad_input` is the tuple of the inputs' gradients, `grad_output` the output's gradient (a tuple if there are
        several outputs). In 2016's form a hook has a name, and its result is ignored. A hook without a name,
        `register_hook(hook)`, receives two tuples and may return a new `grad_input` (December 2016).

        Args:
            name: A name that is new to this Function, or a hook without a name.
            hook: The hook with that name.
            variable: Ignored. v0.1.1 recorded here which Variable the hook was for.

        Returns:
            A handle with `remove()`.

        Raises:
            ValueError: If the name is taken.
        """
        if hook is None:
            hook = self._shown_variables(name) if conventions.era.hooks_see_variables else name
            return RemovableHandle.put(self, "backward_hooks", hook)
        if name in self.backward_hooks:
            raise ValueError(f"{self._name} has a hook named {name!r} already; remove_hook({name!r}) first")
        return RemovableHandle.put(self, "backward_hooks", hook, name)

    def remove_hook(self, name):
        """Remove the hook that was registered under a name.

        Args:
            name: The name.

        Raises:
            KeyError: If there is no such hook.
        """
        if name not in self.backward_hooks:
            known = ", ".join(map(repr, self.backward_hooks)) or "none"
            raise KeyError(f"{self._name} has no hook named {name!r}; it has {known}")
        del self.backward_hooks[name]

    def _run_hook(self, name, hook, grad_input, grad_output):
        alone = isinstance(name, str) and len(grad_output) == 1
        result = hook(grad_input, grad_output[0] if alone else tuple(grad_output))
        if result is None or isinstance(name, str):
            return grad_input
        result = self._check_count(as_tuple(result), f"a hook of {self._name}")
        for position, ((prev_fn, number), grad) in enumerate(zip(self._sources(), result)):
            if grad is not None and prev_fn.requires_grad:
                prev_fn._check_gradient(grad, number, None, f"a hook of {self._name} returned for input {position}")
        return result

    def _run_variable_hooks(self, grad_output):
        """Run the hooks on the outputs' gradients in the order of their keys, which is the order of registration.

        A hook whose output number is None receives all gradients, and may return all of them. Each hook gets copies:
        what it writes into them reaches the later hooks and this Function, and what it writes into them afterwards
        reaches neither.
        """
        grad_output = list(own(grad_output))
        for _, (hook, number) in sorted(self._variable_hooks.items()):
            if number is None:
                result = hook(tuple(grad_output))
                grad_output = grad_output if result is None else list(result)
            elif grad_output[number] is not None:
                result = hook(grad_output[number])
                if result is not None:
                    self._check_gradient(result, number, source=f"a hook on an output of {self._name} returned")
                    grad_output[number] = result.data if isinstance(grad_output[number], Tensor) else result
            grad_output = list(own(grad_output))
        return tuple(grad_output)

    # --- checks

    @property
    def _name(self):
        return type(self).__name__

    def _check_call(self, input):
        if self.previous_functions is not None:
            self._begin_again()
        for position, arg in enumerate(input):
            if not isinstance(arg, Variable):
                what = f"is a {type(arg).__name__}; a Function is called with Variables, its constructor with constants"
                raise TypeError(f"{self._name}: argument {position} {what}")
            if not isinstance(arg.data, Tensor):
                raise TypeError(f"{self._name}: argument {position} has a {type(arg.data).__name__} as its `data`")

    def _check_count(self, grad_input, source=None):
        """Return one gradient for each input. A None at the end, for an optional input not given, is dropped."""
        inputs = len(self._sources())
        if len(grad_input) < inputs or any([grad is not None for grad in grad_input[inputs:]]):
            count = f"tensors: {'a list' if list in map(type, grad_input) else len(grad_input)}, for {inputs} inputs"
            raise RuntimeError(f"{source or self._name + '.backward'} returned an invalid number of gradient {count}")
        return grad_input[:inputs]

    def _check_gradient(self, grad, output_nr, like=None, source="got"):
        """Raise unless `grad` is a Tensor (or Variable) of the shape of that output, and of the type of `like`.

        The message begins with `source`, which tells what returned `grad` or was given it.
        """
        size = self._output_sizes[output_nr]
        tensor = grad.data if isinstance(grad, Variable) else grad
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{source} a {type(grad).__name__}, not a Tensor, as gradient of an output of {self._name}")
        if tensor.array.shape != size:
            source = "data has changed its size: got" if getattr(self, "_size", None) not in (None, size) else source
            what = f"{shown_size(tensor.array.shape)}; that output of {self._name} has the size {shown_size(size)}"
            raise RuntimeError(f"{source} a gradient of the size {what}")
        if like is not None and tensor.array.dtype != like.array.dtype:
            raise TypeError(f"the gradient of a {like.type()} cannot be a {tensor.type()}")

    def _starting_gradient(self, data):
        """Return the gradient of an output with respect to itself, for which none was given: 1 for one element."""
        if data.array.size != 1:
            what = "backward should be called only on a scalar (i.e. 1-element tensor) or with gradient w.r.t. the"
            raise RuntimeError(f"{what} variable; this one has the size {shown_size(data.array.shape)}")
        return wrap(numpy.ones_like(data.array))
