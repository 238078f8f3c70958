"""TrainingLoop: what it reports, and that a resumed training continues to the bit."""

import io
import math
import pathlib
import random
import subprocess
import sys
import time

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.demos.datasets import load_digits
from legacy_autograd.demos.networks import LeNet
from legacy_autograd.demos.training_loop import TrainingLoop
from legacy_autograd.serialization import load, save
from legacy_autograd.utils import data

pytest.importorskip("safetensors")


class Points(data.Dataset):
    """Points of the plane, which belong to one of three classes, moved a little at random each time."""

    def __init__(self, count=60):
        points = numpy.random.default_rng(0).normal(size=(count, 2))
        self.points = points
        self.classes = (points[:, 0] > 0).astype(int) + (points[:, 1] > points[:, 0])

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        moved = (
            self.points[index] + 0.01 * torch.randn(2).numpy() + 0.01 * numpy.random.normal() + random.gauss(0, 0.01)
        )
        return torch.from_numpy(moved), int(self.classes[index])


def network():
    return nn.Sequential(nn.Linear(2, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 3))


def make_trainer(plateau=False, **options):
    model = network()
    optimizer = optim.Adam(model.parameters(), lr=0.02)
    schedule = optim.lr_scheduler
    scheduler = schedule.ReduceLROnPlateau(optimizer, patience=0) if plateau else schedule.ExponentialLR(optimizer, 0.9)
    return TrainingLoop(model, nn.CrossEntropyLoss(), optimizer, scheduler, **options)


def loaders(workers=0):
    points = Points()
    return data.DataLoader(points, 8, shuffle=True, num_workers=workers), data.DataLoader(points, 20)


def everything_of(trainer):
    """All that a training leaves behind, in bytes where it is numbers."""
    tensors = {name: tensor.numpy().tobytes() for name, tensor in trainer.model.state_dict().items()}
    memory = {
        (number, name): value.numpy().tobytes() if isinstance(value, torch.Tensor) else value
        for number, state in trainer.optimizer.state_dict()["state"].items()
        for name, value in state.items()
    }
    generators = torch.get_rng_state().tolist(), random.getstate(), numpy.random.get_state()[1].tolist()
    return tensors, memory, trainer.history, trainer.scheduler.state_dict(), generators


def seed_everything(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    numpy.random.seed(seed)


# --- to the bit


@pytest.mark.parametrize("plateau", [False, True])
@pytest.mark.parametrize("workers", [0, 2])
def test_a_resumed_training_continues_to_the_bit(tmp_path, plateau, workers):
    seed_everything(1)
    straight = make_trainer(plateau)
    batches, held_out = loaders(workers)
    straight.fit(batches, 4, held_out)
    expected = everything_of(straight)

    seed_everything(1)
    broken = make_trainer(plateau, checkpoint=tmp_path / "run")
    broken.fit(batches, 2, held_out)
    seed_everything(99)
    resumed = make_trainer(plateau)  # another start, all of which the checkpoint replaces
    resumed.resume(tmp_path / "run")
    assert resumed.epoch == 2
    resumed.fit(batches, 4, held_out)
    assert everything_of(resumed) == expected


PROGRAM = """
import sys
sys.path[:0] = [{tests!r}, {root!r}]
from test_training_loop import TrainingLoop, everything_of, loaders, make_trainer, seed_everything
seed_everything(1)
trainer = make_trainer(checkpoint={path!r})
{resume}
trainer.fit(loaders()[0], {epochs}, loaders()[1])
print(everything_of(trainer))
"""


def test_another_process_continues_to_the_bit(tmp_path):
    tests, root = str(pathlib.Path(__file__).parent), str(pathlib.Path(torch.__file__).parents[1])

    def run(path, epochs, resume=""):
        program = PROGRAM.format(tests=tests, root=root, path=str(path), epochs=epochs, resume=resume)
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    expected = run(tmp_path / "straight", 3)
    run(tmp_path / "broken", 1)
    assert run(tmp_path / "broken", 3, f"trainer.resume({str(tmp_path / 'broken')!r})") == expected


# --- what it does


def test_a_training_learns_and_reports():
    seed_everything(0)
    trainer = make_trainer()
    batches, held_out = loaders()
    history = trainer.fit(batches, 15, held_out)
    assert [report["epoch"] for report in history] == list(range(1, 16))
    assert history[-1]["loss"] < 0.5 * history[0]["loss"]
    assert history[-1]["accuracy"] > 0.9
    assert history[0]["lr"] == 0.02 and history[1]["lr"] == pytest.approx(0.018)
    assert trainer.fit(batches, 15) is history and len(history) == 15


def test_the_report_is_the_mean_over_the_samples():
    model = nn.Linear(1, 1)
    model.weight.data.fill_(1)
    model.bias.data.zero_()
    trainer = TrainingLoop(model, nn.MSELoss(), optim.SGD(model.parameters(), lr=0))
    x = torch.DoubleTensor([[1], [2], [6]])
    batches = data.DataLoader(data.TensorDataset(x, torch.zeros(3, 1)), 2)  # of 2 and of 1
    assert trainer.train_epoch(batches) == pytest.approx((1 + 4 + 36) / 3)
    assert trainer.evaluate(batches) == {"held_out_loss": pytest.approx(41 / 3)}


def test_accuracy_counts_the_largest_score():
    model = nn.Sequential()
    scores = torch.DoubleTensor([[3, 1, 2], [0, 5, 1], [0, 1, 9], [4, 0, 1]])
    batches = data.DataLoader(data.TensorDataset(scores, torch.LongTensor([0, 1, 0, 0])), 3)
    trainer = TrainingLoop(model, nn.CrossEntropyLoss(), None)
    assert trainer.evaluate(batches)["accuracy"] == 0.75


def test_an_evaluation_leaves_modes_and_gradients_as_they_are():
    trainer = make_trainer()
    model = trainer.model
    model.train()
    list(model.modules())[2].eval()
    modes = [module.training for module in model.modules()]
    state = {name: tensor.tolist() for name, tensor in model.state_dict().items()}
    trainer.evaluate(loaders()[1])
    assert [module.training for module in model.modules()] == modes
    assert {name: tensor.tolist() for name, tensor in model.state_dict().items()} == state
    assert all(parameter._grad is None for parameter in model.parameters())
    with pytest.raises(ZeroDivisionError):
        trainer.criterion = lambda output, target: 1 / 0
        trainer.evaluate(loaders()[1])
    assert [module.training for module in model.modules()] == modes


def test_an_evaluation_records_nothing():
    trainer = make_trainer()
    losses = []

    def criterion(output, target):
        losses.append(nn.CrossEntropyLoss()(output, target))
        return losses[-1]

    trainer.criterion = criterion
    trainer.evaluate(loaders()[1])
    assert len(losses) == 3 and not any(loss.requires_grad for loss in losses)


def test_a_plateau_is_one_of_what_is_held_out_where_there_is_something():
    for held_out, key in ((loaders()[1], "held_out_loss"), (None, "loss")):
        trainer = make_trainer(plateau=True)
        trainer.fit(loaders()[0], 3, held_out)
        measured = [report[key] for report in trainer.history]
        assert trainer.scheduler.best in measured


def test_models_may_have_several_inputs():
    class Sum(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(1, 1)

        def forward(self, x, y):
            return self.linear(x + y)

    model = Sum()
    dataset = data.TensorDataset(torch.ones(4, 1), torch.ones(4, 1), torch.ones(4, 1) * 7)
    trainer = TrainingLoop(model, nn.MSELoss(), optim.SGD(model.parameters(), lr=0.1))
    trainer.fit(data.DataLoader(dataset, 2), 40)
    assert trainer.history[-1]["loss"] < 1e-3


def test_a_callback_sees_every_epoch_and_may_end_the_training(tmp_path):
    seen = []

    def callback(trainer):
        seen.append((trainer.epoch, len(trainer.history)))
        return trainer.epoch == 3

    trainer = make_trainer(callback=callback, checkpoint=tmp_path / "run")
    trainer.fit(loaders()[0], 10)
    assert seen == [(1, 1), (2, 2), (3, 3)]
    assert load(tmp_path / "run")["epoch"] == 3


def test_an_interrupted_epoch_leaves_the_checkpoint_of_the_one_before(tmp_path):
    trainer = make_trainer(checkpoint=tmp_path / "run")
    batches, _ = loaders()
    trainer.fit(batches, 1)
    expected = {name: tensor.tolist() for name, tensor in trainer.model.state_dict().items()}

    def interrupted():
        yield from list(batches)[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.fit(interrupted(), 2)
    found = load(tmp_path / "run")
    assert found["epoch"] == 1
    assert {name: tensor.tolist() for name, tensor in found["model"].items()} == expected


def test_other_tools_read_a_checkpoint(tmp_path):
    load_file = pytest.importorskip("safetensors.numpy").load_file
    trainer = make_trainer(checkpoint=tmp_path / "run")
    trainer.fit(loaders()[0], 1)
    found = load_file(tmp_path / "run")
    assert (found["model.0.weight"] == trainer.model[0].weight.data.numpy()).all()


# --- progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    "stream, options, shown", [(Terminal, {}, True), (Terminal, {"progress": False}, False), (io.StringIO, {}, False)]
)
def test_progress_is_shown_on_a_terminal_only(monkeypatch, stream, options, shown):
    pytest.importorskip("tqdm")
    monkeypatch.setattr(sys, "stderr", stream())
    slowly = data.DataLoader(Points(), 8, collate_fn=lambda samples: time.sleep(0.06) or data.default_collate(samples))
    make_trainer(**options).fit(slowly, 2)
    written = sys.stderr.getvalue()
    assert ("epoch 2/2" in written and "loss=" in written) if shown else written == ""


def test_without_tqdm_it_is_quiet(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(sys, "stderr", Terminal())
    make_trainer().fit(loaders()[0], 1)
    assert sys.stderr.getvalue() == ""


# --- what it refuses


def test_no_batches_are_an_error():
    trainer = make_trainer()
    batches = iter(loaders()[0])
    trainer.fit(batches, 1)
    with pytest.raises(ValueError, match="no batch.*an iterator is used up"):
        trainer.fit(batches, 2)
    with pytest.raises(ValueError, match="no batch"):
        trainer.evaluate([])


@pytest.mark.parametrize(
    "change, error, message",
    [
        (lambda state: state.pop("random"), ValueError, "must be a checkpoint with.*random"),
        (lambda state: state.update(scheduler=None), ValueError, "made without a scheduler"),
        (lambda state: state["model"].pop("0.weight"), RuntimeError, "0.weight"),
        (lambda state: state["model"].update({"0.bias": torch.zeros(5)}), RuntimeError, "0.bias"),
        (lambda state: state["optimizer"]["param_groups"][0].pop("betas"), ValueError, "betas"),
        (lambda state: state["scheduler"].pop("gamma"), ValueError, "gamma"),
        (lambda state: state["scheduler"].update(gamma="a"), ValueError, "gamma is 'a'"),
        (lambda state: state["scheduler"].update(base_lrs=[]), ValueError, "base_lrs"),
        (lambda state: state["random"][0].update(torch=torch.zeros(3)), ValueError, "'random'.*set_rng_state"),
        (lambda state: state["random"][0].update(python=3), ValueError, "'random'"),
        (lambda state: state["random"][0]["numpy"].__setitem__(2, 10**9), ValueError, "numpy.random.*at 1000000000"),
        (lambda state: state["random"][0].pop("numpy"), ValueError, "'random'"),
        (lambda state: state.update(random=[7]), ValueError, "'random'"),
        (lambda state: state.update(model=3), ValueError, "'model'.*dictionary, got int"),
        (lambda state: state.update(model={"0.weight": 3}), ValueError, "'model'"),
        (lambda state: state.update(optimizer=None), ValueError, "an optimizer's state_dict"),
        (lambda state: state["optimizer"]["state"].update({0: 3}), ValueError, "'optimizer'"),
        (lambda state: state["optimizer"]["param_groups"][0].update(lr="a"), ValueError, "'optimizer'.*lr"),
        (lambda state: state.update(epoch="1"), ValueError, "the epoch in .* integer .*, got '1'"),
        (lambda state: state.update(epoch=True), ValueError, "the epoch in"),
        (lambda state: state.update(epoch=-1), ValueError, "the epoch in"),
        (lambda state: state.update(history={}), ValueError, "the history"),
        (lambda state: state.update(history=[1]), ValueError, "the history"),
        (lambda state: state.pop("epoch"), ValueError, "must be a checkpoint"),
        (lambda state: state.update(random={}), ValueError, "must be a checkpoint"),
    ],
)
def test_a_checkpoint_that_does_not_fit_changes_nothing(tmp_path, change, error, message):
    trainer = make_trainer(checkpoint=tmp_path / "run")
    trainer.fit(loaders()[0], 1)
    state = load(tmp_path / "run")
    for tensor in [*state["model"].values(), state["optimizer"]["state"][0]["exp_avg"]]:
        tensor.fill_(77)
    change(state)
    save(state, tmp_path / "run")
    seed_everything(8)
    before = repr(everything_of(trainer))
    with pytest.raises(error, match=message):
        trainer.resume(tmp_path / "run")
    assert repr(everything_of(trainer)) == before
    trainer.fit(loaders()[0], 2)


def test_a_checkpoint_with_anything_else_in_a_place_is_refused_as_documented(tmp_path):
    trainer = make_trainer(checkpoint=tmp_path / "run")
    trainer.fit(loaders()[0], 1)
    trainer.resume(tmp_path / "run")
    rng = random.Random(3)
    junk = [None, True, -1, 2**70, math.nan, "a", [], {}, [[]], (), torch.zeros(2), torch.LongTensor([1]), {"lr": 1}]
    for _ in range(40):
        state = load(tmp_path / "run")
        node, key = state, rng.choice(list(state))
        while isinstance(node[key], (dict, list)) and node[key] and rng.random() < 0.7:
            node = node[key]
            key = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        node[key] = rng.choice(junk)
        save(state, tmp_path / "changed")
        before = repr(everything_of(trainer))
        try:
            trainer.resume(tmp_path / "changed")
        except (ValueError, RuntimeError):
            assert repr(everything_of(trainer)) == before
        else:
            trainer.resume(tmp_path / "run")


def test_what_is_no_checkpoint_is_refused(tmp_path):
    save([1], tmp_path / "run")
    with pytest.raises(ValueError, match="must be a checkpoint"):
        make_trainer().resume(tmp_path / "run")
    (tmp_path / "run").write_bytes(b"")
    with pytest.raises(ValueError, match="empty"):
        make_trainer().resume(tmp_path / "run")
    with pytest.raises(FileNotFoundError):
        make_trainer().resume(tmp_path / "elsewhere")


# --- the model and the data of the demonstration


@pytest.mark.parametrize("size, inputs", [(28, 256), (32, 400), (16, 16)])
def test_the_lenet_of_the_articles(size, inputs):
    model = LeNet(size)
    assert tuple(model.fc1.weight.size()) == (120, inputs)
    assert tuple(model(Variable(torch.randn(2, 1, size, size))).size()) == (2, 10)
    assert len(list(model.parameters())) == 10


def test_a_lenet_for_too_small_images_is_refused():
    with pytest.raises(ValueError, match="16x16 or larger, got 15x15"):
        LeNet(15)


@pytest.mark.parametrize("size", [8, 28, 32])
def test_the_digits_have_the_size_that_is_asked_for(size):
    pytest.importorskip("sklearn")
    images, digits = load_digits(size)
    assert images.shape == (1797, 1, size, size) and digits.shape == (1797,)
    assert images.min() == 0 and images.max() == 1
    assert digits[:10].tolist() == list(range(10)) and digits.dtype == numpy.int64
    assert not math.isclose(images[0].std(), 0)


def test_digits_without_scikit_learn_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError, match=r'pip install "legacy_autograd\[train\]"'):
        load_digits()
    with pytest.raises(ValueError, match="size must be 8 or more, got 7"):
        load_digits(7)
