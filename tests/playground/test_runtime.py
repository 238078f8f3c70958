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


SESSION = """
    const [name, programs, damage, done] = arguments;
    const base = new URL("./", location.href).href;
    (async () => {
        const { Session } = await import(base + name);
        if (damage) {
            const cache = await caches.open("play-saved");
            for (const request of await cache.keys()) {
                const bytes = await (await cache.match(request)).arrayBuffer();
                await cache.put(request, new Response(bytes.slice(0, 2000000)));
            }
        }
        const printed = [];
        const session = new Session({ base, on: { print: (text) => printed.push(text) } });
        const { resumed } = await session.ready;
        const replies = [];
        for (const program of programs) replies.push(await session.run(program));
        for (let wait = 0; wait < 600 && !(await (await caches.open("play-saved")).keys()).length; wait++)
            await new Promise((then) => setTimeout(then, 100));
        session.close();
        done({ resumed, printed: printed.join(""), errors: replies.map((reply) => reply.error) });
    })().catch((error) => done({ failure: String(error.stack ?? error) }));
"""
PROGRAMS = [
    """
import random, numpy
import legacy_autograd as torch
print(random.random(), numpy.random.rand(), torch.rand(1)[0])
""",
    """
from decimal import Decimal  # an extension module that is loaded after the start
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable
x = Variable(torch.Tensor([3]))
y = x * x
y.backward()
print(x.grad[0] + 1, Decimal("0.1") * 3, "</svg>" in drawing.make_dot(y)._repr_mimebundle_()["image/svg+xml"])
""",
    "numpy.linalg.inv(numpy.eye(3) * 4)[0, 0], numpy.random.default_rng(0).integers(100), x.data.double().sum()",
]


@pytest.mark.slow
def test_a_second_start_continues_where_the_first_was_saved(_shared_browser, built, served):
    """The same programs run after a start from nothing, from the saved state, and where that state is damaged."""
    address, _ = served
    (script,) = [path.name for path in built.glob("session-*.js")]
    _shared_browser.set_script_timeout(240)

    def told(damage=False):
        _shared_browser.get("about:blank")
        _shared_browser.get(address + "licences.html")
        found = _shared_browser.execute_async_script(SESSION, script, programs, damage)
        assert "failure" not in found, found["failure"]
        assert found["errors"] == [None] * 3
        return found

    programs = [PROGRAMS[0], "\n".join(PROGRAMS[:2]), "\n".join([PROGRAMS[0], PROGRAMS[1], PROGRAMS[2]])]
    _shared_browser.get(address + "licences.html")
    _shared_browser.execute_async_script("caches.delete('play-saved').then(arguments[0])")
    first, second, third = told(), told(), told(damage=True)
    assert [first["resumed"], second["resumed"], third["resumed"]] == [False, True, False]
    drawn = set()
    for found in (first, second, third):
        lines = found["printed"].splitlines()
        assert [line for line in lines if "0.3" in line.split()] == ["7.0 0.3 True"] * 2
        drawn.update(lines[0].split())
    assert len(drawn) == 9  # no start repeats the random numbers of another
