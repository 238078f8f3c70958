"""Short exercises of notebook 3, the leaf."""

from ...autograd import Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Unwritten, case, seen, twice, written
from ..programs import short
from .watching import described


def case_1(answer):
    """`answer(start, count)` is `x.grad` after `count` backwards of `x * x` at `x = start`."""
    for start, count, scale in short.starts(answer):
        x = Variable(DoubleTensor([start]))
        for _ in range(count):
            (x * x).backward()

        def ask(start=start, count=count, scale=scale):
            got = plain(written(answer(start, count)))
            got = got[0] if isinstance(got, list) and len(got) == 1 else got
            return got * scale if isinstance(got, float) else got

        on = f"start = {start}, count = {count}{f', times {scale}' * (scale > 1)}"
        yield twice(on, ask, "answer", plain(x.grad)[0] * scale,
            ({"answer": 2 * start}, "each backward adds its gradient to x.grad"), tolerance=1e-9)  # fmt: skip


def case_2(answer):
    """`answer(seen)` returns a hook that appends twice the gradient, as a list of one number, and changes nothing."""
    for number, (x, other, backwards) in enumerate(short.factors_of_backwards(answer)):
        noted, also = [], ["before"]
        x.register_hook("yours", written(answer(noted)))
        other.register_hook("yours", answer(also))
        arrived = []
        x.register_hook("watch", lambda grad_input, grad_output, arrived=arrived: arrived.append(grad_output[0]))
        expected, lines, sums = [], [], 0.0
        for factors in backwards:
            sum((x * factor for factor in factors), other * 3).backward()
            expected.append([2 * sum(factors)])
            sums += sum(factors)
            lines.append(" + ".join(["other * 3", *(f"x * {factor}" for factor in factors)]))
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
