"""What the live page is built of: pinned packages with stated licences, small files, no answers for a student."""

import gzip
import html
import json
import marshal
import re
import shutil
import tarfile
import types

import pytest

from .conftest import ROOT, not_skipped

MOST_BYTES = 9_000_000  # of the first visit, compressed
PLAYGROUND = ROOT / "playground"


def archive(built, name):
    """Return {path: bytes} of an archive of the built page."""
    (file,) = built.glob(f"{name}-*.tar.gz")
    with tarfile.open(file) as members:
        return {member.name: members.extractfile(member).read() for member in members}


def modules(files, name):
    """Return {name of a module: its code} of an archive's files."""
    code = files[f"usr/lib/modules/{name}.code"]
    index = marshal.loads(files[f"usr/lib/modules/{name}.index"])
    return {module: code[start : start + length] for module, (start, length, *_) in index.items()}


def test_every_package_is_pinned_and_has_a_digest_and_no_address():
    package = json.loads((PLAYGROUND / "package.json").read_text(encoding="utf-8"))
    versions = [*package["dependencies"].values(), *package["devDependencies"].values()]
    assert [version for version in versions if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
    lock = json.loads((PLAYGROUND / "package-lock.json").read_text(encoding="utf-8"))
    installed = {name: entry for name, entry in lock["packages"].items() if name}
    assert len(installed) > 60
    assert [name for name, entry in installed.items() if not entry.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, entry in installed.items() if "resolved" in entry] == []


def test_the_licences_are_those_of_the_page_and_of_the_docs(built, build_module):
    page = (built / "licences.html").read_text(encoding="utf-8")
    rows = [re.split("<td>", row)[1:] for row in re.findall(r"<tr>(<td>.*)</tr>", page)]
    plain = [[html.unescape(re.sub("<[^>]+>", "", cell)) for cell in row] for row in rows]
    assert not any(name == "@wapython/unionfs" for name, *_ in plain)  # it states no licence
    docs = (ROOT / "docs/how_to/live_page.md").read_text(encoding="utf-8").partition("## Licences")[2]
    fixed = {f"{name} {version}": licence for name, version, licence, _ in plain if not is_npm(name)}
    fixed.pop("legacy_autograd ")
    assert dict(re.findall(r"^\| (.*?) \| (.*?) \|", docs, re.MULTILINE)[1:]) == fixed
    named = {}
    for licence, names in re.findall(r"^- ([\w.-]+): ((?:.|\n  )*)", docs, re.MULTILINE):
        named |= dict.fromkeys(re.split(r",\s+", names.strip()), licence)
    assert named == {name: licence for name, _, licence, _ in plain if is_npm(name)}
    for name in ("CPython", "NumPy", "musl", "zlib", "Expat", "Emscripten", "python-wasm", "buffer"):
        assert f"<details><summary>{name}</summary><pre>" in page


def is_npm(name):
    return (PLAYGROUND / "node_modules" / name / "package.json").exists()


def test_a_package_without_a_licence_is_refused(built, build_module):
    with pytest.raises(ValueError, match="@wapython/unionfs of npm states the licence None"):
        build_module.licences.parts({"@wapython/unionfs"})


def test_the_archive_for_a_students_code_holds_no_answers(built):
    files = archive(built, "student")
    found = modules(files, "student")
    paths = [*files, *found]
    assert not [path for path in paths if re.search(r"historical|practice|exercises[./]questions\.json", path)]
    assert not [path for path in paths if re.search(r"templates[./]\d\d_", path)]
    twin = {name for name in found if name.startswith("legacy_autograd.autograd.fast")}
    assert twin == {f"legacy_autograd.autograd.fast{name}" for name in ("", ".walk")}
    # No exercise's part is there; the judge adds that of the other exercises.
    removed = {"engine": "ExecutionEngine.run_backward", "function": "Function._do_forward", "leaf": "Leaf._accumulate"}
    for name, function in removed.items():
        code = found[f"legacy_autograd.autograd.{name}"]
        assert f"write {function} yourself".encode() in code, name
    whole = modules(archive(built, "package"), "package")
    assert b"yourself: the package" not in whole["legacy_autograd.autograd.engine"]
    assert "legacy_autograd.exercises.observers.leaf" in found
    assert not [path for path in paths if re.search(r"exercises[./]checks", path)]


def test_the_first_visit_loads_little(built):
    names = ["index.html", "page-*.js", "chunk-*.js", "editor-*.js", "runner-*.js", "session-*.js", "worker-*.js"]
    files = [path for name in [*names, "viz-*.js"] for path in built.glob(name)]
    archives = [path for name in ("python", "package", "sources") for path in built.glob(f"{name}-*.tar.gz")]
    assert len(archives) == 3 and len(files) > 8
    total = sum(len(gzip.compress(path.read_bytes())) for path in files) + sum(path.stat().st_size for path in archives)
    assert total <= MOST_BYTES, total


def test_the_service_worker_keeps_every_file(built):
    kept = set(re.findall(r'"([^"]+)"', (built / "offline.js").read_text(encoding="utf-8").partition("]")[0]))
    there = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    assert there - {"offline.js"} <= kept


@pytest.mark.parametrize("missing", ["node", "npm"])
def test_without_node_one_sentence_says_what_is_missing(build_module, monkeypatch, missing):
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == missing else which(name) or name)
    sentence = build_module.what_is_missing()
    assert f"there is no `{missing}` here" in sentence and "\n" not in sentence


def test_a_skip_fails_where_the_live_page_is_required(monkeypatch):
    assert "export LIVE_PAGE=required" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    skipped = types.SimpleNamespace(skipped=True, outcome="skipped", longrepr=("a.py", 1, "Skipped: no Node.js"))
    monkeypatch.delenv("LIVE_PAGE", raising=False)
    assert not_skipped(skipped).outcome == "skipped"
    monkeypatch.setenv("LIVE_PAGE", "required")
    assert not_skipped(skipped).outcome == "failed" and "no Node.js" in skipped.longrepr
    passed = types.SimpleNamespace(skipped=False, outcome="passed")
    assert not_skipped(passed).outcome == "passed"
