"""Sphinx extension: beside a name of the API reference, a link to the lines of v0.1.1 that it mirrors.

`docs/v0_1_1_lines.toml` has the names and the lines.
"""

import functools
import importlib
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

TABLE = Path(__file__).resolve().parents[1] / "v0_1_1_lines.toml"


@functools.cache
def table():
    """Return {name in legacy_autograd, without the package's: (file of v0.1.1, line)} and the address of a line."""
    data = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    lines = {name: (file, line) for file, names in data["lines"].items() for name, (line, _) in names.items()}
    return lines, data["address"]


def address(module, name):
    """Return the address of what `name` in `module` mirrors, or None."""
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    defined = f"{getattr(found, '__module__', '')}.{getattr(found, '__qualname__', '')}".partition(".")[2]
    lines, template = table()
    file, line = lines.get(defined, (None, None))
    return template.format(file=file, line=line) if file else None


def add_links(app, doctree):
    for signature in doctree.findall(addnodes.desc_signature):
        if signature.get("module") and (uri := address(signature["module"], signature["fullname"])):
            link = nodes.reference("", "", nodes.inline("", "[v0.1.1]", classes=["v0-1-1"]), internal=False, refuri=uri)
            signature += link


def setup(app):
    app.connect("doctree-read", add_links)
    return {"parallel_read_safe": True}
