"""Set-up of the test process, and fixtures that tests of several parts use."""

import gc
import json
import os
import pathlib
import pkgutil
import shlex
import shutil
import subprocess
import sys
import tempfile

# Before numpy and torch are loaded: several test processes run at once, and each gets one thread for its products.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

# Tests make and remove tens of thousands of small files. In memory that takes a third of the kernel's time.
_MEMORY = pathlib.Path("/dev/shm")
if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > 4 * 2**30:
    if not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = f"{_MEMORY}/legacy_autograd_tests_{os.getuid()}"
        os.makedirs(tempfile.tempdir, mode=0o700, exist_ok=True)

# jsonschema, which Jupyter loads, would make a grammar of internet addresses in every test process: two seconds.
sys.modules.setdefault("rfc3987_syntax", None)

# What modules and tests consist of stays until the end: no garbage collection need look at it.
gc.disable()

if "coverage" in sys.modules:  # it traces as a debugger does, and a debugger finds the book (autograd/fast/)
    os.environ.setdefault("LEGACY_AUTOGRAD_PLAIN", "0")

import interpreters  # noqa: E402
import kernels  # noqa: E402
import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

import legacy_autograd  # noqa: E402
from legacy_autograd import commands  # noqa: E402

# No random program fails because the machine is slow.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMEDRIVER = shutil.which("chromedriver")
NO_CHROMIUM = "no Chromium with its driver"
INSTALL_CHROMIUM = "apt-get install chromium chromium-driver"
_ROOT = str(pathlib.Path(legacy_autograd.__file__).resolve().parents[1])
_COMMANDS = [f"legacy_autograd.commands.{module.name}" for module in pkgutil.iter_modules(commands.__path__)]


# Tests that use one of these fixtures run one after the other in one test process: they start several processes each,
# or share something that takes long to make.
_GROUPS = {
    "mpi_works": "mpi",
    "_shared_browser": "browser",
    "built": "browser",  # the live page, which most of its tests look at in one
    "forked_kernels": "nbgrader",  # whose kernels are forks of the same process
    "plain": "nbgrader",
    "shortened": "nbgrader",
    "commands": "nbgrader",
    "judging": "Judge",
    "forked_worlds": "worlds",  # forks of the same processes
    "wheel_file": "wheel",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        for fixture, group in _GROUPS.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group(group))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Run the tests of one file in one test process, so that only one makes what they share."""
    from xdist.scheduler import LoadGroupScheduling

    class Files(LoadGroupScheduling):
        def _split_scope(self, nodeid):
            group = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if group == nodeid else group

    return Files(config, log) if config.option.dist == "loadgroup" else None


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_unconfigure():
    interpreters.end()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Show under each failure the command that repeats this test alone."""
    report = yield
    if report.failed:
        nodeid = item.nodeid.partition("@")[0]  # xdist appends the name of the test's group
        command = f"{os.path.relpath(sys.executable, item.config.rootpath)} -m pytest -m '' {shlex.quote(nodeid)}"
        report.sections.append(("Repeat this test alone", command))
    return report


def pytest_terminal_summary(terminalreporter):
    """Say in one sentence how to install what the skipped tests of pages need; under xdist in the controller."""
    skipped = [report for report in terminalreporter.stats.get("skipped", ()) if NO_CHROMIUM in str(report.longrepr)]
    if skipped:
        tests = "1 test was" if len(skipped) == 1 else f"{len(skipped)} tests were"
        how = f"(on Debian or Ubuntu: {INSTALL_CHROMIUM})"
        terminalreporter.write_line(f"{tests} skipped because there is {NO_CHROMIUM} {how}")


@pytest.fixture
def loaded():
    """Further modules that the processes of `command` begin with; tests whose programs all import one override this."""
    return []


@pytest.fixture
def command(tmp_path, loaded):
    """`command("demo", ...)` runs `python -m legacy_autograd demo ...` in an empty folder and returns what happened.

    The process sees no era and no search path of this one, apart from where the package is.
    """

    def run(*arguments, timeout=120, **environment):
        clean = {name: value for name, value in os.environ.items() if name != "LEGACY_AUTOGRAD_ERA"}
        return interpreters.run(
            [sys.executable, "-m", "legacy_autograd", *map(str, arguments)],
            load=[*_COMMANDS, *loaded],
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


@pytest.fixture(scope="session")
def kernel_server():
    """`with kernel_server():` has the kernels that start inside forked from one process (kernels.py)."""
    with kernels.forked() as use:
        yield use


@pytest.fixture
def forked_kernels(kernel_server):
    """The kernels of this test are forks."""
    with kernel_server():
        yield


@pytest.fixture(scope="session")
def _shared_browser(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: pip install selenium")
    if CHROMIUM is None or CHROMEDRIVER is None:
        pytest.skip(f"{NO_CHROMIUM} (Debian: {INSTALL_CHROMIUM})")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        "headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-background-networking",
        "disable-component-update", "disable-sync", "no-first-run", "window-size=1200,900",
        f"user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):  # fmt: skip
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=CHROMEDRIVER))
    driver.command_executor.client_config.timeout = 900  # seconds; tests set the limit of their scripts themselves
    yield driver
    driver.quit()


@pytest.fixture
def browser(_shared_browser):
    """The browser that the tests of pages and slides share; it leaves a test's page, which may be playing."""
    yield _shared_browser
    _shared_browser.get("about:blank")


@pytest.fixture(scope="session")
def axe():
    """`axe(browser)`: what axe-core finds in the page that is open, one line each. Frames are pages of their own."""
    if shutil.which("npm") is None:
        pytest.skip("no Node.js: axe-core comes with the live page's packages (Debian: apt-get install nodejs npm)")
    playground = pathlib.Path(__file__).resolve().parents[1] / "playground"
    install = "import build\nwith build.one_at_a_time():\n    build.install()"
    subprocess.run([sys.executable, "-c", install], cwd=playground, check=True, capture_output=True, timeout=600)
    script = (playground / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def find(browser):
        browser.execute_script(script)
        return browser.execute_async_script(
            "const done = arguments[0]; axe.run(document, { iframes: false }).then(({ violations }) => done("
            "violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.target} ${node.failureSummary}`))));"
        )

    return find


@pytest.fixture
def opened(browser, tmp_path):
    """`opened(html)` opens a page; afterwards the browser must have had nothing to complain of, nor left the file."""

    def open_page(text, anchor=""):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        browser.get("about:blank")
        for kind in ("browser", "performance"):
            browser.get_log(kind)
        browser.get(path.as_uri() + anchor)
        return browser

    yield open_page
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked_for = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    asked_for = [url for url in asked_for if not url.startswith("chrome:")]  # the new browser's own first page
    assert asked_for[0].startswith("file:")
    assert [url for url in asked_for if not url.startswith(("file:", "data:", "about:"))] == []
