"""Rebuild the autograd of 2016 yourself, piece by piece, and have each piece checked.

Without an action, the command lists the exercises and your progress. `start N` writes your copy of exercise N into the
folder `exercises`. Complete it in any editor; `check N` then reports which checks pass, and for each failure its input
and reason. `watch N` checks again whenever you save. `hint N GROUP 2` gives a more detailed hint.
"""

import argparse
import gc
import random
import sys
import time
from pathlib import Path

from .. import exercises
from ..exercises import grader, own_parts, progress, reports, template
from ..exercises.sandbox import landlock
from ..exercises.sandbox.limits import Limits
from ..exercises.words import WORDS
from . import program_name

FRESH = 3  # programs of new seeds for each part, beside the assignment's
_CLEAR = "\x1b[2J\x1b[H"  # empties a terminal


def configure(parser):
    parser.add_argument("--folder", type=Path, default=Path("exercises"), help="where your copies are: exercises")
    parser.set_defaults(action=list_all, lang="en")
    actions = parser.add_subparsers(metavar="ACTION")

    start = actions.add_parser("start", help="write your copy of an exercise")
    start.add_argument("number", type=int, help="1 to 11, as in the list")
    start.set_defaults(action=start_one)

    language = argparse.ArgumentParser(add_help=False)  # what check, watch and hint take
    language.add_argument("--lang", choices=WORDS["report"], default="en", help="the language of the report: en")

    answer = argparse.ArgumentParser(add_help=False)  # what check and watch take
    answer.add_argument(
        "exercise", nargs="?", help="its number, or a file named like 03_leaf.py; left out: the first that is not done"
    )
    answer.add_argument("answer", nargs="?", metavar="FILE", type=Path, help="your answer: any .py or .ipynb")
    answer.add_argument("--file", type=Path, help="the same as FILE")
    answer.add_argument("--seconds", type=int, default=Limits.seconds, help="of computing that one check may take")
    answer.add_argument("--megabytes", type=int, default=Limits.megabytes, help="of memory that your code may take")
    answer.add_argument(
        "--own", action="store_true", help="exercise 11: run on your own answers to exercises 1, 2, 3, 5 and 7"
    )

    words = "check your copy of an exercise, or any file or notebook"
    check = actions.add_parser("check", parents=[answer, language], help=words)
    check.set_defaults(action=check_one)

    words = "check your copy again whenever you save it; Ctrl-C ends it"
    watch = actions.add_parser("watch", parents=[answer, language], help=words)
    watch.set_defaults(action=watch_one)

    hint = actions.add_parser("hint", parents=[language], help="a hint: the first, the second or the third")
    hint.add_argument("number", type=int)
    hint.add_argument("group", nargs="?", help="a part of the exercise, as check names it; left out: which there are")
    hint.add_argument("level", type=int, choices=(1, 2, 3), nargs="?", default=1)
    hint.set_defaults(action=give_hint)

    words = "say what keeps a student's code from the solutions on this machine, for teachers"
    protection = actions.add_parser("protection", help=words)
    protection.set_defaults(action=show_protection)

    notebooks = actions.add_parser("notebooks", help="write nbgrader's source notebooks and settings, for teachers")
    notebooks.add_argument("course", type=Path, help="the folder of the course; notebooks go into its folder source")
    notebooks.set_defaults(action=write_notebooks)


def run(arguments):
    gc.freeze()  # neither a collection nor the end of this process looks at the modules
    try:
        return arguments.action(arguments)
    except (ValueError, OSError, ImportError) as error:
        raise SystemExit(f"exercises: {error}") from error


def list_all(arguments):
    folder = progress.Folder(arguments.folder)
    for number in exercises.numbers():
        exercise = exercises.load(number)
        print(f"{number:4}  {exercise.title:46}{folder.state(exercise)[1]}")
    print()
    _show_next(folder, arguments)
    return 0


def start_one(arguments):
    exercise, folder = exercises.load(arguments.number), progress.Folder(arguments.folder)
    try:
        path = folder.start(exercise)
    except FileExistsError as error:
        raise ValueError(f"{error.filename} exists already; move it away to start again") from None
    print(f"{path}: {exercise.title}, {exercise.points} points, about {exercise.minutes} minutes.")
    print(f"Complete the code, then: {program_name()} exercises check {exercise.number}")
    return 0


def check_one(arguments):
    folder = progress.Folder(arguments.folder)
    exercise, path = _answer(arguments, folder)
    if exercise is None:
        return 0
    points, _ = _check(arguments, folder, exercise, path)
    return 0 if points == exercise.points else 1


def watch_one(arguments):
    folder = progress.Folder(arguments.folder)
    exercise, path = _answer(arguments, folder)
    if exercise is None:
        return 0
    before, saved = {}, None
    try:
        while True:
            if path.exists() and path.stat().st_mtime_ns != saved:
                saved = path.stat().st_mtime_ns
                print(_CLEAR if sys.stdout.isatty() else "", end="")
                points, states = _check(arguments, folder, exercise, path)
                for name, state in states.items():
                    if before.get(name, state) != state:
                        _say(arguments, f"changed: {name} was {before[name]}, is {state}")
                if points == exercise.points:
                    return 0
                before = states
                _say(arguments, "Waiting for the next save; Ctrl-C ends.")
            time.sleep(0.2)
    except KeyboardInterrupt:
        return 130


def _answer(arguments, folder):
    """Return the exercise to check, or None (and say so) if all are done, and the file of the answer."""
    if arguments.answer is not None:
        if arguments.file is not None:
            raise ValueError(f"check: got two files, {arguments.answer} and --file {arguments.file}")
        arguments.file = arguments.answer
    exercise = _asked_for(arguments) if arguments.exercise is not None else folder.next_exercise()
    if exercise is None:
        _say(arguments, "All exercises are done.")
        return None, None
    path = arguments.file or folder.file_of(exercise)
    if not path.exists():
        if arguments.file:
            raise ValueError(f"there is no {path}")
        start = f"{program_name()} exercises start {exercise.number}"
        raise ValueError(f"exercise {exercise.number} is not started: {start}")
    return exercise, path


def _check(arguments, folder, exercise, path):
    """Judge an answer, print the report and note the points. Returns the points and {part: its state}."""
    print(f"{path}: {reports.title(exercise, arguments.lang)}", flush=True)
    limits = Limits(arguments.seconds, arguments.megabytes)
    cells = template.cells_of(path)
    if arguments.own:
        cells = _on_own_parts(arguments, exercise, folder, cells)
    failed_before = folder.seeds(exercise)
    fresh = [*failed_before, *random.sample(range(10**6, 10**9), FRESH)]
    results = grader.judge_in_child(exercise, cells, limits=limits, draw="svg", seeds=fresh, lang=arguments.lang)
    points = grader.points(exercise, results)
    print(grader.report(exercise, results, arguments.lang))
    counts = [assigned.count for assigned in set(exercise.random.values())]  # parts may share them
    if counts:
        print()
        _say(arguments, f"{sum(counts)} random programs of the assignment, and for each part {FRESH} of fresh seeds:")
        seeds = "  " + ", ".join(map(str, fresh))
        _say(arguments, f"{seeds} (the first failed before)" if failed_before else seeds)
    _save_pictures(arguments, exercise, results, path.parent)
    print()
    _say(arguments, f"{points} of {exercise.points} points.")
    if not arguments.file:
        folder.note(exercise, points, [result.wrong.seed for result in results if result.wrong and result.wrong.seed])
        if points == exercise.points:
            _show_next(folder, arguments)
    return points, grader.states(exercise, results)


def _on_own_parts(arguments, exercise, folder, cells):
    """The cells with the student's earlier answers, and say which those are."""
    if exercise.number != own_parts.NUMBER:
        raise ValueError(f"check: --own is for exercise {own_parts.NUMBER}, got exercise {exercise.number}")
    done = own_parts.done_in(folder)
    for number, names in own_parts.PARTS.items():
        whose = "your own" if number in done else "the package's: the exercise is not done"
        if number == 5 and number not in done:
            whose = f"that of your answer to exercise {exercise.number}: exercise 5 is not done"
        _say(arguments, f"exercise {number}: {', '.join(names)}: {whose}")
    print(flush=True)
    return own_parts.cells_on_own_parts(folder, cells)


def _save_pictures(arguments, exercise, results, folder):
    """Write the pictures of the checks beside the answer, and remove those of earlier checks."""
    for result in results:
        picture, title = result.picture, result.check.title
        for ending, content, what in (
            ("svg", picture and picture.svg, f"the graph of “{title}”"),
            ("html", picture and picture.page, f"step by step through the backward of “{title}”"),
        ):
            path = folder / f"{exercise.file_name}-{result.check.name}.{ending}"
            if content:
                path.write_text(content, encoding="utf-8")
                _say(arguments, f"{path}: {what}")
            else:
                path.unlink(missing_ok=True)


def _asked_for(arguments):
    """The exercise that `check` was given, by its number or by the file of an answer."""
    if arguments.exercise.isdigit():
        return exercises.load(int(arguments.exercise))
    path = Path(arguments.exercise)
    if arguments.file is not None:
        raise ValueError(f"check: expected the number of an exercise before a file, got {arguments.exercise!r}")
    for number in exercises.numbers():
        if exercises.load(number).file_name == path.stem:
            arguments.file = path
            return exercises.load(number)
    raise ValueError(
        f"check: {arguments.exercise!r} is neither the number of an exercise nor a file named after one, like "
        f"03_leaf.py; for another name: {program_name()} exercises check N {arguments.exercise}"
    )


def give_hint(arguments):
    exercise = exercises.load(arguments.number)
    groups = {group.name: group for group in exercise.groups}
    if arguments.group is None:
        for group in groups.values():
            print(f"{group.name}: {reports.texts_of(exercise, group, arguments.lang)[0]}")
        return 0
    if arguments.group not in groups:
        raise ValueError(f"exercise {exercise.number} has no part {arguments.group!r}; it has {', '.join(groups)}")
    title, *hints = reports.texts_of(exercise, groups[arguments.group], arguments.lang)
    print(f"{arguments.group}: {title}\n{hints[arguments.level - 1]}")
    return 0


def _say(arguments, sentence):
    """Print a sentence in the language of the command."""
    print(reports.in_language(sentence, arguments.lang), flush=True)


def show_protection(arguments):
    if version := landlock.version():
        print(f"Landlock, version {version}: the kernel keeps a student's code to the files that it needs.")
        print("An audit hook names attempts in the report.")
    else:
        print("An audit hook alone: this system has no Landlock (Linux 5.13 and later).")
        print("Python refuses to open the solutions; code that leaves Python, as ctypes does, can read them.")
    return 0


def course_files():
    """{path in a course's folder: content} of nbgrader's settings and its source notebooks, one for each exercise."""
    settings = "nbgrader_config.py"
    files = {Path(settings): (template.FOLDER / settings).read_text(encoding="utf-8")}
    for number in exercises.numbers():
        exercise = exercises.load(number)
        name = exercise.file_name
        files[Path("source", name, f"{name}.ipynb")] = template.notebook_json(
            template.as_notebook(exercise, template.read(exercise))
        )
    return files


def write_notebooks(arguments):
    for path, content in course_files().items():
        path = arguments.course / path
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".py" and path.exists() and path.read_text(encoding="utf-8") != content:
            print(f"{path}: stays as it is", file=sys.stderr)  # the teacher's own settings
            continue
        path.write_text(content, encoding="utf-8")
        print(path, file=sys.stderr)
    return 0


def _show_next(folder, arguments):
    exercise = folder.next_exercise()
    if exercise is None:
        _say(arguments, "All exercises are done.")
        return
    action = "check" if folder.file_of(exercise).exists() else "start"
    command = f"{program_name()} exercises {action} {exercise.number}"
    _say(arguments, f"Next: {command}   ({reports.title(exercise, arguments.lang)})")
