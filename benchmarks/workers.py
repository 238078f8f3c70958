"""A process for each peer, so that each has its own memory, garbage collector and caches, as in a user's program."""

import multiprocessing
import time

import numpy

from . import measure, peers, workloads

_context = multiprocessing.get_context("spawn")


class Worker:
    """One peer in its process. Raises ImportError if the library is not installed."""

    def __init__(self, name):
        self._connection, theirs = _context.Pipe()
        self._process = _context.Process(target=_serve, args=(theirs, name), daemon=True)
        self._process.start()
        theirs.close()
        self._answer()

    def begin(self, number, seed):
        """Prepare the workload with this number. Return the results to compare, None if the peer cannot run it."""
        return self._ask("begin", number, seed)

    def seconds(self, times):
        """Return the mean time of `times` steps, in seconds."""
        return self._ask("seconds", times)

    def _ask(self, *command):
        self._connection.send(command)
        return self._answer()

    def _answer(self):
        answer = self._connection.recv()
        if isinstance(answer, Exception):
            raise answer
        return answer


def start(names):
    """Return {name: Worker} of the peers that are installed, and a sentence about each of the others."""
    workers, missing = {}, []
    for name in names:
        try:
            workers[name] = Worker(name)
        except ImportError as error:
            missing.append(f"{peers.PEERS[name].title} is left out: {error}")
    return workers, missing


def _serve(connection, name):
    """In the new process: answer the Worker until its end of the pipe is closed."""
    measure.pin_to_cores()
    try:
        peer = peers.load(name)
    except ImportError as error:
        connection.send(ImportError(str(error)))
        return
    measure.freeze_imports()
    connection.send(None)
    step = None
    while True:
        try:
            command, *arguments = connection.recv()
        except EOFError:
            return
        try:
            if command == "begin":
                step = None  # frees the data of the last workload
                step, answer = _begun(peer, *arguments)
            else:
                answer = _timed(step, *arguments)
        except Exception as error:
            answer = RuntimeError(f"{peers.PEERS[name].title}: {type(error).__name__}: {error}")
        connection.send(answer)


def _begun(peer, number, seed):
    workload = workloads.WORKLOADS[number]
    function = getattr(peer, workload.function, None)
    if function is None:
        return None, None
    found = function(**workload.inputs(numpy.random.default_rng(seed)))
    if found is None:  # the library has some of the function's layers
        return None, None
    step, read = found
    for _ in range(workload.steps_compared):
        step()
    return step, [numpy.asarray(array, float) for array in read()]


def _timed(step, times):
    # On one thread without the time in which other programs had the core. Processor time adds up threads.
    clock = time.process_time if measure.THREADS == 1 else time.perf_counter
    begin = clock()
    for _ in range(times):
        step()
    return (clock() - begin) / times
