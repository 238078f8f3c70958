"""The licences of all that the live page holds: npm's packages state theirs, and licences.toml has the others."""

import html
import json
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ALLOWED = {"MIT", "BSD-3-Clause", "BSD-2-Clause", "ISC", "Unlicense", "MPL-2.0"}
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Licences</title>
<style>
  :root {{ color-scheme: light dark }}
  body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }}
  td, th {{ padding: .2rem .6rem; text-align: left; vertical-align: top }}
  table {{ display: block; overflow-x: auto }}
  pre {{ white-space: pre-wrap }}
</style>
<h1>Licences</h1>
<p>The live page runs software of many people. Each part has its own licence.</p>
<table><tr><th>part<th>version<th>licence<th>what it does here</tr>
{rows}
</table>
{texts}
</html>
"""


def parts(packages):
    """Return the parts of a page that holds these packages of npm, as dictionaries.

    Raises ValueError for a package that states no licence, or one that was not looked at yet.
    """
    known = tomllib.loads((HERE / "licences.toml").read_text(encoding="utf-8"))
    found = [
        {**part, "text": f"{part['notice']}\n{known['texts'][part['licence']]}"} if "notice" in part else part
        for part in known["part"]
    ]
    for name in sorted(packages):
        folder = HERE / "node_modules" / name
        about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        if about.get("license") not in ALLOWED:
            raise ValueError(f"{name} of npm states the licence {about.get('license')}; look at it before it is used")
        texts = [path for path in sorted(folder.iterdir()) if path.name.lower().startswith(("licen", "copying"))]
        found.append({
            "name": name,
            "version": about["version"],
            "licence": about["license"],
            "source": f"https://www.npmjs.com/package/{name}",
            "about": about.get("description", ""),
            "text": "\n".join(path.read_text(encoding="utf-8") for path in texts),
        })  # fmt: skip
    return found


def write(path, packages, texts):
    """Write the page of licences. `texts` are the texts of parts of licences.toml, by name."""
    found = [{"text": texts.get(part["name"], ""), **part} for part in parts(packages)]
    rows, folds = [], []
    for part in found:
        name, version, licence, about = (html.escape(part[key]) for key in ("name", "version", "licence", "about"))
        linked = f'<a href="{html.escape(part["source"])}">{name}</a>' if part["source"] else name
        rows.append(f"<tr><td>{linked}<td>{version}<td>{licence}<td>{about}</tr>")
        if part["text"]:
            folds.append(f"<details><summary>{name}</summary><pre>{html.escape(part['text'])}</pre></details>")
    path.write_text(PAGE.format(rows="\n".join(rows), texts="\n".join(folds)), encoding="utf-8")
