"""The programs that judge answers: what they vary, how they are run, compared and made smaller."""

import ast
import itertools
import os
import re
import subprocess
import sys

import numpy
import pytest

from legacy_autograd import exercises
from legacy_autograd.autograd import Variable, engine, fast
from legacy_autograd.exercises.programs.dimensions import DIMENSIONS, Draw
from legacy_autograd.exercises.programs.functions import FUNCTIONS
from legacy_autograd.exercises.programs.running import Run
from legacy_autograd.exercises.programs.shrinking import shrunk
from legacy_autograd.exercises.programs.thresholds import constants_in
from legacy_autograd.tensor import DoubleTensor

JUDGED = [number for number in exercises.numbers() if exercises.load(number).random]


@pytest.mark.parametrize("number", JUDGED)
def test_each_value_of_an_exercises_dimensions_is_in_its_programs(number):
    exercise = exercises.load(number)
    asked = {(dimension, value) for dimension, values in exercise.dimensions.items() for value in values}
    assert asked <= {(dimension, value) for dimension, values in DIMENSIONS.items() for value in values}
    used = set().union(*[program.used for name in exercise.random for program in exercise.random[name]()])
    assert used >= asked


@pytest.mark.parametrize("number", JUDGED)
def test_the_packages_own_part_passes_on_fresh_seeds(number):
    """The reference against itself: no program of any seed raises, and two runs are equal."""
    exercise = exercises.load(number)
    for name in exercise.random:
        for program in [*exercise.random[name](range(10))][:10]:
            first, second = (exercise.behaviour(exercise.reference, list(program.lines)) for _ in range(2))
            assert repr(first) == repr(second), program


def test_of_three_programs_the_one_with_most_values_together_is_chosen():
    """The digits are in the source: to draw three programs for each takes a tenth of the time of a judgement."""
    for assigned in [assigned for number in JUDGED for assigned in set(exercises.load(number).random.values())]:
        if assigned.chosen:
            seen, right = set(), ""
            for number in range(assigned.count):
                some = [assigned._program(assigned._first + 3 * number + digit) for digit in range(3)]
                new = [_together(program.used) - seen for program in some]
                right += str(new.index(max(new, key=len)))
                seen |= new[int(right[-1])]
            assert assigned.chosen == right


def _together(used):
    """The values of DIMENSIONS two at a time, and those of operands three at a time."""
    of_operands = sorted(one for one in used if one[0] in ("type", "layout", "size", "places"))
    return {*itertools.combinations(sorted(used), 2), *itertools.combinations(of_operands, 3)}


def test_a_seed_gives_one_program():
    exercise = exercises.load(5)
    first, second = ([*exercise.random["random_programs"]()] for _ in range(2))
    assert first == second and len({program.lines for program in first}) == len(first)


def test_a_seed_gives_one_program_in_every_process():
    """Two processes, because in one all texts have the same hashes, and so sets of them one order."""
    code = """
from legacy_autograd import exercises
for exercise in map(exercises.load, exercises.numbers()):
    for name in exercise.random:
        print(*[program.lines for program in exercise.random[name]()], sep="\\n")
"""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    )
    assert first and first == second


def test_the_same_programs_hold_the_fast_twin():
    """The package's own book and twin do the same with the programs that judge exercise 5."""
    exercise = exercises.load(5)
    for program in [*exercise.random["random_programs"]()]:
        found = Run({"Engine": engine.ExecutionEngine}).execute(program.lines[1:])
        fast.remove()
        try:
            expected = Run({"Engine": engine.ExecutionEngine}).execute(program.lines[1:])
        finally:
            fast.install()
        assert repr(found) == repr(expected), program


# --- running


def test_what_is_seen_of_a_program():
    lines = ["x = Variable(DoubleTensor([2.0]))", "y = x * x", "g = DoubleTensor([3.0])",
             "h = y.register_hook('h', note('y'))", "y.backward(g)"]  # fmt: skip
    seen = Run(watch=True).execute(lines)
    # d(x * x) / dx = 2x = 4, times 3
    assert seen["x.grad"] == [12.0] and seen["hook y"] == [[3.0]] and seen["writes into g"] == 0
    assert seen["backward of y"] == [[3.0]] and seen["backward of x"] == [[12.0]]
    assert seen["written into"] == "nothing"


@pytest.mark.parametrize("write", ["g.add_(1)", "g.numpy()[0] += 1", "g.view(-1)[0] = 5", "g.mul_(1)"])
def test_a_write_into_a_gradient_that_another_holds_is_seen(write):
    run, g = Run(), DoubleTensor([3.0])
    run.hold("the gradient that y was given", g)
    assert run.execute([])["written into"] == "nothing"
    exec(write, {"g": g})
    assert run.execute([])["written into"] == "the gradient that y was given"


def test_an_exception_of_a_hook_is_seen_and_others_pass():
    lines = ["x = Variable(DoubleTensor([2.0]))", "h = x.register_hook('h', note('x', 'raises', KeyError))",
             "x.backward(DoubleTensor([1.0]))"]  # fmt: skip
    assert Run().execute(lines)["line 3"] == "KeyError"
    with pytest.raises(NameError):
        Run().execute(["y"])


# --- drawing and shrinking


def test_the_layouts_hold_the_numbers_that_were_drawn():
    for seed in range(200):
        draw = Draw(seed, {"layout": list(DIMENSIONS["layout"]), "values": ["ordinary"]})
        size = draw.one_of([(3,), (2, 3), (2, 1, 2), (1, 2, 1, 2)])
        tensor = eval(draw.tensor(size), {"DoubleTensor": DoubleTensor})
        assert tuple(tensor.size()) == size and abs(numpy.array(tensor.tolist())).max() <= 3


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="which ids come back")
def test_variables_have_the_id_of_an_output_that_is_gone():
    x = Variable(DoubleTensor([[1.0, 2.0], [3.0, 4.0]]))
    one_id, id_of_gone = ([FUNCTIONS[name](x) for _ in range(20)] for name in ("one_id", "id_of_gone"))
    ids = [[result.creator.previous_functions[0][1] for result in pair] for pair in one_id]
    assert any(first == second for first, second in ids)
    assert any(id(other) in output.creator.output_ids for output, other in id_of_gone)


def test_the_numbers_of_an_answer_are_those_in_its_code():
    """The compiler computes 2**20 and -1e-9; texts, comments and numbers that all programs have are none."""
    code = "limit = 2**20  # not 77\ndef f(x, n=(17, 3)):\n    return x if x < -1e-9 or x is True else '88' + x[2:0.5]"
    assert sorted(constants_in([code, "def f(:", "17"])) == [1e-9, 17, 17, 2**20]


def test_the_exceptions_of_an_answer_are_those_that_it_names_and_programs_raise_them():
    code = "try:\n    f()\nexcept (OSError, StopIteration, Mine):\n    print('KeyError')"
    assert constants_in([code]) == ["OSError"]
    exercise = exercises.load(5)
    assigned = exercise.random["random_programs"]
    found = ["\n".join(program.lines) for program in assigned.at(["OSError"])]
    assert found and all("'raises', OSError)" in text for text in found)


def test_programs_at_a_number_have_as_many_calls_operations_elements_and_dimensions():
    exercise = exercises.load(5)
    assigned = exercise.random["random_programs"]
    found = ["\n".join(program.lines) for program in assigned.at([9])]
    assert any("backward(" in text.partition("range(19): ")[2].partition("\n")[0] for text in found)
    assert any(re.search(r"for _ in range\(9\): (v\d+) = \1", text) for text in found)
    assert any("] * 9, " in text or "for _ in [[" in text for text in found)
    assert any(str(9 * (1 + 2**-10)) in text for text in found)
    drawn = [Draw(seed, exercise.dimensions, 9).size() for seed in range(20)]
    assert all(9 in size or len(size) == 9 for size in drawn) and {len(size) == 9 for size in drawn} == {True, False}


def test_a_program_is_made_smaller_as_long_as_it_fails():
    lines = ["x1 = Variable(DoubleTensor([1.5, -2.25]))", "c2 = Variable(DoubleTensor([0.5, 1.0]))",
             "v3 = x1 * 2", "v4 = v3 + c2", "v5 = v4 * v4", "v6 = v5 - c2", "v6.backward(v4.data)"]  # fmt: skip

    def fails(lines):
        """Whether some Variable is multiplied by itself, in lines that run."""
        try:
            Run().execute(lines)
        except Exception:
            return False
        products = [node for line in lines for node in ast.walk(ast.parse(line)) if isinstance(node, ast.BinOp)]
        return any(isinstance(p.op, ast.Mult) and ast.dump(p.left) == ast.dump(p.right) for p in products)

    assert shrunk(lines, fails) == ("c2 = Variable(DoubleTensor([1.0, 2.0]))", "v5 = c2 * c2")


def test_no_tuple_takes_the_place_of_a_variable():
    # A tuple that is doubled a thousand times fills all memory.
    lines = [
        "x1 = Variable(DoubleTensor([2.0]))",
        "v2 = Pair(x1)",
        "v3 = v2[0] * 2",
        "for _ in range(1000): v3 = v3 + v3",
    ]
    tried = []
    shrunk(lines, tried.append)  # which returns None: nothing fails
    assert tried and not any("v2 + v2" in line for candidate in tried for line in candidate)
