"""Short exercises of notebook 6, six bugs of v0.1.1."""

from ... import historical
from ..answer import plain
from ..practice import Case, Unwritten, seen
from .inputs import described, made, programs, tolerance_of


def case_1(answer):
    """`answer`: the gradients that v0.1.1 gave for `(x + y) + x` at x = y = 1."""
    x, y = historical.V0_1_1.leaves(1, 1)
    ((x + y) + x).backward()
    right = [plain(x.grad)[0], plain(y.grad)[0]]
    mistakes = (
        ([2, 1], "these are the correct gradients: which tensor waits for `x` while the inner `Add` runs?"),
        ([1, 1], "the leaf `x` gets two gradients, which are added"),
    )
    hint = "Call the first gradient G. Which of the four edges carry G itself? When is something added to G?"
    got = list(answer) if isinstance(answer, (list, tuple)) else plain(answer)
    yield Case("(x + y) + x with x = y = 1", answer if answer is ... else got, right, mistakes, hint=hint)


def case_2(answer):
    """`answer(gradients, output_nr, gradient)` adds without changing a tensor that waits."""
    for number, (draw, kind, size) in enumerate(programs(62)):
        outputs = 1 + number % 4
        gradients, right = [None] * outputs, [None] * outputs
        same, texts, held = gradients, [], {}
        for step in range(1, 7):
            before = [None if waiting is None else described(waiting) for waiting in gradients]
            repeat = texts and draw.chance(0.2)
            texts.append(draw.one_of(texts) if repeat else draw.tensor(kind, size))
            gradient = next((tensor for text, tensor in held.values() if repeat and text == texts[-1]), None)
            gradient = made(texts[-1]) if gradient is None else gradient
            output_nr = draw.whole(0, outputs - 1)
            for tensor in [gradient, *gradients]:
                if tensor is not None:
                    held.setdefault(id(tensor), (texts[-1] if tensor is gradient else "", tensor))
            was = {key: (plain(tensor), tensor._version) for key, (_, tensor) in held.items()}
            waited = {id(tensor) for tensor in gradients if tensor is not None}
            answer(gradients, output_nr, gradient)
            if number == 0 and step == 1 and gradients == [None] * outputs and gradients is same:
                raise Unwritten
            right[output_nr] = gradient if right[output_nr] is None else right[output_nr] + gradient
            changed = [
                "the tensor that arrived" if tensor is gradient else "the tensor that waited" if key in waited
                else "an earlier tensor"
                for key, (_, tensor) in held.items() if (plain(tensor), tensor._version) != was[key]
            ]  # fmt: skip
            expected = [None if value is None else described(value) for value in right]
            on = f"gradients = {_shown(before)}, output_nr = {output_nr}, gradient = {texts[-1]}"
            replaced = [*expected[:output_nr], described(gradient), *expected[output_nr + 1 :]]
            why = {
                "the tensor that waited": "the sum was made in the tensor that waits; another Function may hold it",
                "the tensor that arrived": "the sum was made in the tensor that arrived; another Function may hold it",
            }
            mistakes = (
                *((lambda got, key=key: key in got["changed"], text) for key, text in why.items()),
                ({"gradients": before}, "nothing was added"),
                ({"gradients": replaced}, "the second gradient replaced the first"),
                (lambda got, before=before, output_nr=output_nr: any(
                    one != other for place, (one, other) in enumerate(zip(before, got["gradients"]))
                    if place != output_nr), "`output_nr` says for which output the gradient came"),
            )  # fmt: skip
            found = [None if value is None else described(value) for value in gradients]
            parts = {"gradients": (expected, found), "changed": ([], changed)}
            yield seen(on, parts, mistakes, tolerance_of(kind))


def _shown(gradients):
    return "[" + ", ".join("None" if value is None else f"{value[0]}({value[1]})" for value in gradients) + "]"


def case_3(answer):
    """`answer`: the numbers of the bugs that give a wrong number without an error."""
    mistakes = (
        (lambda got: not isinstance(got, list) or not all(isinstance(number, int) for number in got),
         "a list of whole numbers"),
        (lambda got: 2 in got or 4 in got, "2 and 4 raise an error, which is loud: they were found within weeks"),
        (lambda got: len(set(got)) < 4, "there are four: look at the column `v0.1.1` of the summary"),
    )  # fmt: skip
    got = sorted(answer, key=str) if isinstance(answer, (list, tuple, set, frozenset)) else plain(answer)
    hint = "A bug is loud if the column `v0.1.1` of the summary names an exception."
    yield Case("the six bugs", answer if answer is ... else got, [1, 3, 5, 6], mistakes, hint=hint)
