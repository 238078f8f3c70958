"""The page's sliders: a leaf changes, and the values and gradients on the graph follow."""

import pytest

from legacy_autograd import drawing
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.drawing import layout
from legacy_autograd.tensor import Tensor

from .graphs import variable
from .test_derivatives import Square
from .test_page_view import PHONE, TABLET, html_of, press, text_of
from .test_questions import traced_diamond

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")


def shown(browser):
    return browser.execute_script("""
        return Object.fromEntries([...document.querySelectorAll("#aside dt")].map(term =>
            [term.textContent, term.nextSibling.textContent]));
    """)


def test_a_slider_changes_values_and_gradients_by_key_and_by_number(sized):
    browser = sized(html_of(traced_diamond()), "#step=17&mode=sliders")
    assert shown(browser) == {"z": "11", "x.grad": "4", "y.grad": "3"}  # x = 2, y = 3, z = x * y + (x + y)
    browser.execute_script("document.querySelector('.sliders input[type=range]').focus()")
    press(browser, "ARROW_RIGHT")  # a tenth: 2.1 * 3 + (2.1 + 3)
    assert shown(browser) == {"z": "11.4", "x.grad": "4", "y.grad": "3.1"}
    assert text_of(browser, 1, "value") == "= 2.1" and text_of(browser, 2, "grad") == "1 + 2.1 = 3.1"
    assert browser.find_element("css selector", "#t0-f2 .slot.full .part").text in ("1", "2.1")
    box = browser.find_elements("css selector", ".sliders input[type=number]")[1]
    box.clear()
    box.send_keys("-10")  # beyond the slider
    assert shown(browser) == {"z": "-28.9", "x.grad": "-9", "y.grad": "3.1"}  # 2.1 * -10 + (2.1 - 10)
    browser.find_element("xpath", "//*[@id='aside']//button[text()='As at the start']").click()
    assert shown(browser) == {"z": "11", "x.grad": "4", "y.grad": "3"}
    assert browser.find_element("id", "words").text == "z = 11"
    browser.find_element("css selector", "#modes [value=watch]").click()
    assert browser.execute_script("return page.stepper.index") == 16
    assert text_of(browser, 1, "state") == "waits for 1"


def test_each_element_has_a_slider_and_a_larger_leaf_is_constant(sized):
    data = Variable(Tensor([[float(i) for i in range(4)], [1.0, 0.0, 1.0, 0.0]]).t().contiguous(), requires_grad=False)
    w = Variable(Tensor([[0.5], [-1.0]]))
    loss = data.mm(w).pow(2).sum()  # data is (4, 2): eight elements
    browser = sized(html_of(drawing.trace_backward(loss, params={"w": w, "data": data})), "#mode=sliders")
    names = browser.execute_script("return [...document.querySelectorAll('.sliders b')].map(one => one.textContent)")
    assert names == ["w[0, 0]", "w[1, 0]"]
    browser.find_elements("css selector", ".sliders input[type=number]")[1].send_keys("0")  # -1 becomes -10
    # the results: (-10, 0.5, -9, 1.5), squared 100 + 0.25 + 81 + 2.25
    assert shown(browser)["loss"] == "183.5"
    # the gradient: 2 * (0.5 * 1 - 9 * 2 + 1.5 * 3) and 2 * (-10 - 9)
    assert shown(browser)["w.grad"] == "[[-26], [-38]]"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_sentence_says_why_there_are_none(sized, lang):
    (y,) = Square()(variable(3.0))
    browser = sized(html_of(drawing.trace_backward(y, lang=lang)), "#mode=sliders")
    text = browser.find_element("id", "aside").text
    assert ("The sliders are off for this graph. Square #2 is a Function that" in text) == (lang == "en")
    assert ("页面无法计算 Square #2 这个 Function。" in text) == (lang == "zh")


@pytest.mark.parametrize("size", [PHONE, TABLET])
def test_sliders_fit_a_narrow_window(sized, size):
    browser = sized(html_of(traced_diamond()), "#mode=sliders", size)
    root = "document.documentElement"
    assert browser.execute_script(f"return {root}.scrollWidth <= {root}.clientWidth")
    tops = browser.execute_script(
        "return [...document.querySelectorAll('.sliders input')].map(one => one.getBoundingClientRect().bottom)"
    )
    assert max(tops) < size[1], "all are in view beside the graph"
