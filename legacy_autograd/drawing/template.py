"""Read the files in the `templates` folders of `drawing` and `comparison`, and insert values."""

import re
from importlib import resources


def filled(package, name, values=None):
    """Return the template `name` of `package`, with each `/*TITLE*/` replaced by `values["TITLE"]`, and so on.

    All placeholders are replaced at once, so a value may contain text that looks like a placeholder.
    """
    template = resources.files(package).joinpath("templates", name).read_text(encoding="utf-8")
    return re.sub(r"/\*([A-Z ]+)\*/", lambda match: values[match[1]], template)
