"""Questions in a notebook that a reader answers before the code runs: a form that checks itself.

    from legacy_autograd.exercises.questions import ask, blank

    ask(
        blank("x.grad after the first backward", 6),
        blank("which Function runs next", "Mul", choices=["Add", "Mul"], wrong={"Add": "it still waits for `Mul`"}),
        because="the derivative of `x * x` is `2 * x`",
    )

The form works without a kernel and without the network, in Jupyter and in exported HTML. Where no script runs (an
untrusted notebook), the answer is folded. Added: 2016 had nothing like it.
"""

import hashlib
import html
import json
import re
from dataclasses import dataclass

from ..drawing.template import filled
from .words import WORDS

_WORDS = WORDS["question"]  # {language: {key: text}}


@dataclass(frozen=True)
class Blank:
    """One blank of a question; see `blank`."""

    label: str
    answer: object
    choices: tuple
    wrong: dict


def blank(label, answer, *, choices=(), wrong=None):
    """Return one blank of a question.

    label: the question in a few words; `code` between backticks.
    answer: a number, a list of numbers, or a text.
    choices: the texts to choose from; without them the reader types.
    wrong: {a wrong answer: why it is wrong}.

    Raises ValueError if `answer` is not among `choices`.
    """
    if choices and answer not in choices:
        raise ValueError(f"blank {label!r}: the answer {answer!r} is not one of the choices {list(choices)}")
    return Blank(label, answer, tuple(choices), dict(wrong or {}))


def ask(*blanks, because, lang="en"):
    """Return a `Question` of these blanks, which a notebook shows as a form.

    because: the reason for the answers, shown with them.
    lang: the language of the form's own words, "en" or "zh".
    """
    if not blanks:
        raise ValueError("ask needs at least one blank(label, answer)")
    if lang not in _WORDS:
        raise ValueError(f"ask: lang is one of {', '.join(_WORDS)}, got {lang!r}")
    return Question(blanks, because, lang)


@dataclass(frozen=True)
class Question:
    """A question with its blanks; made by `ask`."""

    blanks: tuple
    because: str
    lang: str

    def answer(self):
        """Return the answers and the reason as Markdown."""
        colon = _WORDS[self.lang]["colon"]
        lines = [f"- {blank.label}{colon}**{_text(blank.answer)}**" for blank in self.blanks]
        return "\n".join([*lines, "", self.because])

    def __repr__(self):
        return f"<question: {'; '.join(blank.label for blank in self.blanks)}>"

    def _repr_mimebundle_(self, include=None, exclude=None, **_):
        return {"text/html": self._form(), "text/plain": repr(self)}

    def _form(self):
        words = _WORDS[self.lang]
        blanks = [{"answer": blank.answer, "wrong": {str(key): _inline(why) for key, why in blank.wrong.items()}}
                  for blank in self.blanks]  # fmt: skip
        fields = "".join(_field(blank, words) for blank in self.blanks)
        data = {"blanks": blanks, "words": words, "fields": fields}
        answers = [f"<li>{_inline(blank.label)}{words['colon']}<strong>{_inline(_text(blank.answer))}</strong></li>"
                   for blank in self.blanks]  # fmt: skip
        values = {
            "LANG": self.lang,
            "ANSWER": words["answer"],
            "ANSWERS": "".join(answers),
            "BECAUSE": _inline(self.because),
            "DATA": json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),
        }
        key = hashlib.sha256(json.dumps(values).encode("utf-8")).hexdigest()[:12]
        return filled(__package__, "question.html", {**values, "KEY": key}).rstrip()


def _field(blank, words):
    label = _inline(blank.label)
    if blank.choices:
        options = "".join(f"<option>{html.escape(choice)}</option>" for choice in blank.choices)
        control = f'<select><option value="">{words["choose"]} …</option>{options}</select>'
    else:
        control = '<input type="text" autocomplete="off" autocapitalize="off" spellcheck="false" size="12">'
    return f"<label><span>{label}</span> {control}</label>"


def _text(answer):
    if isinstance(answer, (list, tuple)):
        return ", ".join(map(_text, answer))
    return f"{answer:g}" if isinstance(answer, float) else str(answer)


def _inline(text):
    """Text as HTML, with `code` and **bold** as in Markdown."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
