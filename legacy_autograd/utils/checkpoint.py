"""`torch.utils.checkpoint` (0.4.0): the public name of `autograd/later/checkpoint.py`."""

from ..autograd.later.checkpoint import CheckpointError, checkpoint, checkpoint_sequential  # noqa: F401
