"""`AccuracyMonitor` (v0.1.5: `torch/utils/trainer/plugins/accuracy.py`)."""

from .monitor import Monitor


class AccuracyMonitor(Monitor):
    """The percentage of samples whose largest output is at their target, as `trainer.stats["accuracy"]`.

    `output` has a row for each sample, `target` a class for each.
    """

    stat_name = "accuracy"

    def __init__(
        self, running_average=True, epoch_average=True, smoothing=0.7, precision=2, number_format=None, unit="%"
    ):
        super().__init__(running_average, epoch_average, smoothing, precision, number_format, unit)

    def _get_value(self, iteration, input, target, output, loss):
        predicted = output.max(1)[1].view(-1).type_as(target)
        return 100.0 * predicted.eq(target.view(-1)).sum() / input.size(0)
