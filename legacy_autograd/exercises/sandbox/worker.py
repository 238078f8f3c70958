"""The student's process: it executes the student's code, and runs probes on it for the judge.

It reads requests, one line of JSON each, from its original standard input, and writes answers to its original standard
output; the student's prints go into the answer. Nothing that it says is a verdict. The judge compares the data.
"""

import builtins
import difflib
import importlib
import itertools
import json
import linecache
import os
import sys
import traceback
import types
import warnings

from ...autograd.record import PACKAGE
from ...autograd.variable import Variable
from ...tensor import Tensor
from ..answer import Answer, Missing, Withheld, plain
from . import audit, landlock, limits, package

MODULE = "answer"  # what the student's code sees as __name__
_KINDS = {  # of a Trouble; other exceptions are "error", and NotImplementedError can be "not written"
    Missing: "missing",
    Withheld: "withheld",
    MemoryError: "memory",
    RecursionError: "recursion",
    SystemExit: "exit",
}


class Printed:
    """The start and the end of the student's printed text. What follows the first megabyte is dropped."""

    encoding, errors = "utf-8", "replace"
    LIMIT = 2000
    MOST = 2**20

    def __init__(self):
        self.text = ""
        self._length = 0  # of what was printed

    def write(self, text):
        length, left = len(text), self.MOST - self._length
        if left <= 0:
            return length
        self._length += length
        self.text += text[:left]
        if len(self.text) > 2 * self.LIMIT:
            self.text = f"{self.text[: self.LIMIT]}\n…\n{self.text[-self.LIMIT // 2 :]}"
        if length >= left:
            self.text += "\n… (> 1 MB)\n"
        return length

    def flush(self):
        """Nothing waits."""

    def isatty(self):
        return False

    def take(self):
        text, self.text, self._length = self.text, "", 0
        return text


def main():
    """Serve the judge until it closes the channel."""
    package.forget_others()
    requests, answers = _take_channel()
    request = json.loads(requests.readline())
    student = begin(request)
    limits.limit_files()
    limits.limit_memory(request["megabytes"])
    limits.limit_time(request["total"], again=False)
    if request["landlock"]:
        landlock.restrict(request["closed"], str(package.ROOT.parent))
    student.refused = audit.install(request["closed"], request["texts"])
    before = limits.used()  # by the start of this process, which costs the student nothing

    def reply(request, content):
        used = limits.used() - before
        answers.write(json.dumps({"token": request["token"], "used": used, **content}) + "\n")
        answers.flush()

    reply(request, student.execute(request["cells"]))
    for line in requests:
        request = json.loads(line)
        limits.limit_time(request["seconds"])
        reply(request, student.run(request["probe"], request["inputs"]))


def begin(request):
    """Return the Student of a judge's first request.

    Answer that request with `student.execute(request["cells"])`, and later ones with `student.run(probe, inputs)`.
    """
    warnings.simplefilter("ignore")  # 1/0 in a student's formula is seen in the numbers
    return Student(observers_of(request["exercise"]), request["seconds"])


def observers_of(exercise):
    """Return the module with the probes of the exercise of that name."""
    return importlib.import_module(f"{__package__.rpartition('.')[0]}.observers.{exercise}")


def _take_channel():
    """Return files of the judge's pipes, and replace the standard input and output."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    sys.stdin = open(os.devnull, encoding="utf-8")
    sys.stdout = sys.stderr = Printed()
    return requests, answers


class Student:
    """Execute cells, and the probes of a module of `observers`, and return the results as plain data."""

    def __init__(self, probes, seconds):
        self._probes = probes
        self._seconds = seconds
        self.refused = []  # by audit.py, so far
        self._builtins = dict(vars(builtins))
        self._engine = Variable._execution_engine
        self._printed = sys.stdout
        self._labels = set()
        self._namespace = _namespace_of(MODULE)

    def execute(self, cells):
        """Execute the cells in order; an exception ends its cell, as in a notebook. Returns the troubles.

        A cell may name the `module` that it is executed in.
        """
        troubles = []
        for cell in cells:
            limits.limit_time(self._seconds)
            label, source = cell["label"], cell["source"]
            self._labels.add(label)
            _remember(label, source)
            try:
                namespace = _namespace_of(cell["module"]) if "module" in cell else self._namespace
                exec(compile(source, label, "exec", dont_inherit=True), namespace)
            except BaseException as error:
                troubles.append(self._trouble(error))
            finally:
                vars(builtins).update(self._builtins)
        return {"troubles": troubles, "printed": self._printed.take()}

    def run(self, probe, inputs):
        """Run one probe. Return {"value": …} or {"trouble": …}, and the printed text."""
        answer = Answer(self._namespace)
        try:
            values = getattr(self._probes, probe)(answer, **inputs)
            result = {"value": {key: plain(value) for key, value in values.items()}}
        except BaseException as error:
            result = {"trouble": self._trouble(error)}
        finally:
            vars(builtins).update(self._builtins)
            Variable._execution_engine = self._engine
        return {**result, "printed": self._printed.take(), "asked": list(dict.fromkeys(answer.names_asked))}

    def _trouble(self, error):
        """Return the exception and the student's line that raised it, as plain data."""
        line = self._line(error)
        if type(error) is OSError and self.refused:
            error = self.refused[-1]  # inspect.getsource catches it and reports that there is no source
        kind = next((kind for exception, kind in _KINDS.items() if isinstance(error, exception)), "error")
        if isinstance(error, NotImplementedError) and line is not None and line["innermost"]:
            kind = "not written"
        because = _missing_attribute(error) if isinstance(error, AttributeError) else None
        return {"kind": kind, "type": _name(type(error)), "message": _text(error), "line": line, "because": because}

    def _line(self, error):
        if isinstance(error, SyntaxError) and error.filename in self._labels:
            text = (error.text or "").strip()
            return {"label": error.filename, "number": error.lineno, "text": text, "innermost": True}
        frames = [(frame.f_code.co_filename, number) for frame, number in traceback.walk_tb(error.__traceback__)]
        for label, number in reversed(frames):
            if label in self._labels:
                text = linecache.getline(label, number).strip()
                return {"label": label, "number": number, "text": text, "innermost": frames[-1][0] == label}
        return None


def _remember(label, source):
    """Store the lines for messages. The cells of one file share a label; each is empty where others have code."""
    _, _, known, _ = linecache.cache.get(label, (0, None, [], label))
    both = itertools.zip_longest(source.splitlines(True), known, fillvalue="\n")
    linecache.cache[label] = (len(source), None, [line if line.strip() else old for line, old in both], label)


def _namespace_of(module):
    """Return the names of that module of the student's, and make the module on first use."""
    return vars(sys.modules.setdefault(module, types.ModuleType(module)))


def _name(exception):
    """Return the name of an exception's class; for one of the package's own, that of its Python base class."""
    own = [kind for kind in exception.__mro__ if not kind.__module__.startswith("legacy_autograd")]
    return own[0].__name__


def _missing_attribute(error):
    """Return a sentence on a name that a module, or an object of the package or the student, does not have, or None."""
    owner, name = error.obj, error.name
    if owner is None or name is None:
        # The package itself names what to use instead (modern_names.py); else a student's own `raise AttributeError`.
        return f"the name `{name}` does not exist in {PACKAGE}; the message shows what to use" if name else None
    is_module, kind = isinstance(owner, types.ModuleType), owner if isinstance(owner, type) else type(owner)
    if not is_module and kind.__module__.partition(".")[0] not in (PACKAGE, MODULE):
        return None
    try:
        names = [known for known in dir(owner) if known != name and known.startswith("_") == name.startswith("_")]
    except Exception:  # a student's `__dir__`
        names = []
    closest = difflib.get_close_matches(name, names, n=1, cutoff=0.55)
    if not closest and not is_module and issubclass(kind, (Tensor, Variable)):
        return None
    whose = owner.__name__ if is_module else kind.__name__
    if closest:
        return f"the name `{name}` does not exist in {whose}: is `{closest[0]}` meant?"
    return f"the name `{name}` does not exist in {whose}"


def _text(error):
    if isinstance(error, SyntaxError):
        return error.msg  # without the place, which the report has
    try:
        return str(error)
    except BaseException:
        return "(its message could not be read)"
