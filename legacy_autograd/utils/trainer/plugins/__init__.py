"""What a Trainer's loop can report (v0.1.5: `torch/utils/trainer/plugins/`)."""

from .accuracy import AccuracyMonitor  # noqa: F401
from .logger import Logger  # noqa: F401
from .loss import LossMonitor  # noqa: F401
from .progress import ProgressMonitor  # noqa: F401
from .time import TimeMonitor  # noqa: F401
