"""Makes and executes the notebooks: `python notebooks/build.py [01 02 …]`; all of them if none is named.

Each notebook is written once, in text/NN_name.md, and comes out twice: NN_name.ipynb in English, NN_name.zh.ipynb in
Chinese. The code stands in the text a single time, so the editions cannot drift apart. A text is Markdown:

    <!-- en -->        a text cell of the English edition, up to the next marker or code cell
    <!-- zh -->        the same cell of the Chinese one, right after it
    ```python cell     a code cell of both

A link to `2016:autograd/engine.py#L39` is one to that file in PyTorch v0.1.1. Needs the extra `notebooks`.
"""

import os
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
EDITIONS = {"en": ".ipynb", "zh": ".zh.ipynb"}
SOURCES_OF_2016 = "https://github.com/pytorch/pytorch/blob/v0.1.1/torch/"
_PART = re.compile(r"^<!-- (en|zh) -->\n|^```python cell\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def texts(*numbers):
    """The paths of the texts, in order; only those whose names begin with one of `numbers` if there are any."""
    return [path for path in sorted((FOLDER / "text").glob("*.md")) if not numbers or path.name.startswith(numbers)]


def cells_of(text):
    """The cells of a text: each a string of code, or {"en": Markdown, "zh": Markdown}. ValueError if one is missing."""
    parts, end = [], 0
    for match in [*_PART.finditer(text), None]:
        between = text[end : match.start() if match else len(text)].strip()
        if parts and parts[-1][0] != "code":
            parts[-1][1] = between
        elif between:
            raise ValueError(f"this stands in no cell: {between[:60]!r}")
        if match:
            parts.append([match[1] or "code", (match[2] or "").strip()])
            end = match.end()
    cells = []
    for kind, content in parts:
        if kind == "zh" and cells and isinstance(cells[-1], dict) and "zh" not in cells[-1]:
            cells[-1]["zh"] = content
        elif kind == "zh" or (cells and isinstance(cells[-1], dict) and "zh" not in cells[-1]):
            raise ValueError(f"a text cell needs an English and a Chinese edition, in this order: {content[:60]!r}")
        else:
            cells.append(content if kind == "code" else {kind: content})
    if cells and isinstance(cells[-1], dict) and "zh" not in cells[-1]:
        raise ValueError("the last text cell has no Chinese edition")
    return cells


def notebook_of(path, edition):
    """The notebook that a text stands for, not executed."""
    import nbformat

    cells = []
    for number, cell in enumerate(cells_of(path.read_text(encoding="utf-8")), 1):
        if isinstance(cell, dict):
            made = nbformat.v4.new_markdown_cell(cell[edition].replace("](2016:", f"]({SOURCES_OF_2016}"))
        else:
            made = nbformat.v4.new_code_cell(cell)
        made["id"] = f"cell-{number}"
        cells.append(made)
    metadata = {"kernelspec": _KERNEL, "language_info": {"name": "python", "file_extension": ".py"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


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
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.metadata.pop("execution", None)
        cell.execution_count = number
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number
    return notebook


def build(path):
    """Execute a text's code once and write both editions."""
    import nbformat

    executed = execute(notebook_of(path, "en"))
    for edition in EDITIONS:
        notebook = notebook_of(path, edition)
        for cell, done in zip(notebook.cells, executed.cells, strict=True):
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = done.outputs, done.execution_count
        nbformat.validate(notebook)
        nbformat.write(notebook, stored(path, edition))


if __name__ == "__main__":
    for text in texts(*sys.argv[1:]):
        build(text)
        print(text.stem)
