"""Heat maps of tensors, and numbers that are rounding."""

import numpy
import pytest

from legacy_autograd import drawing
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.drawing import layout
from legacy_autograd.drawing.heat import heat_of, heat_svg
from legacy_autograd.drawing.labels import record_text, short_text, tensor_record
from legacy_autograd.tensor import Tensor
from legacy_autograd.tensor.base import wrap

from .test_page_view import html_of

drawn = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")


def test_levels_are_relative_to_the_largest_number():
    assert heat_of(numpy.array([[9.0, -9.0, 0.0], [1.0, -1.0, 0.4]])) == ["iI0", "aA0"]
    assert heat_of(numpy.array([[1.0, numpy.nan, -numpy.inf], [0.5, -0.25, 0]])) == ["i??", "dB0"]  # 4.5 rounds to 4
    assert heat_of(numpy.zeros((2, 4))) == ["0000", "0000"]


def test_the_grid_has_at_most_8_x_12_cells_each_the_mean_of_its_part():
    large = numpy.zeros((80, 240))
    large[:10, :20] = 1.0  # the first cell
    large[70:, 220:] = -1.0  # the last cell
    assert heat_of(large) == ["i00000000000", *["000000000000"] * 6, "00000000000I"]
    assert [len(row) for row in heat_of(numpy.ones((3, 5, 7)))] == [7] * 8  # 15 rows
    assert [len(row) for row in heat_of(numpy.ones(24))] == [12, 12]
    assert [len(row) for row in heat_of(numpy.ones(7))] == [7]
    assert heat_of(numpy.ones(13)) == ["iiiiiii", "iiiiii0"]  # two rows of 7; the last cell is no number


def test_a_record_of_seven_elements_has_one_and_of_six_none():
    assert "heat" not in tensor_record(Tensor([1, 2, 3, 4, 5, 6]))
    assert tensor_record(Tensor([0, 0, 0, 0, 0, 0, -2]))["heat"] == ["000000I"]
    assert heat_svg(["iA0"], 0, 0).count("<path") == 2


def test_rounding_beside_larger_numbers_is_printed_as_about_0():
    assert short_text(tensor_record(Tensor([1.0, 1e-17, -3e-16, 0.0]))) == "[1, ≈ 0, ≈ 0, 0]"
    assert short_text(tensor_record(Tensor([1e-17]))) == "1e-17"  # beside nothing
    assert short_text(tensor_record(Tensor([1.0, 1e-14]))) == "[1, 1e-14]"
    single = wrap(numpy.array([1.0, 1e-7, 1e-5], numpy.float32))  # 16 units of 1 are 1.9e-6
    assert record_text(tensor_record(single)) == "[1, ≈ 0, 1e-05]"
    balanced = tensor_record(Tensor([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0, 7e-16]))
    assert short_text(balanced).startswith("(8,) mean ≈ 0 norm 2.449")
    assert short_text(tensor_record(wrap(numpy.array([1, 0])))) == "[1, 0]"


def layer():
    x = Variable(Tensor([[0.5, -1.0, 0.0], [1.0, 2.0, -2.0], [0.1, 0.2, 0.3]]), requires_grad=False)
    w = Variable(Tensor(3, 4).fill_(0.25))
    return x.mm(w).sum()


@drawn
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_functions_and_cards_show_them(sized, scheme):
    trace = drawing.trace_backward(layer())
    browser = sized(html_of(trace), f"#step={len(trace)}", scheme=scheme)
    shown = browser.execute_script("""
        return page.views[0].picture.all.map(({ item: { number }, group }) => {
            const maps = [...group.querySelectorAll("g.heat")].map((map) => map.querySelectorAll("path").length);
            const box = (name) => group.querySelector(name)?.getBoundingClientRect();
            const [outer, inner] = [box(".shape"), box("g.heat rect")];
            return [number, maps, !inner || (inner.left > outer.left && inner.bottom < outer.bottom)];
        });
    """)
    assert all(is_inside for *_, is_inside in shown)
    maps = {number: counts for number, counts, _ in shown}
    # x, with ninths of 2: 2, -4, 4, 9, -9, 1; w has one level, its gradient the sums of x's columns, 1.6, 1.2 and -1.7
    assert maps["1"] == [6] and maps["2"] == [1, 3] and maps["4"] == []
    browser.execute_script("page.views[0].card(2, true)")
    card = browser.find_element("id", "card")
    assert len(card.find_elements("css selector", "svg.heat")) == 2  # value and gradient; its Variable is gone
    assert "0.25, 0.25" in card.text


@drawn
def test_a_page_and_a_still_picture_draw_the_same(sized):
    trace = drawing.trace_backward(layer())
    still = trace.frames()[-1]
    browser = sized(html_of(trace), f"#step={len(trace)}")
    paths = browser.execute_script("return document.querySelectorAll('.view g.heat path').length")
    assert still.count('<path class="plus"') + still.count('<path class="minus"') == paths > 0


@drawn
def test_page_and_python_print_the_same_numbers(sized):
    x = variable_of([1.0, 1e-17, 0.5])
    trace = drawing.trace_backward((x * variable_of([1.0, 2.0, 1e-18])).sum())
    browser = sized(html_of(trace), f"#step={len(trace)}")
    text = browser.execute_script("return page.views[0].picture.nodes[1].group.querySelector('.value').textContent")
    assert text == "x = [1, ≈ 0, 0.5]" or text == "= [1, ≈ 0, 0.5]"


def variable_of(numbers):
    return Variable(Tensor(numbers))
