"""`python -m legacy_autograd run`: programs from 2016-17 run unchanged, and messages name missing features."""

import subprocess
import sys

import pytest

from legacy_autograd.compat import import_aliases


def test_torch_is_this_package_under_every_name_that_it_is_imported_by(program):
    result = program(
        """
import pickle, sys
import torch
import torch.cuda
import torch.autograd as autograd
import torch.backends.cudnn as cudnn
from torch.autograd import Variable
from torch.autograd.function import Function
from torch.autograd.variable import Variable as SameVariable
import legacy_autograd
import legacy_autograd.autograd

assert torch is legacy_autograd, torch
assert autograd is legacy_autograd.autograd is torch.autograd
assert Variable is legacy_autograd.autograd.Variable is SameVariable
assert Function is torch.autograd.Function and Function.__module__ == "legacy_autograd.autograd.function"
assert sys.modules["torch.cuda"] is sys.modules["legacy_autograd.cuda"]
assert torch.cuda.__spec__.name == torch.cuda.__name__ == "legacy_autograd.cuda"
assert torch.cuda.__path__ == []
assert pickle.loads(pickle.dumps(Variable)) is Variable
assert pickle.loads(b"ctorch.autograd\\nVariable\\n.") is Variable
cudnn.benchmark = True
assert not any(name.startswith("torch._C") for name in sys.modules), "modern torch was loaded"
print("all one")
"""
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "all one\n", "")


def test_the_program_is_main_and_sees_its_own_arguments_and_folder(program, program_folder):
    (program_folder / "neighbour.py").write_text("name = __name__\n")
    result = program(
        """
import os, pickle, sys
import neighbour

class Net:
    pass

assert __name__ == "__main__" and sys.modules["__main__"].Net is Net
assert type(pickle.loads(pickle.dumps(Net()))) is Net
assert neighbour.name == "neighbour"
assert os.path.samefile(sys.path[0], os.path.dirname(__file__))
print(sys.argv[1:])
sys.exit(7)
""",
        "--epochs",
        "3",
        "--",
        "--era",
    )
    assert result.stdout == "['--epochs', '3', '--', '--era']\n"
    assert (result.returncode, result.stderr) == (7, "")


@pytest.mark.parametrize(
    "options, expected",
    [
        ((), "0.1.12 False torch.FloatTensor"),
        (("--era", "0.1.12"), "0.1.12 False torch.FloatTensor"),
        (("--era", "0.1.1"), "0.1.1 True torch.DoubleTensor"),
    ],
)
def test_the_era_decides_the_conventions(program, options, expected):
    result = program(
        """
import torch
from torch.autograd import Variable
from legacy_autograd import conventions
x = Variable(torch.zeros(2))
print(conventions.era.version, x.requires_grad, x.data.type())
""",
        options=options,
    )
    assert (result.stdout.strip(), result.stderr) == (expected, "")


def test_an_unknown_era_is_refused_with_the_known_ones(program):
    result = program("", options=("--era", "0.2"))
    assert result.returncode == 2
    assert "0.1.1" in result.stderr and "0.1.12" in result.stderr


@pytest.mark.parametrize(
    "line, message",
    [
        ("import torch.fancy", "ModuleNotFoundError: torch.fancy does not exist in legacy_autograd"),
        ("import torch.fancy.deep", "ModuleNotFoundError: torch.fancy does not exist in legacy_autograd"),
        ("import torch; torch.fancy", "AttributeError: torch.fancy does not exist in legacy_autograd"),
        ("import torch.cuda; torch.cuda.graphs", "AttributeError: torch.cuda.graphs does not exist in legacy_autograd"),
        ("from torch import fancy", "ImportError: cannot import name 'fancy' from 'legacy_autograd'"),
        ("import torchtext.data", "ModuleNotFoundError: torchtext is not part of legacy_autograd"),
        ("import torchvision.ops", "ModuleNotFoundError: torchvision.ops does not exist in legacy_autograd"),
        (
            "import torchvision.models; torchvision.models.vit",
            "AttributeError: torchvision.models.vit does not exist in legacy_autograd",
        ),
        ("import torch.cuda; torch.cuda.FloatTensor(2)", "RuntimeError: torch.cuda.FloatTensor(...) needs a CUDA"),
    ],
)
def test_what_does_not_exist_is_named_where_the_program_asks_for_it(program, line, message):
    result = program(f"def main():\n    {line}\nmain()\n")
    assert result.returncode == 1
    assert message in result.stderr
    # The program's own two frames and nothing of the runner or of the import machinery.
    assert "line 3, in <module>" in result.stderr and "line 2, in main" in result.stderr
    assert "runner.py" not in result.stderr and "aliases.py" not in result.stderr and "frozen" not in result.stderr


def test_what_does_not_exist_can_be_asked_for_politely(program):
    result = program(
        """
import torch
assert not hasattr(torch, "fancy") and getattr(torch, "fancy", 5) == 5
try:
    import torch.fancy
except ImportError as error:
    assert error.name == "torch.fancy"
    print("went on")
"""
    )
    assert (result.stdout, result.stderr) == ("went on\n", "")


def test_a_program_that_wants_cuda_in_any_case_can_run_in_main_memory(program):
    source = """
import torch
from torch import nn
from torch.autograd import Variable
model = nn.DataParallel(nn.Linear(2, 1).cuda(), device_ids=[0, 1])
x = torch.cuda.FloatTensor([[1, 2], [3, 4]])
v, t = Variable(x).cuda(0), torch.ones(2).cuda()
assert type(v) is Variable and v.data is x and isinstance(x, torch.FloatTensor) and x.size() == (2, 2)
with torch.cuda.device(torch.cuda.current_device()):
    (model(v).sum() * 3).backward()
torch.cuda.synchronize()
assert torch.cuda.is_available() and torch.cuda.device_count() == 1
dtype = torch.cuda.LongTensor
assert t.type(dtype).type() == v.type("torch.cuda.LongTensor").data.type() == "torch.LongTensor"
torch.set_default_tensor_type("torch.cuda.DoubleTensor")
print(model.module.weight.grad.data.tolist(), nn.Linear(1, 1).type(torch.Tensor).weight.data.type())
"""
    result = program(source, options=("--ignore-cuda",))
    assert result.stdout == "[[12.0, 18.0]] torch.DoubleTensor\n"  # 3 (1 + 3), 3 (2 + 4)
    (warning,) = [line for line in result.stderr.splitlines() if "Warning" in line]
    assert "Module.cuda(): there is no CUDA device; the program continues in main memory" in warning
    assert "--ignore-cuda" in program(source).stderr


def test_the_first_programs_for_cuda_gave_classes_as_floats(program):
    """As the MNIST example of August 2016: a module that cuda() makes one of floats, and a batch filled in place."""
    source = """
import torch
import torch.nn as nn
import torch.nn.cuda
from torch.autograd import Variable
model = nn.Linear(2, 3).cuda()
data = Variable(torch.cuda.FloatTensor(4, 2), requires_grad=False)
targets = Variable(torch.cuda.FloatTensor(4), requires_grad=False)
data.data[:] = torch.FloatTensor([[1, 2], [3, 4], [5, 6], [7, 8]])
targets.data[:] = torch.LongTensor([0, 1, 2, 1])
output = nn.LogSoftmax()(model(data))
loss = nn.ClassNLLCriterion()(output, targets)
loss.backward()
picked = [output.data[row, row_class] for row, row_class in enumerate((0, 1, 2, 1))]
assert abs(loss.data[0] + sum(picked) / 4) < 1e-6
print(type(model.weight.grad).__name__, model.weight.grad.type())
"""
    result = program(source, options=("--era", "0.1.1", "--ignore-cuda"))
    assert result.stdout == "FloatTensor torch.FloatTensor\n", result.stderr


def test_importing_the_layers_for_cuda_fails_as_it_did_without_a_card(program):
    result = program("try:\n    import torch.nn.cuda\nexcept ImportError as error:\n    print(error)")
    assert result.stdout.startswith("torch.nn.cuda needs a CUDA device"), result.stderr


def test_cuda_is_not_available_and_says_so(program):
    result = program(
        """
import torch
assert torch.cuda.is_available() is False and torch.cuda.device_count() == 0
torch.cuda.set_device(-1)
with torch.cuda.device(-1), torch.cuda.device_of(torch.zeros(1)):
    pass
torch.cuda.manual_seed(1)
assert not isinstance(torch.zeros(2), torch.cuda.FloatTensor)
by_type = lambda: torch.zeros(2).type(torch.cuda.FloatTensor)
for operation in (torch.zeros(2).cuda, torch.autograd.Variable(torch.zeros(2)).cuda, by_type):
    try:
        operation()
    except RuntimeError as error:
        assert "CUDA" in str(error) and "main memory" in str(error), error
    else:
        raise SystemExit("no error")
"""
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_an_uncaught_exception_shows_as_under_plain_python(program, program_folder):
    result = program(
        """
def inner():
    return 1 / 0

try:
    inner()
except ZeroDivisionError as error:
    raise ValueError("outer") from error
"""
    )
    plain = subprocess.run([sys.executable, program_folder / "program.py"], capture_output=True, encoding="utf-8")
    assert (result.returncode, result.stderr) == (plain.returncode, plain.stderr) and plain.returncode == 1


@pytest.mark.parametrize("line", ["print(kind, repr(sys.last_value))", "0 / 0"])
def test_a_hook_for_uncaught_exceptions_is_called_as_python_calls_it(program, program_folder, line):
    source = f"import sys\ndef hook(kind, value, trace):\n    {line}\nsys.excepthook = hook\nraise AssertionError\n"
    result = program(source)
    plain = subprocess.run([sys.executable, program_folder / "program.py"], capture_output=True, encoding="utf-8")
    assert plain.returncode == 1
    assert (result.returncode, result.stdout, result.stderr) == (1, plain.stdout, plain.stderr)


@pytest.mark.parametrize(
    "source, place, named",
    [
        ("x = 1\nprint x\n", "line 2", "print"),
        ("try:\n    pass\nexcept ValueError, e:\n    pass\n", "line 3", "except ValueError, e:"),
        ("import neighbour\n", "neighbour.py, line 1", "exec"),
    ],
)
def test_python_2_gets_a_sentence(program, program_folder, source, place, named):
    (program_folder / "neighbour.py").write_text("exec 'x = 1'\n")
    result = program(source)
    assert result.returncode == 1
    assert place in result.stderr and named in result.stderr and "Python 2" in result.stderr
    assert "Traceback" not in result.stderr and result.stderr.count("\n") == 1


def test_aliases_that_numpy_has_dropped_are_there(program):
    result = program(
        """
import numpy as np
import torch

print(np.zeros(2, np.float).dtype, np.ones(2, dtype=np.int).dtype, np.array([2]).astype(np.float_).dtype)
print(np.NaN, np.Inf)
"""
    )
    assert (result.stdout, result.stderr) == ("float64 int64 float64\nnan inf\n", "")


def test_names_that_pillow_has_dropped_are_there_once_torchvision_is(program):
    pytest.importorskip("PIL")
    result = program(
        """
from PIL import Image
import torchvision.transforms as T

picture = T.ToPILImage()(T.ToTensor()(Image.new("RGB", (8, 6))))
print(T.Scale(3, interpolation=Image.CUBIC)(picture).size, picture.resize((2, 2), Image.ANTIALIAS).size)
"""
    )
    assert (result.stdout, result.stderr) == ("(4, 3) (2, 2)\n", "")


@pytest.mark.parametrize("path, reason", [("absent.py", "No such file"), (".", "directory")])
def test_a_script_that_cannot_be_read_gets_a_sentence(command, path, reason):
    result = command("run", path)
    assert result.returncode == 2
    assert path in result.stderr and reason in result.stderr and "Traceback" not in result.stderr


def test_processes_that_the_program_starts_see_the_same_torch_and_era(program):
    result = program(
        """
import multiprocessing, os, subprocess, sys
import torch

class Batch:
    pass

def work(batch):
    import legacy_autograd, legacy_autograd.conventions
    assert type(batch) is Batch
    return torch is legacy_autograd, legacy_autograd.conventions.era.version

if __name__ == "__main__":
    for method in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.apply(work, (Batch(),)) == (True, "0.1.12"), method
    started = "import torch, torch.cuda, legacy_autograd; print(torch is legacy_autograd, torch.cuda.__name__)"
    print(subprocess.check_output([sys.executable, "-c", started], cwd=os.sep, text=True), end="")
"""
    )
    assert (result.stdout, result.stderr) == ("True legacy_autograd.cuda\n", "")


def test_importing_the_package_leaves_torch_alone():
    started = (
        "import sys, legacy_autograd.compat.runner\n"
        "assert not {'torch', 'torchvision'} & {*sys.modules, *legacy_autograd.compat.import_aliases.FINDER.aliases}"
    )
    subprocess.run([sys.executable, "-c", started], check=True)


def test_an_alias_reaches_below_itself_and_through_another():
    finder = import_aliases.AliasFinder()
    finder.aliases = {"torch": "house", "house.utils.data": "house.data"}
    assert finder.canonical("torch") == "house"
    assert finder.canonical("torch.nn.init") == "house.nn.init"
    assert finder.canonical("torch.utils.data.sampler") == "house.data.sampler"
    assert finder.canonical("torchvision") == "torchvision"
    assert finder.canonical("house.nn") == "house.nn"
    assert finder.find_spec("numpy") is None


def test_torch_utils_is_there_without_running_a_program_too():
    import legacy_autograd.utils

    assert not hasattr(legacy_autograd.utils, "fancy")
    with pytest.raises(ModuleNotFoundError, match="legacy_autograd.utils.fancy"):
        import legacy_autograd.utils.fancy  # noqa: F401


# --- pickles

SAVES = """
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.linear = nn.Linear(2, 1)

class Words(object):
    def __init__(self):
        self.numbers = {"a": 0}

net = Net()
torch.save(net, "net.pt")
torch.save([Words(), net.linear.weight.data], "words.pt")
with open("two.pt", "wb") as f:
    torch.save(net, f)
    torch.save({"weight": net.linear.weight.data}, f)
"""
LOADS = """
with open("two.pt", "rb") as f:
    again, state = torch.load(f), torch.load(f)
loaded = [torch.load("net.pt").linear.weight.data, torch.load("words.pt")[1], again.linear.weight.data, state["weight"]]
assert all(found.equal(net.linear.weight.data) for found in loaded)
assert torch.load("words.pt")[0].numbers == {"a": 0}
print("loaded")
"""


def test_what_a_run_has_pickled_it_loads(program):
    result = program(SAVES + LOADS)
    assert (result.returncode, result.stdout, result.stderr) == (0, "loaded\n", "")


@pytest.mark.parametrize("change", ["another run", "a changed bit", "weights_only=True"])
def test_other_pickles_are_refused_and_the_way_is_named(program, change):
    if change == "another run":
        assert program(SAVES).returncode == 0
        source = "import torch\ntorch.load('net.pt')"
    elif change == "a changed bit":
        source = (
            SAVES
            + """
content = bytearray(open("net.pt", "rb").read())
content[-20] ^= 1
open("net.pt", "wb").write(content)
torch.load("net.pt")
"""
        )
    else:
        source = SAVES + "torch.load('net.pt', weights_only=True)"
    result = program(source)
    assert result.returncode == 1
    assert "'net.pt' is a file of torch that needs __main__.Net" in result.stderr.splitlines()[-1]
    assert "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1 (run --trust-pickles does)" in result.stderr.splitlines()[-1]


def test_pickles_of_another_run_are_loaded_when_they_are_trusted(program):
    assert program(SAVES).returncode == 0
    classes = SAVES[: SAVES.index("torch.save")]
    result = program(classes + "net = torch.load('net.pt')" + LOADS, options=("--trust-pickles",))
    assert (result.returncode, result.stdout, result.stderr) == (0, "loaded\n", "")
