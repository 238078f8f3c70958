"""The names of today's torch that this package does not have, each with the spelling that works instead.

One table, read where an unknown name or keyword argument is refused: `torch.relu` stays an AttributeError, and its
message ends in a hint. This file makes no name work, so `hasattr` is False for all of them.

Modules refuse a name by `__getattr__`. On Variable and Tensor that would make every attribute three times as slow to
read, so there the names are descriptors, in the last base class; `dir` lists them. Functions take the keyword arguments
as `**modern`: Python refuses an unknown one before a function runs, and named parameters would show in its signature as
if they worked. This file imports nothing of the package, so every part of it may read it. No 2016 counterpart.
"""

import functools
import sys
import types
from typing import TYPE_CHECKING, Any, NoReturn

# Every row: the names, and the code to write instead. Code in backquotes runs as it is written: x and y are Variables
# of shape (2, 3), w is one of shape (3, 2), b a batch of square matrices, images one of pictures, t is a Tensor, labels
# a LongTensor, m a Module and o an optimizer.
_TABLE = (
    ("torch.tensor torch.as_tensor", "`torch.Tensor([1.0, 2.0])`; with a gradient `Variable(torch.Tensor([1.0]))`"),
    ("torch.full torch.full_like", "`torch.Tensor(2, 3).fill_(7)`"),
    ("torch.empty torch.empty_like", "`torch.Tensor(2, 3)`"),
    ("torch.rand_like torch.randn_like", "`torch.rand(t.size())`, `torch.randn(t.size())`"),
    ("torch.randint", "`torch.LongTensor(2, 3).random_(0, 10)`"),
    ("Variable.new_zeros Tensor.new_zeros", "`x.data.new(2, 3).zero_()`"),
    ("torch.relu Variable.relu Tensor.relu", "`F.relu(x)` of a Variable, `t.clamp(min=0)` of a Tensor"),
    ("torch.softmax torch.log_softmax", "`F.softmax(x, dim=1)`, `F.log_softmax(x, dim=1)`"),
    ("torch.flatten Variable.flatten Tensor.flatten", "`x.view(-1)`, and of a batch `x.view(x.size(0), -1)`"),
    ("torch.einsum", "`torch.mm(x, w)`, and of batches `torch.bmm(b, b.transpose(1, 2))`"),
    ("torch.where", "`(x > 0).type_as(x) * x + (x <= 0).type_as(x) * y`"),
    ("torch.maximum torch.minimum", "`torch.max(x, y)`, `torch.min(x, y)`"),
    ("torch.square", "`x ** 2`"),
    ("torch.vstack torch.hstack", "`torch.cat([x, y], 0)`, `torch.cat([x, y], 1)`"),
    ("torch.isnan", "`t != t`"),
    ("torch.inf torch.nan", "`float('inf')`, `float('nan')`"),
    ("generator=", "`torch.manual_seed(0)` before it: where this is refused, the default generator draws"),
    ("torch.get_default_dtype", "`torch.get_default_tensor_type()`"),
    ("torch.set_default_dtype", "`torch.set_default_tensor_type('torch.FloatTensor')`"),
    ("torch.float torch.float32", "the class `torch.FloatTensor`"),
    ("torch.double torch.float64", "the class `torch.DoubleTensor`"),
    ("torch.half torch.float16", "the class `torch.HalfTensor`"),
    ("torch.bool torch.uint8", "the class `torch.ByteTensor`"),
    ("torch.int torch.int32", "the class `torch.IntTensor`"),
    ("torch.long torch.int64", "the class `torch.LongTensor`"),
    ("dtype=", "convert the result, `torch.zeros(2, 3).type(torch.FloatTensor)`"),
    ("Variable.dtype Tensor.dtype", "`x.type()`"),
    ("Variable.to Tensor.to", "`x.type(torch.FloatTensor)`; leave a device out"),
    ("Module.to", "`m.float()` or `m.double()`; leave a device out"),
    ("torch.device device= Variable.device Tensor.device", "leave it out: every tensor is in main memory"),
    ("torch.cuda.amp torch.amp torch.autocast", "leave it out: each operation computes in the type of its tensors"),
    ("torch.jit torch.compile", "leave it out: nothing is compiled"),
    ("requires_grad=", "`Variable(torch.randn(2, 3), requires_grad=True)`"),
    ("Tensor.requires_grad Tensor.requires_grad_ Tensor.grad", "`Variable(t, requires_grad=True)`: a Tensor has none"),
    ("Tensor.backward", "`Variable(t, requires_grad=True).sum().backward()`: a Tensor has no graph"),
    ("Tensor.detach", "leave it out: a Tensor has no graph"),
    ("Variable.numpy", "`x.data.numpy()`"),
    ("Variable.tolist", "`x.data.tolist()`"),
    ("Variable.ndim Tensor.ndim", "`x.dim()`"),
    ("Variable.T Tensor.T", "`x.t()`"),
    ("torch.nn.Flatten", "`x.view(x.size(0), -1)` in forward"),
    ("torch.nn.Identity", "`nn.Sequential()`, with no modules in it"),
    ("torch.nn.GELU torch.nn.functional.gelu", "`0.5 * x * (1 + F.tanh(0.7979 * (x + 0.0447 * x ** 3)))`"),
    ("torch.nn.SiLU torch.nn.functional.silu", "`x * F.sigmoid(x)`"),
    (
        "torch.nn.LayerNorm torch.nn.functional.layer_norm",
        "`(x - x.mean(1)) / (x.var(1, unbiased=False) + 1e-5).sqrt()`",
    ),
    ("torch.nn.HuberLoss torch.nn.functional.huber_loss", "`F.smooth_l1_loss(x, y)`"),
    ("torch.nn.functional.interpolate", "`F.upsample(images, scale_factor=2)`"),
    ("torch.nn.functional.one_hot", "`torch.zeros(2, 4).scatter_(1, labels.view(-1, 1), 1)`"),
    ("torch.nn.ModuleDict", "`m.add_module('block', nn.ReLU())` for each, then `getattr(m, 'block')`"),
    ("Module.requires_grad_", "`[p.requires_grad_(False) for p in m.parameters()]`"),
    ("torch.nn.init.trunc_normal_", "`nn.init.normal_(m.weight, std=0.02)`"),
    ("torch.optim.NAdam torch.optim.RAdam", "`optim.Adam(m.parameters())`"),
    (
        "torch.optim.lr_scheduler.CosineAnnealingLR",
        "`optim.lr_scheduler.LambdaLR(o, lambda epoch: 0.5 + 0.5 * math.cos(math.pi * epoch / 10))`",
    ),
    ("persistent_workers= prefetch_factor=", "leave it out: worker processes end with each iteration"),
    ("_use_new_zipfile_serialization=", "leave it out: there is one format"),
)
HINTS = {name: advice for names, advice in _TABLE for name in names.split()}


def hint(name: str) -> str:
    """Return the end of the message that refuses a name; empty if there is no hint.

    Args:
        name: The name as in the table, such as "torch.nn.GELU" or "dtype=".
    """
    return f"; instead: {HINTS[name]}" if name in HINTS else ""


def attribute_error(message: str, where: str | None, name: str, owner: object) -> AttributeError:
    """Return the exception for an attribute that is not there, with its hint.

    Args:
        message: The message without the hint.
        where: The owner's name in the table, such as "torch.nn" or "Variable".
        name: The attribute.
        owner: The module or instance, in whose attributes Python looks for a similar name.
    """
    advice = hint(f"{where}.{name}")
    # Python ends the traceback with a guess from the names of `obj`, which must not contradict the hint.
    return AttributeError(message + advice, name=name, obj=None if advice else owner)


def refuse_keywords(function: str, keywords: dict[str, object]) -> NoReturn:
    """Refuse, as Python does, the first of the keyword arguments that a function does not have.

    Args:
        function: The name of the function.
        keywords: The keyword arguments.

    Raises:
        TypeError: Always.
    """
    name = next(iter(keywords))
    raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint(name + '=')}")


class Absent:
    """In a class, an attribute that is not there: to read it is an error, whose message has the hint.

    Args:
        name: The attribute.
        where: The class's name in the table, for the hint.
    """

    def __init__(self, name: str, where: str | None = None) -> None:
        self.name, self.where = name, where

    def __get__(self, instance, owner):
        message = f"{owner.__name__!r} object has no attribute {self.name!r}"
        raise attribute_error(message, self.where, self.name, None)


def _base_class(where: str) -> Any:
    """Return a base class for the class that the table calls `where`, with an `Absent` for each of its names."""
    names = [name.rpartition(".")[2] for name in HINTS if name.startswith(f"{where}.")]
    return type(f"NotIn{where}", (), {"__slots__": (), **{name: Absent(name, where) for name in names}})


if TYPE_CHECKING:  # a type checker sees that the names are absent

    class NotInVariable: ...

    class NotInTensor: ...

else:
    NotInVariable = _base_class("Variable")
    NotInTensor = _base_class("Tensor")


class _TensorModule(types.ModuleType):
    """`torch.tensor`, a module in 2016. Since 0.4.0 it is a function."""

    def __call__(self, *arguments, **keywords):
        raise TypeError(f"'module' object is not callable{hint('torch.tensor')}")


def install(package: str) -> None:
    """Let the modules of the table refuse its names with a hint, once all of them are imported.

    Args:
        package: The name of the package.
    """
    for where in {name.rpartition(".")[0] for name in HINTS if name.startswith("torch.")}:
        module = sys.modules[package + where.removeprefix("torch")]
        module.__getattr__ = functools.partial(_refuse, module, where)  # type: ignore[method-assign]
    sys.modules[f"{package}.tensor"].__class__ = _TensorModule


def _refuse(module, where, name):
    raise attribute_error(f"module {module.__name__!r} has no attribute {name!r}", where, name, module)
