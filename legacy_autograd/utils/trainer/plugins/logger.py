"""`Logger`: prints what other plugins measure (v0.1.5: `torch/utils/trainer/plugins/logger.py`)."""

from collections.abc import Sequence

from .plugin import Plugin


class Logger(Plugin):
    """Prints entries of `trainer.stats` after each iteration and each epoch.

    An entry that is a dict is shown by the formats that it has under `log_iter_fields` or `log_epoch_fields`. A number
    is shown by the `log_format` and `log_unit` of the dict that contains it, and only after iterations. Columns keep
    the width of their widest text so far. Register it after the plugins that it shows. A subclass may define
    `log(msg)`, which prints.

    Args:
        fields: The names of the entries, such as "loss" or "loss.last".
        interval: The pairs of interval and event, as for `Plugin`. Default: each iteration and each epoch.
    """

    separator = "#" * 80

    def __init__(self, fields: Sequence[str], interval: list[tuple[int, str]] | None = None) -> None:
        super().__init__([(1, "iteration"), (1, "epoch")] if interval is None else interval)
        self.fields = [field.split(".") for field in fields]
        self.field_widths: dict[tuple, int] = {}

    def register(self, trainer):
        self.trainer = trainer

    def log(self, msg: str) -> None:
        """Print one line, or several.

        Args:
            msg: The text.
        """
        print(msg)

    def iteration(self, *args):
        line = self._line("log_iter_fields")
        if line:
            self.log(line)

    def epoch(self, epoch_idx):
        line = self._line("log_epoch_fields")
        if line:
            self.log(f"{self.separator}\nEpoch summary:")
            self.log(line)
            self.log(self.separator)

    def _line(self, log_fields):
        parts = [self._shown(field, log_fields) for field in self.fields]
        return "\t".join([part for part in parts if part])

    def _shown(self, field, log_fields):
        """Return the text of one field, or None for a number after an epoch."""
        parent, stat = None, self.trainer.stats
        for name in field:
            parent, stat = stat, stat[name]
        if isinstance(stat, dict):
            name = stat.get("log_name", ".".join(field))
            texts = [form.format(**stat) for form in stat.get(log_fields) or []]
        elif log_fields == "log_iter_fields":
            name = ".".join(field)
            texts = [f"{{{parent.get('log_format', '')}}}{parent.get('log_unit', '')}".format(stat)]
        else:
            texts = []
        if not texts:
            return None
        for number, text in enumerate(texts):
            place = (tuple(field), number)
            self.field_widths[place] = max(len(text), self.field_widths.get(place, 0))
            texts[number] = text.ljust(self.field_widths[place])
        return f"{name}: {' '.join(texts)}"
