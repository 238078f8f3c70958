"""`TimeMonitor` (v0.1.5: `torch/utils/trainer/plugins/time.py`)."""

import time

from .monitor import Monitor


class TimeMonitor(Monitor):
    """The milliseconds since the previous iteration, 0 for the first one, as `trainer.stats["time"]`.

    Args:
        running_average: Whether to keep a running average.
        epoch_average: Whether to keep the mean of each epoch.
        smoothing: The weight of the old running average.
        precision: The number of digits after the decimal point.
        number_format: A format such as ".3e", which replaces `precision`.
        unit: The text after the number.
    """

    stat_name = "time"

    def __init__(
        self,
        running_average: bool = True,
        epoch_average: bool = True,
        smoothing: float = 0.7,
        precision: int = 0,
        number_format: str | None = None,
        unit: str = "ms",
    ) -> None:
        super().__init__(running_average, epoch_average, smoothing, precision, number_format, unit)
        self.last_time = None

    def _get_value(self, iteration, input, target, output, loss):
        before, self.last_time = self.last_time, time.time()
        return 0 if before is None else (self.last_time - before) * 1000
