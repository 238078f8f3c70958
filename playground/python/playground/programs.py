"""Runs the student's programs: prints as they print, shows the last expression, and reports the line that failed."""

import ast
import contextlib
import linecache
import os
import sys
import traceback
import types
from pathlib import Path

from legacy_autograd.autograd import fast

from . import missing, streams
from .display import display, set_language

_HOME = Path("/home/student")
_OWN = str(Path(__file__).parent)

missing.install()
sys.stdout, sys.stderr = streams.OUT, streams.ERR


def run(source, name="program.py", keep=False, step=False, lang="en"):
    """Run a program; its last expression is displayed.

    With `keep` it has the names of the programs before it, as a notebook's cell has. With `step` its last backward is
    recorded, and shown as a page to step through.

    Return {"line": of the program that failed, or None, "error": the text of its traceback, or None, "traced": whether
    a backward was recorded, "files": the names of the files that the program wrote}.
    """
    set_language(lang)
    for stream in (streams.OUT, streams.ERR):
        stream.begin()
    module = sys.modules["__main__"]
    if not keep or not hasattr(module, "display"):
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        module.display = display
        os.environ.pop(fast.PLAIN, None)
        fast.install()
    if fast.PLAIN in source:  # the program asks for the book before it imports the package, which is loaded already
        fast.remove()
    module.__file__ = name
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    before = _files()
    failure = {"line": None, "error": None}
    with _recorded(step, lang) as traces:
        try:
            _execute(source, name, vars(module))
        except SystemExit:
            pass
        except BaseException as error:
            failure = _failure(error, name)
    for trace in traces:
        display(trace)
    streams.OUT.flush()
    streams.ERR.flush()
    written = [file for file, version in _files().items() if before.get(file) != version]
    return {**failure, "traced": bool(traces), "files": written}


def file(name):
    """Return the bytes of a file that a program wrote, as Latin-1 text."""
    return (_HOME / name).read_bytes().decode("latin-1")


def _execute(source, name, namespace):
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
        if value is not None:
            display(value)


def _recorded(step, lang):
    if not step:
        return contextlib.nullcontext([])
    from .stepping import recorded_backward

    return recorded_backward(lang)


def _files():
    """Return {name of each file in the program's folder: its version}."""
    found = {}
    for path in _HOME.rglob("*"):
        if path.is_file():
            state = path.stat()
            found[path.relative_to(_HOME).as_posix()] = (state.st_mtime_ns, state.st_size)
    return found


def _failure(error, name):
    """Return the line that failed, and the traceback from the program's first line on."""
    missing.explain(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != name:
        trace = trace.tb_next
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == name else trace and trace.tb_lineno
    report = traceback.TracebackException(type(error), error, trace)
    while report.stack and report.stack[-1].filename.startswith(_OWN):  # missing.py, which refuses
        report.stack.pop()
    return {"line": line, "error": "".join(report.format())}
