"""The live page as a reader uses it: programs, pictures, steps, errors, Stop, links and files."""

import html
import json
import pathlib
import re
import sys

import pytest

from legacy_autograd import historical

from .conftest import fragment_of, program_of
from .test_exercises_page import WRONG, answer, check

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "playground" / "page"
PROGRAMS = ROOT / "playground" / "programs"


@pytest.fixture
def pages(monkeypatch):
    """The module that writes the pages."""
    monkeypatch.syspath_prepend(str(PAGE))
    import pages

    yield pages
    del sys.modules["pages"]


def program(name):
    return (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")


# --- without a browser


def test_the_words_are_in_both_languages():
    words = json.loads((ROOT / "playground" / "words.json").read_text(encoding="utf-8"))
    for part in words.values():
        assert part["en"].keys() == part["zh"].keys()
        same = {name for name in part["en"] if part["en"][name] == part["zh"][name]}
        assert same <= {"save_py"}
        for name, text in part["en"].items():
            assert text.count("{") == part["zh"][name].count("{"), name


def test_the_gallery_is_whole_in_both_languages(pages):
    english, chinese = pages.gallery("en"), pages.gallery("zh")
    assert {path.stem for path in PROGRAMS.glob("*.py")} == {e["name"] for e in english if e["group"] == "examples"}
    assert [entry["source"] for entry in english] == [entry["source"] for entry in chinese]
    for one, other in zip(english, chinese, strict=True):
        assert one["about"] != other["about"], one["name"]


def test_the_engines_of_the_gallery_are_programs_that_compare_them(pages, monkeypatch):
    """The last line of each. What it finds in the wrong ones is in tests/drawing/test_engines.py."""
    entries = {entry["name"]: entry for entry in pages.gallery("en") if entry["group"] == "engines"}
    files = {path.stem for path in (PROGRAMS / "engines").glob("*.py")}
    assert set(entries) == files | {"engine_copy"} and sum("Wrong engine" in e["title"] for e in entries.values()) == 10
    faults = {}
    for name in ("own_engine", "engine_copy", "modern_order"):
        source, start, last = entries[name]["source"].rpartition("drawing.compare_engines(")
        names = {"__name__": "__main__"}
        exec(compile(source, name, "exec"), names)
        faults[name] = eval(start + last, names).fault
    assert faults == {"own_engine": "too_early", "engine_copy": None, "modern_order": None}
    for entry in entries.values():  # an expression takes the place of what follows
        assert entry["source"].count("\n# The graph\n") == 1
    for name, entry in entries.items():
        if name.startswith("engine_") and name != "engine_copy":
            fine, fails = re.findall(r"<code>(.*?)</code>", entry["about"])
            assert f"\nfine = {html.unescape(fine)}  #" in entry["source"]
            assert f"\nz = {html.unescape(fails)}\n" in entry["source"]


def test_each_bug_of_v0_1_1_is_a_program_that_shows_it(pages, capsys):
    programs = [entry for entry in pages.gallery("en") if entry["group"] == "bugs"]
    for show_both, entry in zip(historical.EXHIBITS, programs, strict=True):
        exhibit = show_both()
        exec(compile(entry["source"], entry["name"], "exec"), {"__name__": "__main__"})
        expected = f"{exhibit.version}: {exhibit.then}\nthis package: {exhibit.right}\n"
        assert capsys.readouterr().out == expected, entry["name"]


def test_the_exercises_are_whole_in_both_languages_and_hold_no_solution(pages):
    english, chinese = pages.exercise_texts("en"), pages.exercise_texts("zh")
    assert [exercise["number"] for exercise in english] == list(range(1, 12))
    for one, other in zip(english, chinese, strict=True):
        assert one["title"] != other["title"] and one["text"] != other["text"]
        assert [g["name"] for g in one["groups"]] == [g["name"] for g in other["groups"]]
        for group, translated in zip(one["groups"], other["groups"], strict=True):
            assert group["hints"] != translated["hints"] and len(translated["hints"]) == 3
        assert "SOLUTION" not in json.dumps(one) and "HIDDEN" not in json.dumps(one)
        assert one["source"].count("# %%\n") == len(one["code_cells"])
    # Of exercise 3 the words of its solution, read in its text.
    assert "self.variable.grad.add_(grad_output[0])" not in english[2]["source"] + json.dumps(english[2]["notebook"])


# --- in the browser


def test_nothing_of_python_is_loaded_before_the_reader_does_something(play):
    names = "return performance.getEntriesByType('resource').map((entry) => entry.name.split('/').at(-1))"
    play.open()
    loaded = play.script(names)
    assert any(name.startswith("page-") for name in loaded)
    assert not [name for name in loaded if name.startswith(("runner", "session", "worker", "python"))]
    play.script("window.dispatchEvent(new PointerEvent('pointermove'))")
    play.until(lambda: play.text("#status") == "Ready.")
    assert any(name.startswith("worker") for name in play.script(names))


def test_programs_of_the_gallery_run(play):
    shown = play.run(program("readme"))
    # 3 * 3 * 2**2 = 36 and -2 * 5 = -10; the last expression is shown as in a notebook.
    assert "a.grad = 36.0\nb.grad = -10.0\nSub\n" in shown and "['MulConstant', 'PowConstant']" in shown
    # d(x*x * 4) / dx = 8 x; the hook sees the sum of 3 and 1, once.
    assert play.run(program("hook")) == "y receives [4.0, 4.0]\nx.grad = [8.0, 16.0]\n"
    assert play.run(program("own_function")) == "x.grad = [3.0, 12.0, 27.0]\ngradcheck: True\n"
    assert "second derivative 48.0" in play.run(program("double_backward"))  # 12 x**2 at 2
    assert play.find("#output img").get_attribute("src").startswith("data:image/svg+xml")
    assert play.script("return document.querySelector('#output img').naturalWidth") > 50
    assert play.run("") == "The program ended without output."


@pytest.mark.slow
def test_a_program_is_stepped_through_in_a_frame_of_its_own(play):
    play.run(program("diamond"))
    sandbox = play.script("return document.querySelector('iframe.shown').sandbox.value")
    assert sandbox == "allow-scripts allow-forms"  # and not allow-same-origin
    assert "Add" in play.inside(lambda: play.find("#words").text)
    play.inside(lambda: play.find("#last").click() or True)
    assert play.inside(lambda: "backward is done" in play.find("#words").text)
    play.until(lambda: play.find("iframe.shown").rect["height"] > 300)
    for theme in ("light", "dark", ""):  # the page's button; "": as the system
        play.press("#theme")
        play.inside(lambda theme=theme: play.script("return document.documentElement.dataset.theme") == theme)
    # Step through: the same for a program that only calls backward.
    backward = "import legacy_autograd as torch\nx = torch.autograd.Variable(torch.ones(1))\n(x * x).backward()\n"
    play.run(backward, "#step")
    assert "Mul" in play.inside(lambda: play.find("#words").text)
    assert "nothing to step through" in play.run("1 + 1", "#step")


def test_an_expression_is_drawn_and_stepped_at_once(play):
    play.script("document.querySelector('#formula').value = 'sin(x)*w + x^2'")
    play.press("#draw")
    play.until(lambda: play.all("iframe.shown"))
    assert play.script("return document.querySelector('#values').value") == "x=2, w=3"  # w had no number
    assert "z = torch.sin(x)*w + x**2" in play.source()
    assert "PowConstant" in play.inside(lambda: play.find("#tracks").text)


@pytest.mark.slow
def test_an_engine_of_your_own_runs_beside_the_real_one(play):
    play.script("location.hash = '#engine'")
    play.until(lambda: "class Mine:" in play.source())
    assert play.script("return document.querySelector('nav [aria-current]').id") == "view-engine"
    play.run()
    finding = play.inside(lambda: play.find("#text .finding").text)
    # 2016's order: the inner sum runs first, and y gets 1 before the product has run.
    assert finding.startswith("Incorrect at step 21. y #2 runs too early: the gradient of Mul #3 is still to come.")
    assert play.inside(lambda: play.find("#place").text) == "step 21 of 43"
    assert play.inside(lambda: play.script("return document.querySelectorAll('.curves polyline').length")) == 2
    assert play.inside(lambda: play.script("return document.querySelector('.tabs').textContent")) == "program.py"
    # On a graph of the reader's choice:
    play.script("document.querySelector('#formula').value = 'x*5 + y'")
    play.press("#draw")
    play.until(lambda: play.all("iframe.shown"))
    assert "class Mine:" in play.source() and play.source().endswith("drawing.compare_engines(z, engine=Mine)\n")
    assert "z = x*5 + y" in play.source() and "x * y" not in play.source()
    finding = play.inside(lambda: play.find("#text .finding").text)
    assert finding.startswith("No difference") or finding.startswith("The order differs, and is still correct")
    assert play.script("return document.querySelector('nav [aria-current]').id") == "view-program"
    menu = play.script("return [...document.querySelectorAll('#gallery option')].map((option) => option.textContent)")
    assert sum(title.startswith("Wrong engine ") for title in menu) == 10


def test_an_error_is_marked_at_its_line_and_the_text_stays(play):
    shown = play.run(program("mistake"))
    message = "legacy_autograd.tensor.errors.SizeError: mm: expected two matrices"
    assert shown.startswith(message) and "Go to line 6" in shown and 'File "program.py", line 6' in shown
    assert play.text(".cm-lintRange-error") == "loss = torch.mm(W, x).sum()"
    play.press(".to-line")
    assert play.text(".cm-activeLine") == "loss = torch.mm(W, x).sum()"
    assert play.source() == program("mistake")
    play.run("x = 1\n\nif x\n    pass\n")
    assert play.text(".cm-lintRange-error") == "if x"
    play.run("x = 1\n# %%\ny = x\n# %%\nz\n")  # of a program with cells, the line in the whole
    assert "line 5" in play.text("#output") and play.text(".cm-lintRange-error") == "z"


def test_stop_ends_a_program_and_the_page_is_ready_again(play):
    play.write("print('begun')\nwhile True:\n    pass\n")
    play.press("#run")
    play.until(lambda: "begun" in play.text("#output"))
    play.press("#stop")
    play.until(lambda: "What the program had defined is gone" in play.text("#output"))
    assert "while True" in play.source()
    assert play.run("print(6 * 7)") == "42\n"


@pytest.mark.slow
def test_the_keyboard_is_enough(play):
    """Ctrl+Enter runs; Tab indents; Escape, then Tab leaves the editor."""
    from selenium.webdriver.common.keys import Keys

    play.write("print(1)")
    editor = play.find("#editor .cm-content")
    editor.send_keys(Keys.CONTROL, Keys.ENTER)
    play.until(lambda: play.text("#output") == "1\n")
    inside = "return document.activeElement.closest('#editor') !== null"
    editor.send_keys(Keys.TAB)
    assert play.source() == "    print(1)" and play.script(inside)
    editor.send_keys(Keys.ESCAPE)
    editor.send_keys(Keys.TAB)
    assert not play.script(inside)


@pytest.mark.slow
def test_files_and_notebooks_come_in_and_go_out(play, tmp_path):
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "\n", "text"]},
        {**code, "source": "%matplotlib inline\nx = 2"},
        {**code, "source": ["y = x * 3\n", "y"]},
    ]
    file = tmp_path / "mine.ipynb"
    file.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    play.find("#file").send_keys(str(file))
    expected = "# %% [markdown]\n# # Title\n#\n# text\n\n# %%\n# %matplotlib inline\nx = 2\n\n# %%\ny = x * 3\ny\n"
    play.until(lambda: play.source() == expected)
    assert play.run() == "6\n"
    play.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    for kind in ("ipynb", "py"):
        play.script("const s = document.querySelector('#save'); s.value = arguments[0]; s.onchange()", kind)
    saved = tmp_path / "program.ipynb"
    play.until(lambda: saved.exists() and (tmp_path / "program.py").exists())
    assert (tmp_path / "program.py").read_text(encoding="utf-8") == expected
    found = json.loads(saved.read_text(encoding="utf-8"))["cells"]
    assert [cell["cell_type"] for cell in found] == ["markdown", "code", "code"]
    sources = ["".join(cell["source"]) for cell in found]
    assert sources == ["# Title\n\ntext", "# %matplotlib inline\nx = 2", "y = x * 3\ny"]
    bad = tmp_path / "bad.ipynb"
    bad.write_text("{}", encoding="utf-8")
    play.find("#file").send_keys(str(bad))
    play.until(lambda: "bad.ipynb cannot be opened" in play.text("#status"))


def test_a_link_holds_the_program(play):
    text = "print('ä, 中文')\n" * 3
    play.script("location.hash = arguments[0]", fragment_of(text))
    play.until(lambda: play.source() == text)
    assert "came with the link" in play.text("#status")
    changed = f"x = 1\n{text}"
    play.write(changed)
    assert "#" not in play.browser.current_url  # the link does not hold it
    play.press("#share")
    play.until(lambda: "#p=" in play.browser.current_url)
    assert program_of(play.browser.current_url) == changed
    play.script("location.hash = '#p=broken!'")
    play.until(lambda: "holds no program" in play.text("#status"))
    assert play.source() == changed


@pytest.mark.slow
def test_programs_that_were_written_are_kept_beside_the_examples(play):
    play.script("localStorage.clear()")
    play.open()
    assert play.source() == program("diamond")
    play.write("first = 1")
    play.open()
    assert play.source() == "first = 1"
    choose = "const g = document.querySelector('#gallery'); g.value = arguments[0]; g.onchange()"
    first = play.script("return document.querySelector('#gallery').value")
    play.script(choose, "hook")
    assert play.source() == program("hook")
    play.write("second = 2")
    play.open()
    assert play.source() == "second = 2"
    play.script(choose, first)
    assert play.source() == "first = 1"
    play.script("localStorage.clear()")


@pytest.mark.slow
def test_every_program_of_the_gallery_runs_as_natively(play, pages, capsys):
    """The bugs of v0.1.1 print in the page what they print here; of the others only the mistake ends in an error."""
    play.open()
    for entry in pages.gallery("en"):
        shown = play.run(entry["source"])
        if entry["group"] != "bugs":
            assert ("Traceback" in shown) == (entry["name"] == "mistake"), (entry["name"], shown)
            continue
        exec(compile(entry["source"], entry["name"], "exec"), {"__name__": "__main__"})
        assert shown == capsys.readouterr().out, entry["name"]


@pytest.mark.slow
def test_the_page_is_in_chinese(play):
    play.open("zh.html")
    assert play.text("#run") == "运行" and play.script("return document.documentElement.lang") == "zh"
    play.run(program("diamond"))
    assert any("一" <= letter <= "鿿" for letter in play.inside(lambda: play.find("#words").text))
    said = play.run(
        "from legacy_autograd.exercises import practice\n"
        "practice.check('3.1', lambda start, count: 2 * start, lang='zh')"
    )
    assert "原因: 每次反向传播都把它的梯度加到 x.grad 上" in said
    said = check(play, 1, answer(1, WRONG[1]), "zh")
    assert "未通过" in said and "原因      b 是被减去的，所以它的梯度符号相反" in said
    assert not re.search("FAILED|passed|because|expected|hint", said), said
    assert play.script("return document.querySelector('#language').getAttribute('href')") == "index.html"
    play.open()


def test_what_the_page_cannot_have_says_so_in_one_sentence(play):
    tries = {
        "os.system('ls')": "there are no processes in the page",
        "os.fork()": "there are no processes in the page",
        "os.execvp('ls', ['ls'])": "there are no processes in the page",
        "subprocess.run(['ls'])": "there are no processes in the page",
        "socket.create_connection(('127.0.0.1', 80))": "a program in the page cannot use the network",
        "socket.socket()": "a program in the page cannot use the network",
        "input()": "a program in the page cannot ask for input: write the value into the program",
        "__import__('multiprocessing')": "there are no processes in the page",
        "__import__('pandas')": "the page has Python's library, NumPy and legacy_autograd; pandas is not among them",
    }
    lines = [f"try: {code}\nexcept Exception as error: print(error)\n" for code in tries]
    shown = play.run("import os, socket, subprocess\n" + "".join(lines))
    assert shown.splitlines() == list(tries.values())
    shown = play.run("import subprocess\nsubprocess.run('ls')")
    assert "subprocess.py" in shown and "missing.py" not in shown
    shown = play.run("import threading\nthreading.Thread(target=print).start()")
    assert "there are no threads in the page; `python -m pip install legacy_autograd` on your own machine" in shown
