"""Many small checks in one test, where a failing check hides no other.

pytest spends more time on an item than most of these checks take. So thousands of combinations of an operation, a
layout and a dtype are the steps of a few hundred tests. Every step of a test runs; the failure names each step that
failed and shows its traceback. pytest's own subtests take a millisecond each (5,000 empty ones 4.7 s in pytest 9.2,
these steps 0.08 s).
"""

import contextlib
import functools
import inspect
import itertools

import pytest


@contextlib.contextmanager
def every_step():
    """Yield `step`, where `with step(name):` runs a part of the test; raise what the parts raised, all at once."""
    names, failed = [], {}

    @contextlib.contextmanager
    def step(name):
        names.append(name)
        try:
            yield
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"in the step: {name}")
            failed[name] = error

    yield step
    if failed:
        message = f"{len(failed)} of {len(names)} steps failed: {'; '.join(failed)}"
        raise BaseExceptionGroup(message, list(failed.values()))


def for_each(names, values):
    """Decorate a test to run for each of `values` as a step; `names` and `values` are those of parametrize.

    Several decorators run the test for every combination. What remains of the test's arguments are fixtures, which
    the steps share: a test whose steps would disturb each other through a fixture needs parametrize.
    """
    names = [name.strip() for name in names.split(",")]
    rows = [dict(zip(names, [value] if len(names) == 1 else value)) for value in values]

    def decorate(test):
        function, axes = getattr(test, "_steps", (test, []))
        axes = [rows, *axes]

        @functools.wraps(function)
        def run(**fixtures):
            with every_step() as step:
                for combination in itertools.product(*axes):
                    arguments = {name: value for row in combination for name, value in row.items()}
                    with step(", ".join([f"{name}={_shown(value)}" for name, value in arguments.items()])):
                        function(**fixtures, **arguments)

        signature = inspect.signature(test)
        remaining = [parameter for name, parameter in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=remaining)
        run._steps = function, axes
        return run

    return decorate


def _shown(value):
    return getattr(value, "__name__", None) or str(value)
