"""Make the pictures of the graphs, and the pages that step through them.

Each is drawn from a graph that is computed for it. Without names all are made, with the index that shows them.
"""

import sys
from pathlib import Path


def configure(parser):
    parser.add_argument("names", nargs="*", metavar="NAME", help="which ones, for instance diamond or functions/Sub")
    parser.add_argument("--out", type=Path, default=Path("diagrams"), metavar="FOLDER", help="default: diagrams")
    parser.add_argument("--list", action="store_true", help="print the names, and make none")


def run(arguments):
    from ..drawing import LayoutUnavailable, diagrams

    if arguments.list:
        for diagram in diagrams.all_diagrams().values():
            print(f"{diagram.name:30} {diagram.words}")
        return 0
    try:
        written = diagrams.write(arguments.out, arguments.names)
    except ValueError as error:
        raise SystemExit(f"diagrams: {error}") from error
    except OSError as error:
        raise SystemExit(f"diagrams: cannot write into {arguments.out}: {error.strerror}") from error
    except LayoutUnavailable as error:
        print(f"The DOT files are written into {arguments.out}, without pictures and pages: {error}", file=sys.stderr)
        return 0
    print(f"{len(written)} files written into {arguments.out}.")
    return 0
