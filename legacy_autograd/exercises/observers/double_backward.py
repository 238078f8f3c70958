"""The probe of exercise 10: programs that differentiate Mul and Pow several times, and call hessian."""

from ...autograd.function import Function
from ...autograd.later.backward_api import grad
from ...autograd.variable import Variable
from ...tensor import Tensor
from ..answer import plain
from ..programs.running import BY_A_HOOK
from .support import Strict, used


class _Run(Strict):
    """A Run with `grad`, whose graph of a gradient is the answer's own affair: no Function is watched."""

    def __init__(self, names):
        super().__init__({**names, "grad": grad, "asked": self.asked}, watch=False)
        self.seen["function was asked at another point"] = False

    def asked(self, function, x, error=None):
        """Return the function, for `hessian(function, x)`. It notes other points, or raises that exception."""
        if x.dim() != 1:
            raise ValueError("x has one dimension")
        numbers = plain(x)

        def noted(variable):
            self.seen["function was asked at another point"] |= plain(variable) != numbers
            if error is not None:
                raise error(BY_A_HOOK)
            return function(variable)

        return noted

    def at_the_end(self):
        """Return of a hessian only what the text fixes: that it is a Tensor, and its numbers."""
        found = super().at_the_end()
        for name, value in self.made():
            if name.startswith("h"):
                kind = "Tensor" if isinstance(value, Tensor) else type(value).__name__
                found |= {name: plain(value), f"{name} is": f"a {kind}"}
            elif isinstance(value, tuple):
                found[f"{name} is"] = ["a Variable" if isinstance(one, Variable) else "no Variable" for one in value]
            elif isinstance(value, Function):
                found[f"attributes of {name} with Tensors"] = sorted(
                    attribute for attribute, held in vars(value).items() if attribute != "_saved" and _has_tensor(held)
                )
        return found


def _has_tensor(value):
    return isinstance(value, Tensor) or isinstance(value, (tuple, list)) and any(map(_has_tensor, value))


def behaviour(answer, lines):
    """Return what is seen of a program."""
    return _Run(used(answer, ("Mul", "Pow", "hessian"), lines)).execute(lines)
