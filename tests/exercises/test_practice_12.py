"""The steps of notebook 12: its file of 200 lines passes each, and known mistakes are named."""

import inspect
import re

import pytest

from legacy_autograd.exercises import practice
from legacy_autograd.exercises.practice_cases import n12

from .practice_answers_12 import MISTAKES, PARTS, answer

pytestmark = pytest.mark.usefixtures("fewer_programs")


def verdict(capsys, name, parts):
    practice.check(name, parts)
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", PARTS)
def test_the_file_of_200_lines_passes(name, capsys):
    assert verdict(capsys, name, answer(name)).startswith(f"{name}: right")
    assert practice.is_right(name)


@pytest.mark.parametrize(
    "name, old, new, because", [(name, *case) for name, cases in MISTAKES.items() for case in cases]
)
def test_a_mistake_is_told_why(name, old, new, because, capsys):
    practice.check(name, answer(name))
    capsys.readouterr()
    words = verdict(capsys, name, answer(name, (old, new)))
    assert not words.startswith(f"{name}: right") and because in words.partition("because:")[2]
    assert not practice.is_right(name)


@pytest.mark.parametrize("name", PARTS)
def test_a_mistake_is_told_why_in_chinese(name, capsys):
    for old, new, _ in MISTAKES[name]:
        practice.check(name, answer(name, (old, new)), lang="zh")
        _, label, why = capsys.readouterr().out.partition("原因: ")
        words = re.sub("`[^`]*`", "", " ".join(why.split()))
        assert label and not re.search("[a-z]{2,} [a-z]{2,}", words), why


@pytest.mark.parametrize("name", PARTS)
def test_what_is_not_written_is_not_wrong(name, capsys):
    assert verdict(capsys, name, ...) == f"{name}: not written yet"


def test_every_step_has_mistakes():
    steps = {
        f"12.{name[5:]}" for name, value in vars(n12).items() if name.startswith("case_") and inspect.isfunction(value)
    }
    assert steps == set(PARTS) == set(MISTAKES)


_SUM_TO = """    while grad is not None and grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if grad is not None and size == 1:
            grad = grad.sum(axis=axis, keepdims=True)
    if True:"""
_A_LIST_FOR_THE_OUTPUTS = [
    (
        "{root.output_ids[id(variable)]: grad}",
        "[grad if i == root.output_ids[id(variable)] else None for i in range(9)]",
    ),
    (
        "[arrived.get(nr, np.zeros(shape)) for nr, shape in enumerate(fn.output_shapes)]",
        "[np.zeros(s) if arrived[nr] is None else arrived[nr] for nr, s in enumerate(fn.output_shapes)]",
    ),
    ("not_ready.setdefault(prev_fn, {})", "not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))"),
    ("arrived.get(output_nr, 0) + grad", "grad if arrived[output_nr] is None else arrived[output_nr] + grad"),
]


STYLES = [
    (
        "12.1",
        ("np.asarray(data, dtype=np.float64)\n        self.creator", "np.array(data, float)\n        self.creator"),
    ),
    ("12.2", ("[(arg.creator, id(arg)) for arg in input]", "tuple([(arg.creator, id(arg)) for arg in input])")),
    ("12.2", ("[arg.data.shape for arg in input]", "tuple(map(lambda arg: arg.data.shape, input))")),
    ("12.3", ("        return a * b\n", "        return np.multiply(a, b)\n")),
    ("12.4", ("grad_output + (0 if", "grad_output if self.variable.grad is None else grad_output + (0 if")),
    ("12.5", ("    if grad is None or grad.shape == shape:", _SUM_TO)),
    ("12.7", ("fn = queue.pop()", "fn = queue.pop(0)")),
    ("12.7", ("not any(dependencies[function])", "sum(sum(c.values()) for c in dependencies[function]) == 0")),
    ("12.8", *_A_LIST_FOR_THE_OUTPUTS),
    ("12.8", ("fn, arrived = ready.pop()", "fn, arrived = ready.pop(0)")),  # another order, the same gradients
    ("12.9", ("np.broadcast_to(grad_output, self.input_shapes[0])", "np.ones(self.input_shapes[0]) * grad_output")),
    ("12.9", ("grad_output * np.sign(self.input)", "np.where(self.input < 0, -grad_output, grad_output)")),
    ("12.10", ("parameter.data -= lr * parameter.grad", "parameter.data = parameter.data - lr * parameter.grad")),
]


@pytest.mark.parametrize("name, changes", [(name, changes) for name, *changes in STYLES])
def test_a_right_answer_of_another_style_passes(name, changes, capsys):
    assert verdict(capsys, name, answer(name, *changes)).startswith(f"{name}: right")
