"""Folding draws many Functions as one node, so that a network or an unrolled loop fits on a page.

A folding takes a `Graph` and the set of Functions that are not folded yet, and returns `Group`s of them. No path leaves
a group and enters it again, so the folded picture has no cycles. Only `by_label` does not guarantee this.
"""

from ..autograd.leaf import Leaf
from .recording import record_of


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

    A parameter belongs to the innermost call around all its users whose module owns it.
    """
    calls = {}
    for function in graph.nodes:
        record = record_of(function)
        calls[function] = None if record is None else record.module_call
    owned = {}  # {call: the ids of its module's parameters}
    for leaf in graph.nodes:
        if isinstance(leaf, Leaf) and leaf.variable is not None and graph.uses[leaf]:
            call = _common([calls[user] for user, _, _ in graph.uses[leaf]])
            while call is not None:
                if call not in owned:
                    owned[call] = {id(parameter) for parameter in _parameters(call.module())}
                if id(leaf.variable) in owned[call]:
                    calls[leaf] = call
                    break
                call = call.parent
    return calls


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
