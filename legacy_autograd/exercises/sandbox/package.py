"""The package as a student's process loads it: without the part that the exercise asks for.

What an exercise withholds is removed from the source: a function keeps its place and its lines, and its body raises
Withheld. So no name, object, code or file of the process holds the answer. The checks, the texts with their solutions,
the museum, the fast twin (which has the engine once more) and what no answer uses are not in this package at all.
"""

import _imp
import ast
import contextlib
import importlib.util
import marshal
import os
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the package
_ABSENT = (
    "historical/", "exercises/checks/", "exercises/templates/", "exercises/practice", "exercises/reports.zh.toml",
    "exercises/programs/engines.py", "exercises/programs/short.py",
    "autograd/fast/", "commands/", "comparison/", "compat/",
)  # fmt: skip
_TWIN = "exercises/sandbox/without_twin/"  # is where autograd/fast/ was
_REFUSAL = (
    "from {package}.exercises.answer import Withheld; "
    'raise Withheld("write {name} yourself: the package\'s own is not available here")'
)

# What the exercises about the engine withhold: the engine, and the one that `torch.autograd.grad` has for itself.
ENGINES = ("autograd/engine.py:ExecutionEngine", "autograd/later/backward_api.py:CapturingEngine")


def closed():
    """Return the folders that a student's process must not read: the package, or all of the clone that it is in."""
    around = ROOT.parent
    is_installed = (around / "numpy").exists()  # beside other packages
    return [str(ROOT if is_installed else around)]


def forget_others():
    """Remove what finds another copy of the package: an installation in development mode (`pip install -e`) does."""
    for finder in list(sys.meta_path):
        found = finder.find_spec(ROOT.name, None)
        if found is not None and Path(found.origin).resolve().parent != ROOT:
            sys.meta_path.remove(finder)


def place_of(path):
    """Return the path of a file in a student's package, given that in the package, or None if it is absent there."""
    if path.startswith(_TWIN):
        return "autograd/fast/" + path.removeprefix(_TWIN)
    return None if path.startswith(_ABSENT) else path


def removed(withheld, path):
    """Return the names that the entries `withheld` remove from a file: functions, classes, or "" for all methods.

    An entry is `file:name`, as in `autograd/leaf.py:Leaf._do_backward`; `file` alone, or a folder that ends in /, is
    all methods in it.
    """
    files = [entry.partition(":") for entry in withheld]
    return [name for file, _, name in files if path == file or (file.endswith("/") and path.startswith(file))]


def without(source, names):
    """Return the source of a file, as bytes, without the bodies of these functions, or of the methods of these classes.

    Raises:
        LookupError: If one of the names is not there.
    """
    lines, found = source.splitlines(keepends=True), set()
    for name, function in _functions(ast.parse(source).body):
        owners = {name, *[name[:place] for place, letter in enumerate(name) if letter == "."]}
        wanted = owners.intersection(names) or ({""} if "." in name and "" in names else set())
        if wanted:
            found |= wanted
            first, last = function.body[0], function.body[-1]
            before = lines[first.lineno - 1][: first.col_offset]
            refusal = _REFUSAL.format(package=ROOT.name, name=name).encode()
            empty = [b"\n"] * (last.end_lineno - first.lineno)
            lines[first.lineno - 1 : last.end_lineno] = [before + refusal + b"\n", *empty]
    if missing := {name for name in names if name} - found:
        raise LookupError(f"there is no function {', '.join(sorted(missing))}")
    return b"".join(lines)


def _functions(body, owner=""):
    """Yield (name, node) of each function of a module's body, and of the methods of its classes."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield f"{owner}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{owner}{node.name}.")


def archive_in(folder):
    """Return the path of the archive that `write` writes into this folder."""
    return os.path.join(os.path.realpath(folder), "package.zip")


def write(folder, withheld):
    """Write the package into an archive in the folder, without what the entries `withheld` name. Return its path.

    Compiled files go with the files that stay as they are. One file is written in a tenth of the time of hundreds.
    """
    archive = archive_in(folder)
    with zipfile.ZipFile(archive, "x") as file:

        def put(path, content, time_of_source):
            date = max(time.localtime(time_of_source)[:6], (1980, 1, 1, 0, 0, 0))
            file.writestr(zipfile.ZipInfo(f"{ROOT.name}/{path}", date), content)

        for path in _files(ROOT):
            place = place_of(path)
            if place is None:
                continue
            source = os.path.join(ROOT, path)
            with open(source, "rb") as original:
                content = original.read()
            changed = os.stat(source).st_mtime  # a compiled file has the time of its source
            if names := removed(withheld, path):
                put(place, without(content, names), changed)
                continue
            put(place, content, changed)
            if path.endswith(".py"):
                with contextlib.suppress(OSError), open(importlib.util.cache_from_source(source), "rb") as compiled:
                    code = marshal.loads((content := compiled.read())[16:])
                    _imp._fix_co_filename(code, os.path.join(archive, ROOT.name, place))
                    put(f"{place}c", content[:16] + marshal.dumps(code), changed)
    return archive


def _files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        start = "" if Path(folder) == root else Path(folder).relative_to(root).as_posix() + "/"
        yield from [start + name for name in files if not name.endswith(".pyi")]
