"""The probes of exercise 5: the walk itself, `run_backward`."""

from ...autograd import Leaf
from ..answer import plain
from .programs import PROGRAMS, gradients_of, names_of, root_of, start_for
from .support import engine, leaf, leaves, tensor


def gradients(answer, program, gradient=None, backwards=1):
    """Return the gradients of the leaves, and how often each Function ran."""
    variables = PROGRAMS[program]()
    root = root_of(variables)
    ran, order = {}, []
    for function, name in names_of(variables).items():
        if function.requires_grad:
            ran[name] = 0

            def count(*gradients, name=name):
                ran[name] += 1
                order.append(name)

            def counted(*gradients, count=count, backward=function.backward):
                count()
                return backward(*gradients)

            if isinstance(function, Leaf):
                function.register_hook("count", count)
            else:
                function.backward = counted  # gradients would be copied for a hook
    start = start_for(program, root) if gradient is None else tensor(gradient)
    with engine(answer.Engine()):
        for _ in range(backwards):
            root.backward(start)
    in_order = {"backwards in order": order[:100]}
    times = {f"backward of {name} ran": f"{count} time{'s' * (count != 1)}" for name, count in ran.items()}
    return {**gradients_of(variables), **times, "the gradient given to backward": plain(start), **in_order}


def of_long_chain(answer):
    variables = PROGRAMS["long_chain"]()
    with engine(answer.Engine()):
        variables["z"].backward()
    return gradients_of(variables)


def with_a_raising_hook(answer):
    """Return the gradients of one engine that is used again after a hook raised an exception in a backward."""
    x, y = leaf([2.0]), leaf([3.0])
    product = x * y
    z = product + x

    def refuse(grad_input, grad_output):
        raise ArithmeticError("a hook that refuses")

    product.creator.register_hook("refuse", refuse)
    raised = None
    with engine(answer.Engine()):
        try:
            z.backward()
        except ArithmeticError:
            raised = "the hook's own"
        product.creator.remove_hook("refuse")
        x.grad.zero_(), y.grad.zero_()
        z.backward()
    return {"exception": raised, "x.grad": plain(x.grad), "y.grad": plain(y.grad)}


def with_a_backward_in_a_hook(answer):
    """Return the gradients of a graph whose hook runs a backward of another graph with the same engine."""
    x, y, v = leaves([2.0], [3.0], [4.0])
    product = x * y
    z = product + x
    other = v * v * v
    product.creator.register_hook("another backward", lambda grad_input, grad_output: other.backward())
    with engine(answer.Engine()):
        z.backward()
    return {"x.grad": plain(x.grad), "y.grad": plain(y.grad), "v.grad": plain(v.grad)}
