"""What a Comparison says, prints and draws."""

import html.parser
import re

import numpy
import pytest

torch = pytest.importorskip("torch", reason="the comparison needs modern torch")

import legacy_autograd  # noqa: E402
from legacy_autograd import historical  # noqa: E402
from legacy_autograd.autograd import Variable  # noqa: E402
from legacy_autograd.comparison import side_by_side  # noqa: E402
from legacy_autograd.comparison.graphs import pictures  # noqa: E402
from legacy_autograd.comparison.result import Difference  # noqa: E402
from legacy_autograd.drawing import layout  # noqa: E402

from .programs import PROGRAMS  # noqa: E402


def compared(name, **keywords):
    function, inputs = PROGRAMS[name]
    return side_by_side(function, *inputs, **keywords)


def test_operations_are_matched_node_for_node():
    rows = [(row.number, row.here, row.there) for row in compared("diamond").rows]
    assert rows == [
        (1, "x", "x"),
        (2, "Exp", "ExpBackward0"),
        (3, "MulConstant", "MulBackward0"),
        (4, "Sin", "SinBackward0"),
        (5, "Mul", "MulBackward0"),
        (6, "Add", "AddBackward0"),
        (7, "Sum", "SumBackward0"),
    ]


@pytest.mark.parametrize(
    "name", ["linear_regression", "polynomial", "shared_leaves", "parts", "maxima", "lstm_by_hand", "a_chain_of_200"]
)
def test_graphs_without_fused_operations_match_one_to_one(name):
    comparison = compared(name)
    assert all(match.is_one_to_one for match in comparison.matches)
    # The same edges: whom a node's inputs come from, as numbers of matches.
    edges = []
    for side, run in (("here", comparison.here), ("there", comparison.there)):
        number = {i: match.number for match in comparison.matches for i in getattr(match, side)}
        edges.append(
            {(number[e[0]], number[i]) for i, node in enumerate(run.nodes) for e in node.inputs if e is not None}
        )
    assert edges[0] == edges[1]


def test_where_torch_has_several_nodes_for_one_they_are_shown_as_a_group():
    comparison = compared("lenet")
    groups = {(row.here, row.there) for row in comparison.rows if row.is_group}
    assert groups == {("Linear", "AddmmBackward0 + TBackward0")}
    assert {(d.here, d.there): d.count for d in comparison.by_design}["Linear", "AddmmBackward0 + TBackward0"] == 3
    steps = [row for row in compared("lstm_over_five_steps").rows if row.here == "LSTMGates"]
    assert len(steps) == 5 and all("3 SigmoidBackward0" in row.there for row in steps)


def test_leaves_have_the_names_that_the_program_gives_them():
    names = [row.here for row in compared("lenet").rows if row.is_leaf]
    assert names[:2] == ["model.conv1.weight", "model.conv1.bias"]
    assert names == [row.there for row in compared("lenet").rows if row.is_leaf]


def test_what_differs_by_design_is_told_apart():
    comparison = compared("linear_regression")
    said = {(d.here, d.there): d.count for d in comparison.by_design}
    leaf = next(key for key in said if "Leaf" in key[0])
    assert "AccumulateGrad" in leaf[1] and said[leaf] == 1
    size = next(key for key in said if "(1,)" in key[0])
    assert "()" in size[1] and said[size] == 1
    assert comparison.agrees

    constant = compared("parts_without_gradient")
    assert any("require no gradient are recorded too" in d.here for d in constant.by_design)
    assert any("[0] translated to its only element" in d.there for d in compared("numbers_of_2016").by_design)


def test_the_text_has_every_number_and_the_verdict():
    text = str(compared("diamond"))
    assert "diamond: legacy_autograd and torch" in text
    assert re.search(r"^2 +Exp +ExpBackward0 +\(2, 3\)", text, re.MULTILINE)
    assert "x.exp()" in text  # the expression of the program
    assert text.endswith("All values and gradients agree within 1e-10 (1 + their size).")


def test_inputs_are_not_changed_and_both_runs_get_their_own():
    x = numpy.ones(3)
    leaf = Variable(legacy_autograd.DoubleTensor([1.0, 2.0]))

    def program(torch, Variable, x, leaf, number):
        assert number == 4
        x += 1
        loss = (leaf * leaf).sum() * number
        loss.backward()
        leaf.data.add_(1)
        return loss, leaf, x

    comparison = side_by_side(program, x, leaf, 4)
    assert comparison.agrees
    assert x.tolist() == [1, 1, 1]
    assert leaf.data.tolist() == [1, 2] and leaf.grad.tolist() == [0, 0]
    assert comparison.here.results["result[2]"].tolist() == [2, 2, 2]


def test_the_random_numbers_go_on_afterwards_and_torch_is_as_it_was():
    before = torch.get_default_dtype()
    compared("random_numbers")
    assert torch.get_default_dtype() is before
    assert not hasattr(torch.Tensor, "creator") and not hasattr(torch.Tensor, "nElement")
    assert torch.nn.Linear.__init__.__module__ == "torch.nn.modules.linear"
    assert not hasattr(torch.nn.Linear.__init__, "__wrapped__")
    assert not hasattr(legacy_autograd.nn.Linear.__init__, "__wrapped__")


def test_an_exception_of_the_program_is_its_own_and_leaves_nothing_behind():
    def program(torch, Variable):
        raise ArithmeticError("on purpose")

    with pytest.raises(ArithmeticError, match="on purpose"):
        side_by_side(program)
    assert legacy_autograd.autograd.callbacks.around_call.callbacks == ()
    assert compared("diamond").agrees


def test_modules_that_only_one_world_makes_are_an_error():
    calls = []

    def program(torch, Variable):
        calls.append(torch)
        return torch.nn.Linear(2, 3 if len(calls) == 1 else 4)

    with pytest.raises(RuntimeError, match="Linear has the parameters weight"):
        side_by_side(program)


def test_results_and_leaves_that_only_one_run_has_are_problems():
    calls = []

    def program(torch, Variable):
        calls.append(torch)
        x = Variable(torch.ones(2))
        (x * x).sum().backward()
        return {"a": x} if len(calls) == 1 else {"b": x}

    comparison = side_by_side(program)
    assert not comparison.agrees and comparison.gradients_agree
    assert comparison.problems == [
        "result['a'] is a result in legacy_autograd, but not in " + comparison.there.world,
        "result['b'] is a result in " + comparison.there.world + ", but not in legacy_autograd",
    ]


def test_bad_arguments():
    with pytest.raises(TypeError, match="side_by_side needs a function or the path of a script, got int"):
        side_by_side(3)
    with pytest.raises(ValueError, match="pass the path of a script, which has its own process"):
        side_by_side(lambda torch, Variable: None, era="0.1.12")
    with pytest.raises(FileNotFoundError, match="there is no script"):
        side_by_side("nowhere.py")


@pytest.mark.parametrize(
    "a, b, absolute, relative, agrees",
    [
        ([1.0, 2.0], [1.0, 2.0], 0, 0, True),
        ([1.0, 2.0], [1.0, 4.0], 2, 0.5, False),
        ([numpy.nan, numpy.inf], [numpy.nan, numpy.inf], 0, 0, True),
        ([numpy.nan], [1.0], numpy.inf, numpy.inf, False),
        ([numpy.inf], [-numpy.inf], numpy.inf, numpy.inf, False),
        ([1e12], [1e12 + 1e-3], 1e-3, 1e-15, True),
        (None, [0.0], 0, 0, True),
        (None, [1.0], 1, 1, False),
        ([1.0], [1.0, 1.0], numpy.inf, numpy.inf, False),
    ],
)
def test_differences(a, b, absolute, relative, agrees):
    a, b = (None if x is None else numpy.array(x) for x in (a, b))
    difference = Difference.between(a, b, 1e-10)
    assert difference.absolute == pytest.approx(absolute, rel=1e-1)
    assert difference.relative == pytest.approx(relative, rel=1e-1)
    assert difference.agrees is agrees


# --- pictures and pages


def test_matching_nodes_are_numbered_alike():
    here, there = (dot.source for dot in pictures(compared("diamond")))
    labels = [re.findall(r'label="([A-Za-z0-9]+) #(\d+)', source) for source in (here, there)]
    assert [number for _, number in labels[0]] == [number for _, number in labels[1]]
    assert ("Exp", "2") in labels[0] and ("ExpBackward0", "2") in labels[1]
    assert here.count("->") == there.count("->")


class Checker(html.parser.HTMLParser):
    """Keeps which elements are open, and every address that a page refers to."""

    def __init__(self):
        super().__init__()
        self.open, self.addresses = [], []

    def handle_starttag(self, tag, attributes):
        self.addresses += [value for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag not in ("meta", "br", "img", "path", "polygon", "ellipse", "polyline", "text"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("path", "polygon", "ellipse", "polyline", "text"):
            assert self.open.pop() == tag


def test_the_page_needs_nothing_else(tmp_path):
    path = tmp_path / "page.html"
    comparison = compared("lenet")
    comparison.save(path)
    page = path.read_text(encoding="utf-8")
    checker = Checker()
    checker.feed(page)
    assert checker.open == [] and checker.addresses == []
    assert "http" not in page.replace("http://www.w3.org/", "")
    assert page.count("<svg") == 2
    for row in comparison.rows:
        assert page.count(f'class="node m{row.number}"') >= 2  # in both graphs
        assert f'<tr class="m{row.number}"' in page
    assert "/*" not in page.replace("/*!", "")


def page_of(comparison, folder):
    comparison.save(folder / "comparison.html")
    return (folder / "comparison.html").read_text(encoding="utf-8")


def rows_of(page):
    """{number of a row: {heading: text}} of the first table."""
    table = page.split("<tbody>")[1].split("</tbody>")[0]
    rows = [re.findall(r'<td data-label="([^"]*)">(.*?)</td>', row) for row in table.split("<tr")[1:]]
    cells = [{name: re.sub("<[^>]*>", " ", text).split() for name, text in row} for row in rows]
    return {int(row["#"][0]): {name: " ".join(words) for name, words in row.items()} for row in cells}


def test_the_page_shows_values_and_gradients(tmp_path):
    def program(torch, Variable, a, b):
        a, b = Variable(a), Variable(b)
        return (3 * a * b.mean()).sum()

    # b's mean is 3 and its norm the root of 0 + 1 + 4 + 9 + 16 + 25 + 36 = 91. The result is 3 (2 + 5) 3 = 63. The
    # gradient of a is 3 * 3, that of b 3 (2 + 5) / 7 = 3 for each, with the norm 3 times the root of 7.
    rows = rows_of(page_of(side_by_side(program, numpy.array([2.0, 5.0]), numpy.arange(7.0)), tmp_path))
    by_name = {row["legacy_autograd"]: row for row in rows.values()}
    assert (by_name["a"]["value"], by_name["a"]["gradient"]) == ("[2, 5]", "[9, 9]")
    assert by_name["b"]["value"] == "mean 3 norm 9.539 [0., 1., 2., 3., 4., 5., 6.]"
    assert by_name["b"]["gradient"].startswith("mean 3 norm 7.937 [3., 3.,")
    assert (by_name["Sum"]["value"], by_name["Sum"]["gradient"]) == ("63", "1")


def test_what_differs_is_shown_of_both_worlds(monkeypatch, tmp_path):
    from legacy_autograd.autograd import functions

    right = functions.Sin.backward
    monkeypatch.setattr(functions.Sin, "backward", lambda self, grad: right(self, grad).mul(2))

    def program(torch, Variable, x):
        return Variable(x).sin().sum()

    rows = rows_of(page_of(side_by_side(program, numpy.zeros(1)), tmp_path))
    told = f"legacy_autograd: 2 torch {torch.__version__.split('+')[0]}: 1 differs by 1.0e+00 (5.0e-01 relative)"
    assert rows[1]["gradient"] == told and rows[1]["value"] == "0"


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_its_window(opened, tmp_path, width):
    browser = opened(page_of(compared("lenet"), tmp_path))
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        sizes = "[...document.querySelectorAll('td, p')].map(e => parseFloat(getComputedStyle(e).fontSize))"
        assert browser.execute_script(f"return Math.min(...{sizes})") >= 12
        cut = "return [...document.querySelectorAll('td')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
        assert browser.execute_script(cut) == 0
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_names_cannot_break_the_page(tmp_path):
    def program(torch, Variable, x):
        values = {"<script>alert(1)</script>": Variable(x)}
        return (values["<script>alert(1)</script>"] * 2).sum()

    comparison = side_by_side(program, numpy.ones(2))
    path = tmp_path / "page.html"
    comparison.save(path)
    page = path.read_text(encoding="utf-8")
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert "<script>alert" not in comparison._repr_mimebundle_()["text/html"]


def test_a_notebook_shows_two_pictures_and_the_tables():
    bundle = compared("diamond")._repr_mimebundle_()
    assert "<code></code>" not in bundle["text/html"], "a leaf has no line"
    assert bundle["text/html"].count('src="data:image/svg+xml;base64,') == 2
    assert 'alt="The graph of legacy_autograd: Exp, MulConstant, Sin, Mul, Add and Sum; 1 leaf"' in bundle["text/html"]
    assert "<table>" in bundle["text/html"] and "ExpBackward0" in bundle["text/html"]
    assert bundle["text/plain"].startswith("diamond:")


def test_without_a_layout_the_page_says_what_to_install(tmp_path, monkeypatch):
    def unavailable(source):
        raise layout.LayoutUnavailable("a picture needs a layout program: install Graphviz")

    monkeypatch.setattr("legacy_autograd.drawing.graphviz_drawing.to_svg", unavailable)
    path = tmp_path / "page.html"
    compared("diamond").save(path)
    page = path.read_text(encoding="utf-8")
    assert page.count("install Graphviz") == 2 and "ExpBackward0" in page


def test_what_differs_is_marked(monkeypatch, tmp_path):
    from legacy_autograd.autograd import functions

    right = functions.Sin.backward
    monkeypatch.setattr(functions.Sin, "backward", lambda self, grad: right(self, grad).mul(2))
    comparison = compared("diamond")
    assert "<- first difference" in str(comparison)
    here, there = (dot.source for dot in pictures(comparison))
    assert here.count("penwidth=3") == there.count("penwidth=3") == sum(not row.agrees for row in comparison.rows)
    assert here.count("#f6a9a5") == there.count("#f6a9a5") == 1
    path = tmp_path / "page.html"
    comparison.save(path)
    assert 'class="verdict bad"' in path.read_text(encoding="utf-8")


def test_leaves_that_one_operation_uses_come_in_the_order_of_its_inputs():
    """An order by memory addresses would give another picture every time."""

    def program(torch, Variable, *numbers):
        xs = [Variable(x) for x in numbers]
        return torch.cat(xs, 0)

    there = side_by_side(program, *numpy.arange(8.0).reshape(8, 1)).there
    assert [node.label for node in there.nodes if node.is_leaf] == [f"xs[{i}]" for i in range(8)]


# --- the museum beside modern torch


def test_the_numbers_of_the_museum_beside_modern_torch():
    def program(torch, Variable, x, y):
        x, y = Variable(x), Variable(y)
        z = x * y + (x + y)
        z.backward()
        return x.grad, y.grad

    comparison = side_by_side(program, numpy.array([2.0]), numpy.array([3.0]))
    assert comparison.agrees
    right = historical.product_and_sum().right.values
    assert [comparison.there.results[f"result[{i}]"].tolist() for i in (0, 1)] == list(right.values()) == [[4], [3]]
