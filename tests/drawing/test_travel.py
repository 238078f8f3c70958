"""The gradient on its way along an edge, and the product at the arrowhead."""

import pytest

from legacy_autograd import drawing
from legacy_autograd.autograd import Variable
from legacy_autograd.drawing import layout
from legacy_autograd.tensor import Tensor

from .graphs import variable
from .test_page_view import html_of, overlapping, press, soon, step_with
from .test_questions import traced_diamond

pytestmark = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")


def products(browser):
    return browser.execute_script("return [...document.querySelectorAll('.product text')].map(one => one.textContent)")


def edge_texts(browser):
    texts = "return [...document.querySelectorAll('.view .edge text.grad')].map(text => text.textContent)"
    return [text for text in browser.execute_script(texts) if text]


def product_of(sized, loss, kind, **names):
    """The products that a page of `loss` writes while its Function of the class `kind` runs."""
    trace = drawing.trace_backward(loss, params=names)
    number = next(number for number, node in trace.nodes.items() if node.kind == kind)
    last = max(step.index for step in trace if step.turn == number)
    browser = sized(html_of(trace), "#step=1&grain=function")
    seen = set()
    for step in range(step_with(trace, "pop", number), last + 2):
        browser.execute_script("page.stepper.go(arguments[0])", step - 1)
        seen |= set(products(browser))
    return seen


def test_the_product_at_the_arrowhead_names_the_other_factor(sized):
    trace = traced_diamond()
    browser = sized(html_of(trace), f"#step={step_with(trace, 'free', 1, last=True)}")
    assert products(browser) == ["1 × y = 3"] and edge_texts(browser) == [], "the number is written once"
    press(browser, "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT")
    assert products(browser) == ["1 × x = 2"] and edge_texts(browser) == ["grad 3"]
    rects = browser.execute_script("""
        const rect = element => {
            const b = element.getBoundingClientRect();
            return [b.left, b.top, b.right, b.bottom];
        };
        return [["product", rect(document.querySelector(".product rect"))],
            ...[...document.querySelectorAll(".view .node .shape")].map(shape => [shape.parentNode.id, rect(shape)])];
    """)
    assert overlapping(rects) == []


def test_products_of_other_operations(sized):
    x, w = variable(2.0), variable(5.0)
    assert product_of(sized, x.exp() * -3, "MulConstant", x=x) == {"1 × (-3) = -3"}
    assert product_of(sized, -x * w, "Mul", x=x, w=w) == {"1 × w = 5", "1 × (-2) = -2"}  # -x has no name
    vector = variable(1.0, 2.0)
    assert product_of(sized, (vector * vector).sum(), "Mul", v=vector) == {"[1, 1] × v = [1, 2]"}
    assert product_of(sized, vector.sum(), "Sum") == set(), "not elementwise: from one number to two"


def test_a_matrix_product_writes_shapes(sized):
    a, b = (Variable(Tensor(*size).fill_(1)) for size in ([3, 4], [4, 2]))
    assert product_of(sized, a.mm(b).sum(), "Mm") == {"(3, 2) × (4, 2)ᵀ = (3, 4)", "(3, 4)ᵀ × (3, 2) = (4, 2)"}


PAUSED = """
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) {
        const made = animate.apply(this, all);
        made.pause();
        return made;
    };
"""
TRAVELS = """
    return [...document.querySelectorAll(".token")].map(token => token.getAnimations()[0].effect.getTiming().duration);
"""


def test_a_gradient_travels_forward_in_300_milliseconds(opened):
    trace = traced_diamond()
    step = step_with(trace, "free", 1)
    browser = opened(html_of(trace), f"#step={step - 1}")
    browser.execute_script(PAUSED)
    press(browser, "ARROW_RIGHT")
    assert browser.execute_script(TRAVELS) == [300]
    ends = browser.execute_script("""
        const frames = document.querySelector(".token").getAnimations()[0].effect.getKeyframes();
        return [frames.at(0), frames.at(-1)].map(({ transform }) => transform.match(/-?[\\d.]+/g).map(Number));
    """)
    shapes = browser.execute_script("""
        return [4, 1].map(number => page.views[0].picture.place(number))
            .map(({ x, y, width, height }) => [x, y, x + width, y + height]);
    """)
    for (x, y), (left, top, right, bottom) in zip(ends, shapes):
        assert left - 9 <= x <= right + 9 and top - 9 <= y <= bottom + 9, "the arrow's head is 7 long"
    press(browser, "ARROW_LEFT")
    assert browser.execute_script(TRAVELS) == [], "back: at once"


def tokens(browser):
    return browser.execute_script("return document.querySelectorAll('.token').length")


def test_it_has_arrived_soon_and_with_reduced_motion_at_once(opened, sized):
    trace = traced_diamond()
    step = step_with(trace, "free", 1)
    browser = opened(html_of(trace), f"#step={step - 1}")
    press(browser, "ARROW_RIGHT")
    soon(lambda: tokens(browser) == 0)
    browser = sized(html_of(trace), f"#step={step - 1}")
    press(browser, "ARROW_RIGHT")
    assert tokens(browser) == 0
    assert products(browser) == ["1 × 1 = 1"]
