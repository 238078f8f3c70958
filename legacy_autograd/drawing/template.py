"""The files in the `templates` folders of `drawing` and `comparison`, and how they are filled in."""

import re
from importlib import resources


def filled(package, name, values=None):
    """Return the template `name` of `package`, with `values["TITLE"]` in place of each `/*TITLE*/`, and so on.

    All places are filled at once, so that a value may contain what looks like a place.
    """
    template = resources.files(package).joinpath("templates", name).read_text(encoding="utf-8")
    return re.sub(r"/\*([A-Z ]+)\*/", lambda match: values[match[1]], template)
