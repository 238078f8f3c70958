"""The demonstrations behind `python -m legacy_autograd demo NAME`, and the parts that they share.

The function `run(folder)` of a demonstration trains, reports on standard output, writes its files into the existing
`folder`, and returns the exit code. `training_loop.py`, `networks.py` and `datasets.py` serve other programs too.
"""

import importlib
import sys


def names():
    """Return the names of all demonstrations, in alphabetical order."""
    return ["ddp", "lenet", "regression"]


def load(name):
    """Return the module of the demonstration `name`; no other one is imported."""
    return importlib.import_module(f"{__name__}.{name}")


def progress(done, total):
    """Print a counter on one line of a terminal; print nothing to a file or a pipe."""
    if sys.stdout.isatty() and (done == total or done % max(1, total // 100) == 0):
        print(f"\r  step {done} of {total}" if done < total else "\r\033[K", end="", flush=True)


def save_graph(graph, path, subject="The graph"):
    """Draw `graph` into `path`.dot and, if Graphviz is available, `path`.svg; print the paths."""
    from .. import drawing  # imported late: `demo --help` needs only the names

    dot_file, svg_file = path.with_suffix(".dot"), path.with_suffix(".svg")
    drawing.render(graph, dot_file)
    try:
        drawing.render(graph, svg_file)
    except drawing.LayoutUnavailable as error:
        print(f"{subject} is drawn in {dot_file} as DOT only: {error}", file=sys.stderr)
    else:
        print(f"{subject} is drawn in {svg_file} (and as DOT in {dot_file}).")
