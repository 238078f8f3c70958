"""`backward` of several Variables at once (v0.1.6, January 2017), and `grad`, which returns gradients (0.2.0, August).

The problem: a network with two losses needed two backward passes through their shared part, or the sum of the losses.
And a gradient was available only in a leaf's `grad`, added to the previous one. To compute one without training, a
program saved, zeroed and restored the gradients of all parameters, and hooked intermediate results.

How the 2016 core makes room for it: several roots become the inputs of one Function, and the backward pass starts from
it. `grad` is an engine that stops at the requested Variables and keeps the gradients that arrive there instead of
passing them on. Branches that do not lead to these Variables receive no gradient and are skipped.
"""

import itertools
import numbers
import threading
from collections.abc import Sequence
from typing import Any

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from .. import callbacks
from ..engine import ExecutionEngine
from ..fast import walk
from ..function import NOTHING_REGISTERED, Function, as_tuple
from ..functions.joining import stack
from ..leaf import Leaf
from ..variable import Variable
from .double_backward import AsVariables, RecordingItself, as_gradient, one
from .hooks import add_to_grad

_around_backward = callbacks.around_backward


def backward(
    tensors: Variable | Sequence[Variable],
    grad_tensors: Tensor | Variable | Sequence[Tensor | Variable | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensor | Variable | Sequence[Tensor | Variable | None] | None = None,
    inputs: Variable | Sequence[Variable] | None = None,
) -> None:
    """Accumulate the gradients of `tensors` into the leaves from which they were computed.

    Args:
        tensors: The Variables to differentiate.
        grad_tensors: The gradient to start from for each of `tensors`, with its shape and type. Default, and for each
            None: 1, which is enough for a single element.
        retain_graph: False frees the saved tensors. The default keeps them; torch's default frees them.
        create_graph: Whether each `grad` becomes a Variable that can be differentiated itself.
        grad_variables: The older name of `grad_tensors`.
        inputs: The only Variables that accumulate a gradient; they need not be leaves. Default: all leaves.

    Raises:
        RuntimeError: If `inputs` is empty or one of them requires no gradient; if one of `tensors` requires no
            gradient, or needs a starting gradient and has none; if a starting gradient has another shape.
        TypeError: If an argument has the wrong type, or a starting gradient another type than its Variable.
    """
    if grad_variables is not None:
        if grad_tensors is not None:
            raise RuntimeError(
                "backward: got both grad_tensors and grad_variables, two names of the same argument; give one"
            )
        grad_tensors = grad_variables
    roots = _sequence("backward", "tensors", tensors)
    if not roots:
        return
    if not conventions.era.constant_roots_raise:
        roots, grad_tensors = _without_constants(roots, grad_tensors)
    gradients = _starting_gradients("backward", roots, grad_tensors)
    free = retain_graph is not None and not retain_graph
    create_graph = create_graph or _hold_a_graph(gradients)
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
    outputs: Variable | Sequence[Variable],
    inputs: Variable | Sequence[Variable],
    grad_outputs: Tensor | Variable | Sequence[Tensor | Variable | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """Return the sum of the gradients of `outputs` with respect to each of `inputs`; no `grad` changes.

    Args:
        outputs: The Variables to differentiate.
        inputs: The Variables to differentiate by; they need not be leaves.
        grad_outputs: The gradient to start from for each of `outputs`. Default, and for each None: 1, which is enough
            for a single element.
        retain_graph: False frees the saved tensors. The default keeps them; torch's default frees them.
        create_graph: Whether the results are Variables that can be differentiated themselves.
        only_inputs: Only True is accepted.
        allow_unused: Whether the result may be None for an input that no output depends on. Default: as
            `materialize_grads`.
        is_grads_batched: Whether each of `grad_outputs` has one more dimension, in front. The results have it too, with
            one gradient for each of its entries.
        materialize_grads: Whether an input that no output depends on gets zeros.

    Returns:
        A tuple with a Tensor for each input, or a Variable under `create_graph`.

    Raises:
        RuntimeError: If no output depends on an input, without `allow_unused`; if an output or an input requires no
            gradient; if a starting gradient is missing or has another shape.
        TypeError: If an argument has the wrong type.
        ValueError: If `only_inputs` is False, or `materialize_grads` contradicts `allow_unused`.

    Example:
        >>> x = Variable(torch.ones(2))
        >>> torch.autograd.grad((x * x).sum(), x)[0].tolist()
        [2.0, 2.0]
    """
    if not only_inputs:
        raise ValueError("grad: only_inputs=False is not supported; use backward to accumulate into all leaves")
    if allow_unused is None:
        allow_unused = materialize_grads
    if materialize_grads and not allow_unused:
        raise ValueError(
            "grad: materialize_grads=True gives zeros for unused inputs, which contradicts allow_unused=False"
        )
    roots, inputs = _sequence("grad", "outputs", outputs), _wanted("grad", inputs)
    if is_grads_batched:
        options = dict(create_graph=create_graph, allow_unused=allow_unused, materialize_grads=materialize_grads)
        return _one_by_one(roots, inputs, grad_outputs, retain_graph, options)
    gradients = _starting_gradients("grad", roots, grad_outputs)
    free = retain_graph is not None and not retain_graph
    create_graph = create_graph or _hold_a_graph(gradients)
    found = _capture(roots, gradients, inputs, free, create_graph) if roots else [None] * len(inputs)
    for number, (variable, gradient) in enumerate(zip(inputs, found)):
        if gradient is None:
            if not allow_unused:
                raise RuntimeError(
                    f"grad: input {number}, of size {shown_size(variable.data.array.shape)}, was not used in computing "
                    "the outputs; with allow_unused=True its gradient is None"
                )
            if materialize_grads:
                zeros = wrap(numpy.zeros_like(variable.data.array))
                found[number] = as_gradient(zeros) if create_graph else zeros
        elif not create_graph or _is_held(gradient, found, gradients):
            found[number] = gradient.clone()  # so that the caller owns its memory
    return tuple(found)


def _is_held(gradient, found, given):
    """Return whether the Variable `gradient` shares its memory with another result, a leaf or `given`, or is a view."""
    data = [variable.data for variable in [*found, *given] if variable is not None]
    shared = sum([tensor is gradient.data for tensor in data]) > 1
    return shared or gradient.data._base is not None or isinstance(gradient.creator, Leaf)


class _State(threading.local):
    capturing = False


_state = _State()


def is_capturing() -> bool:
    """Return whether this thread runs a `grad`, or a backward with `inputs`, which accumulates into no other leaf."""
    return _state.capturing


class RecordingEngine(RecordingItself, ExecutionEngine):
    """The engine of `create_graph=True`."""


class CapturingEngine(ExecutionEngine):
    """An engine that runs the part of the graph that leads to `inputs`, and collects their gradients in `gradients`.

    Args:
        inputs: The Variables whose gradients are collected.
        free: Whether each Function frees its saved tensors after its backward.
        accumulate: Whether the gradients of leaves are added to their `grad` instead.
    """

    def __init__(self, inputs: Sequence[Variable], free: bool, accumulate: bool) -> None:
        self.gradients = [None] * len(inputs)
        self._accumulate = accumulate
        self._free = free
        # {Function: [(number of its output, position of that input)]}
        self._wanted: dict[Function, list[tuple[int, int]]] = {}
        for position, variable in enumerate(inputs):
            self._wanted.setdefault(variable.creator, []).append((variable.output_nr, position))

    def run_backward(self, variable, grad, retain_variables=True):
        before, _state.capturing = _state.capturing, True
        try:
            self._walk(variable, grad)
        finally:
            _state.capturing = before

    def _walk(self, variable, grad):
        """Run `ExecutionEngine.run_backward` over the part of the graph that leads to the requested inputs."""
        root, wanted = variable.creator, self._wanted
        leading, dependencies, partial = self._part(root)
        ready, not_ready = self._begin(variable, grad)
        while ready:
            fn, grad_output = ready.pop()
            sources, backward = leading.get(fn), walk.trusted_backward(fn)
            if grad_output is None:
                grad_input = itertools.repeat(None)
            elif fn in wanted:
                grad_input = self._capture(fn, grad_output, sources is not None, backward)
            elif sources is not None:
                if fn._variable_hooks is not NOTHING_REGISTERED:
                    grad_input = self._run(fn, grad_output)
                elif fn in partial:
                    grad_input = self._run_without_hooks(_for_these(fn, sources, dependencies), grad_output, backward)
                else:
                    grad_input = self._run_without_hooks(fn, grad_output, backward)
            if sources is None:
                continue
            for position, ((prev_fn, output_nr), grad) in enumerate(zip(sources, grad_input)):
                if prev_fn not in dependencies:
                    continue
                remaining = dependencies[prev_fn] = dependencies[prev_fn] - 1
                gradients = not_ready.pop(prev_fn, None) or [None] * len(prev_fn._output_sizes)
                if grad is not None:
                    if backward is None:
                        source = f"{type(fn).__name__}.backward returned for input {position}"
                        prev_fn._check_gradient(grad, output_nr, None, source)
                    self._add(gradients, prev_fn, output_nr, grad)
                if remaining:
                    not_ready[prev_fn] = gradients
                elif len(gradients) == 1 and grad is not None:
                    ready.append((prev_fn, gradients))
                else:
                    ready.append((prev_fn, self._complete(prev_fn, gradients)))
            if self._free:
                fn._free_saved()  # one by one: a Function that does not run keeps its tensors
        callbacks.backward_ended.notify(root)

    def _begin(self, variable, grad):
        """As the engine's `_begin`. The twin need not bring the record of the root into 2016's form for it."""
        root = variable.creator
        gradients = [None] * len(root._output_sizes)
        gradients[variable.output_nr] = grad
        return [(root, self._complete(root, gradients))], {}

    def _part(self, root):
        """Return the part of the graph behind `root` that leads to a requested Function.

        This is {Function that leads to one: its sources}, {requested or leading Function: number of edges to it} and
        the Functions of which another source requires a gradient, too.
        """
        wanted = self._wanted
        sources, consumers, partial, queue = {}, {root: []}, set(), [root]
        for fn in queue:
            sources[fn] = behind = walk.sources(fn)
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

    def _capture(self, fn, grad_output, is_leading, backward):
        if self._accumulate and isinstance(fn, Leaf):
            return self._run(fn, grad_output)
        if fn._variable_hooks:
            grad_output = fn._run_variable_hooks(grad_output)
        for number, position in self._wanted[fn]:
            self.gradients[position] = grad_output[number]
        return self._run_without_hooks(fn, grad_output, backward) if is_leading else ()

    def _run_without_hooks(self, fn, grad_output, backward):
        """Run `fn._do_backward`, or its `backward` alone where that is the same."""
        if backward is None:
            return _around_backward.run(fn, fn._do_backward, grad_output)
        return as_tuple(backward(fn, *grad_output))


def _for_these(fn, sources, leading):
    """Return `fn`, or a copy whose backward skips the gradients of sources that lead to no requested input.

    A copy, because another thread may need those gradients. Only Functions of this package are copied. They are not
    copied if a hook or a callback sees which Function ran, or if double backward reaches `fn` through a saved output.
    """
    if (
        fn._runs_user_code
        or fn.backward_hooks
        or _around_backward.callbacks
        or not (fn._unpack is None or isinstance(fn._unpack, AsVariables))
        or any([isinstance(position, int) and position < 0 for position in fn._saved_positions])
    ):
        return fn
    copy = object.__new__(type(fn))
    attributes = vars(fn).copy()
    attributes["needs_input_grad"] = tuple([function in leading for function, _ in sources])
    copy.__dict__ = attributes
    return copy


class RecordingCapturingEngine(RecordingItself, CapturingEngine):
    """The engine of `grad` with `create_graph=True`."""


class GraphRoot(Function):
    """A Function in front of several roots, which are its inputs.

    Args:
        gradients: One gradient for each root.

    Gradient:
        For each root, its entry of `gradients`.
    """

    def __init__(self, gradients: Sequence[Tensor | Variable | None]) -> None:
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
            f"grad: is_grads_batched needs a gradient for each of the {len(roots)} outputs, all with the same length "
            f"along dimension 0; got {len(batches)} of lengths {sorted(lengths)}"
        )
    rows, last = [], lengths.pop() - 1
    for i in range(last + 1):
        slices = [batch[i : i + 1].view(*output.data.array.shape) for batch, output in zip(batches, roots)]
        rows.append(grad(roots, inputs, slices, None if i < last else retain_graph, **options))
    return tuple([None if column[0] is None else stack(column) for column in zip(*rows)])


# --- checking the arguments


def _sequence(name, argument, values, kinds=Variable):
    """Return `values`, one object or a sequence of them, as a checked list."""
    values = [values] if isinstance(values, kinds) else values
    if isinstance(values, numbers.Number) or not hasattr(values, "__iter__") or isinstance(values, Tensor):
        raise TypeError(f"{name}: {argument} must be a Variable or a sequence of them, got {type(values).__name__}")
    values = list(values)
    for position, value in enumerate(values):
        if not isinstance(value, kinds):
            raise TypeError(f"{name}: {argument}[{position}] must be a Variable, got {type(value).__name__}")
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
    """Return the roots that require a gradient, and their gradients; all of them if none does."""
    if gradients is None:
        gradients = [None] * len(roots)
    kept = [position for position, root in enumerate(roots) if root.requires_grad]
    if not kept or not isinstance(gradients, (list, tuple)) or len(gradients) != len(roots):
        return roots, gradients
    return [roots[position] for position in kept], [gradients[position] for position in kept]


def _hold_a_graph(gradients):
    """Return whether a starting gradient means create_graph=True: in v0.2.0 a Variable that is not volatile."""
    return conventions.era.variables_create_graph and any(
        [isinstance(gradient, Variable) and not gradient.volatile for gradient in gradients]
    )


def _starting_gradients(name, roots, gradients):
    """Return a checked gradient for each root, a Tensor or a Variable."""
    if gradients is None:
        gradients = [None] * len(roots)
    elif isinstance(gradients, (Tensor, Variable)):
        gradients = [gradients]
    elif not isinstance(gradients, (list, tuple)):
        raise TypeError(
            f"{name}: expected a Tensor, a Variable or a sequence as starting gradients, got {type(gradients).__name__}"
        )
    if len(gradients) != len(roots):
        raise RuntimeError(f"{name}: got {len(gradients)} starting gradients for {len(roots)} Variables")
    checked = []
    for position, (root, gradient) in enumerate(zip(roots, gradients)):
        if not root.requires_grad:
            raise RuntimeError(
                f"{name}: Variable {position} does not require a gradient, nor does any input of its graph"
            )
        if gradient is not None:
            root.creator._check_gradient(gradient, root.output_nr, root.data, f"{name}: got")
        else:
            try:
                gradient = root.creator._starting_gradient(root.data)
            except RuntimeError:
                raise RuntimeError(
                    f"{name}: a starting gradient is optional only for a scalar (a single element); Variable "
                    f"{position} has the size {shown_size(root.data.array.shape)}"
                ) from None
        checked.append(gradient)
    return checked


def _backward_with_options(variable, gradient, retain_graph, create_graph, inputs):
    backward(variable, gradient, retain_graph, create_graph, inputs=inputs)


Variable._backward_with_options = _backward_with_options
