"""`Plugin`: the base class (v0.1.5: `torch/utils/trainer/plugins/plugin.py`)."""

from typing import Any


class Plugin:
    """The base class of plugins, which a Trainer calls at intervals.

    A subclass defines, for each of its events, the method of that name with the arguments that `Trainer` passes.

    Args:
        interval: Pairs of interval and event, such as `[(10, "iteration"), (1, "epoch")]`. Events are "iteration",
            "epoch", "batch" and "update". Default: none.
    """

    def __init__(self, interval: list[tuple[int, str]] | None = None) -> None:
        self.trigger_interval = [] if interval is None else interval

    def register(self, trainer: Any) -> None:
        """Receive the Trainer. A subclass defines this method; `Trainer.register_plugin` calls it once.

        Args:
            trainer: The Trainer.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define register")
