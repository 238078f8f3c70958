"""Answers to the steps of notebook 12: `notebooks/autograd_in_200_lines.py`, as it is and with one mistake each."""

from pathlib import Path

SOURCE = (Path(__file__).resolve().parents[2] / "notebooks" / "autograd_in_200_lines.py").read_text(encoding="utf-8")
TRAIN_STEP = """
def train_step(parameters, loss, lr):
    for parameter in parameters:
        parameter.grad = None
    loss.backward()
    for parameter in parameters:
        parameter.data -= lr * parameter.grad
"""
PLACEHOLDER = """
class Leaf:
    def __init__(self, variable, requires_grad):
        self.variable, self.requires_grad = variable, requires_grad
"""
PARTS = {
    "12.1": ("Variable", "Leaf"),
    "12.2": ("Variable", "Function"),
    "12.3": ("Variable", "Add", "Mul"),
    "12.4": ("Variable", "Function", "Leaf"),
    "12.5": ("sum_to",),
    "12.6": ("Variable", "Function"),
    "12.7": ("Variable", "Function", "ExecutionEngine"),
    "12.8": ("Variable", "Function", "ExecutionEngine"),
    "12.9": ("Variable", "Mm", "Abs", "PowConstant", "Sum"),
    "12.10": ("Variable", "train_step"),
}


def answer(name, *changes):
    """Return the parts of a step, with each pair (old, new) replaced in their source; `old` is in it exactly once."""
    source, names = SOURCE + TRAIN_STEP, {}
    for old, new in changes:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    exec(source, names)
    if name == "12.1":
        exec(PLACEHOLDER, names)
    return tuple([names[part] for part in PARTS[name]])


_ARRAY = "np.asarray(data, dtype=np.float64)\n        self.creator"
_ADD = "arrived[output_nr] = arrived.get(output_nr, 0) + grad"
_IN_RUN = "if prev_fn.requires_grad:\n                    output_nr"
_IN_COUNT = "if prev_fn.requires_grad:\n                    if prev_fn not in dependencies"
_LOOP = "        ready = [(root, {root.output_ids[id(variable)]: grad})]"
_VISIT = """                    if prev_fn not in dependencies:
                        dependencies[prev_fn] = [Counter() for _ in prev_fn.output_ids]
                        queue.append(prev_fn)
"""
_RECURSION = """        def go(fn, *grads):
            for (prev_fn, _), grad in zip(fn.previous_functions, fn._do_backward(*grads)):
                if prev_fn.requires_grad and grad is not None:
                    go(prev_fn, grad)
        return go(root, grad)
"""
MISTAKES = {  # {step: [(old, new, part of the reason)]}
    "12.1": [
        (_ARRAY, "data\n        self.creator", "np.asarray(data"),
        (_ARRAY, "np.asarray(data)\n        self.creator", "dtype=np.float64"),
        ("        self.grad = None", "        self.grad = np.zeros_like(self.data)", "`grad` begins as None"),
        ("        self.grad = None", "", "`self.grad = None`"),
        (" if creator is None else creator", "", "make no Leaf"),
        ("Leaf(self, requires_grad) if creator is None else creator", "creator", "without a creator, make one"),
        ("Leaf(self, requires_grad) if", "Leaf(self, True) if", "pass `requires_grad` on"),
    ],
    "12.2": [
        ("return output\n", "return output[0] if len(output) == 1 else output\n", "also for one output"),
        ("self.forward(*[arg.data for", "self.forward(*[arg for", "pass `arg.data`"),
        ("any([arg.creator", "all([arg.creator", "any, not all"),
        ("(arg.creator, id(arg))", "(arg, id(arg))", "not the Variable"),
        ("(arg.creator, id(arg))", "arg.creator", "one pair"),
        ("id(arg)) for", "id(arg.data)) for", "that of the Variable"),
        ("Variable(array, self)", "Variable(array)", "that this Function made"),
        ("{id(var): number for", "{number: id(var) for", "id of an output Variable"),
        ("Variable(arg, requires_grad=False)", "Variable(arg)", "with `requires_grad=False`"),
    ],
    "12.3": [
        ("return grad_output * b, grad_output * a", "return grad_output * a, grad_output * b", "that of b times a"),
        ("return grad_output * b, grad_output * a", "return b, a", "the chain rule"),
        ("return grad_output * b, grad_output * a", "return grad_output * b", "for each of its two inputs"),
        ("self.input = a, b\n        return a * b", "Mul.input = a, b\n        return a * b", "save them on `self`"),
        (" = Variable.__radd__", "", "`Variable.__radd__`"),
        (" = Variable.__rmul__", "", "`Variable.__rmul__`"),
        ("Mul()(self, other)[0]", "Add()(self, other)[0]", "`Variable.__mul__`"),
        ("Mul()(self, other)[0]", "Mul()(self, other)", "`Variable.__mul__`"),
    ],
    "12.4": [
        ("grad_output + (0 if self.variable.grad is None else self.variable.grad)", "grad_output", "add them"),
        (
            "grad = grad_output + (0 if self.variable.grad is None else self.variable.grad)",
            "grad = grad_output if self.variable.grad is None else np.add(self.variable.grad, grad_output, "
            "out=self.variable.grad)",
            "out of place",
        ),
        ("        return ()", "", "the empty tuple"),
        ("class Leaf(Function)", "class Leaf", "derive it"),
        ("        super().__init__()\n        self.variable", "        self.variable", "makes the dictionary of hooks"),
        (
            "self.output_ids = [], {id(variable): 0}",
            "self.output_ids = [None], {id(variable): 0}",
            "nothing lies behind",
        ),
        ("= [], {id(variable): 0}", "= [], {0: id(variable)}", "is output 0"),
        ("            hook((grad_output,), (grad_output,))", "            pass", "each hook gets"),
    ],
    "12.5": [
        ("    grad = grad.sum(axis=tuple(range(", "    grad = grad.mean(axis=tuple(range(", "not a mean"),
        ("if grad is None or grad.shape == shape:", "if True:", "the copies share"),
        ("if size == 1]), keepdims=True)", "if size == 1]))", "keepdims=True"),
        ("    if grad is None or grad.shape == shape:\n        return grad\n", "", "return it as it is"),
        (
            "if grad is None or grad.shape == shape:",
            "if grad is not None and grad.shape == shape:",
            "return it as it is",
        ),
    ],
    "12.6": [
        (
            "tuple([sum_to(shape, grad) for shape, grad in zip(self.input_shapes, grad_input)])",
            "grad_input",
            "`sum_to(",
        ),
        ("grad_input = grad_input if isinstance(grad_input, tuple) else (grad_input,)", "pass", "a tuple of one"),
        ("        if len(grad_input) != inputs:", "        if False:", "raise a RuntimeError"),
        ("{type(self).__name__}.backward returned", "backward returned", "`type(self).__name__`"),
        ("            hook(grad_input, grad_output)", "            pass", "call each hook"),
        ("            hook(grad_input, grad_output)", "            hook(grad_output, grad_input)", "two tuples"),
        (
            "        grad_input = tuple([sum_to",
            "        for hook in self.backward_hooks.values():\n            hook(grad_input, grad_output)\n"
            "        self.backward_hooks = {}\n        grad_input = tuple([sum_to",
            "hooks come last",
        ),
    ],
    "12.7": [
        (_VISIT, _VISIT.replace("                        queue", "                    queue"), "visited once"),
        (
            "dependencies, queue = {}, [function]",
            "dependencies, queue = {function: [Counter()]}, [function]",
            "the root",
        ),
        (_IN_COUNT, _IN_COUNT.replace("prev_fn.requires_grad", "True"), "requires no gradient is not counted"),
        ("[prev_fn.output_ids[arg_id]][fn] += 1", "[prev_fn.output_ids[arg_id]][fn] = 1", "each use counts"),
        ("[prev_fn.output_ids[arg_id]][fn] += 1", "[0][fn] += 1", "a Counter of its own"),
        ("[output_nr] -= Counter([fn])", "[output_nr][fn] -= 1", "an entry of 0"),
        ("[output_nr] -= Counter([fn])", "[output_nr] = Counter()", "one use at a time"),
        ("        return output_nr", "", "return the number of the output"),
        ("return not any(dependencies[function])", "return True", "is not ready"),
    ],
    "12.8": [
        (
            _ADD,
            "arrived[output_nr] = np.add(arrived[output_nr], grad, out=arrived[output_nr]) "
            "if output_nr in arrived else grad",
            "added to in place",
        ),
        (_ADD, "arrived[output_nr] = grad", "add up"),
        ("if self._is_ready_for_backward(dependencies, prev_fn):", "if True:", "each Function runs once"),
        (
            _IN_RUN,
            "if prev_fn.requires_grad and grad is not None:\n                    output_nr",
            "a None counts down",
        ),
        (_IN_RUN, "if True:\n                    output_nr", "skip it"),
        ("root.output_ids[id(variable)]", "0", "on which backward starts"),
        ("arrived.get(nr, np.zeros(shape))", "arrived.get(nr)", "zeros of its shape"),
        ("if grad is not None:  #", "if True:  #", "a None is not added"),
        (
            "dependencies = self._compute_dependencies(root)",
            "dependencies = self.__dict__.setdefault('kept', self._compute_dependencies(root))",
            "a second backward starts anew",
        ),
        (_LOOP, _RECURSION + _LOOP, "each Function runs once"),
    ],
    "12.9": [
        ("grad_output @ b.T, a.T @ grad_output", "grad_output @ b, a @ grad_output", "`grad_output @ b.T`"),
        ("grad_output @ b.T, a.T @ grad_output", "grad_output @ b.T", "`a.T @ grad_output`"),
        ("grad_output * np.sign(self.input)", "np.sign(self.input)", "the sign of the input"),
        ("* self.constant * self.input ** (", "* self.input ** (", "3 * a ** 2"),
        ("np.broadcast_to(grad_output, self.input_shapes[0])", "grad_output", "each number of the input"),
        ("return abs(a)", "return a", "`forward` first"),
    ],
    "12.10": [
        ("        parameter.grad = None\n", "        pass\n", "set `grad` to None"),
        ("parameter.data -= lr", "parameter.data += lr", "against the gradient"),
        ("        parameter.data -= lr * parameter.grad", "        pass", "the data has not changed"),
    ],
}
