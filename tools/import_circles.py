"""Find circles and wrong-way imports in the package, from its sources.

    python tools/import_circles.py            the rules of this file; the exit code is 1 if one is broken
    python tools/import_circles.py MODULE     what a module imports, and what imports it

The graph has an edge for each import statement, also inside functions and under `if TYPE_CHECKING`: a reader follows a
hint as well. `from package import name` leads to the module `package.name` if there is one, otherwise to the package's
`__init__.py`. That Python runs `package/__init__.py` before `package/name.py` is no edge: it would make a circle of
every package. An assignment `module.name = …` to a name of an imported module is an edge too, from that module to the
one that assigns: the module uses what it does not import. The file that only names things (NAMING) may assign.
Stubs are left out: they describe the classes with everything that is attached to them. import-linter 2.17 reads no
assignments `module.name = …`, and its circles are of folders: x/p.py -> y/q.py and y/r.py -> x/s.py is one.
"""

import ast
import functools
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = "legacy_autograd"

# From the bottom to the top. A module belongs to the longest name here that it begins with, and imports modules of its
# own layer or of a lower one.
_CORE = (
    "variable", "function", "leaf", "engine", "saved_tensors", "record", "observed_class", "callbacks", "fast",
)  # fmt: skip
LAYERS = (
    ("conventions", "modern_names", "utils"),  # of utils, __init__.py and hooks.py
    ("tensor",),
    tuple(f"autograd.{name}" for name in _CORE),
    ("autograd.functions",),
    ("autograd.methods",),
    ("autograd",),  # later/, and __init__.py, which exports it
    ("nn", "optim", "utils.data", "utils.checkpoint", "utils.model_zoo", "utils.trainer", "utils.serialization",
     "utils.backcompat", "cuda", "backends", "multiprocessing", "serialization", "legacy",
     "demos.training_loop", "demos.networks", "demos.datasets"),
    ("",),  # the names of `import legacy_autograd`, and names.py
    ("comparison", "distributed", "exercises", "drawing", "historical", "compat",
     "utils.data.distributed"),  # the last is torch's name for a part of `distributed`
    ("commands", "demos", "__main__"),
)  # fmt: skip

# Its work is to give modules further names, so an assignment in it is no edge.
NAMING = ("names",)

# The only circle of the 2016 design: the imports at the end of this file, below the class, close it.
CIRCLE = "autograd.variable"

# Imports that make another circle or lead to a higher layer: (importer, imported).
EXCEPTIONS = (
    # torch's name of DistributedDataParallel. Importing `distributed` starts MPI, so a function does it.
    ("names", "distributed"),
    # A Function shows itself in a notebook as a picture. Importing `drawing` imports graphviz, so a function does it.
    ("autograd.later.node_api", "drawing.dot"),
)


def module_name(path, package):
    """Return the dotted name of the file `path` below the folder `package`; "" is the package itself."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _targets(statement, name, is_package, modules):
    """Yield the modules of the package that an import statement of the module `name` leads to."""
    if isinstance(statement, ast.Import):
        found = [alias.name for alias in statement.names]
    else:
        base = statement.module or ""
        if statement.level:
            here = [PACKAGE, *(name.split(".") if name else [])]
            parents = here[: len(here) + is_package - statement.level]
            base = ".".join([*parents, base] if base else parents)
        found = [base if f"{base}.{alias.name}" not in modules else f"{base}.{alias.name}" for alias in statement.names]
    return [target for target in found if target in modules]


def _imports(node, as_run):
    """Yield the import statements below a node; with `as_run` without those under `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif not (as_run and isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from _imports(child, as_run)


def _stored(function):
    """Return the names that are local to a function: its parameters, and those that it assigns."""
    nodes = list(ast.walk(function))
    names = {node.arg for node in nodes if isinstance(node, ast.arg)}
    return names | {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _assigned(node, names):
    """Yield (module, line) for each assignment `name.attribute = …` below a node; `names` is {name: module}."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store):
            if isinstance(child.value, ast.Name) and child.value.id in names:
                yield names[child.value.id], child.lineno
        if isinstance(child, (ast.FunctionDef, ast.Lambda)):
            local = _stored(child)
            yield from _assigned(child, {name: module for name, module in names.items() if name not in local})
        else:
            yield from _assigned(child, names)


@functools.cache
def import_graph(package, as_run=False):
    """Return {(importer, imported): [line of each import]} of the sources in the folder `package`.

    With `as_run` there are only the imports that run: no type-only ones, and no assignments to names of modules.
    """
    sources = {module_name(path, package): path for path in sorted(package.rglob("*.py"))}
    modules = {f"{PACKAGE}.{name}".rstrip("."): name for name in sources}
    graph = {}
    for name, path in sources.items():
        names = {}  # {a name in this file: the module that it means}
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for statement in _imports(tree, as_run):
            targets = _targets(statement, name, path.name == "__init__.py", modules)
            for target in targets:
                graph.setdefault((name, modules[target]), []).append(statement.lineno)
            for alias in statement.names:
                last = f".{alias.name}" if isinstance(statement, ast.ImportFrom) else alias.name
                found = [target for target in targets if f".{target}".endswith(f".{last.removeprefix('.')}")]
                if found and ("." not in alias.name or alias.asname):
                    names[alias.asname or alias.name] = modules[found[0]]
        for module, line in () if as_run or name in NAMING else _assigned(tree, names):
            graph.setdefault((module, name), []).append(line)
    return graph


def circles(edges):
    """Return the circles of a graph: sets of modules that lead to each other, and modules that import themselves."""
    behind = {}
    for importer, imported in edges:
        behind.setdefault(importer, set()).add(imported)

    def reached(start):
        seen, waiting = set(), [start]
        while waiting:
            for module in behind.get(waiting.pop(), ()):
                if module not in seen:
                    seen.add(module)
                    waiting.append(module)
        return seen

    reachable = {module: reached(module) for module in behind}
    found = []
    for module in behind:
        circle = {other for other in reachable[module] if module in reachable.get(other, ())}
        if circle and circle not in found:
            found.append(circle)
    return found


def layer(module):
    """Return the number of the layer that `module` is in."""
    names = {name: number for number, layer_names in enumerate(LAYERS) for name in layer_names}
    while module not in names:
        module = module.rpartition(".")[0]
    return names[module]


def without_foot(graph, package):
    """Return the edges of a graph without the exceptions and the imports below the class in `CIRCLE`'s file."""
    path = package.joinpath(*CIRCLE.split(".")).with_suffix(".py")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    line = next(statement.lineno for statement in body if isinstance(statement, ast.ClassDef))
    foot = {edge for edge, lines in graph.items() if edge[0] == CIRCLE and min(lines) > line}
    return set(graph) - set(EXCEPTIONS) - foot


def problems(package):
    """Return a line for each violation of the rules."""
    graph = import_graph(package)
    edges = without_foot(graph, package)
    found = [f"an exception that is not needed: {edge}" for edge in EXCEPTIONS if edge not in graph]
    found += [f"a circle: {', '.join(sorted(circle))}" for circle in circles(edges)]
    for importer, imported in sorted(edges):
        if layer(imported) > layer(importer):
            line = graph[importer, imported][0]
            found.append(f"the wrong way: {importer}, line {line}, imports {imported or PACKAGE}")
    return found


def main(arguments):
    package = ROOT / PACKAGE
    if arguments:
        for importer, imported in sorted(import_graph(package)):
            if arguments[0] in (importer, imported):
                print(f"{importer or PACKAGE} -> {imported or PACKAGE}")
        return 0
    found = problems(package)
    print("\n".join(found) or "no circle but the one of 2016, and no import the wrong way")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
