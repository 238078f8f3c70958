"""The pictures in `diagrams/`: their list, the code that makes each, and the page that shows them.

`python -m legacy_autograd diagrams` writes them. Every picture is drawn from a graph that is computed by this module; a
test finds pictures that are out of date.
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
from .dot import Picture, make_dot
from .graphviz_drawing import Drawing, render
from .names import Names
from .recording import record
from .walk import Graph, inputs_of


@dataclass(frozen=True)
class Diagram:
    """One picture: its name, which is also the name of its files, a description, and the function that makes it."""

    name: str
    words: str
    make: object  # () -> Drawing, or a Trace, which becomes a page or an animation

    @property
    def is_trace(self):
        """Whether it is a Trace, saved as a page or an animation. Its name has a suffix; all other diagrams are DOT."""
        return self.name.endswith((".html", ".svg"))


def _variable(numbers, **options):
    return Variable(wrap(numpy.array(numbers, dtype=numpy.float64)), **options)


# --- the graphs


def _regression():
    """Return the Variables of a linear regression on ten points, as in 2016's articles, by name."""
    x = _variable([[0.1 * i for i in range(10)]], requires_grad=False)
    y = _variable([[0.3 * i for i in range(10)]], requires_grad=False)
    W = _variable([[0.5]])
    y_ = W.mm(x)
    loss = (y_ - y).abs().sum()
    return {"W": W, "x": x, "y": y, "y_": y_, "loss": loss}


def _linear_regression():
    """The loss of a linear regression, `sum(abs(mm(W, x) - y))`, drawn in the direction of the forward pass.

    Two outputs are drawn, `y_` and `loss`. The other two Variables have no name and no longer exist, as in notebook 1.
    """
    names = _regression()
    return make_dot(names["loss"], names, rankdir="LR")


def _subtraction():
    """`y_ - y`, with edges that point as `previous_functions` do, from `Sub` back to the leaves."""
    names = _regression()
    difference = names["y_"] - names["y"]
    return make_dot(difference, {**names, "y_ - y": difference}, direction="backward")


def _cubic():
    """`3 * a**3 - b**2`, with the tensors that its Functions saved."""
    with record():
        a, b = _variable([2.0, 3.0]), _variable([6.0, 4.0])
        Q = 3 * a**3 - b**2
    return make_dot(Q, {"a": a, "b": b, "Q": Q}, show_saved=True)


def _product():
    """`v = x1 * x2`, with values."""
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
    return {"x": x, "y": y, "x * y": product, "x + y": total, "z": product + total}


def _diamond():
    """`x * y + (x + y)`: two paths lead from `z` to each leaf."""
    names = _diamond_graph()
    return make_dot(names["z"], names)


def _shared_leaf():
    """`x * x + x`: one leaf that is used three times."""
    with record():
        x = _variable([3.0])
        y = x * x + x
    return make_dot(y, {"x": x, "y": y})


def _several_outputs():
    """`chunk(3)`: one Function with three outputs, one of which is unused."""
    with record():
        x = _variable([1.0, 2.0, 3.0])
        first, second, third = x.chunk(3)
        y = first * second
    names = {"x": x, "first": first, "second": second, "third, unused": third, "y": y}
    return make_dot(y, names)


def _lenet():
    """LeNet and its loss, with each call of a module folded into one node (with a double border)."""
    from ..demos.networks import LeNet
    from ..nn import CrossEntropyLoss

    model, criterion = LeNet(), CrossEntropyLoss()
    images = Variable(wrap(numpy.zeros((1, 1, 28, 28))).type(model.conv1.weight.data.type()), requires_grad=False)
    target = Variable(wrap(numpy.array([3])), requires_grad=False)
    with record():
        loss = criterion(model(images), target)
    names = {**dict(model.named_parameters()), "images": images, "target": target, "loss": loss}
    return make_dot(loss, names, fold="modules", show_outputs=False)


def _lstm():
    """An LSTM cell over five steps, with each call folded into one node; the steps share their parameters."""
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
    """The calls from `loss.backward()` to `grad.add_`, recorded from a backward of the linear regression."""
    names = _regression()
    names["loss"].backward()  # in the second backward, a gradient is added to the first
    return calls.draw_calls(names["loss"])


def _regression_backward():
    """Backward of the linear regression, step by step."""
    names = _regression()
    params = {name: names[name] for name in ("W", "x", "y", "loss")}
    return backward.trace_backward(names["loss"], params=params)


def _diamond_backward():
    """Backward of `x * y + (x + y)`, step by step."""
    names = _diamond_graph()
    return backward.trace_backward(names["z"], params=names)


def _regression_forward():
    """The linear regression's graph while it is built, call by call."""
    names = {}
    with forward.trace_forward(params=names, title="forward of loss") as trace:
        names.update(_regression())
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
    "Animation of the backward of z = x * y + (x + y): the gradient 1 flows from Add to Mul and Add; x receives 3 and "
    "1, y receives 2 and 1; at the end x.grad = 4 and y.grad = 3"
)
_TITLES = {"lenet": "LeNet", "lstm": "LSTM"}
_INTRODUCTION = [
    "`python -m legacy_autograd diagrams` computes these graphs and writes the pictures; do not edit them.",
    "Blue is a Function, green a leaf that requires a gradient, yellow (dashed) a leaf that does not, brown the output",
    "of an operation (dashed: not differentiable), orange a tensor saved for backward. The number at an edge is that",
    "of the Function's input. A number after # is that of a Function, and is the same in every drawing of its graph.",
]

# --- the list


def _first_paragraph(function):
    """Return the first paragraph of a docstring as Markdown, with special characters escaped."""
    text = inspect.getdoc(function) or function.__name__
    parts = " ".join(text.split("\n\n")[0].split()).split("`")
    parts[::2] = map(_escaped, parts[::2])  # every other part is code
    return "`".join(parts)


def _escaped(text):
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
    """Return {name: Diagram} of all diagrams; those of single Functions come last, with names like "functions/Sub"."""
    of_functions = [
        Diagram(f"functions/{name}", _first_paragraph(function), functools.partial(_of_function, name))
        for name, function in examples.function_classes().items()
    ]
    return {diagram.name: diagram for diagram in [*ARTICLES, MOVING, *PAGES, *of_functions]}


def write(folder, names=None):
    """Write the diagrams `names` to `folder` as DOT, SVG and pages. Without `names`, write all and the index.

    Returns the paths of the written files. Raises ValueError for an unknown name, and LayoutUnavailable if no program
    can lay out a graph; the DOT files are written in that case too.
    """
    folder = Path(folder)
    known = all_diagrams()
    wanted = list(known) if not names else list(names)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        near = difflib.get_close_matches(unknown[0], known, n=4, cutoff=0.4)
        raise ValueError(f"no diagram {unknown[0]!r}; similar names: {', '.join(near) or 'none'} (--list prints all)")
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
    """Return the Markdown page that shows all diagrams."""
    lines = ["# Diagrams", "", *_INTRODUCTION, ""]
    for diagram in ARTICLES:
        title = _TITLES.get(diagram.name) or diagram.name.replace("_", " ").capitalize()
        lines += [f"## {title}", "", diagram.words, "", _image(diagram), ""]
    lines += ["## Animation", "", MOVING.words, "", f"![{MOVING_WORDS}]({MOVING.name})", ""]
    lines += ["## Step by step", "", "Download these pages and open them in a browser:", ""]
    lines += [f"- [{diagram.name}]({diagram.name}): {diagram.words}" for diagram in PAGES]
    lines += [
        "",
        "## Every Function",
        "",
        "Each picture shows the inputs, attributes, saved tensors and outputs.",
        "",
    ]
    for diagram in all_diagrams().values():
        if diagram.name.startswith("functions/"):
            name = diagram.name.partition("/")[2]
            lines += [f"### {name}", "", diagram.words, "", _image(diagram), ""]
    return "\n".join(lines).rstrip() + "\n"


def _image(diagram):
    """Return a diagram's picture in Markdown, with a description of its graph as the alternative text."""
    return f"![{_escaped(diagram.make().words)}]({diagram.name}.svg)"


def _write(path, text):
    path.write_text(text, encoding="utf-8")
    return path
