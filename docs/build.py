"""Build the site: `python docs/build.py` (extra `site`; `make site`) writes it into `site/`, without the network.

The pages lie all over the repository: the Markdown files of the root, the notebooks, the diagrams, `docs/`. They are
copied into one folder for each language under their own paths, so that the links between them hold, and Sphinx builds
each folder. Notebooks are shown with their stored outputs; none is executed.
"""

import argparse
import base64
import configparser
import hashlib
import importlib.util
import os
import posixpath
import re
import shutil
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
# Pages that are read in the repository as well.
COPIED = [
    "FIDELITY.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "notebooks/README.md",
    "notebooks/README.zh.md",
    "notebooks/exercises/INSTRUCTORS.md",
    "diagrams/README.md",
    "benchmarks/README.md",
]
LANGUAGES = {"en": ".", "zh": "zh"}  # Sphinx builds each language into its own folder of the site
MOVED_UP = ["index.md", "index.zh.md"]  # pages of docs/ that the site has in its root
_STYLE_SHEET = re.compile(r'<link rel="stylesheet" type="text/css" href="([^"?]+)[^"]*" />\n?')
_TERMINAL_COLOURS = re.compile(r"div\.highlight \.-Color[^{]*\{[^}]*\}\n?")
# In the head and in the header of a page that Sphinx does not make. In a frame of another page it has no links.
_HEAD = """<meta name="description" content="{description}">
<link rel="icon" href="data:,">
<style>.site-link { color: inherit; } .site-link.back { text-decoration: none; font-size: 1.3rem; padding: 0 .3rem; }
.site-link.language { order: 9; } .framed .site-link { display: none; }</style>
<script>if (self !== top) document.documentElement.classList.add("framed");</script>
"""
_LINKS = """<a class="site-link back" href="{home}" aria-label="{back}" title="{back}">←</a>
  <a class="site-link language" href="{other}" lang="{other_lang}" hreflang="{other_lang}">{other_name}</a>
  """
_MOVES = re.compile(r"@keyframes|<animate")
_STILL = "<style>* { animation: none !important; }</style></svg>"


def put_together(folder, lang):
    """Copy the sources of all pages in a language into `folder`, and write those that are made from code.

    A page `docs/museum.zh.md` of the repository is the Chinese `docs/museum.md` of the site.
    """
    import exercise_pages
    import reference

    for path in [*DOCS.rglob("*.md"), *(ROOT / "notebooks").glob("*.ipynb"), *map(ROOT.joinpath, COPIED)]:
        if (".zh." in path.name) == (lang == "zh"):
            place = folder / (path.name if path.name in MOVED_UP else path.relative_to(ROOT))
            text = path.read_text(encoding="utf-8")
            place = place.with_name(place.name.replace(".zh.", "."))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(links_from_root(text) if path.name in MOVED_UP else text, encoding="utf-8")
    for name in ("docs", "diagrams"):
        not_pictures = shutil.ignore_patterns("*.py", "*.toml", "*.md", "*.html", "_*")
        shutil.copytree(ROOT / name, folder / name, ignore=not_pictures, dirs_exist_ok=True)
    for path in (folder / "diagrams").glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        if _MOVES.search(text):
            path.with_suffix(".still.svg").write_text(text.replace("</svg>", _STILL), encoding="utf-8")
    exercise_pages.write(folder / "docs" / "exercises", lang)
    notebooks = sorted(path.name for path in (folder / "notebooks").glob("*.ipynb"))
    add_contents(folder / "notebooks" / "README.md", notebooks)
    if lang == "en":
        reference.write(folder / "docs" / "api")
        add_contents(folder / "index.md", COPIED[1:5], caption="Project")


def links_from_root(text):
    """Return the text of a page of `docs/` with its relative links as they are from the site's root."""

    def moved(link):
        target = posixpath.normpath(posixpath.join("docs", link[1]))
        name = posixpath.basename(target)
        return f"]({name if name in MOVED_UP else target})"

    return re.sub(r"\]\((?!\w+:|#)([^)\s]+)\)", moved, text)


def add_contents(page, names, caption=""):
    """Make the pages of these names the page's own in the site's navigation."""
    contents = ["", "```{toctree}", ":hidden:", f":caption: {caption}" if caption else "", "", *names, "```", ""]
    page.write_text(page.read_text(encoding="utf-8") + "\n".join(contents), encoding="utf-8")


def add_standing_pages(site, lang):
    """Add the pages that are whole HTML files: the step-through pages of `diagrams/`, the lesson, and the museum."""
    from legacy_autograd import historical
    from legacy_autograd.drawing import diagrams

    (site / "diagrams").mkdir(exist_ok=True)
    for diagram in diagrams.PAGES:
        name = f"diagrams/{diagram.name}"
        if lang == "en":
            shutil.copy(ROOT / name, site / name)
        else:
            diagram.make().save(site / name, lang)
        _link_standing(site, name, "../docs/step_through.html", lang)
    shutil.copy(ROOT / "diagrams" / {"en": "lesson.html", "zh": "lesson.zh.html"}[lang], site / "diagrams/lesson.html")
    _link_standing(site, "diagrams/lesson.html", "../docs/step_through.html", lang)
    historical.page(site / "museum.html", lang)
    _link_standing(site, "museum.html", "docs/museum.html", lang)


def _link_standing(site, name, home, lang):
    """Give a page links back to the site and to its other language, a description, and no request for an icon."""
    from site_pages import TO_OTHER, WORDS

    from legacy_autograd.drawing.page_shell import with_additions

    words = WORDS["standing"][lang]
    text = (site / name).read_text(encoding="utf-8")
    title = re.search("<title>(.*?)</title>", text)[1]
    other = "../" * name.count("/") + TO_OTHER[lang] + name
    head = _HEAD.replace("{description}", words["description"].format(title=title))
    links = _LINKS.format(home=home, other=other, **words)
    additions = [("</head>", head), ('<h1 id="title">', links)]
    text = with_additions(text, additions, f"{name}: a step-through page")
    (site / name).write_text(text, encoding="utf-8")


def unpack_outputs(site):
    """Put the pictures and the long scripts of the notebooks' outputs into files, so that a page's text comes first."""
    from site_pages import SIZE

    def write(name, content, suffix):
        file = f"{name}-{hashlib.sha256(content).hexdigest()[:12]}.{suffix}"
        (site / "_images" / file).write_bytes(content)
        return f"../_images/{file}"

    def picture(match):
        content = base64.b64decode(match[2])
        size = SIZE.search(content.decode("utf-8")) if match[1] == "svg+xml" else None
        scale = 4 / 3 if size and size[3] == "pt" else 1
        sides = [round(float(side) * scale) for side in size.groups()[:2]] if size else []
        shape = 'width="{}" height="{}" '.format(*sides) if sides else ""
        return f'loading="lazy" {shape}src="{write("output", content, match[1].partition("+")[0])}"'

    def script(match):
        return f'<script type="text/plain" data-later="{write("output", match[1].encode("utf-8"), "js")}"></script>'

    for path in (site / "notebooks").glob("*.html"):
        page = path.read_text(encoding="utf-8")
        page = re.sub(r'src="data:image/(svg\+xml|png);base64,([^"]+)"', picture, page)
        page = re.sub(
            r"<script>(\s*\(async \(\) => \{(?:(?!</script>).){10000,}?)</script>", script, page, flags=re.DOTALL
        )
        path.write_text(page, encoding="utf-8")


def bundle_styles(site):
    """Let each page load one style sheet instead of five, without the colours of terminals, which no output has."""
    bundled = {}
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        links = _STYLE_SHEET.findall(page)
        if not links:
            continue
        names = tuple(link for link in links if "mystnb" not in link or 'class="cell ' in page)
        if names not in bundled:
            sheets = [(path.parent / name).resolve().read_text(encoding="utf-8") for name in names]
            text = _TERMINAL_COLOURS.sub("", "\n".join(sheets))
            bundled[names] = f"style-{hashlib.sha256(text.encode()).hexdigest()[:8]}.css"
            (site / "_static" / bundled[names]).write_text(text, encoding="utf-8")
        root = "../" * len(path.relative_to(site).parent.parts)
        page = page.replace("</title>", f'</title>\n<link rel="stylesheet" href="{root}_static/{bundled[names]}">', 1)
        path.write_text(_STYLE_SHEET.sub("", page), encoding="utf-8")


def repository():
    """Return the address of the repository, "" if setup.cfg has none."""
    metadata = configparser.ConfigParser()
    metadata.read(ROOT / "setup.cfg", encoding="utf-8")
    return metadata["metadata"].get("url", "").rstrip("/")


def play_page():
    """Return the module that builds the live page, or None, and say so, where the programs for it are missing."""
    sys.path.append(str(ROOT / "playground"))
    spec = importlib.util.spec_from_file_location("build_play", ROOT / "playground" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    missing = module.what_is_missing()
    if missing is None:
        return module
    print(f"site: {missing}; the site is built without the live page", file=sys.stderr)
    return None


def build(target):
    """Build the site into the folder `target`, which is made anew, and return the exit code.

    The live page is in its folder `play`, if Node.js is there to build it.

    A warning of Sphinx and a complaint of `check.py` are errors, which leave the folder as it was.
    """
    os.environ["LEGACY_AUTOGRAD_PLAIN"] = "1"  # the reference shows the book, not its fast twin
    sys.path[:0] = [str(ROOT), str(DOCS), str(DOCS / "_extensions")]
    import check
    import live
    import sharing

    play = play_page()
    with tempfile.TemporaryDirectory() as work:
        work = Path(work).resolve()
        site = work / "site"
        for lang in LANGUAGES:
            put_together(work / "sources" / lang, lang)
            if play is not None:
                live.add_links(work / "sources" / lang, lang)
        for lang, folder in LANGUAGES.items():
            code = build_language(work, lang, site / folder)
            if code:
                return code
        if play is not None:
            play.build(site / "play", homes=("--home", "../index.html", "--home-zh", "../zh/index.html"))
            for folder in LANGUAGES.values():
                live.add_to_notebooks(site, site / folder)
        sharing.add_tags(site, repository())
        found = check.complaints(site)
        print("".join(f"{line}\n" for line in found), end="", file=sys.stderr)
        if found:
            return 1
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(site, target)
        Path(target, ".nojekyll").touch()  # GitHub Pages would leave out the folders that begin with "_"
        return 0


def build_language(work, lang, target):
    """Let Sphinx build the pages of a language from `work`/sources into `target`, add the others, return its code."""
    from sphinx.cmd.build import build_main

    sources, html = work / "sources" / lang, work / "html" / lang
    options = ["-q", "-W", "-b", "html", "-c", str(DOCS), "-t", lang, "-d", str(work / "read" / lang)]
    code = build_main([*options, str(sources), str(html)])
    if code == 0:
        unpack_outputs(html)
        bundle_styles(html)
        add_standing_pages(html, lang)
        unwanted = shutil.ignore_patterns(".buildinfo", ".doctrees", "objects.inv", "_sources")
        shutil.copytree(html, target, ignore=unwanted, dirs_exist_ok=True)
    return code


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "target", nargs="?", type=Path, default=ROOT / "site", help="the folder to write; default: site"
    )
    sys.exit(build(parser.parse_args().target))
