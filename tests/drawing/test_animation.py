"""The moving picture: at every moment it shows what the painted frame shows, and it grows with the steps."""

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from legacy_autograd import drawing
from legacy_autograd.drawing import animation, layout

from .graphs import Ours, diamond, random_program, variable

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")
README = Path(__file__).resolve().parents[2] / "README.md"


def traced():
    x, y, z = diamond()
    return drawing.trace_backward(z, params={"x": x, "y": y, "z": z})


def moving(trace, folder):
    trace.save(folder / "moving.svg")
    return (folder / "moving.svg").read_text(encoding="utf-8")


class Film:
    """Reads the keyframes as a browser does: a value holds from its percentage to the next."""

    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.stops = {
            name: [(float(share), value) for share, value in re.findall(r"([\d.]+)%{visibility:(\w+)}", body)]
            for name, body in re.findall(r"@keyframes (v[\d_-]+){((?:[\d.]+%{[^}]*})*)}", text)
        }

    def visible(self, share):
        """(state, name, value, …) of every node that is visible at `share` percent, and all other texts."""
        nodes, words = [], []
        for element in self.root.iter():
            classes = element.get("class", "").split()
            if "look" in classes:
                (name,) = [c for c in classes if c in self.stops]
                before = [value for at, value in self.stops[name] if at <= share]
                if before[-1] == "hidden":
                    continue
            if "node" in classes:
                state = [c for c in classes if c not in ("node", "look", "last") and not c.startswith("v")]
                nodes.append((*state, *["".join(text.itertext()) for text in element if text.tag.endswith("text")]))
            elif "edge" in classes or "words" in classes:
                words.append(" ".join(text for text in element.itertext() if text))
        return Counter(nodes), words


def nodes_of(svg):
    """The same of a frame, which is painted whole."""
    found = Counter()
    for element in ElementTree.fromstring(svg).iter():
        classes = element.get("class", "").split()
        if classes[:1] == ["node"]:
            found[(*classes[1:], *["".join(text.itertext()) for text in element if text.tag.endswith("text")])] += 1
    return found


@pytest.mark.parametrize("seed", [0, 3, None])
def test_each_moment_shows_the_frame_of_its_last_step(tmp_path, seed):
    trace = traced() if seed is None else drawing.trace_backward(random_program(seed)(Ours)[1][-1].sum())
    frames = trace.frames()
    film = Film(moving(trace, tmp_path))
    moments = animation._moments(trace)
    assert [step for steps in moments for step in steps] == list(trace)
    length = len(moments) - 1 + animation._LAST
    for moment, steps in enumerate(moments):
        nodes, words = film.visible(100 * (moment + 0.5) / length)
        if steps:
            assert nodes == nodes_of(frames[steps[-1].index]), moment
        assert len(words) == 1 + sum(len(node.inputs) for node in trace.nodes.values())


def test_the_diamond_ends_with_4_and_3_and_shows_every_sum(tmp_path):
    text = moving(traced(), tmp_path)
    film = Film(text)
    _, words = film.visible(99)
    assert words[-1] == "ready is empty: backward is done. x.grad = 4, y.grad = 3"
    # z = xy + (x + y) at (2, 3): 3 by the product and 1 by the sum reach x, 2 and 1 reach y.
    assert {"1 + 3 = 4", "1 + 2 = 3"} <= {e.text for e in film.root.iter() if e.get("class") == "grad"}
    assert "<script" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert len(text) < 60_000


def test_it_grows_with_the_steps(tmp_path):
    def size(length):
        value = variable(1.0)
        for _ in range(length):
            value = value * 2
        return len(moving(drawing.trace_backward(value), tmp_path))

    assert size(60) < 2.3 * size(30)


def test_a_forward_moves_and_chinese_is_broken_into_lines(tmp_path):
    with drawing.trace_forward() as trace:
        x, y, z = diamond()
    nodes, _ = Film(moving(trace, tmp_path)).visible(99)
    assert [state for state, *_ in nodes.elements()].count("built") == 5
    long = traced().in_language("zh")
    film = Film(moving(long, tmp_path))
    lines = [e.text for e in film.root.iter() if e.tag.endswith("tspan")]
    assert any("梯度" in line for line in lines) and max(map(len, lines)) <= 380 / 11


def test_the_readme_shows_the_moving_diamond_first():
    first = re.search(r"!\[(.*?)\]\((.*?)\)", README.read_text(encoding="utf-8"))
    assert first[2] == "diagrams/diamond_backward.svg" and "x.grad = 4 and y.grad = 3" in first[1]
    kept = README.parent / first[2]
    assert kept.stat().st_size < 60_000
    assert len(Film(kept.read_text(encoding="utf-8")).stops) > 20


def test_a_browser_moves_it_and_stands_still_where_less_motion_is_asked_for(opened, tmp_path):
    text = moving(traced(), tmp_path)
    browser = opened(f"<body>{text}</body>")
    shown = """
        const [seconds] = arguments;
        for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = 1000 * seconds; }
        return [...document.querySelectorAll("text")].filter(e => e.textContent.trim()
            && getComputedStyle(e).visibility === "visible").map(e => e.textContent);
    """
    film = Film(text)
    duration = float(re.search(r"animation: ([\d.]+)s step-end", text)[1])
    for share in (1, 30, 60, 99):
        nodes, words = film.visible(share)
        expected = [text for _, _, *lines in nodes.elements() for text in lines if text]
        found = browser.execute_script(shown, duration * share / 100)
        assert not Counter(expected) - Counter(found) and words[-1] in found
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    try:
        assert browser.execute_script("return document.getAnimations().length") == 0
        still = browser.execute_script(shown, 0)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert words[-1] in still and still.count("done") == 5 and "waits for 2" not in still
