"""Where modern torch is not installed: one sentence, and everything else works."""

import subprocess
import sys

import pytest

# None in sys.modules is how Python notes that a module cannot be imported.
NO_TORCH = "import sys; sys.modules['torch'] = None\n"
SENTENCE = 'the comparison needs modern torch, which is not installed: pip install "legacy_autograd[compare]"'


def run(code):
    return subprocess.run([sys.executable, "-c", NO_TORCH + code], capture_output=True, text=True)


@pytest.mark.parametrize(
    "code",
    [
        "from legacy_autograd.comparison import side_by_side; side_by_side(lambda torch, Variable: None)",
        "from legacy_autograd.comparison import side_by_side; side_by_side('script.py')",
        "from legacy_autograd.comparison import dictionary; dictionary()",
        "import legacy_autograd; from legacy_autograd.comparison import to_torch; to_torch(legacy_autograd.ones(2))",
        "from legacy_autograd.comparison import from_torch; from_torch(3)",
    ],
)
def test_one_sentence(code):
    result = run(code)
    assert result.stderr.splitlines()[-1] == f"legacy_autograd.comparison._torch.TorchMissing: {SENTENCE}"


def test_the_command_says_it_and_exits_with_2():
    code = "from legacy_autograd.__main__ import main; sys.exit(main(['compare', 'script.py']))"
    result = run(code)
    assert result.returncode == 2
    assert result.stderr.strip() == f"compare: {SENTENCE}"


def test_importing_the_comparison_and_the_museum_needs_no_torch():
    code = "import legacy_autograd.comparison, legacy_autograd.historical as h; h.show()"
    result = run(code)
    assert result.returncode == 0 and "x.grad = 4, y.grad = 3" in result.stdout


def test_where_torch_is_this_package_there_is_nothing_to_compare_with():
    code = (
        "from legacy_autograd.compat import runner; runner.install()\n"
        "from legacy_autograd.comparison import dictionary\n"
        "import torch\n"
        "dictionary()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "in this process `torch` is legacy_autograd" in result.stderr.splitlines()[-1]
