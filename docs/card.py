"""Make the pictures of shared links, docs/card.*.png, from card.svg: `python docs/card.py` (needs Chromium
with its driver, and fonts for Chinese).

Each picture carries the digest of the source that it was made from; a test compares it.
"""

import base64
import hashlib
import re
import shutil
import struct
import tempfile
import tomllib
import zlib
from pathlib import Path

DOCS = Path(__file__).resolve().parent
KEY = b"Source\0"


def source(lang):
    """Return the SVG with the words of a language."""
    words = tomllib.loads((DOCS / "words.toml").read_text(encoding="utf-8"))["card"][lang]
    text = (DOCS / "card.svg").read_text(encoding="utf-8")
    return re.sub(r"/\*([A-Z]+)\*/", lambda place: words[place[1].lower()], text)


def digest(lang):
    return hashlib.sha256(source(lang).encode("utf-8")).hexdigest().encode()


def read(png):
    """Return the size of a picture and the digest that is written in it."""
    size = struct.unpack(">II", png[16:24])
    start = png.index(KEY) + len(KEY)
    return size, png[start : start + 64]


def with_digest(png, value):
    """Return the picture with a text chunk after its header (33 bytes)."""
    body = b"tEXt" + KEY + value
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:33] + chunk + png[33:]


def make():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for argument in ("headless=new", "no-sandbox", "hide-scrollbars", "force-device-scale-factor=1"):
        options.add_argument(f"--{argument}")
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    browser = webdriver.Chrome(options=options, service=service)
    size = {"width": 1200, "height": 630, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    for lang in ("en", "zh"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "card.svg")
            path.write_text(source(lang), encoding="utf-8")
            browser.get(path.as_uri())
            png = base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])
        (DOCS / f"card.{lang}.png").write_bytes(with_digest(png, digest(lang)))
    browser.quit()


if __name__ == "__main__":
    make()
