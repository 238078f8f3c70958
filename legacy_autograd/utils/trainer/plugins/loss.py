"""`LossMonitor` (v0.1.5: `torch/utils/trainer/plugins/loss.py`)."""

from .monitor import Monitor


class LossMonitor(Monitor):
    """The loss of each iteration, as `trainer.stats["loss"]`."""

    stat_name = "loss"

    def _get_value(self, iteration, input, target, output, loss):
        return loss[0]
