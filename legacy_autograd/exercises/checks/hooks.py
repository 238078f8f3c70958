"""Exercise 8: hooks that clip gradients, log their norms, and average them over workers."""

import numpy

from .. import template
from ..model import Exercise
from ..observers.hooks import (
    averaged,
    averaged_at_random,
    clipped,
    clipped_at_random,
    gradients_of,
    handle_of_clip,
    limits_of,
    logged,
    logged_at_random,
    random_of,
    sizes_of,
)
from ..observers.programs import made
from ..observers.support import leaf, leaves

exercise = Exercise(title="Hooks: clipping, logging, averaging", minutes=50, groups=template.groups("08_hooks"))

_ELEMENTS = "each number was clipped on its own; scale the whole gradient, so that it keeps its direction"
_WRITTEN = (
    lambda got: got["gradients written into"] > 0,
    "the hook wrote into its argument, which other code may hold: return another Tensor",
)
_NORM = (
    lambda got: True,
    "the gradient of each backward, times limit / norm where its norm is larger; the norm is the root of the sum of "
    "all squares",
)
_NOTHING = "the gradient has not changed: return the new gradient from the hook"


def check_clip(name, title, on, expected, mistakes=(), hidden=False, gradients=([3.0, 4.0],), limit=1, **inputs):
    @exercise.check("clip", hidden, name=name, title=title)
    def run(trial):
        known = [*mistakes, (lambda got: got["the gradients given"] != [*gradients], _WRITTEN[1]), _NORM]
        trial.expect(clipped, expected, on, known, gradients=gradients, limit=limit, **inputs)


check_clip(
    "too_long", "A gradient of norm 5 is shortened to norm 1", "clip(x, 1), z = y + x, z.backward([3, 4])",
    {"x.grad": [0.6, 0.8], "y.grad": [3, 4], "the gradients given": [[3, 4]]},
    [
        ({"x.grad": [3, 4]}, _NOTHING),
        ({"x.grad": [1, 1]}, _ELEMENTS),
        ({"x.grad": [0.12, 0.16]}, "divided by the norm twice: limit / norm times the gradient has the norm limit"),
    ],
)  # fmt: skip
check_clip(
    "short_enough", "A gradient within the limit does not change", "clip(x, 10), z = y + x, z.backward([3, 4])",
    {"x.grad": [3, 4]},
    [({"x.grad": [6, 8]}, "a gradient whose norm is below the limit must not change; this one was scaled up")],
    limit=10,
)  # fmt: skip
check_clip(
    "of_zeros", "A gradient of zeros stays so", "clip(x, 1), z = y + x, z.backward([0, 0])", {"x.grad": [0, 0]},
    [({"x.grad": [float("nan")] * 2}, "0 / 0: divide only where the norm is larger than the limit"),
     ("ZeroDivisionError", "divide only where the norm is larger than the limit")],
    hidden=True, gradients=[[0.0, 0.0]],
)  # fmt: skip
check_clip(
    "each_backward", "Each backward is clipped separately, and the results are added",
    "clip(x, 2), z = y + x, z.backward([3, 4]) and z.backward([0, 6])", {"x.grad": [1.2, 3.6], "y.grad": [3, 10]},
    [({"x.grad": [1.2, 7.6]}, "the second gradient was not clipped: the hook must work in each backward")],
    hidden=True, gradients=[[3.0, 4.0], [0.0, 6.0]], limit=2,
)  # fmt: skip
check_clip(
    "of_a_result", "The gradient of a result is clipped, and the Functions behind it get the clipped gradient",
    "h = x * 2, clip(h, 1), z = h * 3, z.backward([3, 4])", {"x.grad": [1.2, 1.6]},
    [
        ({"x.grad": [18, 24]}, f"{_NOTHING}, also for a Variable that is not a leaf"),
        ({"x.grad": [0.6, 0.8]}, "the gradient of x was clipped instead of the gradient of h"),
    ],
    hidden=True, where="h",
)  # fmt: skip


@exercise.check("clip", hidden=True)
def handle(trial):
    """clip returns the handle, and without the hook nothing is clipped."""
    trial.expect(
        handle_of_clip, {"clip returns": "a handle", "x.grad": [5]}, "clip(x, 1).remove(), (x * 5).backward()",
        [({"clip returns": None}, "return the handle of register_hook, so that the caller can remove the hook")],
    )  # fmt: skip


_STAY = "calls of another hook"


@exercise.check("clip", hidden=True)
def clip_at_random(trial):
    """Three Variables with limits of their own, gradients of random sizes and numbers, and a hook that was there."""
    for seed in range(6):
        expected = {}
        for number, (name, size, limit) in enumerate(zip("xyz", sizes_of(seed), limits_of(seed))):
            total = numpy.zeros(size)
            for turn in range(12):
                gradient = numpy.array(random_of(100 * seed + 10 * number + turn, size))
                norm = numpy.sqrt((gradient**2).sum())
                clipped_now = number > 0 or turn < 11
                total += gradient * (limit / norm) if clipped_now and norm > limit else gradient
            expected[f"{name}.grad"] = total.tolist()
        trial.expect(
            clipped_at_random, {**expected, _STAY: 36, "gradients written into": 0},
            f"x, y and z with the limits {limits_of(seed)}, each with another hook before, eleven backwards of random "
            f"gradients, the handle of x removed, another backward (seed {seed})",
            [
                _WRITTEN,
                (lambda got: got[_STAY] != 36, "keep the hooks that were registered before: remove only yours"),
                (lambda got: True, "each clip has its own limit, the norm is the root of the sum of all squares, and "
                 "the gradient keeps its direction, in each backward"),
            ],
            seed=seed,
        )  # fmt: skip


_LATE = "all hooks log the last name: a loop variable is looked up when the hook runs, after the end of the loop"


def _log(*entries, times=1):
    return {"log": sorted([list(entry) for entry in entries for _ in range(times)], key=str)}


_W, _B, _H = ("w", 320**0.5), ("b", 2**0.5), ("h", 80**0.5)


_LOG_IN_GENERAL = [
    (lambda got: {entry[0] for entry in got["log"]} - {"w", "b", "h"}, "use the names of the dictionary"),
    (lambda got: len(got["log"]) % 3 == 0 and len({str(entry) for entry in got["log"]}) == 3,
     "too few or too many entries: log each gradient of each backward, even if its norm is already in the list"),
    (lambda got: True, "each entry is the norm of one unchanged gradient, the root of the sum of squares, not rounded"),
]  # fmt: skip


def check_log(name, title, on, expected, mistakes, hidden=True, **inputs):
    @exercise.check("log", hidden, name=name, title=title)
    def run(trial):
        trial.expect(logged, expected, on, [*mistakes, *_LOG_IN_GENERAL], **inputs)


_MODEL = "h = w * 2, log_norms of w, b and h, (h * h + b).backward([1, 1])"
check_log(
    "every_norm", "One backward appends the norm of each gradient under its own name",
    _MODEL, {**_log(_W, _B, _H), "w.grad": [8, 16]},
    [
        (lambda got: got["w.grad"] != [8, 16],
         "a hook that only logs must return None: its return value replaces the gradient"),
        (_log(("h", _W[1]), ("h", _B[1]), _H), _LATE),
        (_log(("w", 24), ("b", 2), ("h", 12)), "that is the sum of the elements, not the norm"),
        (_log(("w", 320), ("b", 2), ("h", 80)), "that is the sum of squares; the norm is its root"),
        ({"log": []}, "nothing was logged"),
        (lambda got: got["log"] and not isinstance(got["log"][0], list),
         "an entry is a pair (name, norm): append one tuple"),
        (lambda got: any(not isinstance(norm, (int, float)) for _, norm in got["log"]),
         "log the norm as a Python number, not as a Tensor, an array or a string"),
        (_log(_W, _B), "h has a gradient too, although backward does not store it: its hook receives it"),
    ],
    hidden=False, backwards=1,
)  # fmt: skip
check_log(
    "two_backwards", "Two backwards append twice, h before w, and change no gradient",
    f"{_MODEL} twice", {**_log(_W, _B, _H, times=2), "h before w": True, "w.grad": [16, 32]},
    [
        ({"h before w": False}, "log a norm when the gradient becomes known: h's before w's"),
        (_log(("w", 2 * _W[1]), ("b", 2 * _B[1]), ("h", 2 * _H[1])), "these are norms of sums over both backwards"),
        (_log(_W, ("w", 2 * _W[1]), _B, ("b", 2 * _B[1]), _H, _H), "these are norms of w.grad, a sum over both"),
    ],
    backwards=2,
)  # fmt: skip
check_log(
    "stopped", "After stop() nothing is logged",
    "one backward, stop(), another backward", _log(_W, _B, _H),
    [
        (_log(_W, _B, _H, times=2), "the hooks are still there: keep the handles, and remove() them"),
        (lambda got: len(got["log"]) in (4, 5), "only some of the hooks were removed: keep every handle"),
        ({"log": []}, "keep the entries that are in the log"),
        ("TypeError", "log_norms must return a function"),
    ],
    backwards=2, stopping=True,
)  # fmt: skip


def _entries(seed, number, name, turns):
    sizes = sizes_of(seed)
    return [
        [name, float(numpy.linalg.norm(numpy.ravel(random_of(100 * seed + 10 * number + turn, sizes[number]))))]
        for turn in range(turns)
    ]


def _in_turns(*entries):
    return [entry for turn in zip(*entries) for entry in turn]


@exercise.check("log", hidden=True)
def log_at_random(trial):
    """Two logs that have entries already, of Variables of which one is in both; the first is stopped in between."""
    for seed in range(4):
        first = _in_turns(_entries(seed, 0, "x", 2), _entries(seed, 1, "y", 2))
        second = _in_turns(_entries(seed, 1, "second y", 3), _entries(seed, 2, "z", 3))
        first, second = [["before", 1.0], *first], [["before", 2.0], *second]
        gradients = {}
        for number, (name, size) in enumerate(zip("xyz", sizes_of(seed))):
            sums = sum(numpy.array(random_of(100 * seed + 10 * number + turn, size)) for turn in range(3))
            gradients[f"{name}.grad"] = sums.tolist()
        trial.expect(
            logged_at_random,
            {"first log": first, "second log": second, "names in the dictionary": ["x", "y"],
             "gradients written into": 0, _STAY: 9, **gradients},
            "a log of x and y, a second of y and z, both with an entry already, two backwards of each, the first "
            f"stopped, another backward of each (seed {seed})",
            [
                _WRITTEN,
                (lambda got: got["names in the dictionary"] != ["x", "y"],
                 "do not change the caller's dictionary of Variables"),
                (lambda got: got[_STAY] != 9, "keep other hooks: remove only those that log_norms registered"),
                (lambda got: ["before", 1.0] not in got["first log"] or ["before", 2.0] not in got["second log"],
                 "keep the entries that are in the log: append to it"),
                (lambda got: got["first log"][0] != ["before", 1.0] or got["second log"][:1] != [["before", 2.0]],
                 "keep the entries that are in the log: append at its end"),
                (lambda got: len(got["first log"]) + len(got["second log"]) == 12, "each call has a log of its own"),
                (lambda got: True, "one entry for each gradient, in the order in which they become known"),
            ],
            seed=seed,
        )  # fmt: skip


_SUM = "that is the sum over the workers, not the average"
_ALONE = "every worker has its own gradient, not the average"


def _gradient_of_w(worker, backward):
    """The gradient of the sum of w * data * w + w * b by w, at w = [1, 2] and b = 0.5."""
    return [2 * 1.0 * (1.0 + worker) + 0.5, 2 * 2.0 * (2.0 * worker + backward) + 0.5]


def of_workers(workers, backwards=1, idle=None):
    """Return the correct result of `averaged`."""
    busy = [worker for worker in range(workers) if worker != idle]
    of_w = sum(numpy.array(_gradient_of_w(worker, turn)) for worker in busy for turn in range(backwards))
    of_b = (1.0 + 2.0) * backwards * len(busy) / workers
    each = {f"worker {number}: w.grad": (of_w / workers).tolist() for number in range(workers)}
    each |= {f"worker {number}: b.grad": [of_b] for number in range(workers)}
    calls = [2 * backwards] * workers
    return {"all workers come through": True, "calls of all_reduce by each worker": calls, **each}


def average_mistakes(workers, backwards, idle=None):
    right = of_workers(workers, backwards, idle)
    if idle is not None:
        skipped = f"worker {idle} does not call all_reduce because its own gradient is 0, and the others wait for ever"
        yield {"all workers come through": False}, skipped
    w = numpy.array(right["worker 0: w.grad"])
    yield {"worker 0: w.grad": (w * workers).tolist()}, _SUM
    yield {"worker 0: w.grad": (w / workers).tolist()}, "divided by the number of workers twice"
    yield {"all workers come through": False}, "a worker waits in all_reduce for others that do not call it"
    calls = "calls of all_reduce by each worker"
    yield {calls: [0] * workers}, _ALONE
    if backwards == 1:
        yield {calls: [1] * workers}, "only one of the two parameters calls all_reduce: each needs a hook"
    else:
        yield (
            lambda got: got[calls][0] < 2 * backwards,
            "a gradient was not averaged: each parameter needs a hook, in each backward",
        )
    yield {calls: [4 * backwards] * workers}, "call all_reduce once for each gradient: each call makes all workers wait"
    if workers > 1 and backwards == 1:
        yield {"worker 0: w.grad": _gradient_of_w(0, 0)}, f"{_ALONE}: what the hook returns is added to grad"
    if backwards == 2:
        once = numpy.array(of_workers(workers, 1)["worker 0: w.grad"])
        yield {"worker 0: w.grad": (w + once).tolist()}, ".grad holds the first average: average its argument only"
    yield (
        lambda got: True,
        "the average is the sum over all workers divided by `workers`, not rounded; it is added to .grad",
    )


def check_average(name, title, workers, backwards, hidden=False, idle=None):
    @exercise.check("average", hidden, name=name, title=title)
    def run(trial):
        times = "one backward" if backwards == 1 else f"{backwards} backwards"
        trial.expect(
            averaged, of_workers(workers, backwards, idle),
            f"{workers} workers with parameters w and b, each with data of its own, {times} of w * data * w + w * b"
            + ("" if idle is None else f", and worker {idle} has the gradient 0"),
            list(average_mistakes(workers, backwards, idle)), workers=workers, backwards=backwards, idle=idle,
        )  # fmt: skip


check_average("of_two", "two workers", 2, 1)
check_average("of_three", "three workers", 3, 1, hidden=True)
check_average("over_two_backwards", "gradients of two backwards are averages that were added", 2, 2, hidden=True)
check_average("alone", "a single worker", 1, 1, hidden=True)
check_average("with_an_idle_worker", "a worker whose gradient is 0", 3, 1, hidden=True, idle=1)


@exercise.check("average", hidden=True)
def average_at_random(trial):
    """Two to four workers with random gradients, some of zeros or with the sum 0, in three backwards."""
    for seed in range(4):
        workers = 2 + seed % 3
        every = [gradients_of(seed, worker, turn) for worker in range(workers) for turn in range(3)]
        sums = [sum(numpy.array(gradients[number]) for gradients in every) / workers for number in range(3)]
        expected = {"all workers come through": True}
        for worker in range(workers):
            expected |= {f"worker {worker}: {name}.grad": total.tolist() for name, total in zip("xyz", sums)}
        trial.expect(
            averaged_at_random, {**expected, _STAY: workers * 9, "gradients written into": 0},
            f"{workers} workers with three parameters, of which two have one size, three backwards with random "
            f"gradients, some of them zeros and some with the sum 0 (seed {seed})",
            [
                _WRITTEN,
                ({"all workers come through": False},
                 "a worker waits in all_reduce for others that do not call it: each worker calls it for each gradient"),
                (lambda got, calls=workers * 9: got[_STAY] != calls,
                 "keep the hooks that were registered before: add another"),
                (lambda got: True, "average each gradient of each backward separately: its sum over all workers, "
                 "divided by their number"),
            ],
            seed=seed,
        )  # fmt: skip


def _clip_graph(gradients=None, limit=None, where="x"):
    if where == "h":
        return "z = h * 3, with h = x * 2", made("h = x * 2; z = h * 3", x=[1.0, 1.0])
    return "z = y + x", made("z = y + x", x=[1.0, 1.0], y=[1.0, 1.0])


def _log_graph(backwards=1, stopping=False):
    return "z = h * h + b, with h = w * 2", made("h = w * 2; z = h * h + b", w=[1.0, 2.0], b=[3.0, 4.0])


def _average_graph(workers=None, backwards=1, idle=None):
    w, b = leaves([1.0, 2.0], [0.5])
    data = leaf([1.0, 0.0], requires_grad=False)
    graph = {"worker 0: w": w, "worker 0: b": b, "data": data, "z": w * data * w + w * b}
    return "z = w * data * w + w * b, of worker 0", graph


exercise.graphs |= {"clipped": _clip_graph, "logged": _log_graph, "averaged": _average_graph}
exercise.graphs["handle_of_clip"] = lambda: ("z = x * 5", made("z = x * 5", x=[3.0]))
