"""Short exercises of notebook 6, six bugs of v0.1.1."""

from ... import historical
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case, Unwritten


def case_1(answer):
    """`answer`: the gradients that v0.1.1 gave for `(x + y) + x` at x = y = 1."""
    x, y = historical.V0_1_1.leaves(1, 1)
    ((x + y) + x).backward()
    right = [plain(x.grad)[0], plain(y.grad)[0]]
    mistakes = (([2, 1], "these are the right gradients: which tensor waits for `x` while the inner `Add` runs?"),)
    got = answer if answer is ... else [float(number) for number in answer]
    yield Case("(x + y) + x with x = y = 1", got, right, mistakes)


def case_2(answer):
    """`answer(gradients, output_nr, gradient)` adds without changing a tensor that waits."""
    first, second = DoubleTensor([1.0, 2.0]), DoubleTensor([10.0, 20.0])
    gradients = [None, None]
    answer(gradients, 1, first)
    if gradients == [None, None]:
        raise Unwritten
    shown = [None if g is None else plain(g) for g in gradients]
    mistakes = (([[1.0, 2.0], None], "`output_nr` says for which output the gradient came"),)
    yield Case("[None, None], output 1, gradient [1, 2]", shown, [None, [1.0, 2.0]], mistakes)
    answer(gradients, 1, second)
    mistakes = (([10.0, 20.0], "the second gradient replaced the first"), ([1.0, 2.0], "nothing was added"))
    on = "[None, [1, 2]], output 1, gradient [10, 20]"
    yield Case(on, plain(gradients[1]), [11.0, 22.0], mistakes)
    why = "the sum was made in the tensor that waits; another Function may hold it"
    yield Case(f"the tensor that waited, after {on}", plain(first), [1.0, 2.0], (([11.0, 22.0], why),))
    why = "the sum was made in the tensor that arrived; another Function may hold it"
    yield Case(f"the tensor that arrived, after {on}", plain(second), [10.0, 20.0], (([11.0, 22.0], why),))


def case_3(answer):
    """`answer`: the numbers of the bugs that give a wrong number without an error."""
    mistakes = (
        (lambda got: 2 in got or 4 in got, "2 and 4 raise an error, which is loud: they were found within weeks"),
        (lambda got: len(got) < 4, "there are four: look at the column `v0.1.1` of the summary"),
    )
    got = answer if answer is ... else sorted(int(number) for number in answer)
    yield Case("the six bugs", got, [1, 3, 5, 6], mistakes)
