"""After the first visit the live page opens without a network."""

import pytest
from serving import serving

from .conftest import Play

pytestmark = pytest.mark.xdist_group("browser")

KEPT = """
    const done = arguments[0];
    navigator.serviceWorker.ready.then(async () => {
        for (let wait = 0; wait < 600 && !navigator.serviceWorker.controller; wait++)
            await new Promise((then) => setTimeout(then, 100));
        const names = (await caches.keys()).filter((name) => name !== "play-saved");
        const counts = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
        done([Boolean(navigator.serviceWorker.controller), counts]);
    });
"""


def test_the_page_opens_and_runs_programs_without_a_server(_shared_browser, built):
    with serving(built.parents[1]) as (address, _):
        page = Play(_shared_browser, f"{address}some/where/")
        page.open()
        page.script("window.isFirst = true")
        assert "3" in page.run("1 + 2")
        _shared_browser.set_script_timeout(120)
        controlled, counts = _shared_browser.execute_async_script(KEPT)
        files = sum(path.is_file() for path in built.rglob("*"))
        assert controlled and counts == [files]  # the folder's address instead of offline.js
    page.open()
    assert page.script("return window.isFirst") is None
    assert "49" in page.run("import legacy_autograd as torch\ntorch.Tensor([7]).mul(7)[0]")
    _shared_browser.get("about:blank")
    for kind in ("browser", "performance"):
        _shared_browser.get_log(kind)
