"""`TimeMonitor` (v0.1.5: `torch/utils/trainer/plugins/time.py`)."""

import time

from .monitor import Monitor


class TimeMonitor(Monitor):
    """The milliseconds since the iteration before, 0 for the first one, as `trainer.stats["time"]`."""

    stat_name = "time"

    def __init__(
        self, running_average=True, epoch_average=True, smoothing=0.7, precision=0, number_format=None, unit="ms"
    ):
        super().__init__(running_average, epoch_average, smoothing, precision, number_format, unit)
        self.last_time = None

    def _get_value(self, iteration, input, target, output, loss):
        before, self.last_time = self.last_time, time.time()
        return 0 if before is None else (self.last_time - before) * 1000
