"""The site (docs/): it builds without a warning, its links lead somewhere, it loads nothing from outside."""

import collections
import functools
import importlib
import json
import pathlib
import posixpath
import re
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
    notebooks = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert len(notebooks) == 24
    for name in notebooks:
        folder = "zh/notebooks" if ".zh." in name else "notebooks"
        assert f"{folder}/{name.partition('.')[0]}.html" in pages
    for lang in ("", "zh/"):
        drawn = {path.name for path in (ROOT / "diagrams").glob("*.html") if ".zh." not in path.name}
        assert {f"{lang}diagrams/{name}" for name in drawn} <= pages
        assert {f"{lang}index.html", f"{lang}museum.html", f"{lang}search.html"} <= pages
        assert len([page for page in pages if page.startswith(f"{lang}docs/exercises/")]) == 12
    assert {"FIDELITY.html", "docs/api/autograd.html"} <= pages
    for folder in ("docs/how_to", "docs"):  # no page is forgotten in the navigation; Sphinx warns, and this says which
        for path in (ROOT / folder).glob("*.md"):
            lang = "zh/" if ".zh." in path.name else ""
            assert path.name.startswith("index.") or f"{lang}{folder}/{path.name.partition('.')[0]}.html" in pages


def pages_of(site):
    """Yield the name and the text of each page that Sphinx makes, without those of source code."""
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if "furo-main-content" in text and "_modules" not in path.parts:
            yield path.relative_to(site).as_posix(), text


@pytest.mark.slow
def test_each_page_leads_to_the_same_page_in_the_other_language(site):
    """A page that is only in English leads to the Chinese page that says in a sentence what it has."""
    names = {name for name, _ in pages_of(site)}
    only_english = set()
    for name, text in pages_of(site):
        lang = "zh" if name.startswith("zh/") else "en"
        assert re.search(r'<html[^>]* lang="(\w+)"', text)[1] == lang
        address = re.search(r'<nav class="languages".*?href="([^"]+)"', text, re.DOTALL)[1]
        leads_to = posixpath.normpath(posixpath.join(posixpath.dirname(name), address))
        same = name.removeprefix("zh/") if lang == "zh" else f"zh/{name}"
        if same in names:
            assert leads_to == same
        elif lang == "en":
            only_english.add(name)
            assert leads_to == "zh/docs/look_up.html"
        else:
            assert name == "zh/docs/look_up.html"
        if lang == "zh":  # its shell too
            assert "本页内容" in text or "toc-drawer no-toc" in text
            for words in ("On this page", "Back to top", "Skip to content", "Made with", "Toggle"):
                assert words not in text, (name, words)
    told = (site / "zh/docs/look_up.html").read_text(encoding="utf-8")
    for name in only_english:
        first = "docs/api/index.html" if name.startswith("docs/api/") else name
        assert f'href="../../{first}"' in told, name
    for name in ("museum.html", "diagrams/diamond_backward.html"):
        assert f'href="{"../" * name.count("/")}zh/{name}" lang="zh"' in (site / name).read_text(encoding="utf-8")
        up = "../" * (name.count("/") + 1)
        assert f'href="{up}{name}" lang="en"' in (site / "zh" / name).read_text(encoding="utf-8")


@pytest.mark.slow
def test_each_page_has_a_description_for_sharing(site):
    descriptions = {}
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(site).as_posix()
        for tag in ('name="description"', 'property="og:title"', 'property="og:description"', 'name="twitter:card"'):
            assert text.count(f"<meta {tag}") == 1 or name == "play/licences.html", (name, tag)
        assert 'property="og:image"' not in text  # setup.cfg has no address of the repository
        if found := re.search('<meta name="description" content="([^"]+)"', text):
            descriptions.setdefault(found[1], []).append(name)
    assert all(len(description) > 15 for description in descriptions)
    assert [names for names in descriptions.values() if len(names) > 2] == []


@pytest.mark.slow
def test_nothing_moves_before_its_reader_asks(site):
    """A picture that moves is in a fold, whose opening plays it; beside it is the same picture, still (WCAG 2.2.2)."""
    moving = {path.name for path in site.rglob("_images/*.svg") if "@keyframes" in path.read_text(encoding="utf-8")}
    moving = {name for name in moving if ".still." not in name}
    assert moving == {"diamond_backward.svg"}
    shown = 0
    for name, text in pages_of(site):
        for picture in re.finditer(r'<img[^>]*src="[^"]*/(diamond_backward(?:\.still)?\.svg)"', text):
            before = text[: picture.start()]
            is_folded = before.rfind("<details><summary><span>") > before.rfind("</details>")
            assert is_folded == (picture[1] == "diamond_backward.svg"), name
            shown += is_folded
    assert shown >= 4
    still = next(site.rglob("_images/diamond_backward.still.svg")).read_text(encoding="utf-8")
    assert still.rstrip().endswith("<style>* { animation: none !important; }</style></svg>")


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


@pytest.fixture
def opened_page(served, browser):
    """`opened_page(name)` opens a page and returns a function that finds its elements; `until` waits for something."""

    def open_page(name):
        browser.get(served + name)
        return functools.partial(browser.find_elements, "css selector")

    return open_page


def until(condition):
    end = time.monotonic() + 60
    while not (result := condition()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return result


def until_there(find, selector, count=1):
    """Wait until at least `count` elements fit the selector; return them."""
    return until(lambda: len(found := find(selector)) >= count and found)


@pytest.mark.slow
def test_pages_work_in_a_browser_without_a_network(served, browser, opened_page):
    """Nothing is asked for elsewhere, no error is in the console; filter, questions and languages work."""
    for kind in ("browser", "performance"):
        browser.get_log(kind)

    for name, words in [("FIDELITY.html", "register_hook REMOVE_HOOK"), ("zh/docs/how_to/install.html", "")]:
        find = opened_page(name)
        rows = "return [...document.querySelectorAll('article tbody tr')].filter(row => row.offsetParent).length"
        all_rows = browser.execute_script(rows)
        if words:
            find("#filter")[0].send_keys(words)
            assert 0 < browser.execute_script(rows) < 10 < 200 < all_rows

    find = opened_page("notebooks/03_the_leaf.html")
    hidden = (
        "return [...document.querySelectorAll('.celltag_answer')].filter(cell => cell.offsetParent === null).length"
    )
    covered = browser.execute_script(hidden)
    assert covered >= 4
    click = "arguments[0].click()"  # the page scrolls slowly, so that Selenium's own click misses
    browser.execute_script(click, find(".la-question button[type=button]")[0])
    assert browser.execute_script(hidden) < covered
    browser.execute_script(click, find(".languages a")[0])
    until(lambda: browser.current_url.endswith("zh/notebooks/03_the_leaf.html"))

    find = opened_page("notebooks/04_the_engine.html")
    for button in find(".la-question button[type=button]"):
        browser.execute_script(click, button)
    assert find("[data-trace] iframe") == []  # not before they are near the window
    for number, place in enumerate(find("[data-trace]"), start=1):
        browser.execute_script("arguments[0].scrollIntoView({behavior: 'instant'})", place)
        until_there(find, "[data-trace] iframe", number)

    find = opened_page("diagrams/diamond_backward.html")
    assert find("#modes")[0].is_displayed() and len(find("#modes button")) == 4
    for name in ("index.html", "museum.html", "docs/api/autograd.html", "docs/benchmarks.html", "zh/index.html"):
        opened_page(name)
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked_for = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    assert len(asked_for) > 20
    assert {url for url in asked_for if not url.startswith((served, "data:", "about:", "chrome:", "blob:"))} == set()


# The pages whose text has the word, as their reader sees it before an answer: independent of the index.
PAGES_WITH = """
const [word, done] = arguments;
Promise.all(Search._index.docnames.map(async (name) => {
  const page = new DOMParser().parseFromString(await (await fetch(`${name}.html`)).text(), "text/html");
  for (const one of page.querySelectorAll(".no-search, .headerlink, script, style, .languages")) one.remove();
  return page.querySelector("[role=main]").textContent.toLowerCase().includes(word) ? name : null;
})).then((names) => done(names.filter(Boolean)));
"""
FOUND = """return [...document.querySelectorAll('#search-results li a')].map((link) =>
  link.getAttribute('href').split('.html')[0])"""
# True once a search has ended: Sphinx writes the count of the results before it shows them, one after the other.
SEARCHED = """
const words = document.querySelector('.search-summary')?.textContent;
return words && document.querySelectorAll('#search-results li').length >= Number(words.match(/\\d+/)?.[0] ?? 0);
"""
WORDS = [
    ("zh/", "梯度"), ("zh/", "依赖"), ("zh/", "叶子"), ("zh/", "反向传播"), ("zh/", "叶"),
    ("", "_compute_dependencies"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("folder, word", WORDS)
def test_search_finds_each_page_that_has_the_word(opened_page, browser, folder, word):
    find = opened_page(f"{folder}search.html?q={word}")
    assert [heading.text for heading in find("h1")] == ["搜索" if folder else "Search"]
    until(lambda: browser.execute_script(SEARCHED))
    found = set(browser.execute_script(FOUND))
    expected = set(browser.execute_async_script(PAGES_WITH, word))
    assert len(expected) >= 3
    assert found == expected


@pytest.mark.slow
def test_search_shows_no_answer(site, opened_page, browser):
    """What a page hides from its reader is neither found nor in a summary."""
    # The reason for an answer of notebook 3, the same in Chinese, and the last hint of exercise 3.
    for folder, name, hidden in [
        ("", "notebooks/03_the_leaf.html", "contributions"),
        ("zh/", "notebooks/03_the_leaf.html", "三份贡献"),
        ("", "docs/exercises/03_leaf.html", "clone"),
    ]:
        assert hidden in (site / folder / name).read_text(encoding="utf-8")
        find = opened_page(f"{folder}search.html?q={hidden}")
        until(functools.partial(browser.execute_script, SEARCHED))
        assert name not in {f"{page}.html" for page in browser.execute_script(FOUND)}
    find = opened_page("search.html?q=leaf")  # finds the notebook; the summary is made from what its reader sees
    until(lambda: len(find("#search-results .context")) > 10)
    shown = browser.execute_async_script(
        "fetch('notebooks/03_the_leaf.html').then((answer) => answer.text()).then(Search.htmlToText).then(arguments[0])"
    )
    assert "why it adds up there" in shown and "contributions" not in shown
    for name, text in pages_of(site):
        for cell in re.findall(r'<div class="cell [^"]*tag_(?:question|answer)[^"]*"', text):
            assert "no-search" in cell, name
        folds = len(re.findall(r"no-search\W{1,9}<details class='hints'>", text))
        assert text.count("<details class='hints'>") == folds, name


KINDS = [
    "index.html", "zh/index.html", "search.html?q=gradient", "zh/search.html?q=梯度", "notebooks/04_the_engine.html",
    "zh/notebooks/04_the_engine.html", "docs/api/autograd.html", "docs/exercises/03_leaf.html", "FIDELITY.html",
    "docs/benchmarks.html", "docs/step_through.html", "zh/docs/how_to/install.html", "museum.html",
    "diagrams/diamond_backward.html#mode=choice", "zh/diagrams/diamond_backward.html",
    "_modules/legacy_autograd/autograd/engine.html",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("theme, size", [("light", (1280, 800)), ("dark", (390, 844))])
@pytest.mark.parametrize("name", KINDS)
def test_axe_finds_nothing(axe, opened_page, browser, name, theme, size):
    """No violation on any kind of page, and no page is wider than its window. Frames are pages of their own here."""
    features = [{"name": "prefers-color-scheme", "value": theme}]
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 500}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        find = opened_page(name)
        if "search" in name:
            until(lambda: find("#search-results li .context"))
        assert axe(browser) == []
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


UNREACHED = """return [...document.querySelectorAll('article :is(pre, .table-wrapper, .cell_output)')].filter((one) =>
  one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== 'visible' && one.tabIndex < 0).length"""


@pytest.mark.slow
def test_what_scrolls_sideways_is_reached_with_the_keyboard(opened_page, browser):
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        for name, label in [
            ("notebooks/04_the_engine.html", "Code"),
            ("FIDELITY.html", "Table"),
            ("zh/docs/how_to/install.html", "代码"),
        ]:
            until_there(opened_page(name), f'article [tabindex="0"][role="group"][aria-label^="{label}"]')
            assert browser.execute_script(UNREACHED) == 0
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.slow
def test_with_reduced_motion_nothing_glides(opened_page, browser):
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        opened_page("notebooks/03_the_leaf.html")
        for element in ("document.documentElement", "document.body"):
            assert browser.execute_script(f"return getComputedStyle({element}).scrollBehavior") == "auto"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.slow
def test_no_code_is_cut_off_on_a_desktop(opened_page, browser):
    """At 1280 pixels the notebooks' and the start page's code is as wide as its lines, of at most 100 characters."""
    metrics = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    cut = """return [...document.querySelectorAll('article pre')].filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => one.textContent).filter((text) => text.split('\\n').every((line) => line.length <= 100))"""
    try:
        for name in ("index.html", "zh/index.html", "notebooks/04_the_engine.html", "docs/how_to/distributed.html"):
            opened_page(name)
            assert browser.execute_script(cut) == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.slow
def test_the_live_page_is_part_of_the_site(site, served, browser):
    """Where Node.js is, the notebooks' cells run, and the pages lead to the playground and back."""
    if not (site / "play").exists():
        pytest.skip("no Node.js: the site was built without the live page")
    links = {
        "index.html": "play/index.html",
        "zh/index.html": "../play/zh.html",
        "docs/exercises/03_leaf.html": "../../play/index.html#exercise=3",
        "zh/docs/exercises/03_leaf.html": "../../../play/zh.html#exercise=3",
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
    assert find("a.home")[0].get_attribute("href") == served + "zh/index.html"
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


def test_links_work_in_the_repository_and_on_the_site(tmp_path):
    """A page of docs/ links to files and folders of the repository, and the site leads to the pages made of them."""
    import build
    import site_pages

    # From docs/index.md and from /index.md, worked out by hand.
    text = "[a](museum.md) [b](../FIDELITY.md#x) [c](index.zh.md) [d](#here) [e](https://x.org) [f](../legacy_autograd)"
    moved = "[a](docs/museum.md) [b](FIDELITY.md#x) [c](index.zh.md) [d](#here) [e](https://x.org) [f](legacy_autograd)"
    assert build.links_from_root(text) == moved

    pages = {"en": ["FIDELITY", "docs/museum", "docs/api/index", "docs/api/tools"], "zh": ["docs/museum", "index"]}
    for lang, names in pages.items():
        for name in names:
            (tmp_path / lang / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / lang / f"{name}.md").touch()

    def on_the_site(lang, docname, target):
        class Builder:  # what site_pages asks of Sphinx
            srcdir = tmp_path / lang
            config = types.SimpleNamespace(
                standing_files=["museum.html"], repository="", language={"en": "en", "zh": "zh_CN"}[lang]
            )
            env = types.SimpleNamespace(
                path2doc=lambda path: path.removeprefix(f"{tmp_path}/{lang}/").removesuffix(".md"),
                found_docs=set(pages[lang]),
                linked_sources=collections.defaultdict(set),
            )

        return site_pages._LINK.sub(lambda link: site_pages._link(Builder, docname, link), f"[x]({target})")

    assert on_the_site("en", "index", "legacy_autograd") == "[x](docs/api/index.md)"
    tools = "[x](../../docs/api/tools.md)"
    assert on_the_site("en", "docs/how_to/compare", "../../legacy_autograd/comparison") == tools
    assert on_the_site("en", "docs/museum", "../legacy_autograd/historical") == "[x](site:../museum.html)"
    assert on_the_site("en", "index", "docs/museum.md#x") == "[x](docs/museum.md#x)"
    assert on_the_site("en", "docs/museum", "museum.zh.md") == "[x](site:../zh/docs/museum.html)"
    assert on_the_site("zh", "index", "docs/museum.zh.md") == "[x](docs/museum.md)"
    assert on_the_site("zh", "docs/museum", "museum.md#x") == "[x](site:../../docs/museum.html#x)"
    assert on_the_site("zh", "docs/museum", "../FIDELITY.md") == "[x](site:../../FIDELITY.html)"
    assert on_the_site("zh", "docs/museum", "../legacy_autograd/historical") == "[x](site:../museum.html)"
    assert on_the_site("zh", "index", "legacy_autograd/comparison") == "[x](site:../docs/api/tools.html)"
    engine = "legacy_autograd/autograd/engine.py"
    assert on_the_site("en", "index", engine) == "[x](site:_modules/legacy_autograd/autograd/engine.html)"
    assert on_the_site("zh", "index", engine) == "[x](site:../_modules/legacy_autograd/autograd/engine.html)"
    for folder in site_pages.INSTEAD:
        assert (ROOT / folder).is_dir()


def code_blocks(text):
    """Return the fenced blocks of code, without comments and without words of a language."""
    blocks = re.findall(r"^```(?:sh|python|powershell)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    words = r" *#.*|, lang=\"zh\"|\.in_language\(\"zh\"\)"
    return [[line for line in re.sub(words, "", block).split("\n") if line] for block in blocks]


def test_a_page_in_chinese_has_the_same_code_and_links():
    """Each page of docs/how_to has its Chinese edition, with the same commands and at least as many sections."""
    pages = [path for path in (DOCS / "how_to").glob("*.md") if ".zh." not in path.name]
    assert len(pages) == 8
    for path in [*pages, DOCS / "index.md", DOCS / "museum.md", DOCS / "step_through.md"]:
        english = path.read_text(encoding="utf-8")
        chinese = path.with_suffix(".zh.md").read_text(encoding="utf-8")
        assert code_blocks(chinese) == code_blocks(english), path.name
        for banned in ("天真的引擎", "叶节点", "逆传播"):  # the field's words are 朴素的引擎, 叶子, 反向传播
            assert banned not in chinese


def test_the_numbers_of_the_first_page_are_those_of_their_sources():
    from legacy_autograd import exercises, historical
    from legacy_autograd.drawing import examples

    rows = [line.split("|") for line in (DOCS / "programs.md").read_text(encoding="utf-8").splitlines()]
    how_far = [row[5].strip() for row in rows if len(row) == 9 and "`" in row[2]]
    ran = [end for end in how_far if end == "to the end" or end.startswith("epochs or losses until it was stopped")]
    notebooks = [path for path in (ROOT / "notebooks").glob("*.ipynb") if ".zh." not in path.name]
    numbers = [examples.function_classes(), ran, notebooks, exercises.numbers(), historical.EXHIBITS]
    for name, of in [("index.md", "of {}"), ("index.zh.md", "共 {} 个")]:
        text = (DOCS / name).read_text(encoding="utf-8")
        listed = text.partition("{.numbers}")[2].partition("\n\n")[0]
        assert [int(number) for number in re.findall(r"\*\*(\d+)\*\*", listed)] == list(map(len, numbers))
        assert of.format(len(how_far)) in listed


def test_the_search_splits_chinese_into_pairs():
    pytest.importorskip("sphinx", reason='the site needs the extra site: pip install ".[site]"')
    import search_words

    split = search_words.SearchPairs({}).split
    assert split("loss.backward() 之后") == ["loss", "backward", "之", "后", "之后"]
    assert split("x的梯度累加") == ["x", "的", "梯", "度", "累", "加", "的梯", "梯度", "度累", "累加"]
    assert split("叶") == ["叶"]


def test_what_a_shared_link_shows():
    """The picture needs an absolute address: without one the page is shared without it."""
    import sharing

    alone = sharing.tags('A "title"', "What it is.", "en", "")
    assert '<meta property="og:title" content="A &quot;title&quot;">' in alone
    assert '<meta property="og:description" content="What it is.">' in alone
    assert '<meta name="twitter:card" content="summary">' in alone and "og:image" not in alone
    with_picture = sharing.tags("标题", "内容", "zh", "https://example.org/x")
    assert 'property="og:image" content="https://example.org/x/raw/main/docs/card.zh.png"' in with_picture
    assert 'content="summary_large_image"' in with_picture and 'content="zh_CN"' in with_picture


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_pictures_of_shared_links_are_made_from_their_source(lang):
    """`python docs/card.py` makes them again."""
    import card

    size, digest = card.read((DOCS / f"card.{lang}.png").read_bytes())
    assert size == (1200, 630)
    assert digest == card.digest(lang)
    assert "/*" not in card.source(lang)


def test_the_checker_weighs_a_page_with_all_that_it_loads(tmp_path):
    """Frames count with what they load; pictures and scripts that wait do not, and a file counts once."""
    import gzip

    import check

    (tmp_path / "a.html").write_text(
        '<link rel="stylesheet" href="s.css"><link rel="next" href="next.html"><iframe src="b.html" loading="lazy">'
        '</iframe><img src="p.svg" alt=""><img src="q.svg" alt="" loading="lazy"><script data-later="l.js"></script>',
        encoding="utf-8",
    )
    inner = '<link rel="stylesheet" href="s.css"><script src="t.js"></script>'
    inner += f'<img src="data:image/svg+xml,{"x" * 5000}" alt="">'  # is in the page, and too long for a file's name
    (tmp_path / "b.html").write_text(inner, encoding="utf-8")
    for name in ("s.css", "next.html", "p.svg", "q.svg", "l.js", "t.js"):
        (tmp_path / name).write_text(name * 100, encoding="utf-8")
    pages = {path: check.Page(path.read_text(encoding="utf-8")) for path in tmp_path.glob("*.html")}
    counted = [(tmp_path / name).read_bytes() for name in ("a.html", "b.html", "s.css", "p.svg", "t.js")]
    assert check.weight(tmp_path / "a.html", pages) == sum(len(gzip.compress(text)) for text in counted)


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
    # Every mark is between the two margins of 8.
    places = [float(part.split()[0]) for part in drawn.split("translate(")[6:]]
    assert min(places) >= 8 and max(places) <= 8 + 424


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
