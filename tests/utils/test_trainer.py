"""`torch.utils.trainer`: the order of its calls, and what its plugins measure and print."""

import pytest

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.utils.trainer import Trainer, plugins
from legacy_autograd.utils.trainer.plugins.monitor import Monitor
from legacy_autograd.utils.trainer.plugins.plugin import Plugin


class Recorder(Plugin):
    def __init__(self, interval, calls=None):
        super().__init__(interval)
        self.calls = [] if calls is None else calls

    def register(self, trainer):
        self.trainer = trainer

    def batch(self, time, input, target):
        self.calls.append(("batch", time, tuple(input.size()), tuple(target.size())))

    def iteration(self, time, input, target, output, loss):
        self.calls.append(("iteration", time, tuple(output.size()), loss[0]))

    def update(self, time, model):
        self.calls.append(("update", time, model))

    def epoch(self, time):
        self.calls.append(("epoch", time))


def batches(count):
    return [(torch.DoubleTensor([[i, 1], [0, i]]), torch.DoubleTensor([[i], [2]])) for i in range(count)]


def make_trainer(dataset):
    model = nn.Linear(2, 1).double()
    model.weight.data.fill_(0.5)
    model.bias.data.zero_()
    return Trainer(model, nn.MSELoss(), optim.SGD(model.parameters(), lr=0.1), dataset)


def test_the_order_of_the_calls_and_the_weights_of_a_plain_loop():
    trainer = make_trainer(batches(2))
    recorder = Recorder([(1, "epoch"), (1, "update"), (1, "batch"), (1, "iteration")])
    trainer.register_plugin(recorder)
    trainer.run(epochs=2)
    names = [(call[0], call[1]) for call in recorder.calls]
    one = ["batch", "iteration", "update"]
    expected = [(name, time) for time in (1, 2) for name in one] + [("epoch", 1)]
    expected += [(name, time) for time in (3, 4) for name in one] + [("epoch", 2)]
    assert names == expected and trainer.iterations == 4

    other = make_trainer(None)
    losses = []
    for input, target in batches(2) * 2:
        other.optimizer.zero_grad()
        loss = other.criterion(other.model(torch.autograd.Variable(input)), torch.autograd.Variable(target))
        loss.backward()
        other.optimizer.step()
        losses.append(loss.data[0])
    assert trainer.model.weight.data.tolist() == other.model.weight.data.tolist()
    assert [call[3] for call in recorder.calls if call[0] == "iteration"] == losses


def test_plugins_are_called_when_they_are_due():
    trainer = make_trainer(batches(5))
    calls = []
    for interval in ([(2, "iteration")], (3, "iteration"), [(2, "epoch"), (5, "update")]):
        trainer.register_plugin(Recorder(interval, calls))
    trainer.run()
    trainer.run()  # epochs go on: the second one is the second
    times = {place: [call[1] for call in calls if call[0] == place] for place in ("iteration", "epoch", "update")}
    assert times == {"iteration": [2, 3, 4, 6, 6, 8, 9, 10], "epoch": [2], "update": [5, 10]}
    with pytest.raises(ValueError, match="plugins are called at iteration, .*, not at 'step'"):
        trainer.register_plugin(Recorder([(1, "step")]))
    with pytest.raises(ValueError, match="above 0, got 0"):
        trainer.register_plugin(Recorder([(0, "epoch")]))
    with pytest.raises(NotImplementedError, match="Plugin does not define register"):
        trainer.register_plugin(Plugin())


def test_output_and_loss_are_those_of_the_first_evaluation():
    class Twice(optim.SGD):
        def step(self, closure):
            closure(), closure()
            return super().step()

    trainer = make_trainer(batches(1))
    trainer.model = nn.Sequential(trainer.model, nn.Dropout(0))
    trainer.optimizer = Twice(trainer.model.parameters(), lr=0.1)
    recorder = Recorder([(1, "iteration")])
    trainer.register_plugin(recorder)
    trainer.run()
    # Both rows (0, 1) and (0, 0) give 0.5 and 0, the targets are 0 and 2.
    assert recorder.calls == [("iteration", 1, (2, 1), (0.25 + 4) / 2)]


class Ages(Monitor):
    stat_name = "age"

    def _get_value(self, iteration, input, target, output, loss):
        return 10 * iteration


def test_a_monitor_keeps_the_last_number_and_two_averages():
    trainer = make_trainer(batches(3))
    trainer.register_plugin(Ages(smoothing=0.5, precision=1, unit="y"))
    trainer.run()
    stats = trainer.stats["age"]
    assert stats["last"] == 30 and stats["epoch_mean"] == 20 and stats["epoch_stats"] == (0, 0)
    assert stats["running_avg"] == ((0.5 * 10) * 0.5 + 0.5 * 20) * 0.5 + 0.5 * 30
    assert stats["log_iter_fields"] == ["{last:.1f}y", " ({running_avg:.1f}y)"]
    assert stats["log_epoch_fields"] == ["{epoch_mean:.1f}y"]
    plain = Ages(running_average=False, epoch_average=False, number_format=".2e")
    trainer.register_plugin(plain)
    trainer.run()
    assert plain.log_iter_fields == ["{last:.2e}"] and plain.log_epoch_fields is None


def test_the_logger_prints_aligned_columns(capsys):
    trainer = make_trainer(batches(3))
    trainer.register_plugin(Ages(precision=0))
    trainer.register_plugin(plugins.ProgressMonitor())
    trainer.register_plugin(plugins.Logger(["progress", "age", "age.last"]))
    trainer.run()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "progress: 1/3 (33.33%)\tage: 10  (3)\tage.last: 10"
    assert lines[2] == "progress: 3/3 (100.00%)\tage: 30  (15)\tage.last: 30"
    assert lines[3:] == ["#" * 80, "Epoch summary:", "age: 20", "#" * 80]
    trainer.run()
    assert capsys.readouterr().out.startswith("progress: 1/3 (33.33%) \tage: 40  (22)")


def test_loss_accuracy_and_time(monkeypatch):
    clock = iter([5.0, 5.25])
    monkeypatch.setattr("time.time", lambda: next(clock))
    dataset = [
        (torch.DoubleTensor([[1, 0], [0, 1]]), torch.LongTensor([0, 0])),
        (torch.DoubleTensor([[1, 0], [0, 1]]), torch.LongTensor([0, 1])),
    ]
    model = nn.Sequential(nn.Linear(2, 2, bias=False).double())
    model[0].weight.data.copy_(torch.DoubleTensor([[1, 0], [0, 1]]))
    trainer = Trainer(model, nn.CrossEntropyLoss(), optim.SGD(model.parameters(), lr=0), dataset)
    for plugin in (plugins.AccuracyMonitor(), plugins.LossMonitor(), plugins.TimeMonitor()):
        trainer.register_plugin(plugin)
    trainer.run()
    assert trainer.stats["accuracy"]["last"] == 100 and trainer.stats["accuracy"]["epoch_mean"] == 75
    assert trainer.stats["accuracy"]["log_unit"] == "%"
    assert trainer.stats["loss"]["last"] == pytest.approx(0.31326168751822286)  # log(1 + exp(-1))
    assert trainer.stats["time"]["last"] == 250 and trainer.stats["time"]["epoch_mean"] == 125


def test_c_extensions_are_left_out_with_the_error_that_programs_expect(program):
    result = program(
        "try:\n    from torch.utils.ffi import compile_extension\nexcept ImportError as e:\n    print(e)\n"
    )
    assert "torch.utils.ffi is left out of legacy_autograd" in result.stdout
