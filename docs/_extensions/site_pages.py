"""Sphinx extension: what turns the repository's Markdown files and notebooks into pages of the site.

Links to files that are no pages lead to the highlighted source, to the repository or nowhere; pictures know their size;
the questions of a notebook find its cells; the two languages of a notebook know each other.
"""

import posixpath
import re
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.pycode import ModuleAnalyzer

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parent
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)\s]+)\)")
SIZE = re.compile(r'<svg[^>]*?\swidth="([\d.]+)(?:pt|px)?"\s+height="([\d.]+)(pt|px)?"', re.DOTALL)
# Folders of the repository, and what the site has instead: pages that `build.py` makes of them.
INSTEAD = {
    "legacy_autograd": "docs/api/index.md",
    "legacy_autograd/autograd": "docs/api/autograd.md",
    "legacy_autograd/comparison": "docs/api/tools.md",
    "legacy_autograd/exercises/templates": "docs/exercises/index.md",
    "legacy_autograd/historical": "museum.html",
    "legacy_autograd/historical#zh": "museum.zh.html",
}
WORDS = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))


# --- links


def lead_somewhere(app, docname, source):
    """Rewrite the links of a page: to pages they stay, to Python files they lead to their highlighted source."""
    text = _LINK.sub(lambda link: _link(app, docname, link), source[0])
    if app.env.doc2path(docname).suffix == ".ipynb":
        text = re.sub(r"\]\(#[^)]+\)", lambda link: link[0].lower(), text)  # Jupyter keeps the case of headings
    source[0] = text


def _link(app, docname, link):
    text, target = link.groups()
    path, _, anchor = target.partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(docname), path))
    if app.env.path2doc(str(app.srcdir / place)) in app.env.found_docs:
        return link[0]
    up = "../" * docname.count("/")
    instead = INSTEAD.get(f"{place}#{anchor}") or INSTEAD.get(place)
    if instead and instead.endswith(".md"):
        return f"[{text}]({up}{instead})"
    place = instead or place
    if place in app.config.standing_files:
        return f"[{text}](site:{up}{place})"
    if place.startswith("legacy_autograd/") and (place.endswith(".py") or (ROOT / place / "__init__.py").exists()):
        module = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        app.env.linked_sources[docname].add(module)
        return f"[{text}](site:{up}_modules/{module.replace('.', '/')}.html)"
    if not (ROOT / place).exists():
        return link[0]  # Sphinx warns
    repository = app.config.repository
    return f"[{text}]({repository}/blob/main/{place}{'#' * bool(anchor)}{anchor})" if repository else text


def show_sources(app, env):
    """Let sphinx.ext.viewcode make a page of each module that a link leads to; the reference may have no name of it.

    Its index gets no link to a module without a source: that of a documented attribute's value may be `builtins`.
    """
    for module in [name for name, entry in env._viewcode_modules.items() if not entry]:
        del env._viewcode_modules[module]
    for module in sorted(set().union(*env.linked_sources.values())):
        if not env._viewcode_modules.get(module):
            analyzer = ModuleAnalyzer.for_module(module)
            analyzer.find_tags()
            env._viewcode_modules[module] = (analyzer.code, analyzer.tags, {}, "")
    return []


def start_page(app, env, docname):
    """Forget what a page linked to when it is read again."""
    if not hasattr(env, "linked_sources"):
        env.linked_sources = {}
    env.linked_sources[docname] = set()


# --- pictures, tables and the cells of notebooks


def complete(app, doctree):
    """Give pictures their size, tables a frame that scrolls, and cells the classes that the questions look for."""
    docname = app.env.docname
    captions = iter(
        WORDS["pictures"].get(posixpath.basename(docname).replace(".zh", ""), {}).get(language_of(docname), [])
    )
    for number, image in enumerate(doctree.findall(nodes.image)):
        if number:
            image["loading"] = "lazy"
        path = app.srcdir / image["uri"]
        if image["uri"].endswith(".svg") and path.is_file() and (size := SIZE.search(path.read_text(encoding="utf-8"))):
            factor = 4 / 3 if size[3] == "pt" else 1
            image["width"], image["height"] = (f"{round(float(side) * factor)}px" for side in size.groups()[:2])
        elif "jupyter_execute" in image["uri"] and not image.get("alt"):
            image["alt"] = next(captions)
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell" in node["classes"]):
        cell["classes"] += ["jp-Cell", *(f"cell{name}" for name in cell["classes"] if name.startswith("tag_"))]


# --- languages


def language_of(docname):
    return "zh" if docname == "zh" or docname.endswith(".zh") else "en"


def other_language(env, docname):
    """Return the name of the same page in the other language, or None."""
    if docname in ("notebooks/README", "zh"):
        return "zh" if docname == "notebooks/README" else "notebooks/README"
    other = docname.removesuffix(".zh") if docname.endswith(".zh") else f"{docname}.zh"
    return other if other in env.found_docs else None


def set_words(app, pagename, templatename, context, doctree):
    """Give the template the page's language, the same page in the other one, and where the page is edited."""
    lang = language_of(pagename)
    context["language"] = lang
    other = other_language(app.env, pagename)
    context["other_language"] = other and (
        app.builder.get_relative_uri(pagename, other),
        "en" if lang == "zh" else "zh",
    )
    if lang == "zh":
        words = WORDS["zh"]
        context["gettext"] = lambda text: words.get(text.strip(), text)
    context["theme_source_edit_link"] = _edit_address(app, pagename)


def _edit_address(app, pagename):
    """Return the address at which the page is edited in the repository; pages that are made from code have none."""
    if not app.config.repository or pagename not in app.env.found_docs:
        return ""
    name = app.env.doc2path(pagename, base=False)
    for place in (name, f"docs/{name}"):
        if (ROOT / place).is_file():
            return f"{app.config.repository}/edit/main/{place}"
    return ""


def setup(app):
    app.add_config_value("repository", "", "html")
    app.add_config_value("standing_files", [], "env")
    app.connect("env-purge-doc", start_page)
    app.connect("env-updated", show_sources)
    app.connect("source-read", lead_somewhere)
    app.connect("doctree-read", complete, priority=900)
    app.connect("html-page-context", set_words)
    return {"parallel_read_safe": True}
