"""`trace_backward`: a real backward, with every event of the engine written down.

The engine is not copied. A subclass of whatever engine is in use overrides its methods, writes down what each was
asked and what it answered, and leaves the work to `super()`; `ready` and `not_ready` are the engine's own. The line of
a step is the line on which the engine's frame is at that moment. Untraced, nothing of this runs.
"""

import contextlib
import inspect
import sys
import threading

from ..autograd.leaf import Leaf
from .derivatives import LocalDerivatives
from .labels import record_text, tensor_record
from .names import Names, callers_frame
from .trace import Recorder, recording_to
from .walk import MOST_NODES, as_variables, graph_to_show

_MOST_COUNTS_IN_WORDS = 8


def trace_backward(
    variable,
    gradient=None,
    retain_variables=True,
    *,
    params=None,
    values=16,
    rankdir="TB",
    title=None,
    clock=None,
    max_nodes=MOST_NODES,
):
    """Run `variable.backward(gradient)` and record every step of the engine. Returns a `Trace`.

    It is a real backward: gradients arrive in the leaves, hooks run, errors are raised, as without the trace. `params`
    names leaves as in `make_dot`; of each gradient the first `values` numbers are kept; `title` stands over the page;
    `clock`, for instance `time.perf_counter`, is called at every event if it is given. A backward that a hook starts
    is not recorded. The museum's engines (`legacy_autograd.historical`) can be traced as well. Each step has the `line`
    of the engine's source that did it (`trace.source` holds the text), and the Function whose `turn` it is.

    Raises ValueError, before anything runs, for a graph of more than `max_nodes` Functions, leaves included (10,000;
    None: no limit).

    The events of the steps: `begin` (the root goes onto the stack `ready`), `push` and `pop` (others do, and come off),
    `count` (`_compute_dependencies`), `hook`, `accumulate` (a Leaf), `drop` (a Leaf whose Variable is gone), `ran` (the
    gradients that came out), `free` (`_free_backward_dependency`), `ask` (`_is_ready_for_backward`), `add` (to what has
    arrived), `note` (see `drawing.note`) and `end`.
    """
    (variable,) = as_variables(variable, "trace_backward")
    names = Names(params, callers_frame())
    advice = "trace the backward of a smaller part"
    recorder = Recorder(
        graph_to_show([variable], max_nodes, "trace_backward", advice), names, [variable], values, clock
    )
    owner = next(cls for cls in type(variable).__mro__ if "_execution_engine" in vars(cls))
    plain = owner._execution_engine
    engine = owner._execution_engine = type("TracingEngine", (_Tracing, type(plain)), {})(recorder, plain, values)
    try:
        with recording_to(recorder):
            variable.backward(gradient, **({} if retain_variables else {"retain_variables": False}))
    except Exception as error:
        if recorder.steps:
            error.add_note(f"trace_backward: raised after step {len(recorder.steps) - 1}: {recorder.steps[-1].text}")
        raise
    finally:
        owner._execution_engine = plain
    title = title or f"backward of {names.of(variable) or recorder.label(variable.creator)}"
    trace = recorder.trace("backward", title, rankdir)
    trace.source, trace.derivatives = engine._source, engine._derivatives.data
    return trace


class _Stack(list):
    """The engine's `ready`, which tells `tracing` what is pushed and popped, and when it is found empty."""

    def __init__(self, items, tracing):
        super().__init__(items)
        self._tracing = tracing

    def append(self, item):
        self._tracing._settle()
        super().append(item)
        self._tracing._pushed(*item)

    def pop(self, place=-1):
        self._tracing._settle()
        item = super().pop(place)
        self._tracing._popped(*item)
        return item

    def __bool__(self):
        if not len(self):
            self._tracing._end_line = self._tracing._line()
        return len(self) > 0


class _Tracing:
    """The methods of an `ExecutionEngine`, with what they are asked and what they answer written down."""

    def __init__(self, recorder, plain, values):
        self._recorder = recorder
        self._plain = plain
        self._values = values
        self._thread = threading.get_ident()
        self._is_running = False
        self._ready, self._not_ready = (), {}  # the engine's own, from `_begin` on
        self._file = self._source = self._end_line = None  # where the engine's run_backward is written
        self._settled = 0  # how many of the steps know how `ready` was after them
        self._filled_in = {}  # {Function: numbers of the outputs that get zeros}
        self._derivatives = LocalDerivatives(recorder)
        self._fn = self._input = None  # the Function that ran last, and which of its inputs is being dealt with

    # --- the methods of the engine

    def run_backward(self, variable, grad, *options, **named_options):
        if self._is_running or threading.get_ident() != self._thread:
            return self._plain.run_backward(variable, grad, *options, **named_options)
        self._is_running = True
        super().run_backward(variable, grad, *options, **named_options)
        self._recorder.turn = None
        self._note("end", "ready is empty: backward has ended.").line = self._end_line
        self._settle()

    def _begin(self, variable, grad):
        walk = sys._getframe(1)
        self._file, self._source = walk.f_code.co_filename, _source(type(self._plain), walk)
        ready, self._not_ready = super()._begin(variable, grad)
        self._ready = _Stack(ready, self)
        fn, gradients = ready[-1]
        self._derivatives.begin(fn, gradients)
        text = f"The root, {self._label(fn)}, is given its gradient and goes onto the stack ready."
        self._note("begin", text + self._zeros_text(fn), function=fn, gradients=self._records(gradients))
        return self._ready, self._not_ready

    def _compute_dependencies(self, function):
        dependencies = super()._compute_dependencies(function)
        counts = {self._recorder.number(fn): _numbers(counts) for fn, counts in dependencies.items()}
        shown = [f"{self._label(fn)} waits for {sum(_numbers(counts))}" for fn, counts in dependencies.items()]
        more = len(shown) - _MOST_COUNTS_IN_WORDS
        text = ", ".join(shown[:_MOST_COUNTS_IN_WORDS]) + (f", and {more} more wait" if more > 0 else "")
        self._note(
            "count", f"Counts the uses of every output: {text or 'nothing lies behind the root'}.", counts=counts
        )
        return dependencies

    def _run(self, fn, grad_output):
        self._input, self._next_input = None, 0
        self._gradient = grad_output[0] if grad_output else None
        variable = fn.variable if isinstance(fn, Leaf) else None
        before = None if variable is None else self._record(variable._grad)
        with self._watching(fn):
            grad_input = super()._run(fn, grad_output)
        if grad_output is not None:
            self._derivatives.add(fn, grad_output)
        if variable is not None and grad_output is not None:
            self._accumulated(fn, variable, before)
        elif grad_output is not None and isinstance(fn, Leaf):
            gradient = self._record(self._gradient)
            text = f"{self._label(fn)} drops {record_text(gradient)}: its Variable is gone, nobody could read it."
            self._note("drop", text, function=fn, gradient=gradient)
        elif grad_output is not None:
            records = self._records(grad_input)
            given = "; ".join("none" if record is None else record_text(record) for record in records)
            count = "input" if len(records) == 1 else f"{len(records)} inputs, in their order"
            text = f"{self._label(fn)} answers with the gradient of its {count}: {given}."
            self._note("ran", text, function=fn, gradients=records)
        return grad_input

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        self._settle()
        before = _numbers(dependencies[prev_fn])
        output_nr = super()._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
        after = _numbers(dependencies[prev_fn])[output_nr]
        while not fn._sources()[self._next_input][0].requires_grad:
            self._next_input += 1
        self._input = self._next_input
        self._next_input += 1
        text = (
            f"{self._label(fn)} has a gradient for {self._which(prev_fn, output_nr)}, "
            f"whose uses to come go from {before[output_nr]} to {after}."
        )
        self._note_edge("free", text, prev_fn, output=output_nr, before=before[output_nr], after=after)
        return output_nr

    def _is_ready_for_backward(self, dependencies, function):
        answer = super()._is_ready_for_backward(dependencies, function)
        left = sum(_numbers(dependencies[function]))
        reason = "yes, nothing is left to come" if answer else f"no, {left} still to come"
        self._note_edge("ask", f"Is {self._label(function)} ready? {reason}.", function, answer=answer)
        return answer

    def _add(self, gradients, fn, output_nr, grad):
        before = self._record(gradients[output_nr])
        super()._add(gradients, fn, output_nr, grad)
        gradient, after = self._record(grad), self._record(gradients[output_nr])
        if before is None:
            text = f"{record_text(gradient)} is the first gradient to arrive for {self._which(fn, output_nr)}."
        else:
            sum_text = f"{record_text(before)} + {record_text(gradient)} = {record_text(after)}"
            text = f"It is added to what had arrived for {self._which(fn, output_nr)}: {sum_text}."
        self._note_edge("add", text, fn, output=output_nr, before=before, after=after, gradient=gradient)

    def _complete(self, fn, gradients):
        missing = [number for number, gradient in enumerate(gradients) if gradient is None]
        completed = super()._complete(fn, gradients)
        if completed is not None:
            self._filled_in[fn] = missing
        return completed

    # --- what happens while a Function runs

    def _popped(self, fn, grad_output):
        self._fn, self._recorder.turn = fn, self._recorder.number(fn)
        records = self._records(grad_output)
        if records is None:
            text = f"Takes {self._label(fn)}, the last of ready, and passes over it: no gradient came."
        else:
            given = "; ".join(map(record_text, records))
            text = f"Takes {self._label(fn)}, the last of ready, and runs its backward with the gradient {given}."
        self._note("pop", text, function=fn, gradients=records)

    def _pushed(self, fn, gradients):
        text = f"{self._label(fn)} has all its gradients and goes onto the stack ready."
        if gradients is None:
            text = f"{self._label(fn)} was given no gradient at all; it goes onto ready, and will be passed over."
        self._note_edge("push", text + self._zeros_text(fn), fn, gradients=self._records(gradients))

    @contextlib.contextmanager
    def _watching(self, fn):
        """While `fn` runs, its hooks tell when they are called."""
        replaced = []
        for hooks in (fn._variable_hooks, fn.backward_hooks):
            for key, hook in list(hooks.items()):
                hooks[key] = self._watched(fn, key, hook)
                replaced.append((hooks, key, hook, hooks[key]))
        try:
            yield
        finally:
            for hooks, key, hook, watched in replaced:
                if hooks.get(key) is watched:  # a hook may have removed it
                    hooks[key] = hook

    def _watched(self, fn, key, hook):
        call, *number = hook if isinstance(hook, tuple) else (hook,)
        name = key if isinstance(key, str) else getattr(call, "__name__", type(call).__name__)

        def watched(*gradients):
            result = call(*gradients)
            # A named hook's result is ignored, as in 2016, and so is that of an operator's hook on a Leaf.
            heard = result is not None and (number or not (isinstance(key, str) or isinstance(fn, Leaf)))
            if isinstance(fn, Leaf):
                seen = result if heard else gradients[0]  # the hook may have written into what it saw
                self._gradient = seen[0] if isinstance(seen, tuple) else seen
            replaced = ", and put another gradient in the place of the one it was shown" if heard else ""
            self._note("hook", f"The hook {name!r} of {self._label(fn)} ran{replaced}.", function=fn, name=name)
            return result

        return (watched, *number) if number else watched

    def _accumulated(self, leaf, variable, before):
        gradient, after = self._record(self._gradient), self._record(variable._grad)
        held = "was None" if before is None else f"was {record_text(before)}"
        change = f"which {held}, and is now {record_text(after)}"
        text = f"{self._label(leaf)} adds {record_text(gradient)} to its grad, {change}."
        self._note("accumulate", text, function=leaf, before=before, after=after, gradient=gradient)

    # --- writing it down

    def _note_edge(self, event, text, function, **values):
        self._note(event, text, function, by=self._recorder.number(self._fn), input=self._input, **values)

    def _note(self, event, text, function=None, **values):
        self._settle()
        number = None if function is None else self._recorder.number(function)
        return self._recorder.add(event, text, function=number, line=self._line(), **values)

    def _settle(self):
        """Note how the engine's own `ready` and `not_ready` are after the steps since the last call."""
        steps = self._recorder.steps
        ready = tuple([self._recorder.number(fn) for fn, _ in self._ready])
        not_ready = tuple([self._recorder.number(fn) for fn in self._not_ready])
        for step in steps[self._settled :]:
            step.ready, step.not_ready = ready, not_ready
        self._settled = len(steps)

    def _line(self):
        """The line of the engine's source that runs now: that of the innermost frame in the file of the walk."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self._file:
            frame = frame.f_back
        return None if frame is None else frame.f_lineno

    def _label(self, function):
        return self._recorder.label(function)

    def _which(self, fn, output_nr):
        which = f"output {output_nr} of " if len(fn._output_sizes) > 1 else ""
        return f"{which}{self._label(fn)}"

    def _zeros_text(self, fn):
        missing = self._filled_in.get(fn)
        if not missing:
            return ""
        outputs = f"output{'s' * (len(missing) > 1)} {', '.join(map(str, missing))}"
        return f" Nobody gave a gradient for its {outputs}: zeros stand there."

    def _record(self, gradient):
        return None if gradient is None else tensor_record(gradient.data, self._values)

    def _records(self, gradients):
        return None if gradients is None else [self._record(gradient) for gradient in gradients]


def _numbers(counts):
    """The uses to come of each output; v0.1.1 kept a Counter of the users in place of a number."""
    return [count if isinstance(count, int) else sum(count.values()) for count in counts]


def _source(engine, walk):
    """The text of the class that the frame `walk` runs a method of, an engine's: `file`, its `first` line, `lines`."""
    where = (walk.f_globals["__name__"], walk.f_code.co_qualname.rpartition(".")[0])
    owners = [cls for cls in engine.__mro__ if (cls.__module__, cls.__qualname__) == where]
    for owner in (*owners, walk.f_code):
        with contextlib.suppress(OSError):  # of a class that was typed into a prompt
            lines, first = inspect.getsourcelines(owner)
            return {"file": f"{where[0].replace('.', '/')}.py", "first": first, "lines": [x.rstrip() for x in lines]}
    return None
