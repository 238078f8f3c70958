"""Exercise 3: Leaf."""

from . import write, wrong

_HOOKS = "for hook in list(self.backward_hooks.values()):\n            hook(grad_output, grad_output)\n"
_CALL = "hook(grad_output, grad_output)"
_ADD = "self.variable.grad.add_(grad_output[0])"

RIGHT = {
    "the first is copied": [
        write(
            "leaf",
            """
            (gradient,) = grad_output
            for name in tuple(self.backward_hooks):
                self.backward_hooks[name](grad_output, grad_output)
            variable = self.variable
            if variable._grad is None:
                variable.grad = gradient.clone()
            else:
                variable.grad += gradient
            return ()
            """,
        )
    ],
    "through numpy's memory": [
        write(
            "leaf",
            """
            hooks = [hook for _, hook in self.backward_hooks.items()]
            while hooks:
                hooks.pop(0)(grad_output, grad_output)
            total = self.variable.grad.numpy()
            total += grad_output[0].numpy()
            return tuple()
            """,
        )
    ],
    "Black's line breaks and type hints": [
        write(
            "leaf",
            """
            hooks: tuple = (
                *self.backward_hooks.values(),
            )
            for hook in hooks:
                hook(
                    grad_output,
                    grad_output,
                )
            gradient: object
            (
                gradient,
            ) = grad_output
            self.variable.grad.add_(
                1
                * 1,
                gradient,
            )
            return (
                *[],
            )
            """,
        )
    ],
    "one line each": [
        write(
            "leaf",
            """
            [hook(grad_output, grad_output) for hook in [*self.backward_hooks.values()]]
            return (self.variable.grad.add_(grad_output[0]), ())[1]
            """,
        )
    ],
    "recursion over the hooks, walrus": [
        write(
            "leaf",
            """
            def show(hooks):
                if hooks:
                    hooks[0](grad_output, grad_output)
                    show(hooks[1:])

            show(list(self.backward_hooks.values()))
            if (total := self.variable.grad) is not None:
                total.copy_(total + grad_output[0])
            return ()
            """,
        )
    ],
    "a class that adds": [
        write(
            "leaf",
            """
            class Sum:
                def __init__(self, variable):
                    self.variable = variable

                def __iadd__(self, gradient):
                    if self.variable._grad is None:
                        self.variable._grad = gradient.new(*gradient.size()).copy_(gradient)
                    else:
                        self.variable._grad.add_(gradient)
                    return self

            for hook in map(self.backward_hooks.get, list(self.backward_hooks)):
                hook(grad_output, grad_output)
            total = Sum(self.variable)
            total += grad_output[0]
            return ()
            """,
        )
    ],
}

WRONG = {
    "overwritten": wrong(
        "adds",
        "each gradient replaces the previous one; add it instead",
        (_ADD, "self.variable.grad = grad_output[0].clone()"),
    ),
    "a new tensor each time": wrong(
        "adds",
        "an optimizer that holds x.grad must see the sum: add to the",
        (_ADD, "self.variable.grad = self.variable.grad + grad_output[0]"),
    ),
    "added to the data": wrong(
        "adds own hooks", "nothing was added", (_ADD, "self.variable.data.add_(grad_output[0])")
    ),
    "the first is kept uncopied": wrong(
        "own",
        "x.grad is the tensor in grad_output, which y and the caller",
        (
            _ADD,
            "if self.variable._grad is None:\n            self.variable.grad = grad_output[0]\n"
            f"        else:\n            {_ADD}",
        ),
    ),
    "added into the gradient": wrong(
        "adds own",
        "x.grad is the tensor in grad_output, which y and the caller",
        (_ADD, "self.variable.grad = grad_output[0].add_(self.variable.grad)"),
    ),
    "hooks after the addition": wrong(
        "hooks",
        "the hook ran after the accumulation; call it before",
        (_HOOKS, "pass\n"),
        (_ADD, f"{_ADD}\n        {_HOOKS}".rstrip()),
    ),
    "hooks forgotten": wrong("hooks", "were not called", (_HOOKS, "pass\n")),
    "hooks get a Tensor": wrong(
        "hooks",
        "call the hook with the tuple grad_output twice",
        ("hook(grad_output, grad_output)", "hook(*grad_output, *grad_output)"),
    ),
    "hooks get one argument": wrong(
        "hooks", "a hook takes two arguments", ("hook(grad_output, grad_output)", "hook(grad_output)")
    ),
    "names are called": wrong(
        "hooks", "backward_hooks is a dictionary from names to hooks: call its values", (".values()", "")
    ),
    "the dictionary changes": wrong(
        "hooks",
        "a dictionary must not change during a loop over it: loop",
        ("list(self.backward_hooks.values())", "self.backward_hooks.values()"),
    ),
    "hooks may replace the gradient": wrong(
        "hooks",
        "the return value of the hook was added; ignore it",
        ("hook(grad_output, grad_output)", "grad_output = hook(grad_output, grad_output) or grad_output"),
    ),
    "added once for each hook": wrong(
        "adds own hooks", "nothing was added", (f"{_HOOKS}        {_ADD}", f"{_HOOKS}            {_ADD}")
    ),
    "no answer": wrong("adds own hooks end", "without a return", ("        return ()\n", "")),
    "the gradient is answered": wrong(
        "end", "a leaf has no operands, so it returns no gradients", ("return ()", "return grad_output")
    ),
    "the package's own": wrong(
        "adds own hooks end",
        "the package's own is not available here",
        write("leaf", "return super()._do_backward(*grad_output)"),
    ),
    "what a hook raises is swallowed": wrong(
        "hooks",
        "an exception in a hook must reach the caller: do not use try and except",
        (_CALL, f"\ntry:\n    {_CALL}\nexcept Exception:\n    pass"),
    ),
    "added although a hook raised": wrong(
        "hooks",
        "if a hook raises, add nothing",
        (
            f"{_HOOKS}        {_ADD}",
            f"\ntry:\n    for hook in list(self.backward_hooks.values()):\n        {_CALL}\nfinally:\n    {_ADD}",
        ),
    ),
    "hooks run once": wrong(
        "hooks",
        "every hook is called in every backward",
        (_ADD, f"[self.remove_hook(name) for name in list(self.backward_hooks)]\n        {_ADD}"),
    ),
    "the hooks of the first backward for ever": wrong(
        "hooks",
        "the hooks of the first backward were called: read self.backward_hooks in each backward",
        (
            "for hook in list(self.backward_hooks.values()):",
            "if not hasattr(self, 'kept'):\n            self.kept = list(self.backward_hooks.values())\n"
            "        for hook in self.kept:",
        ),
    ),
    "hooks by name": wrong(
        "hooks",
        "call the hooks in the order of registration",
        ("list(self.backward_hooks.values())", "[hook for _, hook in sorted(self.backward_hooks.items())]"),
    ),
    "the last hook first": wrong(
        "hooks",
        "call the hooks in the order of registration",
        ("list(self.backward_hooks.values())", "list(self.backward_hooks.values())[::-1]"),
    ),
    "only the first hook": wrong(
        "hooks",
        "every hook is called",
        ("list(self.backward_hooks.values())", "list(self.backward_hooks.values())[:1]"),
    ),
    "no hooks for a gradient of zeros": wrong(
        "hooks",
        "call the hooks for a gradient of zeros too",
        ("for hook", "if not grad_output[0].norm():\n            return ()\n        for hook"),
    ),
    "a gradient that is always positive": wrong(
        "adds", "the sign of a gradient was lost", (_ADD, _ADD.replace("[0]", "[0].abs()"))
    ),
    "only the first row": wrong(
        "adds",
        "2 of the 4 numbers are correct",
        (_ADD, "self.variable.grad[0] = self.variable.grad[0] + grad_output[0][0]"),
    ),
    "the sum in every place": wrong(
        "adds", "each number is 4 times the correct one", (_ADD, _ADD.replace("grad_output[0]", "grad_output[0].sum()"))
    ),
    "no gradient after the third": wrong(
        "adds",
        "all numbers are 0: a gradient was lost or never added",
        (_ADD, f"self.times = getattr(self, 'times', 0) + 1\n        if self.times < 4:\n            {_ADD}"),
    ),
    "a step is taken as well": wrong(
        "adds", "do not change x.data", (_ADD, f"{_ADD}\n        self.variable.data.sub_(grad_output[0] * 0.1)")
    ),
    "one sum for all leaves": wrong(
        "adds own hooks",
        "an optimizer that holds x.grad must see the sum: add to the tensor in place, with add_",
        ("def _do_backward", "sums = {}\n\n    def _do_backward"),
        (
            _ADD,
            "total = self.sums.setdefault(grad_output[0].size(), grad_output[0].new(grad_output[0].size()).zero_())\n"
            "        total.add_(grad_output[0])\n        self.variable.grad = total",
        ),
    ),
    "a new tensor where the sum is zero": wrong(
        "adds",
        "an optimizer that holds x.grad must see the sum: add to the",
        (
            _ADD,
            "if self.variable.grad.norm():\n            self.variable.grad.add_(grad_output[0])\n"
            "        else:\n            self.variable.grad = grad_output[0].clone()",
        ),
    ),
    "the tensor that was read before is left": wrong(
        "adds",
        "an optimizer that holds x.grad must see the sum: add to the",
        (
            _ADD,
            "if not hasattr(self, 'begun'):\n            self.begun = True\n"
            "            self.variable.grad = grad_output[0].clone()\n        else:\n            " + _ADD,
        ),
    ),
    "another type of numbers": wrong(
        "adds",
        "add each element of each gradient with its sign, to the sum of its own Variable",
        (
            _ADD,
            "import legacy_autograd as torch\n\n"
            "        total = torch.FloatTensor((self.variable.grad + grad_output[0]).tolist())\n"
            "        self.variable.grad.copy_(total)",
        ),
    ),
    "written into the gradient and back": wrong(
        "adds",
        "the gradient argument was written into",
        write(
            "leaf",
            """
            for hook in list(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            self.variable.grad.add_(grad_output[0].mul_(2).div_(2))
            return ()
            """,
        ),
    ),
    "gradients up to a hundred": wrong(
        "adds",
        "add each element of each gradient with its sign, to the sum of its own Variable",
        write(
            "leaf",
            """
            for hook in list(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            self.variable.grad.add_(grad_output[0].clamp(-100, 100))
            return ()
            """,
        ),
    ),
    "three hooks at most": wrong(
        "hooks",
        "every hook is called in every backward",
        write(
            "leaf",
            """
            for hook in list(self.backward_hooks.values())[:3]:
                hook(grad_output, grad_output)
            self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
}
