"""Make a program that fails smaller, as long as it still fails."""

import ast
import functools
import itertools

MOST = 150  # programs that are tried


def shrunk(lines, fails):
    """Return fewer and simpler lines for which `fails(lines)` is still true. Lines are tried at most MOST times."""
    lines, tries = list(lines), itertools.count()
    while True:
        for candidate in _smaller(lines):
            if next(tries) >= MOST:
                return tuple(lines)
            if fails(candidate):
                lines = candidate
                break
        else:
            return tuple(lines)


def _smaller(lines):
    """Yield lists of lines: without a line and all that needs it, with a name replaced by an earlier one, simpler."""
    for number in reversed(range(len(lines))):
        if not _is_clean_up(lines[number]):
            yield _without(lines, number)
    if any(map(_is_clean_up, lines)) and not any("raises" in line for line in lines):
        yield [line for line in lines if not _is_clean_up(line)]
    for number in reversed(range(len(lines))):
        for operand in sorted(_needs(lines[number])):
            made = _makes(lines[number])
            # A tuple in place of a Variable would be doubled in each turn of a loop with `v1 = v1 + v1`.
            if len(made) == 1 and _is_tuple(operand, lines) == _is_tuple(*made, lines):
                (name,) = made
                rest = [_renamed(line, name, operand) for line in lines[number + 1 :]]
                yield lines[:number] + rest
    for kind in ("HalfTensor", "FloatTensor"):
        if any(kind in line for line in lines):
            yield [line.replace(kind, "DoubleTensor") for line in lines]
    for number, line in enumerate(lines):
        for simpler in _simpler(line):
            yield [*lines[:number], simpler, *lines[number + 1 :]]


def _is_tuple(name, lines):
    return any(f"{name}[" in line for line in lines)


def _is_clean_up(line):
    """Return whether a line makes what follows independent of the order in which a backward ran until it raised."""
    return line == "forget()" or line.endswith((".zero_()", ".remove()"))


def _without(lines, number):
    gone, left = set(_makes(lines[number])), list(lines[:number])
    for line in lines[number + 1 :]:
        if gone & (_needs(line) | _makes(line)):
            gone |= _makes(line)
        else:
            left.append(line)
    return left


@functools.cache
def _names(line, kind):
    names = (node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name))
    return frozenset(node.id for node in names if isinstance(node.ctx, kind))


def _makes(line):
    return _names(line, ast.Store)


def _needs(line):
    return {name for name in _names(line, ast.Load) if name[-1:].isdigit() or len(name) == 1}


class _Renaming(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit_Name(self, node):
        return ast.copy_location(ast.Name(self.new, node.ctx), node) if node.id == self.old else node


def _renamed(line, old, new):
    return ast.unparse(_Renaming(old, new).visit(ast.parse(line)))


def _simpler(line):
    """Yield the line with a simpler layout, without a factor, or with simpler numbers."""
    for end in (".transpose(0, 1)", ".select(1, 0)"):
        if end in line:
            yield line.replace(end, "")
    for special in ("nan", "inf"):
        if special in line:
            yield line.replace(f"-{special}", special).replace(special, "1.0")
    tree = ast.parse(line)
    numbers = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is float]
    if any(node.value not in (1.0, 2.0, 3.0) for node in numbers):
        for position, node in enumerate(numbers):
            node.value = float(position % 3 + 1)
        yield ast.unparse(tree)
