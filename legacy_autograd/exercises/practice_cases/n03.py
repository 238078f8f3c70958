"""Short exercises of notebook 3, the leaf."""

from ...autograd import Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case, written


def case_1(answer):
    """`answer(start, count)` is `x.grad` after `count` backwards of `x * x` at `x = start`."""
    for start, count in [(3.0, 1), (3.0, 2), (-1.5, 4), (0.5, 0)]:
        x = Variable(DoubleTensor([start]))
        for _ in range(count):
            (x * x).backward()
        mistakes = ((2 * start, "each backward adds its gradient to x.grad"),)
        yield Case(f"start = {start}, count = {count}", answer(start, count), plain(x.grad)[0], mistakes)


def case_2(answer):
    """`answer(seen)` returns a hook that appends twice the gradient, as a list of one number, and changes nothing."""
    for weights in ([1.0], [2.0, 3.0], [1.0, 0.5, -4.0]):
        x, seen, once = Variable(DoubleTensor([2.0])), [], sum(weights)
        x.register_hook("yours", written(answer(seen)))
        total = x * weights[0]
        for weight in weights[1:]:
            total = total + x * weight
        total.backward()
        mistakes = (([[once]], "that is the gradient, not twice the gradient"),)
        yield Case(f"the gradient {once}", plain(seen) or None, [[2 * once]], mistakes)
        mistakes = ((2 * once, "the hook changed the gradient in place"),)
        yield Case(f"x.grad after the gradient {once}", plain(x.grad)[0], once, mistakes)


def case_3(answer):
    """`answer`: whether a * c, c * c, (c * c) * a and c + 1 require a gradient."""
    a, c = Variable(DoubleTensor([2.0])), Variable(DoubleTensor([3.0]), requires_grad=False)
    right = [result.requires_grad for result in (a * c, c * c, (c * c) * a, c + 1)]
    mistakes = (
        ([True, True, True, True], "`c * c` has no input that requires a gradient"),
        ([True, False, False, False], "`(c * c) * a` has `a` among its inputs"),
    )
    yield Case("a * c, c * c, (c * c) * a, c + 1", answer if answer is ... else list(answer), right, mistakes)
