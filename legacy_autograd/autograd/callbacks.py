"""The callbacks of the core: the few places where the rest of the package may listen, or change the course.

v0.1.1 had none of these. `later`, `drawing`, `comparison` and `distributed` join the core here, and through what v0.1.1
had already: `backward_hooks`, the engine's own methods, and `Variable._execution_engine`.

====================  =======================================  =========================================================
event                 a callback is called as                  used by
====================  =======================================  =========================================================
`around_call`         `callback(function, proceed, *inputs)`   grad modes, volatile, in-place operations, saved-tensor
                                                               hooks, the forward trace, the profiler, anomaly mode.
                                                               `proceed(*inputs)` makes the call
`around_backward`     `callback(function, proceed, *grads)`    profiler, anomaly mode, the backward trace.
                                                               `proceed(*grads)` runs `_do_backward`
`around_module`       `callback(module, proceed, *inputs)`     drawing, which folds the operations of an nn.Module's
                                                               call. `proceed(*inputs)` runs the module
`around_accumulate`   `callback(leaf, proceed, variable,       `create_graph`, which sums Variables; hooks that run
                      grad)`                                   after a gradient was accumulated
`backward_ended`      `callback(root)`                         distributed training, which waits for its messages
====================  =======================================  =========================================================
"""

import contextlib
import functools
import threading
import weakref
from collections.abc import Callable, Iterator

lock = threading.RLock()  # reentrant: at any allocation the garbage collector may end a reason and call `drop`


class Event:
    """A place in the core that calls its registered `callbacks`, a tuple with the newest first."""

    def __init__(self) -> None:
        self.callbacks: tuple = ()

    def register(self, callback: Callable, innermost: bool = False) -> None:
        """Register a callback.

        Args:
            callback: The callback, called as the table above says.
            innermost: Whether it is called inside all others, else outside.
        """
        with lock:
            self.callbacks = (*self.callbacks, callback) if innermost else (callback, *self.callbacks)

    def remove(self, callback: Callable) -> None:
        """Remove a callback once; of two equal ones, the outer one.

        Args:
            callback: A registered callback.
        """
        with lock:
            position = self.callbacks.index(callback)
            self.callbacks = self.callbacks[:position] + self.callbacks[position + 1 :]

    @contextlib.contextmanager
    def within(self, callback: Callable, innermost: bool = False) -> Iterator[None]:
        """Have a callback registered within the block, whatever interrupts it.

        Args:
            callback: The callback.
            innermost: Whether it is called inside all others.
        """
        own = functools.partial(callback)  # equal to no other, so that only this one is removed
        try:
            self.register(own, innermost)
            yield
        finally:
            if own in self.callbacks:
                self.remove(own)

    def notify(self, subject: object) -> None:
        """Call every callback.

        Args:
            subject: The argument of the callbacks.
        """
        for callback in self.callbacks:
            callback(subject)

    def run(self, subject: object, proceed: Callable, arguments: tuple) -> object:
        """Return `proceed(*arguments)`, run inside all callbacks, the newest outermost.

        Args:
            subject: The first argument of the callbacks.
            proceed: The function that the callbacks surround.
            arguments: Its arguments.
        """
        for callback in reversed(self.callbacks):
            proceed = _inside(callback, subject, proceed)
        return proceed(*arguments)


def _inside(callback, subject, proceed):
    return lambda *arguments: callback(subject, proceed, *arguments)


around_call = Event()
around_backward = Event()
around_module = Event()
around_accumulate = Event()
backward_ended = Event()


class WhileNeeded:
    """Keeps a callback registered with an event as long as one of the reasons that it was given is alive.

    A reason is any object: a volatile leaf, or the state of a thread that is in `no_grad`. A program that used a mode
    and left it has no further cost.

    Args:
        event: The event.
        callback: The callback.
    """

    def __init__(self, event: Event, callback: Callable) -> None:
        self._event = event
        self._callback = callback
        self._reasons: weakref.WeakSet = weakref.WeakSet()

    def add(self, reason: object) -> None:
        """Add a reason, and register the callback if it is the first.

        Args:
            reason: Any object that can be referred to weakly.
        """
        with lock:
            self._reasons.add(reason)
            if self._callback not in self._event.callbacks:
                self._event.register(self._callback)

    def drop(self, reason: object) -> None:
        """Drop a reason, and remove the callback if it was the last.

        Args:
            reason: A reason that was added.
        """
        self._reasons.discard(reason)
        self.rest()

    def rest(self) -> None:
        """Remove the callback if no reason is left. The callback calls this itself, because a dead reason cannot."""
        if not self._reasons:
            with lock:
                if not self._reasons and self._callback in self._event.callbacks:
                    self._event.remove(self._callback)


class Reason:
    """A reason without further content, for instance that a thread is in a mode; it goes with its owner."""
