"""Fixtures for the number of random programs, and for the two ways to start a student's process."""

import math
import types

import interpreters
import pytest

from legacy_autograd import exercises
from legacy_autograd.exercises import grader
from legacy_autograd.exercises.sandbox import fork_server


@pytest.fixture(scope="module")
def fewer_programs(request):
    """In `make test` a check runs a fifth of its random programs; with the slow tests it runs all of them."""
    if not request.config.option.markexpr:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        for number in exercises.numbers():
            for assigned in set(exercises.load(number).random.values()):
                patch.setattr(assigned, "count", math.ceil(assigned.count / 5))
        yield


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
