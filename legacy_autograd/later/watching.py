"""What `volatile` and the grad modes share: a wrapper around every call, in its seam only while there is a reason.

No version of PyTorch had this. It keeps a promise of the core: a program that uses none of `later` pays nothing for
it, and one that did pays nothing afterwards.
"""

import threading
import weakref

from .. import seams
from ..leaf import Leaf
from ..variable import Variable


class Reason:
    """Stands for the wish of one thread to listen; goes with the thread."""


class CallWatcher:
    """Holds `wrapper` in `seams.around_call` as long as one of the objects that it was told of is alive."""

    def __init__(self, wrapper):
        self._wrapper = wrapper
        self._reasons = weakref.WeakSet()
        self._listening = False
        self._lock = threading.RLock()  # the collector may end a thread's state, and so call `drop`, at any allocation

    def __contains__(self, reason):
        return reason in self._reasons

    def add(self, reason):
        """`reason` is a reason to listen, until it is gone or dropped."""
        with self._lock:
            self._reasons.add(reason)
            if not self._listening:
                self._listening = True
                seams.listen("around_call", self._wrapper)

    def drop(self, reason):
        """`reason` is none any longer."""
        self._reasons.discard(reason)
        self.rest()

    def rest(self):
        """Stop listening if no reason is left. The wrapper calls this, because what is gone does not say so."""
        if self._listening and not self._reasons:
            with self._lock:
                if self._listening and not self._reasons:
                    self._listening = False
                    seams.ignore("around_call", self._wrapper)


def cut_off(function, output):
    """The output of a call as leaves that require no gradient; `function` lets go of what it recorded."""
    function.previous_functions = []  # not None: the Function was called, and cannot be called again
    function.requires_grad = False
    function.unpack, function._saved, function._saved_versions = None, (), ()
    # What is a leaf already stays what it is: non-differentiable, or volatile.
    return tuple([v if isinstance(v.creator, Leaf) else Variable(v.data, requires_grad=False) for v in output])


def memory_of(variable):
    """The Tensor that owns the memory of `variable`: two Variables with the same one are views of the same numbers."""
    tensor = variable.data
    return tensor if tensor._base is None else tensor._base
