"""The seams of the core: the few places where the rest of the package may listen, or change the course.

v0.1.0 had none of these. Each is empty unless somebody uses it, and the core then pays one check of an empty tuple
or of None. Everything else that `later`, `drawing` and `distributed` need hooks in through what v0.1.0 had already:
`backward_hooks`, the engine's own methods, and `Variable._execution_engine`.

===================  ==========================================  =====================================================
seam                 called as                                   used by
===================  ==========================================  =====================================================
`around_call`        `wrapper(function, proceed, *variables)`    grad modes, volatile, in-place operations, saved-tensor
                                                                 hooks, the forward trace, the profiler, anomaly mode.
                                                                 `proceed(*variables)` makes the call
`around_backward`    `wrapper(function, proceed, *gradients)`    profiler, anomaly mode, the backward trace.
                                                                 `proceed(*gradients)` runs `_do_backward`
`around_module`      `wrapper(module, proceed, *input)`          drawing, which folds what a call of an nn.Module made.
                                                                 `proceed(*input)` runs the module
`backward_ended`     `listener(root)`                            distributed training, which waits for its messages
`Function.unpack`    `function.unpack(function)` -> tuple        an attribute of one Function: what `saved_tensors`
                                                                 answers in place of what it saved (saved-tensor hooks,
                                                                 checkpoints, double backward)
===================  ==========================================  =====================================================
"""

import threading

around_call = ()
around_backward = ()
around_module = ()
backward_ended = ()

_lock = threading.Lock()


def listen(seam, listener):
    """Add `listener` to one of the tuples above; the newest comes first, and so is the outermost."""
    with _lock:
        globals()[seam] = (listener, *globals()[seam])


def ignore(seam, listener):
    """Take `listener` out again (the one that was added last, if it was added twice)."""
    with _lock:
        listeners = list(globals()[seam])
        listeners.remove(listener)
        globals()[seam] = tuple(listeners)


def run_around(wrappers, function, proceed, arguments):
    """Run `proceed(*arguments)` inside all `wrappers`, the first of them outermost."""
    for wrapper in reversed(wrappers):
        proceed = _bind(wrapper, function, proceed)
    return proceed(*arguments)


def _bind(wrapper, function, proceed):
    return lambda *arguments: wrapper(function, proceed, *arguments)
