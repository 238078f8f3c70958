"""`Logger`: prints what other plugins measure (v0.1.5: `torch/utils/trainer/plugins/logger.py`)."""

from .plugin import Plugin


class Logger(Plugin):
    """Prints entries of `trainer.stats`: after each iteration and each epoch, or at another `interval`.

    `fields` are their names, as "loss" or "loss.last". A name of a dict is shown by the formats that the dict has under
    `log_iter_fields` or `log_epoch_fields`; a name of a number by `log_format` and `log_unit` of the dict that it is
    in, and in iterations only. Columns keep the width of their widest text so far.

    Register it after the plugins that it shows. A subclass may define `log(msg)`, which prints.
    """

    separator = "#" * 80

    def __init__(self, fields, interval=None):
        super().__init__([(1, "iteration"), (1, "epoch")] if interval is None else interval)
        self.fields = [field.split(".") for field in fields]
        self.field_widths = {}

    def register(self, trainer):
        self.trainer = trainer

    def log(self, msg):
        """Print one line, or several."""
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
        """The text of one field, without numbers that are not shown after an epoch."""
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
