"""`Function`: one operation, and the node that it leaves in the graph (2016: `torch/autograd/function.py`).

A call runs `forward` on the tensors inside its Variables and writes down where they came from. That is all of the
graph there is: every Variable knows its `creator`, every Function its `previous_functions`.
"""

from collections import OrderedDict
from types import MappingProxyType

from . import eras, seams
from .hooks import RemovableHandle
from .tensor import Tensor
from .tensor.base import shown_size
from .variable import Variable

NOTHING_REGISTERED = MappingProxyType(OrderedDict())
_flags = {}  # {tuple: the same tuple}: calls share their few needs_input_grad, which saves a node 60 bytes


def _versions(tensors):
    """`_version` of each of `tensors`; () where none is a view and none was ever written to, as of most results.

    That is found out without the property, and nothing is kept: 0.3 µs and 100 bytes less for each call that saves.
    """
    for tensor in tensors:
        if tensor._writes or tensor._base is not None:
            return [tensor._writes if tensor._base is None else tensor._base._writes for tensor in tensors]
    return ()


class Function:
    """An operation with a derivative. One instance is one use of it: what `f(*variables)` records, it records on `f`.

    A subclass defines `forward(*tensors)`, which returns a Tensor or a tuple of them, and `backward(*gradients)`,
    which is given one gradient for each output and returns one for each input (None where there is none). What
    backward needs of forward, forward passes to `save_for_backward`, or keeps on `self`, as in 2016. Constants and
    dimensions are arguments of the constructor; only Variables are arguments of the call.
    """

    # v0.1.1's constructor set these for each instance; as class attributes they cost nothing until they are used.
    previous_functions = None  # [(creator, id) of each input], once the Function was called
    output_ids = None  # {id of each output: its number}
    output_sizes = None  # (size of each output, …) (added: 2016 did not keep them)
    needs_input_grad = None  # (does this input require a gradient?, …)
    requires_grad = False
    volatile = False
    backward_hooks = NOTHING_REGISTERED  # {name: hook(grad_input, grad_output)}
    variable_hooks = NOTHING_REGISTERED  # {key: (hook(grad), output number)} (added: came with v0.1.9)
    non_differentiable = ()
    materialize_grads = True  # zeros, not None, as the gradient of an output that nobody used
    if_no_gradient_came = None  # the gradients to run backward with where none came; None: it does not run
    unpack = None  # a seam: see seams.py
    # What `save_for_backward` is always given, where a class can say it: (0, 1) are the first two inputs, -1 is the
    # first output. Where None, each call writes down ids to find out by, for 0.3 µs and 250 bytes.
    saves = None
    _saved = ()
    _saved_versions = ()
    _absent = ()  # where save_for_backward was given None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "forward" in vars(cls) and "saves" not in vars(cls):
            cls.saves = None  # another forward may save something else than the one that it replaces
        # The package's own operations answer a tuple in every era: `Sub()(a, b)[0]` is how its lines are written.
        cls._unwraps = not eras.era.call_returns_tuple and not f"{cls.__module__}.".startswith(f"{__package__}.")

    def __call__(self, *input):
        """Run the operation on Variables; returns a tuple of Variables, also for a single output (see eras.py)."""
        if seams.around_call:
            output = seams.run_around(seams.around_call, self, self._do_forward, input)
        else:
            output = self._do_forward(*input)
        return output[0] if self._unwraps and len(output) == 1 else output

    def _do_forward(self, *input):
        if self.previous_functions is not None:
            raise RuntimeError(f"this {self._name} was called before: one instance is one node, make another")
        unpacked_input, needs_input_grad, previous_functions = [], [], []
        try:
            for arg in input:  # one loop in place of three comprehensions: 0.3 µs less
                creator = arg.creator
                unpacked_input.append(arg.data)
                needs_input_grad.append(creator.requires_grad)
                previous_functions.append((creator, id(arg)))
        except AttributeError:
            raise self._wrong_input(input) from None

        raw_output = self.forward(*unpacked_input)

        flags = tuple(needs_input_grad)
        self.needs_input_grad = _flags.setdefault(flags, flags) if len(flags) < 4 else flags
        self.requires_grad = True in flags
        self.previous_functions = previous_functions
        if isinstance(raw_output, tuple):
            output = tuple([Variable(tensor, self) for tensor in raw_output])
            self.output_ids = {id(var): number for number, var in enumerate(output)}
            self.output_sizes = [tensor.array.shape for tensor in raw_output]
        else:
            # One output, the usual case: spelled out, it costs a third of the general lines.
            var = Variable(raw_output, self)
            output = (var,)
            self.output_ids = {id(var): 0}
            sizes = (raw_output.array.shape,)
            # One tuple for an input and the output, where they are equal, saves a node 130 bytes.
            self.output_sizes = creator.output_sizes if input and creator.output_sizes == sizes else sizes
        if self._saved and self.saves is None:
            # Which input, or output, is it that was saved? Asked when backward is to be differentiated itself.
            self._input_tensor_ids = [id(tensor) for tensor in unpacked_input]
            self._output_tensor_ids = [id(var.data) for var in output] if len(output) != 1 else (id(output[0].data),)
        if self.non_differentiable:
            output = self._cut(output)
        return output

    def forward(self, *tensors):
        """The operation itself: Tensors in, a Tensor or a tuple of Tensors out."""
        raise NotImplementedError(f"{self._name} does not define forward")

    def _do_backward(self, *grad_output):
        """Run `backward` and the hooks; returns a tuple with a gradient (or None) for each input."""
        grad_input = self.backward(*grad_output)
        if not isinstance(grad_input, tuple):
            grad_input = (grad_input,)
        if len(grad_input) != len(self.previous_functions):
            grad_input = self._for_inputs(grad_input)
        if self.backward_hooks:
            grad_input = self._run_backward_hooks(grad_input, grad_output)
        return grad_input

    def backward(self, *grad_output):
        """The derivative: one gradient for each output in, one for each input out, None where there is none.

        Written with operations that Tensors and Variables share, none of them in place, it serves higher derivatives
        as it stands.
        """
        raise NotImplementedError(f"{self._name} does not define backward")

    @classmethod
    def apply(cls, *args):
        """Call a Function whose `forward` and `backward` are static methods that take a `ctx` (0.2.0)."""
        from .later.static_function import apply

        return apply(cls, args)

    # --- what backward needs of forward (from v0.1.2; the check of the versions from v0.1.5)

    def save_for_backward(self, *tensors):
        """Keep `tensors` (inputs, outputs or others) for backward, where `saved_tensors` gives them back.

        None among them, for an optional input that was not given, comes back as None.
        """
        try:
            self._saved_versions = _versions(tensors)
        except AttributeError:  # not only Tensors
            self._absent = self._positions_of_none(tensors)
            tensors = tuple([tensor for tensor in tensors if tensor is not None])
            self._saved_versions = _versions(tensors)
        self._saved = tensors

    def _positions_of_none(self, tensors):
        for position, tensor in enumerate(tensors):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(
                    f"{self._name}: save_for_backward keeps Tensors and None, and argument {position} is a "
                    f"{type(tensor).__name__}; anything else is kept as an attribute"
                )
        return [position for position, tensor in enumerate(tensors) if tensor is None]

    @property
    def saved_tensors(self):
        """What `save_for_backward` kept. Raises RuntimeError if one of them was written to since, or was freed."""
        if self._saved is None:
            raise RuntimeError(
                f"{self._name}: the saved tensors were freed by a backward with retain_variables=False; "
                "leave it out to run backward through the same graph again"
            )
        saved = self.as_saved() if self.unpack is None else self.unpack(self)
        if not self._absent:
            return saved
        saved = list(saved)
        for position in self._absent:
            saved.insert(position, None)
        return tuple(saved)

    def as_saved(self):
        """The Tensors that were saved, which must not have been written to since."""
        if _versions(self._saved) != self._saved_versions:
            from .later.changed import complain

            complain(self)
        return self._saved

    def free_saved(self):
        """Let go of the saved tensors; backward cannot run again. Does nothing where nothing was saved."""
        if self._saved or self.unpack is not None:
            self._saved, self._saved_versions, self.unpack = None, (), None

    def mark_non_differentiable(self, *outputs):
        """Called in forward with those of its outputs that have no derivative, an index for instance (v0.1.3)."""
        self.non_differentiable = outputs

    def _cut(self, output):
        """The outputs, with those marked non-differentiable as leaves that do not require a gradient."""
        marked = {id(tensor) for tensor in self.non_differentiable}
        self.non_differentiable = ()
        if self._saved:
            self._output_tensor_ids = [None if id(var.data) in marked else id(var.data) for var in output]
        return tuple([Variable(var.data, requires_grad=False) if id(var.data) in marked else var for var in output])

    # --- hooks

    def register_hook(self, name, hook=None, variable=None):
        """Have `hook(grad_input, grad_output)` called whenever this Function has run backward.

        `grad_input` is the tuple of gradients of its inputs, `grad_output` the gradient of its output (a tuple of
        them if there are several). As in 2016 a hook has a name that is new to this Function, and what it returns is
        ignored. A hook without a name, `register_hook(hook)`, is given a tuple for both, and may return one to use in
        place of `grad_input` (added: December 2016 and after). `variable` was v0.1.1's note of the Variable that the
        hook was asked for. Returns a handle with `remove()`.
        """
        if hook is None:
            return RemovableHandle.put(self, "backward_hooks", name)
        if name in self.backward_hooks:
            raise ValueError(f"{self._name} has a hook named {name!r} already; remove_hook({name!r}) first")
        return RemovableHandle.put(self, "backward_hooks", hook, name)

    def remove_hook(self, name):
        """Take out the hook that was registered under `name`; KeyError if there is none."""
        if name not in self.backward_hooks:
            known = ", ".join(map(repr, self.backward_hooks)) or "none"
            raise KeyError(f"{self._name} has no hook named {name!r}; it has {known}")
        del self.backward_hooks[name]

    def _run_backward_hooks(self, grad_input, grad_output):
        shown = grad_output[0] if len(grad_output) == 1 else grad_output
        for name, hook in list(self.backward_hooks.items()):
            if isinstance(name, str):
                hook(grad_input, shown)  # of a named hook the result is ignored, as in 2016
                continue
            result = hook(grad_input, tuple(grad_output))
            if result is not None:
                grad_input = result if isinstance(result, tuple) else (result,)
                if len(grad_input) != len(self.previous_functions):
                    raise RuntimeError(
                        f"a hook of {self._name} returned {len(grad_input)} gradients "
                        f"for {len(self.previous_functions)} inputs"
                    )
        return grad_input

    def _run_variable_hooks(self, grad_output):
        """Show the gradients of the outputs to their hooks, by rising keys, which is the order of registration.

        A hook whose output number is None is shown all of them, and may return all of them.
        """
        grad_output = list(grad_output)
        for _, (hook, number) in sorted(self.variable_hooks.items()):
            if number is None:
                result = hook(tuple(grad_output))
                grad_output = grad_output if result is None else list(result)
            elif grad_output[number] is not None:
                result = hook(grad_output[number])
                if result is not None:
                    self.check_gradient(result, number)
                    grad_output[number] = result
        return tuple(grad_output)

    # --- errors

    @property
    def _name(self):
        return type(self).__name__

    def _for_inputs(self, grad_input):
        """As many gradients as inputs: None at the end, for optional inputs not given, is cut off (v0.1.5)."""
        count = len(self.previous_functions)
        if len(grad_input) < count or any([grad is not None for grad in grad_input[count:]]):
            raise RuntimeError(
                f"{self._name}.backward returned an invalid number of gradient tensors: {len(grad_input)}, "
                f"for {count} inputs"
            )
        return grad_input[:count]

    def not_an_output(self):
        """The error of a Variable that names this Function as its creator and is none of its outputs."""
        return RuntimeError(
            f"a Variable that was not made by this {self._name} has it as its creator; the argument `creator` of "
            "Variable is for Functions, which note what they made. Leave it out to make a leaf"
        )

    def _wrong_input(self, input):
        for position, arg in enumerate(input):
            if not isinstance(arg, Variable):
                return TypeError(
                    f"{self._name}: argument {position} is a {type(arg).__name__}; a Function is called with "
                    "Variables, its constants are arguments of the constructor"
                )
        raise  # an AttributeError of somebody's own `data` property: nothing to add

    def check_gradient(self, grad, output_nr):
        """Raise if `grad` is no gradient for the output: no Tensor, or one of another size."""
        size = self.output_sizes[output_nr]
        tensor = grad.data if isinstance(grad, Variable) else grad
        if not isinstance(tensor, Tensor):
            raise TypeError(f"the gradient of an output of {self._name} must be a Tensor, got {type(grad).__name__}")
        if tensor.array.shape != size:
            raise RuntimeError(
                f"the gradient of an output of {self._name} has the size {shown_size(tensor.array.shape)}; "
                f"the output has {shown_size(size)}"
            )
