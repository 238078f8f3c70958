"""Exercise 3: Leaf."""

from . import write, wrong

_HOOKS = "for hook in list(self.backward_hooks.values()):\n            hook(grad_output, grad_output)\n"
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
}

WRONG = {
    "overwritten": wrong(
        "adds", "each gradient takes the place", (_ADD, "self.variable.grad = grad_output[0].clone()")
    ),
    "a new tensor each time": wrong(
        "adds", "the tensor that is there", (_ADD, "self.variable.grad = self.variable.grad + grad_output[0]")
    ),
    "added to the data": wrong(
        "adds own hooks", "nothing was added", (_ADD, "self.variable.data.add_(grad_output[0])")
    ),
    "the first is kept uncopied": wrong(
        "own",
        "make x one of its own",
        (
            _ADD,
            "if self.variable._grad is None:\n            self.variable.grad = grad_output[0]\n"
            f"        else:\n            {_ADD}",
        ),
    ),
    "added into the gradient": wrong(
        "adds own",
        "the tensor that was handed in",
        (_ADD, "self.variable.grad = grad_output[0].add_(self.variable.grad)"),
    ),
    "hooks after the addition": wrong(
        "hooks", "it is to come first", (_HOOKS, "pass\n"), (_ADD, f"{_ADD}\n        {_HOOKS}".rstrip())
    ),
    "hooks forgotten": wrong("hooks", "were not called", (_HOOKS, "pass\n")),
    "hooks get a Tensor": wrong(
        "hooks", "the hook gets two tuples", ("hook(grad_output, grad_output)", "hook(*grad_output, *grad_output)")
    ),
    "hooks get one argument": wrong(
        "hooks", "a hook takes two arguments", ("hook(grad_output, grad_output)", "hook(grad_output)")
    ),
    "names are called": wrong("hooks", "its values are what can be called", (".values()", "")),
    "the dictionary changes": wrong(
        "hooks",
        "go through a list of its values",
        ("list(self.backward_hooks.values())", "self.backward_hooks.values()"),
    ),
    "hooks may replace the gradient": wrong(
        "hooks",
        "it is to be ignored",
        ("hook(grad_output, grad_output)", "grad_output = hook(grad_output, grad_output) or grad_output"),
    ),
    "added once for each hook": wrong(
        "adds own hooks", "nothing was added", (f"{_HOOKS}        {_ADD}", f"{_HOOKS}            {_ADD}")
    ),
    "no answer": wrong("adds own hooks end", "without a return", ("        return ()\n", "")),
    "the gradient is answered": wrong("end", "no operand to hand it to", ("return ()", "return grad_output")),
    "the package's own": wrong(
        "adds own hooks end", "is not lent", write("leaf", "return super()._do_backward(*grad_output)")
    ),
}
