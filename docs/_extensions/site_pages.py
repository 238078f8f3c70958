"""Sphinx extension: what turns the repository's Markdown files and notebooks into pages of the site.

Links to files that are no pages lead to the highlighted source, to the repository or nowhere; pictures know their size,
and those that move start when the reader asks for it; the questions of a notebook find its cells; each page knows the
same page in the other language. The search does not know what a page hides until its reader has answered.
"""

import posixpath
import re
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.locale import _ as translated
from sphinx.pycode import ModuleAnalyzer

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parent
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)\s]+)\)")
_BREAK = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")
SIZE = re.compile(r'<svg[^>]*?\swidth="([\d.]+)(?:pt|px)?"\s+height="([\d.]+)(pt|px)?"', re.DOTALL)
# Folders of the repository, and what the site has instead: pages that `build.py` makes of them.
INSTEAD = {
    "legacy_autograd": "docs/api/index.md",
    "legacy_autograd/autograd": "docs/api/autograd.md",
    "legacy_autograd/comparison": "docs/api/tools.md",
    "legacy_autograd/exercises/templates": "docs/exercises/index.md",
    "legacy_autograd/historical": "museum.html",
}
# The English site is the root; the Chinese one is in a folder of it.
TO_OTHER = {"en": "zh/", "zh": "../"}
ONLY_ENGLISH = "docs/look_up"  # the Chinese page that says in a sentence what each of the English pages has
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
    path, hash_, anchor = target.partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(docname), path))
    up = "../" * docname.count("/")
    lang = language(app.config)
    page = place.replace(".zh.", ".")
    name = app.env.path2doc(str(app.srcdir / page))
    if (".zh." in place) != (lang == "zh") and has_page(app, name, other(lang)):
        return f"[{text}](site:{up}{TO_OTHER[lang]}{name}.html{hash_}{anchor})"
    if name in app.env.found_docs:
        return f"[{text}]({path.replace('.zh.', '.')}{hash_}{anchor})"
    instead = INSTEAD.get(page)
    if instead and instead.endswith(".md"):
        if has_page(app, instead.removesuffix(".md"), lang):
            return f"[{text}]({up}{instead})"
        return f"[{text}](site:{up}{TO_OTHER[lang]}{instead.removesuffix('.md')}.html)"
    page = instead or page
    if page in app.config.standing_files:
        return f"[{text}](site:{up}{page})"
    if page.startswith("legacy_autograd/") and (page.endswith(".py") or (ROOT / page / "__init__.py").exists()):
        module = page.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if lang == "zh":
            up += TO_OTHER[lang]  # the sources are shown once
        else:
            app.env.linked_sources[docname].add(module)
        return f"[{text}](site:{up}_modules/{module.replace('.', '/')}.html)"
    if not (ROOT / place).exists():
        return link[0]  # Sphinx warns
    repository = app.config.repository
    return f"[{text}]({repository}/blob/main/{place}{hash_}{anchor})" if repository else text


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
    """Give pictures their size, and cells the classes that the questions look for; leave answers out of the search."""
    docname, lang = app.env.docname, language(app.config)
    captions = iter(WORDS["pictures"].get(posixpath.basename(docname), {}).get(lang, []))
    for number, image in enumerate(list(doctree.findall(nodes.image))):
        if number:
            image["loading"] = "lazy"
        path = app.srcdir / image["uri"]
        if image["uri"].endswith(".svg") and path.is_file() and (size := SIZE.search(path.read_text(encoding="utf-8"))):
            factor = 4 / 3 if size[3] == "pt" else 1
            image["width"], image["height"] = (f"{round(float(side) * factor)}px" for side in size.groups()[:2])
        elif "jupyter_execute" in image["uri"] and not image.get("alt"):
            image["alt"] = next(captions)
        if path.with_suffix(".still.svg").is_file():
            _play_on_request(app, image, WORDS["play"][lang])
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell" in node["classes"]):
        cell["classes"] += ["jp-Cell", *(f"cell{name}" for name in cell["classes"] if name.startswith("tag_"))]
        if {"tag_question", "tag_answer"} & set(cell["classes"]):
            cell["classes"].append("no-search")
    for parent in doctree.findall(nodes.Element):
        _leave_out_of_search(parent.children)
    if lang == "zh":
        for parent in doctree.findall(nodes.TextElement):
            if not isinstance(parent, nodes.FixedTextElement):
                _join_lines(parent)


def _play_on_request(app, image, words):
    """Show the last state of a moving picture; `Play` starts it, and closing it stops it, without a script."""
    still = image.deepcopy()
    still["uri"] = image["uri"].removesuffix(".svg") + ".still.svg"
    still["candidates"] = {"*": still["uri"]}
    image["loading"] = still["loading"] = "lazy"
    app.env.images.add_file(app.env.docname, still["uri"])
    start = f"<details><summary><span>{words['start']}</span><span>{words['stop']}</span></summary>"
    raw = [nodes.raw("", text, format="html") for text in (start, "</details>")]
    alone = isinstance(image.parent, nodes.paragraph) and len(image.parent) == 1
    moving = nodes.container("", raw[0], image.deepcopy(), raw[1], still, classes=["moving"])
    (image.parent if alone else image).replace_self(moving)


def _join_lines(parent):
    """Take out line breaks between Chinese characters, which a browser would show as spaces."""
    texts = [child.astext() for child in parent]
    for place, child in enumerate(list(parent)):
        if isinstance(child, nodes.Text) and "\n" in child:
            around = texts[place - 1][-1:] if place else "", "".join(texts[place + 1 : place + 2])[:1]
            joined = _BREAK.sub("", child.join(around))
            parent[place] = nodes.Text(joined[len(around[0]) : len(joined) - len(around[1])])


def _leave_out_of_search(children):
    """Give what is folded away (answers, hints) the class `no-search`, which Sphinx and search.html heed."""
    folded = False
    for child in children:
        text = child.astext() if isinstance(child, nodes.raw) else ""
        folded = folded or text.lstrip().startswith("<details")
        ends = "</details>" in text
        if folded and isinstance(child, nodes.Element) and ("<details" in text) == ends:
            child["classes"].append("no-search")
        folded = folded and not ends


# --- languages


def language(config):
    """Return the language of the pages that Sphinx builds now: "en" or "zh"."""
    return config.language[:2]


def other(lang):
    return "en" if lang == "zh" else "zh"


def has_page(app, name, lang):
    """Return whether the site has a page of this name in a language; build.py puts the languages side by side."""
    return any((app.srcdir.parent / lang / f"{name}{suffix}").is_file() for suffix in (".md", ".ipynb"))


def other_language(app, pagename):
    """Return the address, from the page, of the same page in the other language, or of the page that tells of it."""
    lang = language(app.config)
    there = pagename == "search" or has_page(app, pagename, other(lang))
    name = pagename if there else ONLY_ENGLISH if lang == "en" else "docs/api/index"
    return "../" * pagename.count("/") + TO_OTHER[lang] + name + ".html"


def set_words(app, pagename, templatename, context, doctree):
    """Give the template the page's language and description, the same page in the other language, the edit link."""
    lang = language(app.config)
    context["language"] = lang
    context["other_language"] = other_language(app, pagename), other(lang)
    if "body" in context:  # an empty header cell heads nothing, and what is folded has its own text
        body = re.sub(r"<th[^>]*>(?:<p></p>)?</th>", "<td></td>", context["body"])
        context["body"] = body.replace(' aria-label="Toggle hidden content"', "")
    about = WORDS["shell"][lang]["about"].format(title=context.get("title", translated("Search")))
    context["description"] = _description(doctree, lang) or about
    context["gettext"] = lambda text: WORDS[lang].get(text.strip()) or translated(text)
    context["words"] = WORDS["shell"][lang]
    context["theme_source_edit_link"] = _edit_address(app, pagename)


def _description(doctree, lang):
    """Return the first sentences of a page for search engines and shared links: 160 characters, or 80 Chinese ones."""
    most = {"en": 160, "zh": 80}[lang]
    for paragraph in doctree.findall(nodes.paragraph) if doctree else ():
        text = " ".join(paragraph.astext().split())
        if len(text) > most:
            text = text[: most - 1]
            text = (text.rpartition(" ")[0] if lang == "en" else text).rstrip(",;: ，；：、") + "…"
        if len(text) > 20:
            return text
    return ""


def _edit_address(app, pagename):
    """Return the address at which the page is edited in the repository; pages that are made from code have none."""
    if not app.config.repository or pagename not in app.env.found_docs:
        return ""
    name = app.env.doc2path(pagename, base=False)
    if language(app.config) == "zh":
        name = name.replace(".", ".zh.", 1)
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
