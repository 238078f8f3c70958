"""What Variable has beside v0.1.1's methods and the operations: what it passes on to its tensor, and what came later.

v0.1.1's Variable had a `__getattr__` for the first. A class that has one finds all its attributes the slow way, also
those that are there: it made everything 3 % slower. So each name has a place in the class; those that came later are
filled when they are first named, by a file of `later/`.
"""

import importlib
from operator import attrgetter

from .tensor import Tensor
from .variable import Variable

# The file of `later/` that has the attribute.
LATER = {
    "detach": "detach",
    "detach_": "detach",
    "requires_grad_": "detach",
    "no_grad": "detach",
    "retain_grad": "retain_grad",
    "retains_grad": "retain_grad",
    "grad_fn": "graph_view",
    "output_nr": "graph_view",
    "is_inference": "grad_mode",
    "register_post_accumulate_grad_hook": "hooks",
    "reinforce": "stochastic",
    "multinomial": "stochastic",
    "bernoulli": "stochastic",
}
RANDOM = {"bernoulli_", "cauchy_", "exponential_", "geometric_", "log_normal_", "normal_", "random_", "uniform_"}
FILLING = {"copy_", "fill_", "zero_"}
# The in-place operations of Tensor, where Variable has the operation that is not in place, or none is needed.
IN_PLACE = [
    name
    for name in dir(Tensor)
    if name.endswith("_") and not name.startswith("_") and not hasattr(Variable, name)
    if hasattr(Variable, name[:-1]) or name in RANDOM | FILLING
]


class OnDemand:
    """Holds the place of an attribute of Variable until it is first named, when its file puts it there."""

    def __init__(self, name, file):
        self.name = name
        self.file = file

    def __get__(self, variable, cls):
        importlib.import_module(f".later.{self.file}", __package__)
        return getattr(cls if variable is None else variable, self.name)


for _name in Variable._fallthrough_methods:
    setattr(Variable, _name, property(attrgetter(f"data.{_name}"), doc=getattr(Tensor, _name).__doc__))
for _name, _file in {**LATER, **dict.fromkeys(IN_PLACE, "in_place")}.items():
    setattr(Variable, _name, OnDemand(_name, _file))
