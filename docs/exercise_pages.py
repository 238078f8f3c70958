"""The pages of the exercises, made from their texts: what to write, and the hints of each part.

The Chinese texts are those of the live page (playground/page/exercises.zh.toml).
"""

import tomllib
from pathlib import Path

from legacy_autograd import exercises
from legacy_autograd.exercises import reports, template
from legacy_autograd.exercises.questions import _inline as inline

_CHINESE = Path(__file__).resolve().parents[1] / "playground" / "page" / "exercises.zh.toml"
_START = {
    "en": """# Exercises

Eleven exercises rebuild the autograd of 2016 piece by piece, from local derivatives to a network on an engine of your
own. Each takes 40 to 120 minutes. Your code is checked in a process of its own. A report names the input, the expected
value, your value, and the line.

```sh
pip install .                        # in a clone of the repository
legacy-autograd exercises            # the list, and how far you are
legacy-autograd exercises start 3    # writes exercises/03_leaf.py
legacy-autograd exercises check 3    # what is right, and what failed
legacy-autograd exercises hint 3 hooks 2
```

{exercises}

Teachers find the same exercises as nbgrader assignments: [how to grade a class](../how_to/grade.md).
""",
    "zh": """# 练习

十一个练习把 2016 年的自动求导一部分一部分地重写出来：从局部导数开始，到用自己的引擎训练一个网络。每个练习用时 40 到
120 分钟。你的代码在单独的进程里检查。报告会给出输入、期望的值、你的值和出错的那一行。

```sh
pip install .                        # 在克隆的仓库里
legacy-autograd exercises            # 列出全部练习和你的进度
legacy-autograd exercises start 3    # 写出 exercises/03_leaf.py
legacy-autograd exercises check 3    # 哪些正确，哪些没有通过
legacy-autograd exercises hint 3 hooks 2
```

{exercises}

命令写出的文件是英文的；`exercises check` 加上 `--lang zh`，报告就是中文的。
教师可以把同样的练习作为 nbgrader 作业发给学生：
[给一个班级评分](../how_to/grade.md)。
""",
}
_CONTENTS = """
```{{toctree}}
:hidden:

{names}
```
"""
_WORDS = {
    "en": {
        "entry": "{number}. [{title}]({file}.md): {points} points, {minutes} minutes",
        "start": "Start it with `{start}` and check your code with `{check}`.",
        "checked": "## What is checked",
        "hints": "Each part has three hints, from a question to the line of code.",
        "part": "{title} ({points} points)",
    },
    "zh": {
        "entry": "{number}. [{title}]({file}.md)：{points} 分，{minutes} 分钟",
        "start": "开始练习：`{start}`。检查代码：`{check}`。",
        "code": "## 要补全的文件",
        "checked": "## 检查哪些内容",
        "hints": "每一部分有三条提示，从一个问题到一行代码。",
        "part": "{title}（{points} 分）",
    },
}


def write(folder, lang):
    """Write one page for each exercise, and the list of them, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    chinese = tomllib.loads(_CHINESE.read_text(encoding="utf-8")) if lang == "zh" else {}
    entries, names = [], []
    for number in exercises.numbers():
        exercise = exercises.load(number)
        file = exercise.file_name
        (folder / f"{file}.md").write_text(_page(exercise, lang, chinese.get(file)), encoding="utf-8")
        facts = {"title": reports.title(exercise, lang), "points": exercise.points, "minutes": exercise.minutes}
        entries.append(_WORDS[lang]["entry"].format(number=number, file=file, **facts))
        names.append(file)
    text = _START[lang].format(exercises="\n".join(entries)) + _CONTENTS.format(names="\n".join(names))
    (folder / "index.md").write_text(text, encoding="utf-8")


def _page(exercise, lang, text):
    """Return the page of an exercise; `text` is its text in another language than that of its template, or None."""
    words, parts, groups = _WORDS[lang], [], []
    for cell in template.unsolved(template.read(exercise)):
        if cell.kind == "markdown":
            if text is None:
                parts.append("\n".join(line.removeprefix("#").removeprefix(" ") for line in cell.source.splitlines()))
        elif cell.kind == "tests":
            groups.append(cell.group)
        elif cell.source.strip():
            parts.append(f"```python\n{cell.source.strip()}\n```")
    if text is not None:
        parts[:0] = [text.strip().replace("\n##", "\n#").removeprefix("#"), words["code"]]
    command = f"legacy-autograd exercises start {exercise.number}"
    start = words["start"].format(start=command, check=f"exercises check {exercise.number}")
    parts.insert(1, start)
    parts += [words["checked"], words["hints"]]
    for group in groups:
        title, *hints = reports.texts_of(exercise, group, lang)
        listed = "".join(f"<li>{inline(hint)}</li>" for hint in hints)
        title = words["part"].format(title=inline(title), points=group.points)
        parts.append(f"<details class='hints'><summary>{title}</summary><ol>{listed}</ol></details>")
    return "\n\n".join(parts) + "\n"
