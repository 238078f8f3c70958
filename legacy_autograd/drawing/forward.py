"""`trace_forward`: the graph as it is built, call by call, through `callbacks.around_call`."""

import contextlib
import sys
import threading

from ..autograd import callbacks
from .labels import attribute_text, record_text, size_text, tensor_record
from .names import Names
from .trace import Recorder, Trace
from .walk import MOST_NODES, Graph, inputs_of, too_large

WIDEST_STATE = "is called"


class trace_forward:
    """Within the block, record every call of a Function: `with drawing.trace_forward() as trace:` gives a `Trace`.

    Its steps are there once the block has ended. A call has the events `call` (`Function.__call__` with its
    Variables), `forward` (with the Tensors that `_do_forward` took out of them), `wrap` (each result becomes a
    Variable whose `creator` is the Function) and `link` (`previous_functions` and the rest of what is written down).

    The names are those that `params` gives, or that the Variables have where the block stands; of each result the
    first `values` numbers are kept; `title` stands over the page. Calls in other threads are not recorded. What is
    computed stays alive until the block ends. The call after `max_nodes` calls (10,000; None: no limit) raises
    ValueError.
    """

    def __init__(self, *, params=None, values=16, rankdir="TB", title="forward", max_nodes=MOST_NODES):
        self._max_nodes = max_nodes
        self._params = params
        self._title = title
        self._values = values
        self._rankdir = rankdir

    def __enter__(self):
        self._frame = sys._getframe(1)
        self._thread = threading.get_ident()
        self._calls = []
        self._trace = Trace("forward", self._title)
        callbacks.around_call.register(self._around_call)
        return self._trace

    def __exit__(self, *exception):
        callbacks.around_call.remove(self._around_call)
        names, calls = Names(self._params, self._frame), self._calls
        del self._frame, self._calls
        recorded = [call.function for call in calls if call.is_recorded]
        used = {prev_fn for function in recorded for prev_fn, _ in function._sources()}
        graph = Graph([(function, 0) for function in recorded if function not in used], inputs_of)
        recorder = Recorder(graph, names)
        for call in calls:
            _Telling(recorder, call).tell()
        recorder.add("end", f"The graph has {len(graph.nodes)} Functions, the leaves among them.")
        self._trace.become(recorder.trace("forward", self._title, self._rankdir, WIDEST_STATE))

    def _around_call(self, function, proceed, *variables):
        if threading.get_ident() != self._thread:
            return proceed(*variables)
        if self._max_nodes is not None and len(self._calls) >= self._max_nodes:
            raise too_large("trace_forward", f"more than {self._max_nodes}", "trace a smaller part")
        call = _Call(function, variables)
        self._calls.append(call)
        with call.watching_forward(self._values):
            try:
                call.outputs = proceed(*variables)
            except Exception as error:
                call.error = f"{type(error).__name__}: {error}"
                raise
        return call.outputs


class _Call:
    """What is noted of one call while it runs."""

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

    @contextlib.contextmanager
    def watching_forward(self, values):
        """While the call runs, its `forward` tells what it was given and what it returned."""
        forward = self.function.forward

        def watched(*tensors):
            self.unpacked = [tensor_record(tensor, values) for tensor in tensors]
            raw_output = forward(*tensors)
            outputs = raw_output if isinstance(raw_output, tuple) else (raw_output,)
            self.results = [tensor_record(tensor, values) for tensor in outputs if hasattr(tensor, "array")]
            return raw_output

        own = vars(self.function).get("forward")
        self.function.forward = watched
        try:
            yield
        finally:
            if own is None:
                del self.function.forward
            else:
                self.function.forward = own


class _Telling:
    """Turns one call into steps, when all of the graph is known and every Function has its number."""

    def __init__(self, recorder, call):
        self.recorder = recorder
        self.call = call
        self.function = call.function
        self.number = recorder.graph.number.get(call.function)
        self.class_name = type(call.function).__name__
        self.label = self.class_name if self.number is None else recorder.label(call.function)

    def tell(self):
        """Add the steps of the call."""
        call = self.call
        given = [self._variable(variable) for variable in call.variables]
        arguments = ", ".join(given)
        text = f"{self.class_name}()({arguments}): Function.__call__ calls _do_forward."
        self._add("call", text, {"input": arguments})
        if call.unpacked is not None:
            taken = ", ".join(size_text(record["size"]) for record in call.unpacked)
            if call.results is not None:
                made = "; ".join(map(record_text, call.results))
                text = f"{self.class_name}.forward is given the Tensors {taken} and returns {made}."
                self._add("forward", text, {"forward": made, **self._saved()}, gradients=call.results)
        if call.error is not None:
            self._add("raise", f"{self.class_name} raised {call.error}", {})
        elif self.number is None:
            self._add("unrecorded", f"{self.class_name} is not recorded: its outputs are leaves.", {})
        else:
            self._tell_links()

    def _tell_links(self):
        function = self.function
        outputs = [self._output(variable, number) for number, variable in enumerate(self.call.outputs)]
        linked = [variable.creator is function for variable in self.call.outputs]
        if not any(linked):
            text = "What comes out was marked non-differentiable: it becomes a leaf, which requires no gradient."
        elif len(outputs) == 1:
            name = self.recorder.names.of(self.call.outputs[0])
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
        return name or (f"output {number}" if len(self.call.outputs) > 1 else "the output")

    def _edge(self, prev_fn, number):
        known = prev_fn in self.recorder.graph.number
        label = self.recorder.label(prev_fn) if known else type(prev_fn).__name__
        return f"output {number} of {label}" if len(prev_fn._output_sizes) > 1 else label

    def _add(self, event, text, facts, **values):
        self.recorder.add(event, text, function=self.number, facts=facts, **values)
