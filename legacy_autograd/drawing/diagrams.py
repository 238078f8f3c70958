"""The pictures in `diagrams/`: what there is, how each is made, and the page that shows them.

`python -m legacy_autograd diagrams` makes them. Every one is drawn from a graph that is computed here, so a picture
that is out of date differs from what this makes, which a test compares.
"""

import difflib
import functools
import inspect
import re
from dataclasses import dataclass
from pathlib import Path

import numpy

from ..autograd.variable import Variable
from ..tensor.base import wrap
from . import backward, calls, examples, forward
from .dot import Drawing, Picture, make_dot, render
from .names import Names
from .recording import record
from .walk import Graph, inputs_of


@dataclass(frozen=True)
class Diagram:
    """One picture: its name, which is that of its files, a line that says what it shows, and how to make it."""

    name: str
    words: str
    make: object  # () -> Drawing, or a Trace, which becomes a page or a moving picture

    @property
    def is_trace(self):
        """Is it a Trace, saved as a page or a moving picture? Its name has the suffix; of all others there is DOT."""
        return self.name.endswith((".html", ".svg"))


def _variable(numbers, **options):
    return Variable(wrap(numpy.array(numbers, dtype=numpy.float64)), **options)


# --- the graphs


def _regression():
    """The articles' linear regression, on ten points: (y_, loss, W, x, y)."""
    x = _variable([[0.1 * i for i in range(10)]], requires_grad=False)
    y = _variable([[0.3 * i for i in range(10)]], requires_grad=False)
    W = _variable([[0.5]])
    y_ = W.mm(x)
    loss = (y_ - y).abs().sum()
    return y_, loss, W, x, y


def _linear_regression():
    """The loss of the articles' linear regression, `sum(abs(mm(W, x) - y))`, the way the data went.

    Two outputs are drawn, `y_` and `loss`: the other two Variables have no name and are gone, as in notebook 1.
    """
    y_, loss, W, x, y = _regression()
    return make_dot(loss, {"W": W, "x": x, "y": y, "y_": y_, "loss": loss}, rankdir="LR")


def _subtraction():
    """`y_ - y`, the way `previous_functions` point: from `Sub` to the creators of `y_` and `y`, and to the leaves."""
    with record():
        y_, _, W, x, y = _regression()
        difference = y_ - y
    return make_dot(difference, {"W": W, "x": x, "y": y, "y_": y_, "y_ - y": difference}, direction="backward")


def _cubic():
    """`3 * a**3 - b**2`, with the tensors that its Functions saved."""
    with record():
        a, b = _variable([2.0, 3.0]), _variable([6.0, 4.0])
        Q = 3 * a**3 - b**2
    return make_dot(Q, {"a": a, "b": b, "Q": Q}, show_saved=True)


def _product():
    """`v = x1 * x2`, with values."""
    with record():
        x1, x2 = _variable([2.0]), _variable([3.0])
        v = x1 * x2
    return make_dot(v, {"x1": x1, "x2": x2, "v": v}, show_values=True, rankdir="LR")


def _four_colours():
    """Blue Functions, green leaves that require a gradient, a yellow one that does not, brown outputs."""
    with record():
        x = _variable([[1.0, 2.0]], requires_grad=False)
        w, b = _variable([[0.5], [0.25]]), _variable([0.1])
        y = x.mm(w) + b
        loss = y**2
    names = {"x": x, "w": w, "b": b, "y": y, "loss": loss}
    return make_dot(loss, names, show_saved=True, legend=True)


def _diamond_graph():
    x, y = _variable([2.0]), _variable([3.0])
    product, total = x * y, x + y
    return x, y, product, total, product + total


def _diamond():
    """`x * y + (x + y)`: two ways lead from `z` to each leaf."""
    with record():
        x, y, product, total, z = _diamond_graph()
    return make_dot(z, {"x": x, "y": y, "x * y": product, "x + y": total, "z": z})


def _shared_leaf():
    """`x * x + x`: one leaf, three uses."""
    with record():
        x = _variable([3.0])
        y = x * x + x
    return make_dot(y, {"x": x, "y": y})


def _several_outputs():
    """`chunk(3)`: one Function, three outputs, of which one is not used."""
    with record():
        x = _variable([1.0, 2.0, 3.0])
        first, second, third = x.chunk(3)
        y = first * second
    names = {"x": x, "first": first, "second": second, "third, unused": third, "y": y}
    return make_dot(y, names)


def _lenet():
    """LeNet and its loss, each call of a module folded into one node (a double frame)."""
    from ..nn import CrossEntropyLoss
    from ..training.lenet import LeNet

    model, criterion = LeNet(), CrossEntropyLoss()
    images = Variable(wrap(numpy.zeros((1, 1, 28, 28))).type(model.conv1.weight.data.type()), requires_grad=False)
    target = Variable(wrap(numpy.array([3])), requires_grad=False)
    with record():
        loss = criterion(model(images), target)
    names = {**dict(model.named_parameters()), "images": images, "target": target, "loss": loss}
    return make_dot(loss, names, fold="modules", show_outputs=False)


def _lstm():
    """An LSTM cell over five steps, folded likewise; the steps share their parameters."""
    from ..nn import LSTMCell

    cell = LSTMCell(3, 4)
    number_type = cell.weight_ih.data.type()
    x, h, c = (Variable(wrap(numpy.zeros((1, n))).type(number_type), requires_grad=False) for n in (3, 4, 4))
    names = {**dict(cell.named_parameters()), "x": x, "h": h, "c": c}
    with record():
        for _ in range(5):
            h, c = cell(x, (h, c))
    return make_dot(h, {**names, "h after 5 steps": h}, fold="modules", show_outputs=False)


def _calls():
    """Who calls whom, from `loss.backward()` to `grad.add_`, recorded from a backward of the linear regression."""
    _, loss, W, _, _ = _regression()
    loss.backward()  # the second time there is a gradient to add to
    return calls.draw_calls(loss)


def _regression_backward():
    """Backward of the linear regression, step by step."""
    _, loss, W, x, y = _regression()
    return backward.trace_backward(loss, params={"W": W, "x": x, "y": y, "loss": loss})


def _diamond_backward():
    """Backward of `x * y + (x + y)`, step by step."""
    x, y, product, total, z = _diamond_graph()
    return backward.trace_backward(z, params={"x": x, "y": y, "x * y": product, "x + y": total, "z": z})


def _regression_forward():
    """The regression's graph as it is built, call by call."""
    names = {}
    with forward.trace_forward(params=names, title="forward of loss") as trace:
        y_, loss, W, x, y = _regression()
        names.update({"W": W, "x": x, "y": y, "y_": y_, "loss": loss})
    return trace


def _of_function(name):
    function, inputs, outputs, constructed = examples.example(name)
    cut = [number for number, output in enumerate(outputs) if output.creator is not function]
    picture = Picture(Graph([(function, 0)], inputs_of), Names(inputs))
    picture.attribute_length = 50
    picture.attributes = {*constructed, "needs_input_grad"}
    picture.find_outputs([output for output in outputs if output.creator is function], all_known=True)
    picture.cut = [(function, number) for number in cut]
    picture.draw(show_saved=True)
    return picture.to_dot("LR")


MOVING_WORDS = (
    "Backward of z = x * y + (x + y), moving: the gradient 1 goes from Add to Mul and Add, 3 and 1 meet at x, "
    "2 and 1 at y; in the end x.grad = 4 and y.grad = 3"
)
_TITLES = {"lenet": "LeNet", "lstm": "LSTM"}
_INTRODUCTION = [
    "Made by `python -m legacy_autograd diagrams` from graphs that are computed for it; do not edit them.",
    "Blue is a Function, green a leaf that requires a gradient, yellow (dashed) one that does not, brown the output of",
    "an operation (dashed: not differentiable), orange a tensor saved for backward. A number at an edge says which",
    "input of the Function it is, # the number of a Function, which is the same in every drawing of its graph.",
]

# --- the list


def _first_paragraph(function):
    """What the docstring of a Function or a maker says first, as Markdown that shows it as it stands."""
    text = inspect.getdoc(function) or function.__name__
    parts = " ".join(text.split("\n\n")[0].split()).split("`")
    parts[::2] = map(_shown_as_it_is, parts[::2])  # what is no code
    return "`".join(parts)


def _shown_as_it_is(text):
    return re.sub(r"([\\*_\[\]<>|#])", r"\\\1", text)


def _diagram(make, suffix=""):
    return Diagram(make.__name__.removeprefix("_") + suffix, _first_paragraph(make), make)


ARTICLES = [
    _diagram(make)
    for make in (
        _linear_regression, _subtraction, _cubic, _product, _four_colours, _diamond, _shared_leaf, _several_outputs,
        _lenet, _lstm, _calls,
    )
]  # fmt: skip
MOVING = _diagram(_diamond_backward, ".svg")
PAGES = [_diagram(make, ".html") for make in (_regression_backward, _diamond_backward, _regression_forward)]


def all_diagrams():
    """{name: Diagram} of all there are, those of single Functions last, as "functions/Sub"."""
    of_functions = [
        Diagram(f"functions/{name}", _first_paragraph(function), functools.partial(_of_function, name))
        for name, function in examples.function_classes().items()
    ]
    return {diagram.name: diagram for diagram in [*ARTICLES, MOVING, *PAGES, *of_functions]}


def write(folder, names=None):
    """Make the diagrams `names` (all, if left out) in `folder`: DOT, SVG and pages; of all, the index too.

    Returns the files written. Raises ValueError for a name that there is not, LayoutUnavailable where nothing lays out
    a graph: then the DOT of all is written.
    """
    folder = Path(folder)
    known = all_diagrams()
    wanted = list(known) if not names else list(names)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        near = difflib.get_close_matches(unknown[0], known, n=4, cutoff=0.4)
        raise ValueError(f"no diagram {unknown[0]!r}; close to it are {', '.join(near) or 'none'} (--list prints all)")
    written, sources = [], {}
    for name in wanted:
        made = known[name].make()
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if known[name].is_trace:
            sources[path] = made
        else:
            sources[path.with_suffix(".svg")] = made
            written.append(_write(path.with_suffix(".dot"), made.source))
    if not names:
        written.append(_write(folder / "README.md", index()))
    for path, made in sources.items():
        if isinstance(made, Drawing):
            render(made, path)
        else:
            made.save(path)
        written.append(path)
    return written


def index():
    """The page that shows all diagrams, in Markdown."""
    lines = ["# Diagrams", "", *_INTRODUCTION, ""]
    for diagram in ARTICLES:
        title = _TITLES.get(diagram.name) or diagram.name.replace("_", " ").capitalize()
        lines += [f"## {title}", "", diagram.words, "", _image(diagram), ""]
    lines += ["## Moving", "", MOVING.words, "", f"![{MOVING_WORDS}]({MOVING.name})", ""]
    lines += ["## Step by step", "", "Pages to open in a browser, after downloading them:", ""]
    lines += [f"- [{diagram.name}]({diagram.name}): {diagram.words}" for diagram in PAGES]
    lines += ["", "## Every Function", "", "Each with its inputs, its attributes, what it saves and its outputs.", ""]
    for diagram in all_diagrams().values():
        if diagram.name.startswith("functions/"):
            name = diagram.name.partition("/")[2]
            lines += [f"### {name}", "", diagram.words, "", _image(diagram), ""]
    return "\n".join(lines).rstrip() + "\n"


def _image(diagram):
    """The picture in Markdown, with what its graph is as the text for those who do not see it."""
    return f"![{_shown_as_it_is(diagram.make().words)}]({diagram.name}.svg)"


def _write(path, text):
    path.write_text(text, encoding="utf-8")
    return path
