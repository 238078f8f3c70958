"""Exercise 8: hooks that shorten gradients, write them down, and average them over workers."""

import concurrent.futures
import threading

import numpy

from .. import template
from ..model import Exercise, plain
from .support import leaf, leaves, tensor

exercise = Exercise(title="Hooks: clipping, logging, averaging", minutes=50, groups=template.groups("08_hooks"))


@exercise.probe
def clipped(answer, gradients, limit, where="x"):
    """x.grad after a backward of x * 1 with each of `gradients`, and what else there is."""
    x, y = leaves([1.0, 1.0], [1.0, 1.0])
    if where == "h":
        h = x * 2
        answer.clip(h, limit)
        result = h * 3
    else:
        answer.clip(x, limit)
        result = y + x
    given = [tensor(gradient) for gradient in gradients]
    for gradient in given:
        result.backward(gradient)
    return {"x.grad": plain(x.grad), "y.grad": plain(y.grad), "the gradients given": [plain(g) for g in given]}


@exercise.probe
def handle_of_clip(answer):
    x = leaf([3.0])
    handle = answer.clip(x, 1)
    if hasattr(handle, "remove"):
        handle.remove()
    (x * 5).backward()
    return {"clip returns": "a handle" if hasattr(handle, "remove") else plain(handle), "x.grad": plain(x.grad)}


@exercise.probe
def logged(answer, backwards, stopping=False):
    """The log of a small model with two leaves and a result between."""
    w, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    h = w * 2
    log = []
    stop = answer.log_norms({"w": w, "b": b, "h": h}, log)
    for number in range(backwards):
        if stopping and number == 1:
            stop()
        (h * h + b).backward(tensor([1.0, 1.0]))
    entries = sorted([[str(name), plain(norm)] for name, norm in log])
    order = [str(name) for name, _ in log]
    return {
        "log": entries,
        "h before w": order.index("h") < order.index("w") if {"h", "w"} <= set(order) else None,
        "w.grad": plain(w.grad),
    }


class NobodyComes(Exception):
    """A worker waits in all_reduce for another that has ended its backward."""


class Meeting:
    """all_reduce for threads: who comes waits until all have come as often, and goes with the sum.

    No clock: a worker waits in vain when another has ended without coming, however long that took.
    """

    def __init__(self, workers):
        self.given = [[] for _ in range(workers)]  # by each worker, in the order of its calls
        self.ended = set()
        self.changed = threading.Condition()

    def all_reduce_of(self, worker):
        def all_reduce(given):
            with self.changed:
                self.given[worker].append(numpy.array(given.numpy()))
                turn = len(self.given[worker])
                self.changed.notify_all()
                self.changed.wait_for(lambda: not self.missing(turn) or self.missing(turn) & self.ended)
                if self.missing(turn):
                    raise NobodyComes
                return tensor(numpy.sum([arrays[turn - 1] for arrays in self.given], axis=0).tolist())

        return all_reduce

    def missing(self, turn):
        return {worker for worker, arrays in enumerate(self.given) if len(arrays) < turn}

    def leave(self, worker):
        with self.changed:
            self.ended.add(worker)
            self.changed.notify_all()


@exercise.probe
def averaged(answer, workers, backwards=1, idle=None):
    """The gradients of a model that every worker has, after backwards on different data. Those of `idle` are 0."""
    meeting = Meeting(workers)
    models = [leaves([1.0, 2.0], [0.5]) for _ in range(workers)]

    def work(number):
        try:
            w, b = models[number]
            answer.average([w, b], meeting.all_reduce_of(number), workers)
            for backward in range(backwards):
                data = leaf([1.0 + number, 2.0 * number + backward], requires_grad=False)
                (w * data * w + w * b).backward(tensor([0.0, 0.0] if number == idle else [1.0, 1.0]))
        finally:
            meeting.leave(number)

    with concurrent.futures.ThreadPoolExecutor(workers) as threads:
        troubles = [future.exception() for future in [threads.submit(work, number) for number in range(workers)]]
    for error in troubles:
        if error is not None and not isinstance(error, NobodyComes):
            raise error
    return {
        "all workers come through": not any(troubles),
        "calls of all_reduce by each worker": [len(arrays) for arrays in meeting.given],
        **{f"worker {number}: w.grad": plain(w.grad) for number, (w, _) in enumerate(models)},
        **{f"worker {number}: b.grad": plain(b.grad) for number, (_, b) in enumerate(models)},
    }


_ELEMENTS = "each number was cut off by itself; the whole gradient is to be shortened, so that it keeps its direction"
_NOTHING = "the gradient has not changed: what the hook returns takes its place"


def check_clip(name, title, on, expected, mistakes=(), hidden=False, gradients=([3.0, 4.0],), limit=1, **inputs):
    @exercise.check("clip", hidden, name=name, title=title)
    def run(trial):
        trial.expect(clipped, expected, on, mistakes, gradients=gradients, limit=limit, **inputs)


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
    "short_enough", "A gradient that is short enough stays as it is", "clip(x, 10), z = y + x, z.backward([3, 4])",
    {"x.grad": [3, 4]},
    [({"x.grad": [6, 8]}, "a gradient that is shorter than the limit stays as it is; this one was made longer")],
    limit=10,
)  # fmt: skip
check_clip(
    "of_zeros", "A gradient of zeros stays so", "clip(x, 1), z = y + x, z.backward([0, 0])", {"x.grad": [0, 0]},
    [({"x.grad": [float("nan")] * 2}, "0 / 0: divide only where the norm is larger than the limit"),
     ("ZeroDivisionError", "divide only where the norm is larger than the limit")],
    hidden=True, gradients=[[0.0, 0.0]],
)  # fmt: skip
check_clip(
    "each_backward", "Every backward is clipped by itself, and what came of them is added",
    "clip(x, 2), z = y + x, z.backward([3, 4]) and z.backward([0, 6])", {"x.grad": [1.2, 3.6], "y.grad": [3, 10]},
    hidden=True, gradients=[[3.0, 4.0], [0.0, 6.0]], limit=2,
)  # fmt: skip
check_clip(
    "of_a_result", "The gradient of a result is clipped, and what is before it gets that",
    "h = x * 2, clip(h, 1), z = h * 3, z.backward([3, 4])", {"x.grad": [1.2, 1.6]},
    [
        ({"x.grad": [18, 24]}, f"{_NOTHING}, also for a Variable that is not a leaf"),
        ({"x.grad": [0.6, 0.8]}, "what was clipped is the gradient of x; it is to be that of h"),
    ],
    hidden=True, where="h",
)  # fmt: skip


@exercise.check("clip", hidden=True)
def handle(trial):
    """clip returns the handle, and without the hook nothing is clipped."""
    trial.expect(
        handle_of_clip, {"clip returns": "a handle", "x.grad": [5]}, "clip(x, 1).remove(), (x * 5).backward()",
        [({"clip returns": None}, "return what register_hook returned: who called clip may want to take the hook out")],
    )  # fmt: skip


_LATE = "all hooks say the last name: a name in a loop is looked up when the hook runs, and by then the loop is over"


def _log(*entries, times=1):
    return {"log": sorted(list(entry) for entry in entries for _ in range(times))}


_W, _B, _H = ("w", 320**0.5), ("b", 2**0.5), ("h", 80**0.5)


def check_log(name, title, on, expected, mistakes, hidden=True, **inputs):
    @exercise.check("log", hidden, name=name, title=title)
    def run(trial):
        trial.expect(logged, expected, on, mistakes, **inputs)


_MODEL = "h = w * 2, log_norms of w, b and h, (h * h + b).backward([1, 1])"
check_log(
    "every_norm", "One backward appends the norm of every gradient, under its own name",
    _MODEL, {**_log(_W, _B, _H), "w.grad": [8, 16]},
    [
        (lambda got: got["w.grad"] != [8, 16],
         "a hook that only writes down returns None: what it returns is used in place of the gradient"),
        (_log(("h", _W[1]), ("h", _B[1]), _H), _LATE),
        (_log(("w", 24), ("b", 2), ("h", 12)), "that is the sum of the elements; the norm is another"),
        (_log(("w", 320), ("b", 2), ("h", 80)), "that is the sum of squares; the norm is its root"),
        ({"log": []}, "nothing was written down"),
        (_log(_W, _B), "h has a gradient too, though it is not kept: its hook sees it"),
    ],
    hidden=False, backwards=1,
)  # fmt: skip
check_log(
    "two_backwards", "Two backwards append twice, h before w, and change no gradient",
    f"{_MODEL} twice", {**_log(_W, _B, _H, times=2), "h before w": True, "w.grad": [16, 32]},
    [
        ({"h before w": False}, "write a norm down when the gradient becomes known: h's before w's"),
        (_log(("w", 2 * _W[1]), ("b", 2 * _B[1]), ("h", 2 * _H[1])), "these are norms of sums over both backwards"),
        (_log(_W, ("w", 2 * _W[1]), _B, ("b", 2 * _B[1]), _H, _H), "these are norms of w.grad, a sum over both"),
    ],
    backwards=2,
)  # fmt: skip
check_log(
    "stopped", "After stop() nothing is written down any more",
    "one backward, stop(), another backward", _log(_W, _B, _H),
    [
        (_log(_W, _B, _H, times=2), "the hooks are still there: keep the handles, and remove() them"),
        (_log(_W, _B, _H, max(_W, _B, _H)), "only some of the hooks were taken out"),
        ("TypeError", "log_norms is to return a function"),
    ],
    backwards=2, stopping=True,
)  # fmt: skip


_SUM = "that is the sum over the workers; the average is wanted"
_ALONE = "every worker has its own gradient, not the average"


def _gradient_of_w(worker, backward):
    """The gradient of the sum of w * data * w + w * b by w, at w = [1, 2] and b = 0.5."""
    return [2 * 1.0 * (1.0 + worker) + 0.5, 2 * 2.0 * (2.0 * worker + backward) + 0.5]


def of_workers(workers, backwards=1, idle=None):
    """What averaged answers if all is right."""
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
        skipped = f"worker {idle} leaves all_reduce out because its own gradient is 0, and the others wait for ever"
        yield {"all workers come through": False}, skipped
    w = numpy.array(right["worker 0: w.grad"])
    yield {"worker 0: w.grad": (w * workers).tolist()}, _SUM
    yield {"worker 0: w.grad": (w / workers).tolist()}, "divided by the number of workers twice"
    yield {"all workers come through": False}, "somebody waits in all_reduce for others who do not come"
    calls = "calls of all_reduce by each worker"
    yield {calls: [0] * workers}, _ALONE
    yield {calls: [backwards] * workers}, "only one of the two parameters asks: each needs a hook"
    yield {calls: [4 * backwards] * workers}, "call it once for each gradient: every call has all workers wait"
    if workers > 1 and backwards == 1:
        yield {"worker 0: w.grad": _gradient_of_w(0, 0)}, f"{_ALONE}: what the hook returns is added to grad"
    if backwards == 2:
        once = numpy.array(of_workers(workers, 1)["worker 0: w.grad"])
        yield {"worker 0: w.grad": (w + once).tolist()}, "grad holds the first average already: average grad alone"


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


def _clip_graph(gradients=None, limit=None, where="x"):
    x, y = leaves([1.0, 1.0], [1.0, 1.0])
    if where == "h":
        h = x * 2
        return "z = h * 3, with h = x * 2", {"x": x, "h": h, "z": h * 3}
    return "z = y + x", {"x": x, "y": y, "z": y + x}


def _log_graph(backwards=1, stopping=False):
    w, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    h = w * 2
    return "z = h * h + b, with h = w * 2", {"w": w, "b": b, "h": h, "z": h * h + b}


def _average_graph(workers=None, backwards=1, idle=None):
    w, b = leaves([1.0, 2.0], [0.5])
    data = leaf([1.0, 0.0], requires_grad=False)
    graph = {"worker 0: w": w, "worker 0: b": b, "data": data, "z": w * data * w + w * b}
    return "z = w * data * w + w * b, of worker 0", graph


exercise.graphs |= {"clipped": _clip_graph, "logged": _log_graph, "averaged": _average_graph}
exercise.graphs["handle_of_clip"] = lambda: ("z = x * 5", dict(zip("xz", [x := leaf([3.0]), x * 5])))
