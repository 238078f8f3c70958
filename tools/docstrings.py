"""List public docstrings and signatures that miss the project's form: `python tools/docstrings.py [PATH…]`.

The form is Google's, with types in the signature (CONTRIBUTING.md). Checked are the public functions, classes and
methods of the package's public modules, from their sources. A method without a docstring inherits that of its base.
pydoclint 0.12 takes "a, b: …" for one parameter, and finds no missing docstring, no unknown section or wrong order of
sections, and no error that is named outside of Raises.
"""

import ast
import functools
import re
import sys
from inspect import cleandoc
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "legacy_autograd"
SECTIONS = "Args Returns Yields Raises Shape Gradient Example Source Note".split()

# No program imports from these: the graders' checks, forms that students fill in, what `run` puts under the names of
# other packages, and commands.
NOT_PUBLIC = "exercises/checks exercises/practice_cases exercises/sandbox compat commands historical".split()
NOT_PUBLIC += [f"demos/{name}.py" for name in "__init__ ddp lenet regression".split()]
NOT_PUBLIC += ["autograd/fast", "autograd/record.py", "autograd/observed_class.py"]
_INSIDE_TENSOR = "arguments arithmetic buffer_pool draws elementwise messages shared_memory wrapping".split()
NOT_PUBLIC += [f"tensor/{name}.py" for name in _INSIDE_TENSOR]
# Of these folders, only what their __init__.py imports is public.
EXPORTED_ONLY = "drawing comparison exercises distributed serialization multiprocessing".split()
# The book has stubs, and operations are called through methods, which have hints.
NO_HINTS = "variable.py function.py leaf.py engine.py functions".split()

_HEADING = re.compile(r"^([A-Z][a-z]+s?):$", re.MULTILINE)
_ARGUMENT = re.compile(r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*):", re.MULTILINE)
_BELOW_NO_ENTRY = re.compile(r"^    (?!\*{0,2}\w[\w.*, ]*:)(\S.*)", re.MULTILINE)


@functools.cache
def tree_of(path):
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def public_files():
    """Return the paths of the package's public modules."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        private = any(part.startswith("_") and part != "__init__.py" for part in name.split("/"))
        if not (private or "templates/" in name or any(f"{name}/".startswith(f"{folder}/") for folder in NOT_PUBLIC)):
            found.append(path)
    return found


def exported(path):
    """Return the names that the `__init__.py` beside `path` imports, or None if all names of `path` are public."""
    folder = path.relative_to(PACKAGE).parts[0]
    if folder not in EXPORTED_ONLY:
        return None
    tree = ast.parse((PACKAGE / folder / "__init__.py").read_text(encoding="utf-8"))
    return {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def definitions(path):
    """Yield (qualified name, node, class that it is a method of or None) of a file's public definitions."""
    names = exported(path)
    for node in tree_of(path).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            if names is not None and node.name not in names and path.name != "__init__.py":
                continue
            yield node.name, node, None
            for method in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", method, node


def sections(docstring):
    """Return {name of a section: its text} of a docstring; the text before the first section is under ""."""
    parts = _HEADING.split(docstring or "")
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}


def problems_of_form(docstring):
    """Yield what a docstring lacks whatever it documents."""
    lines = docstring.split("\n")
    if not lines[0].endswith("."):
        yield "the first line is no sentence"
    if len(lines) > 1 and lines[1].strip():
        yield "no blank line after the first"
    found = sections(docstring)
    yield from (f"unknown section {name}:" for name in found if name and name not in SECTIONS)
    order = [name for name in found if name in SECTIONS]
    if order != sorted(order, key=SECTIONS.index):
        yield f"the order of sections is {', '.join(sorted(order, key=SECTIONS.index))}"
    for name in ("Args", "Raises"):
        for line in _BELOW_NO_ENTRY.findall(found.get(name, "")):
            yield f"{name}: not indented under its entry: {line}"
    if re.search(r"\b[A-Z]\w*Error\b", found[""]):
        yield "an error outside of Raises:"


def problems_of_parameters(function, is_method, described, hints):
    """Yield the parameters that lack a description or a hint; `described` is the text of `Args:`."""
    arguments = function.args
    listed = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    parameters = [argument for argument in listed if argument is not None]
    decorators = {ast.unparse(decorator) for decorator in function.decorator_list}
    if is_method and "staticmethod" not in decorators:
        parameters = parameters[1:]
    names = [parameter.arg for parameter in parameters if not parameter.arg.startswith("_")]
    documented = {name.strip(" *") for line in _ARGUMENT.findall(described) for name in line.split(",")}
    if not any(decorator.endswith(".setter") for decorator in decorators):
        missing = [name for name in names if name not in documented]
        if missing:
            yield f"Args: without {', '.join(missing)}"
    if documented - set(names):
        yield f"Args: names {', '.join(sorted(documented - set(names)))}, no parameter"
    if hints:
        bare = [parameter.arg for parameter in parameters if parameter.annotation is None]
        if bare:
            yield f"no hint for {', '.join(bare)}"
        if function.returns is None:
            yield "no hint for the result"


def problems_of(node, owner, hints):
    """Yield what a definition lacks, in a few words each; `hints`: whether its signature must have them."""
    docstring = ast.get_docstring(node)
    if docstring is None:
        is_part = any(ast.unparse(decorator).endswith((".setter", "overload")) for decorator in node.decorator_list)
        if not is_part and (owner is None or not owner.bases):
            yield "no docstring"
        return
    yield from problems_of_form(docstring)
    described = sections(docstring).get("Args", "")
    if isinstance(node, ast.FunctionDef):
        yield from problems_of_parameters(node, owner is not None, described, hints)
        return
    for constructor in node.body:
        if isinstance(constructor, ast.FunctionDef) and constructor.name == "__init__":
            described += sections(cleandoc(ast.get_docstring(constructor) or "")).get("Args", "")
            yield from problems_of_parameters(constructor, True, described, hints)


def problems(paths=()):
    """Yield "path:line: name: problem" for the public definitions, or for those of the files in `paths`."""
    wanted = [Path(path).resolve() for path in paths]
    for path in public_files():
        if wanted and not any(path == start or start in path.parents for start in wanted):
            continue
        place = path.relative_to(ROOT).as_posix()
        hints = not any(part in NO_HINTS for part in path.parts)
        if path.stat().st_size and ast.get_docstring(tree_of(path)) is None:
            yield f"{place}:1: the module: no docstring"
        for name, node, owner in definitions(path):
            for problem in problems_of(node, owner, hints):
                yield f"{place}:{node.lineno}: {name}: {problem}"


def main():
    """Print the problems; the exit code is 1 if there are any."""
    found = list(problems(sys.argv[1:]))
    print("\n".join([*found, f"{len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
