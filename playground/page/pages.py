"""Write the HTML pages of the playground, the texts of its exercises, and what the site's notebook pages need.

    python playground/page/pages.py TARGET '{"page.js": "page-XXXX.js", "live.js": "live-XXXX.js"}'

`build.py` calls it with the names of the bundled scripts.
"""

import argparse
import hashlib
import html
import json
import re
import sys
import textwrap
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))  # the package beside this folder, whichever is installed

from legacy_autograd import exercises, historical  # noqa: E402
from legacy_autograd.autograd import engine  # noqa: E402
from legacy_autograd.exercises import reports, template  # noqa: E402
from legacy_autograd.exercises.questions import _inline as inline  # noqa: E402
from legacy_autograd.historical.exhibit import _parts_of  # noqa: E402

PROGRAMS = HERE.parent / "programs"
WORDS = json.loads((HERE.parent / "words.json").read_text(encoding="utf-8"))
LANGUAGES = {"en": ("index.html", "English"), "zh": ("zh.html", "中文")}
_HOME = '<a class="home" href="{home}" aria-label="{words}" title="{words}">←</a>'
_HIDDEN = re.compile(r"[ \t]*### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS\n", re.DOTALL)


def write(folder, scripts, homes):
    """Write all pages into `folder`.

    scripts: {"page.js": the name of the bundled file, "live.js": …}.
    homes: {language: the address of the site's start page}; empty if the playground stands alone.
    """
    for lang, (name, _) in LANGUAGES.items():
        texts = json.dumps(exercise_texts(lang), ensure_ascii=False).encode("utf-8")
        file = f"exercises.{lang}-{hashlib.sha256(texts).hexdigest()[:10]}.json"
        (folder / file).write_bytes(texts)
        (folder / name).write_text(page(lang, scripts, homes.get(lang), file), encoding="utf-8")
    live = {"script": scripts["live.js"], "words": WORDS["live"]}
    (folder / "live.json").write_text(json.dumps(live, ensure_ascii=False), encoding="utf-8")


def page(lang, scripts, home, exercises_file):
    """Return the HTML of the page in a language."""
    words = WORDS["page"][lang]
    programs = gallery(lang)
    other = next(other for other in LANGUAGES if other != lang)
    data = json.dumps({"programs": programs, "exercises": exercises_file}, ensure_ascii=False)
    raw = {
        "first_about": programs[0]["about"],
        "style": (HERE / "style.css").read_text(encoding="utf-8"),
        "data": data.replace("<", "\\u003c"),
        "home_link": _HOME.format(home=home, words=words["home"]) if home else "",
    }
    texts = {
        **words,
        **scripts,
        "first_program": "\n" + programs[0]["source"],  # HTML drops the first line break
        "first_title": programs[0]["title"],
        "other_page": LANGUAGES[other][0],
        "other_lang": other,
        "other_name": LANGUAGES[other][1],
    }
    values = {name: html.escape(text) for name, text in texts.items()} | raw
    template = (HERE / "index.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{([\w.]+)\}\}", lambda match: values[match[1]], template)


# --- the gallery


def gallery(lang):
    """Return the programs of the gallery as plain data: examples, engines, then one for each bug of v0.1.1."""
    chinese = tomllib.loads(Path(historical.__file__).with_name("exhibits.zh.toml").read_text(encoding="utf-8"))
    entries = []
    for table, group in ((PROGRAMS / "programs.toml", "examples"), (PROGRAMS / "engines" / "engines.toml", "engines")):
        for name, texts in tomllib.loads(table.read_text(encoding="utf-8")).items():
            title, about = texts[lang]
            file = table.with_name(f"{name}.py")
            source = engine_copy() if name == "engine_copy" else file.read_text(encoding="utf-8")
            entries.append({"group": group, "name": name, "title": title, "about": inline(about), "source": source})
    for show_both in historical.EXHIBITS:
        exhibit, name = show_both(), show_both.__name__
        words = chinese[name] if lang == "zh" else {"title": exhibit.title, "reason": exhibit.reason}
        title = f"{exhibit.id}: {words['title']}"
        source = program_of(show_both, exhibit)
        about = inline(words["reason"])
        entries.append({"group": "bugs", "name": name, "title": title, "about": about, "source": source})
    return entries


def engine_copy():
    """Return autograd/engine.py as a program: its class is Mine, and it is compared with the real one."""
    source = Path(engine.__file__).read_text(encoding="utf-8")
    for old, new in (
        ("class ExecutionEngine:", "class Mine:"),
        ("import numpy\n", "import numpy\n\nimport legacy_autograd as torch\nfrom legacy_autograd import drawing"),
        ("\nfrom ..", "\nfrom legacy_autograd."),
        ("\nfrom . import callbacks", "\nfrom legacy_autograd.autograd import Variable, callbacks"),
    ):
        source = source.replace(old, new)
    graph = (PROGRAMS / "engines" / "own_engine.py").read_text(encoding="utf-8").partition("# The graph")
    return f"{source}\n\n{graph[1]}{graph[2]}"


def program_of(show_both, exhibit):
    """Return the program of an exhibit, which runs it on v0.1.1's autograd and on today's."""
    body = _parts_of(show_both.program)[2]
    helpers = exhibit.program.removesuffix(body).strip()
    modules = [name for name in ("copy", "gc", "weakref") if re.search(rf"\b{name}\.", exhibit.program)]
    imports = "".join(f"import {name}\n" for name in modules) + "\n" * bool(modules)
    version = {"v0.1.1": "V0_1_1", "v0.1.2": "V0_1_2"}[exhibit.version]
    function = f"def program(autograd):\n{textwrap.indent(body, '    ')}\n"
    return (
        f"{imports}from legacy_autograd import historical\n\n\n"
        + (f"{helpers}\n\n\n" if helpers else "")
        + f"{function}\n\nfor version in (historical.{version}, historical.FIXED):\n"
        "    outcome = historical.outcome_of(program, version)\n"
        '    print(f"{version.version}: {outcome}")\n'
    )


# --- the exercises


def exercise_texts(lang):
    """Return what the page shows of each exercise, and the notebook that is handed in, without any solution."""
    chinese = tomllib.loads((HERE / "exercises.zh.toml").read_text(encoding="utf-8")) if lang == "zh" else {}
    return [_exercise(exercises.load(number), lang, chinese) for number in exercises.numbers()]


def _exercise(exercise, lang, chinese):
    cells = template.unsolved(template.read(exercise))
    code = [cell for cell in cells if cell.kind in ("given", "solution") and cell.source.strip()]
    notebook = template.as_notebook(exercise, cells)
    for cell in notebook["cells"]:
        cell["source"] = _HIDDEN.sub("", "".join(cell["source"])).splitlines(True)
    groups = exercise.groups
    return {
        "number": exercise.number,
        "file_name": exercise.file_name,
        "title": reports.title(exercise, lang),
        "points": sum(group.points for group in groups),
        "minutes": exercise.minutes,
        "text": chinese[exercise.file_name] if chinese else _text(cells),
        "source": "\n".join(f"# %%\n{cell.source}" for cell in code),
        "groups": [
            {"name": group.name, "title": title, "points": group.points, "hints": hints}
            for group in groups
            for title, *hints in [reports.texts_of(exercise, group, lang)]
        ],
        "notebook": notebook,
        "code_cells": [place for place, cell in enumerate(cells) if cell in code],
    }


def _text(cells):
    """Return the text of an exercise as Markdown; its headings are one level lower, because the page has its own."""
    texts = [re.sub(r"^# ?", "", cell.source, flags=re.MULTILINE) for cell in cells if cell.kind == "markdown"]
    return re.sub(r"^#", "##", "\n".join(texts), flags=re.MULTILINE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("scripts", type=json.loads, help="the names of the bundled scripts, as JSON")
    parser.add_argument("--home", default="", help="the address of the site's start page")
    parser.add_argument("--home-zh", default="", help="the same in Chinese")
    options = parser.parse_args()
    write(options.target, options.scripts, {"en": options.home, "zh": options.home_zh})
