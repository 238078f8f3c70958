"""Training: `Trainer`, the loop around any model, and the LeNet that demonstrations, drawings and comparisons share."""

from .lenet import LeNet  # noqa: F401
from .trainer import Trainer  # noqa: F401
