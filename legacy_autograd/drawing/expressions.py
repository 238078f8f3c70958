"""The program's own text for a value: `x * y` in `z = x * y + (x + y)`, where no name refers to the product.

While a call runs, its text is read from the running frame, and the names of its operands from the text. Afterwards
they are found by matching the source of the caller's assignments with the graph.
"""

import ast
import contextlib
import functools
import linecache
import operator
import os
import sys

import numpy

from ..autograd.variable import Variable
from ..tensor.base import wrap

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_MODULES = os.path.join(_PACKAGE, "nn", "module.py")
_MOST_CHARACTERS = 300_000  # of a source file that is parsed
_MOST_ELEMENTS = 10_000  # of a result that is computed again
_OPERATORS = {
    ast.Add: ("add", operator.add), ast.Sub: ("sub", operator.sub), ast.Mult: ("mul", operator.mul),
    ast.Div: ("div", operator.truediv), ast.Pow: ("pow", operator.pow), ast.USub: ("neg", operator.neg),
}  # fmt: skip


def place_in_source(frame):
    """Return (file, line, column, last line, last column) of the expression that runs in `frame`."""
    line, last_line, column, last_column = _places_in(frame.f_code)[frame.f_lasti // 2]
    return frame.f_code.co_filename, line, column, last_line, last_column


@functools.lru_cache(maxsize=1000)
def _places_in(code):
    return list(code.co_positions())


def text_at(place):
    """Return the program's text at a `place_in_source`, or "" if it is unknown. Of several lines, the first."""
    file, line, column, last_line, last_column = place
    if line is None or column is None:
        return ""
    source = linecache.getline(file, line).encode("utf-8")  # columns count its bytes
    text = source[column : last_column if last_line == line else None].decode("utf-8").strip()
    return text if last_line == line or not text else f"{text} …"


def is_a_name(name):
    """Return whether `name` is a name in the user's code, unlike IPython's _3 or the names that tools add."""
    return name.isidentifier() and not name.startswith("_")


# --- while a call runs


class Caller:
    """Where the program makes the running call of this package.

    `path` are the positions in the package's own frames: calls of one composite operation differ in it.
    """

    def __init__(self):
        frame = sys._getframe(1)
        self.path, self._is_in_module = [], False
        while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            self.path.append(frame.f_lasti)
            self._is_in_module |= frame.f_code.co_filename == _MODULES
            frame = frame.f_back
        self.path.reverse()
        self.place = None if frame is None else place_in_source(frame)

    def expression(self):
        """Return the text of the call, or None if it is unknown or a module's, which makes many calls."""
        return None if self.place is None or self._is_in_module else text_at(self.place) or None


@functools.lru_cache(maxsize=1000)
def operand_names(expression, kind):
    """Return the names of the operands in the text of one operation, None for those without; () if it is another kind.

    `kind` is the class of the Function. Constants are no operands.
    """
    try:
        name, _, operands = _operation(ast.parse(expression, mode="eval").body)
    except (SyntaxError, LookupError):
        return ()
    if not kind.__name__.lower().startswith(name):
        return ()
    operands = [operand for operand in operands if not isinstance(operand, ast.Constant)]
    return tuple(operand.id if isinstance(operand, ast.Name) else None for operand in operands)


# --- afterwards


def expressions_in(frame, graph, root):
    """Return {Function: (its text, its result as a Tensor or None)}, found in the source of the caller's assignments.

    An expression is matched with the graph down to the Variables that it names, and computed again from them. Its
    results count only if the last one equals what the assigned Variable holds, because operands may have been changed.
    """
    found = {}
    names = {**frame.f_globals, **frame.f_locals}
    for name, value in _assignments(frame):
        variable = root if name is None else names.get(name)
        if not isinstance(variable, Variable) or variable.creator not in graph.number:
            continue
        matched = {}
        try:
            result = _match(value, variable.creator, graph, names, matched)
        except (LookupError, StopIteration, TypeError):  # another expression made the Variable
            continue
        is_same = result is not None and numpy.array_equal(result.array, variable.data.array)
        for function, (text, result) in matched.items():
            found.setdefault(function, (text, result if is_same else None))
    return found


def _assignments(frame):
    """Yield (name, expression) of the assignments in the frame's source, and (None, the argument of the running call).

    In a notebook, the earlier cells are read too.
    """
    file, line, column, *_ = place_in_source(frame)
    cells = frame.f_globals.get("In", ()) if frame.f_globals is frame.f_locals else ()
    lines = {number for *_, number in frame.f_code.co_lines()}
    sources = ["".join(linecache.getlines(file, frame.f_globals)), *(cell for cell in cells if isinstance(cell, str))]
    for number, source in enumerate(sources):
        for node in _assignments_and_calls(source):
            if number == 0 and node.lineno not in lines:
                continue  # the source of another function
            if isinstance(node, ast.Assign):
                yield node.targets[0].id, node.value
            elif (node.lineno, node.col_offset) == (line, column):
                yield None, node.args[0]


@functools.lru_cache(maxsize=32)
def _assignments_and_calls(source):
    """Return the assignments to a name and the calls with arguments in a source, from which many traces are made."""
    try:
        tree = ast.parse(source if len(source) < _MOST_CHARACTERS else "")
    except SyntaxError:  # a cell with commands of IPython
        return []
    return [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name))
        or (isinstance(node, ast.Call) and node.args)
    ]


def _match(node, function, graph, names, matched):
    """Return the result of the expression that made `function`, as a Tensor, or None if it cannot be computed.

    Raises LookupError if another expression made `function`.
    """
    if isinstance(node, ast.Name):
        variable = names[node.id]
        if not isinstance(variable, Variable) or variable.creator is not function:
            raise LookupError(node.id)
        return variable.data
    name, compute, operands = _operation(node)
    size = function._output_sizes[0]
    if not type(function).__name__.lower().startswith(name) or numpy.prod(size) > _MOST_ELEMENTS:
        raise LookupError(name)
    inputs = iter(graph.inputs[function])
    values = [
        ast.literal_eval(operand)
        if isinstance(operand, ast.Constant)
        else _match(operand, next(inputs)[0], graph, names, matched)
        for operand in operands
    ]
    if next(inputs, None) is not None:
        raise LookupError(name)
    result = None
    with contextlib.suppress(Exception):  # the Variable's method has other arguments than the Tensor's
        result = compute(*values)
        result = wrap(numpy.asarray(getattr(result, "array", result)).reshape(size))
    matched[function] = ast.unparse(node), result
    return result


def _operation(node):
    """Return (the start of the Function's class in lower case, how to compute it, its operands) of an expression."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        method = node.func.attr
        if not method.endswith("_"):
            return method, lambda tensor, *values: getattr(tensor, method)(*values), [node.func.value, *node.args]
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return *_OPERATORS[type(node.op)], [node.operand]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        name, compute = _OPERATORS[type(node.op)]
        return name, lambda *values: compute(*(getattr(x, "array", x) for x in values)), [node.left, node.right]
    if isinstance(node, ast.Subscript):
        return "index", None, [node.value]
    raise LookupError(type(node).__name__)
