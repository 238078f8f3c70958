"""`Module`: a network or a part of one, with its parameters and child modules (2016: `torch/nn/modules/module.py`).

A Module computes no gradient. Its `forward` calls Functions on Variables, and they define the derivatives.
"""

from __future__ import annotations

import builtins
import functools
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

from .. import conventions
from ..autograd import callbacks
from ..autograd.function import NOTHING_REGISTERED
from ..autograd.variable import Variable
from ..cuda import refuse
from ..modern_names import attribute_error
from ..tensor import Tensor
from ..tensor.dtypes import FLOATING
from ..tensor.messages import shown, shown_size
from ..utils.hooks import RemovableHandle
from . import hooks
from .backends.thnn import backend
from .parameter import Parameter

_OF_THE_CALL = frozenset(["forward", "_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_full_backward_hooks"])
_around_module = callbacks.around_module

IncompatibleKeys = namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")


class Module:
    """The base class of all layers and networks.

    A subclass assigns its parts in `__init__` and defines `forward`. Assigning a `Parameter` registers a parameter,
    assigning a Module registers a child. `register_buffer` registers a Tensor that belongs to the state but is not a
    parameter. In August 2016 parameters were plain Variables named `weight` and `bias`; under the conventions of v0.1.1
    assigning such a Variable also registers a parameter.

    `forward(*input)` returns one Variable or several. v0.1.1 called it `_forward` and required a tuple; a subclass may
    define `_forward` instead. Call the module, not the method: only `module(x)` runs the hooks.

    `training` selects the behaviour of layers such as Dropout; `train()` and `eval()` set it for all parts. In v0.1.1
    the flag was called `train`: assigning True or False to `train` sets the flag of this module alone.

    Example:
        >>> class Sum(torch.nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.weight = torch.nn.Parameter(torch.Tensor([1, 2]))
        ...
        ...     def forward(self, x):
        ...         return (self.weight * x).sum()
        >>> Sum()(Variable(torch.Tensor([3, 4]))).data.tolist()
        [11.0]
    """

    # None until __init__: without super().__init__() in a subclass, errors name that, not a missing attribute.
    _parameters: Any = None
    _buffers: Any = None
    _modules: Any = None
    training = True
    _backend = backend
    _forward_pre_hooks: Any
    _forward_pre_hooks = _forward_hooks = _backward_hooks = _full_backward_hooks = NOTHING_REGISTERED

    def __init__(self) -> None:
        vars(self).update(_parameters=OrderedDict(), _buffers=OrderedDict(), _modules=OrderedDict())

    # --- the call

    def __call__(self, *input: Any, **named: Any) -> Any:
        """Run the hooks and `forward`, and return the result of `forward` (a tuple of one Variable as the Variable).

        Args:
            *input: The arguments of `forward`.
            **named: The keyword arguments of `forward`.
        """
        if _around_module.callbacks:
            return _around_module.run(self, functools.partial(self._run, **named), input)
        # Every attribute is slow to read, because the class has a __getattr__. One look-up replaces five.
        if named or not _OF_THE_CALL.isdisjoint(self.__dict__):
            return self._run(*input, **named)
        forward = type(self).forward
        result = forward(self, input[0]) if len(input) == 1 else forward(self, *input)
        return result[0] if result.__class__ is tuple and len(result) == 1 else result

    def _run(self, *input, **named):
        if self._forward_pre_hooks or self._forward_hooks or self._backward_hooks or self._full_backward_hooks:
            result = hooks.run(self, self.forward, input, named)
        else:
            result = self.forward(*input, **named)
        return result[0] if type(result) is tuple and len(result) == 1 else result

    def forward(self, *input: Any) -> Any:
        """Compute the output of the module; defined by each subclass.

        Args:
            *input: One or more Variables.

        Raises:
            NotImplementedError: If the subclass defines neither `forward` nor `_forward`.
        """
        if type(self)._forward is Module._forward:
            raise NotImplementedError(f"{self._name} does not define forward")
        result = self._forward(*input)
        return result[0] if isinstance(result, tuple) and len(result) == 1 else result

    def _forward(self, *input):
        """Return the result of `forward` as a tuple, as v0.1.1 did."""
        result = self.forward(*input)
        return result if isinstance(result, tuple) else (result,)

    @property
    def _name(self):
        return type(self).__name__

    # --- registering

    def __setattr__(self, name, value):
        if isinstance(value, Parameter) or _is_parameter_of_2016(name, value):
            self._register("_parameters", name, value)
        elif isinstance(value, Module):
            self._register("_modules", name, value)
        elif name == "train" and isinstance(value, bool):
            self.training = value
        elif not self._replace(name, value):
            super().__setattr__(name, value)

    def _register(self, registry, name, value):
        if vars(self).get(registry) is None:
            raise AttributeError(f"{self._name}: call super().__init__() before assigning {name!r}")
        for other in ("_parameters", "_buffers", "_modules"):
            if other != registry:
                vars(self)[other].pop(name, None)
        vars(self).pop(name, None)
        vars(self)[registry][name] = value

    def _replace(self, name, value):
        """Replace the object registered as `name`, and return whether there was one.

        `value` is neither a Parameter nor a Module.
        """
        for registry, kind in (("_parameters", Parameter), ("_modules", Module), ("_buffers", Tensor)):
            registered = vars(self).get(registry)
            if registered is None or name not in registered:
                continue
            if value is not None and not isinstance(value, kind):
                raise TypeError(
                    f"{self._name}: {name!r} is registered and must be a {kind.__name__} or None, got "
                    f"{type(value).__name__}; delete it first to use the name for something else"
                )
            registered[name] = value
            return True
        return False

    def __getattr__(self, name):
        attributes = self.__dict__
        for registry in ("_parameters", "_buffers", "_modules"):
            registered = attributes.get(registry)
            if registered is not None and name in registered:
                return registered[name]
        raise attribute_error(f"{self._name!r} object has no attribute {name!r}", "Module", name, self)

    def __delattr__(self, name):
        for registry in ("_parameters", "_buffers", "_modules"):
            if name in (vars(self).get(registry) or ()):
                del vars(self)[registry][name]
                return
        super().__delattr__(name)

    def __dir__(self):
        return sorted({*super().__dir__(), *self._parameters, *self._buffers, *self._modules})

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register a parameter, replacing the one of the same name.

        Args:
            name: The name of the attribute.
            param: The Parameter, or None if this module does without, for example without a bias.

        Raises:
            KeyError: If the name is used by something other than a parameter, is empty or contains a dot.
            TypeError: If `param` is neither a Parameter nor None.
        """
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"{self._name}: register_parameter needs a Parameter or None, got {type(param).__name__}")
        if name not in (self._parameters or ()):
            self._check_name(name)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None) -> None:
        """Register a Tensor that belongs to the state but is not a parameter, for example a running mean.

        Args:
            name: The name of the attribute. A buffer of the same name is replaced.
            tensor: The Tensor, or None.

        Raises:
            KeyError: If the name is used by something other than a buffer, is empty or contains a dot.
            TypeError: If `tensor` is neither a Tensor nor None.
        """
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"{self._name}: register_buffer needs a Tensor or None, got {type(tensor).__name__}")
        if name not in (self._buffers or ()):
            self._check_name(name)
        self._buffers[name] = tensor

    def add_module(self, name: str, module: Module | None) -> None:
        """Register a child module.

        Args:
            name: The name of the attribute. It may contain dots, as in v0.1.x (modern torch refuses them). A child of
                the same name is replaced, except under the conventions of v0.1.12.
            module: The Module, or None.

        Raises:
            KeyError: If the name is used already or empty.
            TypeError: If `module` is neither a Module nor None.
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{self._name}: add_module needs a Module or None, got {type(module).__name__}")
        if name not in (self._modules or ()) or not conventions.era.add_module_replaces:
            self._check_name(name, dots=True)
        self._register("_modules", name, module)

    def _check_name(self, name, dots=False):
        if vars(self).get("_parameters") is None:
            raise AttributeError(f"{self._name}: call super().__init__() before registering {name!r}")
        if not isinstance(name, str) or not name or "." in name and not dots:
            without = "" if dots else ", without dots"
            raise KeyError(f"{self._name}: a name must be a non-empty string{without}, got {name!r}")
        if hasattr(self, name):
            raise KeyError(f"{self._name}: the name {name!r} is taken")

    # --- what the module is made of

    def parameters(self, memo: set[int] | None = None) -> Iterator[Variable]:
        """Yield each parameter of this module and of all its parts once.

        Args:
            memo: The `id`s of parameters to leave out; receives those that are yielded. Default: none.
        """
        for _, parameter in self.named_parameters(memo):
            yield parameter

    def named_parameters(self, memo: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Variable]]:
        """Yield (name, parameter) for each parameter of this module and of all its parts, once each.

        The parameter `weight` of the child `conv1` is named `conv1.weight`.

        Args:
            memo: The `id`s of parameters to leave out; receives those that are yielded. Default: none.
            prefix: The name of this module.
        """
        yield from self._named("_parameters", set() if memo is None else memo, prefix)

    def buffers(self) -> Iterator[Tensor]:
        """Yield each buffer of this module and of all its parts once."""
        for _, buffer in self.named_buffers():
            yield buffer

    def named_buffers(self, memo: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Tensor]]:
        """Yield (name, buffer) for each buffer of this module and of all its parts, once each.

        Args:
            memo: The `id`s of buffers to leave out; receives those that are yielded. Default: none.
            prefix: The name of this module.
        """
        yield from self._named("_buffers", set() if memo is None else memo, prefix)

    def _named(self, registry, memo, prefix):
        for path, module in self.named_modules(prefix=prefix):
            for name, value in vars(module)[registry].items():
                if value is not None and id(value) not in memo:
                    memo.add(id(value))
                    yield (f"{path}.{name}" if path else name), value

    def children(self) -> Iterator[Module]:
        """Yield each direct child once."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield (name, child) for each direct child, once each."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def modules(self) -> Iterator[Module]:
        """Yield this module and all its descendants, once each."""
        for _, module in self.named_modules():
            yield module

    def named_modules(self, memo: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """Yield (name, module) for this module and all its descendants, once each.

        Args:
            memo: The `id`s of modules to leave out; receives those that are yielded. Default: none.
            prefix: The name of this module.
        """
        if self._modules is None:
            raise AttributeError(f"{self._name}: call super().__init__() in __init__ first")
        memo = set() if memo is None else memo
        if id(self) not in memo:
            memo.add(id(self))
            yield prefix, self
            for name, module in self._modules.items():
                if module is not None:
                    yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name)

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call `fn` for all descendants and then for this module, and return this module.

        Args:
            fn: A function of a module, for example one that initializes its weights.

        Raises:
            RuntimeError: If a module contains itself.
        """
        self._check_parts("apply")
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _check_parts(self, caller, around=()):
        """Raise RuntimeError if a part of this module contains itself, which would make a recursive method endless."""
        if any([module is self for module in around]):
            raise RuntimeError(
                f"{caller}: a {self._name} contains itself; keep the reference in a list, so that it is not registered"
            )
        for module in self.children():
            module._check_parts(caller, (*around, self))

    # --- modes and types

    def train(self, mode: bool = True) -> Self:
        """Set the flag `training` of this module and of all its parts, and return this module.

        Args:
            mode: The new value.

        Raises:
            ValueError: If `mode` is neither True nor False.
            RuntimeError: If a module contains itself.
        """
        if mode not in (True, False):
            raise ValueError(f"{self._name}: train needs True or False, got {mode!r}")
        self._check_parts("train")
        self.training = bool(mode)
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Return `self.train(False)`: Dropout drops nothing, BatchNorm uses its running statistics."""
        return self.train(False)

    def zero_grad(self, set_to_none: bool = False) -> None:
        """Set the gradients of all parameters to zero.

        Args:
            set_to_none: Whether `grad` becomes None instead.
        """
        for parameter in self.parameters():
            if set_to_none:
                parameter.grad = None
            elif parameter._grad is not None:
                if isinstance(parameter._grad, Variable) and not parameter._grad.volatile:
                    parameter.grad = Variable(parameter._grad.data.clone())  # a graph may hold the old one (0.2)
                parameter._grad.data.zero_()

    zero_grad_parameters = zero_grad  # v0.1.1

    def type(self, dst_type: str | builtins.type) -> Self:
        """Convert all parameters, their gradients and all buffers to one type, in place, and return this module.

        Args:
            dst_type: A class of Tensors or its name, for example "torch.FloatTensor".
        """
        return self._apply(lambda tensor: tensor.type(dst_type))

    def double(self) -> Self:
        """Convert all floating-point parameters and buffers to double precision, and return this module."""
        return self._converted_to("torch.DoubleTensor")

    def float(self) -> Self:
        """Convert all floating-point parameters and buffers to single precision, and return this module."""
        return self._converted_to("torch.FloatTensor")

    def half(self) -> Self:
        """Convert all floating-point parameters and buffers to half precision, and return this module."""
        return self._converted_to("torch.HalfTensor")

    def _converted_to(self, name):
        return self._apply(lambda tensor: tensor.type(name) if tensor.array.dtype in FLOATING else tensor)

    def _apply(self, fn):
        """Replace each parameter's data and gradient and each buffer with `fn(tensor)`, and return the module (v0.1.6).

        Programs call and override it. A parameter that two modules share is passed to `fn` twice.
        """
        self._check_parts("_apply")
        for module in self.children():
            module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is not None:
                parameter.data = fn(parameter.data)
                if isinstance(parameter._grad, Variable):
                    parameter._grad.data = fn(parameter._grad.data)
                elif parameter._grad is not None:
                    parameter._grad = fn(parameter._grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def cuda(self, device_id: int | None = None) -> Self:
        """Return this module if CUDA is ignored, under `run --ignore-cuda` (cuda.py).

        In v0.1.1 `cuda()` also converted to single precision.

        Args:
            device_id: Ignored.

        Raises:
            RuntimeError: Unless CUDA is ignored.
        """
        refuse("Module.cuda()")
        return self.float() if conventions.era.cuda_is_float else self

    def cpu(self) -> Self:
        """Return this module, which is in main memory already."""
        return self

    def share_memory(self) -> Self:
        """Move all parameters and buffers into memory shared with processes forked later, and return this module."""
        for _, tensor in self._state():
            tensor.share_memory_()
        return self

    # --- the state

    def state_dict(
        self, destination: OrderedDict[str, Tensor] | None = None, prefix: str = ""
    ) -> OrderedDict[str, Tensor]:
        """Return all parameters and buffers by name, as Tensors that share the module's memory.

        Args:
            destination: The dictionary to fill and return. Default: a new one.
            prefix: A string before each name.

        Raises:
            RuntimeError: If dots in the names of children give two Tensors the same name, or a module contains itself.
        """
        destination = OrderedDict() if destination is None else destination
        destination.update(self._named_once(prefix))
        return destination

    def _named_once(self, prefix=""):
        """Return {name: Tensor} of the whole state; raise RuntimeError if two Tensors have the same name."""
        self._check_parts("state_dict")
        named = {}
        for name, tensor in self._state(prefix):
            if name in named:
                raise RuntimeError(f"{self._name}: two tensors of the state have the name {name!r}; rename a child")
            named[name] = tensor
        return named

    def _state(self, prefix=""):
        # named_parameters would yield a parameter that two parts share under one name only.
        for name, parameter in self._parameters.items():
            if parameter is not None:
                yield prefix + name, parameter.data
        for name, buffer in self._buffers.items():
            if buffer is not None:
                yield prefix + name, buffer
        for name, module in self._modules.items():
            if module is None:
                continue
            if type(module).state_dict is Module.state_dict:
                yield from module._state(f"{prefix}{name}.")
            else:
                yield from module.state_dict(OrderedDict(), f"{prefix}{name}.").items()

    def parameter_dict(self) -> OrderedDict[str, Variable]:
        """Return all parameters by name, as Variables (v0.1.4 to 0.1.5; later `state_dict`)."""
        self._check_parts("parameter_dict")
        return OrderedDict([(name, value) for name, _, _, value in self._places() if value is not None])

    def load_parameter_dict(self, param_dict: Mapping[str, Variable]) -> None:
        """Make the Variables of `param_dict` the parameters of the same names (v0.1.4 to 0.1.5).

        Args:
            param_dict: Variables by name. Names that no parameter has are ignored. Parameters that it does not name are
                kept.

        Raises:
            TypeError: If a value is not a Variable; then nothing is changed.
        """
        self._check_parts("load_parameter_dict")
        for name, value in param_dict.items():
            if not isinstance(value, Variable):
                raise TypeError(f"{self._name}: {name!r} must be a Variable, got {type(value).__name__}")
        for name, module, key, _ in list(self._places()):
            if name in param_dict:
                module._parameters[key] = param_dict[name]

    def _places(self, prefix=""):
        """Yield (full name, module, name, parameter) for each registered parameter, None and shared ones too."""
        for name, parameter in self._parameters.items():
            yield prefix + name, self, name, parameter
        for name, module in self._modules.items():
            if module is not None:
                yield from module._places(f"{prefix}{name}.")

    def load_state_dict(self, state_dict: Mapping[str, Tensor | Variable], strict: bool = True) -> IncompatibleKeys:
        """Copy the Tensors of `state_dict` into the parameters and buffers of the same names.

        If it raises, the module is unchanged.

        Args:
            state_dict: Tensors by name. The counters `num_batches_tracked` of modern torch are ignored.
            strict: Whether all names must match. Otherwise missing and unexpected names are ignored.

        Returns:
            The lists `missing_keys` and `unexpected_keys`.

        Raises:
            RuntimeError: If shapes differ, or if names differ and `strict` is True. One message lists all differences.
            KeyError: Under the conventions of v0.1.12, if names differ and `strict` is True.
            TypeError: If a value is not a Tensor, or `state_dict` is not a dictionary.
        """
        if not hasattr(state_dict, "items"):
            raise TypeError(f"{self._name}: load_state_dict needs a dictionary, got {type(state_dict).__name__}")
        own, given = self._named_once(), {}
        for name, value in state_dict.items():
            value = value.data if isinstance(value, Variable) else value
            if not isinstance(value, Tensor):
                raise TypeError(
                    f"{self._name}: {name!r} in the state dict must be a Tensor, got {type(value).__name__}"
                )
            given[name] = value
        missing = [name for name in own if name not in given]
        unexpected = [name for name in given if name not in own and not self._ignores(name)]
        problems = []
        error: type[Exception] = RuntimeError
        for what, names, tensors in (("missing", missing, own), ("unexpected", unexpected, given)):
            if strict and names:
                named = ", ".join([f"{name} {shown_size(tensors[name].array.shape)}" for name in names])
                problems.append(f"{what} in the state dict: {named}")
                error = conventions.era.misfit_state
        for name in own:
            if name in given and given[name].array.shape != own[name].array.shape:
                problems.append(
                    f"{name} is {shown(given[name])} in the state dict, and {shown(own[name])} in the module"
                )
        if problems:
            raise error(f"{self._name}: the state dict does not fit; nothing was loaded. " + "; ".join(problems))
        for name, tensor in own.items():
            if name in given:
                tensor.copy_(given[name])
        return IncompatibleKeys(missing, unexpected)

    @staticmethod
    def _ignores(name):
        # A counter of modern torch's BatchNorm. Its state dicts can be loaded without it.
        return name.rpartition(".")[2] == "num_batches_tracked"

    # --- hooks

    def register_forward_hook(self, name: str | Callable, hook: Callable | None = None) -> RemovableHandle:
        """Register a hook that is called after each call of this module.

        Args:
            name: The hook (v0.1.6), or the name of `hook` (v0.1.1). Without a name the hook is called as `hook(module,
                input, result)`, with the result as `forward` returned it. A hook's result other than None replaces
                `result`; under the conventions of v0.1.12 it raises RuntimeError.
            hook: The hook that `name` names. It is called with the input and the result as tuples (under the
                conventions of v0.1.12 with the result as `forward` returned it), and its own result is ignored.
                `remove_forward_hook(name)` removes it.

        Returns:
            A handle whose `remove()` removes the hook.

        Raises:
            ValueError: If there is a hook named `name`.
            TypeError: If `name` is not a string.
        """
        return hooks.register(self, "_forward_hooks", name, hook)

    def register_forward_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Register a hook that is called before each call of this module.

        Args:
            hook: Called as `hook(module, input)`, with the input as a tuple. It may return another input, or a tuple of
                them.

        Returns:
            A handle whose `remove()` removes the hook.
        """
        return hooks.register(self, "_forward_pre_hooks", hook, None)

    def register_backward_hook(self, name: str | Callable, hook: Callable | None = None) -> RemovableHandle:
        """Register a hook that is called after the backward pass of the module's last Function.

        As in all v0.1.x the gradients are those of the last Function, not of the whole module. For those use
        `register_full_backward_hook`.

        Args:
            name: The hook (v0.1.6), or the name of `hook` (v0.1.1). Without a name the hook is called as `hook(module,
                grad_input, grad_output)` with two tuples, and may return another grad_input.
            hook: The hook that `name` names. It is called with the same arguments, but a single gradient as grad_output
                without its tuple (under the conventions of v0.1.12 in a tuple), and its own result is ignored.
                `remove_backward_hook(name)` removes it.

        Returns:
            A handle whose `remove()` removes the hook.

        Raises:
            ValueError: If there is a hook named `name`.
            TypeError: If `name` is not a string.
        """
        return hooks.register(self, "_backward_hooks", name, hook)

    def register_full_backward_hook(self, hook: Callable) -> RemovableHandle:
        """Register a hook that is called with the gradients of all inputs and outputs of the module (added: 1.8).

        Args:
            hook: Called as `hook(module, grad_input, grad_output)` with two tuples, which hold None for inputs that
                require no gradient. It may return another grad_input.

        Returns:
            A handle whose `remove()` removes the hook.
        """
        return hooks.register(self, "_full_backward_hooks", hook, None)

    def remove_forward_hook(self, name: str) -> None:
        """Remove the forward hook registered as `name`.

        Args:
            name: The name.

        Raises:
            KeyError: If there is no such hook.
        """
        hooks.remove(self, "_forward_hooks", name)

    def remove_backward_hook(self, name: str) -> None:
        """Remove the backward hook registered as `name`.

        Args:
            name: The name.

        Raises:
            KeyError: If there is no such hook.
        """
        hooks.remove(self, "_backward_hooks", name)

    # --- showing

    def extra_repr(self) -> str:
        """Return what `repr` shows between the parentheses, before the children."""
        return ""

    def _unusual(self, **usual):
        """Return ", name=value" for each attribute that differs from its `usual` value, as a part of `extra_repr`."""
        present = {name: getattr(self, name) for name in usual if hasattr(self, name)}
        return "".join([f", {name}={value}" for name, value in present.items() if value != usual[name]])

    def __repr__(self):
        self._check_parts("repr")
        lines = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self._modules.items()]
        extra = self.extra_repr()
        if not lines:
            return f"{self._name}({extra})"
        return f"{self._name}(" + "".join([f"\n  {line}" for line in [*([extra] if extra else []), *lines]]) + "\n)"


def _addindent(s_, numSpaces):
    """Return the text `s_` with all lines but the first indented; programs write their own `__repr__` with it."""
    return s_.replace("\n", "\n" + " " * numSpaces)


def _is_parameter_of_2016(name, value):
    is_leaf = type(value) is Variable and value.is_leaf
    return is_leaf and name in ("weight", "bias") and conventions.era.weight_and_bias_are_parameters
