"""From the steps of a trace to how things stood after each: what the page and the frames paint.

A toy engine of sorts: it counts and keeps books as the steps tell it to, and computes no gradient.
"""

from collections import Counter
from dataclasses import dataclass, field

from .labels import record_text


@dataclass
class State:
    """How things stand after one step."""

    status: dict  # {number: (state, words)}; the states are idle, waiting, ready, running, done, unused, hidden, built
    panels: dict  # {panel: {key: [cells]}}
    edges: dict = field(default_factory=dict)  # {(number, input): active or hidden}
    event: str = ""  # what happened last, which says where the algorithm stands


@dataclass
class BackwardReplay:
    """Replays a backward: counts, the stack, the buffers, and what each Function is doing."""

    trace: object
    counts: dict = field(default_factory=dict)
    buffers: dict = field(default_factory=dict)
    ready: tuple = ()
    not_ready: tuple = ()
    done: set = field(default_factory=set)
    running: int | None = None
    edge: tuple | None = None
    event: str = ""
    notes: dict = field(default_factory=dict)

    def __post_init__(self):
        self._label = {number: node.label for number, node in self.trace.nodes.items()}
        users = {number: [Counter() for _ in node.sizes] for number, node in self.trace.nodes.items()}
        for node in self.trace.nodes.values():
            for number, output in node.inputs:
                users[number][output][node.label] += 1
        # Who gives gradients to which output: 2016 kept a Counter of them, where a number stands now.
        self._users = {number: "; ".join(map(_counter_text, outputs)) for number, outputs in users.items()}

    def take(self, step):
        """Apply one step."""
        if step.event != "note":
            self.event = step.event
        elif step.name is not None:
            self.notes[step.name] = [step.name, step.after]
        self.edge = (step.by, step.input) if step.event in ("free", "ask", "add", "push") and step.by else None
        if step.event == "count":
            self.counts = {number: list(counts) for number, counts in step.counts.items()}
        elif step.event in ("pop", "end"):
            if self.running is not None:
                self.done.add(self.running)
            self.running = step.function
        elif step.event == "free":
            self.counts[step.function][step.output] = step.after
        elif step.event == "add":
            buffer = self.buffers.setdefault(step.function, [None] * len(self.trace.nodes[step.function].sizes))
            buffer[step.output] = step.after
        elif step.event == "push":
            self.buffers.pop(step.function, None)
        self.ready, self.not_ready = step.ready, step.not_ready

    def state(self):
        """The state now."""
        status = {number: self._status(node) for number, node in self.trace.nodes.items()}
        buffers = {}
        for number, gradients in self.buffers.items():
            shown = "; ".join("nothing yet" if gradient is None else record_text(gradient) for gradient in gradients)
            buffers[number] = [
                self._label[number],
                shown if number in self.not_ready else f"{shown}, on its way to ready",
            ]
        counts = {
            number: [self._label[number], self._users[number], ", ".join(map(str, counts))]
            for number, counts in self.counts.items()
        }
        stack = {place: [self._label[number]] for place, number in enumerate(self.ready)}
        panels = {"ready": stack, "not_ready": buffers, "dependencies": counts}
        if self.notes:
            panels["notes"] = dict(self.notes)
        return State(status, panels, {} if self.edge is None else {self.edge: "active"}, self.event)

    def _status(self, node):
        number = node.number
        if not node.requires_grad:
            return "unused", "no gradient"
        if number == self.running:
            return "running", "runs"
        if number in self.ready:
            return "ready", "ready"
        if number in self.done:
            return "done", "done"
        if number in self.counts:
            left = sum(self.counts[number])
            return "waiting", f"waits for {left}" if left else "complete"
        return "idle", ""


@dataclass
class ForwardReplay:
    """Replays a forward: which Functions exist by now, and what the last one wrote down."""

    trace: object
    called: set = field(default_factory=set)
    built: set = field(default_factory=set)
    running: int | None = None
    facts: dict = field(default_factory=dict)
    event: str = ""

    def __post_init__(self):
        self.made_here = {step.function for step in self.trace.steps}
        before = {n for n, node in self.trace.nodes.items() if n not in self.made_here and not node.is_leaf}
        self.built = before | {number for n in before for number, _ in self.trace.nodes[n].inputs}

    def take(self, step):
        """Apply one step."""
        if step.event != "note":
            self.event = step.event
        if step.event == "call":
            self.facts = {}
            self.running = step.function
            self.called.add(step.function)
            self.built.update(number for number, _ in self.trace.nodes[step.function].inputs)
        self.facts |= step.facts or {}
        if step.event == "end":
            self.running = None

    def state(self):
        """The state now."""
        status = {}
        for number, node in self.trace.nodes.items():
            if number == self.running:
                status[number] = ("running", "is called")
            else:
                made = number in self.built or number in self.called
                status[number] = ("built", "a leaf" if node.is_leaf else "made") if made else ("hidden", "")
        panels = {"call": {name: [name, value] for name, value in self.facts.items()}}
        return State(status, panels, self._edges(), self.event)

    def _edges(self):
        edges = {}
        for number, node in self.trace.nodes.items():
            for input in range(len(node.inputs)):
                if number == self.running and self.event == "link":
                    edges[number, input] = "active"
                elif number in self.made_here and (number == self.running or number not in self.called):
                    edges[number, input] = "hidden"
        return edges


def _counter_text(times):
    return ", ".join(user + (f" ×{n}" if n > 1 else "") for user, n in times.items()) or "nobody"


REPLAYS = {"backward": BackwardReplay, "forward": ForwardReplay}
