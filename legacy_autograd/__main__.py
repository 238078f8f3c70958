"""`python -m legacy_autograd`: the package's commands, each a module of `legacy_autograd.commands`."""

import argparse
import sys

from . import commands


def main(arguments=None):
    """Carry out one command of the command line and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m legacy_autograd",
        description="The autograd of PyTorch's first alpha, written anew over numpy.",
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in commands.load_all().items():
        help_line, _, rest = command.__doc__.partition("\n")
        subparser = subparsers.add_parser(name, help=help_line, description=f"{help_line}{rest}")
        command.configure(subparser)
        subparser.set_defaults(run=command.run)
    parsed = parser.parse_args(arguments)
    return parsed.run(parsed)


if __name__ == "__main__":
    sys.exit(main())
