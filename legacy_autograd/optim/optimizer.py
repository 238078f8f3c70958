"""`Optimizer`: parameters in groups, and the state of each parameter (2016: `torch/optim/optimizer.py`).

A subclass defines one formula, `_update`, for one parameter. The older forms of `step` are in `forms_of_2016.py`.
"""

import numbers
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy

from ..autograd.variable import Variable
from ..nn.module import Module
from ..tensor import Tensor
from ..tensor.arguments import number_for
from ..tensor.base import STEP
from ..tensor.messages import shown_size
from ..tensor.wrapping import wrap
from . import forms_of_2016

Parameters: TypeAlias = Iterable[Variable] | Iterable[dict[str, Any]] | Module | tuple[Module, Module]


class _Required:
    def __repr__(self):
        return "<required parameter>"


required: Any = _Required()  # in `defaults`: the option has no default


class Optimizer:
    """The base class of optimizers, which change parameters step by step according to their gradients.

    `param_groups` is the list of parameter groups, each a dict with `"params"` and all options, which may be changed
    between steps. `state` maps each parameter to a dict with what the algorithm keeps about it.

    Args:
        params: Variables; or parameter groups, dicts with `"params"` and the options that differ from `defaults`; or,
            as in v0.1.1, a model or a pair (model, criterion).
        defaults: The options of groups that do not set them.

    Raises:
        TypeError: If `params` is or contains something else.
        ValueError: If there are no parameters, a parameter is given twice or is the result of an operation, or an
            option is missing or out of range.
    """

    _not_negative: tuple[str, ...] = ("lr",)  # options that are numbers of 0 or more
    _fractions: tuple[str, ...] = ()  # options that are pairs of numbers from 0 to 1, 1 excluded (`betas`)
    _numbers: tuple[str, ...] = ("step",)  # keys of a parameter's state whose values are numbers
    _tensors: tuple[str, ...] = ()  # keys whose values are Tensors
    _lists: tuple[str, ...] = ()  # keys whose values are lists of numbers or Tensors
    _later_options: tuple[str, ...] = ("maximize",)  # options that groups saved by v0.1.x do not have
    _closures_compute_only_the_loss = False  # whether the last closures did (forms_of_2016.py)
    model = criterion = None  # for optimizers pickled without them

    def __init__(self, params: Parameters, defaults: dict[str, Any]) -> None:
        self.model, self.criterion, params = forms_of_2016.model_and_parameters(self, params)
        self.defaults = defaults
        self.state: dict[Variable, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError(
                f"{self._name} got an empty parameter list: the model has no parameters, or their iterator was used up "
                "before"
            )
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __getstate__(self):
        """Return all attributes for a pickle. A subclass may extend both methods, as in v0.1.x."""
        return dict(vars(self))

    def __setstate__(self, state):
        """Set the attributes in the dict `state`; `load_state_dict` calls it with `state` and `param_groups`."""
        vars(self).update(state)

    @property
    def _name(self):
        return type(self).__name__

    def __repr__(self):
        lines = []
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return f"{self._name} (\n" + "\n".join(lines) + "\n)"

    # --- groups

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a parameter group. If it raises, the optimizer is unchanged.

        Args:
            param_group: A dict with `"params"` and the options that differ from the defaults.

        Raises:
            TypeError: If `param_group` is not a dict, or a parameter is not a Variable.
            ValueError: If a parameter or an option does not fit, as in the constructor.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"{self._name}: a parameter group must be a dict, got {type(param_group).__name__}")
        if "params" not in param_group:
            raise ValueError(f'{self._name}: a parameter group needs "params", got a dict with {sorted(param_group)}')
        params = param_group["params"]
        if isinstance(params, (set, frozenset)):
            raise TypeError(f"{self._name}: parameters in a set have no fixed order; use a list")
        group = {**param_group, "params": [params] if isinstance(params, Variable) else list(params)}
        self._check_params(group["params"])
        for option, default in self.defaults.items():
            if default is required and option not in group:
                raise ValueError(
                    f"{self._name}: parameter group {len(self.param_groups)} needs a value of the required "
                    f"option {option}"
                )
            group.setdefault(option, default)
        self._settle(group)
        self.param_groups.append(group)

    def _check_params(self, params):
        known = {id(p) for group in self.param_groups for p in group["params"]}
        for position, p in enumerate(params):
            if not isinstance(p, Variable):
                raise TypeError(
                    f"{self._name} can only optimize Variables, but parameter {position} is a {type(p).__name__}"
                )
            if not p.is_leaf:
                raise ValueError(
                    f"{self._name} can't optimize a non-leaf Variable: parameter {position} is an output of "
                    f"{type(p.creator).__name__}"
                )
            if id(p) in known:
                raise ValueError(f"{self._name}: parameter {position}, of size {shown_size(p.size())}, is given twice")
            known.add(id(p))

    def _settle(self, group):
        """Raise if an option of `group` is out of range. A subclass adds its own checks."""
        for option in self._not_negative:
            if option not in group:
                continue  # a user's optimizer may have no learning rate
            self._check_number(option, group[option], _is_number(group[option]) and group[option] >= 0)
        for option in self._fractions:
            for number, value in enumerate(self._pair(option, group)):
                in_range = _is_number(value) and 0 <= value < 1
                self._check_number(f"{option}[{number}]", value, in_range, "from 0 to 1 (excluded)")

    def _check_number(self, option, value, in_range, needs="a number of 0 or more"):
        if not _is_number(value):
            raise TypeError(f"{self._name}: {option} must be {needs}, got {type(value).__name__}")
        if not in_range:
            raise ValueError(f"{self._name}: {option} must be {needs}, got {value}")

    def _pair(self, option, group):
        """Return an option that is a pair; raise TypeError if it is not."""
        pair = group[option]
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"{self._name}: {option} must be a pair of numbers, got {pair!r}")
        return pair

    # --- a step

    def zero_grad(self, set_to_none: bool = False) -> None:
        """Set the gradients of all parameters to zero, as v0.1.x did.

        Args:
            set_to_none: Whether `grad` becomes None instead (the default of modern torch). The next step ignores a
                parameter without a gradient. It still changes one whose gradient is zero, by its momentum and its
                weight decay.
        """
        for group in self.param_groups:
            if set_to_none:
                for p in group["params"]:
                    p.grad = None
                continue
            for p in group["params"]:
                grad = p._grad
                if isinstance(grad, Tensor):
                    grad.zero_()
                elif grad is not None:
                    grad.data.zero_()

    def step(self, *input: Any) -> Any:
        """Change every parameter that has a gradient. Parameters without a gradient are ignored.

        `step()` does only that. `step(closure)` first calls `closure()`, which computes the loss and runs backward
        (v0.1.5). If the closure only computes the loss, as in October 2016, `step` sets the gradients to zero and runs
        backward (forms_of_2016.py describes how this is recognized).

        An optimizer made from a model also has two older forms. `step(*input)` (v0.1.1) runs the model, the criterion
        and backward; with a criterion the arguments are (input, target), without one the model's output is the loss. It
        does not set the gradients to zero. In `step(closure)` (v0.1.2 to v0.1.4) the closure only computes the loss;
        `step` sets the gradients to zero before and runs backward after.

        If it raises, parameters and state are unchanged.

        Args:
            *input: Nothing, a closure, or the arguments of the model.

        Returns:
            The result of the closure; for an optimizer made from a model the loss as a number; without arguments None.

        Raises:
            TypeError: If there are other arguments.
            RuntimeError: If the closure computes no gradient, or a gradient has another shape or type than its
                parameter.
        """
        loss = forms_of_2016.loss_of(self, input) if input else None
        groups = self._check_gradients()
        if any(self.state.values()):
            self._check_state()
        for group, with_gradient in groups:
            self._update_group(group, with_gradient)
        return loss

    def _update_group(self, group, with_gradient):
        """Change the parameters of one group. A subclass may change all of them at once.

        `with_gradient` holds (parameter, tensor, its array, the gradient's array).
        """
        for p, tensor, w, g in with_gradient:
            state = self.state[p]
            self._update(w, g, state, group)
            tensor._wrote_as(STEP)
            for value in state.values():
                if isinstance(value, Tensor):
                    value._wrote_as(STEP)

    def _update(self, w, g, state, group):
        """Change the array `w` of a parameter in place, by its gradient `g`, which must not be changed, and its state.

        The formulas use numpy arrays in place, because reading and writing memory takes most of the time.
        """
        raise NotImplementedError(f"{self._name} does not define step")

    def _direction(self, w, g, group):
        """Return the gradient to descend by, including the weight decay (the gradient of weight_decay w² / 2)."""
        if group["maximize"]:
            g = -g
        if group["weight_decay"]:
            decay = w * group["weight_decay"]
            decay += g
            return decay
        return g

    def _check_gradients(self):
        """Return (group, [(parameter, tensor, its array, gradient's array)]) of each group; skips missing gradients.

        Raises RuntimeError if a gradient has another shape or type than its parameter.
        """
        groups = []
        for group in self.param_groups:
            params, with_gradient = group["params"], []
            groups.append((group, with_gradient))
            for p in params:
                grad = p._grad
                if grad is None:
                    continue
                tensor = p.data
                w, g = tensor.array, grad.array
                if w.shape != g.shape or w.dtype is not g.dtype:
                    position = next(position for position, other in enumerate(params) if other is p)
                    raise RuntimeError(
                        f"{self._name}: parameter {position} of group {len(groups) - 1} is a {p.data.type()} of size "
                        f"{shown_size(w.shape)}, its gradient is a {grad.data.type()} of size {shown_size(g.shape)}"
                    )
                with_gradient.append((p, tensor, w, g))
        return groups

    def _check_state(self):
        for p, state in self.state.items():
            for key, value in state.items():
                if p._grad is not None and isinstance(value, Tensor) and value.array.shape != p.data.array.shape:
                    raise RuntimeError(
                        f"{self._name}: a parameter has the size {shown_size(p.size())}, but its {key} from earlier "
                        f"steps has {shown_size(value.size())}; after a change of size make a new optimizer"
                    )

    # --- the state, in a form that can be saved

    def state_dict(self) -> dict[str, Any]:
        """Return `{"state": {number: …}, "param_groups": […]}`, from which `load_state_dict` restores the optimizer.

        Parameters are replaced by their numbers, counted over all groups (as since 2020; v0.1.x had their ids). Tensors
        are those of the optimizer, not copies, and change with the next step.
        """
        params = [p for group in self.param_groups for p in group["params"]]
        numbers_of = {p: number for number, p in enumerate(params)}
        groups = [{**group, "params": [numbers_of[p] for p in group["params"]]} for group in self.param_groups]
        return {"state": {numbers_of[p]: dict(state) for p, state in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` returned. If it raises, the optimizer is unchanged.

        Args:
            state_dict: The state. Tensors are copied and converted to the type of their parameters.

        Raises:
            ValueError: If groups, parameters, options or the shape of a tensor differ from this optimizer's.
            TypeError: If an entry has another type.
        """
        groups, params = self._loaded_groups(state_dict)
        state: dict[Variable, dict[str, Any]] = defaultdict(dict)
        for number, saved in state_dict["state"].items():
            if number not in params:
                raise ValueError(
                    f"{self._name}.load_state_dict: the parameters are 0 to {len(params) - 1}, got a state of "
                    f"parameter {number!r}"
                )
            p = params[number]
            if not isinstance(saved, dict):
                raise TypeError(
                    f"{self._name}.load_state_dict: the state of parameter {number} must be a dict, got "
                    f"{type(saved).__name__}"
                )
            for key, value in saved.items():
                self._check_kind(number, key, value)
            state[p] = {key: self._loaded(p, number, key, value) for key, value in saved.items()}
        self.__setstate__({"state": state, "param_groups": groups})

    def _loaded_groups(self, state_dict):
        """Return the new groups, and {number in the state_dict: parameter}."""
        try:
            saved_groups = [dict(group) for group in state_dict["param_groups"]]
            sizes = [len(group["params"]) for group in saved_groups]
            state_dict["state"].items()
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ValueError(
                f"{self._name}.load_state_dict: expected the result of an optimizer's state_dict()"
            ) from None
        own_sizes = [len(group["params"]) for group in self.param_groups]
        if sizes != own_sizes:
            raise ValueError(
                f"{self._name}.load_state_dict: expected groups of {own_sizes} parameters, got groups of {sizes}"
            )
        params = {}
        for group, saved in zip(self.param_groups, saved_groups):
            for option in self._later_options:
                if option in self.defaults:
                    saved.setdefault(option, self.defaults[option])
            missing = [option for option in self.defaults if option not in saved]
            if missing:
                raise ValueError(
                    f"{self._name}.load_state_dict: a group has no {', '.join(missing)}; it may be the state of "
                    "another optimizer"
                )
            params.update(zip(saved["params"], group["params"]))
            saved["params"] = group["params"]
            self._settle(saved)
        return saved_groups, params

    def _loaded(self, p, number, key, value):
        """Return one entry of a parameter's state; lists (LBFGS's memory) entry by entry."""
        if isinstance(value, (list, tuple)):
            return [self._loaded(p, number, key, entry) for entry in value]
        if not isinstance(value, Tensor):
            return value
        if key in self._numbers:  # modern torch saves them as tensors of one element
            return value.item()
        self._check_loaded(p, number, key, value)
        return value.clone() if value.type() == p.data.type() else value.type(p.data.type())

    def _check_kind(self, number, key, value):
        """Raise TypeError unless a value has the type that its key requires. Unknown keys may have any value."""
        if key in self._tensors:
            needed, fits = "a Tensor", [isinstance(entry, Tensor) for entry in _entries(value)]
        elif key in self._numbers:
            needed, fits = "a number", [_is_number(_single(entry)) for entry in _entries(value)]
        else:
            return
        if isinstance(value, (list, tuple)) != (key in self._lists) or not all(fits):
            needed = f"a list, each entry {needed}" if key in self._lists else needed
            raise TypeError(
                f"{self._name}.load_state_dict: {key} of parameter {number} must be {needed}, got {repr(value):.100}"
            )

    def _check_loaded(self, p, number, key, value):
        if value.size() != p.size():
            raise ValueError(
                f"{self._name}.load_state_dict: {key} of parameter {number} must have its size {shown_size(p.size())}, "
                f"got {shown_size(value.size())}"
            )


def zeros(w: numpy.ndarray) -> Tensor:
    """Return zero-initialized state with the shape and type of `w`.

    Args:
        w: The array of a parameter.
    """
    return wrap(numpy.zeros_like(w))


def move_average(average: numpy.ndarray, new: numpy.ndarray, beta: float) -> None:
    """Set average <- beta average + (1 - beta) new, in place.

    Args:
        average: The moving average.
        new: The new value. Its memory is overwritten.
        beta: The weight of the old average.
    """
    numpy.multiply(average, number_for("beta", average, beta), average)
    numpy.multiply(new, number_for("beta", new, 1 - beta), new)
    numpy.add(average, new, average)


def _is_number(value):
    return isinstance(value, numbers.Real)


def _entries(value):
    return value if isinstance(value, (list, tuple)) else [value]


def _single(value):
    """Return the number in a Tensor of one element, and any other value unchanged."""
    return value.item() if isinstance(value, Tensor) and value.numel() == 1 else value
