"""The student's end of the judge's questions, in a worker without the answers."""

import importlib
import json
import sys

import bundle

_PACKAGE = "legacy_autograd"
_student = None


def reply(question):
    """Answer a question of the judge. The first one has the student's code, and the rest of the package.

    A value is a text in JSON, because JavaScript reads no Infinity and no NaN.
    """
    global _student
    request = json.loads(question)
    if "cells" not in request:
        found = _printing(lambda: _student.run(request["probe"], request["inputs"]))
        return found | ({"value": json.dumps(found["value"])} if "value" in found else {})
    bundle.add(request["modules"])
    for name in [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]:
        del sys.modules[name]
    sandbox = f"{_PACKAGE}.exercises.sandbox"
    worker = importlib.import_module(f"{sandbox}.worker")
    worker.limits.resource = None  # the page keeps the limit of time, and WebAssembly that of memory
    _student = worker.begin(request)
    bundle.erase(f"{_PACKAGE}.")
    _student.refused = importlib.import_module(f"{sandbox}.audit").install([], [])
    return _printing(lambda: _student.execute(request["cells"]))


def _printing(work):
    sys.stdout = sys.stderr = _student._printed = sys.modules[f"{_PACKAGE}.exercises.sandbox.worker"].Printed()
    return work()
