"""Convert the steps of a trace into changes: what the page, the frames and the animation show.

The replay follows the steps and computes no gradients. A step changes a few nodes, edges and table rows. A `Change`
contains only these, so the size of a page grows linearly with the number of steps.
"""

from collections import Counter
from dataclasses import dataclass, field

from .labels import record_text
from .sentences import Sentences, words_in

_MOST_USERS = 6  # names in a row of the table of dependencies


@dataclass
class Change:
    """What one step changes; a value of None means that it is removed.

    `nodes` are {number: the new values of "state", "words", "values", "grads", "held"}. A gradient that has just
    arrived is the "part" (edge, output, gradient), with None if the sender has no gradient; a `State` collects all of
    them as "parts". `edges` are {(number, input): {"state", "grad"}}; an edge without an entry is at rest. `panels` are
    {panel: {key: cells}}; a cell of None is unchanged.
    """

    nodes: dict = field(default_factory=dict)
    edges: dict = field(default_factory=dict)
    panels: dict = field(default_factory=dict)


@dataclass
class State:
    """The current state: the result of all changes so far."""

    nodes: dict = field(default_factory=dict)
    edges: dict = field(default_factory=dict)
    panels: dict = field(default_factory=dict)

    def apply(self, change):
        """Apply `change`."""
        for number, values in change.nodes.items():
            now = {**self.nodes.get(number, {}), **values}
            if "part" in now:
                now["parts"] = [*now.get("parts", ()), now.pop("part")]
            self.nodes[number] = {name: value for name, value in now.items() if value is not None}
        _update(self.edges, change.edges)
        for panel, rows in change.panels.items():
            _update(self.panels.setdefault(panel, {}), rows)

    def copy(self):
        """Return a copy that later changes do not affect."""
        panels = {panel: dict(rows) for panel, rows in self.panels.items()}
        return State({number: dict(node) for number, node in self.nodes.items()}, dict(self.edges), panels)


def _update(table, changes):
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        elif isinstance(value, list) and key in table:
            table[key] = [old if cell is None else cell for cell, old in zip(value, table[key], strict=True)]
        else:
            table[key] = value


class _Replay:
    """The common part of both replays: the current values of the nodes, and which of them are new."""

    def __init__(self, trace):
        self.trace = trace
        self._words, self._panels = words_in(trace.lang)["states"], words_in(trace.lang)["panels"]
        self.running = None
        self._notes = {}
        self._nodes = {number: {} for number in trace.nodes}
        self._cells = {}  # {(panel, key): the row}
        self._lit = {}  # the edges that are not at rest
        self.change = Change()

    def _set(self, number, **values):
        """Record the new values of a node; None removes a value."""
        node = self._nodes[number]
        new = {name: value for name, value in values.items() if node.get(name) != value}
        if new:
            node.update(new)
            self.change.nodes.setdefault(number, {}).update(new)

    def _light(self, edge, state, grad=None):
        value = None if state is None else {"state": state, "grad": grad}
        if self._lit.get(edge) != value:
            self._lit[edge] = value
            self.change.edges[edge] = value

    def _row(self, panel, key, cells):
        before = self._cells.get((panel, key))
        self._cells[panel, key] = cells
        if before is not None and cells is not None:
            cells = [None if cell == old else cell for cell, old in zip(cells, before, strict=True)]
        self.change.panels.setdefault(panel, {})[key] = cells

    def take(self, step):
        """Apply one step and return its `Change`."""
        self.change = Change()
        if step.event == "note" and step.name is not None:
            self._row("notes", step.name, [step.name, step.after])
        elif step.event != "note":
            self._take(step)
        if step.extra:
            self._take_extra(step.extra)
        return self.change

    def _take_extra(self, extra):
        for name, text in extra.get("notes", {}).items():
            if self._notes.get(name) != text:
                self._notes[name] = text
                self._row("notes", name, [name, text])
        for number, output, gradient in extra.get("written", ()):
            self._rewrite(number, output, gradient)


class BackwardReplay(_Replay):
    """Replays a backward: counts, the stack, the gradients that have arrived, and the state of each Function."""

    def __init__(self, trace):
        super().__init__(trace)
        self._counts = {}
        self._ready, self._not_ready = (), ()
        self._arrived = {}  # {number: its parts}, of those that wait
        self._received = set()  # the Functions with parts
        self._given = ()  # the gradients that the running Function returned
        self._rows = {}  # the rows of `not_ready`: {number: what they show}

    def start(self):
        """Return the `Change` that describes the state before the first step."""
        self.change = Change()
        for number, node in self.trace.nodes.items():
            if node.requires_grad:
                self._set(number, state="idle", words="")
            else:
                self._set(number, state="unused", words=self._words["unused"])
        return self.change

    def _take(self, step):
        number, event = step.function, step.event
        edge = (step.by, step.input) if step.by is not None and step.input is not None else None
        for lit in list(self._lit):
            if event in ("pop", "end"):
                self._light(lit, None)
                del self._lit[lit]
            elif lit != edge:
                self._light(lit, "given", self._lit[lit]["grad"])
        if event == "count":
            self._counts = {number: list(counts) for number, counts in step.counts.items()}
            for counted in self._counts:
                self._show_count(counted)
                if counted in self._received:  # in an earlier backward of this trace
                    self.change.nodes.setdefault(counted, {})["parts"] = None
            self._received = set()
        elif event in ("pop", "end"):
            self._finish()
            if event == "pop":
                self.running = number
                self._set(number, state="running", words=self._words["running"], grads=step.gradients)
                self._given = ()
                if self._is_watched(step) and self._arrived.pop(number, None):  # it may run with another gradient
                    self.change.nodes[number]["parts"] = None
        elif event == "ran":
            self._given = step.gradients
        elif event == "hook" and step.after is not None:
            self._replace(step)
        elif event in ("accumulate", "drop"):
            self._set(number, grads=[step.gradient], held=[step.before, step.after] if event == "accumulate" else None)
        elif event == "free":
            self._counts[number][step.output] = step.after
            self._show_count(number)
            if self._gradient_on(edge) is None:
                self._arrive(number, (edge, step.output, None))
        elif event == "add":
            self._arrive(number, (edge, step.output, step.gradient))
            grads = [*(self._nodes[number].get("grads") or [None] * len(self.trace.nodes[number].sizes))]
            grads[step.output] = step.after
            self._set(number, grads=grads)
        elif event in ("begin", "push"):
            if edge is not None and all(part[0] != edge for part in self._arrived.get(number, ())):
                output = self.trace.nodes[step.by].inputs[step.input][1]  # v0.1.1 did not add a single gradient
                self._arrive(number, (edge, output, self._gradient_on(edge)))
            self._arrived.pop(number, None)
            self._set(number, grads=step.gradients)
        if edge is not None:
            self._light(edge, "active", self._gradient_on(edge))
        self._show_stack(step.ready)
        self._show_waiting(step)

    def _gradient_on(self, edge):
        """Return the gradient that the running Function returned for its input at `edge`."""
        return self._given[edge[1]] if edge[1] < len(self._given) else None

    def _arrive(self, number, part):
        self._arrived.setdefault(number, []).append(part)
        self._received.add(number)
        self.change.nodes.setdefault(number, {})["part"] = part

    def _replace(self, step):
        """Replace the gradients that a hook got by those that it returned."""
        if step.facts["when"] == "after":
            self._given = step.after
        elif step.output is None:
            self._set(step.function, grads=step.after)
        else:
            grads = [*self._nodes[step.function]["grads"]]
            grads[step.output] = step.after[0]
            self._set(step.function, grads=grads)

    def _rewrite(self, number, output, gradient):
        """Apply a write into the memory of a gradient that had arrived."""
        grads = [*self._nodes[number]["grads"]]
        grads[output] = gradient
        self._set(number, grads=grads)
        if number in self._arrived:
            new = [gradient]  # of the first part: v0.1.1 adds the other ones to it, in place
            self._arrived[number] = [
                (edge, which, (new.pop() if new else None) if which == output else old)
                for edge, which, old in self._arrived[number]
            ]
            self.change.nodes[number].pop("part", None)
            self.change.nodes[number]["parts"] = [*self._arrived[number]]
            self._show_arrived(number)

    def _finish(self):
        if self.running is not None:
            self._set(self.running, state="done", words=self._words["done"])
        self.running = None

    def _show_count(self, number):
        counts = self._counts[number]
        left = sum(counts)
        node = self.trace.nodes[number]
        if node.requires_grad and self._nodes[number]["state"] in ("idle", "waiting"):
            words = self._words["waiting"].format(count=left) if left else self._words["complete"]
            self._set(number, state="waiting" if left else "idle", words=words)
        self._row("dependencies", number, [node.label, self._users_of(number), ", ".join(map(str, counts))])

    def _users_of(self, number):
        if not hasattr(self, "_users"):
            users = {number: [Counter() for _ in node.sizes] for number, node in self.trace.nodes.items()}
            for node in self.trace.nodes.values():
                for prev, output in node.inputs:
                    users[prev][output][node.label] += 1
            # The users of each output; v0.1.1 kept a Counter of them instead of a number.
            self._users = {number: "; ".join(map(self._counter_text, outputs)) for number, outputs in users.items()}
        return self._users[number]

    def _counter_text(self, times):
        words, separator = self._panels, words_in(self.trace.lang)["joined"]["names"]
        shown = [
            user if n == 1 else words["user_times"].format(user=user, count=n)
            for user, n in list(times.items())[:_MOST_USERS]
        ]
        text = separator.join(shown) or words["no_users"]
        more = len(times) - len(shown)
        return words["more_users"].format(users=text, count=more) if more else text

    def _show_stack(self, ready):
        before, self._ready = self._ready, ready
        if before == ready:
            return
        for place in range(same_start(before, ready), max(len(before), len(ready))):
            if place < len(ready):
                number = ready[place]
                self._row("ready", place, [self.trace.nodes[number].label])
                if number != self.running:
                    self._set(number, state="ready", words=self._words["ready"])
            else:
                self._row("ready", place, None)

    def _is_watched(self, step):
        """Return whether only the Functions of this engine are watched (watched_run.py)."""
        return "holds" in (step.facts or {})

    def _show_waiting(self, step):
        if self._is_watched(step):
            for number in self._rows.keys() | step.facts["holds"].keys():
                text = step.facts["holds"].get(number)
                self._show_row(number, None if text is None else [self.trace.nodes[number].label, text])
            return
        if step.not_ready is not self._not_ready:
            changed = set(self._not_ready) ^ set(step.not_ready)
            self._not_ready = step.not_ready
        else:
            changed = set()
        for number in changed | ({step.function} if step.event in ("add", "push", "begin") else set()):
            self._show_arrived(number)

    def _show_arrived(self, number):
        cells = None
        if number in self._arrived:
            gradients = self._nodes[number]["grads"]
            shown = words_in(self.trace.lang)["joined"]["gradients"].join(
                self._panels["nothing_yet"] if gradient is None else record_text(gradient) for gradient in gradients
            )
            if number not in self._not_ready:
                shown = self._panels["on_its_way"].format(gradients=shown)
            cells = [self.trace.nodes[number].label, shown]
        self._show_row(number, cells)

    def _show_row(self, number, cells):
        if self._rows.get(number) != cells:
            self._rows[number] = cells
            self._row("not_ready", number, cells)


class ForwardReplay(_Replay):
    """Replays a forward: the existing Functions, their values, and the record of the last call."""

    def start(self):
        """Return the `Change` that describes the state before the first step."""
        self.change = Change()
        nodes = self.trace.nodes
        self._sentences = Sentences(nodes, self.trace.lang)
        self._made_here = {step.function for step in self.trace.steps}
        before = {number for number, node in nodes.items() if number not in self._made_here and not node.is_leaf}
        self._facts = {}
        for number, node in nodes.items():
            self._set(number, state="hidden", words="")
            if number in self._made_here:
                self._set(number, values=[])  # no values before its forward has run
                for input in range(len(node.inputs)):
                    self._light((number, input), "hidden")
        for number in before:
            self._build(number)
            for prev, _ in nodes[number].inputs:
                self._build(prev)
        return self.change

    def _build(self, number):
        self._set(number, state="built", words=self._words["leaf" if self.trace.nodes[number].is_leaf else "made"])

    def _take(self, step):
        if step.event in ("call", "end"):
            if self.running is not None:
                self._build(self.running)
                self._light_inputs(None)
            self.running = step.function if step.event == "call" else None
        if step.event == "call":
            for name in self._facts:
                self._row("call", name, None)
            self._facts = {}
            if step.function is not None:
                for prev, _ in self.trace.nodes[step.function].inputs:
                    if self._nodes[prev]["state"] == "hidden":
                        self._build(prev)
                self._set(step.function, state="running", words=self._words["called"])
        if step.event == "forward" and step.function is not None:
            self._set(step.function, values=step.gradients)
        if step.event == "link":
            self._light_inputs("active")
        for name, value in self._sentences.rows(step).items():
            self._facts[name] = value
            self._row("call", name, [name, value])

    def _light_inputs(self, state):
        for input in range(len(self.trace.nodes[self.running].inputs)):
            self._light((self.running, input), state)


def same_start(before, after):
    """Return the length of the common prefix of two sequences."""
    return next((i for i, (one, other) in enumerate(zip(before, after)) if one != other), min(len(before), len(after)))


REPLAYS: dict[str, type[BackwardReplay] | type[ForwardReplay]] = {"backward": BackwardReplay, "forward": ForwardReplay}
