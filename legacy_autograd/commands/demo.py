"""Train, show the loss falling, and draw the graph.

Which demonstrations there are, `legacy_autograd.demos` says.
"""

from pathlib import Path

from .. import demos


def configure(parser):
    names = demos.names()
    parser.add_argument("name", nargs="?", choices=names, default="regression", help="default: regression")
    parser.add_argument(
        "--out", type=Path, default=Path("legacy_autograd_demo"), metavar="FOLDER", help="where the files go"
    )


def run(arguments):
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SystemExit(f"demo: cannot write into {arguments.out}: {error.strerror}") from error
    return demos.load(arguments.name).run(arguments.out)
