"""make_dot: what a drawing shows, that it is the same every time, and that no name can break it."""

import base64
import collections
import html
import re
import sys

import graphviz
import pytest

from legacy_autograd import drawing, nn
from legacy_autograd.autograd.function import Function
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.drawing import layout
from legacy_autograd.drawing.calls import draw_calls
from legacy_autograd.drawing.graphviz_drawing import LINE_COLOR, STYLES
from legacy_autograd.drawing.template import filled
from legacy_autograd.drawing.walk import graph_of
from legacy_autograd.tensor import Tensor

from .graphs import Parsed, diamond, variable

BLUE, GREEN, YELLOW, BROWN, ORANGE = "#cfe2fb", "#c3e6c5", "#fff1a6", "#dcc2a4", "#ffcf9e"
EVIL = '<b>"x"|{}&lt;\\n\\'


class TwoOutputs(Function):
    def forward(self, x):
        return x.mul(2), x.mul(3)

    def backward(self, first, second):
        return first.mul(2).add(second.mul(3))


def node(dot, label):
    """The one line of the node whose label starts so."""
    (line,) = [line for line in dot.source.splitlines() if re.search(rf'label="?{re.escape(label)}( #|\\n|"| )', line)]
    return line


def test_every_kind_has_its_colour_and_its_shape():
    a, c = variable(1.0), variable(2.0, requires_grad=False)
    with drawing.record():
        loss = a * c - 1
    dot = drawing.make_dot(loss, {"a": a, "c": c, "loss": loss}, show_saved=True)
    kinds = {"a": GREEN, "c": YELLOW, "loss": BROWN, "Mul": BLUE, "saved: input 0": ORANGE}
    lines = {label: node(dot, label) for label in kinds}
    assert all(colour in lines[label] for label, colour in kinds.items())
    looks = {re.search(r"shape=(\w+) style=(\S+)", line).groups() for line in lines.values()}
    assert len(looks) == len(kinds), "kinds differ to eyes that do not see colours"


def test_a_trace_has_the_colours_of_a_drawing():
    style = filled("legacy_autograd.drawing", "states.css")
    for selector, kind in ((".node", "function"), (".node.leaf", "leaf"), (".node.constant", "constant")):
        found = re.search(rf"^{re.escape(selector)} {{ --full: (#\w+); --pale: #\w+; --rim: (#\w+); }}$", style, re.M)
        assert found.groups() == (STYLES[kind]["fillcolor"], STYLES[kind]["color"])
    assert LINE_COLOR in style


def test_it_is_torchvizs_call_and_graphvizs_object():
    a = variable(1.0)
    loss = a * 2
    assert isinstance(drawing.make_dot(loss), graphviz.Digraph)
    dot = drawing.make_dot(loss, dict([("weight", a)]), True, True, 20)
    assert 'label="weight #1\\nLeaf (1,)' in dot.source
    assert "constant = 2" in dot.source and "needs_input_grad = (True,)" in dot.source
    assert drawing.make_dot((loss, a * 3), [("weight", a)]).source.count("weight #1") == 1


def test_an_edge_says_which_output_goes_to_which_input():
    x = variable(1.0)
    first, second = TwoOutputs()(x)
    loss = second - first
    parsed = Parsed(drawing.make_dot(loss, {}, show_outputs=False))
    assert parsed.inputs == {"f2": {0: ("f1", 0)}, "f3": {0: ("f2", 1), 1: ("f2", 0)}}
    assert parsed.inputs == Parsed(drawing.make_dot(loss, {})).inputs


def test_an_edge_has_the_operands_name_if_it_is_a_word_and_no_bare_number():
    x = variable(1.0, 2.0).view(1, 2)
    labels = re.findall(r'\[label=" ([^"]*)"', drawing.make_dot(nn.Linear(2, 3)(x) * 2, {}).source)
    assert labels == ["weight", "bias"]
    first, second = TwoOutputs()(variable(1.0))
    source = drawing.make_dot(nn.functional.linear(second.view(1, 1), first.view(1, 1)), show_outputs=False).source
    assert re.findall(r'\[label=" ([^"]*)"', source) == ["output 1", "output 0", "weight"]
    assert 'tooltip="output 0 of View is input 1 of Linear"' in source


def test_both_uses_of_x_times_x_are_drawn():
    x = variable(3.0)
    parsed = Parsed(drawing.make_dot(x * x))
    assert parsed.inputs["f2"] == {0: ("f1", 0), 1: ("f1", 0)}


def test_direction():
    x = variable(3.0)
    loss = x.exp()
    assert "f1 -> f2" in drawing.make_dot(loss).source
    assert "f2 -> f1" in drawing.make_dot(loss, direction="backward").source
    with pytest.raises(ValueError, match="direction must be 'forward' or 'backward', got 'up'"):
        drawing.make_dot(loss, direction="up")


def test_values_gradients_and_attributes_on_request():
    a = variable(1.5, 2.0)
    loss = (a * 2).sum()
    assert "1.5, 2" not in drawing.make_dot(loss).source
    assert "grad None" in node(drawing.make_dot(loss, show_grads=True), "a")
    assert a._grad is None, "drawing changed what it drew"
    loss.backward()
    shown = node(drawing.make_dot(loss, show_values=True, show_grads=True), "a")
    assert "[1.5, 2]" in shown and "grad [2, 2]" in shown
    long = variable(*range(100))
    assert "[0, 1, 2, … 100 in all]" in drawing.make_dot(long * 2, show_values=True).source


def test_attributes_show_no_address_and_no_more_than_asked():
    class Keeps(Function):
        def __init__(self):
            self.thing, self.table, self.names = object(), {"a": object()}, ["x" * 100]
            self.volatile, self.unpack = 7, 8

        def forward(self, x):
            self.kept = x
            return x.mul(2)

    x = variable(1.0)
    (loss,) = Keeps()(x)
    source = drawing.make_dot(loss, show_attrs=True, show_saved=True, max_attr_chars=30).source
    assert "0x" not in source
    assert "thing = object" in source and "{'a': object}" in source and "kept: kept" in source
    assert "volatile = 7" in source and "unpack = 8" in source
    assert "x" * 30 not in source


def test_outputs_that_are_alive_and_known_are_drawn_and_all_that_were_recorded():
    x = variable(1.0)
    middle = x.exp()
    loss = middle.sin().cos()
    assert {"v2_0", "v4_0"} == {n for n in Parsed(drawing.make_dot(loss)).label if n.startswith("v")}
    assert {"v4_0"} == {n for n in Parsed(drawing.make_dot(loss, show_outputs=False)).label if n.startswith("v")}
    with drawing.record():
        loss = x.exp().sin().cos()
    assert {"v2_0", "v3_0", "v4_0"} == {n for n in Parsed(drawing.make_dot(loss)).label if n.startswith("v")}
    del middle


def test_an_output_that_is_not_differentiable_is_no_output_of_the_graph():
    x = variable(3.0, 1.0)
    with drawing.record():
        largest, index = x.max(0)
    labels = Parsed(drawing.make_dot(largest)).label
    assert sorted(labels) == ["f1", "f2", "v2_0"]
    del index


def test_a_leaf_whose_variable_is_gone_is_drawn_without_a_name():
    def loss():
        return variable(1.0, 2.0) * 2

    assert 'label="Leaf #1\\n(2,)' in drawing.make_dot(loss()).source


def test_a_root_that_is_a_leaf():
    x = variable(1.0)
    assert Parsed(drawing.make_dot(x)).label == {"f1": "x #1\\nLeaf (1,)"}


def test_numbers_are_the_walks():
    x, y, z = diamond()
    numbered = Parsed(drawing.make_dot(z)).label
    assert [numbered[f"f{n}"].split("\\n")[0] for n in range(1, 6)] == ["x #1", "y #2", "Mul #3", "Add #4", "Add #5"]
    plain = Parsed(drawing.make_dot(z, numbers=False)).label
    assert [plain[f"f{n}"].split("\\n")[0] for n in range(1, 6)] == ["x", "y", "Mul", "Add", "Add"]
    assert [type(f).__name__ for f in graph_of([z]).nodes] == ["Leaf", "Leaf", "Mul", "Add", "Add"]


def test_the_walk_leaves_out_what_requires_no_gradient_and_keeps_places():
    a, c = variable(1.0), variable(2.0, requires_grad=False)
    loss = c * a
    graph = graph_of([loss], requiring_grad=True)
    assert [len(graph.nodes), graph.inputs[loss.creator][0], graph.inputs[loss.creator][1][0]] == [2, None, a.creator]
    assert graph.uses[a.creator] == [(loss.creator, 1, 0)]


def test_the_legend_shows_what_was_drawn():
    x = variable(1.0)
    source = drawing.make_dot(x.exp(), legend=True).source
    assert "a Function" in source and "a leaf that\\nrequires a gradient" in source
    assert "a leaf that\\ndoes not" not in source


def test_twice_the_same_is_byte_for_byte_the_same():
    def source():
        a, b = variable(2.0), variable(3.0, requires_grad=False)
        with drawing.record():
            loss = 3 * a**3 - b * a
        return drawing.make_dot(loss, show_saved=True, show_attrs=True, show_values=True, legend=True).source

    assert len({source() for _ in range(5)}) == 1


@pytest.mark.parametrize(
    "name", [EVIL, "<b>all</b>", "<", 'a"b', "back\\slash", "&amp;", "line\nend", "\x1b[31m", "{x|y}"]
)
def test_a_name_cannot_break_the_picture(name):
    x = variable(1.0)
    dot = drawing.make_dot(x.exp(), {name: x})
    shown = name.replace("\n", "\\n").replace("\x1b", "\\x1b")
    assert len(dot.source.splitlines()) == len(drawing.make_dot(x.exp(), {"x": x}).source.splitlines())
    if layout.engine() is None:
        pytest.skip("nothing here lays out a graph")
    texts = [html.unescape(t) for t in re.findall(r"<text[^>]*>(.*?)</text>", layout.to_svg(dot.source))]
    assert f"{shown} #1" in texts


def test_a_variable_with_an_evil_name_of_its_own():
    x = variable(1.0)
    x.name = EVIL
    assert drawing.make_dot(x * 1).source == drawing.make_dot(x * 1, {EVIL: x}).source


def test_the_work_grows_with_the_number_of_nodes_and_no_faster():
    def calls_and_nodes(length):
        a, b = variable(1.0), variable(2.0)
        value = a
        with drawing.record():
            for _ in range(length // 2):
                value = value * a + b
        calls = collections.Counter()
        sys.setprofile(lambda frame, event, argument: calls.update([event]))
        try:
            source = drawing.make_dot(value, show_saved=True).source
        finally:
            sys.setprofile(None)
        return calls["call"] + calls["c_call"], source.count(" [label=")

    (few, nodes), (many, more_nodes) = calls_and_nodes(200), calls_and_nodes(800)
    assert nodes > 200 and more_nodes > 800
    assert many / more_nodes <= 1.05 * few / nodes


def steps_that_share_a_leaf(count):
    a = variable(1.0)
    value = a
    for _ in range(count):
        value = value * a
    return value


def test_a_leaf_with_uses_everywhere_does_not_stop_the_layout():
    assert "nslimit" not in drawing.make_dot(steps_that_share_a_leaf(20)).source
    source = drawing.make_dot(steps_that_share_a_leaf(100)).source
    assert "nslimit=1" in source and "splines=line" in source
    if layout.engine() == "dot":
        graphviz.pipe_lines("dot", "svg", [source], input_encoding="utf-8")  # took minutes without
    assert "nslimit" not in drawing.make_dot(steps_that_share_a_leaf(100), fold=3).source


def test_a_notebook_is_not_stopped_by_a_graph_that_nobody_could_read():
    dot = drawing.make_dot(steps_that_share_a_leaf(600))
    assert dot._repr_mimebundle_() == {
        "text/plain": "<drawing of 602 nodes and 1201 edges; its DOT is .source> "
        "It is too large to show: fold it, or write it to a file with drawing.render."
    }
    trace = drawing.trace_backward(steps_that_share_a_leaf(600))
    assert "too large to show" in trace._repr_mimebundle_()["text/plain"]


def test_a_deep_graph_is_drawn_without_recursion():
    value = variable(1.0)
    for _ in range(3000):
        value = value * 1
    assert drawing.make_dot(value, show_outputs=False).source.count('[label="MulConstant #') == 3000


def test_what_is_no_variable_is_refused_with_a_sentence():
    x = variable(1.0)
    for wrong, message in [
        (Tensor([1.0]), "make_dot needs a Variable or a tuple of them, got DoubleTensor"),
        ((x, 3), "got a tuple of Variable, int"),
        ([], "got a list of nothing"),
        ((x * 2).creator, "got a MulConstant; pass the result of its call"),
    ]:
        with pytest.raises(TypeError, match=message):
            drawing.make_dot(wrong)
    with pytest.raises(TypeError, match="params must name Variables"):
        drawing.make_dot(x, {"x": Tensor([1.0])})
    result = x * 2
    stranger = Variable(Tensor([1.0]), creator=result.creator)
    with pytest.raises(ValueError, match="the creator of this Variable is a MulConstant that did not make it"):
        drawing.make_dot(stranger)


@pytest.mark.parametrize(
    "name, advice", [("x.html", "trace_backward"), ("x.SVG", "drawing.render"), ("x.png", "render")]
)
def test_save_refuses_the_name_of_anything_but_dot(tmp_path, name, advice):
    dot = drawing.make_dot(variable(1.0) * 2)
    with pytest.raises(ValueError, match=f"^save writes DOT, not .*{name}.*{advice}"):
        dot.save(tmp_path / name)
    assert not (tmp_path / name).exists()


def test_save_writes_dot(tmp_path):
    dot = drawing.make_dot(variable(1.0) * 2)
    for name in ("x.dot", "x.gv", "x", "v1.2"):
        dot.save(name, directory=tmp_path)
        assert (tmp_path / name).read_text(encoding="utf-8") == dot.source


def test_render(tmp_path, monkeypatch):
    dot = drawing.make_dot(variable(1.0) * 2)
    drawing.render(dot, tmp_path / "x.dot")
    assert (tmp_path / "x.dot").read_text(encoding="utf-8") == dot.source
    with pytest.raises(ValueError, match="unknown format '.docx'"):
        drawing.render(dot, tmp_path / "x.docx")
    if layout.engine() is not None:
        drawing.render(dot, tmp_path / "x.svg")
        assert "</svg>" in (tmp_path / "x.svg").read_text(encoding="utf-8")
        bundle = dot._repr_mimebundle_()
        assert "</svg>" in bundle["image/svg+xml"]
        assert bundle["text/plain"] == "<drawing of 3 nodes and 2 edges; its DOT is .source>"
        encoded = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', bundle["text/html"])[1]
        assert base64.b64decode(encoded).decode("utf-8") == bundle["image/svg+xml"]


@pytest.fixture
def no_layout(monkeypatch):
    def unavailable(source):
        raise layout.LayoutUnavailable("install something")

    monkeypatch.setattr("legacy_autograd.drawing.graphviz_drawing.to_svg", unavailable)


def test_without_a_layout_program_the_tree_is_shown(no_layout):
    x = variable(1.0)
    y = x * 2
    tree = "install something\n\nMulConstant #2 (1,)\n└─ Leaf x #1 (1,)"
    assert drawing.make_dot(y)._repr_mimebundle_() == {"text/plain": tree}
    assert y.creator._repr_mimebundle_() == {"text/plain": tree.replace("Leaf x", "Leaf")}
    calls = draw_calls(y)
    assert calls._repr_mimebundle_() == {"text/plain": f"install something\n\n{calls!r}"}


def test_a_function_shows_the_graph_behind_it(monkeypatch):
    x, y, z = diamond()
    monkeypatch.setattr(sys.modules["__main__"], "x", x, raising=False)
    bundle = z.creator._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/plain"] == repr(z.creator) == "<Add ← Mul, Add>"
    drawn = drawing.make_dot(z, {"x": x}, show_outputs=False).svg()
    assert texts(bundle["image/svg+xml"]) >= {"x #1", "Leaf #2", "Mul #3", "Add #4", "Add #5"}
    assert len(re.findall('class="edge"', bundle["image/svg+xml"])) + 1 == len(re.findall('class="edge"', drawn))
    assert TwoOutputs()._repr_mimebundle_() == {"text/plain": "<TwoOutputs, not called>"}
    deep = steps_that_share_a_leaf(600).creator
    assert deep._repr_mimebundle_() == {
        "text/plain": "<Mul ← Mul, Leaf> Its graph is too large to show; drawing.make_dot can fold it."
    }


def texts(svg):
    return {html.unescape(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", svg)}


def test_the_words_of_a_picture_say_what_its_graph_is():
    w, x = variable(1.0), variable(2.0, requires_grad=False)
    loss = (w * x - w * 2).exp()
    dot = drawing.make_dot(loss)
    words = "The graph of loss: Mul, MulConstant, Sub and Exp; leaf w requires a gradient; leaf x requires none"
    assert dot.words == words
    unnamed = drawing.make_dot(steps_that_share_a_leaf(20) + variable(1.0), {})
    assert unnamed.words == "The graph of Add: 20 Mul and Add; 2 leaves require a gradient"
    many = {f"w{n}": variable(float(n)) for n in range(9)}
    total = sum(list(many.values())[1:], many["w0"])
    listed = "leaves w0, w1, w2, w3, w4 and 4 more require a gradient"
    assert drawing.make_dot(total, many).words == f"The graph of total: 8 Add; {listed}"
    if layout.engine() is not None:
        assert f'<svg role="img" aria-label="{words}" ' in dot.svg()
        assert "<title>" not in dot.svg(), "browsers show it as a tooltip: f1, or %3 for the whole"
        assert f'<img alt="{words}"' in dot._repr_mimebundle_()["text/html"]


def test_six_values_are_shown_whole_and_seven_are_not():
    six, seven = (variable(*range(n)) for n in (6, 7))
    assert "[0, 1, 2, 3, 4, 5]" in drawing.make_dot(six * 2, show_values=True).source
    assert "[0, 1, 2, … 7 in all]" in drawing.make_dot(seven * 2, show_values=True).source


class SavesItsOwn(Function):
    _saved_names = ("x", "slope", "shift")

    def forward(self, x):
        self.save_for_backward(x, x.add(1), x.mul(3))
        return x.mul(2)

    def backward(self, grad):
        return grad.mul(2)


class SavesNameless(SavesItsOwn):
    _saved_names = ()


def test_saved_tensors_of_one_size_that_are_no_input_share_a_note():
    def notes(cls, **options):
        (y,) = cls()(variable(1.0))
        labels = Parsed(drawing.make_dot(y, show_saved=True, **options)).label
        return [label for name, label in labels.items() if name[0] == "s"]

    assert notes(SavesItsOwn) == ["saved: input 0\\n(1,)", "saved: slope, shift\\n(1,) each"]
    assert notes(SavesNameless) == ["saved: input 0\\n(1,)", "2 saved\\n(1,) each"]
    values = ["saved: input 0\\n(1,)\\n[1]", "saved: slope\\n(1,)\\n[2]", "saved: shift\\n(1,)\\n[3]"]
    assert notes(SavesItsOwn, show_values=True) == values


def test_notes_stand_last_in_their_node_and_marked_functions_have_a_red_border():
    x = Variable(Tensor([1]))
    y = x * 2
    source = drawing.make_dot(y, notes={y.creator: "one\ntwo"}, marked=[y.creator]).source
    line = next(line for line in source.splitlines() if "MulConstant" in line and "label" in line)
    assert "one\\ntwo" in line and "#c00020" in line
    assert "#c00020" not in drawing.make_dot(y).source
