"""Fixtures for scripts, each of which runs in two processes."""

import types

import interpreters
import pytest

from legacy_autograd.__main__ import main
from legacy_autograd.comparison import subprocess_run

_RECORDERS = {"here": ["legacy_recorder", "initial_state"], "modern": ["torch_recorder", "legacy_api"]}


@pytest.fixture
def forked_worlds(monkeypatch):
    """The processes of a comparison are forks of processes that have loaded the two worlds."""

    def run(command, **options):
        (modules,) = [modules for world, modules in _RECORDERS.items() if f"work('{world}'" in command[2]]
        load = [f"legacy_autograd.comparison.{name}" for name in ["subprocess_run", *modules]]
        return interpreters.run(command, load=load, **options)

    monkeypatch.setattr(subprocess_run, "subprocess", types.SimpleNamespace(run=run, DEVNULL=None))


@pytest.fixture
def compare(forked_worlds, tmp_path, monkeypatch, capsys):
    """`compare(script, ...)` is the command in this process, in an empty folder: its exit code and what it wrote."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["compare", *map(str, arguments)])
        return types.SimpleNamespace(returncode=code, **capsys.readouterr()._asdict())

    return run
