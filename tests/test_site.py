"""The site (docs/): it builds without a warning, its links lead somewhere, it loads nothing from outside."""

import functools
import importlib
import json
import pathlib
import subprocess
import sys
import time
import tomllib
import types

import pytest
from serving import serving

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


@pytest.fixture(autouse=True)
def modules_of_docs(monkeypatch):
    """The modules of docs/ can be imported in these tests, and are gone after each."""
    monkeypatch.delitem(sys.modules, "build", raising=False)  # a test may have loaded that of notebooks/
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(DOCS / "_extensions"))
    monkeypatch.syspath_prepend(str(DOCS))
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(DOCS)):
            del sys.modules[name]


# --- the whole site


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The built site. `docs/build.py` fails on any warning of Sphinx and on any complaint of `docs/check.py`."""
    pytest.importorskip("myst_nb", reason='the site needs the extra site: pip install ".[site]"')
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, str(DOCS / "build.py"), str(folder)]
    done = subprocess.run(command, cwd=folder.parent, capture_output=True, encoding="utf-8", timeout=2400)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_the_site_has_its_pages_and_they_are_linked(site):
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    notebooks = {f"notebooks/{path.stem}.html" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert len(notebooks) == 24 and notebooks <= pages
    assert {f"diagrams/{path.name}" for path in (ROOT / "diagrams").glob("*.html")} <= pages
    assert {
        "index.html",
        "zh.html",
        "museum.html",
        "museum.zh.html",
        "FIDELITY.html",
        "docs/api/autograd.html",
    } <= pages
    assert len([page for page in pages if page.startswith("docs/exercises/")]) == 12
    for folder in ("docs/how_to", "docs"):  # no page is forgotten in the navigation; Sphinx warns, and this says which
        for path in (ROOT / folder).glob("*.md"):
            assert path.name in ("index.md", "zh.md") or f"{folder}/{path.stem}.html" in pages
    notebook = (site / "notebooks/04_the_engine.html").read_text(encoding="utf-8")
    assert 'lang="en"' in notebook and 'href="04_the_engine.zh.html"' in notebook
    other = (site / "notebooks/04_the_engine.zh.html").read_text(encoding="utf-8")
    assert '<html class="no-js" lang="zh"' in other and 'href="04_the_engine.html"' in other and "本页内容" in other


@pytest.mark.slow
def test_the_reference_shows_signatures_sources_and_lines_of_2016(site):
    page = (site / "docs/api/autograd.html").read_text(encoding="utf-8")
    commit = "https://github.com/pytorch/pytorch/blob/2aee2d312fcdd56dcc30e956cb5ed4e492e503d3"
    # Counted in v0.1.1's files: `def _do_forward` is line 15 of function.py, `def run_backward` line 39 of engine.py.
    assert f'{commit}/torch/autograd/function.py#L15"' in page
    assert f'{commit}/torch/autograd/engine.py#L39"' in page
    assert '_modules/legacy_autograd/autograd/function.html#Function._do_forward"' in page
    for name in ("Function._do_forward", "ExecutionEngine._compute_dependencies", "Variable.backward", "Leaf"):
        assert f'id="legacy_autograd.autograd.{name}"' in page
    variable = (site / "docs/api/variable.html").read_text(encoding="utf-8")
    assert variable.count('class="sig sig-object py"') > 150


@pytest.fixture
def served(site):
    """The address of the site, served from this machine."""
    with serving(site) as (address, _):
        yield address


@pytest.mark.slow
def test_pages_work_in_a_browser_without_a_network(served, browser):
    """Nothing is asked for elsewhere, no error is in the console; search, filter, questions and languages work."""
    from selenium.webdriver.common.by import By

    for kind in ("browser", "performance"):
        browser.get_log(kind)

    def open_page(name):
        browser.get(served + name)
        return lambda selector: browser.find_element(By.CSS_SELECTOR, selector)

    def until(condition):
        end = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.05)

    find = open_page("FIDELITY.html")
    rows = "return [...document.querySelectorAll('article tbody tr')].filter(row => row.offsetParent).length"
    all_rows = browser.execute_script(rows)
    find("#filter").send_keys("register_hook REMOVE_HOOK")
    assert 0 < browser.execute_script(rows) < 10 < 200 < all_rows

    find = open_page("notebooks/03_the_leaf.html")
    hidden = (
        "return [...document.querySelectorAll('.celltag_answer')].filter(cell => cell.offsetParent === null).length"
    )
    covered = browser.execute_script(hidden)
    assert covered >= 4
    click = "arguments[0].click()"  # the page scrolls slowly, so that Selenium's own click misses
    browser.execute_script(click, find(".la-question button[type=button]"))
    assert browser.execute_script(hidden) < covered
    browser.execute_script(click, find(".languages a"))
    until(lambda: browser.current_url.endswith("03_the_leaf.zh.html"))

    open_page("notebooks/04_the_engine.html")
    until(lambda: len(browser.find_elements(By.CSS_SELECTOR, "[data-trace] iframe")) == 2)

    find = open_page("search.html?q=_compute_dependencies")
    until(lambda: browser.find_elements(By.CSS_SELECTOR, "#search-results li a"))
    assert "autograd" in find("#search-results").text

    find = open_page("diagrams/diamond_backward.html")
    assert find("#modes").is_displayed() and len(find("#modes").find_elements(By.TAG_NAME, "button")) == 3
    for name in ("index.html", "museum.html", "docs/api/autograd.html", "docs/benchmarks.html", "zh.html"):
        open_page(name)
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked_for = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    assert len(asked_for) > 20
    assert {url for url in asked_for if not url.startswith((served, "data:", "about:", "chrome:", "blob:"))} == set()


@pytest.mark.slow
def test_the_live_page_is_part_of_the_site(site, served, browser):
    """Where Node.js is, the notebooks' cells run, and the pages lead to the playground and back."""
    if not (site / "play").exists():
        pytest.skip("no Node.js: the site was built without the live page")
    links = {
        "index.html": "play/index.html",
        "zh.html": "play/zh.html",
        "docs/exercises/03_leaf.html": "../../play/index.html#exercise=3",
    }
    for name, link in links.items():
        assert f'href="{link}"' in (site / name).read_text(encoding="utf-8")
    browser.get(served + "notebooks/01_a_program_from_2016.html")
    find = functools.partial(browser.find_elements, "css selector")
    notebook = json.loads((ROOT / "notebooks/01_a_program_from_2016.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(find("div.cell")) == len(code)  # the numbers of cells in playground/notebooks.toml
    browser.execute_script("arguments[0].click()", find(".live-bar [data-live=run]")[0])
    end = time.monotonic() + 120
    while not any("Ended" in status.text for status in find(".live-bar [role=status]")):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert find(".live-output")[0].text == "".join(code[0]["outputs"][0]["text"]).strip()
    browser.get(served + "play/zh.html")
    assert find("a.home")[0].get_attribute("href") == served + "zh.html"
    assert [entry["message"] for entry in browser.get_log("browser")] == []


# --- its parts


def test_the_checker_finds_what_is_broken(tmp_path):
    import check

    (tmp_path / "a.html").write_text(
        '<p id="here"></p><a href="#here">x</a><a href="b.html#there">x</a><a href="https://example.org">x</a>'
        '<img src="p.svg" alt="">',
        encoding="utf-8",
    )
    (tmp_path / "b.html").write_text('<h1 id="there"></h1><a href="a.html">x</a>', encoding="utf-8")
    (tmp_path / "p.svg").write_text("<svg/>", encoding="utf-8")
    assert check.complaints(tmp_path) == []
    (tmp_path / "b.html").write_text(
        '<a href="a.html#gone">x</a><a href="c.html">x</a><a href="../x.html">x</a><img src="p.svg">'
        '<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//fonts.example/x.css">'
        "<style>@import 'https://css.example/x'; p { background: url(q.png) }</style>",
        encoding="utf-8",
    )
    assert check.complaints(tmp_path) == [
        "a.html: b.html#there: no such anchor",
        "b.html: a.html#gone: no such anchor",
        "b.html: c.html: no such file",
        "b.html: ../x.html: leads out of the site",
        "b.html: https://cdn.example/x.js: loaded from outside of the site",
        "b.html: //fonts.example/x.css: loaded from outside of the site",
        "b.html: https://css.example/x: loaded from outside of the site",
        "b.html: q.png: no such file",
        "b.html: p.svg: a picture without a text (alt)",
    ]


def test_links_work_in_the_repository_and_on_the_site():
    """A page of docs/ links to files and folders of the repository, and the site leads to the pages made of them."""
    import build
    import site_pages

    # From docs/index.md and from /index.md, worked out by hand.
    text = "[a](museum.md) [b](../FIDELITY.md#x) [c](zh.md) [d](#here) [e](https://example.org) [f](../legacy_autograd)"
    moved = "[a](docs/museum.md) [b](FIDELITY.md#x) [c](zh.md) [d](#here) [e](https://example.org) [f](legacy_autograd)"
    assert build.links_from_root(text) == moved

    class Builder:  # what site_pages asks of Sphinx
        srcdir = pathlib.Path("/sources")
        config = types.SimpleNamespace(standing_files=["museum.html", "museum.zh.html"], repository="")
        env = types.SimpleNamespace(path2doc=lambda path: path, found_docs=set())

    def on_the_site(docname, target):
        return site_pages._LINK.sub(lambda link: site_pages._link(Builder, docname, link), f"[x]({target})")

    assert on_the_site("index", "legacy_autograd") == "[x](docs/api/index.md)"
    assert on_the_site("docs/how_to/compare", "../../legacy_autograd/comparison") == "[x](../../docs/api/tools.md)"
    assert on_the_site("docs/museum", "../legacy_autograd/historical") == "[x](site:../museum.html)"
    assert on_the_site("docs/museum", "../legacy_autograd/historical#zh") == "[x](site:../museum.zh.html)"
    for folder in site_pages.INSTEAD:
        assert (ROOT / folder.partition("#")[0]).is_dir()


def test_docstrings_become_restructured_text():
    from docstrings import restructured

    text = """Add `x_` to |y|, in place (see `add_`); *names* are plain.

    a.b(c)

Args:
    value: What to add, a number
        or a Tensor.
    *sizes: The shape.

Returns:
    The sum: a Tensor.

Gradient:
    `g`, for each of x_ and y.

Example:
    >>> 1 * 2
    2"""
    assert "\n".join(line for line in restructured(text.split("\n")) if line) == "\n".join(
        [
            r"Add ``x_`` to \|y\|, in place (see ``add_``); \*names\* are plain.",
            "::",
            "    a.b(c)",
            ":param value: What to add, a number",
            "    or a Tensor.",
            r":param \*sizes: The shape.",
            ":returns: The sum: a Tensor.",
            r":Gradient: ``g``, for each of x\_ and y.",
            ".. rubric:: Example",
            ">>> 1 * 2",
            "2",
        ]
    )


def test_the_chart_has_the_figures_of_the_table():
    pytest.importorskip("docutils", reason='the site needs the extra site: pip install ".[site]"')
    import benchmark_chart

    rows = benchmark_chart.read_table((ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8"))
    assert len(rows) == 12 and all("legacy_autograd" in row for _, row in rows)
    drawn = benchmark_chart.chart(rows)
    assert drawn.count("<title>") == sum(map(len, (row for _, row in rows)))
    # The axis is logarithmic: 0.5 and 2 are as far from 1.
    svg = benchmark_chart.chart([("a", {"legacy_autograd": 0.5, "DeZero": 2.0, "MyGrad": 1.0})])
    places = [float(part.split()[0]) for part in svg.split("translate(")[6:]]
    assert places[0] + places[2] == pytest.approx(2 * places[1], abs=0.2)


def test_the_names_that_mirror_v0_1_1_exist_and_their_lines_are_in_order():
    """The table's lines were read in the commit's own source; here are the names, and what can be seen without it."""
    table = tomllib.loads((DOCS / "v0_1_1_lines.toml").read_text(encoding="utf-8"))
    assert table["commit"] == "2aee2d312fcdd56dcc30e956cb5ed4e492e503d3" and table["commit"] in table["address"]
    count = 0
    for file, names in table["lines"].items():
        assert file.startswith("torch/") and file.endswith(".py")
        lines = [line for line, _ in names.values()]
        assert lines == sorted(lines) and min(lines) > 0
        for name, (_, begins) in names.items():
            module, attribute = _split(name)
            found = module
            for part in attribute.split("."):
                found = getattr(found, part)
            assert begins.split()[0] in ("def", "class")
            assert isinstance(found, type) == begins.startswith("class ")
            count += 1
    assert count > 180
    lines = table["lines"]["torch/autograd/function.py"]
    assert lines["autograd.function.Function._do_forward"] == [15, "def _do_forward"]


def _split(name):
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            return importlib.import_module(".".join(["legacy_autograd", *parts[:end]])), ".".join(parts[end:])
        except ModuleNotFoundError:
            continue
    raise AssertionError(f"no module of {name}")
