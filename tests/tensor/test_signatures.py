"""Every public method and function is a plain `def`: `inspect`, `help`, an IDE and grep find it."""

import inspect
import re

import pytest

import legacy_autograd as torch
from legacy_autograd import tensor as package
from legacy_autograd.tensor import camel_case, creation, dtypes, functions, lapack, printing, random

TENSORS = [kind for kind in vars(package).values() if isinstance(kind, type) and issubclass(kind, torch.Tensor)]
STORAGES = [kind for kind in vars(package).values() if isinstance(kind, type) and issubclass(kind, torch.Storage)]
MODULES = (creation, functions, camel_case, lapack, printing, random, dtypes)

# The count of arguments is free: sizes and dimensions, one by one; what a constructor takes; and numbers that v0.1.x
# lets come before tensors.
FREE = {
    **dict.fromkeys("expand permute repeat reshape resize_ view zeros ones rand randn".split(), "sizes or dims"),
    "new": "contents",
    **dict.fromkeys("addcdiv addcdiv_ addcmul addcmul_ addbmm addbmm_ addmm addmm_ addmv addmv_".split(), "arguments"),
    **dict.fromkeys("addr addr_ baddbmm baddbmm_".split(), "arguments"),
}
# `**modern` is what today's torch takes and these refuse with a hint.
WITH_HINTS = "zeros zeros_like ones ones_like eye arange linspace rand randn randperm".split()
# `**keywords` may only hold `async`, which no parameter can be called since Python 3.7.
WITH_ASYNC = "copy_ cuda type".split()
OPERATORS = """
    add radd sub rsub mul rmul truediv rtruediv pow rpow mod matmul neg pos abs and rand or ror xor rxor lshift rshift
    invert eq ne lt le gt ge iadd isub imul itruediv ipow imod iand ior ixor len bool float int index iter contains
    getitem setitem
""".split()


def members(kind):
    """The name, what the class has under it, and the class that defines it, of every public member."""
    for name in dir(kind):
        if not name.startswith("_") and hasattr(kind, name):  # a modern name is in dir() and is not there
            owner = next(base for base in kind.__mro__ if name in vars(base))
            yield name, vars(owner)[name], owner


METHODS = [
    pytest.param(kind, name, member, owner, id=f"{kind.__name__}.{name}")
    for kind in (torch.Tensor, torch.Storage)
    for name, member, owner in members(kind)
]
FUNCTIONS = [
    pytest.param(getattr(package, name), id=name)
    for name in package.__all__
    if not isinstance(getattr(package, name), (type, random.Generator))
]


def check_def(function, name):
    """`function` is a def called `name` whose source is where its names say, with a docstring and real parameters."""
    assert inspect.isfunction(function) and function.__name__ == name
    source = inspect.getsource(function)
    assert re.match(rf"\s*(@(classmethod|property|data.setter|takes_results\(.*\))\s+)?def {name}\(", source)
    assert inspect.getmodule(function).__name__ == function.__module__
    assert function.__doc__ and function.__doc__.strip().split("\n")[0].endswith((".", ":", ".)"))
    for parameter in inspect.signature(function).parameters.values():
        names = {"modern": WITH_HINTS, "keywords": WITH_ASYNC}
        assert parameter.kind is not parameter.VAR_KEYWORD or name in names[parameter.name]
        assert parameter.kind is not parameter.VAR_POSITIONAL or name in FREE


@pytest.mark.parametrize("kind, name, member, owner", METHODS)
def test_methods(kind, name, member, owner):
    if isinstance(member, property):
        assert member.__doc__
        member = member.fget
    elif isinstance(member, classmethod):
        member = member.__func__
    if type(member).__name__ == "member_descriptor" or isinstance(member, bool):  # a slot; is_cuda of a storage
        assert name in ("array", "is_cuda", "is_sparse")
        return
    own = member.__name__
    check_def(member, own)
    home = next(base for base in kind.__mro__ if vars(base).get(own) in (member, vars(owner)[name]))
    assert member.__qualname__ == f"{home.__name__}.{own}" and member.__module__ == home.__module__


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions(function):
    check_def(function, function.__name__)
    assert function.__qualname__ == function.__name__
    assert vars(inspect.getmodule(function))[function.__name__] is function


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    function = getattr(torch.Tensor, f"__{name}__")
    assert function.__name__ in (f"__{name}__", f"__{name.removeprefix('r')}__")
    assert inspect.getsource(function).lstrip().startswith(f"def {function.__name__}(self")
    assert all(p.kind is p.POSITIONAL_OR_KEYWORD for p in inspect.signature(function).parameters.values())


def test_an_alias_is_the_method_that_it_stands_for():
    written = inspect.getsource(camel_case.CamelCase)
    for alias, name in camel_case.METHODS.items():
        assert f"    {alias} = " in written and getattr(torch.Tensor, alias) is getattr(torch.Tensor, name)


def test_the_classes_of_the_types_are_written_out():
    assert len(TENSORS) == len(STORAGES) == 9
    for kind in (*TENSORS, *STORAGES):
        assert re.match(rf"class {kind.__name__}\b", inspect.getsource(kind)) and kind.__doc__
        if kind not in (torch.Tensor, torch.Storage):
            assert kind.__bases__[0] in (torch.Tensor, torch.Storage)
            assert [name for name in vars(kind) if not name.startswith("__")] == ["_dtype"]


def test_free_counts_are_still_needed():
    """Fails when a name could be taken off FREE."""
    free = {
        name
        for home in (torch.Tensor, torch.Storage, *MODULES)
        for name in dir(home)
        if inspect.isfunction(getattr(home, name, None)) and not name.startswith("_")
        for parameter in inspect.signature(getattr(home, name)).parameters.values()
        if parameter.kind is parameter.VAR_POSITIONAL
    }
    assert free - set(camel_case.METHODS) == set(FREE)
