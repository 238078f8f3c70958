"""`AccuracyMonitor` (v0.1.5: `torch/utils/trainer/plugins/accuracy.py`)."""

from .monitor import Monitor


class AccuracyMonitor(Monitor):
    """The percentage of samples whose largest output is at their target, as `trainer.stats["accuracy"]`.

    The output has a row for each sample, and the target a class for each.

    Args:
        running_average: Whether to keep a running average.
        epoch_average: Whether to keep the mean of each epoch.
        smoothing: The weight of the old running average.
        precision: The number of digits after the decimal point.
        number_format: A format such as ".3e", which replaces `precision`.
        unit: The text after the number.
    """

    stat_name = "accuracy"

    def __init__(
        self,
        running_average: bool = True,
        epoch_average: bool = True,
        smoothing: float = 0.7,
        precision: int = 2,
        number_format: str | None = None,
        unit: str = "%",
    ) -> None:
        super().__init__(running_average, epoch_average, smoothing, precision, number_format, unit)

    def _get_value(self, iteration, input, target, output, loss):
        predicted = output.max(1)[1].view(-1).type_as(target)
        return 100.0 * predicted.eq(target.view(-1)).sum() / input.size(0)
