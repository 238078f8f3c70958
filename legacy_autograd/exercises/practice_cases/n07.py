"""Short exercises of notebook 7, beside modern torch (extra `compare`)."""

from ..practice import Case, Unwritten, written


def case_1(answer):
    """`answer`: today's names of creator, previous_functions and Leaf."""
    right = ["grad_fn", "next_functions", "AccumulateGrad"]
    mistakes = (
        (lambda got: len(got) != 3, "three names, in the order of the question"),
        (lambda got: "previous_functions" in got, "modern torch names the edges after the direction of backward"),
        (lambda got: sorted(got) == sorted(right), "these are the names, in another order"),
    )
    got = answer if answer is ... else [str(name) for name in answer]
    yield Case("creator, previous_functions, Leaf", got, right, mistakes)


def case_2(answer):
    """`answer(tensor)`: the leaves behind a tensor of modern torch, each once."""
    import torch

    a, b = [torch.tensor([number], requires_grad=True) for number in (2.0, 3.0)]
    for on, result, right in [
        ("a * b", a * b, "ab"),
        ("a * 2 + a", a * 2 + a, "a"),
        ("(a + b) * (a - b)", (a + b) * (a - b), "ab"),
    ]:
        got = written(answer(result))
        names = {id(a): "a", id(b): "b"}
        found = sorted(names.get(id(leaf), f"a {type(leaf).__name__}") for leaf in got)
        mistakes = (
            (lambda got: "a AccumulateGrad" in got, "the node is not the tensor: take its attribute `variable`"),
            (lambda got: len(got) > len(set(got)), "each leaf once, also where it is used twice"),
        )
        yield Case(on, found, list(right), mistakes)


def case_3(answer):
    """`answer(w, learning_rate)`: one step of gradient descent in modern torch."""
    import torch

    for start, slope, rate in [(1.0, 2.0, 0.5), (-3.0, 4.0, 0.125)]:
        w = torch.tensor([start], requires_grad=True)
        (w * slope).sum().backward()
        on = f"w = {start}, w.grad = {slope}, learning_rate = {rate}"
        returned = answer(w, rate)
        if returned is None and w.tolist() == [start] and w.grad is not None and w.grad.tolist() == [slope]:
            raise Unwritten
        yield Case(
            f"w after {on}",
            w.tolist(),
            [start - rate * slope],
            (([start + rate * slope], "the step goes against the gradient"),),
        )
        yield Case("w is still a leaf", [bool(w.is_leaf), w.grad_fn is None], [True, True])
        grad = [0.0] if w.grad is None else w.grad.tolist()
        yield Case(f"w.grad after {on}", grad, [0.0], (([slope], "the gradient was not set to zero"),))
