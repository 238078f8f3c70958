"""The processes of a `DataLoader` (v0.1.4: the other half of `torch/utils/data/dataloader.py`).

Each worker has a connection of its own, over which it gets lists of indices and answers with batches. Batch i is
worker i mod n's, so the order needs no sorting. In the worker one thread receives and one sends, so that neither side
ever waits for the other to read; and the receiving one notices when the loader, or its whole process, is gone.
"""

import contextlib
import functools
import multiprocessing
import os
import pickle
import queue
import random
import signal
import sys
import threading
import time
import traceback
import weakref
from multiprocessing import connection
from multiprocessing.reduction import ForkingPickler

import numpy

from ...multiprocessing import reductions
from ...tensor.dtypes import get_default_tensor_type, set_default_tensor_type
from ...tensor.random import manual_seed
from .loading import LoadingIterator, fetch

AHEAD = 2  # how many batches each worker is asked for in advance
GRACE = 2.0  # seconds that a worker has to finish what it is doing, when the loader ends


def _context():
    """Forked processes where they are safe: programs of the time do not guard their main module for spawned ones."""
    if sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) is None:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context()


class InWorkers(LoadingIterator):
    """One pass over the batches, loaded by processes. They end with it: at its end, or when it is dropped.

    An error in loading a batch is raised in the batch's turn, and the pass goes on with the next batch, as in v0.1.x.
    The loss of a worker process, or a batch that takes too long, ends the pass.
    """

    def __init__(self, loader, batches, seed):
        super().__init__(loader)
        self._batches = batches
        self._timeout = loader.timeout or None
        self._asked = self._given = 0
        self._workers = []
        self._finalizer = weakref.finalize(self, _stop, self._workers, os.getpid())
        try:
            for number in range(loader.num_workers):
                self._workers.append(_start(loader, number, seed))
            for _ in range(AHEAD * loader.num_workers):
                self._ask()
        except BaseException:
            self.close()
            raise

    @property
    def workers(self):
        """The worker processes, `multiprocessing.Process` objects; none after the end."""
        return [process for process, _ in self._workers]

    def close(self):
        """End the processes. Further batches do not come."""
        self._asked = self._given
        self._batches = iter(())
        self._finalizer()

    def _ask(self):
        for indices in self._batches:
            _, conn = self._workers[self._asked % len(self._workers)]
            with contextlib.suppress(OSError):  # it has died, and will be found dead when it is its turn
                conn.send(list(indices))
            self._asked += 1
            return

    def __next__(self):
        try:
            if self._given == self._asked:
                raise StopIteration
            answer = pickle.loads(self._receive())
            self._given += 1
            self._ask()
        except BaseException:
            self.close()
            raise
        if isinstance(answer, Failure):
            answer.raise_again()
        return answer

    def _receive(self):
        number = self._given % len(self._workers)
        process, conn = self._workers[number]
        ready = connection.wait([conn, process.sentinel], self._timeout)
        if not ready:
            raise TimeoutError(
                f"DataLoader: batch {self._given} did not come from worker {number} within {self._timeout} seconds"
            )
        with contextlib.suppress(EOFError, OSError):
            if conn.poll():
                return conn.recv_bytes()
        process.join(GRACE)
        raise RuntimeError(
            f"DataLoader: worker {number} (process {process.pid}) {_end_of(process)} "
            f"before batch {self._given} had come from it"
        )


def _start(loader, number, seed):
    context = _context()
    ours, theirs = context.Pipe()
    load = functools.partial(fetch, loader.dataset, collate_fn=loader.collate_fn)
    arguments = (theirs, load, loader.worker_init_fn, number, seed, get_default_tensor_type())
    process = context.Process(target=work, args=arguments, daemon=True, name=f"DataLoader worker {number}")
    process.start()
    theirs.close()
    return process, ours


def _end_of(process):
    code = process.exitcode
    if code is None:
        return "closed its connection"
    if code >= 0:
        return f"exited with code {code}"
    with contextlib.suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"


def _stop(workers, owner):
    if os.getpid() != owner:
        return  # a copy in a forked process: the workers are not its children
    for _, conn in workers:
        with contextlib.suppress(OSError):  # dead already
            conn.send(None)
    deadline = time.monotonic() + GRACE
    for process, conn in workers:
        process.join(max(0, deadline - time.monotonic()))
        if process.is_alive():
            process.terminate()
            process.join(GRACE)
        if process.is_alive():
            process.kill()
            process.join()
        conn.close()
    workers.clear()


class Failure:
    """An exception on its way from a worker: itself, if it can be pickled, and what its traceback looked like."""

    def __init__(self, error, worker):
        self.text = f"in DataLoader worker {worker}:\n\n" + "".join(traceback.format_exception(error))
        self.error = error
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            self.error = RuntimeError(f"{type(error).__name__}: {error}")

    def raise_again(self):
        raise self.error from WorkerTraceback(self.text)


class WorkerTraceback(Exception):
    """The cause of an exception that was raised again in this process: the traceback that it had in the worker's."""

    def __str__(self):
        return self.args[0]


def work(conn, load, worker_init_fn, number, seed, tensor_type):
    """What a worker process does from beginning to end; `load(indices)` makes a batch."""
    # An interrupt from the keyboard goes to the whole group of processes; the loader's will end the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    orders, answers, stopping = queue.SimpleQueue(), queue.SimpleQueue(), threading.Event()
    threading.Thread(target=_receive_orders, args=(conn, orders, stopping), daemon=True).start()
    threading.Thread(target=_send_answers, args=(conn, answers), daemon=True).start()

    reductions.copy_only()  # the loader may outlive the worker
    failure = None
    try:
        set_default_tensor_type(tensor_type)
        manual_seed(seed + number)
        random.seed(seed + number)
        numpy.random.seed((seed + number) % 2**32)
        if worker_init_fn is not None:
            worker_init_fn(number)
    except Exception as error:
        failure = Failure(error, number)

    while (indices := orders.get()) is not None and not stopping.is_set():
        try:
            answer = ForkingPickler.dumps(load(indices) if failure is None else failure)
        except Exception as error:
            answer = pickle.dumps(Failure(error, number))
        answers.put(answer)


def _receive_orders(conn, orders, stopping):
    parent = multiprocessing.parent_process()
    forked = os.getppid() == parent.pid
    with contextlib.suppress(EOFError, OSError):
        # Another process may hold a copy of the loader's end, so its closing alone would not always be noticed.
        while parent.is_alive() and (not forked or os.getppid() == parent.pid):
            if conn.poll(1.0):
                order = conn.recv()
                if order is None:
                    break
                orders.put(order)
    stopping.set()
    orders.put(None)
    time.sleep(GRACE)
    os._exit(1)  # the main thread is still busy, and nobody is waiting for it


def _send_answers(conn, answers):
    with contextlib.suppress(OSError):  # the loader is gone: _receive_orders sees to the rest
        while True:
            conn.send_bytes(answers.get())
