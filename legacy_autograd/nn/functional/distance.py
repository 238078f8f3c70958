"""Distances between rows of two inputs."""

from ._inputs import check_variables


def pairwise_distance(x1, x2, p=2, eps=1e-6):
    """The p-norm of x1 - x2 + eps for each row of two (N, D); of size (N, 1), as in v0.1.x."""
    check_variables("pairwise_distance", x1, x2)
    return x1.sub(x2).add(eps).norm(p, 1)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """x1 x2 / max(|x1| |x2|, eps) along `dim`, which is left out."""
    check_variables("cosine_similarity", x1, x2)
    products = [a.mul(b).sum(dim, keepdim=False) for a, b in ((x1, x2), (x1, x1), (x2, x2))]
    return products[0].div(products[1].mul(products[2]).clamp(min=eps * eps).sqrt())
