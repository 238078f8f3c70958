"""Every random source that the two worlds share gives both the same numbers; the report names what is not shared."""

import inspect
import os
import random
import time

import numpy
import pytest

pytest.importorskip("torch", reason="the comparison needs modern torch")

from legacy_autograd.comparison import side_by_side  # noqa: E402

from .random_programs import PROGRAMS  # noqa: E402


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_worlds_draw_the_same(name):
    def program(torch, Variable):
        torch.manual_seed(7)
        return PROGRAMS[name](torch, Variable), torch.rand(3)  # the numbers afterwards are the same, too

    comparison = side_by_side(program)
    assert comparison.agrees, str(comparison)
    assert any(array.size for array in comparison.here.results.values())
    # No generator was used more often in one of the runs, and torch's own was not used at all.
    assert comparison.here.generators_at_end == comparison.there.generators_at_end
    assert comparison.there.unshared == []


def test_all_programs_as_one_script_of_2017(forked_worlds, tmp_path, monkeypatch):
    # Float is the default type, and each run has a process of its own, whose hashes of words would differ.
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    path = tmp_path / "all.py"
    path.write_text(
        "import sys\n"
        f"sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
        "import torch\n"
        "from torch.autograd import Variable\n"
        "from torch.nn.init import kaiming_normal\n"
        "from random_programs import PROGRAMS\n"
        "results = {name: program(torch, Variable) for name, program in PROGRAMS.items()}\n"
        "weight = kaiming_normal(torch.Tensor(3, 4))\n"
        "lengths = torch.Tensor([len(word) for word in set('the quick brown fox jumps over a lazy dog'.split())])\n"
        "afterwards = torch.rand(3)\n",
        encoding="utf-8",
    )
    comparison = side_by_side(path, most_backwards=None)
    assert comparison.agrees, str(comparison)
    assert comparison.tolerance == 1e-4 and {"weight", "lengths", "afterwards"} <= set(comparison.results)
    assert len([name for name in comparison.here.results if name.startswith("results")]) > 100


def test_workers_draw_the_same(forked_worlds, tmp_path):
    path = tmp_path / "workers.py"
    path.write_text(
        """
import random
import numpy
import torch
from torch.utils.data import DataLoader, Dataset
class Noisy(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, number):
        return torch.randn(2) + number + random.random() + float(numpy.random.rand())
torch.manual_seed(1)
batches = list(DataLoader(Noisy(), batch_size=2, shuffle=True, num_workers=2))
afterwards = torch.rand(3)
""",
        encoding="utf-8",
    )
    comparison = side_by_side(path)
    assert comparison.agrees, str(comparison)
    assert len(comparison.results) == 5


def program_with(draw):
    """Return a program whose first operation is certain, and whose leaf `x` has the numbers of `draw(torch)`."""

    def program(torch, Variable):
        certain = Variable(torch.ones(3))
        first = certain * 2
        x = Variable(draw(torch))
        return (first * x).sum()

    return program


def is_modern(torch):
    return hasattr(torch, "compile")


def a_seed_from_the_clock(torch):
    torch.manual_seed(time.time_ns() % 2**31)
    return torch.rand(3)


def another_seed_of_numpy(torch):
    numpy.random.seed(1 + is_modern(torch))
    return torch.from_numpy(numpy.random.rand(3))


def another_seed_of_python(torch):
    random.seed(1 + is_modern(torch))
    return torch.Tensor([random.random() for _ in range(3)])


def one_draw_more(torch):
    if is_modern(torch):
        torch.rand(1)
    return torch.rand(3)


@pytest.mark.parametrize(
    "draw, named",
    [
        (a_seed_from_the_clock, "torch"),
        (another_seed_of_numpy, "numpy.random"),
        (another_seed_of_python, "Python's random"),
        (one_draw_more, "torch"),
    ],
)
def test_the_report_says_that_random_numbers_differ_first(draw, named):
    comparison = side_by_side(program_with(draw))
    assert not comparison.agrees and comparison.first_difference.endswith(
        "the value of the leaf x #3 is the first to differ"
    )
    last = str(comparison).splitlines()[-1]
    assert last.startswith("They differ: ")
    line = inspect.getsourcelines(program_with)[1] + 7  # of the operation that uses x
    assert last.endswith(
        f"Random numbers differ before this: the generator of {named} was seeded or used differently in the two runs, "
        f"in line {line} or before."
    )
    assert last in comparison._repr_mimebundle_()["text/html"].replace("&#x27;", "'")


def test_the_report_names_draws_that_legacy_autograd_cannot_share():
    def draw(torch):
        return torch.poisson(torch.ones(3) * 50) if is_modern(torch) else torch.ones(3)

    comparison = side_by_side(program_with(draw))
    line = inspect.getsourcelines(draw)[1] + 1
    assert comparison.random_numbers == [
        f"Random numbers before this are not shared: torch's poisson in line {line} draws from torch's own generator, "
        "which has no counterpart in legacy_autograd."
    ]


def test_random_numbers_are_not_blamed_for_an_earlier_difference():
    def program(torch, Variable):
        x = Variable(torch.ones(3))
        y = x * (2 if is_modern(torch) else 3)
        torch.manual_seed(time.time_ns() % 2**31)
        return (y * Variable(torch.rand(3))).sum()

    comparison = side_by_side(program)
    assert "MulConstant" in comparison.first_difference and comparison.random_numbers == []


def test_a_difference_between_results_or_gradients_alone():
    def result(torch, Variable):
        torch.manual_seed(time.time_ns() % 2**31)
        return torch.rand(3)

    def gradient(torch, Variable):
        x = Variable(torch.ones(3))
        y = x * 2
        y.register_hook(lambda grad: grad * (1 + a_seed_from_the_clock(torch)))
        return y.sum()

    for program in (result, gradient):
        comparison = side_by_side(program)
        assert not comparison.agrees
        (sentence,) = comparison.random_numbers
        assert sentence.startswith("Random numbers differ before this: the generator of torch was seeded")


def test_the_exit_code_follows_the_last_sentence(tmp_path, compare):
    path = tmp_path / "values.py"
    path.write_text(
        "import torch, time\n"
        "from torch.autograd import Variable\n"
        "torch.manual_seed(time.time_ns() % 2**31)\n"
        "x = Variable(torch.rand(2), requires_grad=True)\n"
        "(x * 2).sum().backward()\n",  # the gradient is 2, whatever x is
        encoding="utf-8",
    )
    result = compare(path)
    assert result.out.splitlines()[-1].startswith("They differ: ") and result.returncode == 1
    path.write_text("import torch\nx = torch.rand(2)\n", encoding="utf-8")
    result = compare(path)
    assert result.out.splitlines()[-1].startswith("All values and gradients agree") and result.returncode == 0
