"""Translate v0.1.x's calls into modern torch's.

`Spelling.call` gets every call of the program. If v0.1.x and today agree, the call is passed on unchanged; otherwise
the translation is counted in `remarks`. `random_draws.py` translates the calls that draw random numbers.
"""

import contextlib
import functools
import warnings

from ..drawing.replaced import replaced
from ..tensor import camel_case
from . import random_draws
from ._torch import modern_torch
from .batch_order import shuffled_as_here
from .initial_state import parameters_copied

torch = modern_torch()

# The position of the dimension among the arguments of a method (0 is the tensor itself).
_DIM_AT = {
    "sum": 1, "mean": 1, "prod": 1, "std": 1, "var": 1, "max": 1, "min": 1, "median": 1, "mode": 1, "argmax": 1,
    "argmin": 1, "norm": 2, "kthvalue": 2,
}  # fmt: skip
_POINTWISE = {
    "add", "sub", "mul", "div", "pow", "add_", "sub_", "mul_", "div_", "__add__", "__sub__", "__mul__", "__truediv__",
    "__pow__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "addcmul", "addcdiv",
}  # fmt: skip


class Spelling:
    """The translation for one run, under the conventions of `era`."""

    def __init__(self, era, remarks, modules_here=()):
        self.era = era
        self.remarks = remarks
        self.modules_here = modules_here
        self._adapters = {
            "__getitem__": self._getitem,
            "__get__": self._attribute,
            "backward": self._backward,
            "type": self._type,
            **dict.fromkeys(_DIM_AT, self._reduction),
            **dict.fromkeys(_POINTWISE, self._pointwise),
            **dict.fromkeys(("__floordiv__", "__rtruediv__"), self._pointwise),
            **{name: functools.partial(draw, era=era) for name, draw in random_draws.ADAPTERS.items()},
        }

    @contextlib.contextmanager
    def spoken(self):
        """While active, torch has v0.1.x's default type and method names, and copied parameters."""
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64 if "Double" in self.era.default_tensor_type else torch.float32)
        added = {alias: _method(name) for alias, name in camel_case.METHODS.items()} | _ATTRIBUTES
        changed = {(torch.Tensor, name): value for name, value in added.items() if not hasattr(torch.Tensor, name)}
        changed[torch.Tensor, "volatile"] = _VOLATILE
        changed[torch.Tensor, "register_hook"] = _with_names(torch.Tensor.register_hook, self.era)
        changed[torch.nn.modules.loss._Loss, "size_average"] = _SIZE_AVERAGE
        parameters = parameters_copied(self.modules_here, self.remarks)
        try:
            with replaced(changed), parameters, shuffled_as_here(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # torch warns about v0.1.x's forms
                yield
        finally:
            torch.set_default_dtype(before)

    def call(self, function, arguments, keywords):
        """Return the result of `function(*arguments, **keywords)` with its v0.1.x meaning."""
        name = getattr(function, "__name__", "")
        volatile = any(isinstance(a, torch.Tensor) and getattr(a, "is_volatile", False) for a in arguments)
        is_initialiser = getattr(function, "__module__", None) == "torch.nn.init"  # `uniform_` is also a method
        adapter = None if is_initialiser else self._adapters.get(name)
        with torch.no_grad() if volatile else contextlib.nullcontext():
            result = adapter(function, arguments, keywords) if adapter else function(*arguments, **keywords)
        if volatile and name != "__get__":
            for tensor in result if isinstance(result, (tuple, list)) else [result]:
                if isinstance(tensor, torch.Tensor):
                    tensor.is_volatile = True
        return result

    @staticmethod
    def draws(function):
        """Return whether legacy_autograd must draw the random numbers of a call, even if a layer of torch makes it."""
        return getattr(function, "__name__", "") in random_draws.DROPOUT

    # --- the differences, one method each

    def _reduction(self, function, arguments, keywords):
        """A reduction over one dimension keeps it by default, up to v0.1.12."""
        place = _DIM_AT[function.__name__]
        dim = arguments[place] if len(arguments) > place else keywords.get("dim")
        said = "keepdim" in keywords or any(isinstance(a, bool) for a in arguments[place + 1 :])
        kept = self.era.reductions_keep_dimension and not said
        if kept and isinstance(dim, int) and not isinstance(dim, bool):
            self.remarks["a reduction over a dimension drops it; translated with keepdim=True"] += 1
            keywords = {**keywords, "keepdim": True}
        return function(*arguments, **keywords)

    def _pointwise(self, function, arguments, keywords):
        """The quotient of integers is an integer; later eras pair elements of operands instead of broadcasting."""
        if len(arguments) > 1 and isinstance(arguments[1], torch.Tensor) and self.era.broadcast != "always":
            a, b = arguments[0], arguments[1]
            is_pair = isinstance(a, torch.Tensor) and a.numel() == b.numel() and a.dim() * b.dim()
            if is_pair and a.shape != b.shape and not (self.era.broadcast == "first" and _are_broadcast(a, b)):
                self.remarks["operands with equally many elements are broadcast; paired element by element"] += 1
                arguments = (a, b.reshape(a.shape), *arguments[2:])
        integers = isinstance(arguments[0], torch.Tensor) and not arguments[0].is_floating_point()
        if integers and function.__name__ in ("div", "__truediv__", "__floordiv__"):
            self.remarks["the quotient of integers is a fraction; truncated"] += 1
            return torch.div(arguments[0], arguments[1], rounding_mode="trunc")
        return function(*arguments, **keywords)

    def _getitem(self, function, arguments, keywords):
        """One element is a Python number, or a Variable for a Variable; a zero-dimensional `loss.data[0]` works."""
        tensor, key = arguments
        if tensor.dim() == 0 and isinstance(key, int) and key in (0, -1):
            self.remarks["a full reduction has no dimension; [0] translated to its only element"] += 1
            result = tensor
        else:
            result = function(tensor, key)
        is_variable = tensor.requires_grad or getattr(tensor, "is_variable", False)
        return result if result.dim() or is_variable else result.item()

    def _attribute(self, function, arguments, keywords):
        """Up to v0.1.9, `grad` of a leaf is zeros before the first backward."""
        result = function(*arguments, **keywords)
        if self.era.grad_begins_as_zeros and result is None and function.__self__.__name__ == "grad":
            tensor = arguments[0]
            if tensor.is_leaf and tensor.requires_grad:
                self.remarks["grad of a leaf is None before the first backward; set to zeros"] += 1
                tensor.grad = result = torch.zeros_like(tensor)
        return result

    def _backward(self, function, arguments, keywords):
        """The graph is kept by default; a gradient of shape (1,) fits a loss of shape ()."""
        keywords = dict(keywords)
        if "retain_variables" in keywords:
            keywords["retain_graph"] = keywords.pop("retain_variables")
        if keywords.get("retain_graph") is None:
            keywords["retain_graph"] = True
        tensor, *given = arguments
        gradient = given[0] if given else keywords.pop("gradient", None)
        if gradient is not None and isinstance(tensor, torch.Tensor) and tensor.dim() == 0:
            gradient = gradient.reshape(())
        arguments = (tensor, gradient, *given[1:])
        return function(*arguments, **keywords)

    def _type(self, function, arguments, keywords):
        """`type(torch.FloatTensor)` takes the class of `Face`."""
        name = getattr(arguments[1], "type_name", arguments[1]) if len(arguments) > 1 else None
        return function(arguments[0]) if name is None else function(arguments[0], name)


def _are_broadcast(a, b):
    return all(one == other or 1 in (one, other) for one, other in zip(reversed(a.shape), reversed(b.shape)))


def _with_names(register_hook, era):
    """Return Tensor.register_hook that also takes `(name, hook)`; v0.1.1 calls hook(grad_input, grad_output)."""

    def register(tensor, name, hook=None):
        if hook is None:
            return register_hook(tensor, name)
        if not era.named_hook_takes_two:
            return register_hook(tensor, lambda grad: (hook(grad), None)[1])
        if tensor.is_leaf:
            return register_hook(tensor, lambda grad: (hook((grad,), (grad,)), None)[1])

        def shown(grad_inputs, grad_outputs):
            hook(grad_inputs, grad_outputs[0] if len(grad_outputs) == 1 else grad_outputs)

        return tensor.grad_fn.register_hook(shown)

    return register


def _method(name):
    def method(tensor, *arguments, **keywords):
        return getattr(tensor, name)(*arguments, **keywords)

    return method


# A criterion's flag, which programs set on the module.
_SIZE_AVERAGE = property(
    lambda criterion: criterion.reduction == "mean",
    lambda criterion, value: setattr(criterion, "reduction", "mean" if value else "sum"),
)
# Attributes of a Variable that a modern tensor does not have.
_ATTRIBUTES = {
    "creator": property(lambda tensor: tensor.grad_fn),
}
# Modern torch still has the name, without effect.
_VOLATILE = property(
    lambda tensor: getattr(tensor, "is_volatile", False),
    lambda tensor, volatile: setattr(tensor, "is_volatile", volatile),
)
