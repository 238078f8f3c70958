"""Single exercises against what else the project knows: the museum, Graphviz, numerical derivatives."""

import random
import types

import pytest

from legacy_autograd import exercises, historical
from legacy_autograd.exercises import template
from legacy_autograd.exercises.checks import find_and_fix
from legacy_autograd.exercises.observers.find_and_fix import outcome

from . import answers


def solution(number):
    """The names that the reference solution defines."""
    namespace = {}
    for cell in answers.cells(number):
        if cell.kind in ("given", "solution"):
            exec(cell.source, namespace)
    return types.SimpleNamespace(**namespace)


def compared(answer, number):
    """What the check of a program of exercise 6 compares."""

    def run(engines):
        return [outcome(answer, number, engine)["result"] for engine in engines]

    return find_and_fix.results(run, number, random.Random())


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
    answer = solution(6)
    found = compared(answer, number)
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
            found = compared(answer, engine)
            wrong = found["with the faulty engine"] != found["with a correct engine"]
            assert wrong == (engine == program or (program, engine) == (4, 1)), (program, engine)


def test_the_texts_name_every_part_once():
    for number in exercises.numbers():
        exercise = exercises.load(number)
        named = [cell.name for cell in template.read(exercise) if cell.kind == "tests"]
        assert named == [group.name for group in exercise.groups]
