"""The commands of `legacy-autograd`, one module each, found by being here.

A module's name is the command's, the first line of its docstring the help; `configure(parser)` adds the arguments to
an `argparse.ArgumentParser`, and `run(arguments)` does the work and returns the exit code. A command that needs more
than the base install imports it inside `run`, so that the others stay quick and do not miss it.
"""

import argparse
import difflib
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import PurePath
from types import ModuleType
from typing import NoReturn

_SCRIPT = "legacy-autograd"


def load_all(word: str = "") -> dict[str, ModuleType]:
    """Return the modules of all commands, by name, in alphabetical order.

    Args:
        word: The first word of a command line. If it names a command, only that module is loaded and returned.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    names = [word] if word in names else names
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}


def program_name() -> str:
    """Return what the user typed to start this program: the installed command or `python -m`."""
    return _SCRIPT if PurePath(sys.argv[0]).stem == _SCRIPT else "python -m legacy_autograd"


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors suggest the command or option that was probably meant."""

    _given: Sequence[str] = ()

    def parse_known_args(  # type: ignore[override]  # the overloads of argparse
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse the arguments, and refuse unknown ones here, so that the usage shown is that of the command."""
        self._given = sys.argv[1:] if args is None else args
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._option_meant(unknown[0])}")
        return parsed, unknown

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error to stderr, and exit with code 2."""
        choice = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if choice:
            message += _meant(choice[1], re.findall(r"[^\s,']+", choice[2]))
            # The value of a mistyped option is taken for the positional argument.
            before = next((before for before, word in pairwise(self._given) if word == choice[1]), "")
            if before.startswith("--"):
                message += self._option_meant(before)
        super().error(message)

    def _option_meant(self, option: str) -> str:
        known = re.findall(r"(?<![\w-])--?[a-z][\w-]*", self.format_usage())
        option = option.partition("=")[0]
        return "" if option in known else _meant(option, known)


def _meant(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""
