"""Short exercises of notebook 6, six bugs of v0.1.1."""

from ... import historical
from ..answer import plain
from ..practice import Unwritten, case, seen
from ..programs import short
from ..programs.inputs import made
from .watching import described, tolerance_of


def case_1(answer):
    """`answer`: the gradients that v0.1.1 gave for `(x + y) + x` at x = y = 1."""
    x, y = historical.V0_1_1.leaves(1, 1)
    ((x + y) + x).backward()
    right = [plain(x.grad)[0], plain(y.grad)[0]]
    hint = "Call the first gradient G. Which of the four edges carry G itself? When is something added to G?"
    got = list(answer) if isinstance(answer, (list, tuple)) else plain(answer)
    yield case("(x + y) + x with x = y = 1", answer if answer is ... else got, right,
        ([2, 1], "these are the correct gradients: which tensor waits for `x` while the inner `Add` runs?"),
        ([1, 1], "the leaf `x` gets two gradients, which are added"),
        hint=hint)  # fmt: skip


def case_2(answer):
    """`answer(gradients, output_nr, gradient)` adds without changing a tensor that waits."""
    for number, (kind, outputs, arrivals) in enumerate(short.arrivals(answer)):
        gradients, right = [None] * outputs, [None] * outputs
        held = {}  # {id: a tensor that was there}
        for step, (is_next_backward, output_nr, text, gradient) in enumerate(arrivals):
            if is_next_backward:
                gradients, right = [None] * outputs, [None] * outputs
            before = [described(waiting) for waiting in gradients]
            waiting = {id(tensor): tensor for tensor in gradients if tensor is not None}
            held |= {id(gradient): gradient, **waiting}
            names = dict.fromkeys(held, "an earlier tensor") | dict.fromkeys(waiting, "the tensor that waited")
            names[id(gradient)] = "the tensor that arrived"
            was = {key: (plain(tensor), tensor._version) for key, tensor in held.items()}
            answer(gradients, output_nr, gradient)
            if number == step == 0 and gradients == [None]:
                raise Unwritten
            right[output_nr] = gradient if right[output_nr] is None else right[output_nr] + gradient
            changed = [names[key] for key, tensor in held.items() if (plain(tensor), tensor._version) != was[key]]
            expected = [described(value) for value in right]
            on = f"gradients = {_shown(before)}, output_nr = {output_nr}, gradient = {text}"
            replaced = [*expected[:output_nr], described(gradient), *expected[output_nr + 1 :]]
            parts = {"gradients": (expected, [described(value) for value in gradients]), "changed": ([], changed)}
            yield seen(on, parts,
                (lambda got: "the tensor that waited" in got["changed"],
                 "the sum was made in the tensor that waits; another Function may hold it"),
                (lambda got: "the tensor that arrived" in got["changed"],
                 "the sum was made in the tensor that arrived; another Function may hold it"),
                ({"gradients": before}, "nothing was added"),
                ({"gradients": replaced}, "the second gradient replaced the first"),
                (lambda got, before=before, output_nr=output_nr: any(
                 one != other for place, (one, other) in enumerate(zip(before, got["gradients"]))
                 if place != output_nr), "`output_nr` says for which output the gradient came"),
                tolerance=tolerance_of(kind))  # fmt: skip

    base = made("DoubleTensor([[1.0, 2.0], [3.0, 4.0]])")
    gradients = [base.t()]  # the list alone holds this view
    answer(gradients, 0, made("DoubleTensor([[1.0, 1.0], [1.0, 1.0]])"))
    parts = {"gradients": ([[2, 4], [3, 5]], plain(gradients[0])), "base": ([[1, 2], [3, 4]], plain(base))}
    gradients[0] = base
    answer(gradients, 0, base)
    parts["the sum after the entry was replaced"] = [[2, 4], [6, 8]], plain(gradients[0])
    yield seen("gradients = [base.t()], where base = DoubleTensor([[1.0, 2.0], [3.0, 4.0]])", parts,
        ("base", "the sum was made in the tensor that waits; another Function may hold it"))  # fmt: skip


def _shown(gradients):
    return "[" + ", ".join("None" if value is None else f"{value[0]}({value[1]})" for value in gradients) + "]"


def case_3(answer):
    """`answer`: the numbers of the bugs that give a wrong number without an error."""
    got = sorted(answer, key=str) if isinstance(answer, (list, tuple, set, frozenset)) else plain(answer)
    hint = "A bug is loud if the column `v0.1.1` of the summary names an exception."
    yield case("the six bugs", answer if answer is ... else got, [1, 3, 5, 6],
        (lambda got: not isinstance(got, list) or not all(isinstance(number, int) for number in got),
         "a list of whole numbers"),
        (lambda got: 2 in got or 4 in got, "2 and 4 raise an error, which is loud: they were found within weeks"),
        (lambda got: len(set(got)) < 4, "there are four: look at the column `v0.1.1` of the summary"),
        hint=hint)  # fmt: skip
