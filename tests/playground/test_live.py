"""The code cells of the site's notebook pages can be run and edited, and share one state.

A page loads nothing more until a reader runs a cell.
"""

import sys

import pytest

from .conftest import ROOT, Play

# The form that myst-nb gives the cells of a notebook; tests/test_site.py has the real pages.
CELL = """<div class="cell docutils container jp-Cell">
<div class="cell_input docutils container"><div class="highlight-ipython3 notranslate"><div class="highlight">
<pre><span></span>{code}
</pre></div></div></div>
<div class="cell_output docutils container"><div class="output stream notranslate"><div class="highlight">
<pre><span></span>stored
</pre></div></div></div></div>
"""
PAGE = """<!DOCTYPE html><html class="no-js" lang="en"><head><meta charset="utf-8"><title>N</title>
<link rel="icon" href="data:,"></head><body>{cells}</body></html>"""
CELLS = [
    "x = 20",
    "y = x + 1",
    "print(2 * y)",
    "def answer(start, slope, rate):\n    return ...",
    "from legacy_autograd.exercises import practice\npractice.check(&quot;1.3&quot;, lambda variable: ...)",
    "from legacy_autograd.exercises.questions import ask, blank\nask(blank(&quot;x&quot;, 3), because=&quot;so&quot;)",
    "import legacy_autograd as torch\nfrom legacy_autograd import drawing\n"
    "drawing.trace_backward(torch.autograd.Variable(torch.ones(1)) * 2)",
    "while True: pass",
    "print(&quot;as with threads&quot;)",
]
TABLE = """[page.impossible]
9 = "starts threads"
"""


@pytest.fixture
def notebook(browser, served, built, monkeypatch):
    """A page with cells, as the site has it, in English."""
    address, _ = served
    site = built.parents[1] / "site"
    (site / "notebooks").mkdir(parents=True, exist_ok=True)
    if not (site / "play").exists():
        (site / "play").symlink_to(built)
    page = PAGE.format(cells="".join(CELL.format(code=code) for code in CELLS))
    (site / "notebooks" / "page.html").write_text(page, encoding="utf-8")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import live

    table = site / "notebooks.toml"
    table.write_text(TABLE, encoding="utf-8")
    monkeypatch.setattr(live, "_TABLE", table)
    live.add_to_notebooks(site, site)
    del sys.modules["live"]
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    opened = Play(browser, address.replace("/some/where/", "/site/"))
    browser.get("about:blank")
    browser.get(opened.address + "notebooks/page.html")
    opened.until(lambda: opened.all(".live-bar"))
    yield opened
    assert [entry["message"] for entry in browser.get_log("browser")] == []


def press(notebook, cell, name):
    notebook.script(
        "document.querySelectorAll('.live-bar')[arguments[0]].querySelector(`[data-live=${arguments[1]}]`).click()",
        cell,
        name,
    )


def output(notebook, cell):
    return notebook.script("return document.querySelectorAll('.live-output')[arguments[0]]?.textContent ?? ''", cell)


def status(notebook, cell):
    return notebook.script(
        "return document.querySelectorAll('.live-bar [role=status]')[arguments[0]]?.textContent ?? ''", cell
    )


def test_a_page_that_nobody_runs_loads_one_small_script(notebook, built):
    page, *scripts = [url.rpartition("/")[2] for url in notebook.requests()]
    assert page == "page.html" and scripts
    assert sum((built / script).stat().st_size for script in scripts) < 2000
    assert len(notebook.all(".live-bar[role=group]")) == len(CELLS) - 1
    note = "This cell does not run in the page, because it starts threads. Above is its stored output."
    assert [place.text for place in notebook.all("p.live-bar")] == [note]


@pytest.mark.slow
def test_cells_share_one_state_and_are_edited(notebook):
    press(notebook, 2, "run")
    notebook.until(lambda: "Failed" in status(notebook, 2))
    assert "NameError" in output(notebook, 2) and "Run all above" in output(notebook, 2)
    press(notebook, 2, "above")
    notebook.until(lambda: "Ended" in status(notebook, 1))
    press(notebook, 2, "run")
    notebook.until(lambda: output(notebook, 2) == "42\n")  # 2 * (20 + 1)
    press(notebook, 0, "edit")
    editor = notebook.find(".live-editor .cm-content")
    editor.send_keys("x = 3; del x; x = 30 #")
    press(notebook, 0, "run")
    press(notebook, 1, "run")
    press(notebook, 2, "run")
    notebook.until(lambda: output(notebook, 2) == "62\n")  # 2 * (30 + 1)
    hidden = "return document.querySelectorAll('.cell_input')[0].hidden"
    assert notebook.script(hidden)
    notebook.script("[...document.querySelectorAll('.live-bar')[0].querySelectorAll('button')].at(-1).click()")
    assert not notebook.script(hidden) and not notebook.all(".live-editor")


@pytest.mark.slow
def test_exercises_forms_and_steps_work_in_cells(notebook):
    press(notebook, 4, "run")
    notebook.until(lambda: "1.3: not written yet" in output(notebook, 4))
    for cell in (5, 6):
        press(notebook, cell, "run")
        notebook.until(lambda cell=cell: "Ended" in status(notebook, cell))
    form, steps = notebook.all("iframe.shown")
    notebook.browser.switch_to.frame(form)
    notebook.find("input").send_keys("3")
    notebook.find("form button[type=submit]").click()
    assert notebook.find(".la-says").text == "Right."
    notebook.browser.switch_to.default_content()
    assert "MulConstant" in notebook.inside(lambda: notebook.find("#words").text)


@pytest.mark.slow
def test_stop_says_that_the_state_is_gone(notebook):
    press(notebook, 0, "run")
    notebook.until(lambda: "Ended" in status(notebook, 0))
    press(notebook, 7, "run")
    notebook.until(lambda: status(notebook, 7) == "Running …")
    (stop,) = [button for button in notebook.all(".live-bar button") if button.text == "Stop"]
    notebook.script("arguments[0].click()", stop)
    notebook.until(lambda: "gone" in output(notebook, 7))
    press(notebook, 1, "run")
    notebook.until(lambda: "NameError" in output(notebook, 1))
