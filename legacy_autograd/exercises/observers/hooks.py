"""The probe of exercise 8: programs with hooks that clip gradients, log their norms, and average them over workers."""

import contextlib
import itertools

import numpy

from ...autograd.variable import Variable
from ...tensor import from_numpy
from ..answer import plain
from ..programs.running import BY_A_HOOK, Run
from .support import replaced, used


def behaviour(answer, lines):
    """Return what is seen of a program. One that begins with `workers = 3` runs once for each worker."""
    asked = used(answer, ("clip", "log_norms", "average"), lines)
    if not lines or not lines[0].startswith("workers = "):
        return _seen(asked, lines)
    meeting = Meeting(int(lines[0].removeprefix("workers = ")))
    seen, refused = {}, {}  # of the last run of each

    def work(worker):
        refused[worker] = 0

        def refuses(error):
            """Return an all_reduce that raises an exception of this class."""

            def all_reduce(given):
                refused[worker] += 1
                raise error(BY_A_HOOK)

            return all_reduce

        others = {"worker": worker, "all_reduce": meeting.all_reduce_of(worker), "refuses": refuses}
        others["alone"] = lambda workers: lambda given: given * (2 * workers)  # on average they have twice the gradient
        seen[worker] = _seen({**asked, **others}, lines)

    return {
        "all workers come through": meeting.all_come_through(work),
        "calls of all_reduce by each worker": [
            len(arrays) + refused[worker] for worker, arrays in enumerate(meeting.given)
        ],
        **{f"worker {worker}: {key}": value for worker, found in seen.items() for key, value in found.items()},
    }


def _seen(names, lines):
    run = Run(names, watch=True)
    with _watched_hooks(run):
        found = run.execute(lines)
    for name, value in run.made():
        if isinstance(value, dict):
            found[name] = list(value)
        elif isinstance(value, list):
            # Entries of one norm after each other are sorted: they may be of one gradient.
            log = [plain(entry) for entry in value]
            groups = itertools.groupby(log, lambda entry: str(entry[1:] if isinstance(entry, list) else entry))
            found[name] = [entry for _, same in groups for entry in sorted(same, key=str)]
    return found


def _watched_hooks(run):
    """Note in the block of a `with` when a hook writes into its argument, which the package copies for each hook."""
    register = Variable.register_hook

    def watching(variable, hook):
        def watched(grad):
            before, writes = grad.numpy().copy(), grad._version
            result = hook(grad)
            if grad._version != writes or not numpy.array_equal(grad.numpy(), before):
                run.seen["written into"] = "the argument of a hook"
            return result

        return register(variable, watched)

    return replaced(Variable, "register_hook", watching)


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
            return from_numpy(numpy.sum([arrays[turn] for arrays in self.given], axis=0))

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
