"""The live page for every reader: axe-core finds nothing, in both themes and languages, on a phone and a desktop."""

import pytest

from .conftest import fragment_of
from .test_page import program

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


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", ["index.html", "zh.html"])
def test_axe_finds_nothing(axe, play, shown_as, page, theme, size):
    shown_as(theme, size)
    play.open(page, fragment_of("print('one')\n" + program("diamond")))
    assert axe(play.browser) == []
    play.run()
    play.until(lambda: play.all("iframe.shown"))
    assert axe(play.browser) == []
    play.run(program("mistake"))
    play.script("document.querySelector('.cm-content').focus()")
    assert axe(play.browser) == []
    assert play.script("return document.documentElement.scrollWidth <= innerWidth")
    play.script("location.hash = '#exercise=3'")
    play.until(lambda: play.all("#exercise-editor .cm-content"))
    play.script("document.querySelector('.parts button').click()")
    play.press("#check")
    play.until_enabled("#check")
    assert axe(play.browser) == []
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
