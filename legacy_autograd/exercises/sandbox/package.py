"""The package as a student's process loads it: without the part that the exercise asks for.

What an exercise withholds is removed from the source: a function keeps its place and its lines, and its body raises
Withheld. So no name, object, code or file of the process holds the answer. The checks, the texts with their solutions,
the museum, the fast twin (which has the engine once more) and what no answer uses are not in this package at all.
"""

import ast
import contextlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the package
_ABSENT = (
    "historical/", "exercises/checks/", "exercises/templates/", "exercises/practice", "exercises/reports.zh.toml",
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
        if found is not None and not Path(found.origin).samefile(ROOT / "__init__.py"):
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
            lines[first.lineno - 1 : last.end_lineno] = [
                before + refusal + b"\n",
                *[b"\n"] * (last.end_lineno - first.lineno),
            ]
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


def write(folder, withheld):
    """Write the package into the folder, without what the entries `withheld` name.

    Compiled files go with the files that stay as they are.
    """
    made = set()

    def put(path, content):
        if (parent := os.path.dirname(path)) not in made:
            os.makedirs(parent, exist_ok=True)
            made.add(parent)
        with open(path, "xb") as file:
            file.write(content)

    for path in _files(ROOT):
        place = place_of(path)
        if place is None:
            continue
        source, target = os.path.join(ROOT, path), os.path.join(folder, ROOT.name, place)
        with open(source, "rb") as file:
            content = file.read()
        if names := removed(withheld, path):
            put(target, without(content, names))
            continue
        put(target, content)
        if path.endswith(".py"):
            with contextlib.suppress(OSError), open(importlib.util.cache_from_source(source), "rb") as compiled:
                put(importlib.util.cache_from_source(target), compiled.read())
                shutil.copystat(source, target)  # a compiled file has the time of its source


def _files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        start = "" if Path(folder) == root else Path(folder).relative_to(root).as_posix() + "/"
        yield from [start + name for name in files if not name.endswith(".pyi")]
