"""The dictionary of names: what an attribute was called in 2016, what it is called today, and what both hold just now.

One small program is run in both worlds. Every entry is an expression in each, evaluated at its place in the program:
the values in the table are what the expressions gave, whatever is written here.
"""

import html
import itertools
import re
import warnings
from dataclasses import dataclass

import legacy_autograd

from ..autograd import ExecutionEngine, Function, Leaf
from ..autograd.variable import Variable
from ..tensor import Tensor
from ..utils.text_table import text_table
from ._torch import modern_torch

_WIDEST_EXPRESSION, _WIDEST_VALUE = 47, 32

# The program. A list is a step of it: (statements here, statements in modern torch). A tuple is an entry that is looked
# up at this place: (what it is about, expression here, expression in modern torch).
_PROGRAM = [
    [
        """
w, x = Variable(torch.Tensor([3.0]), requires_grad=True), Variable(torch.Tensor([2.0]), requires_grad=True)
c = Variable(torch.Tensor([5.0]), requires_grad=False)
y = w * x
loss = y + c * x
""",
        """
w, x = torch.tensor([3.0], requires_grad=True), torch.tensor([2.0], requires_grad=True)
c = torch.tensor([5.0])
y = w * x
loss = y + c * x
""",
    ],
    ("what holds a value in a graph", "type(x)", "type(x)"),
    ("the plain numbers", "x.data", "x.detach()"),
    ("one of them as a Python number", "loss.data[0]", "loss.item()"),
    ("the size of a whole reduction", "loss.sum().size()", "loss.sum().size()"),
    ("what made a result", "y.creator", "y.grad_fn"),
    ("what made a leaf", "x.creator", "x.grad_fn"),
    ("is it a leaf?", "x.is_leaf", "x.is_leaf"),
    ("what adds up a leaf's gradient", "y.creator.previous_functions[1][0]", "y.grad_fn.next_functions[1][0]"),
    ("which leaf that is", "x.creator.variable is x", "y.grad_fn.next_functions[1][0].variable is x"),
    ("where gradients go from there", "loss.creator.previous_functions", "loss.grad_fn.next_functions"),
    ("what an edge names beside the node", "y.creator.previous_functions[0][1]", "y.grad_fn.next_functions[0][1]"),
    ("which output of its node a result is", "y.creator.output_ids[id(y)]", "y.output_nr"),
    ("an operand that requires no gradient", "c.creator", "c.grad_fn"),
    (
        "… in the graph",
        "loss.creator.previous_functions[1][0].previous_functions",
        "loss.grad_fn.next_functions[1][0].next_functions",
    ),
    (
        "which inputs want a gradient",
        "loss.creator.previous_functions[1][0].needs_input_grad",
        "tuple(fn is not None for fn, _ in loss.grad_fn.next_functions[1][0].next_functions)",
    ),
    ("does it require a gradient?", "x.creator.requires_grad", "x.requires_grad"),
    ("what was saved for backward", "y.creator.saved_tensors", "(y.grad_fn._saved_self, y.grad_fn._saved_other)"),
    ("a gradient before backward", "x.grad", "x.grad"),
    [
        """
seen = []
y.register_hook("look", lambda grad_input, grad_output: seen.append((grad_input, grad_output)))
w.register_hook(lambda grad: grad * 10)
""",
        """
seen = []
y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: seen.append((grad_inputs, grad_outputs)))
w.register_hook(lambda grad: grad * 10)
""",
    ],
    ("the hooks of a leaf", "w.creator._variable_hooks", "w._backward_hooks"),
    ("the hooks of an operation", "y.creator.backward_hooks", "y.grad_fn.register_hook"),
    ("what runs backward", "Variable._execution_engine", "torch.autograd.Variable._execution_engine"),
    ("… its method", "ExecutionEngine.run_backward", "torch.autograd.Variable._execution_engine.run_backward"),
    ("backward", "loss.backward()", "loss.backward(retain_graph=True)"),
    ("the gradient of a leaf", "x.grad", "x.grad"),
    ("… its class", "type(x.grad)", "type(x.grad)"),
    ("… after a hook that multiplies by 10", "w.grad", "w.grad"),
    ("the gradient of a result", "y.grad", "y.grad"),
    ("what a hook of an operation saw", "seen", "seen"),
    ("keep the graph for another backward", "loss.backward(retain_variables=True)", "loss.backward(retain_graph=True)"),
    ("… the gradients add up", "x.grad", "x.grad"),
    [
        """
v = Variable(torch.Tensor([2.0]), volatile=True)
unrecorded = v * w
""",
        """
no_grad = torch.no_grad()
no_grad.__enter__()
unrecorded = x * w
""",
    ],
    ("a computation that is not recorded", "v.volatile", "not torch.is_grad_enabled()"),
    ("… its result requires a gradient?", "unrecorded.requires_grad", "unrecorded.requires_grad"),
    [
        """
class Double(Function):
    def forward(self, x):
        return x.mul(2)
    def backward(self, grad_output):
        return grad_output.mul(2)
doubled = Double()(x)
""",
        """
no_grad.__exit__(None, None, None)
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.mul(2)
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.mul(2)
doubled = Double.apply(x)
""",
    ],
    ("the result of a Function of one's own", "Double()(x)", "Double.apply(x)"),
    ("… what made it", "doubled[0].creator", "doubled.grad_fn"),
]


@dataclass(frozen=True)
class Entry:
    """One line: what it is about, and for both worlds the expression and what it gave."""

    about: str
    here: str
    value_here: str
    there: str
    value_there: str


class Dictionary:
    """The entries, as a list; `repr`, `str` and `to_markdown()` are tables of them, and a notebook shows one.

    In text the expression of 2016 stands above that of today, no line longer than 120 characters.
    """

    def __init__(self, entries, worlds):
        self.entries = entries
        self.worlds = worlds

    def __iter__(self):
        return iter(self.entries)

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, expression):
        """The entry whose 2016 expression is `expression` (the first of them)."""
        for entry in self.entries:
            if entry.here == expression:
                return entry
        raise KeyError(f"no entry {expression!r}")

    def __repr__(self):
        heading = f"{self.worlds[0]}, above {self.worlds[1]}"
        rows = [["", "expression", "is"]]
        for entry in self.entries:
            about = [entry.about]
            for expression, value in ((entry.here, entry.value_here), (entry.there, entry.value_there)):
                cells = about, _lines(expression, _WIDEST_EXPRESSION), _lines(value, _WIDEST_VALUE)
                rows += [list(row) for row in itertools.zip_longest(*cells, fillvalue="")]
                about = []
        return "\n".join([heading, "", *text_table(rows)])

    def to_markdown(self):
        """The table in Markdown."""
        rows = [["", self.worlds[0], "is", self.worlds[1], "is"], ["---"] * 5]
        rows += [[e.about, *[_code(t) for t in (e.here, e.value_here, e.there, e.value_there)]] for e in self.entries]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"

    def _repr_html_(self):
        left = ' style="text-align:left"'
        heads = "".join(f"<th{left}>{html.escape(name)}</th>" for name in ("", *self.worlds))
        cell = f"<td{left}>"
        rows = "".join(
            f"<tr>{cell}{html.escape(e.about)}</td>{cell}{_code_html(e.here)}<br>is {_code_html(e.value_here)}</td>"
            f"{cell}{_code_html(e.there)}<br>is {_code_html(e.value_there)}</td></tr>"
            for e in self.entries
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def dictionary():
    """Run the program in both worlds and look every name up. Returns a `Dictionary`.

    Raises TorchMissing without modern torch.
    """
    torch = modern_torch()
    here = {"torch": legacy_autograd, "Variable": Variable, "Function": Function, "ExecutionEngine": ExecutionEngine}
    there = {"torch": torch}
    entries = []
    with warnings.catch_warnings(), torch.enable_grad():  # entered, so that the mode of before comes back
        warnings.simplefilter("ignore")  # modern torch warns of reading the grad of a result, which is an entry
        for step in _PROGRAM:
            if isinstance(step, list):
                exec(step[0], here)
                exec(step[1], there)
            else:
                about, expression_here, expression_there = step
                values = eval(expression_here, here), eval(expression_there, there)
                shown = [_shown(value, torch) for value in values]
                entries.append(Entry(about, expression_here, shown[0], expression_there, shown[1]))
    worlds = ("2016, and legacy_autograd", f"torch {torch.__version__.partition('+')[0]}")
    return Dictionary(entries, worlds)


def _shown(value, torch):
    """A value in a few words, the same every time: no addresses, no ids."""
    if value is None or isinstance(value, (bool, float, str)):
        return repr(value)
    if isinstance(value, int):
        return "an id" if value > 1_000_000 else str(value)
    if isinstance(value, (Tensor, torch.Tensor)) and value.dim() == 0:
        return f"{value.tolist()}, size ()"
    if isinstance(value, (Tensor, Variable, torch.Tensor)):
        kind = "" if isinstance(value, Tensor) else f"{type(value).__name__} "
        return f"{kind}{value.data.tolist()}"
    if isinstance(value, torch.Size):
        return f"({', '.join(map(str, value))})"
    if isinstance(value, dict):
        keys = ["a number" if isinstance(key, int) else repr(key) for key in value]  # hooks are counted in a process
        return "{" + ", ".join(f"{key}: {_shown(item, torch)}" for key, item in zip(keys, value.values())) + "}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(_shown(item, torch) for item in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, type):
        return f"class {value.__name__}"
    if isinstance(value, (Function, Leaf)) or hasattr(value, "next_functions"):
        return type(value).__name__
    return f"{'function ' if callable(value) else ''}{getattr(value, '__name__', type(value).__name__)}"


def _code(text):
    return "`" + text.replace("|", "\\|") + "`"


def _pieces(text):
    """An expression in pieces, between which a line may end."""
    return re.split(r"(?<=[. ])(?=\D)", text)


def _lines(text, widest):
    """An expression in lines of up to `widest` characters."""
    lines = [""]
    for piece in _pieces(text):
        if lines[-1] and len((lines[-1] + piece).rstrip()) > widest:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _code_html(text):
    return f"<code>{'<wbr>'.join(map(html.escape, _pieces(text)))}</code>"
