"""Distances between the rows of two inputs."""

from ...autograd.functions._utils import in_floats
from ...autograd.variable import Variable
from ._inputs import check_variables

__all__ = ["cosine_similarity", "normalize", "pairwise_distance"]


def pairwise_distance(x1: Variable, x2: Variable, p: float = 2, eps: float = 1e-6) -> Variable:
    """Return the p-norm of each row of x1 - x2 + eps, as (N, 1) (v0.1.x; (N) since 0.2).

    Args:
        x1: A Variable (N, D).
        x2: A Variable (N, D).
        p: The order of the norm.
        eps: A number added to each difference.
    """
    check_variables("pairwise_distance", x1, x2)
    return x1.sub(x2).add(eps).norm(p, -1, True)


def cosine_similarity(x1: Variable, x2: Variable, dim: int = 1, eps: float = 1e-8) -> Variable:
    """Return Σ x1 x2 / (max(‖x1‖, eps) max(‖x2‖, eps)) along `dim`.

    Args:
        x1: A Variable.
        x2: The shape of `x1`.
        dim: The dimension along which the vectors lie. The result does not have it.
        eps: The lower limit of each norm.
    """
    check_variables("cosine_similarity", x1, x2)

    def cosine(x1, x2):
        norms = [x.mul(x).sum(dim, keepdim=False).clamp(min=eps * eps).sqrt() for x in (x1, x2)]
        return x1.mul(x2).sum(dim, keepdim=False).div(norms[0].mul(norms[1]))

    return in_floats(cosine, x1, x2)


def normalize(input: Variable, p: float = 2, dim: int = 1, eps: float = 1e-12) -> Variable:
    """Return input / max(‖input‖, eps), with the p-norm along `dim` (0.2).

    Args:
        input: A Variable.
        p: The order of the norm.
        dim: The dimension along which the vectors lie.
        eps: The lower limit of the norm.
    """
    check_variables("normalize", input)
    return input.div(input.norm(p, dim, True).clamp(min=eps).expand(*input.size()))
