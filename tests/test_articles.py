"""`docs/articles.md`: each thing that an article explains has a section of a notebook, and the section names it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = {"en": ROOT / "docs" / "articles.md", "zh": ROOT / "docs" / "articles.zh.md"}
ROW = re.compile(r"^\| (.+) \| \[(\d+)[:：] ?(.+)\]\(\.\./notebooks/(\w+)((?:\.zh)?)\.ipynb#(\S+)\) \|$", re.MULTILINE)


def rows(lang):
    """Return (item, number, title, notebook, edition, anchor) of each row."""
    return ROW.findall(PAGES[lang].read_text(encoding="utf-8"))


def slug(title):
    """Return the anchor of a heading, as GitHub and MyST make it."""
    return re.sub(r"[^\w\u4e00-\u9fff\- ]", "", title.replace("`", "").strip().lower().replace(" ", "-"))


def sections(notebook, lang):
    """Return {title: the text and the code below it} of one edition of a notebook's source."""
    text = (ROOT / "notebooks" / "text" / f"{notebook}.md").read_text(encoding="utf-8")
    found, edition, title = {}, "en", None
    for line in text.splitlines():
        if line in ("<!-- en -->", "<!-- zh -->"):
            edition = line[5:7]
        elif line.startswith("```") and not line.startswith("```text"):
            edition = lang  # code is of both
        if edition == lang:
            if line.startswith("## "):
                title = line[3:]
            found[title] = found.get(title, "") + line + "\n"
    return found


@pytest.mark.parametrize("lang", PAGES)
def test_every_row_is_read(lang):
    text = PAGES[lang].read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    headers = text.count("\n## ")
    assert len(rows(lang)) == len(lines) - headers and len(rows(lang)) >= 40


@pytest.mark.parametrize("lang", PAGES)
def test_each_row_leads_to_a_section_that_has_its_names(lang):
    for item, number, title, notebook, edition, anchor in rows(lang):
        assert notebook.startswith(f"{int(number):02}_") and edition == {"en": "", "zh": ".zh"}[lang], item
        found = sections(notebook, lang)
        assert title in found and slug(title) == anchor, (item, title, anchor)
        for name in re.findall("`([^`]+)`", item):
            assert name.removesuffix("()") in found[title], f"{item}: no {name!r} in {title!r} of {notebook}"


def test_both_pages_have_the_same_rows():
    first, second = ([(row[1], row[3], re.findall("`([^`]+)`", row[0])) for row in rows(lang)] for lang in PAGES)
    assert first == second


def test_the_site_and_the_walkthrough_lead_to_it():
    assert "(articles.md)" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert "(../docs/articles.md)" in (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
