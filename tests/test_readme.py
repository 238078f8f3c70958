"""Both editions of the README: the example prints what it shows, and links and numbers are right."""

import configparser
import doctest
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

from tools import code_lines

ROOT = pathlib.Path(__file__).resolve().parents[1]
V0_1_1 = tomllib.loads((ROOT / "docs/v0_1_1_lines.toml").read_text(encoding="utf-8"))

each_edition = pytest.mark.parametrize("name", ["README.md", "README.zh.md"])


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def sh_blocks(name):
    return re.findall(r"^```sh\n(.*?)^```", read(name), re.MULTILINE | re.DOTALL)


def address():
    """The project's address: `url` in setup.cfg, or a placeholder where it is not set."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    return setup["metadata"].get("url", "<address>")


def links(text):
    return re.findall(r"\[([^][]*)\]\(([^)\s]+)\)", text)


@each_edition
def test_the_example_prints_what_it_shows(name):
    result = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert result.failed == 0 and result.attempted >= 8


@each_edition
def test_every_file_that_it_links_to_exists(name):
    files = [target for _, target in links(read(name)) if not target.startswith(("http:", "https:", "#"))]
    assert "LICENSE" in files
    assert [target for target in files if not (ROOT / target.partition("#")[0]).exists()] == []


@each_edition
def test_it_fits_and_its_first_screen_has_picture_commands_and_example(name):
    lines = read(name).splitlines()
    assert len(lines) <= 120
    before_the_fold = "\n".join(lines[: next(i for i, line in enumerate(lines) if line.startswith("## "))])
    commands = (
        "git clone",
        "make demo",
        "make test",
        "make play",
        "venv .venv && ",
        "pip install",
        "legacy-autograd learn",
    )
    for part in ("diagrams/diamond_backward.svg", *commands, "loss.backward()"):
        assert part in before_the_fold
    assert before_the_fold.count("\n") <= 40


@each_edition
def test_links_to_v0_1_1_lead_to_the_pinned_line_of_the_name_that_they_show(name):
    """docs/v0_1_1_lines.toml says where each name begins; its numbers are those of the file of 2016."""
    found = []
    for shown, target in links(read(name)):
        if "github.com/pytorch/pytorch/blob" in target:
            commit, file, line = re.fullmatch(r"https://.*/blob/([0-9a-f]{40})/(.*)#L(\d+)", target).groups()
            assert commit == V0_1_1["commit"]
            lines_of_file = V0_1_1["lines"][file]
            (number,) = {n for key, (n, _) in lines_of_file.items() if key.split(".")[-1] == shown}
            assert int(line) == number, (shown, target)
            found.append(shown)
    assert {"Variable", "backward", "_do_forward", "_do_backward", "Leaf", "run_backward"} <= set(found)


@each_edition
def test_its_times_are_those_of_the_benchmarks_page(name):
    """The columns are the same; the benchmarks' page has the quartiles and the goal behind them."""

    def rows(text):
        table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:2] == "| "]
        found = [(cells[0], cells[1:7]) for cells in table if len(cells) >= 7 and "**" in cells[2]]
        return dict(reversed(found))  # the first of two rows, where the benchmarks' page repeats an older table

    shown, measured = rows(read(name)), rows(read("benchmarks/README.md"))
    assert len(shown) == 5
    assert shown == {title: measured[title] for title in shown}


def test_the_editions_have_the_same_code_links_and_numbers():
    def skeleton(name):
        text = read(name)
        targets = {target.replace(".zh.", ".") for _, target in links(text)} - {"README.md"}
        code = [line.split("  #")[0] for block in sh_blocks(name) for line in block.splitlines()]
        code += re.findall(r"^>>> [^#\n]*\w", text, re.MULTILINE)
        return targets, code, text.count("\n## ")

    assert skeleton("README.md") == skeleton("README.zh.md")


def test_the_files_of_later_have_the_sizes_that_both_editions_give():
    counts = code_lines.count([ROOT / "legacy_autograd/autograd/later"]).items()
    sizes = [round(lines, -1) for path, lines in counts if path.name != "__init__.py"]
    assert f"files of {min(sizes)} to {max(sizes)} lines of code" in read("README.md")
    assert f"每个文件 {min(sizes)} 至 {max(sizes)} 行代码" in read("README.zh.md")


# --- from a clone to the first result


@each_edition
def test_the_clone_is_made_from_the_address_in_setup_cfg(name):
    """Where setup.cfg has no `url`, the line says `git clone <address>`."""
    assert re.findall(r"git clone (\S+)", read(name)) == [address()]


def test_no_other_file_has_an_address_of_the_project():
    """setup.cfg has the one address. The READMEs repeat it, and the test above compares; the site reads it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8")
    if listed.returncode != 0:
        pytest.skip("not a clone: there is no list of the project's files")
    an_address = re.compile(
        r"(?:https?://|git@|ssh://)[^\s\"'`)>\]]*legacy[-_]autograd|git clone [^\s`]+|^url *=", re.MULTILINE
    )
    found = {}
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if (
            path.suffix not in (".gz", ".png", ".npz", ".pth", ".t7")
            and name != "tests/test_readme.py"
            and path.is_file()
        ):
            text = path.read_text(encoding="utf-8", errors="replace")
            if addresses := an_address.findall(text):
                found[name] = addresses
    clone = [f"git clone {address()}"]
    set_in = {} if address() == "<address>" else {"setup.cfg": ["url ="]}
    assert found == {"README.md": clone, "README.zh.md": clone, **set_in}


@pytest.fixture
def shell(tmp_path):
    """`shell(block)` runs a block in a folder of its own, where `git clone` takes this repository.

    `sudo` and `apt-get` do nothing: the test installs nothing on the machine that runs it. Python is the one of the
    tests, since `python3` may be older than 3.11.
    """
    if shutil.which("make") is None or not (ROOT / ".git").exists():
        pytest.skip("needs make and a clone with its history")
    programs, folder = tmp_path / "programs", tmp_path / "folder"
    programs.mkdir()
    folder.mkdir()
    for name in ("sudo", "apt-get"):
        (programs / name).write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path}/asked\n')
        (programs / name).chmod(0o755)
    (programs / "python3").symlink_to(os.path.realpath(sys.executable))

    def run(block, **environment):
        not_of_this = ("PYTHON", "LEGACY_AUTOGRAD", "VIRTUAL_ENV", "PYTEST", "MAKE", "MFLAGS")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(not_of_this)}
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", block.replace(address(), str(ROOT))],
            cwd=folder,
            env={**clean, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=3600,
        )

    asks_for_a_package = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "graphviz"]
    if subprocess.run(asks_for_a_package, cwd=tmp_path, capture_output=True, timeout=600).returncode != 0:
        pytest.skip("no package can be downloaded")
    run.folder = folder
    return run


@pytest.mark.slow  # two environments are made, one of them with torch
def test_its_blocks_work_in_a_fresh_clone(shell):
    """`make test` gets two test files only: `make test-all`, which runs this test, runs the whole suite already.

    The Chinese edition has the same commands, which a test above compares.
    """
    with_make, without_make = sh_blocks("README.md")
    with_make = re.sub(
        "^make play\\b", "make playground", with_make, flags=re.MULTILINE
    )  # `play` serves until it is ended
    done = shell(with_make, PYTEST_ADDOPTS="-k 'test_engine or test_historical'")
    assert done.returncode == 0, done.stdout
    assert "slope: 1.00" in done.stdout and "All checks passed!" in done.stdout
    assert len(re.findall(r"^=* ?\d+ passed", done.stdout, re.MULTILINE)) == 1, done.stdout
    assert not re.search(r"\d failed", done.stdout)
    assert (shell.folder / "legacy_autograd/legacy_autograd_demo/regression.dot").exists()
    # `learn` opens JupyterLab, which would stay: it only copies here.
    (learn,) = re.findall(r"^legacy-autograd learn\b", without_make, re.MULTILINE)
    clone = f"rm -rf legacy_autograd\ngit clone {address()} legacy_autograd && cd legacy_autograd\n"
    done = shell(clone + without_make.replace(learn, f"{learn} --copy-only"))
    assert done.returncode == 0, done.stdout
    assert "slope: 1.00" in done.stdout and "files written into" in done.stdout
