"""Exercise 8: hooks that clip gradients, log their norms, and average them over workers."""

import re

import numpy

from ..model import Exercise, agree
from ..programs import hooks as programs


def clip(variable, limit):
    def scaled(grad):
        norm = float(numpy.linalg.norm(grad.numpy().ravel().astype(float)))
        return grad * min(1.0, limit / norm) if norm else grad

    return variable.register_hook(scaled)


def log_norms(variables, log):
    def noted(name, grad):
        log.append((name, float(numpy.linalg.norm(grad.numpy().ravel().astype(float)))))

    names = list(variables)
    handles = [variables[name].register_hook(lambda grad, name=name: noted(name, grad)) for name in names]
    return lambda: [handle.remove() for handle in handles]


def average(parameters, all_reduce, workers):
    if len(set(map(id, parameters))) < len(parameters):
        raise ValueError("each parameter is in the list once")
    for parameter in parameters:
        parameter.register_hook(lambda grad: all_reduce(grad) * (1 / workers))


exercise = Exercise(
    "08_hooks",
    reference=dict(clip=clip, log_norms=log_norms, average=average),
    dimensions="type: Double, Float, Long; layout; size; places; again; returned: a tensor, a tuple, a view, the "
    "argument; hooks: none, one, several, replaces, runs, raises, removes; requires_grad: all, some; "
    "values: ordinary, zeros, cancel, -0",
)

_WRITTEN = (lambda got: got.get("written into") != "nothing",
            "the hook wrote into its argument, which other code may hold: return another Tensor")  # fmt: skip
_OLD_TYPE = ("FloatTensor", "the new gradient has the type of the old: compute it from grad")
_NORM = "the norm is the root of the sum of all squares"


def _calls_of_hooks(found):
    return {key: len(seen) for key, seen in found.items() if "hook " in key}


def _other_hooks(expected):
    """Return the reason for hooks of the program that did not run as often as they must."""
    return (lambda got: _calls_of_hooks(got) != _calls_of_hooks(expected),
            "keep the hooks that were registered before, add another, and remove only yours")  # fmt: skip


# --- clip

_ELEMENTS = "each number was clipped on its own; scale the whole gradient, so that it keeps its direction"


def _of_clip(expected):
    return [
        _WRITTEN,
        _other_hooks(expected),
        (lambda got: "nan" in str(got.values()), "0 / 0: divide only where the norm is larger than the limit"),
        (lambda got: True,
         "the gradient of each backward, times limit / norm where its norm is larger, and only there, of a leaf or of "
         f"a result; each clip has its own limit, {_NORM}, and the gradient keeps its direction, in each backward"),
        ("ZeroDivisionError", "divide only where the norm is larger than the limit"),
        ("no attribute 'remove'", "return the handle of register_hook, so that the caller can remove the hook"),
        _OLD_TYPE,
    ]  # fmt: skip


_X, _Y = (f"{name} = Variable(DoubleTensor([1.0, 1.0]))" for name in "xy")
_G = "g = DoubleTensor([3.0, 4.0])"
exercise.example("clip", "A gradient of norm 5 is shortened to norm 1", _X, _Y, "clip(x, 1)", "z = y + x", _G,
    "z.backward(g)",
    ({"x.grad": [3, 4]}, "the gradient has not changed: return the new gradient from the hook"),
    ({"x.grad": [1, 1]}, _ELEMENTS),
    ({"x.grad": [0.12, 0.16]}, "divided by the norm twice: limit / norm times the gradient has the norm limit"),
    name="too_long")  # fmt: skip
exercise.example("clip", "A gradient within the limit does not change", _X, _Y, "clip(x, 10)", "z = y + x", _G,
    "z.backward(g)",
    ({"x.grad": [6, 8]}, "a gradient whose norm is below the limit must not change; this one was scaled up"),
    name="short_enough")  # fmt: skip
exercise.example("clip", "Thirty backwards are clipped, each of them", _X, "clip(x, 1)", "z = x * 1", _G,
    "for _ in range(30): z.backward(g)", hidden=True)  # fmt: skip

# --- log_norms

_LATE = "all hooks log the last name: a loop variable is looked up when the hook runs, after the end of the loop"


def _entries(found):
    """Return all entries of the logs of a program."""
    return [entry for key, log in found.items() if key.startswith("log") for entry in log]


def _of_log(expected):
    logs = {key: log for key, log in expected.items() if key.startswith("log")}
    right = _entries(expected)
    norms = [entry[1] for entry in right]
    dictionaries = {key: names for key, names in expected.items() if re.fullmatch(r"d\d+", key)}
    names = {entry[0] for entry in right}.union(*dictionaries.values())

    def entries(got, test):
        return any(test(*entry) for entry in _entries(got))

    def found(got):
        return [entry[1] for entry in _entries(got)]

    return [
        _WRITTEN,
        (lambda got: any(not isinstance(entry, list) or len(entry) != 2 for entry in _entries(got)),
         "an entry is a pair (name, norm): append one tuple"),
        (lambda got: entries(got, lambda name, norm: not isinstance(norm, (int, float))),
         "log the norm as a Python number, not as a Tensor, an array or a string"),
        (lambda got: any(got.get(key) != names for key, names in dictionaries.items()),
         "do not change the caller's dictionary of Variables"),
        _other_hooks(expected),
        (lambda got: any(key.endswith(".grad") and not agree(right, got.get(key)) for key, right in expected.items()),
         "a hook that only logs must return None: its return value replaces the gradient"),
        (lambda got: entries(got, lambda name, norm: name not in names), "use the names of the dictionary"),
        (lambda got: any(["before", 1] in log and got[key][:1] != log[:1] for key, log in logs.items()),
         "keep the entries that are in the log, and append at its end"),
        (lambda got: right and not _entries(got), "nothing was logged, or the log was emptied: append each norm, and "
         "keep the entries that are in the log"),
        (lambda got: len(found(got)) == len(norms) and any(len(got[key]) != len(log) for key, log in logs.items()),
         "each call has a log of its own"),
        (lambda got: len(found(got)) < len(norms), "entries are missing: each Variable has a hook, whether it is a "
         "leaf or not, which logs each gradient of each backward, even if its norm is already in the list; each call "
         "has a log of its own, and its stop() removes only its own hooks"),
        (lambda got: len(found(got)) > len(norms), "there are too many entries: one for each gradient of each "
         "backward, and none after stop(): keep every handle, and remove() them all"),
        (lambda got: agree(sorted(found(got)), sorted(norms)) and agree(_entries(got), right) is False
         and sorted(map(str, _entries(got))) == sorted(map(str, right)),
         "log a norm when the gradient becomes known, at the end of the list"),
        (lambda got: agree(sorted(found(got)), sorted(norms)), _LATE),
        (lambda got: True, f"each entry is the norm of one unchanged gradient: {_NORM}, not rounded; the hook returns "
         "None"),
        ("not a Tensor, as gradient", "a hook that only logs must return None: its return value replaces the gradient"),
        ("TypeError", "log_norms must return a function without arguments"),
    ]  # fmt: skip


exercise.example("log", "One backward appends the norm of each gradient under its own name",
    "w = Variable(DoubleTensor([1.0, 2.0]))", "b = Variable(DoubleTensor([3.0, 4.0]))", "h = w * 2", "z = h * h + b",
    "log = []", "stop = log_norms({'w': w, 'b': b, 'h': h}, log)", "z.backward(DoubleTensor([1.0, 1.0]))",
    ({"log": [["b", 2], ["h", 12], ["w", 24]]}, "that is the sum of the elements, not the norm"),
    ({"log": [["b", 2], ["h", 80], ["w", 320]]}, "that is the sum of squares; the norm is its root"),
    name="every_norm")  # fmt: skip

# --- average

_CALLS = "calls of all_reduce by each worker"


def _of_average(expected):
    calls, workers = expected[_CALLS][0], len(expected[_CALLS])
    grads = {key: value for key, value in expected.items() if key.endswith(".grad")}

    def times(got, factor):
        """Return whether each gradient is the right one or `factor` times it, and one of them differs."""

        def scaled(value):
            if isinstance(value, list):
                return [scaled(one) for one in value]
            return value * factor if isinstance(value, float) else value

        both = [(agree(value, got.get(key)), agree(scaled(value), got.get(key))) for key, value in grads.items()]
        return all(map(any, both)) and not all(right for right, _ in both)

    return [
        (lambda got: any(value != "nothing" for key, value in got.items() if key.endswith(": written into")),
         _WRITTEN[1]),
        (lambda got: any(": line " in key and key not in got for key in expected),
         "an exception of all_reduce must reach the caller"),
        (lambda got: not got["all workers come through"],
         "a worker waits in all_reduce for others that do not call it: each worker calls it for each gradient, also "
         "if its own gradient or the sum of it is 0"),
        _other_hooks(expected),
        (lambda got: any(len(value) != len(got.get(key) or ()) for key, value in expected.items()
                         if re.search(r": p\d*$", key)),
         "do not change the caller's list of parameters"),
        (lambda got: got[_CALLS][0] == 0 < calls, "all_reduce was not called: register a hook on each parameter"),
        (lambda got: got[_CALLS][0] < calls,
         "a gradient was not averaged: each parameter needs a hook, in each backward"),
        (lambda got: got[_CALLS][0] > calls,
         "call all_reduce once for each gradient: each call makes all workers wait"),
        (lambda got: workers > 1 and times(got, workers), "that is the sum over the workers, not the average"),
        (lambda got: workers > 1 and times(got, 1 / workers), "divided by the number of workers twice"),
        (lambda got: True,
         "the average is the sum over all workers divided by `workers`, not rounded; it is added to .grad, for each "
         "gradient of each backward separately: average the argument of the hook, not .grad, and return that"),
        _OLD_TYPE,
        ("could not be broadcast", "the workers gave gradients of different parameters: each has its own hook, and a "
         "gradient must have the shape of its Variable"),
    ]  # fmt: skip


exercise.example("average", "two workers", "workers = 2", "w = Variable(DoubleTensor([1.0, 2.0]))",
    "b = Variable(DoubleTensor([0.5]))",
    "data = Variable(DoubleTensor([1.0, 2.0]) + [1, 2][worker], requires_grad=False)", "z = w * data * w", "p = [w, b]",
    "average(p, all_reduce, workers)", "(z * b.expand(2)).backward(DoubleTensor([1.0, 2.0]) * [1, 2][worker])",
    ({_CALLS: [2, 2], "worker 0: w.grad": [2, 12]},
     "every worker has its own gradient, not the average: what the hook returns is added to grad"))  # fmt: skip

# --- random programs


exercise.explain(_of_clip, "clip")
exercise.explain(_of_log, "log")
exercise.explain(_of_average, "average")
exercise.programs("clip", 90, programs.clips, named_hooks=False)
exercise.programs("log", 70, programs.logging, named_hooks=False)
exercise.programs("average", 60, programs.averaging, named_hooks=False)
