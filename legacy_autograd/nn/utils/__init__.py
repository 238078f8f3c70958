"""What programs call `torch.nn.utils`: clipping of gradients, and sequences of different length."""

from . import rnn  # noqa: F401
from .clip_grad import clip_grad_norm, clip_grad_norm_, clip_grad_value_  # noqa: F401
from .vectors import parameters_to_vector, vector_to_parameters  # noqa: F401
