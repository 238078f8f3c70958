"""Records the last backward of a program, for a page that steps through it."""

import contextlib
import sys

from legacy_autograd.autograd import Variable
from legacy_autograd.drawing import trace_backward
from legacy_autograd.drawing.names import Names


@contextlib.contextmanager
def recorded_backward(lang):
    """Let the outermost calls of `Variable.backward` be recorded. Yields a list, whose last item is the last Trace.

    A backward with options that the recorder does not know, and a graph that is too large, run unrecorded.
    """
    plain = Variable.backward
    traces, running = [], []

    def backward(self, gradient=None, retain_variables=True, retain_graph=None, **options):
        retain = retain_variables if retain_graph is None else retain_graph
        if running or options:
            return plain(self, gradient, retain, **options)
        names = Names(None, sys._getframe(1))
        params = [(names.of(variable), variable) for variable in names.variables if names.of(variable)]
        running.append(self)
        try:
            if self.creator.requires_grad:
                traces[:] = [trace_backward(self, gradient, retain, params=params, lang=lang)]
                return None
        except ValueError as error:
            if "max_nodes" not in str(error):
                raise
            traces.clear()
        finally:
            running.clear()
        return plain(self, gradient, retain)

    Variable.backward = backward
    try:
        yield traces
    finally:
        Variable.backward = plain
