"""Run any engine on a graph, and watch the Functions that it runs.

Only the calls of `_do_backward` and the gradients themselves are watched, so an engine may be written in any way. The
recorded steps show what a correct engine must wait for, beside what this engine does.
"""

import contextlib
import functools
import inspect
import sys
import traceback
from collections.abc import Sequence

from ..autograd.function import Function, as_tuple
from ..autograd.leaf import Leaf
from .engine_rules import EngineRules, records
from .labels import record_text, tensor_record
from .replaced import replaced
from .values import grad_as_read


class Stopped(BaseException):
    """Ends an engine that does not end. It is no Exception, so that the engine does not catch it."""


class WatchedRun:
    """One run of an engine over `recorder.graph`, which records its steps.

    Afterwards `calls` has the numbers of the Functions in the order in which they ran, and `fault` is the first fault
    or None.
    """

    def __init__(self, recorder, variable, gradient):
        self._recorder, self._graph = recorder, recorder.graph
        self._rules = EngineRules(recorder, variable, gradient)
        self._root, self._gradient, self._output = variable, gradient, variable.output_nr
        self._counts = {}  # {Function: the gradients that are still to come for each output}
        self._inside = False  # while a Function runs
        self.calls = []

    @property
    def fault(self):
        return self._rules.fault

    def run(self, engine):
        """Let `engine` carry the gradient back from the Variable. An exception that it raises is a fault."""
        self._files = files_of(engine)
        self._begin()
        edges = sum(map(len, self._graph.inputs.values()))
        error = None
        try:
            with replaced(self._watches()), limited(self._files, edges):
                engine.run_backward(self._root, self._gradient)
            self._rules.finish()
        except Stopped:
            self._rules.fail("endless", calls=len(self.calls))
        except Exception as raised:
            error = {"error": error_text(raised)}
            self._rules.fail("raised", line=self._line_of(raised), **error)
        self._recorder.turn = None
        self._note("end" if error is None else "raise", facts=error)

    def _watches(self):
        """Return the attributes of Functions that are replaced during the run, and their values."""
        watches = {}
        for fn in self._graph.nodes:
            watches[fn, "_do_backward"] = functools.partial(self._called, fn, fn._do_backward, True)
            if not isinstance(fn, Leaf):  # an engine may call `backward` itself
                watches[fn, "backward"] = functools.partial(self._called, fn, fn.backward, False)
            if fn._variable_hooks:
                watches[fn, "_run_variable_hooks"] = functools.partial(self._hooks, fn, fn._run_variable_hooks)
        return watches

    def _hooks(self, fn, proceed, gradients):
        if self._inside:
            return proceed(gradients)
        self._rules.hooks(fn, gradients)
        with self._in_a_function():
            return proceed(gradients)

    def _called(self, fn, proceed, with_hooks, *gradients):
        if self._inside:  # a hook runs a backward of its own, or `_do_backward` calls `backward`
            return proceed(*gradients)
        before = _record_of_grad(fn)
        self._rules.before(fn, gradients, with_hooks)
        self.calls.append(self._recorder.number(fn))
        self._recorder.turn = self.calls[-1]
        self._note("pop", fn, gradients=records(gradients))
        if len(self.calls) > 20 + 4 * len(self._graph.nodes):
            raise Stopped
        with self._in_a_function():
            result = proceed(*gradients)
        self._returned(fn, gradients, as_tuple(result), before)
        return result

    @contextlib.contextmanager
    def _in_a_function(self):
        self._inside = True
        try:
            yield
        finally:
            self._inside = False

    # --- recording

    def _begin(self):
        gradients = [None] * len(self._root.creator._output_sizes)
        gradients[self._output] = tensor_record(self._gradient)
        self._note("begin", self._root.creator, gradients=gradients)
        for fn, uses in self._rules.uses.items():
            if uses:
                self._counts[fn] = [0] * len(fn._output_sizes)
                for _, _, output in uses:
                    self._counts[fn][output] += 1
        self._note("count", counts={self._recorder.number(fn): list(counts) for fn, counts in self._counts.items()})

    def _returned(self, fn, gradients, result, before):
        if isinstance(fn, Leaf):
            event = "drop" if fn.variable is None else "accumulate"
            gradient = next(iter(records(gradients)), None)
            self._note(event, fn, before=before, after=_record_of_grad(fn), gradient=gradient)
            return
        self._note("ran", fn, gradients=records(result))
        for input, ((prev_fn, output), gradient) in enumerate(zip(self._graph.inputs[fn], result)):
            if prev_fn in self._rules.wanted:
                edge = {"by": self._recorder.number(fn), "input": input, "output": output}
                left = self._counts[prev_fn][output]
                self._counts[prev_fn][output] = max(0, left - 1)
                self._note("free", prev_fn, before=left, after=self._counts[prev_fn][output], **edge)
                before = self._rules.sum_of(prev_fn, output)
                self._rules.after(fn, input, gradient)
                after = self._rules.sum_of(prev_fn, output)
                (record,) = records([gradient])
                if record is not None:
                    self._note("add", prev_fn, before=before, after=after, gradient=record, **edge)

    def _note(self, event, function=None, facts=None, **values):
        """Record a step, with the engine's own `ready` and `not_ready` if it has local variables of these names."""
        number = None if function is None else self._recorder.number(function)
        step = self._recorder.add(event, function=number, facts={"watched": True, **(facts or {})}, **values)
        frames, frame = [], sys._getframe(1)
        while frame is not None and frame.f_code is not WatchedRun.run.__code__:
            if frame.f_code.co_filename in self._files:
                frames.append(frame)
            frame = frame.f_back
        step.line = frames[0].f_lineno if frames else None
        locals_ = {name: value for frame in reversed(frames) for name, value in frame.f_locals.items()}
        step.ready = tuple(self._numbers_in(locals_.get("ready")))
        step.facts["holds"] = self._held_in(locals_.get("not_ready"))
        step.not_ready = tuple(step.facts["holds"])

    def _numbers_in(self, ready):
        """Yield the numbers of the Functions in a sequence of Functions, or of tuples with Functions."""
        for item in ready if isinstance(ready, Sequence) else ():
            parts = item if isinstance(item, tuple) else (item,)
            functions = [part for part in parts if isinstance(part, Function) and part in self._graph.number]
            yield from [self._graph.number[fn] for fn in functions[:1]]

    def _held_in(self, not_ready):
        """Return {number of a Function: its gradients as text} of a dictionary {Function: gradient, or a list}."""
        if not isinstance(not_ready, dict):
            return {}
        held = {}
        for fn, gradients in not_ready.items():
            if isinstance(fn, Function) and fn in self._graph.number:
                shown = records(gradients if isinstance(gradients, (list, tuple)) else (gradients,))
                held[self._graph.number[fn]] = "; ".join("–" if one is None else record_text(one) for one in shown)
        return held

    def _line_of(self, error):
        """Return the line of the engine that raised `error`, or None."""
        frames = traceback.extract_tb(error.__traceback__)
        return next((frame.lineno for frame in reversed(frames) if frame.filename in self._files), None)


def files_of(engine):
    """Return the files in which the class of `engine` and its bases are written."""
    functions = [inspect.unwrap(f) for cls in type(engine).__mro__ for f in vars(cls).values() if inspect.isfunction(f)]
    return {function.__code__.co_filename for function in functions}


@contextlib.contextmanager
def limited(files, edges):
    """Within the block, raise `Stopped` if the code of `files` runs much longer than a graph of `edges` needs.

    What is counted are instructions of Python, because `while True: pass` begins no line again.
    """
    left = 300_000 + 20_000 * edges

    def count(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_opcodes = True
        left -= 1
        if left < 0:
            raise Stopped
        return count

    before = sys.gettrace()
    try:
        sys.settrace(count if files else before)
        yield
    finally:
        sys.settrace(before)


def error_text(error):
    """Return the class and the message of an exception on one line."""
    message = " ".join(map(str, error.args))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _record_of_grad(fn):
    variable = fn.variable if isinstance(fn, Leaf) else None
    grad = None if variable is None else grad_as_read(variable)
    return None if grad is None else tensor_record(grad.data)
