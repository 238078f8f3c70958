"""`backward` of several Variables at once (v0.1.9, February 2017), and `grad`, which returns gradients (0.2.0, August).

The problem: a network with two losses needed two walks through what they share, or their sum. And a gradient could
only be had in a leaf's `grad`, added to what was there: to look at one without training with it, one saved, zeroed and
restored the gradients of all parameters, and hooked intermediate results.

How the 2016 core makes room for it: several roots get one Function in front of them, whose inputs they are; the walk
starts there. `grad` is an engine that stops where it was asked to and takes down the gradient that arrives, in place
of handing it on; what does not lead there is given no gradient, and so is passed over.
"""

import itertools
import numbers
import threading

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from .. import callbacks
from ..engine import ExecutionEngine
from ..function import NOTHING_REGISTERED, Function
from ..functions.joining import stack
from ..leaf import Leaf
from ..variable import Variable
from .double_backward import AsVariables, RecordingItself, as_gradient, one
from .hooks import add_to_grad

_add, _do_backward = ExecutionEngine._add, Function._do_backward
_around_backward = callbacks.around_backward


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
    if not conventions.era.constant_roots_raise:
        roots, grad_tensors = _without_constants(roots, grad_tensors)
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
        elif not create_graph or _is_held(gradient, found, gradients):
            found[number] = gradient.clone()  # its memory is not the caller's alone
    return tuple(found)


def _is_held(gradient, found, given):
    """Whether the Variable `gradient` shares its memory with another result, a view, a leaf, or what was `given`."""
    data = [variable.data for variable in [*found, *given] if variable is not None]
    shared = sum([tensor is gradient.data for tensor in data]) > 1
    return shared or gradient.data._base is not None or isinstance(gradient.creator, Leaf)


class _State(threading.local):
    capturing = False


_state = _State()


def is_capturing():
    """Is this thread within a `grad`, or a backward for some `inputs`, which touches no other leaf?"""
    return _state.capturing


class RecordingEngine(RecordingItself, ExecutionEngine):
    """The engine of `create_graph=True`."""


class CapturingEngine(ExecutionEngine):
    """Runs what leads to `inputs` and keeps the gradients that arrive there in `gradients`.

    With `accumulate`, those of leaves are added to their `grad` instead.
    """

    def __init__(self, inputs, free, accumulate):
        self.gradients = [None] * len(inputs)
        self._accumulate = accumulate
        self._free = free
        self._wanted = {}  # {Function: [(number of its output, which of the inputs that is)]}
        for position, variable in enumerate(inputs):
            self._wanted.setdefault(variable.creator, []).append((variable.output_nr, position))

    def run_backward(self, variable, grad, retain_variables=True):
        before, _state.capturing = _state.capturing, True
        try:
            self._walk(variable, grad)
        finally:
            _state.capturing = before

    def _walk(self, variable, grad):
        """`ExecutionEngine.run_backward` over the part of the graph that leads to the wanted inputs."""
        root, wanted = variable.creator, self._wanted
        leading, dependencies, partial = self._part(root)
        ready, not_ready = self._begin(variable, grad)
        adds_as_usual = type(self)._add is _add
        while ready:
            fn, grad_output = ready.pop()
            sources = leading.get(fn)
            if grad_output is None:
                grad_input = itertools.repeat(None)
            elif fn in wanted:
                grad_input = self._capture(fn, grad_output, sources is not None)
            elif sources is not None:
                grad_input = self._run(_for_these(fn, sources, dependencies) if fn in partial else fn, grad_output)
            if sources is None:
                continue
            for (prev_fn, output_nr), grad in zip(sources, grad_input):
                if prev_fn not in dependencies:
                    continue
                remaining = dependencies[prev_fn] - 1
                sizes = prev_fn._output_sizes
                if not remaining and len(sizes) == 1 and prev_fn not in not_ready and adds_as_usual:
                    # As most Functions, it waits for this one gradient alone.
                    if isinstance(grad, (Tensor, Variable)) and grad.array.shape == sizes[0]:
                        ready.append((prev_fn, [grad]))
                        continue
                dependencies[prev_fn] = remaining
                gradients = not_ready.setdefault(prev_fn, [None] * len(sizes))
                if grad is not None:
                    self._add(gradients, prev_fn, output_nr, grad)
                if not remaining:
                    ready.append((prev_fn, self._complete(prev_fn, not_ready.pop(prev_fn))))
            if self._free:
                fn._free_saved()  # one by one: what is not run keeps its tensors
        callbacks.backward_ended.notify(root)

    def _part(self, root):
        """The part of the graph behind `root` that leads to a wanted Function.

        Returns {Function that leads there: its sources}, {Function there or on the way: edges that lead to it}, and
        the Functions that have another source for which a gradient is required, too.
        """
        wanted = self._wanted
        sources, consumers, partial, queue = {}, {root: []}, set(), [root]
        for fn in queue:
            sources[fn] = behind = fn._sources()
            for prev_fn, _ in behind:
                if prev_fn in consumers:
                    consumers[prev_fn].append(fn)
                elif prev_fn.requires_grad:
                    if prev_fn.__class__ is not Leaf or prev_fn in wanted:
                        consumers[prev_fn] = [fn]
                        queue.append(prev_fn)
                    else:
                        partial.add(fn)
        leading, queue = {}, [fn for fn in wanted if fn in consumers]
        for fn in queue:
            for consumer in consumers[fn]:
                if consumer not in leading:
                    leading[consumer] = sources[consumer]
                    queue.append(consumer)
        dependencies = {fn: len(consumers[fn]) for fn in queue}
        if len(dependencies) < len(consumers):
            for fn in consumers:
                if fn not in dependencies:
                    partial.update(consumers[fn])
        return leading, dependencies, partial

    def _capture(self, fn, grad_output, is_leading):
        if self._accumulate and isinstance(fn, Leaf):
            return self._run(fn, grad_output)
        if fn._variable_hooks:
            grad_output = fn._run_variable_hooks(grad_output)
        for number, position in self._wanted[fn]:
            self.gradients[position] = grad_output[number]
        return self._run_without_hooks(fn, grad_output) if is_leading else ()

    def _run(self, fn, grad_output):
        if fn._variable_hooks is not NOTHING_REGISTERED or _around_backward.callbacks:
            return super()._run(fn, grad_output)
        return _run_backward_of(fn, grad_output)

    def _run_without_hooks(self, fn, grad_output):
        if _around_backward.callbacks:
            return _around_backward.run(fn, fn._do_backward, grad_output)
        return _run_backward_of(fn, grad_output)


def _run_backward_of(fn, grad_output):
    """`fn._do_backward(*grad_output)`. Without hooks and a user's code it runs `backward` and does nothing else."""
    cls = type(fn)
    if cls._runs_user_code or fn.backward_hooks is not NOTHING_REGISTERED or cls._do_backward is not _do_backward:
        return fn._do_backward(*grad_output)
    grad_input = fn.backward(*grad_output)
    if not isinstance(grad_input, tuple):
        grad_input = (grad_input,)
    return grad_input if len(grad_input) == len(fn.needs_input_grad) else fn._check_count(grad_input)


def _for_these(fn, sources, leading):
    """A copy of `fn` whose backward computes no gradient of a source that does not lead to a wanted input, or `fn`.

    A copy, because another thread may need those gradients. Only the Functions of this package get one, and only where
    no hook or callback sees which Function ran, and no saved output leads double backward to it.
    """
    if (
        fn._runs_user_code
        or fn._variable_hooks
        or fn.backward_hooks
        or _around_backward.callbacks
        or not (fn._unpack is None or isinstance(fn._unpack, AsVariables))
        or any([isinstance(position, int) and position < 0 for position in fn._saved_positions])
    ):
        return fn
    copy = object.__new__(type(fn))
    vars(copy).update(vars(fn), needs_input_grad=tuple([function in leading for function, _ in sources]))
    return copy


class RecordingCapturingEngine(RecordingItself, CapturingEngine):
    """`grad` with `create_graph=True`."""


class GraphRoot(Function):
    """What several roots are the inputs of, in front of them all. Gradient: the one that each of them is to get."""

    def __init__(self, gradients):
        self.gradients = tuple(gradients)

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
    first = GraphRoot(gradients)
    variable = Variable(one(), first)
    first._link([(root.creator, root.output_nr) for root in roots], variable)
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
    return tuple([None if column[0] is None else stack(column) for column in zip(*rows)])


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


def _without_constants(roots, gradients):
    """The roots that require a gradient, and the gradients for these. All of them if none does."""
    if gradients is None:
        gradients = [None] * len(roots)
    kept = [position for position, root in enumerate(roots) if root.requires_grad]
    if not kept or not isinstance(gradients, (list, tuple)) or len(gradients) != len(roots):
        return roots, gradients
    return [roots[position] for position in kept], [gradients[position] for position in kept]


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
            root.creator._check_gradient(gradient, root.output_nr, root.data)
        else:
            try:
                gradient = root.creator._starting_gradient(root.data)
            except RuntimeError:
                raise RuntimeError(
                    f"{name}: a gradient can be left out only for a scalar (a single element), and Variable {position} "
                    f"has the size {shown_size(root.data.array.shape)}"
                ) from None
        checked.append(gradient)
    return checked


def _backward_of_variable(variable, gradient, retain_graph, create_graph, inputs):
    backward(variable, gradient, retain_graph, create_graph, inputs=inputs)


callbacks.backward_with_options = _backward_of_variable
