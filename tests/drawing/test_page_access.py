"""The step-through page for every reader: axe-core, the keyboard, forced colours."""

import pytest

from legacy_autograd import drawing
from legacy_autograd.drawing import layout, page

from .graphs import variable
from .test_page_view import PHONE, html_of, lenet_trace
from .test_questions import branch, traced_diamond

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")


@pytest.mark.slow
@pytest.mark.parametrize("size, scheme", [((1280, 800), "light"), (PHONE, "dark")])
@pytest.mark.parametrize("make", [traced_diamond, branch, lenet_trace])
def test_axe_finds_nothing_in_any_mode(axe, sized, make, size, scheme):
    html = html_of(make())
    walks = ["#step=1", "#step=17", "#step=17&grain=function"]
    for anchor in (*walks, "#step=12&mode=predict", "#mode=choice", "#mode=sliders"):
        browser = sized(html, anchor, size, scheme)
        assert axe(browser) == [], anchor
    browser.execute_script("page.source.choose('source'); page.views[0].pick(1)")
    browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    assert axe(browser) == []


def compared():
    x = variable(2.0)
    return drawing.compare_engines(x * x + x, engine=drawing.ModernOrderEngine).page()


@pytest.mark.slow
@pytest.mark.parametrize("size, scheme", [((1280, 800), "light"), (PHONE, "dark")])
@pytest.mark.parametrize("make", [lambda: page.page([traced_diamond(), traced_diamond()], ["one", "two"]), compared])
def test_axe_finds_nothing_in_a_page_of_several_graphs(axe, sized, make, size, scheme):
    browser = sized(make(), "#step=17", size, scheme)
    browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    assert axe(browser) == []


def test_the_name_of_a_node_is_its_text(sized):
    trace = lenet_trace()
    browser = sized(html_of(trace), "#step=30")
    names = browser.execute_script("""
        const nodes = [...document.querySelectorAll(".view g.node")];
        return nodes.map(({ ariaLabel, textContent }) => [ariaLabel, textContent]);
    """)
    assert len(names) > 5
    for name, text in names:
        assert name.replace(",", "").split() == text.replace(",", "").split()


def test_what_scrolls_is_reached_with_the_keyboard(sized):
    browser = sized(html_of(lenet_trace()), "#step=2", PHONE)
    places = browser.execute_script("""
        return [...document.querySelectorAll("#app *")].filter(one => one.scrollHeight > one.clientHeight + 1
            && /auto|scroll/.test(getComputedStyle(one).overflowY))
            .map(one => [one.className || one.id, one.tabIndex, one.ariaLabel || one.getAttribute("aria-labelledby")]);
    """)
    assert any("panel" in name for name, _, _ in places)
    assert [place for place in places if place[1] != 0 or not place[2]] == []


def test_forced_colours_keep_the_marked_rows(sized):
    trace = traced_diamond()
    browser = sized(html_of(trace), "#step=17")
    features = [{"name": "forced-colors", "value": "active"}, {"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    colours = browser.execute_script("""
        const probe = document.createElement("p");
        probe.style.cssText = "forced-color-adjust: none; background: Highlight";
        document.body.append(probe);
        const of = element => getComputedStyle(element).backgroundColor;
        page.source.choose("source");
        return [of(probe), ...["tr.changed td", "li.now", ".line.now", "#grains [aria-pressed=true]"]
            .map(name => of(document.querySelector(name))), of(document.querySelector("tr:not(.changed) td"))];
    """)
    *marked, other = colours
    assert len(set(marked)) == 1 and other not in marked
