"""Run one program in legacy_autograd and in modern torch, and compare the two (extra `compare`: modern torch).

    from legacy_autograd.comparison import side_by_side

    def program(torch, Variable, x):
        x = Variable(x)
        return (x * x).sum()

    print(side_by_side(program, numpy.ones(3)))

`dictionary()` pairs the names of 2016 with today's and shows their values. `to_torch` and `from_torch` convert tensors
and state dicts. `in_torch` runs an exhibit of `legacy_autograd.historical` in modern torch. No other part of the
package needs modern torch, and it is loaded only on use.
"""

from ._torch import TorchMissing
from .convert import from_torch, to_torch
from .exhibits import in_torch
from .glossary import dictionary
from .side_by_side import side_by_side

__all__ = ["TorchMissing", "dictionary", "from_torch", "in_torch", "side_by_side", "to_torch"]
