"""Exercise 6: find and mend."""

from . import PASS_ON, write, wrong

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
_BEGIN = """\
root = variable.creator
gradients = [None] * len(root.output_ids)
gradients[root.output_ids[id(variable)]] = grad
ready, not_ready = [(root, gradients)], {}
dependencies = self.count(root)
while ready:
    fn, gradients = ready.pop()
    for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients)):
"""
_PLACE = "root.output_ids[id(variable)]"
_SKIP = "if not prev_fn.requires_grad: continue"
_ADD = "grad if waiting[output_nr] is None else waiting[output_nr] + grad"


def walk(place=_PLACE, constant=_SKIP, add=_ADD):
    return _WALK.format(place=place, constant=constant, add=add)


_OTHERS = [write(f"fixed{number}", walk()) for number in range(2, 6)]  # for a wrong first, which the reference uses
_OWN = "(grad.clone() if waiting[output_nr] is None else waiting[output_nr].add_(grad))"
_CHAIN = "x = Variable(torch.Tensor([2]))\n(x * 3).backward()\nreturn x.grad"


def all_five(code):
    """That code as all five engines."""
    return [write(f"fixed{number}", code) for number in range(1, 6)]


def faulty(number, *changes):
    """The mended engine with these changes, as the engine `number`; the others stay right."""
    code = walk()
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return [write(f"fixed{number}", code), *([] if number > 1 else _OTHERS)]


RIGHT = {
    "a copy of what arrives first": [write(f"fixed{number}", walk(add=_OWN)) for number in range(1, 6)]
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
        write("fixed1", walk()),
        *[write(f"fixed{number}", "Fixed1.run_backward(self, variable, grad)") for number in range(2, 6)],
        write(
            "program3", "x = Variable(torch.Tensor([1]))\nPair()(x)[1].backward()\nreturn {'x': x.grad}['x'].tolist()"
        ),
    ],
    "Black's line breaks and type hints": [
        *all_five(
            """
            root: Function = variable.creator
            gradients: list = [None] * len(root.output_ids)
            gradients[
                root.output_ids[id(variable)]
            ] = grad
            ready: list[tuple] = [(root, gradients)]
            not_ready: dict[Function, list] = {}
            dependencies: dict[Function, list[int]] = self.count(
                root
            )
            while ready:
                fn, gradients = ready.pop(
                    0
                )
                for (
                    (prev_fn, arg_id),
                    grad,
                ) in zip(
                    fn.previous_functions,
                    self.run(fn, gradients),
                ):
                    if (
                        not prev_fn.requires_grad
                    ):
                        continue
                    number: int = prev_fn.output_ids[arg_id]
                    dependencies[prev_fn][number] -= 1
                    waiting = not_ready.setdefault(
                        prev_fn,
                        [None] * len(prev_fn.output_ids),
                    )
                    if (
                        grad is not None
                        and waiting[number] is not None
                    ):
                        grad = waiting[number] + grad
                    if grad is not None:
                        waiting[number] = grad
                    if sum(dependencies[prev_fn]) == 0:
                        ready.append(
                            (prev_fn, not_ready.pop(prev_fn))
                        )
            """
        ),
        write(
            "program2",
            """
            x: Variable = Variable(torch.Tensor([2]))
            c: Variable = Variable(
                torch.Tensor([3]),
                requires_grad=False,
            )
            (
                x * 5
                + c
            ).backward()
            return tuple(x.grad.tolist())
            """,
        ),
    ],
    "an order first, walrus and lambda": [
        *all_five(
            """
            order, seen, stack = [], set(), [(variable.creator, False)]
            while stack:
                fn, done = stack.pop()
                if done:
                    order.append(fn)
                elif fn not in seen:
                    seen.add(fn)
                    stack.append((fn, True))
                    stack.extend((prev_fn, False) for prev_fn, _ in fn.previous_functions if prev_fn.requires_grad)
            place = lambda fn, id_: (fn, fn.output_ids[id_])
            sums = {place(variable.creator, id(variable)): grad}
            while order and (fn := order.pop()):
                arrived = [sums.pop((fn, number), None) for number in fn.output_ids.values()]
                for (prev_fn, arg_id), answer in zip(fn.previous_functions, self.run(fn, arrived)):
                    if answer is not None and prev_fn.requires_grad:
                        before = sums.get(key := place(prev_fn, arg_id))
                        sums[key] = answer if before is None else before + answer
            """
        ),
        write("program1", "x = Variable(torch.Tensor([3]))\n((x + x) + x * 2 + x).backward()\nreturn x.grad * 2"),
        write(
            "program5", "x = Variable(torch.Tensor([4]))\n(Second()(x, x)[0] * 3).backward()\nreturn float(x.grad[0])"
        ),
    ],
    "dataclasses, and numpy for the sums": [
        *all_five(
            """
            from collections import deque
            from dataclasses import dataclass, field

            @dataclass
            class Waiting:
                left: int
                sums: list = field(default_factory=list)

                def add(self, number, gradient):
                    self.left -= 1
                    if gradient is not None:
                        before = 0 if self.sums[number] is None else self.sums[number].numpy()
                        self.sums[number] = type(gradient)(gradient.numpy() + before)

            root = variable.creator
            records = {fn: Waiting(sum(uses), [None] * len(uses)) for fn, uses in self.count(root).items()}
            records[root] = Waiting(1, [None] * len(root.output_ids))
            records[root].add(root.output_ids[id(variable)], grad)
            ready = deque([root])
            while ready:
                fn = ready.popleft()
                for (prev_fn, arg_id), gradient in zip(fn.previous_functions, self.run(fn, records.pop(fn).sums)):
                    if prev_fn in records:
                        records[prev_fn].add(prev_fn.output_ids[arg_id], gradient)
                        if not records[prev_fn].left:
                            ready.append(prev_fn)
            """
        ),
        write(
            "program4",
            """
            import numpy

            leaves = [Variable(torch.Tensor([n])) for n in (2, 5)]
            a, b = leaves
            (b * 2 + (a * b + (a + b))).backward()
            return numpy.stack([leaf.grad.numpy() for leaf in leaves]).tolist()
            """,
        ),
    ],
    "generators, and gradients in one dictionary": [
        *all_five(
            """
            def uses(fn, gradients):
                for (prev_fn, arg_id), gradient in zip(fn.previous_functions, self.run(fn, gradients)):
                    if prev_fn.requires_grad:
                        yield prev_fn, prev_fn.output_ids[arg_id], gradient

            root = variable.creator
            left = {fn: sum(counts) for fn, counts in self.count(root).items()}
            found = {(root, root.output_ids[id(variable)]): grad.clone()}
            ready = [root]
            for fn in ready:
                mine = [found.pop((fn, number), None) for number in range(len(fn.output_ids))]
                for prev_fn, number, gradient in uses(fn, mine):
                    if gradient is not None:
                        found[prev_fn, number] = sum([gradient], found.get((prev_fn, number), 0))
                    left[prev_fn] -= 1
                    ready += [prev_fn] * (not left[prev_fn])
            """
        ),
        write(
            "program2",
            """
            x, c = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]), requires_grad=False)
            try:
                (c + x).backward()
            except AssertionError:
                return "the fault"
            return x.grad
            """,
        ),
        write("program3", "x = Variable(torch.Tensor([1]))\n[pair := Pair()(x)][0][1].backward()\nreturn [x.grad, 7]"),
    ],
    "Floats, many faults in one program, and a walk by numbers": [
        *all_five(
            """
            order, place = [variable.creator], {variable.creator: 0}
            for fn in order:
                for prev_fn, _ in fn.previous_functions:
                    if prev_fn.requires_grad and prev_fn not in place:
                        place[prev_fn] = len(order)
                        order.append(prev_fn)
            uses = [0] * len(order)
            for fn in order:
                for prev_fn, _ in fn.previous_functions:
                    if prev_fn in place:
                        uses[place[prev_fn]] += 1
            sums = [[None] * len(fn.output_ids) for fn in order]
            sums[0][variable.creator.output_ids[id(variable)]] = grad
            stack = [0]
            while stack:
                number = stack.pop()
                fn = order[number]
                for (prev_fn, key), found in zip(fn.previous_functions, self.run(fn, sums[number])):
                    if prev_fn not in place:
                        continue
                    other = place[prev_fn]
                    if found is not None:
                        position = prev_fn.output_ids[key]
                        before = sums[other][position]
                        sums[other][position] = found.clone() if before is None else before.add(found)
                    uses[other] -= 1
                    if uses[other] == 0:
                        stack.append(other)
            """
        ),
        *[
            write(
                f"program{number}",
                """
                x, y = (Variable(torch.FloatTensor([[1, 2], [3, 4]])) for _ in range(2))
                c = Variable(torch.FloatTensor([[1, 1], [1, 1]]), requires_grad=False)
                s = y * 7 + (x * y * 5 + (x + y)) + c
                pair = Pair()(Second()(s * 2, s)[0])
                pair[1].backward(torch.FloatTensor([[1, 2], [3, 4]]))
                return x.grad, y.grad
                """,
            )
            for number in range(1, 6)
        ],
    ],
    "the argument and both leaves are shown": [
        write(
            "program1",
            """
            g = torch.DoubleTensor([1.0, -1.0])
            a = Variable(torch.DoubleTensor([0.5, 2.0]))
            ((a + a) + a).backward(g)
            return {"a": a.grad, "g": g}["a"], g.tolist()
            """,
        ),
        write(
            "program3",
            """
            class Three(Function):
                def forward(self, x):
                    return x * 1, x * 2, x * 3

                def backward(self, one, two, three):
                    return one + two * 2 + three * 3

            x = Variable(torch.Tensor([1, 2]))
            Three()(x)[2].backward(torch.Tensor([1, 1]))
            return x.grad
            """,
        ),
        write(
            "program5",
            """
            a, b = [Variable(torch.Tensor([n])) for n in (1, 2)]
            h = a * b
            z = Second()(h * 3, h)[0] + b
            z.backward()
            return a.grad, b.grad
            """,
        ),
        *all_five(walk(add=_OWN)),
    ],
    "two backwards of one graph": [
        write(
            "program1",
            """
            x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
            z = x * y + (x + y)
            z.backward()
            z.backward()
            return x.grad, y.grad
            """,
        ),
        write(
            "program4",
            """
            a, b = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
            z = b * 7 + (a * b * 5 + (a + b))
            for _ in range(2):
                z.backward()
            return [leaf.grad for leaf in (a, b)]
            """,
        ),
    ],
    "a recursive count of what is left": [
        *all_five(
            """
            left = {fn: list(uses) for fn, uses in self.count(variable.creator).items()}
            arrived = {}

            def give(fn, key, gradient):
                sums = arrived.setdefault(fn, [None] * len(fn.output_ids))
                number = fn.output_ids[key]
                if gradient is not None:
                    sums[number] = gradient if sums[number] is None else gradient + sums[number]

            give(variable.creator, id(variable), grad)
            waiting = [variable.creator]
            while waiting:
                fn, waiting = waiting[0], waiting[1:]
                for (prev_fn, key), gradient in zip(fn.previous_functions, self.run(fn, arrived.pop(fn))):
                    if prev_fn.requires_grad:
                        give(prev_fn, key, gradient)
                        left[prev_fn][prev_fn.output_ids[key]] -= 1
                        waiting = waiting + [prev_fn] * (not any(left[prev_fn]))
            """
        ),
    ],
    "a fault is caught, and its name returned with a gradient": [
        write(
            "program2",
            """
            x, c = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]), requires_grad=False)
            name = "none"
            try:
                (x + c).backward()
            except AssertionError as error:
                name = type(error).__name__
            return [x.grad, name]
            """,
        ),
    ],
    "all by the fifth": [
        write("fixed1", "Fixed5.run_backward(self, variable, grad, retain_variables)"),
        write("fixed2", "Fixed5.run_backward(self, variable, grad, retain_variables)"),
        write("fixed3", "Fixed5.run_backward(self, variable, grad, retain_variables)"),
        write("fixed4", "Fixed5.run_backward(self, variable, grad, retain_variables)"),
        write(
            "fixed5",
            ("\n" + _BEGIN + "        if not prev_fn.requires_grad: continue\n" + PASS_ON),
        ),
    ],
    "a constant minus a matrix": [
        write(
            "program2",
            (
                "c = Variable(torch.DoubleTensor(2, 2).fill_(1), requires_grad=False)\n"
                "x = Variable(torch.DoubleTensor(2, 2).fill_(3))\n"
                "(c - x).sum().backward()\n"
                "return [x.grad]"
            ),
        )
    ],
}

WRONG = {
    "a program without the graph": wrong("engine1", "does not trigger the fault", write("program1", _CHAIN)),
    "a program that returns nothing": wrong(
        "engine1", "return the gradients to compare", write("program1", _CHAIN.replace("return x.grad", ""))
    ),
    "a program that asks for the engine's name": wrong(
        "engine3",
        "does not trigger the fault",
        write("program3", "return type(Variable._execution_engine).__name__ == 'Engine3', 1.0"),
    ),
    "a program that fails with every engine": wrong(
        "engine2",
        "no exception with a correct engine",
        write("program2", "c = Variable(torch.Tensor([3]), requires_grad=False)\nc.backward()"),
    ),
    "the operation hides the fault": wrong(
        "engine2",
        "does not trigger the fault",
        write("program2", _CHAIN.replace("x * 3", "x * Variable(torch.Tensor([3]), requires_grad=False)")),
    ),
    "the first output shows nothing": wrong(
        "engine3", "does not trigger the fault", write("program3", _CHAIN.replace("x * 3", "Pair()(x)[0]"))
    ),
    "None alone": wrong(
        "engine5",
        "does not trigger the fault",
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
        write("fixed1", walk(add="grad if waiting[output_nr] is None else waiting[output_nr].add_(grad)")),
        *_OTHERS,
    ),
    "the first with the repair of v0.1.2": wrong(
        "engine1",
        "a gradient was written into while other code still had to read it",
        write("fixed1", "Engine4.run_backward(self, variable, grad)"),
        ("class Fixed1(Engine1):", "class Fixed1(Engine1):\n    # uses an engine from further down\n"),
        *_OTHERS,
    ),
    "constants get a gradient": wrong(
        "engine2",
        "ignore a gradient for an operand that requires none",
        write("fixed2", walk(constant="if not prev_fn.requires_grad: fn.previous_functions[0].variable.grad = grad")),
    ),
    "the gradient goes to every output": wrong(
        "engine3",
        "each output was given the gradient; only the one that",
        write(
            "fixed3",
            walk().replace("gradients = [None] * len(root.output_ids)", "gradients = [grad] * len(root.output_ids)"),
        ),
    ),
    "the gradient goes to the last output": wrong(
        "engine3",
        "backward was called on the first output, but the second got the gradient",
        write("fixed3", walk(place="-1")),
    ),
    "copied only when it arrives second": wrong(
        "engine4",
        "this is the fault of the first engine",
        write("fixed4", "Engine1.run_backward(self, variable, grad.clone())"),
    ),
    "None counts only if it is the last": wrong(
        "engine5",
        "waits for ever",
        write("fixed5", walk(constant="if not prev_fn.requires_grad or grad is None: continue")),
    ),
    "the sum is lost": wrong("engine5", "takes the place of the first", write("fixed5", walk(add="grad"))),
    "the package's own": wrong(
        "engine1",
        "the package's own is not available here",
        (
            "import legacy_autograd as torch\n",
            "import legacy_autograd as torch\nfrom legacy_autograd.autograd.engine import ExecutionEngine\n",
        ),
        write("fixed1", "ExecutionEngine().run_backward(variable, grad)"),
        *_OTHERS,
    ),
    "a program that draws a random number": wrong(
        "engine1",
        "use fixed numbers: no random numbers, no count of its calls, no clock",
        write("program1", "import random\n" + _CHAIN.replace("return x.grad", "return x.grad, random.random()")),
    ),
    "a program that counts its calls": wrong(
        "engine2",
        "use fixed numbers: no random numbers, no count of its calls, no clock",
        write("program2", _CHAIN + ", globals().__setitem__('calls', globals().get('calls', 0) + 1), calls"),
    ),
    "a program that looks at the clock": wrong(
        "engine4",
        "use fixed numbers: no random numbers, no count of its calls, no clock",
        write("program4", "import time\n" + _CHAIN.replace("return x.grad", "return x.grad, time.perf_counter()")),
    ),
    "a program that shows the fault of another engine": wrong(
        "engine4",
        "does not trigger the fault",
        write("program4", "x = Variable(torch.Tensor([1]))\nPair()(x)[1].backward()\nreturn x.grad"),
    ),
    "a program that returns a Variable without a gradient": wrong(
        "engine1",
        "does not trigger the fault",
        write(
            "program1",
            "x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))\n"
            "z = x * y + (x + y)\nz.backward()\nreturn z",
        ),
    ),
    "a constant without a gradient counts": wrong(
        "engine2",
        "ignore a gradient for an operand that requires none",
        *faulty(
            2, ("if not prev_fn.requires_grad: continue", "if not prev_fn.requires_grad and grad is not None: continue")
        ),
    ),
    "only constants in the second place": wrong(
        "engine2",
        "ignore a gradient for an operand that requires none",
        *faulty(
            2,
            (
                "if not prev_fn.requires_grad: continue",
                "if not prev_fn.requires_grad and fn.previous_functions[0][0] is not prev_fn: continue",
            ),
        ),
    ),
    "always the second of two outputs": wrong(
        "engine3",
        "backward was called on the first output, but the second got the gradient",
        *faulty(3, ("root.output_ids[id(variable)]", "len(root.output_ids) > 1")),
    ),
    "only the first gradient is copied": wrong(
        "engine4",
        "this is the fault of the first engine",
        *faulty(
            4,
            (_ADD, "(grad if waiting[output_nr] is None else waiting[output_nr].add_(grad))"),
            (
                "gradients[root.output_ids[id(variable)]] = grad",
                "gradients[root.output_ids[id(variable)]] = grad.clone()",
            ),
        ),
    ),
    "None becomes a zero of one element": wrong(
        "engine5",
        "one that received only None does not run",
        *faulty(
            5, ("if grad is not None:", "grad = variable.data.new([0]) if grad is None else grad\n        if True:")
        ),
    ),
    "it begins with ones": wrong(
        "engine1",
        "each Function ran as often as it must, but not with the right gradient",
        *faulty(1, ("] = grad\n", "] = grad * 0 + 1\n")),
    ),
    "a root runs once": wrong(
        "engine3",
        "keep the state of a backward in local variables, not on self",
        *faulty(
            3,
            (
                "root = variable.creator",
                "root = variable.creator\nif root in vars(self).setdefault('done', []): return\nself.done.append(root)",
            ),
        ),
    ),
    "something is left behind after an exception": wrong(
        "engine4",
        "data of the interrupted backward was still there",
        *faulty(
            4,
            (
                "ready, not_ready = [(root, gradients)], {}",
                "ready, not_ready = [(root, gradients)], vars(self).setdefault('left', {})",
            ),
        ),
    ),
    "recursion": wrong(
        "engine5",
        "a recursive function overflows the stack on a long chain",
        write(
            "fixed5",
            """
            dependencies, not_ready = self.count(variable.creator), {}

            def step(fn, gradients):
                for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients)):
                    if prev_fn.requires_grad:
                        output_nr = prev_fn.output_ids[arg_id]
                        dependencies[prev_fn][output_nr] -= 1
                        waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                        if grad is not None:
                            waiting[output_nr] = grad if waiting[output_nr] is None else waiting[output_nr] + grad
                        if not any(dependencies[prev_fn]):
                            step(prev_fn, not_ready.pop(prev_fn))

            root = variable.creator
            gradients = [None] * len(root.output_ids)
            gradients[root.output_ids[id(variable)]] = grad
            step(root, gradients)
            """,
        ),
    ),
    "exceptions are swallowed": wrong(
        "engine2",
        "an exception in a hook must reach the caller: do not catch it",
        write("fixed2", "try:\n    Fixed1.run_backward(self, variable, grad)\nexcept Exception:\n    pass"),
    ),
    "only two outputs are thought of": wrong(
        "engine3",
        None,
        *faulty(
            3,
            (
                "waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))",
                "waiting = not_ready.setdefault(prev_fn, [None] * 2)",
            ),
        ),
    ),
    "a program that measures the engine's code": wrong(
        "engine1",
        "nothing of the engine's code",
        write("program1", "return len(type(Variable._execution_engine).run_backward.__code__.co_code)"),
    ),
    "a program that measures the code after a backward": wrong(
        "engine1",
        "nothing of the engine's code",
        write(
            "program1",
            """
            x = Variable(torch.Tensor([2]))
            (x * 3).backward()
            return x.grad, len(type(Variable._execution_engine).run_backward.__code__.co_names)
            """,
        ),
    ),
    "a program that looks for a method": wrong(
        "engine4",
        "does not trigger the fault",
        write("program4", "return hasattr(Variable._execution_engine, 'count')"),
    ),
    "a program that asks for the method's name": wrong(
        "engine3",
        "does not trigger the fault",
        write(
            "program3",
            """
            e = Variable._execution_engine
            x = Variable(torch.Tensor([2]))
            return e.run_backward.__func__.__qualname__ == 'Engine3.run_backward', 1
            """,
        ),
    ),
    "two operands of three": wrong(
        "engine1",
        "a Function that must run did not",
        write(
            "fixed1",
            """
            root = variable.creator
            gradients = [None] * len(root.output_ids)
            gradients[root.output_ids[id(variable)]] = grad
            ready, not_ready = [(root, gradients)], {}
            dependencies = self.count(root)
            while ready:
                fn, gradients = ready.pop()
                for (prev_fn, arg_id), grad in [*zip(fn.previous_functions, self.run(fn, gradients))][:2]:
                    if not prev_fn.requires_grad: continue
                    output_nr = prev_fn.output_ids[arg_id]
                    dependencies[prev_fn][output_nr] -= 1
                    waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                    if grad is not None:
                        waiting[output_nr] = grad if waiting[output_nr] is None else waiting[output_nr] + grad
                    if not any(dependencies[prev_fn]):
                        ready.append((prev_fn, not_ready.pop(prev_fn)))
            """,
        ),
        *_OTHERS,
    ),
    "a program that counts the calls of a hook": wrong(
        "engine1",
        "does not trigger the fault",
        write(
            "program1",
            """
            x, calls = Variable(torch.Tensor([2])), []
            x.register_hook("count", lambda *gradients: calls.append(1))
            (x * x + x).backward()
            return len(calls)
            """,
        ),
    ),
    "a program that counts the runs of a Function": wrong(
        "engine5",
        "does not trigger the fault",
        write(
            "program5",
            """
            runs = []

            class Counts(Function):
                def forward(self, x):
                    return x * 2

                def backward(self, grad_output):
                    runs.append(1)
                    return grad_output * 2

            x = Variable(torch.Tensor([2]))
            y = Counts()(x)[0]
            (y * y).backward()
            return x.grad, len(runs)
            """,
        ),
    ),
    "a program that keeps the gradients of a hook": wrong(
        "engine2",
        "does not trigger the fault",
        write(
            "program2",
            """
            x, seen = Variable(torch.Tensor([2])), []
            y = x * 3
            y.register_hook("see", lambda grad_input, grad_output: seen.append(float(grad_output[0])))
            (y * y).backward()
            return seen
            """,
        ),
    ),
    "a program with too many ways": wrong(
        "engine3",
        "no exception with a correct engine",
        write(
            "program3",
            "x = z = Variable(torch.Tensor([1]))\nfor _ in range(30):\n    z = z * 1 + z\nz.backward()\nreturn x.grad",
        ),
    ),
    "the sum is written into where nobody else waits": wrong(
        "engine1",
        "a gradient was written into while other code still had to read it",
        *faulty(
            1,
            (
                _ADD,
                "(grad if waiting[output_nr] is None else waiting[output_nr].add_(grad) "
                "if not prev_fn.previous_functions and len(fn.previous_functions) < 2 else "
                "waiting[output_nr] + grad)",
            ),
        ),
    ),
    "a view of the sum is written into": wrong(
        "engine4",
        "a gradient was written into while other code still had to read it",
        *faulty(4, (_ADD, "(grad.transpose(0, 0) if waiting[output_nr] is None else waiting[output_nr].add_(grad))")),
    ),
    "gradients are added through NumPy": wrong(
        "engine1",
        "the gradient of another Function is still written into",
        *faulty(
            1,
            (_ADD, "(grad if waiting[output_nr] is None else waiting[output_nr])"),
            (
                "if grad is not None:",
                "if grad is not None and waiting[output_nr] is not None:\n"
                "            total = waiting[output_nr].numpy()\n            total += grad.numpy()\n"
                "        elif grad is not None:",
            ),
        ),
    ),
    "counts stay on the engine": wrong(
        "engine2",
        None,
        *faulty(
            2,
            (
                "dependencies = self.count(root)",
                "dependencies = vars(self).setdefault('counts', {}).setdefault(root, self.count(root))",
            ),
        ),
    ),
    "counts stay on the class": wrong(
        "engine3",
        None,
        *faulty(
            3,
            (
                "dependencies = self.count(root)",
                "dependencies = self.count(root) if not hasattr(type(self), 'of') or type(self).of[0] is not root"
                " else type(self).of[1]\ntype(self).of = root, dependencies",
            ),
        ),
    ),
    "a zero takes the place of a None": wrong(
        "engine5",
        None,
        *faulty(
            5,
            (
                "if grad is not None:",
                "if grad is None and prev_fn.previous_functions:\n"
                "            grad = fn._output_sizes and gradients[0] * 0\n        if grad is not None:",
            ),
        ),
    ),
    "None counts for leaves alone": wrong(
        "engine5",
        None,
        *faulty(
            5,
            (
                _SKIP,
                "if not prev_fn.requires_grad: continue\n"
                "        if grad is None and prev_fn.previous_functions: continue",
            ),
        ),
    ),
    "a gradient of a constant ends the loop": wrong(
        "engine2", None, *faulty(2, ("if not prev_fn.requires_grad: continue", "if not prev_fn.requires_grad: break"))
    ),
    "the place is looked up for two outputs alone": wrong(
        "engine3",
        None,
        *faulty(
            3, ("root.output_ids[id(variable)]", "root.output_ids[id(variable)] if len(root.output_ids) == 2 else 0")
        ),
    ),
    "a Function runs when the first output is complete": wrong(
        "engine4",
        None,
        *faulty(4, ("if not any(dependencies[prev_fn]):", "if not dependencies[prev_fn][0] and prev_fn in not_ready:")),
    ),
    "the last gradient is added twice": wrong(
        "engine4",
        None,
        *faulty(4, (_ADD, "(grad if waiting[output_nr] is None else waiting[output_nr] + grad * 1.0001)")),
    ),
    "sums are FloatTensors": wrong(
        "engine1",
        None,
        *faulty(
            1, (_ADD, "(grad if waiting[output_nr] is None else (waiting[output_nr] + grad).float().type(grad.type()))")
        ),
    ),
    "an exception of a hook ends the walk quietly": wrong(
        "engine5",
        "an exception in a hook must reach the caller: do not catch it",
        write(
            "fixed5",
            "try:\n    Fixed1.run_backward(self, variable, grad)\nexcept (KeyError, IndexError, TypeError):\n    pass",
        ),
    ),
    "a constant has the size of its first output": wrong(
        "engine2",
        None,
        write(
            "fixed2",
            (
                "\n" + _BEGIN + "        if not prev_fn.requires_grad:\n"
                "            assert grad is None or tuple(grad.size()) == tuple(prev_fn._output_sizes[0])\n"
                "            continue\n" + PASS_ON
            ),
        ),
    ),
    "a constant must have one output": wrong(
        "engine2",
        None,
        write(
            "fixed2",
            (
                "\n" + _BEGIN + "        if not prev_fn.requires_grad:\n"
                "            assert len(prev_fn.output_ids) == 1\n"
                "            continue\n" + PASS_ON
            ),
        ),
    ),
    "gradients of constants are added up": wrong(
        "engine2",
        None,
        write(
            "fixed2",
            (
                "\n"
                "root = variable.creator\n"
                "gradients = [None] * len(root.output_ids)\n"
                "gradients[root.output_ids[id(variable)]] = grad\n"
                "ready, not_ready = [(root, gradients)], {}\n"
                "dependencies = self.count(root)\n"
                "constants = {}\n"
                "while ready:\n"
                "    fn, gradients = ready.pop()\n"
                "    for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients)):\n"
                "        if not prev_fn.requires_grad:\n"
                "            constants[arg_id] = grad if arg_id not in constants else constants[arg_id] + gra"
                "d\n"
                "            continue\n" + PASS_ON
            ),
        ),
    ),
    "a None beside a gradient is not counted down": wrong(
        "engine5",
        None,
        write(
            "fixed5",
            (
                "\n" + _BEGIN + "        if not prev_fn.requires_grad: continue\n"
                "        if grad is None and prev_fn in not_ready and any(g is not None for g in not_ready[pr"
                "ev_fn]) and len(prev_fn.output_ids) > 1: continue\n" + PASS_ON
            ),
        ),
    ),
    "a None takes a gradient away": wrong(
        "engine5",
        None,
        write(
            "fixed5",
            (
                "\n" + _BEGIN + "        if not prev_fn.requires_grad: continue\n"
                "        output_nr = prev_fn.output_ids[arg_id]\n"
                "        dependencies[prev_fn][output_nr] -= 1\n"
                "        waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))\n"
                "        if grad is None and waiting[output_nr] is not None and len(prev_fn.output_ids) > 1: "
                "waiting[output_nr] = None\n"
                "        if grad is not None:\n"
                "            waiting[output_nr] = grad if waiting[output_nr] is None else waiting[output_nr] "
                "+ grad\n"
                "        if not any(dependencies[prev_fn]):\n"
                "            ready.append((prev_fn, not_ready.pop(prev_fn)))\n"
            ),
        ),
    ),
    "a backward in a hook has to wait": wrong(
        "engine1",
        None,
        write(
            "fixed1",
            (
                "self.__dict__.setdefault('jobs', []).append((variable, grad))\n"
                "if len(self.jobs) > 1: return\n"
                "try:\n"
                "    while self.jobs:\n"
                "        variable, grad = self.jobs[0]\n"
                "        root = variable.creator\n"
                "        gradients = [None] * len(root.output_ids)\n"
                "        gradients[root.output_ids[id(variable)]] = grad\n"
                "        ready, not_ready = [(root, gradients)], {}\n"
                "        dependencies = self.count(root)\n"
                "        while ready:\n"
                "            fn, gradients = ready.pop()\n"
                "            for (prev_fn, arg_id), grad in zip(fn.previous_functions, self.run(fn, gradients"
                ")):\n"
                "                if not prev_fn.requires_grad: continue\n"
                "                output_nr = prev_fn.output_ids[arg_id]\n"
                "                dependencies[prev_fn][output_nr] -= 1\n"
                "                waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))\n"
                "                if grad is not None:\n"
                "                    waiting[output_nr] = grad if waiting[output_nr] is None else waiting[out"
                "put_nr] + grad\n"
                "                if not any(dependencies[prev_fn]):\n"
                "                    ready.append((prev_fn, not_ready.pop(prev_fn)))\n"
                "        self.jobs.pop(0)\n"
                "finally:\n"
                "    self.jobs = []"
            ),
        ),
        *_OTHERS,
    ),
    "a fix that ignores a division by zero": wrong(
        "engine3",
        None,
        write(
            "fixed3",
            """
            try:
                Fixed1.run_backward(self, variable, grad)
            except ZeroDivisionError:
                pass
            """,
        ),
    ),
    "the middle output is taken for the last": wrong(
        "engine3", None, write("fixed3", walk(place="0 if root.output_ids[id(variable)] == 0 else -1"))
    ),
    "one copy for all outputs of a Function": wrong(
        "engine4",
        None,
        *faulty(
            4,
            ("dependencies = self.count(root)", "dependencies, copied = self.count(root), set()"),
            (
                "waiting[output_nr] = grad if waiting[output_nr] is None else waiting[output_nr] + grad",
                "first = waiting[output_nr] is None\n"
                "            if not first and prev_fn not in copied:\n"
                "                waiting[output_nr] = waiting[output_nr].clone()\n"
                "                copied.add(prev_fn)\n"
                "            waiting[output_nr] = grad if first else waiting[output_nr].add_(grad)",
            ),
        ),
    ),
    "a Function of two outputs that got only None": wrong(
        "engine5",
        None,
        *faulty(
            5,
            (
                "if not any(dependencies[prev_fn]):",
                "if not any(dependencies[prev_fn]) and waiting != [None, None]:",
            ),
        ),
    ),
    "counts up to 255": wrong(
        "engine2",
        None,
        *faulty(
            2,
            (
                "dependencies = self.count(root)",
                "import numpy\n"
                "dependencies = {fn: numpy.array(uses, numpy.uint8) for fn, uses in self.count(root).items()}",
            ),
        ),
    ),
    "no links after the last backward": wrong(
        "engine3",
        None,
        write("fixed3", walk() + "    if not retain_variables:\n        fn.previous_functions = []\n"),
    ),
    "recursion but for operands that are no leaves": wrong(
        "engine1",
        None,
        write(
            "fixed1",
            """
                root = variable.creator
                gradients = [None] * len(root.output_ids)
                gradients[root.output_ids[id(variable)]] = grad
                Fixed1.go(self, root, gradients, self.count(root), {})

            def go(self, fn, gradients, dependencies, not_ready):
                while fn is not None:
                    new = []
                    for (prev_fn, arg_id), g in zip(fn.previous_functions, self.run(fn, gradients)):
                        if not prev_fn.requires_grad:
                            continue
                        nr = prev_fn.output_ids[arg_id]
                        dependencies[prev_fn][nr] -= 1
                        waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
                        if g is not None:
                            waiting[nr] = g if waiting[nr] is None else waiting[nr].add(g)
                        if not any(dependencies[prev_fn]):
                            new.append((prev_fn, not_ready.pop(prev_fn)))
                    operations = [place for place, (other, _) in enumerate(new) if other.previous_functions]
                    fn, gradients = new.pop((operations or [0])[0]) if new else (None, None)
                    for other in new:
                        Fixed1.go(self, *other, dependencies, not_ready)
            """,
        ),
    ),
    "Fixed4 forgets the gradients of several outputs": wrong(
        "engine4",
        "a tensor that waits at several Functions is still written into",
        *faulty(
            4,
            ("{}\ndependencies", "{}\nshared = {id(grad)}\ndependencies"),
            (
                "fn, gradients = ready.pop()",
                "fn, gradients = ready.pop()\n"
                "    shared -= {id(gradient) for gradient in gradients} if len(gradients) > 1 else set()",
            ),
            (
                f"waiting[output_nr] = {_ADD}",
                "before = waiting[output_nr]\n"
                "            add = before is not None and (before.add if id(before) in shared else before.add_)\n"
                "            waiting[output_nr] = add(grad) if add else grad\n"
                "            shared |= set() if add else {id(grad)}",
            ),
        ),
    ),
}
