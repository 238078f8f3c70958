"""What the judge says, in other languages: it writes English, and each sentence is looked up in `reports.zh.toml`.

The judge builds some sentences from parts, such as "each number is 2 times the correct one". Their entries have holes,
`{}`, or `{name}` for a single word. What fills a hole is looked up as well, except in `{code}`. An entry that begins
with a mark or a space continues any sentence. Names, numbers and the messages of exceptions have no entry, and stay.
"""

import functools
import re
import textwrap
import tomllib
from importlib import resources

_HOLE = re.compile(r"\{(\w*)\}")
_MARKS = ",;: "  # that begin an entry that continues a sentence
_PLACES = (", in line ", ", raised where the package used data that your code returned or recorded")  # of an exception
_EXCEPTION = re.compile(r"(\w*(?:Error|Exception): )(.*)", re.DOTALL)
_BETWEEN = re.compile(r"(, |; |: | =(?: |$)| -> |\(|\))")  # the parts of data: `x.grad = [1, 2], y = [3]`


def in_language(text, lang):
    """Return a text of the judge in the language `lang`."""
    return text if lang == "en" or text is None else _catalogue(lang).translated(text)


def title(exercise, lang):
    """Return the title of an exercise."""
    return exercise.title if lang == "en" else _catalogue(lang).exercises[exercise.file_name]["title"]


def texts_of(exercise, group, lang):
    """Return the title of a part of an exercise, and its three hints."""
    return [group.title, *group.hints] if lang == "en" else _catalogue(lang).exercises[exercise.file_name][group.name]


class Catalogue:
    """The sentences of a language, and the titles and hints of the exercises."""

    def __init__(self, sentences, exercises):
        self.exercises = exercises
        self._exact = {english: other for english, other in sentences.items() if not _Entry.is_needed(english)}
        # Of two entries that fit, the one with more of the text is meant.
        entries = [_Entry(*pair) for pair in sentences.items() if _Entry.is_needed(pair[0])]
        self._entries = sorted(entries, key=lambda entry: -sum(map(len, entry.literals)))
        self._places = [entry for entry in self._entries if entry.literals[0] in _PLACES]

    def translated(self, text):
        """Return a text in the language: as a whole, or each part of it that is known."""
        exception = _EXCEPTION.fullmatch(text)
        known = self._known(text, self._places if exception else self._entries)
        if known is not None:
            return known
        if exception is not None:
            return exception[1] + self._exact.get(exception[2], exception[2])
        made, start = "", 0
        for found in _BETWEEN.finditer(text):
            made += self._part(text[start : found.start()])
            start = found.end()
            rest = self._known(text[start:], self._entries) if found[0] == ": " else None
            if rest is not None:
                return f"{made}：{rest}"
            made += found[0]
        return made + self._part(text[start:])

    def _known(self, text, entries):
        """Return the translation of a whole text, or None if there is no entry for it."""
        if text in self._exact:
            return self._exact[text]
        for entry in entries:
            if all(literal in text for literal in entry.literals) and (match := entry.regex.fullmatch(text)):
                pairs = zip(entry.holes, match.groups(), strict=True)
                holes = [hole if kind == "code" else self.translated(hole) for kind, hole in pairs]
                return (holes.pop(0) if entry.continues else "") + entry.other.format(*holes)
        return None

    def _part(self, text):
        """Return a part of data in the language, also if it is the first or the last of a list."""
        if text.endswith(" …") and re.search("[a-z]{2}", text):  # cut within words
            return "…"
        inner = text.lstrip("[{")
        while inner[-1:] in ("]", "}") and inner.count("]") + inner.count("}") > inner.count("[") + inner.count("{"):
            inner = inner[:-1]
        known = self._known(inner, self._entries) if inner.strip() else None
        if known is not None:
            start = text.index(inner)
            return text[:start] + known + text[start + len(inner) :]
        return text


class _Entry:
    """A sentence with holes, or one that continues another, as an expression and as a text for `str.format`."""

    def __init__(self, english, other):
        self.continues = english[0] in _MARKS
        self.literals, kinds = _HOLE.split(english)[::2], _HOLE.findall(english)
        anything = "(.*?)" if self.continues else "((?:(?! = ).)*?)"  # not over the names of several data
        patterns = [*({"name": r"(\w+)", "code": "(.*)"}.get(kind, anything) for kind in kinds), ""]
        parts = [re.escape(literal) + pattern for literal, pattern in zip(self.literals, patterns)]
        self.holes = [""] * self.continues + kinds  # what the sentence continues is a hole, too
        self.regex = re.compile("(.*?)" * self.continues + "".join(parts), re.DOTALL)
        self.other = re.sub(r"\{[a-z]*\}", "{}", other)

    @staticmethod
    def is_needed(english):
        """Return whether the sentence is more than a text that is looked up."""
        return english[0] in _MARKS or _HOLE.search(english) is not None


@functools.cache
def _catalogue(lang):
    found = tomllib.loads(resources.files(__package__).joinpath(f"reports.{lang}.toml").read_text(encoding="utf-8"))
    return Catalogue(found["sentences"], found["exercises"])


# --- lines


def padded(label, width):
    """Return a label with spaces, as wide as so many letters. A Chinese character is as wide as two."""
    return label + " " * (width - _width(label))


# A word or a Chinese character, with the marks that must not begin a line, and the bracket that must not end one.
_PIECES = re.compile(r"\s+|（?(?:[^\s\u2e80-\uffff]+|\S)[，。、；：？！）]*")


def wrapped(text, first, rest, width=100):
    """Return the lines of a text: textwrap.wrap, for Chinese too, which breaks between any two characters."""
    if not re.search("[\u2e80-\uffef]", text):
        return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest)
    lines, line = [], first
    for piece in _PIECES.findall(text):
        if _width(line) + _width(piece.rstrip()) > width and line.strip() and line != rest:
            lines.append(line.rstrip())
            line, piece = rest, piece.lstrip()
        line += piece
    return [*lines, line.rstrip()]


def _width(text):
    return sum(2 if "\u2e80" <= character <= "\uffef" else 1 for character in text)
