"""`Embedding` (v0.1.3: `torch/nn/modules/sparse.py`)."""

from ..tensor import Tensor
from ..tensor.arguments import checked_number
from . import functional as F
from .module import Module
from .parameter import Parameter

__all__ = ["Embedding", "EmbeddingBag"]


class Embedding(Module):
    """The rows of `weight` that a LongTensor of indices selects.

    Rows are initialized from the standard normal distribution.

    Args:
        num_embeddings: The number of rows.
        embedding_dim: The length of a row.
        padding_idx: A row that is initialized with zeros and receives no gradient. Default: none.
        max_norm: The rows used are first scaled down to this norm, in place. Default: no limit.
        norm_type: The order of that norm.
        scale_grad_by_freq: Whether a row's gradient is divided by the number of times that the row is used.
        sparse: Accepted; the gradient is dense in any case.

    Raises:
        ValueError: If `padding_idx` is not a row.
        IndexError: When called, if an index is not a row.

    Shape:
        Input (…), output (…, embedding_dim). `weight` (num_embeddings, embedding_dim).
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> None:
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"{self._name}: padding_idx {padding_idx} is out of range for {num_embeddings} rows")
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

    def reset_parameters(self) -> None:
        """Initialize the rows again."""
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


class EmbeddingBag(Module):
    """The sum or mean of the rows of `weight` that each bag of indices selects (0.2).

    Args:
        num_embeddings: The number of rows.
        embedding_dim: The length of a row.
        max_norm: The rows used are first scaled down to this norm, in place. Default: no limit.
        norm_type: The order of that norm.
        scale_grad_by_freq: Whether a row's gradient is divided by the number of times that the row is used.
        mode: "sum" or "mean".

    Shape:
        Input (bags, size), or (n) with the offsets (bags) where each bag begins; output (bags, embedding_dim).
        `weight` (num_embeddings, embedding_dim).
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.mode = mode
        self.weight = Parameter(Tensor(num_embeddings, embedding_dim))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the rows again."""
        self.weight.data.normal_(0, 1)

    def forward(self, input, offsets=None):
        return F.embedding_bag(
            self.weight, input, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode
        )

    def extra_repr(self):
        return f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode}"
