"""Short exercises of notebook 3, the leaf."""

from ...autograd import Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Unwritten, case, seen, twice, written
from ..programs.inputs import Draw, beyond, made
from .watching import described


def case_1(answer):
    """`answer(start, count)` is `x.grad` after `count` backwards of `x * x` at `x = start`."""
    draw = Draw(31)
    pairs = [(draw.number() * draw.whole(0, 8) / 3, draw.whole(0, 9) * (number % 7 < 6)) for number in range(18)]
    pairs += [(-1.0, 3), (-2.0, 3), (2.0, 3), (2.0, 2), (1000.0, 35), (-1 / 3, 300), (2**24 + 1, 1), (1e-9, 3)]
    pairs += [(1.5, count) for count in beyond(answer)]
    for start, count in pairs:
        x = Variable(DoubleTensor([start]))
        for _ in range(count):
            (x * x).backward()

        scale = 2**30 if 0 < abs(start) < 1e-6 else 1  # small numbers are compared, too

        def ask(start=start, count=count, scale=scale):
            got = plain(written(answer(start, count)))
            got = got[0] if isinstance(got, list) and len(got) == 1 else got
            return got * scale if isinstance(got, float) else got

        on = f"start = {start}, count = {count}{f', times {scale}' * (scale > 1)}"
        yield twice(on, ask, "answer", plain(x.grad)[0] * scale,
            ({"answer": 2 * start}, "each backward adds its gradient to x.grad"), tolerance=1e-9)  # fmt: skip


def case_2(answer):
    """`answer(seen)` returns a hook that appends twice the gradient, as a list of one number, and changes nothing."""
    for number, backwards in enumerate([1, 2, 3] * 6 + [1, 9, 25, *beyond(answer)]):
        draw = Draw([32, number])
        kind = ("DoubleTensor", "FloatTensor")[number % 2]
        x, other = (Variable(made(draw.tensor(kind, (1,)))) for _ in range(2))
        factor = 1.125 + 2.0**-25 * (kind == "DoubleTensor") if number > 9 else 1  # many digits after the point
        noted, also = [], ["before"]
        x.register_hook("yours", written(answer(noted)))
        other.register_hook("yours", answer(also))
        arrived = []
        x.register_hook("watch", lambda grad_input, grad_output, arrived=arrived: arrived.append(grad_output[0]))
        expected, lines, sums = [], [], 0.0
        for _ in range(backwards):
            weights = [draw.number() for _ in range(draw.whole(1, 3))] if number else [2.0, 3.0]
            weights = [1e308] if number == 6 else weights  # twice the gradient is more than a double can be
            weights = [weight * factor for weight in weights]
            if number % 5 == 3:
                weights.append(-sum(weights))
            total = other * 3
            for weight in weights:
                total = total + x * weight
            total.backward()
            expected.append([2 * sum(weights)])
            sums += sum(weights)
            lines.append(" + ".join(["other * 3", *(f"x * {weight}" for weight in weights)]))
        if not noted and number == 0 and plain(x.grad) == [sums]:
            raise Unwritten
        parts = {
            "seen": (expected, [described(numbers) for numbers in noted]),
            "the list of another hook": (["before", *([6.0] for _ in lines)], plain(also)),
            "x.grad": ([sums], plain(x.grad)),
            "writes into the gradient": (0, max([gradient._version for gradient in arrived], default=None)),
        }
        yield seen("backward of " + ", then of ".join(lines), parts,
            (lambda got, sums=sums: got["x.grad"] != [sums], "the hook changed the gradient in place"),
            (lambda got: got["writes into the gradient"], "the hook changed the gradient in place, and back"),
            ({"seen": [[number / 2 for number in numbers] for numbers in expected]},
             "that is the gradient, not twice the gradient"),
            ({"seen": [number for (number,) in expected]}, "append a list of one number: `.tolist()`"),
            (lambda got, twice=[[number / 2 for number in expected[0]]] * 2: got["seen"][:1] in ([twice], [[twice]]),
             "`grad_output` is a tuple, and `2 *` repeats a tuple: take the gradient out of it, `grad_output[0]`"),
            (lambda got: "DoubleTensor" in str(got["seen"]), "append a list of one number, not a Tensor: `.tolist()`"),
            (lambda got, right=expected: got["seen"][:1] == right[:1] and len(right) > 1,
             "the hook runs in each backward, and gets the gradient of that backward"),
            tolerance=1e-9)  # fmt: skip


def case_3(answer):
    """`answer`: whether a * c, c * c, (c * c) * a and c + 1 require a gradient."""
    a, c = Variable(DoubleTensor([2.0])), Variable(DoubleTensor([3.0]), requires_grad=False)
    right = [result.requires_grad for result in (a * c, c * c, (c * c) * a, c + 1)]
    got = list(answer) if isinstance(answer, (list, tuple)) else answer
    hint = "For each result, list its inputs. It requires a gradient if one of them does."
    yield case("a * c, c * c, (c * c) * a, c + 1", got, right,
        ([True, True, True, True], "`c * c` has no input that requires a gradient"),
        ([True, False, False, False], "`(c * c) * a` has `a` among its inputs"),
        (lambda got: not isinstance(got, list) or len(got) != 4, "a list of four values, one for each result"),
        (lambda got: "True" in got or "False" in got, "True and False are Python's own values, without quotes"),
        (lambda got: got[3] is True and got[:3] == right[:3], "a number has no gradient: `c + 1` has one input, `c`"),
        (lambda got: got == [not one for one in right], "these are the opposites of the right values"),
        (lambda got: got[0] is False, "one input that requires a gradient is enough"),
        hint=hint)  # fmt: skip
