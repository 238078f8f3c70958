"""The commands of `python -m legacy_autograd`, one module each, found by being here.

A module's name is the command's, the first line of its docstring the help; `configure(parser)` adds the arguments to
an `argparse.ArgumentParser`, and `run(arguments)` does the work and returns the exit code. A command that needs more
than the base install imports it inside `run`, so that the others stay quick and do not miss it.
"""

import importlib
import pkgutil


def load_all():
    """The modules of all commands, by name, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}
