"""`torch.autograd.profiler`: where the time goes, Function by Function (0.3.0, September 2017).

The problem: Python's profiler knows lines of Python. It cannot say that it is the backward of a convolution which takes
the time, since backward has no line of its own in any program.

How the 2016 core makes room for it: every operation is a Function, forward and backward, and there is one place where
each is called. The two callbacks around them (`callbacks.around_call`, `callbacks.around_backward`) look at the clock.
What a Function has others do for it is in its total time, and not in its own ("self").
"""

import contextlib
import functools
import os
import threading
import time
from dataclasses import dataclass, field

from ...utils.text_table import text_table
from .. import callbacks
from .node_api import name as backward_name

_profilers = ()  # those that are running


@dataclass
class FunctionEvent:
    """One call of a Function, or of its backward, or one `record_function`. Times are in microseconds."""

    name: str
    thread: int
    start: float
    input_shapes: tuple = ()
    end: float = 0.0
    cpu_memory_usage: int = 0
    children: list = field(default_factory=list)
    parent: "FunctionEvent" = None

    @property
    def key(self):
        return self.name

    @property
    def cpu_time_total(self):
        return self.end - self.start

    @property
    def self_cpu_time_total(self):
        return self.cpu_time_total - sum([child.cpu_time_total for child in self.children])

    @property
    def self_cpu_memory_usage(self):
        return self.cpu_memory_usage - sum([child.cpu_memory_usage for child in self.children])


@dataclass
class FunctionEventAvg:
    """All events of one name (and, if so asked, of one set of input sizes) together."""

    key: str
    input_shapes: tuple = ()
    count: int = 0
    cpu_time_total: float = 0.0
    self_cpu_time_total: float = 0.0
    cpu_memory_usage: int = 0
    self_cpu_memory_usage: int = 0

    @property
    def cpu_time(self):
        """The mean time of one call."""
        return self.cpu_time_total / self.count if self.count else 0.0

    def add(self, event):
        self.count += 1
        for name in ("cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage"):
            setattr(self, name, getattr(self, name) + getattr(event, name))


class EventList(list):
    """Events, or averages of them, that can be shown as a table."""

    def __init__(self, events=(), profile_memory=False):
        super().__init__(events)
        self.profile_memory = profile_memory

    @property
    def self_cpu_time_total(self):
        """The sum of all own times, in microseconds: that spent within Functions."""
        return sum([event.self_cpu_time_total for event in self])

    def key_averages(self, group_by_input_shape=False):
        """One FunctionEventAvg for each name (and input sizes, if so asked), in the order of their first calls."""
        groups = {}
        for event in self:
            shapes = event.input_shapes if group_by_input_shape else ()
            groups.setdefault((event.name, shapes), FunctionEventAvg(event.name, shapes)).add(event)
        return EventList(groups.values(), self.profile_memory)

    def total_average(self):
        """All events as one."""
        total = FunctionEventAvg("Total")
        for event in self:
            total.add(event)
        return total

    def table(self, sort_by=None, row_limit=100, header=None):
        """A text with a row for each entry, the largest `sort_by` first: "cpu_time", "cpu_time_total",
        "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage" or "count". At most `row_limit` rows."""
        rows = list(self)
        if sort_by is not None:
            if rows and not isinstance(getattr(rows[0], sort_by, None), (int, float)):
                raise AttributeError(f"the profiler's table cannot be sorted by {sort_by!r}")
            rows.sort(key=lambda row: getattr(row, sort_by), reverse=True)
        whole = self.self_cpu_time_total or 1.0
        columns = [
            ("Name", lambda row: row.key),
            ("Self CPU %", lambda row: f"{100 * row.self_cpu_time_total / whole:.2f}%"),
            ("Self CPU", lambda row: shown_time(row.self_cpu_time_total)),
            ("CPU total %", lambda row: f"{100 * row.cpu_time_total / whole:.2f}%"),
            ("CPU total", lambda row: shown_time(row.cpu_time_total)),
            ("CPU time avg", lambda row: shown_time(getattr(row, "cpu_time", row.cpu_time_total))),
        ]
        if self.profile_memory:
            columns.append(("CPU Mem", lambda row: shown_memory(row.cpu_memory_usage)))
            columns.append(("Self CPU Mem", lambda row: shown_memory(row.self_cpu_memory_usage)))
        columns.append(("# of Calls", lambda row: str(getattr(row, "count", 1))))
        if any([row.input_shapes for row in rows]):
            columns.append(("Input Shapes", lambda row: str(list(map(list, row.input_shapes)))))
        cells = [[title for title, _ in columns]]
        cells += [[show(row) for _, show in columns] for row in rows[:row_limit]]
        heading, rule, *lines = text_table(cells, right=range(len(columns)))
        total = f"Self CPU time total: {shown_time(self.self_cpu_time_total)}"
        lines = [rule, heading, rule, *lines, rule, total]
        return "\n".join(lines if header is None else [header, *lines])

    def export_chrome_trace(self, path):
        """Write the events to `path` for chrome://tracing or ui.perfetto.dev: a bar for each, those within it below."""
        import json

        process = os.getpid()
        trace = [
            {
                "name": event.name, "ph": "X", "ts": event.start, "dur": event.cpu_time_total, "pid": process,
                "tid": event.thread, "args": {"Input Dims": [list(shape) for shape in event.input_shapes]},
            }
            for event in self
        ]  # fmt: skip
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": trace, "displayTimeUnit": "ms"}, file)

    def __str__(self):
        return self.table()


class profile:
    """Within this context, every call of a Function and every backward of one is timed, in all threads.

    With `record_shapes` the sizes of the inputs are noted, with `profile_memory` what memory a call took and did not
    give back, in bytes (measured by `tracemalloc`, which slows everything down). With `enabled=False` nothing is done.
    """

    def __init__(self, enabled=True, *, use_cuda=False, record_shapes=False, profile_memory=False):
        if use_cuda:
            raise RuntimeError("profile: use_cuda=True, but there is no CUDA here")
        self.enabled = enabled
        self.record_shapes = record_shapes
        self.profile_memory = profile_memory
        self.function_events = EventList(profile_memory=profile_memory)
        self._open = threading.local()
        self._cleanup = contextlib.ExitStack()

    def __enter__(self):
        global _profilers
        if not self.enabled:
            return self
        if self.profile_memory:
            import tracemalloc  # few profiles need it, and `import legacy_autograd` would pay for it

            self._memory = tracemalloc.get_traced_memory
            if not tracemalloc.is_tracing():
                tracemalloc.start()
                self._cleanup.callback(tracemalloc.stop)
        callbacks.around_call.register(self._around_call)
        callbacks.around_backward.register(self._around_backward)
        _profilers = (*_profilers, self)
        return self

    def __exit__(self, *exception):
        global _profilers
        if not self.enabled:
            return
        _profilers = tuple([profiler for profiler in _profilers if profiler is not self])
        callbacks.around_call.remove(self._around_call)
        callbacks.around_backward.remove(self._around_backward)
        self._cleanup.close()

    def _around_call(self, function, proceed, *variables):
        with self.event(type(function).__name__, variables):
            return proceed(*variables)

    def _around_backward(self, function, proceed, *gradients):
        with self.event(backward_name(function), gradients):
            return proceed(*gradients)

    @contextlib.contextmanager
    def event(self, name, inputs=()):
        """Time what runs within this context, under `name`."""
        stack = vars(self._open).setdefault("stack", [])
        shapes = tuple([x.array.shape for x in inputs if x is not None]) if self.record_shapes else ()
        event = FunctionEvent(name, threading.get_native_id(), 0.0, shapes, parent=stack[-1] if stack else None)
        if stack:
            stack[-1].children.append(event)
        stack.append(event)
        self.function_events.append(event)
        memory = self._memory()[0] if self.profile_memory else 0
        event.start = time.perf_counter_ns() / 1000
        try:
            yield event
        finally:
            event.end = time.perf_counter_ns() / 1000
            if self.profile_memory:
                event.cpu_memory_usage = self._memory()[0] - memory
            stack.pop()

    # --- what was seen

    @property
    def self_cpu_time_total(self):
        return self.function_events.self_cpu_time_total

    def key_averages(self, group_by_input_shape=False):
        return self.function_events.key_averages(group_by_input_shape)

    def total_average(self):
        return self.function_events.total_average()

    def table(self, sort_by=None, row_limit=100, header=None):
        return self.function_events.table(sort_by, row_limit, header)

    def export_chrome_trace(self, path):
        self.function_events.export_chrome_trace(path)

    def __str__(self):
        return self.table()


class record_function:
    """A part of the program under a name of its own in the profile: a context, or a decorator (1.0)."""

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        self._events = contextlib.ExitStack()
        for profiler in _profilers:
            self._events.enter_context(profiler.event(self.name))
        return self

    def __exit__(self, *exception):
        self._events.close()

    def __call__(self, function):
        @functools.wraps(function)
        def recorded(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)

        return recorded


def shown_time(microseconds):
    """A time as the table shows it: 12.345us, 1.234ms, 1.234s."""
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"


def shown_memory(count):
    """A number of bytes as the table shows it: 100 b, 1.50 Kb, 2.00 Mb."""
    for size, unit in ((2**30, "Gb"), (2**20, "Mb"), (2**10, "Kb")):
        if abs(count) >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count} b"
