"""Modern torch with v0.1.x's names, for a program that runs in both.

`Face(era)` replaces the module `torch`, and its `autograd.Variable` replaces `Variable`. This file changes names:
constructors of tensors, Variable, Function, renamed modules. `translate_calls.py` changes the meaning of calls.
"""

import sys
import types

import numpy

from .. import conventions
from ..nn import init
from ..tensor import camel_case
from ..tensor.dtypes import DTYPES
from . import random_draws
from ._torch import modern_torch

torch = modern_torch()

_NN = {
    "AbsCriterion": "L1Loss",
    "BatchNorm": "BatchNorm1d",
    "ClassNLLCriterion": "NLLLoss",
    "HardTanh": "Hardtanh",
    "MaxPooling2d": "MaxPool2d",
}


class Face(types.ModuleType):
    """Modern torch under v0.1.x's names; all other names are torch's own."""

    def __init__(self, era=None, own=torch, replaced=None, note=None):
        super().__init__(own.__name__)
        self._own = own
        if replaced is None:
            replaced = _top_level(era or conventions.era, note)
        vars(self).update(replaced)

    def __getattr__(self, name):
        return getattr(self._own, name)


def _top_level(era, note):
    names = {name: getattr(torch.nn.init, f"{name}_", None) for name in vars(init)}
    old_names = {name: function for name, function in names.items() if function is not None}
    nn = {old: getattr(torch.nn, new) for old, new in _NN.items()}
    nn = Face(own=torch.nn, replaced={**nn, "init": Face(own=torch.nn.init, replaced=old_names)})
    variable = {"Variable": _VariableType("Variable", (), {"era": era, "__doc__": _VariableType.__doc__})}
    function = {"Function": type("Function", (Function,), {"era": era, "note": staticmethod(note) if note else None})}
    parts = {
        "variable": Face(own=torch.autograd.variable, replaced=variable),
        "function": Face(own=torch.autograd.function, replaced=function),
    }
    autograd = Face(own=torch.autograd, replaced={**variable, **function, **parts})
    classes = {name.removeprefix("torch."): _tensor_class(name) for name in DTYPES}
    return {
        "Tensor": _tensor_class(era.default_tensor_type, any_type=True),
        **classes,
        **random_draws.functions(),
        "from_numpy": lambda array: torch.from_numpy(array if array.ndim else array.reshape(1)),
        **{alias: getattr(torch, _snake(alias)) for alias in camel_case.__all__ if hasattr(torch, _snake(alias))},
        "nn": nn,
        "autograd": autograd,
        "optim": Face(own=torch.optim, replaced={"SGD": SGD} if era.dampening_is_momentum else {}),
    }


def _snake(name):
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


class SGD(torch.optim.SGD):  # type: ignore[name-defined]  # torch is imported at run time
    """v0.1.1's SGD, where the default of `dampening` is the momentum."""

    def __init__(self, params, lr, momentum=0, dampening=None, **keywords):
        dampening = momentum if dampening is None else dampening
        super().__init__(params, lr=lr, momentum=momentum, dampening=dampening, **keywords)


# --- tensors


class _TensorType(type):
    """The class of the constructors: every tensor of the right type is an instance of FloatTensor, and so on."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, torch.Tensor) and (cls.any_type or instance.dtype == cls.dtype)

    def __call__(cls, *contents):
        if len(contents) == 1 and isinstance(contents[0], numpy.ndarray):
            return torch.as_tensor(contents[0]).to(cls.dtype)
        if len(contents) == 1 and isinstance(contents[0], torch.Tensor):
            return contents[0]
        if len(contents) == 1 and isinstance(contents[0], (list, tuple)) and not isinstance(contents[0], torch.Size):
            return torch.tensor(contents[0], dtype=cls.dtype)
        sizes = contents[0] if len(contents) == 1 and isinstance(contents[0], torch.Size) else contents
        return torch.zeros(*(sizes or (0,)), dtype=cls.dtype)  # modern torch's would be uninitialised


def _tensor_class(type_name, any_type=False):
    dtype = torch.from_numpy(numpy.zeros(1, DTYPES[type_name])).dtype
    return _TensorType(
        type_name.removeprefix("torch."), (), {"dtype": dtype, "any_type": any_type, "type_name": type_name}
    )


class _VariableType(type):
    """v0.1.x's Variable: in modern torch a tensor that requires a gradient."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, torch.Tensor)

    def __call__(cls, tensor, requires_grad=None, volatile=False):
        if requires_grad is None:
            requires_grad = cls.era.requires_grad and tensor.is_floating_point() and not volatile
        variable = tensor.detach()  # the same memory
        variable.requires_grad_(requires_grad)
        variable.is_variable = True
        if volatile:
            variable.is_volatile = True
        return variable


# --- Functions of the program's own


class Function:
    """v0.1.x's Function in modern torch: an instance holds the state of one call, `forward` sees tensors."""

    era = None
    # Called after every call with (its result, the calling frame), because the function mode does not see such calls.
    note = None

    def __call__(self, *variables):
        output = _bridge_of(type(self)).apply(self, *variables)
        output = output if isinstance(output, tuple) else (output,)
        if self.note is not None:
            self.note(output, sys._getframe(1))
        return output[0] if len(output) == 1 and not self.era.call_returns_tuple else output

    _saved = ()
    _not_differentiable = ()

    def save_for_backward(self, *tensors):
        self._saved = tensors

    @property
    def saved_tensors(self):
        return self._saved

    def mark_non_differentiable(self, *outputs):
        self._not_differentiable = outputs


def _bridge_of(cls):
    """Return a modern Function with the same name, whose state is an instance of `cls`."""
    bridge = vars(cls).get("_bridge")
    if bridge is None:

        def forward(ctx, instance, *tensors):
            ctx.instance = instance
            instance.needs_input_grad = ctx.needs_input_grad[1:]
            output = instance.forward(*tensors)
            ctx.mark_non_differentiable(*instance._not_differentiable)
            return output

        def backward(ctx, *grad_output):
            grad_input = ctx.instance.backward(*grad_output)
            return (None, *grad_input) if isinstance(grad_input, tuple) else (None, grad_input)

        members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        bridge = cls._bridge = type(cls.__name__, (torch.autograd.Function,), members)
    return bridge
