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
`around_module`       `callback(module, proceed, *inputs)`     drawing, which folds what a call of an nn.Module made.
                                                               `proceed(*inputs)` runs the module
`around_accumulate`   `callback(leaf, proceed, variable,       `create_graph`, which sums Variables; hooks that run
                      grad)`                                   after a gradient was accumulated
`backward_ended`      `callback(root)`                         distributed training, which waits for its messages
====================  =======================================  =========================================================
"""

import threading
import weakref

_lock = threading.RLock()  # reentrant: the garbage collector may end a reason, and so call `drop`, at any allocation


class Event:
    """A place in the core that calls its registered `callbacks`, a tuple with the newest first."""

    def __init__(self):
        self.callbacks = ()

    def register(self, callback, innermost=False):
        with _lock:
            self.callbacks = (*self.callbacks, callback) if innermost else (callback, *self.callbacks)

    def remove(self, callback):
        """Remove `callback` once; of two equal ones, the one that was registered last."""
        with _lock:
            position = self.callbacks.index(callback)
            self.callbacks = self.callbacks[:position] + self.callbacks[position + 1 :]

    def notify(self, subject):
        """Call every callback with `subject`."""
        for callback in self.callbacks:
            callback(subject)

    def run(self, subject, proceed, arguments):
        """Return `proceed(*arguments)`, run inside all callbacks, the newest outermost."""
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
    """Keeps `callback` registered with `event` as long as one of the reasons that it was given is alive.

    A reason is any object: a volatile leaf, or the state of a thread that is in `no_grad`. A program that used a mode
    and left it pays nothing afterwards.
    """

    def __init__(self, event, callback):
        self._event = event
        self._callback = callback
        self._reasons = weakref.WeakSet()
        self._is_registered = False

    def add(self, reason):
        with _lock:
            self._reasons.add(reason)
            if not self._is_registered:
                self._is_registered = True
                self._event.register(self._callback)

    def drop(self, reason):
        self._reasons.discard(reason)
        self.rest()

    def rest(self):
        """Remove the callback if no reason is left. The callback calls this itself: a dead reason does not."""
        if self._is_registered and not self._reasons:
            with _lock:
                if self._is_registered and not self._reasons:
                    self._is_registered = False
                    self._event.remove(self._callback)


class Reason:
    """A reason without further content, for instance that a thread is in a mode; it goes with its owner."""


# What the core calls of that which came after v0.1.1. `later` puts its functions here when it is loaded.
make_volatile = None  # make_volatile(leaf): Variable(…, volatile=True), v0.1.2
backward_with_options = None  # backward_with_options(variable, gradient, …): create_graph and inputs, 0.2.0
shown_variables = None  # shown_variables(hook): a hook that is shown Variables instead of Tensors, v0.1.6
note_views = None  # note_views(function, input, output): some outputs may see the memory of an input, 0.2.0
