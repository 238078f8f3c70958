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


def save_graph(graph, path, subject="The graph"):
    """Draw `graph` in `path`.dot and, where it can be laid out, in `path`.svg; say where."""
    from .. import drawing  # not before a demonstration runs: `demo --help` only asks for their names

    dot_file, svg_file = path.with_suffix(".dot"), path.with_suffix(".svg")
    drawing.render(graph, dot_file)
    try:
        drawing.render(graph, svg_file)
    except drawing.LayoutUnavailable as error:
        print(f"{subject} is drawn in {dot_file} as DOT only: {error}", file=sys.stderr)
    else:
        print(f"{subject} is drawn in {svg_file} (and as DOT in {dot_file}).")
