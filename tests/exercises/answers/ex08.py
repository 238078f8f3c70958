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
}

WRONG = {
    "every element is cut": wrong(
        "clip", "so that it keeps its direction", (_CLIP, "return grad.clamp(-limit, limit)")
    ),
    "the hook returns nothing": wrong("clip", "takes its place", (_CLIP, "grad = grad * (limit / norm)")),
    "always made as long": wrong(
        "clip", "this one was made longer", (_CLIP, "return grad * (limit / norm) if norm else None")
    ),
    "zero divided": wrong("clip", "divide only where", (_CLIP, "return grad * min(1, limit / norm)")),
    "no handle": wrong(
        "clip",
        "return what register_hook returned",
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
        "log", "its hook sees it", ("in variables.items()]", "in variables.items() if variable.is_leaf]")
    ),
    "one hook stays": wrong("log", "only some of the hooks", ("for handle in handles:", "for handle in handles[1:]:")),
    "nothing to stop with": wrong("log", "is to return a function", ("return stop", "return None")),
    "the hook returns something": wrong(
        "log",
        "a hook that only writes down returns None",
        ("log.append((name, grad.norm()))", "[log.append((name, grad.norm())), grad * 0][1]"),
    ),
    "the sum": wrong("average", "that is the sum over the workers", (_AVERAGE, "parameter.register_hook(all_reduce)")),
    "the hook answers nothing": wrong(
        "average",
        "what the hook returns is added to grad",
        (_AVERAGE, "parameter.register_hook(lambda grad: [all_reduce(grad), None][1])"),
    ),
    "no hooks": wrong("average", "not the average", (_AVERAGE, "parameter.grad = parameter.grad / workers")),
    "only the first asks": wrong(
        "average",
        "each needs a hook",
        ("for parameter in parameters:", "for parameter in parameters[:1]:"),
    ),
    "nothing asked where the gradient is 0": wrong(
        "average",
        "because its own gradient is 0",
        (_AVERAGE, "parameter.register_hook(lambda grad: all_reduce(grad) / workers if grad.norm() else grad)"),
    ),
    "asked twice by hand": wrong(
        "average",
        "call it once for each gradient",
        (_AVERAGE, "parameter.register_hook(lambda grad: (all_reduce(grad) + all_reduce(grad)) / 2 / workers)"),
    ),
    "the sum of the grads so far": wrong(
        "average",
        "grad holds the first average already",
        (_AVERAGE, "parameter.register_hook(lambda grad, p=parameter: all_reduce(grad + p.grad) / workers)"),
    ),
}
