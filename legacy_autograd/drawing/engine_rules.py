"""What every correct engine does, checked from the side of the Functions.

Each Function that requires a gradient runs once, after all gradients for its outputs were computed, and receives their
sums. No gradient that another Function or the caller still needs is written into. The order is free otherwise.
"""

import functools
import itertools
from dataclasses import dataclass, field

import numpy

from ..autograd.leaf import Leaf
from ..tensor import Tensor
from .labels import tensor_record

_TOLERANCES = {"float16": 1e-2, "float32": 1e-5}  # relative to the largest gradient of a sum; other types: 1e-9
_MOST_PARTS = 8  # gradients of a sum, of which all subsets are tried


@dataclass
class Fault:
    """What an engine did wrong first.

    `call` is the number of the run of a Function at which it is seen, or None if it is seen after the last one.
    `function` is a number, and `nodes` are those of all Functions that it is about. `fields` are labels of Functions,
    records of tensors and numbers for the text.
    """

    kind: str
    call: int | None
    function: int | None = None
    nodes: list = field(default_factory=list)
    fields: dict = field(default_factory=dict)


@dataclass(eq=False)
class _Given:
    """A gradient that a Function returned for one of its inputs, with a copy of its numbers."""

    tensor: Tensor
    copy: Tensor

    @property
    def is_changed(self):
        return self.tensor.array.tobytes() != self.copy.array.tobytes()


class EngineRules:
    """Follows one run of an engine over `recorder.graph`. Afterwards `fault` is the first fault, or None.

    `wanted` are the Functions that must run. `uses` is {Function: [(Function that uses it, its input, output), …]}.
    """

    def __init__(self, recorder, variable, gradient):
        self._recorder, self._graph = recorder, recorder.graph
        self._root, self._output = variable.creator, variable.output_nr
        self._caller = _Given(gradient, gradient.clone())
        self.wanted = self._functions_that_must_run()
        self.uses = {fn: [use for use in self._graph.uses[fn] if use[0] in self.wanted] for fn in self.wanted}
        self._given = {}  # {(Function, input): _Given, or None for a None}
        self._pending = {}  # those of `_given` that their target still needs unchanged
        self._ran, self._skipped = set(), set()
        self._hooked = {}  # {Function: copies of the gradients that its Variables' hooks got}
        self._received = {}  # {Leaf: a copy of the gradient that it got}
        self._held = {leaf: _grad_of(leaf) for leaf in self.wanted}  # before the run
        self._calls = 0
        self.fault = None

    def _functions_that_must_run(self):
        wanted, queue = {self._root: None}, [self._root]
        for fn in queue:
            for prev_fn, _ in self._graph.inputs[fn]:
                if prev_fn.requires_grad and prev_fn not in wanted:
                    wanted[prev_fn] = None
                    queue.append(prev_fn)
        return wanted

    def fail(self, kind, function=None, nodes=(), **fields):
        """Note a fault, if it is the first."""
        if self.fault is None:
            at_the_end = function is None or kind in ("never", "leaf_sum")
            number = None if function is None else self._recorder.number(function)
            nodes = [self._recorder.number(fn) for fn in nodes or filter(None, [function])]
            self.fault = Fault(kind, None if at_the_end else self._calls, number, nodes, fields)

    # --- what the engine does

    def hooks(self, fn, gradients):
        """The hooks on the outputs of `fn` get `gradients`."""
        self._hooked[fn] = [None if gradient is None else gradient.clone() for gradient in gradients]

    def before(self, fn, gradients, with_hooks):
        """`fn` is about to run with `gradients`."""
        self._look_for_writes()
        if self.fault is None:
            self._check(fn, gradients, with_hooks)
        self._calls += 1
        self._ran.add(fn)
        for user, input, _ in self.uses.get(fn, ()):
            self._pending.pop((user, input), None)
        if isinstance(fn, Leaf) and gradients and isinstance(gradients[0], Tensor):
            self._received[fn] = gradients[0].clone()

    def after(self, fn, input, gradient):
        """`fn` returned `gradient` for its input number `input`."""
        given = _Given(gradient, gradient.clone()) if isinstance(gradient, Tensor) else None
        self._given[fn, input] = given
        if given is not None and self._graph.inputs[fn][input][0] not in self._ran:
            self._pending[fn, input] = given

    def finish(self):
        """The engine has ended: look for Functions that never ran, and for wrong sums at the leaves."""
        self._look_for_writes()
        self._find_skipped()
        for fn in reversed(self._graph.nodes):
            if fn not in self.wanted or fn in self._skipped:
                continue
            if fn not in self._ran and not self._is_right(fn, [given.copy for _, given in self._arrived(fn)[0]]):
                return self.fail("never", fn, got=[self.sum_of(fn, n) for n in range(len(fn._output_sizes))])
            if fn in self._received and not self._is_right(fn, [self._received[fn]]):
                return self.fail("leaf_sum", fn, got=[tensor_record(_grad_of(fn))])

    def sum_of(self, fn, output):
        """Return the record of the sum of the gradients computed so far for an output; None if there are none."""
        tensors = [given.copy for _, given in self._arrived(fn)[output]]
        return tensor_record(functools.reduce(Tensor.add, tensors)) if tensors else None

    # --- the checks

    def _check(self, fn, gradients, with_hooks):
        """Note a fault if `fn` must not run now, or not with these gradients."""
        fail = functools.partial(self.fail, function=fn, got=records(gradients))
        if fn not in self.wanted:
            return fail("unneeded")
        if fn in self._ran:
            return fail("leaf_again" if isinstance(fn, Leaf) else "again")
        if missing := self._missing(fn):
            return fail("too_early", missing=missing)
        if fn._variable_hooks or fn.backward_hooks:
            if not with_hooks or fn._variable_hooks and fn not in self._hooked:
                return fail("hooks")
            gradients = self._hooked.get(fn, gradients)
        arrived = self._arrived(fn)
        if len(gradients) != len(arrived):
            return fail("number", count=len(gradients), outputs=len(arrived))
        may_be_none = not any(arrived) or not fn._materialize_grads
        for output, (gradient, parts) in enumerate(zip(gradients, arrived)):
            if gradient is None and not parts and may_be_none:
                continue
            if not isinstance(gradient, Tensor) or not _fits(gradient, [given.copy for _, given in parts]):
                kind, fields = self._kind(fn, output, gradient, arrived)
                return fail(kind, output=output, **fields)

    def _missing(self, fn):
        """Return the labels of the Functions that have still to compute a gradient for `fn`."""
        missing = dict.fromkeys(user for user, _, _ in self.uses[fn] if user not in self._ran)
        if missing:
            self._find_skipped()
        return [self._recorder.label(user) for user in missing if user not in self._skipped]

    def _arrived(self, fn):
        """Return for each output of `fn` the gradients that must be added: [(the edge or None, _Given), …]."""
        arrived = [[] for _ in fn._output_sizes]
        if fn is self._root:
            arrived[self._output].append((None, self._caller))
        for user, input, output in self.uses[fn]:
            given = self._given.get((user, input))
            if given is not None:
                arrived[output].append(((user, input), given))
        return arrived

    def _kind(self, fn, output, gradient, arrived):
        """Return (kind of the fault, fields) of a gradient that is not the sum of those that arrived."""
        parts = arrived[output]
        fields = {"expected": self.sum_of(fn, output)}
        if not isinstance(gradient, Tensor):
            return ("nothing" if parts else "no_zeros"), fields
        for other, its_parts in enumerate(arrived):
            if other != output and its_parts and _fits(gradient, [given.copy for _, given in its_parts]):
                return "wrong_output", {**fields, "from_output": other}
        own = {edge for edge, _ in parts}
        others = [(edge, given) for edge, given in self._given.items() if given is not None and edge not in own]
        for edge, given in others:
            if given.tensor is gradient and all(given.tensor is not part.tensor for _, part in parts):
                return "wrong_place", {**fields, **self._edge(edge)}
        for count in range(1, len(parts) if len(parts) <= _MOST_PARTS else 0):
            for left_out in itertools.combinations(range(len(parts)), count):
                kept = [part for place, part in enumerate(parts) if place not in left_out]
                if _fits(gradient, [given.copy for _, given in kept]):
                    return self._lost(parts[left_out[0]], kept, fields)
        for edge, given in parts:
            if _fits(gradient, [given.copy, *[part.copy for _, part in parts]]):
                return "twice", {**fields, **self._edge(edge), "gradient": tensor_record(given.copy)}
        for edge, given in others:
            if _fits(gradient, [given.copy]):
                return "wrong_place", {**fields, **self._edge(edge)}
        return "differs", fields

    def _lost(self, part, kept, fields):
        edge, given = part
        times = 1 + sum(other is not None and edge is not None and other[0] is edge[0] for other, _ in kept)
        fields = {**fields, **self._edge(edge), "gradient": tensor_record(given.copy), "times": times}
        return ("uses" if times > 1 else "lost"), fields

    def _edge(self, edge):
        """Return the fields of an edge; None is the caller's, which leads to the root."""
        if edge is None:
            return {"by": None, "input": None, "target": self._recorder.label(self._root)}
        user, input = edge
        target = self._recorder.label(self._graph.inputs[user][input][0])
        return {"by": self._recorder.label(user), "input": input, "target": target}

    def _look_for_writes(self):
        """Note a fault if a gradient was written into that another Function, or the caller, still needs."""
        changed = [edge for edge, given in self._pending.items() if given.is_changed]
        targets = dict.fromkeys(self._graph.inputs[user][input] for user, input in changed)
        given = self._caller if self._caller.is_changed else self._given[changed[0]] if len(targets) > 1 else None
        if given is not None:
            functions = list(dict.fromkeys(fn for fn, _ in targets)) or [self._root]
            holders = [self._recorder.label(fn) for fn in functions]
            fields = {"before": tensor_record(given.copy), "now": tensor_record(given.tensor), "holders": holders}
            self.fail("written" if len(targets) > 1 else "caller", functions[0], functions, **fields)
        for edge in changed:  # a sum that is written into its own first gradient harms no other
            del self._pending[edge]

    def _find_skipped(self):
        """Find the Functions that do not run because all gradients for their outputs are None."""
        for fn in reversed(self._graph.nodes):
            if fn not in self.wanted or fn in self._ran or fn is self._root or fn._if_no_gradient_came is not None:
                continue
            if all(user in self._ran or user in self._skipped for user, _, _ in self.uses[fn]):
                if not any(self._arrived(fn)):
                    self._skipped.add(fn)

    def _is_right(self, fn, tensors):
        """Return whether a leaf's grad grew by the sum of `tensors`; of a Leaf without a Variable, whether it ran."""
        if not isinstance(fn, Leaf):
            return False
        grad = _grad_of(fn)
        if fn.variable is None or grad is None:
            return fn in self._ran or not tensors and fn.variable is not None
        return _fits(grad, [*tensors, *([] if self._held[fn] is None else [self._held[fn]])])


def records(gradients):
    """Return the records of gradients; None for what is no Tensor."""
    return [tensor_record(gradient) if isinstance(gradient, Tensor) else None for gradient in gradients]


def _grad_of(leaf):
    """Return a copy of the grad of a Leaf's Variable, or None."""
    variable = leaf.variable if isinstance(leaf, Leaf) else None
    return None if variable is None or variable._grad is None else variable._grad.data.clone()


def _fits(gradient, parts):
    """Return whether a gradient is the sum of `parts` up to rounding, in whatever order they were added."""
    array = gradient.array
    if any(part.array.shape != array.shape for part in parts):
        return False
    with numpy.errstate(all="ignore"):
        in_its_type = functools.reduce(Tensor.add, parts).array if parts else numpy.zeros_like(array)
        totals = [in_its_type, sum([part.array.astype(float) for part in parts], numpy.zeros(array.shape))]
        scale = sum([numpy.abs(part.array.astype(float)) for part in parts], numpy.zeros(array.shape))
        finite = scale[numpy.isfinite(scale)]
        tolerance = _TOLERANCES.get(array.dtype.name, 1e-9) * (finite.max() if finite.size else 0)
        return any(numpy.allclose(array, total, rtol=0, atol=tolerance, equal_nan=True) for total in totals)
