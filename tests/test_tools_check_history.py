"""tools/check_history.py: on a history of three small commits, and what it reads from this project."""

import pathlib
import re
import runpy
import shutil
import subprocess
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = runpy.run_path(str(ROOT / "tools/check_history.py"))
CHANGES = tomllib.loads((ROOT / "tools/history.toml").read_text(encoding="utf-8"))["change"]
FIDELITY = (ROOT / "FIDELITY.md").read_text(encoding="utf-8")


def test_versions_count_in_brackets_and_in_columns_of_versions():
    text = "\n".join(
        [
            "| v0.1.1 | here (v0.1.3) | test |",
            "|---|---|---|",
            "| no `f` (v0.1.1) | **added** (v0.1.2), `x (0.2.0)`; by the conventions of v0.1.12 | `t` |",
            "| from torch 2.13 on | as v0.1.4 | `t` |",
            "| a range (v0.1.4 to v0.1.12) | **fixed** | in part v0.1.2; v0.1.5 | `t` |",
            "| grad | 0.5, 2.5 | 0.4 | 1.8 to 1.10 | `t` |",
        ]
    )
    rows = [versions for _, versions in TOOL["claims"](text)]
    assert rows == [["v0.1.2"], ["v0.1.4", "v0.1.12", "v0.1.2", "v0.1.5"], ["0.4", "1.8", "1.10"]]


@pytest.fixture
def history(tmp_path):
    """Three commits: f.py gets `def new` in the second and loses `old` in the third; the first and second have tags."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")

    def git(*arguments):
        command = ["git", "-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false", *arguments]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, encoding="utf-8").stdout.strip()

    git("init", "-q")
    commits = []
    for text in ("old\n", "old\ndef new\n", "def new\n"):
        (tmp_path / "f.py").write_text(text)
        git("add", "f.py")
        git("commit", "-q", "-m", "a change")
        commits.append(git("rev-parse", "HEAD"))
    git("tag", "v0.1.1", commits[0])
    git("tag", "v0.1.2", commits[1])
    versions = {"v0.1.1": "v0.1.1", "v0.1.2": "v0.1.2", "v0.1.3": commits[2]}
    return TOOL["History"](tmp_path, versions), [commit[:10] for commit in commits]


def test_the_version_of_each_kind_of_evidence(history):
    clone, commits = history
    assert [clone.version_of({"commit": commit}) for commit in commits] == ["v0.1.1", "v0.1.2", "v0.1.3"]
    assert clone.version_of({"text": r"def (new|other)", "files": "f.py"}) == "v0.1.2"
    assert clone.version_of({"text": "def new", "files": ["g.py", "f.py"]}) == "v0.1.2"
    assert clone.version_of({"gone": "^old$", "files": "f.py"}) == "v0.1.3"
    assert clone.version_of({"last": "^old$", "files": "f.py"}) == "v0.1.2"
    for nowhere in ({"text": "no such line", "files": "f.py"}, {"gone": "def new", "files": "f.py"}):
        assert clone.version_of(nowhere) is None
    with pytest.raises(RuntimeError, match="git merge-base .*0123456789"):
        clone.version_of({"commit": "0123456789"})


def test_what_contradicts_and_what_was_not_checked(history):
    clone, (_, second, third) = history
    text = "| a name | **added** (v0.1.2) | `t` |\n| old (A1) | **fixed** (v0.1.3) | `t` |\n| more | (v0.1.2) | `t` |"
    name = {"row": "a name", "version": "v0.1.2", "text": "def new", "files": "f.py"}
    good = TOOL["check"](clone, text, [name], {"A1": [("v0.1.3", third)]}, [("07.md", "0.1.2", second)])
    assert good == ([], ["v0.1.2: more | (v0.1.2) | `t`"])

    wrong, unchecked = TOOL["check"](
        clone,
        text.replace("**added** (v0.1.2)", "**added** (v0.1.3)"),
        [{**name, "version": "v0.1.3"}, {**name, "row": "no such row"}],
        {"A1": [("v0.1.2", third)]},
        [("07.md", "0.1.3", second)],
    )
    assert wrong == [
        f"exhibit A1: v0.1.2 is given, but commit {third} leads to v0.1.3",
        f"07.md: 0.1.3 is given, but commit {second} leads to v0.1.2",
        "a name | **added** (v0.1.3) | `t`: v0.1.3 is given, but text 'def new' leads to v0.1.2",
        "history.toml: no row with 'no such row' gives v0.1.2",
    ]
    assert [line.partition(":")[0] for line in unchecked] == ["v0.1.3", "v0.1.2"]  # A1's commit is of another version


def test_each_entry_belongs_to_one_row():
    rows = TOOL["claims"](FIDELITY)
    for change in CHANGES:
        (versions,) = [versions for row, versions in rows if change["row"] in row]
        for version in set(change) - {"row"}:
            assert any(TOOL["same"](version, given) for given in versions), (change["row"], version)


def test_the_museum_and_fidelity_give_the_same_versions():
    exhibits = TOOL["exhibits"]()
    assert len(exhibits) > 30 and exhibits["F6"] == [("v0.1.2", "774a6f1093"), ("v0.1.5", "a22af69335")]
    assert ("v0.1.3", "fb39971464") in exhibits["G2"]  # "… of v0.1.3" inside the brackets
    table = FIDELITY.partition("## The defects of v0.1.1")[2]
    fixed = {row.split("|")[1].strip(): versions for row, versions in TOOL["claims"](table)}
    compared = 0
    for id, pairs in exhibits.items():
        if pairs:
            assert fixed[id][-1] in [version for version, _ in pairs], id
            compared += 1
    assert compared > 25


def test_links_of_the_notebooks_name_a_version_and_its_commit():
    found = TOOL["links"]()
    assert ("11_what_came_later.md", "v0.1.5", "a22af69335") in found
    assert all(re.fullmatch("[0-9a-f]{10}", commit) for _, _, commit in found) and len(found) > 50
