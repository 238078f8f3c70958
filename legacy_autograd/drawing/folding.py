"""Folding draws many Functions as one node, so that a network or an unrolled loop fits on a page.

A folding takes a `Graph` and the set of Functions that are not folded yet, and returns `Group`s of them. No path leaves
a group and enters it again, so the folded picture has no cycles. Only `by_label` does not guarantee this.
"""

from collections import Counter

import numpy

from ..autograd.leaf import Leaf
from .recording import record_of

_LEAST_TO_FOLD = 40  # Functions of a graph in which repeated steps are folded; a smaller one is readable as it is
_SHORTEST_STEP, _LONGEST_STEP = 3, 400  # Functions of a repeated step


class Group:
    """Functions that are drawn as one node with a `title`; `holds_leaves` tells whether they are leaves."""

    def __init__(self, title, functions, holds_leaves=False):
        self.title = title
        self.functions = functions
        self.holds_leaves = holds_leaves

    @property
    def operations(self):
        """The Functions of the group that are not leaves."""
        return [function for function in self.functions if not isinstance(function, Leaf)]


def by_module(depth=None):
    """Return a folding with one node for each call of an nn.Module; the graph must be made under `drawing.record()`.

    `depth` is the number of enclosing module calls: 0 folds each outermost call, 1 the calls made directly by it, and
    so on. By default the innermost calls are folded, which call no other module; Functions between them remain single.
    Parameters are part of their module's node; those of a module that was called several times get a separate node.
    """

    def fold(graph, free):
        members = {}
        for function in graph.nodes:
            record = record_of(function)
            call = record.module_call if record is not None and function in free else None
            if call is not None and depth is not None:
                call = call.outer(depth)
            elif call is not None and not call.is_innermost:
                call = None
            if call is not None:
                members.setdefault(call, []).append(function)
        if not members:
            raise ValueError(
                "cannot fold by module: no Function of this graph was recorded in a call of an nn.Module at this "
                "depth; run the modules under `with drawing.record():`"
            )
        groups = {call: Group(call.title, functions) for call, functions in members.items()}
        return list(groups.values()) + _place_parameters(graph, free, groups)

    return fold


def calls_around(graph):
    """Return {Function: the module call in which it was made, or None} of a graph made under `drawing.record()`.

    A parameter belongs to the innermost call around all its users whose module owns it. If a module is called several
    times, as in a loop, an input without a gradient that only one of the calls uses belongs to that call.
    """
    calls = {}
    for function in graph.nodes:
        record = record_of(function)
        calls[function] = None if record is None else record.module_call
    times = Counter(id(call.module()) for call in set(calls.values()) if call is not None)
    owned = {}  # {call: the ids of its module's parameters}
    for leaf in graph.nodes:
        if isinstance(leaf, Leaf) and graph.uses[leaf]:
            call = _common([calls[user] for user, _, _ in graph.uses[leaf]])
            while call is not None:
                if call not in owned:
                    owned[call] = {id(parameter) for parameter in _parameters(call.module())}
                if id(leaf.variable) in owned[call] or (not leaf.requires_grad and times[id(call.module())] > 1):
                    calls[leaf] = call
                    break
                call = call.parent
    return calls


# --- repeated steps


def repeated_steps(graph):
    """Return {Function: (loop, step)} of the steps of unrolled loops, both counted from 1, in a graph without records.

    A loop leaves the same Functions in the graph several times. Every step is an interval of the walk's order, so no
    path leaves it and enters it again. A step that is a mere chain is no step.
    """
    found = {}
    waiting = [[fn for fn in graph.nodes if not isinstance(fn, Leaf)]] if len(graph.nodes) >= _LEAST_TO_FOLD else []
    loops = 0
    while waiting:
        operations = [function for function in waiting.pop() if function not in found]
        start, end, period = _longest_loop(graph, operations)
        if not period:
            continue
        loops += 1
        for place in range(start, end):
            found[operations[place]] = (loops, (place - start) // period + 1)
        _add_what_one_step_uses(graph, found)
        waiting += [operations[end:], operations[:start]]
    return found


def _add_what_one_step_uses(graph, found):
    """Add the Functions that only one step uses; to the first step not those of what came before the loop."""
    for function in reversed(graph.nodes):
        steps = {found.get(user) for user, _, _ in graph.uses[function]}
        if function not in found and len(steps) == 1 and None not in steps:
            (step,) = steps
            if step[1] > 1 or all(isinstance(prev, Leaf) for prev, _ in graph.inputs[function]):
                found[function] = step


def _longest_loop(graph, operations):
    """Return (start, end, period) of the longest part of `operations` that repeats at least three times, or zeros."""
    kind = {function: (type(function), *function._output_sizes) for function in operations}
    exact = {fn: (kind[fn], *(kind.get(prev) for prev, _ in graph.inputs[fn])) for fn in operations}
    numbers = numpy.unique([hash(exact[function]) for function in operations], return_inverse=True)[1]
    best = (0, 0, 0)
    for period in range(_SHORTEST_STEP, min(len(operations) // 3, _LONGEST_STEP) + 1):
        same = numpy.flatnonzero(numpy.diff(numbers[:-period] == numbers[period:], prepend=False, append=False))
        for start, stop in zip(same[::2].tolist(), same[1::2].tolist()):
            if stop - start < period:
                continue
            places = range(max(0, start - 2 * period), start)
            alike = [kind[operations[place]] == kind[operations[place + period]] for place in places]
            while alike and alike[-1]:  # the first step has the same Functions, with other inputs
                alike.pop()
                start -= 1
            if sum(alike[-period:]) >= 0.8 * period:
                start -= period  # or nearly the same
            count = (stop - start) // period + 1
            step = operations[start : start + period]
            is_step = len({kind[fn] for fn in step}) > 1 and any(len(graph.inputs[fn]) > 1 for fn in step)
            if count >= 3 and count * period > best[1] - best[0] and is_step:
                best = start, start + count * period, period
    return best


def _common(calls):
    """Return the innermost call around all of `calls`, or None."""
    common = calls[0]
    for call in calls[1:]:
        while common is not None and (call is None or call.outer(common.depth) is not common):
            common = common.parent
    return common


def _place_parameters(graph, free, groups):
    """Put each parameter into the group of the one call that uses it; returns groups for those used by several."""
    call_of = {function: call for call, group in groups.items() for function in group.functions}
    shared = {}
    for leaf in graph.nodes:
        if not isinstance(leaf, Leaf) or leaf not in free or leaf.variable is None:
            continue
        calls = {call_of.get(user): None for user, _, _ in graph.uses[leaf]}
        if None in calls or not calls:
            continue
        first, *others = calls
        if not any(leaf.variable is parameter for parameter in _parameters(first.module())):
            continue
        if not others:
            groups[first].functions.append(leaf)
        elif all(call.module() is first.module() for call in others):
            shared.setdefault(first.module(), (first, []))[1].append(leaf)
    return [Group(f"{call.title} parameters", leaves, True) for call, leaves in shared.values()]


def _parameters(module):
    return module.parameters() if hasattr(module, "parameters") else ()


def chains(longest=2):
    """Return a folding with one node for each run of more than `longest` Functions with one input and one user each."""

    def fold(graph, free):
        groups, seen = [], set()
        for function in graph.nodes:
            run = []
            while function not in seen and function in free and _is_link(graph, function):
                run.append(function)
                seen.add(function)
                function = graph.uses[function][0][0] if len(graph.uses[function]) == 1 else function
            if len(run) > longest:
                groups.append(Group(_chain_title(run), run))
        return groups

    return fold


def _is_link(graph, function):
    return len(graph.inputs[function]) == 1 and len(function._output_sizes) == 1 and len(graph.uses[function]) <= 1


def _chain_title(run):
    classes = list(dict.fromkeys(type(function).__name__ for function in run))
    if len(classes) == 1:
        return f"{classes[0]} ×{len(run)}"
    return ", ".join(classes[:3]) + (", …" if len(classes) > 3 else "")


def beyond(depth):
    """Return a folding with one node for each connected part of the graph more than `depth` steps from the roots."""

    def fold(graph, free):
        distance = dict.fromkeys(graph.nodes, 0)
        for function in reversed(graph.nodes):  # users come before their inputs, so the longest path is known
            for edge in graph.inputs[function]:
                if edge is not None:
                    distance[edge[0]] = max(distance[edge[0]], distance[function] + 1)
        far = {function for function in graph.nodes if distance[function] > depth and function in free}
        groups, seen = [], set()
        for function in graph.nodes:
            if function not in far or function in seen:
                continue
            seen.add(function)
            part, queue = [], [function]
            while queue:
                current = queue.pop()
                part.append(current)
                neighbours = [edge[0] for edge in graph.inputs[current] if edge is not None]
                neighbours += [user for user, _, _ in graph.uses[current]]
                for neighbour in neighbours:
                    if neighbour in far and neighbour not in seen:
                        seen.add(neighbour)
                        queue.append(neighbour)
            if len(part) > 1:
                groups.append(Group("the rest", sorted(part, key=graph.number.get)))
        return groups

    return fold


def by_label(label):
    """Return a folding with one node for all Functions of one text `label(function)`; None: not folded."""

    def fold(graph, free):
        members = {}
        for function in graph.nodes:
            title = label(function) if function in free else None
            if title is not None:
                members.setdefault(title, []).append(function)
        return [Group(str(title), functions) for title, functions in members.items()]

    return fold


def groups_of(graph, fold):
    """Return {Function: its Group} for `fold`: "modules", "chains", a depth, a folding of this file, or a list.

    Any other function is used as a label (`by_label`). If several foldings match a Function, the first one applies.
    """
    found = {}
    for folding in fold if isinstance(fold, (list, tuple)) else [fold]:
        free = {function for function in graph.nodes if function not in found}
        for group in _folding(folding)(graph, free):
            found.update(dict.fromkeys(group.functions, group))
    return found


def _folding(fold):
    if fold == "modules":
        return by_module()
    if fold == "chains":
        return chains()
    if isinstance(fold, int) and not isinstance(fold, bool) and fold >= 0:
        return beyond(fold)
    if getattr(fold, "__module__", None) == __name__:
        return fold
    if callable(fold):
        return by_label(fold)
    raise ValueError(
        "fold must be 'modules', 'chains', a depth, a function from a Function to a label, or a list of these; "
        f"got {fold!r}"
    )
