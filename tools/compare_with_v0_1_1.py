"""Run random programs on v0.1.1's own autograd and on `legacy_autograd.historical`, and compare the outcomes.

    python tools/compare_with_v0_1_1.py FOLDER                           the programs of the seeds 0 to 3999
    python tools/compare_with_v0_1_1.py FOLDER --seed 17 --programs 1    one of them

FOLDER is torch/autograd of v0.1.1, with variable.py, function.py, leaf.py, engine.py and functions/. The files are not
part of this project: in a clone of github.com/gchanan/pytorch, `git archive v0.1.1 torch/autograd | tar x -C /tmp`
writes them to /tmp/torch/autograd. They run over the Tensors of this package, under the conventions of v0.1.1.
`historical` runs under these and under those of `import`, in processes of their own.

A program is a list of lines of Python. A line that raises is recorded by the class of its exception, and the next line
runs. At the end all values, gradients, calls of hooks and pairs of tensors in one memory are recorded. An error that a
Tensor raised counts as the one of v0.1.1's C code: ValueError for an argument of another type, otherwise RuntimeError.

The exit code is 1 if an outcome differs. Each difference is printed with its seed and its program.
"""

import argparse
import copy
import importlib.util
import itertools
import json
import operator
import os
import pathlib
import random
import subprocess
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = 4000
RUNS = (("v0.1.1", "0.1.1"), ("historical", "0.1.1"), ("historical", "import"))  # (autograd, conventions)

# Functions of a user, which every program can call.
FUNCTIONS = """
class Pair(Function):
    def forward(self, x):
        return x.mul(2), x.mul(3)

    def backward(self, grad_output):
        return grad_output.mul(2)

class Second(Function):
    def forward(self, a, b):
        return b.clone()

    def backward(self, grad_output):
        return None, grad_output

class Three(Function):
    def forward(self, a, b):
        return a.clone()

    def backward(self, grad_output):
        return grad_output, grad_output, grad_output

class Needs(Function):
    def forward(self, a, b):
        return a.mul(b.sum())

    def backward(self, grad_output):
        return tuple([grad_output.mul(number + 2) if needs else None for number, needs in
                      enumerate(self.needs_input_grad)])

class Writes(Function):
    def forward(self, x):
        return x.mul(2)

    def backward(self, grad_output):
        return grad_output.mul_(2)

class Unfinished(Function):
    def forward(self, x):
        return x.clone()

class Bare(Function):
    def __init__(self):
        pass

    def forward(self, x):
        return x.clone()

    def backward(self, grad_output):
        return grad_output.clone()
"""


# --- the programs


class Writer:
    """Draws the lines of one program.

    Names: `v0`, `v1` … are Variables, `g0`, `g1` … Tensors, `f0`, `f1` … Functions. A name is assigned once, so all
    objects stay alive and no id is used again. Lines need not be valid: their errors are part of the outcome.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.elements = self.random.choice([1, 1, 4, 6, 6])
        self.constants = self.random.choice([0, 0, 0.3, 0.6])  # the fraction of leaves that require no gradient
        self.counts = dict.fromkeys("vgfr", 0)
        self.lines = []

    def program(self):
        for _ in range(self.random.randint(2, 4)):
            self.leaf()
        self.tensor()
        lines, weights = zip(*LINES.items())
        for line in self.random.choices(lines, weights, k=self.random.randint(2, 24)):
            getattr(self, line)()
        self.backward()
        return self.lines

    def new(self, kind, text):
        self.lines.append(f"{kind}{self.counts[kind]} = {text}")
        self.counts[kind] += 1

    def old(self, kind):
        """Return a name that was assigned before; of Variables, often one of the last three."""
        count = self.counts[kind]
        first = max(count - 3, 0) if kind == "v" and self.random.random() < 0.5 else 0
        return f"{kind}{self.random.randrange(first, count)}"

    def shape(self):
        count = self.elements if self.random.random() < 0.97 else 2
        shapes = {1: [(1,), (1, 1)], 2: [(2,)], 4: [(4,), (2, 2), (1, 4)], 6: [(6,), (2, 3), (3, 2), (1, 2, 3)]}
        return self.random.choice(shapes[count])

    def numbers(self):
        shape = self.shape()
        rows = [self.random.choice([0, 1, -2, round(self.random.uniform(-3, 3), 2)]) for _ in range(6)]
        for length in reversed(shape):
            rows = [rows[start : start + length] for start in range(0, len(rows), length)]
        return f"tensor({rows[0]})"

    def number(self):
        return self.random.choice([2, 3, -1, 0, 0.5, 2.5])

    def index(self):
        keys = ["0", "1", "-1", "5", "1:", "0:1", ":", "(0, 1)", "0, 0", "0, 1", "(0, 2), 0", "1:, 0:1", "((0, 1), 1)"]
        return self.random.choice(keys)

    # --- the kinds of lines

    def leaf(self):
        requires_grad = "" if self.random.random() >= self.constants else ", requires_grad=False"
        self.new("v", f"Variable({self.numbers()}{requires_grad})")

    def tensor(self):
        self.new("g", self.numbers())

    def arithmetic(self):
        self.new("v", f"{self.old('v')} {self.random.choice(['+', '-', '*', '/', '**', '+', '*'])} {self.old('v')}")

    def two_operations(self):
        a, b = (self.random.choice("+-*") for _ in range(2))
        self.new("v", f"{self.old('v')} {a} ({self.old('v')} {b} {self.old('v')})")

    def method(self):
        other = self.old("v") if self.random.random() < 0.5 else self.number()
        self.new("v", f"{self.old('v')}.{self.random.choice(['add', 'sub', 'mul', 'div', 'pow'])}({other})")

    def constant(self):
        self.new("v", self.random.choice(WITH_CONSTANT).format(v=self.old("v"), c=self.number()))

    def tensor_as_constant(self):
        name = self.random.choice(["Add", "Sub", "Mul", "Div", "Pow"])
        reverse = ", True" if name in ("Sub", "Div") and self.random.random() < 0.3 else ""
        self.new("v", f"functions.{name}Constant({self.old('g')}{reverse})({self.old('v')})[0]")

    def pointwise(self):
        self.new("v", f"functions.{self.random.choice(['Exp', 'Log', 'Log1p', 'Negate'])}()({self.old('v')})[0]")

    def view(self):
        sizes = (-1,) if self.random.random() < 0.2 else self.shape()
        self.new("v", f"{self.old('v')}.view({', '.join(map(str, sizes))})")

    def transpose(self):
        a, b = self.random.choices([0, 0, 1, 1, 2], k=2)
        self.new("v", f"{self.old('v')}.{self.random.choice(['t()', f'transpose({a}, {b})'])}")

    def indexed(self):
        self.new("v", f"{self.old('v')}[{self.index()}]")

    def index_function(self):
        index = self.random.choice(["0", "0, 0", "0, 1", "1, (0, 2)", "slice(0, 1)", "-1", "5, 5"])
        self.new("v", f"functions.Index({index})({self.old('v')})[0]")

    def converted(self):
        dtype = self.random.choice(["Float", "Double", "Double"])
        name = self.random.choice([f"torch.{dtype}Tensor", f"'torch.{dtype}Tensor'"])
        form = self.random.choice(["{v}.type({name})", "functions.Copy({name})({v})[0]"])
        self.new("v", form.format(v=self.old("v"), name=name))

    def same_tensor(self):
        self.new("v", f"Variable({self.old('v')}.data)")

    def copied(self):
        self.new("v", f"copy.deepcopy({self.old('v')})")

    def function(self):
        name = self.random.choice(["Add", "Sub", "Mul", "MulConstant", "Pair", "Second", "Three", "Needs", "Writes"])
        name = self.random.choice([name] * 9 + ["Unfinished", "Bare"])
        owner = "functions." if name in ("Add", "Sub", "Mul", "MulConstant") else ""
        self.new("f", f"{owner}{name}({2 if name == 'MulConstant' else ''})")
        count = 1 if name in ("MulConstant", "Pair", "Writes", "Unfinished", "Bare") else 2
        for _ in range(self.random.choice([1, 1, 1, 2])):
            inputs = ", ".join([self.old("v") for _ in range(count)])
            function = f"f{self.counts['f'] - 1}"
            if name == "Pair":
                self.lines.append(f"v{self.counts['v']}, v{self.counts['v'] + 1} = {function}({inputs})")
                self.counts["v"] += 2
            else:
                self.new("v", f"{function}({inputs})[0]")

    def constructed(self):
        call = self.random.choice(["Transpose(0)", "Transpose(0, 1)", "View(-1)", "Sub()", "SubConstant(2)"])
        inputs = self.random.choice([self.old("v"), f"{self.old('v')}, {self.old('v')}", self.old("g")])
        self.new("r", f"functions.{call}({inputs})")

    def hook(self):
        owner = self.old("v") + self.random.choice(["", "", ".creator"])
        name = self.random.choice("abc")
        doubling = "lambda grad_input, grad_output: grad_output.mul_(2)"
        call = self.random.choice(
            [f"register_hook({name!r}, hook('{owner}, line {len(self.lines) + 1}'))"] * 4
            + [f"register_hook({name!r}, {doubling})", f"remove_hook({name!r})"]
        )
        self.lines.append(f"{owner}.{call}")

    def backward(self):
        gradient = self.random.choice(["", self.old("g"), self.old("g"), self.numbers()])
        root = f"v{self.counts['v'] - 1}" if self.random.random() < 0.5 else self.old("v")
        line = f"{root}.backward({gradient})"
        self.lines += [line] * self.random.choice([1, 1, 1, 2])

    def gradient(self):
        self.new("r", f"{self.old('v')}.grad")

    def write(self):
        names = {"v": self.old("v"), "w": self.old("v"), "g": self.old("g"), "t": self.numbers()}
        self.lines.append(self.random.choice(WRITES).format(**names))

    def by_hand(self):
        value = self.random.choice(["requires_grad = False", "requires_grad = True", ""])
        other = f"{self.old('v')}.creator"
        self.lines.append(f"{self.old('v')}.creator" + (f".{value}" if value else f" = {other}"))
        if self.random.random() < 0.5:
            self.new("v", f"Variable({self.numbers()}, creator={self.old('v')}.creator)")

    def other_protocols(self):
        self.new("r", self.random.choice(PROTOCOLS).format(v=self.old("v"), w=self.old("v")))


WITH_CONSTANT = (
    "{v} + {c}", "{c} + {v}", "{v} - {c}", "{c} - {v}", "{v} * {c}", "{v} / {c}", "{c} / {v}", "{v} ** {c}", "-{v}",
    "{c} ** {v}",
)  # fmt: skip
WRITES = (
    "{v}.data.mul_(2)", "{v}.data = {t}", "{g}.fill_(1)", "{v}.grad.zero_()", "{v}.contiguous_()", "{v} += {w}",
    "{v}.data.fill_(2)", "{g}.resize_(2)",
)  # fmt: skip
PROTOCOLS = (
    "bool({v})", "len({v})", "abs({v})", "float({v})", "int({v})", "{v} == {w}", "{v} != {w}", "{v} < {w}", "{v} % 2",
    "{v} @ {w}", "~{v}", "{v} & {w}", "{v} | {w}", "{v} ^ {w}", "list({v})", "{v}.size()", "{v}.size(0)",
    "{v}.stride()", "{v}.nElement()", "{v}.numel()", "{v}.dim()", "{v}.sum()", "{v}.detach()", "{v}.grad_fn",
    "repr({v})", "{v} in [{w}]", "5 in {v}", "operator.setitem({v}, 0, 1)",
)  # fmt: skip

# Each kind of line, with how often it is drawn.
LINES = {
    "leaf": 1, "tensor": 1, "arithmetic": 10, "two_operations": 6, "method": 4, "constant": 6, "tensor_as_constant": 1,
    "pointwise": 3, "view": 4, "transpose": 4, "indexed": 3, "index_function": 1, "converted": 1.5, "same_tensor": 1,
    "copied": 0.5, "function": 3, "constructed": 0.3, "hook": 4, "backward": 5, "gradient": 1, "write": 2,
    "by_hand": 0.5, "other_protocols": 0.7,
}  # fmt: skip


# --- one program's outcome


def outcome(lines, autograd):
    """Run the lines over the classes of an autograd, and return everything that they left, as {what: value}."""
    from legacy_autograd.tensor import DoubleTensor, Tensor
    from legacy_autograd.tensor.numpy_memory import byte_bounds

    calls, kept = [], []

    def hook(name):
        return lambda grad_input, grad_output: calls.append([name, recorded(grad_input), recorded(grad_output)])

    names = {**autograd, "hook": hook, "copy": copy, "operator": operator, "tensor": DoubleTensor}
    found = {}
    for number, line in enumerate(lines):
        try:
            exec(line, names)
        except Exception as error:
            found[f"line {number + 1} raises"] = _class_of(error)
        kept.append(dict(names))  # `v += w` gives up an object, whose id must not be used again
    found["calls of hooks"] = calls
    own = {name: value for name, value in names.items() if name[0] in "vgr" and name[1:].isdigit()}
    memories = {}
    for name, value in own.items():
        found[name] = recorded(value)
        if isinstance(value, names["Variable"]):
            memories[name] = value.data
            memories[f"{name}._grad"] = value._grad
            try:
                found[f"{name}.grad"] = recorded(value.grad)
            except Exception as error:
                found[f"{name}.grad"] = _class_of(error)
        else:
            memories[name] = value
    bounds = {name: byte_bounds(t.array) for name, t in memories.items() if isinstance(t, Tensor)}
    pairs = itertools.combinations(bounds.items(), 2)
    found["in one memory"] = [f"{a}, {b}" for (a, x), (b, y) in pairs if max(x[0], y[0]) < min(x[1], y[1])]
    return found


def recorded(value):
    """Return a value as lists, numbers and text, without the names of an autograd's classes and without ids."""
    if isinstance(value, (tuple, list)):
        return [recorded(item) for item in value]
    if hasattr(value, "tolist"):
        return [value.type(), list(value.size()), str(value.tolist())]
    if hasattr(value, "creator"):
        return ["Variable", recorded(value.data), value.creator.requires_grad]
    return repr(value)


def _class_of(error):
    """Return the name of the class of an exception, for one that a Tensor raised that of v0.1.1's C code."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    if trace.tb_frame.f_globals.get("__name__", "").startswith("legacy_autograd.tensor"):
        return "ValueError" if isinstance(error, TypeError) else "RuntimeError"
    return type(error).__name__


# --- the two autograds


def classes_of_v0_1_1(folder):
    """Import v0.1.1's modules from `folder` under a name of their own, and return the names that a program gets."""
    import legacy_autograd
    from legacy_autograd.tensor import Tensor

    make_strict(Tensor)
    shim = types.ModuleType("torch")
    shim.pow = lambda number, tensor: number**tensor
    module_before = sys.modules.get("torch")
    sys.modules["torch"] = shim
    try:
        name = "autograd_of_v0_1_1"
        places = [str(folder)]
        spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=places)
        package = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(package)
        functions = importlib.import_module(f"{name}.functions")
    finally:
        del sys.modules["torch"]
        if module_before is not None:
            sys.modules["torch"] = module_before
    own = {"Variable": package.Variable, "Function": package.Function, "functions": functions}
    return {**own, "torch": legacy_autograd}


def make_strict(tensor_class):
    """Let Tensors refuse what v0.1.1's refused, with its RuntimeError: operands of unequal counts, and empty parts."""

    def strict(method):
        def run(tensor, other):
            if isinstance(other, tensor_class) and other.numel() != tensor.numel():
                raise RuntimeError("inconsistent tensor size")
            return method(tensor, other)

        return run

    def get_item(tensor, key, get=tensor_class.__getitem__):
        try:
            part = get(tensor, key)
        except IndexError as error:  # which would end Python's loops
            raise RuntimeError(str(error)) from None
        if isinstance(part, tensor_class) and not part.numel():
            raise RuntimeError("out of range")
        return part

    for name in ("add", "sub", "mul", "div", "pow", "add_", "sub_", "mul_", "div_", "copy_"):
        setattr(tensor_class, name, strict(getattr(tensor_class, name)))
    tensor_class.__getitem__ = get_item


def classes_of_historical():
    import legacy_autograd
    from legacy_autograd.historical import V0_1_1

    own = {"Variable": V0_1_1.Variable, "Function": V0_1_1.Function, "functions": V0_1_1.functions}
    return {**own, "torch": legacy_autograd}


def print_outcomes(folder, name, seeds):
    """Print the outcome of each seed's program as a line of JSON. This runs in a process of its own."""
    autograd = classes_of_v0_1_1(folder) if name == "v0.1.1" else classes_of_historical()
    exec(FUNCTIONS, autograd)
    for seed in seeds:
        print(json.dumps(outcome(Writer(seed).program(), autograd)))


def outcomes(folder, name, conventions, seeds):
    """Return the outcomes of all seeds' programs on one autograd under the given conventions."""
    first, count = str(seeds.start), str(len(seeds))
    command = [sys.executable, __file__, str(folder), "--seed", first, "--programs", count, "--only", name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LEGACY_AUTOGRAD_ERA": conventions}
    if conventions == "import":
        del environment["LEGACY_AUTOGRAD_ERA"]
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0, help="the first program's seed (default: 0)")
    parser.add_argument("--programs", type=int, default=PROGRAMS, help=f"default: {PROGRAMS}")
    parser.add_argument("--only", choices=["v0.1.1", "historical"], help="print the outcomes of one autograd as JSON")
    options = parser.parse_args(arguments)
    if not (options.folder / "engine.py").is_file():
        parser.error(f"no engine.py in {options.folder}: FOLDER is torch/autograd of v0.1.1")
    seeds = range(options.seed, options.seed + options.programs)
    if options.only:
        print_outcomes(options.folder, options.only, seeds)
        return 0
    print(f"the programs of the seeds {seeds.start} to {seeds.stop - 1}", flush=True)
    expected, *others = [outcomes(options.folder, *run, seeds) for run in RUNS]
    different = set()
    for (_, conventions), found in zip(RUNS[1:], others):
        for seed, one, other in zip(seeds, expected, found, strict=True):
            if one != other:
                different.add(seed)
                print_difference(seed, conventions, one, other)
    print(f"{len(different)} of {len(seeds)} programs differ; {_backwards(seeds, expected)}")
    return 1 if different else 0


def _backwards(seeds, expected):
    """Return how many backward passes v0.1.1 ran to their ends, as text."""
    ended = count = 0
    for seed, found in zip(seeds, expected):
        for number, line in enumerate(Writer(seed).program(), start=1):
            if ".backward(" in line:
                count += 1
                ended += f"line {number} raises" not in found
    return f"{ended} of {count} backward passes of v0.1.1 raised nothing"


def print_difference(seed, conventions, one, other):
    print(f"\nseed {seed}, historical under the conventions of {conventions}:")
    for number, line in enumerate(Writer(seed).program(), start=1):
        print(f"  {number:2}  {line}")
    for what in one | other:
        if one.get(what) != other.get(what):
            print(f"  {what}: v0.1.1 {one.get(what, 'does not')}, historical {other.get(what, 'does not')}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
