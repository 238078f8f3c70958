"""The browser that the tests of the pages share, and what every page must leave behind: no complaint, no request."""

import json
import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMEDRIVER = shutil.which("chromedriver")


@pytest.fixture(scope="package")
def browser(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: pip install selenium")
    if CHROMIUM is None or CHROMEDRIVER is None:
        pytest.skip("no Chromium with its driver here (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        "headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-background-networking",
        "disable-component-update", "disable-sync", "no-first-run", "window-size=1200,900",
        f"user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):  # fmt: skip
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=CHROMEDRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, tmp_path):
    """`opened(html)` opens a page; afterwards the browser must have had nothing to complain of, nor left the file."""

    def open_page(text, anchor=""):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        browser.get("about:blank")
        for kind in ("browser", "performance"):
            browser.get_log(kind)
        browser.get(path.as_uri() + anchor)
        return browser

    yield open_page
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked_for = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    asked_for = [url for url in asked_for if not url.startswith("chrome:")]  # the new browser's own first page
    assert asked_for[0].startswith("file:")
    assert [url for url in asked_for if not url.startswith(("file:", "data:", "about:"))] == []
