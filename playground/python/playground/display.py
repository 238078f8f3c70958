"""Shows objects in the page as a notebook does."""

import sys

from .bridge import host


def display(*objects):
    """Show objects: a picture, a step-through page, a table, or text."""
    for item in objects:
        sys.stdout.flush()
        host("show", bundle_of(item))


def bundle_of(item):
    """Return the forms of an object by MIME type."""
    from legacy_autograd.drawing import Trace
    from legacy_autograd.drawing.page import page

    if isinstance(item, Trace):  # the whole page, because the page shows it in a frame of its own
        return {"text/html": page([item], embedded=True), "text/plain": repr(item)}
    if hasattr(item, "_repr_mimebundle_"):
        bundle = item._repr_mimebundle_()
        return bundle[0] if isinstance(bundle, tuple) else bundle
    if hasattr(item, "_repr_html_"):
        return {"text/html": item._repr_html_(), "text/plain": repr(item)}
    return {"text/plain": repr(item)}
