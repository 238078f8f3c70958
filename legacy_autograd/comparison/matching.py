"""Which operations of two runs are the same: by where the program called them, and there by what they are.

Both worlds run the same lines, so an operation is first looked for where the program stood. One expression may be
several operations in one of the worlds (a Linear here is an addmm and a transposition there): then they are grouped.
"""

import itertools
import re
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy

# What an operation of this package is in modern torch, where that is not the same word.
_OTHER_NAMES = {
    "addconstant": {"add"},
    "subconstant": {"sub", "rsub"},
    "mulconstant": {"mul"},
    "divconstant": {"div", "reciprocal"},
    "powconstant": {"pow", "exp2"},
    "negate": {"neg"},
    "cmax": {"maximum"},
    "cmaxconstant": {"maximum", "clampmin", "clamp"},
    "cmin": {"minimum"},
    "cminconstant": {"minimum", "clampmax", "clamp"},
    "norm": {"linalgvectornorm"},
    "ger": {"mul"},
    "matmul": {"mm", "mv", "bmm", "dot", "unsafeview"},
    "addr": {"addr"},
    "inverse": {"linalginvex"},
    "cross": {"linalgcross"},
    "transpose": {"t", "permute"},
    "concat": {"cat", "stack"},
    "narrow": {"slice"},
    "index": {"index", "select", "slice", "unsafeindex"},
    "chunk": {"split", "unsafesplit"},
    "split": {"splitwithsizes", "unsafesplit"},
    "contiguous": {"clone"},
    "copy": {"tocopy"},
    "maskedcopy": {"maskedscatter"},
    "linear": {"addmm", "mm", "mv"},
    "conv1d": {"convolution"},
    "conv2d": {"convolution"},
    "convtranspose": {"convolution"},
    "maxpool1d": {"maxpool2dwithindices"},
    "maxpool2d": {"maxpool2dwithindices"},
    "avgpool1d": {"avgpool2d"},
    "batchnorm": {"nativebatchnorm"},
    "dropout": {"mul", "nativedropout"},
    "threshold": {"threshold", "relu"},
    "relu": {"threshold"},
    "hardtanh": {"hardtanh", "clamp"},
    "crossentropyloss": {"nllloss"},
    "bcewithlogitsloss": {"binarycrossentropywithlogits"},
    "bceloss": {"binarycrossentropy"},
    "abs": {"abs"},
}


@dataclass
class Match:
    """The nodes `here` and `there` (indices into the two runs) that are the same operation, or the same leaf.

    One of the two is empty where the other world has nothing of the kind. `number` is the match's place in the order
    of this package's run.
    """

    here: list
    there: list
    is_leaf: bool = False
    number: int = 0

    @property
    def is_one_to_one(self):
        return len(self.here) == len(self.there) == 1


def match_runs(here, there):
    """The list of all `Match`es of two runs, in the order in which the operations ran; every node is in one of them."""
    matches = _leaves(here, there)
    positions_here, positions_there = _by_position(here), _by_position(there)
    for calls_here, calls_there in _aligned(positions_here, positions_there):
        matches += _within(here, there, calls_here, calls_there)
    for side, run, other in (("there", there, here), ("here", here, there)):
        _settle(run, other, matches, side)
    # Nodes of torch that come of nothing in particular (a view of a weight, say) stand before what uses them.
    matches.sort(key=lambda match: (match.here or [_before(there, match, matches)])[0])
    for number, match in enumerate(matches, 1):
        match.number = number
    return matches


def _before(there, match, matches):
    """A sorting key for a match of torch's alone: that of the first later match that has a node here."""
    later = [m for m in matches if m.here and m.there and m.there[0] > match.there[-1]]
    return min((m.here[0] for m in later), default=len(there.nodes) + 1) - 0.5


def same_family(name_here, name_there):
    """Whether two names can be one operation: Mul and MulBackward0, or MulConstant and MulBackward0."""
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
    """The place among `others` of the leaf that is `leaf`: of its name, else of its numbers, else of its size."""
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
    """[(position, [indices of the operations called there, one after another])], in the order of the run."""
    operations = [i for i, node in enumerate(run.nodes) if not node.is_leaf]
    groups = itertools.groupby(operations, key=lambda i: run.nodes[i].position)
    return [(position, list(group)) for position, group in groups]


def _aligned(here, there):
    """Pairs of lists of indices, for the positions that occur in both runs; alone with [] where one has it alone."""
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
    """The matches among the operations of one expression.

    What is certain to be the same is paired, in order. What stands between two pairs in both worlds is one group; what
    only one of them has there belongs to what uses it.
    """
    if not calls_here or not calls_there:
        return [Match(calls_here, calls_there)]
    matches, alone = [], []
    pairs = [*_pairs(here, there, calls_here, calls_there), (len(calls_here), len(calls_there))]
    before = (-1, -1)
    for a, b in pairs:
        gap_here, gap_there = calls_here[before[0] + 1 : a], calls_there[before[1] + 1 : b]
        if gap_here and gap_there:
            apart = [i for i in gap_there if len(gap_there) > 1 and _stands_apart(there, i, gap_there)]
            gap_there = [i for i in gap_there if i not in apart]
            alone += [("there", i) for i in apart]
            matches.append(Match(gap_here, gap_there))
        else:
            alone += [("here", i) for i in gap_here] + [("there", i) for i in gap_there]
        if a < len(calls_here):
            matches.append(Match([calls_here[a]], [calls_there[b]]))
        before = (a, b)
    for side, index in sorted(alone, key=lambda pair: -pair[1]):  # users first, so that what they use finds them
        _absorb({"here": here, "there": there}[side], index, matches, side)
    return matches


def _pairs(here, there, calls_here, calls_there):
    """[(place in calls_here, place in calls_there)], growing in both: the best alignment of the two sequences."""
    n, m = len(calls_here), len(calls_there)
    if n == m == 1:
        return [(0, 0)]
    nodes_here, nodes_there = [here.nodes[i] for i in calls_here], [there.nodes[i] for i in calls_there]
    if n == m and all(same_family(a.name, b.name) for a, b in zip(nodes_here, nodes_there)):
        return [(i, i) for i in range(n)]
    if n * m > _LARGEST_ALIGNMENT:
        return []
    best = numpy.zeros((n + 1, m + 1))
    likeness = numpy.array([[_likeness(a, b) for b in nodes_there] for a in nodes_here])
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            together = likeness[i, j] + best[i + 1, j + 1] if likeness[i, j] else 0
            best[i, j] = max(best[i + 1, j], best[i, j + 1], together)
    pairs, i, j = [], 0, 0
    while i < n and j < m:
        if likeness[i, j] and best[i, j] == likeness[i, j] + best[i + 1, j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i, j] == best[i + 1, j]:
            i += 1
        else:
            j += 1
    return pairs


_LARGEST_ALIGNMENT = 250_000


def _likeness(a, b):
    """How sure it is that two nodes are one operation; 0 where nothing speaks for it."""
    size_a, size_b = _size_of(a), _size_of(b)
    if size_a is not None and size_b is not None and size_a != size_b:
        return 0
    equal = _equal_outputs(a, b)
    if not same_family(a.name, b.name):
        return 0
    return 3 if equal else 2 if size_a == size_b else 1


def _size_of(node):
    """How many numbers the node returned, as far as they or their gradients were seen; None if they were not."""
    arrays = node.outputs or (node.gradients[0][0] if node.gradients else {})
    counts = [array.size for _, array in sorted(arrays.items()) if array is not None]
    return counts[0] if counts else None


def _equal_outputs(a, b):
    if not a.outputs or set(a.outputs) - set(b.outputs):
        return False
    pairs = [(value.ravel(), b.outputs[number].ravel()) for number, value in a.outputs.items()]
    return all(one.size == other.size and numpy.allclose(one, other, equal_nan=True) for one, other in pairs)


def _settle(run, other, matches, side):
    """Move what ends up in the wrong one of two neighbouring groups.

    That is a node whose result is used by the next group alone, and is of a size that its own group, in the other
    world, does not return.
    """
    of = {index: match for match in matches for index in getattr(match, side)}
    other_side = "here" if side == "there" else "there"
    users = {}
    for (index, _), uses in run.users.items():
        users.setdefault(index, []).extend(of[user] for user, _ in uses)
    for index in sorted(users, reverse=True):
        match, next_match = of[index], users[index][0]
        opposite = [_size_of(other.nodes[i]) for i in getattr(match, other_side)]
        is_alone = match.is_leaf or not opposite or len(getattr(match, side)) == 1
        if is_alone or next_match is match or any(user is not next_match for user in users[index]):
            continue
        if _size_of(run.nodes[index]) not in [None, *opposite] and getattr(next_match, other_side):
            getattr(match, side).remove(index)
            getattr(next_match, side).append(index)
            getattr(next_match, side).sort()
            of[index] = next_match


def _stands_apart(run, index, gap):
    """Whether a node neither uses another of the gap nor is used there: the transposition of a weight, for example."""
    return not any(_uses(run.nodes[index], other) or _uses(run.nodes[other], index) for other in gap)


def _absorb(run, index, matches, side):
    """Put the node `index`, which the other world does not have, to the match that uses it, or else that it uses."""
    groups = [(getattr(match, side), match) for match in matches]
    users = [match for members, match in groups if any(_uses(run.nodes[member], index) for member in members)]
    used = [match for members, match in groups if any(_uses(run.nodes[index], member) for member in members)]
    members = getattr((users or used or [matches[-1]])[0], side)
    members.append(index)
    members.sort()


def _uses(node, index):
    return any(edge is not None and edge[0] == index for edge in node.inputs)


# --- what a match gives to others


def boundary(run, matches, side):
    """{number of a match: {(numbers of the matches that use an output): (index of its node, output number)}}.

    The outputs of a group are told apart by who uses them, in which both worlds agree. Of outputs with the same users
    the last counts.
    """
    of = {index: match.number for match in matches for index in getattr(match, side)}
    found = {match.number: {} for match in matches}
    for (index, number), users in run.users.items():
        numbers = {of[user] for user, _ in users} - {of[index]}
        if numbers:
            found[of[index]][tuple(sorted(numbers))] = (index, number)
    for match in matches:
        members = getattr(match, side)
        if members and not found[match.number]:
            found[match.number][()] = (members[-1], 0)  # a result: nobody uses it
    return found
