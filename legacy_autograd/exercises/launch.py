"""How a module of `exercises` is started in a fresh interpreter. It imports nothing of the package: see grade.py."""

import json
import os
import sys

_START = (
    "import importlib, json, sys; sys.path[:0] = json.loads(sys.argv.pop(1)); "
    "importlib.import_module(sys.argv.pop(1)).main()"
)


def command(module, search_path=()):
    """The command line that runs `main()` of a module of this package, whatever the environment says of search paths.

    -P and -E keep the current folder and PYTHONPATH out: a json.py beside the notebook is not Python's json.
    """
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    path = json.dumps([root, *search_path])
    return [sys.executable, "-P", "-E", "-c", _START, path, f"legacy_autograd.exercises.{module}"]
