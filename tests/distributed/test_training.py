"""The loop in several ranks, the two readable sums, the timeline, the page of all ranks, and the demonstration."""

import re

import pytest

from benchmarks import overlap
from legacy_autograd.demos import ddp
from legacy_autograd.distributed import launch
from legacy_autograd.drawing import LayoutUnavailable
from legacy_autograd.drawing.layout import to_svg

from .conftest import PROGRAMS


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_trainer_in_several_ranks_equals_one_and_resumes(succeed, count):
    assert succeed(count, "training.py").count("trained") == count


@pytest.mark.parametrize("count", [1, 2, 3])
def test_ring_and_parameter_server_sum_as_mpi_does(succeed, count):
    assert succeed(count, "sums.py").count("summed") == count


def test_a_program_in_torchs_names_runs(succeed):
    assert succeed(2, "-m", "legacy_autograd", "run", PROGRAMS / "torch_names.py").count("the names are there") == 2


def test_all_reduces_start_inside_backward_and_the_page_shows_all_ranks(succeed):
    out = succeed(2, "tracing.py")
    assert out.count("traced") == 2
    try:
        to_svg("digraph { a }")
    except LayoutUnavailable:
        return
    assert "no layout" not in out


def test_the_demonstration_trains_and_all_ranks_agree(mpi_works, command, tmp_path):
    pytest.importorskip("sklearn", reason="the digits come with scikit-learn")
    result = command("demo", "ddp", "--out", "here")
    assert result.returncode == 0, result.stderr
    losses = [float(loss) for loss in re.findall(r"  loss ([0-9.]+)", result.stdout)]
    assert losses[-1] < losses[0] / 2
    assert float(re.findall(r"accuracy ([0-9.]+)", result.stdout)[-1]) > 0.8
    assert len(re.findall(r"^  rank \d  [0-9a-f]{32}$", result.stdout, re.MULTILINE)) == 2
    assert "All ranks hold the same weights." in result.stdout
    assert (tmp_path / "here" / "ddp.safetensors").exists()
    assert (tmp_path / "here" / "ddp.html").exists() or "is left out" in result.stderr


def test_the_measurement_of_overlap_says_what_it_measured(mpi_works, capfd):
    # How much is saved depends on what else the machine does; that it overlaps at all is what tracing.py looks at.
    assert overlap.main(["--megabits=500", "--width=256", "--batch=64", "--steps=2"]) == 0
    said = capfd.readouterr().out
    assert "2 ranks, 4.2 MB of gradients in" in said and "over 500 Mbit/s" in said
    with_overlap, without = map(float, re.search(r"([0-9.]+) ms with overlap, ([0-9.]+) ms without", said).groups())
    # 4.2 MB take 67 ms at 500 Mbit/s, however fast the machine is.
    assert with_overlap > 60 and without > 60
    assert float(re.search(r"ratio ([0-9.]+)", said)[1]) == pytest.approx(with_overlap / without, abs=0.01)


@pytest.mark.parametrize("missing", ["mpiexec", "mpi4py"])
def test_without_an_mpi_the_demonstration_says_what_to_install(monkeypatch, capsys, tmp_path, missing):
    monkeypatch.setattr(launch, "is_rank", lambda: False)
    monkeypatch.setattr(launch.shutil, "which", lambda *_, **__: None if missing == "mpiexec" else "/bin/mpiexec")
    monkeypatch.setattr(launch.importlib.util, "find_spec", lambda name: None)
    assert ddp.run(tmp_path) == 1
    said = capsys.readouterr().err
    assert f"needs {missing}, which is not installed" in said and 'pip install "legacy_autograd[distributed]"' in said
