"""Distances between rows of two inputs."""

from ._inputs import check_variables


def pairwise_distance(x1, x2, p=2, eps=1e-6):
    """The p-norm of x1 - x2 + eps for each row of two (N, D); of size (N, 1), as in v0.1.x."""
    check_variables("pairwise_distance", x1, x2)
    return x1.sub(x2).add(eps).norm(p, -1)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """x1 x2 / (max(|x1|, eps) max(|x2|, eps)) along `dim`, which is left out."""
    check_variables("cosine_similarity", x1, x2)
    norms = [x.mul(x).sum(dim, keepdim=False).clamp(min=eps * eps).sqrt() for x in (x1, x2)]
    return x1.mul(x2).sum(dim, keepdim=False).div(norms[0].mul(norms[1]))


def normalize(input, p=2, dim=1, eps=1e-12):
    """input divided by max(its p-norm along `dim`, eps) (0.2)."""
    check_variables("normalize", input)
    return input.div(input.norm(p, dim, True).clamp(min=eps).expand(*input.size()))
