"""The processes of a `DataLoader` (v0.1.4: the other half of `torch/utils/data/dataloader.py`).

Each worker has a connection of its own, over which it receives lists of indices and sends batches. Worker i mod n loads
batch i, so the order needs no sorting. In a worker one thread receives and one sends, so neither side waits for the
other to read. The receiving thread notices when the loader, or its whole process, is gone.
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
from collections.abc import Callable, Iterator
from multiprocessing import connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy

from ...multiprocessing import reductions
from ...tensor.dtypes import get_default_tensor_type, set_default_tensor_type
from ...tensor.random import manual_seed
from .loading import LoadingIterator, fetch

AHEAD = 2  # batches that each worker loads in advance
GRACE = 2.0  # seconds that a worker has to finish its batch when the loader ends


def _context():
    """Return a context for forked processes if they are safe: programs from 2016–17 do not guard their main module."""
    if sys.platform == "linux" and multiprocessing.get_start_method(allow_none=True) is None:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context()


class InWorkers(LoadingIterator):
    """One pass over the batches, loaded by worker processes, which end with the pass or when it is dropped.

    An error in loading a batch is raised in place of the batch, and the pass continues with the next batch, as in
    v0.1.x. A lost worker process, or a batch that takes too long, ends the pass.

    Args:
        loader: The DataLoader.
        batches: The lists of sample numbers.
        seed: The seed of the workers' random numbers, to which each adds its number.
    """

    def __init__(self, loader: Any, batches: Iterator[list[int]], seed: int) -> None:
        super().__init__(loader)
        self._batches = batches
        self._timeout = loader.timeout or None
        self._asked = self._given = 0
        self._workers: list[tuple] = []
        self._process = os.getpid()
        self._finalizer = weakref.finalize(self, _stop, self._workers, self._process)
        try:
            for number in range(loader.num_workers):
                self._workers.append(_start(loader, number, seed))
            for _ in range(AHEAD * loader.num_workers):
                self._ask()
        except BaseException:
            self.close()
            raise

    @property
    def workers(self) -> list:
        """The worker processes, `multiprocessing.Process` objects; empty after the end."""
        return [process for process, _ in self._workers]

    def close(self) -> None:
        """End the processes and the pass."""
        self._asked = self._given
        self._batches = iter(())
        self._finalizer()

    def _ask(self):
        for indices in self._batches:
            _, conn = self._workers[self._asked % len(self._workers)]
            with contextlib.suppress(OSError):  # a dead worker is reported when its batch is due
                conn.send(list(indices))
            self._asked += 1
            return

    def __next__(self):
        if os.getpid() != self._process:
            raise RuntimeError(
                "DataLoader: this iterator belongs to the process that forked this one, and both would read from the "
                "same workers; make an iterator in this process: iter(loader)"
            )
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
            f"DataLoader: worker {number} (process {process.pid}) {_end_of(process)} before it sent batch {self._given}"
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
    """An exception that a worker sends: the exception itself, if it can be pickled, and its traceback as text.

    Args:
        error: The exception.
        worker: The number of the worker.
    """

    def __init__(self, error: Exception, worker: int) -> None:
        self.text = f"in DataLoader worker {worker}:\n\n" + "".join(traceback.format_exception(error))
        self.error = error
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            self.error = RuntimeError(f"{type(error).__name__}: {error}")

    def raise_again(self) -> None:
        """Raise the exception in this process, with the traceback of the worker as its cause."""
        raise self.error from WorkerTraceback(self.text)


class WorkerTraceback(Exception):
    """The cause of an exception that is raised again in this process: its traceback in the worker."""

    def __str__(self):
        return self.args[0]


def work(
    conn: Any,
    load: Callable[[list[int]], Any],
    worker_init_fn: Callable[[int], Any] | None,
    number: int,
    seed: int,
    tensor_type: str,
) -> None:
    """Run a worker process from beginning to end.

    Args:
        conn: The worker's end of the connection.
        load: A function that makes a batch of sample numbers.
        worker_init_fn: A function that is called with the worker's number first, or None.
        number: The number of the worker.
        seed: The seed, to which the number is added.
        tensor_type: The default tensor type of the loader's process.
    """
    # A keyboard interrupt reaches the whole group of processes; the loader's process ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    orders: queue.SimpleQueue = queue.SimpleQueue()
    answers: queue.SimpleQueue = queue.SimpleQueue()
    stopping = threading.Event()
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
            answer: Any = ForkingPickler.dumps(load(indices) if failure is None else failure)
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
    os._exit(1)  # the main thread is still busy, and its result is not needed


def _send_answers(conn, answers):
    with contextlib.suppress(OSError):  # the loader is gone, and _receive_orders ends the process
        while True:
            conn.send_bytes(answers.get())
