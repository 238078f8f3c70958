"""The stored notebooks are those that their texts make, and executing them again gives the same outputs."""

import importlib.util
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from installed import needs

needs("nbformat", "nbclient", "ipykernel")

_ROOT = Path(__file__).resolve().parents[2]
_SPECIFICATION = importlib.util.spec_from_file_location("build_notebooks", _ROOT / "notebooks" / "build.py")
build = importlib.util.module_from_spec(_SPECIFICATION)
_SPECIFICATION.loader.exec_module(build)

TEXTS = build.texts()
every_text = pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
every_edition = pytest.mark.parametrize("edition", build.EDITIONS)


def stored(path, edition):
    import nbformat

    return nbformat.read(build.stored(path, edition), as_version=4)


def stored_name(path, edition):
    return build.stored(path, edition).name


def meaning(cell):
    """What of a cell's outputs must come again: printed text, the text of a result, the words in a picture."""
    said = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            said.append((output.name, steady(output.text)))
        elif output.output_type == "error":
            said.append((output.ename, output.evalue))
        else:
            said.append(("text", re.sub(r" at 0x[0-9a-f]+", "", output.data.get("text/plain", ""))))
            if "image/svg+xml" in output.data:
                said.append(("picture", words(output.data["image/svg+xml"])))
    return said


def steady(text):
    """`text`; of a profiler's table only the names and the numbers of calls, since the times differ in every run."""
    if "Self CPU time total:" not in text:
        return text
    return sorted(re.sub(r"[\d.]+(us|ms|s|%)|-{3,}", "", line).split() for line in text.splitlines())


def words(svg):
    # The order of the elements is the layout's: versions of Graphviz differ in it.
    elements = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return sorted("".join(element.itertext()) for element in elements)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_texts_and_nothing_is_left_over():
    expected = {build.stored(path, edition) for path in TEXTS for edition in build.EDITIONS}
    assert expected
    assert set(build.FOLDER.glob("*.ipynb")) == expected


@every_text
@every_edition
def test_stored_is_what_the_text_says(path, edition):
    made = [(cell.id, cell.cell_type, cell.source) for cell in build.notebook_of(path, edition).cells]
    assert [(cell.id, cell.cell_type, cell.source) for cell in stored(path, edition).cells] == made, (
        f"python notebooks/build.py {path.name[:2]}"
    )


@every_edition
@every_text
def test_executed_again_it_says_the_same(path, edition, forked_kernels):
    """With the cells that prove its numbers, which are not stored."""
    if "comparison" in path.read_text(encoding="utf-8"):
        pytest.importorskip("torch")
    again = build.execute(build.notebook_of(path, edition, checks=True))
    for old, new in zip(code_cells(stored(path, edition)), code_cells(again), strict=True):
        assert meaning(old) == meaning(new), old.source
        assert old.execution_count == new.execution_count


@every_text
def test_cells_are_short_and_outputs_narrow(path):
    for cell in code_cells(stored(path, "en")):
        if "question" in cell.metadata.get("tags", []):
            continue
        assert len(cell.source.splitlines()) <= 20, cell.source
        for output in cell.outputs:
            assert output.get("name") != "stderr", output.text
            data = output.get("data", {})
            shown = output.get("text") or ("" if "text/html" in data else data.get("text/plain", ""))
            assert max(map(len, shown.splitlines()), default=0) <= 120, cell.source


@every_text
@every_edition
def test_links_lead_somewhere(path, edition):
    for cell in build.notebook_of(path, edition).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)", cell.source):
                if not target.startswith("https://"):
                    assert (build.FOLDER / target).exists(), target


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md", "notebooks/README.md"])
def test_each_readme_lists_every_notebook_under_its_title_and_in_order(readme):
    """The READMEs of the root say `notebooks/01…`, the one beside the notebooks `01…`."""
    index = (_ROOT / readme).read_text(encoding="utf-8")
    for edition in build.EDITIONS:
        links = []
        for path in TEXTS:
            number, title = build.notebook_of(path, edition).cells[0].source.splitlines()[0][2:].split(". ", 1)
            assert path.name.startswith(f"{int(number):02}_")
            name = stored_name(path, edition)
            target = name if readme.startswith("notebooks/") else f"notebooks/{name}"
            links.append(index.index(f"[{title}]({target})"))
        assert links == sorted(links)


def test_of_a_profilers_table_only_the_times_may_differ():
    def table(time, calls):
        row = f"Conv2d  {time}%  {time}ms  {calls}"
        return f"------  -----\n  Name  # of Calls\n{row}\nViewBackward  {time}us  1\nSelf CPU time total: {time}s"

    assert steady(table(1.5, 2)) == steady(table(12.25, 2)) != steady(table(1.5, 3))
    assert ["Conv2d", "2"] in steady(table(1.5, 2))
    assert steady("it took 3ms") == "it took 3ms"


@every_text
@every_edition
def test_a_prediction_comes_before_its_code(path, edition):
    """Question, form, folded code with its output: nothing that a reader sees tells the answer before."""
    cells = build.notebook_of(path, edition).cells
    kinds = [next(iter(cell.metadata.get("tags", [])), cell.cell_type) for cell in cells]
    asked = [i for i, kind in enumerate(kinds) if kind == "question"]
    assert len(asked) >= 3
    for i in asked:
        assert kinds[i - 1] == "markdown" and kinds[i + 1] == "answer"
        assert {"en": "**Predict.**", "zh": "**先预测**"}[edition] in cells[i - 1].source
        assert cells[i].metadata.jupyter.source_hidden and cells[i + 1].metadata.jupyter.outputs_hidden
    for i, cell in enumerate(cells):
        asks = cell.cell_type == "markdown" and {"en": "**Predict.**", "zh": "**先预测**"}[edition] in cell.source
        assert not asks or i + 1 in asked
        assert cell.cell_type == "markdown" or not re.search(r"^ *assert ", cell.source, re.MULTILINE), cell.source


@every_text
@every_edition
def test_exercises_and_one_task_end_a_notebook(path, edition):
    notebook = build.notebook_of(path, edition)
    source = "\n".join(cell.source for cell in notebook.cells)
    number = int(path.name[:2])
    count = {4: 4, 12: 10}.get(number, 3)  # 4.4: the loop with blanks; the steps of 12 are its exercises
    assert re.findall(r'practice\.check\("([\d.]+)"', source) == [f"{number}.{place}" for place in range(1, count + 1)]
    assert ("practice.exercise(5, Engine" in source) == (number == 4)
    assert {"en": "## Now you", "zh": "## 轮到你了"}[edition] in source


def test_a_text_cell_without_a_chinese_edition_is_refused():
    with pytest.raises(ValueError, match="Chinese"):
        build.cells_of("<!-- en -->\nwords\n\n```python cell\n1\n```\n")
    with pytest.raises(ValueError, match="no cell"):
        build.cells_of("words\n")
    with pytest.raises(ValueError, match="Chinese"):
        build.cells_of("<!-- zh -->\n文字\n")


def test_the_cells_of_a_text():
    text = "<!-- en -->\nA\n\n```text\nshown\n```\n\n<!-- zh -->\n甲\n\n"
    text += "```python cell\nx = 1\n\nx\n```\n```python check\n1\n```\n"
    cells = [("text", {"en": "A\n\n```text\nshown\n```", "zh": "甲"}), ("cell", "x = 1\n\nx"), ("check", "1")]
    assert build.cells_of(text) == cells


def test_code_of_the_chinese_edition():
    code = 'if x:\n    print("a")\n    #zh print("甲")\ny = 1  #zh'
    assert build.code_of(code, "en") == 'if x:\n    print("a")\ny = 1  #zh'
    assert build.code_of(code, "zh") == 'if x:\n    print("甲")\ny = 1  #zh'


def test_a_question_in_both_editions():
    content = """
because = {en = "so", zh = "所以"}
[[blank]]
label = {en = "calls", zh = "次数"}
answer = 2
wrong = [{answer = 3, en = "too many", zh = "太多"}]
[[blank]]
label = "who"
choices = {en = ["we", "you"], zh = ["我们", "你们"]}
answer = {en = "we", zh = "我们"}
"""
    english, chinese = [build.question_cell(content, edition) for edition in ("en", "zh")]
    assert "blank('calls', 2, wrong={3: 'too many'})" in english and "because='so'" in english
    assert "blank('who', '我们', choices=['我们', '你们'])" in chinese and "lang='zh'" in chinese
