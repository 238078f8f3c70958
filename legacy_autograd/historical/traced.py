"""Run an exhibit's program with a trace of every backward, and record which holders share memory after each step."""

import sys
from dataclasses import dataclass, field

import numpy

from ..drawing.backward import Tracing, engine_of, tracing_engine
from ..drawing.labels import tensor_record, values_text
from ..drawing.names import Names
from ..drawing.trace import Recorder, recording_to
from ..drawing.walk import Graph, inputs_of
from ..tensor import Tensor
from .exhibit import outcome_of


@dataclass
class Held:
    """The holders of gradients after a step.

    A holder is ("node", Function, output), ("edge", Function, input) for a gradient that is being passed on, or
    ("name", name) for a tensor of the program itself.
    """

    shared: list  # lists of holders that share memory
    written: list  # [(holder, its record before, its record now)] of those changed by accident
    named: dict  # {name: numbers as text} of the program's own tensors


@dataclass
class Run:
    """One program in one version: its outcome and, if it started a backward, the trace with a `Held` for each step."""

    version: str
    outcome: object
    trace: object = None
    held: list = field(default_factory=list)


def run_traced(program, autograd, lang):
    """Run `program(autograd)` and return the `Run`. All its backwards are in one trace, over one graph."""
    with engine_of(autograd.Variable, lambda plain: _EngineOfProgram(plain, program, lang)) as engine:
        outcome = outcome_of(program, autograd)
    if engine.recorder is None:
        return Run(autograd.version, outcome)
    if outcome.exception is not None:
        engine.recorder.add("raise", facts={"error": str(outcome)})
        engine.held.append(Held([], [], {}))
    trace = engine.recorder.trace("backward", autograd.version, None, "TB")
    trace.source = engine.source
    return Run(autograd.version, outcome, trace, engine.held)


class _EngineOfProgram:
    """The engine of a program's Variables while it runs; it traces each backward into one recorder."""

    def __init__(self, plain, program, lang):
        self._plain = plain
        self._program = program
        self._lang = lang
        self._roots = []  # kept alive until the trace is made
        self.recorder = self.source = None
        self.held = []

    def run_backward(self, variable, grad, *options, **named_options):
        frame = sys._getframe(1)
        while frame.f_code is not self._program.__code__:
            frame = frame.f_back
        self._roots.append(variable)
        graph = Graph([(root.creator, 0) for root in self._roots], inputs_of)
        before, names = self.recorder, Names(None, frame)
        self.recorder = Recorder(graph, names, lang=self._lang)
        if before is not None:  # its Functions keep their numbers, because earlier roots come first
            self.recorder.steps = before.steps
            self.recorder.held |= before.held
        tensors = {name: value for name, value in frame.f_locals.items() if isinstance(value, Tensor)}
        engine = tracing_engine(self._plain, self.recorder, tracing=_HoldersTracing)
        engine.tensors, engine.held = tensors, self.held
        try:
            with recording_to(self.recorder):
                engine.run_backward(variable, grad, *options, **named_options)
        finally:
            engine._settle()
            self.source = engine._source


class _HoldersTracing(Tracing):
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
