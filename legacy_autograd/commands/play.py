"""Serve the live page on this machine, and open it in a browser, with a program if one is given.

In a clone `make play` builds the page, and `make site` builds it with the whole site; a release has it as a folder. The
programs run in the browser: nothing leaves the machine.
"""

from __future__ import annotations

import base64
import functools
import http.server
import webbrowser
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

_CLONE = Path(__file__).resolve().parents[2]
_BUILT = ("build/play", "site/play")  # in a clone, or in the current folder
_LONGEST = 60_000  # characters of an address; browsers shorten or refuse longer ones


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a Python program to open")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help=f"the built page; default: {' or '.join(_BUILT)}")
    parser.add_argument("--port", type=int, default=0, help="default: one that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until it is interrupted, and return the exit code."""
    folder = _folder(arguments.folder)
    fragment = "" if arguments.file is None else fragment_of(_read(arguments.file))
    handler = functools.partial(Handler, directory=str(folder))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), handler)
    except OSError as error:
        raise SystemExit(f"play: cannot serve at port {arguments.port}: {error.strerror}") from error
    address = f"http://127.0.0.1:{server.server_port}/index.html{fragment}"
    print(f"The live page is at {address}\nCtrl-C ends it.", flush=True)
    if not arguments.no_browser:
        webbrowser.open(address)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 130
    return 0


def fragment_of(program: str) -> str:
    """Return the end of an address of the page that opens it with a program, as the page's own links do.

    Args:
        program: The text of the program.

    Returns:
        `#p=` and the program, as raw DEFLATE in the alphabet of base64 for addresses.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(program.encode("utf-8")) + packer.flush()
    return "#p=" + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _folder(given: Path | None) -> Path:
    candidates = [given] if given is not None else [root / name for root in (_CLONE, Path.cwd()) for name in _BUILT]
    built = [folder for folder in candidates if (folder / "index.html").exists() and (folder / "offline.js").exists()]
    if not built:
        where = f"in {given}" if given is not None else "here"
        raise SystemExit(
            f"play: there is no built page {where}: `make play` builds it in a clone of the repository; "
            "a folder that a release has is named by --folder"
        )
    return max(built, key=lambda folder: (folder / "offline.js").stat().st_mtime)


def _read(path: Path) -> str:
    try:
        program = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SystemExit(f"play: cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SystemExit(f"play: {path} is no text in UTF-8") from error
    if len(fragment_of(program)) > _LONGEST:
        raise SystemExit(f"play: {path} is too long for a link; open the page, and load the file there")
    return program


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the files with the types that a browser requires, whatever this machine's registry says."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".json": "application/json",
        ".gz": "application/gzip",
    }

    def log_message(self, format: str, *arguments: object) -> None:
        """Print nothing for each file."""
