"""The built live page, served from this machine, in the browser that all tests of pages share."""

import base64
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zlib

import pytest
from serving import serving

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_NODE = "no Node.js"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Where the live page is required, as in continuous integration (.ci/run), a test of it that skips has failed."""
    return not_skipped((yield))


def not_skipped(report):
    """Return the report, as a failure if it is a skip where the live page is required."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("LIVE_PAGE") == "required":
        report.outcome = "failed"
        report.longrepr = f"the live page is required here (LIVE_PAGE), and this test skipped: {report.longrepr[-1]}"
    return report


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The folder that `playground/build.py` writes."""
    if shutil.which("node") is None:
        pytest.skip(f"{NO_NODE}: the live page is built with it (Debian: apt-get install nodejs npm)")
    folder = tmp_path_factory.mktemp("play") / "some" / "where"
    command = [sys.executable, str(ROOT / "playground" / "build.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def build_module(monkeypatch):
    """playground/build.py as a module."""
    monkeypatch.delitem(sys.modules, "licences", raising=False)
    spec = importlib.util.spec_from_file_location("build_play", ROOT / "playground" / "build.py")
    module = importlib.util.module_from_spec(spec)
    path = sys.path.copy()
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = path


@pytest.fixture(scope="session")
def served(built):
    """(address, server) of the built page, which lies in a subfolder of its host, as on a project's site."""
    with serving(built.parents[1]) as (address, server):
        yield f"{address}some/where/", server


def fragment_of(program):
    """Return the fragment of an address that holds a program: raw DEFLATE in base64 for addresses."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(program.encode("utf-8")) + packer.flush()
    return "#p=" + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def program_of(fragment):
    """Return the program in the fragment of an address."""
    text = fragment.partition("#p=")[2]
    packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return zlib.decompress(packed, -15).decode("utf-8")


ENABLED = """
    const button = document.querySelector(arguments[0]);
    return new Promise((done) => {
        const observer = new MutationObserver(() => button.disabled || requestAnimationFrame(done));
        observer.observe(button, { attributes: true });
        if (!button.disabled) requestAnimationFrame(done);
    });
"""


class Play:
    """The live page in the browser."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def open(self, place="", fragment=""):
        """Open a page anew, with a new Python."""
        self.browser.get("about:blank")  # where only the fragment differs, a browser would not load the page again
        self.browser.get(self.address + place + fragment)
        self.script("window.dispatchEvent(new PointerEvent('pointerover'))")  # the editor comes; Python does not yet
        self.until(lambda: self.all(".cm-content"))

    def find(self, selector):
        return self.browser.find_element("css selector", selector)

    def all(self, selector):
        return self.browser.find_elements("css selector", selector)

    def text(self, selector):
        return self.browser.execute_script("return document.querySelector(arguments[0]).textContent", selector)

    def script(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def until(self, condition, seconds=1200):
        end, pause = time.monotonic() + seconds, 0.02
        while not (found := condition()):
            assert time.monotonic() < end, self.find("body").text[-3000:]
            time.sleep(pause)
            pause = min(1.3 * pause, 0.25)  # to ask takes the browser some milliseconds
        return found

    def until_enabled(self, button):
        """Wait until a button can be pressed, and one frame more. The page says when: to ask takes it time."""
        self.browser.set_script_timeout(1200)
        self.script(ENABLED, button)

    def write(self, text, editor="#editor"):
        """Put a text into an editor as a reader pastes it."""
        from selenium.webdriver.common.keys import Keys

        content = self.find(f"{editor} .cm-content")
        content.send_keys(Keys.CONTROL, "a")
        content.send_keys(Keys.DELETE)
        self.script(
            "const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', arguments[1]);"
            "arguments[0].dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))",
            content, text,
        )  # fmt: skip

    def source(self):
        """Return the text in the editor, which shows all lines of a short program."""
        return self.script(
            "return [...document.querySelectorAll('#editor .cm-line')].map((line) => line.textContent).join('\\n')"
        )

    def press(self, selector):
        self.script("document.querySelector(arguments[0]).click()", selector)

    def run(self, program=None, button="#run"):
        """Run a program and return what the page shows."""
        if program is not None:
            self.write(program)
        self.press(button)
        self.until_enabled("#run")
        return self.text("#output")

    def inside(self, look):
        """Return what `look()` returns inside the last frame that a program has shown, once it is true."""
        self.browser.switch_to.frame(self.all("iframe.shown")[-1])
        try:
            return self.until(look)
        finally:
            self.browser.switch_to.default_content()

    def requests(self):
        """Return the addresses that the page has asked for since the last call, in their order."""
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in asked if not url.startswith(("data:", "blob:", "about:", "chrome:"))]


@pytest.fixture
def play(_shared_browser, served):
    """The live page; Python is loaded once for the tests that follow each other, unless one of them opens it anew.

    Afterwards the browser's console must be empty, and the page has asked for nothing elsewhere.
    """
    address, _ = served
    for kind in ("browser", "performance"):
        _shared_browser.get_log(kind)
    page = Play(_shared_browser, address)
    if _shared_browser.current_url.partition("#")[0] != address:
        page.open()
    page.script("location.hash = ''")
    yield page
    assert [entry["message"] for entry in _shared_browser.get_log("browser")] == []
    origin = address.partition("/some/")[0]
    assert [url for url in page.requests() if not url.startswith(origin)] == []
