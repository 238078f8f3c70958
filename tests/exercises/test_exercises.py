"""Single exercises against what else the project knows: the museum, Graphviz, numerical derivatives."""

import shutil
import subprocess
import types

import pytest

from legacy_autograd import exercises, historical
from legacy_autograd.exercises import template
from legacy_autograd.exercises.checks import dot_text, find_and_fix
from legacy_autograd.exercises.observers import drawing, programs
from legacy_autograd.exercises.observers.find_and_fix import outcome

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
    answer = solution(6)
    found = find_and_fix.results(lambda engine: outcome(answer, number, engine)["result"], number)
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
            found = find_and_fix.results(lambda given: outcome(answer, engine, given)["result"], engine)  # noqa: B023
            wrong = found["with the faulty engine"] != found["with a correct engine"]
            assert wrong == (engine == program or (program, engine) == (4, 1)), (program, engine)


@pytest.mark.parametrize("program", sorted(set(programs.PROGRAMS) - {"long_chain"}))
def test_graphviz_reads_a_drawing_as_the_checks_do(program):
    source = drawing.text_of(solution(9), programs.root_of(programs.PROGRAMS[program]()))["text"]
    graph = dot_text.read(source)
    assert len(graph.declared) == len(graph.nodes)
    if shutil.which("dot") is None:
        pytest.skip("Graphviz' dot is not installed")
    plain = subprocess.run(["dot", "-Tplain"], input=source, capture_output=True, encoding="utf-8", check=True).stdout
    kinds = [line.split()[0] for line in plain.splitlines()]
    assert (kinds.count("node"), kinds.count("edge")) == (len(graph.nodes), len(graph.edges))


@pytest.mark.parametrize(
    "source, reason",
    [
        ("graph { a -- b }", "does not begin with the word digraph"),
        ("strict digraph { a -> b }", "draws two edges"),
        ("digraph { a -> }", "an edge has no end"),
        ("digraph { a [label] }", "is not written name=value"),
        ("digraph { a", "the graph is not enclosed in { and }"),
        ("digraph { subgraph x { a } }", "is not the start of a node or an edge"),
        ("digraph { a -> ü% }", "cannot be read"),
        ("", "digraph"),
    ],
)
def test_dot_that_cannot_be_read(source, reason):
    with pytest.raises(dot_text.Unreadable, match=reason):
        dot_text.read(source)


def test_dot_in_all_its_spellings():
    graph = dot_text.read(
        'digraph "My graph" {\n  // words\n  node [style=filled]; rankdir=LR\n  a [label="x \\"y\\"" fillcolor=blue]\n'
        "  a -> b -> c [color=red]; b -> a /* again */ # and this\n}"
    )
    assert graph.nodes["a"] == {"style": "filled", "label": 'x "y"', "fillcolor": "blue"}
    assert graph.edges == [("a", "b"), ("b", "c"), ("b", "a")] and graph.declared == ["a"]


def test_the_texts_name_every_part_once():
    for number in exercises.numbers():
        exercise = exercises.load(number)
        named = [cell.name for cell in template.read(exercise) if cell.kind == "tests"]
        assert named == [group.name for group in exercise.groups]
