"""A learner's folder: the exercises that were started, and the results of their last checks."""

import hashlib
import json

from . import load, numbers, template

_NOTES = ".progress.json"


class Folder:
    """A folder with a student's files, as `exercises start` writes them, and the results of the checks."""

    def __init__(self, path):
        self.path = path

    def file_of(self, exercise):
        """Return the student's file: the notebook if there is one and no Python file."""
        python, notebook = [self.path / f"{exercise.file_name}{ending}" for ending in (".py", ".ipynb")]
        return notebook if notebook.exists() and not python.exists() else python

    def start(self, exercise):
        """Write the student's file and return its path. Raises FileExistsError rather than write over one."""
        path = self.file_of(exercise)
        self.path.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8") as file:
            file.write(template.as_file(exercise, template.unsolved(template.read(exercise))))
        return path

    def note(self, exercise, points, seeds=()):
        """Store the result of a check of the current file, and the seeds of programs on which it failed."""
        note = {"points": points, "file": _hash(self.file_of(exercise)), "seeds": list(seeds)}
        notes = {**self._notes(), exercise.file_name: note}
        (self.path / _NOTES).write_text(json.dumps(notes, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    def seeds(self, exercise):
        """Return the seeds of the programs on which the last check failed."""
        return self._notes().get(exercise.file_name, {}).get("seeds", [])

    def state(self, exercise):
        """(points of the last check or None, in words)."""
        path = self.file_of(exercise)
        if not path.exists():
            return None, "not started"
        note = self._notes().get(exercise.file_name)
        if note is None:
            return None, "started"
        words = "done" if note["points"] == exercise.points else f"{note['points']} of {exercise.points} points"
        return note["points"], words if note["file"] == _hash(path) else f"{words}; changed since the check"

    def next_exercise(self):
        """Return the first exercise that is not done, or None."""
        exercises = (load(number) for number in numbers())
        return next((exercise for exercise in exercises if self.state(exercise)[0] != exercise.points), None)

    def _notes(self):
        try:
            notes = json.loads((self.path / _NOTES).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}  # missing or damaged: the next check writes a new file
        return notes if isinstance(notes, dict) else {}


def _hash(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
