"""The probes of exercise 8: hooks that clip gradients, log their norms, and average them over workers."""

import contextlib
import itertools

import numpy

from ...autograd.variable import Variable
from ..answer import plain
from .support import leaf, leaves, tensor


def clipped(answer, gradients, limit, where="x"):
    """Return x.grad after a backward of x * 1 with each of `gradients`, and the other leaf's grad."""
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


def handle_of_clip(answer):
    x = leaf([3.0])
    handle = answer.clip(x, 1)
    if hasattr(handle, "remove"):
        handle.remove()
    (x * 5).backward()
    return {"clip returns": "a handle" if hasattr(handle, "remove") else plain(handle), "x.grad": plain(x.grad)}


def logged(answer, backwards, stopping=False):
    """Return the log of a small model with two leaves and a result between them."""
    w, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    h = w * 2
    log = []
    stop = answer.log_norms({"w": w, "b": b, "h": h}, log)
    for number in range(backwards):
        if stopping and number == 1:
            stop()
        (h * h + b).backward(tensor([1.0, 1.0]))
    pairs = [entry for entry in log if isinstance(entry, (tuple, list)) and len(entry) == 2]
    if len(pairs) < len(log):
        return {"log": [plain(entry) for entry in log], "h before w": None, "w.grad": plain(w.grad)}
    entries = sorted([[str(name), plain(norm)] for name, norm in log], key=str)
    order = [str(name) for name, _ in log]
    return {
        "log": entries,
        "h before w": order.index("h") < order.index("w") if {"h", "w"} <= set(order) else None,
        "w.grad": plain(w.grad),
    }


class Watched(Variable):
    """A leaf that records when one of its hooks writes into its argument."""

    def __init__(self, numbers, written):
        super().__init__(tensor(numbers))
        self.written = written

    def register_hook(self, hook):
        def watching(grad):
            before = grad._version
            result = hook(grad)
            if grad._version != before:
                self.written.append(True)
            return result

        return super().register_hook(watching)


def random_of(seed, size):
    return numpy.random.default_rng(seed).uniform(-2, 2, size).tolist()


def sizes_of(seed):
    """Return three random shapes; the last is equal to the first."""
    random = numpy.random.default_rng(seed)
    sizes = [tuple(int(n) for n in random.integers(2, 4, dims)) for dims in (1 + seed % 2, 2 - seed % 2)]
    return [*sizes, sizes[0]]


def limits_of(seed):
    return [round(float(limit), 2) for limit in numpy.random.default_rng(seed).uniform(0.3, 3, 3)]


def watched(seed, written, calls):
    """Return three Variables with a hook that appends to `calls`; a hook that writes is noted in `written`."""
    variables = [Watched(numpy.zeros(size).tolist(), written) for size in sizes_of(seed)]
    for variable in variables:
        variable.register_hook(lambda grad: calls.append(True))
    return variables


def backward_at_random(variables, seed, turn):
    """Run a backward from each of the Variables times 1, with a random gradient."""
    for number, variable in enumerate(variables):
        (variable * 1).backward(tensor(random_of(100 * seed + 10 * number + turn, variable.size())))


def clipped_at_random(answer, seed):
    """Return the gradients of three clipped Variables in eleven backwards, and in one more without the first clip."""
    written, calls = [], []
    variables = watched(seed, written, calls)
    handles = [answer.clip(variable, limit) for variable, limit in zip(variables, limits_of(seed))]
    for turn in range(12):
        if turn == 11:
            handles[0].remove()
        backward_at_random(variables, seed, turn)
    return {
        **{f"{name}.grad": plain(variable.grad) for name, variable in zip("xyz", variables)},
        "calls of another hook": len(calls),
        "gradients written into": len(written),
    }


def logged_at_random(answer, seed):
    """Return two logs with entries, which share one Variable; the first is stopped in between."""
    written, calls = [], []
    x, y, z = variables = watched(seed, written, calls)
    logs = [[("before", 1.0)], [("before", 2.0)]]
    named = {"x": x, "y": y}
    stop = answer.log_norms(named, logs[0])
    answer.log_norms({"second y": y, "z": z}, logs[1])
    for turn in range(3):
        if turn == 2:
            stop()
        backward_at_random(variables, seed, turn)
    return {
        "first log": [plain(entry) for entry in logs[0]],
        "second log": [plain(entry) for entry in logs[1]],
        "names in the dictionary": list(named),
        "gradients written into": len(written),
        "calls of another hook": len(calls),
        **{f"{name}.grad": plain(variable.grad) for name, variable in zip("xyz", variables)},
    }


class Waits(BaseException):
    """A worker's all_reduce needs arrays that other workers have not given yet."""


class Meeting:
    """all_reduce for workers that run one after the other: one that has to wait is run again from its beginning.

    The k-th call of a worker returns the sum once all workers have given k arrays. No clock and no threads are needed.
    """

    def __init__(self, workers):
        self.given = [[] for _ in range(workers)]  # by each worker, in the order of its calls

    def all_reduce_of(self, worker):
        """Return the all_reduce of one run of a worker."""
        turns = itertools.count()

        def all_reduce(given):
            turn = next(turns)
            if turn == len(self.given[worker]):
                self.given[worker].append(numpy.array(given.numpy()))
            if any([len(arrays) <= turn for arrays in self.given]):
                raise Waits
            return tensor(numpy.sum([arrays[turn] for arrays in self.given], axis=0).tolist())

        return all_reduce

    def all_come_through(self, work):
        """Run `work(worker)` for each worker until it ends. Return False if some wait for a call that never comes."""
        waiting, before = set(range(len(self.given))), None
        while waiting and before != [len(waiting), *map(len, self.given)]:
            before = [len(waiting), *map(len, self.given)]
            for worker in sorted(waiting):
                with contextlib.suppress(Waits):
                    work(worker)
                    waiting.remove(worker)
        return not waiting


def averaged(answer, workers, backwards=1, idle=None):
    """Return the gradients on each worker after backwards on different data. Those of the worker `idle` are 0."""
    meeting = Meeting(workers)
    models = [None] * workers  # of the last run of each

    def work(number):
        w, b = models[number] = leaves([1.0, 2.0], [0.5])
        answer.average([w, b], meeting.all_reduce_of(number), workers)
        for backward in range(backwards):
            data = leaf([1.0 + number, 2.0 * number + backward], requires_grad=False)
            (w * data * w + w * b).backward(tensor([0.0, 0.0] if number == idle else [1.0, 1.0]))

    return {
        "all workers come through": meeting.all_come_through(work),
        "calls of all_reduce by each worker": [len(arrays) for arrays in meeting.given],
        **{f"worker {number}: w.grad": plain(w.grad) for number, (w, _) in enumerate(models)},
        **{f"worker {number}: b.grad": plain(b.grad) for number, (_, b) in enumerate(models)},
    }


def averaged_at_random(answer, seed):
    """Return the gradients of three parameters on two to four workers after three backwards."""
    workers = 2 + seed % 3
    meeting = Meeting(workers)
    runs = [None] * workers  # the last run of each: its parameters, the writes of its hooks, the calls of another hook

    def work(worker):
        written, calls = [], []
        model = watched(seed, written, calls)
        runs[worker] = model, written, calls
        answer.average(model, meeting.all_reduce_of(worker), workers)
        for turn in range(3):
            gradients = gradients_of(seed, worker, turn)
            x, y, z = [(p * leaf(g, requires_grad=False)).sum() for p, g in zip(model, gradients)]
            (x + y + z).backward()

    return {
        "all workers come through": meeting.all_come_through(work),
        **{
            f"worker {worker}: {name}.grad": plain(parameter.grad)
            for worker, (model, _, _) in enumerate(runs)
            for name, parameter in zip("xyz", model)
        },
        "calls of another hook": sum([len(calls) for _, _, calls in runs]),
        "gradients written into": sum([len(written) for _, written, _ in runs]),
    }


def gradients_of(seed, worker, turn):
    """Return the gradients of the three parameters: some are zeros, and some have the sum 0."""
    found = []
    for number, size in enumerate(sizes_of(seed)):
        draw = 1000 * seed + 100 * worker + 10 * turn + number
        gradient = numpy.array(random_of(draw, size))
        if draw % 4 == 1:
            gradient = gradient * 0
        elif draw % 4 == 2:
            gradient = numpy.ones(size)
            gradient.flat[0] = 1 - gradient.size
        found.append(gradient.tolist())
    return found
