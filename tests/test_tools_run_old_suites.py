"""tools/run_old_suites.py over a small made-up suite: its counts, its lists, and the page that it writes."""

import pathlib
import runpy
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = runpy.run_path(str(ROOT / "tools/run_old_suites.py"))
LISTS = tomllib.loads((ROOT / "tools/old_suites.toml").read_text(encoding="utf-8"))

TESTS = """
import unittest
import torch

class TestMade(unittest.TestCase):
    def test_passes(self):
        self.assertEqual(torch.ones(2).sum(), 2)

    @unittest.skipIf(True, "no CUDA")
    def test_skips(self):
        pass

    def test_needs_sparse(self):
        torch.sparse.FloatTensor(2)

    def test_fails_by_chance(self):
        pass

    def test_fails(self):
        self.fail("known")

    def test_fails_unexplained(self):
        self.fail("not known")

if __name__ == "__main__":
    unittest.main()
"""

MADE_UP = """
[eras]
"v0.1.1" = "0.1.1"

[[excluded]]
files = ["v0.1.12/test_nn.py"]
tests = ["TestMade.test_needs_sparse"]
needs = "sparse tensors"
line = "14: torch.sparse.FloatTensor"

[[excluded]]
files = ["v0.1.12/test_nn.py"]
tests = ["TestMade.test_fails_by_chance"]
needs = "a seed"
line = "16: def test_fails_by_chance"
sometimes = true

[[known_failures]]
files = ["v0.1.12/test_nn.py"]
tests = ["TestMade.test_fails", "TestMade.test_passes"]
reason = "Made to fail."

[names_left_out]
"torch.sparse" = "Sparse tensors are left out."
"""


@pytest.fixture
def folder(tmp_path):
    for version, name, text in [
        ("v0.1.12", "test_nn.py", TESTS),
        ("v0.1.12", "test_utils.py", "import torch\ntorch.no_such_name\n"),
        ("v0.1.1", "test_nn.py", TESTS.split("    def test_needs_sparse")[0] + "unittest.main()\n"),
    ]:
        path = tmp_path / version / "test" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "lists.toml").write_text(MADE_UP, encoding="utf-8")
    return tmp_path


def test_counts_lists_and_page(folder, capsys):
    page = folder / "page.md"
    options = ["--lists", str(folder / "lists.toml"), "--document", str(page), "--write"]
    assert TOOL["main"]([str(folder), *options]) == 1
    printed = capsys.readouterr().out
    assert "v0.1.1/test_nn.py: 1 of 1, 1 skipped" in printed
    assert "v0.1.12/test_nn.py: 1 of 3, 2 left out, 1 skipped" in printed
    assert "v0.1.12/test_utils.py: does not start: AttributeError: torch.no_such_name does not exist" in printed
    assert "v0.1.12/test_nn.py: TestMade.test_fails_unexplained fails, and is in no list" in printed
    assert "v0.1.12/test_nn.py: TestMade.test_passes is in a list, and does not fail" in printed
    assert "TestMade.test_fails fails" not in printed and "does not have" not in printed
    text = page.read_text(encoding="utf-8")
    assert "| test_nn | 1 of 1 | 1 of 3, 2 left out |" in text
    assert "| v0.1.12/test_nn.py: `TestMade.test_fails`, `TestMade.test_passes` | Made to fail. |" in text
    assert "`TestMade.test_needs_sparse` | sparse tensors | `torch.sparse.FloatTensor` (line 14) |" in text
    assert "| `torch.sparse` | Sparse tensors are left out. |" in text


def test_a_file_without_progress_is_stopped(folder, monkeypatch):
    (folder / "v0.1.12/test/test_nn.py").write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    monkeypatch.setitem(TOOL["run"].__globals__, "SECONDS", 0.5)
    assert TOOL["run"](folder, "v0.1.12/test_nn.py", "0.1.12") == "no end: 0.5 seconds without progress"


def test_a_line_that_is_not_in_the_file_is_reported(folder, capsys):
    lists = folder / "lists.toml"
    lists.write_text(MADE_UP.replace("14:", "15:"), encoding="utf-8")
    assert TOOL["main"]([str(folder), "v0.1.1/test_nn.py", "--lists", str(lists)]) == 1
    assert "v0.1.12/test_nn.py, line 15, does not have 'torch.sparse.FloatTensor'" in capsys.readouterr().out


def test_the_page_has_every_entry_of_the_lists():
    page = (ROOT / "docs/suites.md").read_text(encoding="utf-8")
    for key, reason in (("excluded", "needs"), ("known_failures", "reason")):
        for row in LISTS.get(key, []):
            assert all(f"`{test}`" in page for test in row["tests"]) and row[reason] in page, row
    for name, reason in LISTS["names_left_out"].items():
        assert f"| `{name}` | {reason} |" in page
