"""Both editions of the README: the example prints what it shows, and links and numbers are right."""

import doctest
import pathlib
import re
import tomllib

import pytest

from tools import code_lines

ROOT = pathlib.Path(__file__).resolve().parents[1]
V0_1_1 = tomllib.loads((ROOT / "docs/v0_1_1_lines.toml").read_text(encoding="utf-8"))

each_edition = pytest.mark.parametrize("name", ["README.md", "README.zh.md"])


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


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
    for part in ("diagrams/diamond_backward.svg", "pip install", "legacy-autograd learn", "loss.backward()"):
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
        targets = {target.replace(".zh.ipynb", ".ipynb") for _, target in links(text)} - {"README.md", "README.zh.md"}
        code = re.findall(r"^>>> [^#\n]*\w|^legacy-autograd \w+", text, re.MULTILINE)
        return targets, code, text.count("\n## ")

    assert skeleton("README.md") == skeleton("README.zh.md")


def test_the_files_of_later_have_the_sizes_that_both_editions_give():
    counts = code_lines.count([ROOT / "legacy_autograd/autograd/later"]).items()
    sizes = [round(lines, -1) for path, lines in counts if path.name != "__init__.py"]
    assert f"files of {min(sizes)} to {max(sizes)} lines of code" in read("README.md")
    assert f"每个文件 {min(sizes)} 至 {max(sizes)} 行代码" in read("README.zh.md")
