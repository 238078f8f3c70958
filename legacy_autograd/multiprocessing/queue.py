"""A Queue whose `put` serializes before it returns, as in v0.1.4 and v0.1.5 (`torch/multiprocessing/queue.py`).

Python's Queue, which v0.1.6 took over, serializes in a thread of its own. Then a tensor moves into shared memory some
time after `put`, and what cannot be pickled is lost with a traceback that names no line of the program.
"""

import multiprocessing.queues
import pickle
from multiprocessing.reduction import ForkingPickler


class Queue(multiprocessing.queues.Queue):
    """A queue for all processes, with Python's arguments and methods."""

    def put(self, obj, block=True, timeout=None):
        super().put(_Serialized(bytes(ForkingPickler.dumps(obj))), block, timeout)


class _Serialized:
    """An object as bytes; its pickle is that of the object."""

    def __init__(self, message):
        self.message = message

    def __reduce__(self):
        return pickle.loads, (self.message,)
