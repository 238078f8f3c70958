"""`ProgressMonitor` (v0.1.5: `torch/utils/trainer/plugins/progress.py`)."""

from .plugin import Plugin


class ProgressMonitor(Plugin):
    """The progress in the epoch, as `trainer.stats["progress"]`.

    The entries are `samples_used`, which counts batches as in v0.1.x; `epoch_size`, the length of the Trainer's data
    set; and `percent`.
    """

    stat_name = "progress"

    def __init__(self) -> None:
        super().__init__([(1, "iteration"), (1, "epoch")])

    def register(self, trainer):
        self.trainer = trainer
        trainer.stats.setdefault(self.stat_name, {}).update(
            samples_used=0,
            epoch_size=len(trainer.dataset),
            log_iter_fields=["{samples_used}/{epoch_size}", "({percent:.2f}%)"],
        )

    def iteration(self, iteration, input, *args):
        stats = self.trainer.stats[self.stat_name]
        stats["samples_used"] += 1
        stats["percent"] = 100.0 * stats["samples_used"] / stats["epoch_size"]

    def epoch(self, *args):
        self.trainer.stats[self.stat_name].update(samples_used=0, percent=0)
