"""Sphinx extension: the docstrings of the package as reStructuredText.

They are plain text with `code` in single backquotes, indented examples, and the sections of Google's style (`Args:`,
`Returns:`, `Raises:`) and of this project (`Shape:`, `Gradient:`, `Source:`). In reStructuredText a `*`, a `|` or the
`_` of `add_` would be markup; here they are escaped. sphinx.ext.napoleon leaves them, and splits `Returns:` at a colon.
"""

import re
import textwrap

_FIELDS = {"Returns": "returns", "Yields": "yields", "Shape": "Shape", "Gradient": "Gradient", "Source": "Source"}
_LISTS = {"Args": "param", "Raises": "raises", "Attributes": "var"}
_SECTION = re.compile(rf"({'|'.join([*_FIELDS, *_LISTS, 'Example', 'Examples', 'Note'])}):$")
_ENTRY = re.compile(r"(\**[\w.]+(?:, \**[\w.]+)*): ?(.*)")
_CODE = re.compile(r"(``.+?``|`[^`]+`)", re.DOTALL)


def restructured(lines):
    """Return the lines of a docstring as lines of reStructuredText."""
    result, section, body = [], "", []

    def finish():
        text = textwrap.dedent("\n".join(body)).strip("\n").split("\n")
        if section in _FIELDS:
            result.extend(["", *_field(_FIELDS[section], text)])
        elif section in _LISTS:
            result.extend(["", *_list(_LISTS[section], text)])
        else:
            result.extend(["", f".. rubric:: {section}", "", *_blocks(text)])

    plain = []
    for line in lines:
        heading = _SECTION.match(line)
        if heading or (section and line and not line.startswith(" ")):
            if section:
                finish()
            section, body = heading[1] if heading else "", []
            if heading:
                result.extend(_blocks(plain))
                plain = []
                continue
        (body if section else plain).append(line)
    if section:
        finish()
    result.extend(["", *_blocks(plain)])
    return [*result, ""]


def _field(name, text):
    first, *rest = _blocks(text) or [""]
    return [f":{name}: {first}", *(f"    {line}" if line else "" for line in rest)]


def _list(kind, text):
    """Return one field for each entry `name: text`, whose further lines are indented."""
    entries = []
    for line in text:
        entry = _ENTRY.match(line)
        if entry:
            entries.append((entry[1], [entry[2]]))
        elif entries:
            entries[-1][1].append(line)
        else:
            return _field(kind, text)
    fields = []
    for names, (first, *more) in entries:
        words = [first, *textwrap.dedent("\n".join(more)).split("\n")]
        fields += _field(f"{kind} {_escaped(names)}", words)
    return fields


def _blocks(lines):
    """Return `lines` with the words escaped and indented examples as literal blocks."""
    result, literal, doctest, item = [], False, False, 0
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        before = lines[number - 1] if number else ""
        if not line.strip():
            doctest = False
        elif line.lstrip().startswith(">>>"):
            doctest = True
        bullet = re.match(r"\s*(?:[-*]|\d+\.) +", line)
        if bullet:
            if not item and before.strip():
                result.append("")
            item = bullet.end()
        elif item and not indent and before.strip() and line.strip():
            result.append("")  # a list ends with an empty line
        if line.strip() and not literal and not doctest and not before.strip() and indent and not bullet:
            if indent != item or not item:
                literal = True
                result.extend([" " * (item if indent > item else 0) + "::", ""])
        elif literal and line.strip() and not indent:
            literal = False
            result.append("")
        if line.strip() and not indent and not bullet:
            item = 0
        if indent and not (literal or doctest or bullet or item):
            line = line.lstrip()  # deeper than the line above it: still the same paragraph
        result.append(line if literal or doctest else line if not line.strip() else "\0" + line)
    return _escape_words(result)


def _escape_words(lines):
    """Escape the runs of lines that are marked as words; a piece of code may go on in the next line."""
    result, run = [], []
    for line in [*lines, ""]:
        if line.startswith("\0"):
            run.append(line[1:])
            continue
        if run:
            result.extend(_escaped("\n".join(run)).split("\n"))
            run = []
        result.append(line)
    return result[:-1]


def _escaped(text):
    parts = _CODE.split(text)
    parts[0::2] = [re.sub(r"[\\*|]|_(?!\w)", r"\\\g<0>", part).replace("`", "\\`") for part in parts[0::2]]
    for number in range(1, len(parts), 2):  # a literal must not touch a letter
        before = "\\ " if re.search(r"[\w}\])]$", parts[number - 1]) else ""
        after = "\\ " if re.match(r"[\w{\[(]", parts[number + 1]) else ""
        parts[number] = f"{before}``{parts[number].strip('`').strip()}``{after}"
    return re.sub(r"^(\s*)\\\* ", r"\1* ", "".join(parts), flags=re.MULTILINE)  # a bullet


def process(app, what, name, obj, options, lines):
    if lines:
        lines[:] = restructured(lines)


def setup(app):
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
