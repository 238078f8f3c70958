"""The single HTML file of a step-through page: the markup, styles and scripts of `templates/page/` with the data.

Everything is inlined, so the file needs no server, no library and no network.
"""

import functools
import html
import json
import re
import tomllib
from importlib import resources

from .template import filled

_SCRIPTS = (
    "replay", "heat", "card", "minimap", "near", "sheet", "picture", "slots", "sentence", "travel", "values", "pointer",
    "view", "source", "stepper", "questions", "naive", "predict", "choice", "recompute", "sliders",
)  # fmt: skip


def page_html(data, title, *, lang="en", without_script="", embedded=False):
    """Return the page that shows `data`, the dictionary of programs, records and steps from `page.py`.

    `without_script` is HTML for browsers that run no scripts. `embedded` is for a frame in a notebook, whose height
    depends on the page, not the window. Raises ValueError if `lang` is unknown.
    """
    files = resources.files(__package__).joinpath("templates", "page")
    scripts = [files.joinpath(f"{name}.js") for name in _SCRIPTS]
    values = {
        "LANG": lang,
        "CLASS": "embedded" if embedded else "file",
        "TITLE": html.escape(title),
        "STYLE": "\n".join(filled(__package__, f"{name}.css") for name in ("page/page", "page/questions", "states")),
        "WITHOUT SCRIPT": without_script,
        "DATA": script_json({**data, "lang": lang, "title": title, "words": page_words(lang) | data.get("words", {})}),
        "SCRIPTS": "\n".join(_script(script.read_text(encoding="utf-8")) for script in scripts if script.is_file()),
    }
    return filled(__package__, "page/page.html", values)


def with_additions(text, additions, what="a step-through page"):
    """Return the HTML of a page with each of `additions` in front of its place: pairs (place, HTML).

    Raises ValueError, which says `what` the page is, if a place is not there exactly once.
    """
    for place, addition in additions:
        if text.count(place) != 1:
            raise ValueError(f"{what} has one {place}, found {text.count(place)}")
        text = text.replace(place, addition + place)
    return text


def _script(text):
    """Return a script without the lines that are comments, a tenth of a small page."""
    return re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE)


def page_words(lang):
    """Return {key: text} of the controls, the legend and the algorithm in the language `lang`."""
    languages, questions = _tables()
    if lang not in languages:
        raise ValueError(f"the language must be one of {', '.join(map(repr, languages))}, got lang={lang!r}")
    return languages[lang] | questions[lang]


@functools.cache
def _tables():
    """Return the words and the questions in all languages; reading them takes longer than making a small page."""
    return [tomllib.loads(filled(__package__, f"page/{name}.toml")) for name in ("words", "questions")]


def script_json(data):
    """Return `data` as JSON that cannot end the surrounding script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
