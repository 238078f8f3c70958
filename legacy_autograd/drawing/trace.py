"""`Trace`: the recorded steps of a run as plain data.

The steps are recorded from the live objects (`backward.py`, `forward.py`). All presentations are made from a trace: the
table in a terminal, JSON, the page and its frames.
"""

from __future__ import annotations

import copy
import functools
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

from ..autograd.leaf import Leaf
from ..utils.text_table import text_table
from .folding import calls_around, repeated_steps
from .labels import numbered, one_line
from .recording import record_of
from .replaced import replaced
from .replay import REPLAYS, Change, State, same_start
from .sentences import Sentences, words_in
from .values import values_of

_LONGEST_EXPRESSION = 30  # characters of the program's text on a node

_tracing = threading.local()


@dataclass(slots=True)
class Step:
    """One event. Functions are given by their numbers; a field that does not apply is None.

    Gradients are dictionaries: `size`, `type` and the first `values`.
    """

    index: int
    event: str
    text: str = ""  # the text in the language of the trace, made from the other fields
    function: int | None = None  # the Function whose state the event changes or checks
    by: int | None = None  # the Function that has just run and passes on a gradient
    input: int | None = None  # … to this of its inputs
    output: int | None = None  # … which is this output of `function`
    before: object = None
    after: object = None
    answer: bool | None = None
    gradient: dict | None = None
    gradients: list | None = None
    counts: dict | None = None  # {number: [uses of each output]}
    name: str | None = None  # of a hook, or of the thing that a note is about
    facts: dict | None = None  # further facts for the text and the tables
    ready: tuple = ()  # the stack after this event, read from the engine's own list; the last one runs next
    not_ready: tuple = ()  # the keys of the engine's own dictionary after this event
    time: float | None = None
    line: int | None = None  # of the engine's source (`Trace.source`)
    turn: int | None = None  # the running Function: popped last, or being called
    extra: dict | None = None  # for the page: `marks` (highlighted), `wrong` (a reason), `notes` ({name: text})

    def to_dict(self):
        """Return the step as a dictionary for JSON, without fields that are None or empty."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in values.items() if value is not None and value != ()}


def _with_changes_of_the_stack(steps):
    """Return the steps as dictionaries that contain only changes of `ready` and `not_ready`.

    `ready` is [length of the unchanged part, [pushed Functions]]; `not_ready` is [[removed], [added]].
    """
    written, ready, not_ready = [], (), ()
    for step in steps:
        values = step.to_dict()
        values.pop("ready", None)
        values.pop("not_ready", None)
        if step.ready != ready:
            kept = same_start(ready, step.ready)
            values["ready"], ready = [kept, step.ready[kept:]], step.ready
        if step.not_ready != not_ready:
            waiting = set(step.not_ready)
            gone = [number for number in not_ready if number not in waiting]
            come = step.not_ready[len(not_ready) - len(gone) :]
            values["not_ready"], not_ready = [gone, come], step.not_ready
        written.append(values)
    return written


def _with_numbers(data, names):
    """Return `data` from JSON, with the keys of its tables `names` as numbers again."""
    if data is None or "refused" in data:
        return data
    return {**data, **{name: {int(number): x for number, x in data[name].items()} for name in names}}


@dataclass
class Node:
    """A Function of the traced graph as plain data."""

    number: int
    kind: str  # "Leaf", or the class of the Function
    label: str  # for instance "Sub #5", "W #1"
    sizes: list
    requires_grad: bool
    inputs: list  # [[number of the Function, its output] of each input]
    is_leaf: bool = False
    values: list | None = None  # for each output: its record, or None if the tensor is unknown
    held: dict | None = None  # the `grad` of a leaf before the backward
    name: str | None = None  # of the leaf, or of the outputs
    module: int | None = None  # the call of an nn.Module in which it was made: an index in `Trace.modules`


class Trace(Sequence):
    """A recorded run: a sequence of `Step`s over a graph of `Node`s.

    `print(trace)` prints a table. `save("x.html")` writes a page that steps through the run and needs only a browser. A
    notebook shows that page.

    Args:
        kind: "backward" or "forward".
        title: The title.
        nodes: The Functions of the graph.
        steps: The events, in order.
        modules: The recorded module calls: [{"title", "parent": index of the enclosing call or None}]. If
            there are none, the steps of unrolled loops: {"title", "parent": None, "step": its number from 1}.
        rankdir: The direction of the layout, as in Graphviz.
        lang: The language of the title and of the steps' texts, "en" or "zh".
        about: The name in the title, if the title is not the caller's own.
    """

    source = None  # of a backward: the text of the engine's class, {"file", "first": its first line's number, "lines"}
    is_own = False  # whether the engine is not the package's: the page shows its source instead of the algorithm
    derivatives = None  # of a backward: `derivatives.LocalDerivatives.data`
    operations = None  # of a backward: `operations.operations_of`
    save: Callable[..., None]  # page.py attaches it

    def __init__(
        self,
        kind: str,
        title: str,
        nodes: Iterable[Node] = (),
        steps: Sequence[Step] = (),
        modules: Sequence[dict] = (),
        rankdir: str = "TB",
        lang: str = "en",
        about: str | None = None,
    ) -> None:
        self.kind = kind
        self.title = title
        self.lang = lang  # of the title and of the steps' texts
        self.about = about  # the name in the title, if the caller gave no title
        self.nodes = {node.number: node for node in nodes}
        self.steps = steps
        self.modules = modules  # the recorded calls of modules: [{"title", "parent": index of the enclosing call}]
        self.rankdir = rankdir

    def become(self, other: Trace) -> None:
        """Take over the contents of `other`. A `with` block returns its trace before there are any steps.

        Args:
            other: The trace with the recorded steps.
        """
        vars(self).update(vars(other))

    def __len__(self):
        return len(self.steps)

    def __getitem__(self, index):
        return self.steps[index]

    def __repr__(self):
        return f"<trace of {self.title}: {len(self)} steps, {len(self.nodes)} Functions>"

    def __str__(self):
        return self.table()

    def in_language(self, lang: str) -> Trace:
        """Return the same trace with its title and its steps' texts in another language. Notes are not translated.

        Args:
            lang: "en" or "zh".

        Raises:
            ValueError: If `lang` is unknown.
        """
        if lang == self.lang:
            return self
        sentences = Sentences(self.nodes, lang)
        other = copy.copy(self)
        other.lang = lang
        other.steps = [replace(step, text=sentences.of(self.kind, step)) for step in self.steps]
        other.modules = [
            {**module, "title": _title_of_step(module["step"], lang)} if "step" in module else module
            for module in self.modules
        ]
        if self.about is not None:
            other.title = sentences.title(self.kind, self.about)
        return other

    def table(self, lang: str | None = None) -> str:
        """Return the steps as text, one per line.

        Args:
            lang: The language, "en" or "zh". Default: that of the trace.

        Raises:
            ValueError: If `lang` is unknown.
        """
        if lang is not None:
            return self.in_language(lang).table()
        words = words_in(self.lang)["table"]
        headings = (words["step"], words["event"], words["text"])
        rows = [headings, *((str(s.index), s.event, s.text) for s in self.steps)]
        heading, _, *lines = text_table(rows, right=(0,))
        return "\n".join([self.title, heading, *lines])

    def to_json(self, indent: int | None = None) -> str:
        """Return the whole trace as JSON. nan and the infinities are the strings "nan", "inf" and "-inf".

        Args:
            indent: As in `json.dumps`.
        """
        data = {
            "kind": self.kind,
            "title": self.title,
            "lang": self.lang,
            "about": self.about,
            "nodes": [{f.name: getattr(node, f.name) for f in fields(node)} for node in self.nodes.values()],
            "modules": self.modules,
            "rankdir": self.rankdir,
            "source": self.source,
            "derivatives": self.derivatives,
            "operations": self.operations,
            "steps": _with_changes_of_the_stack(self.steps),
        }
        return json.dumps(data, indent=indent, allow_nan=False, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """Return the trace from the result of `to_json`, for example to show several processes' traces on one page.

        Args:
            text: The result of `to_json`.
        """
        data = json.loads(text)
        steps: list[Step] = []
        ready: tuple[int, ...] = ()
        not_ready: tuple[int, ...] = ()
        for values in data["steps"]:
            if "counts" in values:
                values["counts"] = {int(number): counts for number, counts in values["counts"].items()}
            if "ready" in values:
                kept, pushed = values["ready"]
                ready = (*ready[:kept], *pushed)
            if "not_ready" in values:
                gone, come = values["not_ready"]
                not_ready = (*(number for number in not_ready if number not in gone), *come)
            steps.append(Step(**{**values, "ready": ready, "not_ready": not_ready}))
        nodes = [Node(**node) for node in data["nodes"]]
        places = data["modules"], data["rankdir"]
        trace = cls(data["kind"], data["title"], nodes, steps, *places, data["lang"], data["about"])
        trace.source = data["source"]
        trace.derivatives = _with_numbers(data["derivatives"], ("held", "jacobians", "recorded", "bases"))
        trace.operations = _with_numbers(data.get("operations"), ("leaves", "operations"))
        return trace

    @functools.cached_property
    def users(self) -> dict[int, list[int]]:
        """{number: the numbers of the Functions that use its outputs}."""
        users: dict[int, list[int]] = {}
        for node in self.nodes.values():
            for number, _ in node.inputs:
                users.setdefault(number, []).append(node.number)
        return users

    @functools.cached_property
    def senders(self) -> dict[int, list[tuple[int, int]]]:
        """{number: the edges (user, its input) from which a backward brings it gradients}."""
        senders: dict[int, list[tuple[int, int]]] = {}
        for node in self.nodes.values():
            for input, (number, _) in enumerate(node.inputs):
                if node.requires_grad and self.nodes[number].requires_grad:
                    senders.setdefault(number, []).append((node.number, input))
        return senders

    def changes(self) -> Iterator[Change]:
        """Yield a `Change` for the state before the first step, then one for each step."""
        replay = REPLAYS[self.kind](self)
        yield replay.start()
        for step in self.steps:
            yield replay.take(step)

    def states(self) -> Iterator[State]:
        """Yield the complete `State` after each step. For large graphs, `changes()` needs less time and memory."""
        state = State()
        for place, change in enumerate(self.changes()):
            state.apply(change)
            if place:
                yield state.copy()

    def key_step(self) -> int:
        """Return the index of the most informative step: the one with most waiting gradients, or the last but one."""
        waiting = [len(step.not_ready) for step in self.steps]
        if any(waiting):
            return waiting.index(max(waiting))
        return max(0, len(self) - 2)

    def frames(self) -> list[str]:
        """Return the picture after each step as SVG.

        Raises:
            LayoutUnavailable: If no program on this machine can lay out a graph.
        """
        from .frames import frames

        return list(frames(self).values())


class Recorder:
    """Collects the steps of one run and numbers its Functions."""

    def __init__(self, graph, names, variables=(), values=16, clock=None, lang="en"):
        words_in(lang)  # raises for an unknown language before backward runs
        self.lang = lang
        self.graph = graph
        self.names = names
        self.values = values_of(graph, [*variables, *names.variables], values)
        self.held = {}  # {leaf: the record of its `grad` before a backward}
        self.expressions = {}  # {Function: the program's text for its output}
        self.clock = clock
        self.turn = None
        self.steps = []

    def add(self, event, **values):
        """Append a step and return it. Its text is written when the trace is made."""
        step = Step(len(self.steps), event, turn=self.turn, **values)
        step.time = self.clock() if self.clock is not None else None
        self.steps.append(step)
        return step

    def number(self, function):
        """Return the number of `function` in the graph."""
        return self.graph.number[function]

    def label(self, function):
        """Return a short label for a Function that ends with its number: "Sub #5", or "W #1" for a leaf with a name."""
        name = self.names.of_leaf(function) if isinstance(function, Leaf) else None
        return numbered(type(function).__name__ if name is None else one_line(name), self.number(function))

    def last_sentence(self):
        """Return the text of the last step, for the error that ended the run."""
        return Sentences(self._nodes(), self.lang).of("backward", self.steps[-1])

    def trace(self, kind, title, about, rankdir):
        """Return the recorded steps as a `Trace`. The default title is in the trace's language and names `about`."""
        modules, place = self._modules()
        nodes = self._nodes(place)
        sentences = Sentences(nodes, self.lang)
        for step in self.steps:
            step.text = sentences.of(kind, step)
        about = None if title is not None else about
        title = sentences.title(kind, about) if title is None else title
        return Trace(kind, title, nodes.values(), self.steps, modules, rankdir, self.lang, about)

    def _modules(self):
        """Return (the boxes of the picture, {Function: the index of its box}): recorded module calls, or loops' steps.

        A call comes after those that it needs.
        """
        calls = calls_around(self.graph)
        last = {}  # {call: the number of its last Function}
        for function, call in calls.items():
            while call is not None:
                last[call] = self.number(function)
                call = call.parent
        if last:
            place = {call: number for number, call in enumerate(sorted(last, key=last.get))}
            modules = [{"title": call.title, "parent": place.get(call.parent)} for call in place]
            return modules, {function: place.get(call) for function, call in calls.items()}
        found = repeated_steps(self.graph)
        place = {step: number for number, step in enumerate(sorted(set(found.values())))}
        modules = [{"title": _title_of_step(step, self.lang), "parent": None, "step": step} for _, step in place]
        return modules, {function: place[step] for function, step in found.items()}

    def _nodes(self, modules=None):
        """Return {number: its `Node`} of the graph."""
        modules = modules or {}
        return {self.number(function): self._node(function, modules.get(function)) for function in self.graph.nodes}

    def _node(self, function, module):
        values = [self.values.get((function, number)) for number in range(len(function._output_sizes))]
        return Node(
            self.number(function),
            type(function).__name__,
            self.label(function),
            [list(size) for size in function._output_sizes],
            function.requires_grad,
            [[self.number(edge[0]), edge[1]] for edge in self.graph.inputs[function]],
            isinstance(function, Leaf),
            None if not any(values) else values,
            self.held.get(function),
            self._names_of_outputs.get(function),
            module,
        )

    @functools.cached_property
    def _names_of_outputs(self):
        """{Function: the names of its outputs, or the program's text for its only output, if they have any}."""
        named = {}
        for variable in self.names.variables:
            name = self.names.of(variable)
            if name is not None and variable.creator in self.graph.number:
                named.setdefault(variable.creator, []).append(one_line(name))
        texts = dict(self.expressions)
        for function in self.graph.nodes:
            if (record := record_of(function)) is not None:
                for name in record.names.values() if function not in named else ():
                    named.setdefault(function, []).append(one_line(name))
                if record.expression is not None and len(function._output_sizes) == 1:
                    texts[function] = record.expression
        texts = {function: [one_line(text, _LONGEST_EXPRESSION)] for function, text in texts.items()}
        return {function: ", ".join(dict.fromkeys(names)) for function, names in (texts | named).items()}


def _title_of_step(step, lang):
    return words_in(lang)["title"]["step_of_loop"].format(step=step)


def recording_to(recorder):
    """Within the block, `note` writes to `recorder`, in this thread."""
    return replaced({(_tracing, "recorder"): recorder})


def note(text: object, about: object = None, state: object = None) -> None:
    """Add a remark to the trace that is being recorded in this thread, for example from a hook.

    Has no effect if no trace is being recorded, so a hook may always call it.

    Args:
        text: The remark.
        about: The name of a thing. The page has a table of all named things.
        state: The current state of that thing, for the table.
    """
    recorder = getattr(_tracing, "recorder", None)
    if recorder is not None:
        named = {} if about is None else {"name": str(about), "after": str(state)}
        recorder.add("note", text=str(text), **named)
