"""Runs the student's programs: prints as they print, shows the last expression, and reports the line that failed."""

import ast
import linecache
import sys
import traceback
import types

from .bridge import host
from .display import display


class Stream:
    """A standard stream whose text goes to the page."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, is_error):
        self._is_error = is_error

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        host("print", {"text": text, "isError": self._is_error})
        return len(text)

    def flush(self):
        """Nothing waits."""

    def isatty(self):
        return False


def flush():
    sys.stdout.flush()
    sys.stderr.flush()


sys.stdout, sys.stderr = Stream(False), Stream(True)


def run(source, name="program.py", keep=False):
    """Run a program; its last expression is displayed. Return {"line": …, "error": …}, None where it succeeded.

    With `keep` it has the names of the programs before it, as a notebook's cell has.
    """
    module = sys.modules["__main__"]
    if not keep or not hasattr(module, "display"):
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        module.display = display
    module.__file__ = name
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    try:
        tree = ast.parse(source, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), vars(module))
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), vars(module))
            if value is not None:
                display(value)
    except SystemExit:
        pass
    except BaseException as error:
        return _failure(error, name)
    return {"line": None, "error": None}


def _failure(error, name):
    """Return the line that failed, and the traceback from the program's first line on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != name:
        trace = trace.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace))
    line = error.lineno if isinstance(error, SyntaxError) else trace and trace.tb_lineno
    return {"line": line, "error": text}
