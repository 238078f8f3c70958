"""`legacy-autograd` and `python -m legacy_autograd`: the package's commands, each a module of `commands`."""

import argparse
import platform
import sys
from collections.abc import Sequence

import numpy

from . import __version__, commands

_FIRST = """\
try first:
  {program} demo       fits a line to real data and draws its graph; seconds
  {program} learn      opens the walkthrough in JupyterLab
  {program} exercises  lists the exercises, and how far you are

{program} COMMAND --help explains a command.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command of the command line and return the exit code.

    Args:
        arguments: The words after the program's name. Default: those of this process.
    """
    program = commands.program_name()
    parser = commands.Parser(
        prog=program,
        description="The autograd of PyTorch's first alpha, written anew over numpy.",
        epilog=_FIRST.format(program=program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    versions = f"legacy_autograd {__version__} (Python {platform.python_version()}, numpy {numpy.__version__})"
    parser.add_argument("--version", action="version", version=versions)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    words = sys.argv[1:] if arguments is None else arguments
    for name, command in commands.load_all(*words[:1]).items():
        help_line, _, rest = str(command.__doc__).partition("\n")
        subparser = subparsers.add_parser(name, help=help_line, description=f"{help_line}{rest}")
        command.configure(subparser)
        subparser.set_defaults(run=command.run)
    parsed = parser.parse_args(arguments)
    if "run" not in parsed:
        parser.print_help()
        return 0
    return parsed.run(parsed)


if __name__ == "__main__":
    sys.exit(main())
