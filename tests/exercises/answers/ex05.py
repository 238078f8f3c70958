"""Exercise 5: run_backward."""

from . import PASS_ON, write, wrong

_RUN_AND_PASS_ON = (
    """\
    arrived = [gradient for gradient in gradients if gradient is not None]
    if arrived:
        filled = [arrived[0].new(*s).zero_() if g is None else g for g, s in zip(gradients, fn._output_sizes)]
        found = fn._do_backward(*filled)
    else:
        found = [None] * len(fn.previous_functions)
    for (prev_fn, arg_id), grad in zip(fn.previous_functions, found):
        if not prev_fn.requires_grad:
            continue
"""
    + PASS_ON
)

_COUNT_FIRST = """\
root = variable.creator
ready = [(root, [grad if n == root.output_ids[id(variable)] else None for n in range(len(root.output_ids))])]
not_ready, dependencies = {}, {}
queue = [root]
while queue:
    for prev_fn, arg_id in queue.pop().previous_functions:
        if prev_fn.requires_grad:
            if prev_fn not in dependencies:
                dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                queue.append(prev_fn)
            dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1
"""
_ADD = "waiting[output_nr] = grad if before is None else before.add(grad)"
_READY = "if not any(dependencies[prev_fn]):"
_CONSTANT = "if not prev_fn.requires_grad:\n                    continue\n                output_nr"
_ROOT = "gradients[root.output_ids[id(variable)]] = grad"
_COUNT = "dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1"
_RUN = "return fn._do_backward(*filled)"


def _recursive_but_for(place):
    """Changes: a loop goes on with the ready operand at that place of `new`, and a call of itself with each other."""
    return [
        (
            "ready = [(root, gradients)]",
            """
            self._go(root, gradients, self._compute_dependencies(root), {})

        def _go(self, fn, gradients, dependencies, not_ready):
            ready = [(fn, gradients)]
            """,
        ),
        ("not_ready = {}\n", "\n"),
        ("dependencies = self._compute_dependencies(root)\n", "\n"),
        ("grad_input = self._run(fn, gradients)", "grad_input, new = self._run(fn, gradients), []"),
        (
            "ready.append((prev_fn, not_ready.pop(prev_fn)))",
            f"""
                        new.append((prev_fn, not_ready.pop(prev_fn)))
                ready = [new.pop({place})] if new else []
                for other in new:
                    self._go(*other, dependencies, not_ready)
            """,
        ),
    ]


RIGHT = {
    "an order first, then the walk": [
        write(
            "engine",
            """
            order, seen, stack = [], set(), [(variable.creator, False)]
            while stack:
                fn, done = stack.pop()
                if done:
                    order.append(fn)
                elif fn not in seen:
                    seen.add(fn)
                    stack.append((fn, True))
                    stack += [(prev_fn, False) for prev_fn, _ in fn.previous_functions if prev_fn.requires_grad]
            arrived = {(variable.creator, variable.creator.output_ids[id(variable)]): grad}
            for fn in reversed(order):
                gradients = [arrived.pop((fn, number), None) for number in range(len(fn.output_ids))]
                if all(gradient is None for gradient in gradients):
                    continue
                zeros = [variable.data.new(*size).zero_() for size in fn._output_sizes]
                answered = fn._do_backward(*[z if g is None else g for g, z in zip(gradients, zeros)])
                for (prev_fn, arg_id), gradient in zip(fn.previous_functions, answered):
                    if gradient is not None and prev_fn.requires_grad:
                        place = (prev_fn, prev_fn.output_ids[arg_id])
                        arrived[place] = arrived[place] + gradient if place in arrived else gradient
            """,
        )
    ],
    "Counters, and first come first served": [
        write(
            "engine",
            """
            from collections import Counter, deque

            class Waiting:
                def __init__(self, fn):
                    self.uses, self.sums = Counter(), [None] * len(fn.output_ids)

            waiting, queue = {}, deque([variable.creator])
            while queue:
                fn = queue.popleft()
                for prev_fn, _ in fn.previous_functions:
                    if prev_fn.requires_grad:
                        if prev_fn not in waiting:
                            waiting[prev_fn] = Waiting(prev_fn)
                            queue.append(prev_fn)
                        waiting[prev_fn].uses[fn] += 1
            waiting[variable.creator] = Waiting(variable.creator)
            waiting[variable.creator].sums[variable.creator.output_ids[id(variable)]] = grad.clone()
            queue.append(variable.creator)
            while queue:
                fn = queue.popleft()
                sums = waiting.pop(fn).sums
                given = [g for g in sums if g is not None]
                if given:
                    sums = [given[0].new(*s).zero_() if g is None else g for g, s in zip(sums, fn._output_sizes)]
                    answered = fn._do_backward(*sums)
                else:
                    answered = [None for _ in fn.previous_functions]
                for (prev_fn, arg_id), gradient in zip(fn.previous_functions, answered):
                    if not prev_fn.requires_grad:
                        continue
                    record, number = waiting[prev_fn], prev_fn.output_ids[arg_id]
                    if gradient is not None:
                        if record.sums[number] is None:
                            record.sums[number] = gradient.clone()
                        else:
                            record.sums[number].add_(gradient)
                    record.uses[fn] -= 1
                    if not any(record.uses.values()):
                        queue.append(prev_fn)
            """,
        )
    ],
    "Black's line breaks and type hints": [
        write(
            "engine",
            """
            root: object = variable.creator
            counts: dict = {}
            stack: list = [root]
            while stack:
                fn = stack.pop()
                for prev_fn, _ in fn.previous_functions:
                    if not prev_fn.requires_grad:
                        continue
                    if (
                        prev_fn
                        not in counts
                    ):
                        stack.append(prev_fn)
                    counts[prev_fn] = (
                        counts.get(prev_fn, 0)
                        + 1
                    )
            sums: dict = {root: {root.output_ids[id(variable)]: grad}}
            ready: list = [root]
            while ready:
                fn = ready.pop()
                arrived: dict = sums.pop(fn, {})
                answers: tuple = (None,) * len(fn.previous_functions)
                if arrived:
                    answers = fn._do_backward(
                        *(
                            arrived.get(number, variable.data.new(*size).zero_())
                            for number, size in enumerate(fn._output_sizes)
                        )
                    )
                for (prev_fn, arg_id), answer in zip(fn.previous_functions, answers):
                    if not prev_fn.requires_grad:
                        continue
                    if answer is not None:
                        place = sums.setdefault(prev_fn, {})
                        number = prev_fn.output_ids[arg_id]
                        place[number] = place[number] + answer if number in place else answer
                    counts[prev_fn] -= 1
                    if not counts[prev_fn]:
                        ready.append(prev_fn)
            """,
        )
    ],
    "a class for each Function's gradients, walrus": [
        write(
            "engine",
            """
            class Arrivals:
                def __init__(self, fn):
                    self.fn, self.left, self.sums = fn, 0, dict.fromkeys(range(len(fn.output_ids)))

                def add(self, number, gradient):
                    if gradient is not None:
                        self.sums[number] = gradient if self.sums[number] is None else self.sums[number] + gradient

                def run(self):
                    if (some := next((g for g in self.sums.values() if g is not None), None)) is None:
                        return [None] * len(self.fn.previous_functions)
                    for number, size in enumerate(self.fn._output_sizes):
                        self.add(number, some.new(*size).zero_() if self.sums[number] is None else None)
                    return self.fn._do_backward(*self.sums.values())

            arrivals, stack = {(root := variable.creator): Arrivals(root)}, [root]
            while stack:
                for prev_fn in [prev_fn for prev_fn, _ in stack.pop().previous_functions if prev_fn.requires_grad]:
                    if (seen := arrivals.get(prev_fn)) is None:
                        stack.append(prev_fn)
                        seen = arrivals[prev_fn] = Arrivals(prev_fn)
                    seen.left += 1
            arrivals[root].add(root.output_ids[id(variable)], grad)
            stack = [arrivals[root]]
            while stack:
                links = (now := stack.pop()).fn.previous_functions
                for (prev_fn, arg_id), gradient in zip(links, now.run()):
                    if (waiting := arrivals.get(prev_fn)) is not None:
                        waiting.add(prev_fn.output_ids[arg_id], gradient)
                        waiting.left -= 1
                        stack += [waiting] if waiting.left == 0 else []
            """,
        )
    ],
    "lists of arrivals, summed at the end with numpy": [
        write(
            "engine",
            """
            import numpy

            order, number_of, stack = [], {}, [(variable.creator, iter(variable.creator.previous_functions))]
            while stack:
                fn, links = stack[-1]
                for prev_fn, _ in links:
                    if prev_fn.requires_grad and prev_fn not in number_of:
                        number_of[prev_fn] = None
                        stack.append((prev_fn, iter(prev_fn.previous_functions)))
                        break
                else:
                    order.append(stack.pop()[0])
            arrived = {fn: [[] for _ in fn.output_ids] for fn in order}
            arrived[variable.creator][variable.creator.output_ids[id(variable)]].append(grad)
            for fn in order[::-1]:
                come = arrived.pop(fn)
                answers = [None for _ in fn.previous_functions]
                if any(come):
                    kind = type(sum(come, [])[0])
                    sums = [
                        kind(numpy.sum([g.numpy() for g in one], axis=0) if one else numpy.zeros(size))
                        for one, size in zip(come, fn._output_sizes)
                    ]
                    answers = fn._do_backward(*sums)
                for (prev_fn, arg_id), answer in zip(fn.previous_functions, answers):
                    if prev_fn.requires_grad and answer is not None:
                        arrived[prev_fn][prev_fn.output_ids[arg_id]].append(answer)
            """,
        )
    ],
    "dataclass, lambdas and masks of what is missing": [
        write(
            "engine",
            """
            from collections import defaultdict, deque
            from dataclasses import dataclass, field

            @dataclass
            class Walk:
                left: dict = field(default_factory=lambda: defaultdict(int))
                sums: dict = field(default_factory=dict)
                ready: deque = field(default_factory=deque)

            walk, root = Walk(), variable.creator
            links = lambda fn: enumerate(fn.previous_functions)
            wanted = lambda fn: [(p, p.output_ids[i], n) for n, (p, i) in links(fn) if p.requires_grad]
            todo, met = [root], {root}
            while todo:
                for p, _, _ in wanted(todo.pop()):
                    walk.left[p] += 1
                    todo += [p] if p not in met else []
                    met.add(p)
            walk.sums[root, root.output_ids[id(variable)]] = grad
            walk.ready.append(root)
            while walk.ready:
                fn = walk.ready.popleft()
                mine = [walk.sums.pop((fn, n), None) for n in range(len(fn.output_ids))]
                missing = [g is None for g in mine]
                answers = [None] * len(fn.previous_functions)
                if not all(missing):
                    some = mine[missing.index(False)]
                    zeros = (some.new(*size).zero_() for size in fn._output_sizes)
                    answers = fn._do_backward(*[z if m else g for g, m, z in zip(mine, missing, zeros)])
                for p, number, n in wanted(fn):
                    if (g := answers[n]) is not None:
                        walk.sums[p, number] = walk.sums[p, number] + g if (p, number) in walk.sums else g
                    walk.left[p] -= 1
                    if walk.left[p] == 0:
                        walk.ready.append(p)
            """,
        )
    ],
    "one count for all outputs": [
        write(
            "engine",
            (
                "\n"
                "root = variable.creator\n"
                "ready = [(root, [grad if n == root.output_ids[id(variable)] else None for n in range(len(roo"
                "t.output_ids))])]\n"
                "not_ready, dependencies = {}, {}\n"
                "queue = [root]\n"
                "while queue:\n"
                "    for prev_fn, arg_id in queue.pop().previous_functions:\n"
                "        if prev_fn.requires_grad:\n"
                "            if prev_fn not in dependencies:\n"
                "                dependencies[prev_fn] = 0\n"
                "                queue.append(prev_fn)\n"
                "            dependencies[prev_fn] += 1\n"
                "while ready:\n"
                "    fn, gradients = ready.pop()\n"
                "    arrived = [gradient for gradient in gradients if gradient is not None]\n"
                "    if arrived:\n"
                "        filled = [arrived[0].new(*s).zero_() if g is None else g for g, s in zip(gradients, "
                "fn._output_sizes)]\n"
                "        found = fn._do_backward(*filled)\n"
                "    else:\n"
                "        found = [None] * len(fn.previous_functions)\n"
                "    for (prev_fn, arg_id), grad in zip(fn.previous_functions, found):\n"
                "        if not prev_fn.requires_grad:\n"
                "            continue\n"
                "        output_nr = prev_fn.output_ids[arg_id]\n"
                "        dependencies[prev_fn] -= 1\n"
                "        waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))\n"
                "        if grad is not None:\n"
                "            waiting[output_nr] = grad if waiting[output_nr] is None else waiting[output_nr] "
                "+ grad\n"
                "        if not dependencies[prev_fn]:\n"
                "            ready.append((prev_fn, not_ready.pop(prev_fn)))\n"
            ),
        )
    ],
}

_WITHOUT_COUNTING = """
todo = [(variable.creator, [grad if i == id(variable) else None for i in variable.creator.output_ids])]
while todo:
    fn, gradients = todo.pop({end})
    zeros = [variable.data.new(*size).zero_() for size in fn._output_sizes]
    answered = fn._do_backward(*[z if g is None else g for g, z in zip(gradients, zeros)])
    for (prev_fn, arg_id), gradient in zip(fn.previous_functions, answered):
        if prev_fn.requires_grad and gradient is not None:
            todo.append((prev_fn, [gradient if i == arg_id else None for i in prev_fn.output_ids]))
"""

WRONG = {
    "no counting, the last first": wrong(
        "simple diamonds outputs large random",
        "run a Function once, with the sum, not once for each",
        write("engine", _WITHOUT_COUNTING.format(end="")),
        seconds=1,
    ),
    "no counting, the first first": wrong(
        "simple diamonds outputs large random",
        "either a loop never ends, or the same work is repeated many times",
        write("engine", _WITHOUT_COUNTING.format(end="0")),
        seconds=1,
    ),
    "recursion": wrong(
        "large",
        "a recursive function overflows the stack on a long chain; use a list and a loop",
        ("while ready:\n            fn, gradients = ready.pop()", "def step(fn, gradients):"),
        (
            "ready.append((prev_fn, not_ready.pop(prev_fn)))",
            "step(prev_fn, not_ready.pop(prev_fn))\n\n        step(*ready.pop())",
        ),
    ),
    "overwritten": wrong(
        "simple diamonds own outputs large random",
        "takes the place of the first",
        (_ADD, "waiting[output_nr] = grad"),
    ),
    "added in place": wrong("simple own", "use add, not add_", (_ADD, _ADD.replace("add(", "add_("))),
    "copied once, as in v0.1.2": wrong(
        "own",
        "while other code still had to read it",
        ("not_ready = {}", "not_ready, copied = {}, set()"),
        (
            _ADD,
            """
            if before is not None and id(before) not in copied:
                copied.add(id(before))
                before = before.clone()
            waiting[output_nr] = grad if before is None else before.add_(grad)
            """,
        ),
    ),
    "x * x is counted once": wrong(
        "simple diamonds outputs random",
        "x * x has two operands with a gradient each: only one arrived",
        (
            "while queue:\n            for prev_fn, arg_id in queue.pop().previous_functions:",
            "while queue:\n            for prev_fn, arg_id in set(queue.pop().previous_functions):",
        ),
    ),
    "popped too early": wrong(
        "outputs random", "Pair waits for the gradients of both outputs", (_READY, "if not all(dependencies[prev_fn]):")
    ),
    "constants are not passed over": wrong(
        "constants random",
        "a Function that requires no gradient has no count: skip it",
        (_CONSTANT, "output_nr"),
    ),
    "constants must have no gradient": wrong(
        "constants random",
        "for an operand that requires none",
        (
            _CONSTANT,
            """
            if not prev_fn.requires_grad:
                assert grad is None
                continue
            output_nr""",
        ),
    ),
    "None is not expected": wrong(
        "constants random",
        "a backward may return None, which adds nothing",
        ("if grad is not None:\n                    before", "if True:\n                    before"),
    ),
    "None is not counted down": wrong(
        "constants random",
        "count every use down, that of a None too",
        (
            _CONSTANT,
            "if not prev_fn.requires_grad or grad is None:\n                    continue\n                output_nr",
        ),
    ),
    "an unused output is None": wrong(
        "outputs random",
        "the gradient of an unused output is zeros",
        (_RUN, "return fn._do_backward(*gradients)"),
    ),
    "one gradient for a Function": wrong(
        "outputs random", "_do_backward takes a gradient for each output", (_RUN, "return fn._do_backward(arrived[0])")
    ),
    "the root's first output": wrong(
        "outputs", "which output_ids[id(variable)] names for the root", (_ROOT, "gradients[0] = grad")
    ),
    "a list from the front to the back": wrong(
        "outputs random", "these two are exchanged", (_RUN, "return fn._do_backward(*reversed(filled))")
    ),
    "left behind after an exception": wrong(
        "simple",
        "data of the interrupted backward was still there: keep the",
        (
            "not_ready = {}\n        dependencies = self._compute_dependencies(root)",
            """
            not_ready = self.__dict__.setdefault("not_ready", {})
            dependencies = self._compute_dependencies(root)
            """,
        ),
    ),
    "exceptions are swallowed": wrong(
        "simple",
        "an exception in a hook must reach the caller: do not catch it",
        (
            _RUN,
            """
            try:
                return fn._do_backward(*filled)
            except ArithmeticError:
                return [None] * len(fn.previous_functions)
            """,
        ),
    ),
    "only the first operand": wrong(
        "simple diamonds own constants outputs large random",
        "b was never reached: visit all operands, not only one",
        ("zip(fn.previous_functions, grad_input):", "[*zip(fn.previous_functions, grad_input)][:1]:"),
        ("in queue.pop().previous_functions:", "in queue.pop().previous_functions[:1]:"),
    ),
    "leaves are left out": wrong(
        "simple diamonds own constants outputs large random",
        "nothing reached x: call _do_backward of a Leaf as of any",
        (_READY, "if prev_fn.previous_functions and not any(dependencies[prev_fn]):"),
    ),
    "negative gradients are lost": wrong(
        "diamonds random",
        "each Function ran as often as it must, but not with the right gradient",
        (_ADD, _ADD.replace("before.add(grad)", "before.add(grad).abs()")),
    ),
    "the largest in place of the sum": wrong(
        "simple diamonds own outputs large random",
        "x * x has two operands with a gradient each: only one arrived",
        (_ADD, _ADD.replace("before.add(grad)", "before.cmax(grad)")),
    ),
    "the mean in place of the sum": wrong(
        "simple diamonds own outputs large random",
        "x * x has two operands with a gradient each: only one arrived",
        (_ADD, _ADD.replace("before.add(grad)", "before.add(grad).div(2)")),
    ),
    "the first gradient is zeroed": wrong(
        "simple diamonds own constants outputs large random",
        "nothing reached x: call _do_backward of a Leaf as of any",
        (_ADD, f"{_ADD}\n                    grad.zero_()"),
    ),
    "gradients of zeros are left out": wrong(
        "random",
        "a Function that must run did not",
        ("if grad is not None:\n", "if grad is not None and grad.norm():\n"),
    ),
    "ones in place of the gradient": wrong(
        "random",
        "each Function ran as often as it must, but not with the right gradient",
        (_ROOT, _ROOT.replace("= grad", "= grad.clone().fill_(1)")),
    ),
    "only one number of the gradient": wrong(
        "random",
        "each Function ran as often as it must, but not with the right gradient",
        (_ROOT, _ROOT.replace("= grad", "= grad * 0 + grad.view(-1)[0]")),
    ),
    "run once": wrong(
        "simple random",
        "a Function that must run did not",
        (
            "root = variable.creator",
            "if hasattr(self, 'done'):\n            return\n        self.done = True\n        root = variable.creator",
        ),
    ),
    "the links are cut": wrong(
        "simple random",
        "the links of the Functions are gone",
        (
            "ready.append((prev_fn, not_ready.pop(prev_fn)))",
            "ready.append((prev_fn, not_ready.pop(prev_fn)))\n            fn.previous_functions = []",
        ),
    ),
    "what waits is on self": wrong(
        "simple",
        "the backward in the hook changed that of z",
        ("not_ready = {}", "self.not_ready = {}"),
        ("waiting = not_ready.setdefault(", "waiting = self.not_ready.setdefault("),
        ("(prev_fn, not_ready.pop(prev_fn))", "(prev_fn, self.not_ready.pop(prev_fn))"),
    ),
    "hooks are passed by": wrong(
        "simple diamonds own outputs large random",
        "a number arrived instead of a Tensor: call _do_backward",
        (_RUN, "return (fn._do_backward(*filled) if not fn.previous_functions else fn.backward(*filled))"),
    ),
    "a thousand steps": wrong(
        "large",
        "no gradient reached x: the walk ends when no Function is",
        ("while ready:\n", "steps = 0\n        while ready and (steps := steps + 1) < 1000:\n"),
    ),
    "zeros of the first size": wrong(
        "outputs random", "the sizes of two tensors differ", ("arrived[0].new(*size).zero_()", "arrived[0] * 0")
    ),
    "two operands of three": wrong(
        "random",
        None,
        ("zip(fn.previous_functions, grad_input)", "[*zip(fn.previous_functions, grad_input)][:2]"),
        ("in queue.pop().previous_functions:", "in queue.pop().previous_functions[:2]:"),
    ),
    "zeros are always Doubles": wrong(
        "outputs",
        "zeros have the type of the other gradients",
        ("class Engine:", "from legacy_autograd import DoubleTensor\n\n\nclass Engine:"),
        ("arrived[0].new(*size).zero_()", "DoubleTensor(*size).zero_()"),
    ),
    "zeros of one dimension": wrong(
        "random",
        None,
        ("arrived[0].new(*size).zero_()", "arrived[0].new(size[0]).zero_()"),
    ),
    "three outputs at most": wrong(
        "random",
        "_do_backward takes a gradient for each output: fn._do_backward(*gradients)",
        (
            "waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))",
            "waiting = not_ready.setdefault(prev_fn, [None] * min(3, len(prev_fn.output_ids)))",
        ),
    ),
    "counts of one byte": wrong(
        "large",
        "in large graphs too",
        ("[0] * len(prev_fn.output_ids)", "__import__('numpy').zeros(len(prev_fn.output_ids), 'uint8')"),
    ),
    "zeros are kept by their size": wrong(
        "outputs random",
        "zeros have the type of the other gradients",
        (
            "arrived[0].new(*size).zero_() if gradient",
            'self.__dict__.setdefault("_zeros", {}).setdefault(size, arrived[0].new(*size).zero_()) if gradient',
        ),
    ),
    "a RuntimeError ends the walk": wrong(
        "simple diamonds own constants outputs random",
        "must reach the caller",
        (
            "grad_input = self._run(fn, gradients)",
            """
            try:
                grad_input = self._run(fn, gradients)
            except RuntimeError:
                break
            """,
        ),
    ),
    "counts are kept as long as the root lives": wrong(
        "simple diamonds own constants outputs random",
        None,
        write(
            "engine",
            (
                "\n"
                "root = variable.creator\n"
                "ready = [(root, [grad if n == root.output_ids[id(variable)] else None for n in range(len(roo"
                "t.output_ids))])]\n"
                "not_ready, dependencies = {}, {}\n"
                "import weakref\n"
                "cache = self.__dict__.setdefault('cache', weakref.WeakKeyDictionary())\n"
                "queue = [] if root in cache else [root]\n"
                "dependencies = {f: list(c) for f, c in cache.get(root, {}).items()}\n"
                "while queue:\n"
                "    for prev_fn, arg_id in queue.pop().previous_functions:\n"
                "        if prev_fn.requires_grad:\n"
                "            if prev_fn not in dependencies:\n"
                "                dependencies[prev_fn] = [0] * len(prev_fn.output_ids)\n"
                "                queue.append(prev_fn)\n"
                "            dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1\n"
                "cache[root] = {f: list(c) for f, c in dependencies.items()}\n"
                "while ready:\n"
                "    fn, gradients = ready.pop()\n" + _RUN_AND_PASS_ON
            ),
        ),
    ),
    "a backward in a hook has to wait": wrong(
        "simple diamonds own constants outputs random",
        None,
        (
            "    def run_backward(self, variable, grad, retain_variables=True):\n",
            (
                "    def run_backward(self, variable, grad, retain_variables=True):\n"
                "        self.__dict__.setdefault('jobs', []).append((variable, grad))\n"
                "        if getattr(self, 'busy', False):\n"
                "            return\n"
                "        self.busy = True\n"
                "        try:\n"
                "            while self.jobs:\n"
                "                self._one(*self.jobs.pop(0))\n"
                "        finally:\n"
                "            self.busy, self.jobs = False, []\n"
                "\n"
                "    def _one(self, variable, grad):\n"
            ),
        ),
    ),
    "the last counts stay on the engine": wrong(
        "simple diamonds own constants outputs random",
        None,
        write(
            "engine",
            (
                "\n" + _COUNT_FIRST + "self.last = dependencies\n"
                "while ready:\n"
                "    fn, gradients = ready.pop()\n" + _RUN_AND_PASS_ON
            ),
        ),
    ),
    "all gradients stay in a log": wrong(
        "simple diamonds own constants outputs random",
        None,
        write(
            "engine",
            (
                "\n" + _COUNT_FIRST + "while ready:\n"
                "    fn, gradients = ready.pop()\n"
                "    self.__dict__.setdefault('log', []).append(gradients)\n" + _RUN_AND_PASS_ON
            ),
        ),
    ),
    "a KeyboardInterrupt is passed over": wrong(
        "simple diamonds own constants outputs random",
        None,
        write(
            "engine",
            (
                "\n" + _COUNT_FIRST + "while ready:\n"
                "    fn, gradients = ready.pop()\n"
                "    arrived = [gradient for gradient in gradients if gradient is not None]\n"
                "    if arrived:\n"
                "        filled = [arrived[0].new(*s).zero_() if g is None else g for g, s in zip(gradients, "
                "fn._output_sizes)]\n"
                "        try:\n"
                "            found = fn._do_backward(*filled)\n"
                "        except KeyboardInterrupt:\n"
                "            return\n"
                "    else:\n"
                "        found = [None] * len(fn.previous_functions)\n"
                "    for (prev_fn, arg_id), grad in zip(fn.previous_functions, found):\n"
                "        if not prev_fn.requires_grad:\n"
                "            continue\n" + PASS_ON
            ),
        ),
    ),
    "the root gets a grad": wrong(
        "simple diamonds own constants outputs random",
        None,
        write(
            "engine",
            (
                "\n" + _COUNT_FIRST + "variable._grad = grad.clone() if root.previous_functions else variable._grad\n"
                "while ready:\n"
                "    fn, gradients = ready.pop()\n" + _RUN_AND_PASS_ON
            ),
        ),
    ),
    "two hundred Functions wait": wrong(
        "simple diamonds own random",
        None,
        ("if not any(dependencies[prev_fn]):", "if not any(dependencies[prev_fn]) and len(not_ready) < 200:"),
    ),
    "tiny gradients are left out": wrong(
        "simple diamonds own random",
        None,
        ("else before.add(grad)", "else before.add(grad * grad.abs().gt(1e-7).type_as(grad))"),
    ),
    "no exception where the graph is freed": wrong(
        "simple diamonds own random",
        None,
        (
            "grad_input = self._run(fn, gradients)",
            """
            try:
                grad_input = self._run(fn, gradients)
            except BaseException:
                if not retain_variables:
                    return
                raise
            """,
        ),
    ),
    "counts of an inner backward that raised": wrong(
        "random",
        None,
        (
            "dependencies = self._compute_dependencies(root)",
            """
            dependencies = self._compute_dependencies(root)
            outer = getattr(self, "dependencies", None)
            self.dependencies = dependencies
            """,
        ),
        (
            "                dependencies[prev_fn][output_nr] -= 1",
            "                dependencies = self.dependencies\n                dependencies[prev_fn][output_nr] -= 1",
        ),
        (
            "ready.append((prev_fn, not_ready.pop(prev_fn)))\n",
            "ready.append((prev_fn, not_ready.pop(prev_fn)))\n        self.dependencies = outer\n",
        ),
    ),
    "gradients that the Functions keep": wrong(
        "random", "nothing", (_RUN, "fn.filled = filled\n        return fn._do_backward(*filled)")
    ),
    "a division by zero in a hook is ignored": wrong(
        "random",
        None,
        (
            "grad_input = self._run(fn, gradients)",
            """
            try:
                grad_input = self._run(fn, gradients)
            except ZeroDivisionError:
                return
            """,
        ),
    ),
    "an OSError in a hook is ignored": wrong(
        "random",
        None,
        (
            "grad_input = self._run(fn, gradients)",
            """
            try:
                grad_input = self._run(fn, gradients)
            except OSError:
                return
            """,
        ),
    ),
    "gradients that wait by the id of a Variable": wrong(
        "random",
        None,
        (
            "waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))",
            "waiting, output_nr = not_ready.setdefault(arg_id, [None]), 0",
        ),
        (
            "ready.append((prev_fn, not_ready.pop(prev_fn)))",
            "ready.append((prev_fn, [not_ready.pop(key, [None])[0] for key in prev_fn.output_ids]))",
        ),
    ),
    "zeros for four outputs": wrong(
        "random",
        None,
        (
            "arrived[0].new(*size).zero_() if gradient is None else gradient\n"
            "            for gradient, size in zip(gradients, fn._output_sizes)",
            "arrived[0].new(*size).zero_() if gradient is None and nr < 4 else gradient\n"
            "            for nr, (gradient, size) in enumerate(zip(gradients, fn._output_sizes))",
        ),
    ),
    "ready after the first three outputs": wrong(
        "random", None, ("not any(dependencies[prev_fn])", "not any(dependencies[prev_fn][:3])")
    ),
    "zeros are kept": wrong(
        "outputs random",
        None,
        (
            "arrived[0].new(*size).zero_() if gradient is None else gradient",
            "vars(self).setdefault(str(size), arrived[0].new(*size).zero_()) if gradient is None else gradient",
        ),
    ),
    "a Function of two outputs whose last arrival is None": wrong(
        "random",
        None,
        (_READY, _READY[:-1] + " and (grad is not None or len(waiting) == 1 or waiting == [None] * len(waiting)):"),
    ),
    "None for a used output that got None": wrong(
        "large random",
        None,
        (
            "dependencies = self._compute_dependencies(root)",
            "dependencies = self._compute_dependencies(root)\n"
            "        used = {fn: [count > 0 for count in counts] for fn, counts in dependencies.items()}",
        ),
        ("self._run(fn, gradients)", "self._run(fn, gradients, used.get(fn, [False] * 9))"),
        ("def _run(self, fn, gradients):", "def _run(self, fn, gradients, used):"),
        ("if gradient is None else gradient\n", "if gradient is None and not is_used else gradient\n"),
        ("for gradient, size in zip(gradients, ", "for gradient, is_used, size in zip(gradients, used, "),
    ),
    "a leaf as the root gets the gradient itself": wrong(
        "simple random",
        None,
        (
            "root = variable.creator\n",
            """
            root = variable.creator
            if not root.previous_functions and root.output_ids and not root.backward_hooks:
                variable.grad = grad
                return
            """,
        ),
    ),
    "leaves without hooks run for each gradient": wrong(
        "simple",
        "not once for each gradient",
        (
            _ADD,
            """
            if prev_fn.previous_functions or prev_fn.backward_hooks:
                waiting[output_nr] = grad if before is None else before.add(grad)
            else:
                prev_fn._do_backward(grad)
            """,
        ),
    ),
    "the graph of an interrupted backward is kept": wrong(
        "random",
        None,
        (
            "while ready:\n            fn, gradients",
            "self.state = not_ready\n        while ready:\n            fn, gradients",
        ),
    ),
    "a root of several outputs is kept": wrong(
        "simple diamonds own constants outputs random",
        None,
        ("not_ready = {}", "not_ready = {}\n        Engine.last = root if len(gradients) > 1 else None"),
    ),
    "a leaf whose Variable is gone does not run": wrong(
        "simple random",
        None,
        (_RUN, "return () if not fn.previous_functions and fn.variable is None else fn._do_backward(*filled)"),
    ),
    "no links after the last backward": wrong(
        "simple diamonds own constants outputs random",
        None,
        (
            "for (prev_fn, arg_id), grad in zip(fn.previous_functions, grad_input):",
            """
            links = fn.previous_functions
            if not retain_variables:
                fn.previous_functions = []
            for (prev_fn, arg_id), grad in zip(links, grad_input):
            """,
        ),
    ),
    "frees the saved tensors unless told otherwise": wrong(
        "simple diamonds own constants outputs random",
        None,
        (
            "def run_backward(self, variable, grad, retain_variables=True):",
            "def run_backward(self, variable, grad, retain_variables=False):",
        ),
        (
            "grad_input = self._run(fn, gradients)",
            """
            grad_input = self._run(fn, gradients)
            if not retain_variables:
                fn._free_saved()
            """,
        ),
    ),
    "leaves by their Variables, which are gone": wrong(
        "simple diamonds own constants outputs random",
        None,
        (
            "not_ready = {}",
            "not_ready, leaves = {}, {}",
        ),
        (
            "ready.append((prev_fn, not_ready.pop(prev_fn)))",
            """
                        if hasattr(prev_fn, "variable"):
                            leaves[id(prev_fn.variable)] = (prev_fn, not_ready.pop(prev_fn))
                        else:
                            ready.append((prev_fn, not_ready.pop(prev_fn)))
            for leaf, gradients in leaves.values():
                self._run(leaf, gradients)
            """,
        ),
    ),
    "None erases the gradient of a Function's first operand": wrong(
        "simple diamonds own constants outputs random",
        None,
        (
            _ADD,
            f"""
                    {_ADD}
                elif len(fn.previous_functions) > 2 and prev_fn is fn.previous_functions[0][0]:
                    waiting[output_nr] = None
            """,
        ),
    ),
    "recursion but for the last ready operand": wrong("large", None, *_recursive_but_for("-1")),
    "recursion but for operands that are no leaves": wrong(
        "large", None, *_recursive_but_for("next((k for k, (f, _) in enumerate(new) if f.previous_functions), 0)")
    ),
    "recursion behind a None": wrong(
        "large",
        "use a list and a loop",
        (
            "ready.append((prev_fn, not_ready.pop(prev_fn)))",
            "self._begin(prev_fn, not_ready.pop(prev_fn), ready, not_ready, dependencies)",
        ),
        (
            "def _compute_dependencies(",
            """
            def _begin(self, fn, gradients, ready, not_ready, dependencies):
                if any(grad is not None for grad in gradients):
                    ready.append((fn, gradients))
                    return
                for prev_fn, arg_id in fn.previous_functions:
                    if prev_fn.requires_grad:
                        dependencies[prev_fn][prev_fn.output_ids[arg_id]] -= 1
                        not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                        if not any(dependencies[prev_fn]):
                            self._begin(prev_fn, not_ready.pop(prev_fn), ready, not_ready, dependencies)

            def _compute_dependencies(""",
        ),
    ),
    "the number of the root by identity": wrong(
        "large",
        "also the last of 300",
        (
            "gradients = [None] * len(root.output_ids)\n        gradients[root.output_ids[id(variable)]] = grad",
            """
            number = root.output_ids[id(variable)]
            gradients = [grad if other is number else None for other in range(len(root.output_ids))]
            """,
        ),
    ),
    "None is passed on once to an operand that is there twice": wrong(
        "random",
        "count every use down",
        (
            "for (prev_fn, arg_id), grad in zip(fn.previous_functions, grad_input):",
            """
            operands = fn.previous_functions
            if grad_input is None:
                operands = list(dict(operands).items())
                grad_input = [None] * len(operands)
            for (prev_fn, arg_id), grad in zip(operands, grad_input):
            """,
        ),
        ("return (None,) * len(fn.previous_functions)", "return None"),
    ),
    "a stack for all calls": wrong(
        "random",
        "store nothing on self",
        ("ready = [(root, gradients)]", "ready.append((root, gradients))"),
        ("while ready:", "while len(ready) > mark:"),
        (
            "root = variable.creator",
            "ready = self.__dict__.setdefault('ready', [])\n        mark = len(ready)\n        root = variable.creator",
        ),
    ),
    "counts by what requires a gradient now, skips by what did in the call": wrong(
        "random",
        None,
        (
            "for (prev_fn, arg_id), grad in zip(fn.previous_functions, grad_input):\n"
            "                if not prev_fn.requires_grad:",
            "for (prev_fn, arg_id), grad, needs in zip(fn.previous_functions, grad_input, fn.needs_input_grad or ()):\n"
            "                if not needs:",
        ),
    ),
}

WRONG["recursion with a higher limit"] = wrong(
    "large",
    "use a list and a loop",
    ("root = variable.creator", "import sys\n\n        sys.setrecursionlimit(10**6)\n        root = variable.creator"),
    *WRONG["recursion"].changes,
)
