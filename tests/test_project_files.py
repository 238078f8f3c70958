"""The files beside the code: one version, links that lead somewhere, a picture that is up to date, workflows."""

import os
import pathlib
import re

import pytest

import legacy_autograd
from legacy_autograd.autograd import Function, Variable
from tests.installed import needs
from tools import house

ROOT = pathlib.Path(__file__).resolve().parents[1]
NO_SOURCES = {"build", "dist", "site", "node_modules"}  # folders that tools make


def pages():
    """Return the paths of all Markdown files of the repository."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in NO_SOURCES]
        found += [pathlib.Path(folder, name).relative_to(ROOT) for name in files if name.endswith(".md")]
    return sorted(path.as_posix() for path in found)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_version_is_the_same_everywhere():
    version = legacy_autograd.__version__
    assert re.search(r"^version = attr: legacy_autograd\.__version__$", read("setup.cfg"), re.MULTILINE)
    assert re.search(rf"^version: {re.escape(version)}$", read("CITATION.cff"), re.MULTILINE)
    released = re.search(r'^date-released: "(.*)"$', read("CITATION.cff"), re.MULTILINE)[1]
    newest = re.findall(r"^## \[(\d.*)\] - (.*)$", read("CHANGELOG.md"), re.MULTILINE)[0]
    assert newest == (version, released)


@pytest.mark.parametrize("page", pages())
def test_links_lead_to_files_and_headings(page):
    """Each relative link works in the repository. docs/check.py follows those of the site."""
    text = re.sub(r"^```.*?^```", "", read(page), flags=re.MULTILINE | re.DOTALL)
    # The notebooks are one folder above their texts; there, `2016:` and `commit:` lead to PyTorch's repository.
    page = ROOT / re.sub(r"/(text|slides)/", "/", page)
    own = re.compile("(?:https?|2016|commit):" if page.parent.name == "notebooks" else "https?:")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not own.match(target):
            file, _, anchor = target.partition("#")
            path = page.parent / file
            assert path.exists(), target
            if not file:
                assert anchor.lower() in anchors(text), target  # Jupyter keeps the case of a heading
            elif anchor and path.suffix == ".md":
                assert anchor in anchors(path.read_text(encoding="utf-8")), target


def test_all_markdown_files_are_searched_for_links():
    assert {"README.md", "docs/index.md", "docs/how_to/compare.md", "notebooks/text/04_the_engine.md"} <= set(pages())
    assert len(pages()) > 35


def test_the_time_of_a_student_is_the_sum_of_the_minutes():
    text = read("notebooks/README.md")
    minutes = [int(row) for row in re.findall(r"^\| \d+ \| .* \| (\d+) \|$", text, re.MULTILINE)]
    assert len(minutes) == 11 and "take another 15 minutes" in text
    hours, rest = divmod(sum(minutes[:6]) + 6 * 15, 60)
    assert "1 to 6 in order, with their exercises" in text and f"| {hours} h {rest} min, and the graded" in text


def test_every_test_that_security_names_exists():
    named = re.findall(r"`(tests/\S+\.py)(?:::(\w+))?`", read("SECURITY.md"))
    assert len(named) >= 6
    for file, test in named:
        assert f"def {test}" in read(file), (file, test)


def test_the_operation_of_contributing_has_the_gradient_that_it_says():
    (code,) = re.findall(r"   ```python\n(   class Square.*?)   ```", read("CONTRIBUTING.md"), re.DOTALL)
    names = {"Function": Function}
    exec(re.sub("^   ", "", code, flags=re.MULTILINE), names)
    x = Variable(legacy_autograd.Tensor([3.0, -2.0]))
    (y,) = names["Square"]()(x)
    y.sum().backward()
    assert y.data.tolist() == [9.0, 4.0] and x.grad.tolist() == [6.0, -4.0]  # x², 2 x


@pytest.mark.xdist_group("import graph")
def test_the_picture_of_the_house_is_up_to_date_and_shows_every_folder():
    assert read("docs/house.dot") == house.source(), "draw it again: python tools/house.py"
    shown = " ".join(house.boxes()).split()
    assert [part for part in shown if not (house.PACKAGE / part).exists()] == [], "WORDS of tools/house.py names them"
    assert set(house.parts()) <= set(shown) and len(shown) == len(set(shown)) > 30
    assert {"autograd/later/", "demos/", "names.py"} <= set(house.parts())
    words = read("docs/house.svg")
    for title, sentence in house.boxes().items():
        assert title.split()[0] in words and sentence.rpartition(" ")[2] in words


@pytest.mark.xdist_group("import graph")
def test_a_box_of_the_house_is_in_one_row_and_arrows_lead_down():
    for title in house.boxes():
        assert {house.row_of(part) for part in title.split()} == {house.row_of(title)}, title
    arrows = house.imports_between(house.boxes())
    assert ("autograd/functions/", "nn/") not in arrows and ("autograd/methods/", "autograd/functions/") in arrows
    assert all(house.row_of(lower) < house.row_of(upper) for upper, lower in arrows)
    assert ("autograd/methods/", "tensor/") not in arrows  # by way of functions/


def test_the_workflows_cover_three_systems_and_four_pythons_and_name_existing_folders():
    needs("yaml")
    import yaml

    workflow = yaml.safe_load(read(".github/workflows/tests.yml"))
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    for path in re.findall(r"tests/\S+", read(".github/workflows/tests.yml")):
        assert (ROOT / path).exists(), path
    for form in ROOT.glob(".github/ISSUE_TEMPLATE/*.yml"):
        assert yaml.safe_load(form.read_text(encoding="utf-8"))


def test_no_address_is_invented():
    """The repository's address has one place, `url` in setup.cfg."""
    for name in (".binder/postBuild", ".binder/requirements.txt", ".devcontainer/devcontainer.json", "CITATION.cff"):
        assert not re.search(r"github\.com/(?!pytorch/pytorch)", read(name)), name
    assert "@" not in read("CITATION.cff") and "@" not in read("SECURITY.md")
