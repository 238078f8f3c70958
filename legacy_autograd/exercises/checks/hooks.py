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

_WRITTEN = (
    lambda got: got.get("written into") != "nothing",
    "the hook wrote into its argument, which other code may hold: return another Tensor",
)
_OLD_TYPE = ("FloatTensor", "the new gradient has the type of the old: compute it from grad")
_NORM = "the norm is the root of the sum of all squares"


def _hooks(found):
    return {key: seen for key, seen in found.items() if "hook " in key}


def _other_hooks(expected):
    """Return the reason for hooks of the program that did not run as often as they must."""
    calls = {key: len(seen) for key, seen in _hooks(expected).items()}
    return (
        lambda got: {key: len(seen) for key, seen in _hooks(got).items()} != calls,
        "keep the hooks that were registered before, add another, and remove only yours",
    )


# --- clip

_ELEMENTS = "each number was clipped on its own; scale the whole gradient, so that it keeps its direction"
_NOTHING = "the gradient has not changed: return the new gradient from the hook"
_HANDLE = "return the handle of register_hook, so that the caller can remove the hook"


def _of_clip(expected):
    return [
        _WRITTEN,
        _other_hooks(expected),
        (lambda got: "nan" in str(got.values()), "0 / 0: divide only where the norm is larger than the limit"),
        (lambda got: True,
         "the gradient of each backward, times limit / norm where its norm is larger, and only there; each clip has "
         f"its own limit, {_NORM}, and the gradient keeps its direction, in each backward"),
        ("ZeroDivisionError", "divide only where the norm is larger than the limit"),
        ("no attribute 'remove'", _HANDLE),
        _OLD_TYPE,
    ]  # fmt: skip


_X, _Y = (f"{name} = Variable(DoubleTensor([1.0, 1.0]))" for name in "xy")
_G = "g = DoubleTensor([3.0, 4.0])"
exercise.example("clip", "A gradient of norm 5 is shortened to norm 1", _X, _Y, "clip(x, 1)", "z = y + x", _G,
    "z.backward(g)",
    _WRITTEN,
    ({"x.grad": [3, 4]}, _NOTHING),
    ({"x.grad": [1, 1]}, _ELEMENTS),
    ({"x.grad": [0.12, 0.16]}, "divided by the norm twice: limit / norm times the gradient has the norm limit"),
    name="too_long")  # fmt: skip
exercise.example("clip", "A gradient within the limit does not change", _X, _Y, "clip(x, 10)", "z = y + x", _G,
    "z.backward(g)",
    ({"x.grad": [6, 8]}, "a gradient whose norm is below the limit must not change; this one was scaled up"),
    name="short_enough")  # fmt: skip
exercise.example("clip", "Each backward is clipped separately, and the results are added", _X, _Y, "clip(x, 2)",
    "z = y + x", _G, "z.backward(g)", "z.backward(DoubleTensor([0.0, 6.0]))",
    ({"x.grad": [1.2, 7.6]}, "the second gradient was not clipped: the hook must work in each backward"),
    hidden=True)  # fmt: skip
exercise.example("clip", "Thirty backwards are clipped, each of them", _X, "clip(x, 1)", "z = x * 1", _G,
    "for _ in range(30): z.backward(g)", hidden=True)  # fmt: skip
exercise.example("clip", "The gradient of a result is clipped, and the Functions behind it get the clipped gradient",
    _X, "h = x * 2", "clip(h, 1)", "z = h * 3", _G, "z.backward(g)",
    ({"x.grad": [18, 24]}, f"{_NOTHING}, also for a Variable that is not a leaf"),
    ({"x.grad": [0.6, 0.8]}, "the gradient of x was clipped instead of the gradient of h"), hidden=True)  # fmt: skip

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
        (lambda got: entries(got, lambda name, norm: name not in names), "use the names of the dictionary"),
        (lambda got: any(["before", 1] in log and got[key][:1] != log[:1] for key, log in logs.items()),
         "keep the entries that are in the log, and append at its end"),
        (lambda got: right and not _entries(got), "nothing was logged, or the log was emptied: append each norm, and "
         "keep the entries that are in the log"),
        (lambda got: len(found(got)) == len(norms) and any(len(got[key]) != len(log) for key, log in logs.items()),
         "each call has a log of its own"),
        (lambda got: found(got) != norms and agree(found(got), norms, 1e-5), _LATE),
        (lambda got: len(found(got)) < len(norms), "entries are missing: each Variable has a hook, whether it is a "
         "leaf or not, which logs each gradient of each backward, even if its norm is already in the list; each call "
         "has a log of its own, and its stop() removes only its own hooks"),
        (lambda got: len(found(got)) > len(norms), "there are too many entries: one for each gradient of each "
         "backward, and none after stop(): keep every handle, and remove() them all"),
        (lambda got: agree(sorted(found(got)), sorted(norms)) and agree(_entries(got), right) is False
         and sorted(map(str, _entries(got))) == sorted(map(str, right)),
         "log a norm when the gradient becomes known, at the end of the list"),
        (lambda got: agree(_entries(got), right), "a hook that only logs must return None: its return value replaces "
         "the gradient"),
        (lambda got: agree(sorted(found(got)), sorted(norms)), _LATE),
        (lambda got: True, f"each entry is the norm of one unchanged gradient: {_NORM}, not rounded; the hook returns "
         "None"),
        ("not a Tensor, as gradient", "a hook that only logs must return None: its return value replaces the gradient"),
        ("TypeError", "log_norms must return a function without arguments"),
    ]  # fmt: skip


_MODEL = ("w = Variable(DoubleTensor([1.0, 2.0]))", "b = Variable(DoubleTensor([3.0, 4.0]))", "h = w * 2",
          "z = h * h + b", "log = []", "stop = log_norms({'w': w, 'b': b, 'h': h}, log)")  # fmt: skip
_BACKWARD = "z.backward(DoubleTensor([1.0, 1.0]))"


def _norms(got):
    """{name: norm} of the only log of an example, or {} if its entries have another form."""
    log = got.get("log") or []
    return dict(log) if all(isinstance(entry, list) and len(entry) == 2 for entry in log) else {}


def _logs(w, b, h):
    return lambda got: agree({"w": w, "b": b, "h": h}, _norms(got))


exercise.example("log", "One backward appends the norm of each gradient under its own name", *_MODEL, _BACKWARD,
    (lambda got: agree([8, 16], got["w.grad"]) is False,
     "a hook that only logs must return None: its return value replaces the gradient"),
    (lambda got: len(got["log"]) == 3 and list(_norms(got)) == ["h"], _LATE),
    (_logs(24, 2, 12), "that is the sum of the elements, not the norm"),
    (_logs(320, 2, 80), "that is the sum of squares; the norm is its root"),
    (lambda got: set(_norms(got)) == {"w", "b"},
     "h has a gradient too, although backward does not store it: its hook receives it"),
    name="every_norm")  # fmt: skip
exercise.example("log", "After stop() nothing is logged", *_MODEL, _BACKWARD, "stop()", _BACKWARD,
    (lambda got: len(got["log"]) == 6, "the hooks are still there: keep the handles, and remove() them"),
    (lambda got: len(got["log"]) in (4, 5), "only some of the hooks were removed: keep every handle"),
    ({"log": []}, "keep the entries that are in the log"), hidden=True)  # fmt: skip

# --- average

_ALONE = "every worker has its own gradient, not the average"
_CALLS = "calls of all_reduce by each worker"


def _of_average(expected):
    calls, workers = expected[_CALLS][0], len(expected[_CALLS])
    grads = {key: value for key, value in expected.items() if key.endswith(".grad")}

    def times(got, factor):
        """Return whether each gradient is the right one or `factor` times it, and one of them differs."""
        scaled = {key: (numpy.array(value) * factor).tolist() if isinstance(value, list) else value
                  for key, value in grads.items()}  # fmt: skip
        both = [(agree(value, got.get(key)), agree(scaled[key], got.get(key))) for key, value in grads.items()]
        return all(map(any, both)) and not all(right for right, _ in both)

    return [
        (lambda got: any(value != "nothing" for key, value in got.items() if key.endswith(": written into")),
         _WRITTEN[1]),
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
         "gradient of each backward separately: return it from the hook"),
        _OLD_TYPE,
        ("could not be broadcast", "the workers gave gradients of different parameters: each has its own hook, and a "
         "gradient must have the shape of its Variable"),
    ]  # fmt: skip


def _on_workers(title, workers, backwards, *mistakes, hidden=True, factors=None, name=None):
    factors = factors or list(range(1, workers + 1))
    exercise.example(
        "average", title, f"workers = {workers}", "w = Variable(DoubleTensor([1.0, 2.0]))",
        "b = Variable(DoubleTensor([0.5]))",
        f"data = Variable(DoubleTensor([1.0, 2.0]) + {factors}[worker], requires_grad=False)", "z = w * data * w",
        "p = [w, b]", "average(p, all_reduce, workers)",
        *[f"(z * b.expand(2)).backward(DoubleTensor([1.0, 2.0]) * {factors}[worker])"] * backwards,
        *mistakes, hidden=hidden, name=name,
    )  # fmt: skip


_on_workers("two workers", 2, 1,
    ({_CALLS: [0, 0]}, _ALONE),
    ({_CALLS: [1, 1]}, "only one of the two parameters calls all_reduce: each needs a hook"),
    ({_CALLS: [2, 2], "worker 0: w.grad": [2, 12]}, f"{_ALONE}: what the hook returns is added to grad"),
    hidden=False)  # fmt: skip
_on_workers("gradients of two backwards are averages that were added", 2, 2,
    ({"worker 0: w.grad": [12, 66]}, ".grad holds the first average: average its argument only"))  # fmt: skip
_on_workers("a worker whose gradient is 0", 3, 1,
    ({"all workers come through": False},
     "worker 1 does not call all_reduce because its own gradient is 0, and the others wait for ever"),
    factors=[1, 0, 2])  # fmt: skip

# --- random programs


exercise.explain(_of_clip, "clip")
exercise.explain(_of_log, "log")
exercise.explain(_of_average, "average")
exercise.programs("clip", 60, programs.clips, named_hooks=False)
exercise.programs("log", 50, programs.logging, named_hooks=False)
exercise.programs("average", 25, programs.averaging, named_hooks=False)
