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
_WORDS = {
    "en": {
        "page": "play/index.html",
        "card": "[Write a program in the page]({}) and step through it. ",
        "before": "Predict the engine's",
        "link": "Do it in this browser",
        "start": "Start it with `",
        "or": ", or start it with `",
    },
    "zh": {
        "page": "play/zh.html",
        "card": "[在页面里写程序]({})，逐步执行。",
        "before": "预测引擎的下一步",
        "link": "在浏览器里做",
        "start": "开始练习：`",
        "or": "，或者在自己的机器上开始：`",
    },
}


def add_links(folder, lang):
    """Add links to the playground to the sources of the site's pages in a language, in `folder`."""
    words = _WORDS[lang]
    play = {"en": "", "zh": "../"}[lang] + words["page"]
    path = folder / "index.md"
    path.write_text(_before(path, words["before"], words["card"].format(f"site:{play}")), encoding="utf-8")
    for path in (folder / "docs" / "exercises").glob("[0-9]*.md"):
        link = f'<a href="../../{play}#exercise={int(path.name[:2])}">{words["link"]}</a>{words["or"]}'
        path.write_text(_before(path, words["start"], link, replaced=True), encoding="utf-8")


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
