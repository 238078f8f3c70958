"""`Comparison`: two runs of one program, and the differences between them."""

import functools
from collections import Counter
from dataclasses import dataclass, field

import numpy

from .alignment import boundary, first_of_expression, match_runs, numbers_of

_TOLERANCES = {"float64": 1e-10, "float32": 1e-4, "float16": 1e-2}


@dataclass
class Difference:
    """The largest difference of two arrays: absolute, relative to the larger number, and whether it is tolerated."""

    absolute: float = 0.0
    relative: float = 0.0
    agrees: bool = True
    note: str = ""

    @classmethod
    def between(cls, here, there, tolerance):
        """Return the difference of two arrays of equally many elements; None means zeros."""
        if here is None and there is None:
            return cls()
        here = numpy.zeros_like(there) if here is None else here
        there = numpy.zeros_like(here) if there is None else there
        if here.size != there.size:
            return cls(numpy.inf, numpy.inf, False, f"shape {here.shape} in legacy_autograd, {there.shape} in torch")
        a, b = here.ravel().astype(numpy.float64), there.ravel().astype(numpy.float64)
        with numpy.errstate(all="ignore"):
            apart = numpy.where((a == b) | (numpy.isnan(a) & numpy.isnan(b)), 0.0, numpy.abs(a - b))
            relative = numpy.where(apart == 0, 0.0, apart / numpy.maximum(numpy.abs(a), numpy.abs(b)))
            # Here a nan means that only one of the two is nan.
            apart, relative = (numpy.where(numpy.isnan(x), numpy.inf, x) for x in (apart, relative))
            agrees = bool((apart <= tolerance * (1 + numpy.where(numpy.isfinite(b), numpy.abs(b), 0))).all())
        return cls(float(apart.max(initial=0)), float(relative.max(initial=0)), agrees)

    def worst(self, other):
        """Return the larger of two differences."""
        return other if (not other.agrees, other.absolute) > (not self.agrees, self.absolute) else self


@dataclass
class Row:
    """One row of the table: an operation or a leaf in both runs. None means that there was nothing to compare."""

    number: int
    here: str
    there: str
    value: Difference | None
    gradient: Difference | None
    size: tuple | None = None
    size_there: tuple | None = None
    position: tuple = ()
    is_leaf: bool = False
    is_group: bool = False
    values: list = field(default_factory=list, repr=False)  # [(legacy_autograd's array, torch's array)] of each output
    gradients: list = field(default_factory=list, repr=False)  # of each output and backward; None: no gradient

    @property
    def agrees(self):
        return all(d is None or d.agrees for d in (self.value, self.gradient))


@dataclass
class ByDesign:
    """A deliberate difference, and how often it occurs."""

    here: str
    there: str
    count: int = 1


@dataclass
class Comparison:
    """A program's two runs: `rows` for operations and leaves, `results` for its return values, and the verdict.

    `agrees` is True if no value and no gradient differs by more than `tolerance` times (1 + its size).
    `first_difference` is a sentence that names the first differing operation, or None; `first_number` is the number of
    its row. `by_design` lists deliberate differences. `print(comparison)` prints the table, `save("page.html")` writes
    a self-contained page, and a notebook shows the comparison.
    """

    title: str
    here: object
    there: object
    tolerance: float | None = None
    matches: list = field(init=False, repr=False)
    rows: list = field(init=False, repr=False)
    results: dict = field(init=False, repr=False)  # {name: Difference}
    problems: list = field(init=False, repr=False)  # sentences about what only one run has
    by_design: list = field(init=False, repr=False)
    first_difference: str | None = field(init=False)
    first_number: int | None = field(init=False, default=None)  # of the first differing row

    # Sentences about random numbers that the two runs did not draw alike, if they come before the first difference.
    random_numbers: list = field(init=False)

    def __post_init__(self):
        if self.tolerance is None:
            self.tolerance = default_tolerance(
                [*self.here.results.values(), *[a for node in self.here.nodes for a in node.outputs.values()]]
            )
        self._match(())
        differing = self._differing_expressions()
        if differing:
            # The two libraries may order the operations of one expression differently. If its results agree, and so do
            # the gradients that it passed on to leaves, it agrees.
            self._match(differing)
            whole = differing - self._differing_expressions()
            if not whole or not all(row.agrees for row in self.rows if row.is_leaf):
                whole = set()
            if whole != differing:
                self._match(whole)
        self.results = self._compare_results()
        self.by_design = self._by_design()
        self.first_difference = self._first_difference()
        self.random_numbers = [] if self.agrees else self._random_numbers()

    @property
    def agrees(self):
        """Whether all values, gradients and results agree."""
        compared = [*self.rows, *self.results.values()]
        return not self.problems and all(item.agrees for item in compared)

    @property
    def gradients_agree(self):
        """Whether all gradients agree, of operations and of leaves."""
        return all(row.gradient is None or row.gradient.agrees for row in self.rows)

    def __str__(self):
        from .text import text_of

        return text_of(self)

    def __repr__(self):
        verdict = "agrees" if self.agrees else f"differs: {self.first_difference}"
        return f"<comparison of {self.title}: {len(self.rows)} operations and leaves, {verdict}>"

    def _repr_mimebundle_(self, include=None, exclude=None, **_):
        from .html import embedded

        return {"text/html": embedded(self), "text/plain": str(self)}

    def save(self, path):
        """Write the comparison to `path` as one self-contained HTML page.

        If no program on this machine can lay out the graphs, the page says what to install.
        """
        from pathlib import Path

        from .html import page

        Path(path).write_text(page(self), encoding="utf-8")

    # --- comparing

    def _match(self, whole):
        """Match the runs and compare the rows; the expressions that begin with a node in `whole` are one row each."""
        self.problems = []
        self.matches = match_runs(self.here, self.there, whole)
        self._outputs = [boundary(self.here, self.matches, "here"), boundary(self.there, self.matches, "there")]
        self.rows = [self._row(match) for match in self.matches]

    def _differing_expressions(self):
        """Return the first nodes of the expressions in which a value or gradient differs."""
        first = first_of_expression(self.here)
        rows = [(match, row) for match, row in zip(self.matches, self.rows) if not row.agrees and not match.is_leaf]
        return {first[match.here[0]] for match, _ in rows if match.here and match.there}

    def _row(self, match):
        here = [self.here.nodes[i] for i in match.here]
        there = [self.there.nodes[i] for i in match.there]
        outputs = self._outputs_of(match)
        values = gradients = ()
        if match.is_leaf and not (here and there):
            self._missing_leaf(match, (here or there)[0])
        elif here and there:
            values = [(a.outputs[i], b.outputs[j]) for (a, i), (b, j) in outputs if i in a.outputs and j in b.outputs]
            if match.is_leaf:
                gradients = [self._leaf_grads(match)]
            else:
                gradients = [pair for output in outputs for pair in self._gradients(match, *output)]
        value, gradient = (
            _worst(Difference.between(*pair, self.tolerance) for pair in pairs) for pairs in (values, gradients)
        )
        last = (here or there)[-1]
        size, size_there = [_size(*pair) for pair in outputs[0]] if outputs else (_size(last, 0), None)
        return Row(
            match.number, _title(here), _title(there), value, gradient, size, size_there, last.position, match.is_leaf,
            not match.is_one_to_one, values, gradients,
        )  # fmt: skip

    def _outputs_of(self, match):
        """Return [((node here, output number), (node there, output number))] of the outputs that can be compared."""
        if match.is_one_to_one:
            a, b = self.here.nodes[match.here[0]], self.there.nodes[match.there[0]]
            numbers = sorted({*a.outputs, *b.outputs, *[n for node in (a, b) for g, _ in node.gradients for n in g]})
            return [((a, n), (b, n)) for n in numbers]
        here, there = (outputs[match.number] for outputs in self._outputs)
        return [
            ((self.here.nodes[here[users][0]], here[users][1]), (self.there.nodes[there[users][0]], there[users][1]))
            for users in here
            if users in there and (users or not match.is_whole)  # results of the program are compared by themselves
        ]

    def _gradients(self, match, output_here, output_there):
        here, there = _arrived(*output_here), _arrived(*output_there)
        if not match.is_one_to_one:
            # A node of a group may also be used inside the group; only gradients from outside are the group's.
            here = _from_outside(self.here, match.here, output_here, here)
            there = _from_outside(self.there, match.there, output_there, there)
        # An output without a gradient gets zeros in legacy_autograd and None in torch.
        short = len(here) - len(there)
        return list(zip(here + [None] * -short, there + [None] * short))

    def _leaf_grads(self, match):
        return self.here.grads.get(match.here[0]), self.there.grads.get(match.there[0])

    def _missing_leaf(self, match, node):
        run, index = (self.here, match.here) if match.here else (self.there, match.there)
        grad = run.grads.get(index[0])
        if grad is not None and numpy.any(grad):
            where = f"only in {run.world}"
            self.problems.append(f"the leaf {node.title} of shape {_size(node, 0)} has a gradient {where}")

    def _compare_results(self):
        here, there = self.here.results, self.there.results
        for run, other in ((self.here, self.there), (self.there, self.here)):
            for name in run.results:
                if name not in other.results and name in other.numbers:
                    other.results[name] = other.numbers[name]  # a sum, say, is a number in legacy_autograd
                elif name not in other.results:
                    self.problems.append(f"{name} is a result in {run.world}, but not in {other.world}")
        return {name: Difference.between(here[name], there[name], self.tolerance) for name in here if name in there}

    # --- the first difference

    def _first_difference(self):
        for row in self.rows:
            if row.value is not None and not row.value.agrees:
                what = "the leaf" if row.is_leaf else "the operation"
                self.first_number = row.number
                return f"in forward order, the value of {what} {self._named(row)} is the first to differ"
        for place in reversed(range(len(self.rows))):
            row = self.rows[place]
            if row.gradient is not None and not row.gradient.agrees:
                return self._locate(self.matches[place], row)
        wrong = [name for name, difference in self.results.items() if not difference.agrees]
        if wrong:
            return f"the result {wrong[0]} differs, but no operation{self._until()} does"
        return self.problems[0] if self.problems else None

    def _until(self):
        if not self.here.is_cut:
            return ""
        return f" of the first {len(self.here.roots)} backward passes (`--backwards 0` records all)"

    def _locate(self, match, row):
        """Describe the user of `match` whose backward gave it a different gradient; later rows agree."""
        here, there = _flows(self.here, self.matches, "here"), _flows(self.there, self.matches, "there")
        for user in reversed(self.matches):
            flow = (user.number, match.number)
            if flow in here or flow in there:
                difference = Difference.between(here.get(flow), there.get(flow), self.tolerance)
                if not difference.agrees:
                    culprit = self.rows[user.number - 1]
                    self.first_number = culprit.number
                    return (
                        f"in backward order, the backward of {self._named(culprit)} is the first to return a different "
                        f"gradient, for {self._named(row)}"
                    )
        self.first_number = row.number
        return f"in backward order, the gradient of {self._named(row)} is the first to differ"

    def _named(self, row):
        line = f"line {row.position[-1][1]}" if row.position else ""
        other = row.there if row.here and row.there != row.here else ""
        said = ", ".join(filter(None, [other, line]))
        return f"{row.here or row.there} #{row.number}{f' ({said})' if said else ''}"

    # --- random numbers

    def _random_numbers(self):
        """Return sentences about generators that differ at the first difference, and draws that one run cannot share.

        In forward order, the state of each generator is compared after the expression of the first differing row; for a
        gradient after the first backward with a difference; for a result at the end.
        """
        row = next((row for row in self.rows if row.number == self.first_number), None)
        if row is not None and row.value is not None and not row.value.agrees:
            match = self.matches[row.number - 1]
            here, there = _expression(self.here, match.here[-1:]), _expression(self.there, match.there[-1:])
            states = self.here.nodes[here].generators, self.there.nodes[there].generators
        else:
            there = len(self.there.nodes)
            at_roots = list(zip(self.here.generators_at_roots, self.there.generators_at_roots))
            at_end = self.here.generators_at_end, self.there.generators_at_end
            states = at_end if row is None else next((pair for pair in at_roots if pair[0] != pair[1]), ({}, {}))
        sentences = []
        names = [name for name in states[0] if states[0][name] != states[1][name]]
        if names:
            sentences.append(
                f"Random numbers differ before this: the generator of {' and of '.join(names)} was seeded or used "
                f"differently in the two runs{self._since(names)}."
            )
        for draw in self.there.unshared:
            if draw.node <= there:
                line = f" in line {draw.position[-1][1]}" if draw.position else ""
                sentences.append(
                    f"Random numbers before this are not shared: {draw.source}{line} draws from torch's own generator, "
                    "which has no counterpart in legacy_autograd."
                )
        return list(dict.fromkeys(sentences))

    def _since(self, names):
        """Return where the generators were first seen to differ, as a part of a sentence."""
        for match in self.matches:
            if match.here and match.there and not match.is_leaf:
                here, there = _expression(self.here, match.here[-1:]), _expression(self.there, match.there[-1:])
                node, other = self.here.nodes[here], self.there.nodes[there]
                if any(node.generators[name] != other.generators[name] for name in names):
                    return f", in line {node.position[-1][1]} or before" if node.position else ""
        return ""

    # --- what differs by design

    def _by_design(self):
        found = Counter()
        nones = 0
        for match, row in zip(self.matches, self.rows):
            if match.is_leaf:
                if match.is_one_to_one:
                    found["the creator of a leaf Variable is a Leaf, which accumulates its gradient",
                          "a leaf has no grad_fn; an AccumulateGrad accumulates its gradient"] += 1  # fmt: skip
                    nones += [grad is None for grad in self._leaf_grads(match)].count(True) == 1
                continue
            if not match.is_one_to_one:
                nothing = "no separate operation"
                found[row.here or nothing, row.there or nothing] += 1
            if row.size == (1,) and row.size_there == ():
                found["a full reduction, or one element, has the shape (1,)", "it has the shape ()"] += 1
        if self.here.unrecorded:
            found["operations that require no gradient are recorded too", "they are not recorded"] = (
                self.here.unrecorded
            )
        if nones:
            found["the grad of a leaf without a gradient is zeros once it was read", "None"] = nones
        for remark, count in self.there.remarks.items():
            found["as in v0.1.x", remark] = count
        return [ByDesign(here, there, count) for (here, there), count in found.items()]


def _flows(run, matches, side):
    """Return {(number of a match, number of one that it uses): the gradient passed to it in all backwards}."""
    of = numbers_of(matches, side)
    flows = {}
    for index, node in enumerate(run.nodes):
        for _, outgoing in node.gradients:
            for position, edge in enumerate(node.inputs):
                gradient = outgoing.get(position)
                if edge is None or gradient is None or of[edge[0]] == of[index]:
                    continue
                key = of[index], of[edge[0]]
                before = flows.get(key)
                fits = before is not None and before.size == gradient.size
                flows[key] = before.ravel() + gradient.ravel() if fits else gradient.ravel()
    return flows


def _expression(run, indices):
    """Return the last node of the expression that the last of `indices` belongs to; for a leaf, that uses it."""
    last = indices[-1]
    following = [index for index in range(last, len(run.nodes)) if not run.nodes[index].is_leaf]
    for index in following:
        if run.nodes[index].position != run.nodes[following[0]].position:
            break
        last = index
    return last


def _arrived(node, number):
    """Return the gradients that arrived at an output, one for each backward."""
    return [gradients[number] for gradients, _ in node.gradients if gradients.get(number) is not None]


def _from_outside(run, members, output, arrived):
    """Return the gradient that an output's users outside of its group passed to it; `arrived` if all are outside."""
    node, number = output
    index = next(i for i in members if run.nodes[i] is node)
    users = run.users.get((index, number), ())
    if not any(user in members for user, _ in users):
        return arrived
    given = [
        outgoing[position]
        for user, position in users
        for _, outgoing in run.nodes[user].gradients
        if user not in members and outgoing.get(position) is not None
    ]
    return [functools.reduce(numpy.add, given)] if given else []


def _worst(differences):
    """Return the largest of some differences, or None if there are none."""
    differences = list(differences)
    return functools.reduce(Difference.worst, differences) if differences else None


def _title(nodes):
    """Return the names of a match's nodes: 'AddmmBackward0 + TBackward0', with counts for repeated names."""
    names = Counter(node.title for node in reversed(nodes))
    return " + ".join(name if count == 1 else f"{count} {name}" for name, count in names.items())


def _size(node, number):
    """Return the shape of an output, or of its gradient if only that was recorded; None if neither was."""
    arrays = [node.outputs.get(number), *[gradients.get(number) for gradients, _ in node.gradients]]
    return next((array.shape for array in arrays if array is not None), None)


def default_tolerance(arrays):
    """Return the tolerance for the least precise floating-point type among the arrays."""
    found = {str(array.dtype) for array in arrays}
    return max((_TOLERANCES[name] for name in found if name in _TOLERANCES), default=_TOLERANCES["float64"])
