"""`trace_forward` records how the graph is built, call by call, through `callbacks.around_call`."""

import contextlib
import sys
import threading
from collections.abc import Iterator

from ..autograd import callbacks
from ..autograd.variable import Variable
from .labels import attribute_text, tensor_record
from .names import Names
from .replaced import replaced
from .sentences import words_in
from .trace import Recorder, Trace
from .walk import MOST_NODES, Graph, inputs_of, too_large


@contextlib.contextmanager
def trace_forward(
    *,
    params: dict[str, Variable] | list[tuple[str, Variable]] | None = None,
    values: int = 16,
    rankdir: str = "TB",
    title: str | None = None,
    max_nodes: int | None = MOST_NODES,
    lang: str = "en",
) -> Iterator[Trace]:
    """Record every call of a Function within the block `with drawing.trace_forward() as trace:`.

    The trace has its steps after the block has ended. Calls in other threads are not recorded. All computed results
    stay alive until the block ends.

    A call has these events:
        call: `Function.__call__` gets its Variables.
        forward: `forward` gets the Tensors that `_do_forward` unpacked.
        wrap: Each result becomes a Variable whose `creator` is the Function.
        link: `previous_functions` and the other attributes are recorded.
        unrecorded: The call was not recorded, for example under `no_grad`.
        raise: The call raised an exception.

    Args:
        params: Names of Variables. Default: the names that they have where the block is.
        values: How many numbers of each result are recorded.
        rankdir: The direction of the layout, as in Graphviz: "TB", "LR", "BT" or "RL".
        title: The title of the page. Default: a title in the language `lang`.
        max_nodes: The largest number of calls (10,000; None: no limit).
        lang: The language of the steps' texts, "en" or "zh".

    Yields:
        The trace, without steps until the block has ended.

    Raises:
        ValueError: If there are more than `max_nodes` calls, or `lang` is unknown.
    """
    frame, thread = sys._getframe(2), threading.get_ident()
    trace = Trace("forward", "" if title is None else title)
    calls: list[_Call] = []
    words_in(lang)  # raises for an unknown language before the block runs

    def around_call(function, proceed, *variables):
        if threading.get_ident() != thread:
            return proceed(*variables)
        if max_nodes is not None and len(calls) >= max_nodes:
            raise too_large("trace_forward", f"more than {max_nodes}", "trace a smaller part")
        call = _Call(function, variables)
        calls.append(call)
        with call.watching_forward(values):
            try:
                call.outputs = proceed(*variables)
            except Exception as error:
                call.error = f"{type(error).__name__}: {error}"
                raise
        return call.outputs

    try:
        with callbacks.around_call.within(around_call):
            yield trace
    finally:
        trace.become(_told(calls, Names(params, frame), values, lang).trace("forward", title, None, rankdir))


def _told(calls, names, values, lang):
    """Return the `Recorder` with the steps of all `calls`."""
    recorded = [call.function for call in calls if call.is_recorded]
    used = {prev_fn for function in recorded for prev_fn, _ in function._sources()}
    graph = Graph([(function, 0) for function in recorded if function not in used], inputs_of)
    recorder = Recorder(graph, names, [variable for call in calls for variable in call.outputs], values, lang=lang)
    for call in calls:
        recorder.turn = recorder.graph.number.get(call.function)
        call.tell(recorder)
    recorder.turn = None
    recorder.add("end", facts={})
    return recorder


class _Call:
    """One call: the facts recorded while it runs, and the steps made from them."""

    def __init__(self, function, variables):
        self.function = function
        self.variables = variables
        self.unpacked = None  # the arguments of forward as records; `results` are its results
        self.results = None
        self.outputs = ()
        self.error = None

    @property
    def is_recorded(self):
        """Whether the call recorded the creators of its inputs; not under `no_grad`, nor if it raised."""
        return bool(self.function.previous_functions)

    def watching_forward(self, values):
        """Return a context in which `forward` records its arguments and results."""
        forward = self.function.forward

        def watched(*tensors):
            self.unpacked = [tensor_record(tensor, values) for tensor in tensors]
            raw_output = forward(*tensors)
            outputs = raw_output if isinstance(raw_output, tuple) else (raw_output,)
            self.results = [tensor_record(tensor, values) for tensor in outputs if hasattr(tensor, "array")]
            return raw_output

        return replaced({(self.function, "forward"): watched})

    def tell(self, recorder):
        """Add the steps of the call, when the whole graph is known and every Function has its number."""
        self.recorder = recorder
        self.number = recorder.graph.number.get(self.function)
        self.kind = type(self.function).__name__
        self._add("call", {"inputs": list(map(self._variable, self.variables))})
        if self.results is not None:
            saved = [attribute_text(tensor) for tensor in getattr(self.function, "_saved", None) or ()]
            sizes = [record["size"] for record in self.unpacked]
            self._add("forward", {"sizes": sizes, "saved": saved}, gradients=self.results)
        if self.error is not None:
            self._add("raise", {"error": self.error})
        elif self.number is None:
            self._add("unrecorded", {})
        else:
            self._tell_links()

    def _tell_links(self):
        function = self.function
        names = [self.recorder.names.of(variable) for variable in self.outputs]
        leaves = [variable.creator is not function for variable in self.outputs]
        self._add("wrap", {"outputs": names, "leaves": leaves})
        facts = {
            "links": [self._edge(*edge) for edge in inputs_of(function)],
            "outputs": names,
            "needs_input_grad": list(function.needs_input_grad),
            "requires_grad": function.requires_grad,
        }
        self._add("link", facts)

    def _variable(self, variable):
        """Return a Variable's name, or the Function that made it."""
        name = self.recorder.names.of(variable)
        if name is not None:
            return {"name": name}
        creator = variable.creator
        edge = self._edge(creator, creator.output_ids.get(id(variable), 0))
        return {**edge, "leaf": creator.previous_functions == []}

    def _edge(self, function, output):
        """Return an output of a Function; the number is None if the Function is not in the graph."""
        number = self.recorder.graph.number.get(function)
        several = len(function._output_sizes) > 1
        return {"function": number, "kind": type(function).__name__, "output": output, "several": several}

    def _add(self, event, facts, **values):
        self.recorder.add(event, function=self.number, facts={"kind": self.kind, **facts}, **values)
