"""Cuts the file of an exercise's checks down to its probes, for the worker that runs a student's code.

That worker must not hold what an answer is compared with. A probe needs the functions, classes and constants that it
names, and those that they name; everything else goes.
"""

import ast

_KEPT = {"title", "minutes", "withheld", "needs", "method"}  # of the arguments of Exercise(...)


def probes_of(source):
    """Return the source of the probes in the source of a file of `exercises/checks/`."""
    statements = [_without_answers(statement) for statement in ast.parse(source).body]
    definers = {name: statement for statement in statements for name in _defined(statement)}
    kept = {s for s in statements if _has_decorator(s, "exercise.probe") or "exercise" in _defined(s)}
    while True:
        named = {name for statement in kept for name in _named(statement)}
        more = {definers[name] for name in named if name in definers}
        more = {statement for statement in more if not _has_decorator(statement, "exercise.check")}  # a name used twice
        more |= {statement for statement in statements if _completes(statement, kept | more, definers)}
        if more <= kept:
            break
        kept |= more
    imports = [_only(statement, named) for statement in statements if isinstance(statement, ast.ImportFrom)]
    kept = [s for s in statements if isinstance(s, ast.Import) or (s in kept and not isinstance(s, ast.ImportFrom))]
    return ast.unparse(ast.Module([*filter(None, imports), *kept], [])) + "\n"


def _without_answers(statement):
    """Return the statement, with `exercise = Exercise(...)` bare of its reference and its texts."""
    if "exercise" in _defined(statement) and isinstance(statement, ast.Assign):
        call = statement.value
        call.keywords = [keyword for keyword in call.keywords if keyword.arg in _KEPT]
        call.keywords.append(ast.keyword("groups", ast.Tuple([], ast.Load())))
    return statement


def _has_decorator(statement, start):
    return any(ast.unparse(decorator).startswith(start) for decorator in getattr(statement, "decorator_list", ()))


def _completes(statement, kept, definers):
    """Return whether a loop of the file fills what the kept statements define, and names nothing else."""
    if not isinstance(statement, ast.For):
        return False
    named = {name for name in _named(statement) if name in definers and name != "exercise"}
    return all(definers[name] in kept or isinstance(definers[name], (ast.Import, ast.ImportFrom)) for name in named)


def _defined(statement):
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return {name.id for target in targets for name in getattr(target, "elts", [target]) if hasattr(name, "id")}
    return set()


def _named(statement):
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _only(statement, named):
    """Return an import with the names that are used, or None if none is."""
    names = [alias for alias in statement.names if (alias.asname or alias.name) in named]
    return ast.ImportFrom(statement.module, names, statement.level) if names else None
