"""Short exercises of notebook 7, beside modern torch (extra `compare`)."""

from ..practice import Unwritten, case, seen, twice, words, written
from ..programs import short


def case_1(answer):
    """`answer`: today's names of creator, previous_functions and Leaf."""
    right = ["grad_fn", "next_functions", "AccumulateGrad"]
    hint = (
        "The first two are attributes of a Tensor and of its node. The third is the class of the last node of a graph."
    )
    yield case("creator, previous_functions, Leaf", words(answer), right,
        (lambda got: not isinstance(got, list) or len(got) != 3, "three names, in the order of the question"),
        (lambda got: "previous_functions" in got, "modern torch names the edges after the direction of backward"),
        (lambda got: sorted(map(str, got)) == sorted(right), "these are the names, in another order"),
        hint=hint)  # fmt: skip


def case_2(answer):
    """`answer(tensor)`: the leaves behind a tensor of modern torch, each once."""
    import torch

    mistakes = (
        (lambda got: "a AccumulateGrad" in got["the leaves"],
         "the node is not the tensor: take its attribute `variable`"),
        (lambda got: len(got["the leaves"]) > len(set(got["the leaves"])),
         "each leaf once, also where it is used twice"),
    )  # fmt: skip
    for graph in short.modern_graphs(answer):
        run = graph.run()
        root, names = run["root"], {id(run[name]): name for name in graph.leaves}
        if root.grad_fn is None:  # a leaf, or a constant
            continue
        right = sorted(names[id(variable)] for variable in _leaves(root))

        def shown(found, names=names):
            return sorted(names.get(id(leaf), f"a {type(leaf).__name__}") for leaf in found)

        yield twice(graph.text, lambda root=root: written(answer(root)), "the leaves", right, *mistakes, plain=shown,
                    another=lambda: answer(torch.ones(1, requires_grad=True) * 2), other="other leaves",
                    second="those of a second call")  # fmt: skip


def _leaves(root):
    seen, stack = set(), [root.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [following for following, _ in node.next_functions]
    return [node.variable for node in seen if hasattr(node, "variable")]


def case_3(answer):
    """`answer(w, learning_rate)`: one step of gradient descent in modern torch."""
    import torch

    changed = False
    for w, recording, steps in short.modern_descents():
        kind = w.dtype
        for step, rate, slope in steps:
            if "None" in step:
                w.grad = None
            (w * slope).sum().backward()
            before, gradient = w.detach().clone(), w.grad.clone()
            on = f"w = {before.tolist()}, w.grad = {gradient.tolist()}, learning_rate = {rate}{step}"
            with torch.set_grad_enabled(recording):
                returned = answer(w, rate)
                after = torch.is_grad_enabled()
            changed |= returned is not None or w.grad is None or not (w.grad.equal(gradient) and w.equal(before))
            if gradient.any() and not changed:
                raise Unwritten
            is_leaf = w.is_leaf and w.grad_fn is None and w.requires_grad
            parts = {
                "w": ((before - rate * gradient).tolist(), w.tolist()),
                "w.grad": ((gradient * 0).tolist(), (gradient * 0 if w.grad is None else w.grad).tolist()),
                "w is a leaf that requires a gradient": (True, is_leaf),
                "its type": (str(kind), str(w.dtype)),
                "recording afterwards": (recording, after),
            }
            yield seen(on, parts,
                ({"w": (before + rate * gradient).tolist()}, "the step goes against the gradient"),
                ({"w": (before - gradient).tolist()}, "the step is the gradient times the learning rate"),
                ({} if step else {"w": before.tolist()},
                 "`w` has not changed: `-=` changes it in place, a new tensor does not"),
                ({"w.grad": gradient.tolist()}, "the gradient was not set to zero"),
                (lambda got: not got["w is a leaf that requires a gradient"],
                 "`w` must stay a leaf that requires a gradient: `torch.no_grad()` ends with its block"),
                ({"recording afterwards": False}, "nothing is recorded any more: restore the recording"),
                ({"recording afterwards": True}, "the recording was off before: restore what was there"),
                tolerance=1e-5 if kind == torch.float32 else 1e-12)  # fmt: skip
