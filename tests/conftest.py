"""Fixtures that tests of several parts use."""

import os
import pathlib
import subprocess
import sys

import pytest

import legacy_autograd

_ROOT = str(pathlib.Path(legacy_autograd.__file__).resolve().parents[1])


@pytest.fixture
def command(tmp_path):
    """`command("demo", ...)` runs `python -m legacy_autograd demo ...` in an empty folder and returns what happened.

    The process sees no era and no search path of this one, apart from where the package is.
    """

    def run(*arguments, timeout=120, **environment):
        clean = {name: value for name, value in os.environ.items() if name != "LEGACY_AUTOGRAD_ERA"}
        return subprocess.run(
            [sys.executable, "-m", "legacy_autograd", *map(str, arguments)],
            cwd=tmp_path,
            env={**clean, "PYTHONPATH": _ROOT, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
        )

    return run


@pytest.fixture
def program_folder(tmp_path):
    """Where `program` writes the program; not the folder that it is run from."""
    folder = tmp_path / "programs"
    folder.mkdir()
    return folder


@pytest.fixture
def program(program_folder, command):
    """`program(source, ...)` runs a program's text through `python -m legacy_autograd run`."""

    def run(source, *arguments, options=(), **keywords):
        path = program_folder / "program.py"
        path.write_text(source, encoding="utf-8")
        return command("run", *options, path, *arguments, **keywords)

    return run
