"""The step-through page as a reader uses it: numbers, source, grains, address, zoom, folding, keys, looks."""

import functools
import time

import pytest

from legacy_autograd import drawing, nn
from legacy_autograd.autograd import engine
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.demos.networks import LeNet
from legacy_autograd.drawing import layout, page
from legacy_autograd.tensor import Tensor

from .graphs import Ours, diamond, random_program, variable
from .test_page import press

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")

DESKTOP, TABLET, PHONE = (1280, 800), (820, 1180), (390, 844)

# The boxes on the screen of the graph, of what is seen in it, and of what the step is about: what runs first, then what
# it changes. With each of these the height in pixels of its smallest text.
MEASURE = """
    const view = page.views[0];
    const box = element => { const b = element.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
    const { turn, nodes } = view.state.step;
    const about = [...(turn === null ? [] : [String(turn)]), ...Object.keys(nodes || {})].map(number => {
        const folded = view.picture.foldedIn(number);
        const group = folded === null ? view.picture.nodes[number].group : view.picture.group("m" + folded);
        const lines = [...group.querySelectorAll("text")].filter(text => text.textContent);
        const pixels = lines.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
        return [box(group), Math.min(...pixels)];
    });
    return {
        graph: box(view.svg), about, current: about[0][0],
        nodes: view.picture.seen().map(({ id, group }) => [id, box(group.querySelector(".shape, rect"))]),
    };
"""
# The view follows a change of its size in the next frame.
GO = """
    const [index, done] = arguments;
    page.stepper.go(index);
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
"""


def html_of(trace):
    return page.page([trace])


def text_of(browser, number, line):
    """A line of a Function on the graph: name, value, grad or state."""
    script = "return page.views[0].picture.nodes[arguments[0]].group.querySelector('text.' + arguments[1]).textContent"
    return browser.execute_script(script, number, line)


def step_with(trace, event, function=None, last=False):
    """The number, from 1, of the first or last step with this event of this Function."""
    found = [s.index + 1 for s in trace if s.event == event and function in (None, s.function)]
    return found[-1] if last else found[0]


def camera(browser):
    return browser.execute_script("return { ...page.views[0].camera }")


def chain(length):
    result = variable(1.01)
    for number in range(length):
        result = result.tanh() if number % 3 == 0 else result * 1.01
    return result


def lenet_trace():
    model = LeNet()
    with drawing.record():
        images = Variable(Tensor(2, 1, 28, 28).fill_(0.1), requires_grad=False)
        loss = model(images).sum()
    return drawing.trace_backward(loss)


def lstm_trace():
    cell = nn.LSTMCell(4, 5)
    hidden = state = Variable(Tensor(2, 5).fill_(0))
    with drawing.record():
        for _ in range(5):
            hidden, state = cell(Variable(Tensor(2, 4).fill_(0.3), requires_grad=False), (hidden, state))
        loss = hidden.sum()
    return drawing.trace_backward(loss)


# --- numbers


def test_the_graph_shows_values_waiting_sums_and_what_grad_was_and_becomes(sized):
    x, y, z = diamond()  # x = 2, y = 3, z = x*y + (x+y): dz/dx = y + 1 = 4, dz/dy = x + 1 = 3
    trace = drawing.trace_backward(z)
    browser = sized(html_of(trace), f"#step={len(trace)}")
    assert text_of(browser, 1, "value") == "= 2" and text_of(browser, 5, "value") == "z = 11"
    assert text_of(browser, 1, "grad").endswith("→ 4") and text_of(browser, 2, "grad").endswith("→ 3")
    first = step_with(trace, "add", 1)
    browser.execute_script("page.stepper.go(arguments[0])", first - 1)
    assert text_of(browser, 1, "grad") == "grad 0" and text_of(browser, 1, "state") == "waits for 1"
    assert text_of(browser, 1, "name") == "x #1"
    edges = browser.execute_script(
        "return [...document.querySelectorAll('.view .product text')].map(text => text.textContent)"
    )
    assert edges == ["1 × 1 = 1"]  # Add #4 passes on what it received
    browser.execute_script("page.stepper.go(arguments[0])", step_with(trace, "add", 1, last=True) - 1)
    assert text_of(browser, 1, "grad") == "1 + 3 = 4"
    assert x is not y


def test_a_card_shows_all_that_is_kept(sized):
    from selenium.webdriver import ActionChains

    weight = Variable(Tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]))
    loss = (weight * 2).sum()
    trace = drawing.trace_backward(loss)
    browser = sized(html_of(trace), f"#step={len(trace)}")
    assert "mean 4.5 norm 14.28" in text_of(browser, 1, "value"), "sqrt(1 + 4 + ... + 64) = sqrt(204)"
    held = "grad norm 0 → norm 5.657"  # 8 gradients of 2: sqrt(8 * 4). With shape and mean it is too wide
    assert text_of(browser, 1, "grad") == held
    browser.execute_script("page.stepper.go(arguments[0])", step_with(trace, "ran", 2) - 1)
    assert text_of(browser, 1, "grad") == "grad norm 0"  # what it holds
    assert text_of(browser, 2, "grad") == "grad norm 2.828"  # 8 gradients of 1: sqrt(8)
    browser.execute_script("page.stepper.go(arguments[0])", len(trace) - 1)
    card = browser.find_element("id", "card")
    node = browser.find_element("css selector", "#t0-f1 .shape")
    ActionChains(browser).move_to_element(node).perform()
    assert card.is_displayed() and "1, 2, 3, 4, 5, 6, 7, 8" in card.text and "(2, 4)" in card.text
    ActionChains(browser).move_to_element(browser.find_element("id", "title")).perform()
    assert not card.is_displayed()
    ActionChains(browser).click(node).perform()
    ActionChains(browser).move_to_element(browser.find_element("id", "title")).perform()
    assert card.is_displayed(), "a click holds it"
    assert "gradient" in card.text and "2, 2, 2, 2, 2, 2, 2, 2" in card.text
    press(browser, "ESCAPE")
    assert not card.is_displayed()


def test_an_edge_tells_what_travelled_along_it(sized):
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    browser = sized(html_of(trace), f"#step={len(trace)}")
    browser.execute_script("""
        const [{ edge }] = page.views[0].picture.segments["3_1"];
        edge.path.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 200, clientY: 200 }));
    """)  # Mul's input 1 is y: dz/d(x*y) * x = 2
    assert browser.find_element("id", "card").text.split("\n")[1:4] == ["Leaf #2 → Mul #3, input 1", "value", "3"]
    assert "gradient\n2" in browser.find_element("id", "card").text


# --- the source, the grains, the address


def test_the_source_shows_the_line_that_runs(sized):
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    browser = sized(html_of(trace))
    press(browser, "s")
    lines = open(engine.__file__, encoding="utf-8").read().splitlines()
    for step in trace:
        now = browser.find_elements("css selector", ".code .line.now")
        assert [line.get_attribute("data-line") for line in now] == [str(step.line)]
        shown = browser.execute_script("return arguments[0].querySelector('.text').textContent", now[0])
        assert shown == lines[step.line - 1].strip()
        inside = browser.execute_script(
            "const [a, b] = [arguments[0], arguments[0].closest('.body')].map(e => e.getBoundingClientRect());"
            "return a.top >= b.top - 1 && a.bottom <= b.bottom + 1",
            now[0],
        )
        assert inside, f"step {step.index + 1}: its line is in view"
        press(browser, "ARROW_RIGHT")
    press(browser, "s")
    assert browser.find_element("css selector", "[role=tab][aria-selected=true]").text == "In words"


def test_a_key_switches_the_grain_at_the_same_place(sized):
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    browser = sized(html_of(trace), "#step=8")
    place = browser.find_element("id", "place")
    press(browser, "g")
    assert place.text.endswith(f"step 8 of {len(trace)}")
    turns = [step.turn for step in trace]
    stops = [i for i in range(len(turns)) if i + 1 == len(turns) or turns[i] != turns[i + 1]]
    seen = []
    while browser.find_element("id", "next").get_attribute("aria-disabled") == "false":
        press(browser, "ARROW_RIGHT")
        seen.append(browser.execute_script("return page.stepper.index"))
    assert seen == [stop for stop in stops if stop > 7]
    press(browser, "ARROW_LEFT", "ARROW_LEFT")
    assert browser.execute_script("return page.stepper.index") == stops[-3]
    lit = browser.execute_script("return document.querySelectorAll('.view .edge.active').length")
    assert lit == len([s for s in trace if s.event == "free" and s.turn == turns[stops[-3]]])
    browser.find_element("css selector", "#grains button[value=every]").click()
    assert browser.execute_script("return page.stepper.index") == stops[-3]


def soon(asked):
    """Wait until `asked()` is true, at most a minute: a timer or an event of the page must come first."""
    end = time.monotonic() + 60
    while not asked() and time.monotonic() < end:
        time.sleep(0.05)
    assert asked()


def test_the_address_follows_the_step_and_is_obeyed(sized):
    _, _, z = diamond()
    browser = sized(html_of(drawing.trace_backward(z)), "#step=5&grain=function")
    assert browser.execute_script("return [page.stepper.index, page.stepper.grain]") == [4, "function"]
    press(browser, "g", "ARROW_RIGHT")
    soon(lambda: browser.current_url.endswith("#step=6"))
    place = browser.find_element("id", "place")
    for address, step in (("12", 12), ("100000", 35), ("<script>", 1)):
        browser.execute_script("location.hash = arguments[0]", f"#step={address}")
        soon(lambda step=step: place.text == f"step {step} of 35")


def test_play_speed_and_focus_at_the_ends(sized):
    _, _, z = diamond()
    trace = drawing.trace_backward(z)
    browser = sized(html_of(trace), f"#step={len(trace) - 2}")
    options = browser.find_elements("css selector", "#speed option")
    assert [float(option.get_attribute("value")) for option in options] == [0.5, 1, 2, 4]
    press(browser, "]", "]")
    assert browser.execute_script("return document.getElementById('speed').value") == "4"
    play = browser.find_element("id", "play")
    # Two steps of 0.35 s: a busy machine may need longer from one command to the next.
    assert browser.execute_script("arguments[0].click(); return arguments[0].ariaLabel", play) == "Pause"
    soon(lambda: play.get_attribute("aria-label") == "Play")
    assert browser.execute_script("return page.stepper.index") == 34
    following = browser.find_element("id", "next")
    assert following.get_attribute("aria-disabled") == "true" and following.is_enabled()
    following.click()
    assert browser.execute_script("return document.activeElement.id") == "next"
    press(browser, "HOME")
    assert browser.execute_script("return document.activeElement.id") == "next"
    assert browser.find_element("id", "first").get_attribute("aria-disabled") == "true"
    live = browser.find_element("id", "words")
    assert live.get_attribute("aria-live") == "polite" and live.text == trace[0].text


# --- zoom, pan, follow


def test_zoom_and_pan_by_buttons_keys_wheel_and_mouse(sized):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    browser = sized(html_of(drawing.trace_backward(chain(40))))
    start = camera(browser)
    assert browser.find_element("css selector", ".minimap").is_displayed()
    browser.find_element("css selector", ".tools [value=larger]").click()
    assert camera(browser)["k"] == pytest.approx(start["k"] * 1.3)
    browser.find_element("css selector", ".tools [value=smaller]").click()
    assert camera(browser)["k"] == pytest.approx(start["k"])
    press(browser, "+", "-", "-")
    assert camera(browser)["k"] == pytest.approx(start["k"] * 0.8)
    press(browser, "0")
    whole = browser.execute_script("return page.views[0].fitScale")
    assert camera(browser)["k"] == pytest.approx(whole) and whole < 0.3
    press(browser, "f")
    near = camera(browser)
    assert near["k"] > 1
    svg = browser.find_element("css selector", "svg.view")
    ActionChains(browser).scroll_from_origin(ScrollOrigin.from_element(svg), 0, 300).perform()
    scrolled = camera(browser)
    assert scrolled["y"] - near["y"] == pytest.approx(300 / near["k"], rel=0.05)
    ActionChains(browser).move_to_element_with_offset(svg, 250, 0).click_and_hold().move_by_offset(
        0, 120
    ).release().perform()
    assert scrolled["y"] - camera(browser)["y"] == pytest.approx(120 / near["k"], rel=0.05)
    assert not browser.find_element("id", "card").is_displayed(), "a drag is no click"
    canvas = browser.find_element("css selector", ".minimap")
    ActionChains(browser).move_to_element(canvas).click_and_hold().move_by_offset(0, 5).release().perform()
    middle = browser.execute_script("return page.views[0].picture.box.height") / 2
    assert camera(browser)["y"] == pytest.approx(middle, rel=0.1)
    from selenium.webdriver.common.keys import Keys

    before = camera(browser)
    ActionChains(browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
    assert camera(browser)["y"] > before["y"]
    press(browser, "ARROW_RIGHT", "ARROW_RIGHT")
    seen = browser.execute_script(MEASURE)
    assert inside(seen["current"], seen["graph"]), "a step brings what runs back into view"


def test_two_fingers_zoom_on_a_phone_and_one_moves(sized):
    browser = sized(html_of(drawing.trace_backward(chain(40))), size=PHONE)
    x, y, *_ = browser.execute_script("const b = page.views[0].svg.getBoundingClientRect(); return [b.left, b.top]")

    def touch(kind, *points):
        points = [{"x": x + px, "y": y + py, "id": i} for i, (px, py) in enumerate(points)]
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    before = camera(browser)
    touch("touchStart", (100, 150), (200, 150))
    touch("touchMove", (80, 150), (220, 150))
    touch("touchMove", (50, 150), (250, 150))
    touch("touchEnd")
    zoomed = camera(browser)
    assert zoomed["k"] == pytest.approx(2 * before["k"], rel=0.15)
    touch("touchStart", (150, 200))
    touch("touchMove", (150, 180))
    touch("touchMove", (150, 100))
    touch("touchEnd")
    assert camera(browser)["y"] > zoomed["y"]


def inside(box, frame, slack=1):
    left, top, right, bottom = box
    return (
        left >= frame[0] - slack
        and top >= frame[1] - slack
        and right <= frame[2] + slack
        and bottom <= frame[3] + slack
    )


def check_following(browser, steps):
    """At each step what runs or what it changes is in view, and its smallest text has at least 11 pixels."""
    for index in steps:
        browser.execute_async_script(GO, index)
        seen = browser.execute_script(MEASURE)
        followed = [pixels for box, pixels in seen["about"] if inside(box, seen["graph"])]
        assert followed and max(followed) >= 11, f"step {index + 1}: {seen}"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_view_follows_what_runs_at_a_size_that_can_be_read(sized, size):
    trace = drawing.trace_backward(chain(40))
    check_following(sized(html_of(trace), size=size), range(0, len(trace), 17))


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, TABLET, PHONE])
@pytest.mark.parametrize(
    "made", [lenet_trace, lstm_trace, lambda: drawing.trace_backward(chain(200))], ids=["lenet", "lstm", "chain"]
)
def test_large_graphs_are_followed_in_all_windows(sized, made, size):
    trace = made()
    check_following(sized(html_of(trace), size=size), range(0, len(trace), 5))


# --- folding


def overlapping(nodes):
    """The pairs of boxes that overlap, but for one that is inside of the other."""
    found = []
    for i, (one, a) in enumerate(nodes):
        for other, b in nodes[i + 1 :]:
            apart = a[2] <= b[0] + 0.5 or b[2] <= a[0] + 0.5 or a[3] <= b[1] + 0.5 or b[3] <= a[1] + 0.5
            if not apart and not inside(a, b) and not inside(b, a):
                found.append((one, other))
    return found


def test_modules_are_unfolded_in_place_by_click_and_key(sized):
    from selenium.webdriver import ActionChains

    trace = lenet_trace()
    browser = sized(html_of(trace), f"#step={step_with(trace, 'ran')}")
    boxes = browser.execute_script("return Object.keys(page.views[0].picture.holderOf)")
    assert len(boxes) >= 5, "two convolutions and three linear layers"
    seen = browser.execute_script(MEASURE)
    assert len(seen["nodes"]) < len(trace.nodes) and overlapping(seen["nodes"]) == []
    browser.execute_script("page.views[0].fit()")
    box = browser.find_element("css selector", f"#t0-m{boxes[1]} .shape")
    ActionChains(browser).click(box).perform()
    assert browser.execute_script(f"return page.views[0].picture.isOpen({boxes[1]})")
    assert overlapping(browser.execute_script(MEASURE)["nodes"]) == []
    assert browser.execute_script("return document.activeElement.getAttribute('aria-expanded')") == "true"
    press(browser, "ENTER")
    assert browser.execute_script("return document.activeElement.getAttribute('aria-expanded')") == "false"
    for number in boxes:
        browser.execute_script("page.views[0].picture.toggle(arguments[0])", number)
    seen = browser.execute_script(MEASURE)
    assert {node for node, _ in seen["nodes"]} == {*map(str, trace.nodes), *(f"m{number}" for number in boxes)}
    assert overlapping(seen["nodes"]) == []


def test_a_key_unfolds_what_runs_and_its_box_tells_how_far_it_is(sized):
    trace = lenet_trace()
    inside_linear = [s for s in trace if s.event == "ran" and trace.nodes[s.function].kind == "Linear"][0]
    browser = sized(html_of(trace), f"#step={inside_linear.index + 1}")
    folded = browser.execute_script(f"return page.views[0].picture.foldedIn({inside_linear.function})")
    words = browser.find_element("css selector", f"#t0-m{folded} text.state").text
    assert words == "runs 1 of 3", "the Linear, its weight and its bias"
    press(browser, "u")
    assert browser.execute_script(f"return page.views[0].picture.foldedIn({inside_linear.function})") is None
    seen = browser.execute_script(MEASURE)
    assert inside(seen["current"], seen["graph"])
    press(browser, "u")
    assert browser.execute_script(f"return page.views[0].picture.foldedIn({inside_linear.function})") == folded


def test_an_unfolded_edge_begins_and_ends_at_what_it_joins(sized):
    trace = lenet_trace()
    browser = sized(html_of(trace))
    far = browser.execute_script("""
        const { picture } = page.views[0];
        for (const number of Object.keys(picture.holderOf)) picture.toggle(number);
        const off = (point, r) =>
            Math.max(r.x - point.x, point.x - r.x - r.width, r.y - point.y, point.y - r.y - r.height, 0);
        return Object.entries(picture.segments).map(([key, segments]) => {
            const [user, input] = key.split("_");
            const from = page.views[0].track.nodes[user].inputs[input][0];
            return [key, off(picture.point(segments[0], 0), picture.place(user)),
                off(picture.point(segments.at(-1), -1), picture.place(from))];
        });
    """)
    assert len(far) == sum(len(node.inputs) for node in trace.nodes.values())
    assert [edge for edge in far if edge[1] > 2 or edge[2] > 9] == [], "an arrow's head is 7 long"


def test_the_graph_can_be_walked_with_the_keyboard(sized):
    _, _, z = diamond()
    browser = sized(html_of(drawing.trace_backward(z)), "#step=3")
    browser.execute_script("document.querySelector('.view [tabindex=\"0\"]').focus()")
    assert browser.switch_to.active_element.accessible_name == "Add #5, z = 11, grad 1, runs"
    press(browser, "ARROW_DOWN")
    assert browser.switch_to.active_element.accessible_name.startswith("Mul #3")
    press(browser, "ENTER")
    card = browser.find_element("id", "card")
    assert card.is_displayed() and card.text.startswith("×\nMul #3")
    press(browser, "ESCAPE", "ARROW_UP")
    assert not card.is_displayed() and browser.switch_to.active_element.accessible_name.startswith("Add #5")
    press(browser, "ARROW_RIGHT")
    assert browser.execute_script("return page.stepper.index") == 3
    stops = browser.execute_script("return document.querySelectorAll('.view [tabindex=\"0\"]').length")
    assert stops == 1, "the graph is one stop of the Tab key"


# --- looks


LOOKS = """
    const luminance = color => {
        const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map(Number)
            .map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const ground = element => {
        for (let e = element; e; e = e.parentElement) {
            const shape = e.matches(".node, .slot") && e.querySelector(element.matches(".part") ? "rect" : ".shape");
            const color = shape ? getComputedStyle(shape).fill : getComputedStyle(e).backgroundColor;
            const alpha = Number((color.match(/[\\d.]+/g) || [])[3] ?? 1);
            if (color && color !== "none" && alpha > .9) return color;
        }
        return "rgb(255,255,255)";
    };
    const words = [];
    for (const element of document.querySelectorAll("#app *")) {
        const own = [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!own || !element.getClientRects().length || element.closest(".spoken, option")) continue;
        const style = getComputedStyle(element);
        if (style.visibility === "hidden") continue;
        const text = luminance(element.closest("svg") ? style.fill : style.color);
        const back = luminance(ground(element));
        words.push([(Math.max(text, back) + .05) / (Math.min(text, back) + .05), element.outerHTML.slice(0, 90)]);
    }
    words.sort((a, b) => a[0] - b[0]);
    const wide = [...document.querySelectorAll("header *, #dock *, #below *")]
        .filter(e => e.getClientRects().length && !e.closest(".spoken"))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
        .map(e => e.outerHTML.slice(0, 90));
    const controls = [...document.querySelectorAll(".controls button, .controls select, #slider")].map(e => {
        const b = e.getBoundingClientRect();
        return [b.left, b.top, b.right, b.bottom];
    });
    return { worst: words[0], many: words.length, wide, controls,
        scrolls: document.documentElement.scrollWidth > innerWidth,
        small: [...document.querySelectorAll("button")].filter(e => e.getClientRects().length && e.offsetHeight < 24)
            .map(e => e.outerHTML.slice(0, 90)) };
"""


def check_looks(browser, size, scheme):
    looks = browser.execute_script(LOOKS)
    assert looks["many"] > 40 and looks["worst"][0] >= 4.5, (size, scheme, looks["worst"])
    assert looks["wide"] == [] and not looks["scrolls"], (size, looks["wide"])
    assert looks["small"] == [], size
    for control in looks["controls"]:
        assert inside(control, (0, 0, *size)), (size, control)
    for i, one in enumerate(looks["controls"]):
        for other in looks["controls"][i + 1 :]:
            assert overlapping([("", one), ("", other)]) == [], (one, other)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, TABLET, PHONE])
def test_words_can_be_read_and_controls_are_in_view(sized, size, scheme):
    x, _, z = diamond()
    trace = drawing.trace_backward(z + Variable(Tensor([1.0]), requires_grad=False))
    browser = sized(html_of(trace), f"#step={step_with(trace, 'add', last=True)}", size, scheme)
    check_looks(browser, size, scheme)
    browser.execute_script("scrollTo(0, 1e6); page.source.choose('source'); page.views[0].pick(1)")
    check_looks(browser, size, scheme)
    assert x is not None


def test_several_graphs_stand_side_by_side_and_on_a_phone_below_each_other(sized):
    _, _, z = diamond()
    traces = [drawing.trace_backward(z) for _ in range(2)]
    text = page.page(traces, ["one", "other"])
    places = """
        return page.views.map(view => {
            const b = view.svg.getBoundingClientRect();
            return [b.left, b.top, b.right, b.bottom];
        })
    """
    one, other = sized(text).execute_script(places)
    assert one[2] <= other[0] and one[1] == other[1]
    browser = sized(text, size=PHONE)
    one, other = browser.execute_script(places)
    assert one[3] <= other[1] and one[0] == other[0]
    check_looks(browser, PHONE, "light")


def test_chinese(sized):
    _, _, z = diamond()
    browser = sized(html_of(drawing.trace_backward(z, lang="zh")), "#step=2", PHONE)
    assert browser.execute_script("return document.documentElement.lang") == "zh"
    assert browser.find_element("id", "place").text == "第 2 步，共 35 步"
    assert browser.find_element("css selector", "li.now").text.startswith("_compute_dependencies：")
    check_looks(browser, PHONE, "light")


def test_the_words_of_both_languages_have_the_same_keys():
    from legacy_autograd.drawing.page_shell import page_words

    def shape(words):
        if isinstance(words, dict):
            return {key: shape(value) for key, value in words.items()}
        return [shape(word) for word in words] if isinstance(words, list) and not isinstance(words[0], str) else None

    assert shape(page_words("en")) == shape(page_words("zh"))
    with pytest.raises(ValueError, match="got lang='fr'"):
        page_words("fr")


def test_a_forward_shows_no_number_before_it_is_computed(sized):
    a, b = variable(2.0), variable(5.0, requires_grad=False)
    with drawing.trace_forward() as trace:
        c = a * 3 - a * b
    browser = sized(html_of(trace), "#step=1")

    def looks():
        return browser.execute_script("""
            return Object.fromEntries(Object.entries(page.views[0].picture.nodes).map(([number, { group }]) =>
                [number, [group.classList[1], group.classList[2],
                    (group.querySelector("text.value") || {}).textContent || ""]]))
        """)

    kinds = {number: (node.kind, node.is_leaf) for number, node in trace.nodes.items()}
    begun = looks()
    for number, (kind, is_leaf) in kinds.items():
        state, look, value = begun[str(number)]
        if not is_leaf:
            assert look == "function" and (state == "running") == (kind == "MulConstant") and value == ""
    press(browser, "END")
    ended = looks()
    assert sorted(value for _, _, value in ended.values()) == sorted(["= 2", "= 5", "= 6", "= 10", "c = -4"])
    assert {look for _, look, _ in ended.values()} == {"function", "leaf", "constant"}
    assert c is not None


# --- large graphs

TOUCHED = """
    const [key] = arguments;
    let touched = new Set();
    const watch = new MutationObserver((list) => list.forEach(({ target }) => touched.add(target)));
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    for (const { target } of watch.takeRecords()) touched.add(target);
    watch.disconnect();
    return touched.size;
"""


def test_a_key_touches_as_many_elements_in_a_large_graph_as_in_a_small_one(sized):
    counts = []
    for length in (310, 930):
        browser = sized(html_of(drawing.trace_backward(chain(length))))
        begin = [browser.execute_script(TOUCHED, "ArrowRight") for _ in range(12)]  # the second step counts all
        browser.execute_script("page.stepper.go(page.stepper.last >> 1)")
        middle = [browser.execute_script(TOUCHED, key) for key in ["ArrowRight"] * 12 + ["ArrowLeft"] * 12]
        press(browser, "g")
        turns = [browser.execute_script(TOUCHED, key) for key in ["ArrowRight"] * 6 + ["ArrowLeft"] * 6]
        counts.append((max(begin), max(middle), max(turns)))
    small, large = counts
    assert all(more <= 1.3 * few + 30 for few, more in zip(small, large, strict=True)), counts


def test_a_long_table_shows_the_rows_around_the_one_that_changes(sized):
    trace = drawing.trace_backward(chain(200))
    tables = [[list(row) for row in state.panels.get("dependencies", {}).values()] for state in trace.states()]
    browser = sized(html_of(trace))
    middle = len(trace) // 2
    for index in [*range(middle, middle + 20), *range(middle + 18, middle, -1)]:
        browser.execute_script("page.stepper.go(arguments[0])", index)
        rows = browser.execute_script("""
            const rows = document.querySelectorAll("[data-panel=dependencies] tbody tr");
            return [...rows].map((row) => [[...row.cells].map((cell) => cell.textContent), row.className]);
        """)
        start = tables[index].index(rows[0][0])
        assert [cells for cells, _ in rows] == tables[index][start : start + 80]
        changed = [cells for cells, before in zip(tables[index], tables[index - 1], strict=True) if cells != before]
        assert [cells for cells, look in rows if look] == changed, index


def test_no_style_depends_on_what_an_element_contains():
    # Chromium then looks at the whole document whenever a text changes: 20 ms each, several times a key.
    assert ":has(" not in html_of(drawing.trace_backward(diamond()[2]))


def test_what_is_far_from_the_camera_is_written_and_displayed_when_it_comes_into_view(sized):
    trace = drawing.trace_backward(chain(400))
    browser = sized(html_of(trace), f"#step={step_with(trace, 'pop', 200)}")
    state = """
        const node = page.views[0].picture.nodes[arguments[0]];
        return [node.group.isConnected, node.group.querySelector("text.state").textContent];
    """
    assert browser.execute_script(state, 200) == [True, "runs"]
    assert browser.execute_script(state, 390)[0] is False
    browser.execute_script("page.views[0].show([390])")
    assert browser.execute_script(state, 390) == [True, "done"]
    assert browser.execute_script(state, 200)[0] is True  # the tabulator stops at it
    browser.execute_script("page.views[0].picture.group('200').focus(); page.views[0].show([390])")
    press(browser, "ARROW_DOWN")
    assert browser.switch_to.active_element.get_attribute("id") in ("t0-f199", "t0-f201")
    assert browser.execute_script(state, 390)[0] is False
    browser.execute_script("page.views[0].fit()")
    displayed, laid_out = browser.execute_script("""
        const ids = (root) => [...root.querySelectorAll("g.node, g.edge")].map(({ id }) => id);
        const { svg } = page.program.tracks[0].pictures[0];
        return [ids(page.views[0].world), ids(new DOMParser().parseFromString(svg, "image/svg+xml"))];
    """)
    assert displayed == laid_out


def test_what_is_near_an_unfolded_box_is_displayed(sized):
    w, value = variable(0.5), variable(1.0)
    for _ in range(110):
        value = (value * w).tanh() + w
    browser = sized(html_of(drawing.trace_backward(value)))
    unfolded, again = browser.execute_script("""
        page.stepper.go(page.stepper.last >> 1);
        const view = page.views[0];
        const ids = () => [...view.world.querySelectorAll("g.node, g.edge")].map(({ id }) => id);
        view.unfold();
        const [before, at] = [ids(), { ...view.camera }];
        view.show(["1"]);
        view.camera = at;
        view.apply(false);
        return [before, ids()];
    """)
    assert unfolded == again and len(again) > 10


def test_a_long_edge_of_a_large_graph_is_whole_only_while_a_gradient_travels_along_it(sized):
    early, often = variable(2.0), variable(0.5)
    value = early.exp()
    for _ in range(160):
        value = (value * often).tanh()
    trace = drawing.trace_backward(value + early)
    browser = sized(html_of(trace))
    # Of each edge to a leaf with `uses` uses: its height, the length of what is drawn, whether it has an arrowhead.
    script = """
        const { picture } = page.views[0], { nodes } = picture.track, uses = {};
        for (const key of Object.keys(picture.segments)) {
            const [user, input] = key.split("_");
            (uses[nodes[user].inputs[input][0]] ||= []).push(key);
        }
        const isWanted = ([number, keys]) => nodes[number].leaf && keys.length === arguments[0];
        const segments = Object.entries(uses).find(isWanted)[1].flatMap((key) => picture.segments[key]);
        picture.near.add(segments.map(({ edge }) => edge)); // they have no size outside of the document
        return segments.filter(({ sheet }) => sheet.number === 0).map(({ edge: { path } }) =>
            [path.getBBox().height, path.getTotalLength(), getComputedStyle(path).markerEnd !== "none"]);
    """

    def lines(uses):
        return browser.execute_script(script, uses)

    # All uses of one leaf meet there: of those that are far away, only the start is drawn, 60 long.
    starts = [line for line in lines(160) if line[1] == pytest.approx(60, abs=0.5)]
    assert len(starts) > 100 and not any(arrow for _, _, arrow in starts)
    assert max(height for height, _, _ in lines(160)) < 2001
    # The end of the graph uses the other leaf as well: of this edge both ends are drawn, in one path.
    (both_ends,) = [line for line in lines(2) if line[0] > 2001]
    assert both_ends[1:] == [pytest.approx(120, abs=0.5), True]
    number = next(node.number for node in trace.nodes.values() if node.values and node.values[0]["values"] == [0.5])
    browser.execute_script("page.stepper.go(arguments[0] - 1)", step_with(trace, "free", number))
    assert [arrow for height, length, arrow in lines(160) if length > 2001] == [True]
    displayed = browser.execute_script("""
        const view = page.views[0], { near } = view.picture;
        const paint = () => view.paint(view.state, { turn: view.turn, now: false }); // another graph has its turn
        paint();
        near.display(new Set());
        paint();
        return [...near.whole].map(({ group }) => group.isConnected);
    """)
    assert displayed == [True]
    browser.execute_script("page.stepper.go(0)")
    assert max(height for height, _, _ in lines(160)) < 2001


def test_f_goes_to_the_running_function_also_if_what_it_changes_is_far(sized):
    value = early = variable(2.0) * 3
    for number in range(40):
        value = value.exp() if number % 2 else value.tanh()
    trace = drawing.trace_backward(value + early)
    browser = sized(html_of(trace))
    far = [s for s in trace if s.event in ("free", "add") and s.turn - s.function > 20]
    assert len(far) == 2
    for step in far:
        browser.execute_script("page.stepper.go(arguments[0])", step.index)
        press(browser, "f")
        x, y, width, height = browser.execute_script("""
            const view = page.views[0], [a, b] = [view.picture.place(view.state.step.turn), view.camera];
            const away = [Math.abs(a.x + a.width / 2 - b.x), Math.abs(a.y + a.height / 2 - b.y)];
            return [...away, view.size.width / b.k, view.size.height / b.k];
        """)
        assert x < width / 2 and y < height / 2, step.text


def test_repeated_steps_of_a_trace_without_records_are_folded_and_open_on_click(sized):
    w, value = variable(0.5), variable(1.0)
    for _ in range(20):
        value = (value * w).tanh() + w
    trace = drawing.trace_backward(value)
    browser = sized(html_of(trace))
    boxes = "return page.views[0].picture.seen().map(({ id }) => id).filter((id) => id.startsWith('m')).length"
    assert browser.execute_script(boxes) == 20
    title = "return page.views[0].picture.group('m20').querySelector('text.name').textContent"
    assert browser.execute_script(title) == "step 20"
    seen = "return page.views[0].picture.foldedIn(arguments[0])"
    inside = next(node.number for node in trace.nodes.values() if node.module == 19)
    assert browser.execute_script(seen, inside) == 20
    browser.execute_script("""
        const box = page.views[0].picture.group("m20").querySelector(".shape");
        box.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    """)
    assert browser.execute_script(seen, inside) is None


# --- labels of edges

OVERLAPS = """
    const view = page.views[0], found = [];
    const box = (element) => element.getBoundingClientRect();
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
    const points = [...view.world.querySelectorAll("g.edge > path:not(.hit)")].map((path) => {
        const [all, at] = [path.getTotalLength(), path.getScreenCTM()];
        return Array.from({ length: 60 }, (_, i) => path.getPointAtLength(all * i / 59).matrixTransform(at));
    });
    const nodes = view.picture.all.map((node) => box(node.group.querySelector(".shape")));
    for (let index = 0; index <= page.stepper.last; index++) {
        page.stepper.go(index);
        const labels = [...view.world.querySelectorAll("g.edge text")].filter((text) => text.textContent);
        labels.forEach((label, i) => {
            const { left, right, top, bottom } = box(label);
            const rim = (bottom - top) * 0.2; // above and below the letters
            const own = { left, right, top: top + rim, bottom: bottom - rim };
            const covers = ({ x, y }) => x > left && x < right && y > own.top && y < own.bottom;
            const note = (what) => found.push([index, label.textContent, what]);
            if (labels.some((other, j) => j > i && meet(own, box(other)))) note("a label");
            if (nodes.some((node) => meet(own, node))) note("a node");
            if (points.flat().some(covers)) note("a line");
        });
    }
    return found;
"""


def chunked():
    v = variable(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    a, b, c = v.chunk(3)
    return (a * b + c * v[0:2]).sum()


def random_loss(seed):
    _, roots = random_program(seed)(Ours)
    return sum(root.sum() for root in roots)


LABELLED = {"diamond": lambda: diamond()[2], "chunk": chunked} | {
    f"random {seed}": functools.partial(random_loss, seed) for seed in (0, 1, 2, 8, 11)
}


@pytest.mark.parametrize("name", LABELLED)
def test_no_label_of_an_edge_covers_a_label_a_node_or_a_line(sized, name):
    browser = sized(html_of(drawing.trace_backward(LABELLED[name]())))
    browser.execute_script("page.views[0].fit()")
    assert browser.execute_script(OVERLAPS) == []


def test_labels_of_a_graph_of_68_edges_seldom_cover_a_line(sized):
    browser = sized(html_of(drawing.trace_backward(random_loss(5))))
    browser.execute_script("page.views[0].fit()")
    overlaps = browser.execute_script(OVERLAPS)
    assert {what for _, _, what in overlaps} <= {"a line"} and len(overlaps) <= 12


@pytest.mark.parametrize("size", [DESKTOP, TABLET, PHONE])
def test_buttons_and_minimap_are_beside_the_graph_and_the_legend_begins_in_the_window(sized, size):
    browser = sized(html_of(drawing.trace_backward(chain(40))), size=size)
    boxes = browser.execute_script("""
        return ["svg.view", ".tools", ".minimap", "#legend", ".graph"].map((name) => {
            const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
            return [left, top, right, bottom];
        });
    """)
    graph, tools, minimap, legend, frame = boxes
    for beside in (tools, minimap):
        assert beside[0] >= graph[2] and inside(beside, frame)
    assert tools[3] <= minimap[1]
    assert graph[2] - graph[0] > 0.6 * (frame[2] - frame[0])
    if size == DESKTOP:
        assert legend[1] + 15 < size[1]
