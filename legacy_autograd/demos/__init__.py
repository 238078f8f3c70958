"""The demonstrations behind `python -m legacy_autograd demo NAME`. Each module of this folder is one of them.

Its `run(folder)` trains, reports on standard output, writes its files into the existing `folder`, and returns the exit
code.
"""

import importlib
import pkgutil
import sys


def names():
    """Return the names of all demonstrations, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


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
