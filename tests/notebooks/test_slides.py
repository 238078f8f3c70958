"""The stored decks are those that their texts make; their pages fit the screen and need nothing from the network."""

import importlib.util
import re
import sys

import pytest
from installed import needs
from test_notebooks import _ROOT, build, code_cells, meaning

needs("nbformat", "nbclient", "nbconvert", "ipykernel")


def load_slides():
    sys.modules.setdefault("build", build)  # slides.py finds it beside itself
    specification = importlib.util.spec_from_file_location("make_slides", _ROOT / "notebooks" / "slides.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


slides = load_slides()
every_deck = pytest.mark.parametrize("path", slides.decks(), ids=lambda path: path.stem)
every_edition = pytest.mark.parametrize("edition", build.EDITIONS)


def stored(path, edition):
    import nbformat

    return nbformat.read(slides.stored(path, edition), as_version=4)


def slide_type(cell):
    return cell.metadata.slideshow.slide_type


def test_nothing_is_left_over():
    assert set(slides.FOLDER.glob("*.ipynb")) == {
        slides.stored(path, edition) for path in slides.decks() for edition in build.EDITIONS
    }


@every_deck
@every_edition
def test_stored_is_what_the_text_says(path, edition):
    made, kept = slides.deck_of(path, edition), stored(path, edition)
    assert [dict(cell, outputs=[], execution_count=None) for cell in kept.cells] == [
        dict(cell, outputs=[], execution_count=None) for cell in made.cells
    ], "python notebooks/slides.py --execute"
    assert kept.metadata.title == made.metadata.title


@every_deck
@every_edition
def test_each_slide_has_notes_that_begin_with_what_to_ask(path, edition):
    """And both editions have the same slides."""
    types = [slide_type(cell) for cell in stored(path, edition).cells if cell.cell_type == "markdown"]
    assert types == ["slide", "notes"] * (len(types) // 2) and len(types) // 2 >= 20
    notes = [cell.source for cell in stored(path, edition).cells if slide_type(cell) == "notes"]
    asks = {"en": r"\*\*Ask|minutes", "zh": r"\*\*问|分钟"}[edition]
    assert [text for text in notes if not re.search(asks, text)] == notes[-1:]


@every_deck
@every_edition
def test_no_warning_is_stored(path, edition):
    for cell in code_cells(stored(path, edition)):
        assert not [output for output in cell.outputs if output.get("name") == "stderr"], cell.source
        assert not [output for output in cell.outputs if output.output_type == "error"], cell.source


@pytest.mark.slow
@every_deck
@every_edition
def test_executed_again_it_says_the_same(path, edition):
    pytest.importorskip("torch")
    again = build.execute(slides.deck_of(path, edition, checks=True))
    for old, new in zip(code_cells(stored(path, edition)), code_cells(again), strict=True):
        assert meaning(old) == meaning(new), old.source


_OVERFLOWS = """
    const slide = Reveal.getCurrentSlide(), page = document.querySelector(".slides").getBoundingClientRect();
    const isOut = (element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && (box.top < page.top - 1 || box.left < page.left - 1
        || box.bottom > page.bottom + 1 || box.right > page.right + 1);
    };
    return [...slide.querySelectorAll("*")].filter((element) => !element.closest("aside") && isOut(element))
      .map((element) => element.outerHTML.slice(0, 80));
"""


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
@every_deck
@every_edition
def test_every_slide_fits(path, edition, width, height, opened):
    """In a browser, which afterwards has no complaint and has asked nothing of the network (`opened`)."""
    if importlib.util.find_spec("sphinx_revealjs") is None:
        pytest.skip("reveal.js is not installed: pip install '.[slides]'")
    html = slides.html_of(stored(path, edition), edition)
    assert str(_ROOT) not in html
    browser = opened("<title>empty</title>")
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        opened(html)
        count = browser.execute_script("return Reveal.getTotalSlides()")
        assert count == sum(slide_type(cell) == "slide" for cell in stored(path, edition).cells)
        for number in range(count):
            browser.execute_script("Reveal.slide(arguments[0], 0, 99)", number)
            browser.execute_async_script("setTimeout(arguments[0], 100)")
            assert browser.execute_script(_OVERFLOWS) == [], f"slide {number + 1}"
        assert browser.execute_script("return document.querySelectorAll('.present iframe, .past iframe').length") == 1
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_notes_and_hidden_code(tmp_path):
    text = "<!-- en -->\n# A\n\nwords\n\n???\nask\n\n<!-- zh -->\n# 甲\n\n???\n问\n\n"
    text += "```python picture\n1\n```\n```python check\n2\n```\n```python answer\n3\n```\n```python cell\n4\n```\n"
    path = tmp_path / "deck.md"
    path.write_text(text, encoding="utf-8")

    deck = slides.deck_of(path, "en")
    assert [(slide_type(cell), cell.source) for cell in deck.cells] == [
        ("slide", "# A\n\nwords"), ("notes", "ask"), ("-", "1"), ("fragment", "3"), ("-", "4"),
    ]  # fmt: skip
    assert [cell.source for cell in deck.cells if "remove_input" in cell.metadata.get("tags", [])] == ["1", "3"]
    assert deck.metadata.title == "A" and slides.deck_of(path, "zh").metadata.title == "甲"
    with_checks = slides.deck_of(path, "en", checks=True)
    assert {cell.source: cell.id for cell in deck.cells}.items() < {
        cell.source: cell.id for cell in with_checks.cells
    }.items()
