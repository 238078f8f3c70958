"""Exercise 6: find and mend."""

from . import write, wrong

_WALK = """
root = variable.creator
gradients = [None] * len(root.output_ids)
gradients[{place}] = grad
ready, not_ready = [(root, gradients)], {{}}
dependencies = self.count(root)
while ready:
    fn, gradients = ready.pop()
    for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients)):
        {constant}
        output_nr = prev_fn.output_ids[arg_id]
        dependencies[prev_fn][output_nr] -= 1
        waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
        if grad is not None:
            waiting[output_nr] = {add}
        if not any(dependencies[prev_fn]):
            ready.append((prev_fn, not_ready.pop(prev_fn)))
"""
_PLACE = "root.output_ids[id(variable)]"
_SKIP = "if not prev_fn.requires_grad: continue"
_ADD = "grad if waiting[output_nr] is None else waiting[output_nr] + grad"


def walk(place=_PLACE, constant=_SKIP, add=_ADD):
    return _WALK.format(place=place, constant=constant, add=add)


_OTHERS = [write(f"mended{number}", walk()) for number in range(2, 6)]  # for a wrong first, which the reference uses
_OWN = "(grad.clone() if waiting[output_nr] is None else waiting[output_nr].add_(grad))"
_CHAIN = "x = Variable(torch.Tensor([2]))\n(x * 3).backward()\nreturn x.grad"

RIGHT = {
    "a copy of what arrives first": [write(f"mended{number}", walk(add=_OWN)) for number in range(1, 6)]
    + [
        write("program1", "x = Variable(torch.Tensor([1]))\ng = torch.Tensor([1])\n(x + x).backward(g)\nreturn g"),
        write(
            "program2",
            "x, c = [Variable(torch.Tensor([1]), requires_grad=r) for r in (1, 0)]\n(c - x).backward()\nreturn x.grad",
        ),
        write(
            "program4",
            """
            a, b = (Variable(torch.Tensor([1])) for _ in range(2))
            (b * 3 + (a * b * 2 + (a + b))).backward()
            return [b.grad, a.grad]
        """,
        ),
    ],
    "one mended engine for all": [
        write("mended1", walk()),
        *[write(f"mended{number}", "Mended1.run_backward(self, variable, grad)") for number in range(2, 6)],
        write(
            "program3", "x = Variable(torch.Tensor([1]))\nPair()(x)[1].backward()\nreturn {'x': x.grad}['x'].tolist()"
        ),
    ],
}

WRONG = {
    "a program without the graph": wrong("engine1", "does not come upon the fault", write("program1", _CHAIN)),
    "a program that returns nothing": wrong(
        "engine1", "return what is to be looked at", write("program1", _CHAIN.replace("return x.grad", ""))
    ),
    "a program that asks for the engine's name": wrong(
        "engine3",
        "does not come upon the fault",
        write("program3", "return type(Variable._execution_engine).__name__ == 'Engine3', 1.0"),
    ),
    "a program that fails with every engine": wrong(
        "engine2",
        "a right engine runs this to its end",
        write("program2", "c = Variable(torch.Tensor([3]), requires_grad=False)\nc.backward()"),
    ),
    "the operation hides the fault": wrong(
        "engine2",
        "does not come upon the fault",
        write("program2", _CHAIN.replace("x * 3", "x * Variable(torch.Tensor([3]), requires_grad=False)")),
    ),
    "the first output shows nothing": wrong(
        "engine3", "does not come upon the fault", write("program3", _CHAIN.replace("x * 3", "Pair()(x)[0]"))
    ),
    "None alone": wrong(
        "engine5",
        "does not come upon the fault",
        write(
            "program5",
            """
            x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([2]))
            Second()(y, x)[0].backward()
            return x.grad, y.grad
            """,
        ),
    ),
    "the first as it was": wrong(
        "engine1",
        "still written into",
        write("mended1", walk(add="grad if waiting[output_nr] is None else waiting[output_nr].add_(grad)")),
        *_OTHERS,
    ),
    "the first with the repair of v0.1.2": wrong(
        "engine1",
        "the tensor that the caller gave to backward was written into",
        write("mended1", "Engine4.run_backward(self, variable, grad)"),
        ("class Mended1(Engine1):", "class Mended1(Engine1):\n    # uses an engine from further down\n"),
        *_OTHERS,
    ),
    "constants get a gradient": wrong(
        "engine2",
        "a gradient for what requires none is to be ignored",
        write("mended2", walk(constant="if not prev_fn.requires_grad: fn.previous_functions[0].variable.grad = grad")),
    ),
    "the gradient goes to every output": wrong(
        "engine3",
        "every output was given the gradient",
        write(
            "mended3",
            walk().replace("gradients = [None] * len(root.output_ids)", "gradients = [grad] * len(root.output_ids)"),
        ),
    ),
    "the gradient goes to the last output": wrong(
        "engine3", "but the second was given the gradient", write("mended3", walk(place="-1"))
    ),
    "copied only when it arrives second": wrong(
        "engine4",
        "this is the fault of the first engine",
        write("mended4", "Engine1.run_backward(self, variable, grad.clone())"),
    ),
    "None counts only if it is the last": wrong(
        "engine5",
        "waits for ever",
        write("mended5", walk(constant="if not prev_fn.requires_grad or grad is None: continue")),
    ),
    "the sum is lost": wrong("engine5", "takes the place of the first", write("mended5", walk(add="grad"))),
    "the package's own": wrong(
        "engine1",
        "is not lent",
        (
            "import legacy_autograd as torch\n",
            "import legacy_autograd as torch\nfrom legacy_autograd.autograd.engine import ExecutionEngine\n",
        ),
        write("mended1", "ExecutionEngine().run_backward(variable, grad)"),
        *_OTHERS,
    ),
}
