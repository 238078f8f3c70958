"""`Optimizer`: parameters in groups, and the state of each (2016: `torch/optim/optimizer.py`).

A subclass writes one formula, `_update`, for one parameter. Everything else is here, but the older forms of `step`:
they are in `forms_of_2016.py`.
"""

import numbers
from collections import defaultdict

import numpy

from ..autograd.variable import Variable
from ..tensor import Tensor
from ..tensor._helpers import shown_size, wrap
from . import forms_of_2016


class _Required:
    def __repr__(self):
        return "<required parameter>"


required = _Required()  # stands in `defaults` for an option that has none


class Optimizer:
    """Changes parameters by their gradients, a step at a time.

    `params` is an iterable of Variables, or of dicts, each with its `"params"` and the options that differ for them
    (a parameter group); or as in v0.1.1 a model, or a pair `(model, criterion)`. `defaults` are the options of the
    groups that do not say theirs.

    `param_groups` is the list of groups, each a dict with all its options, which may be changed between steps;
    `state` maps each parameter to a dict of what the algorithm remembers about it.

    Raises TypeError where `params` is or holds something else; ValueError for no parameters, a parameter that is given
    twice or is the result of an operation, an option that is missing or out of its range.
    """

    _not_negative = ("lr",)  # the options that are numbers from 0 on
    _fractions = ()  # the options that are pairs of numbers from 0 to 1, 1 excluded (`betas`)
    _numbers = ("step",)  # what is a number in the state of a parameter, not one for each element
    _tensors = ()  # what is a Tensor in it
    _lists = ()  # which of both are lists of them
    _later_options = ("maximize",)  # what groups saved by v0.1.x do not have
    _closures_compute_only_the_loss = False  # whether the last closures did (forms_of_2016.py)
    model = criterion = None  # of an optimizer that was pickled without them

    def __init__(self, params, defaults):
        self.model, self.criterion, params = forms_of_2016.model_and_parameters(self, params)
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError(
                f"{self._name} got an empty parameter list: the model has no parameters, or the iterator of them was "
                "used up before"
            )
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __getstate__(self):
        """What is pickled: everything that the optimizer holds. A subclass may extend both methods, as in v0.1.x."""
        return dict(vars(self))

    def __setstate__(self, state):
        """Take over the attributes in the dict `state`; `load_state_dict` calls it with `state` and `param_groups`."""
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

    def add_param_group(self, param_group):
        """Take in one more group: a dict with `"params"` and the options that differ from the defaults.

        Raises as the constructor does; the optimizer is then left as it was.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"{self._name}: a parameter group is a dict, got {type(param_group).__name__}")
        if "params" not in param_group:
            raise ValueError(f'{self._name}: a parameter group needs "params"; this one has {sorted(param_group)}')
        params = param_group["params"]
        if isinstance(params, (set, frozenset)):
            raise TypeError(f"{self._name}: parameters in a set have no fixed order; use a list")
        group = {**param_group, "params": [params] if isinstance(params, Variable) else list(params)}
        self._check_params(group["params"])
        for option, default in self.defaults.items():
            if default is required and option not in group:
                raise ValueError(
                    f"{self._name}: parameter group {len(self.param_groups)} didn't specify a value of the required "
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
        """Raise if an option of `group` is out of its range. A subclass adds what is special to it."""
        for option in self._not_negative:
            if option not in group:
                continue  # an optimizer of the program's own, without a learning rate
            self._check_number(option, group[option], _is_number(group[option]) and group[option] >= 0)
        for option in self._fractions:
            for number, value in enumerate(self._pair(option, group)):
                in_range = _is_number(value) and 0 <= value < 1
                self._check_number(f"{option}[{number}]", value, in_range, "from 0 to 1 (excluded)")

    def _check_number(self, option, value, in_range, needs="a number that is not negative"):
        if not _is_number(value):
            raise TypeError(f"{self._name}: {option} is to be {needs}, got {type(value).__name__}")
        if not in_range:
            raise ValueError(f"{self._name}: {option} is to be {needs}, got {value}")

    def _pair(self, option, group):
        """Return an option that is two values; TypeError if it is something else."""
        pair = group[option]
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"{self._name}: {option} is to be a pair of numbers, got {pair!r}")
        return pair

    # --- a step

    def zero_grad(self, set_to_none=False):
        """Make the gradients of all parameters zero, as v0.1.x did; or forget them, which is today's default.

        A parameter whose gradient was forgotten is passed over by the next step, unless a backward gives it one. One
        whose gradient is zero still moves by its momentum and its weight decay.
        """
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p.grad = None
                    continue
                grad = p._grad
                if isinstance(grad, Tensor):
                    grad.zero_()
                elif grad is not None:
                    grad.data.zero_()

    def step(self, *input):
        """Change every parameter that has a gradient. Parameters whose gradient was never computed are passed over.

        `step()` does just that. `step(closure)` first calls `closure()`, which computes the loss and runs backward, and
        returns what it returned (v0.1.5). If it computes only the loss, as in October 2016, the gradients are made zero
        and backward is run here (forms_of_2016.py says how this is told).

        For an optimizer made from a model: `step(*input)`, v0.1.1's form, runs the model, the criterion (the input is
        then `input, target`) and backward, and returns the loss as a number; without a criterion the model's output
        is the loss. It does not make the gradients zero before. `step(closure)` is that of v0.1.2 to v0.1.4, where
        `closure()` computes the loss only: the gradients are made zero before it and backward is run after it.

        Raises TypeError for other arguments; RuntimeError for a closure that computes no gradient, and for a gradient
        of another size or type than its parameter's. Parameters and state are then as they were.
        """
        loss = forms_of_2016.loss_of(self, input) if input else None
        groups = self._check_gradients()
        if any(self.state.values()):
            self._check_state()
        for group, with_gradient in groups:
            self._update_group(group, with_gradient)
        return loss

    def _update_group(self, group, with_gradient):
        """Change the parameters of one group: `with_gradient` has (parameter, tensor, its array, that of the gradient).

        A subclass may do it for all of them at once.
        """
        for p, tensor, w, g in with_gradient:
            state = self.state[p]
            self._update(w, g, state, group)
            tensor._stepped()
            for value in state.values():
                if isinstance(value, Tensor):
                    value._stepped()

    def _update(self, w, g, state, group):
        """Change the array `w` of a parameter in place, by its gradient `g` (which is left alone) and its state.

        The formulas are written over numpy arrays: what is read and written once more costs as much as all the rest.
        """
        raise NotImplementedError(f"{self._name} does not define step")

    def _direction(self, w, g, group):
        """The gradient of what is to be minimised, with the weight decay (half the square of w) in it."""
        if group["maximize"]:
            g = -g
        if group["weight_decay"]:
            decay = w * group["weight_decay"]
            decay += g
            return decay
        return g

    def _check_gradients(self):
        """Return (group, [(parameter, tensor, its array, that of the gradient) if it has one]) of each group.

        Raises RuntimeError if a gradient has another size or type than its parameter.
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
                        f"{shown_size(w.shape)}, its gradient a {grad.data.type()} of size {shown_size(g.shape)}"
                    )
                with_gradient.append((p, tensor, w, g))
        return groups

    def _check_state(self):
        for p, state in self.state.items():
            for key, value in state.items():
                if p._grad is not None and isinstance(value, Tensor) and value.array.shape != p.data.array.shape:
                    raise RuntimeError(
                        f"{self._name}: a parameter has the size {shown_size(p.size())}, its {key} "
                        f"{shown_size(value.size())} from earlier steps: after a change of size make a new optimizer"
                    )

    # --- the state, in a form that can be saved

    def state_dict(self):
        """What it takes to go on later: `{"state": {number: ...}, "param_groups": [...]}`.

        Parameters are replaced by their numbers, counted through all groups (as since 2020; v0.1.x had their ids).
        The tensors in it are those of the optimizer, not copies, and change with the next step.
        """
        params = [p for group in self.param_groups for p in group["params"]]
        numbers_of = {p: number for number, p in enumerate(params)}
        groups = [{**group, "params": [numbers_of[p] for p in group["params"]]} for group in self.param_groups]
        return {"state": {numbers_of[p]: dict(state) for p, state in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict):
        """Go on from what `state_dict` gave. Tensors are copied, and converted to the type of their parameter.

        Raises ValueError if the groups, their parameters or their options are not those of this optimizer, or a
        tensor does not have its parameter's size, TypeError for an entry of another kind. The optimizer is then left
        as it was.
        """
        groups, params = self._loaded_groups(state_dict)
        state = defaultdict(dict)
        for number, saved in state_dict["state"].items():
            if number not in params:
                raise ValueError(
                    f"{self._name}.load_state_dict: a state for parameter {number!r}, "
                    f"where the parameters are 0 to {len(params) - 1}"
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
        """The groups as they are to be, and {number in the state_dict: parameter}."""
        try:
            saved_groups = [dict(group) for group in state_dict["param_groups"]]
            sizes = [len(group["params"]) for group in saved_groups]
            state_dict["state"].items()
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ValueError(f"{self._name}.load_state_dict: this is not an optimizer's state_dict()") from None
        own_sizes = [len(group["params"]) for group in self.param_groups]
        if sizes != own_sizes:
            raise ValueError(
                f"{self._name}.load_state_dict: groups of {sizes} parameters, "
                f"where this optimizer has groups of {own_sizes}"
            )
        params = {}
        for group, saved in zip(self.param_groups, saved_groups):
            for option in self._later_options:
                if option in self.defaults:
                    saved.setdefault(option, self.defaults[option])
            missing = [option for option in self.defaults if option not in saved]
            if missing:
                raise ValueError(
                    f"{self._name}.load_state_dict: a group without {', '.join(missing)}; "
                    "is it the state of another optimizer?"
                )
            params.update(zip(saved["params"], group["params"]))
            saved["params"] = group["params"]
            self._settle(saved)
        return saved_groups, params

    def _loaded(self, p, number, key, value):
        """One entry of a parameter's state; lists (LBFGS's memory) entry by entry."""
        if isinstance(value, (list, tuple)):
            return [self._loaded(p, number, key, entry) for entry in value]
        if not isinstance(value, Tensor):
            return value
        if key in self._numbers:  # modern torch keeps them as tensors of one element
            return value.item()
        self._check_loaded(p, number, key, value)
        return value.clone() if value.type() == p.data.type() else value.type(p.data.type())

    def _check_kind(self, number, key, value):
        """Raise TypeError unless a value is what the algorithm keeps under its key; other keys may have any value."""
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
                f"{self._name}.load_state_dict: {key} of parameter {number} has the size {shown_size(value.size())}, "
                f"the parameter {shown_size(p.size())}"
            )


def zeros(w):
    """A state that is to be counted up from zero: a Tensor of the size and type of the array `w`."""
    return wrap(numpy.zeros_like(w))


def move_average(average, new, beta):
    """average <- beta average + (1 - beta) new, in place; the array `new` is used up."""
    average *= beta
    new *= 1 - beta
    average += new


def _is_number(value):
    return isinstance(value, numbers.Real)


def _entries(value):
    return value if isinstance(value, (list, tuple)) else [value]


def _single(value):
    """Return the number in a Tensor of one element, and everything else as it is."""
    return value.item() if isinstance(value, Tensor) and value.numel() == 1 else value
