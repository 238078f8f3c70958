"""A process for each peer, as a program that uses it alone has one: its own memory, collector and threads."""

import multiprocessing
import time

import numpy

from . import measure, peers, workloads

_context = multiprocessing.get_context("spawn")


class Worker:
    """One peer in its process. ImportError if it is not installed."""

    def __init__(self, name):
        self._connection, theirs = _context.Pipe()
        self._process = _context.Process(target=_serve, args=(theirs, name), daemon=True)
        self._process.start()
        theirs.close()
        self._answer()

    def begin(self, number, seed):
        """Take up a workload, by its number; the gradients of its first step, None if the peer cannot do it."""
        return self._ask("begin", number, seed)

    def seconds(self, times):
        """How long `times` steps take, in seconds for each."""
        return self._ask("seconds", times)

    def _ask(self, *command):
        self._connection.send(command)
        return self._answer()

    def _answer(self):
        answer = self._connection.recv()
        if isinstance(answer, Exception):
            raise answer
        return answer


def start():
    """{title: Worker} of the peers that are installed, and a sentence for each of the others."""
    workers, missing = {}, []
    for name, title in peers.NAMES.items():
        try:
            workers[title] = Worker(name)
        except ImportError as error:
            missing.append(f"{title} is left out: {error}")
    return workers, missing


def _serve(connection, name):
    """In the new process: answer what the Worker asks, until it is gone."""
    if name != peers.ALL_CORES:
        measure.stay_on_one_core()
    try:
        peer = peers.peer(name)
    except ImportError as error:
        return connection.send(ImportError(str(error)))
    measure.settle()
    connection.send(None)
    step = None
    while True:
        try:
            command, *arguments = connection.recv()
        except EOFError:
            return None
        try:
            if command == "begin":
                step = None  # lets go of the last workload's data
                step, answer = _begun(peer, *arguments)
            else:
                answer = _timed(step, *arguments)
        except Exception as error:
            answer = RuntimeError(f"{peers.NAMES[name]}: {type(error).__name__}: {error}")
        connection.send(answer)


def _begun(peer, number, seed):
    workload = workloads.WORKLOADS[number]
    make = getattr(peer, workload.name, None)
    if make is None:
        return None, None
    step = make(**workload.inputs(numpy.random.default_rng(seed)))
    return step, [numpy.asarray(gradient, float) for gradient in peer.to_numpy(step())]


def _timed(step, times):
    begin = time.perf_counter()
    for _ in range(times):
        step()
    return (time.perf_counter() - begin) / times
