"""Start a module of `exercises` in a fresh interpreter. Imports nothing of the package (see notebook_check.py)."""

import json
import os
import sys

_START = (
    "import gc, importlib, json, os, sys; gc.disable(); "  # what is loaded stays
    "root, waits, first, last = json.loads(sys.argv.pop(1)); sys.path[:] = first + sys.path + last; "
    "waits and (importlib.import_module('numpy'), os.read(0, 1)); sys.path.insert(0, root); "
    "module = importlib.import_module(sys.argv.pop(1)); gc.enable(); module.main()"
)


def command(module, search_path=(), root=None, waits=False):
    """Return the command line that runs `main()` of a module of this package with safe search paths.

    -P and -E leave out the current folder and PYTHONPATH: a json.py beside the notebook is not Python's json. The
    folder of the running program is left out as well. The entries of PYTHONPATH come last, in case numpy is there. With
    `root`, a folder with another copy of the package, the module is that copy's, and this one cannot be imported. If it
    `waits`, it loads numpy, and the package after a byte from its standard input: `root` may be written meanwhile.
    """
    own = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
    program = getattr(sys.modules["__main__"], "__file__", None)
    left_out = {os.getcwd(), os.path.dirname(os.path.abspath(program or os.getcwd()))}
    last = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(path)]
    if root is not None and not os.path.exists(os.path.join(own, "numpy")):
        left_out.add(own)
        last = [path for path in last if os.path.abspath(path) != own]
    first = [path for path in search_path if os.path.abspath(path) not in left_out]
    paths = json.dumps([root or own, waits, first, last])
    return [sys.executable, "-P", "-E", "-c", _START, paths, f"legacy_autograd.exercises.{module}"]
