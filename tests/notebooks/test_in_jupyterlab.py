"""The course in JupyterLab, in a browser: the forms of signed notebooks work, and others say how to trust them."""

import json
import os
import subprocess
import sys
import time
import urllib.request

import pytest
from installed import needs

needs("jupyterlab", "nbformat", "selenium")

from selenium.webdriver import ActionChains, Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("jupyterlab")]
LIMIT = 60  # seconds, against hanging
NAME = "02_one_subtraction.ipynb"
# Of the notebook that is in front; JupyterLab keeps the others.
QUESTIONS = ".jp-NotebookPanel:not(.lm-mod-hidden) .la-question"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """JupyterLab as `learn` starts it: its address, its token and its folder, which has an unsigned notebook, too."""
    folder = tmp_path_factory.mktemp("lab")
    names = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("DATA", "CONFIG", "RUNTIME")}
    command = [sys.executable, "-m", "legacy_autograd", "learn", "course", "--no-browser", "--allow-root"]
    environment = {**os.environ, **names, "JUPYTER_PORT": "0"}
    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            end = time.monotonic() + LIMIT
            while not (found := list(folder.glob("runtime/jpserver-*.json"))) or not found[0].read_text():
                assert process.poll() is None and time.monotonic() < end, (folder / "log.txt").read_text()
                time.sleep(0.1)
            signed = (folder / "course" / NAME).read_text(encoding="utf-8")
            (folder / "course" / "unsigned.ipynb").write_text(signed.replace("# 2.", "# Copy:"), encoding="utf-8")
            yield json.loads(found[0].read_text())
            stop(json.loads(found[0].read_text()))
            assert process.wait(LIMIT) == 0
        finally:
            process.kill()
            process.wait()


def stop(server):
    headers = {"Authorization": f"token {server['token']}"}
    urllib.request.urlopen(urllib.request.Request(f"{server['url']}api/shutdown", method="POST", headers=headers))


@pytest.fixture
def shown(browser, server):
    """`shown(name)` opens a notebook in a tab of its own and returns the driver once its questions are there."""
    first = browser.current_window_handle

    def show(name):
        browser.switch_to.new_window("tab")
        # A notebook alone; the path of /lab would bring back what an earlier test had open.
        browser.get(f"{server['url']}lab/workspaces/{name.split('.')[0]}/tree/{name}?token={server['token']}")
        eventually(browser, lambda: browser.find_elements("css selector", QUESTIONS))
        return browser

    yield show
    for window in browser.window_handles:
        if window != first:
            browser.switch_to.window(window)
            browser.close()  # asks nothing, though the notebook may have changed
    browser.switch_to.window(first)


def eventually(browser, condition):
    return WebDriverWait(browser, LIMIT).until(lambda _: condition())


def fields(browser):
    return browser.find_elements("css selector", f"{QUESTIONS} :is(input, select)")


def answer_first(browser):
    """Fill in the first form with a wrong answer, and return what it says."""
    question = browser.find_element("css selector", QUESTIONS)
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", question)
    for field in question.find_elements("css selector", "input, select"):
        field.send_keys("-1" if field.tag_name == "input" else Keys.ARROW_DOWN)
    assert all(field.get_attribute("value") for field in question.find_elements("css selector", "input, select"))
    question.find_element("css selector", ".la-form button").click()
    return eventually(browser, lambda: question.find_element("css selector", ".la-says").text)


def test_the_forms_of_the_course_can_be_filled_in(shown):
    browser = shown(NAME)
    eventually(browser, lambda: fields(browser))
    assert answer_first(browser).startswith("Not yet.")


def test_another_notebook_says_in_its_first_cell_what_to_do_and_that_helps(shown):
    browser = shown("unsigned.ipynb")
    assert fields(browser) == []
    advice = browser.find_element("css selector", ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").text
    assert "If you see ▸ Answer instead of a form" in advice and "jupyter trust 02_one_subtraction.ipynb" in advice
    assert "Trust Notebook" in advice and "Ctrl+Shift+C" in advice

    keys = ActionChains(browser).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("c")
    keys.key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
    eventually(browser, lambda: browser.find_elements("css selector", ".lm-CommandPalette-input"))
    browser.switch_to.active_element.send_keys("Trust Notebook")
    items = eventually(browser, lambda: browser.find_elements("css selector", ".lm-CommandPalette-item"))
    assert items[0].text == "Trust Notebook"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    eventually(browser, lambda: browser.find_elements("css selector", ".jp-Dialog .jp-mod-accept"))[0].click()
    eventually(browser, lambda: fields(browser))
    assert answer_first(browser).startswith("Not yet.")
