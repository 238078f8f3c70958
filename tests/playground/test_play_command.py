"""`legacy-autograd play`: it serves a built page on this machine and opens it with a program."""

import os
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from legacy_autograd.commands import play

from .conftest import ROOT, fragment_of, program_of

PROGRAM = "print('für alle')\n" * 40


@pytest.fixture
def page(tmp_path):
    """A folder that looks like a built page."""
    folder = tmp_path / "page"
    folder.mkdir()
    for name in ("index.html", "offline.js", "python-1.tar.gz"):
        (folder / name).write_text(f"the file {name}")
    return folder


@pytest.fixture
def serve():
    """`serve(*arguments)` starts the command without a browser, and returns its process and the address it prints."""
    processes = []

    def start(*arguments):
        command = [sys.executable, "-m", "legacy_autograd", "play", "--no-browser", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=environment,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # the background ignores it
        )
        processes.append(process)
        return process, re.search(r"http://\S+", process.stdout.readline())[0]

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


def test_it_serves_the_page_and_opens_it_with_the_program(page, serve, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    process, address = serve(file, "--folder", page)
    assert address.startswith("http://127.0.0.1:") and program_of(address) == PROGRAM
    for name, kind in [("index.html", "text/html"), ("offline.js", "text/javascript")]:
        with urllib.request.urlopen(f"{address.partition('/index')[0]}/{name}", timeout=60) as reply:
            assert reply.headers.get_content_type() == kind and reply.read().decode() == f"the file {name}"
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130


def test_a_link_is_that_of_the_page():
    assert play.fragment_of(PROGRAM) == fragment_of(PROGRAM)


def test_the_newest_built_page_of_this_folder_is_served(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(play, "_CLONE", tmp_path / "elsewhere")
    (tmp_path / "site").mkdir()
    page.rename(tmp_path / "site" / "play")
    assert play._folder(None) == tmp_path / "site" / "play"


def test_without_a_built_page_a_sentence_says_how_to_get_one(command, tmp_path):
    result = command("play", "--folder", str(tmp_path))
    assert result.returncode == 1
    assert "there is no built page in" in result.stderr and "`make play` builds it" in result.stderr


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot read"),
        (b"\xff\xfe\x00", "is no text in UTF-8"),
        pytest.param(os.urandom(60_000).hex().encode(), "is too long", id="long"),
    ],
)
def test_a_file_that_cannot_be_a_program_is_refused(command, page, tmp_path, content, sentence):
    file = tmp_path / "file.py"
    if content is not None:
        file.write_bytes(content)
    result = command("play", str(file), "--folder", str(page))
    assert result.returncode == 1 and sentence in result.stderr and "Traceback" not in result.stderr
