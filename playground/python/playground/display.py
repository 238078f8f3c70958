"""Shows objects in the page as a notebook does."""

import sys

from .bridge import host

_LONGEST_TABLE = 200  # steps, as in a notebook's form of a trace
_language = "en"


def set_language(lang):
    """Show step-through pages in this language from now on, "en" or "zh"."""
    global _language
    _language = lang


def display(*objects):
    """Show objects: a picture, a step-through page, a table, or text."""
    for item in objects:
        sys.stdout.flush()
        sys.stderr.flush()
        host("show", bundle_of(item))


def bundle_of(item):
    """Return the forms of an object by MIME type."""
    from legacy_autograd.drawing import EngineComparison, Trace
    from legacy_autograd.drawing.page import page

    if isinstance(item, Trace):  # the whole page, because the page shows it in a frame of its own
        table = item.table(_language) if len(item) <= _LONGEST_TABLE else repr(item)
        return {"text/html": page([item.in_language(_language)], embedded=True), "text/plain": table}
    if isinstance(item, EngineComparison):
        told = item.in_language(_language)
        return {"text/html": told.page(embedded=True), "text/plain": str(told)}
    if hasattr(item, "_repr_mimebundle_"):
        bundle = item._repr_mimebundle_()
        return bundle[0] if isinstance(bundle, tuple) else bundle
    forms = {"text/plain": repr(item)}
    for kind, name in [("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")]:
        if hasattr(item, name):
            forms[kind] = getattr(item, name)()
    return {kind: text for kind, text in forms.items() if text is not None}
