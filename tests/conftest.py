"""Set-up of the test process, and fixtures that tests of several parts use."""

import os
import pathlib
import shlex
import subprocess
import sys

# Before numpy and torch are loaded: several test processes run at once, and each gets one thread for its products.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

if "coverage" in sys.modules:  # it traces as a debugger does, and a debugger finds the book (autograd/fast.py)
    os.environ.setdefault("LEGACY_AUTOGRAD_PLAIN", "0")

import pytest  # noqa: E402

import legacy_autograd  # noqa: E402

_ROOT = str(pathlib.Path(legacy_autograd.__file__).resolve().parents[1])


# Tests that use one of these fixtures run one after the other in one test process: they start several processes each,
# or share something that takes long to make.
_GROUPS = {
    "mpi_works": "mpi",
    "browser": "browser",
    "plain": "nbgrader",
    "shortened": "nbgrader",
    "commands": "nbgrader",
    "judging": "Judge",
    "wheel": "wheel",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        for fixture, group in _GROUPS.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group(group))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Show under each failure the command that repeats this test alone."""
    report = yield
    if report.failed:
        nodeid = item.nodeid.partition("@")[0]  # xdist appends the name of the test's group
        command = f"{os.path.relpath(sys.executable, item.config.rootpath)} -m pytest -m '' {shlex.quote(nodeid)}"
        report.sections.append(("Repeat this test alone", command))
    return report


@pytest.fixture
def command(tmp_path):
    """`command("demo", ...)` runs `python -m legacy_autograd demo ...` in an empty folder and returns what happened.

    The process sees no era and no search path of this one, apart from where the package is.
    """

    def run(*arguments, timeout=120, **environment):
        clean = {name: value for name, value in os.environ.items() if name != "LEGACY_AUTOGRAD_ERA"}
        return subprocess.run(
            [sys.executable, "-m", "legacy_autograd", *map(str, arguments)],
            cwd=tmp_path,
            env={**clean, "PYTHONPATH": _ROOT, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
        )

    return run


@pytest.fixture
def program_folder(tmp_path):
    """Where `program` writes the program; not the folder that it is run from."""
    folder = tmp_path / "programs"
    folder.mkdir()
    return folder


@pytest.fixture
def program(program_folder, command):
    """`program(source, ...)` runs a program's text through `python -m legacy_autograd run`."""

    def run(source, *arguments, options=(), **keywords):
        path = program_folder / "program.py"
        path.write_text(source, encoding="utf-8")
        return command("run", *options, path, *arguments, **keywords)

    return run
