"""The pages of the exercises, made from their texts: what to write, and the hints of each part."""

from legacy_autograd import exercises
from legacy_autograd.exercises import template
from legacy_autograd.exercises.questions import _inline as inline

_START = """# Exercises

Eleven exercises rebuild the autograd of 2016 piece by piece, from local derivatives to a network on an engine of your
own. Each takes 40 to 120 minutes. Your code is checked in a process of its own. A report names the input, the expected
value, your value, and the line.

```sh
pip install .                        # in a clone of the repository
legacy-autograd exercises            # the list, and how far you are
legacy-autograd exercises start 3    # writes exercises/03_leaf.py
legacy-autograd exercises check 3    # what is right, and what failed
legacy-autograd exercises hint 3 hooks 2
```

{exercises}

Teachers find the same exercises as nbgrader assignments: [how to grade a class](../how_to/grade.md).

```{{toctree}}
:hidden:

{names}
```
"""


def write(folder):
    """Write one page for each exercise, and the list of them, into `folder`."""
    folder.mkdir(parents=True)
    entries, names = [], []
    for number in exercises.numbers():
        exercise = exercises.load(number)
        (folder / f"{exercise.file_name}.md").write_text(_page(exercise), encoding="utf-8")
        points = sum(group.points for group in template.groups(exercise.file_name))
        entries.append(
            f"{number}. [{exercise.title}]({exercise.file_name}.md): {points} points, {exercise.minutes} minutes"
        )
        names.append(exercise.file_name)
    text = _START.format(exercises="\n".join(entries), names="\n".join(names))
    (folder / "index.md").write_text(text, encoding="utf-8")


def _page(exercise):
    number = exercise.number
    parts, groups = [], []
    for cell in template.unsolved(template.read(exercise)):
        if cell.kind == "markdown":
            parts.append("\n".join(line.removeprefix("#").removeprefix(" ") for line in cell.source.splitlines()))
        elif cell.kind == "tests":
            groups.append(cell.group)
        elif cell.source.strip():
            parts.append(f"```python\n{cell.source.strip()}\n```")
    command = f"legacy-autograd exercises start {number}"
    parts.insert(1, f"Start it with `{command}` and check your code with `exercises check {number}`.")
    parts += ["## What is checked", "Each part has three hints, from a question to the line of code."]
    for group in groups:
        hints = "".join(f"<li>{inline(hint)}</li>" for hint in group.hints)
        title = f"{inline(group.title)} ({group.points} points)"
        parts.append(f"<details class='hints'><summary>{title}</summary><ol>{hints}</ol></details>")
    return "\n\n".join(parts) + "\n"
