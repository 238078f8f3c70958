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
    "a helper, an attribute and a loop by index": [
        (
            "    def _do_backward(",
            "    def _add_up(self, gradient):\n        self.variable.grad.add_(gradient.clone())\n\n"
            "    def _do_backward(",
        ),
        write(
            "leaf",
            """
            self.calls = getattr(self, "calls", 0) + 1
            names = list(self.backward_hooks)
            position = 0
            while position < len(names):
                name = names[position]
                self.backward_hooks[name](grad_output, grad_output)
                position += 1
            self._add_up(*grad_output)
            return []
            """,
        ),
    ],
    "element by element": [
        write(
            "leaf",
            """
            for hook in tuple(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            total, gradient = self.variable.grad.numpy(), grad_output[0].numpy()
            for place, number in __import__("numpy").ndenumerate(gradient):
                total[place] += number
            return ()
            """,
        )
    ],
    "copies for the hooks": [
        write(
            "leaf",
            """
            for hook in [*self.backward_hooks.values()]:
                copies = tuple(gradient.clone() for gradient in grad_output)
                hook(copies, copies)
            total = self.variable.grad
            total.sub_(-grad_output[0])
            return ()
            """,
        )
    ],
    "a gradient that is kept and copied": [
        write(
            "leaf",
            """
            import copy

            hooks = self.backward_hooks.copy()
            for name in hooks.keys():
                hooks[name](grad_output, grad_output)
            x = self.variable
            if x._grad is None:
                x._grad = copy.deepcopy(grad_output[0].contiguous())
            else:
                x._grad[:] = x._grad + grad_output[0]
            return ()
            """,
        )
    ],
    "type hints, a match and a fold": [
        write(
            "leaf",
            """
            from functools import reduce

            reduce(lambda _, hook: hook(grad_output, grad_output), tuple(self.backward_hooks.values()), None)
            match grad_output:
                case (gradient,):
                    before: object = self.variable.grad
                    before.set_(before) if False else before.add_(gradient)
            return tuple([])
            """,
        )
    ],
    "the sum in double precision": [
        (
            "self.variable.grad.add_(grad_output[0])",
            (
                "total = self.variable.grad\n"
                "        total.copy_((total.double() + grad_output[0].double()).type_as(total))"
            ),
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
        "x.grad must be a tensor of its own: other code, such as another",
        (
            _ADD,
            "if self.variable._grad is None:\n            self.variable.grad = grad_output[0]\n"
            f"        else:\n            {_ADD}",
        ),
    ),
    "added into the gradient": wrong(
        "adds own",
        "x.grad must be a tensor of its own: other code, such as another",
        (_ADD, "self.variable.grad = grad_output[0].add_(self.variable.grad)"),
    ),
    "hooks after the addition": wrong(
        "hooks",
        "during the hooks x.grad holds the sum of earlier backwards",
        (_HOOKS, "pass\n"),
        (_ADD, f"{_ADD}\n        {_HOOKS}".rstrip()),
    ),
    "hooks forgotten": wrong("hooks", "were not called", (_HOOKS, "pass\n")),
    "hooks get a Tensor": wrong(
        "hooks",
        "both are the tuple grad_output: hook(grad_output, grad_output)",
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
        "a value has the wrong type",
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
        None,
        (_ADD, f"[self.remove_hook(name) for name in list(self.backward_hooks)]\n        {_ADD}"),
    ),
    "the hooks of the first backward for ever": wrong(
        "hooks",
        "every hook is called in every backward",
        (
            "for hook in list(self.backward_hooks.values()):",
            "if not hasattr(self, 'kept'):\n            self.kept = list(self.backward_hooks.values())\n"
            "        for hook in self.kept:",
        ),
    ),
    "hooks by name": wrong(
        "hooks",
        None,
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
        "every hook is called in every backward, whatever the gradient is",
        ("for hook", "if not grad_output[0].norm():\n            return ()\n        for hook"),
    ),
    "a gradient that is always positive": wrong(
        "adds", "all of its elements, unchanged", (_ADD, _ADD.replace("[0]", "[0].abs()"))
    ),
    "only the first row": wrong(
        "adds",
        "all of its elements, unchanged",
        (_ADD, "self.variable.grad[0] = self.variable.grad[0] + grad_output[0][0]"),
    ),
    "the sum in every place": wrong(
        "adds", "all of its elements, unchanged", (_ADD, _ADD.replace("grad_output[0]", "grad_output[0].sum()"))
    ),
    "no gradient after the third": wrong(
        "adds",
        "add each of them once",
        (_ADD, f"self.times = getattr(self, 'times', 0) + 1\n        if self.times < 4:\n            {_ADD}"),
    ),
    "a step is taken as well": wrong(
        "adds", "do not change x.data", (_ADD, f"{_ADD}\n        self.variable.data.sub_(grad_output[0] * 0.1)")
    ),
    "one sum for all leaves": wrong(
        "adds own hooks",
        "to the grad that self.variable has at that moment",
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
        "add each of them once, all of its elements, unchanged",
        (
            _ADD,
            "import legacy_autograd as torch\n\n"
            "        total = torch.FloatTensor((self.variable.grad + grad_output[0]).tolist())\n"
            "        self.variable.grad.copy_(total)",
        ),
    ),
    "written into the gradient and back": wrong(
        "adds",
        "Do not write into it",
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
        "add each of them once, all of its elements, unchanged",
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
    "a gradient whose sum is 0 is left out": wrong(
        "adds", "x.grad must be the sum of all gradients", (_ADD, f"if grad_output[0].sum():\n            {_ADD}")
    ),
    "a gradient with nan is left out": wrong(
        "adds",
        "x.grad must be the sum of all gradients",
        (_ADD, f"if grad_output[0].sum() == grad_output[0].sum():\n            {_ADD}"),
    ),
    "infinite gradients are left out": wrong(
        "adds",
        "x.grad must be the sum of all gradients",
        (_ADD, f"if abs(grad_output[0].sum()) != float('inf'):\n            {_ADD}"),
    ),
    "summed before the hooks of a second backward": wrong(
        "hooks",
        "accumulate after the hooks",
        write(
            "leaf",
            """
            early = self.variable._grad is not None
            if early:
                self.variable.grad.add_(grad_output[0])
            for hook in list(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            if not early:
                self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "summed between the hooks": wrong(
        "hooks",
        "during the hooks x.grad holds the sum of earlier backwards",
        write(
            "leaf",
            """
            hooks = list(self.backward_hooks.values())
            for hook in hooks[:1]:
                hook(grad_output, grad_output)
            self.variable.grad.add_(grad_output[0])
            for hook in hooks[1:]:
                hook(grad_output, grad_output)
            return ()
            """,
        ),
    ),
    "a guard against a backward in a hook": wrong(
        "hooks",
        None,
        write(
            "leaf",
            """
            if getattr(self, "running", False):
                return ()
            self.running = True
            try:
                for hook in list(self.backward_hooks.values()):
                    hook(grad_output, grad_output)
            finally:
                self.running = False
            self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "a guard that stays after an exception": wrong(
        "hooks",
        None,
        write(
            "leaf",
            """
            if getattr(self, "running", False):
                return ()
            self.running = True
            for hook in list(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            self.running = False
            self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "no hooks in a backward of a hook": wrong(
        "hooks",
        "every hook is called in every backward",
        ("class Leaf(leaf.Leaf):", "DEPTH = []\n\n\nclass Leaf(leaf.Leaf):"),
        write(
            "leaf",
            """
            DEPTH.append(self)
            try:
                for hook in list(self.backward_hooks.values()):
                    if len(DEPTH) == 1:
                        hook(grad_output, grad_output)
            finally:
                DEPTH.pop()
            self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "the first gradient overwrites": wrong(
        "adds",
        "to the grad that self.variable has at that moment",
        write(
            "leaf",
            """
            for hook in list(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            if not hasattr(self, "begun"):
                self.begun = True
                self.variable.grad.copy_(grad_output[0])
            else:
                self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "written into through NumPy": wrong(
        "own",
        "Do not write into it",
        (
            _ADD,
            "total = grad_output[0].numpy()\n        total += self.variable.grad.numpy()\n"
            "        self.variable.grad.copy_(grad_output[0])",
        ),
    ),
    "written into through NumPy and back": wrong(
        "own",
        "Do not write into it",
        write(
            "leaf",
            """
            for hook in list(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            self.variable.grad.add_(grad_output[0])
            try:
                grad_output[0].numpy()[...] = 0
            except ValueError:
                pass
            return ()
            """,
        ),
    ),
    "the sum of the first backward is kept": wrong(
        "own hooks",
        "to the grad that self.variable has at that moment",
        (
            _ADD,
            "if not hasattr(self, 'total'):\n            self.total = self.variable.grad\n"
            "        self.total.add_(grad_output[0])",
        ),
    ),
    "the first gradient is kept": wrong(
        "adds",
        "x.grad must be the sum of all gradients",
        (
            _ADD,
            "if not hasattr(self, 'first'):\n            self.first = grad_output[0].clone()\n"
            "        self.variable.grad.add_(self.first)",
        ),
    ),
    "a view of the gradient is kept": wrong(
        "own",
        "x.grad must be a tensor of its own",
        (
            _ADD,
            "if self.variable._grad is None:\n"
            "            self.variable._grad = grad_output[0].transpose(0, 0)\n        else:\n            " + _ADD,
        ),
    ),
    "the gradient is kept where there is no hook": wrong(
        "own",
        "x.grad must be a tensor of its own",
        (
            _ADD,
            "if self.variable._grad is None and not self.backward_hooks:\n"
            "            self.variable._grad = grad_output[0]\n        else:\n            " + _ADD,
        ),
    ),
    "one sum for Variables of one Tensor": wrong(
        "adds own",
        None,
        ("class Leaf(leaf.Leaf):", "SUMS = {}\n\n\nclass Leaf(leaf.Leaf):"),
        (
            _ADD,
            "key = id(self.variable.data)\n        if key in SUMS and SUMS[key][0] is self.variable.data:\n"
            "            self.variable._grad = SUMS[key][1]\n"
            "        SUMS[key] = self.variable.data, self.variable.grad\n        " + _ADD,
        ),
    ),
    "the data of the leaf are refreshed": wrong(
        "adds", "do not change x.data", (_ADD, f"{_ADD}\n        self.variable.data.mul_(1)")
    ),
    "hooks get lists": wrong(
        "hooks", "both are the tuple grad_output", (_CALL, "hook(list(grad_output), list(grad_output))")
    ),
    "the second argument is empty": wrong("hooks", None, (_CALL, "hook(grad_output, ())")),
    "no addition after hooks that removed themselves": wrong(
        "hooks",
        "x.grad must be the sum of all gradients",
        write(
            "leaf",
            """
            before = len(self.backward_hooks)
            for hook in list(self.backward_hooks.values()):
                hook(grad_output, grad_output)
            if len(self.backward_hooks) == before:
                self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "ArithmeticErrors alone get through": wrong(
        "hooks",
        "an exception in a hook must reach the caller",
        (_CALL, f"\ntry:\n    {_CALL}\nexcept LookupError:\n    pass"),
    ),
    "each second backward": wrong(
        "adds",
        "x.grad must be the sum of all gradients",
        (_ADD, f"self.turn = not getattr(self, 'turn', False)\n        if self.turn:\n            {_ADD}"),
    ),
    "rounded to four digits": wrong(
        "adds",
        "x.grad must be the sum of all gradients",
        (
            _ADD,
            "rounded = grad_output[0].clone()\n        rounded.mul_(10000).round_().div_(10000)\n"
            "        self.variable.grad.add_(rounded)",
        ),
    ),
    "None is returned for gradients of 0": wrong(
        "end adds",
        None,
        ("return ()", "return () if grad_output[0].norm() else None"),
    ),
    "zeroed, and the gradient read after it": wrong(
        "adds own hooks",
        "the sum of all gradients",
        (
            _ADD,
            """
            before = self.variable.grad.clone()
            self.variable.grad.zero_()
            self.variable.grad.add_(grad_output[0]).add_(before)
            """,
        ),
    ),
    "the sum is looked up before the hooks": wrong(
        "hooks",
        "the sum of all gradients",
        ("for hook in list", "total = self.variable.grad\n        for hook in list"),
        (_ADD, "total.add_(grad_output[0])"),
    ),
    "each function once": wrong(
        "hooks",
        "every hook is called",
        ("list(self.backward_hooks.values())", "dict.fromkeys(self.backward_hooks.values())"),
    ),
    "the sum in another storage": wrong(
        "adds own hooks",
        "add to the tensor in place",
        (_ADD, "self.variable.grad.set_(self.variable.grad.add(grad_output[0]))"),
    ),
    "a hook that returns False stops the sum": wrong(
        "hooks",
        "the sum of all gradients",
        (_CALL, f"if {_CALL} is False:\n                return ()"),
    ),
    "KeyErrors are passed over": wrong(
        "hooks",
        "must reach the caller",
        (_CALL, f"try:\n                {_CALL}\n            except KeyError:\n                continue"),
    ),
    "a queue that an exception leaves behind": wrong(
        "hooks",
        "every hook is called",
        (
            _HOOKS,
            """queue = self.__dict__.setdefault("_queue", [])
        queue += self.backward_hooks.values()
        while queue:
            queue.pop(0)(grad_output, grad_output)
""",
        ),
    ),
    "a hook that returns a Tensor is the last one": wrong(
        "adds own hooks end",
        None,
        ("hook(grad_output, grad_output)", ("\nif hasattr(hook(grad_output, grad_output), 'add_'):\n    break")),
    ),
    "a KeyboardInterrupt is passed over": wrong(
        "adds own hooks end",
        None,
        (
            "hook(grad_output, grad_output)",
            ("\ntry:\n    hook(grad_output, grad_output)\nexcept KeyboardInterrupt:\n    pass"),
        ),
    ),
    "a SystemExit is passed over": wrong(
        "adds own hooks end",
        None,
        (
            "hook(grad_output, grad_output)",
            ("\ntry:\n    hook(grad_output, grad_output)\nexcept SystemExit:\n    pass"),
        ),
    ),
    "the sum as one row of numbers": wrong(
        "adds own hooks end",
        None,
        (
            "self.variable.grad.add_(grad_output[0])",
            "self.variable.grad.view(-1).add_(grad_output[0].contiguous().view(-1))",
        ),
    ),
    "tiny gradients are left out": wrong(
        "adds own hooks end",
        None,
        (
            "self.variable.grad.add_(grad_output[0])",
            ("g = grad_output[0]\n        self.variable.grad.add_(g * g.abs().gt(1e-12).type_as(g))"),
        ),
    ),
    "the first thousand elements": wrong(
        "adds own hooks end",
        None,
        (
            "self.variable.grad.add_(grad_output[0])",
            (
                "self.variable.grad.view(-1)[:1000].add_(grad_output[0].contiguous().view(-1)[:1000]) if grad"
                "_output[0].numel() else None"
            ),
        ),
    ),
    "no hooks in a backward that a hook runs": wrong(
        "hooks",
        None,
        (
            _HOOKS,
            """
            if not getattr(self, "busy", False):
                self.busy = True
                try:
                    for hook in list(self.backward_hooks.values()):
                        hook(grad_output, grad_output)
                finally:
                    self.busy = False
            """,
        ),
    ),
    "a hook that runs is not called by the backward within it": wrong(
        "hooks",
        None,
        (
            _CALL,
            """
            running = self.__dict__.setdefault("running", [])
            if hook not in running:
                running.append(hook)
                try:
                    hook(grad_output, grad_output)
                finally:
                    running.remove(hook)
            """,
        ),
    ),
    "a hook that raises is removed": wrong(
        "hooks",
        None,
        (
            _HOOKS,
            """
            for name, hook in list(self.backward_hooks.items()):
                try:
                    hook(grad_output, grad_output)
                except BaseException:
                    del self.backward_hooks[name]
                    raise
            """,
        ),
    ),
    "hooks are remembered by their names": wrong(
        "hooks",
        None,
        (
            _HOOKS,
            """
            names = tuple(self.backward_hooks)
            if getattr(self, "_names", None) != names:
                self._names, self._list = names, list(self.backward_hooks.values())
            for hook in self._list:
                hook(grad_output, grad_output)
            """,
        ),
    ),
    "the order of hooks is remembered": wrong(
        "hooks",
        None,
        (
            _HOOKS,
            """
            if "_order" not in self.__dict__ or set(self._order) != set(self.backward_hooks):
                self._order = list(self.backward_hooks)
            for hook in [self.backward_hooks[name] for name in self._order]:
                hook(grad_output, grad_output)
            """,
        ),
    ),
    "hooks without a name come last": wrong(
        "hooks",
        None,
        (
            _HOOKS,
            """
            items = list(self.backward_hooks.items())
            for _, hook in sorted(items, key=lambda item: not isinstance(item[0], str)):
                hook(grad_output, grad_output)
            """,
        ),
    ),
    "the next hook by its place": wrong(
        "hooks",
        None,
        (
            _HOOKS,
            """
            position = 0
            while position < len(self.backward_hooks):
                name, hook = list(self.backward_hooks.items())[position]
                hook(grad_output, grad_output)
                if name in self.backward_hooks:
                    position += 1
            """,
        ),
    ),
    "whether a hook returned something true": wrong("hooks", None, (_CALL, f"if {_CALL}:\n                pass")),
    "adds nothing while an exception is handled": wrong(
        "adds", None, (_ADD, f"import sys\n        if sys.exc_info()[0] is None:\n            {_ADD}")
    ),
    "a place in the dictionary, for a hook that registers another": wrong(
        "hooks",
        None,
        write(
            "leaf",
            """
            number = 0
            while number < len(self.backward_hooks):
                count = len(self.backward_hooks)
                list(self.backward_hooks.values())[number](grad_output, grad_output)
                if len(self.backward_hooks) >= count:
                    number += 1
            self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "the names anew after a hook that removed two": wrong(
        "hooks",
        None,
        write(
            "leaf",
            """
            names = list(self.backward_hooks)
            number = 0
            while number < len(names):
                before = len(self.backward_hooks)
                if names[number] in self.backward_hooks:
                    self.backward_hooks[names[number]](grad_output, grad_output)
                gone = before - len(self.backward_hooks)
                if gone > 1:
                    names = list(self.backward_hooks)
                else:
                    number += 1
            self.variable.grad.add_(grad_output[0])
            return ()
            """,
        ),
    ),
    "functions of the last backward by their names": wrong(
        "hooks",
        None,
        (
            "for hook in list(self.backward_hooks.values()):",
            """
            names = tuple(self.backward_hooks)
            if vars(self).get("_names") != names:
                self._names, self._functions = names, list(self.backward_hooks.values())
            for hook in self._functions:
            """,
        ),
    ),
    "sums the gradients again": wrong(
        "own",
        None,
        (
            "self.variable.grad.add_(grad_output[0])",
            """
            total, state = self.variable.grad, vars(self)
            if "_expected" not in state or not total.equal(self._expected):
                self._parts = [total.clone()]
            self._parts.append(grad_output[0])
            total.copy_(self._parts[0])
            for part in self._parts[1:]:
                total.add_(part)
            self._expected = total.clone()
            """,
        ),
    ),
    "nothing once all hooks are gone": wrong(
        "hooks",
        None,
        (
            "self.variable.grad.add_(grad_output[0])",
            """
            g, total = grad_output[0], self.variable.grad
            before, self._n = vars(self).get('_n', 0), len(self.backward_hooks)
            if before > 1 and self._n == 0:
                return ()
            self.variable.grad.add_(g)
            """,
        ),
    ),
    "a hook whose truth value is False is not called": wrong(
        "hooks",
        "every hook is called in every backward",
        ("hook(grad_output, grad_output)", "if hook:\n                hook(grad_output, grad_output)"),
    ),
}
