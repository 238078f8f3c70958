"""Compare the parameters of all public functions of two checkouts: `python tools/compare_signatures.py OLD NEW`.

Names, order, kinds and defaults are compared, from the sources; hints are not. OLD and NEW are folders that hold
`legacy_autograd/`, or commits of this repository. The texts and checks of the exercises are left out: no program
imports from them. A function that is gone from one place has moved if one of its name and parameters is new in
another. The exit code is 1 if a function differs or is gone.
"""

import argparse
import ast
import io
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "legacy_autograd"
LEFT_OUT = tuple(f"exercises/{folder}/" for folder in ("checks", "practice_cases", "templates"))


def sources(place):
    """Return {path within the package: source} of a folder or of a commit."""
    if Path(place).is_dir():
        package = Path(place) / PACKAGE
        return {file.relative_to(package).as_posix(): file.read_text("utf-8") for file in package.rglob("*.py")}
    archive = subprocess.run(["git", "archive", place, PACKAGE], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        return {
            member.name.removeprefix(f"{PACKAGE}/"): files.extractfile(member).read().decode("utf-8")
            for member in files
            if member.name.endswith(".py")
        }


def parameters(arguments):
    """Return the parameters of a function as one line: names, order, kinds and defaults, without hints."""
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return ast.unparse(arguments)


def public_functions(source):
    """Return {qualified name: parameters}; of several definitions of one name, as overloads are, the last counts."""
    found = {}

    def visit(node, prefix):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                is_public = not child.name.startswith("_") or child.name.endswith("__")
                if is_public and isinstance(child, ast.FunctionDef):
                    if not any(ast.unparse(decorator).endswith(".setter") for decorator in child.decorator_list):
                        found[prefix + child.name] = parameters(child.args)
                elif is_public:
                    visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, (ast.If, ast.Try, ast.With)):
                visit(child, prefix)

    visit(ast.parse(source), "")
    return found


def differences(old, new):
    """Yield (path, name, old parameters or None, new parameters or None) of the functions that differ."""
    for path in sorted(path for path in old.keys() | new.keys() if not path.startswith(LEFT_OUT)):
        before, after = (public_functions(files.get(path, "")) for files in (old, new))
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                yield path, name, before.get(name), after.get(name)


def moved(found):
    """Return the (path, name) of the functions among the differences that moved to another file or class."""
    new = {(name.rpartition(".")[2], after) for _, name, before, after in found if before is None}
    return {
        (path, name)
        for path, name, before, after in found
        if after is None and (name.rpartition(".")[2], before) in new
    }


def main():
    """Print the differences."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", help="folder or commit")
    parser.add_argument("new", help="folder or commit")
    places = parser.parse_args()
    old, new = sources(places.old), sources(places.new)
    found, broken = list(differences(old, new)), 0
    elsewhere = moved(found)
    for path, name, before, after in found:
        if (path, name) in elsewhere:
            print(f"moved    {path}: {name}({before})")
            continue
        broken += before is not None
        if before is None:
            print(f"added    {path}: {name}({after})")
        elif after is None:
            print(f"removed  {path}: {name}({before})")
        else:
            print(f"changed  {path}: {name}({before})\n         {' ' * len(path)}  {name}({after})")
    print(f"{broken} functions differ or are gone")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
