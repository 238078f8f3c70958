"""Single exercises against what else the project knows: the museum, Graphviz, numerical derivatives."""

import subprocess
import sys
import types

import pytest

from legacy_autograd import exercises, historical
from legacy_autograd.exercises import template
from legacy_autograd.exercises.observers import find_and_fix
from legacy_autograd.exercises.sandbox import blocked

from . import answers


def solution(number):
    """The names that the reference solution defines."""
    namespace = {}
    for cell in answers.cells(number):
        if cell.kind in ("given", "solution"):
            exec(cell.source, namespace)
    return types.SimpleNamespace(**namespace)


@pytest.mark.parametrize(
    "number, exhibit",
    [
        (1, historical.product_and_sum),
        (2, historical.a_constant_operand),
        (3, historical.backward_on_the_second_output),
        (4, historical.half_a_repair),
    ],
)
def test_the_faulty_engines_err_as_those_of_2016_did(number, exhibit):
    """The programs of the reference solution are those of the museum, and so are their numbers."""
    found = find_and_fix.outcomes(solution(6), number)
    then = exhibit().then
    if then.exception:
        assert found["with the faulty engine"] == f"{then.exception} is raised"
    else:
        values = list(then.values.values())
        assert found["with the faulty engine"] == (values if len(values) > 1 else values[0])
    assert found["with a correct engine"] != found["with the faulty engine"]


def test_each_faulty_engine_has_a_fault_of_its_own():
    """Every engine is wrong on its own program, and the made-up fault is not one of 2016's."""
    reference = solution(6)
    for program in range(1, 6):
        for engine in range(1, 6):
            answer = types.SimpleNamespace(**{f"program_{engine}": getattr(reference, f"program_{program}")})
            found = find_and_fix.outcomes(answer, engine)
            wrong = found["with the faulty engine"] != found["with a correct engine"]
            assert wrong == (engine == program or (program, engine) == (4, 1)), (program, engine)


def test_the_texts_name_every_part_once():
    for number in exercises.numbers():
        exercise = exercises.load(number)
        named = [cell.name for cell in template.read(exercise) if cell.kind == "tests"]
        assert named == [group.name for group in exercise.groups]


def test_everything_that_is_withheld_exists():
    for number in exercises.numbers():
        for path in exercises.load(number).withheld:
            owner, name = blocked._owner(path)
            assert name in vars(owner), (number, path)


PLACES_OF_THE_ENGINE = """
import sys
from legacy_autograd import exercises
from legacy_autograd.autograd import ExecutionEngine
for number in (4, 5, 6, 11):
    withheld = exercises.load(number).withheld
    for name, module in list(sys.modules.items()):
        if name.startswith("legacy_autograd") and ".checks" not in name:
            if vars(module).get("ExecutionEngine") is ExecutionEngine:
                assert f"{name}:ExecutionEngine" in withheld, (number, name)
"""


def test_the_engine_is_withheld_wherever_the_package_exports_it():
    command = [sys.executable, "-c", PLACES_OF_THE_ENGINE]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
    assert result.returncode == 0, result.stderr
