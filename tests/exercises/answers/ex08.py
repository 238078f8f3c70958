"""Exercise 8: hooks."""

from . import write, wrong

_CLIP = "return grad * (limit / norm) if norm > limit else None"
_AVERAGE = "parameter.register_hook(lambda grad: all_reduce(grad) / workers)"

RIGHT = {
    "partial": [
        write(
            "clip",
            """
            def shorten(grad):
                length = float((grad * grad).sum()) ** 0.5
                return grad if length <= limit else grad.div(length).mul(limit)

            handle = variable.register_hook(shorten)
            return handle
            """,
        ),
        write(
            "log_norms",
            """
            from functools import partial

            def note(name, grad):
                log.append((name, grad.norm()))

            handles = []
            for name in variables:
                handles.append(variables[name].register_hook(partial(note, name)))
            return lambda: [handle.remove() for handle in handles] and None
            """,
        ),
        write(
            "average",
            """
            def hook(grad):
                total = all_reduce(grad.clone())
                total.div_(workers)
                return total

            for parameter in parameters:
                parameter.register_hook(hook)
            """,
        ),
    ],
    "classes": [
        write(
            "clip",
            """
            class Clip:
                def __call__(self, grad):
                    return grad * min(1, limit / max(grad.norm(), 1e-300))

            return variable.register_hook(Clip())
            """,
        ),
        write(
            "log_norms",
            """
            class Note:
                def __init__(self, name, variable):
                    self.name = name
                    self.handle = variable.register_hook(self)

                def __call__(self, grad):
                    log.append((self.name, float(grad.pow(2).sum() ** 0.5)))

            notes = [Note(*item) for item in variables.items()]

            def stop():
                while notes:
                    notes.pop().handle.remove()

            return stop
            """,
        ),
    ],
    "Black's line breaks and type hints": [
        write(
            "clip",
            """
            def hook(
                grad: object,
            ) -> object:
                norm: float = grad.norm()
                if not (
                    norm
                    > limit
                ):
                    return grad
                return (
                    grad
                    * limit
                    / norm
                )

            return variable.register_hook(
                hook,
            )
            """,
        ),
        write(
            "average",
            """
            def hook(grad: object) -> object:
                total: object = all_reduce(
                    grad,
                )
                return (
                    total
                    / workers
                )

            for parameter in parameters:
                parameter.register_hook(hook)
            """,
        ),
    ],
    "default arguments and walrus": [
        write(
            "clip",
            "return variable.register_hook(lambda g, c=limit: g * (c / n) if (n := g.norm()) > c else g.clone())",
        ),
        write(
            "log_norms",
            """
            handles = [v.register_hook(lambda g, n=name: log.append((n, g.norm()))) for name, v in variables.items()]
            return lambda: [handles.pop().remove() for _ in range(len(handles))]
            """,
        ),
        write("average", "[p.register_hook(lambda g: all_reduce(g).mul_(1.0 / workers)) for p in parameters]"),
    ],
    "numpy, recursion and generators": [
        write(
            "clip",
            """
            import numpy

            def hook(grad):
                array = grad.numpy()
                norm = numpy.sqrt(numpy.square(array).sum())
                return grad.new((array * numpy.divide(limit, norm)).tolist()) if norm > limit else None

            return variable.register_hook(hook)
            """,
        ),
        write(
            "log_norms",
            """
            import numpy

            def register(items):
                if not items:
                    return []
                (name, variable), *rest = items
                note = lambda grad: log.append((name, float(numpy.linalg.norm(grad.numpy().ravel()))))
                return [variable.register_hook(note)] + register(rest)

            handles = register(list(variables.items()))

            def stop():
                for handle in iter(handles):
                    handle.remove()

            return stop
            """,
        ),
    ],
    "dataclasses": [
        write(
            "clip",
            """
            from dataclasses import dataclass

            @dataclass(frozen=True)
            class Shorten:
                limit: float

                def __call__(self, grad):
                    factor = self.limit / norm if (norm := grad.norm()) else 1
                    return grad.mul(min(1, factor))

            return variable.register_hook(Shorten(limit))
            """,
        ),
        write(
            "log_norms",
            """
            from dataclasses import dataclass

            @dataclass
            class Note:
                name: str
                handle: object = None

                def hook(self, grad):
                    log.append((self.name, grad.norm(2)))

            notes = {}
            for name, variable in variables.items():
                notes[name] = Note(name)
                notes[name].handle = variable.register_hook(notes[name].hook)

            def stop():
                for note in notes.values():
                    note.handle.remove()

            return stop
            """,
        ),
        write(
            "average",
            """
            class Average:
                def __init__(self, parameter):
                    self.handle = parameter.register_hook(self)

                def __call__(self, grad):
                    return all_reduce(grad).div(workers)

            averages = [Average(parameter) for parameter in parameters]
            """,
        ),
    ],
    "a clone that is written into, and an ExitStack": [
        write(
            "clip",
            """
            def hook(grad):
                new, length = grad.clone(), grad.norm()
                if length > limit:
                    new.mul_(limit).div_(length)
                return new

            return variable.register_hook(hook)
            """,
        ),
        write(
            "log_norms",
            """
            from contextlib import ExitStack

            stack = ExitStack()
            for name, variable in variables.items():
                def hook(grad, name=name):
                    log[len(log):] = [(name, grad.norm())]

                stack.callback(variable.register_hook(hook).remove)
            return stack.close
            """,
        ),
        write(
            "average",
            """
            def hook(grad):
                average_of_all = all_reduce(grad).clone()
                average_of_all /= workers
                return average_of_all

            list(map(lambda p: p.register_hook(hook), parameters))
            """,
        ),
    ],
    "a loop over all numbers": [
        write(
            "clip",
            """
            import math

            def hook(grad):
                norm = math.hypot(*grad.numpy().flatten().tolist())
                if math.isclose(norm, limit) or norm < limit:
                    return None
                return grad * limit / norm

            return variable.register_hook(hook)
            """,
        ),
        write(
            "log_norms",
            """
            def hook_of(name):
                def hook(grad):
                    total = 0.0
                    for number in grad.contiguous().view(-1).tolist() if grad.numel() else []:
                        total += number * number
                    log.extend([(name, total**0.5)])

                return hook

            handles = {}
            for number, (name, variable) in enumerate(variables.items()):
                handles[number] = variable.register_hook(hook_of(name))

            def stop():
                [handles.popitem()[1].remove() for _ in range(len(handles))]

            return stop
            """,
        ),
    ],
    "a class with slots that is its own handle's owner": [
        write(
            "log_norms",
            """
            class Logger:
                __slots__ = ("handles", "names")

                def __init__(self):
                    self.handles, self.names = [], list(variables)

                def start(self):
                    for index, name in enumerate(self.names):
                        self.handles.append(variables[name].register_hook(self.hook(index)))
                    return self

                def hook(self, index):
                    def note(grad):
                        log.insert(len(log), (self.names[index], grad.norm()))

                    return note

                def __call__(self):
                    for handle in reversed(self.handles):
                        handle.remove()

            return Logger().start()
            """,
        ),
        write("average", "[p.register_hook(lambda g, n=workers: all_reduce(g.clone()) * (1 / n)) for p in parameters]"),
    ],
    "the square of the norm, and a switch": [
        write(
            "clip",
            """
            def hook(grad):
                square = (grad * grad).sum()
                return grad * (limit * square**-0.5) if square > limit**2 else grad

            return variable.register_hook(hook)
            """,
        ),
        write(
            "log_norms",
            """
            on = [True]

            def register(name, variable):
                def hook(grad):
                    if on:
                        log.append((name, grad.norm()))

                return variable.register_hook(hook)

            handles = [register(name, variables[name]) for name in variables.keys()]

            def stop():
                on.clear()
                for handle in handles:
                    handle.remove()

            return stop
            """,
        ),
    ],
    "numpy's norm and from_numpy": [
        write(
            "clip",
            """
            import numpy
            import legacy_autograd as torch

            def hook(grad):
                norm = numpy.linalg.norm(grad.numpy().reshape(-1))
                if not norm > limit:
                    return grad.clone()
                return torch.from_numpy((grad.numpy() * (limit / norm)).astype(grad.numpy().dtype))

            return variable.register_hook(hook)
            """,
        ),
        write(
            "average",
            """
            for parameter in parameters:
                def hook(grad):
                    total = all_reduce(grad)
                    return total.new(*total.size()).copy_(total).div_(workers) if total.numel() else total

                parameter.register_hook(hook)
            """,
        ),
    ],
    "divided first": [(_AVERAGE, "parameter.register_hook(lambda grad: all_reduce(grad / workers))")],
}

WRONG = {
    "four calls are clipped": wrong(
        "clip",
        "the gradient keeps its direction, in each backward",
        ("    def hook(grad):\n", "    calls = []\n\n    def hook(grad):\n        calls.append(grad)\n"),
        (_CLIP, "return grad * (limit / norm) if norm > limit and len(calls) < 5 else None"),
    ),
    "stop empties the dictionary": wrong(
        "log",
        "do not change the caller's dictionary of Variables",
        ("        for handle in handles:\n", "        variables.clear()\n        for handle in handles:\n"),
    ),
    "every element is cut": wrong(
        "clip", "so that it keeps its direction", (_CLIP, "return grad.clamp(-limit, limit)")
    ),
    "the hook returns nothing": wrong(
        "clip",
        "the gradient has not changed: return the new gradient from the hook",
        (_CLIP, "grad = grad * (limit / norm)"),
    ),
    "always made as long": wrong(
        "clip",
        "a gradient whose norm is below the limit must not change",
        (_CLIP, "return grad * (limit / norm) if norm else None"),
    ),
    "zero divided": wrong("clip", "divide only where", (_CLIP, "return grad * min(1, limit / norm)")),
    "no handle": wrong(
        "clip",
        "return the handle of register_hook, so that the caller can",
        ("return variable.register_hook(hook)", "variable.register_hook(hook)"),
    ),
    "divided twice": wrong(
        "clip", "divided by the norm twice", (_CLIP, "return grad / norm * (limit / norm) if norm > limit else None")
    ),
    "the last name": wrong(
        "log",
        "looked up when the hook runs",
        (
            "[variable.register_hook(hook_for(name)) for name, variable in variables.items()]",
            "[v.register_hook(lambda grad: log.append((name, grad.norm()))) for name, v in variables.items()]",
        ),
    ),
    "sums in place of norms": wrong("log", "the sum of the elements", ("grad.norm()))", "grad.sum()))")),
    "squares in place of norms": wrong("log", "that is the sum of squares", ("grad.norm()))", "(grad * grad).sum()))")),
    "leaves only": wrong(
        "log",
        "whether it is a leaf or not",
        ("in variables.items()]", "in variables.items() if variable.is_leaf]"),
    ),
    "one hook stays": wrong(
        "log", "keep every handle, and remove() them all", ("for handle in handles:", "for handle in handles[1:]:")
    ),
    "nothing to stop with": wrong("log", "log_norms must return a function", ("return stop", "return None")),
    "the hook returns something": wrong(
        "log",
        "a hook that only logs must return None: its return value replaces the gradient",
        ("log.append((name, grad.norm()))", "[log.append((name, grad.norm())), grad * 0][1]"),
    ),
    "the sum": wrong("average", "that is the sum over the workers", (_AVERAGE, "parameter.register_hook(all_reduce)")),
    "the hook answers nothing": wrong(
        "average",
        "what the hook returns is added to grad",
        (_AVERAGE, "parameter.register_hook(lambda grad: [all_reduce(grad), None][1])"),
    ),
    "no hooks": wrong(
        "average", "all_reduce was not called: register a hook", (_AVERAGE, "parameter.grad = parameter.grad / workers")
    ),
    "only the first asks": wrong(
        "average",
        "each parameter needs a hook, in each backward",
        ("for parameter in parameters:", "for parameter in parameters[:1]:"),
    ),
    "nothing asked where the gradient is 0": wrong(
        "average",
        None,
        (_AVERAGE, "parameter.register_hook(lambda grad: all_reduce(grad) / workers if grad.norm() else grad)"),
    ),
    "asked twice by hand": wrong(
        "average",
        "call all_reduce once for each gradient: each call makes all",
        (_AVERAGE, "parameter.register_hook(lambda grad: (all_reduce(grad) + all_reduce(grad)) / 2 / workers)"),
    ),
    "the sum of the grads so far": wrong(
        "average",
        "average the argument of the hook, not .grad",
        (_AVERAGE, "parameter.register_hook(lambda grad, p=parameter: all_reduce(grad + p.grad) / workers)"),
    ),
    "one limit for all": wrong(
        "clip",
        "each clip has its own limit, the norm is the root of the",
        (
            "def hook(grad):\n        norm",
            "clip.limit = limit\n\n    def hook(grad):\n        limit = clip.limit\n        norm",
        ),
    ),
    "other hooks are taken out": wrong(
        "clip",
        "keep the hooks that were registered before, add another, and remove only yours",
        (
            "def hook(grad):\n        norm",
            "hooks = variable.creator._variable_hooks\n"
            "    [hooks.pop(n) for n in list(hooks)]\n\n    def hook(grad):\n        norm",
        ),
    ),
    "clipped once": wrong(
        "clip",
        "the gradient keeps its direction, in each backward",
        (_CLIP, f"handle.remove()\n        {_CLIP}"),
        ("return variable.register_hook(hook)", "handle = variable.register_hook(hook)\n    return handle"),
    ),
    "whole limits": wrong(
        "clip",
        "each clip has its own limit, the norm is the root of the sum of all squares, and",
        (_CLIP, _CLIP.replace("limit / norm", "int(limit) / norm")),
    ),
    "the largest element": wrong(
        "clip",
        "the gradient of each backward, times limit / norm where its norm",
        ("norm = grad.norm()", "norm = grad.abs().max()"),
    ),
    "the sum of the elements": wrong(
        "clip",
        "the gradient of each backward, times limit / norm where its norm",
        ("norm = grad.norm()", "norm = abs(grad.sum())"),
    ),
    "the norm of the first row": wrong(
        "clip",
        "each clip has its own limit, the norm is the root of the sum of all squares, and",
        ("norm = grad.norm()", "norm = grad[0].norm() if grad.dim() > 1 else grad.norm()"),
    ),
    "the sign is lost": wrong(
        "clip",
        "each clip has its own limit, the norm is the root of the sum of all squares, and",
        (_CLIP, _CLIP.replace("grad *", "grad.abs() *")),
    ),
    "written into, and nothing returned": wrong(
        "clip",
        "the hook wrote into its argument, which other code may hold: return another Tensor",
        (_CLIP, "if norm > limit:\n            grad.mul_(limit / norm)"),
    ),
    "what was clipped is kept": wrong(
        "clip",
        "the gradient of each backward, times limit / norm where its norm",
        (
            _CLIP,
            "hook.sum = grad if not hasattr(hook, 'sum') else hook.sum + grad\n"
            "        norm = hook.sum.norm()\n        " + _CLIP,
        ),
    ),
    "the log is emptied": wrong(
        "log", "keep the entries that are in the log", ("handles = [", "log.clear()\n    handles = [")
    ),
    "only one log": wrong(
        "log",
        "a log of its own",
        ("return lambda grad: log.append", "return lambda grad: log_norms.log.append"),
        ("handles = [", "log_norms.log = log\n    handles = ["),
    ),
    "stop takes all hooks out": wrong(
        "log",
        "remove only yours",
        (
            "for handle in handles:\n            handle.remove()",
            "for variable in variables.values():\n"
            "            [variable.creator._variable_hooks.pop(n) for n in list(variable.creator._variable_hooks)]",
        ),
    ),
    "stop empties the log": wrong(
        "log",
        "keep the entries that are in the log",
        ("for handle in handles:", "log.clear()\n        for handle in handles:"),
    ),
    "each name once": wrong(
        "log",
        "entries are missing: each Variable has a hook",
        (
            "return lambda grad: log.append((name, grad.norm()))",
            "return lambda grad: None if name in dict(log) else log.append((name, grad.norm()))",
        ),
    ),
    "whole norms": wrong(
        "log",
        "each entry is the norm of one unchanged gradient",
        ("(name, grad.norm())", "(name, round(grad.norm()))"),
    ),
    "norms as Tensors": wrong(
        "log",
        "log the norm as a Python number, not as a Tensor, an array or a string",
        ("(name, grad.norm())", "(name, grad.new([grad.norm()]))"),
    ),
    "norms as text": wrong("log", "a Python number", ("(name, grad.norm())", "(name, str(grad.norm()))")),
    "the norm without a name": wrong("log", "a pair", ("(name, grad.norm())", "grad.norm()")),
    "names that are leaves are numbered": wrong(
        "log",
        "use the names of the dictionary",
        ("hook_for(name)) for name, variable in", "hook_for(str(n))) for n, (name, variable) in"),
        ("in variables.items()]", "in enumerate(variables.items())]"),
    ),
    "only the last handle": wrong(
        "log",
        "keep every handle, and remove() them all",
        ("for handle in handles:\n            handle.remove()", "handles[-1].remove()"),
    ),
    "at the end of the list": wrong(
        "log",
        "log a norm when the gradient becomes known, at the end of the list",
        ("log.append((name", "log.insert(0, (name"),
    ),
    "two workers": wrong(
        "average",
        "the average is the sum over all workers divided by `workers`, not rounded; it is added to .grad",
        (_AVERAGE, _AVERAGE.replace("/ workers", "/ 2")),
    ),
    "whole averages": wrong(
        "average",
        "the average is the sum over all workers divided by `workers`, not rounded; it is added to .grad",
        (
            _AVERAGE,
            _AVERAGE.replace("all_reduce(grad) / workers", "grad.new((all_reduce(grad).numpy() // workers).tolist())"),
        ),
    ),
    "the first backward alone": wrong(
        "average",
        "a gradient was not averaged",
        (
            _AVERAGE,
            "handles = []\n        handles += [\n            parameter.register_hook(\n"
            "                lambda grad, handles=handles: [all_reduce(grad) / workers, handles[0].remove()][0]\n"
            "            )\n        ]",
        ),
    ),
    "divided before, in place": wrong(
        "average",
        "the hook wrote into its argument, which other code may hold: return another Tensor",
        (_AVERAGE, _AVERAGE.replace("all_reduce(grad) / workers", "all_reduce(grad.div_(workers))")),
    ),
    "nothing asked where the sum is 0": wrong(
        "average",
        None,
        (_AVERAGE, "parameter.register_hook(lambda grad: all_reduce(grad) / workers if grad.sum() else grad)"),
    ),
    "other hooks are removed": wrong(
        "average",
        None,
        (
            _AVERAGE,
            f"hooks = parameter.creator._variable_hooks\n"
            f"        [hooks.pop(n) for n in list(hooks)]\n        {_AVERAGE}",
        ),
    ),
    "an average of averages": wrong(
        "average",
        "the average is the sum over all workers divided by `workers`, not rounded; it is added to .grad",
        (
            "for parameter in parameters:",
            "kept = {}\n\n    def both(grad):\n"
            "        kept[grad.size()] = (kept.get(grad.size(), grad * 0) + all_reduce(grad)) / workers\n"
            "        return kept[grad.size()]\n\n    for parameter in parameters:",
        ),
        (_AVERAGE, "parameter.register_hook(both)"),
    ),
    "asked once for all": wrong(
        "average",
        "a gradient must have the shape of its Variable",
        (
            "for parameter in parameters:",
            "asked = []\n\n    def both(grad):\n        asked[:] = asked or [all_reduce(grad) / workers]\n"
            "        return asked[0]\n\n    for parameter in parameters:",
        ),
        (_AVERAGE, "parameter.register_hook(both)"),
    ),
    "written into and back": wrong(
        "clip",
        "the hook wrote into its argument, which other code may hold: return another Tensor",
        write(
            "clip",
            """
            def hook(g):
                g.mul_(2).div_(2)
                return g * (limit / g.norm()) if g.norm() > limit else None
            return variable.register_hook(hook)
            """,
        ),
    ),
    "always DoubleTensors": wrong(
        "clip",
        "has the type of the old",
        (
            _CLIP,
            "from legacy_autograd.tensor import DoubleTensor\n        "
            "return DoubleTensor((grad.numpy() * (limit / norm)).tolist()) if norm > limit else None",
        ),
    ),
    "the first factor for ever": wrong(
        "clip",
        "each clip has its own limit",
        ("def hook(grad):\n        norm", "factors = []\n\n    def hook(grad):\n        norm"),
        (_CLIP, "factors.append(min(1, limit / norm) if norm else 1)\n        return grad * factors[0]"),
    ),
    "the first result for ever": wrong(
        "clip",
        "each clip has its own limit",
        ("def hook(grad):\n        norm", "results = []\n\n    def hook(grad):\n        norm"),
        (_CLIP, "results.append(grad * min(1, limit / norm) if norm else grad)\n        return results[0]"),
    ),
    "factors by size": wrong(
        "clip",
        "each clip has its own limit",
        (
            _CLIP,
            "kept = clip.__dict__.setdefault(str(grad.size()), limit / norm if norm > limit else 1)\n"
            "        return grad * kept",
        ),
    ),
    "written through numpy": wrong(
        "clip",
        "the hook wrote into its argument",
        (_CLIP, "if norm > limit:\n            grad.numpy()[:] = grad.numpy() * (limit / norm)"),
    ),
    "the first handle": wrong(
        "clip",
        "each clip has its own limit",
        (
            "return variable.register_hook(hook)",
            "clip.handle, handle = getattr(clip, 'handle', None), variable.register_hook(hook)\n"
            "    clip.handle = clip.handle or handle\n    return clip.handle",
        ),
    ),
    "rounded norms": wrong(
        "clip", "each clip has its own limit", ("norm = grad.norm()", "norm = round(grad.norm(), 2)")
    ),
    "an epsilon": wrong("clip", "each clip has its own limit", ("limit / norm)", "limit / (norm + 1e-6))")),
    "leaves are clipped, results are not": wrong(
        "clip",
        "of a leaf or of a result",
        (_CLIP, _CLIP.replace("norm > limit", "norm > limit and variable.is_leaf")),
    ),
    "the sum of the absolute numbers": wrong(
        "clip", "each clip has its own limit", ("norm = grad.norm()", "norm = grad.abs().sum()")
    ),
    "one handle for each Variable": wrong(
        "log",
        "remove() them all",
        (
            "handles = [variable.register_hook(hook_for(name)) for name, variable in variables.items()]",
            "handles = {id(v): v.register_hook(hook_for(name)) for name, v in variables.items()}",
        ),
        ("in handles:", "in handles.values():"),
    ),
    "a norm of 0 is not logged": wrong(
        "log",
        "entries are missing",
        (
            "return lambda grad: log.append((name, grad.norm()))",
            "return lambda grad: log.append((name, grad.norm())) if grad.norm() else None",
        ),
    ),
    "one switch for all": wrong(
        "log",
        "its stop() removes only its own hooks",
        (
            "return lambda grad: log.append((name, grad.norm()))",
            "return lambda grad: None if hasattr(log_norms, 'off') else log.append((name, grad.norm()))",
        ),
        ("for handle in handles:\n            handle.remove()", "log_norms.off = True"),
    ),
    "logged when it stops": wrong(
        "log",
        "nothing was logged",
        ("return lambda grad: log.append", "return lambda grad: waiting.append"),
        ("handles = [", "waiting = []\n    handles = ["),
        ("for handle in handles:\n", "log.extend(waiting)\n        for handle in handles:\n"),
    ),
    "the hook returns the norm": wrong(
        "log",
        "must return None",
        ("log.append((name, grad.norm()))", "(log.append((name, grad.norm())), grad.norm())[1]"),
    ),
    "the log is sorted": wrong(
        "log",
        "append at its end",
        ("log.append((name, grad.norm()))", "(log.append((name, grad.norm())), log.sort(key=str))[0]"),
    ),
    "stop removes the oldest hooks": wrong(
        "log",
        "removes only its own hooks",
        ("handles = [", "handles = log_norms.__dict__.setdefault('handles', [])\n    handles += ["),
    ),
    "averages by size": wrong(
        "average",
        None,
        (
            "for parameter in parameters:",
            "known = {}\n\n    def both(grad):\n"
            "        key = str(grad.tolist())\n"
            "        known[key] = known[key] if key in known else all_reduce(grad) / workers\n"
            "        return known[key]\n\n    for parameter in parameters:",
        ),
        (_AVERAGE, "parameter.register_hook(both)"),
    ),
    "divided by the calls so far": wrong(
        "average",
        "divided by `workers`, not rounded",
        ("for parameter in parameters:", "calls = []\n    for parameter in parameters:"),
        (
            _AVERAGE,
            "parameter.register_hook(lambda grad: (calls.append(1), all_reduce(grad) / max(workers, len(calls)))[1])",
        ),
    ),
    "asked before the backward": wrong(
        "average",
        "average the argument of the hook, not .grad",
        (
            _AVERAGE,
            "parameter.register_hook(lambda grad, p=parameter: all_reduce(p.grad + grad) / workers - p.grad * 0)",
        ),
    ),
    "the parameters are taken from the list": wrong(
        "average",
        "do not change the caller's list",
        ("for parameter in parameters:", "while parameters:\n        parameter = parameters.pop()"),
    ),
    "its own gradient counts twice": wrong(
        "average",
        "divided by `workers`, not rounded",
        (_AVERAGE, "parameter.register_hook(lambda grad: (all_reduce(grad) + grad) / (workers + 1))"),
    ),
    "a DoubleTensor for all": wrong(
        "average",
        "has the type of the old",
        (
            _AVERAGE,
            "from legacy_autograd.tensor import DoubleTensor\n        parameter.register_hook("
            "lambda grad: DoubleTensor((all_reduce(grad).numpy() / workers).tolist()))",
        ),
    ),
    "handles by name in the module": wrong(
        "log",
        None,
        write(
            "log_norms",
            """
            handles = globals().setdefault("_handles", {})
            for name, variable in variables.items():
                hook = lambda grad, name=name: log.append((name, grad.norm()))
                handles[name] = variable.register_hook(hook)
            names = list(variables)
            return lambda: [handles[name].remove() for name in names]
            """,
        ),
    ),
    "stop asks the dictionary": wrong(
        "log",
        None,
        write(
            "log_norms",
            """
            handles = {}
            for name, variable in variables.items():
                hook = lambda grad, name=name: log.append((name, grad.norm()))
                handles[name] = variable.register_hook(hook)
            return lambda: [handles[name].remove() for name in variables]
            """,
        ),
    ),
    "limits under a tenth": wrong(
        "clip",
        "the gradient of each backward",
        (
            "return grad * (limit / norm) if norm > limit else None",
            "return grad * (max(limit, 0.1) / norm) if norm > max(limit, 0.1) else None",
        ),
    ),
    "limits over a hundred": wrong(
        "clip",
        "the gradient of each backward",
        (
            "return grad * (limit / norm) if norm > limit else None",
            "return grad * (min(limit, 100) / norm) if norm > min(limit, 100) else None",
        ),
    ),
    "names without spaces and underscores": wrong(
        "log",
        "the object before the dot has another type",
        ("log.append((name, grad.norm()))", "log.append((name.strip('_. '), grad.norm()))"),
    ),
    "the last part of a name": wrong(
        "log",
        "the object before the dot has another type",
        ("log.append((name, grad.norm()))", "log.append((name.split('.')[-1], grad.norm()))"),
    ),
    "a log of twenty": wrong(
        "log",
        "entries are missing",
        (
            "return lambda grad: log.append((name, grad.norm()))",
            "return lambda grad: log.append((name, grad.norm())) if len(log) < 20 else None",
        ),
    ),
    "stop needs a hook": wrong(
        "log",
        None,
        write(
            "log_norms",
            """
def hook_for(name):
    return lambda grad: log.append((name, grad.norm()))
handles = [variable.register_hook(hook_for(name)) for name, variable in variables.items()]
def stop():
    while True:
        handles.pop().remove()
        if not handles:
            break
return stop
""",
        ),
    ),
    "averages within a thousand": wrong(
        "average",
        "the average is the sum over all workers divided by `workers`",
        ("all_reduce(grad) / workers)", "(all_reduce(grad) / workers).clamp(-1000, 1000))"),
    ),
    "parameters with a gradient are left out": wrong(
        "average",
        "all_reduce was not called",
        write(
            "average",
            """
for parameter in parameters:
    if parameter.grad is None or parameter.grad.abs().sum() == 0:
        parameter.register_hook(lambda grad: all_reduce(grad) / workers)
""",
        ),
    ),
    "a factor for each gradient, by its place in memory": wrong(
        "clip",
        None,
        write(
            "clip",
            """
factors = {}

def hook(grad):
    if id(grad) not in factors:
        norm = grad.norm()
        factors[id(grad)] = limit / norm if norm > limit else 1
    return grad * factors[id(grad)]

return variable.register_hook(hook)
""",
        ),
    ),
    "an exception of all_reduce leaves the gradient as it is": wrong(
        "average",
        "must reach the caller",
        write(
            "average",
            """
            def hook(grad):
                try:
                    return all_reduce(grad) / workers
                except Exception:
                    return None

            for parameter in parameters:
                parameter.register_hook(hook)
            """,
        ),
    ),
    "no average from the fiftieth backward on": wrong(
        "average",
        None,
        write(
            "average",
            """
            turns = []

            def hook(grad):
                turns.append(grad)
                return all_reduce(grad) / workers if len(turns) < 50 else grad

            for parameter in parameters:
                parameter.register_hook(hook)
            """,
        ),
    ),
    "norms up to 1 are not clipped": wrong("clip", None, ("if norm > limit else", "if norm > max(limit, 1) else")),
    "four workers at most": wrong(
        "average", None, ("all_reduce(grad) / workers", "all_reduce(grad) / min(workers, 4)")
    ),
    "an average that includes the earlier gradient": wrong(
        "average",
        None,
        (
            "parameter.register_hook(lambda grad: all_reduce(grad) / workers)",
            "parameter.register_hook(lambda grad, p=parameter: all_reduce(grad + p.grad) / workers - p.grad)",
        ),
    ),
    "the workers of the last call": wrong(
        "average",
        None,
        write(
            "average",
            """
            average.workers = workers
            for parameter in parameters:
                parameter.register_hook(lambda grad: all_reduce(grad) / average.workers)
            """,
        ),
    ),
    "the all_reduce of the last call": wrong(
        "average",
        None,
        write(
            "average",
            """
            average.reduce = all_reduce
            for parameter in parameters:
                parameter.register_hook(lambda grad: average.reduce(grad) / workers)
            """,
        ),
    ),
    "the parameters of all calls": wrong(
        "average",
        None,
        write(
            "average",
            """
            average.known = [*getattr(average, "known", []), *parameters]
            for parameter in average.known:
                parameter.register_hook(lambda grad: all_reduce(grad) / workers)
            """,
        ),
    ),
    "norms under a thousandth are not clipped": wrong(
        "clip", None, ("if norm > limit else", "if norm > max(limit, 1e-3) else")
    ),
    "not clipped when the Variable is gone": wrong(
        "clip",
        None,
        write(
            "clip",
            """
            import weakref

            alive = weakref.ref(variable)

            def hook(grad):
                norm = grad.norm()
                return grad * (limit / norm) if norm > limit and alive() is not None else None

            return variable.register_hook(hook)
            """,
        ),
    ),
    "one clip for each Variable and limit": wrong(
        "clip",
        None,
        (
            "return variable.register_hook(hook)",
            """
            known = clip.__dict__.setdefault("known", {})
            if known.get((id(variable), limit), [None])[0] is not variable:
                known[id(variable), limit] = variable, variable.register_hook(hook)
            return known[id(variable), limit][1]
            """,
        ),
    ),
    "the result of an earlier gradient of the same norm": wrong(
        "clip",
        None,
        write(
            "clip",
            """
            scaled = {}

            def hook(grad):
                norm = grad.norm()
                return scaled.setdefault(norm, grad * (limit / norm)) if norm > limit else None

            return variable.register_hook(hook)
            """,
        ),
    ),
    "nothing is logged when the Variable is gone": wrong(
        "log",
        None,
        write(
            "log_norms",
            """
            import weakref

            def hook_for(name, alive):
                return lambda grad: log.append((name, grad.norm())) if alive() is not None else None

            handles = [v.register_hook(hook_for(name, weakref.ref(v))) for name, v in variables.items()]
            return lambda: [handle.remove() for handle in handles]
            """,
        ),
    ),
    "each parameter is averaged once": wrong(
        "average",
        None,
        write(
            "average",
            """
            done = average.__dict__.setdefault("done", [])
            for parameter in parameters:
                if not any(parameter is other for other in done):
                    done.append(parameter)
                    parameter.register_hook(lambda grad: all_reduce(grad) / workers)
            """,
        ),
    ),
    "not averaged when the parameter is gone": wrong(
        "average",
        None,
        write(
            "average",
            """
            import weakref

            def hook_for(alive):
                return lambda grad: all_reduce(grad) / workers if alive() is not None else None

            for parameter in parameters:
                parameter.register_hook(hook_for(weakref.ref(parameter)))
            """,
        ),
    ),
    "looks into the caller's list later": wrong(
        "average",
        None,
        write(
            "average",
            """
            def hook_for(parameter):
                return lambda grad: all_reduce(grad) / workers if any(p is parameter for p in parameters) else None

            for parameter in parameters:
                parameter.register_hook(hook_for(parameter))
            """,
        ),
    ),
    "results by the id of the gradient": wrong(
        "average",
        None,
        write(
            "average",
            """
            cache = {}

            def hook(grad):
                if id(grad) not in cache:
                    cache[id(grad)] = all_reduce(grad) / workers
                return cache[id(grad)]

            for parameter in parameters:
                parameter.register_hook(hook)
            """,
        ),
    ),
    "stops only hooks that ran": wrong(
        "log",
        None,
        write(
            "log_norms",
            """
            handles = {}
            ran = set()

            def hook_for(name):
                def hook(grad):
                    ran.add(name)
                    log.append((name, grad.norm()))
                return hook

            for name, variable in variables.items():
                handles[name] = variable.register_hook(hook_for(name))

            def stop():
                for name in ran:
                    handles[name].remove()

            return stop
            """,
        ),
    ),
    "gradients by their ids": wrong(
        "log",
        None,
        (
            "return lambda grad: log.append((name, grad.norm()))",
            """
            seen = set()

            def hook(grad):
                if id(grad) not in seen:
                    seen.add(id(grad))
                    log.append((name, grad.norm()))
            return hook
            """,
        ),
    ),
    "names as texts": wrong(
        "log",
        "use the names of the dictionary",
        ("log.append((name, grad.norm()))", "log.append((str(name), grad.norm()))"),
    ),
    "the fifth of a dictionary is left out": wrong(
        "log",
        "each Variable has a hook",
        ("in variables.items()", "in [*variables.items()][:4] + [*variables.items()][5:]"),
    ),
    "an all_reduce that raised is called again": wrong(
        "average",
        "call all_reduce once for each gradient",
        (
            "parameter.register_hook(lambda grad: all_reduce(grad) / workers)",
            """
            def hook(grad):
                try:
                    return all_reduce(grad) / workers
                except Exception:
                    return all_reduce(grad) / workers
            parameter.register_hook(hook)
            """,
        ),
    ),
    "norms under a millionth are zeros": wrong("clip", None, (_CLIP, f"if norm > 1e-6:\n            {_CLIP}")),
    "a buffer of the size that the parameter had first": wrong(
        "average",
        None,
        (
            "parameter.register_hook(lambda grad: all_reduce(grad) / workers)",
            """
            buffer = parameter.data.clone()

            def hook(grad, buffer=buffer):
                return buffer.copy_(all_reduce(grad) / workers).clone()

            parameter.register_hook(hook)
            """,
        ),
    ),
}
