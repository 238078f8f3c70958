"""The probe of exercise 4: programs that count the uses of outputs, and count them down."""

import operator

from ..answer import plain
from ..programs.running import Run
from .support import no_deeper

_MOST = 300  # Functions whose counts are written down one by one


class _Run(Run):
    """A Run that writes down the counts in each dictionary, at first and at the end, and changes of the graph."""

    def __init__(self, engine):
        super().__init__({"Engine": engine, "show": self.show}, watch=True)
        self._functions = {}  # {Function: (its name, its links)}
        self._counts = {}  # by name: the dictionaries that the lines have made

    def show(self, *values):
        self.add("shown", plain(values))

    def watch(self, name, function):
        waiting = [(name, function)]
        while waiting and len(self._functions) < _MOST:
            label, function = waiting.pop()
            if function not in self._functions:
                self._functions[function] = label, _links(function)
                label = f"{len(self._functions)} behind {name}"
                waiting += [(f"{type(prev).__name__} {label}", prev) for prev, _ in function.previous_functions]

    def look(self, names):
        super().look(names)
        for name in names:
            value = self.names.get(name)
            if name[0] == "d" and value is not self._counts.get(name):
                if any(value is other for other in self._counts.values()):
                    self.seen[f"{name} is the dictionary of another call"] = True
                self._counts[name] = value
                self.seen |= self._counted(f"counted in {name}", f"uses of {{}} counted in {name}", value)

    def _counted(self, what, of_one, dependencies):
        """Return the counts as plain data, whether they are numbers or, as in v0.1.1, Counters of the consumers."""
        if not isinstance(dependencies, dict):
            return {what: plain(dependencies)}
        if len(dependencies) > _MOST:
            return {what: f"{len(dependencies)} Functions"}
        found = {self._name(function): _numbers(counts) for function, counts in list(dependencies.items())}
        return {what: ", ".join(sorted(found))} | {of_one.format(name): counts for name, counts in found.items()}

    def _name(self, function):
        return self._functions[function][0] if function in self._functions else plain(function)

    def at_the_end(self):
        changed = [name for function, (name, links) in self._functions.items() if _links(function) != links]
        found = {"Functions that have changed": ", ".join(changed) or "nothing"}
        for name, dependencies in self._counts.items():
            found |= self._counted(f"left in {name}", f"uses of {{}} left in {name}", dependencies)
        return found


def _links(function):
    links = list(function.previous_functions), dict(function.output_ids)
    return *links, function.requires_grad, sorted(vars(function))


def _numbers(counts):
    """Return the number of uses of each output. A number may have any type of whole numbers; a list may be an array."""
    counts = counts.tolist() if hasattr(counts, "tolist") else counts
    if not isinstance(counts, (list, tuple)):
        return plain(counts)
    each = [sum(count.values()) if hasattr(count, "values") else count for count in counts]
    return [operator.index(count) if hasattr(count, "__index__") else plain(count) for count in each]


def behaviour(answer, lines):
    """Return what is seen of a program, which makes its own `Engine()`."""
    with no_deeper():
        return _Run(answer.Engine).execute(lines)
