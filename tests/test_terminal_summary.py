"""The last lines of a test run: what to install for the tests that were skipped."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

CONFTEST = pathlib.Path(__file__).with_name("conftest.py")
REASON = "no Chromium with its driver"
SENTENCE = (
    f"3 tests were skipped because there is {REASON} (on Debian or Ubuntu: apt-get install chromium chromium-driver)"
)
TESTS = """
import pytest

@pytest.mark.parametrize("number", range(3))
def test_page(number):
    pytest.skip("{reason} here")

def test_other():
    pytest.skip("for another reason")
"""


@pytest.mark.parametrize(
    "reason, options, is_told",
    [(REASON, [], True), (REASON, ["-n", "2"], True), ("no network", [], False)],
    ids=["one process", "xdist", "another reason"],
)
def test_the_last_lines_name_the_command_that_installs_chromium(tmp_path, reason, options, is_told):
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_pages.py").write_text(TESTS.format(reason=reason), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_pages.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (CONFTEST.parents[1], CONFTEST.parent)))},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert (SENTENCE in run.stdout) == is_told, run.stdout + run.stderr
    assert "4 skipped" in run.stdout and run.returncode == 0
