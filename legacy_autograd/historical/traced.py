"""Run an exhibit's program with a trace of every backward."""

import sys
from dataclasses import dataclass, field

from ..drawing.backward import engine_of, tracing_engine
from ..drawing.holders import Held, HoldersTracing
from ..drawing.names import Names
from ..drawing.trace import Recorder, recording_to
from ..drawing.walk import Graph, inputs_of
from ..tensor import Tensor
from .exhibit import outcome_of


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
        engine = tracing_engine(self._plain, self.recorder, tracing=HoldersTracing)
        engine.tensors, engine.held = tensors, self.held
        try:
            with recording_to(self.recorder):
                engine.run_backward(variable, grad, *options, **named_options)
        finally:
            engine._settle()
            self.source = engine._source
