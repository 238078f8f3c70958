"""The probes of exercise 6: five engines with one fault each, programs that show it, and the fixed engines.

No correct engine is here: a student's code could use it.
"""

import functools
import random
import re
import sys

from ...autograd.variable import Variable
from ...drawing import note, trace_backward
from ..answer import attempt, plain
from ..programs.running import Run
from .support import engine

MOST_WAYS = 20_000


@functools.cache
def given(source):
    """Return the names of what the text of the exercise gives, whatever the student's code does to its own copy."""
    names: dict = {}
    exec(compile(source, "the text of the exercise", "exec"), names)
    return names


class EveryWay:
    """Carries a gradient along every way from the root to a leaf, alone. The leaves add them up.

    The gradients are correct, because each backward is linear, but a Function runs once for each way that leads to it.
    """

    def __init__(self, parts):
        self._parts = parts

    def run_backward(self, variable, grad, retain_variables=True):
        waiting, ways = [(variable.creator, id(variable), grad)], 0
        while waiting:
            fn, arg_id, grad = waiting.pop()
            gradients = [None] * len(fn.output_ids)
            gradients[fn.output_ids[arg_id]] = grad
            found = self._parts.run(fn, gradients)
            waiting += [
                (prev_fn, key, grad)
                for (prev_fn, key), grad in zip(fn.previous_functions, found)
                if prev_fn.requires_grad and grad is not None
            ]
            ways += 1
            if ways > MOST_WAYS:
                raise RuntimeError("the graph has too many ways from its end to its leaves: a smaller one is enough")


def _hidden(name, engine):
    """Return a class of that name whose instances run `engine`: a program must compare gradients, not code."""

    class Hidden:
        def run_backward(self, variable, grad, retain_variables=True):
            return engine().run_backward(variable, grad, retain_variables)

    Hidden.__name__ = Hidden.__qualname__ = name
    return Hidden


def outcomes(answer, number, source):
    """Return the student's results with the faulty engine and with the correct gradients, in several runs of each.

    `source` is what the text gives.

    The order of the runs is random, so that a program that counts its calls does not pass. Where the fault plays no
    part, most engines with other faults give the result of the faulty one: "engines that agree" is how many do.
    """
    program, texts = getattr(answer, f"program_{number}"), given(source)
    engines = {
        "with the faulty engine": texts[f"Engine{number}"],
        "with a correct engine": lambda: EveryWay(texts["Parts"]()),
    }
    others = {f"Engine{other}": texts[f"Engine{other}"] for other in range(1, 6) if other != number}
    hidden = {key: _hidden(f"Engine{number}", made) for key, made in (engines | others).items()}
    runs = [*engines] * 3 + [*others]
    random.SystemRandom().shuffle(runs)
    results = {key: [] for key in hidden}
    for key in runs:
        with engine(hidden[key]()):
            results[key].append(attempt(lambda: plain(program())))
    found = {key: results[key][0] for key in engines}
    return found | {
        "engines that agree": sum(results[key][0] == found["with the faulty engine"] for key in others),
        "changes": any(results[key].count(found[key]) < len(results[key]) for key in engines),
    }


def behaviour(answer, lines):
    """Return what is seen of a program, which makes one of the fixed engines."""
    names = dict.fromkeys(re.findall(r"\bFixed\d\b", " ".join(lines)))
    run = Run({name: getattr(answer, name) for name in names}, watch=True)
    with engine(Variable._execution_engine):
        return run.execute(lines)


class WatchedEngine4:
    """The fourth engine with a method for each step, which can be traced. It records its copies and its writes."""

    def __init__(self, parts):
        self._parts = parts

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
        return self._parts.count(function)

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
        self._need_copy = {id(grad)}
        self._holders = {id(grad): ["the caller"]}  # {id of a gradient: who waits with it}
        self._kept = [grad]  # so that no other gradient gets the id of one that is gone
        self._ran = set()
        gradients = [None] * len(variable.creator.output_ids)
        gradients[variable.creator.output_ids[id(variable)]] = grad
        return [(variable.creator, self._complete(variable.creator, gradients))], {}

    def _run(self, fn, grad_output):
        self._ran.add(self._recorder.label(fn))
        return (None,) * len(fn.previous_functions) if grad_output is None else fn._do_backward(*grad_output)

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

    def __init__(self, parts):
        self._parts = parts
        self.found = {"said": []}  # a program may call no backward

    def run_backward(self, variable, grad, retain_variables=True):
        frame = sys._getframe()
        while frame.f_globals.get("__name__", "").startswith("legacy_autograd."):
            frame = frame.f_back  # up to the program
        leaves = {name: v for name, v in frame.f_locals.items() if isinstance(v, Variable) and v.is_leaf}
        with engine(WatchedEngine4(self._parts)):
            trace = trace_backward(variable, grad, params=leaves, title="program_4() with the fourth engine")
        said = [step.text for step in trace.steps if step.event == "note"]
        self.found = {"said": said, "trace": trace.to_json()}


def watched(answer, source):
    """Return the copies and writes of the fourth engine in the last backward of program_4, and its trace as JSON."""
    watcher = Watcher(given(source)["Parts"]())
    with engine(watcher):
        answer.program_4()
    return watcher.found
