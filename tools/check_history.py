"""Compare the versions that the project's texts give with PyTorch's git history.

    python tools/check_history.py FOLDER        FOLDER is a clone of PyTorch, for example of github.com/gchanan/pytorch

The script checks three things:

- a commit beside a version, in the exhibits of `legacy_autograd/historical/` and in the notebooks' links: the version
  is the first that contains the commit
- each version in brackets, or in a column of versions, of the tables of FIDELITY.md: by the commits of the exhibit with
  the row's id, and by the entries of tools/history.toml, each a commit or a text of the sources
- the entries of tools/history.toml: each belongs to a row

It prints each contradiction, and then the versions that it could not check. The exit code is 1 if there is a
contradiction. Nothing is read from the network.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
# v0.1.1 itself is no change, and `torch 2.13` or `v0.1.x` in brackets belong to a sentence.
VERSION = re.compile(r"(?<![\w.])(?:v?0\.1\.(?:[2-9]|1\d)|0\.[2-4](?:\.\d)?|[12]\.\d\d?)(?![\w.]*\d)")
CONVENTIONS = re.compile(r"(?:conventions of|torch|torchvision) v?[\d.]+|`[^`]*`|\[note \d+\]|\(v0\.1\.12\)$")
COMMIT = re.compile(r"\b[0-9a-f]{10}\b")


class History:
    """A clone of PyTorch, and the versions in order: {name: tag or commit}."""

    def __init__(self, folder, versions):
        self.folder = folder
        self.versions = versions

    def git(self, *arguments):
        """Run git; return whether it succeeded. An exit code above 1, which means an error, raises RuntimeError."""
        done = subprocess.run(["git", "-C", self.folder, *arguments], capture_output=True, encoding="utf-8")
        if done.returncode > 1:
            raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
        return done.returncode == 0

    def first_with_commit(self, commit):
        """Return the first version that contains the commit, or None."""
        return self._first(lambda revision: self.git("merge-base", "--is-ancestor", commit, revision))

    def version_of(self, evidence):
        """Return the version that an entry of history.toml leads to, or None."""
        if "commit" in evidence:
            return self.first_with_commit(evidence["commit"])
        files = [evidence["files"]] if isinstance(evidence["files"], str) else evidence["files"]
        if "text" in evidence:
            return self._first(lambda revision: self.has_line(evidence["text"], revision, files))
        pattern = evidence.get("gone") or evidence["last"]
        found = [name for name, revision in self.versions.items() if self.has_line(pattern, revision, files)]
        if "last" in evidence or not found:
            return found[-1] if found else None
        names = list(self.versions)
        return dict(zip(names, names[1:])).get(found[-1])

    def has_line(self, pattern, revision, files):
        """Return whether a line of these files or folders matches the extended regular expression."""
        return self.git("grep", "-qE", "-e", pattern, revision, "--", *files)

    def _first(self, holds):
        return next((name for name, revision in self.versions.items() if holds(revision)), None)


def same(one, other):
    """Whether two texts name the same version: v0.1.9 and 0.1.9, 0.4 and 0.4.0."""
    return str(one).removeprefix("v").removesuffix(".0") == str(other).removeprefix("v").removesuffix(".0")


def claims(text):
    """Return [(row, [versions])] of the Markdown tables in `text`; a row without a version of its own is left out.

    A version counts if it is in brackets, or alone in a cell with other versions.
    """
    found = []
    for line in text.splitlines():
        if not line.startswith("|") or line.endswith("| test |") or re.match(r"\|[-|]+\|$", line):
            continue
        versions = []
        for cell in re.split(r"(?<!\\)\|", line.strip("|")):
            cell = CONVENTIONS.sub("", cell.strip())
            if re.fullmatch(r"(?:in part )?v?\d.*", cell) and VERSION.match(cell.removeprefix("in part ")):
                versions += VERSION.findall(cell)
            else:
                versions += [name for part in re.findall(r"\(([^()]*)\)", cell) for name in VERSION.findall(part)]
        if versions:
            found.append((line, list(dict.fromkeys(versions))))
    return found


def exhibits():
    """Return {id: [(version, commit)]} of the museum's exhibits, from their sources."""
    found = {}
    for path in sorted((ROOT / "legacy_autograd" / "historical").glob("*_exhibits.py")):
        text = path.read_text(encoding="utf-8")
        constants = dict(re.findall(r'^(_\w+) = "(.*)"$', text, re.MULTILINE))
        for id, cured in re.findall(r'^@exhibit\("(\w+)", ("[^"]*"|_\w+)', text, re.MULTILINE):
            found.setdefault(id, []).extend(commits_of(constants.get(cured, cured.strip('"'))))
    return found


def commits_of(text):
    """Return [(version, commit)]: the commits in the brackets behind each version, each with that version."""
    pairs = []
    for version, inside in re.findall(rf"({VERSION.pattern}) \(([^()]*)\)", text):
        for commit in COMMIT.finditer(inside):
            other = re.match(rf" of ({VERSION.pattern})", inside[commit.end() :])
            pairs.append((other[1] if other else version, commit[0]))
    return pairs


def links():
    """Return [(place, version, commit)] of the notebooks' links that name a version and lead to a commit."""
    found = []
    for path in sorted((ROOT / "notebooks" / "text").glob("*.md")):
        for text, commit in re.findall(r"\[([^\[\]]*)\]\(commit:(\w+)\)", path.read_text(encoding="utf-8")):
            if version := VERSION.search(text):
                found.append((path.name, version[0], commit))
    return found


def check(history, text, changes, exhibits, links):
    """Return (contradictions, versions that were not checked), as two lists of lines."""
    wrong, unchecked = [], []

    def compare(place, version, evidence, what):
        found = history.version_of(evidence)
        if not same(found, version):
            wrong.append(f"{place}: {version} is given, but {what} leads to {found}")

    for id, pairs in exhibits.items():
        for version, commit in pairs:
            compare(f"exhibit {id}", version, {"commit": commit}, f"commit {commit}")
    for place, version, commit in links:
        compare(place, version, {"commit": commit}, f"commit {commit}")

    used = set()
    for row, versions in claims(text):
        ids = re.findall(r"\b[A-G]\d+\b", row)
        for letter, start, end in re.findall(r"\b([A-G])(\d+) to \1(\d+)\b", row):
            ids += [f"{letter}{number}" for number in range(int(start), int(end))]
        for version in versions:
            found = False
            for number, change in enumerate(changes):
                if change["row"] in row and same(change["version"], version):
                    used.add(number)
                    found = True
                    compare(shortened(row), version, change, evidence_of(change))
            known = [v for id in ids for v, _ in exhibits.get(id, ())]
            found = found or any(same(version, v) for v in known)  # the exhibit's own commits were compared above
            if not found:
                unchecked.append(f"{version}: {shortened(row)}")
    for number, change in enumerate(changes):
        if number not in used:
            wrong.append(f"history.toml: no row with {change['row']!r} gives {change['version']}")
    return wrong, unchecked


def evidence_of(change):
    """Return the words for the evidence of an entry."""
    kind = next(kind for kind in ("commit", "text", "gone", "last") if kind in change)
    return f"{kind} {change[kind]!r}"


def shortened(row):
    """Return the first words of a row of a table."""
    return row.strip("| ")[:70]


def main(arguments=None):
    """Print what contradicts the history and what was not checked. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="a clone of PyTorch")
    folder = parser.parse_args(arguments).folder
    table = tomllib.loads((ROOT / "tools" / "history.toml").read_text(encoding="utf-8"))
    text = (ROOT / "FIDELITY.md").read_text(encoding="utf-8")
    changes = [
        {"row": change["row"], "version": version, **evidence}
        for change in table["change"]
        for version, evidence in change.items()
        if version != "row"
    ]
    wrong, unchecked = check(History(folder, table["versions"]), text, changes, exhibits(), links())
    given = sum(len(versions) for _, versions in claims(text))
    checked = given - len(unchecked)
    for line in wrong:
        print(f"contradicts: {line}")
    for line in unchecked:
        print(f"not checked: {line}")
    print(f"{checked} of the {given} versions in FIDELITY.md were checked; {len(wrong)} contradictions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
