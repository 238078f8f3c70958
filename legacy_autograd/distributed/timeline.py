"""When buckets are sent during backward: a `Timeline` of one rank, and a page that steps through several ranks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from ..autograd.variable import Variable
    from ..drawing import Trace
    from .data_parallel import DistributedDataParallel

_BAR = 60  # characters


class Timeline:
    """A record of the buckets in one or more backwards.

        with Timeline(model) as timeline:
            loss.backward()
        print(timeline)

    `events` is a list of (seconds since the block began, "ready", "start" or "end", number of the bucket). A bucket is
    ready when all its gradients have arrived. "start" is the start of its all-reduce, "end" the moment when this rank
    finds it finished.

    Args:
        model: The wrapped Module.
    """

    def __init__(self, model: DistributedDataParallel) -> None:
        self._model = model
        self.events: list[tuple[float, str, int]] = []
        self.seconds = 0.0

    def __enter__(self):
        self._begin = time.perf_counter()
        self._model.listen(lambda event, number: self.events.append((self._now(), event, number)))
        return self

    def __exit__(self, *exception):
        self._model.listen(None)
        self.seconds = self._now()

    def _now(self):
        return time.perf_counter() - self._begin

    def started_before_the_last_gradient(self) -> int:
        """Return how many all-reduces started before the last bucket was ready, and so overlapped with backward."""
        ready = [place for place, (_, event, _) in enumerate(self.events) if event == "ready"]
        last = max(ready, default=0)
        return sum(event == "start" and place < last for place, (_, event, _) in enumerate(self.events))

    def __str__(self):
        lines = [f"bucket  {'0 ms':<{_BAR - 10}}{self.seconds * 1000:>7.1f} ms"]
        begun = {}
        for when, event, number in self.events:
            if event == "start":
                begun[number] = when
            elif event == "end":
                first, last = (int(moment / self.seconds * (_BAR - 1)) for moment in (begun[number], when))
                lines.append(f"{number:>6}  {'.' * first}{'=' * (last - first + 1)}{'.' * (_BAR - 1 - last)}")
        return "\n".join([*lines, "        = from the start of the all-reduce until its end was noticed"])


def save_page_of_ranks(path: str | Path, loss: Variable, model: DistributedDataParallel, **options: Any) -> Trace:
    """Run `loss.backward()` in all ranks, and write one page that steps through all of them; return this rank's trace.

    The steps are in order of time, with a note at the start and the end of each bucket's all-reduce. Rank 0 writes the
    page.

    Args:
        path: The file.
        loss: The loss of this rank.
        model: The wrapped Module that computed the loss.
        **options: Options of `drawing.trace_backward`.

    Raises:
        LayoutUnavailable: In all ranks, if rank 0 cannot lay out a graph.
    """
    from ..drawing import LayoutUnavailable, Trace, trace_backward
    from ..drawing.page import save_page

    group = model.process_group
    group.barrier("the page of ranks")
    begin = time.perf_counter()  # clocks of different machines differ, so all start here

    def clock():
        return time.perf_counter() - begin

    options = {"params": dict(model.module.named_parameters()), "title": f"backward in {group.size} ranks", **options}
    trace = trace_backward(loss, clock=clock, **options)
    texts = group.gather(trace.to_json(), "the page of ranks")
    problem = None
    if group.rank == 0:
        try:
            save_page(path, {f"rank {rank}": Trace.from_json(text) for rank, text in enumerate(texts)})
        except LayoutUnavailable as error:
            problem = str(error)
    problem = group.broadcast(problem, "the page of ranks")
    if problem is not None:
        raise LayoutUnavailable(problem)
    return trace
