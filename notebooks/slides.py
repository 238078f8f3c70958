"""Makes the slides: `python notebooks/slides.py` writes build/slides/, one HTML file for each language.

A deck is written once, in slides/NAME.md, with the marks of the notebooks' texts (see build.py). A heading begins a
slide. Three things differ from a notebook:

    ???                   what follows, up to the end of the text cell, are notes for the speaker
    ```python picture     code whose output is shown and which itself is not
    ```python answer      the same, with an output that the next key press shows

`python notebooks/slides.py --execute` first runs the decks and stores them, slides/NAME.ipynb and slides/NAME.zh.ipynb;
without it, the stored ones are used as they are. The HTML holds all that it needs, reveal.js included, and asks nothing
of the network. The extra `slides` brings reveal.js, in the package sphinx-revealjs.
"""

import importlib.util
import sys
from pathlib import Path

import build

FOLDER = build.FOLDER / "slides"
MADE = build.FOLDER.parent / "build" / "slides"
NOTES = "\n???\n"
_SLIDE_TYPES = {"answer": "fragment"}
_HIDES_ITS_CODE = ("picture", "answer")
_REVEAL = {"css": "dist/reveal.css", "js": "dist/reveal.js", "notes": "plugin/notes/notes.js"}


def decks():
    """The paths of the decks' texts."""
    return sorted(FOLDER.glob("*.md"))


def stored(path, edition):
    """Where an edition of a deck is kept, executed."""
    return FOLDER / f"{path.stem}{build.EDITIONS[edition]}"


def deck_of(path, edition, checks=False):
    """Return the notebook of a deck's text, not executed; with `checks`, also the cells that prove its numbers."""
    import nbformat

    cells = []
    for kind, content in build.cells_of(path.read_text(encoding="utf-8")):
        if kind == "text":
            slide, _, notes = build.linked(content[edition]).partition(NOTES)
            cells.append(_markdown(slide.strip(), "slide"))
            if notes:
                cells.append(_markdown(notes.strip(), "notes"))
        elif kind != "check" or checks:
            cell = nbformat.v4.new_code_cell(build.code_of(content, edition))
            cell.metadata["slideshow"] = {"slide_type": _SLIDE_TYPES.get(kind, "-")}
            if kind == "check":
                cell.metadata["tags"] = ["check"]
            if kind in _HIDES_ITS_CODE:
                cell.metadata["jupyter"] = {"source_hidden": True}
                cell.metadata["tags"] = ["remove_input"]
            cells.append(cell)
    stays = [cell for cell in cells if "check" not in cell.metadata.get("tags", [])]
    for number, cell in enumerate([*stays, *(cell for cell in cells if cell not in stays)], 1):
        cell["id"] = f"cell-{number}"
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=build.KERNEL)
    notebook.metadata["title"] = cells[0].source.splitlines()[0].lstrip("# ").replace("`", "")
    return notebook


def _markdown(source, slide_type):
    import nbformat

    return nbformat.v4.new_markdown_cell(source, metadata={"slideshow": {"slide_type": slide_type}})


def execute(path):
    """Run both editions of a deck and store them."""
    import nbformat

    for edition in build.EDITIONS:
        notebook = build.execute(deck_of(path, edition, checks=True))
        nbformat.validate(notebook)
        nbformat.write(notebook, stored(path, edition))


def reveal():
    """The parts of reveal.js that a deck holds, as texts. Raises FileNotFoundError where it is not installed."""
    found = importlib.util.find_spec("sphinx_revealjs")
    if found is None:
        raise FileNotFoundError("reveal.js is not installed: pip install '.[slides]' in a clone of this repository")
    folder = Path(found.origin).parent / "_static" / "revealjs"
    parts = {name: (folder / path).read_text(encoding="utf-8") for name, path in _REVEAL.items()}
    # Inside a page a script ends at the first of these, even in the middle of a text.
    return {name: part.replace("</script", r"<\/script") for name, part in parts.items()}


def html_of(notebook, edition):
    """A stored deck as one HTML page."""
    from nbconvert import SlidesExporter
    from traitlets.config import Config

    exporter = SlidesExporter(
        config=Config({"TagRemovePreprocessor": {"enabled": True, "remove_input_tags": ["remove_input"]}}),
        extra_template_basedirs=[str(FOLDER)],
        template_name="template",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    language = {"en": "en", "zh": "zh-CN"}[edition]
    exporter.language_code = language
    return exporter.from_notebook_node(notebook, resources={"reveal_js": reveal()})[0]


def write(path):
    """Write both editions of a deck into build/slides/, and return their paths."""
    import nbformat

    MADE.mkdir(parents=True, exist_ok=True)
    written = []
    for edition in build.EDITIONS:
        notebook = nbformat.read(stored(path, edition), as_version=4)
        written.append(MADE / stored(path, edition).with_suffix(".html").name)
        written[-1].write_text(html_of(notebook, edition), encoding="utf-8")
    return written


if __name__ == "__main__":
    for deck in decks():
        if "--execute" in sys.argv[1:]:
            execute(deck)
        for page in write(deck):
            print(page)
