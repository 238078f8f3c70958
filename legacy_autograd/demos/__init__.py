"""The demonstrations behind `python -m legacy_autograd demo NAME`, one module each, found by being here.

`run(folder)` of a module trains and reports on standard output, writes its files into `folder`, which exists, and
returns the exit code.
"""

import importlib
import pkgutil
import sys


def names():
    """The names of all demonstrations, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load(name):
    """The module of the demonstration `name`; only this one is imported."""
    return importlib.import_module(f"{__name__}.{name}")


def progress(done, total):
    """A counter that stays on its line in a terminal; where output goes to a file or a pipe, nothing."""
    if sys.stdout.isatty() and (done == total or done % max(1, total // 100) == 0):
        print(f"\r  step {done} of {total}" if done < total else "\r\033[K", end="", flush=True)
