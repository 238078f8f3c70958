"""Which holders of gradients share memory after each step of a traced backward, and which of them were written into.

A gradient is held by a Function that waits or is ready, by an edge on which it is passed on, or by the program.
"""

from dataclasses import dataclass

import numpy

from ..tensor import Tensor
from .backward import Tracing
from .labels import record_text, tensor_record, values_text


@dataclass
class Held:
    """The holders of gradients after a step.

    A holder is ("node", Function, output), ("edge", Function, input) for a gradient that is being passed on, or
    ("name", name) for a tensor of the program itself.
    """

    shared: list  # lists of holders that share memory
    written: list  # [(holder, its record before, its record now)] of those changed by accident
    named: dict  # {name: numbers as text} of the program's own tensors


class HoldersTracing(Tracing):
    """A `Tracing` that also records the holders of each gradient after every step."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.tensors = {}  # {name: Tensor} of the program
        self.held = []
        self._running = None  # (Function, its gradients) until it has returned
        self._on_the_way = {}  # {(Function, input): gradient} that was returned but not passed on yet
        # (Function, its gradients) while the walk adds to them; `not_ready` may not contain them then.
        self._in_hand = None
        self._before = {}  # {holder: (Tensor, its record)} after the last step

    def _run(self, fn, grad_output):
        self._running, self._in_hand, self._on_the_way = (fn, grad_output or ()), None, {}
        grad_input = super()._run(fn, grad_output)
        self._running = None
        for input, ((prev_fn, _), grad) in enumerate(zip(fn.previous_functions, grad_input)):
            if prev_fn.requires_grad and isinstance(grad, Tensor):
                self._on_the_way[fn, input] = grad
        return grad_input

    def _add(self, gradients, fn, output_nr, grad):
        self._in_hand = (fn, gradients)
        self._settle()  # before the write
        self._on_the_way.pop((self._fn, self._input), None)
        super()._add(gradients, fn, output_nr, grad)

    def _pushed(self, fn, gradients):
        self._in_hand = None
        self._on_the_way.pop((self._fn, self._input), None)
        super()._pushed(fn, gradients)

    def _settle(self):
        new = self._recorder.steps[self._settled :]
        super()._settle()
        if not new:
            return
        holders = dict(self._holders())
        target = ("node", new[-1].function, new[-1].output)
        written = [
            (holder, before, tensor_record(grad))
            for holder, grad in holders.items()
            for known, before in [self._before.get(holder, (None, None))]
            if known is grad and holder != target and repr(before) != repr(tensor_record(grad))
        ]
        self._before = {holder: (grad, tensor_record(grad)) for holder, grad in holders.items()}
        named = {name: values_text(tensor) for name, tensor in self.tensors.items()}
        self.held += [Held([], [], {})] * (len(new) - 1)
        self.held.append(Held(_in_one_memory(holders), written, named))

    def _holders(self):
        outside = [pair for pair in (self._running, self._in_hand) if pair is not None]
        for fn, gradients in [*self._not_ready.items(), *self._ready, *outside]:
            for output, grad in enumerate(gradients or ()):
                if isinstance(grad, Tensor):
                    yield ("node", self._recorder.number(fn), output), grad
        for (fn, input), grad in self._on_the_way.items():
            yield ("edge", self._recorder.number(fn), input), grad
        for name, tensor in self.tensors.items():
            yield ("name", name), tensor


def _in_one_memory(holders):
    """Return the groups of holders whose gradients share memory."""
    groups = []
    for holder, grad in holders.items():
        for group in groups:
            if numpy.shares_memory(group[0][1].array, grad.array):
                group.append((holder, grad))
                break
        else:
            groups.append([(holder, grad)])
    return [[holder for holder, _ in group] for group in groups if len(group) > 1]


# --- for the page


def mark(steps, held_after):
    """Record in each step which holders share a tensor, and the numbers of the program's own tensors."""
    for step, held in zip(steps, held_after, strict=True):
        holders = [holder for group in held.shared for holder in group]
        if held.written:
            holders += [("node", step.function, step.output), *(holder for holder, _, _ in held.written)]
        written = [(*holder[1:], now) for holder, _, now in held.written if holder[0] == "node"]
        step.extra = {"notes": held.named, "written": written}
        if holders:
            step.extra["marks"] = {
                "nodes": sorted({number for kind, number, *_ in holders if kind == "node"}),
                "edges": sorted({f"{number}_{where[0]}" for kind, number, *where in holders if kind == "edge"}),
                "panels": {"notes": sorted({name for kind, name, *_ in holders if kind == "name"})},
            }


def written_text(trace, step, held, words):
    """Return what the step wrote into by accident, as text. `words` are those of the museum."""
    holder, before, now = held.written[0]
    kind, which, *where = holder
    if kind == "name":
        name = words["named"].format(name=which)
    elif kind == "node":
        name = words["waiting"].format(function=trace.nodes[which].label)
    else:
        number, _ = trace.nodes[which].inputs[where[0]]
        name = words["on_the_way"].format(by=trace.nodes[which].label, function=trace.nodes[number].label)
    target = trace.nodes[step.function].label
    return words["written"].format(holder=name, function=target, before=record_text(before), now=record_text(now))
