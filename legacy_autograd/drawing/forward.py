"""`trace_forward`: the graph as it is built, call by call, through `callbacks.around_call`."""

import contextlib
import sys
import threading

from ..autograd import callbacks
from .labels import attribute_text, record_text, size_text, tensor_record
from .names import Names
from .replaced import replaced
from .trace import Recorder, Trace
from .walk import MOST_NODES, Graph, inputs_of, too_large


@contextlib.contextmanager
def trace_forward(*, params=None, values=16, rankdir="TB", title="forward", max_nodes=MOST_NODES):
    """Within the block, record every call of a Function: `with drawing.trace_forward() as trace:` gives a `Trace`.

    Its steps are there once the block has ended. A call has the events `call` (`Function.__call__` with its
    Variables), `forward` (with the Tensors that `_do_forward` took out of them), `wrap` (each result becomes a
    Variable whose `creator` is the Function) and `link` (`previous_functions` and the rest of what is written down).

    The names are those that `params` gives, or that the Variables have where the block stands; of each result the
    first `values` numbers are kept; `title` stands over the page. Calls in other threads are not recorded. What is
    computed stays alive until the block ends. The call after `max_nodes` calls (10,000; None: no limit) raises
    ValueError.
    """
    frame, thread = sys._getframe(2), threading.get_ident()
    trace, calls = Trace("forward", title), []

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
        trace.become(_told(calls, Names(params, frame), values).trace("forward", title, rankdir))


def _told(calls, names, values):
    """Return the `Recorder` that has the steps of all `calls`."""
    recorded = [call.function for call in calls if call.is_recorded]
    used = {prev_fn for function in recorded for prev_fn, _ in function._sources()}
    graph = Graph([(function, 0) for function in recorded if function not in used], inputs_of)
    recorder = Recorder(graph, names, [variable for call in calls for variable in call.outputs], values)
    for call in calls:
        recorder.turn = recorder.graph.number.get(call.function)
        call.tell(recorder)
    recorder.turn = None
    recorder.add("end", f"The graph has {len(recorder.graph.nodes)} Functions, the leaves among them.")
    return recorder


class _Call:
    """What is noted of one call while it runs, and the steps that it becomes."""

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
        self.class_name = type(self.function).__name__
        self.label = self.class_name if self.number is None else recorder.label(self.function)
        arguments = ", ".join(map(self._variable, self.variables))
        text = f"{self.class_name}()({arguments}): Function.__call__ calls _do_forward."
        self._add("call", text, {"input": arguments})
        if self.results is not None:
            taken = ", ".join(size_text(record["size"]) for record in self.unpacked)
            made = "; ".join(map(record_text, self.results))
            text = f"{self.class_name}.forward is given the Tensors {taken} and returns {made}."
            self._add("forward", text, {"forward": made, **self._saved()}, gradients=self.results)
        if self.error is not None:
            self._add("raise", f"{self.class_name} raised {self.error}", {})
        elif self.number is None:
            self._add("unrecorded", f"{self.class_name} is not recorded: its outputs are leaves.", {})
        else:
            self._tell_links()

    def _tell_links(self):
        function = self.function
        outputs = [self._output(variable, number) for number, variable in enumerate(self.outputs)]
        linked = [variable.creator is function for variable in self.outputs]
        if not any(linked):
            text = "What comes out was marked non-differentiable: it becomes a leaf, which requires no gradient."
        elif len(outputs) == 1:
            name = self.recorder.names.of(self.outputs[0])
            text = f"The result becomes a Variable{f', {name},' if name else ''} whose creator is {self.label}."
        else:
            text = f"The results become Variables, whose creator is {self.label}: {', '.join(outputs)}."
        if any(linked) and not all(linked):
            text += " One that was marked non-differentiable has a Leaf instead."
        self._add("wrap", text, {"output": ", ".join(outputs)})
        edges = [self._edge(prev_fn, number) for prev_fn, number in inputs_of(function)]
        links = f"[{', '.join(edges)}]"
        facts = {
            "previous_functions": links,
            "output_ids": "{" + ", ".join(f"id of {output}: {n}" for n, output in enumerate(outputs)) + "}",
            "needs_input_grad": str(function.needs_input_grad),
            "requires_grad": str(function.requires_grad),
        }
        self._add("link", f"{self.label} writes down where its inputs came from: {links}.", facts)

    def _saved(self):
        saved = getattr(self.function, "_saved", None) or ()
        return {"saved for backward": ", ".join(attribute_text(tensor) for tensor in saved)} if saved else {}

    def _variable(self, variable):
        name = self.recorder.names.of(variable)
        if name is not None:
            return name
        creator = variable.creator
        whose = self._edge(creator, creator.output_ids.get(id(variable), 0))
        return whose if creator.previous_functions == [] else f"the output of {whose}"

    def _output(self, variable, number):
        name = self.recorder.names.of(variable)
        return name or (f"output {number}" if len(self.outputs) > 1 else "the output")

    def _edge(self, prev_fn, number):
        known = prev_fn in self.recorder.graph.number
        label = self.recorder.label(prev_fn) if known else type(prev_fn).__name__
        return f"output {number} of {label}" if len(prev_fn._output_sizes) > 1 else label

    def _add(self, event, text, facts, **values):
        self.recorder.add(event, text, function=self.number, facts=facts, **values)
