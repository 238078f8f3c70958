"""Break the package in random places, one at a time, and test whether the tests notice.

    python tools/mutate.py                           40 breaks in all parts, chosen by the default seed
    python tools/mutate.py --list                    print them and run nothing
    python tools/mutate.py --only 7                  run only number 7 of them
    python tools/mutate.py --part core --count 10    ten breaks of one part
    python tools/mutate.py --own-tests               run only the tests of each break's part
    python tools/mutate.py --results FILE            append each result to FILE; the same command again resumes
    python tools/mutate.py --pytest '-n 2'           more options for pytest

Each break runs in a temporary copy of a commit: first the tests of its part, up to the first failure, then, if it
survives, all other tests. An endless loop counts as caught. A failing test is repeated on the unbroken code; if it
fails there too, it is excluded from then on. A test that compares the sources' text with a digest catches every break:
exclude it with --pytest '--deselect …'. The exit code is 1 if a break survives.

To compare two test suites, let the second run repeat the breaks of the first. It finds each by its changed lines, so
files may have moved in between:

    python tools/mutate.py --package-from OLD --tests-from OLD --results old.jsonl
    python tools/mutate.py --same-as old.jsonl --results new.jsonl

To run both suites on one package, use `--package-from REV --tests-from OLD` and `--package-from REV --tests-from NEW`.

A break that does not change the behaviour is not used. `equivalent_breaks.txt` lists such breaks in the form of
--list; another one is chosen instead.

mutmut 3.8 puts all breaks of a file into it at once, so the digest of the fast twin never fits and only the book is
tested. cosmic-ray 8.7 swaps no arguments and removes no statement, context or keyword: 34 of these 86 breaks of
engine.py.
"""

import argparse
import contextlib
import dataclasses
import io
import json
import os
import pathlib
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

from breaks import PARTS, ROOT, draw, draw_again, equivalent_breaks

# The files of a test suite. All other files belong to the package that it tests.
SUITE = ("tests", "tools", "setup.cfg", "pyproject.toml")

# pytest loads this plugin, which notes each test as it starts, fails and ends.
PLUGIN = """
import os

def note(word, nodeid):
    with open(os.environ["MUTATE_REPORT"], "a", encoding="utf-8") as file:
        print(word, nodeid, file=file)

def pytest_runtest_logstart(nodeid):
    note("started", nodeid)

def pytest_runtest_logfinish(nodeid):
    note("ended", nodeid)

def pytest_runtest_logreport(report):
    if report.failed:
        note("failed", report.nodeid)

pytest_collectreport = pytest_runtest_logreport
"""
# Bytes that a process may allocate, so that a break cannot exhaust the machine.
MEMORY = 6 * 2**30


class Runner:
    """Runs the tests of one commit on the package of another, in copies of the folder `unbroken`."""

    def __init__(self, scratch, package, tests, options, silence, only_own=False):
        self.scratch, self.options, self.silence, self.left_out = scratch, options, silence, []
        self.only_own = only_own  # whether a break that survives the tests of its part survives
        self.unbroken, self.report = scratch / "unbroken", scratch / "report"
        (scratch / "mutate_plugin.py").write_text(PLUGIN)
        for revision, of_suite in ((package, False), (tests, True)):
            archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                members = [member for member in tar if (member.name.split("/")[0] in SUITE) == of_suite]
                tar.extractall(self.unbroken, members, filter="data")

    def collect(self):
        """Exclude the test files that cannot be imported even without a break."""
        while failure := self.failure(["tests", "--collect-only"]):
            if failure[0] is None:
                raise SystemExit(f"mutate: the tests do not start without a break: {failure[1]}")
            self.leave_out(failure[0])

    def leave_out(self, test):
        print(f"left out, because it fails without a break too: {test}", flush=True)
        self.left_out.append(test)

    def caught_by(self, broken):
        """Return the test that catches the break, or None if it survives all."""
        own = [f"tests/{name}" for name in PARTS[broken.part][2] if (self.unbroken / "tests" / name).exists()]
        others = ["tests", *(f"--ignore={path}" for path in own)]
        for selection in filter(None, [own] if self.only_own else [own, others]):
            while failure := self.failure(selection, broken):
                test, description = failure
                unbroken = self.failure([test]) if test and test not in self.left_out else None
                if unbroken is None or unbroken[0] != test:
                    return description
                self.leave_out(test)
        return None

    def failure(self, selection, broken=None):
        """Run the selected tests up to the first failure: return the test, if known, and a description, or None."""
        folder, log = self.scratch / "copy", self.scratch / "log"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.unbroken, folder)
        if broken is not None:
            path = folder / broken.path
            path.write_bytes(broken.applied(path.read_bytes()))
        self.report.write_text("")
        left_out = [f"--deselect={test}" if "::" in test else f"--ignore={test}" for test in self.left_out]
        pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "mutate_plugin"]
        pytest.append(f"--basetemp={self.scratch / 'tmp'}")
        search_path = os.pathsep.join(map(str, (folder, self.scratch)))
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*pytest, *self.options, *left_out, *selection],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": search_path, "MUTATE_REPORT": str(self.report)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)),
            )
        try:
            code = self.wait(process)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        notes = [line.split(" ", 1) for line in self.report.read_text(encoding="utf-8").splitlines()]
        tests = {word: [test for noted, test in notes if noted == word] for word in ("started", "ended", "failed")}
        if tests["failed"]:
            return tests["failed"][0], tests["failed"][0]
        if code is None:
            test = next((test for test in tests["started"] if test not in tests["ended"]), None)
            return test, f"{test or 'collection'} (no end)"
        if code in (0, 5):  # 5: no test is left in this selection
            return None
        return None, f"exit code {code}: {log.read_text(errors='replace').strip().splitlines()[-1:]}"

    def wait(self, process):
        """Return the exit code, or None if no test has started or ended for `silence` seconds."""
        while time.time() - self.report.stat().st_mtime < self.silence:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(timeout=1)
        return None


def read_results(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def run(runner, breaks, setting, file):
    """Run the breaks that have no result in this setting yet, and return the results of all, by number."""
    known = read_results(file) if file else []
    results = {}
    for number, broken in breaks.items():
        record = dataclasses.asdict(broken) | setting
        results[number] = next((result for result in known if record.items() <= result.items()), record)
    if not all("caught_by" in result for result in results.values()):
        runner.collect()
    for number, result in results.items():
        if "caught_by" not in result:
            start = time.monotonic()
            result["caught_by"] = runner.caught_by(breaks[number])
            result["seconds"] = round(time.monotonic() - start, 1)
            if file:
                with file.open("a", encoding="utf-8") as lines:
                    print(json.dumps(result, ensure_ascii=False), file=lines)
        print(f"{number}: {result['caught_by'] or 'survived'}", flush=True)
    return results


def table(results):
    """Return a table with a row for each break: its number, part, place and change, and the test that catches it."""
    rows = [("", "part", "place", "change", "caught by")]
    for number, result in results.items():
        change = " → ".join(" ".join(result[side].split())[:30] for side in ("old", "new"))
        place = f"{result['path'].removeprefix('legacy_autograd/')}:{result['line']}"
        rows.append((str(number), result["part"], place, change, result["caught_by"] or "SURVIVED"))
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="2016", help="the seed of the random choice (default: %(default)s)")
    parser.add_argument("--count", type=int, default=40, help="the number of breaks (default: %(default)s)")
    parser.add_argument("--part", choices=PARTS, help="choose all breaks in one part")
    parser.add_argument("--only", type=int, metavar="K", help="run only the break with this number")
    parser.add_argument("--list", action="store_true", help="print the breaks and run nothing")
    parser.add_argument("--same-as", type=pathlib.Path, metavar="FILE", help="repeat the breaks of these results")
    parser.add_argument("--own-tests", action="store_true", help="run only the tests of each break's part")
    parser.add_argument("--package-from", default="HEAD", metavar="REV", help="the package's commit (default: HEAD)")
    parser.add_argument("--tests-from", default="HEAD", metavar="REV", help="the tests' commit (default: HEAD)")
    parser.add_argument("--pytest", default="", metavar="OPTIONS", help="more options for pytest, as one word")
    parser.add_argument("--silence", type=float, default=300, help="seconds without output that mean an endless loop")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE", help="append a line of JSON for each break")
    return parser.parse_args()


def main():
    options = arguments()
    commits = ["git", "rev-parse", options.package_from, options.tests_from]
    package, tests = subprocess.check_output(commits, cwd=ROOT, text=True).split()
    with tempfile.TemporaryDirectory(prefix="mutate-") as scratch:
        pytest = shlex.split(options.pytest)
        runner = Runner(pathlib.Path(scratch), package, tests, pytest, options.silence, options.own_tests)
        if options.same_as:
            drawn = draw_again(runner.unbroken, read_results(options.same_as))
        else:
            parts = [options.part] if options.part else list(PARTS)
            drawn = draw(runner.unbroken, options.seed, options.count, parts, equivalent_breaks())
        breaks = {number: broken for number, broken in enumerate(drawn, 1) if options.only in (None, number)}
        for number in [number for number, broken in breaks.items() if broken is None]:
            print(f"{number}: left out, its lines are no longer in the package", file=sys.stderr)
            del breaks[number]
        if options.list:
            for number, broken in breaks.items():
                print(f"# {number}: {broken.part}, {broken.kind}, line {broken.line}\n{broken}\n")
            return 0
        setting = {"package": package, "tests": tests, "pytest": options.pytest, "own_tests": options.own_tests}
        results = run(runner, breaks, setting, options.results)
    survivors = sum(result["caught_by"] is None for result in results.values())
    source = f"the breaks of {options.same_as}" if options.same_as else f"seed {options.seed}"
    print(f"\n{table(results)}\n\n{len(results) - survivors} of {len(results)} caught ({source})")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
