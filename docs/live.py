"""What the site gets where the playground was built: links to it, and notebook pages whose cells run."""

import html
import json
import re
import tomllib
from pathlib import Path

_TABLE = Path(__file__).resolve().parents[1] / "playground" / "notebooks.toml"
_SCRIPT = """<script type="application/json" id="live">{data}</script>
<script type="module" src="../play/{script}"></script>
"""
_CARDS = {  # the page, and what its first list of cards begins with
    "index.md": """- [**Playground**](site:play/index.html)

  Type a program, run it, draw its graph, step through its backward: the package itself runs in the page.
""",
    "zh.md": """{.cards}
- [**演练场**](site:play/zh.html)

  编写程序、运行、画图、逐步执行反向传播：软件包就在页面里运行。每个笔记本的代码也可以在页面上运行和修改。

""",
}


def add_links(folder):
    """Add links to the playground to the sources of the site's pages, in `folder`."""
    path = folder / "index.md"
    path.write_text(_before(path, "- [**Predict the engine**]", _CARDS["index.md"]), encoding="utf-8")
    path = folder / "zh.md"
    path.write_text(_before(path, "| | 笔记本 |", _CARDS["zh.md"]), encoding="utf-8")
    for path in (folder / "docs" / "exercises").glob("[0-9]*.md"):
        address = f"../../play/index.html#exercise={int(path.name[:2])}"
        link = f'<a href="{address}">Do it in this browser</a>, or start it with `'
        path.write_text(_before(path, "Start it with `", link, replaced=True), encoding="utf-8")


def _before(path, place, text, replaced=False):
    """Return the page's text with `text` before `place`, or instead of it."""
    page = path.read_text(encoding="utf-8")
    if page.count(place) != 1:
        raise ValueError(f"{path.name}: expected {place!r} once, found it {page.count(place)} times")
    return page.replace(place, text if replaced else text + place)


def add_to_notebooks(site):
    """Let the cells of the notebook pages run: add the script that does it when a reader asks for it."""
    live = json.loads((site / "play" / "live.json").read_text(encoding="utf-8"))
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    for path in (site / "notebooks").glob("*.html"):
        page = path.read_text(encoding="utf-8")
        if 'class="cell ' not in page:
            continue
        lang = re.search(r'<html[^>]* lang="(\w+)', page)[1]
        impossible = table.get(path.name.partition(".")[0], {}).get("impossible", {})
        data = json.dumps({"words": live["words"][lang], "impossible": impossible}, ensure_ascii=False)
        addition = _SCRIPT.format(data=data.replace("<", "\\u003c"), script=html.escape(live["script"]))
        path.write_text(page.replace("</body>", addition + "</body>", 1), encoding="utf-8")
