"""Match the operations of two runs: by the position of the call in the program, then by kind.

Both runs execute the same lines, so the position of the call comes first. One expression may be several operations in
one of the runs (torch's Linear can be an addmm and a transposition); these are grouped.
"""

import functools
import itertools
import re
import tomllib
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import resources

import numpy

_OTHER_NAMES = tomllib.loads(resources.files(__package__).joinpath("other_names.toml").read_text(encoding="utf-8"))


@dataclass
class Match:
    """The nodes `here` (legacy_autograd) and `there` (torch) that are the same operation or leaf, as indices.

    One of the two lists is empty if the other run has no counterpart. `number` is the position of the match in the
    order of legacy_autograd's run. `is_whole` means that it has all operations of an expression.
    """

    here: list
    there: list
    is_leaf: bool = False
    number: int = 0
    is_whole: bool = False

    @property
    def is_one_to_one(self):
        return len(self.here) == len(self.there) == 1


def match_runs(here, there, whole=()):
    """Return all `Match`es of two runs, in the order in which the operations ran; they contain every node.

    The operations of one expression are matched one by one, or all at once if its first node is in `whole`.
    """
    matches = _leaves(here, there)
    positions_here, positions_there = _by_position(here), _by_position(there)
    for calls_here, calls_there in _aligned(positions_here, positions_there):
        if calls_here and calls_here[0] in whole:
            matches.append(Match(calls_here, calls_there, is_whole=True))
        else:
            matches += _within(here, there, calls_here, calls_there)
    # Nodes of torch without a counterpart, such as a view of a weight, come before their users.
    matches.sort(key=lambda match: (match.here or [_before(there, match, matches)])[0])
    for number, match in enumerate(matches, 1):
        match.number = number
    return matches


def _before(there, match, matches):
    """Return a sorting key for a match with nodes of torch only: just before the next match with nodes of both."""
    later = [m for m in matches if m.here and m.there and m.there[0] > match.there[-1]]
    return min((m.here[0] for m in later), default=len(there.nodes) + 1) - 0.5


@functools.cache
def same_family(name_here, name_there):
    """Return whether two names can be the same operation: Mul and MulBackward0, or MulConstant and MulBackward0."""
    a, b = name_here.lower(), re.sub(r"backward\d*$", "", name_there.lower())
    return a == b or b in _OTHER_NAMES.get(a, ()) or re.sub(r"backward$", "", a) == b


# --- leaves


def _leaves(here, there):
    rest = [i for i, node in enumerate(there.nodes) if node.is_leaf]
    matches = []
    for i, node in enumerate(here.nodes):
        if not node.is_leaf:
            continue
        found = _best(node, [there.nodes[j] for j in rest])
        matches.append(Match([i], [] if found is None else [rest.pop(found)], is_leaf=True))
    return matches + [Match([], [j], is_leaf=True) for j in rest]


def _best(leaf, others):
    """Return the index in `others` of the leaf that equals `leaf`: by name, else by numbers, else by size."""
    fits = [i for i, other in enumerate(others) if _value(other).size == _value(leaf).size]
    tests = [
        lambda other: leaf.label is not None and other.label == leaf.label,
        lambda other: numpy.array_equal(_value(other).ravel(), _value(leaf).ravel(), equal_nan=True),
        lambda other: leaf.label is None or other.label is None,
    ]
    for test in tests:
        for i in fits:
            if test(others[i]):
                return i
    return None


def _value(node):
    return next(iter(node.outputs.values()), numpy.empty(0))


# --- operations


def _by_position(run):
    """Return [(position, [indices of the operations called there, one after another])] in the order of the run."""
    operations = [i for i, node in enumerate(run.nodes) if not node.is_leaf]
    groups = itertools.groupby(operations, key=lambda i: run.nodes[i].position)
    return [(position, list(group)) for position, group in groups]


def first_of_expression(run):
    """Return {index of an operation: index of the first operation of its expression}."""
    return {index: group[0] for _, group in _by_position(run) for index in group}


def _aligned(here, there):
    """Return pairs of lists of indices, for positions in both runs; a position in one run is paired with []."""
    positions_here, positions_there = [p for p, _ in here], [p for p, _ in there]
    if positions_here == positions_there:
        return [(a, b) for (_, a), (_, b) in zip(here, there)]
    pairs = []
    matcher = SequenceMatcher(None, positions_here, positions_there, autojunk=False)
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what == "equal":
            pairs += [(a, b) for (_, a), (_, b) in zip(here[i1:i2], there[j1:j2])]
        else:
            pairs += [(a, []) for _, a in here[i1:i2]] + [([], b) for _, b in there[j1:j2]]
    return pairs


def _within(here, there, calls_here, calls_there):
    """Return the matches among the operations of one expression.

    Operations of the same kind are paired, in order. If both runs have operations between two pairs, these form a
    group. Each remaining operation joins the match that uses it.
    """
    if not calls_here or not calls_there:
        return [Match(calls_here, calls_there)]
    matches, alone_here, alone_there = [], [], []
    before = (-1, -1)
    for pair in [*_pairs(here, there, calls_here, calls_there), (len(calls_here), len(calls_there))]:
        gap_here, gap_there = calls_here[before[0] + 1 : pair[0]], calls_there[before[1] + 1 : pair[1]]
        group = Match(_of_group(here, gap_here, there, gap_there), _of_group(there, gap_there, here, gap_here))
        if not (group.here and group.there):
            group = Match(gap_here, gap_there) if gap_here and gap_there else Match([], [])
        paired = Match(calls_here[pair[0] : pair[0] + 1], calls_there[pair[1] : pair[1] + 1])
        matches += [match for match in (group, paired) if match.here]
        alone_here += [i for i in gap_here if i not in group.here]
        alone_there += [i for i in gap_there if i not in group.there]
        before = pair
    _absorb(here, alone_here, matches, "here")
    _absorb(there, alone_there, matches, "there")
    return matches


def _pairs(here, there, calls_here, calls_there):
    """Return [(index in calls_here, index in calls_there)], both increasing: each call with the next of its kind."""
    names_there = {there.nodes[i].name for i in calls_there}
    pairs, begin = [], 0
    for place_here, node in enumerate([here.nodes[i] for i in calls_here]):
        if not any(same_family(node.name, name) for name in names_there):
            continue
        for place_there in range(begin, len(calls_there)):
            if _same_kind(node, there.nodes[calls_there[place_there]]):
                pairs.append((place_here, place_there))
                begin = place_there + 1
                break
    return pairs


def _same_kind(a, b):
    size_a, size_b = _size_of(a), _size_of(b)
    return same_family(a.name, b.name) and (size_a is None or size_b is None or size_a == size_b)


def _size_of(node):
    """Return the number of elements of the node's result, from its values or gradients; None if unknown."""
    arrays = node.outputs or (node.gradients[0][0] if node.gradients else {})
    counts = [array.size for _, array in sorted(arrays.items()) if array is not None]
    return counts[0] if counts else None


def _of_group(run, gap, other, other_gap):
    """Return the nodes of a gap that return as many numbers as the other run's, and the nodes that these use.

    A node without connections within the gap, such as the transposition of a weight, is not included.
    """
    sizes = {None, *[_size_of(other.nodes[i]) for i in other_gap]}
    kept = []
    for index in reversed(gap):
        node = run.nodes[index]
        may_end_it = _size_of(node) in sizes and (len(gap) == 1 or any(_uses(node, i) for i in gap))
        if may_end_it or any(_uses(run.nodes[user], index) for user in kept):
            kept.insert(0, index)
    return kept


def _absorb(run, alone, matches, side):
    """Add each node in `alone` to the match that uses it, else to a match that it uses, else to the last match."""
    of = {index: match for match in matches for index in getattr(match, side)}
    for index in sorted(alone, reverse=True):  # users first, so that their inputs find them
        users = [user for user in sorted(of) if _uses(run.nodes[user], index)]
        used = [other for other in of if _uses(run.nodes[index], other)]
        of[index] = of[[*users, *used][0]] if users or used else matches[-1]
        members = getattr(of[index], side)
        members.append(index)
        members.sort()


def _uses(node, index):
    return any(edge is not None and edge[0] == index for edge in node.inputs)


# --- the connections of a match


def numbers_of(matches, side):
    """Return {index of a node: number of its match} for one `side`, "here" or "there"."""
    return {index: match.number for match in matches for index in getattr(match, side)}


def boundary(run, matches, side):
    """Return {number of a match: {(numbers of the matches that use an output): (index of its node, output number)}}.

    The outputs of a group are identified by their users, which are the same in both runs. Of several outputs with the
    same users, the last one is taken.
    """
    of = numbers_of(matches, side)
    found = {match.number: {} for match in matches}
    for (index, number), users in run.users.items():
        numbers = {of[user] for user, _ in users} - {of[index]}
        if numbers:
            found[of[index]][tuple(sorted(numbers))] = (index, number)
    for match in matches:
        members = getattr(match, side)
        if members and not found[match.number]:
            found[match.number][()] = (members[-1], 0)  # a result, which has no users
    return found
