"""`Module`: a part of a network, with its parameters and the parts it is made of (2016: `torch/nn/modules/module.py`).

A Module computes no gradient. Its `forward` calls Functions on Variables, and they know their derivatives.
"""

import functools
from collections import OrderedDict, namedtuple

from .. import conventions
from ..autograd import callbacks
from ..autograd.function import NOTHING_REGISTERED
from ..autograd.variable import Variable
from ..cuda import refuse
from ..modern_names import attribute_error
from ..tensor import Tensor
from ..tensor._helpers import shown, shown_size
from ..tensor.dtypes import FLOATING
from . import hooks
from .backends.thnn import backend
from .parameter import Parameter

_OF_THE_CALL = frozenset(["forward", "_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_full_backward_hooks"])
_around_module = callbacks.around_module

IncompatibleKeys = namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")


class Module:
    """The base of all layers and networks. A subclass assigns its parts in `__init__` and defines `forward`.

    What is assigned is registered: a `Parameter` as a parameter, a Module as a child (`register_buffer` does it for a
    Tensor that is part of the state and no parameter). In August 2016 parameters were plain Variables with the names
    `weight` and `bias`; under the conventions of v0.1.1 such an assignment registers a parameter too.

    `forward(*input)` returns a Variable, or several. v0.1.1 called it `_forward`, and it had to return a tuple; a
    subclass may define that one instead. Call the module, not the method: only `module(x)` runs the hooks.

    `training` says whether layers such as Dropout act as in training; `train()` and `eval()` set it for all parts.
    (In v0.1.1 the flag was called `train`; assigning True or False to `train` sets the flag of this module alone.)
    """

    # So that a subclass which forgets super().__init__() is told so, and not that an attribute is missing.
    _parameters = _buffers = _modules = None
    training = True
    _backend = backend
    _forward_pre_hooks = _forward_hooks = _backward_hooks = _full_backward_hooks = NOTHING_REGISTERED

    def __init__(self):
        vars(self).update(_parameters=OrderedDict(), _buffers=OrderedDict(), _modules=OrderedDict())

    # --- the call

    def __call__(self, *input, **named):
        """Run the hooks and `forward`; returns what forward returns (a tuple of one as its one Variable)."""
        if _around_module.callbacks:
            return _around_module.run(self, functools.partial(self._run, **named), input)
        # __getattr__ makes every attribute slow to read: one look into the dictionary instead of five attributes.
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

    def forward(self, *input):
        """What the module computes. To be defined by a subclass."""
        if type(self)._forward is Module._forward:
            raise NotImplementedError(f"{self._name} does not define forward")
        result = self._forward(*input)
        return result[0] if isinstance(result, tuple) and len(result) == 1 else result

    def _forward(self, *input):
        """`forward` as in v0.1.1: returns a tuple, also of one Variable."""
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
            raise AttributeError(
                f"{self._name}: call super().__init__() before assigning {name!r}, so that it can be registered"
            )
        for other in ("_parameters", "_buffers", "_modules"):
            if other != registry:
                vars(self)[other].pop(name, None)
        vars(self).pop(name, None)
        vars(self)[registry][name] = value

    def _replace(self, name, value):
        """Put `value`, no parameter and no module, in the place of what is registered; False if nothing is."""
        for registry, kind in (("_parameters", Parameter), ("_modules", Module), ("_buffers", Tensor)):
            registered = vars(self).get(registry)
            if registered is None or name not in registered:
                continue
            if value is not None and not isinstance(value, kind):
                raise TypeError(
                    f"{self._name}: {name!r} is registered, and can only be a {kind.__name__} or None, not a "
                    f"{type(value).__name__}; del it first to use the name for something else"
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

    def register_parameter(self, name, param):
        """Register a Parameter under `name`, or None for one that this module does without (a bias, for example).

        Replaces the parameter of that name. Raises KeyError if the name is taken by something else, TypeError if
        `param` is no Parameter.
        """
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"{self._name}: register_parameter needs a Parameter or None, got {type(param).__name__}")
        if name not in (self._parameters or ()):
            self._check_name(name)
        self._parameters[name] = param

    def register_buffer(self, name, tensor):
        """Register a Tensor that is part of the state and no parameter, a running mean for example.

        Replaces the buffer of that name. Raises KeyError if the name is taken by something else, TypeError if `tensor`
        is no Tensor (and not None).
        """
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"{self._name}: register_buffer needs a Tensor or None, got {type(tensor).__name__}")
        if name not in (self._buffers or ()):
            self._check_name(name)
        self._buffers[name] = tensor

    def add_module(self, name, module):
        """Register a Module as a child. Raises KeyError if the name is taken, TypeError if `module` is no Module.

        A child of that name is replaced; under the conventions of v0.1.12 it counts as taken too. The name may have
        dots in it, as in v0.1.x (today it may not).
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{self._name}: add_module needs a Module, got {type(module).__name__}")
        if name not in (self._modules or ()) or not conventions.era.add_module_replaces:
            self._check_name(name, dots=True)
        self._register("_modules", name, module)

    def _check_name(self, name, dots=False):
        if vars(self).get("_parameters") is None:
            raise AttributeError(f"{self._name}: call super().__init__() before registering {name!r}")
        if not isinstance(name, str) or not name or "." in name and not dots:
            without = "" if dots else ", without dots"
            raise KeyError(f"{self._name}: a name is a string that is not empty{without}; got {name!r}")
        if hasattr(self, name):
            raise KeyError(f"{self._name}: the name {name!r} is taken")

    # --- what the module is made of

    def parameters(self, memo=None):
        """Every parameter of this module and of all its parts, once each, but for those whose `id` is in `memo`."""
        for _, parameter in self.named_parameters(memo):
            yield parameter

    def named_parameters(self, memo=None, prefix=""):
        """The same with their names: `conv1.weight` is the parameter `weight` of the child `conv1`."""
        yield from self._named("_parameters", set() if memo is None else memo, prefix)

    def buffers(self):
        """Every buffer of this module and of all its parts, once each."""
        for _, buffer in self.named_buffers():
            yield buffer

    def named_buffers(self, memo=None, prefix=""):
        """The same with their names."""
        yield from self._named("_buffers", set() if memo is None else memo, prefix)

    def _named(self, registry, memo, prefix):
        for path, module in self.named_modules(prefix=prefix):
            for name, value in vars(module)[registry].items():
                if value is not None and id(value) not in memo:
                    memo.add(id(value))
                    yield (f"{path}.{name}" if path else name), value

    def children(self):
        """The modules that this one is directly made of, once each."""
        for _, module in self.named_children():
            yield module

    def named_children(self):
        """The same with their names."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def modules(self):
        """This module, and all that it is made of, once each."""
        for _, module in self.named_modules():
            yield module

    def named_modules(self, memo=None, prefix=""):
        """The same with their names; this module's own is `prefix`."""
        if self._modules is None:
            raise AttributeError(f"{self._name}: call super().__init__() in __init__, which makes the registries")
        memo = set() if memo is None else memo
        if id(self) not in memo:
            memo.add(id(self))
            yield prefix, self
            for name, module in self._modules.items():
                if module is not None:
                    yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name)

    def apply(self, fn):
        """Call `fn(module)` for all parts, and last for this module; returns it. Initialisations are written so."""
        self._check_parts("apply")
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _check_parts(self, caller, around=()):
        """Raise RuntimeError if a part of this module contains itself: what visits all parts would not end."""
        if any([module is self for module in around]):
            raise RuntimeError(
                f"{caller}: a {self._name} contains itself; keep the reference in a list, which registers no module"
            )
        for module in self.children():
            module._check_parts(caller, (*around, self))

    # --- modes and types

    def train(self, mode=True):
        """Set the flag `training` of this module and call `train(mode)` of its children; returns the module.

        Raises ValueError if `mode` is no bool.
        """
        if mode not in (True, False):
            raise ValueError(f"{self._name}: train needs True or False, got {mode!r}")
        self._check_parts("train")
        self.training = bool(mode)
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """`train(False)`: Dropout lets everything pass, BatchNorm uses what it has learned of the data."""
        return self.train(False)

    def zero_grad(self, set_to_none=False):
        """Make the gradients of all parameters zero, or with `set_to_none` forget them."""
        for parameter in self.parameters():
            if set_to_none:
                parameter.grad = None
            elif parameter._grad is not None:
                parameter._grad.data.zero_()

    zero_grad_parameters = zero_grad  # v0.1.1

    def type(self, dst_type):
        """Convert all parameters, their gradients and the buffers to `dst_type`, in place; returns the module."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def double(self):
        """Convert all floating-point parameters and buffers to double; returns the module."""
        return self._converted_to("torch.DoubleTensor")

    def float(self):
        """Convert all floating-point parameters and buffers to float; returns the module."""
        return self._converted_to("torch.FloatTensor")

    def half(self):
        """Convert all floating-point parameters and buffers to half precision; returns the module."""
        return self._converted_to("torch.HalfTensor")

    def _converted_to(self, name):
        return self._apply(lambda tensor: tensor.type(name) if tensor.array.dtype in FLOATING else tensor)

    def _apply(self, fn):
        """Replace every parameter's data and gradient and every buffer with `fn(tensor)`; returns the module (v0.1.6).

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

    def cuda(self, device_id=None):
        """Raises RuntimeError: there is no CUDA here. The module itself where that is ignored (cuda.py).

        In v0.1.1 this was a conversion to floats as well.
        """
        refuse("Module.cuda()")
        return self.float() if conventions.era.cuda_is_float else self

    def cpu(self):
        """The module itself: its memory is the processor's already."""
        return self

    def share_memory(self):
        """Move all parameters and buffers into memory that processes forked from here on share. Returns the module."""
        for _, tensor in self._state():
            tensor.share_memory_()
        return self

    # --- the state

    def state_dict(self, destination=None, prefix=""):
        """All parameters and buffers, as an OrderedDict from names to Tensors, which share the module's memory."""
        destination = OrderedDict() if destination is None else destination
        destination.update(self._named_once(prefix))
        return destination

    def _named_once(self, prefix=""):
        """{name: Tensor} of the whole state; RuntimeError where dots in names of children give two the same name."""
        self._check_parts("state_dict")
        named = {}
        for name, tensor in self._state(prefix):
            if name in named:
                raise RuntimeError(f"{self._name}: two tensors of the state have the name {name!r}; rename a child")
            named[name] = tensor
        return named

    def _state(self, prefix=""):
        # Not named_parameters: a parameter that two parts share is written under both names.
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

    def parameter_dict(self):
        """Return all parameters by name, an OrderedDict of Variables (v0.1.4 to 0.1.5; later `state_dict`)."""
        self._check_parts("parameter_dict")
        return OrderedDict([(name, value) for name, _, _, value in self._places() if value is not None])

    def load_parameter_dict(self, param_dict):
        """Make the Variables of `param_dict` the parameters of the same names (v0.1.4 to 0.1.5).

        A name that no parameter has is ignored, a parameter without a name there stays. Raises TypeError, and changes
        nothing, for a value that is no Variable.
        """
        self._check_parts("load_parameter_dict")
        for name, value in param_dict.items():
            if not isinstance(value, Variable):
                raise TypeError(f"{self._name}: {name!r} must be a Variable, got a {type(value).__name__}")
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

    def load_state_dict(self, state_dict, strict=True):
        """Copy the Tensors of `state_dict` into the parameters and buffers of the same names.

        With `strict=False` names that are missing or unexpected are passed over. Returns both lists of names. Raises
        RuntimeError for such names and for wrong sizes, all in one message, and TypeError for what is no Tensor; the
        module is then left as it was. Under the conventions of v0.1.12 such names raise KeyError.
        """
        if not hasattr(state_dict, "items"):
            raise TypeError(f"{self._name}: load_state_dict needs a dictionary, got {type(state_dict).__name__}")
        own, given = self._named_once(), {}
        for name, value in state_dict.items():
            value = value.data if isinstance(value, Variable) else value
            if not isinstance(value, Tensor):
                raise TypeError(f"{self._name}: {name!r} in the state dict is no Tensor but a {type(value).__name__}")
            given[name] = value
        missing = [name for name in own if name not in given]
        unexpected = [name for name in given if name not in own and not self._ignores(name)]
        problems, error = [], RuntimeError
        for what, names, tensors in (("missing", missing, own), ("unexpected", unexpected, given)):
            if strict and names:
                named = ", ".join([f"{name} ({shown_size(tensors[name].array.shape)})" for name in names])
                problems.append(f"{what} in the state dict: {named}")
                error = conventions.era.misfit_state
        for name in own:
            if name in given and given[name].array.shape != own[name].array.shape:
                problems.append(
                    f"{name} is {shown(given[name])} in the state dict, and {shown(own[name])} in the module"
                )
        if problems:
            raise error(f"{self._name}: the state dict does not fit, nothing was loaded. " + "; ".join(problems))
        for name, tensor in own.items():
            if name in given:
                tensor.copy_(given[name])
        return IncompatibleKeys(missing, unexpected)

    @staticmethod
    def _ignores(name):
        # A counter that modern torch's BatchNorm has, so that its state dicts can be loaded here.
        return name.rpartition(".")[2] == "num_batches_tracked"

    # --- hooks

    def register_forward_hook(self, name, hook=None):
        """Have a hook called whenever the module was run. Returns a handle with `remove()`.

        `register_forward_hook(name, hook)` is v0.1.1's: `hook(module, input, result)` with two tuples (under the
        conventions of v0.1.12 the result as `forward` returned it); the name has to be new, and
        `remove_forward_hook(name)` takes it out. `register_forward_hook(hook)` (v0.1.9): `hook(module, input, result)`,
        the result as `forward` returned it; what the hook returns, unless it is None, takes its place, or under the
        conventions of v0.1.12 raises RuntimeError. Raises ValueError for a name that is taken.
        """
        return hooks.register(self, "_forward_hooks", name, hook)

    def register_forward_pre_hook(self, hook):
        """Have `hook(module, input)` called before the module is run; it may return another input, or tuple of them."""
        return hooks.register(self, "_forward_pre_hooks", hook, None)

    def register_backward_hook(self, name, hook=None):
        """Have a hook called when the last Function of the module ran backward. Returns a handle with `remove()`.

        `register_backward_hook(name, hook)` is v0.1.1's: `hook(module, grad_input, grad_output)`, the gradients of
        that Function's inputs as a tuple, and that of its output (under the conventions of v0.1.12 a tuple as well).
        `register_backward_hook(hook)` (v0.1.9) is given two tuples, and may return another grad_input. As in all v0.1.x
        these are the last Function's, not the whole module's: for those there is `register_full_backward_hook`.
        """
        return hooks.register(self, "_backward_hooks", name, hook)

    def register_full_backward_hook(self, hook):
        """Have `hook(module, grad_input, grad_output)` called with the gradients of all inputs and outputs.

        Both are tuples, with None for what requires no gradient; it may return another grad_input (added: 1.8).
        """
        return hooks.register(self, "_full_backward_hooks", hook, None)

    def remove_forward_hook(self, name):
        """Take out the hook registered under `name`; KeyError if there is none."""
        hooks.remove(self, "_forward_hooks", name)

    def remove_backward_hook(self, name):
        """Take out the hook registered under `name`; KeyError if there is none."""
        hooks.remove(self, "_backward_hooks", name)

    # --- showing

    def extra_repr(self):
        """What `repr` shows between the parentheses, before the children."""
        return ""

    def _unusual(self, **usual):
        """The attributes that differ from their `usual` values, as a part of `extra_repr`: ", name=value" for each."""
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
