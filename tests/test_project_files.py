"""The files beside the code: one version, links that lead somewhere, a picture that is up to date, workflows."""

import pathlib
import re

import pytest

import legacy_autograd
from legacy_autograd.autograd import Function, Variable
from tests.installed import needs
from tools import house, import_circles

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
# The other pages of docs/how_to link to pages that the site makes; docs/check.py follows those.
PAGES += ["docs/how_to/install.md", "docs/how_to/run_a_program.md"]


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


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_and_headings(page):
    page = ROOT / page
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            file, _, anchor = target.partition("#")
            path = page.parent / file if file else page
            assert path.exists(), target
            assert not anchor or anchor in anchors(path.read_text(encoding="utf-8")), target


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


def test_the_picture_of_the_house_is_up_to_date_and_shows_every_folder():
    assert read("docs/house.dot") == house.source(), "draw it again: python tools/house.py"
    words = read("docs/house.svg")
    for title, _, _ in house.BOXES:
        assert title.split()[-1] in words
    shown = {part.strip("/").rpartition("/")[2] for title, _, _ in house.BOXES for part in re.split(r"[, ]+", title)}
    package = ROOT / "legacy_autograd"
    folders = {path.parent.name for folder in (package, package / "autograd") for path in folder.glob("*/__init__.py")}
    files = {path.name for folder in (package, package / "autograd") for path in folder.glob("*.py")}
    elsewhere = {"__main__.py", "_functions.py"}  # they run or export what other files define
    assert (folders | files) - elsewhere - shown == set(), "add them to BOXES of tools/house.py"
    assert shown <= folders | files | {"hooks.py"}
    for _, _, module in house.BOXES:
        assert (package / f"{module.replace('.', '/')}.py").exists() or (package / module.replace(".", "/")).is_dir()
        assert import_circles.layer(module) in range(len(import_circles.LAYERS))


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
