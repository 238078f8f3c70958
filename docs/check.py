"""Check a built site: every link leads somewhere, nothing is loaded from elsewhere, and no page is heavy.

`python docs/check.py site` prints what is wrong; `build.py` does the same after each build.
"""

import functools
import gzip
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_URL = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
# Attributes from which a browser loads, by element; `a` only leads somewhere.
_LOADING = {
    "audio": ["src"], "embed": ["src"], "iframe": ["src"], "image": ["href", "xlink:href"], "img": ["src", "srcset"],
    "input": ["src"], "link": ["href"], "object": ["data"], "script": ["src", "data-later"],
    "source": ["src", "srcset"], "track": ["src"], "use": ["href", "xlink:href"], "video": ["src", "poster"],
}  # fmt: skip


HEAVIEST = 200_000  # bytes of a page, compressed, with all that it loads before its reader scrolls


class Page(HTMLParser):
    """What one page has: its anchors, where its links lead, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded, self.unnamed = {"", "top"}, [], [], []
        self.at_once = []  # of `loaded`: without pictures and scripts that wait until they are near the window
        self._in_style = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and attributes.get("href") is not None:
            self.links.append(attributes["href"])
        if tag == "img" and attributes.get("alt") is None:
            self.unnamed.append(attributes.get("src", "")[:60])
        loaded = [attributes[name] for name in _LOADING.get(tag, ()) if attributes.get(name)]
        self.loaded += loaded
        waits = "data-later" in attributes or (tag == "img" and attributes.get("loading") == "lazy")
        leads = tag == "link" and not {"stylesheet", "icon"} & set(attributes.get("rel", "").split())
        if not (waits or leads):
            self.at_once += loaded
        self.loaded += _urls(attributes.get("style") or "")
        self._in_style = tag == "style"

    def handle_endtag(self, tag):
        self._in_style = False

    def handle_data(self, data):
        if self._in_style:
            self.loaded += _urls(data)


def _urls(css):
    return [first or second for first, second in _URL.findall(css)]


def complaints(site):
    """Return one line for each broken link, each address that a page would load, and each picture without a text."""
    site = Path(site).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        where = path.relative_to(site).as_posix()
        for address in page.links:
            parts = urlsplit(address)
            if not parts.scheme and not parts.netloc:
                found += [f"{where}: {address}: {why}" for why in _broken(site, path, parts, pages)]
        for address in page.loaded:
            found += [f"{where}: {address[:100]}: {why}" for why in _not_inside(site, path, address)]
        found += [f"{where}: {picture}: a picture without a text (alt)" for picture in page.unnamed]
        if (bytes_ := weight(path, pages)) > HEAVIEST:
            found.append(f"{where}: {bytes_} bytes, compressed: more than {HEAVIEST}")
    for path in sorted([*site.rglob("*.css"), *site.rglob("*.svg")]):
        for address in _urls(path.read_text(encoding="utf-8")):
            found += [
                f"{path.relative_to(site).as_posix()}: {address[:100]}: {why}"
                for why in _not_inside(site, path, address)
            ]
    return found


def weight(path, pages):
    """Return the bytes that a page and all that it loads at once have when compressed; frames count with theirs."""
    found, waiting = set(), [path]
    while waiting:
        one = waiting.pop()
        if one in found or not one.is_file():
            continue
        found.add(one)
        if one in pages:
            files = [address for address in pages[one].at_once if not address.startswith("data:")]
            waiting += [(one.parent / unquote(urlsplit(address).path)).resolve() for address in files]
    return sum(map(_compressed, found))


@functools.cache
def _compressed(path):
    return len(gzip.compress(path.read_bytes()))


def _not_inside(site, path, address):
    parts = urlsplit(address)
    if parts.scheme == "data" or not (parts.scheme or parts.netloc or parts.path):
        return []
    if parts.scheme or parts.netloc:
        return ["loaded from outside of the site"]
    return _broken(site, path, parts._replace(fragment=""), {})


def _broken(site, path, parts, pages):
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_relative_to(site) or parts.path.startswith("/"):
        return ["leads out of the site"]
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return ["no such file"]
    if "=" in parts.fragment:  # what the page's script reads, as #exercise=3 of the live page
        return []
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
        return ["no such anchor"]
    return []


if __name__ == "__main__":
    lines = complaints(sys.argv[1])
    print("\n".join(lines) or "every link leads somewhere, and nothing is loaded from outside")
    sys.exit(bool(lines))
