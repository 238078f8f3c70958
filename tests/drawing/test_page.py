"""The step-through page, in a browser: steps, keys, the end; nothing from the network; no script from a name."""

import base64
import html
import re
import time
import xml.etree.ElementTree as ElementTree

import pytest

from legacy_autograd import drawing
from legacy_autograd.drawing import layout, page
from legacy_autograd.drawing.replay import State

from .graphs import diamond, variable

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")

EVIL = '</script><script>window.broken=1</script><img src=x onerror="window.broken=2">'


def html_of(trace, tmp_path):
    trace.save(tmp_path / "trace.html")
    return (tmp_path / "trace.html").read_text(encoding="utf-8")


def look(browser):
    """What the page says now: the step, the sentence, the states in the graph, and the panels."""
    return browser.execute_script("""
        const rows = name => [...document.querySelectorAll(`[data-panel="${name}"] tbody tr`)]
            .map(row => [...row.cells].map(cell => cell.textContent));
        const nodes = {};
        for (const node of document.querySelectorAll(".view .node"))
            nodes[node.querySelector("text.name").textContent] =
                [node.classList[1], node.querySelector("text.state").textContent];
        return {
            place: document.getElementById("place").textContent,
            words: document.getElementById("words").textContent,
            slider: document.getElementById("slider").value,
            line: [...document.querySelectorAll("ol.algorithm li.now")].map(line => line.textContent),
            active: document.querySelectorAll(".view .edge.active").length,
            nodes, ready: rows("ready"), not_ready: rows("not_ready"), dependencies: rows("dependencies"),
        };
    """)


def press(browser, *keys):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(browser).send_keys(*[getattr(Keys, key, key) for key in keys]).perform()


def expected(trace, index):
    """What `look` must find at a step, from the replay in Python."""
    state = list(trace.states())[index]
    tables = {name: {} for name in ("ready", "not_ready", "dependencies")} | state.panels
    panels = {name: [list(cells) for cells in table.values()] for name, table in tables.items()}
    return {
        "place": f"step {index + 1} of {len(trace)}",
        "words": trace[index].text,
        "slider": str(index),
        "nodes": {trace.nodes[n].label: [node["state"], node["words"]] for n, node in state.nodes.items()},
        **panels,
        "ready": panels["ready"][::-1],
    }


def test_stepping_forward_and_back_shows_what_the_trace_says(opened, tmp_path):
    x, y, z = diamond()
    trace = drawing.trace_backward(z)
    browser = opened(html_of(trace, tmp_path))
    for index in range(len(trace)):
        seen = look(browser)
        assert {key: seen[key] for key in expected(trace, index)} == expected(trace, index)
        assert len(seen["line"]) == 1
        assert seen["active"] == (trace[index].event in ("free", "ask", "add", "push"))
        browser.find_element("id", "next").click() if index < len(trace) - 1 else None
    assert browser.find_element("id", "next").get_attribute("aria-disabled") == "true"
    for index in range(len(trace) - 2, len(trace) - 8, -1):
        browser.find_element("id", "back").click()
        assert look(browser)["nodes"] == expected(trace, index)["nodes"]
    assert x is not y


def test_a_step_looks_the_same_from_wherever_it_is_reached(opened, tmp_path):
    value = variable(0.5)
    for number in range(24):
        value = value.exp() if number % 2 else value.tanh()
    trace = drawing.trace_backward(value)
    browser = opened(html_of(trace, tmp_path))
    assert len(trace) > 130  # every 64th state is stored
    for index in (100, 10, 70, 70, 63, 64, 62, 126, 128, 127, 0, len(trace) - 1, 65):
        browser.execute_script("page.stepper.go(arguments[0])", index)
        seen = look(browser)
        assert {key: seen[key] for key in expected(trace, index)} == expected(trace, index), index


def test_keys_slider_play_and_table(opened, tmp_path):
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    browser = opened(html_of(trace, tmp_path))
    press(browser, "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
    assert look(browser)["place"] == f"step 3 of {len(trace)}"
    press(browser, "END")
    assert {state for state, _ in look(browser)["nodes"].values()} == {"done"}
    press(browser, "HOME")
    assert look(browser)["slider"] == "0"
    slider = browser.find_element("id", "slider")
    slider.click()  # in its middle, which also gives it the keys
    middle = int(look(browser)["slider"])
    assert 0 < middle < len(trace) - 1
    press(browser, "ARROW_RIGHT")
    assert look(browser)["slider"] == str(middle + 1), "one step for one key, on the slider too"
    press(browser, "HOME", "SPACE")
    assert browser.find_element("id", "play").get_attribute("aria-label") == "Pause"
    browser.find_element("id", "play").click()
    assert browser.find_element("id", "play").get_attribute("aria-label") == "Play"
    browser.find_element("css selector", "#all summary").click()
    browser.find_elements("css selector", ".steps button")[9].click()
    assert look(browser)["place"] == f"step 10 of {len(trace)}"
    assert browser.find_element("css selector", ".steps tr.now").text.startswith("10 ")


def test_it_can_be_heard(opened, tmp_path):
    x, y, z = diamond()
    browser = opened(html_of(drawing.trace_backward(z), tmp_path), "#step=4")
    words = browser.find_element("id", "words")
    assert (words.get_attribute("role"), words.get_attribute("aria-live")) == ("status", "polite")
    assert words.text.startswith("Add #5 returns")
    said = browser.find_element("id", "slider").get_attribute("aria-valuetext")
    assert said.startswith("step 4 of 35: Add #5 returns")
    assert browser.find_element("css selector", "svg.view").get_attribute("aria-label") == "Graph: backward of z"
    for control in browser.find_elements("css selector", ".controls button, .controls input"):
        assert control.accessible_name
    assert x is not y


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_light_and_dark(opened, tmp_path, scheme):
    _, _, z = diamond()
    browser = opened(html_of(drawing.trace_backward(z), tmp_path), "#step=12")
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {
            "features": [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
        },
    )
    try:
        worst = browser.execute_script("""
            const luminance = color => {
                const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map(Number)
                    .map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
                return .2126 * r + .7152 * g + .0722 * b;
            };
            const ground = element => {
                for (let e = element; e; e = e.parentElement) {
                    const shape = e.matches(".node") && e.querySelector(".shape");
                    const color = shape ? getComputedStyle(shape).fill : getComputedStyle(e).backgroundColor;
                    if (color && color !== "none" && !color.endsWith(", 0)")) return color;
                }
                return "rgb(255,255,255)";
            };
            const contrasts = [];
            for (const element of document.querySelectorAll("h1, h2, p, td, th, li, button, .words, .node text")) {
                if (!element.textContent.trim() || !element.getClientRects().length || element.disabled) continue;
                const style = getComputedStyle(element);
                const text = luminance(element.closest("svg") ? style.fill : style.color);
                const back = luminance(ground(element));
                const contrast = (Math.max(text, back) + .05) / (Math.min(text, back) + .05);
                contrasts.push([contrast, element.outerHTML.slice(0, 80)]);
            }
            return contrasts.sort((a, b) => a[0] - b[0])[0];
        """)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert worst[0] > 4.5, worst  # what WCAG asks of text


def test_it_prints_with_all_steps(opened, tmp_path):
    _, _, z = diamond()
    browser = opened(html_of(drawing.trace_backward(z), tmp_path))
    browser.execute_script(
        "window.find_all_open = () => document.getElementById('all').open;"
        "window.opened = 0; addEventListener('beforeprint', () => { opened = find_all_open(); });"
    )
    pdf = base64.b64decode(browser.print_page())
    assert pdf.startswith(b"%PDF")
    assert browser.execute_script("return opened") is True
    assert browser.execute_script("return find_all_open()") is False


def test_no_name_can_run_a_script(opened, tmp_path):
    x, y = variable(2.0), variable(3.0)
    z = x * y
    trace = drawing.trace_backward(z, params={EVIL: x, "*/ /*DATA*/ /*TITLE*/": y}, title=EVIL)
    browser = opened(html_of(trace, tmp_path), "#step=9")
    assert browser.execute_script("return window.broken") is None
    assert browser.title == EVIL
    assert any(label.startswith("</script>") for label in look(browser)["nodes"])
    assert "*/ /*DATA*/ /*TITLE*/ #2" in look(browser)["nodes"]


def test_forward(opened, tmp_path):
    a = variable(2.0)
    with drawing.trace_forward() as trace:
        b = a * 3 - a
    browser = opened(html_of(trace, tmp_path), "#step=8")
    seen = look(browser)
    assert seen["nodes"]["Sub #3"] == ["running", "is called"]
    assert seen["active"] == 2 and seen["line"][0].startswith("previous_functions stores")
    assert b is not None


def test_several_traces_on_one_page(opened, tmp_path):
    _, _, z = diamond()
    ticks = iter(range(1000))
    traces = {f"rank {i}": drawing.trace_backward(z, clock=lambda: next(ticks)) for i in range(2)}
    page.save_page(tmp_path / "two.html", traces)
    browser = opened((tmp_path / "two.html").read_text(encoding="utf-8"))
    press(browser, "END")
    done = browser.execute_script("return document.querySelectorAll('.graph .node.done').length")
    assert done == 10
    current = browser.find_element("css selector", ".track.now h2").text
    assert current.split() == "rank 1 has ended".split(), "the steps come in the order of their time"


def test_of_several_traces_each_says_how_it_stands_before_it_begins_and_after_it_has_ended(opened, tmp_path):
    _, _, z = diamond()
    ticks = iter(range(1000))
    traces = {f"rank {i}": drawing.trace_backward(z, clock=lambda: next(ticks)) for i in range(2)}
    first, second = traces.values()
    page.save_page(tmp_path / "two.html", traces)
    text = (tmp_path / "two.html").read_text(encoding="utf-8")
    assert "waits for 00" not in text, "the words that only keep the place"
    browser = opened(text)

    def tracks():
        return browser.execute_script("""
            return [...document.querySelectorAll(".track")].map(track => [
                track.querySelector("h2 .progress").textContent,
                [...track.querySelectorAll(".node")].map(
                    node => [node.classList[1], node.querySelector("text.state").textContent]),
                track.querySelectorAll(".edge.active").length,
            ]);
        """)

    def as_painted(trace, state):
        numbers = sorted(state.nodes, key=lambda number: svg_order.index(trace.nodes[number].label))
        return [[state.nodes[number]["state"], state.nodes[number]["words"]] for number in numbers]

    svg_order = browser.execute_script(
        "return [...document.querySelectorAll('.track')[0].querySelectorAll('.node text.name')].map(t => t.textContent)"
    )
    states = list(first.states())
    before = State()
    before.apply(next(second.changes()))
    idle = as_painted(second, before)
    assert {name for name, _ in idle} == {"idle"} and {words for _, words in idle} == {""}
    slider = "const s = document.getElementById('slider'); s.value = arguments[0]; s.oninput({ target: s });"
    middle = next(index for index, step in enumerate(first) if step.event == "free")
    for index in (0, middle, len(first) - 1, len(first) + middle, len(first) - 1, middle, 0):  # and back again
        browser.execute_script(slider, index)
        (here, nodes, _), (there, others, active) = tracks()
        assert nodes == as_painted(first, states[min(index, len(first) - 1)])
        assert here == ("" if index < len(first) - 1 else "has ended")
        if index < len(first):
            assert (there, others, active) == ("has not started", idle, 0)
        else:
            assert there == ("has ended" if index == 2 * len(first) - 1 else "")
            assert others == as_painted(second, list(second.states())[index - len(first)])
        assert look(browser)["words"].startswith("rank 0: " if index < len(first) else "rank 1: ")


def test_notes_about_things_stand_in_a_table_of_their_own(opened, tmp_path):
    _, _, z = diamond()

    def hook(grad_input, grad_output):
        drawing.note("The first bucket leaves.", "bucket 0", "on its way")
        drawing.note("The first bucket is back.", "bucket 0", "has ended")

    z.creator.register_hook("bucket", hook)
    trace = drawing.trace_backward(z)
    trace = drawing.Trace.from_json(trace.to_json())  # as they come from another process
    browser = opened(html_of(trace, tmp_path))
    leaves = next(index for index, step in enumerate(trace) if step.event == "note")
    found = "return [...document.querySelectorAll('[data-panel=notes] tbody td')].map(cell => cell.textContent)"
    slider = "const s = document.getElementById('slider'); s.value = arguments[0]; s.oninput({ target: s });"
    for index, cells in (
        (leaves - 1, []),
        (leaves, ["bucket 0", "on its way"]),
        (leaves + 1, ["bucket 0", "has ended"]),
        (len(trace) - 1, ["bucket 0", "has ended"]),
        (leaves, ["bucket 0", "on its way"]),
    ):
        browser.execute_script(slider, index)
        assert browser.execute_script(found) == cells


def test_in_a_notebook_the_same_page_stands_in_a_frame_and_pictures_stay_without_script(opened):
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    bundle = trace._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/svg+xml", "text/plain"}
    ElementTree.fromstring(bundle["image/svg+xml"])
    body = bundle["text/html"]
    browser = opened(f"<body data-jp-theme-light=false>{body}{body}</body>")
    frames = browser.find_elements("css selector", "iframe")
    assert len(frames) == 2 and not browser.find_elements("css selector", "details")
    height = frames[0].size["height"]
    browser.switch_to.frame(frames[0])
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    assert browser.execute_script("return document.documentElement.scrollHeight <= innerHeight + 1"), height
    browser.find_element("tag name", "h1").click()
    press(browser, "ARROW_RIGHT")
    assert look(browser)["place"] == f"step 2 of {len(trace)}"
    browser.switch_to.default_content()
    browser = opened(f"<body>{body.split('<script>')[0]}</body>")
    folded = browser.find_elements("css selector", "details")
    assert len(folded) == [step.event in ("begin", "count", "pop", "end") for step in trace].count(True)
    assert all(browser.execute_script("return [...document.images].map(i => i.decode && i.naturalWidth > 0)"))
    assert len(browser.find_elements("css selector", "details[open]")) == 1


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_a_fold_without_script_tells_the_steps_up_to_the_next_picture(monkeypatch, most):
    monkeypatch.setattr(page, "_MOST_BETWEEN", most)
    trace = drawing.trace_backward(diamond()[2])
    starts = [0, 1, 3, 6, len(trace) - 4]
    between = [[], [2], [4, 5], range(7, len(trace) - 4), range(len(trace) - 3, len(trace))]
    folds = page._folded(trace, starts, ["<svg></svg>"] * len(trace)).split("<details")[1:]
    for fold, start, indices in zip(folds, starts, between, strict=True):
        assert html.unescape(re.search("<summary>(.*?)</summary>", fold)[1]).endswith(trace[start].text)
        told = [html.unescape(text) for text in re.findall("<li>(.*?)</li>", fold)]
        assert told == [trace[index].text for index in indices][:most] + ["…"] * (len(indices) > most)


@pytest.mark.parametrize("form", ["page", "notebook"])
def test_it_steps_in_a_frame_with_a_sandbox_as_web_pages_show_what_a_program_made(opened, form):
    trace = drawing.trace_backward(diamond()[2])
    inner = page.page([trace]) if form == "page" else trace._repr_mimebundle_()["text/html"]
    watch = "<script>const errors = []; addEventListener('error', event => errors.push(event.message))</script>"
    browser = opened(f"""<iframe sandbox="allow-scripts" srcdoc="{html.escape(watch + inner)}"></iframe>""")
    browser.switch_to.frame(0)
    if form == "notebook":
        browser.implicitly_wait(60)
        browser.switch_to.frame(browser.find_element("tag name", "iframe"))
        browser.implicitly_wait(0)
    browser.find_element("id", "next").click()
    assert look(browser)["place"] == f"step 2 of {len(trace)}"
    time.sleep(0.2)  # the page writes its address after 0.12 s
    browser.switch_to.default_content()
    browser.switch_to.frame(0)
    assert browser.execute_script("return errors") == []


def test_frames():
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    frames = trace.frames()
    assert len(frames) == len(trace)
    texts = [re.findall(r"<text[^>]*>([^<]*)</text>", frame) for frame in frames]
    assert "waits for 2" in texts[1] and "runs" in texts[2] and texts[-1].count("done") == 5


def test_pages_that_nobody_could_use_are_refused(monkeypatch):
    _, _, z = diamond()
    monkeypatch.setattr(page, "_MOST_STEPS", 10)
    with pytest.raises(ValueError, match="a page can hold 10 steps, got 3[0-9]; save the trace as .json"):
        page.page([drawing.trace_backward(z)])


def test_without_a_layout_the_words_remain(monkeypatch, tmp_path):
    def unavailable(source):
        raise layout.LayoutUnavailable("install something")

    monkeypatch.setattr("legacy_autograd.drawing.painted.to_svgs", unavailable)
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    assert list(trace._repr_mimebundle_()) == ["text/plain"]
    assert trace._repr_mimebundle_()["text/plain"].endswith("install something")
    trace.save(tmp_path / "x.json")
    for name in ("x.html", "x.svg"):
        with pytest.raises(drawing.LayoutUnavailable, match="install something"):
            trace.save(tmp_path / name)


def test_without_scripts_the_title_is_shown_once(opened):
    """What a browser shows that runs no scripts, in a browser that does: without the scripts, outside of `noscript`."""
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    text = re.sub(r"<script\b.*?</script>|</?noscript>", "", page.page([trace]), flags=re.DOTALL)
    driver = opened(text)
    headings = [one.text for one in driver.find_elements("css selector", "h1, h2") if one.is_displayed()]
    assert headings == [trace.title]
    assert len(driver.find_elements("css selector", "svg")) >= 2
