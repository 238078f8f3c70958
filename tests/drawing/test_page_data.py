"""The data of a page against numbers worked out by hand, and its size."""

import gc
import gzip
import json
import re
import weakref

import numpy
import pytest

from legacy_autograd import drawing, nn
from legacy_autograd.drawing import frames, layout, nested, page, page_shell, painted, values, walk
from legacy_autograd.tensor import Tensor

from .graphs import Variable, diamond, variable

needs_layout = pytest.mark.skipif(layout.engine() is None, reason="nothing here lays out a graph")


def data_of(html):
    (program,) = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html)[1])["programs"]
    return program


def numbers(state, name):
    """{number of a Function: the numbers of its records in `name`}."""
    return {number: [record and record["values"] for record in node[name]] for number, node in state.nodes.items()}


# z = x * y + (x + y) at x = 2, y = 3: z = 11, dz/dx = y + 1 = 4, dz/dy = x + 1 = 3. Add #4 (x + y) runs before Mul #3,
# so of x the parts are 1 and y = 3, of y 1 and x = 2.
def test_the_numbers_of_the_diamond():
    x, y, z = diamond()
    trace = drawing.trace_backward(z)
    *_, last = trace.states()
    # The results of Mul #3 and Add #4 are gone, and Add #5 saved nothing.
    known = {n: [value["values"] for value in node.values] for n, node in trace.nodes.items() if node.values}
    assert known == {1: [[2]], 2: [[3]], 5: [[11]]}
    assert numbers(last, "grads") == {1: [[4]], 2: [[3]], 3: [[1]], 4: [[1]], 5: [[1]]}
    parts = {n: [(edge, to, part["values"]) for edge, to, part in last.nodes[n]["parts"]] for n in (1, 2)}
    assert parts == {1: [((4, 0), 0, [1]), ((3, 0), 0, [3])], 2: [((4, 1), 0, [1]), ((3, 1), 0, [2])]}
    assert [held["values"] for held in last.nodes[1]["held"]] == [[0], [4]]
    assert last.edges == {}, "nothing travels any more"
    given = {}
    for change in trace.changes():
        for edge, now in change.edges.items():
            if now is not None and now["state"] == "active":
                given[edge] = now["grad"]["values"]
    # the edges by (consumer, its input): Mul gives y = 3 to x and x = 2 to y
    assert given == {(5, 0): [1], (5, 1): [1], (4, 0): [1], (4, 1): [1], (3, 0): [3], (3, 1): [2]}
    trace = drawing.trace_backward(z)
    assert [node.held and node.held["values"] for node in trace.nodes.values()] == [[4], [3], None, None, None]
    *_, last = trace.states()
    assert [held["values"] for held in last.nodes[1]["held"]] == [[4], [8]], "a second backward accumulates"
    assert x is not y


@needs_layout
def test_the_page_holds_them_and_the_picture_shows_them(tmp_path):
    x, y, z = diamond()
    trace = drawing.trace_backward(z)
    trace.save(tmp_path / "x.html")
    program = data_of((tmp_path / "x.html").read_text(encoding="utf-8"))
    records, (track,) = program["records"], program["tracks"]
    assert len({json.dumps(record) for record in records}) == len(records), "each tensor once"
    first = next(step for step in program["steps"] if step["event"] == "accumulate")
    ((number, node),) = first["nodes"].items()
    assert (number, records[node["held"][1]]["values"]) == ("2", [3]), "y is the last of the stack"
    assert records[track["nodes"]["1"]["values"][0]] == {"size": [1], "type": "torch.DoubleTensor", "values": [2]}
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", trace.frames()[-1])
    assert {"x #1", "= 2", "grad 0 → 4", "y #2", "= 3", "grad 0 → 3", "z = 11"} <= set(texts)
    waiting = next(i for i, step in enumerate(trace) if step.event == "add" and step.before is not None)
    assert "1 + 3 = 4" in trace.frames()[waiting]
    assert x is not y


def test_values_are_known_from_names_leaves_saved_tensors_and_record():
    x = variable(2.0, 3.0)

    def known(value):
        graph = walk.graph_of([value])
        found = values.values_of(graph, [value])
        return {type(function).__name__: record["values"] for (function, _), record in found.items()}

    loss = (x * 2).exp().neg().sum()
    # Exp saved its result; MulConstant and Negate kept nothing, and their results are gone.
    assert known(loss) == {"Leaf": [2, 3], "Exp": numpy.exp([4, 6]).tolist(), "Sum": [-numpy.exp([4, 6]).sum()]}
    with drawing.record():
        loss = (x * 2).exp().neg().sum()
    assert known(loss)["MulConstant"] == [4, 6] and len(known(loss)) == 5


def test_a_saved_tensor_that_was_changed_since_is_not_shown():
    x = variable(2.0)
    y = x.exp()
    loss = y.sin()
    graph, y_creator = walk.graph_of([loss]), y.creator
    assert (y_creator, 0) in values.values_of(graph, [loss])
    y.data.mul_(2)
    del y
    assert (y_creator, 0) not in values.values_of(graph, [loss])


def test_a_record_has_the_mean_and_the_norm_of_more_than_six_elements():
    x = Variable(Tensor(numpy.arange(1.0, 13).reshape(3, 4)))
    with drawing.record():
        y = x * 2
    record = values.values_of(walk.graph_of([y]), [])[y.creator, 0]
    # 2 + 4 + … + 24 = 156, divided by 12; the squares of 1 … 12 sum to 650
    assert (record["mean"], record["norm"]) == (13, pytest.approx(2 * 650**0.5))
    gone = weakref.ref(y.data)
    gc.disable()
    try:
        del y
        assert gone() is None, "a record keeps no tensor"
    finally:
        gc.enable()


def deep(count):
    value = variable(1.0)
    for step in range(count):
        value = value * 1.01 if step % 2 else value + 0.01
    return drawing.trace_backward(value)


def loop(count):
    """A loop whose steps all use one weight and one bias."""
    weight, bias, value = variable(0.9), variable(0.1), variable(1.0)
    for _ in range(count):
        value = (value * weight + bias).tanh()
    return drawing.trace_backward(value)


@needs_layout
@pytest.mark.parametrize("make, count", [(deep, 45), (loop, 15)])
def test_pages_and_notebooks_grow_with_the_graph_and_not_with_its_square(make, count):
    base = len(page.page([make(2)]))
    small, large = (len(page.page([make(times * count)])) - base for times in (1, 3))
    assert large < 4 * small, "three times the steps; with the square it were nine times"
    small, large = (len(make(times * count)._repr_mimebundle_()["text/html"]) for times in (1, 3))
    assert large < 3 * small


@needs_layout
@pytest.mark.parametrize("make, count", [(deep, 399), (loop, 133)])
def test_400_functions_fit_into_a_compressed_page_of_200_kb_and_200_into_a_notebook_with_600_kb(make, count):
    trace = make(count)
    assert 399 <= len(trace.nodes) <= 403
    assert len(gzip.compress(page.page([trace]).encode("utf-8"))) < 200_000
    assert len(json.dumps(make(count // 2)._repr_mimebundle_())) < 600_000


@needs_layout
def test_one_run_of_graphviz_lays_out_a_page(monkeypatch):
    runs = []
    monkeypatch.setattr(layout, "_dot", lambda source, dot=layout._dot: runs.append(source) or dot(source))
    page.page([network_trace(), deep(40)])
    assert len(runs) == 1


@needs_layout
def test_viewers_without_script_get_few_pictures_and_of_large_graphs_what_is_near():
    trace = deep(199)
    body = trace._repr_mimebundle_()["text/html"]
    assert body.count("<details") == body.count("</details>") == 12
    pictures = frames.frames(trace, [0, 600, len(trace) - 1], whole=False)
    assert [picture.count('class="node ') for picture in pictures.values()] == [3, 5, 3]
    running = re.findall(r'class="node running function".*?class="name"[^>]*>([^<]*)', pictures[600])
    assert running == [trace.nodes[trace[600].turn].label]
    assert next(iter(frames.frames(deep(20), [0], whole=False).values())).count('class="node ') == 21
    trace = deep(34)
    assert len(trace.frames()) == len(trace) and trace.frames()[0].count('class="node ') == 35


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return self.linear(x).tanh() + x


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.relu = Block(), Block(), nn.ReLU()

    def forward(self, x):
        return self.second(self.relu(self.first(x))) + self.first(x)


def network_trace():
    model, x = Network(), Variable(Tensor([[1.0, 2.0]]), requires_grad=False)
    with drawing.record():
        loss = model(x).sum()
    return drawing.trace_backward(loss, params=dict(model.named_parameters()) | {"x": x})


def test_each_recorded_call_has_a_picture_and_what_crosses_it_is_drawn_in_both():
    trace = network_trace()
    nest = nested.Nest(trace)
    titles = [(picture.title, picture.parent) for picture in nest.pictures]
    # The outermost call and relu, which made one Function, have none; `first` ran twice, so its weights are outside.
    assert sorted(titles[1:]) == [
        ("first Block (1)", 0), ("first Block (2)", 0), ("linear Linear", titles.index(("second Block", 0))),
        ("second Block", 0),
    ]  # fmt: skip
    second = next(place for place, (title, _) in enumerate(titles) if title == "second Block")
    linear = next(place for place, (title, _) in enumerate(titles) if title == "linear Linear")
    labels = {
        title: {trace.nodes[n].label.split()[0] for n in p.functions} for (title, _), p in zip(titles, nest.pictures)
    }
    assert labels["second Block"] == {"Tanh", "Add"}
    assert labels["linear Linear"] == {"Linear", "second.linear.weight", "second.linear.bias"}
    assert {"x", "first.linear.weight", "first.linear.bias", "ReLU", "Add", "Sum"} == labels[trace.title]
    relu = next(n for n, node in trace.nodes.items() if node.kind == "ReLU")
    paths = {nest.place[number]: nest.drawn_in[number, input] for number, input in nest.drawn_in
             if trace.nodes[number].inputs[input][0] == relu}  # fmt: skip
    # backward goes from `second`'s Add and its linear's Linear to the ReLU outside
    assert paths == {second: [second, 0], linear: [linear, second, 0]}
    joined = [(link.tail, link.head) for place in paths[linear] for link in nest.pictures[place].links
              if link.edge in {edge for edge, drawn in nest.drawn_in.items() if drawn == paths[linear]}]  # fmt: skip
    ((start, stub), (box, other_stub), (outer, end)) = joined
    assert (stub, box, outer, end) == (other_stub, f"m{linear}", f"m{second}", f"f{relu}") and start[0] == "f"


@needs_layout
def test_every_edge_and_every_function_is_an_element_of_its_picture():
    trace = network_trace()
    (track,) = data_of(page.page([trace]))["tracks"]
    ids = [set(re.findall(r' id="([^"]+)"', picture["svg"])) for picture in track["pictures"]]
    for number, node in track["nodes"].items():
        assert f"t0-f{number}" in ids[node["picture"]]
        for input in range(len(node["inputs"])):
            assert track["edges"][f"{number}_{input}"], "an edge that is drawn nowhere"
    assert {element for drawn in track["edges"].values() for element in drawn} <= set().union(*ids)
    for place, picture in enumerate(track["pictures"][1:], start=1):
        assert f"t0-m{place}" in ids[picture["parent"]]


def test_the_stack_is_written_as_its_changes_and_read_back():
    trace = network_trace()
    data = json.loads(trace.to_json())
    assert sum("ready" in step for step in data["steps"]) <= 2 * len(trace.nodes)
    again = drawing.Trace.from_json(trace.to_json())
    assert [(s.ready, s.not_ready) for s in again] == [(s.ready, s.not_ready) for s in trace]
    assert again.modules == trace.modules and again.nodes == trace.nodes


def several():
    """Four gradients for one number, a tensor of six elements and one of more, several outputs, a second backward."""
    x, w = variable(2.0), Variable(Tensor(numpy.arange(8.0).reshape(2, 4)))
    pair = Variable(Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    first, second = pair.chunk(2, 0)
    y = x * x + x * 3 + x
    loss = y.sum() + (w * w).sum() + (first * second).sum()
    loss.backward()
    return drawing.trace_backward(loss, params={"x": x, "w": w, "y": y})


def forward():
    x = variable(2.0, -1.0)
    with drawing.trace_forward(params={"x": x}) as trace:
        (x * 3).tanh().sum()
    return trace


@needs_layout
@pytest.mark.parametrize("make", [several, forward])
def test_the_script_writes_on_nodes_and_edges_what_the_pictures_say(opened, make):
    trace = make()
    browser = opened(page.page([trace]))
    found = browser.execute_script("""
        const lines = (group) => Object.fromEntries(["value", "grad", "state"].map(
            (name) => [name, (group.querySelector(`text.${name}`) || { textContent: "" }).textContent]));
        const all = [];
        for (let i = 0; i <= page.stepper.last; i++) {
            page.stepper.go(i);
            const groups = document.querySelectorAll(".view g.node");
            all.push(Object.fromEntries([...groups].map((group) => [group.id.replace("t0-f", ""), lines(group)])));
        }
        return all;
    """)
    for step, state, seen in zip(trace, trace.states(), found, strict=True):
        for number, node in trace.nodes.items():
            lines = painted.lines_of(node, state.nodes[number], page_shell.page_words("en"))
            del lines["name"]
            assert seen[str(number)] == lines, (step.text, node.label)
