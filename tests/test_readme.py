"""The README's example prints what it shows, and what it links to is there."""

import doctest
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


def test_the_example_prints_what_it_shows():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.failed == 0 and result.attempted >= 8


def test_every_file_that_it_links_to_exists():
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    files = [link for link in links if not link.startswith(("http:", "https:", "#"))]
    assert "LICENSE" in files
    assert [link for link in files if not (ROOT / link.partition("#")[0]).exists()] == []
