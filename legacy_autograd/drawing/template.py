"""How the pages of `drawing` and `comparison` are made of their `page.html`."""

import re
from importlib import resources


def filled(package, values):
    """Return the `page.html` of `package`, with `values["TITLE"]` in place of each `/*TITLE*/`, and so on.

    All places are filled at once, so that a value may contain what looks like a place.
    """
    template = resources.files(package).joinpath("page.html").read_text(encoding="utf-8")
    return re.sub(r"/\*([A-Z ]+)\*/", lambda match: values[match[1]], template)
