"""Programs in the spelling of 2016 and early 2017 run unchanged through `python -m legacy_autograd run`, and learn."""

import pathlib
import re

import pytest
from installed import needs

needs("sklearn", "safetensors")
pytestmark = pytest.mark.xdist_group("programs")  # forks of one process

HERE = pathlib.Path(__file__).parent

# {program: (the first loss divided by the last is at least this, accuracies are at least this, more lines)}
PROGRAMS = {
    "mnist_august_2016": (5, 0.8, []),
    "mnist_september_2016": (5, 0.8, []),
    "mnist_october_2016": (5, 0.8, []),
    "mnist_2017": (2, 0.7, []),
    "two_layers_by_hand": (5, None, []),
    "two_layers_by_autograd": (5, None, [r"difference 0\.0"]),
    "two_layers_by_nn": (5, None, []),
    "logistic_regression": (2, 0.85, []),
    "feed_forward": (3, 0.8, [r"difference 0\.0"]),
    "convolutional": (3, 0.85, []),
    "recurrent": (2, 0.6, []),
    "residual": (1.3, 0.4, []),
    "characters": (1.5, None, [r"written q[a-z ]{30}$"]),
    "waves": (10, None, [r"predicted torch\.Size\(\[3, 59\]\)"]),
    "walks": (2, None, [r"walk 250 loss 0\.[01]"]),
    "skip_connections": (4, None, [r"modules in training 15 of 17"]),
    "autoencoder": (1.5, None, [r"sample torch\.Size\(\[4, 784\]\)"]),
    "pair_of_loaders": (4, 0.6, [r"batch 17 of 20"]),
    "batch_training": (
        3,
        None,
        [
            r"batch torch\.Size\(\[25, 1\]\) torch\.Size\(\[25, 1\]\)",
            r"gradients seen 160 frozen moved by 0\.0",
            r"loaded again: difference 0\.0",
        ],
    ),
}


@pytest.fixture
def loaded():
    return ["sklearn.datasets"]


def test_every_program_is_listed():
    assert {path.stem for path in HERE.glob("*.py")} - {"digits", "test_programs", "__init__"} == set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_the_time_runs_and_learns(name, command):
    fall, accuracy, lines = PROGRAMS[name]
    era = "0.1.1" if "august" in name else "0.1.12"
    result = command("run", "--era", era, HERE / f"{name}.py")
    assert (result.returncode, result.stderr) == (0, "")
    losses = [float(number) for number in re.findall(r"(?<!test )loss ([0-9.e-]+)", result.stdout)]
    assert len(losses) >= 4
    assert losses[0] / losses[-1] >= fall
    accuracies = [float(number) for number in re.findall(r"accuracy ([0-9.]+)", result.stdout)]
    assert bool(accuracies) == (accuracy is not None)
    assert all(found >= accuracy for found in accuracies[-1:])
    for line in lines:
        assert re.search(line, result.stdout, re.MULTILINE), line
