"""Copy the walkthrough, the slides and the exercises into a folder, and open JupyterLab on them.

A file that is in the folder already and was changed there stays as it is. The notebooks are signed for this user, so
that JupyterLab shows their forms. JupyterLab comes with the extra `notebooks`.
"""

import argparse
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from .. import exercises
from ..exercises import progress, template
from . import program_name

_PACKAGE = Path(__file__).resolve().parents[1]
# A notebook's link to a file of the repository, which the folder has under `source`.
_LINK = re.compile(r"\]\(\.\./([^)#\s]+)")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    default = Path("legacy_autograd_course")
    parser.add_argument("folder", type=Path, nargs="?", default=default, metavar="FOLDER", help=f"default: {default}")
    parser.add_argument("--copy-only", action="store_true", help="do not start JupyterLab")
    parser.add_argument("--no-browser", action="store_true", help="start JupyterLab, and only print its address")
    parser.add_argument("--allow-root", action="store_true", help="let JupyterLab run as root, as in a container")


def run(arguments: argparse.Namespace) -> int:
    """Copy the course, start JupyterLab, and return the exit code."""
    folder = arguments.folder
    try:
        written, same, kept = copy_course(folder)
    except OSError as error:
        raise SystemExit(f"learn: cannot write into {folder}: {error.strerror}") from error
    print(f"{len(written)} files written into {folder}.")
    if kept:
        print(f"Kept as you changed them: {', '.join(kept)}.")
        print("To get an original back, move your file away and repeat this command.")
    if problem := sign([folder / name for name in written + same if name.endswith(".ipynb")]):
        print(f"The notebooks are not signed: {problem}. Their first cells say how to trust them.")
    print(f"Begin with 01_a_program_from_2016.ipynb. How far you are with the exercises: {program_name()} exercises")
    if arguments.copy_only:
        return 0
    if importlib.util.find_spec("jupyterlab") is None:
        install = 'pip install "legacy_autograd[notebooks]"'
        print(f"learn: JupyterLab is not installed. Install it, then repeat this command: {install}", file=sys.stderr)
        return 1
    print("JupyterLab starts. Ctrl-C ends it.", flush=True)
    options = [*["--no-browser"] * arguments.no_browser, *["--allow-root"] * arguments.allow_root]
    try:
        return subprocess.run([sys.executable, "-m", "jupyterlab", *options], cwd=folder).returncode
    except KeyboardInterrupt:
        return 130


def copy_course(folder: Path) -> tuple[list[str], list[str], list[str]]:
    """Write the course's files into `folder`, but over none that differs from the course's.

    Args:
        folder: The folder. It is created if it does not exist.

    Returns:
        The names of the files that were written, of those that were there, and of those that stay because they differ.

    Raises:
        OSError: If a file cannot be written.
    """
    written: list[str] = []
    same: list[str] = []
    kept: list[str] = []
    for name, content in _files(progress.Folder(folder / "exercises")):
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            written.append(name)
        else:
            (same if path.read_bytes() == content else kept).append(name)
    return written, same, kept


def sign(paths: Iterable[Path]) -> str | None:
    """Sign notebooks as `jupyter trust` does, so that Jupyter shows their HTML and runs the scripts of their forms.

    A signature belongs to the contents of a notebook, and to this user on this machine.

    Returns:
        None, or the reason why they could not be signed.
    """
    try:
        import nbformat
        from nbformat.sign import NotebookNotary
    except ImportError as error:
        return f"{error.name} is not installed"
    try:
        notary = NotebookNotary()
        try:
            for path in paths:
                notary.sign(nbformat.read(path, as_version=nbformat.current_nbformat))
        finally:
            notary.store.close()
    except OSError as error:  # Jupyter's folder for data cannot be written
        return f"{error.strerror}: {error.filename}"
    return None


def _files(answers: progress.Folder) -> Iterator[tuple[str, bytes]]:
    """Generate the name and the content of each file; no notebook of an exercise that has a Python file already."""
    inside = _PACKAGE / "course"  # made by setup.py for a wheel; a clone has the repository's own folders
    root = inside if inside.exists() else _PACKAGE.parent
    notebooks, linked = root / "notebooks", set()
    for pattern in ("*.ipynb", "autograd_in_200_lines.py", "slides/*.ipynb", "slides/*.html"):
        for path in sorted(notebooks.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            linked.update(_LINK.findall(text))
            yield path.relative_to(notebooks).as_posix(), _LINK.sub(r"](source/\1", text).encode()
    for name in sorted(linked):
        home = _PACKAGE.parent if name.startswith("legacy_autograd/") else root
        yield f"source/{name}", (home / name).read_bytes()
    for number in exercises.numbers():
        exercise = exercises.load(number)
        if answers.file_of(exercise).suffix == ".ipynb" or not answers.file_of(exercise).exists():
            notebook = template.as_notebook(exercise, template.unsolved(template.read(exercise)))
            for cell in notebook["cells"]:  # nbgrader hides these checks from a class; a lone learner runs all
                cell["source"] = [line for line in cell["source"] if "HIDDEN TESTS" not in line]
            yield f"exercises/{exercise.file_name}.ipynb", template.notebook_json(notebook).encode()
