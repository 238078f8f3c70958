"""Run a program of the v0.1.x era in legacy_autograd and in modern torch, and compare the two.

Prints every value and gradient with its difference. The exit code is 0 if the last sentence is that all of them agree,
1 if it is that they differ, and 2 if the program does not run in both.
Needs modern torch: pip install "legacy_autograd[compare]".
The options below may also follow the script. Arguments after two dashes always belong to the script.
"""

import argparse
import sys

from .. import conventions
from . import program_name


def configure(parser):
    _add_options(parser)
    parser.add_argument("script", help="the program's file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="handed to the program as they are")


def _add_options(parser):
    parser.add_argument("--era", choices=conventions.RELEASES, default="0.1.12", help="whose conventions to follow")
    parser.add_argument("--html", metavar="PAGE", help="write the comparison, with both graphs, to this file too")
    parser.add_argument("--tolerance", type=float, help="default: 1e-10 for double, 1e-4 for float")
    parser.add_argument(
        "--backwards", type=int, default=3, metavar="N", help="compare so many backward passes (default 3; 0: all)"
    )


def run(arguments):
    from ..comparison import TorchMissing, side_by_side

    options, arguments_of_script = _behind_the_script(arguments)
    try:
        comparison = side_by_side(
            arguments.script,
            *arguments_of_script,
            tolerance=options.tolerance,
            era=options.era,
            most_backwards=options.backwards or None,
        )
    except (TorchMissing, OSError, RuntimeError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    print(comparison)
    if options.html is not None:
        try:
            comparison.save(options.html)
        except OSError as error:
            print(f"compare: cannot write {options.html}: {error.strerror}", file=sys.stderr)
            return 2
        print(f"\nThe page with both graphs is {options.html}.")
    return 0 if comparison.agrees else 1


def _behind_the_script(arguments):
    """Return the options, including those after the script, and the script's own arguments."""
    given = arguments.arguments
    end = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(prog=f"{program_name()} compare", add_help=False, allow_abbrev=False)
    _add_options(parser)
    parser.set_defaults(**{name: getattr(arguments, name) for name in ("era", "html", "tolerance", "backwards")})
    options, rest = parser.parse_known_args(given[:end])
    return options, [*rest, *given[end + 1 :]]
