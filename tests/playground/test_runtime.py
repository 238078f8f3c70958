"""The runtimes of the live page: each starts, prints, reads, writes, calls functions of the page, and stops."""

import pytest

from .conftest import ROOT

ADAPTER = """
    const [worker, archives, library, done] = arguments;
    const base = new URL("./", location.href).href;
    const messages = [];
    const python = new Worker(worker, { type: "module" });
    python.onmessage = ({ data }) => {
        messages.push(data);
        setTimeout(() => done(messages), 300);
    };
    python.onerror = (event) => done([{ failure: event.message }]);
    python.postMessage({ base, archives, library });
"""


@pytest.mark.parametrize("runtime", ["cowasm", pytest.param("pyodide", marks=pytest.mark.slow)])
def test_a_runtime_starts_prints_reads_writes_and_stops(_shared_browser, built, served, build_module, runtime):
    folder = built.parents[1] / f"adapter-{runtime}"
    folder.mkdir()
    options = build_module.options_of_worker(runtime)
    scripts, _ = build_module.bundle(folder, [str(ROOT / "tests/playground/adapter_worker.js")], *options)
    python = ROOT / "playground" / "python"
    files = {f"test/{path.name}": path.read_bytes() for path in (python / "bundle.py", python / "playground/bridge.py")}
    archives = [build_module.write_archive(folder, "bridge", files)]
    if runtime == "pyodide":
        build_module.copy_pyodide(folder / "pyodide", None)
    else:
        archives.append(f"../some/where/{next(built.glob('python-*')).name}")
    (folder / "index.html").write_text("<!doctype html><title>adapter</title>")
    address, _ = served
    _shared_browser.get(address.replace("/some/where/", f"/{folder.name}/"))
    _shared_browser.set_script_timeout(120)
    (told,) = _shared_browser.execute_async_script(ADAPTER, scripts["adapter_worker.js"], archives, runtime == "cowasm")
    assert "ZeroDivisionError: division by zero" in told["failure"], told["failure"]
    printed = {is_error: "".join(text for text, kind in told["printed"] if kind == is_error) for is_error in (0, 1)}
    assert printed[False] == "zwölf\nnot today\n"
    assert "to the other\n" in printed[True]
    assert told["written"] == "42"
    assert set(told["progress"]) == {"python", "unpacking"}
    assert 5 < told["megabytes"] < 100
