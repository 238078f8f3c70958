"""`torch.utils.trainer` (v0.1.5, dropped in 0.2): a training loop that calls plugins."""

from .trainer import Trainer  # noqa: F401
