"""Build the site: `python docs/build.py` (extra `site`; `make site`) writes it into `site/`, without the network.

The pages lie all over the repository: the Markdown files of the root, the notebooks, the diagrams, `docs/`. They are
copied into one folder under their own paths, so that the links between them hold, and Sphinx builds that folder.
Notebooks are shown with their stored outputs; none is executed.
"""

import argparse
import base64
import hashlib
import importlib.util
import json
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
    "notebooks/exercises/INSTRUCTORS.md",
    "diagrams/README.md",
    "benchmarks/README.md",
]
MOVED_UP = ["index.md", "zh.md"]  # pages of docs/ that the site has in its root
IN_CHINESE = {"code_prompt_show": "显示代码和输出", "code_prompt_hide": "隐藏代码和输出"}
_STYLE_SHEET = re.compile(r'<link rel="stylesheet" type="text/css" href="([^"?]+)[^"]*" />\n?')
_TERMINAL_COLOURS = re.compile(r"div\.highlight \.-Color[^{]*\{[^}]*\}\n?")
HOME = """<a href="/*HREF*/" aria-label="/*WORDS*/" title="/*WORDS*/"
   style="color: inherit; text-decoration: none; font-size: 1.3rem; padding: 0 .3rem">←</a>
  """


def put_together(folder):
    """Copy the sources of all pages into `folder`, and write those that are made from code."""
    import exercise_pages
    import reference

    not_pages = shutil.ignore_patterns("*.py", "*.toml", "_*", *MOVED_UP)
    shutil.copytree(DOCS, folder / "docs", ignore=not_pages)
    for name in MOVED_UP:
        text = (DOCS / name).read_text(encoding="utf-8")
        (folder / name).write_text(links_from_root(text), encoding="utf-8")
    for name in COPIED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "diagrams", folder / "diagrams", dirs_exist_ok=True)
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    for path in notebooks:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if ".zh." in path.name:
            notebook["metadata"]["mystnb"] = IN_CHINESE
        (folder / "notebooks" / path.name).write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    reference.write(folder / "docs" / "api")
    exercise_pages.write(folder / "docs" / "exercises")
    add_contents(folder / "notebooks" / "README.md", [path.name for path in notebooks if ".zh." not in path.name])
    add_contents(folder / "zh.md", [f"notebooks/{path.name}" for path in notebooks if ".zh." in path.name])
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


def add_standing_pages(site):
    """Add the pages that are whole HTML files: the step-through pages of `diagrams/`, and the museum."""
    from legacy_autograd import historical

    for path in (ROOT / "diagrams").glob("*.html"):
        _write_standing(site / "diagrams" / path.name, path.read_text(encoding="utf-8"), "../docs/step_through.html")
    for lang, name in [("en", "museum.html"), ("zh", "museum.zh.html")]:
        _write_standing(
            site / name, historical.page(lang=lang), "docs/museum.html" if lang == "en" else "zh.html", lang
        )


def _write_standing(path, text, home, lang="en"):
    """Write a page with a link back to the site in its header, and without a request for an icon."""
    words = "back to legacy_autograd" if lang == "en" else "返回教程"
    link = HOME.replace("/*HREF*/", home).replace("/*WORDS*/", words)
    for place, addition in [("</head>", '<link rel="icon" href="data:,">\n'), ('<h1 id="title">', link)]:
        if text.count(place) != 1:
            raise ValueError(f"{path.name}: a step-through page has one {place}, found {text.count(place)}")
        text = text.replace(place, addition + place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


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
        return f'<script defer src="{write("output", match[1].encode("utf-8"), "js")}"></script>'

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
    from sphinx.cmd.build import build_main

    play = play_page()

    with tempfile.TemporaryDirectory() as work:
        sources, html = Path(work, "sources").resolve(), Path(work, "html").resolve()
        put_together(sources)
        if play is not None:
            live.add_links(sources)
        code = build_main(["-q", "-W", "-b", "html", "-c", str(DOCS), "-d", f"{work}/read", str(sources), str(html)])
        if code == 0:
            unpack_outputs(html)
            bundle_styles(html)
            add_standing_pages(html)
            if play is not None:
                play.build(html / "play", homes=("--home", "../index.html", "--home-zh", "../zh.html"))
                live.add_to_notebooks(html)
            found = check.complaints(html)
            print("".join(f"{line}\n" for line in found), end="", file=sys.stderr)
            code = int(bool(found))
        if code == 0:
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(html, target, ignore=shutil.ignore_patterns(".buildinfo", ".doctrees", "objects.inv"))
            Path(target, ".nojekyll").touch()  # GitHub Pages would leave out the folders that begin with "_"
        return code


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "target", nargs="?", type=Path, default=ROOT / "site", help="the folder to write; default: site"
    )
    sys.exit(build(parser.parse_args().target))
