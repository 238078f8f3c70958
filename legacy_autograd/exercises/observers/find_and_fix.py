"""The probes of exercise 6: five engines with one fault each, programs that show it, and the fixed engines."""

import sys
import types

from ...autograd.engine import ExecutionEngine
from ...autograd.variable import Variable
from ...drawing import note, trace_backward
from ..answer import attempt, plain
from . import support
from .programs import PROGRAMS, gradients_of, root_of, start_for
from .support import leaf


def outcome(answer, number, engine):
    """Return the result of a program of the student's with an engine: the source of a class Engine."""
    namespace: dict = {}
    exec(compile(engine, "the engine", "exec", dont_inherit=True), namespace)
    program = getattr(answer, f"program_{number}")
    with support.engine(namespace["Engine"]()):
        return {"result": attempt(lambda: plain(program()))}


class WatchedEngine4(ExecutionEngine):
    """The fourth engine with a method for each step, which can be traced. It records its copies and its writes."""

    def _begin(self, variable, grad):
        self._need_copy = {id(grad)}
        self._holders = {id(grad): ["the caller"]}  # {id of a gradient: who waits with it}
        self._kept = [grad]  # so that no other gradient gets the id of one that is gone
        self._ran = set()
        return super()._begin(variable, grad)

    def _run(self, fn, grad_output):
        self._ran.add(self._recorder.label(fn))
        return super()._run(fn, grad_output)

    def _add(self, gradients, fn, output_nr, grad):
        waiting, name = gradients[output_nr], self._recorder.label(fn)
        if waiting is None:
            gradients[output_nr] = grad
            self._need_copy.add(id(grad))
            self._holders.setdefault(id(grad), []).append(name)
            self._kept.append(grad)
            return
        if id(waiting) in self._need_copy:
            self._need_copy.remove(id(waiting))
            self._holders[id(waiting)].remove(name)
            waiting = gradients[output_nr] = waiting.clone()
            note(f"{COPIED} the gradient that {name} waits with, and added to the copy")
        else:
            holders = dict.fromkeys(self._holders.get(id(waiting), []))
            others = [holder for holder in holders if holder != name and holder not in self._ran]
            held = f"; {HELD_BY} {', '.join(others)}" if others else "; no other Function holds it"
            note(f"{WROTE} the gradient that {name} waits with{held}")
        waiting.add_(grad)


COPIED, WROTE, HELD_BY = "copied", "wrote in place into", "it is also held by"


class Watcher:
    """Runs each backward with WatchedEngine4 and traces it."""

    found: dict = {"said": []}  # a program may call no backward

    def run_backward(self, variable, grad, retain_variables=True):
        frame = sys._getframe()
        while frame.f_globals.get("__name__", "").startswith("legacy_autograd."):
            frame = frame.f_back  # up to the program
        leaves = {name: v for name, v in frame.f_locals.items() if isinstance(v, Variable) and v.is_leaf}
        with support.engine(WatchedEngine4()):
            trace = trace_backward(variable, grad, params=leaves, title="program_4() with the fourth engine")
        said = [step.text for step in trace.steps if step.event == "note"]
        self.found = {"said": said, "trace": trace.to_json()}


def watched(answer):
    """Return the copies and writes of the fourth engine in the last backward of program_4, and its trace as JSON."""
    watcher = Watcher()
    with support.engine(watcher):
        answer.program_4()
    return watcher.found


def gradients(answer, number, program, backwards=1):
    """Return the gradients of the leaves. A random program starts from a random gradient."""
    variables = PROGRAMS[program]()
    root = root_of(variables)
    start = start_for(program, root)
    with support.engine(getattr(answer, f"Fixed{number}")()):
        for _ in range(backwards):
            root.backward(start)
    return gradients_of(variables) | {"the gradient given to backward": plain(start)}


def after_an_exception(answer, number):
    return with_a_raising_hook(types.SimpleNamespace(Engine=getattr(answer, f"Fixed{number}")))


def with_a_raising_hook(answer):
    """Return the gradients of one engine that is used again after a hook raised an exception in a backward."""
    x, y = leaf([2.0]), leaf([3.0])
    product = x * y
    z = product + x

    def refuse(grad_input, grad_output):
        raise ArithmeticError("a hook that refuses")

    product.creator.register_hook("refuse", refuse)
    raised = None
    with support.engine(answer.Engine()):
        try:
            z.backward()
        except ArithmeticError:
            raised = "the hook's own"
        product.creator.remove_hook("refuse")
        x.grad.zero_(), y.grad.zero_()
        z.backward()
    return {"exception": raised, "x.grad": plain(x.grad), "y.grad": plain(y.grad)}
