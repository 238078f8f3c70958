"""No public attribute depends on earlier imports or uses: each is available as the first access in a new process."""

import json
import pathlib
import random
import subprocess
import sys

import pytest

import legacy_autograd

ROOT = pathlib.Path(legacy_autograd.__file__).resolve().parents[1]

# Both programs look at the same owners of attributes. `outcome` is what reading one of them does.
OWNERS = """
import importlib, json, sys
import legacy_autograd as torch

def owners():
    x = torch.autograd.Variable(torch.DoubleTensor([1, 2]))
    result = x * x
    layer = torch.nn.Linear(2, 1)
    modules = [
        "", "autograd", "autograd.anomaly_mode", "autograd.engine", "autograd.function", "autograd.functional",
        "autograd.functions", "autograd.grad_mode", "autograd.graph", "autograd.leaf", "autograd.profiler",
        "autograd.variable", "backends", "backends.cudnn", "cuda", "multiprocessing", "nn", "nn.functional", "nn.init",
        "nn.modules", "nn.modules.linear", "nn.parallel", "nn.utils", "optim", "optim.lr_scheduler", "serialization",
        "utils", "utils.checkpoint", "utils.data", "utils.data.sampler",
    ]
    found = {name: importlib.import_module(f"legacy_autograd.{name}".rstrip(".")) for name in modules}
    classes = [
        torch.autograd.Variable, torch.autograd.Function, torch.autograd.Leaf, torch.autograd.ExecutionEngine,
        torch.autograd.StochasticFunction, torch.Tensor, torch.FloatTensor, torch.nn.Module, torch.nn.Parameter,
        torch.nn.Sequential, torch.optim.Optimizer, torch.optim.SGD, torch.utils.data.DataLoader,
    ]
    found.update({f"class {owner.__name__}": owner for owner in classes})
    instances = {"leaf": x, "result": result, "creator of the leaf": x.creator, "creator of the result": result.creator,
                 "tensor": x.data, "layer": layer, "parameter": layer.weight, "optimizer": torch.optim.SGD([x], lr=0.1)}
    return {**found, **instances}

def outcome(owner, name):
    try:
        getattr(owner, name)
    except Exception as error:
        return type(error).__name__
    return "there"

def names(owner):
    # The parts of the package that a program imports by itself are attributes from then on, as in any package.
    own = [name for name in dir(owner) if not name.startswith("__") and name not in sys.argv[1].split()]
    return sorted(own)
"""

# What a program sees after everything was imported, and everything later than v0.1.1 was used.
LOADED = (
    OWNERS
    + """
import numpy
from benchmarks.later import USE_ALL
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor.base import wrap
for name in "drawing historical compat.runner utils.data.workers distributed.timeline demos".split():
    importlib.import_module(f"legacy_autograd.{name}")
exec(USE_ALL)
print(json.dumps({key: {name: outcome(owner, name) for name in names(owner)} for key, owner in owners().items()}))
"""
)

FRESH = (
    OWNERS
    + """
import random
expected, order = json.load(sys.stdin), random.Random(int(sys.argv[2]))
found = owners()
places = [(key, name) for key in expected for name in expected[key]]
order.shuffle(places)
for key, owner in found.items():
    assert names(owner) == sorted(expected[key]), (key, set(names(owner)) ^ set(expected[key]))
for key, name in places:
    seen = outcome(found[key], name)
    assert seen == expected[key][name], f"{key}: {name}: {seen}, and {expected[key][name]} once all is loaded"
"""
)
IMPORTED_BY_PROGRAMS = "comparison compat distributed drawing exercises historical workers"


def run(program, *arguments, text=None):
    result = subprocess.run(
        [sys.executable, "-c", program, IMPORTED_BY_PROGRAMS, *arguments],
        input=text, capture_output=True, encoding="utf-8", timeout=120, cwd=ROOT,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_every_public_attribute_is_there_whatever_came_first():
    expected = run(LOADED)
    count = sum(len(names) for names in json.loads(expected).values())
    assert count > 3000
    for _ in range(3):
        seed = random.randrange(2**32)
        print(f"seed {seed}")
        run(FRESH, str(seed), text=expected)


def test_the_import_loads_what_torch_has_and_nothing_heavy():
    program = f"import sys, {legacy_autograd.__name__}; print(*sys.modules)"
    loaded = set(run(program).split())
    parts = {name.split(".")[1] for name in loaded if name.startswith("legacy_autograd.")}
    assert loaded >= {"legacy_autograd.autograd.later", "legacy_autograd.utils.data"}
    assert parts >= set("autograd nn optim utils cuda backends multiprocessing serialization".split())
    assert not parts & set(IMPORTED_BY_PROGRAMS.split())
    assert not loaded & {"matplotlib", "safetensors", "torch", "tracemalloc", "graphviz", "mpi4py", "sklearn", "tqdm"}


@pytest.mark.parametrize(
    "statement",
    [
        "import legacy_autograd.autograd.graph as found; expected = torch.autograd.graph",
        "import legacy_autograd.autograd.functional as found; expected = torch.autograd.functional",
        "from legacy_autograd.autograd import profiler as found; expected = torch.autograd.profiler",
        "from legacy_autograd.autograd.function import once_differentiable as found\n"
        "expected = torch.autograd.function.once_differentiable",
        "from legacy_autograd.autograd.variable import Variable as found; expected = torch.autograd.Variable",
        "from legacy_autograd.nn.modules.linear import Linear as found; expected = torch.nn.Linear",
        "from legacy_autograd.nn.modules import Module as found; expected = torch.nn.Module",
        "import legacy_autograd.utils.checkpoint as found; expected = torch.utils.checkpoint",
        "from legacy_autograd.utils.data.sampler import Sampler as found; expected = torch.utils.data.sampler.Sampler",
    ],
)
def test_a_name_imported_another_way_is_the_same_object(statement):
    names = {"torch": legacy_autograd}
    exec(statement, names)
    assert names["found"] is names["expected"]


def test_names_that_do_not_exist():
    x = legacy_autograd.autograd.Variable(legacy_autograd.DoubleTensor([1.0]))
    owners = (
        (legacy_autograd, "vmap"),
        (legacy_autograd.autograd, "forward_ad"),
        (legacy_autograd.nn.parallel, "broadcast"),
        (legacy_autograd.utils, "fancy"),
        *[(x, name) for name in ("nothing", "nothing_", "_private", "__array_interface__")],
    )
    for owner, name in owners:
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(owner, name)


# What Python for WebAssembly lacks, or has without a use.
WITHOUT_PROCESSES = """
import sys
import numpy
sys.modules.update(dict.fromkeys(["multiprocessing", "mmap", "ctypes", "_multiprocessing"]))
import legacy_autograd as torch
from legacy_autograd import drawing, exercises, historical, nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.exercises import grader
from legacy_autograd.exercises.sandbox import student_code, worker

for number in exercises.numbers():
    exercises.load(number)
x = Variable(torch.DoubleTensor([4]), requires_grad=True)
y = Variable(torch.DoubleTensor([3]), requires_grad=True)
print(drawing.trace_backward(x * y + (x + y)))
print(x.grad.tolist(), y.grad.tolist(), x.data.is_shared())
"""


def test_the_package_loads_without_processes():
    done = subprocess.run([sys.executable, "-c", WITHOUT_PROCESSES], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.endswith("[4.0] [5.0] False\n"), done.stderr
