"""`python -m legacy_autograd demo lenet`: the whole of it, and what it says where something is missing."""

import re
import sys

import pytest
from installed import needs

import legacy_autograd as torch
from legacy_autograd.demos import lenet
from legacy_autograd.demos.networks import LeNet

needs("sklearn", "safetensors")


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(lenet, "EPOCHS", 2)


@pytest.mark.slow
def test_lenet_reads_97_percent_of_unseen_digits(command):
    result = command("demo", "lenet", timeout=1200)
    assert (result.returncode, result.stderr) == (0, "")
    assert len(re.findall(r"epoch +\d+  loss", result.stdout)) == 20
    assert float(re.search(r"([0-9.]+)% of the held-out digits", result.stdout)[1]) >= 97
    assert "gives the same scores" in result.stdout


def test_the_demonstration_learns_plots_draws_and_saves(quick, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert lenet.run(tmp_path) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    first, second = re.findall(r"held out: loss ([0-9.]+)", shown.out)
    assert float(second) < float(first) < 2.3
    assert {"lenet_loss.png", "lenet.dot", "lenet.svg", "lenet.safetensors"} <= {
        path.name for path in tmp_path.iterdir()
    }
    dot = (tmp_path / "lenet.dot").read_text()
    for name in ("conv1", "conv2", "fc1", "fc2", "fc3", "image", "digit", "MaxPool2d", "CrossEntropyLoss"):
        assert name in dot
    loaded = torch.load(tmp_path / "lenet.safetensors")
    assert list(loaded) == list(LeNet().state_dict())


def test_the_same_seed_gives_the_same_network(quick, monkeypatch, capsys):
    monkeypatch.setattr(lenet, "EPOCHS", 1)
    weights = [lenet.fit(*lenet.digits(seed)).model.fc3.weight.data for seed in (0, 0, 1)]
    assert weights[0].equal(weights[1]) and not weights[0].equal(weights[2])


def test_moved_digits_stay_whole_and_do_move():
    train, held_out = lenet.digits()
    assert (len(train), len(held_out)) == (1437, 360)
    unmoved = train.images.numpy()[0, 0, 2:-2, 2:-2]
    seen = {train[0][0].numpy().tobytes() for _ in range(60)}
    assert 10 < len(seen) <= 25
    for _ in range(10):
        image, digit = train[0]
        assert tuple(image.size()) == (1, 28, 28) and digit == int(train.digits[0])
        assert abs(image.numpy().sum() - unmoved.sum()) <= 0.05 * unmoved.sum()


@pytest.mark.parametrize("missing", ["sklearn", "safetensors"])
def test_a_missing_package_is_one_sentence_before_the_work(quick, monkeypatch, tmp_path, capsys, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(lenet, "fit", None)
    assert lenet.run(tmp_path) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    assert shown.err.startswith("demo lenet: ") and 'pip install "legacy_autograd[train]"' in shown.err


def test_without_matplotlib_the_rest_is_done(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    lenet.plot([{"epoch": 1, "loss": 1.0, "held_out_loss": 1.0}], tmp_path)
    assert "matplotlib is missing" in capsys.readouterr().err
