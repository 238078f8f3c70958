"""`Trainer`: a training loop with plugins (v0.1.5: `torch/utils/trainer/trainer.py`)."""

import heapq
from typing import Any

from ...autograd.variable import Variable


class Trainer:
    """A training loop with plugins.

    It minimizes `criterion(model(input), target)`. Plugins are called at four events: `batch(iteration, input, target)`
    before each step of the optimizer; `iteration(iteration, input, target, output, loss)` and `update(iteration,
    model)` after it; `epoch(epoch)` after all batches. `output` and `loss` are tensors, from the step's first
    evaluation. Iterations and epochs are counted from 1, and the next `run` continues the counts. (In v0.1.x epochs
    began again, and plugins missed some.)

    `stats` is a dict in which plugins keep what they measure.

    Args:
        model: The model.
        criterion: The loss function.
        optimizer: The optimizer.
        dataset: An iterable of batches: pairs of tensors, input and target.
    """

    def __init__(self, model: Any = None, criterion: Any = None, optimizer: Any = None, dataset: Any = None) -> None:
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.dataset = dataset
        self.iterations = 0
        self.epochs = 0
        self.stats: dict[str, Any] = {}
        # {event: heap of (when the plugin is due, its number, the plugin)}
        self.plugin_queues: dict[str, list] = {"iteration": [], "epoch": [], "batch": [], "update": []}

    def register_plugin(self, plugin: Any) -> None:
        """Add a plugin: call `plugin.register(self)`, and later its methods at the intervals in its `trigger_interval`.

        Args:
            plugin: The plugin.

        Raises:
            ValueError: If there is no such event, or an interval is not positive.
        """
        plugin.register(self)
        intervals = plugin.trigger_interval
        for duration, place in intervals if isinstance(intervals, list) else [intervals]:
            if place not in self.plugin_queues:
                raise ValueError(f"Trainer: plugins are called at {', '.join(self.plugin_queues)}, not at {place!r}")
            if not duration > 0:
                raise ValueError(f"Trainer: the interval of a plugin must be above 0, got {duration}")
            queue = self.plugin_queues[place]
            heapq.heappush(queue, (duration, len(queue), plugin))

    def call_plugins(self, queue_name: str, time: int, *args: Any) -> None:
        """Call the plugins that are due.

        Args:
            queue_name: The event, which is also the name of the method: "batch", "iteration", "update" or "epoch".
            time: The number of the iteration or epoch, the method's first argument.
            *args: Its other arguments.
        """
        queue = self.plugin_queues[queue_name]
        while queue and queue[0][0] <= time:
            due, number, plugin = queue[0]
            getattr(plugin, queue_name)(time, *args)
            intervals = plugin.trigger_interval
            intervals = intervals if isinstance(intervals, list) else [intervals]
            interval = next(duration for duration, place in intervals if place == queue_name)
            heapq.heapreplace(queue, (due + interval, number, plugin))

    def run(self, epochs: int = 1) -> None:
        """Train for several passes over the data set.

        Args:
            epochs: The number of passes.
        """
        for _ in range(epochs):
            self.train()
            self.epochs += 1
            self.call_plugins("epoch", self.epochs)

    def train(self) -> None:
        """Train for one pass over the data set."""
        for batch_input, batch_target in self.dataset:
            self.iterations += 1
            self.call_plugins("batch", self.iterations, batch_input, batch_target)
            first = self._step(Variable(batch_input), Variable(batch_target))
            self.call_plugins("iteration", self.iterations, batch_input, batch_target, *first)
            self.call_plugins("update", self.iterations, self.model)

    def _step(self, input, target):
        """Take one step of the optimizer. Return the output and the loss of its first evaluation, as tensors."""
        evaluations = []

        def closure():
            output = self.model(input)
            loss = self.criterion(output, target)
            loss.backward()
            if not evaluations:
                evaluations.append((output.data, loss.data))
            return loss

        self.optimizer.zero_grad()
        self.optimizer.step(closure)
        return evaluations[0] if evaluations else (None, None)
