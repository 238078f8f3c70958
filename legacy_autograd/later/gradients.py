"""`backward` of several Variables at once (v0.1.9, February 2017), and `grad`, which returns gradients (0.2.0, August).

The problem: a network with two losses needed two walks through what they share, or their sum. And a gradient could
only be had in a leaf's `grad`, added to what was there: to look at one without training with it, one saved, zeroed and
restored the gradients of all parameters, and hooked intermediate results.

How the 2016 core makes room for it: several roots get one Function in front of them, whose inputs they are; the walk
starts there. `grad` is an engine that stops where it was asked to and takes down the gradient that arrives, in place
of handing it on; what does not lead there is given no gradient, and so is passed over.
"""

import numbers
import threading

import numpy

from .. import seams
from ..engine import ExecutionEngine
from ..function import Function
from ..leaf import Leaf
from ..tensor import Tensor
from ..tensor.base import shown_size, wrap
from ..variable import Variable
from .double_backward import RecordingItself, as_gradient, one
from .hooks import add_to_grad


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Add the gradient of all of `tensors` (a Variable or a sequence of them) to the leaves they were computed from.

    `grad_tensors` are the gradients to start with, one for each, of the size and type of its Variable; None stands for
    1 and is enough for a single element. With `inputs` the gradient is added to those Variables alone, which need not
    be leaves. `create_graph=True` makes of every `grad` a Variable that can be differentiated itself. The saved tensors
    are freed only where `retain_graph=False` is said, as everywhere here (torch frees them where nothing is said).

    Raises as `Variable.backward` does, and RuntimeError if `inputs` is empty or one of them requires no gradient.
    """
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError(
                "backward: grad_tensors and grad_variables are the same argument, of which only one is given"
            )
        grad_tensors = grad_variables
    roots = _sequence("backward", "tensors", tensors)
    if not roots:
        return
    gradients = _starting_gradients("backward", roots, grad_tensors)
    free = retain_graph is not None and not retain_graph
    if inputs is None:
        engine = RecordingEngine() if create_graph else Variable._execution_engine
        _walk(engine, roots, gradients, create_graph, retain_variables=not free)
        return
    inputs = _wanted("backward", inputs)
    found = _capture(roots, gradients, inputs, free, create_graph, accumulate=True)
    for variable, gradient in zip(inputs, found):
        if gradient is not None:
            add_to_grad(variable, gradient)


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
    is_grads_batched=False, materialize_grads=False,
):  # fmt: skip
    """The sum of the gradients of `outputs` with respect to each of `inputs`, as a tuple; no `grad` is touched.

    `outputs` and `inputs` are Variables or sequences of them; inputs need not be leaves. `grad_outputs` are as
    backward's `grad_tensors`, and `create_graph` and `retain_graph` too. Returns Tensors, under `create_graph`
    Variables.

    An input that no output depends on raises RuntimeError, unless `allow_unused`: then its gradient is None, or with
    `materialize_grads` zeros. With `is_grads_batched` the grad_outputs have one dimension more, in front, and so have
    the results: one gradient for each. RuntimeError if an output or an input requires no gradient.
    """
    if not only_inputs:
        raise ValueError("grad: only_inputs=False is long gone; use backward to add to the gradients of all leaves")
    if allow_unused is None:
        allow_unused = materialize_grads
    if materialize_grads and not allow_unused:
        raise ValueError(
            "grad: materialize_grads=True gives zeros for unused inputs, so allow_unused=False cannot hold"
        )
    roots, inputs = _sequence("grad", "outputs", outputs), _wanted("grad", inputs)
    if is_grads_batched:
        options = dict(create_graph=create_graph, allow_unused=allow_unused, materialize_grads=materialize_grads)
        return _one_by_one(roots, inputs, grad_outputs, retain_graph, options)
    gradients = _starting_gradients("grad", roots, grad_outputs)
    free = retain_graph is not None and not retain_graph
    found = _capture(roots, gradients, inputs, free, create_graph) if roots else [None] * len(inputs)
    for number, (variable, gradient) in enumerate(zip(inputs, found)):
        if gradient is None:
            if not allow_unused:
                raise RuntimeError(
                    f"grad: input {number}, of size {shown_size(variable.data.array.shape)}, was not used in computing "
                    "the outputs; allow_unused=True gives None for it"
                )
            if materialize_grads:
                zeros = wrap(numpy.zeros_like(variable.data.array))
                found[number] = as_gradient(zeros) if create_graph else zeros
        elif not create_graph:
            found[number] = gradient.clone()  # a Function may have handed the same Tensor to others
    return tuple(found)


class _State(threading.local):
    capturing = False


_state = _State()


def is_capturing():
    """Is this thread within a `grad`, or a backward for some `inputs`, which touches no other leaf?"""
    return _state.capturing


class RecordingEngine(RecordingItself, ExecutionEngine):
    """The engine of `create_graph=True`."""


class CapturingEngine(ExecutionEngine):
    """Runs what leads to `inputs`, and takes down the gradients that arrive there, in `gradients`.

    With `accumulate`, those of leaves are added to their `grad` instead.
    """

    def __init__(self, inputs, free, accumulate):
        self.gradients = [None] * len(inputs)
        self._accumulate = accumulate
        self._free = free
        self._wanted = {}  # {Function: [(number of its output, which of the inputs that is)]}
        for position, variable in enumerate(inputs):
            number = variable.output_number
            self._wanted.setdefault(variable.creator, []).append((number, position))

    def run_backward(self, variable, grad, retain_variables=True):
        before, _state.capturing = _state.capturing, True
        try:
            super().run_backward(variable, grad)  # what was run is freed one by one: the rest still has its tensors
        finally:
            _state.capturing = before

    def _compute_dependencies(self, function):
        dependencies = super()._compute_dependencies(function)
        consumers = {}
        for fn in (function, *dependencies):
            for prev_fn, _ in fn.previous_functions:
                if prev_fn in dependencies:
                    consumers.setdefault(prev_fn, []).append(fn)
        self._leading, queue = set(), list(self._wanted)
        while queue:
            for fn in consumers.get(queue.pop(), ()):
                if fn not in self._leading:
                    self._leading.add(fn)
                    queue.append(fn)
        return dependencies

    def _add(self, gradients, fn, output_nr, grad):
        if fn in self._leading or fn in self._wanted:
            super()._add(gradients, fn, output_nr, grad)

    def _run(self, fn, grad_output):
        if grad_output is None:
            return super()._run(fn, grad_output)
        if fn in self._wanted:
            if self._accumulate and isinstance(fn, Leaf):
                return super()._run(fn, grad_output)
            if fn.variable_hooks:
                grad_output = fn._run_variable_hooks(grad_output)
            for number, position in self._wanted[fn]:
                self.gradients[position] = grad_output[number]
        if fn not in self._leading:
            return (None,) * len(fn.previous_functions)
        if fn not in self._wanted:
            grad_input = super()._run(fn, grad_output)
        elif seams.around_backward:  # its hooks have run
            grad_input = seams.run_around(seams.around_backward, fn, fn._do_backward, grad_output)
        else:
            grad_input = fn._do_backward(*grad_output)
        if self._free:
            fn.free_saved()
        return grad_input


class RecordingCapturingEngine(RecordingItself, CapturingEngine):
    """`grad` with `create_graph=True`."""


class GraphRoot(Function):
    """What several roots are the inputs of, in front of them all. Gradient: the one that each of them is to get."""

    def __init__(self, roots, gradients):
        self.gradients = tuple(gradients)
        self.previous_functions = [(variable.creator, id(variable)) for variable in roots]
        self.needs_input_grad = (True,) * len(roots)
        self.requires_grad = True
        self.output_sizes = ((1,),)

    def backward(self, grad_output):
        return self.gradients


def _walk(engine, roots, gradients, create_graph, **options):
    if create_graph:
        gradients = [None if gradient is None else as_gradient(gradient) for gradient in gradients]
    else:
        gradients = [None if gradient is None else gradient.data for gradient in gradients]
    if len(roots) == 1:
        engine.run_backward(roots[0], gradients[0], **options)
        return
    first = GraphRoot(roots, gradients)
    variable = Variable(one(), first)
    first.output_ids = {id(variable): 0}
    engine.run_backward(variable, as_gradient(one()) if create_graph else one(), **options)


def _capture(roots, gradients, inputs, free, create_graph, accumulate=False):
    engine = (RecordingCapturingEngine if create_graph else CapturingEngine)(inputs, free, accumulate)
    _walk(engine, roots, gradients, create_graph)
    return engine.gradients


def _one_by_one(roots, inputs, grad_outputs, retain_graph, options):
    batches = _sequence("grad", "grad_outputs", grad_outputs, (Tensor, Variable))
    lengths = {len(batch.data) for batch in batches}
    if len(batches) != len(roots) or len(lengths) != 1:
        raise RuntimeError(
            f"grad: is_grads_batched needs a gradient for each of the {len(roots)} outputs, all of one length along "
            f"dimension 0; got {len(batches)} of lengths {sorted(lengths)}"
        )
    rows, last = [], lengths.pop() - 1
    for i in range(last + 1):
        slices = [batch[i : i + 1].view(*output.data.array.shape) for batch, output in zip(batches, roots)]
        rows.append(grad(roots, inputs, slices, None if i < last else retain_graph, **options))
    return tuple([None if column[0] is None else _stack(column) for column in zip(*rows)])


def _stack(gradients):
    """Gradients of one size, Tensors or Variables, along a new dimension in front."""
    from .. import stack

    return stack(gradients, 0)


# --- checking the arguments


def _sequence(name, argument, values, kinds=Variable):
    """`values` as a list, whether it is one or a sequence of them."""
    values = [values] if isinstance(values, kinds) else values
    if isinstance(values, numbers.Number) or not hasattr(values, "__iter__") or isinstance(values, Tensor):
        raise TypeError(f"{name}: {argument} is a Variable or a sequence of them, got {type(values).__name__}")
    values = list(values)
    for position, value in enumerate(values):
        if not isinstance(value, kinds):
            raise TypeError(f"{name}: {argument}[{position}] is a {type(value).__name__}, not a Variable")
    return values


def _wanted(name, inputs):
    inputs = _sequence(name, "inputs", inputs)
    if not inputs:
        raise RuntimeError(f"{name}: inputs is empty")
    for position, variable in enumerate(inputs):
        if not variable.requires_grad:
            raise RuntimeError(f"{name}: inputs[{position}] does not require a gradient")
    return inputs


def _starting_gradients(name, roots, gradients):
    """A gradient for each root, Tensor or Variable, checked against it."""
    if gradients is None:
        gradients = [None] * len(roots)
    elif isinstance(gradients, (Tensor, Variable)):
        gradients = [gradients]
    elif not isinstance(gradients, (list, tuple)):
        raise TypeError(
            f"{name}: gradients come as a Tensor, a Variable or a sequence, not as {type(gradients).__name__}"
        )
    if len(gradients) != len(roots):
        raise RuntimeError(f"{name}: got {len(gradients)} gradients to start with, for {len(roots)} Variables")
    checked = []
    for position, (root, gradient) in enumerate(zip(roots, gradients)):
        if not root.requires_grad:
            raise RuntimeError(
                f"{name}: Variable {position} does not require a gradient, and nothing it was made from does"
            )
        if gradient is not None:
            root.creator.check_gradient(gradient, root.output_number)
            root.check_gradient_type(gradient)
        elif root.creator.if_no_gradient_came is not None:  # a random draw, which has a reward instead
            pass
        elif root.data.array.size == 1:
            gradient = wrap(numpy.ones_like(root.data.array))
        else:
            raise RuntimeError(
                f"{name}: a gradient can be left out only for a scalar (a single element), and Variable {position} has "
                f"the size {shown_size(root.data.array.shape)}"
            )
        checked.append(gradient)
    return checked
