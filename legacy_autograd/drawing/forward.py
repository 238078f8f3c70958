"""`trace_forward`: the graph as it is built, call by call, through `callbacks.around_call`."""

import contextlib
import sys
import threading

from ..autograd import callbacks
from .labels import attribute_text, tensor_record
from .names import Names
from .replaced import replaced
from .sentences import words_in
from .trace import Recorder, Trace
from .walk import MOST_NODES, Graph, inputs_of, too_large


@contextlib.contextmanager
def trace_forward(*, params=None, values=16, rankdir="TB", title=None, max_nodes=MOST_NODES, lang="en"):
    """Within the block, record every call of a Function: `with drawing.trace_forward() as trace:` gives a `Trace`.

    Its steps are there once the block has ended. A call has the events `call` (`Function.__call__` with its
    Variables), `forward` (with the Tensors that `_do_forward` took out of them), `wrap` (each result becomes a
    Variable whose `creator` is the Function) and `link` (`previous_functions` and the rest of what is written down).

    The names are those that `params` gives, or that the Variables have where the block stands; of each result the
    first `values` numbers are kept; `title` stands over the page; `lang` is the language of the trace's sentences, "en"
    or "zh". Calls in other threads are not recorded. What is computed stays alive until the block ends. The call after
    `max_nodes` calls (10,000; None: no limit) raises ValueError.
    """
    frame, thread = sys._getframe(2), threading.get_ident()
    trace, calls = Trace("forward", title), []
    words_in(lang)  # an unknown language is refused before anything runs

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

    callbacks.around_call.register(around_call)
    try:
        yield trace
    finally:
        callbacks.around_call.remove(around_call)
        trace.become(_told(calls, Names(params, frame), values, lang).trace("forward", title, None, rankdir))


def _told(calls, names, values, lang):
    """Return the `Recorder` that has the steps of all `calls`."""
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
    """One call: the facts that are recorded while it runs, and the steps made of them."""

    def __init__(self, function, variables):
        self.function = function
        self.variables = variables
        self.unpacked = None  # the Tensors that forward was given, and what it returned, as records
        self.results = None
        self.outputs = ()
        self.error = None

    @property
    def is_recorded(self):
        """Did the call write down where its inputs came from? It does not under `no_grad`, or where it raised."""
        return bool(self.function.previous_functions)

    def watching_forward(self, values):
        """A context within which `forward` tells what it was given and what it returned."""
        forward = self.function.forward

        def watched(*tensors):
            self.unpacked = [tensor_record(tensor, values) for tensor in tensors]
            raw_output = forward(*tensors)
            outputs = raw_output if isinstance(raw_output, tuple) else (raw_output,)
            self.results = [tensor_record(tensor, values) for tensor in outputs if hasattr(tensor, "array")]
            return raw_output

        return replaced({(self.function, "forward"): watched})

    def tell(self, recorder):
        """Add the steps of the call, when all of the graph is known and every Function has its number."""
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
        """A Variable by its name, or by the Function that made it."""
        name = self.recorder.names.of(variable)
        if name is not None:
            return {"name": name}
        creator = variable.creator
        edge = self._edge(creator, creator.output_ids.get(id(variable), 0))
        return {**edge, "leaf": creator.previous_functions == []}

    def _edge(self, function, output):
        """An output of a Function, which has no number where the graph does not have it."""
        number = self.recorder.graph.number.get(function)
        several = len(function._output_sizes) > 1
        return {"function": number, "kind": type(function).__name__, "output": output, "several": several}

    def _add(self, event, facts, **values):
        self.recorder.add(event, function=self.number, facts={"kind": self.kind, **facts}, **values)
