"""`Trainer`: the loop over a data set, with plugins (v0.1.5: `torch/utils/trainer/trainer.py`)."""

import heapq

from ...autograd.variable import Variable


class Trainer:
    """Trains `model` by `criterion(model(input), target)` with `optimizer`, over the batches of `dataset`.

    `dataset` gives pairs of tensors. Plugins are called at four places: `batch(iteration, input, target)` before each
    step of the optimizer; `iteration(iteration, input, target, output, loss)` and `update(iteration, model)` after it;
    `epoch(epoch)` after all batches. `output` and `loss` are tensors, of the step's first evaluation. Iterations and
    epochs are counted from 1 and go on in the next `run`; in v0.1.x epochs began again, and plugins missed some.

    `stats` is a dict in which plugins keep what they measure.
    """

    def __init__(self, model=None, criterion=None, optimizer=None, dataset=None):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.dataset = dataset
        self.iterations = 0
        self.epochs = 0
        self.stats = {}
        # Of each place a heap of (when it is due, its number, the plugin).
        self.plugin_queues = {"iteration": [], "epoch": [], "batch": [], "update": []}

    def register_plugin(self, plugin):
        """Call `plugin.register(self)`, and from then on its methods as its `trigger_interval` says.

        Raises ValueError for a place that does not exist, or an interval that is not above 0.
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

    def call_plugins(self, queue_name, time, *args):
        """Call the method `queue_name` with `(time, *args)` of each plugin that is due at `time`."""
        queue = self.plugin_queues[queue_name]
        while queue and queue[0][0] <= time:
            due, number, plugin = queue[0]
            getattr(plugin, queue_name)(time, *args)
            intervals = plugin.trigger_interval
            intervals = intervals if isinstance(intervals, list) else [intervals]
            interval = next(duration for duration, place in intervals if place == queue_name)
            heapq.heapreplace(queue, (due + interval, number, plugin))

    def run(self, epochs=1):
        """Train for so many passes over the data set."""
        for _ in range(epochs):
            self.train()
            self.epochs += 1
            self.call_plugins("epoch", self.epochs)

    def train(self):
        """Train for one pass over the data set."""
        for batch_input, batch_target in self.dataset:
            self.iterations += 1
            self.call_plugins("batch", self.iterations, batch_input, batch_target)
            first = self._step(Variable(batch_input), Variable(batch_target))
            self.call_plugins("iteration", self.iterations, batch_input, batch_target, *first)
            self.call_plugins("update", self.iterations, self.model)

    def _step(self, input, target):
        """One step of the optimizer; returns the output and the loss of its first evaluation, as tensors."""
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
