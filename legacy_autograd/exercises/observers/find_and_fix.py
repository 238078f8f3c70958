"""The probes of exercise 6: five engines with one fault each, programs that show it, and the fixed engines.

No correct engine is here: a student's code could use it.
"""

import re
import sys

from ...autograd.variable import Variable
from ...drawing import note, trace_backward
from ..answer import Missing, Withheld, plain
from ..programs.running import Run
from .support import engine


def outcome(answer, number, source):
    """Return the result of a program of the student's with an engine: the source of a class Engine."""
    program = getattr(answer, f"program_{number}")
    with engine(_defined(source)["Engine"]()):
        try:
            return {"result": plain(program())}
        except (NotImplementedError, MemoryError, RecursionError, Missing, Withheld):
            raise
        except Exception as error:
            return {"result": f"{type(error).__name__} is raised"}


def _defined(source):
    names: dict = {}
    exec(compile(source, "the engine", "exec"), names)
    return names


def behaviour(answer, lines):
    """Return what is seen of a program, which makes one of the fixed engines."""
    names = dict.fromkeys(re.findall(r"\bFixed\d\b", " ".join(lines)))
    run = Run({name: getattr(answer, name) for name in names}, watch=True)
    with engine(Variable._execution_engine):
        return run.execute(lines)


class WatchedEngine4:
    """The fourth engine with a method for each step, which can be traced. It records its copies and its writes."""

    parts = None  # of the text; on the class, because a trace makes a subclass

    def run_backward(self, variable, grad, retain_variables=True):
        ready, not_ready = self._begin(variable, grad)
        dependencies = self._compute_dependencies(variable.creator)
        while ready:
            fn, grad_output = ready.pop()
            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self._run(fn, grad_output)):
                if not prev_fn.requires_grad:
                    continue
                output_nr = self._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
                gradients = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                if grad is not None:
                    self._add(gradients, prev_fn, output_nr, grad)
                if self._is_ready_for_backward(dependencies, prev_fn):
                    ready.append((prev_fn, self._complete(prev_fn, not_ready.pop(prev_fn))))

    def _compute_dependencies(self, function):
        return self.parts.count(function)

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        output_nr = prev_fn.output_ids[arg_id]
        dependencies[prev_fn][output_nr] -= 1
        return output_nr

    def _is_ready_for_backward(self, dependencies, function):
        return not any(dependencies[function])

    def _complete(self, fn, gradients):
        arrived = [gradient for gradient in gradients if gradient is not None]
        zeros = [arrived[0].new(*size).zero_() for size in fn._output_sizes] if arrived else []
        return [zero if grad is None else grad for grad, zero in zip(gradients, zeros)] or None

    def _begin(self, variable, grad):
        self._caller_has, self._need_copy = grad, {id(grad): grad}  # {id of a gradient: itself}
        gradients = [None] * len(variable.creator.output_ids)
        gradients[variable.creator.output_ids[id(variable)]] = grad
        return [(variable.creator, self._complete(variable.creator, gradients))], {}

    def _run(self, fn, grad_output):
        return (None,) * len(fn.previous_functions) if grad_output is None else fn._do_backward(*grad_output)

    def _add(self, gradients, fn, output_nr, grad):
        waiting, name = gradients[output_nr], self._recorder.label(fn)
        if waiting is None:
            gradients[output_nr] = self._need_copy[id(grad)] = grad
            return
        if id(waiting) in self._need_copy:
            waiting = gradients[output_nr] = self._need_copy.pop(id(waiting)).clone()
            note(f"{COPIED} the gradient that {name} waits with, and added to the copy")
        else:
            others = ["the caller"] if waiting is self._caller_has else []
            for other, theirs in [*self._ready, *self._not_ready.items()]:
                if other is not fn and any(gradient is waiting for gradient in theirs or ()):
                    others.append(self._recorder.label(other))
            held = f"; {HELD_BY} {', '.join(others)}" if others else "; no other Function holds it"
            note(f"wrote in place into the gradient that {name} waits with{held}")
        waiting.add_(grad)


COPIED, HELD_BY = "copied", "it is also held by"


class Watcher:
    """Runs each backward with WatchedEngine4 and traces it."""

    found: dict = {"said": []}  # a program may call no backward

    def run_backward(self, variable, grad, retain_variables=True):
        frame = sys._getframe()
        while frame.f_globals.get("__name__", "").startswith("legacy_autograd."):
            frame = frame.f_back  # up to the program
        leaves = {name: v for name, v in frame.f_locals.items() if isinstance(v, Variable) and v.is_leaf}
        with engine(WatchedEngine4()):
            trace = trace_backward(variable, grad, params=leaves, title="program_4() with the fourth engine")
        said = [step.text for step in trace.steps if step.event == "note"]
        self.found = {"said": said, "trace": trace.to_json()}


def watched(answer, source):
    """Return the copies and writes of the fourth engine in the last backward of program_4, and its trace as JSON."""
    WatchedEngine4.parts = _defined(source)["Parts"]()
    watcher = Watcher()
    with engine(watcher):
        answer.program_4()
    return watcher.found
