"""Every row of the table of modern names: the modern spelling gives the hint, and what the hint says works.

Where both spellings have a value, modern torch gives the expected one.
"""

import inspect
import io
import math
import re

import numpy
import pytest
import torch as modern

import legacy_autograd
from legacy_autograd import modern_names, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import dtypes
from legacy_autograd.utils.data import DataLoader

# Of each name: its use in modern torch, and which piece of code in its hint has the same value (None: none of them).
CASES = {
    "torch.tensor": ("torch.tensor([1.0, 2.0])", 0),
    "torch.as_tensor": ("torch.as_tensor([1.0, 2.0])", 0),
    "torch.full": ("torch.full((2, 3), 7)", 0),
    "torch.full_like": ("torch.full_like(t, 7)", 0),
    "torch.empty": ("torch.empty(2, 3)", 0),
    "torch.empty_like": ("torch.empty_like(t)", 0),
    "torch.rand_like": ("torch.rand_like(t)", 0),
    "torch.randn_like": ("torch.randn_like(t)", 1),
    "torch.randint": ("torch.randint(0, 10, (2, 3))", 0),
    "Variable.new_zeros": ("x.new_zeros(2, 3)", 0),
    "Tensor.new_zeros": ("t.new_zeros(2, 3)", 0),
    "torch.relu": ("torch.relu(x)", 0),
    "Variable.relu": ("x.relu()", 0),
    "Tensor.relu": ("t.relu()", 1),
    "torch.softmax": ("torch.softmax(x, 1)", 0),
    "torch.log_softmax": ("torch.log_softmax(x, 1)", 1),
    "torch.flatten": ("torch.flatten(x, 1)", 1),
    "Variable.flatten": ("x.flatten()", 0),
    "Tensor.flatten": ("t.flatten()", 0),
    "torch.einsum": ("torch.einsum('ij,jk->ik', x, w)", 0),
    "torch.where": ("torch.where(x > 0, x, y)", 0),
    "torch.maximum": ("torch.maximum(x, y)", 0),
    "torch.minimum": ("torch.minimum(x, y)", 1),
    "torch.square": ("torch.square(x)", 0),
    "torch.vstack": ("torch.vstack([x, y])", 0),
    "torch.hstack": ("torch.hstack([x, y])", 1),
    "torch.isnan": ("torch.isnan(t)", 0),
    "torch.inf": ("torch.inf", 0),
    "torch.nan": ("torch.nan", 1),
    "generator=": ("DataLoader([1.0], generator=None)", None),
    "torch.get_default_dtype": ("torch.get_default_dtype()", None),
    "torch.set_default_dtype": ("torch.set_default_dtype(torch.float32)", None),
    "torch.float": ("torch.float", 0),
    "torch.float32": ("torch.float32", 0),
    "torch.double": ("torch.double", 0),
    "torch.float64": ("torch.float64", 0),
    "torch.half": ("torch.half", 0),
    "torch.float16": ("torch.float16", 0),
    "torch.bool": ("torch.bool", None),
    "torch.uint8": ("torch.uint8", 0),
    "torch.int": ("torch.int", 0),
    "torch.int32": ("torch.int32", 0),
    "torch.long": ("torch.long", 0),
    "torch.int64": ("torch.int64", 0),
    "dtype=": ("torch.zeros(2, 3, dtype=getattr(torch, 'float32', None))", 0),
    "Variable.dtype": ("x.dtype", 0),
    "Tensor.dtype": ("t.dtype", 0),
    "Variable.to": ("x.to(torch.float32)", 0),
    "Tensor.to": ("t.to(torch.float32)", 0),
    "Module.to": ("m.to('cpu')", None),
    "torch.device": ("torch.device('cpu')", None),
    "device=": ("torch.ones(2, 3, device='cpu')", None),
    "Variable.device": ("x.device", None),
    "Tensor.device": ("t.device", None),
    "torch.cuda.amp": ("torch.cuda.amp.autocast()", None),
    "torch.amp": ("torch.amp.autocast('cpu')", None),
    "torch.autocast": ("torch.autocast('cpu')", None),
    "torch.jit": ("torch.jit.script(m)", None),
    "torch.compile": ("torch.compile(m)", None),
    "requires_grad=": ("torch.randn(2, 3, requires_grad=True)", 0),
    "Tensor.requires_grad": ("t.requires_grad", None),
    "Tensor.requires_grad_": ("t.requires_grad_()", None),
    "Tensor.grad": ("t.grad", None),
    "Tensor.backward": ("torch.Tensor.backward(t)", None),
    "Tensor.detach": ("t.detach()", None),
    "Variable.numpy": ("x.detach().numpy()", 0),
    "Variable.tolist": ("x.tolist()", 0),
    "Variable.ndim": ("x.ndim", 0),
    "Tensor.ndim": ("t.ndim", 0),
    "Variable.T": ("x.T", 0),
    "Tensor.T": ("t.T", 0),
    "torch.nn.Flatten": ("nn.Flatten()(x)", 0),
    "torch.nn.Identity": ("nn.Identity()", 0),
    "torch.nn.GELU": ("nn.GELU(approximate='tanh')(x)", 0),
    "torch.nn.functional.gelu": ("F.gelu(x, approximate='tanh')", 0),
    "torch.nn.SiLU": ("nn.SiLU()(x)", 0),
    "torch.nn.functional.silu": ("F.silu(x)", 0),
    "torch.nn.LayerNorm": ("nn.LayerNorm(3, dtype=x.dtype)(x)", 0),
    "torch.nn.functional.layer_norm": ("F.layer_norm(x, (3,))", 0),
    "torch.nn.HuberLoss": ("nn.HuberLoss()(x, y)", 0),
    "torch.nn.functional.huber_loss": ("F.huber_loss(x, y)", 0),
    "torch.nn.functional.interpolate": ("F.interpolate(images, scale_factor=2)", 0),
    "torch.nn.functional.one_hot": ("F.one_hot(labels, 4)", 0),
    "torch.nn.ModuleDict": ("nn.ModuleDict()", None),
    "Module.requires_grad_": ("m.requires_grad_(False)", None),
    "torch.nn.init.trunc_normal_": ("nn.init.trunc_normal_(m.weight, std=0.02)", 0),
    "torch.optim.NAdam": ("optim.NAdam(m.parameters())", None),
    "torch.optim.RAdam": ("optim.RAdam(m.parameters())", None),
    "torch.optim.lr_scheduler.CosineAnnealingLR": ("optim.lr_scheduler.CosineAnnealingLR(o, 10)", None),
    "persistent_workers=": ("DataLoader([1.0], persistent_workers=True)", None),
    "prefetch_factor=": ("DataLoader([1.0], prefetch_factor=2)", None),
    "_use_new_zipfile_serialization=": ("torch.save(t, file, _use_new_zipfile_serialization=False)", None),
}
DRAWN = "empty empty_like rand_like randn_like randint requires_grad= trunc_normal_".split()  # only the size is known
ATTRIBUTES = [name for name in CASES if not name.endswith("=") and name != "torch.tensor"]


def world(torch, variable):
    """What the expressions of CASES and the code of the hints name, in one of the two packages."""
    tensors = {
        "x": [[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]],
        "y": [[0.5, 1.0, 2.0], [-1.0, 0.0, 1.0]],
        "w": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
        "b": numpy.linspace(-1, 1, 8).reshape(2, 2, 2),
        "images": numpy.linspace(-1, 1, 16).reshape(1, 1, 4, 4),
    }
    found = {name: variable(torch.from_numpy(numpy.array(values))) for name, values in tensors.items()}
    return {
        **found, "t": torch.from_numpy(numpy.array(tensors["x"])), "labels": torch.from_numpy(numpy.array([3, 1])),
        "m": torch.nn.Linear(3, 2), "file": io.BytesIO(), "math": math, "torch": torch, "nn": torch.nn,
        "F": torch.nn.functional, "optim": torch.optim, "Variable": variable, "DataLoader": DataLoader,
    }  # fmt: skip


def legacy():
    found = world(legacy_autograd, Variable)
    return {**found, "o": legacy_autograd.optim.SGD(found["m"].parameters(), lr=0.1)}


def code_in(name):
    return re.findall("`([^`]*)`", modern_names.HINTS[name])


def value(result, x):
    """A result of either package as a numpy array, and a type as v0.1.x's name for it."""
    if isinstance(result, modern.dtype):
        return modern.empty(0, dtype=result).type()
    if isinstance(result, type):
        return legacy_autograd.typename(result)
    if isinstance(result, (nn.Module, modern.nn.Module)):
        result = result(x)
    if isinstance(result, (modern.Tensor, Variable)):
        result = result.data.numpy()
    return numpy.squeeze(result.numpy() if legacy_autograd.is_tensor(result) else result)


@pytest.fixture(autouse=True)
def _default_type(monkeypatch):
    monkeypatch.setattr(dtypes, "_default", None)


def test_every_row_has_a_case():
    assert CASES.keys() == modern_names.HINTS.keys()


@pytest.mark.parametrize("name", CASES)
def test_the_modern_spelling_gives_the_hint(name):
    expression = CASES[name][0]
    with pytest.raises(TypeError if name.endswith("=") or name == "torch.tensor" else AttributeError) as caught:
        eval(expression, legacy())
    assert str(caught.value).endswith(f"; instead: {modern_names.HINTS[name]}")
    attribute = name.rpartition(".")[2].rstrip("=")
    assert name == "torch.tensor" or f"{attribute!r};" in str(caught.value)
    # Python would end the traceback with a guess, "Did you mean", from the names of `obj`.
    assert getattr(caught.value, "obj", None) is None


@pytest.mark.parametrize("name", CASES)
def test_what_the_hint_says_works(name):
    modern_expression, index = CASES[name]
    known = legacy()
    results = [eval(code, known) for code in code_in(name)]
    if index is not None:
        theirs = world(modern, lambda tensor: tensor.requires_grad_())
        expected, found = value(eval(modern_expression, theirs), theirs["x"]), value(results[index], known["x"])
        if name.rpartition(".")[2] in DRAWN:
            assert found.shape == expected.shape
        elif isinstance(expected, str):
            assert found == expected
        else:
            numpy.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
            assert name[-2:] != "to" or found.dtype == expected.dtype
    if name.endswith("=") and not results:
        assert "leave it out" in modern_names.HINTS[name]
        eval(re.sub(r", \w+=[^,)]*", "", modern_expression), known)


def test_results_of_hints_that_have_no_modern_value():
    known = legacy()
    for code in code_in("Module.requires_grad_") + code_in("torch.nn.ModuleDict")[:1]:
        eval(code, known)
    assert not any(p.requires_grad for p in known["m"].parameters()) and known["m"].block is not None
    scheduler = eval(code_in("torch.optim.lr_scheduler.CosineAnnealingLR")[0], known)
    for _ in range(5):
        scheduler.step()  # epoch 5 of 10 is half of the way: 0.1 * (1 + cos(pi / 2)) / 2
    assert known["o"].param_groups[0]["lr"] == pytest.approx(0.05)
    eval(code_in("torch.set_default_dtype")[0], known)
    assert eval(code_in("torch.get_default_dtype")[0], known) == "torch.FloatTensor"
    for name in ("requires_grad=", "Tensor.grad", "Tensor.requires_grad", "Tensor.requires_grad_"):
        assert eval(code_in(name)[0], known).requires_grad


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_a_modern_name_is_not_there_and_hides_nothing(name):
    where, _, attribute = name.rpartition(".")
    owners = {"Variable": Variable, "Tensor": legacy_autograd.DoubleTensor, "Module": nn.Module}
    owner = owners.get(where) or eval(where, legacy())
    assert not hasattr(owner, attribute) and getattr(owner, attribute, 7) == 7
    if where in ("Variable", "Tensor"):
        bases = [base for base in owner.__mro__ if attribute in vars(base)]
        assert [base.__name__ for base in bases] == [f"NotIn{where}"]
    else:
        assert attribute not in dir(owner)


@pytest.mark.parametrize("keyword", ["dtype", "device", "requires_grad", "no_such"])
@pytest.mark.parametrize(
    "call",
    [
        "zeros(2", "ones(2", "rand(2", "randn(2", "eye(2", "arange(2", "linspace(0, 1", "randperm(2", "zeros_like(t",
        "ones_like(t",
    ],
)  # fmt: skip
def test_keywords_of_creation_functions(call, keyword):
    with pytest.raises(TypeError) as caught:
        eval(f"torch.{call}, {keyword}=None)", legacy())
    advice = modern_names.HINTS.get(f"{keyword}=")
    expected = f"{call.partition('(')[0]}() got an unexpected keyword argument '{keyword}'"
    assert str(caught.value) == (expected if advice is None else f"{expected}; instead: {advice}")


def test_a_program_may_use_the_names_itself():
    class Net(nn.Module):
        def to(self, device):
            return device

    class Mine(Variable):
        T = 3

    net, mine = Net(), Mine(legacy_autograd.ones(2))
    net.requires_grad_ = mine.device = "cpu"  # a subclass has a dictionary
    assert (net.to("gpu"), net.requires_grad_, mine.T, mine.device) == ("gpu", "cpu", 3, "cpu")


def test_names_without_a_hint_keep_pythons_message_and_guess():
    for owner in (legacy_autograd, nn):
        with pytest.raises(AttributeError, match=f"^module '{owner.__name__}' has no attribute 'no_such'$") as caught:
            owner.no_such
        assert (caught.value.name, caught.value.obj) == ("no_such", owner)


def test_torch_tensor_is_still_the_module_of_2016():
    assert inspect.ismodule(legacy_autograd.tensor) and legacy_autograd.tensor.zeros is legacy_autograd.zeros


def test_the_hints_are_there_in_a_run(program):
    cases = [(CASES[name][0], modern_names.HINTS[name], code_in(name)) for name in CASES]
    result = program(
        f"""
import io, math
import torch, torch.nn as nn, torch.nn.functional as F, torch.optim as optim
import torch.optim.lr_scheduler, torch.cuda, torch.nn.init
from torch.autograd import Variable
from torch.utils.data import DataLoader
for expression, hint, code in {cases!r}:
    x, y, w, b = (Variable(torch.rand(*size)) for size in [(2, 3), (2, 3), (3, 2), (2, 2, 2)])
    images, t, labels, m = Variable(torch.rand(1, 1, 4, 4)), x.data, torch.LongTensor([3, 1]), nn.Linear(3, 2)
    o, file = optim.SGD(m.parameters(), lr=0.1), io.BytesIO()
    try:
        eval(expression)
    except (AttributeError, TypeError) as error:
        assert str(error).endswith("; instead: " + hint), error
    else:
        raise AssertionError(expression)
    for piece in code:
        eval(piece)
try:
    import torch.jit
except ModuleNotFoundError as error:
    print(error)
"""
    )
    assert result.stderr == ""
    assert result.stdout.startswith("torch.jit does not exist") and result.stdout.endswith("nothing is compiled\n")
