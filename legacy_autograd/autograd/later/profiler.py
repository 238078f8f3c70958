"""`torch.autograd.profiler`: the time that each Function takes (0.3.0, September 2017).

The problem: Python's profiler measures lines of Python. It cannot tell that the backward of a convolution takes the
time, since backward has no line of its own in any program.

How the 2016 core makes room for it: every operation is a Function, in forward and in backward, and each direction is
called in a single place. The two callbacks around them (`callbacks.around_call`, `callbacks.around_backward`) measure
the time. The total time of a Function includes the Functions that it calls; its own time ("self") does not.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...utils.text_table import text_table
from .. import callbacks
from .node_api import name as backward_name

_profilers = ()  # the profilers that are running
_thread_id = getattr(threading, "get_native_id", threading.get_ident)  # WebAssembly has no native threads


@dataclass
class FunctionEvent:
    """One call of a Function, of its backward, or one `record_function`. Times are in microseconds, memory in bytes."""

    name: str
    thread: int
    start: float
    input_shapes: tuple = ()
    end: float = 0.0
    cpu_memory_usage: int = 0
    children: list = field(default_factory=list)
    parent: FunctionEvent | None = None

    @property
    def key(self) -> str:
        """The name of the event."""
        return self.name

    @property
    def cpu_time_total(self) -> float:
        """The time from start to end."""
        return self.end - self.start

    @property
    def self_cpu_time_total(self) -> float:
        """The time from start to end without that of the events within this one."""
        return self.cpu_time_total - sum([child.cpu_time_total for child in self.children])

    @property
    def self_cpu_memory_usage(self) -> int:
        """The memory without that of the events within this one."""
        return self.cpu_memory_usage - sum([child.cpu_memory_usage for child in self.children])


@dataclass
class FunctionEventAvg:
    """The sum of all events of one name, and optionally of one set of input shapes."""

    key: str
    input_shapes: tuple = ()
    count: int = 0
    cpu_time_total: float = 0.0
    self_cpu_time_total: float = 0.0
    cpu_memory_usage: int = 0
    self_cpu_memory_usage: int = 0

    @property
    def cpu_time(self) -> float:
        """The mean time of one call."""
        return self.cpu_time_total / self.count if self.count else 0.0

    def add(self, event: FunctionEvent) -> None:
        """Add an event to the sums.

        Args:
            event: The event.
        """
        self.count += 1
        for name in ("cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage"):
            setattr(self, name, getattr(self, name) + getattr(event, name))


class EventList(list):
    """Events, or sums of events, with a table of them.

    Args:
        events: The events.
        profile_memory: Whether the table has columns of memory.
    """

    def __init__(self, events: Iterable[Any] = (), profile_memory: bool = False) -> None:
        super().__init__(events)
        self.profile_memory = profile_memory

    @property
    def self_cpu_time_total(self) -> float:
        """The sum of the events' own times, in microseconds: the time spent within Functions."""
        return sum([event.self_cpu_time_total for event in self])

    def key_averages(self, group_by_input_shape: bool = False) -> EventList:
        """Return one FunctionEventAvg for each name, in the order of the first calls.

        Args:
            group_by_input_shape: Whether calls with other input shapes are counted separately.
        """
        groups: dict[Any, FunctionEventAvg] = {}
        for event in self:
            shapes = event.input_shapes if group_by_input_shape else ()
            groups.setdefault((event.name, shapes), FunctionEventAvg(event.name, shapes)).add(event)
        return EventList(groups.values(), self.profile_memory)

    def total_average(self) -> FunctionEventAvg:
        """Return the sum of all events."""
        total = FunctionEventAvg("Total")
        for event in self:
            total.add(event)
        return total

    def table(self, sort_by: str | None = None, row_limit: int = 100, header: str | None = None) -> str:
        """Return a text table with one row for each entry.

        Args:
            sort_by: The column to sort by, largest first: "cpu_time", "cpu_time_total", "self_cpu_time_total",
                "cpu_memory_usage", "self_cpu_memory_usage" or "count". Default: unsorted.
            row_limit: The largest number of rows.
            header: A line above the table.

        Raises:
            AttributeError: If the entries have no number called `sort_by`.
        """
        rows = list(self)
        if sort_by is not None:
            if rows and not isinstance(getattr(rows[0], sort_by, None), (int, float)):
                raise AttributeError(
                    f"profiler: table cannot be sorted by {sort_by!r}, which is no number of its entries"
                )
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

    def export_chrome_trace(self, path: str) -> None:
        """Write the events for chrome://tracing or ui.perfetto.dev, with a bar for each event.

        Args:
            path: The JSON file to write.
        """
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
    """Measure every call of a Function, and of its backward, within this context, in all threads.

    Args:
        enabled: Whether anything is measured.
        use_cuda: Only False is accepted.
        record_shapes: Whether the shapes of the inputs are recorded.
        profile_memory: Whether the memory that a call allocated and did not free is recorded, in bytes. `tracemalloc`
            measures it and slows everything down.

    Raises:
        RuntimeError: If `use_cuda` is True.
    """

    def __init__(
        self, enabled: bool = True, *, use_cuda: bool = False, record_shapes: bool = False, profile_memory: bool = False
    ) -> None:
        if use_cuda:
            raise RuntimeError("profile: use_cuda=True needs CUDA, and legacy_autograd has no CUDA")
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
        try:
            if self.profile_memory:
                import tracemalloc  # few profiles need it, and it would slow `import legacy_autograd`

                self._memory = tracemalloc.get_traced_memory
                if not tracemalloc.is_tracing():
                    self._cleanup.callback(tracemalloc.stop)
                    tracemalloc.start()
            self._cleanup.enter_context(callbacks.around_call.within(self._around_call))
            self._cleanup.enter_context(callbacks.around_backward.within(self._around_backward))
            _profilers = (*_profilers, self)
        except BaseException:
            self._cleanup.close()
            raise
        return self

    def __exit__(self, *exception):
        global _profilers
        if not self.enabled:
            return
        try:
            _profilers = tuple([profiler for profiler in _profilers if profiler is not self])
        finally:
            self._cleanup.close()

    def _around_call(self, function, proceed, *variables):
        with self.event(type(function).__name__, variables):
            return proceed(*variables)

    def _around_backward(self, function, proceed, *gradients):
        with self.event(backward_name(function), gradients):
            return proceed(*gradients)

    @contextlib.contextmanager
    def event(self, name: str, inputs: Sequence[Any] = ()) -> Iterator[FunctionEvent]:
        """Measure the code within this context as one event.

        Args:
            name: The name of the event.
            inputs: Variables or Tensors whose shapes may be recorded, or None for an absent one.

        Yields:
            The event.
        """
        stack = vars(self._open).setdefault("stack", [])
        shapes = tuple([x.array.shape for x in inputs if x is not None]) if self.record_shapes else ()
        parent = stack[-1] if stack else None
        event = FunctionEvent(name, _thread_id(), 0.0, shapes, parent=parent)
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

    # --- the results

    @property
    def self_cpu_time_total(self) -> float:
        """The sum of the events' own times, in microseconds."""
        return self.function_events.self_cpu_time_total

    def key_averages(self, group_by_input_shape: bool = False) -> EventList:
        """Return one FunctionEventAvg for each name, in the order of the first calls.

        Args:
            group_by_input_shape: Whether calls with other input shapes are counted separately.
        """
        return self.function_events.key_averages(group_by_input_shape)

    def total_average(self) -> FunctionEventAvg:
        """Return the sum of all events."""
        return self.function_events.total_average()

    def table(self, sort_by: str | None = None, row_limit: int = 100, header: str | None = None) -> str:
        """Return a text table with one row for each event; see `EventList.table`.

        Args:
            sort_by: The column to sort by, largest first.
            row_limit: The largest number of rows.
            header: A line above the table.

        Raises:
            AttributeError: If the events have no number called `sort_by`.
        """
        return self.function_events.table(sort_by, row_limit, header)

    def export_chrome_trace(self, path: str) -> None:
        """Write the events for chrome://tracing or ui.perfetto.dev.

        Args:
            path: The JSON file to write.
        """
        self.function_events.export_chrome_trace(path)

    def __str__(self):
        return self.table()


class record_function:
    """A named part of the program in the profile: a context, or a decorator (1.0).

    Args:
        name: The name of the event.
        args: Accepted and ignored.
    """

    def __init__(self, name: str, args: str | None = None) -> None:
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


def shown_time(microseconds: float) -> str:
    """Return a time as the table shows it: 12.345us, 1.234ms, 1.234s.

    Args:
        microseconds: The time.
    """
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"


def shown_memory(count: int) -> str:
    """Return a number of bytes as the table shows it: 100 b, 1.50 Kb, 2.00 Mb.

    Args:
        count: The number of bytes.
    """
    for size, unit in ((2**30, "Gb"), (2**20, "Mb"), (2**10, "Kb")):
        if abs(count) >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count} b"
