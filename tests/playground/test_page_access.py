"""The live page for every reader: axe-core finds nothing, in both themes and languages, on a phone and a desktop."""

import pytest

from .conftest import ROOT, fragment_of
from .test_page import program

AXE = ROOT / "playground" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desktop": (1280, 800)}


@pytest.fixture
def shown_as(play):
    """`shown_as(theme, size)` sets the colours that the system prefers, and the size of the window."""

    def set_up(theme, size):
        width, height = SIZES[size]
        feature = {"name": "prefers-color-scheme", "value": theme}
        play.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
        play.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    yield set_up
    play.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    play.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def violations(play):
    """Return what axe-core finds in the page, one line each. It does not look into the frames of programs."""
    play.script(AXE.read_text(encoding="utf-8"))
    found = play.browser.execute_async_script(
        "const done = arguments[0]; axe.run(document, {iframes: false}).then(({violations}) => done(violations))"
    )
    return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", ["index.html", "zh.html"])
def test_axe_finds_nothing(play, shown_as, page, theme, size):
    shown_as(theme, size)
    play.open(page, fragment_of("print('one')\n" + program("diamond")))
    assert violations(play) == []
    play.run()
    play.until(lambda: play.all("iframe.shown"))
    assert violations(play) == []
    play.run(program("mistake"))
    play.script("document.querySelector('.cm-content').focus()")
    assert violations(play) == []
    assert play.script("return document.documentElement.scrollWidth <= innerWidth")
    play.script("location.hash = '#exercise=3'")
    play.until(lambda: play.all("#exercise-editor .cm-content"))
    play.script("document.querySelector('.parts button').click()")
    play.press("#check")
    play.until(lambda: not play.script("return document.querySelector('#check').disabled"))
    assert violations(play) == []
    assert play.script("return document.documentElement.scrollWidth <= innerWidth")
    play.script("localStorage.clear()")


@pytest.mark.slow
def test_every_control_is_reached_with_the_tab_key(play):
    """Tab goes through all controls of the page in their order, and none is a trap."""
    from selenium.webdriver.common.keys import Keys

    play.open()
    names = []
    for _ in range(40):
        active = play.browser.switch_to.active_element
        if play.script("return document.activeElement.closest('.cm-content') !== null"):
            active.send_keys(Keys.ESCAPE)
        active.send_keys(Keys.TAB)
        names.append(play.script("return document.activeElement.id || document.activeElement.className"))
        if names[-1] == "output":
            break
    order = ["view-program", "view-exercises", "language", "theme", "formula", "values", "draw", "gallery"]
    assert [name for name in names if name in order] == order
    assert names[-1] == "output" and any("cm-content" in name for name in names)
