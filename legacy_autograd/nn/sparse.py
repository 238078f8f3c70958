"""`Embedding` (v0.1.3: `torch/nn/modules/sparse.py`)."""

from ..tensor import Tensor
from ..tensor._helpers import checked_number
from . import functional as F
from .module import Module
from .parameter import Parameter


class Embedding(Module):
    """A LongTensor of indices (any size) to the rows of `weight` (num_embeddings, embedding_dim) that they name.

    The rows start from the standard normal distribution; the row `padding_idx` starts as zeros, and gets no gradient.
    With `max_norm` rows that are looked up are first scaled down to that norm; `scale_grad_by_freq` divides the
    gradient of a row by how often it was named. `sparse` is accepted; gradients are dense all the same.
    Raises ValueError for a padding_idx that is no row, on the call IndexError for an index that is none.
    """

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2,
        scale_grad_by_freq=False,
        sparse=False,
    ):
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"{self._name}: padding_idx {padding_idx} is none of {num_embeddings} rows")
        if max_norm is not None:
            checked_number(f"{self._name}: max_norm", max_norm)
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        self.weight = Parameter(Tensor(num_embeddings, embedding_dim))
        self.reset_parameters()

    def reset_parameters(self):
        """Draw the rows anew."""
        self.weight.data.normal_(0, 1)
        if self.padding_idx is not None:
            self.weight.data[self.padding_idx].zero_()

    def forward(self, input):
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self):
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
