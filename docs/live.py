"""What the site gets where the playground was built: links to it, and notebook pages whose cells run."""

import html
import json
import re
import tomllib
from pathlib import Path

_TABLE = Path(__file__).resolve().parents[1] / "playground" / "notebooks.toml"
_SCRIPT = """<script type="application/json" id="live">{data}</script>
<script type="module" src="{script}"></script>
"""
_WORDS = {  # the page; what it can do, and the text that this precedes; the link of an exercise, and what it replaces
    "en": ("play/index.html", "[Write a program in the page]({}) and step through it. ", "Predict the engine's", "Do it in this browser", "Start it with `", ", or start it with `"),
    "zh": ("play/zh.html", "[在页面里写程序]({})，逐步执行。", "预测引擎的下一步", "在浏览器里做", "开始练习：`", "，或者在自己的机器上开始：`"),
}


def add_links(folder, lang):
    """Add links to the playground to the sources of the site's pages in a language, in `folder`."""
    play, card, before_card, words, start, instead = _WORDS[lang]
    up = {"en": "", "zh": "../"}[lang]
    path = folder / "index.md"
    path.write_text(_before(path, before_card, card.format(f"site:{up}{play}")), encoding="utf-8")
    for path in (folder / "docs" / "exercises").glob("[0-9]*.md"):
        address = f"../../{up}{play}#exercise={int(path.name[:2])}"
        path.write_text(_before(path, start, f'<a href="{address}">{words}</a>{instead}', replaced=True), encoding="utf-8")


def _before(path, place, text, replaced=False):
    """Return the page's text with `text` before `place`, or instead of it."""
    page = path.read_text(encoding="utf-8")
    if page.count(place) != 1:
        raise ValueError(f"{path.name}: expected {place!r} once, found it {page.count(place)} times")
    return page.replace(place, text if replaced else text + place)


def add_to_notebooks(site, folder):
    """Let the cells of the notebook pages in `folder` run: add the script that does it when a reader asks for it."""
    live = json.loads((site / "play" / "live.json").read_text(encoding="utf-8"))
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    for path in (folder / "notebooks").glob("*.html"):
        page = path.read_text(encoding="utf-8")
        if 'class="cell ' not in page:
            continue
        lang = re.search(r'<html[^>]* lang="(\w+)', page)[1]
        impossible = table.get(path.stem, {}).get("impossible", {})
        data = json.dumps({"words": live["words"][lang], "impossible": impossible}, ensure_ascii=False)
        script = "../" * len(path.relative_to(site).parent.parts) + f"play/{live['script']}"
        addition = _SCRIPT.format(data=data.replace("<", "\u003c"), script=html.escape(script))
        path.write_text(page.replace("</body>", addition + "</body>", 1), encoding="utf-8")
