"""`Plugin`: the base class (v0.1.5: `torch/utils/trainer/plugins/plugin.py`)."""


class Plugin:
    """Called by a Trainer every so often: `interval` is a list of pairs, as `[(10, "iteration"), (1, "epoch")]`.

    For each pair a subclass defines the method of that name: `iteration`, `epoch`, `batch` or `update`, with the
    arguments that `Trainer` gives.
    """

    def __init__(self, interval=None):
        self.trigger_interval = [] if interval is None else interval

    def register(self, trainer):
        """Called once, with the Trainer that takes the plugin."""
        raise NotImplementedError(f"{type(self).__name__} does not define register")
