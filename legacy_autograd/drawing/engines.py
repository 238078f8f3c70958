"""`compare_engines` runs an engine of your own beside the real one, in step, and names the first difference."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..autograd.engine import ExecutionEngine
from ..autograd.leaf import Leaf
from ..autograd.variable import Variable
from ..tensor import Tensor
from .alignment import align_turns
from .backward import tracing_engine
from .engine_comparison import EngineComparison
from .engine_faults import finding_of
from .engine_rules import Fault
from .holders import HoldersTracing, mark
from .labels import one_line
from .loss_curves import trained, trained_with_the_real_engine
from .names import Names, callers_frame
from .trace import Recorder, Trace, recording_to
from .values import grads_of
from .walk import as_variables, graph_to_show
from .watched_run import Stopped, WatchedRun, error_text, files_of, limited

_MOST_NODES = 1_000
_PARTS = {
    "_begin", "_compute_dependencies", "_run", "_free_backward_dependency", "_is_ready_for_backward", "_add",
}  # fmt: skip


def compare_engines(
    variable: Variable,
    gradient: Tensor | None = None,
    *,
    engine: Any,
    params: dict[str, Variable] | list[tuple[str, Variable]] | None = None,
    title: str | None = None,
    max_nodes: int | None = _MOST_NODES,
    lang: str = "en",
) -> EngineComparison:
    """Run an engine of your own and the real one on the graph of `variable`, and name the first step that differs.

    Each Function must run once, after all gradients for its outputs were computed, and receive their sums. Whether it
    does is seen from the Functions, so the engine needs no `ready`, `not_ready` or `dependencies`: it may be a subclass
    of `ExecutionEngine`, a changed copy of it, or a recursive function of ten lines. Another valid order is a
    difference and no fault. An engine that does not end is stopped.

    Both engines also train the same small regression.

    Every `grad` is afterwards what it was before. Hooks run with each run of an engine, up to three times.

    Args:
        variable: The root of the backward.
        gradient: As in `Variable.backward`.
        engine: A class that is called without arguments, or an instance. It has `run_backward(variable, grad)`.
        params: Names of leaves, as in `make_dot`.
        title: The title of the page. Default: one that names the engine and `variable`.
        max_nodes: The largest number of Functions, leaves included (None: no limit).
        lang: The language of the texts, "en" or "zh".

    Returns:
        The comparison. `print` it for its verdict, `save` it as a page to step through; a notebook shows that page.

    Raises:
        TypeError: If `variable` is not a Variable, or `engine` has no `run_backward`.
        RuntimeError: If `variable` does not require a gradient.
        ValueError: If the graph is larger than `max_nodes`, or `lang` is unknown.

    Example:
        >>> import legacy_autograd as torch
        >>> from legacy_autograd import drawing
        >>> class Mine:
        ...     def run_backward(self, variable, grad):
        ...         self.visit(variable.creator, grad)
        ...
        ...     def visit(self, fn, grad):
        ...         for (prev_fn, _), grad in zip(fn.previous_functions, fn._do_backward(grad)):
        ...             self.visit(prev_fn, grad)
        >>> x = torch.autograd.Variable(torch.DoubleTensor([3]))
        >>> y = x * 2
        >>> drawing.compare_engines(y * y, engine=Mine).fault
        'uses'
    """
    (variable,) = as_variables(variable, "compare_engines")
    gradient = _checked(variable, gradient, engine)
    names = Names(params, callers_frame())
    graph = graph_to_show([variable], max_nodes, "compare_engines", "compare on a smaller graph")
    runs = _Runs(variable, gradient, lambda: Recorder(graph, names, [variable], lang=lang))
    make = engine if isinstance(engine, type) else lambda: engine
    own = make()
    with _grads_kept(graph) as reset:
        real = runs.traced(ExecutionEngine())
        reset()
        watched = runs.watched(own)
        reset()
        mine = runs.in_parts(make, watched) or watched
    finding = finding_of(mine, real, watched.fault)
    if finding.kind not in ("written", "caller"):  # who holds the same tensor explains only these
        for step in (step for run in (mine, real) if run.held is not None for step in run.trace):
            step.extra = None
    align_turns(mine.trace.steps, real.trace.steps)
    label = real.recorder.label
    choices = [(call, label(fn), label(other), key) for call, fn, other, key in getattr(own, "choices", ())]
    about = names.of(variable) or label(variable.creator)
    training = trained(make()), trained_with_the_real_engine()
    name = one_line(type(own).__name__)
    return EngineComparison(name, about, title, lang, mine.trace, real.trace, finding, choices, *training)


def _checked(variable, gradient, engine):
    """Return the gradient to start with. Raises an error if there is no engine, or nothing for it to do."""
    if not callable(getattr(engine, "run_backward", None)):
        needs = "a class or an instance with run_backward(variable, grad)"
        got = engine.__name__ if isinstance(engine, type) else f"a {type(engine).__name__}"
        raise TypeError(f"compare_engines: engine must be {needs}, got {got}")
    if not variable.creator.requires_grad:
        raise RuntimeError("compare_engines: this Variable does not require a gradient: no engine has anything to do")
    if gradient is None:
        return variable.creator._starting_gradient(variable.data)
    variable.creator._check_gradient(gradient, variable.output_nr, variable.data, "compare_engines: got")
    return gradient.data


@dataclass
class _Run:
    """One run. `held` are the holders of gradients after each step, if every step of the engine is recorded."""

    recorder: Recorder
    trace: Trace
    held: list | None = None
    fault: Fault | None = None

    @property
    def pops(self):
        """The indices of the steps at which a Function begins to run."""
        return [step.index for step in self.trace if step.event == "pop" and step.gradients is not None]

    @property
    def calls(self):
        """The numbers of the Functions in the order in which they ran."""
        return [self.trace[index].function for index in self.pops]


class _Runs:
    """Makes runs of engines over one graph. Each run gets its own copy of the gradient."""

    def __init__(self, variable, gradient, recorder):
        self._variable, self._gradient, self._new_recorder = variable, gradient, recorder

    def _recorder(self):
        recorder = self._new_recorder()
        recorder.held = grads_of(recorder.graph)
        return recorder

    def traced(self, engine, is_own=False):
        """Return the run of an engine that has the methods of `ExecutionEngine`, with every step of the engine."""
        recorder, gradient = self._recorder(), self._gradient.clone()
        tracing = tracing_engine(engine, recorder, tracing=HoldersTracing)
        tracing.tensors = {"gradient": gradient}
        edges = sum(map(len, recorder.graph.inputs.values()))
        try:
            with recording_to(recorder), limited(files_of(engine) if is_own else (), edges):
                tracing.run_backward(self._variable, gradient)
        except (Stopped, Exception) as error:
            if not is_own:
                raise
            recorder.add("raise", facts={"error": error_text(error)})
            tracing._settle()
        walks_its_own_way = inspect.unwrap(type(engine).run_backward) is not inspect.unwrap(
            ExecutionEngine.run_backward
        )
        for step in recorder.steps if walks_its_own_way else ():
            step.facts = {**(step.facts or {}), "own": True}
        trace = recorder.trace("backward", "", None, "TB")
        trace.source, trace.is_own = tracing._source, walks_its_own_way
        mark(trace, tracing.held)
        return _Run(recorder, trace, tracing.held)

    def watched(self, engine):
        """Return the run of any engine, with what its Functions did."""
        recorder = self._recorder()
        run = WatchedRun(recorder, self._variable, self._gradient.clone())
        run.run(engine)
        trace = recorder.trace("backward", "", None, "TB")
        trace.source, trace.is_own = _source(engine), True
        return _Run(recorder, trace, fault=run.fault)

    def in_parts(self, make, watched):
        """Return the run with every step of an engine that has the methods of `ExecutionEngine`, and calls them.

        None if it has not, or if it does anything else than in the run `watched`.
        """
        engine = make()
        walk = inspect.unwrap(type(engine).run_backward)
        if not _PARTS <= set(getattr(getattr(walk, "__code__", None), "co_names", ())):
            return None
        with contextlib.suppress(Exception):  # of an engine that can not be traced, for instance one with slots
            run = self.traced(engine, is_own=True)
            events = {step.event for step in run.trace}
            ends_alike = ("end" in events) == (watched.trace[-1].event == "end")
            return run if {"begin", "count"} <= events and ends_alike and run.calls == watched.calls else None
        return None


@contextlib.contextmanager
def _grads_kept(graph) -> Iterator[Callable[[], None]]:
    """Restore every leaf's grad after the block. The block is given a function that does so with copies in between."""
    variables = [leaf.variable for leaf in graph.nodes if isinstance(leaf, Leaf) and leaf.variable is not None]
    held = [(variable, variable._grad) for variable in variables]
    copies = [None if grad is None else grad.clone() for _, grad in held]

    def reset():
        for (variable, _), before in zip(held, copies, strict=True):
            variable._grad = None if before is None else before.clone()

    try:
        reset()
        yield reset
    finally:
        for variable, grad in held:
            variable._grad = grad


def _source(engine):
    """Return the source of the class of `engine`, as `Trace.source`; None if it was typed in interactively."""
    walk = inspect.unwrap(type(engine).run_backward)
    owner = next(cls for cls in type(engine).__mro__ if "run_backward" in vars(cls))
    with contextlib.suppress(OSError, TypeError):
        lines, first = inspect.getsourcelines(owner)
        file = Path(inspect.getsourcefile(walk) or "").name
        return {"file": file, "first": first, "lines": [line.rstrip() for line in lines]}
    return None
