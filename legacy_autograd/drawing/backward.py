"""`trace_backward` runs a real backward and records every event of the engine.

The engine is not copied. A subclass of the engine in use overrides its methods, records arguments and results, and
calls `super()`; `ready` and `not_ready` are the engine's own objects. The line of a step is the current line of the
engine's frame. An untraced backward runs none of this code.
"""

import contextlib
import functools
import inspect
import itertools
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy

from ..autograd.function import as_tuple
from ..autograd.leaf import Leaf
from ..autograd.variable import Variable
from ..tensor import Tensor
from .derivatives import LocalDerivatives
from .expressions import expressions_in
from .labels import tensor_record
from .names import Names, callers_frame
from .operations import operations_of
from .replaced import replaced
from .trace import Recorder, Trace, recording_to
from .values import grad_as_read, grads_of
from .walk import MOST_NODES, as_variables, graph_to_show


def trace_backward(
    variable: Variable,
    gradient: Tensor | None = None,
    retain_variables: bool = True,
    *,
    params: dict[str, Variable] | list[tuple[str, Variable]] | None = None,
    values: int = 16,
    rankdir: str = "TB",
    title: str | None = None,
    clock: Callable[[], float] | None = None,
    max_nodes: int | None = MOST_NODES,
    lang: str = "en",
) -> Trace:
    """Run `variable.backward(gradient)` and record every step of the engine.

    The backward is real: gradients are accumulated in the leaves, hooks run, and errors are raised as without the
    trace. A backward that a hook starts is not recorded. The engines of `legacy_autograd.historical` can be traced as
    well.

    A step has one of these events:
        begin: The root is pushed onto the stack `ready`.
        count: `_compute_dependencies` counts the dependencies.
        pop: A Function is popped from `ready`.
        hook: A hook runs.
        accumulate: A Leaf accumulates its gradient.
        drop: A Leaf drops its gradient because its Variable is gone.
        ran: A Function returned its gradients.
        free: `_free_backward_dependency` removes a dependency.
        ask: `_is_ready_for_backward` checks a Function.
        add: A gradient is added to those that have arrived.
        push: A Function is pushed onto `ready`.
        note: `drawing.note` was called.
        end: The backward is complete.

    Each step also has the `line` of the engine's source that did it (`trace.source` contains the text) and, as `turn`,
    the Function that is running.

    Args:
        variable: The root of the backward.
        gradient: As in `Variable.backward`.
        retain_variables: As in `Variable.backward`.
        params: Names of leaves, as in `make_dot`.
        values: How many numbers of each gradient are recorded.
        rankdir: The direction of the layout, as in Graphviz: "TB", "LR", "BT" or "RL". The arrows are those of
            `previous_functions`, along which gradients travel, so "TB" has the root on top. `make_dot` and
            `trace_forward` follow the data and have the leaves on top; here "BT" does.
        title: The title of the page. Default: a title that names `variable`.
        clock: A function that returns the time, such as `time.perf_counter`; it is called at every event.
        max_nodes: The largest number of Functions, leaves included (10,000; None: no limit).
        lang: The language of the steps' texts, "en" or "zh".

    Returns:
        The recorded trace.

    Raises:
        TypeError: If `variable` is not a Variable.
        ValueError: If the graph is larger than `max_nodes`, or `lang` is unknown. No backward has run then.

    Example:
        >>> import legacy_autograd as torch
        >>> from legacy_autograd import drawing
        >>> x = torch.autograd.Variable(torch.DoubleTensor([3]))
        >>> trace = drawing.trace_backward(x * x)
        >>> trace[-1].event
        'end'
    """
    (variable,) = as_variables(variable, "trace_backward")
    frame = callers_frame()
    names = Names(params, frame)
    advice = "trace the backward of a smaller part"
    graph = graph_to_show([variable], max_nodes, "trace_backward", advice)
    recorder = Recorder(graph, names, [variable], values, clock, lang)
    recorder.held = grads_of(graph, values)
    for function, (text, result) in expressions_in(frame, graph, variable).items():
        recorder.expressions[function] = text
        if result is not None:
            recorder.values.setdefault((function, 0), tensor_record(result, values))
    operations = operations_of(recorder, variable.data.array.dtype)
    options: dict[str, Any] = {} if retain_variables else {"retain_variables": False}
    over = functools.partial(tracing_engine, recorder=recorder, values=values)
    try:
        with engine_of(type(variable), over) as engine, recording_to(recorder):
            variable.backward(gradient, **options)
    except Exception as error:
        if recorder.steps:
            error.add_note(f"trace_backward: raised after step {len(recorder.steps) - 1}: {recorder.last_sentence()}")
        raise
    about = names.of(variable) or recorder.expressions.get(variable.creator) or recorder.label(variable.creator)
    trace = recorder.trace("backward", title, about, rankdir)
    trace.source, trace.derivatives = engine._source, engine._derivatives.finish()
    if engine._derivatives.is_own_engine:
        trace.operations = operations if "refused" in operations else operations | engine._derivatives.start
    return trace


@contextlib.contextmanager
def engine_of(cls, over):
    """Within the block, the Variables of `cls` run backwards with `over(their engine)`, which the block is given."""
    owner = next(base for base in cls.__mro__ if "_execution_engine" in vars(base))
    engine = over(owner._execution_engine)
    with replaced({(owner, "_execution_engine"): engine}):
        yield engine


def tracing_engine(plain, recorder, values=16, tracing=None):
    """Return an engine that works like `plain` and reports to `recorder`. `tracing` is `Tracing` or a subclass."""
    return type("TracingEngine", (tracing or Tracing, type(plain)), {})(recorder, plain, values)


_MOST_MISSING = 3  # Functions that a sentence names


class _Stack(list):
    """The engine's `ready`; it reports to `tracing` every push and pop, and the line that finds it empty."""

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


class Tracing:
    """The methods of an `ExecutionEngine`, which also record their arguments and results."""

    def __init__(self, recorder, plain, values):
        self._recorder = recorder
        self._plain = plain
        self._values = values
        self._thread = threading.get_ident()
        self._is_running = False
        self._ready, self._not_ready = (), {}  # the engine's own objects, after `_begin`
        self._file = self._source = self._end_line = None  # the file of the engine's run_backward
        self._settled = len(recorder.steps)  # the number of steps with a recorded `ready`
        self._filled_in = {}  # {Function: numbers of the outputs that get zeros}
        self._derivatives = LocalDerivatives(recorder, type(plain))
        self._counted = {}  # {Function: its gradients}, as `_compute_dependencies` counted them
        self._left = 0  # gradients that are still to come for the Function that was asked for last
        self._missing = {}  # {Function: {(user, its input)} that have not yet passed a gradient to it}
        self._fn = self._input = None  # the Function that ran last, and its current input

    # --- the methods of the engine

    def run_backward(self, variable, grad, *options, **named_options):
        if self._is_running or threading.get_ident() != self._thread:
            return self._plain.run_backward(variable, grad, *options, **named_options)
        self._is_running = True
        super().run_backward(variable, grad, *options, **named_options)
        self._recorder.turn = None
        self._note("end").line = self._end_line
        self._settle()

    def _begin(self, variable, grad):
        walk = sys._getframe(1)
        self._file, self._source = walk.f_code.co_filename, _source(type(self._plain), walk)
        ready, self._not_ready = super()._begin(variable, grad)
        self._ready = _Stack(ready, self)
        fn, gradients = ready[-1]
        self._derivatives.begin(fn, gradients)
        self._note("begin", fn, gradients=self._records(gradients), facts=self._zeros_of(fn))
        return self._ready, self._not_ready

    def _compute_dependencies(self, function):
        dependencies = super()._compute_dependencies(function)
        counts = {self._recorder.number(fn): _numbers(counts) for fn, counts in dependencies.items()}
        self._missing = self._senders()
        self._counted = {fn: sum(_numbers(counts)) for fn, counts in dependencies.items()}
        self._note("count", counts=counts)
        return dependencies

    def _run(self, fn, grad_output):
        self._input, self._next_input = None, 0
        self._gradient = grad_output[0] if grad_output else None
        self._has_answered = False
        variable = fn.variable if isinstance(fn, Leaf) else None
        before = None if variable is None else self._record(grad_as_read(variable))
        with self._watching(fn):
            grad_input = super()._run(fn, grad_output)
        if grad_output is None:
            return grad_input
        self._derivatives.add(fn, grad_output, (self._gradient,) if isinstance(fn, Leaf) else grad_input)
        if variable is not None:
            gradient, after = self._record(self._gradient), self._record(variable._grad)
            self._note("accumulate", fn, before=before, after=after, gradient=gradient)
        elif isinstance(fn, Leaf):
            self._note("drop", fn, gradient=self._record(self._gradient))
        else:
            self._answered(fn, grad_input)
        return grad_input

    def _answered(self, fn, grad_input):
        """Record what backward of `fn` returned, once and before its hooks get it."""
        if not self._has_answered:
            self._has_answered = True
            self._note("ran", fn, gradients=self._records(grad_input))

    def _free_backward_dependency(self, dependencies, prev_fn, fn, arg_id):
        self._settle()
        before = _numbers(dependencies[prev_fn])
        output_nr = super()._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
        after = _numbers(dependencies[prev_fn])[output_nr]
        while not fn._sources()[self._next_input][0].requires_grad:
            self._next_input += 1
        self._input = self._next_input
        self._next_input += 1
        self._missing.get(prev_fn, {}).pop((fn, self._input), None)
        self._note_edge("free", prev_fn, output=output_nr, before=before[output_nr], after=after)
        return output_nr

    def _senders(self):
        """Return {Function: {(user, its input): None}} of the gradients that Functions of the graph will receive."""
        return {
            fn: {(user, input): None for user, input, _ in uses if user.requires_grad}
            for fn, uses in self._recorder.graph.uses.items()
            if fn.requires_grad
        }

    def _waiting(self, fn, left):
        """Return the facts of a Function that waits for `left` of `of` gradients, and the first of their senders."""
        senders = dict.fromkeys(user for user, _ in itertools.islice(self._missing.get(fn, ()), _MOST_MISSING))
        return {"left": left, "of": self._counted[fn], "missing": [self._recorder.number(user) for user in senders]}

    def _is_ready_for_backward(self, dependencies, function):
        answer = super()._is_ready_for_backward(dependencies, function)
        self._left = sum(_numbers(dependencies[function]))
        self._note_edge("ask", function, answer=answer, facts={"left": self._left})
        return answer

    def _add(self, gradients, fn, output_nr, grad):
        before, gradient = self._record(gradients[output_nr]), self._record(grad)
        super()._add(gradients, fn, output_nr, grad)
        after = self._record(gradients[output_nr])
        facts = self._waiting(fn, self._left) if self._left else None
        self._note_edge("add", fn, output=output_nr, before=before, after=after, gradient=gradient, facts=facts)

    def _complete(self, fn, gradients):
        missing = [number for number, gradient in enumerate(gradients) if gradient is None]
        completed = super()._complete(fn, gradients)
        if completed is not None:
            self._filled_in[fn] = missing
        return completed

    # --- while a Function runs

    def _popped(self, fn, grad_output):
        self._fn, self._recorder.turn = fn, self._recorder.number(fn)
        self._note("pop", fn, gradients=self._records(grad_output))

    def _pushed(self, fn, gradients):
        self._note_edge("push", fn, gradients=self._records(gradients), facts=self._zeros_of(fn))

    @contextlib.contextmanager
    def _watching(self, fn):
        """While `fn` runs, record the calls of its hooks."""
        swapped = []
        try:
            for hooks in (fn._variable_hooks, fn.backward_hooks):
                for key, hook in list(hooks.items()):
                    watched = self._watched(fn, key, hook, hooks is fn._variable_hooks)
                    swapped.append((hooks, key, hook, watched))
                    hooks[key] = watched
            yield
        finally:
            for hooks, key, hook, watched in swapped:
                if hooks.get(key) is watched:  # a hook may have removed it
                    hooks[key] = hook

    def _watched(self, fn, key, hook, is_of_variable):
        call, *number = hook if isinstance(hook, tuple) else (hook,)
        name = key if isinstance(key, str) else getattr(call, "__name__", type(call).__name__)
        is_leaf = isinstance(fn, Leaf)
        # The result of a named hook is ignored, as in 2016, and so is that of an operator's hook on a Leaf.
        is_heard = is_of_variable or not (isinstance(key, str) or is_leaf)
        when = "before" if is_of_variable or is_leaf else "after"
        output = number[0] if is_of_variable else None

        def watched(*gradients):
            if when == "after":
                self._answered(fn, gradients[0])
            shown = as_tuple(gradients[0])
            before = [None if gradient is None else gradient.data.array.copy() for gradient in shown]
            records = self._records(shown)
            step = self._note("hook", fn, name=name, gradients=records, output=output, facts={"when": when})
            result = call(*gradients)
            seen = as_tuple(result) if is_heard and result is not None else shown
            if seen is not shown or any(map(_differ, before, shown)):  # the hook may have changed a gradient in place
                step.after = self._records(seen)
            if is_leaf:
                self._gradient = seen[0]
            return result

        return (watched, *number) if number else watched

    # --- recording

    def _note_edge(self, event, function, **values):
        self._note(event, function, by=self._recorder.number(self._fn), input=self._input, **values)

    def _note(self, event, function=None, **values):
        self._settle()
        number = None if function is None else self._recorder.number(function)
        return self._recorder.add(event, function=number, line=self._line(), **values)

    def _settle(self):
        """Record the engine's own `ready` and `not_ready` for the steps since the last call."""
        steps = self._recorder.steps
        if self._settled == len(steps):
            return
        ready = tuple([self._recorder.number(fn) for fn, _ in self._ready])
        not_ready = tuple([self._recorder.number(fn) for fn in self._not_ready])
        for step in steps[self._settled :]:
            step.ready, step.not_ready = ready, not_ready
        self._settled = len(steps)

    def _line(self):
        """Return the current line of the engine's source: that of the innermost frame in the file of the walk."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self._file:
            frame = frame.f_back
        return None if frame is None else frame.f_lineno

    def _zeros_of(self, fn):
        missing = self._filled_in.get(fn)
        return {"zeros": missing} if missing else None

    def _record(self, gradient):
        return None if gradient is None else tensor_record(gradient.data, self._values)

    def _records(self, gradients):
        return None if gradients is None else [self._record(gradient) for gradient in gradients]


def _numbers(counts):
    """Return the remaining uses of each output; v0.1.1 kept a Counter of the users instead of a number."""
    return [count if isinstance(count, int) else sum(count.values()) for count in counts]


def _source(engine, walk):
    """Return the source of the engine class whose method runs in the frame `walk`: `file`, `first` line, `lines`."""
    where = (walk.f_globals["__name__"], walk.f_code.co_qualname.rpartition(".")[0])
    owners = [cls for cls in engine.__mro__ if (cls.__module__, cls.__qualname__) == where]
    for owner in (*owners, walk.f_code):
        with contextlib.suppress(OSError):  # a class defined in an interactive session has no source
            lines, first = inspect.getsourcelines(owner)
            return {"file": f"{where[0].replace('.', '/')}.py", "first": first, "lines": [x.rstrip() for x in lines]}
    return None


def _differ(before, gradient):
    return before is not None and not numpy.array_equal(before, gradient.data.array, equal_nan=before.dtype.kind == "f")
