"""The dictionary of names: the name of an attribute in 2016, its name today, and the value of both.

One small program, `glossary.toml`, runs in legacy_autograd and in modern torch. Every entry is a pair of expressions,
evaluated at its place in the program, so all values in the table are computed.
"""

import html
import itertools
import re
import tomllib
import warnings
from dataclasses import dataclass
from importlib import resources

import legacy_autograd

from ..autograd import ExecutionEngine, Function, Leaf
from ..autograd.variable import Variable
from ..tensor import Tensor
from ..utils.text_table import text_table
from ._torch import modern_torch

_WIDEST_EXPRESSION, _WIDEST_VALUE = 47, 32


@dataclass(frozen=True)
class Entry:
    """One entry: its subject, and the expression and its value in legacy_autograd (`here`) and in torch (`there`)."""

    about: str
    here: str
    value_here: str
    there: str
    value_there: str


class Dictionary:
    """The entries as a list. `repr`, `str` and `to_markdown()` give tables; a notebook shows one.

    In text, the expression of 2016 is above that of today, and no line is longer than 120 characters.
    """

    def __init__(self, entries, worlds):
        self.entries = entries
        self.worlds = worlds

    def __iter__(self):
        return iter(self.entries)

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, expression):
        """Return the first entry whose 2016 expression is `expression`."""
        for entry in self.entries:
            if entry.here == expression:
                return entry
        raise KeyError(f"the dictionary has no entry {expression!r}")

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
        """Return the table in Markdown."""
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


def dictionary() -> Dictionary:
    """Run the glossary's program in both packages and return the `Dictionary` of its expressions and values.

    Raises:
        TorchMissing: If modern torch is not installed.
    """
    torch = modern_torch()
    here = {"torch": legacy_autograd, "Variable": Variable, "Function": Function, "ExecutionEngine": ExecutionEngine}
    there = {"torch": torch}
    entries = []
    with warnings.catch_warnings(), torch.enable_grad():  # a context, so that the previous mode is restored
        warnings.simplefilter("ignore")  # modern torch warns about the grad of a result, which is an entry
        program = resources.files(__package__).joinpath("glossary.toml").read_text(encoding="utf-8")
        for step in tomllib.loads(program)["step"]:
            if "about" in step:
                value_here = _shown(eval(step["here"], here), torch)
                value_there = _shown(eval(step["there"], there), torch)
                entries.append(Entry(step["about"], step["here"], value_here, step["there"], value_there))
            else:
                exec(step["here"], here)
                exec(step["there"], there)
    worlds = ("2016, and legacy_autograd", f"torch {torch.__version__.partition('+')[0]}")
    return Dictionary(entries, worlds)


def _shown(value, torch):
    """Return a short text for a value, without addresses or ids, so that it is the same in every run."""
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
        # The ids of hooks are counted process-wide.
        keys = ["a number" if isinstance(key, int) else repr(key) for key in value]
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
    """Return an expression in pieces; a line may be broken between two of them."""
    return re.split(r"(?<=[. ])(?=\D)", text)


def _lines(text, widest):
    """Return an expression in lines of at most `widest` characters."""
    lines = [""]
    for piece in _pieces(text):
        if lines[-1] and len((lines[-1] + piece).rstrip()) > widest:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _code_html(text):
    return f"<code>{'<wbr>'.join(map(html.escape, _pieces(text)))}</code>"
