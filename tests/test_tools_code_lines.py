"""The core stays short: tools/code_lines.py, its limits, and the formatting that makes its counts compare."""

import pathlib
import runpy
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = runpy.run_path(str(ROOT / "tools/code_lines.py"))

SOURCE = '''\
"""A docstring
of two lines."""

# a comment
import os  # 1


class A:  # 2
    """A docstring."""

    x = 1  # 3
    """A bare string is no code."""

    def f(self):  # 4
        text = """not a docstring: 5

        7"""
        return g(  # 8
            text,  # 9

            os,  # 10: neither the comment
            # nor the empty line above
        )  # 11
'''


def test_what_a_line_of_code_is():
    assert TOOL["code_lines"](SOURCE) == 11


def test_the_core_is_within_its_limits(capsys):
    assert TOOL["main"]([]) == 0
    printed = capsys.readouterr().out
    assert all(f"autograd/{name}" in printed.replace("\\", "/") for name in (*TOOL["BOOK"], *TOOL["BESIDE_IT"]))


def test_one_line_too_many_fails(tmp_path, capsys):
    file = tmp_path / "long.py"
    file.write_text("x = 1\n\n" * 3, encoding="utf-8")
    counts = TOOL["count"]([tmp_path])
    assert counts == {file: 3}
    assert TOOL["report"](counts, 3) and not TOOL["report"](counts, 2)
    assert f"{file}\n     3  together, at most 2" in capsys.readouterr().out


def test_the_counted_files_are_formatted():
    files = [str(TOOL["CORE"] / name) for names in TOOL["LIMITS"] for name in names]
    # `--config`: the tests may run in a copy of the folder, below another pyproject.toml.
    command = [sys.executable, "-m", "ruff", "format", "--check", "--config", str(ROOT / "pyproject.toml"), *files]
    result = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert result.returncode == 0, result.stdout + result.stderr
