"""What a shared link to a page shows: its title, its description, and a picture of the project.

The picture needs an absolute address, which the repository's `url` in setup.cfg gives. Without one, pages are shared
without a picture.
"""

import html
import re
from pathlib import Path

PICTURE = "docs/card.{lang}.png"  # made from docs/card.svg by docs/card.py
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
_LANG = re.compile(r'<html[^>]*?\slang="(\w\w)')


def add_tags(site, repository=""):
    """Add the tags to all pages of the built site; `repository` is its address, if there is one."""
    for path in sorted(Path(site).rglob("*.html")):
        page = path.read_text(encoding="utf-8")
        if (title := _TITLE.search(page)) and (description := _DESCRIPTION.search(page)):
            lang = _LANG.search(page)[1]
            added = tags(html.unescape(title[1]), html.unescape(description[1]), lang, repository)
            path.write_text(page.replace("</title>", f"</title>\n{added}", 1), encoding="utf-8")


def tags(title, description, lang, repository):
    """Return the meta elements for one page."""
    values = {
        "og:type": "website",
        "og:site_name": "legacy_autograd",
        "og:locale": {"en": "en_GB", "zh": "zh_CN"}[lang],
        "og:title": title,
        "og:description": description,
        "twitter:card": "summary",
    }
    if repository:
        picture = f"{repository}/raw/main/{PICTURE.format(lang=lang)}"
        values |= {"og:image": picture, "og:image:width": "1200", "og:image:height": "630"}
        values["twitter:card"] = "summary_large_image"
    return "".join(
        f'<meta {"name" if name.startswith("twitter") else "property"}="{name}" content="{html.escape(value)}">\n'
        for name, value in values.items()
    )
