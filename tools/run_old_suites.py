"""Run PyTorch's own test files of v0.1.1 to v0.2.0, unchanged, through `python -m legacy_autograd run`.

    python tools/run_old_suites.py FOLDER                 the counts of every file, and each failing test's reason
    python tools/run_old_suites.py FOLDER v0.1.12/test_nn.py …   these files only
    python tools/run_old_suites.py FOLDER --write         the same, written to docs/suites.md

FOLDER contains one folder for each version with its tests and the files that they import, for example
FOLDER/v0.1.12/test/test_nn.py and common.py. They are not part of this project: `git show 2197e4c766:test/test_nn.py`
in a clone of github.com/gchanan/pytorch prints one of v0.1.12. Tags lead to those of v0.1.1 and v0.1.5; v0.1.9's are
those of commit aaf41c61a6, of its day, v0.2.0's those of e02f7bf8a3 (4 August 2017), of its release branch.

tools/old_suites.toml lists excluded tests, each with the line that needs an excluded feature (with `sometimes`: that
fails by chance), and known failures with their reasons. The exit code is 1 if a test in neither list fails, if a test
in one of them passes, or if a line differs from the list.
"""

import argparse
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
LISTS = ROOT / "tools" / "old_suites.toml"
DOCUMENT = ROOT / "docs" / "suites.md"
VERSIONS = ("v0.1.1", "v0.1.5", "v0.1.9", "v0.1.12", "v0.2.0")
FILES = ("autograd", "nn", "torch", "optim", "utils", "dataloader", "multiprocessing")
SECONDS = 300  # without another line or dot of output: a busy machine is slow, but goes on


class Outcome:
    """The result of one test file: the counts, and the names of the failed tests, such as "TestNN.test_linear"."""

    def __init__(self, text, lists, name):
        ran = re.search(r"^Ran (\d+) tests? in", text, re.MULTILINE)
        self.name = name
        self.started = ran is not None
        self.end = text.strip().splitlines()[-1] if text.strip() else "no output"
        self.ran = int(ran.group(1)) if ran else 0
        self.skipped = sum(map(int, re.findall(r"skipped=(\d+)", self.end)))
        failing = re.findall(r"^(?:ERROR|FAIL): (\w+) \((?:__main__\.)?(\w+)", text, re.MULTILINE)
        failing = {f"{owner}.{test}" for test, owner in failing}
        excluded, known = (_listed(lists, key, name) for key in ("excluded", "known_failures"))
        sometimes = _listed(lists, "excluded", name, sometimes=True)
        self.excluded = sorted(failing & excluded | sometimes)
        self.failed = sorted(failing - excluded)
        self.unexplained = sorted(failing - excluded - known)
        self.stale = sorted((excluded | known) - sometimes - failing) if self.started else []

    @property
    def passed(self):
        return self.ran - self.skipped - len(self.excluded) - len(self.failed)

    @property
    def cell(self):
        """Return the entry of the table: how many of the included tests pass."""
        if not self.started:
            return self.end if self.end.startswith("no end") else f"does not start: {self.end}"
        counted = f"{self.passed} of {self.passed + len(self.failed)}"
        return counted + (f", {len(self.excluded)} left out" if self.excluded else "")


def _listed(lists, key, name, sometimes=False):
    rows = [row for row in lists.get(key, []) if name in row["files"] and row.get("sometimes", False) >= sometimes]
    return {test for row in rows for test in row["tests"]}


def run(folder, name, era):
    """Run the test file `name`, for example "v0.1.12/test_nn.py", and return its result."""
    version, file = name.split("/")
    command = [sys.executable, "-m", "legacy_autograd", "run", "--era", era, "--trust-pickles", file]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=folder / version / "test", env=environment, stdin=subprocess.DEVNULL, start_new_session=True,
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
        size, last = 0, time.monotonic()
        while process.poll() is None and time.monotonic() - last < SECONDS:
            time.sleep(0.05)
            if os.fstat(output.fileno()).st_size > size:
                size, last = os.fstat(output.fileno()).st_size, time.monotonic()
        stopped = process.poll() is None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # and the processes that its tests have left
        process.wait()
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    # After a failure a test may leave a process that waits forever; the counts were printed before.
    return f"no end: {SECONDS} seconds without progress" if stopped and "\nRan " not in text else text


def wrong_lines(folder, lists):
    """Return the entries of the list of excluded tests that do not match the test files."""
    wrong = []
    for row in lists.get("excluded", []):
        for name in row["files"]:
            version, file = name.split("/")
            path = folder / version / "test" / file
            number, _, text = row["line"].partition(": ")
            if path.exists() and text not in path.read_text(encoding="utf-8").splitlines()[int(number) - 1]:
                wrong.append(f"{name}, line {number}, does not have {text!r}")
    return wrong


def table(outcomes):
    """Return the counts as a Markdown table with a row for each test file and a column for each version."""
    versions = [version for version in VERSIONS if any(name.startswith(version + "/") for name in outcomes)]
    lines = ["| test file | " + " | ".join(versions) + " |", "|---" * (len(versions) + 1) + "|"]
    for file in FILES:
        cells = [outcomes.get(f"{version}/test_{file}.py") for version in versions]
        if any(cells):
            shown = [outcome.cell if outcome else "–" for outcome in cells]
            lines.append(f"| test_{file} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def _rows(lists, key):
    for row in lists.get(key, []):
        tests = ", ".join(f"`{test}`" for test in row["tests"])
        yield f"{', '.join(row['files'])}: {tests}", row


def document(outcomes, lists):
    """Return the text of docs/suites.md."""
    known = [f"| {place} | {row['reason']} |" for place, row in _rows(lists, "known_failures")]
    excluded = [
        f"| {place} | {row['needs']} | `{row['line'].partition(': ')[2]}` (line {row['line'].partition(': ')[0]}) |"
        for place, row in _rows(lists, "excluded")
    ]
    names = [f"| `{name}` | {reason} |" for name, reason in lists.get("names_left_out", {}).items()]
    eras = sorted(f"{name} under `--era {era}`" for name, era in lists.get("eras", {}).items())
    return "\n".join(
        [
            "# The test suites of PyTorch v0.1.x and v0.2.0",
            "",
            "PyTorch's own test files of 2016–17 run unchanged, through `python -m legacy_autograd run",
            "--trust-pickles`. The files are not part of this project. With a folder of them, one command repeats the",
            "table and rewrites this page: `python tools/run_old_suites.py FOLDER --write`. The lists below are those",
            "of `tools/old_suites.toml`.",
            "",
            "A cell is how many tests pass, of all that neither skip themselves (for want of CUDA, a package or a",
            "download) nor are left out. Conventions are those of v0.1.12, but for " + "; ".join(eras) + ".",
            "",
            table(outcomes),
            "",
            "## Tests that fail",
            "",
            "| test | reason |",
            "|---|---|",
            *known,
            "",
            "## Tests that are left out",
            "",
            "They need what this package leaves out, CUDA, sparse tensors or `torch.legacy.nn`, or are tests that",
            "their own version skipped because it lacked the function, or that fail by chance in any version.",
            "",
            "| test | needs | in this line |",
            "|---|---|---|",
            *excluded,
            "",
            "## Names left out",
            "",
            "Every other public name of v0.1.12 and of v0.2.0, in all of their modules, exists under `run`, as",
            "`tests/names/test_names_of_v0_1_12.py::test_every_name_is_there_or_left_out_with_a_reason` shows.",
            "`tools/old_names.py` makes the lists of names from their sources, without `torch.legacy.nn`. What needs a",
            "graphics card exists and raises.",
            "",
            "| name | reason |",
            "|---|---|",
            *names,
            "",
        ]
    )


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="for example v0.1.12/test_nn.py (default: all files)")
    parser.add_argument("--write", action="store_true", help="write docs/suites.md")
    parser.add_argument("--lists", type=pathlib.Path, default=LISTS, help="the list of excluded tests")
    parser.add_argument("--document", type=pathlib.Path, default=DOCUMENT, help="the file to write")
    options = parser.parse_args(arguments)
    if options.write and options.names:
        parser.error("--write needs all files")
    lists = tomllib.loads(options.lists.read_text(encoding="utf-8"))
    names = options.names or [f"{version}/test_{file}.py" for version in VERSIONS for file in FILES]
    names = [name for name in names if (options.folder / name.replace("/", "/test/")).exists()]
    if not names:
        parser.error(f"no test file of these versions in {options.folder}")
    eras = lists.get("eras", {})
    outcomes = {}
    for name in names:
        era = eras.get(name, eras.get(name.split("/")[0], "0.1.12"))
        outcome = outcomes[name] = Outcome(run(options.folder, name, era), lists, name)
        print(f"{name}: {outcome.cell}, {outcome.skipped} skipped", flush=True)
    print("\n" + table(outcomes))
    problems = [f"{name}: {outcome.end}" for name, outcome in outcomes.items() if not outcome.started]
    for outcome in outcomes.values():
        problems += [f"{outcome.name}: {test} fails, and is in no list" for test in outcome.unexplained]
        problems += [f"{outcome.name}: {test} is in a list, and does not fail" for test in outcome.stale]
    problems += wrong_lines(options.folder, lists)
    if options.write:
        options.document.write_text(document(outcomes, lists), encoding="utf-8")
    if problems:
        print("\n" + "\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
