"""The same program in 2016's autograd and in today's, laid beside each other (extra `compare`: modern torch).

    from legacy_autograd.comparison import side_by_side

    def program(torch, Variable, x):
        x = Variable(x)
        return (x * x).sum()

    print(side_by_side(program, numpy.ones(3)))

`dictionary()` lays the names of 2016 beside today's, with the values that both have; `to_torch` and `from_torch` move
tensors and state dicts; `in_torch` runs an exhibit of the museum (`legacy_autograd.historical`) in modern torch.
Nothing else of the package needs modern torch, and nothing here loads it before it is used.
"""

from ._torch import TorchMissing
from .convert import from_torch, to_torch
from .exhibits import in_torch
from .glossary import dictionary
from .side_by_side import side_by_side

__all__ = ["TorchMissing", "dictionary", "from_torch", "in_torch", "side_by_side", "to_torch"]
