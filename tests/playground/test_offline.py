"""After the first visit the live page opens without a network."""

import functools
import http.server
import threading

import pytest

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


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_the_page_opens_and_runs_programs_without_a_server(_shared_browser, built):
    handler = functools.partial(_Quiet, directory=built.parents[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = Play(_shared_browser, f"http://127.0.0.1:{server.server_port}/some/where/")
    try:
        page.open()
        page.script("window.isFirst = true")
        assert "3" in page.run("1 + 2")
        _shared_browser.set_script_timeout(120)
        controlled, counts = _shared_browser.execute_async_script(KEPT)
        files = sum(path.is_file() for path in built.rglob("*"))
        assert controlled and counts == [files]  # the folder's address instead of offline.js
    finally:
        server.shutdown()
        server.server_close()
    page.open()
    assert page.script("return window.isFirst") is None
    assert "49" in page.run("import legacy_autograd as torch\ntorch.Tensor([7]).mul(7)[0]")
    _shared_browser.get("about:blank")
    for kind in ("browser", "performance"):
        _shared_browser.get_log(kind)
