"""Serves the files of a folder on this machine, for tests of pages."""

import contextlib
import functools
import http.server
import threading

from legacy_autograd.commands.play import Handler


@contextlib.contextmanager
def serving(folder):
    """Serve `folder` within this context, which gives the address, with a slash at its end, and the server."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", server
        finally:
            server.shutdown()
