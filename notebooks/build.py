"""Makes and executes the notebooks: `python notebooks/build.py [01 02 …]`; all of them if none is named.

The source of a notebook is text/NN_name.md. It makes NN_name.ipynb in English and NN_name.zh.ipynb in Chinese. Both
editions share the code, which is in the text once, so they cannot differ. A text is Markdown:

    <!-- en -->         a text cell of the English edition, up to the next marker or code cell
    <!-- zh -->         the same cell of the Chinese one, right after it
    ```python cell      a code cell of both
    ```toml question    a form that asks for a prediction (see `question_cell`); the text before it asks in words
    ```python answer    a code cell that a reader opens after the prediction: folded, with its output
    ```python check     code that runs when the notebook is made or tested and is not stored: it proves the numbers

The questions' answers are listed in the last cell, for viewers that fold nothing. The first cell says how to trust the
notebook, because Jupyter shows no forms in one that it does not trust.

In code, a line `#zh …` replaces the line above it in the Chinese edition: printed words differ, the rest cannot.
A link to `2016:autograd/engine.py#L39` is one to that file in PyTorch v0.1.1, `commit:7ff16baa7d` one to that commit.
Needs the extra `notebooks`.
"""

import os
import re
import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
EDITIONS = {"en": ".ipynb", "zh": ".zh.ipynb"}
SOURCES_OF_2016 = "https://github.com/pytorch/pytorch/blob/v0.1.1/torch/"
COMMITS = "https://github.com/pytorch/pytorch/commit/"
_PART = re.compile(
    r"^<!-- (en|zh) -->\n|^```(?:python |toml )(cell|picture|question|answer|check)\n(.*?)^```\n",
    re.MULTILINE | re.DOTALL,
)
_ANSWERS = {
    "en": ("Answers to the predictions", "Prediction"),
    "zh": ("各个预测的答案", "预测"),
}
_TRUST = {
    "en": "If you see **▸ Answer** instead of a form, Jupyter does not trust this notebook. Choose *Trust Notebook* in "
    "JupyterLab's command palette (Ctrl+Shift+C), or run `jupyter trust {name}` and open it again.",
    "zh": "如果看到的是 **▸ 答案** 而不是表单，说明 Jupyter 不信任这个笔记本。"
    "请在 JupyterLab 的命令面板（Ctrl+Shift+C）中选择 *Trust Notebook*，或者运行 `jupyter trust {name}`，再重新打开。",
}
# Jupyter folds by `jupyter`; exporters and the questions' forms know the cells by their tags.
_METADATA = {
    "question": {"jupyter": {"source_hidden": True}, "tags": ["question", "hide-input", "remove_input"]},
    "answer": {"jupyter": {"source_hidden": True, "outputs_hidden": True}, "tags": ["answer", "hide-cell"]},
    "check": {"tags": ["check"]},
}
KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py"},
}


def texts(*numbers):
    """The paths of the texts, in order; only those whose names begin with one of `numbers` if there are any."""
    return [path for path in sorted((FOLDER / "text").glob("*.md")) if not numbers or path.name.startswith(numbers)]


def cells_of(text):
    """The cells of a text: pairs of a kind and its content, which is {"en": …, "zh": …} for the kind "text".

    The other kinds are "cell", "question", "answer", "check" and, for the slides, "picture".
    Raises ValueError for a text without its edition.
    """
    parts, end = [], 0
    for match in [*_PART.finditer(text), None]:
        between = text[end : match.start() if match else len(text)].strip()
        if parts and parts[-1][0] in EDITIONS:
            parts[-1][1] = between
        elif between:
            raise ValueError(f"this belongs to no cell: {between[:60]!r}")
        if match:
            parts.append([match[1] or match[2], (match[3] or "").strip()])
            end = match.end()
    cells = []
    for kind, content in parts:
        is_open = bool(cells) and cells[-1][0] == "text" and "zh" not in cells[-1][1]
        if is_open != (kind == "zh"):
            raise ValueError(f"a text cell needs an English and a Chinese edition, in this order: {content[:60]!r}")
        if kind == "zh":
            cells[-1][1]["zh"] = content
        else:
            cells.append(("text", {"en": content}) if kind == "en" else (kind, content))
    if cells and cells[-1][0] == "text" and "zh" not in cells[-1][1]:
        raise ValueError("the last text cell has no Chinese edition")
    return cells


def code_of(content, edition):
    """The code of one edition: `#zh …` replaces the line above it in the Chinese one."""
    lines = []
    for line in content.splitlines():
        indent, marker, chinese = line.partition("#zh ")
        if marker and not indent.strip():
            if edition == "zh":
                lines[-1] = indent + chinese
        else:
            lines.append(line)
    return "\n".join(lines)


def linked(text):
    """Markdown with its short links spelled out: `2016:` for a file of v0.1.1, `commit:` for a commit of PyTorch."""
    return text.replace("](2016:", f"]({SOURCES_OF_2016}").replace("](commit:", f"]({COMMITS}")


def question_cell(content, edition):
    """The code that shows a question's form in one edition.

    because = {en = "…", zh = "…"}
    [[blank]]
    label = {en = "calls", zh = "调用次数"}
    answer = 2047                          # or {en = …, zh = …}
    choices = ["…"]                        # left out: the reader types
    wrong = [{answer = 1024, en = "…", zh = "…"}]
    """

    def edited(value):
        return value[edition] if isinstance(value, dict) else value

    table = tomllib.loads(content)
    lines = ["from legacy_autograd.exercises.questions import ask, blank", "", "ask("]
    for blank in table["blank"]:
        arguments = [repr(edited(blank["label"])), repr(edited(blank["answer"]))]
        if "choices" in blank:
            arguments.append(f"choices={[edited(choice) for choice in edited(blank['choices'])]!r}")
        if "wrong" in blank:
            arguments.append(f"wrong={ {edited(case['answer']): case[edition] for case in blank['wrong']}!r}")
        lines.append(f"    blank({', '.join(arguments)}),")
    lines.append(f"    because={edited(table['because'])!r},")
    lines += [f"    lang={edition!r},", ")"] if edition != "en" else [")"]
    return "\n".join(lines)


def _answers_cell(questions, edition):
    """The last cell: what each question's answer is, for viewers that fold nothing."""
    title, heading = _ANSWERS[edition]
    lines = [f"<details><summary>{title}</summary>"]
    for number, code in enumerate(questions, 1):
        names = {}
        exec(code.replace("\nask(", "\nquestion = ask("), names)
        lines += ["", f"**{heading} {number}**", "", names["question"].answer()]
    return "\n".join([*lines, "", "</details>"])


def notebook_of(path, edition, checks=False):
    """Return the notebook of a text, not executed; with `checks`, also the cells that prove its numbers."""
    import nbformat

    cells, questions = [], []
    for number, (kind, content) in enumerate(cells_of(path.read_text(encoding="utf-8")), 1):
        if kind == "check" and not checks:
            continue
        if kind == "text":
            made = nbformat.v4.new_markdown_cell(linked(content[edition]))
        else:
            code = question_cell(content, edition) if kind == "question" else code_of(content, edition)
            made = nbformat.v4.new_code_cell(code, metadata=_METADATA.get(kind, {}))
            if kind == "question":
                questions.append(code)
        made["id"] = f"cell-{number}"
        cells.append(made)
    if questions:
        cells[0]["source"] += "\n\n" + _TRUST[edition].format(name=stored(path, edition).name)
        cells.append(nbformat.v4.new_markdown_cell(_answers_cell(questions, edition)))
        cells[-1]["id"] = "answers"
    return nbformat.v4.new_notebook(cells=cells, metadata=KERNEL)


def stored(path, edition):
    """Where an edition of a text is kept."""
    return FOLDER / f"{path.stem}{EDITIONS[edition]}"


def execute(notebook):
    """Run all cells in a fresh kernel of this Python, in the notebooks' folder; their outputs are put in."""
    import nbclient

    search_path = os.pathsep.join(filter(None, [str(FOLDER.parent), os.environ.get("PYTHONPATH")]))
    # A kernel sends what a cell prints in as many pieces as it happens to; coalesced, it is the same in every run.
    client = nbclient.NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
        coalesce_streams=True,
    )
    client.execute(env={**os.environ, "PYTHONPATH": search_path})
    notebook.cells = [cell for cell in notebook.cells if "check" not in cell.metadata.get("tags", [])]
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.metadata.pop("execution", None)
        cell.execution_count = number
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number
    return notebook


def build(path):
    """Execute both editions of a text and store them."""
    import nbformat

    for edition in EDITIONS:
        notebook = execute(notebook_of(path, edition, checks=True))
        nbformat.validate(notebook)
        nbformat.write(notebook, stored(path, edition))


if __name__ == "__main__":
    for text in texts(*sys.argv[1:]):
        build(text)
        print(text.stem)
