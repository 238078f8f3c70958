"""Fixtures for the two ways to start a student's process."""

import types

import interpreters
import pytest

from legacy_autograd.exercises import grader
from legacy_autograd.exercises.sandbox import fork_server


@pytest.fixture
def fresh_interpreters(monkeypatch):
    """Each student's process is a fresh interpreter, as on a system that cannot fork."""
    monkeypatch.setattr(fork_server, "AVAILABLE", False)
    monkeypatch.setattr(fork_server, "_servers", {})


@pytest.fixture(params=["forked", "fresh"])
def way(request):
    """How student's processes start: both ways, one after the other."""
    if request.param == "fresh":
        request.getfixturevalue("fresh_interpreters")
    elif not fork_server.AVAILABLE:
        pytest.skip("this system starts fresh interpreters")
    return request.param


@pytest.fixture
def forked_judges(monkeypatch):
    """Judges in a process of their own are forks of one that has loaded the package."""

    def run(command, **options):
        return interpreters.run(command, load=["legacy_autograd.exercises.grader"], **options)

    monkeypatch.setattr(grader, "subprocess", types.SimpleNamespace(run=run))
