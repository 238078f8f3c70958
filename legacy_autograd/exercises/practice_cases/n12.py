"""The steps of notebook 12, from an empty file to a trained network. An answer is the tuple of the classes so far.

The classes are the reader's own, over bare NumPy. `Variable` and the others in this file are parameters, never those of
the package.
"""

import itertools

import numpy as np

from ..practice import Case, Unwritten, written
from ..programs.inputs import Draw

MOST_RUNS = 2000  # more runs of Functions than any graph of a step needs


def case_1(answer):
    """`(Variable, Leaf)`: a Variable has an array, no gradient yet, and a creator."""
    Variable, Leaf = written(answer)
    creator = object()
    for text, arguments in (
        ("Variable([[1, 2], [3, 4]])", {}),
        ("Variable([[1, 2], [3, 4]], requires_grad=False)", {"requires_grad": False}),
        ("Variable([[1, 2], [3, 4]], creator=add)", {"creator": creator}),
    ):
        variable = Variable([[1, 2], [3, 4]], **arguments)
        if not vars(variable):
            raise Unwritten
        made_by_operation = "creator" in arguments
        found = getattr(variable, "creator", "missing")
        expected = {
            "data": "an array of float64" + " [[1.0, 2.0], [3.0, 4.0]]",
            "grad": "None",
            "creator": "add" if made_by_operation else "a Leaf of this Variable",
            "requires_grad of the Leaf": "-" if made_by_operation else str(arguments.get("requires_grad", True)),
        }
        leaf = isinstance(found, Leaf) and getattr(found, "variable", None) is variable
        got = {
            "data": _array(getattr(variable, "data", "missing")),
            "grad": str(getattr(variable, "grad", "missing")),
            "creator": "add" if found is creator else "a Leaf of this Variable" if leaf else _kind(found),
            "requires_grad of the Leaf": str(getattr(found, "requires_grad", "-")),
        }
        mistakes = (
            (
                lambda got: "float64" not in got["data"],
                "NumPy does the arithmetic, with fractions: `np.asarray(data, dtype=np.float64)`",
            ),
            ({"grad": "missing"}, "no gradient has arrived yet: `self.grad = None`"),
            (lambda got: got["grad"] != "None", "no gradient has arrived yet: `grad` begins as None"),
            ({"creator": "NoneType"}, "without a creator, make one: `Leaf(self, requires_grad)`"),
            (
                lambda got, given=made_by_operation: given and got["creator"] != "add",
                "an operation passes itself as `creator`: keep it, and make no Leaf",
            ),
            ("requires_grad of the Leaf", "pass `requires_grad` on to the Leaf"),
        )
        yield Case(text, got, expected, mistakes)


def case_2(answer):
    """`(Variable, Function)`: a call computes, and records where its inputs came from."""
    Variable, Function = written(answer)

    class Double(Function):
        def forward(self, a):
            self.seen = [_kind(a)]
            return 2 * _plain_array(a)

    class SumAndProduct(Function):
        def forward(self, a, b):
            self.seen = [_kind(a), _kind(b)]
            a, b = _plain_array(a), _plain_array(b)
            return a + b, a * b

    x, y = Variable([[2.0, 3.0]]), Variable([4.0, 5.0], requires_grad=False)
    names = {id(x): "id(x)", id(y): "id(y)", id(x.data): "id(x.data)", id(y.data): "id(y.data)"}
    creators = {id(x.creator): "x.creator", id(y.creator): "y.creator", id(x): "x", id(y): "y"}
    of = {"x": x, "y": y}
    for class_, inputs in ((Double, "x"), (Double, "y"), (SumAndProduct, "xy"), (SumAndProduct, "yy")):
        text = f"f = {class_.__name__}(); f({', '.join(inputs)})"
        function = class_()
        result = written(function(*[of[name] for name in inputs]))
        outputs = result if isinstance(result, (tuple, list)) else (result,)
        count = 1 if class_ is Double else 2
        right = class_.forward(class_(), *[of[name].data for name in inputs])
        right = right if isinstance(right, tuple) else (right,)
        pairs = getattr(function, "previous_functions", "missing")
        ids = getattr(function, "output_ids", "missing")
        expected = {
            "forward gets": ["ndarray"] * len(inputs),
            "f returns": f"a tuple of {count}",
            "data of the outputs": [array.tolist() for array in right],
            "creator of the outputs": ["f"] * count,
            "f.previous_functions": [f"({name}.creator, id({name}))" for name in inputs],
            "f.output_ids": [f"id of output {nr}: {nr}" for nr in range(count)],
            "f.requires_grad": "x" in inputs,
            "f.input_shapes": [list(of[name].data.shape) for name in inputs],
            "f.output_shapes": [list(array.shape) for array in right],
        }
        numbers = {id(output): nr for nr, output in enumerate(outputs)}
        got = {
            "forward gets": getattr(function, "seen", "nothing"),
            "f returns": f"a tuple of {len(result)}" if isinstance(result, tuple) else _kind(result),
            "data of the outputs": [_numbers(getattr(output, "data", output)) for output in outputs],
            "creator of the outputs": ["f" if getattr(o, "creator", None) is function else "another" for o in outputs],
            "f.previous_functions": _pairs(pairs, creators, names),
            "f.output_ids": [f"id of output {numbers.get(key, '?')}: {nr}" for key, nr in ids.items()]
            if isinstance(ids, dict)
            else _kind(ids),
            "f.requires_grad": getattr(function, "requires_grad", "missing"),
            "f.input_shapes": _shapes(getattr(function, "input_shapes", "missing")),
            "f.output_shapes": _shapes(getattr(function, "output_shapes", "missing")),
        }
        mistakes = (
            (lambda got: "Variable" in got["forward gets"], "`forward` computes with arrays: pass `arg.data`"),
            (lambda got: not got["f returns"].startswith("a tuple"), "return a tuple, also for one output"),
            (
                lambda got: "another" in got["creator of the outputs"],
                "the outputs are Variables that this Function made: `Variable(array, self)`",
            ),
            (
                lambda got: any("(x," in pair or "(y," in pair for pair in got["f.previous_functions"]),
                "the graph is made of Functions: record `arg.creator`, not the Variable",
            ),
            (lambda got: "data" in str(got["f.previous_functions"]), "the id is that of the Variable: `id(arg)`"),
            ("f.previous_functions", "one pair `(arg.creator, id(arg))` for each input, in their order"),
            ("f.requires_grad", "one input that requires a gradient is enough: any, not all"),
            ("f.output_ids", "`{id of an output Variable: its number}`, for each output"),
        )
        yield Case(text, got, expected, mistakes)
    number = Double()
    (output,) = number(5)
    yield Case(
        "f = Double(); f(5)",
        {"data of the output": _numbers(output.data), "f.requires_grad": number.requires_grad},
        {"data of the output": 10.0, "f.requires_grad": False},
        (("f.requires_grad", "a plain number becomes a Variable with `requires_grad=False`"),),
    )


def case_3(answer):
    """`(Variable, Add, Mul)`: two operations with their derivatives, and their operators."""
    Variable, Add, Mul = written(answer)
    for draw in map(Draw, range(1201, 1204)):
        a, b, other, g = [np.array([draw.number(), draw.number()]) for _ in range(4)]
        on = f"a = {a.tolist()}, b = {b.tolist()}, grad_output = {g.tolist()}"
        add, mul, another = Add(), Mul(), Mul()
        values = [_numbers(written(add.forward(a, b))), _numbers(written(mul.forward(a, b)))]
        another.forward(other, other)
        expected = {
            "Add.forward": (a + b).tolist(),
            "Mul.forward": (a * b).tolist(),
            "Add.backward": [g.tolist(), g.tolist()],
            "Mul.backward": [(g * b).tolist(), (g * a).tolist()],
        }
        got = {
            "Add.forward": values[0],
            "Mul.forward": values[1],
            "Add.backward": _all_numbers(written(add.backward(g))),
            "Mul.backward": _all_numbers(written(mul.backward(g))),
        }
        mistakes = (
            (
                {"Mul.backward": [(g * a).tolist(), (g * b).tolist()]},
                "the gradient of a is times b, and that of b times a",
            ),
            ({"Mul.backward": [b.tolist(), a.tolist()]}, "multiply by grad_output: the chain rule"),
            ({"Add.backward": [[1.0, 1.0]] * 2}, "multiply by grad_output: the chain rule"),
            (
                {"Mul.backward": [(g * other).tolist(), (g * other).tolist()]},
                "each instance keeps its own operands: save them on `self`",
            ),
            (
                lambda got: any(len(got[f"{name}.backward"]) != 2 for name in ("Add", "Mul")),
                "backward returns a tuple with one gradient for each of its two inputs",
            ),
        )
        yield Case(on, got, expected, mistakes)
    x, y = Variable([2.0]), Variable([3.0])
    programs = {
        "x + y": (lambda: x + y, [5.0], "`Variable.__add__`"),
        "x * y": (lambda: x * y, [6.0], "`Variable.__mul__`"),
        "4 + x": (lambda: 4 + x, [6.0], "`Variable.__radd__`: Python asks the right operand when the left one cannot"),
        "4 * x": (lambda: 4 * x, [8.0], "`Variable.__rmul__`: Python asks the right operand when the left one cannot"),
    }
    for text, (program, right, why) in programs.items():
        try:
            got = _numbers(program().data)
        except Exception as error:
            got = f"{type(error).__name__}: {error}"
        yield Case(text, {text: got}, {text: right}, ((lambda got: True, f"the operator calls {why}"),))


def case_4(answer):
    """`(Variable, Function, Leaf)`: a leaf adds up the gradients that arrive."""
    Variable, Function, Leaf = written(answer)
    variable = Variable([[1.0, 2.0]])
    leaf = variable.creator
    if not vars(leaf):
        raise Unwritten
    parts = {"previous_functions": [], "output_ids": {id(variable): 0}, "output_shapes": [(1, 2)]}
    found = {name: getattr(leaf, name, "missing") for name in parts}
    hooks = getattr(leaf, "backward_hooks", None)
    yield Case(
        "leaf = x.creator, x = Variable([[1.0, 2.0]])",
        {
            "is a Function": isinstance(leaf, Function),
            "leaf.variable is x": getattr(leaf, "variable", None) is variable,
            **{name: str(value) for name, value in found.items()},
            "leaf.requires_grad": getattr(leaf, "requires_grad", "missing"),
            "leaf.backward_hooks": str(hooks),
        },
        {
            "is a Function": True,
            "leaf.variable is x": True,
            **{name: str(value) for name, value in parts.items()},
            "leaf.requires_grad": True,
            "leaf.backward_hooks": "{}",
        },
        (
            (lambda got: not got["is a Function"], "derive it: `class Leaf(Function)`"),
            ("leaf.backward_hooks", "`super().__init__()` makes the dictionary of hooks"),
            ("previous_functions", "nothing lies behind a leaf: its list of previous Functions is empty"),
            ("output_ids", "the variable is output 0: `{id(variable): 0}`"),
        ),
    )
    first, second = np.array([[1.0, -2.0]]), np.array([[0.5, 4.0]])
    seen = []
    leaf.backward_hooks["see"] = lambda grad_input, grad_output: seen.append(_all_numbers(grad_input))
    returned = leaf._do_backward(first)
    if returned is None and variable.grad is None:
        raise Unwritten
    got = {"x.grad after one": _numbers(variable.grad), "returns": str(returned)}
    leaf._do_backward(second)
    got |= {"x.grad after both": _numbers(variable.grad), "the first array": first.tolist(), "hooks saw": seen}
    expected = {
        "x.grad after one": [[1.0, -2.0]],
        "returns": "()",
        "x.grad after both": [[1.5, 2.0]],
        "the first array": [[1.0, -2.0]],
        "hooks saw": [[[[1.0, -2.0]]], [[[0.5, 4.0]]]],
    }
    mistakes = (
        (
            lambda got: got["the first array"] != expected["the first array"],
            "the sum was written into the array that arrived: add out of place, `grad_output + self.variable.grad`",
        ),
        ({"x.grad after both": [[0.5, 4.0]]}, "the second gradient replaced the first: add them"),
        ({"x.grad after both": None}, "the sum belongs in `self.variable.grad`"),
        ("returns", "a leaf has no inputs, so it returns no gradients: the empty tuple `()`"),
        ("hooks saw", "each hook gets `((grad_output,), (grad_output,))`, before the gradient is added"),
    )
    yield Case("_do_backward([[1.0, -2.0]]), then _do_backward([[0.5, 4.0]])", got, expected, mistakes)


def case_5(answer):
    """`sum_to(shape, grad)`: the gradient of an input that NumPy broadcast."""
    (sum_to,) = written(answer)
    shapes = [((2,), (3, 2)), ((2, 3), (2, 3)), ((2, 1), (2, 3)), ((), (2, 3)), ((1,), (4,)), ((1, 3), (4, 2, 3))]
    for seed, (shape, full) in enumerate(shapes, 1211):
        draw = Draw(seed)
        grad = np.array([draw.number() for _ in range(int(np.prod(full)))]).reshape(full)
        before = grad.copy()
        size = int(np.prod(shape))
        # Each number of the gradient belongs to the number of the input that was copied to its place.
        sources = np.broadcast_to(np.arange(size).reshape(shape), full)
        right = np.bincount(sources.ravel(), grad.ravel(), minlength=size).reshape(shape)
        result = np.asarray(written(sum_to(shape, grad)))
        expected = {"shape": str(shape), "gradient": right.tolist(), "grad afterwards": before.tolist()}
        got = {"shape": str(result.shape), "gradient": result.tolist(), "grad afterwards": grad.tolist()}
        copies = grad.size / size
        mistakes = (
            (
                lambda got, full=full, shape=shape: full != shape and got["shape"] == str(full),
                "the copies share their gradient: sum over the axes that were added or stretched",
            ),
            ({"gradient": (right / copies).tolist()}, "a sum, not a mean: each copy contributes its whole gradient"),
            (
                lambda got, shape=shape: got["shape"] != str(shape),
                "first sum away the axes in front, then those of length 1, with `keepdims=True`",
            ),
        )
        yield Case(f"sum_to({shape}, grad), grad = {before.tolist()}", got, expected, mistakes)
    try:
        got = str(sum_to((2,), None))
    except (AttributeError, TypeError) as error:
        got = f"{type(error).__name__}: {error}"
    why = "None says that there is no gradient: return it as it is"
    yield Case("sum_to((2,), None)", {"result": got}, {"result": "None"}, ((lambda got: True, why),))


def case_6(answer):
    """`(Variable, Function)`: `_do_backward` makes a tuple, checks its length, sums to the inputs' shapes."""
    Variable, Function = written(answer)
    if not hasattr(Function, "_do_backward"):
        raise Unwritten

    class AddRow(Function):
        def forward(self, a, row):
            return a + row

        def backward(self, grad_output):
            return grad_output, grad_output

    class Double(AddRow):
        def forward(self, a):
            return 2 * a

        def backward(self, grad_output):
            return 2 * grad_output

    class Constant(AddRow):
        def backward(self, grad_output):
            return grad_output, None

    class TooFew(AddRow):
        def backward(self, grad_output):
            return grad_output

    matrix, row = Variable(np.ones((3, 2))), Variable(np.ones(2))
    gradient = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    for class_, inputs, right in (
        (Double, (matrix,), [(2 * gradient).tolist()]),
        (AddRow, (matrix, row), [gradient.tolist(), [9.0, 12.0]]),
        (Constant, (matrix, row), [gradient.tolist(), None]),
    ):
        function, seen = class_(), []
        function(*inputs)
        function.backward_hooks["see"] = lambda *both, seen=seen: seen.extend(map(_all_numbers, both))
        expected = {"returns": "a tuple", "gradients": right, "hook gets": [right, [gradient.tolist()]]}
        try:
            result = written(function._do_backward(gradient))
            got = {"returns": f"a {_kind(result)}", "gradients": _all_numbers(result), "hook gets": seen}
        except RuntimeError as error:  # that about the number of gradients
            got = {**expected, "returns": f"RuntimeError: {error}"}
        mistakes = (
            (
                lambda got: got["returns"] != "a tuple",
                "a single gradient becomes a tuple of one, before they are counted",
            ),
            (
                lambda got, right=right: str(got["gradients"]) != str(right),
                "each gradient gets the shape of its input: `sum_to(shape, grad)` with `self.input_shapes`",
            ),
            ({"hook gets": []}, "call each hook of `self.backward_hooks` with `(grad_input, grad_output)`"),
            (
                lambda got: got["hook gets"][:1] == [[gradient.tolist()] * 2],
                "the hooks come last: they get the gradients after `sum_to`, as `_do_backward` returns them",
            ),
            ("hook gets", "a hook gets two tuples: the gradients of the inputs, and those of the outputs"),
        )
        yield Case(f"{class_.__name__}, grad_output = {gradient.tolist()}", got, expected, mistakes)
    function = TooFew()
    function(matrix, row)
    try:
        function._do_backward(gradient)
        got = "no error"
    except RuntimeError as error:
        got = "a RuntimeError that names TooFew" if "TooFew" in str(error) else f"RuntimeError: {error}"
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
    why = (
        "`backward` returned one gradient for two inputs. Without an error the second input loses its gradient: raise "
        "a RuntimeError with `type(self).__name__` in its text"
    )
    expected = {"one gradient for two inputs": "a RuntimeError that names TooFew"}
    yield Case("TooFew", {"one gradient for two inputs": got}, expected, ((lambda got: True, why),))


# --- graphs for the engine


class _TooMany(Exception):
    """More Functions ran than the graph has."""


class _Once(list):
    """A list of previous Functions that notices a walk over all paths."""

    left = MOST_RUNS

    def __iter__(self):
        _Once.left -= 1
        if _Once.left < 0:
            raise _TooMany
        return super().__iter__()


def _operations(Function):
    """Return classes {name: class} on the reader's Function, and the list of the instances whose backward ran."""
    ran = []

    class Base(Function):
        def _do_backward(self, *grad_output):
            ran.append(self)
            if len(ran) > MOST_RUNS:
                raise _TooMany
            return super()._do_backward(*grad_output)

    class Add(Base):
        def forward(self, a, b):
            return a + b

        def backward(self, grad_output):
            return grad_output, grad_output

    class Mul(Base):
        def forward(self, a, b):
            self.operands = a, b
            return a * b

        def backward(self, grad_output):
            a, b = self.operands
            return grad_output * b, grad_output * a

    class SumDifference(Base):
        def forward(self, a, b):
            return a + b, a - b

        def backward(self, of_sum, of_difference):
            return of_sum + of_difference, of_sum - of_difference

    class First(Base):
        def forward(self, a, b):
            return a + 0.0

        def backward(self, grad_output):
            return grad_output, None

    return {"Add": Add, "Mul": Mul, "SumDifference": SumDifference, "First": First}, ran


# A program is a list of (operation, operand, operand). Values are numbered: x, y and the constant c are 0, 1 and 2, and
# the outputs follow. The last value is the root.
_DIAMOND = [("Mul", 0, 1), ("Add", 0, 1), ("Add", 3, 4)]
_PROGRAMS = {
    "x + y": [("Add", 0, 1)],
    "x * x": [("Mul", 0, 0)],
    "x * c": [("Mul", 0, 2)],
    "x * y + (x + y)": _DIAMOND,
    "z = x * y; (z + x) * z": [("Mul", 0, 1), ("Add", 3, 0), ("Mul", 4, 3)],
    "s, d = SumDifference(x, y); s * d": [("SumDifference", 0, 1), ("Mul", 3, 4)],
    "s, d = SumDifference(x, y); d": [("SumDifference", 0, 1)],
    "s, d = SumDifference(x, y); d * x": [("SumDifference", 0, 1), ("Mul", 4, 0)],
    "z = x * y; First(x, z) + x": [("Mul", 0, 1), ("First", 0, 3), ("Add", 4, 0)],
    "(c * c) * x": [("Mul", 2, 2), ("Mul", 3, 0)],
}


def _programs():
    yield from _PROGRAMS.items()
    for seed in range(1221, 1229):
        draw, values, steps = Draw(seed), 3, []
        for _ in range(3 + seed % 8):
            operation = draw.one_of(["Add", "Mul", "SumDifference", "First"])
            steps.append((operation, draw.one_of(range(values)), draw.one_of(range(values))))
            values += 2 if operation == "SumDifference" else 1
        steps.append(("Add", values - 1, 0))
        names = ["x", "y", "c", *[f"v{number}" for number in range(3, values + 1)]]
        text, number = [], 3
        for operation, a, b in steps:
            outputs = names[number : number + (2 if operation == "SumDifference" else 1)]
            text.append(f"{', '.join(outputs)} = {operation}({names[a]}, {names[b]})")
            number += len(outputs)
        yield "; ".join(text), steps


def _built(Variable, operations, steps):
    """Return x, y and the last value of a program."""
    x, y, c = Variable([2.0, -1.0]), Variable([3.0, 0.5]), Variable([0.5, 2.0], requires_grad=False)
    values = [x, y, c]
    for name, a, b in steps:
        values.extend(operations[name]()(values[a], values[b]))
    return x, y, values[-1]


def _labels(root):
    """Return {Function: label} for all Functions behind the root."""
    labels, queue = {}, [root]
    while queue:
        function = queue.pop(0)
        if function not in labels:
            labels[function] = f"{type(function).__name__} #{len(labels) + 1}"
            queue += [previous for previous, _ in function.previous_functions]
    return labels


def case_7(answer):
    """`(Variable, Function, ExecutionEngine)`: how often each output is used, by which Function."""
    Variable, Function, ExecutionEngine = written(answer)
    operations, _ = _operations(Function)
    for text, steps in _programs():
        root = _built(Variable, operations, steps)[-1].creator
        labels = _labels(root)
        found = written(ExecutionEngine()._compute_dependencies(root))
        right = {}
        for function in labels:
            for previous, arg_id in function.previous_functions if function.requires_grad else ():
                if previous.requires_grad:
                    uses = right.setdefault(labels[previous], [{} for _ in previous.output_ids])
                    consumers = uses[previous.output_ids[arg_id]]
                    consumers[labels[function]] = consumers.get(labels[function], 0) + 1
        got = (
            {
                labels.get(key, _kind(key)): [
                    {labels.get(consumer, _kind(consumer)): number for consumer, number in counter.items()}
                    if isinstance(counter, dict)
                    else _kind(counter)
                    for counter in (counters if isinstance(counters, list) else [counters])
                ]
                for key, counters in found.items()
            }
            if isinstance(found, dict)
            else {}
        )
        keys = sorted({*right, *got})
        constants = {label for function, label in labels.items() if not function.requires_grad}
        once = {key: [dict.fromkeys(uses, 1) for uses in value] for key, value in right.items()}
        mistakes = (
            (lambda got, root=labels[root]: got[root] != "missing" if root in got else False,
             "the root is not counted: nothing behind it uses it"),
            (lambda got, constants=constants: any(got.get(c, "missing") != "missing" for c in constants),
             "a Function that requires no gradient is not counted, and nothing behind it"),
            (once, "each use counts: `x * x` uses x twice"),
            (lambda got, right=right: _total(got) > _total(right),
             "each Function is visited once: put it into the queue only when it is new"),
            (lambda got, right=right: right and _total(got) == _total(right),
             "each output has a Counter of its own: its number is `prev_fn.output_ids[arg_id]`"),
            (lambda got: any("Counter" in str(v) or isinstance(v, str) for v in got.values()),
             "{Function: [a Counter of its consumers, for each output]}"),
        )  # fmt: skip
        expected = {key: right.get(key, "missing") for key in keys}
        yield Case(text, {key: got.get(key, "missing") for key in keys}, expected, mistakes)
    x = Variable([1.0])
    for _ in range(30):
        (x,) = operations["Add"]()(x, x)
    for function in _labels(x.creator):
        function.previous_functions = _Once(function.previous_functions)
    _Once.left = MOST_RUNS
    try:
        ExecutionEngine()._compute_dependencies(x.creator)
        got = "done"
    except _TooMany:
        got = f"more than {MOST_RUNS} visits"
    why = "there are 2 ** 30 paths and 31 Functions: put a Function into the queue only when it is new"
    yield Case("x = x + x, thirty times", {"30 doublings": got}, {"30 doublings": "done"}, ((lambda got: True, why),))
    yield from _counting_down(Variable, operations, ExecutionEngine())


def _counting_down(Variable, operations, engine):
    """Check the two short methods on a SumDifference whose second output `x * x` uses twice."""
    (_, difference) = operations["SumDifference"]()(Variable([2.0]), Variable([3.0]))
    (root,) = operations["Mul"]()(difference, difference)
    dependencies = engine._compute_dependencies(root.creator)
    arguments = dependencies, difference.creator, root.creator, id(difference)
    got = [engine._is_ready_for_backward(dependencies, difference.creator)]
    for _ in range(2):
        got += [engine._free_backward_dependency(*arguments)]
        got += [bool(engine._is_ready_for_backward(dependencies, difference.creator))]
    on = "d = output 1 of SumDifference; d * d: is it ready? Then twice: count down (which output?), is it ready?"
    mistakes = (
        (lambda got: isinstance(got["answers"][1], type(None)), "return the number of the output, which is 1 here"),
        ({"answers": [False, 1, True, 1, True]}, "one use at a time: `d * d` uses d twice"),
        ({"answers": [False, 1, False, 1, False]},
         "a Counter with an entry of 0 is not empty: `-= Counter([fn])` drops it"),
        (lambda got: got["answers"][0], "a Function with a use that is not counted down is not ready"),
    )  # fmt: skip
    yield Case(on, {"answers": got}, {"answers": [False, 1, False, 1, True]}, mistakes)


def _total(uses):
    """Return the sum of all counts."""
    return sum(
        number
        for counters in uses.values()
        for counter in (counters if isinstance(counters, list) else ())
        for number in (counter.values() if isinstance(counter, dict) else ())
    )


def case_8(answer):
    """`(Variable, Function, ExecutionEngine)`: gradients of all kinds of graphs; each Function runs once."""
    Variable, Function, ExecutionEngine = written(answer)
    if not hasattr(ExecutionEngine, "run_backward"):
        raise Unwritten
    operations, ran = _operations(Function)
    start = np.array([1.0, -2.0])
    for text, steps in _programs():
        x, y, root = _built(Variable, operations, steps)
        right_x, right_y = _derivatives(steps, start)
        needed = sum(f.requires_grad and hasattr(f, "forward") for f in _reached(root.creator))
        engine = ExecutionEngine()
        got, expected = {}, {}
        for name, times in (("", 1), (" after a second backward", 2)):
            ran.clear()
            gradient = start.copy()
            try:
                engine.run_backward(root, gradient)
            except _TooMany:
                pass
            except (KeyError, TypeError) as error:
                if isinstance(error, TypeError) and "NoneType" not in str(error):
                    raise
                got["error"] = f"{type(error).__name__}: {error}"
                expected["error"] = "none"
                break
            if not ran:
                raise Unwritten
            got |= {f"x.grad{name}": _numbers(x.grad), f"y.grad{name}": _numbers(y.grad)}
            got |= {f"runs{name}": len(ran), f"the gradient passed in{name}": gradient.tolist()}
            expected |= {f"x.grad{name}": right_x * times, f"y.grad{name}": right_y * times}
            expected |= {f"runs{name}": needed, f"the gradient passed in{name}": start.tolist()}
        expected = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in expected.items()}
        for key in ("x.grad", "y.grad", "x.grad after a second backward", "y.grad after a second backward"):
            if "error" not in got and got[key] is None and not any(expected[key]):
                got[key] = expected[key]  # nothing leads from the root to it
        if "error" in got:
            mistakes = (
                (lambda got: got["error"].startswith("TypeError"),
                 "an output that no Function used gets zeros of its shape, and a None is not added"),
                (lambda got: True, "what requires no gradient is not in `dependencies`: skip it"),
            )  # fmt: skip
            yield Case(f"{text}; backward with {start.tolist()}", got, expected, mistakes)
            return
        output = root.creator.output_ids[id(root)]
        mistakes = (
            (lambda got, needed=needed: got["runs"] > needed,
             "each Function runs once, when the gradients of all its uses have arrived"),
            (lambda got, needed=needed: got["runs"] < needed,
             "Functions are missing: a None counts down too, and what waits must become ready"),
            (lambda got: got["x.grad"] is None or got["y.grad"] is None, "the leaves are Functions too: run them"),
            (lambda got: got["the gradient passed in"] != [1.0, -2.0],
             "a gradient was added to in place, and another Function holds the same array"),
            (lambda got, right=expected: got["x.grad"] == right["x.grad"] and got["y.grad"] == right["y.grad"],
             "a second backward starts anew: keep ready, not_ready and dependencies in the call, not on `self`"),
            (lambda got, output=output: output > 0,
             "the gradient passed in is that of the output on which backward starts. `root.output_ids[id(variable)]` "
             "is its number"),
            (lambda got: True,
             "do two gradients for one output add up, out of place, and does each output have its own number?"),
        )  # fmt: skip
        yield Case(f"{text}; backward with {start.tolist()}", got, expected, mistakes)
    x, c = Variable([2.0]), Variable([3.0], requires_grad=False)
    (root,) = operations["Mul"]()(x, c)
    ExecutionEngine().run_backward(root, np.array([1.0]))
    why = "an input that requires no gradient is skipped: its Leaf must not run"
    yield Case("x * c", {"c.grad": str(c.grad)}, {"c.grad": "None"}, ((lambda got: True, why),))
    x = y = Variable([1.0])
    for _ in range(30):
        (y,) = operations["Add"]()(y, y)
    ran.clear()
    try:
        ExecutionEngine().run_backward(y, np.array([1.0]))
    except _TooMany:
        pass
    why = "each Function runs once, when the gradients of all its uses have arrived"
    got = {"runs": len(ran), "x.grad": _numbers(x.grad)}
    yield Case("x = x + x, thirty times", got, {"runs": 30, "x.grad": [2.0**30]}, ((lambda got: True, why),))


def _reached(root):
    """Return the Functions that backward reaches: behind a Function without gradient nothing runs."""
    found, queue = [], [root]
    while queue:
        function = queue.pop()
        if function not in found and function.requires_grad:
            found.append(function)
            queue += [previous for previous, _ in function.previous_functions]
    return found


def _derivatives(steps, start):
    """Return the gradients of x and y by forward differentiation: each value carries its derivatives, no graph."""
    unit = np.ones(2)
    values = [(np.array([2.0, -1.0]), unit, 0 * unit), (np.array([3.0, 0.5]), 0 * unit, unit),
              (np.array([0.5, 2.0]), 0 * unit, 0 * unit)]  # fmt: skip
    for name, a, b in steps:
        (u, ux, uy), (v, vx, vy) = values[a], values[b]
        values += {
            "Add": [(u + v, ux + vx, uy + vy)],
            "Mul": [(u * v, ux * v + u * vx, uy * v + u * vy)],
            "SumDifference": [(u + v, ux + vx, uy + vy), (u - v, ux - vx, uy - vy)],
            "First": [(u, ux, uy)],
        }[name]
    return start * values[-1][1], start * values[-1][2]


def case_9(answer):
    """`(Variable, Mm, Abs, PowConstant, Sum)`: each backward against the quotient of differences."""
    Variable, Mm, Abs, PowConstant, Sum = written(answer)
    draw = Draw(1231)

    def numbers(*shape):
        return np.array([draw.number() for _ in range(int(np.prod(shape)))]).reshape(shape)

    operations = {
        "Mm": (Mm, [numbers(2, 3), numbers(3, 4)], np.matmul, "a has `grad_output @ b.T`, b has `a.T @ grad_output`"),
        "Abs": (Abs, [numbers(2, 3)], abs, "the sign of the input, times grad_output"),
        "PowConstant(3)": (lambda: PowConstant(3), [numbers(2, 3)], lambda a: a**3, "3 * a ** 2, times grad_output"),
        "Sum": (Sum, [numbers(2, 3)], np.sum, "each number of the input gets grad_output: as many as there are inputs"),
    }  # fmt: skip
    for class_, (name, (make, arrays, formula, why)) in zip((Mm, Abs, PowConstant, Sum), operations.items()):
        if not hasattr(class_, "forward"):
            raise Unwritten
        function = make()
        right = np.asarray(formula(*arrays))
        (output,) = function(*[Variable(array) for array in arrays])
        grad_output = numbers(*right.shape)
        try:
            gradients = function.backward(grad_output)
            got = {"backward": _all_numbers(gradients if isinstance(gradients, tuple) else (gradients,))}
        except Exception as error:
            got = {"backward": f"{type(error).__name__}: {error}"}
        got["forward"] = _numbers(output.data)
        expected = {
            "forward": right.tolist(),
            "backward": [_quotients(formula, arrays, place, grad_output).tolist() for place in range(len(arrays))],
        }
        mistakes = (("forward", "look at `forward` first"), ("backward", why))
        on = f"{name} of {', '.join(str(array.tolist()) for array in arrays)}, grad_output = {grad_output.tolist()}"
        yield Case(on, got, expected, mistakes, tolerance=1e-6)


def _quotients(formula, arrays, place, grad_output, eps=1e-5):
    """Return the gradient of `sum(grad_output * formula(*arrays))` of one of the arrays, by central differences."""
    result = np.zeros_like(arrays[place])
    for index in np.ndindex(result.shape):
        ends = []
        for step in (eps, -eps):
            moved = [array.copy() for array in arrays]
            moved[place][index] += step
            ends.append(np.sum(grad_output * formula(*moved)))
        result[index] = (ends[0] - ends[1]) / (2 * eps)
    return result


def case_10(answer):
    """`(Variable, train_step)`: no old gradient, backward, one step downhill."""
    Variable, train_step = written(answer)
    for old, lr in itertools.product((None, [4.0, 4.0]), (0.1, 0.25)):
        w, b = Variable([1.0, -2.0]), Variable([3.0])
        was = w.data
        w.grad = b.grad = None if old is None else np.array(old)
        if old is not None:
            b.grad = np.array(old[:1])
        loss = (w * w + b).sum()
        result = train_step([w, b], loss, lr)
        if result is None and w.grad is None and w.data.tolist() == was.tolist() == [1.0, -2.0]:
            raise Unwritten
        right = {"w": [1 - 2 * lr, -2 + 4 * lr], "b": [3 - 2 * lr]}
        got = {"w": _numbers(w.data), "b": _numbers(b.data)}
        uphill = {"w": [1 + 2 * lr, -2 - 4 * lr], "b": [3 + 2 * lr]}
        stale = {"w": [1 - 6 * lr, -2 + 0 * lr], "b": [3 - 6 * lr]}
        mistakes = (
            (uphill, "the loss falls against the gradient: subtract"),
            (stale, "the gradient of an earlier step is still there: set `grad` to None before backward"),
            ({"w": [1.0, -2.0], "b": [3.0]}, "the data has not changed: subtract `lr * parameter.grad` from it"),
        )
        text = "None" if old is None else "4 in each place"
        on = f"w = [1, -2], b = [3], loss = sum(w * w + b), lr = {lr}, gradients before the step: {text}"
        yield Case(on, got, right, mistakes)


# --- values as plain data


def _plain_array(value):
    return np.asarray(getattr(value, "data", value)) if not isinstance(value, np.ndarray) else value


def _kind(value):
    return type(value).__name__


def _array(value):
    return f"an array of {value.dtype} {value.tolist()}" if isinstance(value, np.ndarray) else f"{_kind(value)} {value}"


def _numbers(value):
    if value is None or isinstance(value, str):
        return value
    return (
        value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value if _is_plain(value) else _kind(value)
    )


def _is_plain(value):
    return isinstance(value, (int, float, list))


def _all_numbers(values):
    return [_numbers(value) for value in values] if isinstance(values, (tuple, list)) else [_numbers(values)]


def _pairs(pairs, creators, names):
    """Return the texts of `previous_functions`."""
    if not isinstance(pairs, (list, tuple)):
        return _kind(pairs)
    texts = []
    for pair in pairs:
        if isinstance(pair, tuple) and len(pair) == 2:
            texts.append(f"({creators.get(id(pair[0]), _kind(pair[0]))}, {names.get(pair[1], 'another id')})")
        else:
            texts.append(creators.get(id(pair), _kind(pair)))
    return texts


def _shapes(shapes):
    return [list(shape) for shape in shapes] if isinstance(shapes, (list, tuple)) else _kind(shapes)
