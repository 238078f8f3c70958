"""Start a module of `exercises` in a fresh interpreter. Imports nothing of the package (see notebook_check.py)."""

import json
import os
import sys

_START = (
    "import importlib, json, sys; first, last = json.loads(sys.argv.pop(1)); sys.path[:] = first + sys.path + last; "
    "importlib.import_module(sys.argv.pop(1)).main()"
)


def command(module, search_path=(), root=None):
    """Return the command line that runs `main()` of a module of this package with safe search paths.

    -P and -E leave out the current folder and PYTHONPATH: a json.py beside the notebook is not Python's json. The
    entries of PYTHONPATH come last, in case numpy is there. With `root`, a folder with another copy of the package, the
    module is that copy's. Then this one cannot be imported, and neither can what is in the current folder.
    """
    own = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
    last = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(path)]
    first = list(search_path)
    if root is not None:
        left_out = {os.getcwd(), *([] if os.path.exists(os.path.join(own, "numpy")) else [own])}
        first, last = [[path for path in paths if os.path.abspath(path) not in left_out] for paths in (first, last)]
    paths = json.dumps([[root or own, *first], last])
    return [sys.executable, "-P", "-E", "-c", _START, paths, f"legacy_autograd.exercises.{module}"]
