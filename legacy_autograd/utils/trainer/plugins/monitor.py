"""`Monitor`: measures a number at each iteration (v0.1.5: `torch/utils/trainer/plugins/monitor.py`)."""

from typing import Any

from .plugin import Plugin


class Monitor(Plugin):
    """Keeps a number of each iteration in `trainer.stats[self.stat_name]`, for a `Logger` to show.

    The entries are `last`; `running_avg`, which is smoothing * running_avg + (1 - smoothing) * last, from 0; and
    `epoch_mean`, the mean over the last epoch. A subclass has a `stat_name` and defines `_get_value(iteration, input,
    target, output, loss)`.

    Args:
        running_average: Whether to keep a running average.
        epoch_average: Whether to keep the mean of each epoch.
        smoothing: The weight of the old running average.
        precision: The number of digits after the decimal point. Default: 4.
        number_format: A format such as ".3e", which replaces `precision`.
        unit: The text after the number.
    """

    stat_name: str  # the entry in `trainer.stats`; a subclass sets it

    def __init__(
        self,
        running_average: bool = True,
        epoch_average: bool = True,
        smoothing: float = 0.7,
        precision: int | None = None,
        number_format: str | None = None,
        unit: str = "",
    ) -> None:
        super().__init__([(1, "iteration"), (1, "epoch")])
        if number_format is None:
            number_format = f".{4 if precision is None else precision}f"
        self.smoothing = smoothing
        self.with_running_average = running_average
        self.with_epoch_average = epoch_average
        self.log_format = ":" + number_format
        self.log_unit = unit
        self.log_iter_fields = [self._field("last")]
        if running_average:
            self.log_iter_fields.append(f" ({self._field('running_avg')})")
        self.log_epoch_fields = [self._field("epoch_mean")] if epoch_average else None

    def _field(self, name):
        return "{" + name + self.log_format + "}" + self.log_unit

    def register(self, trainer: Any) -> None:
        self.trainer = trainer
        stats = trainer.stats.setdefault(self.stat_name, {})
        stats.update(log_format=self.log_format, log_unit=self.log_unit, log_iter_fields=self.log_iter_fields)
        if self.with_epoch_average:
            stats.update(log_epoch_fields=self.log_epoch_fields, epoch_stats=(0, 0))

    def iteration(self, *args):
        stats = self.trainer.stats[self.stat_name]
        last = stats["last"] = self._get_value(*args)
        if self.with_epoch_average:
            total, count = stats["epoch_stats"]
            stats["epoch_stats"] = total + last, count + 1
        if self.with_running_average:
            stats["running_avg"] = stats.get("running_avg", 0) * self.smoothing + last * (1 - self.smoothing)

    def epoch(self, idx):
        if self.with_epoch_average:
            stats = self.trainer.stats[self.stat_name]
            total, count = stats["epoch_stats"]
            stats["epoch_mean"] = total / count
            stats["epoch_stats"] = (0, 0)

    def _get_value(self, iteration, input, target, output, loss):
        raise NotImplementedError(f"{type(self).__name__} does not define _get_value")
